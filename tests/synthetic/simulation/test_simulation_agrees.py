"""Solver and simulation read the same network, so they must agree.

The solver's weakest part is what comes in bunches: a WADS write wakes all its transactions at once,
about 80 at 117,000 a second. Waits for a CPU and for a channel path are compared with bunches and,
more closely, without: with short log writes. What a full XCF gate lets through together is
simulated (test_knees.py), so of that only the rate is compared.
All variants for longer: test_acceptance.py.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solved_network import SolvedNetwork

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.simulate import SimResult, simulate
from imsperf.synthetic.workloads.network_family import declared as build

TICK = 4096
QUICK = ("tps-100k", "tps-100k@rb9-before")
SLOW = tuple(f"tps-100k@{v}" for v in ("rb5-before", "rb6-after", "rb8-before", "rb9-after"))
AT_A_KNEE = "tps-100k@rb6-before"  # regions freed by a log write: the model simulates it
GATED = ("tps-100k@rb1-before", "tps-100k@rb1-after")
SHORT_WRITE_US = 30.0


def both(network: Network, seconds: float = 5.0) -> tuple[SimResult, SolvedNetwork]:
    result = simulate(network, seed=7, seconds=seconds, every_s=1.0, sample_k=10_000)
    return result, SolvedNetwork.of(network)


def rate(result: SimResult) -> float:
    return float(result.completed.sum() / result.seconds)


def path_delay_us(result: SimResult) -> float:
    """Wait of an I/O for its channel path."""
    return float(result.io_cmr.sum() / result.io_count.sum() / TICK)


def response_us(result: SimResult) -> float:
    """XCF delivery to dequeue, as the solver counts it."""
    inside = result.total_ticks.sum() - result.xcf_delay_ticks.sum()
    return float(inside / result.completed.sum() / TICK)


def within(values: np.ndarray, expected: float, share: float) -> bool:
    """Mean of the intervals within a share of the expected value, or within 3 standard errors."""
    error = values.std(ddof=1) / len(values) ** 0.5
    return bool(abs(values.mean() - expected) <= max(share * expected, 3 * error))


def compare(name: str) -> None:
    network = build(scenario.load(name))
    result, solution = both(network)
    full = solution.loads["regions"] > 0.95  # there R follows from X, much enlarged
    done = result.completed.sum(axis=1)
    inside = (result.total_ticks - result.xcf_delay_ticks) / TICK
    assert within(done / (result.ticks / TICK / 1e6), solution.rate_per_s, 0.005)
    used = result.cpu_ticks.sum(axis=1) / result.ticks / network.cpu.cps
    assert within(used, solution.cpu_busy, 0.005)
    assert solution.response_us is not None
    assert within(inside / done, solution.response_us, 0.04 if full else 0.02)
    assert result.wads_writes.sum() / result.seconds == pytest.approx(
        solution.log_write.writes * 1e6, rel=0.02
    )
    assert path_delay_us(result) == pytest.approx(solution.io.cmr, rel=0.1)


@pytest.mark.parametrize("name", QUICK)
def test_rate_busy_and_response_agree(name: str) -> None:
    """Rate and CPU busy 0.5 %, response 2 % (4 % at full regions), WADS writes 2 %, paths 10 %."""
    compare(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_rate_busy_and_response_agree_in_all_variants(name: str) -> None:
    """The same for the other variants."""
    compare(name)


@pytest.mark.parametrize("name", (*QUICK, AT_A_KNEE))
def test_delays_agree_where_nothing_comes_in_bunches(name: str) -> None:
    """With short log writes: response 1.5 %, occupancy 0.5 %, path delay 3 %."""
    network = build(scenario.load(name))
    short = replace(network, logger=replace(network.logger, wads_us=SHORT_WRITE_US))
    result, solution = both(short)
    assert response_us(result) == pytest.approx(solution.response_us, rel=0.015)
    occupancy = result.region_ticks.sum() / result.check_writes.sum() / TICK
    assert occupancy == pytest.approx(solution.balance.point.occupancy, rel=0.005)
    assert path_delay_us(result) == pytest.approx(solution.io.cmr, rel=0.03)


@pytest.mark.parametrize("name", GATED)
def test_gate_gives_both_the_same_rate(name: str) -> None:
    """15 members: 24,000/s at a quota of 16, 96,000/s at 64."""
    result, solution = both(build(scenario.load(name)), 2.0)
    assert rate(result) == pytest.approx(solution.rate_per_s, rel=0.002)


@pytest.mark.parametrize("name", ["tps-100k@rb5-before", "tps-100k@rb5-after"])
def test_latch_contentions_agree(name: str) -> None:
    """Many thousands a second before the split, tens of LOGL after it: within 10 % or 4 sigma."""
    result, solution = both(build(scenario.load(name)), 3.0)
    contention = (result.cont_shr + result.cont_exc).sum(axis=0)
    for place, name in enumerate(("logl", "lrec")):
        solved_latch = solution.latch(name)
        expected = solved_latch.contentions * 1e6 * result.seconds if solved_latch else 0.0
        assert abs(contention[place] - expected) <= max(0.1 * expected, 4 * expected**0.5)
