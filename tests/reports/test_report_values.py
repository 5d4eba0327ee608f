"""The cases of every report: small tables, the values, and what holds of the rows of any report.

The values were worked out from the rules without sight of the SQL. A case is one file in
tests/report_values; its README says what stands in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from places import TESTS
from report_database import TYPES, empty, fill, together

from imsperf.errors import ReportError
from imsperf.reports import formats, text
from imsperf.reports.catalog import catalog
from imsperf.reports.charts import chart
from imsperf.reports.filter import Filter
from imsperf.reports.run import Result, ask, run
from imsperf.reports.total import aggregate, summed

FILES = sorted((TESTS / "report_values").glob("*.json"))
FIRSTS = {json.loads(file.read_text(encoding="utf-8"))["report"]: file for file in FILES[::-1]}
ONE_OF_A_REPORT = pytest.mark.parametrize(  # what a second run of its SQL would show again
    "case",
    [
        pytest.param(file, marks=() if file in FIRSTS.values() else pytest.mark.slow)
        for file in FILES
    ],
    indirect=True,
    ids=lambda file: file.stem,
)


@dataclass(frozen=True)
class Case:
    """A case, its database and what the report gives for it."""

    said: Mapping[str, Any]
    con: duckdb.DuckDBPyConnection
    result: Result


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """No row of any table; each case takes its own away again."""
    with empty() as con:
        yield con


@pytest.fixture(scope="module", params=FILES, ids=lambda file: file.stem)
def case(request: pytest.FixtureRequest, database: duckdb.DuckDBPyConnection) -> Iterator[Case]:
    said = json.loads(request.param.read_text(encoding="utf-8"))
    fill(database, tables_of(said))
    yield Case(said, database, result_of(database, said))
    with together(database):
        for table in {"load_file", *said["tables"]}:
            database.execute(f"DELETE FROM {table}")


def result_of(con: duckdb.DuckDBPyConnection, said: Mapping[str, Any]) -> Result:
    """The rows of the report of a case; of one with `over`, the rows that a total is made of."""
    return run(con, said["report"], said.get("parameters"), kept(said), said.get("over"))


def kept(said: Mapping[str, Any]) -> Filter:
    """The time that a case is asked for."""
    times = {name: datetime.fromisoformat(at) for name, at in said.get("keep", {}).items()}
    return Filter(**times)


def tables_of(said: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The rows of a case; what `every_row` gives is in all whose table has such a column."""
    made = {}
    for table, rows in said["tables"].items():
        every = said.get("every_row", {})
        common = {name: value for name, value in every.items() if name in TYPES[table]}
        made[table] = [common | row for row in rows]
    return made


def test_report_shows_the_expected_values(case: Case) -> None:
    """Every asserted column of every expected row, and the number of rows where it is given."""
    assert list(differences(case.result.table.to_pylist(), case.said)) == []
    if "total" in case.said:
        said = dict(case.said, expect=case.said["total"])
        said.pop("row_count", None)
        query = ask(case.con, said["report"], said.get("parameters"), kept(said), over=True)
        assert list(differences(summed(query).table.to_pylist(), said)) == []


def differences(rows: Sequence[Mapping[str, Any]], said: Mapping[str, Any]) -> Iterator[str]:
    """What rows of a report show otherwise than a case says."""
    if len(rows) != said.get("row_count", len(rows)):
        yield f"{len(rows)} rows for {said['row_count']}"
    places = []
    for wanted in said["expect"]:
        asked = [wanted.get(name) for name in said["key"]]
        found = [place for place, row in enumerate(rows) if matches(row, wanted, said)]
        if len(found) != 1:
            yield f"{len(found)} rows for {asked}"
            continue
        places += found
        for name, value in wanted.items():
            shown = rows[found[0]][name]
            if not same(shown, value, said["tolerance"]):
                yield f"{asked} {name}: {shown} for {value}"
    if said.get("in_order") and places != sorted(places):
        yield "the rows have another order"


