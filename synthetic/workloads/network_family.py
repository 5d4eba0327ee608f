"""The 100,000 TPS benchmark: its network, and its prediction.

CPU bursts keep their processor to the end (solver/clumps.py); pools have blocks that are searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from imsperf.synthetic.network.network import (
    Cpu,
    Logged,
    Network,
    PoolSize,
    RegionPool,
    SerialCode,
    TransactionClass,
)
from imsperf.synthetic.scenarios.scenario import FplEntry, Scenario, parse_fpl
from imsperf.synthetic.solver.answer import results
from imsperf.synthetic.solver.declared import cpu_busy, model_of, search_us
from imsperf.synthetic.solver.devices import (
    GroupCommit,
    Io,
    Latch,
    awe_balance,
    awe_modes,
    group_commit,
    pool_blocks,
)
from imsperf.synthetic.solver.result import HELD, NEARLY_FULL
from imsperf.synthetic.solver.servers import Balance
from imsperf.synthetic.solver.solve import balance
from imsperf.synthetic.units import US_PER_MS
from imsperf.synthetic.workloads.costs import check_fixed
from imsperf.synthetic.workloads.devices import (
    code_speed,
    dasd,
    fixed_us_per_s,
    latches,
    logger,
    post_us,
    xcf,
)
from imsperf.synthetic.workloads.features import defaults, trace_factor
from imsperf.synthetic.workloads.prediction import (
    FULL,
    Metric,
    Prediction,
    StationRow,
    ms,
    next_to_fill,
)
from imsperf.synthetic.workloads.tm import driven
from imsperf.synthetic.workloads.tm_metrics import devices

Figure = tuple[str, str, float | str | None]  # name, unit, value

SPACES = {"IMS": "ims", "ICON": "ims_connect", "IFP": "region"}
NEVER_MIN = 60 * 24 * 365.0  # a good period longer than a year never ends
CREDENTIALS_IN = ("5901", "5903")  # messages in and out
UNEXPLAINED = "region.unexplained_ms"


def build(scenario: Scenario) -> Network:
    """The network, with the think time that reaches driver.target_busy where that is set."""
    return driven(scenario, [declared(scenario)])[0]


def predicted(scenario: Scenario) -> Prediction:
    """Rate, response, CPU and stations."""
    network = build(scenario)
    model = model_of([network])
    balances = balance(model)
    answer, result = Answer(network, balances["work"]), results(model, balances).of("work")
    rows = [
        Metric(name, unit, value, "unexplained" if name == UNEXPLAINED else "")
        for name, unit, value in _metrics(scenario, answer)
    ]
    rows += devices(network, result, result.details, "")
    return Prediction(tuple(rows), tuple(_stations(answer)))


@dataclass(frozen=True)
class Answer:
    """The balance of the network, as the metrics name it. Times in microseconds."""

    network: Network
    balance: Balance

    @property
    def rate_per_s(self) -> float:
        """Transactions a second."""
        return self.balance.rate_per_s

    @property
    def input_us(self) -> float:
        """CPU and waits before the region, without the gate."""
        return float(self.balance.times_us[0])

    @property
    def output_us(self) -> float:
        """CPU and waits after the log write."""
        after = float(self.balance.times_us[1])
        return after - self.balance.check_write_us * (self.network.logger.check_write == "notified")

    @property
    def response_us(self) -> float | None:
        """XCF delivery to dequeue; None: saturated."""
        inside = self.balance.response_us
        return None if inside is None else inside + self.input_us

    @property
    def in_flight(self) -> float | None:
        """Transactions between XCF delivery and dequeue, by Little's law."""
        return None if self.response_us is None else self.rate_per_s * self.response_us / 1e6

    @property
    def cpu_busy(self) -> float:
        """Share of the CPs."""
        return cpu_busy(self.network, self.balance)

    @property
    def io(self) -> Io:
        """A database I/O."""
        return self.balance.terms.device(Io) or Io(0.0, 0.0)

    @property
    def log_write(self) -> GroupCommit:
        """The WADS."""
        return self.balance.terms.device(GroupCommit) or group_commit(0.0, 0.0, 0.0)

    def latch(self, name: str) -> Latch | None:
        """LOGL, LREC or serial code; None: nobody takes it."""
        return self.balance.terms.device(Latch, name)

    def delay(self, name: str) -> float:
        """Waits of one transaction for a device."""
        return float(self.balance.terms.delays.get(name, np.zeros(3)).sum())

    @property
    def loads(self) -> dict[str, float]:
        """Shares of what each station can do; not the WADS, busy whenever anything is logged."""
        known, point = self.balance.terms.loads, self.balance.point
        return {
            "xcf": known.get("xcf", 0.0),
            "channel_paths": self.io.path_load,
            "volumes": self.io.volume_load,
            **{name: known.get(name, 0.0) for name in ("logl", "lrec", "olds")},
            **{serial.name: known[serial.name] for serial in self.network.serials},
            "cpu": self.cpu_busy,
            "regions": min(point.regions_busy / self.network.regions, 1.0),
        }

    @property
    def held_by(self) -> dict[str, float]:
        """What a region's occupancy owes to queues at other stations."""
        reads, balance = self.network.mean("reads"), self.balance
        latch = "lrec" if self.network.latches.mode == "split" else "logl"
        return {
            "channel_paths": reads * (self.io.cmr or 0.0),
            "volumes": reads * (self.io.iosq or 0.0),
            "olds": self.delay("olds"),
            latch: self.delay("logl") + self.delay("lrec"),
            "cpu": float((balance.cpu_time_us - balance.cpu_us)[2]),
        }

    @property
    def fullest(self) -> str:
        """The station nearest to its limit."""
        return max(self.loads, key=lambda name: self.loads[name])

    @property
    def bottleneck(self) -> str:
        """The same; where that is the regions, who else keeps them full."""
        name, waits = self.fullest, self.held_by
        holder = max(waits, key=lambda one: waits[one])
        full = name == "regions" and self.loads[name] > NEARLY_FULL
        return holder if full and waits[holder] > HELD * self.balance.point.occupancy else name

    @property
    def full_at(self) -> dict[str, float]:
        """The rate at which each station is full."""
        fixed, rates = self.network.cpu.fixed_us_per_s / 1e6 / self.network.cpu.cps, {}
        for name, load in self.loads.items():
            base = fixed if name == "cpu" else 0.0
            if load - base > 1e-9:
                rates[name] = self.rate_per_s * (1 - base) / (load - base)
        return rates


