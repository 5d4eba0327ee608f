"""Threads to Db2 in the log: 5603, 5604 and A107 of one run, every transaction in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import imsperf
from imsperf.database.store import Store
from imsperf.reports import audit
from imsperf.synthetic.accounts.definitions import definitions_of
from imsperf.synthetic.generate import generate
from imsperf.synthetic.log.thread_tokens import token_of
from imsperf.synthetic.scenarios.scenario import load

TYPES = "ims:07,ims:08,ims:5603,ims:5604,ims:560B,ims:5610,ims:45,ims:56FA,ims:A1"
FEW = {"clients": 30, "regions.mpp": 10, "dasd.volumes": 8, "sched.plct": 5}


@pytest.fixture(scope="module")
def db2(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("threads")
    generate(load("esaf-pooling", dict(FEW)), folder / "run", seconds=2.0, every_s=1.0, seed=5)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True, types=TYPES)
    with imsperf.connect(folder / "r.duckdb") as store:
        yield store


def rows(store: Store, sql: str) -> list[Any]:
    return store.con.execute(sql).fetchall()


def test_a_schedule_makes_a_thread_and_its_end_ends_it(db2: Store) -> None:
    """Of a program whose 08 and 07 are here: X'4000' is off in the first 5603 only, at the time of
    08; one 5604 at the time of 07; all that it did has one token, which no other program has."""
    sql = """
        WITH thread AS (
            SELECT thread_token, pst, count(*) AS units, count(*) FILTER (flags = 0) AS made,
                min(end_time) FILTER (flags = 0) AS first, min(end_time) AS earliest
            FROM ims_5603 GROUP BY ALL),
        program AS (
            SELECT e.pst, b.sched AS first, e."end", e.msgs FROM ims_07 AS e
            JOIN ims_08 AS b ON b.pst = e.pst AND b.rtoken = e.rtoken)
        SELECT count(*), count(DISTINCT t.thread_token), count(DISTINCT g.thread_token),
            bool_and(t.units = p.msgs AND t.made = 1 AND t.earliest = p.first
                AND g.calls % p.msgs = 0 AND g.thread_token = t.thread_token),
            (SELECT count(*) FROM program)
        FROM program AS p JOIN ims_5604 AS g ON g.pst = p.pst AND g.end_time = p."end"
        JOIN thread AS t ON t.pst = p.pst AND t.first = p.first"""
    joined, threads, ended, agree, programs = rows(db2, sql)[0]
    assert joined == threads == ended == programs > 300 and agree


def test_making_a_thread_takes_its_share_of_the_schedule(db2: Store) -> None:
    """esaf.thread_ms 11.1541 of 15.50295 ms with sched.elapsed_ms: 0.71948 of it."""
    scenario = load("esaf-pooling", dict(FEW))
    assert definitions_of(scenario).threads.making == pytest.approx(0.719482, abs=1e-6)
    new = "SELECT min(elapsed_us), avg(elapsed_us) FROM ims_5603 WHERE flags = 0"
    least, mean = rows(db2, new)[0]
    assert least > 0 and 11_154 < mean < 16_000  # with CPU and the waits for it
    again = "SELECT max(elapsed_us) FROM ims_5603 WHERE flags <> 0"
    assert rows(db2, again) == [(0,)]


def test_statistics_of_threads_are_those_of_the_log(db2: Store) -> None:
    """Between the first set and the last: terminates = 5604, prepares and commits = 560B, and the
    time of calls that of 07, but for programs that run over an end (10 regions of some 750)."""
    sql = """
        WITH thread AS (
            SELECT h.sample, e.* FROM ims_a107_subsystem AS e
            JOIN ims_a107 AS h USING (file_id, record_no)),
        edge AS (SELECT min(sample) AS a, max(sample) AS b FROM thread),
        gain AS (
            SELECT max(thread_terminates) - min(thread_terminates) AS gone,
                max(prepares) - min(prepares) AS one, max(commits) - min(commits) AS two,
                (max(calls_us) - min(calls_us)) / (max(calls) - min(calls)) AS each FROM thread)
        SELECT gone, one, two, each, (SELECT sum(esaf_us) / sum(esaf_calls) FROM ims_07),
            (SELECT count(*) FROM ims_5604, edge WHERE log_stck > a AND log_stck <= b),
            (SELECT count(*) FROM ims_560b, edge WHERE log_stck > a AND log_stck <= b) FROM gain"""
    gone, rows_read, two, each, of_07, ended, committed = rows(db2, sql)[0]
    assert gone == ended > 300 and rows_read == two == committed > 300
    assert each == pytest.approx(of_07, rel=0.03) and of_07 > 20


def test_statistics_of_threads_keep_the_identities(db2: Store) -> None:
    """Both steps and the whole, within 0.3 % of the programs that ran there."""
    for check, keys in (("thread_times", 3), ("thread_commits", 6)):
        done = audit.loaded(db2.con, only=check)
        assert done.tested == keys and done.violations.num_rows == 0


def test_records_of_the_logger_count_the_end_of_a_thread(db2: Store) -> None:
    """16 for each unit of recovery, 08 for a schedule, 07 and 5604 for its end."""
    sql = """
        SELECT max(records_written) - min(records_written), max(schedules) - min(schedules),
            max(thread_terminates) - min(thread_terminates)
        FROM ims_4507 JOIN ims_4506 USING (file_id, ckpt_no) JOIN ims_a107 AS h USING (ckpt_no)
        JOIN ims_a107_subsystem AS e ON e.record_no = h.record_no"""
    records, schedules, gone = rows(db2, sql)[0]
    units = rows(db2, "SELECT max(commits) - min(commits) FROM ims_a107_subsystem")[0][0]
    # 01 35 31 5607 5603 03 5610 5611 560B 3730 35 5612 56FA 31 36 33
    assert records == 16 * units + schedules + 2 * gone


def test_tokens() -> None:
    """Schedule 0 in region 0: X'00010001'; schedule 5 in region 2: X'00060003'."""
    assert [token_of(np.int64(0), 0), token_of(2, 5)] == [0x10001, 0x60003]