def matches(row: Mapping[str, Any], wanted: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """The row with this key."""
    keys = [name for name in said["key"] if name in wanted]
    return all(same(row[name], wanted[name], said["tolerance"]) for name in keys)


def same(shown: Any, wanted: Any, tolerance: float) -> bool:
    """Equal as the README of the cases means it."""
    if shown is None or wanted is None:
        return shown is wanted
    if isinstance(wanted, str):
        return (shown.isoformat() if isinstance(shown, datetime) else shown) == wanted
    return bool(abs(shown - wanted) <= tolerance * max(1, abs(wanted)))


def test_page_shows_the_expected_lines(case: Case) -> None:
    """Lines that the case gives stand on the printed page, and no line with a word it must lack."""
    page = text.render(case.result)
    assert [line for line in case.said.get("page", []) if line not in page.splitlines()] == []
    assert [word for word in case.said.get("page_without", []) if word in page] == []


def test_page_names_its_run_and_fits_the_paper(case: Case) -> None:
    """Two runs in one database can be told apart; no line of a page passes RMF's 132 columns.

    A report without a page has the run in its first column, and is as wide as its columns.
    """
    page = text.render(case.result)
    assert "RUN t " in page or "Run : t" in page or "\nt  " in page
    if text.has_page(case.result.report):
        assert max(map(len, page.splitlines())) <= 132


@pytest.mark.slow
@pytest.mark.parametrize("every", [None, timedelta(seconds=240)])
def test_totals_print_in_every_form(case: Case, every: timedelta | None) -> None:
    """A sum of counts is a number like any other: no Decimal reaches a page, json has no text."""
    total = aggregate(case.result, every)
    assert "Decimal" not in text.render(total) + text.render(total, "table")
    counts = [c.name for c in total.report.columns if c.kind in ("count", "part")]
    for row in json.loads(formats.render(total.table, "json")):
        assert all(isinstance(row[name], (int, float, type(None))) for name in counts)


def test_rows_are_unique(case: Case) -> None:
    """One row for each run, system, time and key."""
    result = case.result
    keys = [*result.report.groups, *([result.report.time] if result.report.time else [])]
    rows = list(zip(*(result.table[name].to_pylist() for name in keys), strict=True))
    assert rows and len(set(rows)) == len(rows)


def test_rows_of_a_sysplex_stand_together(case: Case) -> None:
    """A page of RMF begins where the sysplex changes, also where systems are called the same."""
    table = case.result.table
    if "sysplex" in table.column_names and case.result.report.id.startswith("rmf."):
        found = list(zip(table["run"].to_pylist(), table["sysplex"].to_pylist(), strict=True))
        assert len(list(groupby(found))) == len(set(found))


@ONE_OF_A_REPORT
def test_ratios_follow_from_their_parts(case: Case) -> None:
    """What the SQL divides and what a total makes of the parts is the same, so totals hold."""
    for name, left, right in ratios(case.result):
        assert left == pytest.approx(right, rel=1e-12, nan_ok=True), name


def ratios(result: Result) -> Iterator[tuple[str, list[float], list[float]]]:
    """Each ratio column: as the SQL has it, and made again from its parts.

    Each row is a run of its own, so that a total has a row for each.
    """
    table = result.table
    alone = pa.array(map(str, range(table.num_rows)), pa.string())
    table = table.set_column(table.column_names.index("run"), "run", alone)
    again = aggregate(replace(result, table=table))
    assert again.table.num_rows == table.num_rows
    for column in result.report.columns:
        if column.kind == "ratio":
            yield column.name, numbers_of(result, column.name), numbers_of(again, column.name)


def numbers_of(result: Result, name: str) -> list[float]:
    return [float("nan") if v is None else float(v) for v in result.table[name].to_pylist()]


@pytest.mark.slow
def test_table_form_has_a_line_for_each_row(case: Case) -> None:
    """The plain form that any report has."""
    lines = text.render(case.result, "table").splitlines()
    assert lines[0] == case.result.report.title
    rule = next(i for i, line in enumerate(lines) if line.startswith("---"))
    assert len(lines[rule + 1 :]) - lines[rule + 1 :].count("") >= case.result.table.num_rows


@ONE_OF_A_REPORT
def test_a_second_copy_counts_once(case: Case) -> None:
    """The same records in a second file of the run change nothing, but what is said of files."""
    if case.result.report.is_of_the_ledger:
        pytest.skip("it counts files")
    for table in {"load_file", *case.said["tables"]}:
        if table == "load_file" or (not table.startswith("load") and "file_id" in TYPES[table]):
            copy = f"SELECT * REPLACE (file_id + 100 AS file_id) FROM {table}"
            case.con.execute(f"INSERT INTO {table} {copy}")
    again = result_of(case.con, case.said)
    assert again.table.to_pylist() == case.result.table.to_pylist()


def test_chart_draws_the_case(case: Case) -> None:
    """A report with a chart draws rows of the case, unless the case says otherwise."""
    if not case.result.report.chart:
        pytest.skip("no chart")
    if case.said.get("chart", True):
        assert chart.spec(case.result)["data"]["values"]
    else:
        with pytest.raises(ReportError):
            chart.spec(case.result)


def test_there_are_cases_for_every_report() -> None:
    """Each report has a file in tests/report_values; each chart draws one of its files."""
    said = [json.loads(file.read_text(encoding="utf-8")) for file in FILES]
    reports = catalog().reports
    assert sorted(set(reports) - {name["report"] for name in said}) == []
    charts = {name for name, report in reports.items() if report.chart}
    assert sorted(charts - {name["report"] for name in said if name.get("chart", True)}) == []
