"""A scenario's metrics without records: one row per metric, published numbers beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic import scenario as scenarios
from imsperf.synthetic.build import build
from imsperf.synthetic.network import Network
from imsperf.synthetic.scenario import Scenario
from imsperf.synthetic.solver.at_rate import in_pool
from imsperf.synthetic.solver.balance import Solution, solve_network

Metric = tuple[str, str, float | str | None]  # name, unit, value

SPACES = {"IMS": "ims", "ICON": "ims_connect", "IFP": "region"}
UNEXPLAINED = "region.unexplained_ms"


def predict(scenario: Scenario) -> list[dict[str, Any]]:
    """Rows with scenario, sweep_value, metric, unit, value, published, error_pct and kind.

    `value` is a number, None where there is none (a response of a saturated open system), and text
    for the metric `bottleneck`.
    """
    return _rows(scenario, None)


def predict_sweep(
    scenario: Scenario, key: str, values: Sequence[float | str]
) -> list[dict[str, Any]]:
    """The same rows for each value of a knob."""
    rows: list[dict[str, Any]] = []
    for value in values:
        changed = scenario.with_settings({key: value})
        rows += _rows(changed, changed[key])
    return rows


def _rows(scenario: Scenario, sweep_value: Any) -> list[dict[str, Any]]:
    network = build(scenario)
    solution = solve_network(network)
    known = _published(scenario)
    rows = []
    for name, unit, value in _metrics(scenario, network, solution):
        figure = known.get(name, {})
        published = figure.get("value")
        error = None
        if published and isinstance(value, int | float):
            error = (value / published - 1) * 100
        rows.append(
            {
                "scenario": scenario.full_name,
                "sweep_value": sweep_value,
                "metric": name,
                "unit": unit,
                "value": value,
                "published": published,
                "error_pct": error,
                "kind": "unexplained" if name == UNEXPLAINED else figure.get("kind", ""),
            }
        )
    return rows


def _published(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """Figures for this scenario, none once a knob or table differs from the built-in one."""
    try:
        built_in = scenarios.load(scenario.full_name)
    except ScenarioError:
        return {}
    values = {key: knob.value for key, knob in scenario.knobs.items()}
    if values != {key: knob.value for key, knob in built_in.knobs.items()}:
        return {}
    if scenario.tables != built_in.tables:
        return {}
    figures = scenarios.published(scenario.name)
    return {one["metric"]: one for one in figures if one["variant"] == scenario.variant}


def _metrics(scenario: Scenario, network: Network, solution: Solution) -> Iterator[Metric]:
    yield from _summary(network, solution)
    yield from _times(network, solution)
    yield from _devices(network, solution)
    yield from _pools(network, solution)
    yield "bottleneck", "station", solution.bottleneck
    yield "headroom_pct", "%", solution.headroom * 100
    for name, load in solution.loads.items():
        yield f"util_{name}", "%", load * 100
    yield "util_wads", "%", solution.devices.wads.busy * 100
    yield UNEXPLAINED, "ms", scenario[UNEXPLAINED]


def _summary(network: Network, solution: Solution) -> Iterator[Metric]:
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


def _times(network: Network, solution: Solution) -> Iterator[Metric]:
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


def _devices(network: Network, solution: Solution) -> Iterator[Metric]:
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


def _pools(network: Network, solution: Solution) -> Iterator[Metric]:
    """Mean buffers in use of each size that transactions use."""
    for pool in network.pools:
        if pool.gets * solution.rate_per_s >= 1:
            use = in_pool(network, pool, solution.rate_per_s / 1e6)
            name = f"pool_{pool.pool}_{pool.buffer_bytes or 'OVERSIZE'}"
            yield f"{name}_buffers", "count", use.in_use
            yield f"{name}_blocks", "count", use.blocks


def _ms(microseconds: float | None) -> float | None:
    return None if microseconds is None else microseconds / 1000
