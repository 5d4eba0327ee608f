"""Totals, pages, files and charts where an analyst or a hostile dump would trip them."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from report_database import TYPES, empty, insert, sample

from imsperf.errors import ReportError
from imsperf.reports import csv_text, formats, text
from imsperf.reports.catalog import catalog, listing
from imsperf.reports.charts import chart
from imsperf.reports.filter import Filter
from imsperf.reports.run import Result, lacking, run
from imsperf.reports.total import aggregate

IDS = sorted(catalog().reports)
FIRST, SECOND = datetime(2026, 3, 2, 10, 0), datetime(2026, 3, 2, 10, 2)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    con = sample()
    yield con
    con.close()


# --- totals --------------------------------------------------------------------------------------


def test_total_leaves_out_what_has_only_one_half() -> None:
    """Connect time void in one interval: its events do not dilute the mean of the other."""
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74cnx = smf74cnx | 4 WHERE record_no = 4")
        result = run(con, "rmf.device")
    first = {r["volume"]: r for r in result.table.to_pylist() if r["interval_start"] == FIRST}
    total = {r["volume"]: r for r in aggregate(result).table.to_pylist()}
    assert total["OLDS01"]["conn_ms"] == pytest.approx(first["OLDS01"]["conn_ms"])
    assert total["OLDS01"]["rate_per_s"] == pytest.approx(first["OLDS01"]["rate_per_s"])


def test_total_is_one_page_and_its_heading_counts_all_of_it() -> None:
    """A volume that came later stands on the same page; samples and length are of the whole run."""
    with sample() as con:
        con.execute("DELETE FROM smf74_1_device WHERE record_no = 3 AND smf74ser = 'OLDS01'")
        page = text.render(aggregate(run(con, "rmf.device")))
    assert page.count("D E V I C E") == 1 and "OLDS01" in page
    assert "TOTAL SAMPLES =    240 " in page and "INTERVAL 04.00.000" in page


def test_longer_interval_keeps_its_heading(
    database: duckdb.DuckDBPyConnection,
) -> None:
    """The facts of its first interval, also where the longer one begins earlier."""
    page = text.render(aggregate(run(database, "rmf.cpu"), timedelta(seconds=900)))
    assert "SEQUENCE CODE 00000000000829E7" in page and "V2R5" in page
    late = run(database, "rmf.cpu", keep=Filter(start=SECOND))
    assert "SEQUENCE CODE 00000000000829E7" in text.render(aggregate(late))


# --- fields at their limits ----------------------------------------------------------------------

WIDEST = {"UTINYINT": 2**8, "USMALLINT": 2**16, "UINTEGER": 2**32, "UBIGINT": 2**64}


@pytest.mark.slow
def test_fields_at_their_limits_break_no_report() -> None:
    """Every unsigned field of every table holds all ones: each report runs, totals, prints."""
    with sample() as con:
        for table, columns in TYPES.items():
            full = [
                f'"{name}" = {WIDEST[kind] - 1}'
                for name, kind in columns.items()
                if kind in WIDEST and not name.endswith("_no")
            ]
            if full and not table.startswith("load_"):
                con.execute(f"UPDATE {table} SET {', '.join(full)}")
        asked = [report for report in catalog() if not lacking(report, con, None)]
        assert len(asked) > 40
        for report in asked:
            result = run(con, report)
            for outcome in (result, aggregate(result)):
                text.render(outcome)
                formats.render(outcome.table, "json")


def test_sections_to_skip_at_their_limit() -> None:
    """Skips past the end of the record find no section; they do not overflow."""
    with sample() as con:
        con.execute("UPDATE smf70_1_partition SET smf70bds = 4294967295, smf70bdn = 65535")
        con.execute("UPDATE smf70_1_processor SET smf70nsw = 4294967295")
        rows = run(con, "rmf.partition").table.to_pylist()
    assert {r["status"] for r in rows if r["partition"] == "PRDA"} == {"Deactivated"}


def test_fast_path_transaction_counts_once() -> None:
    """The same log records in a second file of the run (dual logging) add no transaction."""
    times = {"log_stck": "2026-03-02T09:00:00", "log_lsn": 7}
    keys = {"record_no": 1, "section_no": 1, "uow": b"\x01" * 24} | times
    with empty() as con:
        for file_id in (1, 2):
            insert(con, "load_file", [{"file_id": file_id, "run": "t"}])
            for table in ("ims_5901", "ims_5903", "ims_5936", "ims_5937"):
                insert(con, table, [keys | {"file_id": file_id}])
        committed = con.execute("SELECT run, committed FROM ims_fast_path").fetchall()
    assert committed == [("t", True)]


# --- pages ---------------------------------------------------------------------------------------


def test_device_columns_stay_under_their_headings() -> None:
    """Aliases that come and go make a broken number of exposures, not a broken line."""
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74nux = 180 WHERE smf74ser = 'OLDS01'")
        lines = text.render(run(con, "rmf.device")).splitlines()
    first, second = (
        (line for line in lines if "S60$01" in line),
        (o for o in lines if "OLDS01" in o),
    )
    left, right = next(first), next(second)
    assert "   4H " in left and " 1.5H " in right
    assert left.index(" 0071 ") == right.index(" 0071 ") and len(left) == len(right)


# --- files ---------------------------------------------------------------------------------------


def query(sql: str) -> pa.Table:
    with duckdb.connect() as con:
        return con.sql(sql).to_arrow_table()


def test_numbers_and_times_of_any_query_stay_what_they_are() -> None:
    """A negative number, also as text, is no formula; an INTERVAL is a time, not three numbers."""
    rows = query(
        "SELECT -1.5 AS d, -sum(x) AS h, '-5' AS t, INTERVAL '-90 minutes' AS i, "
        "INTERVAL '1 day 500 milliseconds' AS j FROM range(3) AS r(x)"
    )
    written = list(csv.reader(io.StringIO(formats.render(rows, "csv"), newline="")))
    assert written[1] == ["-1.5", "-3", "-5", "-01:30:00", "24:00:00.500000"]
    assert json.loads(formats.render(rows, "json")) == [
        {"d": -1.5, "h": -3, "t": "-5", "i": "-01:30:00", "j": "24:00:00.500000"}
    ]
    assert "-01:30:00" in text.table(rows)


def test_markdown_prints_names_as_they_are() -> None:
    """*PHYSICAL* is no italics, a name no link; names of columns stay readable."""
    names = ["*PHYSICAL*", "[a](b)", "a`b", "_x_", "&lt;", "<b>"]
    lines = text.markdown(pa.table({"interval_start": names})).splitlines()
    assert lines[0] == "| interval_start |"
    assert lines[2:] == [
        *("| \\*PHYSICAL\\* |", "| \\[a\\](b) |", "| a\\`b |", "| \\_x\\_ |"),
        *("| &amp;lt; |", "| &lt;b> |"),
    ]


def test_csv_stops_full_width_signs_too() -> None:
    """Some spreadsheets read them as the plain ones."""
    assert formats.render(pa.table({"n": ["\uff1d1+1", "\n=1"]}), "csv").count("'") == 2


# --- charts --------------------------------------------------------------------------------------


def drawn(result: Result) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = chart.spec(result)["data"]["values"]
    return values


def test_devices_of_one_name_are_two_bars() -> None:
    """Volumes without a label do not add up in one bar; the busiest stands first, and
    what has no value has no bar."""
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74ser = '' WHERE smf74ser <> 'OLDS01'")
        names = list(dict.fromkeys(row["x"] for row in drawn(run(con, "rmf.device"))))
    assert names == ["OLDS01", " 09A10"]


def test_chart_text_is_inert(tmp_path: Path) -> None:
    """Control characters and marks that turn the direction of text are not drawn."""
    with sample("r\u202e\x1b") as con:
        con.execute(
            "UPDATE smf74_1_device SET smf74ser = '\u202eab'||chr(27) WHERE smf74num % 2 = 0"
        )
        result = run(con, "rmf.device")
    chart.write(result, tmp_path / "c.svg")
    shown = (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert "\u202e" not in shown and "\x1b" not in shown and "?ab?" in shown


def test_time_axis_shows_the_record_s_own_clock(
    database: duckdb.DuckDBPyConnection,
) -> None:
    """Drawn as stored, in 24 hours, with the day where there is only one; no zone of a browser."""
    made_spec = chart.spec(run(database, "rmf.cpu"))
    axis = made_spec["spec"]["encoding"]["x"]
    assert axis["scale"] == {"type": "utc"} and axis["axis"]["format"] == "%H:%M:%S"
    assert axis["title"] == "local time, 02 Mar 2026"
    assert made_spec["resolve"]["scale"]["x"] == "independent"


def test_nothing_to_draw_is_said(database: duckdb.DuckDBPyConnection) -> None:
    """No empty picture."""
    with pytest.raises(ReportError, match="no rows to draw"):
        chart.spec(run(database, "rmf.cpu", keep=Filter(end=FIRST)))


# --- the list ------------------------------------------------------------------------------------


def test_list_names_records_as_people_do() -> None:
    """Types and log codes, not tables."""
    needs = {row["id"]: row["needs"] for row in listing(catalog())}
    assert needs["rmf.cpu"] == "70.1" and needs["rmf.device"] == "74.1"
    assert needs["ims.latches"] == "450A, and 06, 4500 where there are any"


def test_reports_of_intervals_begin_with_the_same_five_columns() -> None:
    """Run, sysplex, system and the start of the interval, local and UTC."""
    five = ("run", "sysplex", "system", "interval_start", "interval_start_utc")
    assert {report.names[:5] for report in catalog() if report.time} == {five}


def test_csv_numbers_are_the_shortest_that_are_read_back() -> None:
    """As Python writes them, at every size; endless ones and what is no number are empty."""
    given = [
        0.0, -0.0, 1.0, 0.1, 1 / 3, 1e15, 1e16, 123456789012345680.0, 0.0001, 0.00001, 5e-324,
        1.7976931348623157e308, -2.5, float("inf"), float("nan"), None,
    ]  # fmt: skip
    expected = [
        repr(value) if value is not None and math.isfinite(value) else "" for value in given
    ]
    table = pa.table({"a": pa.array(given, pa.float64()), "b": list(range(len(given)))})
    lines = formats.render(table, "csv").split("\r\n")
    assert lines == ["a,b", *(f"{value},{n}" for n, value in enumerate(expected)), ""]


def test_csv_of_more_rows_than_are_made_at_once() -> None:
    """Pieces follow each other without a gap; a quoted line end stays inside its field."""
    count = csv_text.ROWS * 2 + 3
    text_ = ["x\ny" if n % 1000 == 0 else "plain" for n in range(count)]
    table = pa.table({"n": list(range(count)), "t": text_})
    lines = list(csv.reader(io.StringIO(formats.render(table, "csv"), newline="")))
    assert lines == [["n", "t"], *([str(n), line] for n, line in enumerate(text_))]


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("DATE '20000-01-01'", "20000-01-01"),
        ("TIMESTAMP 'infinity'", "infinity"),
        ("DATE '-infinity'", "-infinity"),
        ("TIMESTAMP '290000-01-02 03:04:05'", "290000-01-02 03:04:05"),
        ("TIMESTAMP_NS '2026-01-02 03:04:05'", None),
        ("[DATE '20000-01-01']", "[20000-01-01]"),
        ("TIME '24:00:00'", "24:00:00"),
    ],
)
@pytest.mark.parametrize("form", [form for form in formats.FORMATS if form != "parquet"])
def test_times_that_python_does_not_have(
    sql: str, text: str | None, form: str, tmp_path: Path
) -> None:
    """They are printed as DuckDB writes them, in every form."""
    with duckdb.connect() as con:
        rows = con.sql(f"SELECT {sql} AS at UNION ALL SELECT NULL").to_arrow_table()
    formats.write(rows, tmp_path / "rows", form)
    written = (tmp_path / "rows").read_bytes()
    if form == "xlsx":
        with zipfile.ZipFile(tmp_path / "rows") as book:
            written = b"".join(map(book.read, book.namelist()))
    assert text is None or text in written.decode().replace("\\", "")
