"""Queueing functions: textbook cases, laws, and the cases where other solvers go wrong.

Pages: K = L. Kleinrock, Queueing Systems volume 1 (Wiley 1975). The formulas of a case are written
out here, so that the test does not share code with the solver.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from solved_network import SolvedNetwork

from imsperf.synthetic.scenarios.scenario import load, names
from imsperf.synthetic.solver.devices import (
    group_commit,
    latch,
    path_delay,
    pool_blocks,
    volume_queue,
    xcf_gate,
)
from imsperf.synthetic.solver.queueing import (
    birth_death,
    birth_death_open,
    closed_curve,
    erlang_b,
    erlang_c,
    mmm_wait,
)
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.workloads.families import predicted
from imsperf.synthetic.workloads.network_family import declared as build

VARIANTS = [
    f"{name}@{variant}" if variant else name
    for name in names()
    if load(name).family == "network"  # those that are built into a Network
    for variant in ("", *load(name).variants)
]


def throughput(customers: int, stations: Sequence[tuple[float, int]]) -> np.ndarray:
    """Of a closed network of (demand, servers) with 0 to so many customers; 0 servers: a delay."""
    named = [Station(str(k), *station) for k, station in enumerate(stations)]
    return closed_curve(customers, named).rate


# --- servers: K section 3.5 (M/M/m), 3.7 (M/M/m/m), 3.4 (M/M/infinity) ---


@pytest.mark.parametrize(
    ("servers", "load"), [(1, 0.3), (2, 1.5), (5, 4.0), (12, 10.5), (40, 39.0)]
)
def test_erlang_formulas_are_the_sums_of_the_textbook(servers: int, load: float) -> None:
    terms = [load**k / math.factorial(k) for k in range(servers + 1)]
    assert erlang_b(servers, load) == pytest.approx(terms[-1] / sum(terms), rel=1e-12)
    waiting = terms[-1] * servers / (servers - load)
    assert erlang_c(servers, load) == pytest.approx(
        waiting / (sum(terms[:-1]) + waiting), rel=1e-12
    )


def test_one_server_waits_as_the_textbook_says() -> None:
    """M/M/1, K section 3.2: W = rho s / (1 - rho)."""
    assert mmm_wait(0.8, 1.0, 1) == pytest.approx(4.0)


def test_saturated_servers_have_no_wait_rather_than_a_negative_one() -> None:
    assert mmm_wait(2.0, 1.0, 2) is None
    assert mmm_wait(3.0, 1.0, 2) is None
    assert erlang_c(2, 3.0) == 1.0


# --- populations: K section 3.8 (M/M/1//M), 3.10 (M/M/m/K/M) ---


def machine_repairman(clients: int, think: float, service: float, servers: int) -> float:
    """Throughput from the factorials, in exact fractions of floats small enough for them."""
    weights = []
    weight = 1.0
    for n in range(clients + 1):
        weights.append(weight)
        weight *= (clients - n) * service / think / min(n + 1, servers)
    busy = sum(w * min(n, servers) for n, w in enumerate(weights)) / sum(weights)
    return busy / service


@pytest.mark.parametrize("servers", [1, 3])
def test_convolution_and_birth_death_are_the_finite_population_queue(servers: int) -> None:
    expected = machine_repairman(20, 10.0, 1.0, servers)
    assert throughput(20, [(10.0, 0), (1.0, servers)])[20] == pytest.approx(expected, rel=1e-12)
    rates = np.minimum(np.arange(21), servers) / 1.0
    chain = birth_death(20, 10.0, rates)
    assert chain.rate == pytest.approx(expected, rel=1e-12)
    assert 20 / chain.rate - 10.0 == pytest.approx(chain.response, rel=1e-9)


def test_convolution_is_exact_mean_value_analysis_for_single_servers() -> None:
    """Reiser and Lavenberg's recursion, exact for delays and single servers."""
    demands, think, queue = [0.6, 2.1, 1.3], 15.0, np.zeros(3)
    rate = 0.0
    for n in range(1, 31):
        residence = np.array(demands) * (1 + queue)
        rate = n / (think + residence.sum())
        queue = rate * residence
    stations = [(think, 0), *((d, 1) for d in demands)]
    assert throughput(30, stations)[30] == pytest.approx(rate, rel=1e-11)


def test_open_chain_is_the_queue_with_endless_waiting_room() -> None:
    rates = np.minimum(np.arange(9), 4) / 2.0
    chain = birth_death_open(1.5, rates)
    wait = mmm_wait(1.5, 2.0, 4)
    assert chain is not None and wait is not None
    assert chain.response == pytest.approx(2.0 + wait, rel=1e-9)
    assert birth_death_open(2.0, rates) is None


def test_without_think_time_all_clients_are_inside() -> None:
    chain = birth_death(7, 0.0, np.array([0.0, 1.0, 2.0]))
    assert (chain.rate, chain.number) == (2.0, 7.0)


