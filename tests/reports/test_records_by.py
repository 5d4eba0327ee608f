"""What a report says of its records: rows of a system or an interval come from no others."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

import duckdb
import pytest
from report_database import TYPES, sample

from imsperf import layouts
from imsperf.record import Record
from imsperf.reports.catalog import shipped
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.run import ask

SECOND = datetime(2026, 3, 2, 10, 2)
WANTED = {
    "system": [(Filter(system="PRODSYSB"), "system = 'PRODSYSB'")],
    "interval_start": [
        (Filter(end=SECOND), f"interval_start < '{SECOND}'"),
        (Filter(start=SECOND), f"interval_start >= '{SECOND}'"),
    ],
}
TABLES = sorted(
    section.table
    for record in layouts.all_records()
    if isinstance(record, Record) and record.interval is not None
    for section in record.sections
    if "system" in TYPES.get(section.table, ())
)


@cache
def only(condition: str) -> duckdb.DuckDBPyConnection:
    """Two intervals of two systems, of which all numbers but those of records are the same: the
    rows of interval records that meet a condition, and all other rows."""
    con = sample()
    con.execute("INSERT INTO load_file BY NAME SELECT * REPLACE (2 AS file_id) FROM load_file")
    for table in TABLES:
        con.execute(
            f"INSERT INTO {table} BY NAME "
            f"SELECT * REPLACE (2 AS file_id, 'PRODSYSB' AS system) FROM {table}"
        )
        con.execute(f"DELETE FROM {table} WHERE NOT coalesce({condition}, false)")
    return con


def rows(con: duckdb.DuckDBPyConnection, report: Report, keep: Filter) -> list[tuple[Any, ...]]:
    with ask(con, report, keep=keep).rows() as found:
        return sorted(found.fetchall(), key=str)


@pytest.mark.parametrize("column", list(WANTED))
def test_rows_come_from_no_other_records(column: str) -> None:
    reports = [report for report in shipped().reports.values() if column in report.records_by]
    assert reports
    for report in reports:
        for keep, condition in WANTED[column]:
            expected = rows(only("true"), report, keep)
            assert expected, report.id
            assert rows(only(condition), report, keep) == expected, report.id


def test_a_report_that_adds_up_systems_differs() -> None:
    """What the test above would see."""
    report = shipped().reports["rmf.shared_device"]
    keep, condition = WANTED["system"][0]
    assert rows(only(condition), report, keep) != rows(only("true"), report, keep)
