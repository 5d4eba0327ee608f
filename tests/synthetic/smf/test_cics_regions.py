"""CICS regions without IMS (document 003): what a run of theirs leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import imsperf
from imsperf.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load

SECONDS = 4


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("cics")
    generate(load("cics-ts31"), folder / "run", seconds=SECONDS, seed=3)
    assert not [*folder.glob("run/*imslog*")]
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", types="30,70,72,74.1,110")
    with imsperf.connect(folder / "r.duckdb") as opened:
        yield opened


def rows(store: Store, sql: str) -> list[Any]:
    return store.con.execute(sql).fetchall()


def test_cpu_of_the_roles_is_all_cpu_of_the_system(store: Store) -> None:
    """Report classes of 72.3 against busy time of 70.1, of which 0.2 % is LPAR management."""
    ((roles,),) = rows(
        store,
        "SELECT sum(cp_us) FROM rmf_workload "
        "WHERE class IN ('RTOR', 'RAOR', 'RFOR') AND period IS NULL",
    )
    ((busy,),) = rows(store, "SELECT sum(mvs_busy_us) FROM rmf_cpu WHERE type = 'CP'")
    assert roles == pytest.approx(busy, rel=0.001)


def test_each_region_uses_its_fixed_part_and_its_part_of_the_tasks(store: Store) -> None:
    """Foil 7, V3.1: 5.6, 16.8 and 13.1 ms a second and 193, 577 and 252 us a task."""
    ((ended,),) = rows(store, "SELECT count(*) FROM cics_task")
    used = rows(
        store,
        "SELECT class, cp_us FROM rmf_workload WHERE class LIKE 'R_OR' AND period IS NULL "
        "ORDER BY class",
    )
    parts = [("RAOR", 16805, 577.236), ("RFOR", 13095, 251.746), ("RTOR", 5609, 193.26)]
    for (name, us), (role, fixed, each) in zip(used, parts, strict=True):
        assert name == role
        assert us == pytest.approx(SECONDS * fixed + ended * each, rel=0.06)


def test_tasks_use_the_cpu_of_the_application_regions_on_their_qr_tcbs(store: Store) -> None:
    """A VSAM program is quasi-reentrant: all on QR. The regions have it and their fixed part."""
    ((cpu, qr, l8, regions),) = rows(
        store,
        "SELECT sum(usrcput_us), sum(qrcput_us), sum(l8cput_us), count(DISTINCT smfmnspn) "
        "FROM smf110_1_performance JOIN smf110_1_product USING (file_id, record_no)",
    )
    assert (qr, l8, regions) == (cpu, 0, 2)
    ((region,),) = rows(
        store, "SELECT sum(tcb_us + srb_us) FROM smf_address_space WHERE job LIKE 'CICSAOR%'"
    )
    assert region - SECONDS * 16805 == pytest.approx(cpu, rel=0.02)


def test_menus_use_no_file_and_others_wait_for_theirs(store: Store) -> None:
    found = rows(
        store,
        "SELECT tran, sum(fcamct) / count(*), min(fciowtt_count), sum(fciowtt_us) > 0 "
        "FROM smf110_1_performance GROUP BY 1 ORDER BY 1",
    )
    assert found == [("INQY", 4, 4, True), ("MENU", 0, 0, False), ("UPDT", 8, 8, True)]


def test_nothing_is_written_to_a_log_of_ims(store: Store) -> None:
    """The file-owning region has all data sets; the volumes of the log are idle."""
    found = rows(
        store,
        "SELECT volume IN ('WADS01', 'OLDS01'), sum(io_count) > 0 FROM rmf_device GROUP BY 1 "
        "ORDER BY 1",
    )
    assert found == [(False, True), (True, False)]
