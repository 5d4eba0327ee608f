"""Solvers against figures that others printed, and against fractions worked out by hand.

Written before the code. Sources, by the letter in front of a page:

Q = E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, Quantitative System Performance
    (Prentice-Hall 1984);
B = G. Bolch, S. Greiner, H. de Meer, K. S. Trivedi, Queueing Networks and Markov Chains (Wiley,
    pages of the 1998 edition);
J = R. Jain, The Art of Computer Systems Performance Analysis (Wiley 1991);
K = L. Kleinrock, Queueing Systems, volume 1 (Wiley 1975).

Books were not at hand: the figures of Q, B and J are those under which the test suites of two
public solvers (GNU Octave's queueing package; the layered queueing network solver) quote them.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from closed_result import closed_result

from imsperf.synthetic.solver.devices import bunching
from imsperf.synthetic.solver.model import Queue, Work
from imsperf.synthetic.solver.queueing import closed_curve, erlang_b, erlang_c, mmm_wait
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.solver.solve import solve

# --- one class ---


def test_terminals_and_three_devices() -> None:
    """Q page 117: think 15 s, demands 0.605, 2.1, 1.35 s; three terminals, worked out in fractions.

    The recursion of Q page 115 on exact fractions; for one terminal X = 1/19.055.
    """
    demands = [Fraction("0.605"), Fraction("2.1"), Fraction("1.35")]
    queue = [Fraction(0)] * 3
    expected = []
    for n in (1, 2, 3):
        residence = [d * (1 + q) for d, q in zip(demands, queue, strict=True)]
        rate = n / (15 + sum(residence))
        queue = [rate * r for r in residence]
        expected.append(float(rate))
    stations = [Station(f"disk{k}", float(d)) for k, d in enumerate(demands)]
    curve = closed_curve(3, [*stations, Station("think", 15.0, 0)])
    assert curve.rate[1:] == pytest.approx(expected, rel=1e-12)
    assert curve.rate[1] == pytest.approx(1 / 19.055)
    solved = closed_result(3, 15.0, stations)
    assert [s.queue for s in solved.stations] == pytest.approx([float(q) for q in queue], rel=1e-9)


def test_open_model_of_the_same_devices() -> None:
    """Q page 113: at 0.3 jobs/s U = 0.1815, 0.63, 0.405 and R = D / (1 - U)."""
    steps = (Queue("cpu", 0.605e6), Queue("disk1", 2.1e6), Queue("disk2", 1.35e6))
    work = Work("work", steps, rate_per_s=0.3, cpu="none")
    solution = solve((work,))
    uses = [solution.station(name) for name in ("cpu", "disk1", "disk2")]
    assert [s.utilisation for s in uses] == pytest.approx([0.1815, 0.63, 0.405])
    assert [s.residence for s in uses] == pytest.approx([0.605 / 0.8185, 2.1 / 0.37, 1.35 / 0.595])
    assert solution.bottleneck == "disk1"


def test_timesharing_with_twenty_users() -> None:
    """J page 577, example 34.2: R = 0.373, 4.854, 0.300 a visit, Q = 1.991, 16.177, 0.500."""
    visits = (16, 10, 5)
    services = (0.125, 0.3, 0.2)
    stations = [Station(str(v), v * s) for v, s in zip(visits, services, strict=True)]
    solved = closed_result(20, 4.0, stations)
    assert [s.queue for s in solved.stations] == pytest.approx([1.991, 16.177, 0.500], abs=1e-3)
    a_visit = [s.residence / v for s, v in zip(solved.stations, visits, strict=True)]
    assert a_visit == pytest.approx([0.373, 4.854, 0.300], abs=1e-3)


def test_central_server_with_six_jobs() -> None:
    """B page 331, example 8.3: X = 9.920, U = 0.198, 0.794, 0.794, 0.595, Q = 0.244, 2.261 ..."""
    demands = (0.02, 0.4 * 0.2, 0.2 * 0.4, 0.1 * 0.6)
    solved = closed_result(6, 0.0, [Station(str(k), d) for k, d in enumerate(demands)])
    assert solved.rate == pytest.approx(9.920, abs=1e-3)
    expected = [0.198, 0.794, 0.794, 0.595]
    assert [s.utilisation for s in solved.stations] == pytest.approx(expected, abs=1e-3)
    assert [s.queue for s in solved.stations] == pytest.approx(
        [0.244, 2.261, 2.261, 1.234], abs=1e-3
    )


def test_two_servers_two_disks_and_terminals() -> None:
    """B page 333, example 8.4: X = 1.218, Q = 0.624, 0.473, 0.686, 1.217 with a 2-server node."""
    stations = [Station("cpu", 0.5, 2), Station("a", 0.3), Station("b", 0.4), Station("t", 1.0, 0)]
    solved = closed_result(3, 0.0, stations)
    assert solved.rate == pytest.approx(1.218, abs=1e-3)
    assert [s.queue for s in solved.stations] == pytest.approx(
        [0.624, 0.473, 0.686, 1.217], abs=1e-3
    )


def test_convolution_with_two_and_three_servers() -> None:
    """B page 317, example 8.1: U = 0.590, 0.350, 0.473; Q = 1.290, 1.050 of three jobs."""
    stations = [
        Station("1", 1 / 0.8, 2), Station("2", 0.667 / 0.6, 3), Station("3", 0.2 / 0.4)
    ]  # fmt: skip
    solved = closed_result(3, 0.0, stations)
    assert [s.utilisation for s in solved.stations] == pytest.approx(
        [0.590, 0.350, 0.473], abs=1e-3
    )
    assert [s.queue for s in solved.stations][:2] == pytest.approx([1.290, 1.050], abs=1e-3)


# --- servers ---


def test_erlang_by_hand() -> None:
    """K volume 1 sections 3.5 and 3.7. Two servers, load 1: B = (1/2) / (1 + 1 + 1/2) = 1/5,
    C = 1 / (1 + 1 + 1) = 1/3. Three servers, load 2: B = (8/6) / (1 + 2 + 2 + 8/6) = 4/19, C = 4/9.
    """
    assert erlang_b(2, 1.0) == pytest.approx(1 / 5)
    assert erlang_c(2, 1.0) == pytest.approx(1 / 3)
    assert erlang_b(3, 2.0) == pytest.approx(4 / 19)
    assert erlang_c(3, 2.0) == pytest.approx(4 / 9)
    assert mmm_wait(1.0, 1.0, 2) == pytest.approx(1 / 3)
    assert mmm_wait(2.0, 1.0, 3) == pytest.approx(4 / 9)


def test_what_a_log_write_releases_makes_others_come_in_bunches() -> None:
    """10 CPs, 5 of them busy with other work. Every 500 us a write releases 60 bursts of 20 us: 5
    find a CP, the 55 others need 1,100 us of CPU. For 110 us all CPs have them alone; the queue is
    gone after 1,100 / 5 = 220 us. In the 110 us between others leave CPs at 220 / 110 = twice their
    mean rate, in the 280 us after at that rate: the mean square of the rate is
    (110 x 4 + 280) / 500 = 1.44 of the square of its mean. A write every 200 us keeps the queue:
    90 us at 200 / 90 times the rate. 4 bursts find free CPs.
    """
    assert bunching(60, 500.0, 20.0, 10, 5.0) == pytest.approx(1.44)
    assert bunching(60, 200.0, 20.0, 10, 5.0) == pytest.approx(200 / 90)
    assert bunching(4, 500.0, 20.0, 10, 5.0) == 1.0
