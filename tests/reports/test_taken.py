"""Rows that are asked for many reports or runs at once are those that each report gives alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.types as kinds
import pytest

from imsperf import api
from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports import taken as taken_of
from imsperf.reports.catalog import catalog
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.run import ask, run, to_show
from imsperf.reports.shared_views import SHARED, shared_views
from imsperf.reports.syntax import relations_read
from imsperf.reports.taken import Taken, Together, each_alone
from imsperf.reports.total import aggregate, summands
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

SMALL = {"clients": 300, "dasd.volumes": 12, "cpu.gcps": 3, "regions.ifp": 30}
RUNS = ("a", "b")
MOST_THREADS = 4


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """Two small runs, and a third that nobody asks for, in one database that is read."""
    folder = tmp_path_factory.mktemp("runs")
    for seed, name in enumerate((*RUNS, "other"), start=1):
        system = scenario.load("tps-100k", SMALL)
        generate_intervals(system, folder / name, intervals=3 + seed, seed=seed)
        api.load([folder / name], folder / "x.duckdb", run=name)
    with api.connect(folder / "x.duckdb") as store:
        yield store.con


Alone = Callable[[str, str], pa.Table]


@pytest.fixture(scope="module")
def alone(con: duckdb.DuckDBPyConnection) -> Alone:
    """Rows of a report of one run, as totals are made of them."""

    @cache
    def rows_of(report_id: str, name: str) -> pa.Table:
        with ask(con, report_id, keep=Filter(name), over=True).rows() as rows:
            return rows.to_arrow_table()

    return rows_of


def ordered(rows: pa.Table) -> pa.Table:
    """In the order of what is no DOUBLE: of sums the last digits may differ."""
    names = [field.name for field in rows.schema if not kinds.is_floating(field.type)]
    return rows.sort_by([(name, "ascending") for name in names])


def assert_same(report_id: str, rows: pa.Table, expected: pa.Table) -> None:
    """Equal in order; sums of DOUBLE to 12 digits, as their order may be another one."""
    assert rows.schema == expected.schema and rows.num_rows == expected.num_rows, report_id
    for name in expected.column_names:
        mine, other = rows[name].combine_chunks(), expected[name].combine_chunks()
        if kinds.is_floating(mine.type):
            pair = (mine.to_numpy(zero_copy_only=False), other.to_numpy(zero_copy_only=False))
            assert np.allclose(*pair, rtol=1e-12, atol=0, equal_nan=True), (report_id, name)
            assert mine.is_null().equals(other.is_null()), (report_id, name)
        else:
            assert mine.equals(other), (report_id, name)


@pytest.mark.parametrize("keeps", [True, False])
def test_rows_of_two_runs_at_once(
    con: duckdb.DuckDBPyConnection, alone: Alone, keeps: bool
) -> None:
    """Every report that has records, also without a row; another run is in neither. Rows that do
    not stay have the columns of which totals are made, in any order."""
    reports = [report for report, _ in to_show(con, Filter())]
    assert len(reports) > 40
    with Together(con, Filter(), RUNS, keeps).prepared(reports) as together:
        for report in reports:
            for name in RUNS:
                expected = alone(report.id, name)
                if not keeps:
                    expected = ordered(expected.select(summands(report)))
                try:
                    rows = together.result(report, name).table
                except AbsentRecords:
                    rows = expected.slice(0, 0)
                assert_same(
                    report.id, rows if keeps else ordered(rows.cast(expected.schema)), expected
                )


def test_rows_that_a_page_takes(con: duckdb.DuckDBPyConnection) -> None:
    """With what a comparison asked, and alone: the rows of each report."""
    reports = [report for report, _ in to_show(con, Filter("b"))]
    together = Together(con, Filter(), RUNS, keeps=True)
    for report in reports[::2]:
        together.result(report, "a")
    expected = [run(con, report, keep=Filter("b")).table for report in reports]
    for given in (None, together):
        with Taken(con, Filter("b"), given) as taken:
            made = taken.take(reports, Taken.rows)
        for report, rows, each in zip(reports, made, expected, strict=True):
            assert_same(report.id, rows, each)


def test_many_rows_stay_in_the_database(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report of more rows than are kept as Arrow: the same rows, total and hours."""
    report = catalog().get("rmf.device")
    every = run(con, report, keep=Filter("b"))
    monkeypatch.setattr(taken_of, "FEW_ROWS", 3)
    monkeypatch.setattr(taken_of, "MOST_ROWS", 2)
    with Taken(con, Filter("b")) as taken:
        first, is_whole = taken.first(report)
        assert not is_whole and first.table.equals(every.table.slice(0, 2))
        assert_same(report.id, taken.rows(report), every.table)
        for length in (None, timedelta(hours=1)):
            expected = aggregate(run(con, report, keep=Filter("b"), over=True), length).table
            assert_same(report.id, taken.total(report, length).table, expected)
        taken.drop(report)
        tables = con.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        assert (report.id,) not in tables