def _stations(answer: Answer) -> list[StationRow]:
    network = answer.network
    servers = {
        "cpu": network.cpu.cps,
        "regions": network.regions,
        "channel_paths": network.dasd.paths,
        "volumes": network.dasd.volumes * (1 + network.dasd.aliases),
        "xcf": network.xcf.members,
    }
    full_at, rate, times = answer.full_at, answer.rate_per_s, _residences(answer)
    rows = []
    for name, load in answer.loads.items():
        limit = float(servers.get(name, 1))
        demand = None if name == "xcf" else load * limit / rate * 1e6
        time = times.get(name)
        queue = None if time is None else rate * time / 1e6
        rows.append(StationRow("", name, limit, demand, time, queue, load * 100, full_at.get(name)))
    return rows


def _residences(answer: Answer) -> dict[str, float]:
    """Wait and service of one transaction where the balance tells them apart, microseconds."""
    network, balance, io = answer.network, answer.balance, answer.io
    if balance.point.saturated:
        return {}
    ios = network.mean("reads") + network.mean("writes")
    written = network.mean("log_bytes") / network.logger.block_bytes * network.logger.olds_us
    return {
        "cpu": float(balance.cpu_time_us.sum()),
        "regions": balance.queue_us + balance.point.occupancy,
        "channel_paths": ios * ((io.cmr or 0.0) + network.dasd.port_us),
        "volumes": ios * (io.response or 0.0),
        "olds": answer.delay("olds") + written,
        "xcf": balance.gate_us,
    }


def _metrics(scenario: Scenario, answer: Answer) -> Iterator[Figure]:
    yield from _summary(answer)
    yield from _times(answer)
    yield from _pool_figures(answer)
    yield from _serial_figures(answer)
    yield from _awe(scenario, answer)
    loads, now = answer.loads, answer.bottleneck
    yield "bottleneck", "station", now
    yield "headroom_pct", "%", max(1 / max(loads.values()) - 1, 0.0) * 100
    full = now if now != answer.fullest or loads[now] > FULL else ""
    least = answer.balance.point.occupancy - sum(answer.held_by.values())
    alone = {"regions": 1e6 * answer.network.regions / max(least, 1e-9)}
    name, rate = next_to_fill(answer.rate_per_s, answer.full_at, full, alone)
    yield "saturates_next", "station", name
    yield "saturates_at_per_s", "1/s", rate
    for name, load in loads.items():
        yield f"util_{name}", "%", load * 100
    yield "util_wads", "%", answer.log_write.busy * 100
    yield UNEXPLAINED, "ms", scenario[UNEXPLAINED]


