"""CPU of dependent regions in log records: the share by hand, and against the region's class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import small_networks

import imsperf
from imsperf.synthetic.accounts.inventory import REGION, inventory_of
from imsperf.synthetic.accounts.region_cpu import region_share, region_ziip_ticks, ziip_share
from imsperf.synthetic.accounts.regions import job_names
from imsperf.synthetic.generate import generate
from imsperf.synthetic.log.logstream import _of_region
from imsperf.synthetic.network.network import Cpu, Network, Sequence
from imsperf.synthetic.scenarios.files import names
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.run import PROGRAMS, SMALL, TIMES, Completed
from imsperf.synthetic.workloads.families import systems

COSTS = (("IMS", 60.0), ("IFP", 40.0), ("OTHER", 20.0))


def network(**cpu: Any) -> Network:
    """40 us before the region, 50 with it, 30 behind; 40 of these 120 us are the region's."""
    some = Cpu(1, 40.0, 50.0, 30.0, 0.0, 0.0, share_by_space=COSTS, of_regions=(40.0, 0.0))
    return replace(small_networks.idle_network(), cpu=replace(some, **cpu))


def after(used: int = 0, spilled: int = 0) -> Any:
    """A warm-up in which transactions used so much."""
    none = np.zeros(2, np.int64)
    warm = {"transaction_cpu_ticks": used, "ziip_spilled_ticks": spilled, "cpu_search_ticks": 0}
    return SimpleNamespace(warm=warm | {"cont_shr": none, "cont_exc": none})


def test_the_region_has_its_part_of_what_is_used_meanwhile() -> None:
    assert region_share(network(), after()) == pytest.approx(40 / 50)
    assert region_share(network(), after(used=12_000)) == pytest.approx(40 / 50)
    assert region_share(network(of_regions=None), after()) == 1.0


def test_work_that_spills_from_ziips_is_the_regions() -> None:
    """25 us of the 50 are eligible, all of them the region's: 15 of 25 us, and what spills."""
    some = {"ziips": 1, "eligible": (0.0, 0.5, 0.0), "eligible_by_space": (("IFP", 25.0),)}
    ziip_network = network(**some, of_regions=(40.0, 25.0))
    assert region_share(ziip_network, after(used=95)) == pytest.approx(15 / 25)
    assert region_share(ziip_network, after(used=95 + 10, spilled=10)) == pytest.approx(25 / 35)


def test_a_batch_program_has_the_time_of_its_task() -> None:
    batch_network = replace(network(), sequence=Sequence(10, 5, srb_share=0.1))
    assert region_share(batch_network, after()) == pytest.approx(0.9)


def test_a_schedule_is_the_programs_not_the_messages() -> None:
    """500 us of which 300 are the schedule's, 80 on zIIPs; 0.9 and 0.5 are the region's."""
    row = {name: np.zeros(1, np.int64) for name in (*TIMES, *SMALL)}
    row |= {"cpu_region": np.array([500]), "cpu_schedule": np.array([300])}
    row |= {"ziip_region": np.array([80])}
    program = {name: np.zeros(1, np.int64) for name in PROGRAMS}
    program |= {"cpu": np.array([500]), "ziip": np.array([80])}
    region_times = _of_region(Completed.of(row, program, 0), (0.9, 0.5))
    assert region_times.times[0, TIMES.index("cpu_region")] == 180
    assert region_times.times[0, TIMES.index("ziip_region")] == 40
    assert region_times.programs[0, PROGRAMS.index("cpu")] == 450
    assert region_times.programs[0, PROGRAMS.index("ziip")] == 40


def test_ziip_time_of_regions_is_shared_as_in_the_class() -> None:
    """25 us of regions and 5 of IMS are eligible, 26 of these 30 us while a region is held."""
    some = {"ziips": 1, "eligible": (0.1, 0.52, 0.0)}
    spaces = (("IFP", 25.0), ("IMS", 5.0))
    ziip_network = network(**some, eligible_by_space=spaces, of_regions=(40.0, 25.0))
    assert ziip_share(ziip_network) == pytest.approx(25 / 26)
    assert ziip_share(network()) == 0.0
    ticks = {"ziip_work_ticks": np.array([[400, 200], [900, 300]])}  # two zIIPs, two sets
    assert region_ziip_ticks(ziip_network, ticks.__getitem__).tolist() == [500, 1000]


@pytest.mark.parametrize("name, region", [("ff-haldb", "RREG"), ("odbm", "RODBM")])
def test_log_and_class_of_regions_tell_the_same_cpu(tmp_path: Path, name: str, region: str) -> None:
    """56FA against 72.3; both are drawn: 3 standard deviations of a sum of exponential times."""
    generate(load(name), tmp_path / "run", seconds=0.5, seed=5)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        ((log, number),) = store.con.execute(
            "SELECT sum(tpextime), count(*) FROM ims_56fa"
        ).fetchall()
        ((smf,),) = store.con.execute(
            f"SELECT cp_us FROM rmf_workload WHERE class = '{region}' AND period IS NULL"
        ).fetchall()
    assert log == pytest.approx(smf, rel=3 / number**0.5)
    assert 3 / number**0.5 < 0.08


@pytest.mark.parametrize("name", [*names(), "trace-tables@ff"])
def test_costs_of_a_group_are_charged_to_address_spaces(name: str) -> None:
    """Each row of the cost table that has a group is somebody's; what has none may be nobody's.
    The jobs that the log names are there."""
    for own, net in systems(load(name)):
        costs = own.table("cpu_by_space") if "cpu_by_space" in own.tables else []
        grouped = {row["space"] for row in costs if row.get("group")}
        inventory = inventory_of(own, net)
        used = {row for row, us in net.cpu.share_by_space if us > 0}
        assert grouped & used <= set(inventory.rows)
        jobs = {space.job for space in inventory.spaces if space.program == REGION}
        assert net.source or set(job_names(net)) == jobs


def test_log_and_type_30_tell_the_same_cpu_of_each_region(tmp_path: Path) -> None:
    """56FA by job against service units of the job, which differ by a quarter of their mean.
    Messages under way at the ends are in one of them only: 1 of 480, of several times the mean."""
    generate(load("jmp", {"regions.jmp": 30}), tmp_path / "run", seconds=0.5, seed=5)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", types="30,ims:56FA")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        rows = store.con.execute(
            """WITH log AS (
                SELECT tpjobn AS job, sum(tpextime) AS us, count(*) AS n FROM ims_56fa GROUP BY 1
            ), smf AS (
                SELECT smf30jbn AS job, sum(smf30csu_l) AS units
                FROM smf30_identification JOIN smf30_performance USING (file_id, record_no)
                WHERE smf30pgm = 'DFSRRC00' GROUP BY 1
            )
            SELECT us, units, n FROM smf JOIN log USING (job) ORDER BY job"""
        ).fetchall()
    us, units, number = (np.array(column, float) for column in zip(*rows, strict=True))
    assert len(rows) == 30 and number.min() > 100 and us.max() > 1.2 * us.min()
    assert units / units.sum() == pytest.approx(us / us.sum(), rel=0.02)
