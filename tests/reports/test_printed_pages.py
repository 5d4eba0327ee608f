"""`report ID --page`: what RMF prints together, interval by interval, numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import duckdb
import pytest
from report_database import empty, sample

from imsperf.cli import main
from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports import text
from imsperf.reports.catalog import catalog
from imsperf.reports.filter import Filter
from imsperf.reports.printed import printed, reports_together
from imsperf.reports.run import Query, ask, run

LISTINGS = sorted(
    {
        sheets
        for report in catalog().reports.values()
        if report.page and len(sheets := reports_together(report)) + len(sheets[0]) > 2
    }
)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    con = sample()
    yield con
    con.close()


def queries(con: duckdb.DuckDBPyConnection, report: str) -> list[list[Query]]:
    sheets = reports_together(catalog().get(report))
    return [[ask(con, each) for each in sheet] for sheet in sheets]


def listing(con: duckdb.DuckDBPyConnection, report: str) -> str:
    return "".join(printed(queries(con, report)))


def outline(listed: str) -> list[tuple[str, int, str]]:
    """Title, page number and time of each page."""
    pages = re.findall(r"^ +(\S[^\n]*?) +PAGE +(\d+)\n.*?TIME (\d\d\.\d\d)", listed, re.M | re.S)
    return [(title.replace("  ", "|"), int(number), time) for title, number, time in pages]


def test_cpu_with_queues_and_partitions(database: duckdb.DuckDBPyConnection) -> None:
    """The order of RMF: all of an interval, then the next; numbers begin again."""
    listed = listing(database, "rmf.cpu")
    cpu, partition = "C P U|A C T I V I T Y", "P A R T I T I O N|D A T A|R E P O R T"
    group = "G R O U P|C A P A C I T Y|R E P O R T"
    pages = ((cpu, 1), (cpu, 2), (partition, 3), (group, 4))
    assert outline(listed) == [(*page, time) for time in ("10.00", "10.02") for page in pages]
    second = listed.split("PAGE    2\n")[1].split("PAGE    3\n")[0]
    parts = ("QUEUE TYPES", "IN-READY WORK UNIT", "NUMBER OF WORK UNITS", "BLWLTRPCT")
    places = [second.index(part) for part in parts]
    assert places == sorted(places) and second.count("C P U  A C T") == 0  # one heading for four


def test_what_is_not_there_is_said(database: duckdb.DuckDBPyConnection) -> None:
    lines = listing(database, "rmf.cpu").splitlines()
    assert "without rmf.multithreading: the records have no cores: multithreading is off" in lines
    assert lines[-1] == ("without rmf.lpar_cluster: no partition is a member of an LPAR cluster")


@pytest.mark.parametrize("sheets", LISTINGS, ids=lambda sheets: sheets[0][0])
def test_pages_are_those_of_the_reports(
    database: duckdb.DuckDBPyConnection, sheets: tuple[tuple[str, ...], ...]
) -> None:
    """Every line of each report alone stands in the listing, and no other but its headings."""
    report = next(each for sheet in sheets for each in sheet if _sheets(each) == sheets)
    try:
        listed = listing(database, report)
    except AbsentRecords:
        pytest.skip("the sample has no such records")
    expected: list[str] = []
    for name in (name for sheet in sheets for name in sheet):
        try:
            result = run(database, name)
        except AbsentRecords:
            continue
        if result.table.num_rows:
            expected += text.body(result).splitlines()
    numbered = re.compile(r" +PAGE +\d+$")
    lines = {numbered.sub("", line) for line in listed.splitlines()}
    titles = {line for line in expected if re.fullmatch(r" +\S( {1,2}\S)+", line)}
    assert {line for line in expected if line} - titles <= lines  # those of a page have one title
    said = {line for line in lines if line.startswith(("without", "layout ours", "project-def"))}
    assert lines - said - set(expected) == set()


def _sheets(report: str) -> tuple[tuple[str, ...], ...]:
    return reports_together(catalog().get(report))


def test_a_coupling_facility_after_the_other() -> None:
    """Usage, structures and subchannels of one, then those of the next."""
    with sample() as con:
        for table in ("facility", "cache", "processor", "product", "request", "storage"):
            name = "'CF02' AS r744fnam, " if table == "facility" else ""
            con.execute(
                f"INSERT INTO smf74_4_{table} SELECT * REPLACE ({name}record_no + 100 AS record_no)"
                f" FROM smf74_4_{table}"
            )
        listed = listing(con, "rmf.cf_usage")
    named = re.findall(r"COUPLING FACILITY NAME = (\S+)", listed)
    assert named == [*["CF01"] * 3, *["CF02"] * 3] * 2
    assert [number for _, number, _ in outline(listed)] == [1, 2, 3, 4, 5, 6] * 2


def test_without_any_records() -> None:
    with empty() as con, pytest.raises(AbsentRecords, match="type 70"):
        listing(con, "rmf.cpu")
    with pytest.raises(ReportError, match="no printed page"):
        reports_together(catalog().get("run.metrics"))


@pytest.mark.parametrize("sheets", LISTINGS, ids=lambda sheets: sheets[0][0])
def test_declared(sheets: tuple[tuple[str, ...], ...]) -> None:
    """What stands together is of the same place and time, and has pages."""
    reports = [catalog().get(name) for sheet in sheets for name in sheet]
    assert len({report.id for report in reports}) == len(reports)
    assert all(report.page for report in reports)
    assert len({report.page.heading for report in reports if report.page}) == 1
    assert len({report.time for report in reports}) == 1
    own = [report.id for report in reports if report.page and report.page.together]
    assert any(_sheets(name) == sheets for name in own)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--top", "3", "--by", "lpar_busy_pct"], "all rows"),
        (["--where", "cpu = 1"], "all rows"),
        (["--format", "csv"], "as text"),
        (["-o", "x.csv"], "as text"),
    ],
)
def test_refused(capsys: pytest.CaptureFixture[str], options: list[str], words: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["report", "rmf.cpu", str(Path(__file__)), "--page", *options])
    assert ended.value.code == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_why_there_is_none_at_any_time(database: duckdb.DuckDBPyConnection) -> None:
    """What no interval has is not put on the range that was asked for."""
    since = Filter(start=datetime(2026, 3, 2, 10, 1))
    sheets = reports_together(catalog().get("rmf.cpu"))
    listed = "".join(printed([[ask(database, e, keep=since) for e in sheet] for sheet in sheets]))
    assert {time for *_, time in outline(listed)} == {"10.02"}
    assert "without rmf.multithreading: the records have no cores: multithreading is off" in listed