def _summary(answer: Answer) -> Iterator[Figure]:
    """The metrics of run.metrics."""
    rate, busy, network = answer.rate_per_s, answer.cpu_busy, answer.network
    yield "etr_per_s", "1/s", rate
    yield "cpu_busy_pct", "%", busy * 100
    yield "lpar_busy_pct", "%", busy * 100
    yield "itr_per_s", "1/s", rate / busy
    yield "ims_response_ms", "ms", ms(answer.response_us)
    yield "cpu_us_per_tran", "us", network.cpu.cps * busy * 1e6 / rate
    factor = network.mean("cpu_factor")
    cpu, growth = network.cpu, answer.balance.terms.growth
    bare = factor * (cpu.input_us + cpu.region_us + cpu.output_us)
    extra = float(answer.balance.cpu_us.sum()) - bare * growth  # search and contention
    for space, us in network.cpu.share_by_space:
        if space in SPACES:
            more = extra if space == "IMS" else 0.0
            yield f"{SPACES[space]}_cpu_us_per_tran", "us", us * factor * growth + more
    yield "in_flight", "count", answer.in_flight


def _times(answer: Answer) -> Iterator[Figure]:
    """Where the response goes, and what happens before it."""
    balance = answer.balance
    saturated = balance.point.saturated
    yield "ims_response_from_queue_ms", "ms", ms(balance.response_us)
    yield "xcf_delay_ms", "ms", None if saturated else ms(balance.gate_us)
    yield "input_cpu_ms", "ms", ms(answer.input_us)
    yield "region_queue_ms", "ms", None if saturated else ms(balance.queue_us)
    yield "region_occupancy_ms", "ms", ms(balance.point.occupancy)
    yield "output_cpu_ms", "ms", ms(answer.output_us)
    yield "check_write_ms", "ms", ms(balance.check_write_us)
    yield "regions_busy", "count", balance.point.regions_busy
    search = search_us(answer.network)
    ios = answer.network.mean("reads") + answer.network.mean("writes")
    yield "volume_io_per_s", "1/s", answer.rate_per_s * ios / answer.network.dasd.volumes
    yield "pool_search_us_per_tran", "us", search
    yield "pool_search_pct", "%", search / float(balance.cpu_us.sum()) * 100


def _pool_figures(answer: Answer) -> Iterator[Figure]:
    """Mean buffers in use of each size that transactions use."""
    for pool in answer.network.pools:
        if pool.gets * answer.rate_per_s >= 1:
            used = pool.standing + answer.rate_per_s / 1e6 * pool.gets * pool.hold_us
            name = f"pool_{pool.pool}_{pool.buffer_bytes or 'OVERSIZE'}"
            yield f"{name}_buffers", "count", used
            yield f"{name}_blocks", "count", pool.blocks_at_start


def _serial_figures(answer: Answer) -> Iterator[Figure]:
    """Contentions of code that one caller at a time runs."""
    for serial in answer.network.serials:
        latch = answer.latch(serial.name)
        yield f"{serial.name}_contentions_per_s", "1/s", latch.contentions * 1e6 if latch else 0.0


def _awe(scenario: Scenario, answer: Answer) -> Iterator[Figure]:
    """The AWE pool between its two modes: what a bad period lets through, and how often it is."""
    lock_us = scenario["storage.lock_hold_us"] / code_speed(scenario)
    modes = awe_modes(scenario["awe.storage_share"], lock_us)
    task_only = scenario["awe.expansion"] == "task_only"
    stay = scenario["awe.bad_minutes"] * 6e7 if task_only else scenario["awe.good_ms"] * 1000
    rate, hold = answer.rate_per_s / 1e6, scenario["awe.hold_ms"] * 1000
    found = awe_balance(rate, hold, scenario["awe.blocks"], stay, modes)
    slow = min(answer.rate_per_s, modes.bad_limit_per_s)
    mean = answer.rate_per_s + found.bad_share * (slow - answer.rate_per_s)
    yield "awe_gets_per_tran", "count", found.gets
    yield "awe_bad_share_pct", "%", found.bad_share * 100
    yield "awe_bad_rate_per_s", "1/s", slow if task_only else answer.rate_per_s
    yield "awe_bad_gets_per_tran", "count", modes.bad_gets_per_transaction
    good = found.good_time / 6e7
    yield "awe_good_period_min", "min", good if good < NEVER_MIN else None
    yield "awe_mean_rate_per_s", "1/s", mean


