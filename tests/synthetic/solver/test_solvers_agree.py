"""Every solver against a simulation that shares nothing with it: queue_simulation.py.

Rate and utilisation within 0.5 %, response within 2 % or three standard errors, 4 % where a station
or the pool is above 95 %. Fast ones run always, the long ones under the marker `slow`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from closed_result import closed_result
from queue_simulation import (
    Seen,
    awe_turns,
    gate_waits,
    latch_calls,
    log_writes,
    spills,
    tcb_work,
    walk,
)

from imsperf.synthetic.network.network import Coupling, Cpu
from imsperf.synthetic.solver.devices import (
    awe_balance,
    group_commit,
    latch,
    requests,
    smt_speeds,
    volume_queue,
    xcf_gate,
)
from imsperf.synthetic.solver.model import Burst, Delay, Pool, Queue, Serial, Step, Work
from imsperf.synthetic.solver.result import Result, Station
from imsperf.synthetic.solver.solve import solve

KNEE = 0.95


def some(cases: Iterable[object], fast: tuple[int, ...] = (0,)) -> list[object]:
    """The cases; all but a few under the marker slow, as each is a simulation."""

    def marked(place: int, one: object) -> object:
        values = one if isinstance(one, tuple) else (one,)
        return one if place in fast else pytest.param(*values, marks=pytest.mark.slow)

    return [marked(place, case) for place, case in enumerate(cases)]


def near(seen: Seen, expected: float | None, share: float) -> None:
    """Within a share, or within three standard errors."""
    assert expected is not None
    assert abs(seen.mean - expected) <= max(share * abs(expected), seen.room), (
        f"{expected} against {seen.mean} +- {seen.room}: {expected / seen.mean - 1:+.2%}"
    )


def exactly(seen: Seen, expected: float) -> None:
    """Within 0.5 %."""
    assert expected == pytest.approx(seen.mean, rel=0.005)


def compare(result: Result, seen: dict, demands: list[float], servers: list[int]) -> None:  # type: ignore[type-arg]
    """Rate, busy servers and response."""
    exactly(seen["rate"], result.rate)
    full = max(station.utilisation for station in result.stations) > KNEE
    near(seen["response"], result.response, 0.04 if full else 0.02)
    for k, busy in enumerate(seen["busy"]):
        if servers[k]:
            one = result.stations[k - len(seen["busy"])]
            assert one.utilisation * servers[k] == pytest.approx(busy.mean, rel=0.005, abs=0.002)


# --- closed, open, pools ---

# stations (demand, servers), clients, think
CLOSED = [
    ([(1.0, 1), (10.0, 0)], 5, 0.0),
    ([(163.02, 6), (580.0, 0)], 38, 531.0),
    ([(729.584, 4), (6765.0, 0)], 38, 605.0),
    ([(344.75, 8), (99.0, 0)], 60, 1106.0),
    ([(2.0, 3), (1.0, 1), (0.5, 1), (20.0, 0)], 24, 10.0),
    ([(8.0, 4), (3.0, 2)], 12, 0.0),
    ([(1.0, 1), (1.0, 1), (1.0, 1)], 9, 4.0),
    ([(57.8, 7), (590.0, 0)], 8000, 80_400.0),
]


@pytest.mark.parametrize(
    "case",
    some(range(len(CLOSED)), (0,)),
)
def test_closed(case: int) -> None:
    stations, clients, think = CLOSED[case]
    solved = closed_result(
        clients, think, [Station(str(k), d, m) for k, (d, m) in enumerate(stations)]
    )
    seen = walk(stations, clients=clients, think=think, visits=2, each=25_000, seed=case + 1)
    compare(solved, seen, [d for d, _ in stations], [m for _, m in stations])


@pytest.mark.parametrize(
    ("stations", "rate"),
    some(
        [
            ([(1.0, 1)], 0.6),
            ([(3.0, 4), (0.8, 2)], 1.0),
            ([(10.0, 12), (5.0, 0)], 1.0),
            ([(1.0, 1), (2.0, 3)], 0.8),
        ]
    ),
)
def test_open(stations: list[tuple[float, int]], rate: float) -> None:
    steps: list[Step] = [
        Queue(str(k), d * 1e6, m) if m else Delay(str(k), d * 1e6)
        for k, (d, m) in enumerate(stations)
    ]
    work = Work("work", tuple(steps), rate_per_s=rate)
    solved = solve((work,)).of("work")
    seen = walk(stations, rate=rate, visits=1, each=60_000)
    compare(solved, seen, [d for d, _ in stations], [m for _, m in stations])


@pytest.mark.parametrize(("number", "limit"), some([(1, 10), (1, 50), (5, 10)]))
def test_tpipes(number: int, limit: int) -> None:
    """Prototype figures of model.md 7, table 35: 13,535, 23,428, 22,894 a second; and simulated.

    Neither has CPU outside a slot on the processors: half idle, they make it wait for little.
    """
    slots = number * limit
    cpu, latch_us = 165 + 0.027 * slots, 42.2 + 0.0097 * slots + 0.25 * (number - 1)
    steps = (
        Burst(cpu * 0.15, "outside"), Burst(cpu * 0.85), Queue("latch", latch_us),
        Delay("service", 517.0),
    )  # fmt: skip
    work = Work("work", steps, 300, pool=Pool("slots", slots), cpus=Cpu(5))
    calls = solve((work,)).of("work")
    assert calls.response is not None
    pool = replace(
        calls,
        rate=calls.rate / 1e6,
        response=calls.response * 1e6,
        stations=tuple(calls.station(name) for name in ("slots", "latch", "service")),
    )
    stations = [(cpu * 0.85, 5), (latch_us, 1), (517.0, 0)]
    seen = walk(stations, regions=slots, clients=300, think=cpu * 0.15, each=20_000)
    seen["busy"] = seen["busy"][1:]  # type: ignore[assignment]
    compare(pool, seen, [d for d, _ in stations[1:]], [m for _, m in stations[1:]])
    known = {(1, 10): 13_535, (1, 50): 23_428, (5, 10): 22_894}
    assert pool.rate * 1e6 == pytest.approx(known[number, limit], rel=0.002)


@pytest.mark.parametrize("rate", some([0.1, 0.2, 0.25]))
def test_coupling_facility(rate: float) -> None:
    """Up to 75 % of the CF, where 2 % of the requests find no subchannel."""
    coupling = Coupling((), 2, 12, link_us=4.0, service_us=6.0)
    solved = requests(rate, coupling, convert=False)
    seen = walk([(4.0, 0), (6.0, 2)], regions=12, rate=rate, each=60_000)
    exactly(seen["rate"], solved.rate)
    near(seen["response"], solved.elapsed, 0.02)
    assert solved.served.processors * 2 == pytest.approx(seen["busy"][1].mean, rel=0.005)
    assert solved.host_cpu == solved.elapsed


# --- devices ---


@pytest.mark.parametrize("shared", some([0.1, 0.4]))
def test_latch(shared: float) -> None:
    """At the low loads that the formula is for: readers hold it 0.5, a writer in ten holds 1."""
    quick = latch(shared, 0.5, [(0.1, 1.0)])
    seen = latch_calls(shared, 0.5, 0.1, 1.0)
    near(seen["shared"], quick.shared_contention, 0.07)
    near(seen["exclusive"], quick.exclusive_contention, 0.07)


@pytest.mark.parametrize(
    ("load", "cv"), some([(0.1, 0.4), (0.5, 0.0), (1.1, 0.4), (5.6, 1.0), (28, 0.4)], (3,))
)
def test_group_commit(load: float, cv: float) -> None:
    solved = group_commit(load / 280.0, 280.0, cv)
    seen = log_writes(load / 280.0, 280.0, cv)
    near(seen["wait"], solved.wait, 0.005)
    near(seen["busy"], solved.busy, 0.005)
    near(seen["writes"], solved.writes, 0.005)
    near(seen["batch"], solved.batch, 0.005)


@pytest.mark.parametrize(("quota", "share"), some([(16, 0.8), (16, 0.95), (64, 0.9), (64, 0.97)]))
def test_xcf_gate(quota: int, share: float) -> None:
    """Exact at its tabulated loads and interpolated between: within 3 % of the mean backlog."""
    solved = xcf_gate(share * quota, quota, 1.0)
    assert solved.backlog == pytest.approx(gate_waits(quota, share), rel=0.03)


@pytest.mark.parametrize(("rate", "volumes"), [(0.35, 1), (5.6, 16), (38.4, 64)])
def test_without_aliases_each_volume_is_an_mm1_queue(rate: float, volumes: int) -> None:
    """IOSQ = rho / (1 - rho) times the service, model.md 3.6 (Kleinrock section 3.2)."""
    load, wait = volume_queue(rate / volumes, 1.0, 1)
    assert load == pytest.approx(rate / volumes)
    assert wait == pytest.approx(load / (1 - load), rel=1e-6)


@pytest.mark.parametrize(("rate", "honor"), some([(0.006, True), (0.01, True), (0.01, False)], ()))
def test_ziip(rate: float, honor: bool) -> None:
    """Rates in microseconds; two cores of two threads, 0.6 of 300 us eligible."""
    work = Work("work", (Burst(300.0, eligible=0.6),), rate_per_s=rate * 1e6)
    cpus = Cpu(3, ziips=2, ziip_threads=2, ziip_smt=1.3, ziip_honor=honor)
    solution = solve((replace(work, cpus=cpus),))
    seen = spills(rate, 120.0, 180.0, 3, smt_speeds(2, 2, 1.3), honor)
    assert solution.response is not None
    near(seen["rate"], solution.rate / 1e6, 0.005)
    near(seen["response"], solution.response * 1e6, 0.02)
    if honor:
        near(
            seen["spilled"], solution.details["cpu.ziip_spilled"], 0.05
        )  # X, U, R are what must hold
    near(seen["busy"], solution.station("cpu").utilisation, 0.01)


@pytest.mark.parametrize(
    ("clients", "think", "rate"), some([(40, 120.0, 0.0), (100, 180.0, 0.0), (0, 0.0, 0.35)])
)
def test_serial_tcb(clients: int, think: float, rate: float) -> None:
    """Milliseconds: 2.012 of CPU on the one TCB, then 0.808 on any of three processors."""
    steps = (Serial("qr", 2012.0), Burst(808.0))
    work = Work("work", steps, clients, think * 1e3, rate * 1e3, cpus=Cpu(3))
    solution = solve((work,))
    seen = tcb_work(2.012, 0.808, 3, clients=clients, think=think, rate=rate)
    assert solution.response is not None and solution.station("qr").residence is not None
    near(seen["rate"], solution.rate / 1e3, 0.005)
    near(seen["response"], solution.response * 1e3, 0.02)
    near(seen["tcb"], solution.station("qr").residence * 1e3, 0.02)


@pytest.mark.parametrize(("load", "blocks"), some([(20.0, 26), (8.0, 14)]))
def test_awe_modes(load: float, blocks: int) -> None:
    _, bad_share = awe_balance(load, 1.0, blocks, 50.0)
    near(awe_turns(load, 1.0, blocks, 50.0), bad_share, 0.02)
