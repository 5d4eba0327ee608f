"""Program libraries in the records: the same I/O everywhere, 42.1 and 42.6 at their own times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from record_checks import every

import imsperf
from imsperf.synthetic.accounts.library_accounts import bmf_intervals, counted, resampled
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios.scenario import load

SETTINGS = {"clients": 400, "pdse.bmf_s": 3, "run.interval_s": 2}


def test_counts_of_intervals_become_those_of_others() -> None:
    """Intervals of 2 s with 10, 30, 0 I/Os; those of 3 s have 10 + half of 30, and what is left."""
    interval = every(2, 3)
    ours, whole, at = bmf_intervals(interval, 3)
    assert (ours.length_us // 1_000_000).tolist() == [3, 3]
    assert (whole.tolist(), at.tolist()) == ([True, True], [1, 2])
    assert resampled(np.array([[10], [30], [0]]), interval, ours).tolist() == [[25], [15]]
    four, whole, at = bmf_intervals(interval, 4)
    assert (four.length_us // 1_000_000).tolist() == [4, 2]
    assert (whole.tolist(), at.tolist()) == ([True, False], [1, 2])
    assert resampled(np.array([10, 30, 0]), interval, four).tolist() == [40, 0]
    assert counted(np.array([1, 1, 1]), np.array([1.5, 0.4])).tolist() == [[1, 0], [2, 0], [1, 1]]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of 6 s: without the APAR, all found in the hiperspace; and one without a simulation."""
    path = tmp_path_factory.mktemp("libraries")
    generate(load("cobol@no-apar", SETTINGS), path / "disk", seconds=6)
    held = SETTINGS | {"pdse.hsp_mb": 256}
    generate(load("cobol@no-apar", held), path / "held", seconds=6)
    generate_intervals(load("cobol@no-apar", SETTINGS), path / "drawn", intervals=3)
    for run in ("disk", "held", "drawn"):
        imsperf.load(path / run, db=path / "r.duckdb", run=run)
    return path / "r.duckdb"


@pytest.mark.parametrize("run", ["disk", "drawn"])
def test_all_records_have_the_same_io(store: Path, run: str) -> None:
    """Three I/Os a schedule (4506): in 74.1, 42.6, 42.5, EXCP of 30; 16 pages each in 42.1."""
    of_run = f"file_id IN (SELECT file_id FROM load_file WHERE run = '{run}')"
    sql = f"""SELECT
        (SELECT sum(smf74ssc) FROM smf74_1_device WHERE smf74ser = 'LIBR01' AND {of_run}),
        (SELECT sum(i.s42dsion) FROM smf42_6_io AS i
         JOIN smf42_6_dataset AS d USING (file_id, record_no, section_no)
         WHERE d.s42dsn = 'IMSPERF.COBOL.PGMLIB' AND i.{of_run}),
        (SELECT sum(s42scion) FROM smf42_5_storage_class WHERE s42scrnn = 'SCPGM' AND {of_run}),
        (SELECT sum(e.smf30blk) FROM smf30_excp AS e
         JOIN smf30_identification AS i USING (file_id, record_no)
         WHERE i.smf30jbn = 'SMSPDSE1' AND e.{of_run}),
        (SELECT sum(smf42trt) / 16 FROM smf42_1_buffer_manager WHERE {of_run}),
        (SELECT max(s.schedules) - min(s.schedules) FROM ims_4506 AS s WHERE {of_run}) * 3"""
    with imsperf.connect(store) as db:
        device, data_set, storage_class, excp, pages, schedules = db.con.execute(sql).fetchone()
    assert device == data_set == storage_class == excp > 0
    assert pages == pytest.approx(device, abs=1)
    assert schedules == pytest.approx(device, abs=3)


def test_42_6_comes_with_42_1_and_not_without_io(store: Path) -> None:
    sql = """
        SELECT f.run, count(DISTINCT p.smf42pte)
        FROM smf42_6_product AS p
        JOIN smf42_6_dataset AS d USING (file_id, record_no)
        JOIN smf42_1_product AS b ON b.file_id = p.file_id AND b.smf42pte = p.smf42pte
        JOIN load_file AS f ON f.file_id = p.file_id
        WHERE d.s42dsn = 'IMSPERF.COBOL.PGMLIB' GROUP BY ALL ORDER BY ALL"""
    hits = "SELECT run, min(member_hit_count / member_count) FROM smf_pdse GROUP BY 1 ORDER BY 1"
    with imsperf.connect(store) as db:
        assert db.con.execute(sql).fetchall() == [("disk", 2), ("drawn", 900)]
        assert db.con.execute(hits).fetchall() == [("disk", 0.0), ("drawn", 0.0), ("held", 1.0)]
