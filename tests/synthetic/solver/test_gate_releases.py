"""What the XCF gate lets through at once: the sizes, and the waits for processors."""

from __future__ import annotations

import heapq
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.solver.gate_kernels import stationary, waits
from imsperf.synthetic.solver.gate_releases import Crowds, Path, crowd_sizes, gate_waits
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.workloads.families import network
from imsperf.synthetic.workloads.tm import build_model
from imsperf.synthetic.workloads.tm_family import driven

NEVER = np.full(1, 1e-12)
NO_READS = np.array([0.0, 1e5, 1e5])
LATER = np.array([1e6])  # so long that the bursts behind it come one by one
WHOLE = np.zeros(3)  # no burst queues again


def crowd(size: int) -> np.ndarray:
    return np.eye(size + 1)[size]


@pytest.mark.parametrize(("servers", "size"), [(1, 9), (3, 20), (7, 64)])
def test_a_crowd_in_its_order(servers: int, size: int) -> None:
    """Bursts of 10 us, first come first served, as a flow: (n - c)^2 / 2c of them before n others.

    On one processor the waits of two places are 10 (n - 1) / 2 and 10 (n - 1) us, whatever the law
    of the bursts; a flow gives the second what it takes from the first.
    """
    turn = np.array([10.0, 10.0, 5.0])
    found = waits(servers, turn, WHOLE, NO_READS, LATER, NEVER, crowd(size), 5000.0)
    assert found[0] == pytest.approx(10 * (size - servers) ** 2 / 2 / servers / size, rel=0.015)
    if servers == 1:
        assert found[:2].sum() == pytest.approx(15 * (size - 1), rel=0.01)
    assert found[2] < 0.5


def test_short_turns_are_shared_evenly() -> None:
    """Two works of two bursts each, 10 us on the mean, on one processor that both share.

    Bursts end one by one, each of either work with the same chance. Till one work has had two, two
    or three bursts end, with 1/2 each: 25 us, of which each work has waited the half.
    """
    turn, again = np.array([0.5, 0.5, 0.5]), np.array([0.95, 0.95, 0.0])
    found = waits(1, turn, again, NO_READS, LATER, NEVER, crowd(2), 500.0)
    assert found[:2].sum() == pytest.approx(12.5, rel=0.04)


def test_single_messages_wait_as_in_m_m_1() -> None:
    """12.5 us in all, processor half busy: they wait as long as they take, each visit alike."""
    turn, later = np.array([5.0, 5.0, 2.5]), np.array([1000.0])
    reads = np.array([0.0, 1e3, 1e3])
    found = waits(1, turn, WHOLE, reads, later, np.full(1, 0.5 / 12.5), np.ones(1), 1e4)
    assert found[:3] == pytest.approx(12.5 / 3, rel=0.001)
    assert found[3] == pytest.approx(0.04, rel=0.001)


def test_stationary_by_hand() -> None:
    """Flows between neighbours are equal: 1 : 2 : 1."""
    moves = np.array([[0.5, 0.5, 0.0], [0.25, 0.5, 0.25], [0.0, 0.5, 0.5]])
    assert stationary(moves, 1) == pytest.approx([0.25, 0.5, 0.25])


def passed_at_once(clients: int, quota: int, cycle: float, windows: int) -> np.ndarray:
    """How many pass when each window of 1 begins, message by message."""
    rng = np.random.default_rng(5)
    due = rng.exponential(cycle, clients).tolist()
    heapq.heapify(due)
    held, counts = 0, []
    for window in range(windows):
        used = min(held, quota)
        counts.append(used)
        held -= used
        for _ in range(used):
            heapq.heappush(due, window + rng.exponential(cycle))
        while due[0] < window + 1:
            now = heapq.heappop(due)
            if used < quota:
                used += 1
                heapq.heappush(due, now + rng.exponential(cycle))
            else:
                held += 1
    return np.array(counts[windows // 10 :])


@pytest.mark.parametrize("cycle", [8.1, 8.4])
def test_sizes_message_by_message(cycle: float) -> None:
    """533 clients who want 65.8 or 63.5 messages in a window, of which 64 may pass."""
    seen = passed_at_once(533, 64, cycle, 4000)
    rate = 63.8 if cycle == 8.1 else 63.0
    gate = Crowds(1, 64, 1.0, rate, 533 - rate * cycle, 533.0, cycle, 1.0)
    sizes = crowd_sizes(gate)
    assert sizes.sum() == pytest.approx(1)
    assert sizes @ np.arange(65) == pytest.approx(seen.mean(), rel=0.06)
    assert sizes[64] == pytest.approx((seen == 64).mean(), abs=0.03)
    assert sizes[0] == pytest.approx((seen == 0).mean(), abs=0.03)


def test_few_clients_all_pass() -> None:
    """Ten clients who could send 100 of 64 messages are all held when a window ends."""
    sizes = crowd_sizes(Crowds(1, 64, 10_000.0, 0.0064, 3.0, 10.0, 1000.0, 0.7))
    assert sizes @ np.arange(11) == pytest.approx(10, rel=0.03)


def test_lumps_are_as_good_as_messages() -> None:
    """Ten times as many clients and messages: crowds ten times as large where the gate is full."""
    large = Crowds(1, 640, 1.0, 638.0, 5330 - 638.0 * 8.1, 5330.0, 8.1, 1.0)
    sizes = crowd_sizes(large)
    seen = passed_at_once(5330, 640, 8.1, 400)
    assert sizes @ np.arange(641) == pytest.approx(seen.mean(), rel=0.1)


def test_nothing_where_nobody_is_held() -> None:
    path = Path(np.array([25.0, 24.0, 6.0]), 20.0, 7, NO_READS, LATER)
    gate = Crowds(20, 64, 10_000.0, 0.0049, 0.003, 400.0, 8e4, 1.0)
    extra, seen = gate_waits(gate, path)
    assert not extra.any() and seen == 20 * 0.0049
    full = replace(gate, rate=0.0064, held=300.0)
    assert gate_waits(full, path)[0].all()
    assert not gate_waits(full, replace(path, cpu=np.zeros(3)))[0].any()


FULL = [("fast-path", 12, 0.02), ("fp-encryption", 4, 0.02), ("jmp", 3, 0.02)]


@pytest.mark.parametrize(("name", "members", "close"), FULL)
def test_the_solver_agrees_where_the_gate_is_full(name: str, members: int, close: float) -> None:
    """Rate and CPU 0.5 %, response 2 % (without the crowds it was 3 to 23 % low)."""
    scenario: Any = load(name, {"xcf.members": members})
    found = solve(driven(scenario, build_model(scenario)).model)
    work, net = found.of("work"), network(scenario)
    result = simulate(net, seed=3, seconds=4, every_s=1, warmup_s=2, sample_k=1000)
    rate = result.completed.sum() / result.seconds
    assert work.rate == pytest.approx(6400 * members, rel=1e-6)  # 64 in 10 ms each
    assert rate == pytest.approx(work.rate, rel=0.005)
    busy = result.cpu_ticks.sum() / result.ticks.sum() / net.cpu.cps
    assert found.details["cpu.busy"] == pytest.approx(busy, rel=0.005)
    response = result.response_ticks.sum() / result.completed.sum() / 4096 / 1e6
    assert work.response == pytest.approx(response, rel=close)
