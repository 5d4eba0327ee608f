"""A105: locks that IRLM obtained, released and waited for, with and without a storm."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import imsperf
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario


def test_locks_are_requests_and_a_storm_makes_them_wait(tmp_path: Path) -> None:
    """A lock is obtained and released, each a request. 1 % of the requests meet contention without
    a storm (how long they wait is not known), 40 % with one: 39 of 40 wait 1 ms, 975 us each. A
    program in a region holds 3 of its 6 locks (12 requests): 3 for each
    that is active at the checkpoint (47)."""
    variant = scenario.load("dsff-smq", {"dasd.volumes": 20})
    generate_intervals(variant, tmp_path / "s", intervals=3, seed=8, inject=["cf-lock-storm@2"])
    imsperf.load(tmp_path / "s", db=tmp_path / "r.duckdb", run="s", types="ims:A1,ims:47")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        found_rows = store.con.execute(
            """SELECT ckpt_no, locks, unlocks, locks_held, cf_requests, waits, global_locks, wait_us
            FROM ims_a105 WHERE imsid = 'IMSA' ORDER BY ckpt_no"""
        ).fetchall()
        active = store.con.execute(
            """SELECT count(*) FILTER (r.state = 'A') FROM ims_47 AS h
            JOIN ims_47_region AS r USING (file_id, record_no)
            WHERE h.file_id IN (SELECT file_id FROM ims_a105 WHERE imsid = 'IMSA')
            GROUP BY h.ckpt_no ORDER BY h.ckpt_no"""
        ).fetchall()
    assert len(found_rows) == 4
    assert all(locks - unlocks == held for _, locks, unlocks, held, *_ in found_rows)
    held = [row[3] for row in found_rows]
    assert held == [3 * name for (name,) in active] and min(held) > 0
    for _, locks, unlocks, now, asked, waits, others, _us in found_rows[1:]:
        assert 0 <= locks + unlocks - asked <= 1 and waits == others < locks and now < locks
    gains = [[b - a for a, b in zip(*two, strict=True)] for two in pairwise(found_rows)]
    waited, us = [gain[5] for gain in gains], [gain[7] for gain in gains]
    assert us[0] == us[2] == 0
    assert us[1] == pytest.approx(975 * waited[1], abs=1) and waited[1] > 10 * waited[0] > 0
