"""CPUs shared in short turns: the textbook's closed form, and the simulation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_networks import idle_network

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.solver.balance import solve_network
from imsperf.synthetic.workloads.families import network


def two_clients(**changes: object) -> Network:
    """One processor; 30, 60 and 10 us of CPU in turns of 20 us; nothing else takes time."""
    one = idle_network(
        clients=2, rate_per_s=0.0, think_us=100.0, regions=20,
        cpu={"cps": 1, "input_us": 30.0, "region_us": 60.0, "output_us": 10.0, "quantum_us": 20.0},
    )  # fmt: skip
    return replace(one, **changes)  # type: ignore[arg-type]


def test_two_clients_and_one_processor() -> None:
    """Machine repairman with Z = D = 100 us: idle 1 / (1 + 2 + 2) of the time, so 8,000 a second;
    each spends 2 / 0.008 - 100 = 150 us at the processor, 3/2 of its CPU time, in all bursts."""
    found = solve_network(two_clients())
    assert found.rate_per_s == pytest.approx(8000, rel=1e-6)
    assert found.cpu_busy == pytest.approx(0.8, rel=1e-6)
    assert found.input_us == pytest.approx(45, rel=1e-6)
    assert found.occupancy_us == pytest.approx(90, rel=1e-6)
    assert found.response_us == pytest.approx(150, rel=1e-6)


def test_open_arrivals_at_one_processor() -> None:
    """M/G/1 in turns at 80 %: 100 / (1 - 0.8) = 500 us."""
    found = solve_network(replace(two_clients(), rate_per_s=8000.0))
    assert not found.saturated
    assert found.response_us == pytest.approx(500, rel=1e-6)


def test_where_regions_run_out_they_are_waited_for() -> None:
    """One region for ten clients with 10 ms of delay each: 1 / 10.06 ms."""
    one = two_clients(clients=10, unexplained_us=10_000.0)
    one = replace(one, region_pools=(replace(one.region_pools[0], count=1),))
    found = solve_network(one)
    assert found.rate_per_s == pytest.approx(1e6 / 10_060, rel=0.01)
    assert found.bottleneck == "regions"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cics-fp", "zos-connect", "fast-path", "jmp"])
def test_the_simulation_agrees(name: str) -> None:
    """Rate within 1 %, response within 3 %: outputs behind a log write are not Poisson."""
    one = network(load(name))
    found = solve_network(one if one.tcbs is None else with_tcb_as_cpu(one))
    seen = simulate(one, seed=2, seconds=3, every_s=3, warmup_s=1, sample_k=10**6)
    done = seen.completed.sum()
    assert found.rate_per_s == pytest.approx(done / 3, rel=0.01)
    response = seen.response_ticks.sum() / done / 4096
    assert found.response_us - found.input_us == pytest.approx(response, rel=0.03)


def with_tcb_as_cpu(one: Network) -> Network:
    assert one.tcbs is not None
    return replace(one, cpu=replace(one.cpu, region_us=one.cpu.region_us + one.tcbs.us))
