"""Short runs of the event simulation, where the solver's assumptions fail (solver/answer.py).

Five runs with seeds of their own, each after a warm-up, give the mean of a figure and the
half-width of its 95 % interval (Student's t, four degrees of freedom: 2.776 standard errors).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate_all
from imsperf.synthetic.units import TICKS_PER_US
from imsperf.synthetic.workloads.families import systems
from imsperf.synthetic.workloads.prediction import SIMULATED, Prediction

SEEDS = (1, 2, 3, 4, 5)
STUDENT = 2.776  # 97.5 % of Student's t with four degrees of freedom
SECONDS = (10.0, 60.0)  # least and most, of all runs together
TRANSACTIONS = 300_000  # of all runs together, between those
WARMUP_S = 1.0  # at least: till then a gate near its quota has passed what came at the start
CYCLES = 4.0  # of a client, at least: till then a queue of clients has grown
LEAST = 20_000  # transactions of which something can be said
NO_ROWS = 1 << 40  # one transaction in so many is kept: none
FROM_QUEUE = "ims_response_from_queue_ms"
WITH_INPUT = {name: f"{name} with input" for name in ("ims_response_ms", "in_flight")}


@dataclass(frozen=True)
class Estimate:
    """A mean and the half-width of its 95 % interval."""

    mean: float
    half_width: float


def answered(
    scenario: Scenario, prediction: Prediction, transactions: float = TRANSACTIONS
) -> Prediction:
    """What the solver says, at a knee with what short runs say in its place.

    `transactions` of all runs together. The solver's alone where none can be made: open arrivals
    that are too many.
    """
    if not prediction.knees or prediction.values["ims_response_ms"] is None:
        return prediction
    networks = [network for _, network in systems(scenario)]
    seen = short_runs(networks, float(str(prediction.values["etr_per_s"])), transactions)
    with_input = FROM_QUEUE in prediction.values  # tps-100k counts the way to the queue, too
    names = {FROM_QUEUE: "ims_response_ms"} | (WITH_INPUT if with_input else {})
    metrics = tuple(
        replace(metric, value=mine.mean, method=SIMULATED, half_width=mine.half_width)
        if (mine := seen.get(names.get(metric.name, metric.name)))
        else metric
        for metric in prediction.metrics
    )
    return replace(prediction, metrics=metrics)


def short_runs(
    networks: Sequence[Network], rate_per_s: float, transactions: float = TRANSACTIONS
) -> Mapping[str, Estimate]:
    """Figures by metric, from so many transactions at about `rate_per_s` of all systems together.

    Of two systems each figure is there for both, and for them together as the model has it. Below
    TRANSACTIONS the runs may be shorter than SECONDS. Errors: ScenarioError.
    """
    least, most = SECONDS
    seconds = min(max(transactions / rate_per_s, least), most)
    if transactions < TRANSACTIONS:
        seconds = min(seconds, transactions / rate_per_s)
    seconds = math.ceil(seconds / len(SEEDS) * 1000) / 1000
    clients = sum(network.clients for network in networks)
    warmup = max(CYCLES * clients / rate_per_s, WARMUP_S)

    def run(seed: int) -> dict[str, float]:
        results = simulate_all(
            networks,
            seed=seed,
            seconds=seconds,
            every_s=seconds,
            warmup_s=warmup,
            sample_k=NO_ROWS,
        )
        pairs = zip(networks, results, strict=True)
        return _together([dict(_figures(network, result)) for network, result in pairs])

    with ThreadPoolExecutor(len(SEEDS)) as pool:
        rows = list(pool.map(run, SEEDS))
    return {name: _estimate([row[name] for row in rows]) for name in rows[0]}


def _estimate(values: Sequence[float]) -> Estimate:
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Estimate(float(np.mean(values)), STUDENT * error)


def _together(systems: list[dict[str, float]]) -> dict[str, float]:
    """The figures of one system; of two, those of each and those of both (workloads/sysplex.py)."""
    if len(systems) == 1:
        return systems[0]
    values = {
        f"{name}_ims{number}": value
        for number, own in enumerate(systems, 1)
        for name, value in own.items()
    }
    total, busy = (sum(own[name] for own in systems) for name in ("etr_per_s", "cpu_busy_pct"))
    used = sum(own["etr_per_s"] * own["cpu_us_per_tran"] for own in systems)
    return values | {
        "etr_per_s": total,
        "cpu_busy_pct": busy / len(systems),
        "itr_per_s": total / busy * len(systems) * 100,
        "ims_response_ms": sum(own["ims_response_ms"] for own in systems) / len(systems),
        "cpu_us_per_tran": used / total,
        "in_flight": sum(own["in_flight"] for own in systems),
    }


def _figures(network: Network, result: SimResult) -> Iterator[tuple[str, float]]:
    """What one run says, in the names of the model's metrics."""
    ticks, cps = float(result.ticks.sum()), network.cpu.cps
    done = float(max(result.completed.sum(), 1))
    rate = done / result.seconds
    busy = float(result.cpu_ticks.sum()) / ticks / cps
    response = result.response_ticks.sum() / done / TICKS_PER_US / 1000
    outside = result.total_ticks.sum() / done / TICKS_PER_US / 1000 - response
    messages = float(max(result.xcf_messages.sum(), 1))
    held_ms = result.xcf_delay_ticks.sum() / messages / TICKS_PER_US / 1000
    held = float(result.region_ticks.sum()) / ticks
    yield "etr_per_s", rate
    yield "cpu_busy_pct", busy * 100
    yield "itr_per_s", rate / busy
    yield "ims_response_ms", response
    yield "outside_ms", outside
    yield "input_cpu_ms", outside - held_ms
    yield WITH_INPUT["ims_response_ms"], response + outside - held_ms
    yield WITH_INPUT["in_flight"], rate * (response + outside - held_ms) / 1000
    yield "cpu_us_per_tran", cps * busy * 1e6 / rate
    yield "in_flight", rate * response / 1000
    yield "region_queue_ms", result.region_queue_ticks.sum() / done / TICKS_PER_US / 1000
    yield "region_occupancy_ms", held / rate * 1000
    yield "regions_busy", held
    yield "util_cpu", busy * 100
    yield "util_regions", held / network.regions * 100
    yield "xcf_delay_ms", held_ms
    passed = network.xcf.members * network.xcf.quota / network.xcf.window_us * 1e6
    yield "util_xcf", rate / passed * 100
    writes = float(max(result.wads_writes.sum(), 1))
    yield "wads_writes_per_s", writes / result.seconds
    yield "transactions_per_wads_write", done / writes
    yield "util_wads", float(result.wads_ticks.sum()) / ticks * 100
    yield "log_mb_per_s", float(result.bytes.sum()) / result.seconds / 2**20
    ziips = network.cpu.ziips
    on_ziips = float(result.ziip_core_ticks.sum()) / ticks
    if ziips:
        yield "ziip_busy_pct", on_ziips / ziips * 100
        yield "ziip_us_per_tran", on_ziips * 1e6 / rate
    yield "lpar_busy_pct", (busy * cps + on_ziips) / (cps + ziips) * 100