# --- where the recursion of mean value analysis breaks: published workloads near saturation ---

# clients, CPUs, CPU us, delay us, client ms, regions, rate/s, response ms: simulated and published
SIMULATED = {
    "jmp": (38, 6, 163.02, 580.0, 0.531, 200, 29_015.0, 0.779),
    "odbm": (38, 4, 729.584, 6_765.0, 0.605, 38, 4_488.0, 7.862),
    "fast path": (8_000, 7, 57.782, 591.0, 80.4, 375, 98_708.0, 0.672),
    "full function": (4_000, 3, 495.679, 17_350.0, 789.5, 128, 4_949.0, 18.45),
    "full function, few regions": (4_000, 3, 495.679, 17_350.0, 789.5, 80, 4_415.0, 117.4),
}


@pytest.mark.parametrize("name", SIMULATED)
def test_solver_meets_simulation(name: str) -> None:
    clients, cpus, cpu, delay, think, regions, rate, response = SIMULATED[name]
    curve = throughput(min(clients, regions), [(cpu, cpus), (delay, 0)])
    chain = birth_death(clients, think * 1000, curve)
    assert chain.rate * 1e6 == pytest.approx(rate, rel=0.001)
    assert chain.response / 1000 == pytest.approx(response, rel=0.01)


@pytest.mark.parametrize(
    ("clients", "cpus", "cpu", "delay", "think", "regions", "truth"),
    [
        (60, 8, 344.75, 99.0, 1_106.0, 60, 23_205.0),
        (16_000, 7, 57.782, 591.0, 80_400.0, 375, 121_149.0),
    ],
)
def test_saturated_cpus_are_fully_used(
    clients: int, cpus: int, cpu: float, delay: float, think: float, regions: int, truth: float
) -> None:
    """The load-dependent recursion with p(0) by subtraction loses up to 31 % here in silence."""
    curve = throughput(min(clients, regions), [(cpu, cpus), (delay, 0)])
    chain = birth_death(clients, think, curve)
    assert chain.rate * 1e6 == pytest.approx(truth, rel=1e-4)
    assert np.all(np.diff(curve) > -1e-12)


# --- devices ---


def test_latch_of_writers_only_is_a_single_server() -> None:
    """M/M/1: contention = load, wait = rho s / (1 - rho), K section 3.2."""
    solved = latch(0.0, 0.0, [(0.4, 2.0)])
    assert solved.load == pytest.approx(0.8)
    assert solved.exclusive_contention == pytest.approx(0.8)
    assert solved.wait == pytest.approx(8.0)
    assert latch(0.0, 0.0, [(0.5, 2.0)]).wait is None


def test_readers_do_not_hinder_each_other() -> None:
    solved = latch(5.0, 1.0, [])
    assert (solved.contentions, solved.wait) == (0.0, 0.0)


@pytest.mark.parametrize("readers", [0.1, 0.4])
def test_latch_agrees_with_a_simulated_one(readers: float) -> None:
    rng = np.random.default_rng(5)
    count, writers, hold_r, hold_w = 400_000, 0.1, 0.5, 1.0
    gaps = rng.exponential(1 / (readers + writers), count)
    writes = rng.random(count) < writers / (readers + writers)
    holds = rng.exponential(np.where(writes, hold_w, hold_r))
    now = free_w = free_r = 0.0
    waits = {False: 0, True: 0}
    for gap, write, hold in zip(gaps.tolist(), writes.tolist(), holds.tolist(), strict=True):
        now += gap
        start = max(now, free_w, free_r if write else 0.0)
        waits[write] += start > now
        if write:
            free_w = start + hold
        else:
            free_r = max(free_r, start + hold)
    solved = latch(readers, hold_r, [(writers, hold_w)])
    assert waits[False] / (~writes).sum() == pytest.approx(solved.shared_contention, rel=0.05)
    assert waits[True] / writes.sum() == pytest.approx(solved.exclusive_contention, rel=0.05)


@pytest.mark.parametrize(
    ("load", "simulated"),
    [(0.06, 287.3), (0.28, 323.9), (1.1, 404.8), (5.6, 442.9), (28.0, 443.4)],
)
def test_group_commit_meets_the_exact_recursion(load: float, simulated: float) -> None:
    solved = group_commit(load / 280, 280.0, math.sqrt(1 / 6))
    assert solved.wait == pytest.approx(simulated, rel=0.01)
    assert solved.writes <= 1 / 280
    assert solved.writes * solved.batch == pytest.approx(load / 280)


