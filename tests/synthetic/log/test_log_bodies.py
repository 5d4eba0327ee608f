"""Statistics behind a set of the log, A103 to A10D: CQS, AWEs, Db2 threads, calls, transactions.

What they count is compared with the log records of the transactions themselves, all of which are
in the log, and with the records of the coupling facility.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import imsperf
from imsperf.database.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.shortages import good_times, shortages
from imsperf.synthetic.log.statistics_sets import parts_of
from imsperf.synthetic.network.network import AwePool
from imsperf.synthetic.scenarios.scenario import load

TICK = 4096  # of a microsecond
MORE = "74.4,ims:07,ims:08,ims:31,ims:36,ims:56FA"  # where queues are shared
LOG = "ims:35,ims:45,ims:47,ims:560B,ims:5936,ims:5937,ims:5950,ims:A1"


def store_of(folder: Path, name: str, settings: Mapping[str, Any], types: str = LOG) -> Path:
    """A run of three intervals; of it is loaded what is compared."""
    generate(load(name, dict(settings)), folder / "run", seconds=3.0, every_s=1.0, seed=5)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True, types=types)
    return folder / "r.duckdb"


def rows(store: Store, sql: str) -> list[Any]:
    return store.con.execute(sql).fetchall()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two systems with shared queues, each with few clients."""
    few = {"clients": 200, "dasd.volumes": 8}
    folder = tmp_path_factory.mktemp("cqs")
    with imsperf.connect(store_of(folder, "dsff-smq", few, f"{LOG},{MORE}")) as store:
        yield store


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A pool of AWEs that is far too small, and only tasks expand it: 0.1 s later."""
    few = {
        "clients": 100, "regions.ifp": 20, "dasd.volumes": 8, "driver.think_ms": 100.0,
        "awe.blocks": 1, "awe.expansion": "task_only", "awe.bad_minutes": 0.1 / 60,
    }  # fmt: skip
    with imsperf.connect(store_of(tmp_path_factory.mktemp("awe"), "tps-100k", few)) as store:
        yield store


@pytest.fixture(scope="module")
def db2(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    few = {"clients": 30, "regions.mpp": 10, "dasd.volumes": 8, "sched.plct": 0}
    folder, types = tmp_path_factory.mktemp("db2"), f"{LOG},ims:07,ims:08,ims:56FA"
    with imsperf.connect(store_of(folder, "esaf-pooling", few, types)) as store:
        yield store


# --- AWEs -----------------------------------------------------------------------------------------

# One block, held 1 ms, messages at 1/ms. From one in use the second comes after 2 ms on average:
# T1 = 1/2 + T0/2, T0 = 1 + T1. A good time begins with none in use (chance 1/e) or one.
ONE = AwePool(1, 1000.0, 0.8, 20.0, 5000.0, by_free=True)
GOOD_US = 1000 * (3 * np.exp(-1) + 2 * (1 - np.exp(-1)))


def test_the_good_time_of_one_block() -> None:
    assert good_times(ONE, np.array([0.001, 0.001])) == pytest.approx(GOOD_US, rel=1e-9)


def test_shortages_alternate_with_good_times() -> None:
    """2.37 ms good, 5 ms short in turn; 4 of 5 messages of a short time take z/OS storage."""
    length = np.full(200, 10**6 * TICK)  # seconds
    arrivals = np.full(200, 1000)
    solved = shortages(ONE, arrivals, length, seed=1)
    cycles = 200e6 / (GOOD_US + 5000)
    assert solved["begun"].sum() == pytest.approx(cycles, rel=0.03)
    assert solved["ticks"].sum() / length.sum() == pytest.approx(5000 / (GOOD_US + 5000), rel=0.02)
    assert solved["storage"].sum() == pytest.approx(
        200_000 * 0.8 * 5000 / (GOOD_US + 5000), rel=0.02
    )
    assert (np.cumsum(solved["begun"]) - np.cumsum(solved["expansions"]) == solved["empty"]).all()


def test_an_interval_depends_on_those_before_alone() -> None:
    length, arrivals = np.full(9, 10**6 * TICK), np.arange(1000, 1900, 100)
    solved = shortages(ONE, arrivals, length, seed=3)
    first = shortages(ONE, arrivals[:4], length[:4], seed=3)
    assert all((solved[name][:4] == values).all() for name, values in first.items())


def test_who_got_awes_by_which_path(short: Store) -> None:
    """OTMA one for each message that came, the logger one for each sync point.

    100 clients at 100 ms: about one message a millisecond, one block, held 0.5 ms: mostly short.
    """
    sql = """
        SELECT c.caller, c.requests, c.from_queue, c.from_expansion, c.from_storage, c.from_own,
            c.lock_us, b.shortages, b.expansions, b.state, t.messages_in, l.awe_submitted
        FROM ims_a10c_caller AS c JOIN ims_a10c AS b USING (file_id, record_no)
        JOIN ims_451a AS t USING (file_id, ckpt_no) JOIN ims_4507 AS l USING (file_id, ckpt_no)
        ORDER BY b.ckpt_no, c.section_no"""
    rows_read = rows(short, sql)
    assert [row[0] for row in rows_read] == ["OTMA", "LOGGER", "OTHER"] * 4
    for caller, asked, *paths in rows_read:
        queue, expansion, storage, own, lock_us, begun, expansions, state, came, written = paths
        assert queue + expansion + storage + own == asked
        assert asked == {"OTMA": came, "LOGGER": written, "OTHER": expansions}[caller]
        assert (storage == 0) == (caller != "OTMA") and (own == 0) == (caller != "LOGGER")
        assert expansion == (expansions if caller == "OTHER" else 0)
        assert lock_us == pytest.approx(20.8 * storage, abs=0.5)
        assert begun - expansions == (state == "S")
    last = rows_read[-3]
    assert 0.6 < last[4] / last[1] < 0.8  # 4 of 5, but for the good times


def test_an_awe_is_submitted_for_each_sync_point(short: Store) -> None:
    """5937 between the first two sets against the gain of A10C; the log has all transactions."""
    sql = """
        WITH awe AS (
            SELECT b.ckpt_no, b.sample, c.requests FROM ims_a10c_caller AS c
            JOIN ims_a10c AS b USING (file_id, record_no) WHERE c.caller = 'LOGGER')
        SELECT b.requests - a.requests, (SELECT count(*) FROM ims_5937 AS s
            WHERE s.sync > a.sample AND s.sync <= b.sample)
        FROM awe AS a JOIN awe AS b ON b.ckpt_no = a.ckpt_no + 1 WHERE a.ckpt_no < 3"""
    gains = rows(short, sql)
    assert len(gains) == 2 and all(gain == records > 400 for gain, records in gains)


def test_no_pool_no_record(shared: Store) -> None:
    """The sysplex has no AWE pool, no Db2; 100K TPS has no shared queues."""
    assert rows(shared, "SELECT count(*) FROM ims_a104_request") > [(0,)]
    for name in ("ims_a10c", "ims_a107_subsystem", "ims_a101"):
        assert rows(shared, f"SELECT count(*) FROM {name}") == [(0,)]


# --- shared queues --------------------------------------------------------------------------------


def test_requests_of_cqs_are_those_of_messages(shared: Store) -> None:
    """Deleted: messages of transactions that ended, of each OE1 three to further programs."""
    sql = """
        WITH queue AS (
            SELECT q.imsid, q.ckpt_no, q.sample, s.* FROM ims_a103 AS q
            JOIN ims_a103_structure AS s USING (file_id, record_no)),
        code AS (
            SELECT d.imsid, d.ckpt_no, sum(t.processed) AS runs,
                sum(t.processed) FILTER (t.tran IN ('OE2', 'OE4', 'OE5')) AS switched,
                sum(t.processed) FILTER (t.tran = 'OE1') AS begun
            FROM ims_a10d_transaction AS t JOIN ims_a10d AS d USING (file_id, record_no)
            GROUP BY ALL)
        SELECT h.trans_total, q.puts, q.reads, q.deletes, c.runs, c.switched, c.begun
        FROM queue AS q JOIN code AS c USING (imsid, ckpt_no)
        JOIN ims_4500 AS h USING (imsid, ckpt_no)
        ORDER BY imsid, ckpt_no"""
    rows_read = rows(shared, sql)
    assert len(rows_read) == 8
    for ended, puts, reads, deletes, runs, switched, begun in rows_read:
        assert deletes == runs == ended + switched and switched == 3 * begun > 0
        assert deletes <= reads <= puts <= deletes + 400  # a client has one message


def test_messages_put_are_those_that_came(shared: Store) -> None:
    """35 of inputs between two sets (no region has them) and what ended OE1s switched to."""
    sql = """
        WITH queue AS (
            SELECT q.imsid, q.ckpt_no, q.sample, q.file_id, r.requests, t.processed
            FROM ims_a104 AS q JOIN ims_a104_request AS r USING (file_id, record_no)
            JOIN ims_a10d AS d ON d.file_id = q.file_id AND d.ckpt_no = q.ckpt_no
            JOIN ims_a10d_transaction AS t
                ON t.file_id = d.file_id AND t.record_no = d.record_no AND t.tran = 'OE1'
            WHERE r.request = 'PUT')
        SELECT b.requests - a.requests - 3 * (b.processed - a.processed),
            (SELECT count(*) FROM ims_35 AS m WHERE m.file_id = a.file_id AND m.pst = 0
                AND m.dest_type = 'S' AND m.log_stck > a.sample AND m.log_stck <= b.sample)
        FROM queue AS a JOIN queue AS b ON b.imsid = a.imsid AND b.ckpt_no = a.ckpt_no + 1
        WHERE a.ckpt_no < 3"""
    gains = rows(shared, sql)
    assert len(gains) == 4 and all(gain == records > 50 for gain, records in gains)


def test_requests_of_cqs_to_the_coupling_facility(shared: Store) -> None:
    """A103 against 74.4 of each system over the run; the kinds of A104 add up to the structure."""
    sql = """
        WITH queue AS (
            SELECT q.imsid, s.structure, max(s.cf_requests) - min(s.cf_requests) AS asked,
                max(s.cf_us) - min(s.cf_us) AS us, max(q.log_writes) - min(q.log_writes) AS logged
            FROM ims_a103 AS q JOIN ims_a103_structure AS s USING (file_id, record_no)
            GROUP BY ALL)
        SELECT q.asked, q.us, q.logged, sum(c.request_count) FILTER (c.structure = 'IMSMSGQ'),
            sum(c.sync_us + c.async_us) FILTER (c.structure = 'IMSMSGQ'),
            sum(c.request_count) FILTER (c.structure = 'IMSLOGR')
        FROM queue AS q JOIN (SELECT DISTINCT imsid, smfid FROM ims_4500) AS i USING (imsid)
        JOIN rmf_cf_structure AS c ON c.system = i.smfid GROUP BY ALL"""
    rows_read = rows(shared, sql)
    assert len(rows_read) == 2
    for asked, us, logged, counted, counted_us, writes in rows_read:
        assert asked == counted > 300 and logged == writes > 100
        assert us == pytest.approx(counted_us, abs=10)
    parts = """
        SELECT any_value(s.cf_us) - sum(r.cf_us),
            any_value(s.puts + s.reads + s.deletes) - sum(r.requests),
            any_value(s.put_bytes + s.read_bytes) - sum(r.bytes)
        FROM ims_a103 AS q JOIN ims_a103_structure AS s USING (file_id, record_no)
        JOIN ims_a104 AS h ON h.file_id = q.file_id AND h.ckpt_no = q.ckpt_no
        JOIN ims_a104_request AS r ON r.file_id = h.file_id AND r.record_no = h.record_no
        GROUP BY q.file_id, q.record_no"""
    assert rows(shared, f"SELECT DISTINCT * FROM ({parts})") == [(0, 0, 0)]


def test_messages_on_the_shared_queue(shared: Store) -> None:
    """Both systems see those of both: put and not deleted; as 74.4 has the list entries in use."""
    sql = """
        SELECT min(s.entries_now), max(s.entries_now), sum(s.puts - s.deletes)
        FROM ims_a103 AS q JOIN ims_a103_structure AS s USING (file_id, record_no)
        GROUP BY q.ckpt_no ORDER BY q.ckpt_no"""
    assert all(least == most == left > 0 for least, most, left in rows(shared, sql))


def test_flag_of_shared_queues(shared: Store) -> None:
    """X'20': messages for programs are on the queue of CQS; answers (commit mode 1) on none."""
    sql = """SELECT DISTINCT dest_type, flags FROM ims_35 UNION SELECT DISTINCT dest_type, flags
        FROM ims_31 UNION SELECT DISTINCT dest_type, flags FROM ims_36 ORDER BY ALL"""
    assert rows(shared, sql) == [("L", 0), ("S", 0x20)]


def test_hold_calls_are_counted_by_all(shared: Store) -> None:
    """HR1: 18 calls, 2 writes with 2 changes each: 4 replaced, 4 held, a GU, 9 GN."""
    unit = "SELECT DISTINCT tpdgu, tpdgn, tpdghu, dl_repl FROM ims_56fa WHERE tptran = 'HR1'"
    assert rows(shared, unit) == [(1, 9, 4, 4)]
    replaced = """SELECT count(*) FROM ims_a108_source WHERE db_repl_calls > db_gu_calls
        OR db_repl_calls = 0"""
    assert rows(shared, replaced) == [(0,)]


# --- work -----------------------------------------------------------------------------------------


def test_threads_to_db2(db2: Store) -> None:
    """PLCT 0 without a pool: every schedule makes a thread, every end of a program ends it."""
    sql = """
        SELECT e.pooled, e.connections, e.thread_creates, s.schedules,
            e.thread_creates - e.thread_terminates - e.threads,
            e.thread_creates + e.thread_reuses - e.commits, e.calls, c.esaf_calls
        FROM ims_a107_subsystem AS e JOIN ims_a107 AS h USING (file_id, record_no)
        JOIN ims_4506 AS s USING (file_id, ckpt_no) JOIN ims_a108 AS k USING (file_id, ckpt_no)
        JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no"""
    rows_read = rows(db2, sql)
    assert len(rows_read) == 4
    for pooled, regions, created, schedules, retained, more, calls, by_source in rows_read:
        assert (pooled, regions, retained) == ("N", 10, 0)
        assert created == schedules > 0 and calls == by_source > 0
        assert 0 <= more <= 10  # threads whose first unit of recovery goes on


def test_commits_of_db2_are_those_of_the_log(db2: Store) -> None:
    """560B between two sets against the gain of A107."""
    sql = """
        WITH thread AS (
            SELECT h.ckpt_no, h.sample, e.commits FROM ims_a107_subsystem AS e
            JOIN ims_a107 AS h USING (file_id, record_no))
        SELECT b.commits - a.commits, (SELECT count(*) FROM ims_560b AS s
            WHERE s.log_stck > a.sample AND s.log_stck <= b.sample)
        FROM thread AS a JOIN thread AS b ON b.ckpt_no = a.ckpt_no + 1 WHERE a.ckpt_no < 3"""
    gains = rows(db2, sql)
    assert len(gains) == 2 and all(gain == records > 50 for gain, records in gains)


def test_pooled_threads_stay(tmp_path: Path) -> None:
    """10 regions keep one for each plan and authorisation id: 7 x 7 of at most 50, since the ramp.

    So each sync point uses one again. A thread has 5.647 KB of common storage: 5782.5 bytes.
    """
    few = {"clients": 30, "regions.mpp": 10, "dasd.volumes": 8, "esaf.pooling": "on"}
    with imsperf.connect(store_of(tmp_path, "esaf-pooling", few)) as store:
        sql = """SELECT thread_creates, threads, max_threads, thread_terminates,
            thread_reuses - commits, storage_bytes FROM ims_a107_subsystem"""
        assert set(rows(store, sql)) == {(490, 490, 490, 0, 0, 490 * 5782)}
        each = "SELECT count(DISTINCT thread_token) FROM ims_560b GROUP BY pst"
        assert 7 < max(number for (number,) in rows(store, each)) <= 49


def test_transactions_as_defined(shared: Store) -> None:
    """OE1 is conversational and has a SPA; attributes are those of 000 Figure 2; regions as 47."""
    sql = """
        SELECT t.tran, t.psb, t.region_type, t.fast_path, t.conversational, t.class, t.limit_count,
            t.processing_limit, t.normal_priority, t.segment_size, t.spa_bytes, t.regions > 0
        FROM ims_a10d_transaction AS t JOIN ims_a10d AS d USING (file_id, record_no)
        WHERE d.ckpt_no = 1 AND d.imsid = 'IMSA' AND t.tran IN ('HR1', 'OE1', 'OE2')
        ORDER BY tran"""
    assert rows(shared, sql) == [
        ("HR1", "PHR1", "M", "N", "N", 1, 65535, 65535, 1, 0, 0, True),
        ("OE1", "POE1", "M", "N", "Y", 5, 65535, 65535, 1, 0, 500, True),
        ("OE2", "POE2", "M", "N", "Y", 6, 65535, 65535, 1, 0, 500, False),
    ]
    differ = """
        SELECT count(*) FROM (
            SELECT d.file_id, d.ckpt_no, t.tran, any_value(t.regions) AS said,
                count(r.tran) AS found
            FROM ims_a10d_transaction AS t JOIN ims_a10d AS d USING (file_id, record_no)
            JOIN ims_47 AS h ON h.file_id = d.file_id AND h.ckpt_no = d.ckpt_no
            LEFT JOIN ims_47_region AS r
                ON r.file_id = h.file_id AND r.record_no = h.record_no AND r.tran = t.tran
            GROUP BY ALL) WHERE said <> found"""
    assert rows(shared, differ) == [(0,)]


def test_priorities_are_those_of_the_definition(db2: Store) -> None:
    """000 Figure 2: CP 1, NP 1 of all; in A10D, with each schedule and each unit of recovery."""
    sql = """SELECT DISTINCT current_priority FROM ims_a10d_transaction
        UNION ALL SELECT DISTINCT prty FROM ims_08
        UNION ALL SELECT DISTINCT prty FROM ims_07 UNION ALL SELECT DISTINCT tpprty FROM ims_56fa"""
    assert rows(db2, sql) == [(1,), (1,), (1,), (1,)]


def test_plct_and_calls_by_source(db2: Store) -> None:
    sql = "SELECT DISTINCT processing_limit, wait_for_input, commit_mode FROM ims_a10d_transaction"
    assert rows(db2, sql) == [(0, "N", "S")]
    sql = """
        SELECT c.source, c.threads, c.transactions_processed - h.trans_total,
            c.dc_gu_calls - h.trans_total, c.schedules - s.schedules, c.cpu_us > 0
        FROM ims_a108_source AS c JOIN ims_a108 AS k USING (file_id, record_no)
        JOIN ims_4500 AS h USING (file_id, ckpt_no) JOIN ims_4506 AS s USING (file_id, ckpt_no)"""
    assert set(rows(db2, sql)) == {("MPP", 10, 0, 0, 0, True)}


def test_calls_of_ended_transactions(short: Store) -> None:
    """A108: the calls of those whose answer left between two sets, as their 5937 has them."""
    sql = """
        WITH source AS (
            SELECT k.ckpt_no, k.sample, c.db_gu_calls + c.db_repl_calls AS calls,
                c.db_repl_calls AS changes
            FROM ims_a108_source AS c JOIN ims_a108 AS k USING (file_id, record_no)),
        ended AS (
            SELECT e.dequeue, s.rtoken, s.dedb_calls
            FROM ims_5936 AS e JOIN ims_5937 AS s USING (uow)),
        changed AS (SELECT rtoken, count(*) AS changes FROM ims_5950 GROUP BY rtoken)
        SELECT b.calls - a.calls, b.changes - a.changes, sum(e.dedb_calls),
            sum(coalesce(c.changes, 0))
        FROM source AS a JOIN source AS b ON b.ckpt_no = a.ckpt_no + 1
        JOIN ended AS e ON e.dequeue > a.sample AND e.dequeue <= b.sample
        LEFT JOIN changed AS c USING (rtoken)
        WHERE a.ckpt_no = 2 GROUP BY ALL"""
    ((calls, changes, logged, updates),) = rows(short, sql)
    assert calls == logged > changes == updates > 50


def test_whole_parts_of_a_counter() -> None:
    """10, then 5 more, by weights 1:2 at first, then to the second alone."""
    split = parts_of(np.array([10, 15, 15]), np.array([[1, 2], [1, 5], [1, 5]]))
    assert split.tolist() == [[3, 7], [3, 12], [3, 12]]
