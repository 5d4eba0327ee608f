"""Buffers and control intervals of a Fast Path sync point (5937)."""

from __future__ import annotations

from pathlib import Path

import imsperf
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load


def test_what_is_updated_is_in_a_buffer(tmp_path: Path) -> None:
    """tps-100k logs one 5950 of a DEBIT or LOST, none of a CCCK or CLCK: so many control intervals
    are updated. Each of the four reads one at most (0.446 of one) and calls: one buffer, whether
    it was read or found there."""
    small = {"driver.rate_per_s": 4000.0, "cpu.gcps": 2, "cpu.growth": 0.0}
    generate(load("tps-100k", small), tmp_path / "run", seconds=0.5, seed=5)
    db = tmp_path / "r.duckdb"
    imsperf.load(tmp_path / "run", db=db, run="r", types="ims:5937,ims:5950")
    with imsperf.connect(db) as store:
        rows_read = store.con.execute(
            """SELECT tran, ci_updates, nba, vso_hits, min(ci_reads), max(ci_reads) FROM ims_5937
            GROUP BY ALL ORDER BY ALL"""
        ).fetchall()
        (two,) = store.con.execute(
            """SELECT (SELECT sum(ci_updates) FROM ims_5937 JOIN
                (SELECT DISTINCT rtoken FROM ims_5950) USING (rtoken)),
                (SELECT count(*) FROM ims_5950 JOIN ims_5937 USING (rtoken))"""
        ).fetchall()
    assert rows_read == [
        ("CCCK", 0, 1, 0, 0, 0),
        ("CLCK", 0, 1, 0, 0, 1),
        ("DEBIT", 1, 1, 0, 0, 1),
        ("LOST", 1, 1, 0, 0, 1),
    ]
    assert two[0] == two[1] > 500


def test_buffers_of_units_of_recovery_are_logged_where_that_is_asked_for(tmp_path: Path) -> None:
    """5945 beside each 5937: the same region, token, buffers; one subpool of 4,096 bytes has them
    all, those of a DEBIT or LOST are updated."""
    small = {"driver.rate_per_s": 4000.0, "cpu.gcps": 2, "cpu.growth": 0.0}
    asked = {"fast_path.buffer_records": "on"}
    generate(load("tps-100k", small | asked), tmp_path / "run", seconds=0.5, seed=5)
    db = tmp_path / "r.duckdb"
    imsperf.load(tmp_path / "run", db=db, run="r", types="ims:5937,ims:5945", strict=True)
    with imsperf.connect(db) as store:
        rows = store.con.execute(
            """SELECT b.tran, b.count, b.entry_len, b.bufs_used, b.bufs_used_max, b.waits, b.oba,
                s.subpool, s.buf_size, s.bufs_used, s.bufs_updated, s.waits
            FROM ims_5945 AS b JOIN ims_5945_subpool AS s USING (file_id, record_no)
            GROUP BY ALL ORDER BY ALL"""
        ).fetchall()
        ((both, fast, sets),) = store.con.execute(
            """SELECT (SELECT count(*) FROM ims_5945 AS b JOIN ims_5937 AS c ON c.rtoken = b.rtoken
                AND c.pst = b.pst AND c.nba = b.nba AND c.sync = b.sync AND c.uow = b.uow),
                (SELECT count(*) FROM ims_5937), (SELECT count(*) FROM ims_5945)"""
        ).fetchall()
    assert rows == [
        (tran, 1, 20, 1, 1, 0, 0, 1, 4096, 1, updated, 0)
        for tran, updated in (("CCCK", 0), ("CLCK", 0), ("DEBIT", 1), ("LOST", 1))
    ]
    assert both == fast == sets > 1000
