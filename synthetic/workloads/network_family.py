"""The 100,000 TPS benchmark: its network, and its prediction.

CPU bursts keep their processor to the end in the simulation, which the solver takes for turns;
pools have blocks that are searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from imsperf.synthetic.network.network import (
    AwePool,
    Cpu,
    Latch,
    Logged,
    Network,
    PoolSize,
    RegionPool,
    TransactionClass,
)
from imsperf.synthetic.scenarios.scenario import FplEntry, Scenario, parse_fpl
from imsperf.synthetic.solver.declared import search_us
from imsperf.synthetic.solver.devices import awe_balance, pool_blocks
from imsperf.synthetic.solver.result import Details, Result
from imsperf.synthetic.units import US_PER_MIN, US_PER_MS
from imsperf.synthetic.workloads.costs import Costs, check_fixed
from imsperf.synthetic.workloads.devices import (
    code_speed,
    dasd,
    fixed_us_per_s,
    latches,
    logger,
    post_us,
    xcf,
)
from imsperf.synthetic.workloads.features import Space, defaults, trace_factor
from imsperf.synthetic.workloads.logged import buffer_records
from imsperf.synthetic.workloads.prediction import Metric, Prediction, ms
from imsperf.synthetic.workloads.tm import balanced
from imsperf.synthetic.workloads.tm_metrics import System, number, prediction

SPACES = {"IMS": "ims", "ICON": "ims_connect", "IFP": "region"}
NEVER_MIN = 60 * 24 * 365.0  # a good period longer than a year never ends
CREDENTIALS_IN = ("5901", "5903")  # messages in and out


def build(scenario: Scenario) -> Network:
    """The network, with the think time that reaches driver.target_busy where that is set, and with
    how long AWEs last at its rate."""
    (network,), results = balanced(scenario, [declared(scenario)])
    pool = network.awe
    assert pool is not None
    rate = results.of("work").rate / 1e6
    good, _ = awe_balance(rate, pool.hold_us, pool.blocks, pool.short_us)
    return replace(network, awe=replace(pool, good_us=good))


def predicted(scenario: Scenario) -> Prediction:
    """Rate, response, CPU and stations. The response begins when XCF delivers the message."""
    (network,), results = balanced(scenario, [declared(scenario)])
    work, (only,) = results.of("work"), results.classes
    details = results.details
    input_us = number(details, "work.outside_us") - (details["xcf.delay_us"] or 0.0)
    if work.response is not None:
        only = replace(only, response=work.response + input_us / 1e6)
    named = prediction(
        scenario, System(network, _costs(network), None), replace(results, classes=(only,))
    )
    rows = [*_times(network, work, details, input_us), *_buffers(network, work.rate)]
    rows += [*_serial_code(network, details), *_awe(network, work.rate)]
    return replace(named, metrics=(*named.metrics, *rows))


def _costs(network: Network) -> Costs:
    """CPU of a transaction by address space, where it is reported."""
    cpu = network.cpu
    spaces = (Space(name, SPACES.get(name, ""), us, 0, 0, 0) for name, us in cpu.share_by_space)
    return Costs(tuple(spaces), cpu.fixed_us_per_s, cpu.growth)


def _times(network: Network, work: Result, details: Details, input_us: float) -> Iterator[Metric]:
    """Where the response goes; what is searched of the pools."""
    yield Metric(
        "ims_response_from_queue_ms", "ms", None if work.response is None else work.response * 1000
    )
    yield Metric("input_cpu_ms", "ms", ms(input_us))
    output = None
    if work.response is not None:
        inside = number(details, "regions.wait_us") + number(details, "regions.occupancy_us")
        notified = network.logger.check_write == "notified"
        written = number(details, "wads.wait_us") if notified else 0.0
        output = work.response * 1e6 - inside - written
    yield Metric("output_cpu_ms", "ms", ms(output))
    ios = network.mean("reads") + network.mean("writes")
    yield Metric("volume_io_per_s", "1/s", work.rate * ios / network.dasd.volumes)
    search = search_us(network)
    yield Metric("pool_search_us_per_tran", "us", search)
    yield Metric("pool_search_pct", "%", search / number(details, "work.cpu_us") * 100)


def _buffers(network: Network, rate: float) -> Iterator[Metric]:
    """Mean buffers in use of each size that transactions use."""
    for pool in network.pools:
        if pool.gets * rate >= 1:
            used = pool.standing + rate / 1e6 * pool.gets * pool.hold_us
            name = f"pool_{pool.pool}_{pool.buffer_bytes or 'OVERSIZE'}"
            yield Metric(f"{name}_buffers", "count", used)
            yield Metric(f"{name}_blocks", "count", pool.blocks_at_start)


def _serial_code(network: Network, details: Details) -> Iterator[Metric]:
    """Contentions of code that one caller at a time runs."""
    for serial in network.serials:
        if serial.calls_exclusive == 0:
            continue
        name = f"{serial.name}.contentions_per_s"
        yield Metric(f"{serial.name}_contentions_per_s", "1/s", details.get(name, 0.0))


def _awe(network: Network, rate_per_s: float) -> Iterator[Metric]:
    """The AWE pool between its two modes: what a bad period lets through, and how often it is."""
    pool = network.awe
    assert pool is not None
    good, bad_share = awe_balance(rate_per_s / 1e6, pool.hold_us, pool.blocks, pool.short_us)
    held_us = 0.0 if pool.by_free else pool.storage_share * pool.lock_us  # under the local lock
    slow = min(rate_per_s, 1e6 / held_us) if held_us else rate_per_s
    yield Metric("awe_gets_per_tran", "count", 1 - bad_share * pool.storage_share)
    yield Metric("awe_bad_share_pct", "%", bad_share * 100)
    yield Metric("awe_bad_rate_per_s", "1/s", slow)
    yield Metric("awe_bad_gets_per_tran", "count", 1 - pool.storage_share)
    minutes = good / US_PER_MIN
    yield Metric("awe_good_period_min", "min", minutes if minutes < NEVER_MIN else None)
    yield Metric("awe_mean_rate_per_s", "1/s", rate_per_s + bad_share * (slow - rate_per_s))


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
        awe=_awe_pool(scenario),
        logger=logger(scenario),
        dasd=dasd(scenario),
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
    records = [
        Logged(
            row["code"],
            row["bytes"] + credentials * (row["code"] in CREDENTIALS_IN),
            tuple(row[name] for name in trans),
        )
        for row in scenario.table("log_records")
    ]
    return (*records, *buffer_records(scenario, records))


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
            log_records=sum(log.counts[place] for log in logged),
            log_bytes=sum(log.counts[place] * log.bytes for log in logged),
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
        quantum_us=0.0,
    )


def _serials(scenario: Scenario) -> tuple[Latch, ...]:
    """Code that only one caller at a time runs, where a change has not removed it."""
    post, speed = post_us(scenario), code_speed(scenario)
    serials = []
    if scenario["otma.free_chain"] == "on":
        calls, hold = scenario["otma.block_calls"], scenario["otma.block_hold_us"] / speed
        serials += [_serial(name, calls, hold, post) for name in ("lubt", "cbts")]
    if scenario["storage.calls"] == "local_lock":
        calls, hold = scenario["storage.calls_per_tran"], scenario["storage.lock_hold_us"] / speed
        serials.append(_serial("local_lock", calls, hold, 0.0))
    elif scenario["awe.expansion"] == "task_only":  # of messages that find no AWE alone
        serials.append(_serial("local_lock", 0.0, scenario["storage.lock_hold_us"] / speed, 0.0))
    return tuple(serials)


def _awe_pool(scenario: Scenario) -> AwePool:
    by_free = scenario["awe.expansion"] == "free_path"
    good, bad = scenario["awe.good_ms"] * US_PER_MS, scenario["awe.bad_minutes"] * US_PER_MIN
    return AwePool(
        blocks=scenario["awe.blocks"],
        hold_us=scenario["awe.hold_ms"] * US_PER_MS,
        storage_share=scenario["awe.storage_share"],
        lock_us=scenario["storage.lock_hold_us"] / code_speed(scenario),
        short_us=good if by_free else bad,
        by_free=by_free,
    )


def _serial(name: str, calls: float, hold_us: float, post_us: float) -> Latch:
    """Held during CPU before the region."""
    return Latch(
        name, 0, 0.0, calls, hold_us, contention_cpu_us=post_us, place="outside", within_cpu=True
    )


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
    sizes: list[PoolSize] = []
    for name in dict.fromkeys(row["pool"] for row in use):
        mine = [row for row in use if row["pool"] == name]
        sizes += _pool(scenario, name, parse_fpl(scenario[f"pools.{name}"]), mine)
    return tuple(sizes)


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