# --- the network ----------------------------------------------------------------------------------


def declared(scenario: Scenario) -> Network:
    """The network; think time as the scenario has it."""
    return Network(
        clients=scenario["clients"],
        think_us=scenario["driver.think_ms"] * US_PER_MS,
        rate_per_s=scenario["driver.rate_per_s"],
        classes=_classes(scenario),
        cpu=_cpu(scenario),
        xcf=xcf(scenario),
        region_pools=(RegionPool("IFP", scenario["regions.ifp"]),),
        unexplained_us=scenario["region.unexplained_ms"] * US_PER_MS,
        latches=latches(scenario),
        serials=_serials(scenario),
        logger=logger(scenario),
        dasd=replace(dasd(scenario), shared_aliases=False),
        pools=_pools(scenario),
        block_search_us=scenario["pools.search_us"] / code_speed(scenario),
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        search_share=scenario["pools.search_share"],
        logged=_logged(scenario),
        credential_bytes=scenario["security.credential_bytes"],
    )


def _logged(scenario: Scenario) -> tuple[Logged, ...]:
    trans = [row["tran"] for row in scenario.table("transactions")]
    credentials = scenario["security.credential_bytes"]
    return tuple(
        Logged(
            row["code"],
            row["bytes"] + credentials * (row["code"] in CREDENTIALS_IN),
            tuple(row[name] for name in trans),
        )
        for row in scenario.table("log_records")
    )


def _classes(scenario: Scenario) -> tuple[TransactionClass, ...]:
    per_access = scenario["dasd.io_per_access"]
    logged = _logged(scenario)
    return tuple(
        TransactionClass(
            name=row["tran"],
            weight=row["weight"],
            cpu_factor=row["cpu_factor"],
            reads=row["reads"] * per_access,
            writes=row["writes"] * per_access,
            dedb_calls=row["dedb_calls"],
            log_records=sum(one.counts[place] for one in logged),
            log_bytes=sum(one.counts[place] * one.bytes for one in logged),
        )
        for place, row in enumerate(scenario.table("transactions"))
    )


def _cpu(scenario: Scenario) -> Cpu:
    """Costs without growth and fixed part, on this machine's processors."""
    measured = scenario["cpu.measured_us"]
    fixed = fixed_us_per_s(scenario)
    growth = scenario["cpu.growth"]
    there = scenario["cpu.fixed_ms_per_s"] * US_PER_MS
    variable = measured - there / scenario["cpu.measured_rate_per_s"]
    bare = variable / (1 + growth * scenario["cpu.measured_busy_pct"] / 100)
    factor = bare / measured / scenario["cpu.speed"]
    check_fixed(scenario, factor)
    factor *= trace_factor(scenario) / trace_factor(defaults(scenario))
    rows = scenario.table("cpu_by_space")

    def used(phase: str) -> float:
        return float(sum(row["us"] * row[phase] for row in rows) * factor)

    search, clear = (us / scenario["cpu.speed"] for us in _otma_us(scenario))
    return Cpu(
        cps=scenario["cpu.gcps"],
        input_us=used("input") + search,
        region_us=used("region"),
        output_us=used("output") + clear,
        fixed_us_per_s=fixed,
        growth=growth,
        share_by_space=tuple(
            (row["space"], row["us"] * factor + (row["space"] == "IMS") * (search + clear))
            for row in rows
        ),
        of_regions=(sum(row["us"] for row in rows if row["space"] == "IFP") * factor, 0.0),
    )


