"""Waits for processors that log writes cause by what they release at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from imsperf.synthetic.network.network import Cpu
from imsperf.synthetic.solver.model import Burst, Delay, LogWrite, Work
from imsperf.synthetic.solver.releases import release_waits
from imsperf.synthetic.solver.solve import solve

WRITE = 1000.0


def test_a_release_is_served_by_one_server_as_by_hand() -> None:
    """10 come at once and nothing else is there: each shares the server with those of its release.

    Exponential bursts s that share one server: k of them leave after s (k + 1) / 2 on average, and
    the mean over all members is s (1 + E[k (k - 1)] / 2 E[k]) = s (1 + 10 (1 + cv^2) / 2) for
    k Poisson with a gamma mean of 10. Each by itself: s / (1 - 0.05).
    """
    rate, burst, cv = 0.01, 5.0, 0.4
    expected = burst * (1 + rate * WRITE * (1 + cv**2) / 2) - burst / (1 - rate * burst)
    cpu = np.array([0.0, burst, 0.0])
    assert release_waits(rate, cpu, 1, WRITE, cv) == pytest.approx([0, expected, 0], rel=0.03)


@pytest.mark.parametrize(
    ("cpu", "servers", "write"),
    [([50.0, 0.0, 50.0], 1, WRITE), ([0.0, 5.0, 0.0], 1, 0.0), ([0.0, 5.0, 0.0], 64, WRITE)],
    ids=["no burst after it", "no time to write", "a processor for each"],
)
def test_nobody_waits(cpu: list[float], servers: int, write: float) -> None:
    assert release_waits(0.005, np.array(cpu), servers, write, 0.4) == pytest.approx(0, abs=1e-3)


def test_others_wait_less_than_those_released() -> None:
    outside, ims, region = release_waits(0.1, np.array([25.0, 6.0, 24.0]), 7, 251.0, 0.4)
    assert outside / 25 == pytest.approx(region / 24)
    assert 0 < outside + region < ims


def test_large_releases_wait_in_proportion() -> None:
    """10,000 on one server: 5 us x 10,000 / 2, a little more as they are not all of one size."""
    waits = release_waits(0.01, np.array([0.0, 5.0, 0.0]), 1, 1e6, 0.0)
    assert waits[1] == pytest.approx(5 * 10_000 / 2, rel=0.05)


def test_bursts_after_a_write_wait_longer_than_without_it() -> None:
    """Longer by the write of 100 us, the rest of the one before, and the wait after it."""

    def response(*write: LogWrite) -> float:
        steps = (Burst(20.0, "outside"), Burst(20.0, "ims"), Delay("away", 150.0), *write)
        work = Work("work", steps, rate_per_s=40_000.0)
        solved = solve((replace(work, cpus=Cpu(2)),)).of("work").response
        assert solved is not None
        return solved * 1e6

    plain, waited = response(), response(LogWrite("wads", 100.0, 0.0, "ims"))
    nobody = np.exp(-4.0)
    commit = 100 + 4 / (4 + nobody) * 100 / 2
    released = release_waits(0.04, np.array([20.0, 20.0, 0.0]), 2, 100.0, 0.0)
    assert waited - plain == pytest.approx(commit + released[1], rel=1e-6)
    assert released[1] > 1


def test_regions_set_free_begin_again_at_once() -> None:
    """Half of the transactions wait for a region: half of the region's CPU comes after a write."""
    cpu = np.array([20.0, 10.0, 60.0])
    solved = release_waits(0.02, cpu, 3, 251.0, 0.4, behind=0.5)
    as_one = release_waits(0.02, np.array([20.0, 40.0, 30.0]), 3, 251.0, 0.4)
    assert solved[0] == pytest.approx(as_one[0])
    assert solved[1] == pytest.approx(as_one[1] / 4)
    assert solved[2] == pytest.approx(as_one[2] + as_one[1] * 3 / 4)
    assert solved.sum() > release_waits(0.02, cpu, 3, 251.0, 0.4).sum()
