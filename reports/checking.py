"""Check reports on a database: what holds of every report, also of one that a user has written.

A row for each run, system, time and key; columns that DuckDB gives too; ratios that follow from
their parts, without which totals are wrong; a page that prints, and fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.run import Result, run
from imsperf.reports.text import PAGE_WIDTH, has_page, render
from imsperf.reports.total import aggregate

SCHEMA = pa.schema({name: pa.string() for name in ("report", "check", "found")})
_SHORTEST = timedelta(seconds=1)  # longer intervals of that length are the intervals themselves
_TOLERANCE = 1e-9


def check_reports(
    con: duckdb.DuckDBPyConnection, reports: Iterable[Report], run_name: str | None = None
) -> pa.Table:
    """A row for each thing that is wrong, and for each report that cannot be tested: why."""
    rows = [
        {"report": report.id, "check": check, "found": words}
        for report in reports
        for check, words in _problems(con, report, run_name)
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


NOT_TESTED = "not tested"


def _problems(
    con: duckdb.DuckDBPyConnection, report: Report, run_name: str | None
) -> Iterator[tuple[str, str]]:
    try:
        result = run(con, report, keep=Filter(run=run_name))
    except AbsentRecords as error:
        yield NOT_TESTED, error.message
        return
    except (ReportError, duckdb.Error) as error:
        yield "runs", str(error).splitlines()[0]
        return
    if tuple(result.table.column_names) != report.names:
        yield "columns", f"DuckDB gives {', '.join(result.table.column_names)}"
        return
    if not result.table.num_rows:
        yield NOT_TESTED, result.note
        return
    yield from _repeated(result)
    yield from _ratios(result)
    yield from _printed(result)


def _repeated(result: Result) -> Iterator[tuple[str, str]]:
    keys = [*result.report.groups, *([result.report.time] if result.report.time else [])]
    counted = result.table.group_by(keys).aggregate([([], "count_all")])
    twice = counted.filter(pc.greater(counted["count_all"], 1))
    if twice.num_rows:
        row = twice.slice(0, 1).to_pylist()[0]
        key = ", ".join(f"{name} {row[name]}" for name in keys)
        yield "rows", f"{twice.num_rows:,} keys have several rows, such as {key}"


def _ratios(result: Result) -> Iterator[tuple[str, str]]:
    """What the SQL divides, and what a total makes of the parts of a single row, is the same."""
    report = result.report
    if report.time:
        timed = result.table.filter(pc.is_valid(result.table[report.time]))
        result = replace(result, table=timed)
    try:
        again = aggregate(result, _SHORTEST)
    except duckdb.Error as error:
        yield "total", str(error).splitlines()[0]
        return
    if again.table.num_rows != result.table.num_rows:
        return  # rows that are not unique are told already
    for column in report.columns:
        if column.kind == "ratio":
            pairs = zip(_numbers(result, column.name), _numbers(again, column.name), strict=True)
            for sql, parts in pairs:
                if not _same(sql, parts):
                    yield "ratio", f"{column.name}: {sql} in the SQL, {parts} from its parts"
                    break


def _numbers(result: Result, name: str) -> list[float | None]:
    return list(pc.cast(result.table[name], pa.float64()).to_pylist())


def _same(left: float | None, right: float | None) -> bool:
    if left is None or right is None:
        return left is right
    return math.isclose(left, right, rel_tol=_TOLERANCE, abs_tol=1e-12) or left != left


def _printed(result: Result) -> Iterator[tuple[str, str]]:
    try:
        lines = render(replace(result, remarks=(), suspect=0)).splitlines()
    except (ReportError, KeyError, TypeError, ValueError) as error:
        yield "page", f"cannot be printed: {error}"
        return
    longest = max(map(len, lines))
    if has_page(result.report) and longest > PAGE_WIDTH:
        yield "page", f"a line of {longest} columns, expected at most {PAGE_WIDTH}"
