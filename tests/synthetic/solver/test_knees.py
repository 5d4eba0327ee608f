"""Where the solver does not hold: the test of the state fires there, and the simulation answers.

The bars are those of docs/acceptance.md: rate 0.5 %, response 2 %, or three standard errors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from imsperf.synthetic.network.network import Cpu, Xcf
from imsperf.synthetic.scenarios.scenario import Scenario, load, overview
from imsperf.synthetic.short_runs import answered
from imsperf.synthetic.simulation.simulate import simulate_all
from imsperf.synthetic.solver.answer import knees
from imsperf.synthetic.solver.model import (
    Burst,
    Delay,
    Gate,
    LogBlocks,
    LogWrite,
    Pool,
    Step,
    Work,
)
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.workloads.families import predicted, systems
from imsperf.synthetic.workloads.prediction import SIMULATED

AT_A_KNEE = ("rb1-before", "rb1-after", "rb6-before")
OTHER_SEEDS = (101, 102, 103, 104)  # none of short_runs


def fired(*steps: Step, **work: Any) -> tuple[str, ...]:
    return knees(solve((Work("w", steps, cpus=Cpu(8), **work),)))


# --- each rule, by hand --------------------------------------------------------------------------


def test_a_gate_near_its_quota() -> None:
    """One member passes 64 messages in 10 ms, 6,400 a second: 95 % is 6,080."""
    gate = (Gate("xcf", Xcf(1, 64, 10_000.0)), Burst(10.0))
    assert fired(*gate, rate_per_s=6_150.0) and not fired(*gate, rate_per_s=5_500.0)


def test_a_gate_that_holds_messages() -> None:
    """Four messages in 10 ms, at 60 and at 10 % of that: a Poisson number of mean 2.4 is above four
    in 9.6 % of the windows, where one message or two wait part of the next: 1 % of a window or
    more for the mean one. A mean of 0.4 is above four in a window of 16,000."""
    gate = (Gate("xcf", Xcf(1, 4, 10_000.0)), Burst(10.0))
    assert fired(*gate, rate_per_s=240.0) and not fired(*gate, rate_per_s=40.0)


@pytest.mark.parametrize(("write", "fires"), [(300.0, True), (100.0, False)])
def test_regions_that_one_write_frees(write: float, fires: bool) -> None:
    """Ten regions, each held 10 ms and the log's wait: in one write 10 x write / 10 ms come free, a
    share of write / 10 ms of all: 3 and 1 %, and with clients without think time all are busy."""
    steps = (Delay("io", 10_000.0), LogWrite("wads", write))
    solved = fired(*steps, clients=100, think_us=1.0, pool=Pool("regions", 10))
    assert any(event.startswith("regions") for event in solved) == fires


@pytest.mark.parametrize(("think", "fires"), [(300.0, True), (2_000.0, False)])
def test_clients_who_come_back_with_the_next_write(think: float, fires: bool) -> None:
    """Writes of 500 us, cycles of some 1,100 and 2,800 us: 45 % and 18 % of the clients in each
    write, of whom e^-0.6 = 55 % and e^-4 = 2 % think so little: 25 % and 0.3 % come back."""
    steps = (Burst(50.0), LogWrite("wads", 500.0, place="ims"))
    solved = fired(*steps, clients=20, think_us=think)
    assert any(event.startswith("wads") for event in solved) == fires


def test_full_log_buffers() -> None:
    """Blocks of 8,000 bytes, 200 us each: 1,000 bytes a transaction are 40,000 a second at most."""
    log = (Burst(10.0), LogBlocks("olds", 1_000.0, 8_000, 200.0, 5))
    assert fired(*log, rate_per_s=39_000.0) and not fired(*log, rate_per_s=30_000.0)


# --- shipped points, and the knees ---------------------------------------------------------------


def test_shipped_points_are_the_solvers() -> None:
    """But three variants of tps-100k: two at their XCF quota, one with all regions waiting."""
    names = dict.fromkeys(row["scenario"].partition("@")[0] for row in overview())
    points = [load(name) for name in names]
    points += [point.with_variant(variant) for point in points for variant in point.variants]
    assert len(points) >= 80
    simulated = [point.full_name for point in points if predicted(point).knees]
    assert simulated == [f"tps-100k@{variant}" for variant in AT_A_KNEE]


# scenario, settings, how far the solver is off (rate, response; at least, with its sign)
KNEES: list[tuple[str, dict[str, Any], float, float]] = [
    ("fast-path", {"xcf.members": 12}, 0.0, -0.15),
    ("jmp", {"xcf.members": 2}, 0.0, -0.03),
    ("trace-tables", {"regions.ifp": 16}, 0.01, -0.15),
    ("trace-tables", {"regions.ifp": 6}, 0.007, -0.01),
    ("odbm", {"log.mirror": "on", "log.km_link": 10}, 0.007, 0.0),
    ("jmp", {"driver.think_ms": 0.2623}, 0.01, 0.0),
    ("jmp", {"xcf.members": 4}, 0.0, -0.015),
    ("fast-path", {"xcf.members": 8}, 0.0, -0.15),
    ("fast-path", {"xcf.members": 15}, -0.003, -0.1),
    ("fp-encryption", {"xcf.members": 4}, 0.0, -0.15),
    ("trace-tables", {"regions.ifp": 12}, 0.015, -0.05),
    ("trace-tables", {"regions.ifp": 18}, 0.0, -0.08),
    ("cics-fp", {"regions.threads": 12}, 0.0, -0.06),
    ("cics-fp", {"regions.threads": 10}, 0.0, -0.2),
    ("cics-fp", {"regions.threads": 8}, 0.03, -0.3),
    ("cics-ff", {"regions.threads": 20}, 0.015, -0.08),
    ("zos-connect", {"xcf.members": 1}, 0.0, -0.12),
    ("zos-connect", {"log.mirror": "on", "regions.mpp": 11}, 0.07, -0.1),
    ("dsff-smq", {"xcf.members": 1, "xcf.messages_per_schedule": 16}, 0.0, -0.1),
]
SLOW = [
    knee if place < 5 else pytest.param(*knee, marks=pytest.mark.slow)
    for place, knee in enumerate(KNEES)
]


def seen(scenario: Scenario, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Rate and response in ms, means of other seeds, and three standard errors."""
    networks = [network for _, network in systems(scenario)]
    rows = []
    for seed in OTHER_SEEDS:
        results = simulate_all(
            networks, seed=seed, seconds=seconds, every_s=seconds, warmup_s=4.0, sample_k=1 << 40
        )
        done = sum(result.completed.sum() for result in results)
        means = [
            result.response_ticks.sum() / result.completed.sum() / 4.096e6 for result in results
        ]
        rows.append((done / seconds, sum(means) / len(means)))
    table = np.array(rows)
    return table.mean(axis=0), 3 * table.std(axis=0, ddof=1) / math.sqrt(len(rows))


