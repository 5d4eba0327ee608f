"""CPs that spin while they wait for shared servers: by hand, at the limits, and simulated.

By hand: Kleinrock volume 1 section 3.10 for CPs that are always busy; with the number of busy CPs
as a birth-death chain where they are not. The limit of many CPs is M/M/m.
"""

from __future__ import annotations

from itertools import product

import pytest
from queue_simulation import Seen, walk
from spinning_cps import Host, asked
from test_solvers_agree import exactly
from test_workload_sysplex import asking, coupled, mean_us

from imsperf.synthetic.network.network import Coupling
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate_all
from imsperf.synthetic.solver.devices import requests
from imsperf.synthetic.solver.pooled import falling_root
from imsperf.synthetic.workloads.families import predicted

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


# --- requests to a coupling facility ---

NEVER_CONVERTED = 1e9


@pytest.mark.parametrize("hosts", [1, 2])
@pytest.mark.parametrize("load", [0.1, 0.3, 0.5])
def test_synchronous_requests_wait_as_in_the_exact_chain(hosts: int, load: float) -> None:
    """Within 6 % up to a load of one half, CPs at most 95 % busy; beyond that a simulation says."""
    for cps, servers, work in product((2, 3, 8, 16), (1, 2, 4), (2.0, 10.0, 100.0)):
        rate = load * servers / 6.0 / hosts
        exact = asked([Host(rate, cps, work + 4.0)] * hosts, 6.0, servers)
        if rate * (work + 4.0 + exact.time) < 0.95 * cps:
            coupling = Coupling((), servers, 100, 4.0, 6.0, threshold_us=NEVER_CONVERTED)
            solved = requests(rate, coupling, others=rate * (hosts - 1), cps=cps, work_us=work)
            assert solved.elapsed == solved.host_cpu == pytest.approx(exact.time + 4.0, rel=0.06)
            assert solved.subchannel_busy == 0


def test_more_requests_than_the_processors_can_take() -> None:
    """A server that takes 0.25 a us."""
    coupling, host = Coupling((), 1, 10, 1.0, 4.0), {"cps": 2, "work_us": 3.0}
    assert requests(0.25, coupling, convert=False, **host).saturated  # type: ignore[arg-type]
    assert requests(0.15, coupling, others=0.1, **host).saturated  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "knobs",
    [
        {"cf.processors": 1},
        {"cpu.gcps": 6, "cf.processors": 1},
        {"cf.processors": 1, "cf.service_us": 6},
        {"cf.service_us": 10},
    ],
    ids=str,
)
def test_a_busy_facility_is_simulated(knobs: dict[str, float]) -> None:
    """Two CF processors of 4 us each are 30 % busy; 60 to 83 % here."""
    assert not predicted(load("dsff-smq")).knees
    assert "cf: CPs wait for each other's requests" in predicted(load("dsff-smq", knobs)).knees


def test_asynchronous_requests_know_no_cps() -> None:
    """They leave the CP: as many at once as there are subchannels."""
    coupling = Coupling((), 1, 28, link_us=60.0, service_us=4.0)
    solved = requests(0.1, coupling, others=0.05, cps=3, work_us=20.0)
    poisson = requests(0.1, coupling, others=0.05)
    assert solved == poisson and solved.converted == 1 and solved.host_cpu == 15.0


@pytest.mark.parametrize("guess", [0.1, 1.9, 30.0])
@pytest.mark.parametrize("rises", [0.0, 0.1, 0.9])
def test_a_root_whose_function_rises_less_than_its_argument(guess: float, rises: float) -> None:
    """2 = g(2), g rises: at a given total, a host that asks more leaves less to the other's CPs."""
    root = falling_root(lambda x: 2 + rises * (x - 2) - x, guess, 1e-12)
    assert root == pytest.approx(2.0)


# --- simulated ---


@pytest.mark.parametrize("rate", [0.05, 0.12])
def test_one_host_is_a_pool_simulated(rate: float) -> None:
    """CPs as regions, which are held for work, link and the time at the processors."""
    seen = walk([(16.0, 0), (12.0, 2)], regions=4, rate=rate, each=60_000)
    held = seen["held"]
    assert isinstance(held, Seen)
    exactly(held, rate * (16.0 + asked([Host(rate, 4, 16.0)], 12.0, 2).time))


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