@pytest.mark.parametrize(
    ("quota", "share", "delay_ms", "tolerance"),
    [
        (16, 0.7, 0.02, 0.10),
        (16, 0.8, 0.08, 0.10),
        (16, 0.9, 0.6, 0.10),
        (16, 0.95, 2.6, 0.10),
        (16, 0.99, 28.0, 0.10),
        (64, 0.9, 0.03, 0.40),
        (64, 0.95, 0.19, 0.25),
        (64, 0.99, 5.0, 0.25),
    ],
)
def test_xcf_gate_meets_simulated_delays(
    quota: int, share: float, delay_ms: float, tolerance: float
) -> None:
    """Simulated at the time the model was designed; short runs at 64 messages, hence the room."""
    solved = xcf_gate(share * quota / 10.0, quota, 10.0).delay
    assert solved == pytest.approx(delay_ms, rel=tolerance)


@pytest.mark.parametrize("share", [0.85, 0.95])
def test_xcf_gate_agrees_with_a_simulated_one(share: float) -> None:
    rng = np.random.default_rng(11)
    quota, windows = 64, 400_000
    counts = rng.poisson(share * quota, windows)
    level = np.cumsum(counts - quota)
    start = level - np.minimum(np.minimum.accumulate(level), 0)  # backlog when a window ends
    begin = np.concatenate(([0], start[:-1]))
    steps = (np.arange(20) + 0.5) / 20
    part = rng.binomial(counts[:, None], steps[None, :])
    mean = np.maximum(begin[:, None] + part - quota, 0).mean()
    assert xcf_gate(share * quota, quota, 1.0).backlog == pytest.approx(mean, rel=0.05)


def test_xcf_gate_that_cannot_keep_up_has_no_delay() -> None:
    assert xcf_gate(1.6, 16, 10.0).delay is None
    assert xcf_gate(0.0, 16, 10.0).delay == 0.0
    rates = np.linspace(0.1, 1.5999, 60)
    delays = [xcf_gate(float(rate), 16, 10.0).delay for rate in rates]
    assert all(a is not None and b is not None and a <= b for a, b in pairwise(delays))


def test_paths_and_volumes() -> None:
    assert path_delay(6.0, 8, 1.0) == (0.75, 3.0)
    assert path_delay(8.0, 8, 1.0)[1] is None
    load, wait = volume_queue(0.5, 1.0, 1)
    assert (load, wait) == (0.5, pytest.approx(1.0))
    assert volume_queue(3.0, 1.0, 2)[1] is None


def test_pool_blocks() -> None:
    assert [pool_blocks(peak, 12, 5) for peak in (0, 12, 13, 17, 18, 345)] == [0, 1, 2, 2, 3, 68]


def test_control_blocks_from_storage_bound_the_rate() -> None:
    """Four of five messages take storage; 20.8 us under the local lock give 60,000 a second."""
    settings = {
        "awe.storage_share": 0.8,
        "storage.lock_hold_us": 20.8,
        "awe.expansion": "task_only",
    }
    values = predicted(load("tps-100k", settings)).values
    assert values["awe_bad_rate_per_s"] == pytest.approx(60_000, rel=0.01)
    assert values["awe_bad_gets_per_tran"] == pytest.approx(0.2)


# --- laws on whole scenarios ---


@pytest.fixture(scope="module", params=VARIANTS)
def solved(request: pytest.FixtureRequest) -> tuple[SolvedNetwork, str]:
    network = build(load(request.param))
    return SolvedNetwork.of(network), request.param


def test_operational_laws_hold(solved: tuple[SolvedNetwork, str]) -> None:
    """Utilisation law, Little's law, interactive response time, population."""
    results, name = solved
    network = build(load(name))
    rate = results.rate_per_s / 1e6
    used = rate * float(results.balance.cpu_us.sum()) + network.cpu.fixed_us_per_s / 1e6
    assert results.cpu_busy == pytest.approx(used / network.cpu.cps, rel=1e-9)
    point = results.balance.point
    assert point.regions_busy == pytest.approx(rate * point.occupancy, rel=1e-9)
    assert results.response_us is not None and results.in_flight is not None
    if not network.is_open:
        gate = results.balance.gate_us
        inside = network.clients / rate - network.think_us
        assert inside == pytest.approx(results.response_us + gate, rel=1e-4)
        thinking = rate * network.think_us
        assert thinking + rate * gate + results.in_flight == pytest.approx(
            network.clients, rel=1e-4
        )


def test_response_is_the_sum_of_its_parts(solved: tuple[SolvedNetwork, str]) -> None:
    results, name = solved
    notified = build(load(name)).logger.check_write == "notified"
    balance = results.balance
    parts = results.input_us + balance.queue_us + balance.point.occupancy + results.output_us
    parts += balance.check_write_us if notified else 0.0
    assert results.response_us == pytest.approx(parts, rel=1e-6)


def test_nothing_is_above_its_limit(solved: tuple[SolvedNetwork, str]) -> None:
    results, _ = solved
    assert all(0 <= share <= 1 for share in results.loads.values())