def test_a_comparison_keeps_rows_only_where_it_is_told(con: duckdb.DuckDBPyConnection) -> None:
    report = catalog().get("rmf.cpu")
    for keeps in (False, True):
        together = Together(con, Filter(), RUNS, keeps)
        together.result(report, "a")
        together.forget(report)
        assert (together.table(report, "b") is not None) is keeps


def test_each_report_is_done_once_until_one_fails(con: duckdb.DuckDBPyConnection) -> None:
    """In the order that was asked; after an error no other report is begun."""
    reports, begun = list(catalog()), list[str]()
    assert each_alone(lambda report: report.id, reports, con) == [each.id for each in reports]

    def fails(report: Report) -> None:
        begun.append(report.id)
        raise AbsentRecords(report.id)

    with pytest.raises(AbsentRecords):
        each_alone(fails, reports, con)
    assert 1 <= len(begun) == len(set(begun)) <= MOST_THREADS


def test_what_does_not_fit_beside_others_is_done_alone(con: duckdb.DuckDBPyConnection) -> None:
    """Two reports find no memory: once more when no other is running, and no third time."""
    reports, begun, running = list(catalog())[:12], Counter[str](), set[str]()
    short, seen = {reports[0].id, reports[7].id}, list[set[str]]()

    def done(report: Report, times: int) -> str:
        running.add(report.id)
        begun[report.id] += 1
        seen.extend([set(running)] if begun[report.id] > 1 else [])
        try:
            if report.id in short and begun[report.id] <= times:
                raise duckdb.OutOfMemoryException("failed to pin block")
        finally:
            running.remove(report.id)
        return report.id

    made = each_alone(lambda report: done(report, 1), reports, con)
    assert made == [each.id for each in reports]
    assert begun == {each.id: 1 + (each.id in short) for each in reports}
    assert sorted(map(sorted, seen)) == sorted([name] for name in short)
    begun.clear()
    with pytest.raises(ReportError, match=r"too little memory: .*failed to pin block"):
        each_alone(lambda report: done(report, 2), reports, con)
    assert max(begun.values()) == 2


def test_shared_views_are_gone_afterwards(con: duckdb.DuckDBPyConnection) -> None:
    """Inside, a view is a table of the runs that are wanted; the connection keeps its own."""
    count = "SELECT count(DISTINCT run) FROM rmf_cpu_interval"
    with shared_views(con, catalog(), ("a",)) as shared:
        with shared.cursor() as cursor:
            assert cursor.execute(count).fetchall() == [(1,)]
        assert con.execute(count).fetchall() == [(3,)]
    assert con.execute(count).fetchall() == [(3,)]
    names = con.execute("SELECT database_name FROM duckdb_databases()").fetchall()
    assert not [name for (name,) in names if name.startswith("shared")]


def test_shared_views_stand_in_order() -> None:
    """Each is read by several reports, and reads only those before it."""
    readers = [relations_read(report.sql) for report in catalog()]
    for place, name in enumerate(SHARED):
        assert sum(name in read for read in readers) > 1
        assert not relations_read(f"FROM {name}") & set(SHARED[place + 1 :])
