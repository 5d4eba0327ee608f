"""Solvers against figures that others printed, and against fractions worked out by hand.

Written before the code. Sources, by the letter in front of a page:

Q = E. D. Lazowska, J. Zahorjan, G. S. Graham, K. C. Sevcik, Quantitative System Performance
    (Prentice-Hall 1984);
B = G. Bolch, S. Greiner, H. de Meer, K. S. Trivedi, Queueing Networks and Markov Chains (Wiley,
    pages of the 1998 edition);
J = R. Jain, The Art of Computer Systems Performance Analysis (Wiley 1991);
S = H. Schwetman, Implementing the Mean Value Algorithm for the Solution of Queueing Network
    Models, CSD-TR-355 (Purdue University 1982);
C = K. M. Chandy, D. Neuse, Linearizer, Communications of the ACM 25(2) (1982), pages 126-134;
K = L. Kleinrock, Queueing Systems, volumes 1 (1975) and 2 (1976) (Wiley).

Books were not at hand: the figures of Q, B, J, S and C are those under which the test suites of two
public solvers (GNU Octave's queueing package; the layered queueing network solver) quote them.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from imsperf.synthetic.solver.classes import Class, multiclass
from imsperf.synthetic.solver.closed import closed, closed_curve
from imsperf.synthetic.solver.linearizer import linearizer
from imsperf.synthetic.solver.open import open_network
from imsperf.synthetic.solver.priority import head_of_line, preemptive, priority_network
from imsperf.synthetic.solver.queueing import erlang_b, erlang_c, mmm_wait
from imsperf.synthetic.solver.result import Station

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
    curve = closed_curve(3, 15.0, stations)
    assert curve.rate[1:] == pytest.approx(expected, rel=1e-12)
    assert curve.rate[1] == pytest.approx(1 / 19.055)
    found = closed(3, 15.0, stations)
    assert [s.queue for s in found.stations] == pytest.approx([float(q) for q in queue], rel=1e-9)


def test_open_model_of_the_same_devices() -> None:
    """Q page 113: at 0.3 jobs/s U = 0.1815, 0.63, 0.405 and R = D / (1 - U)."""
    stations = [Station("cpu", 0.605), Station("disk1", 2.1), Station("disk2", 1.35)]
    found = open_network(0.3, stations)
    assert [s.utilisation for s in found.stations] == pytest.approx([0.1815, 0.63, 0.405])
    assert [s.residence for s in found.stations] == pytest.approx(
        [0.605 / 0.8185, 2.1 / 0.37, 1.35 / 0.595]
    )
    assert found.bottleneck == "disk1"
    assert found.headroom_pct == pytest.approx((1 / 0.63 - 1) * 100)


def test_timesharing_with_twenty_users() -> None:
    """J page 577, example 34.2: R = 0.373, 4.854, 0.300 a visit, Q = 1.991, 16.177, 0.500."""
    visits = (16, 10, 5)
    services = (0.125, 0.3, 0.2)
    stations = [Station(str(v), v * s) for v, s in zip(visits, services, strict=True)]
    found = closed(20, 4.0, stations)
    assert [s.queue for s in found.stations] == pytest.approx([1.991, 16.177, 0.500], abs=1e-3)
    a_visit = [s.residence / v for s, v in zip(found.stations, visits, strict=True)]
    assert a_visit == pytest.approx([0.373, 4.854, 0.300], abs=1e-3)


def test_central_server_with_six_jobs() -> None:
    """B page 331, example 8.3: X = 9.920, U = 0.198, 0.794, 0.794, 0.595, Q = 0.244, 2.261 ..."""
    demands = (0.02, 0.4 * 0.2, 0.2 * 0.4, 0.1 * 0.6)
    found = closed(6, 0.0, [Station(str(k), d) for k, d in enumerate(demands)])
    assert found.rate == pytest.approx(9.920, abs=1e-3)
    expected = [0.198, 0.794, 0.794, 0.595]
    assert [s.utilisation for s in found.stations] == pytest.approx(expected, abs=1e-3)
    assert [s.queue for s in found.stations] == pytest.approx(
        [0.244, 2.261, 2.261, 1.234], abs=1e-3
    )


def test_two_servers_two_disks_and_terminals() -> None:
    """B page 333, example 8.4: X = 1.218, Q = 0.624, 0.473, 0.686, 1.217 with a 2-server node."""
    stations = [Station("cpu", 0.5, 2), Station("a", 0.3), Station("b", 0.4), Station("t", 1.0, 0)]
    found = closed(3, 0.0, stations)
    assert found.rate == pytest.approx(1.218, abs=1e-3)
    assert [s.queue for s in found.stations] == pytest.approx(
        [0.624, 0.473, 0.686, 1.217], abs=1e-3
    )


def test_convolution_with_two_and_three_servers() -> None:
    """B page 317, example 8.1: U = 0.590, 0.350, 0.473; Q = 1.290, 1.050 of three jobs."""
    stations = [
        Station("1", 1 / 0.8, 2), Station("2", 0.667 / 0.6, 3), Station("3", 0.2 / 0.4)
    ]  # fmt: skip
    found = closed(3, 0.0, stations)
    assert [s.utilisation for s in found.stations] == pytest.approx([0.590, 0.350, 0.473], abs=1e-3)
    assert [s.queue for s in found.stations][:2] == pytest.approx([1.290, 1.050], abs=1e-3)


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


# --- several classes ---


def test_two_classes_on_cpu_and_disk() -> None:
    """Q page 142: Q = 4/19, 15/19; 5/19, 14/19; R = 4/3, 5; 5/2, 7; X = 3/19, 2/19."""
    stations = [Station("cpu", (1.0, 2.0)), Station("disk", (3.0, 4.0))]
    found = multiclass([Class("a", population=1), Class("b", population=1)], stations)
    assert found.method == "exact"
    assert [one.rate for one in found.classes] == pytest.approx([3 / 19, 2 / 19])
    assert [[s.queue for s in one.stations] for one in found.classes] == [
        pytest.approx([4 / 19, 15 / 19]), pytest.approx([5 / 19, 14 / 19])
    ]  # fmt: skip
    assert [[s.residence for s in one.stations] for one in found.classes] == [
        pytest.approx([4 / 3, 5]), pytest.approx([5 / 2, 7])
    ]  # fmt: skip


def test_open_classes_on_cpu_and_disk() -> None:
    """Q page 138: at 3/19 and 2/19 a second U = 3/19, 9/19; 4/19, 8/19 and R = D / (1 - U)."""
    stations = [Station("cpu", (1.0, 2.0)), Station("disk", (3.0, 4.0))]
    found = multiclass([Class("a", rate=3 / 19), Class("b", rate=2 / 19)], stations)
    a, b = found.classes
    assert [s.utilisation for s in a.stations] == pytest.approx([3 / 19, 9 / 19])
    assert [s.residence for s in a.stations] == pytest.approx([19 / 12, 19 * 3 / 2])
    assert [s.residence for s in b.stations] == pytest.approx([19 * 2 / 12, 19 * 4 / 2])
    assert a.stations[0].queue == pytest.approx(0.25)


def test_fifteen_and_five_terminals() -> None:
    """S page 23, table 5: X = 14.323, 0.314; R = 0.047, 0.934; Q = 0.677, 0.293."""
    found = multiclass(
        [Class("a", population=15, think=1.0), Class("b", population=5, think=15.0)],
        [Station("cpu", (0.025, 0.5))],
    )
    a, b = found.classes
    assert (a.rate, b.rate) == pytest.approx((14.323, 0.314), abs=1e-3)
    assert (a.response, b.response) == pytest.approx((0.047, 0.934), abs=1e-3)
    assert (a.stations[0].queue, b.stations[0].queue) == pytest.approx((0.677, 0.293), abs=1e-3)


def test_two_classes_on_two_servers() -> None:
    """B page 337: Q = 0.428, 0.726, 0.845; 0.108, 0.158, 0.734; X = 2.113, 0.524."""
    stations = [
        Station("cpu", (0.2, 0.2), 2), Station("disk", (0.24, 0.18)), Station("t", (0.4, 1.4), 0)
    ]  # fmt: skip
    found = multiclass([Class("a", population=2), Class("b", population=1)], stations)
    assert [one.rate for one in found.classes] == pytest.approx([2.113, 0.524], abs=1e-3)
    assert [[s.queue for s in one.stations] for one in found.classes] == [
        pytest.approx([0.428, 0.726, 0.845], abs=1e-3),
        pytest.approx([0.108, 0.158, 0.734], abs=1e-3),
    ]


def test_linearizer_on_the_example_of_its_authors() -> None:
    """C pages 126-134: 8 customers with a delay of 8, one without; exact 5.227 and 2.773,
    Linearizer 5.231 and 2.769. (Bard and Schweitzer's method: 5.108 and 2.892.)
    """
    classes = [Class("a", population=8), Class("b", population=1)]
    stations = [Station("delay", (8.0, 0.0), 0), Station("server", (1.0, 1.0))]
    exact = multiclass(classes, stations)
    assert [s.queue for s in exact.classes[0].stations] == pytest.approx([5.227, 2.773], abs=1e-3)
    near = linearizer(classes, stations)
    assert [s.queue for s in near.classes[0].stations] == pytest.approx([5.231, 2.769], abs=1e-3)


def test_linearizer_on_two_equal_classes() -> None:
    """Test 11 of the layered queueing network solver: exact 1.766 and 1.234, Linearizer 1.771."""
    classes = [Class("a", population=3, think=4.0), Class("b", population=3, think=4.0)]
    stations = [Station("server", (1.0, 1.0))]
    assert multiclass(classes, stations).classes[0].stations[0].queue == pytest.approx(
        1.234, abs=1e-3
    )
    assert linearizer(classes, stations).classes[0].stations[0].queue == pytest.approx(
        1.229, abs=1e-3
    )


# --- priorities ---


def test_head_of_the_line_by_hand() -> None:
    """K volume 2 section 3.6 (Cobham): W_p = W_0 / ((1 - s_p)(1 - s_{p-1})).

    One server, exponential service of 1 s, rates 0.3 and 0.3: W_0 = 0.6, W_1 = 0.6 / 0.7,
    W_2 = 0.6 / (0.4 x 0.7). Two servers, rates 0.5 and 0.5: W_0 = C(2, 1) x 1/2 = 1/6,
    W_1 = 1/6 / 0.75, W_2 = 1/6 / (0.5 x 0.75).
    """
    assert head_of_line((0.3, 0.3), (1.0, 1.0), 1) == pytest.approx([0.6 / 0.7, 0.6 / 0.28])
    assert head_of_line((0.5, 0.5), (1.0, 1.0), 2) == pytest.approx([2 / 9, 4 / 9])


def test_preemptive_resume_by_hand() -> None:
    """K volume 2 section 3.6: T_p = [S (1 - s_p) + W_p] / ((1 - s_p)(1 - s_{p-1})).

    One server, rates 0.3 and 0.3, service 1 s: T_1 = 1 / 0.7, T_2 = (0.4 + 0.6) / (0.4 x 0.7).
    """
    assert preemptive((0.3, 0.3), (1.0, 1.0), 1) == pytest.approx([1 / 0.7, 1 / 0.28])


def test_priority_chain_of_one_and_one_by_hand() -> None:
    """One high and one low customer, think 1, service 1, one server, preemptive.

    p(high there, low there). High alone is there half the time: p00 + p01 = 1/2. Low comes as often
    as it goes: p00 + p10 = p01. State 00: 2 p00 = p10 + p01. With p00 = 1/2 - p01 and
    p10 = 2 p01 - 1/2: 1 - 2 p01 = 3 p01 - 1/2, p01 = 3/10, and low leaves at that rate.
    """
    found = priority_network(
        [Class("high", population=1, think=1.0), Class("low", population=1, think=1.0)],
        Station("cpu", (1.0, 1.0)),
    )
    assert [one.rate for one in found.classes] == pytest.approx([1 / 2, 3 / 10])
    assert [one.response for one in found.classes] == pytest.approx([1.0, 1 / 0.3 - 1])


def test_priorities_of_equal_classes_share_one_total() -> None:
    """Whoever goes first, a server with exponential service works off as much: the numbers of
    high and low customers add up to those of one class (K volume 2 section 3.4).
    """
    both = priority_network(
        [Class("high", population=4, think=10.0), Class("low", population=8, think=10.0)],
        Station("cpu", (3.0, 3.0), 2),
    )
    one = closed(12, 10.0, [Station("cpu", 3.0, 2)])
    assert sum(c.rate for c in both.classes) == pytest.approx(one.rate)
    assert sum(c.stations[0].queue for c in both.classes) == pytest.approx(one.stations[0].queue)
    assert np.all([c.rate > 0 for c in both.classes])