@pytest.mark.parametrize(("name", "settings", "rate_off", "response_off"), SLOW)
def test_knees_are_simulated(
    name: str, settings: dict[str, Any], rate_off: float, response_off: float
) -> None:
    """The solver alone is off by so much; the answer is within the bars of runs of other seeds."""
    scenario = load(name, settings)
    plain = predicted(scenario)
    assert plain.knees
    by_name = {metric.name: metric for metric in answered(scenario, plain).metrics}
    rate, response = by_name["etr_per_s"], by_name["ims_response_ms"]
    assert rate.method == response.method == SIMULATED
    means, room = seen(scenario, 5.0)
    for place, figure, bar, off in ((0, rate, 0.005, rate_off), (1, response, 0.02, response_off)):
        slack = max(bar * means[place], room[place] + figure.half_width)
        assert figure.value == pytest.approx(means[place], abs=slack), figure.name
        error = float(str(plain.values[figure.name])) / means[place] - 1
        assert error * math.copysign(1, off) >= abs(off) or off == 0, (figure.name, error)


# where the solver is alone: near the limits of the rules, and full processors
BELOW: list[tuple[str, dict[str, Any]]] = [
    ("fast-path", {"xcf.members": 17}),
    ("trace-tables", {"regions.ifp": 24}),
    ("jmp", {"cpu.gcps": 5}),
    ("ff-haldb", {"cpu.gcps": 2}),
    ("cics-ff", {"clients": 3000}),
    ("tm-db2-irww", {"regions.ifp": 20}),
    ("fast-path", {"cpu.gcps": 6}),
    ("zos-connect", {"clients": 60}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), BELOW)
def test_the_solver_holds_below_the_rules(name: str, settings: dict[str, Any]) -> None:
    """Rate within 1 %, response 5 %, or three standard errors."""
    scenario = load(name, settings)
    plain = predicted(scenario)
    assert not plain.knees
    means, room = seen(scenario, 10.0)
    for place, (key, bar) in enumerate((("etr_per_s", 0.01), ("ims_response_ms", 0.05))):
        slack = max(bar * means[place], room[place])
        assert plain.values[key] == pytest.approx(means[place], abs=slack), key
