"""CPUs shared in short turns, from a declared network: the textbook's closed form, simulation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_networks import idle_network

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.solver.declared import balance_of, slower
from imsperf.synthetic.workloads.families import network


def two_clients(**changes: object) -> Network:
    """One processor; 30, 60 and 10 us of CPU in turns of 20 us; nothing else takes time."""
    quiet = idle_network(
        clients=2, rate_per_s=0.0, think_us=100.0, regions=20,
        cpu={"cps": 1, "input_us": 30.0, "region_us": 60.0, "output_us": 10.0, "quantum_us": 20.0},
    )  # fmt: skip
    return replace(quiet, **changes)  # type: ignore[arg-type]


def test_two_clients_and_one_processor() -> None:
    """Machine repairman with Z = D = 100 us: idle 1 / (1 + 2 + 2) of the time, so 8,000 a second;
    each spends 2 / 0.008 - 100 = 150 us at the processor, 3/2 of its CPU time, in all bursts."""
    solved = balance_of(two_clients())
    assert solved.rate_per_s == pytest.approx(8000, rel=1e-6)
    assert list(solved.times_us) == pytest.approx([45, 15, 90], rel=1e-6)
    assert solved.queue_us == 0
    assert solved.cpu_us.sum() == pytest.approx(100, rel=1e-6)
    assert solved.cpu_wait_us == pytest.approx(50, rel=1e-6)


def test_open_arrivals_at_one_processor() -> None:
    """M/G/1 in turns at 80 %: 100 / (1 - 0.8) = 500 us, and 20 regions are all but enough."""
    solved = balance_of(replace(two_clients(), rate_per_s=8000.0))
    assert not solved.full
    assert solved.queue_us + solved.times_us.sum() == pytest.approx(500, rel=1e-3)
    assert solved.point.dispersion == 1.0


def test_open_arrivals_beyond_the_processor() -> None:
    """It does 10,000 a second."""
    solved = balance_of(replace(two_clients(), rate_per_s=10_100.0))
    assert solved.full == "cpu"
    assert solved.rate_per_s == pytest.approx(10_000, rel=1e-6)


def test_where_regions_run_out_they_are_waited_for() -> None:
    """One region for ten clients with 10 ms of delay each: 1 / 10.06 ms."""
    busy = two_clients(clients=10, unexplained_us=10_000.0)
    busy = replace(busy, region_pools=(replace(busy.region_pools[0], count=1),))
    solved = balance_of(busy)
    assert solved.rate_per_s == pytest.approx(1e6 / 10_060, rel=0.01)
    assert solved.queue_us == pytest.approx(10 * 10_060 - 10_060 - 100, rel=0.01)


def test_a_cap_makes_processors_slower() -> None:
    """Half of the processor: the machine repairman with D = 200 us, Z = 100: idle 1 / 13, so
    12 / 13 / 200 us."""
    solved = balance_of(slower(two_clients(), 0.5))
    assert solved.rate_per_s == pytest.approx(12 / 13 / 200e-6, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cics-fp", "zos-connect", "fast-path", "jmp"])
def test_the_simulation_agrees(name: str) -> None:
    """Rate within 1 %, response within 3 %: outputs behind a log write are not Poisson."""
    declared = network(load(name))
    solved = balance_of(declared)
    seen = simulate(declared, seed=2, seconds=3, every_s=3, warmup_s=1, sample_k=10**6)
    done = seen.completed.sum()
    assert solved.rate_per_s == pytest.approx(done / 3, rel=0.01)
    response = seen.response_ticks.sum() / done / 4096
    assert solved.queue_us + solved.times_us[1:].sum() == pytest.approx(response, rel=0.03)
