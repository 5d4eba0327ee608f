"""CPs that spin while they wait for shared servers: by hand, at the limits, and simulated.

By hand: Kleinrock volume 1 section 3.10 for CPs that are always busy; with the number of busy CPs
as a birth-death chain where they are not. The limit of many CPs is M/M/m.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from queue_simulation import Seen, walk
from test_solvers_agree import exactly
from test_workload_sysplex import asking, coupled, mean_us

from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate_all
from imsperf.synthetic.solver.coupling import Facility, Host, asked, requests
from imsperf.synthetic.solver.declared import model_of
from imsperf.synthetic.solver.flow import falling_root
from imsperf.synthetic.solver.queueing import mmm_wait
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.workloads.families import systems

ENDLESS = 1e3  # more than any CPs here can ask


@pytest.mark.parametrize(
    ("cps", "away", "service", "servers", "rate", "time"),
    [
        # 0, 1, 2 ask with chances 1 2 2: 0.8 / 4 a unit of time, 2 / 0.2 - 4 = 6
        (2, 4.0, 4.0, 1, 0.2, 6.0),
        # chances 1 3 3 1.5: 12 / 8.5, 3 x 8.5 / 12 - 1 = 9 / 8
        (3, 1.0, 1.0, 2, 12 / 8.5, 1.125),
        (1, 5.0, 4.0, 1, 1 / 9, 4.0),  # one at a time waits for nobody
        (3, 5.0, 4.0, 3, 3 / 9, 4.0),  # a server for each
    ],
)
def test_cps_that_are_always_busy(
    cps: int, away: float, service: float, servers: int, rate: float, time: float
) -> None:
    """The repair of machines; exact."""
    solved = asked([Host(ENDLESS, cps, away)], service, servers)
    assert (solved.rate, solved.time) == pytest.approx((rate, time))


def test_cps_that_are_busy_at_times() -> None:
    """One or two busy CPs do 1/2 and 4/5; with 0.4 of work their chances are 1 0.8 0.4 / (1 - 1/2).

    2.4 / 2.6 are busy on average: 2.4 / 2.6 / 0.4 - 1 = 17 / 13.
    """
    solved = asked([Host(0.4, 2, 1.0)], 1.0, 1)
    assert (solved.rate, solved.time) == pytest.approx((0.4, 17 / 13))


def test_two_hosts_that_are_always_busy() -> None:
    """(0, 0), (1, 0), (0, 1), (1, 1) ask with chances 1 1 2 4: 5/8 for 3/8, 3/4 for 1/2."""
    hosts = [Host(ENDLESS, 1, 1.0), Host(ENDLESS, 1, 0.5)]
    first, second = asked(hosts, 1.0, 1), asked(hosts[::-1], 1.0, 1)
    assert (first.rate, first.time) == pytest.approx((3 / 8, 5 / 3))
    assert (second.rate, second.time) == pytest.approx((1 / 2, 3 / 2))


@pytest.mark.parametrize("hosts", [1, 2])
def test_many_cps_are_a_poisson_stream(hosts: int) -> None:
    """M/M/2 at 60 %: 1 / (1 - 0.36) of the service time, however the hosts share the rate."""
    each = [Host(1.2, 64, 5.0)] if hosts == 1 else [Host(0.9, 64, 5.0), Host(0.3, 64, 20.0)]
    assert asked(each, 1.0, 2).time == pytest.approx(1 / 0.64)


def test_bounds_hold_everywhere() -> None:
    """Service <= time <= M/M/m; fewer CPs, less work, more servers: never longer; never endless."""
    rng = np.random.default_rng(1)
    for _ in range(300):
        servers = int(rng.integers(1, 6))
        rates = rng.uniform(1e-9, 0.49, 2) * servers
        hosts = [
            Host(rate, int(rng.integers(1, 64)), float(rng.choice([0.0, 0.1, 3, 1e7])))
            for rate in rates.tolist()
        ]
        first, other = hosts
        solved = asked(hosts, 1.0, servers)
        wait = mmm_wait(float(rates.sum()), 1.0, servers)
        assert wait is not None
        assert 1 - 1e-9 <= solved.time <= (1 + wait) * (1 + 1e-6), hosts
        assert solved.rate <= first.rate * (1 + 1e-9)
        assert asked(hosts, 1.0, servers + 1).time <= solved.time * (1 + 1e-6)
        more = asked([replace(first, cps=first.cps + 1), other], 1.0, servers)
        assert more.rate >= solved.rate * (1 - 1e-9)
        if solved.rate >= first.rate * (1 - 1e-9):  # the same is asked
            assert more.time >= solved.time * (1 - 1e-6), hosts


# --- requests to a coupling facility ---


def test_requests_of_busy_cps() -> None:
    """Two CPs that work 3 us between requests, 1 us of link: 7 us, 2 / (3 + 7) of them a us."""
    facility = Facility(1, 10, link=1.0, service=4.0, cps=2, work=3.0)
    solved = requests(0.24, facility, convert=False)
    assert (solved.rate, solved.elapsed, solved.host_cpu) == pytest.approx((0.2, 7.0, 7.0))
    assert not solved.saturated and solved.subchannel_busy == 0
    assert solved.served.processors == pytest.approx(0.8)
    assert requests(0.25, facility, convert=False).saturated
    assert requests(0.15, facility, others=0.1).saturated


def test_asynchronous_requests_know_no_cps() -> None:
    """They leave the CP: as many at once as there are subchannels."""
    facility = Facility(1, 28, link=60.0, service=4.0, cps=3, work=20.0)
    solved = requests(0.1, facility, others=0.05)
    poisson = requests(0.1, replace(facility, cps=0), others=0.05)
    assert solved == poisson and solved.converted == 1 and solved.host_cpu == 15.0


@pytest.mark.parametrize(("service", "share"), [(3.6, 0.0), (4.2, 1.0), (5.0, 1.0)])
def test_once_converted_they_stay(service: float, share: float) -> None:
    """Six CPs that do nothing else at a server 99 % busy: nearly six services, 22, 25 or 30 us.

    The threshold is 26, and the moving mean comes near it from 22.1 on. A Poisson stream takes 100
    services, so nothing brings those back that are asynchronous.
    """
    facility = Facility(1, 28, link=3.5, service=service, cps=3)
    each = 0.495 / service
    solved = requests(each, facility, others=each)
    assert solved.converted == share
    if share == 0:
        assert solved.elapsed is not None and solved.elapsed < 6 * service
        assert solved.host_cpu == solved.elapsed


@pytest.mark.parametrize("guess", [0.1, 1.9, 30.0])
@pytest.mark.parametrize("rises", [0.0, 0.1, 0.9])
def test_a_root_whose_function_rises_less_than_its_argument(guess: float, rises: float) -> None:
    """2 = g(2), g rises: at a given total, a host that asks more leaves less to the other's CPs."""
    root = falling_root(lambda x: 2 + rises * (x - 2) - x, guess, 1e-12)
    assert root == pytest.approx(2.0)


