"""Regions that a log write sets free together, while transactions wait for one."""

from __future__ import annotations

import numpy as np
import pytest

from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.solver.flow import Crowding, Needs
from imsperf.synthetic.solver.full_regions import Full, in_releases
from imsperf.synthetic.solver.pooled import point
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.workloads.families import network, predicted


def full(cpu: list[float], servers: int, regions: int, delay: float, **more: float) -> Full:
    """A write of 500 us, always one under way unless `busy` says how often."""
    write = (500.0, more.get("cv", 0.0), more.get("busy", 1.0))
    found = in_releases(more.get("arrivals", 0.0), np.array(cpu), servers, write, regions, delay, 0)
    assert found is not None
    return found


def test_one_region_shares_the_processor_with_the_output_before_it() -> None:
    """Output 20 and region 60 begin together: one of them ends after 2 x 15, both served for 15 =
    20 x 60 / 80. So each takes 15 longer, 35 and 75. No write is under way when the region comes
    to the log: it comes back every 10,000 + 75 + 500.
    """
    found = full([0.0, 20.0, 60.0], 1, 1, 10_000.0, busy=0.0)
    assert found.times[1:] == pytest.approx([35, 75], rel=0.01)
    assert found.logged == pytest.approx(500)
    assert found.rate == pytest.approx(1 / 10_575, rel=0.001)


def test_nobody_waits_where_there_is_a_processor_for_each() -> None:
    """Long delays bring regions to the log at any time of a write: half of it, and a whole one."""
    found = full([90.0, 30.0, 110.0], 40, 60, 9_000.0, arrivals=0.001)
    assert found.times == pytest.approx([90, 30, 110], rel=0.01)
    assert found.logged == pytest.approx(750, rel=0.01)
    assert found.rate == pytest.approx(60 / 9_860, rel=0.002)


def test_regions_that_come_back_soon_wait_for_most_of_a_write() -> None:
    """Burst 10, delay 40: back within the write, so it is 450 and a whole one; rate 2 / 1,000."""
    found = full([0.0, 0.0, 10.0], 8, 2, 40.0)
    assert found.logged == pytest.approx(950, rel=0.005)
    assert found.rate == pytest.approx(2 / 1_000, rel=0.005)


def test_too_many_states_are_not_followed() -> None:
    cpu, write = np.array([20.0] * 3), (500.0, 0.4, 1.0)
    assert in_releases(0.05, cpu, 4, write, 100, 1_000.0, 9.0) is None


def test_full_regions_take_so_much_longer() -> None:
    """Half of the 0.2 CPU inside, 8 regions that wait 20, endless clients: X = 8 / (busy + 1)."""

    def rate(crowding: Crowding | None) -> float:
        cpu = Station("cpu", 0.2, 4)
        half = np.array([0.5])
        return point(
            Needs((cpu,), half, 20.0, 0.0, 500, 100.0, 0.0, 8, expected=0.4, crowding=crowding)
        ).rate

    free = rate(None)
    assert rate(Crowding(0.0, 1.0, 2.0)) == pytest.approx(8 / (8 / free + 1), rel=1e-4)
    assert rate(Crowding(5.0, 0.0, 2.0)) == pytest.approx(free, rel=1e-4)


AGREES = [
    ("trace-tables", {"regions.ifp": 6}, 30),
    ("trace-tables", {"regions.ifp": 12}, 30),
    pytest.param("trace-tables", {"regions.ifp": 18}, 120, marks=pytest.mark.slow),
    pytest.param("cics-fp", {"regions.threads": 12}, 120, marks=pytest.mark.slow),
    pytest.param("cics-ff", {"regions.threads": 20}, 60, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "settings", "seconds"), AGREES)
def test_the_simulation_agrees(name: str, settings: dict[str, int], seconds: int) -> None:
    """Rate within 0.5 %, response within 4 %; by chance a rate of n completed moves by n^-0.5."""
    scenario = load(name, settings)
    found = predicted(scenario).values
    seen = simulate(network(scenario), seed=3, seconds=seconds, every_s=seconds, warmup_s=4)
    done = seen.completed.sum()
    assert found["etr_per_s"] == pytest.approx(done / seconds, rel=0.005)
    response = seen.response_ticks.sum() / done / 4096 / 1000
    assert found["ims_response_ms"] == pytest.approx(response, rel=0.04)
