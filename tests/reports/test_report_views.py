"""Reports as tables in SQL of a user."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from report_database import empty, sample

from imsperf.database.read_only import lock
from imsperf.reports.catalog import shipped
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import narrow, run
from imsperf.reports.views import temporary_views, with_reports

ASKED = "SELECT volume, resp_ms FROM rmf.device"


def test_no_report_is_called_as_a_table() -> None:
    """The view of ims.transit is called transit in its family; its own SQL would find it there."""
    with empty() as con:
        tables = {name for (name,) in con.execute("FROM (SHOW TABLES) SELECT name").fetchall()}
    assert not tables & {report.id.partition(".")[2] for report in shipped()}


@pytest.mark.slow
def test_every_report_can_be_a_table() -> None:
    with empty() as con:
        for report in shipped():
            columns = con.sql(with_reports(con, f"FROM {report.id} LIMIT 0")).columns
            assert tuple(columns) == report.names, report.id


@pytest.mark.parametrize("name", ["rmf.device", "rmf.workload", "ims.latches", "rmf.overview"])
def test_rows_are_those_of_the_report(name: str) -> None:
    """Not rounded; with the default of a parameter (rmf.overview has one)."""
    with sample() as con:
        rows = narrow(con.sql(with_reports(con, f"FROM {name}"))).to_arrow_table()
        assert rows.num_rows
        assert rows.to_pylist() == run(con, name).table.to_pylist()


def test_another_client_reads_reports(tmp_path: Path) -> None:
    """Plain DuckDB on a file that it only reads, after the SQL of `imsperf dict --views`."""
    with sample() as con:
        wanted = sorted(con.sql(with_reports(con, ASKED)).fetchall())
        files = con.sql("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
    shutil.copy(files[0][0], tmp_path / "runs.duckdb")
    with duckdb.connect(str(tmp_path / "runs.duckdb"), read_only=True) as con:
        con.execute(temporary_views(map(shipped().get, ("rmf.device", "rmf.overview"))))
        assert sorted(con.sql('SELECT volume, resp_ms FROM "rmf.device"').fetchall()) == wanted
        assert con.sql('FROM "rmf.overview"').fetchall()


@pytest.mark.slow
def test_every_report_is_a_view_of_another_client() -> None:
    with empty() as con:
        con.execute(temporary_views(shipped()))
        for report in shipped():
            assert tuple(con.sql(f'FROM "{report.id}" LIMIT 0').columns) == report.names


@pytest.mark.parametrize("file", ["runs.duckdb", "rmf.duckdb", "RMF.duckdb"])
def test_the_file_may_be_called_as_a_family(file: str, tmp_path: Path) -> None:
    """Also where it is only read and locked; the words of strings and comments stay."""
    with sample() as con:
        wanted = sorted(con.sql(with_reports(con, ASKED)).fetchall())
        files = con.sql("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
    shutil.copy(files[0][0], tmp_path / file)
    with lock(duckdb.connect(str(tmp_path / file), read_only=True)) as con:
        asked = (
            "SELECT device.volume, RMF.device.resp_ms, 'rmf.device' AS s /* rmf.device */ "
            'FROM "rmf" . "device" -- rmf.device'
        )
        rows = con.sql(with_reports(con, asked)).fetchall()
        assert sorted(row[:2] for row in rows) == wanted
        assert {row[2] for row in rows} == {"rmf.device"}


def test_sql_without_reports_stays_as_it_is() -> None:
    """A column of an alias is no report, nor is a name that goes on."""
    with empty() as con:
        for sql in ("SELECT rmf.volume FROM rmf_device AS rmf", "FROM x.rmf.device", "FROM y.z"):
            assert with_reports(con, sql) == sql
            assert not con.execute("FROM duckdb_databases() WHERE database_name = 'rmf'").fetchall()


def test_microseconds_of_an_hour_times_a_sum_of_them_are_a_number() -> None:
    """3,000 s of log writes in an hour: 3e9 us times 3.6e9 us are beyond 63 bits."""
    hours = ", ".join(f"TIMESTAMP '2026-03-02 {hour}:00'" for hour in ("09", "10", "09", "10"))
    with empty() as con:
        assert con.execute(f"SELECT 3000000000 * common_us({hours})").fetchall() == [(1.08e19,)]


def test_numbers_of_devices_are_hex_digits() -> None:
    """All digits, with leading zeros."""
    with empty() as con:
        of_two_bytes = "SELECT hex4(unnest([0, 10, 4660, 65535, NULL]::USMALLINT[]))"
        hexes = [text for (text,) in con.execute(of_two_bytes).fetchall()]
        assert hexes == ["0000", "000A", "1234", "FFFF", None]
        of_a_byte = "SELECT hex2(unnest([0, 10, 255, NULL]::UTINYINT[]))"
        assert [text for (text,) in con.execute(of_a_byte).fetchall()] == ["00", "0A", "FF", None]


def test_a_deviation_of_squares_that_are_not_there_is_null() -> None:
    """4 values, sum 40, squares 436: sqrt((4 x 436 - 1600) / 12); NULL squares are no 0."""
    sql = """SELECT sample_deviation(4, 40, 436), sample_deviation(4, 40, NULL),
        sample_deviation(4, NULL, 436), sample_deviation(1, 3, 9), sample_deviation(2, 10, 49)"""
    with in_memory() as con:
        row = con.execute(sql).fetchone()
    assert row == (pytest.approx(12**0.5), None, None, None, 0)
