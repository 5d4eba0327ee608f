"""The 100,000 TPS benchmark: its network, and its prediction.

Its solver (solver/balance.py) knows what the event simulation does beyond solver/model.py: clumps
of transactions that a log write releases, storage pools, the XCF gate in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from imsperf.errors import OutOfReach, ScenarioError
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
from imsperf.synthetic.solver.at_rate import in_pool
from imsperf.synthetic.solver.balance import solve_network
from imsperf.synthetic.solver.devices import awe_balance, awe_modes, pool_blocks
from imsperf.synthetic.solver.flow import falling_root
from imsperf.synthetic.solver.solution import Solution
from imsperf.synthetic.workloads.devices import (
    US_PER_MS,
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

Figure = tuple[str, str, float | str | None]  # name, unit, value

SPACES = {"IMS": "ims", "ICON": "ims_connect", "IFP": "region"}
NEVER_MIN = 60 * 24 * 365.0  # a good period longer than a year never ends
CREDENTIALS_IN = ("5901", "5903")  # messages in and out
CLOSE = 1e-7  # of a think time
UNEXPLAINED = "region.unexplained_ms"


def build(scenario: Scenario) -> Network:
    """The network, with the think time that reaches driver.target_busy where that is set."""
    return declared(driven(scenario))


def driven(scenario: Scenario) -> Scenario:
    """The scenario with that think time. Errors: ScenarioError where no think time reaches it."""
    target = scenario["driver.target_busy"] / 100
    if target == 0:
        return scenario
    if scenario["driver.rate_per_s"] > 0:
        raise ScenarioError("driver.target_busy: found with driver.rate_per_s, expected one")
    cycle_ms = most = 0.0

    def excess(think_ms: float) -> float:
        """How much longer a client should take for one transaction."""
        nonlocal cycle_ms, most
        network = declared(scenario.with_settings({"driver.think_ms": think_ms}))
        found = solve_network(network)
        fixed = network.cpu.fixed_us_per_s / 1e6 / network.cpu.cps
        most = max(most, float(found.cpu_busy))
        now_ms = network.clients / found.rate_per_s * 1e3
        cycle_ms = now_ms * (found.cpu_busy - fixed) / (target - fixed)
        return float(cycle_ms - now_ms)

    if excess(0.0) < 0:
        raise OutOfReach(
            f"driver.target_busy: found {target:.2%}, expected at most {most:.2%}, that without "
            "think time",
            "something else is full before the processors are; --explain shows what",
        )
    think_ms = falling_root(excess, cycle_ms, CLOSE)
    return scenario.with_settings({"driver.think_ms": think_ms})


def predicted(scenario: Scenario) -> Prediction:
    """Rate, response, CPU and stations."""
    network = build(scenario)
    solution = solve_network(network)
    rows = [
        Metric(name, unit, value, "unexplained" if name == UNEXPLAINED else "")
        for name, unit, value in _metrics(scenario, network, solution)
    ]
    return Prediction(tuple(rows), tuple(_stations(network, solution)))


def _full_at(network: Network, solution: Solution) -> dict[str, float]:
    """The rate at which each station is full."""
    fixed = network.cpu.fixed_us_per_s / 1e6 / network.cpu.cps
    found = {}
    for name, load in solution.loads.items():
        base = fixed if name == "cpu" else 0.0
        if load - base > 1e-9:
            found[name] = solution.rate_per_s * (1 - base) / (load - base)
    return found


def _stations(network: Network, solution: Solution) -> list[StationRow]:
    servers = {
        "cpu": network.cpu.cps,
        "regions": network.regions,
        "channel_paths": network.dasd.paths,
        "volumes": network.dasd.volumes * (1 + network.dasd.aliases),
        "xcf": network.xcf.members,
    }
    full_at, rate = _full_at(network, solution), solution.rate_per_s
    times = _residences(network, solution)
    rows = []
    for name, load in solution.loads.items():
        limit = float(servers.get(name, 1))
        demand = None if name == "xcf" else load * limit / rate * 1e6
        time = times.get(name)
        queue = None if time is None else rate * time / 1e6
        rows.append(StationRow("", name, limit, demand, time, queue, load * 100, full_at.get(name)))
    return rows


def _residences(network: Network, solution: Solution) -> dict[str, float]:
    """Wait and service of one transaction where the balance tells them apart, microseconds."""
    if solution.saturated or solution.region_wait_us is None:
        return {}
    devices, dasd, demand = solution.devices, network.dasd, solution.demand
    ios = network.mean("reads") + network.mean("writes")
    at_cpu = solution.input_us - (devices.serial_us or 0.0) + solution.output_us
    written = network.mean("log_bytes") / network.logger.block_bytes * network.logger.olds_us
    return {
        "cpu": at_cpu + demand.region_us + solution.held_by.get("cpu", 0.0),
        "regions": solution.region_wait_us + solution.occupancy_us,
        "channel_paths": ios * ((devices.cmr_us or 0.0) + dasd.port_us),
        "volumes": ios * (devices.io_us or 0.0),
        "olds": (devices.buffer_us or 0.0) + written,
        "xcf": devices.gate_us or 0.0,
    }


def _metrics(scenario: Scenario, network: Network, solution: Solution) -> Iterator[Figure]:
    yield from _summary(network, solution)
    yield from _times(network, solution)
    yield from _devices(network, solution)
    yield from _pool_figures(network, solution)
    yield from _serial_figures(network, solution)
    yield from _awe(scenario, solution)
    yield "bottleneck", "station", solution.bottleneck
    yield "headroom_pct", "%", solution.headroom * 100
    now = solution.bottleneck
    held = now != max(solution.loads, key=lambda one: solution.loads[one])
    full = now if held or solution.loads[now] > FULL else ""
    least = solution.occupancy_us - sum(solution.held_by.values())
    alone = {"regions": 1e6 * network.regions / max(least, 1e-9)}
    name, rate = next_to_fill(solution.rate_per_s, _full_at(network, solution), full, alone)
    yield "saturates_next", "station", name
    yield "saturates_at_per_s", "1/s", rate
    for name, load in solution.loads.items():
        yield f"util_{name}", "%", load * 100
    yield "util_wads", "%", solution.devices.wads.busy * 100
    yield UNEXPLAINED, "ms", scenario[UNEXPLAINED]


def _summary(network: Network, solution: Solution) -> Iterator[Figure]:
    """The metrics of run.metrics."""
    rate, busy = solution.rate_per_s, solution.cpu_busy
    yield "etr_per_s", "1/s", rate
    yield "cpu_busy_pct", "%", busy * 100
    yield "lpar_busy_pct", "%", busy * 100
    yield "itr_per_s", "1/s", rate / busy
    yield "ims_response_ms", "ms", ms(solution.response_us)
    yield "cpu_us_per_tran", "us", network.cpu.cps * busy * 1e6 / rate
    demand = solution.demand
    factor = demand.growth * network.mean("cpu_factor")
    for space, us in network.cpu.share_by_space:
        if space in SPACES:
            extra = demand.search_us + demand.contention_us if space == "IMS" else 0.0
            yield f"{SPACES[space]}_cpu_us_per_tran", "us", us * factor + extra
    yield "in_flight", "count", solution.in_flight


def _times(network: Network, solution: Solution) -> Iterator[Figure]:
    """Where the response goes, and what happens before it."""
    inside = solution.response_us
    after = None if inside is None else inside - solution.input_us
    yield "ims_response_from_queue_ms", "ms", ms(after)
    yield "xcf_delay_ms", "ms", None if solution.saturated else ms(solution.devices.gate_us)
    yield "input_cpu_ms", "ms", ms(solution.input_us)
    yield "region_queue_ms", "ms", ms(solution.region_wait_us)
    yield "region_occupancy_ms", "ms", ms(solution.occupancy_us)
    yield "output_cpu_ms", "ms", ms(solution.output_us)
    yield "check_write_ms", "ms", ms(solution.check_write_us)
    yield "regions_busy", "count", solution.regions_busy
    yield "pool_search_us_per_tran", "us", solution.demand.search_us
    share = solution.demand.search_us / solution.demand.total_us
    yield "pool_search_pct", "%", share * 100


def _devices(network: Network, solution: Solution) -> Iterator[Figure]:
    devices, dasd, logger = solution.devices, network.dasd, network.logger
    ios = network.mean("reads") + network.mean("writes")
    yield "wads_write_ms", "ms", ms(logger.wads_us)
    yield "olds_write_ms", "ms", ms(logger.olds_us)
    yield "wads_writes_per_s", "1/s", devices.wads.writes * 1e6
    yield "transactions_per_wads_write", "count", devices.wads.batch
    yield "log_mb_per_s", "MB/s", solution.rate_per_s * network.mean("log_bytes") / 2**20
    yield "db_io_per_tran", "count", ios
    yield "volume_io_per_s", "1/s", solution.rate_per_s * ios / dasd.volumes
    yield "db_io_ms", "ms", ms(devices.io_us)
    yield "db_cmr_ms", "ms", ms(devices.cmr_us)
    pend = None if devices.cmr_us is None else devices.cmr_us + dasd.pend_us
    yield "db_pend_ms", "ms", ms(pend)
    yield "db_iosq_ms", "ms", ms(devices.iosq_us)
    yield "logl_contentions_per_s", "1/s", devices.logl.contentions * 1e6
    yield "lrec_contentions_per_s", "1/s", devices.lrec.contentions * 1e6


def _pool_figures(network: Network, solution: Solution) -> Iterator[Figure]:
    """Mean buffers in use of each size that transactions use."""
    for pool in network.pools:
        if pool.gets * solution.rate_per_s >= 1:
            use = in_pool(network, pool, solution.rate_per_s / 1e6)
            name = f"pool_{pool.pool}_{pool.buffer_bytes or 'OVERSIZE'}"
            yield f"{name}_buffers", "count", use.in_use
            yield f"{name}_blocks", "count", use.blocks


def _serial_figures(network: Network, solution: Solution) -> Iterator[Figure]:
    """Contentions of code that one caller at a time runs."""
    for one, seen in zip(network.serials, solution.devices.serials, strict=True):
        yield f"{one.name}_contentions_per_s", "1/s", seen.contentions * 1e6


def _awe(scenario: Scenario, solution: Solution) -> Iterator[Figure]:
    """The AWE pool between its two modes: what a bad period lets through, and how often it is."""
    lock_us = scenario["storage.lock_hold_us"] / code_speed(scenario)
    modes = awe_modes(scenario["awe.storage_share"], lock_us)
    task_only = scenario["awe.expansion"] == "task_only"
    stay = scenario["awe.bad_minutes"] * 6e7 if task_only else scenario["awe.good_ms"] * 1000
    rate, hold = solution.rate_per_s / 1e6, scenario["awe.hold_ms"] * 1000
    found = awe_balance(rate, hold, scenario["awe.blocks"], stay, modes)
    slow = min(solution.rate_per_s, modes.bad_limit_per_s)
    mean = solution.rate_per_s + found.bad_share * (slow - solution.rate_per_s)
    yield "awe_gets_per_tran", "count", found.gets
    yield "awe_bad_share_pct", "%", found.bad_share * 100
    yield "awe_bad_rate_per_s", "1/s", slow if task_only else solution.rate_per_s
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
