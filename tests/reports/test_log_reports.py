"""Reports of an IMS log where records are missing, sampled, many, or in the log of another IMS."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from report_database import empty, insert

from imsperf import layouts
from imsperf.reports.catalog import catalog
from imsperf.reports.run import run
from imsperf.reports.syntax import tables_read

DAY = "2026-03-02T"


def record(number: int, at: str, file_id: int = 1, **values: Any) -> dict[str, Any]:
    """A log record with its number as LSN; times are of one day."""
    clock = {"log_stck": DAY + at, "log_lsn": number}
    times = {k: DAY + v for k, v in values.items() if k in ("arrival", "gu", "sync", "router")}
    return {"file_id": file_id, "record_no": number, "section_no": 1} | clock | values | times


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with empty() as database:
        insert(database, "load_file", [{"file_id": 1, "run": "t", "kind": "ims"}])
        insert(database, "ims_a0", [record(1, "09:00:00", imsid="IMS1", sample_k=1)])
        yield database


def statistics_set(number: int, at: str) -> dict[str, Any]:
    return record(
        number, at, imsid="IMS1", sample=DAY + at, ckpt_no=number, smfid="SYSA", trans_total=number
    )


def fast_path(con: duckdb.DuckDBPyConnection, number: int, arrival: str | None, sync: str) -> None:
    """A transaction of 1 ms; without an arrival its input record is not in the log."""
    both = {"uow": f"F{number}", "tran": "DEBIT", "pst": 3}
    if arrival:
        insert(con, "ims_5901", [record(number, arrival, arrival=arrival, gu=arrival, **both)])
    done = record(number + 1, sync, sync=sync, router=sync, dedb_calls=1, msdb_calls=0, **both)
    insert(con, "ims_5937", [done])


def test_no_step_makes_more_rows_than_records(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """Messages find their interval by hashing, whatever order the joins are put in."""
    count = 20_000
    clock = "TIMESTAMP '2026-03-02 09:00:00' + to_milliseconds(i)"
    for table, times in (
        ("ims_5901", f"{clock} AS arrival, {clock} AS gu"),
        ("ims_5937", f"{clock} AS sync, {clock} AS router"),
    ):
        con.execute(
            f"""INSERT INTO {table} BY NAME
            SELECT 1 AS file_id, i AS record_no, 1 AS section_no, encode(i::VARCHAR) AS uow,
                'DEBIT' AS tran, 3 AS pst, i AS log_lsn, {clock} AS log_stck, {times}
            FROM range({count}) AS r (i)"""
        )
    insert(con, "ims_4500", [statistics_set(n, f"09:00:{2 * n:02}") for n in range(1, 9)])
    profile = tmp_path / "profile.json"
    con.execute("PRAGMA enable_profiling = 'json'")
    con.execute(f"PRAGMA profiling_output = '{profile}'")
    rows = con.execute(catalog().get("ims.transit").sql).fetchall()
    con.execute("PRAGMA disable_profiling")
    assert len(rows) == 9
    row_counts = list(numbers(json.loads(profile.read_text(encoding="utf-8")), "intermediate_rows"))
    assert len(row_counts) > 100 and count <= max(row_counts) < 3 * count


def numbers(tree: Any, name: str) -> Iterator[int]:
    """Every number of that name in a JSON tree."""
    if isinstance(tree, dict):
        if isinstance(tree.get(name), int):
            yield tree[name]
        tree = list(tree.values())
    if isinstance(tree, list):
        for branch in tree:
            yield from numbers(branch, name)


def test_transaction_without_its_input_counts_where_it_ended(
    con: duckdb.DuckDBPyConnection,
) -> None:
    """In flight as the log begins: it counts, and has no time but the output queue."""
    insert(con, "ims_4500", [statistics_set(100, "09:00:10"), statistics_set(200, "09:00:20")])
    fast_path(con, 110, None, "09:00:10.000500")
    fast_path(con, 120, "09:00:12", "09:00:12.001")
    (row,) = run(con, "ims.transit").table.to_pylist()
    assert (row["count"], row["total_count"], row["total_ms"]) == (2, 1, 1)
    assert row["output_queue_count"] == 2
    assert row["interval_start_utc"].isoformat() == DAY + "09:00:10"


def test_sampled_log_counts_for_the_whole(con: duckdb.DuckDBPyConnection) -> None:
    """One transaction in 50 is in the log: 50 a second came, and 0.05 were in IMS at a time."""
    con.execute("UPDATE ims_a0 SET sample_k = 50")
    insert(con, "ims_4500", [statistics_set(100, "09:00:10"), statistics_set(200, "09:00:11")])
    fast_path(con, 120, "09:00:10.5", "09:00:10.501")
    (row,) = run(con, "ims.transactions").table.to_pylist()
    assert (row["count"], row["per_s"], row["in_flight"]) == (1, 50, pytest.approx(0.05))


def test_later_part_of_a_log_is_of_the_same_ims(con: duckdb.DuckDBPyConnection) -> None:
    """A second file that names no IMS goes on with the log of the only one in the run."""
    insert(con, "load_file", [{"file_id": 2, "run": "t", "kind": "ims"}])
    fast_path(con, 110, "09:00:01", "09:00:01.001")
    con.execute("UPDATE ims_5937 SET file_id = 2")
    (row,) = run(con, "ims.transit").table.to_pylist()
    assert (row["ims"], row["total_ms"]) == ("IMS1", 1)


def test_shared_queue_message_ends_in_the_ims_that_ran_it(
    con: duckdb.DuckDBPyConnection,
) -> None:
    """Taken by region 1 of IMS2: its commit ends it, not that of region 1 of IMS1."""
    insert(con, "load_file", [{"file_id": 2, "run": "t", "kind": "ims"}])
    insert(con, "ims_a0", [record(1, "09:00:00", 2, imsid="IMS2", sample_k=1)])
    message = {"uow": "M1", "dest": "PART", "dest_type": "S"}
    insert(con, "ims_01", [record(10, "09:00:01", arrival="09:00:01", **message)])
    insert(con, "ims_35", [record(11, "09:00:01.001", **message)])
    insert(con, "ims_31", [record(20, "09:00:01.004", 2, pst=1, rtoken="R", **message)])
    insert(con, "ims_5612", [record(12, "09:00:01.005", pst=1, rtoken="Q")])
    insert(con, "ims_5612", [record(21, "09:00:01.010", 2, pst=1, rtoken="R")])
    (row,) = run(con, "ims.transit").table.to_pylist()
    assert (row["ims"], row["input_queue_ms"], row["process_ms"]) == ("IMS1", 3, 6)


def switch(number: int, at: str, olds: str, before: str, first_lsn: int) -> dict[str, Any]:
    values = {"imsid": "IMS1", "olds_ddname": olds, "prev_ddname": before, "reason": "F"}
    times = {"open": DAY + at, "close_prev": DAY + at}
    return record(number, at, first_lsn=first_lsn, blocks_prev=100, **values, **times)


def test_olds_whose_closing_is_not_in_the_log_has_no_numbers(
    con: duckdb.DuckDBPyConnection,
) -> None:
    """A switch is missing between the second and the third; then numbers begin anew."""
    uses = [
        switch(10, "09:00:00", "OLDS0", "OLDS9", 1000),
        switch(20, "09:01:00", "OLDS1", "OLDS0", 2000),
        switch(30, "09:03:00", "OLDS3", "OLDS2", 4000),
        switch(40, "09:04:00", "OLDS4", "OLDS3", 1),
    ]
    insert(con, "ims_42", uses)
    rows = run(con, "ims.olds").table.to_pylist()
    assert [(r["olds"], r["blocks"], r["records"], r["in_use_s"]) for r in rows] == [
        ("OLDS0", 100, 1000, 60),
        ("OLDS1", None, None, None),
        ("OLDS3", 100, None, 60),
        ("OLDS4", None, None, None),
    ]


def test_a_sampled_log_does_not_say_how_many_records_an_olds_has(
    con: duckdb.DuckDBPyConnection,
) -> None:
    """Its sequence numbers count the 1,000 records of the file; blocks are those of the OLDS."""
    insert(con, "ims_42", [switch(10, "09:00:00", "OLDS0", "OLDS9", 1000)])
    insert(con, "ims_42", [switch(20, "09:01:00", "OLDS1", "OLDS0", 2000)])
    values = []
    for sample in (1, 50):
        con.execute("UPDATE ims_a0 SET sample_k = ?", [sample])
        row, _ = run(con, "ims.olds").table.to_pylist()
        values.append((row["blocks"], row["records"], row["records_per_s"]))
    assert values == [(100, 1000, 1000 / 60), (100, None, None)]


def test_the_time_of_every_record_is_known() -> None:
    """ims_log_record reads the table of every record of a log, and those without a layout."""
    tables = {record.section.table for record in layouts.all_log_records()}
    assert tables | {"ims_raw"} <= tables_read("SELECT * FROM ims_log_record")


def test_metrics_of_a_log_alone_say_what_is_missing(con: duckdb.DuckDBPyConnection) -> None:
    """The rate and the response are known; every other metric names its record."""
    insert(con, "ims_4500", [statistics_set(100, "09:00:10"), statistics_set(200, "09:00:20")])
    fast_path(con, 110, "09:00:12", "09:00:12.001")
    rows = {row["metric"]: row for row in run(con, "run.metrics").table.to_pylist()}
    assert {name for name, row in rows.items() if row["value"] is not None} == {
        "etr_per_s",
        "ims_response_ms",
        "in_flight",
    }
    assert (rows["etr_per_s"]["system"], rows["etr_per_s"]["value"]) == ("SYSA", 10)
    assert all(row["note"] for row in rows.values() if row["value"] is None)
    assert rows["cpu_busy_pct"]["note"] == rows["itr_per_s"]["note"] == "needs type 70.1"
    assert rows["offloads"]["note"] == "needs type 88"
    assert rows["csa_above_16m_key7_mb"]["note"] == "needs type 78.2"
