"""The XCF gate of a member whose clients all pass in one window."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from scipy.optimize import brentq

from imsperf.synthetic.solver.devices import xcf_gate

QUOTA, WINDOW = 64, 10_000.0


def passed(clients: int, cycle: float, windows: int) -> float:
    """Messages a window, message by message: each client comes back after two exponential times."""
    rng = np.random.default_rng(7)
    times = iter(rng.exponential(cycle / 2, (windows * QUOTA * 2, 2)).sum(axis=1).tolist())
    due = [next(times) for _ in range(clients)]
    heapq.heapify(due)
    window, used, total = 0, 0, 0
    while window < windows:
        now = due[0]
        if now >= (window + 1) * WINDOW:
            window, used = int(now // WINDOW), 0
        elif used == QUOTA:  # held to the next window
            now = (window + 1) * WINDOW
            heapq.heapreplace(due, now)
            continue
        used, total = used + 1, total + 1
        heapq.heapreplace(due, now + next(times))
    return total / windows


@pytest.mark.parametrize("cycle", [1300.0, 1500.0, 1800.0])
def test_rate_of_ten_clients(cycle: float) -> None:
    """They want 77, 67 and 56 messages a window, of which 64 may pass."""

    def excess(rate: float) -> float:
        solved = xcf_gate(rate, QUOTA, WINDOW, 10.0)
        assert solved.delay is not None
        return 10 / (cycle + solved.delay) - rate

    rate = brentq(excess, 1e-5, QUOTA / WINDOW * (1 - 1e-9))
    assert rate * WINDOW == pytest.approx(passed(10, cycle, 3000), rel=0.01)


@pytest.mark.parametrize("wanted", [0.1, 1.0, 30.0])
def test_nobody_is_held_without_need(wanted: float) -> None:
    """At most 30 of 64 a window: the backlog is nothing."""
    assert xcf_gate(wanted / WINDOW, QUOTA, WINDOW, 10.0).delay == pytest.approx(0, abs=1e-9)
