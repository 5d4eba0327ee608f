"""Rates of regions from the product form without a pool; no step where a pool begins to bind."""

from __future__ import annotations

import numpy as np
import pytest

from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.solver.pooled import Needs, free_flow, point
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.workloads.families import predicted


def needs(inside: float, delay: float, regions: int = 40, demand: float = 6.0) -> Needs:
    """30 clients who think 100, 2 processors for 6 us each, that share of it inside a region."""
    cpu = Station("cpu", demand, 2)
    return Needs((cpu,), np.array([inside]), delay, 0.0, 30, 100.0, 0.0, regions)


def test_regions_that_only_wait() -> None:
    """No CPU inside: n regions let through n / delay, as good as arrivals are known."""
    solved = free_flow(needs(0.0, 20.0, demand=0.01), 12)
    assert solved is not None
    assert solved.rates == pytest.approx(np.arange(13) / 20, rel=1e-4)
    assert solved.numbers[0, 1] == pytest.approx(0, abs=1e-12)


def test_regions_that_only_run() -> None:
    """All CPU inside, no delay: one runs on one processor, two and more on both."""
    solved = free_flow(needs(1.0, 0.0), 12)
    assert solved is not None
    assert solved.rates == pytest.approx(np.minimum(np.arange(13), 2) / 6)
    assert solved.numbers[0, 1] == pytest.approx(np.arange(13))


def test_half_of_the_processors_are_used_inside() -> None:
    """One region busy: alone with o outside bursts (each half) it has 2 / max(o + 1, 2) of a CPU.

    Odds of o at n = 1 as of the free network: 6^c / speeds of c = 1 + o bursts, half of them of
    regions (binomial), 30 clients of whom the others think: P(c) = C(30, c) c! 100^-c 6^c / speeds.
    """
    solved = free_flow(needs(0.5, 0.0), 12)
    assert solved is not None
    weights = [1.0]
    for c in range(1, 31):
        weights.append(weights[-1] * (31 - c) / 100 * 6 / min(c, 2))
    c = np.arange(31)
    states = np.array(weights) * c * 0.5**c  # exactly one of c is inside
    speed = np.minimum(c, 2) / np.maximum(c, 1) / 3.0  # completions of its half of the demand
    assert solved.rates[1] == pytest.approx((states * speed).sum() / states.sum(), rel=0.03)
    assert solved.numbers[0, 0, 1] == pytest.approx((states * (c - 1)).sum() / states.sum())


def test_a_pool_that_just_suffices_changes_nothing() -> None:
    free = point(needs(0.5, 20.0, 30))
    for regions in (22, 24, 28):
        solution = point(needs(0.5, 20.0, regions))
        assert solution.rate == pytest.approx(free.rate, rel=1e-4)
        assert solution.stretch == pytest.approx(free.stretch, rel=2e-3)


@pytest.mark.parametrize(("name", "most"), [("cics-fp", 40), ("cics-ff", 64)])
def test_more_threads_are_never_worse(name: str, most: int) -> None:
    counts = [most // 4, most // 3, most // 2, most - 6, most, most + 30]
    rows = [predicted(load(name, {"regions.threads": count})).values for count in counts]
    times = [float(row["ims_response_ms"]) for row in rows]  # type: ignore[arg-type]
    assert times == sorted(times, reverse=True)
    assert times[-3] == pytest.approx(times[-1], rel=1e-3)
