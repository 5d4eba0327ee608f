"""Prediction of a scenario that is built into a `Network`: the 100,000 TPS benchmark.

Its solver (solver/balance.py) knows what the event simulation does beyond solver/model.py: clumps
of transactions that a log write releases, storage pools, the XCF gate in full.
"""

from __future__ import annotations

from collections.abc import Iterator

from imsperf.errors import OutOfReach, ScenarioError
from imsperf.synthetic.network import build as plain
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.at_rate import in_pool
from imsperf.synthetic.solver.balance import solve_network
from imsperf.synthetic.solver.devices import awe_balance, awe_modes
from imsperf.synthetic.solver.flow import falling_root
from imsperf.synthetic.solver.solution import Solution
from imsperf.synthetic.workloads.latches import code_speed
from imsperf.synthetic.workloads.prediction import (
    FULL,
    Metric,
    Prediction,
    StationRow,
    next_to_fill,
)

Figure = tuple[str, str, float | str | None]  # name, unit, value

SPACES = {"IMS": "ims", "ICON": "ims_connect", "IFP": "region"}
NEVER_MIN = 60 * 24 * 365.0  # a good period longer than a year never ends
CLOSE = 1e-7  # of a think time
UNEXPLAINED = "region.unexplained_ms"


def build(scenario: Scenario) -> Network:
    """The network, with the think time that reaches driver.target_busy where that is set."""
    return plain.build(driven(scenario))


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
        network = plain.build(scenario.with_settings({"driver.think_ms": think_ms}))
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
    yield from _pools(network, solution)
    yield from _serials(network, solution)
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
    yield "ims_response_ms", "ms", _ms(solution.response_us)
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
    yield "ims_response_from_queue_ms", "ms", _ms(after)
    yield "xcf_delay_ms", "ms", None if solution.saturated else _ms(solution.devices.gate_us)
    yield "input_cpu_ms", "ms", _ms(solution.input_us)
    yield "region_queue_ms", "ms", _ms(solution.region_wait_us)
    yield "region_occupancy_ms", "ms", _ms(solution.occupancy_us)
    yield "output_cpu_ms", "ms", _ms(solution.output_us)
    yield "check_write_ms", "ms", _ms(solution.check_write_us)
    yield "regions_busy", "count", solution.regions_busy
    yield "pool_search_us_per_tran", "us", solution.demand.search_us
    share = solution.demand.search_us / solution.demand.total_us
    yield "pool_search_pct", "%", share * 100


def _devices(network: Network, solution: Solution) -> Iterator[Figure]:
    devices, dasd, logger = solution.devices, network.dasd, network.logger
    ios = network.mean("reads") + network.mean("writes")
    yield "wads_write_ms", "ms", _ms(logger.wads_us)
    yield "olds_write_ms", "ms", _ms(logger.olds_us)
    yield "wads_writes_per_s", "1/s", devices.wads.writes * 1e6
    yield "transactions_per_wads_write", "count", devices.wads.batch
    yield "log_mb_per_s", "MB/s", solution.rate_per_s * network.mean("log_bytes") / 2**20
    yield "db_io_per_tran", "count", ios
    yield "volume_io_per_s", "1/s", solution.rate_per_s * ios / dasd.volumes
    yield "db_io_ms", "ms", _ms(devices.io_us)
    yield "db_cmr_ms", "ms", _ms(devices.cmr_us)
    pend = None if devices.cmr_us is None else devices.cmr_us + dasd.pend_us
    yield "db_pend_ms", "ms", _ms(pend)
    yield "db_iosq_ms", "ms", _ms(devices.iosq_us)
    yield "logl_contentions_per_s", "1/s", devices.logl.contentions * 1e6
    yield "lrec_contentions_per_s", "1/s", devices.lrec.contentions * 1e6


def _pools(network: Network, solution: Solution) -> Iterator[Figure]:
    """Mean buffers in use of each size that transactions use."""
    for pool in network.pools:
        if pool.gets * solution.rate_per_s >= 1:
            use = in_pool(network, pool, solution.rate_per_s / 1e6)
            name = f"pool_{pool.pool}_{pool.buffer_bytes or 'OVERSIZE'}"
            yield f"{name}_buffers", "count", use.in_use
            yield f"{name}_blocks", "count", use.blocks


def _ms(microseconds: float | None) -> float | None:
    return None if microseconds is None else microseconds / 1000


def _serials(network: Network, solution: Solution) -> Iterator[Figure]:
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
