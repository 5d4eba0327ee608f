"""Interval mode of transactions that use regions of several kinds: each kind is a queue."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from imsperf.synthetic.interval_mode.mean_parts import Inputs
from imsperf.synthetic.interval_mode.means import means_of
from imsperf.synthetic.network.network import Network, RegionPool
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.solver.declared import balance_of, works_of
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.workloads.families import network, predicted

HELD_US = 1000.0


def two_kinds(clients: int = 0, rate_per_s: float = 0.0) -> Network:
    """Half of the transactions use the one MPP, half one of 5 IFPs; nothing but the delay there."""
    model_network = network(scenario.load("tm-db2-irww"))
    plain = replace(
        model_network.classes[0], weight=1.0, cpu_factor=1.0, reads=0.0, writes=0.0, log_bytes=1
    )
    return replace(
        model_network,
        clients=clients,
        think_us=HELD_US,
        rate_per_s=rate_per_s,
        classes=(replace(plain, pool=0), replace(plain, pool=1)),
        region_pools=(RegionPool("MPP", 1), RegionPool("IFP", 5)),
        cpu=replace(
            model_network.cpu, input_us=0.0, region_us=0.01, output_us=0.0, fixed_us_per_s=0.0
        ),
        logger=replace(model_network.logger, check_write="unwaited", wads_us=0.0),
        latches=replace(model_network.latches, hold_shared_us=0.0, hold_exclusive_us=0.0),
        unexplained_us=HELD_US,
    )


def test_two_clients_share_the_one_region_of_a_kind() -> None:
    """D = Z = 1 ms. A client is away from the MPP for 2 Z + D = 3 ms between two visits, so the
    other finds it busy D / (2 Z + 2 D) = 1/4 of the time and waits D then: 1/8 ms of the mean
    transaction, 2 clients / 2.125 ms = 941.2 a second."""
    solved = balance_of(two_kinds(clients=2))
    assert solved.queue_us == pytest.approx(125.0, rel=1e-3)
    assert solved.rate_per_s == pytest.approx(2e6 / 2125, rel=1e-4)
    assert solved.times_us[2] == pytest.approx(1000.0, rel=1e-3)


def test_one_client_waits_for_nobody() -> None:
    solved = balance_of(two_kinds(clients=1))
    assert solved.rate_per_s == pytest.approx(500.0, rel=1e-4)
    assert solved.queue_us == pytest.approx(0.0, abs=1e-3)


def test_open_arrivals_queue_for_the_kind_that_runs_out() -> None:
    """500 a second at one MPP of 1 ms: M/M/1 at 50 %, 1 ms of wait for half of the transactions."""
    solved = balance_of(two_kinds(rate_per_s=1000.0))
    assert solved.queue_us == pytest.approx(500.0, rel=1e-3)
    assert not solved.full


def test_schedules_are_those_of_their_kind() -> None:
    """100 a second each; every message of an MPP is scheduled in 2 ms and stays 1 ms: 30 % busy;
    five IFPs, whose programs stay: 2 %. Of all six regions together 40 / 6 %."""
    small_model = two_kinds(rate_per_s=200.0)
    mpp = RegionPool("MPP", 1, messages_per_schedule=1.0, schedule_us=2000.0)
    solution = solve(
        works_of([replace(small_model, region_pools=(mpp, small_model.region_pools[1]))])
    )
    assert solution.station("mpp").utilisation == pytest.approx(0.3, rel=1e-3)
    assert solution.station("regions").utilisation == pytest.approx(0.4 / 6, rel=1e-3)


def test_open_arrivals_beyond_one_kind_saturate_there() -> None:
    """One MPP does 1,000 a second, half of all: 2,000; the IFPs could do 10,000."""
    solved = balance_of(two_kinds(rate_per_s=3000.0))
    assert solved.full == "mpp"
    assert solved.rate_per_s == pytest.approx(2000.0, rel=1e-4)


@pytest.mark.parametrize(
    ("settings", "rate", "near"),
    [
        ({}, 7076.77, 5e-3),
        ({"regions.mpp": 1}, 5769.3, 5e-3),
        ({"regions.ifp": 30}, 6664.3, 5e-3),
        ({"sched.plct": 0, "regions.mpp": 4}, 7091.4, 5e-3),
        ({"sched.plct": 0, "regions.mpp": 1}, 4509.8, 2e-2),  # schedules of MPPs only: 26 % less
    ],
)
def test_interval_mode_has_the_rate_of_the_model(
    settings: dict[str, Any], rate: float, near: float
) -> None:
    """7,076.77 is published; event simulations of the others: 5,774 and 6,650 a second, and those
    of the last two as they stand."""
    asked = scenario.load("tm-db2-irww", settings)
    means = means_of(Inputs(network(asked)))
    model = predicted(asked).values["etr_per_s"]
    assert means.times.rate_per_s == pytest.approx(model, rel=3e-3)
    assert means.times.rate_per_s == pytest.approx(rate, rel=near)