def test_full_cps_of_both_hosts() -> None:
    """6 us of one CF processor: CPs all busy, clients wait for them; three CPs, 4,000 clients."""
    scenario = load("dsff-smq", {"cf.processors": 1, "cf.service_us": 6})
    solution = solve(model_of([network for _, network in systems(scenario)]))
    for number in (1, 2):
        assert solution.details[f"cpu_{number}.busy"] == pytest.approx(1.0, abs=1e-4)


# --- simulated ---


@pytest.mark.parametrize("rate", [0.05, 0.12])
def test_one_host_is_a_pool_simulated(rate: float) -> None:
    """CPs as regions, which are held for work, link and the time at the processors."""
    facility = Facility(2, 28, link=4.0, service=12.0, cps=4, work=12.0)
    solved = requests(rate, facility, convert=False)
    seen = walk([(16.0, 0), (12.0, 2)], regions=4, rate=rate, each=60_000)
    held = seen["held"]
    assert isinstance(held, Seen) and solved.elapsed is not None
    exactly(held, rate * (12.0 + solved.elapsed))


@pytest.mark.parametrize(
    ("hosts", "rate", "cps", "servers", "within"),
    [(1, 1_600.0, 2, 1, 0.015), (1, 3_200.0, 4, 2, 0.015), (2, 1_600.0, 2, 2, 0.03)],
)
def test_in_the_event_simulation(
    hosts: int, rate: float, cps: int, servers: int, within: float
) -> None:
    """CPs 50 to 60 % busy with nothing but requests of 400 us; two seeds.

    M/M/m would take 1,211, 1,211 and 778 us. Two hosts are no exact case: 598 us, simulated 610.
    """
    facility = coupled(processors=servers, service_us=400.0, link_us=100.0)
    expected = 100 + asked([Host(rate / 1e6, cps, 100.0)] * hosts, 400.0, servers).time
    networks = [asking(rate, facility, cps)] * hosts
    for seed in (1, 2):
        results = simulate_all(networks, seed=seed, seconds=20.0, every_s=20.0, warmup_s=1.0)
        for result in results:
            assert mean_us(result) == pytest.approx(expected, rel=within)