def _serials(scenario: Scenario) -> tuple[SerialCode, ...]:
    """Code that only one caller at a time runs, where a change has not removed it."""
    post, speed = post_us(scenario), code_speed(scenario)
    found = []
    if scenario["storage.calls"] == "local_lock":
        calls, hold = scenario["storage.calls_per_tran"], scenario["storage.lock_hold_us"] / speed
        found.append(SerialCode("local_lock", calls, hold, 0.0))
    if scenario["otma.free_chain"] == "on":
        calls, hold = scenario["otma.block_calls"], scenario["otma.block_hold_us"] / speed
        found += [SerialCode(name, calls, hold, post) for name in ("lubt", "cbts")]
    return tuple(found)


def _otma_us(scenario: Scenario) -> tuple[float, float]:
    """CPU before and after the region: early OTMA code, credentials, security beyond the usual."""
    chain = scenario["otma.ytib"] == "chain"
    search = scenario["otma.clients"] / 2 * scenario["otma.ytib_entry_us"] if chain else 0.0
    search += scenario["security.credential_bytes"] * scenario["security.credential_ns"] / 1000
    search += _security_us(scenario) - _security_us(defaults(scenario))
    clear = 0.0
    if scenario["otma.output_clear"] == "on":
        share = scenario["otma.clear_share"]
        clear = scenario["otma.output_module_us"] * share / (1 - share)
    return search, clear


def _security_us(scenario: Scenario) -> float:
    """CPU of OTMA security at its level."""
    level, check = scenario["otma.security"], float(scenario["security.check_us"])
    full = check + float(scenario["security.full_us"])
    return {"none": 0.0, "check": check, "full": full}[level]


def _pools(scenario: Scenario) -> tuple[PoolSize, ...]:
    """All sizes of all pools, OVERSIZE last in each."""
    use = scenario.table("pool_use")
    made: list[PoolSize] = []
    for name in dict.fromkeys(row["pool"] for row in use):
        mine = [row for row in use if row["pool"] == name]
        made += _pool(scenario, name, parse_fpl(scenario[f"pools.{name}"]), mine)
    return tuple(made)


def _pool(
    scenario: Scenario, name: str, entries: tuple[FplEntry, ...], use: list[dict[str, Any]]
) -> list[PoolSize]:
    largest = scenario["pools.largest_request_bytes"]
    served: dict[int, list[dict[str, Any]]] = {}
    for row in use:
        request = min(row["request_bytes"], largest)
        size = next((e.defined_bytes for e in entries if e.defined_bytes >= request), 0)
        served.setdefault(size, []).append(row | {"request_bytes": request})
    oversize = FplEntry(0, 0, 0, False)
    return [
        _size(scenario, name, entry, served.get(entry.defined_bytes, []))
        for entry in (*entries, oversize)
    ]


def _size(scenario: Scenario, name: str, entry: FplEntry, use: list[dict[str, Any]]) -> PoolSize:
    """One size with the requests it serves; gets-weighted means where it serves several."""
    gets = float(sum(row["gets"] for row in use))
    standing = sum(row["standing"] + row["per_region"] * scenario["regions.ifp"] for row in use)
    hold_us = _mean(use, "hold_ms", gets) * US_PER_MS
    burst = scenario["xcf.burst_members"] * xcf(scenario).quota
    together = min(burst + _offered_per_us(scenario) * hold_us, scenario["clients"])
    peak = standing + gets * together
    blocks = pool_blocks(peak, entry.primary, entry.secondary)
    return PoolSize(
        pool=name,
        defined_bytes=entry.defined_bytes,
        primary=entry.primary,
        secondary=entry.secondary,
        initial=entry.initial,
        gets=gets,
        request_bytes=_mean(use, "request_bytes", gets),
        hold_us=hold_us,
        standing=standing,
        blocks_at_start=max(blocks, int(entry.initial)),
    )


def _mean(use: list[dict[str, Any]], name: str, gets: float) -> float:
    return sum(row[name] * row["gets"] for row in use) / gets if gets else 0.0


def _offered_per_us(scenario: Scenario) -> float:
    """Arrivals per microsecond if XCF alone delayed them; sizes the peak, predicts nothing."""
    think = scenario["driver.think_ms"] * US_PER_MS
    gate = xcf(scenario)
    most = gate.members * gate.quota / gate.window_us
    given = scenario["driver.rate_per_s"] / 1e6
    return float(min(given or (scenario["clients"] / think if think > 0 else most), most))
