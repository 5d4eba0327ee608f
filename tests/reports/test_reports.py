"""What every report must be: checked header, honest needs, unique rows, safe output."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import sqlglot
from places import GOLDEN
from report_database import TYPES, empty, insert, sample
from sqlglot import exp

from imsperf.database.store import install_views
from imsperf.errors import ReportError
from imsperf.reports import formats, numbers, text
from imsperf.reports.catalog import catalog, shipped
from imsperf.reports.charts import chart
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.lineage.names import _definitions as definitions
from imsperf.reports.report_file import parse
from imsperf.reports.run import Result, ask, run, run_query
from imsperf.reports.syntax import bodies, parse_select
from imsperf.reports.total import aggregate

IDS = sorted(catalog().reports)
PRINTED = GOLDEN / "reports"
UPDATE = os.environ.get("IMSPERF_UPDATE_GOLDEN") == "1"


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    con = sample()
    yield con
    con.close()


@pytest.fixture(scope="module")
def nothing() -> Iterator[duckdb.DuckDBPyConnection]:
    con = empty()
    yield con
    con.close()


# --- definitions --------------------------------------------------------------------------------


@pytest.mark.parametrize("report_id", IDS)
def test_columns_are_those_duckdb_gives(report_id: str, nothing: duckdb.DuckDBPyConnection) -> None:
    """What is read off the SELECT is what running it gives."""
    report = catalog().get(report_id)
    values = {parameter.name: parameter.default for parameter in report.parameters}
    given = nothing.execute(f"SELECT * FROM ({report.sql}) LIMIT 0", values or None).description
    assert tuple(name for name, *_ in given or ()) == report.names


@pytest.mark.parametrize("report_id", IDS)
def test_needs_are_the_tables_another_parser_finds(report_id: str) -> None:
    """sqlglot reads the same tables, through views and macros, as DuckDB's parser."""
    report = catalog().get(report_id)
    assert set(report.needs) == set(tables_of(sqlglot.parse_one(report.sql, read="duckdb")))
    assert set(report.optional) <= set(report.needs) and (report.either or not report.any_of)


def tables_of(tree: exp.Expr) -> Iterator[str]:
    views, macros = definitions()
    for table in tree.find_all(exp.Table):
        names = [table.name]
        if isinstance(table.this, exp.Anonymous) and table.this.name in macros:
            yield from tables_of(macros[table.this.name].body)
            names = [given.name for given in table.this.expressions]  # f('ims_4500')
        for name in names:
            if name in views:
                yield from tables_of(views[name])
            elif name in TYPES:
                yield name


@pytest.mark.parametrize("report_id", IDS)
def test_empty_database_gives_a_clear_error(
    report_id: str, nothing: duckdb.DuckDBPyConnection
) -> None:
    """No records: the message names the record type, not a table or a binder."""
    if catalog().get(report_id).is_of_the_ledger:
        assert "nothing is loaded" in run(nothing, report_id).note
        return
    with pytest.raises(ReportError) as raised:
        run(nothing, report_id)
    words = {"ims": ("IMS log ",), "joined": ("IMS log ", "type ")}.get(
        report_id.split(".")[0], ("type ",)
    )
    assert any(word in raised.value.message for word in words)
    assert "nothing yet" in str(raised.value.hint)


def test_views_begin_alike_and_say_what_they_are() -> None:
    """Every view starts with run, sysplex, system and the interval, one of texts beside the dumps
    with run and path; all of it is commented."""
    database = empty()
    install_views(database)
    views = database.execute(
        "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"
    ).fetchall()
    assert len(views) > 10
    for view, comment in views:
        columns = database.execute(
            "SELECT column_name, comment FROM duckdb_columns() "
            "WHERE table_name = ? ORDER BY column_index",
            [view],
        ).fetchall()
        assert comment, view
        names = [name for name, _ in columns]
        assert names[:2] == ["run", "path"] or names[:5] == [
            *("run", "sysplex", "system", "interval_start", "interval_start_utc"),
        ], view
        assert all(words for _, words in columns), (view, columns)


SMALLEST = """/* imsperf report
id = "x.y"
title = "T"
answers = "A?"
key = ["a"]
{more}
*/
SELECT
    1 AS a -- A
"""


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('titel = "T"', "found 'titel', which is no member"),
        ('key = ["a"]', "Cannot overwrite"),
        ('[columns]\na = { lable = "A" }', "column 'a': found 'lable', which is no member"),
        ('[columns]\nb = { label = "B" }', "columns: no column 'b'"),
        ('[columns]\na = { doc = "B" }', "column 'a': describe it beside it"),
        ('[columns]\na = { kind = "rate" }', "kind 'rate'"),
        ('[columns]\na = { kind = "ratio" }', "has as many num as den"),
        ('[columns]\na = { num = "a", den = "c" }', "num/den of a: no column 'c'"),
        ('[page]\nheading = "cics"', "page: heading 'cics'"),
        ('[page]\nabove = "{b}"', "page: no column 'b'"),
        ('[page]\nabove = "{a:wide}"', "page: '{a:wide}': invalid literal"),
        ('[page]\nabove = "{a"', "page: '{a': expected '}'"),
        ('[page]\nblocks = ["b"]', "page: blocks: no column 'b'"),
        ('[page]\n[[page.table]]\nwhere = "a > 1"', "expected columns, lines or text"),
        ('[page]\n[[page.table]]\nlines = ["b"]', "page.table: no column 'b'"),
    ],
)
def test_faulty_header_is_named(more: str, words: str) -> None:
    """A wrong header says which file, which member and what was expected."""
    with pytest.raises(ReportError) as raised:
        parse(SMALLEST.format(more=more), "sql/reports/x/y.sql")
    assert raised.value.message.startswith("sql/reports/x/y.sql: ")
    assert words in raised.value.message


def with_select(columns: str, more: str = "", source: str = "rmf_device") -> Report:
    text = SMALLEST.format(more=more)
    return parse(text.replace("    1 AS a -- A\n", f"{columns}\nFROM {source}\n"), "y.sql")


def test_ratios_and_parts_are_read_off_the_select() -> None:
    """Quotients of columns, their sums, times or over a number; what they are made of is a part."""
    report = with_select(
        """    device AS a, -- A
    io_count / nullif(interval_s, 0) AS rate_per_s, -- R
    (iosq_us / nullif(io_count, 0) + pend_us / nullif(measured_count, 0)) / 1000 AS resp_ms, -- M
    100 * conn_us / nullif(interval_us, 0) AS conn_pct, -- C
    interval_s, interval_us, io_count AS ios, measured_count, iosq_us, pend_us, conn_us""",
        '[columns]\nios = { kind = "count", label = "I/O" }',
    )
    ratios = {
        column.name: (column.num, column.den, column.scale)
        for column in report.columns
        if column.num
    }
    assert ratios == {
        "rate_per_s": (("ios",), ("interval_s",), 1),
        "resp_ms": (("iosq_us", "pend_us"), ("ios", "measured_count"), 0.001),
        "conn_pct": (("conn_us",), ("interval_us",), 100),
    }
    kinds = {column.name: column.kind for column in report.columns}
    assert [name for name, kind in kinds.items() if kind == "part"] == [
        *("interval_s", "interval_us", "measured_count", "iosq_us", "pend_us", "conn_us"),
    ]
    assert (kinds["a"], kinds["ios"]) == ("attribute", "count")


@pytest.mark.parametrize(
    "expression", ["io_count / interval_s", "100 * sum(io_count) / nullif(sum(interval_s), 0)"]
)
def test_a_quotient_that_no_total_can_remake_is_refused(expression: str) -> None:
    """Its parts are no columns: a total would be empty without a word."""
    with pytest.raises(ReportError, match="column 'b': found a quotient that is no ratio"):
        with_select(f"    device AS a, -- A\n    {expression} AS b, -- B\n    io_count, interval_s")


def test_a_column_is_described_beside_it_or_by_its_view() -> None:
    """Words and unit; without either a column is refused."""
    report = with_select(
        "    device AS a, -- Device [hex]\n    cylinders, pav, -- P\n    rate_ms -- R".replace(
            "rate_ms", "conn_us / 1000 AS rate_ms"
        )
    )
    described = {column.name: (column.doc, column.unit) for column in report.columns}
    assert described["a"] == ("Device", "hex")
    assert described["cylinders"] == ("Capacity of the volume", "cylinders")
    assert described["pav"] == ("P", "") and described["rate_ms"] == ("R", "ms")
    with pytest.raises(ReportError, match="column 'b': has no description"):
        with_select("    device AS a, -- A\n    upper(volume) AS b")


def test_needs_go_through_views() -> None:
    """A table read through a view counts; the file of a record is one of them."""
    assert with_select("    device AS a -- A").needs == (
        *("load_file", "smf74_1_device", "smf74_1_product"),
    )
    assert parse(SMALLEST.format(more=""), "y.sql").needs == ()


def test_what_a_report_is_called_does_not_say_how_it_is_bound() -> None:
    """The tables it reads do: a copy of a report of ours is asked as ours is."""
    for report in catalog():
        copy = replace(report, id="site.copy")
        assert copy.is_long_to_bind == report.is_long_to_bind, report.id
    assert catalog().get("ims.transactions").is_long_to_bind
    assert not catalog().get("rmf.device").is_long_to_bind


def test_what_a_goal_is_held_against_is_said_once() -> None:
    """Both reports of workloads hand on what `rmf_workload_goals` makes; totals are of the same
    macros, and of columns that are parts by that alone."""
    made = {name for name, body in bodies().items() if "AS within_400_count" in body}
    assert made == {"rmf_workload_goals"}
    for report in (catalog().get("rmf.workload"), catalog().get("rmf.workload_sysplex")):
        handed_on = {c.name for c in parse_select(report.sql).columns if c.source == c.name}
        within = {name for name in report.names if name.startswith("within_")}
        assert len(within) == 13 and within | {"distributed_count", "actual"} <= handed_on
        assert {report.column(name).kind for name in within} == {"part"}
        assert "rmf_goal_index(" in report.column("perf_index").total_sql


# --- running ------------------------------------------------------------------------------------


def test_unknown_names_are_answered_with_near_ones(
    database: duckdb.DuckDBPyConnection,
) -> None:
    """Reports and parameters."""
    with pytest.raises(ReportError, match=r"no report 'rmf\.cpuu'") as raised:
        run(database, "rmf.cpuu")
    assert "rmf.cpu" in str(raised.value.hint)
    with pytest.raises(ReportError, match="no parameter 'x'"):
        run(database, "rmf.cpu", {"x": 1})


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("rmf.wlmgl", "rmf.workload or rmf.workload_sysplex"),  # REPORTS() of the Postprocessor
        ("PAGESP", "rmf.page_datasets"),
        ("rmf.dasd", "rmf.device"),
        ("rmf.cf", "rmf.cf_structure or rmf.cf_usage"),
        ("chan", "rmf.channel"),
        ("RMF.IOP", "rmf.iop"),
        ("ims.transaction", "ims.transaction_queuing or ims.transactions"),
        ("cics", "cics.transactions or joined.cics"),
        ("storage_group", "rmf.device_storage_group"),
        ("zhyperlink", "rmf.sync_io"),
        ("promotion", "rmf.blocked_workload"),  # a word of its question
    ],
)
def test_a_report_is_suggested_by_what_people_call_it(wanted: str, meant: str) -> None:
    with pytest.raises(ReportError) as raised:
        catalog().get(wanted)
    assert raised.value.hint == f"did you mean {meant}? `imsperf report` shows all"


def test_an_id_like_no_other_has_no_suggestion() -> None:
    with pytest.raises(ReportError) as raised:
        catalog().get("")
    assert raised.value.hint == "`imsperf report` shows all"


def test_parameters_reach_the_sql(database: duckdb.DuckDBPyConnection) -> None:
    """A parameter has a default and a type; text is converted."""
    more = '[[param]]\nname = "n"\ntype = "INTEGER"\ndefault = 3\ndoc = "N"\n'
    report = parse(SMALLEST.format(more=more).replace("1 AS a", "$n AS a"), "y.sql")
    assert run(database, report).table["a"].to_pylist() == [3]
    assert run(database, report, {"n": "7"}).table["a"].to_pylist() == [7]
    with pytest.raises(ReportError, match="parameter n: found 'x', expected INTEGER"):
        run(database, report, {"n": "x"})


@pytest.mark.parametrize(
    ("report_id", "conditions", "words"),
    [
        ("rmf.overview", "CPUBSI", "no condition 'CPUBSI'"),
        ("rmf.overview", "CPUBSY'; DROP", "found 'CPUBSY'; DROP', expected names"),
        ("rmf.overview", "EXVEL(S.NOPE)", "EXVEL has no 'S.NOPE'"),
        ("rmf.overview", "", "found '', expected names"),
        ("rmf.exceptions", "CPUBSY>", "found 'CPUBSY>', expected names with a limit"),
        ("rmf.exceptions", "CPUBSY=>9", "found 'CPUBSY=>9', expected names with a limit"),
    ],
)
def test_unknown_conditions_are_refused(
    report_id: str, conditions: str, words: str, database: duckdb.DuckDBPyConnection
) -> None:
    """A condition, a class or a limit that is none is named, and is no empty report."""
    with pytest.raises(ReportError, match=f"{report_id}: conditions: {words}"):
        run(database, report_id, {"conditions": conditions})


@pytest.mark.parametrize(
    ("report_id", "conditions", "near"),
    [
        ("rmf.overview", "CPUBSI", "did you mean CPUBSY"),
        ("rmf.overview", "DART,DPTAVGE", "did you mean DPTAVG"),
        ("rmf.overview", "EXVEL(S.IMSHIHG)", "did you mean S.IMSHIGH"),
        ("rmf.overview", "EXVEL(STCLOW)", "did you mean S.STCLOW"),
        ("rmf.overview", "DART(S60$O1)", "did you mean S60$01"),
        ("rmf.exceptions", "CPUBSI>90", "did you mean CPUBSY"),
        ("rmf.exceptions", "CPUBSY>90,CHNGPD>1", "did you mean CHNGDP?"),
        ("rmf.exceptions", "RTIME(R.RIMSS)>1", "did you mean R.RIMS"),
        ("rmf.exceptions", "XYZZY>1", "there are CPUBSY, NUMPROC, TOTSRV"),
    ],
)
def test_near_conditions_are_suggested(
    report_id: str, conditions: str, near: str, database: duckdb.DuckDBPyConnection
) -> None:
    """Those whose name is near, and else what there is."""
    with pytest.raises(ReportError) as raised:
        run(database, report_id, {"conditions": conditions})
    assert (raised.value.hint or "").startswith(near)
    assert "there are" not in raised.value.message


def test_near_values_are_suggested(database: duckdb.DuckDBPyConnection) -> None:
    """Of a condition that no row meets; not where the value is there, and another is lacking."""

    def note(where: str) -> str:
        return run_query(ask(database, "rmf.workload", where=where)).note

    none = "no row has class = 'IMSHIHG'; class: did you mean IMSHIGH?"
    assert note("class = 'IMSHIHG'") == none
    assert "class: did you mean STCLOW?" in note("period = 1 AND class IN ('STCLO', 'XYZZY')")
    for words in ("class = 'XYZZY'", "class = 'IMSHIGH' AND period = 77", "period = 77"):
        assert note(words) == f"no row has {words}"


def test_filters_keep_local_intervals(database: duckdb.DuckDBPyConnection) -> None:
    """--system, --from (inside) and --to (outside), by the local start of the interval."""
    second = datetime(2026, 3, 2, 10, 2)
    starts = run(database, "rmf.device", keep=Filter(start=second)).table["interval_start"]
    assert set(starts.to_pylist()) == {second}
    assert run(database, "rmf.device", keep=Filter(end=second)).table.num_rows == 3
    late = run(database, "rmf.device", keep=Filter(start=datetime(2030, 1, 1)))
    assert late.table.num_rows == 0
    assert late.note == "its intervals begin from 2026-03-02 10:00:00 to 2026-03-02 10:02:00"
    assert run(database, "rmf.device", keep=Filter(run="t")).table.num_rows == 6


def test_total_is_made_from_sums(database: duckdb.DuckDBPyConnection) -> None:
    """A run-level mean is weighted by its events; counts add up; a low count keeps its lowest."""
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74ssc = 100, smf74mec = 100 WHERE record_no = 4")
        total = {r["volume"]: r for r in aggregate(run(con, "rmf.device")).table.to_pylist()}
    assert total["S60$01"]["conn_ms"] == pytest.approx(2 * 112_210 * 0.128 / (26_354 + 100))
    assert total["S60$01"]["rate_per_s"] == pytest.approx((26_354 + 100) / 240)
    pools = aggregate(run(database, "ims.fixed_pools")).table.to_pylist()
    assert [r["gets"] for r in pools] == [24, 9_600_000, 0, 0]
    assert [r["low_buffers"] for r in pools] == [9, 2, 5, 0]


def test_records_without_a_section_give_no_row_but_a_note() -> None:
    """The records are there and say nothing of signalling paths: that is no missing record."""
    with sample() as con:
        con.execute("DELETE FROM smf74_2_path")
        result = run(con, "rmf.xcf_path")
    assert result.table.num_rows == 0 and "no such sections" in text.render(result)


def test_statistics_of_one_set_give_no_row_but_a_note() -> None:
    """A difference needs two sets; the reader is told."""
    with sample() as con:
        con.execute("DELETE FROM ims_450a WHERE ckpt_no > 10")
        result = run(con, "ims.latches")
    assert result.table.num_rows == 0
    assert "two sets" in result.note and "two sets" in text.render(result)


# --- IMS statistics -----------------------------------------------------------------------------


def latches(con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    rows = run(con, "ims.latches").table.to_pylist()
    return [r for r in rows if r["latch"] == "LOGL"]


def test_start_record_between_sets_is_a_restart() -> None:
    """Counters that did not fall are still those since the restart, over the time since then."""
    with sample() as con:
        stop = {"file_id": 1, "record_no": 105, "imsid": "IMS1", "event": "T"}
        start = {"file_id": 1, "record_no": 106, "imsid": "IMS1", "event": "W"}
        insert(con, "ims_06", [stop | {"event_time": "2026-03-02T09:00:30"}])
        assert not any(r["restarted"] for r in latches(con))
        insert(con, "ims_06", [start | {"event_time": "2026-03-02T09:01:00"}])
        first, second = latches(con)
    assert (first["restarted"], first["interval_s"], first["exclusive_gets"]) == (True, 60, 12_000)
    assert first["interval_start_utc"] == datetime(2026, 3, 2, 9, 1)
    assert (second["restarted"], second["interval_s"], second["exclusive_gets"]) == (
        False,
        120,
        12_000,
    )


def test_falling_counter_is_a_restart_of_the_whole_set() -> None:
    """One latch that fell makes every latch of the set count from the restart."""
    with sample() as con:
        con.execute("UPDATE ims_450a_latch SET get_exc = 5 WHERE record_no = 122 AND name = 'LREC'")
        first, second = latches(con)
    assert not first["restarted"]
    assert second["restarted"] and second["exclusive_gets"] == 24_000


def test_counters_past_63_bits_do_not_break_a_report() -> None:
    """Differences are taken wide; what does not fit a BIGINT is NULL."""
    with sample() as con:
        big = 11_647_051_513_882_650_536
        con.execute("UPDATE ims_450a_latch SET get_shr = ? WHERE record_no = 122", [big])
        con.execute("UPDATE ims_450a_latch SET get_shr = ? WHERE record_no = 112", [big - 7])
        first, second = latches(con)
    assert (first["shared_gets"], second["shared_gets"]) == (None, 7)


def test_missing_header_leaves_system_empty() -> None:
    """Without its 4500 a set still counts; system and local time are NULL."""
    with sample() as con:
        con.execute("DELETE FROM ims_4500")
        first, _ = latches(con)
        per_transaction = run(con, "ims.logger").table["per_transaction"].to_pylist()
    assert (first["system"], first["interval_start"]) == (None, None)
    assert first["exclusive_gets"] == 12_000 and set(per_transaction) == {None}


# --- what is printed ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "value", "printed"),
    [
        ("device", 0.4134, ".413"),
        ("device", 1.183, "1.18"),
        ("device", 0, ".000"),
        ("device", 0.9996, "1.00"),
        ("device", 12.34, "12.3"),
        ("device", 123.4, "123"),
        ("activity", 219.6166, "219.617"),
        ("rate", 99.994, "99.99"),
        ("rate", 812.44, "812.4"),
        ("rate", 1342.4, "1342"),
        ("scaled", 9000, "9,000"),
        ("scaled", 120_000, "120K"),
        ("scaled", 14_820_000, "14,820K"),
        ("scaled", 1_482_000_000, "1,482M"),
        ("per_transaction", 0.7, ".70"),
        ("per_second", 1000, "1,000.00"),
        ("pool_per_second", 0.0089, "<0.5"),
        ("pool_per_second", 0, "0"),
        ("time", 5550.1009, "01.32.30.100"),
        ("time", 0.001999, "00.00.00.001"),
        ("2", 65.625, "65.63"),
        ("hex", 10, "A"),
    ],
)
def test_numbers_print_as_their_readers_know_them(form: str, value: float, printed: str) -> None:
    """RMF's and IMSPA's rules; dispatch times are cut, not rounded."""
    assert numbers.formatter(form)(value) == printed


@pytest.mark.parametrize(
    ("text", "width", "printed"),
    [
        ("128142061", 9, "128142061"),
        ("128142061", 8, "128142K"),  # ENDED of a day
        ("128142061", 6, "128M"),
        ("128142061", 3, "***"),
        ("128,142,061", 8, "128,142K"),
        ("3584000.00", 9, "3584000.0"),
        ("3584000.00", 7, "3584000"),
        ("-13493.75", 7, "-13494"),
        ("14,820K", 6, "15M"),
        ("20480.0M", 7, "20480M"),
        ("20480.0M", 4, "20G"),
        (".9996", 4, "1.00"),
        ("STRUCTURE_OF_A_LONG_NAME", 16, "STRUCTURE_OF_A_+"),
    ],
)
def test_a_cell_never_outgrows_its_width(text: str, width: int, printed: str) -> None:
    """Fewer decimals first, then thousands as RMF prints them; names show that they are cut."""
    assert numbers.fitted(text, width) == printed


def test_a_page_is_what_its_header_declares() -> None:
    """Blocks with their lines above, a text of SQL in the place of a column, rows beside each
    other, a value that is too long for its place, and a note only where there is something to say.
    """
    page = '''
[page]
heading     = "run"
above       = """
RUN {run:-6}ROWS {rows:3}

"""
blocks      = ["a"]
block_above = "BLOCK {a}"
note        = "{odd}"

[page.texts]
rows = "count(*) OVER page"
n    = "CASE WHEN n < 0 THEN 'none' END"
odd  = "CASE WHEN bool_or(n = 3) OVER () THEN 'three' END"

[[page.table]]
where   = "side IN ('l', 'r')"
beside  = "side"
columns = """
kind      -5  OF|KIND
{n@l}      4  |L
<{n@r}>    6  |R
"""

[[page.table]]
where  = "side = 'total'"
lines  = ["n"]
widths = [-3, 4]
'''
    rows = """
        (VALUES ('t', 'x', 'k1', 'l', 1), ('t', 'x', 'k1', 'r', -2), ('t', 'x', 'k2', 'r', 123456),
            ('t', 'x', NULL, 'total', 9), ('t', 'y', 'k1', 'l', 4)) AS v (run, a, kind, side, n)
    """
    columns = """
    run, -- Run
    a, -- A
    kind, -- K
    side, -- S
    n -- N"""
    report = with_select(columns, page, rows)
    with duckdb.connect() as con:
        table = con.sql(report.sql).to_arrow_table()
    assert text.render(Result(report, table)).splitlines() == [
        "RUN t     ROWS   5",
        "",
        "BLOCK x",
        "OF",
        "KIND     L      R",
        "k1       1 <none>",
        "k2         <1234+",
        "",
        "L      9",  # its heading above
        "",
        "BLOCK y",
        "OF",
        "KIND     L      R",
        "k1       4     <>",
    ]


def test_intervals_print_as_in_the_headings() -> None:
    """RMF mm.ss.ttt, IMSPA HHHH.MM.SS."""
    assert numbers.interval_rmf(900.037) == "15.00.037"
    assert numbers.interval_imspa(600) == "10.00"
    assert numbers.interval_imspa(5400) == "1.30.00"
    assert numbers.interval_imspa(2) == "0.02"


@pytest.mark.parametrize("report_id", sorted({file.name[:-4] for file in PRINTED.iterdir()}))
def test_page_and_csv_are_the_golden_ones(
    report_id: str, database: duckdb.DuckDBPyConnection
) -> None:
    """The hand-made database, printed. IMSPERF_UPDATE_GOLDEN=1 rewrites the files."""
    result = run(database, report_id)
    for suffix, words in (("txt", text.render(result)), ("csv", formats.render(result, "csv"))):
        file = PRINTED / f"{report_id}.{suffix}"
        if UPDATE:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(words, encoding="utf-8", newline="")
        with file.open(encoding="utf-8", newline="") as golden:
            assert words == golden.read()


HOSTILE = ("<script>alert(1)</script>", "=cmd|' /C calc'!A0", '"quoted", with comma', "+1", "a|b")


@pytest.fixture(scope="module")
def hostile() -> pa.Table:
    return pa.table({"name": list(HOSTILE), "value": [-1.5, 2.0, None, 4.0, 5.0]})


def test_csv_is_rfc_4180_and_inert(hostile: pa.Table) -> None:
    """Text a spreadsheet would run gets an apostrophe; numbers stay numbers; NULL is empty."""
    written = formats.render(hostile, "csv")
    assert written.endswith("\r\n")
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert rows[0] == ["name", "value"]
    assert [r[0] for r in rows[1:]] == [
        HOSTILE[0],
        "'" + HOSTILE[1],
        HOSTILE[2],
        "+1",  # a number, not a formula
        "a|b",
    ]
    assert [r[1] for r in rows[1:]] == ["-1.5", "2.0", "", "4.0", "5.0"]


def test_words_of_a_report_get_no_apostrophe() -> None:
    """`=N+1` is the name of a bucket; the same letters as the name of a system are from a dump."""
    report = catalog().get("rmf.in_ready")
    words = pa.table({"system": ["=N+1"], "bucket": ["=N+1"]})
    written = formats.render(Result(report, words), "csv")
    assert written.splitlines()[1] == "'=N+1,=N+1"


def test_csv_keeps_full_precision() -> None:
    """What is read back is what was written."""
    values = [0.1 + 0.2, 1 / 3, 1e-300, 2**53 + 1.0]
    rows = list(csv.reader(io.StringIO(formats.render(pa.table({"v": values}), "csv"))))
    assert [float(r[0]) for r in rows[1:]] == values


def test_json_is_one_array(hostile: pa.Table) -> None:
    """Objects by row; NULL and what JSON has no number for are null."""
    assert json.loads(formats.render(hostile, "json"))[0] == {"name": HOSTILE[0], "value": -1.5}
    odd = pa.table({"v": [float("nan"), float("inf")], "b": [b"\x01", None]})
    assert json.loads(formats.render(odd, "json")) == [
        {"v": None, "b": "01"},
        {"v": None, "b": None},
    ]
    assert json.loads(formats.render(odd.slice(0, 0), "json")) == []


def test_html_escapes_names(hostile: pa.Table) -> None:
    """No tag of a name becomes a tag of the page; the page loads nothing."""
    page = formats.render(hostile, "html", "<b>")
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "<b>" not in page and "http" not in page


def test_markdown_keeps_its_columns(hostile: pa.Table) -> None:
    """A bar in a name does not split a cell."""
    lines = formats.render(hostile, "md").splitlines()
    assert len(lines) == 2 + len(HOSTILE)
    assert {line.replace("\\|", "").count("|") for line in lines} == {3}


def test_xlsx_holds_no_formula(hostile: pa.Table, tmp_path: Path) -> None:
    """Every name is a string cell, whatever it begins with."""
    file = tmp_path / "h.xlsx"
    formats.write(hostile, file)
    with zipfile.ZipFile(file) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet and "=cmd|" in sheet and "&lt;script&gt;" in sheet


def test_formats_follow_the_suffix(database: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """-o FILE chooses the format; an unknown suffix is an error with the known ones."""
    result = run(database, "rmf.device")
    for suffix in ("csv", "json", "md", "html", "xlsx", "parquet", "txt"):
        formats.write(result, tmp_path / f"r.{suffix}")
        assert (tmp_path / f"r.{suffix}").stat().st_size > 100
    with pytest.raises(ReportError, match="no format for suffix"):
        formats.write(result, tmp_path / "r.doc")
    with pytest.raises(ReportError, match="cannot print 'xlsx'"):
        formats.render(result, "xlsx")


def test_terminal_text_holds_no_control_character() -> None:
    """A name cannot steer the terminal it is printed on."""
    assert text.table(pa.table({"n": ["\x1b[2J\r"]})).splitlines()[-1] == "?[2J?"


@pytest.fixture(scope="module")
def hostile_devices() -> Result:
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74ser = '</script><b>' WHERE smf74ser = 'OLDS01'")
        return run(con, "rmf.device")


def test_chart_page_is_self_contained(hostile_devices: Result, tmp_path: Path) -> None:
    """A volume's name cannot end the script; nothing is loaded from elsewhere."""
    chart.write(hostile_devices, tmp_path / "c.html")
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    assert page.count("</script") == 2
    assert "\\u003c/script\\u003e" in page
    assert "<link" not in page and "<script src" not in page


def test_chart_forms(hostile_devices: Result, tmp_path: Path) -> None:
    """svg and png are drawn here; json is the specification; other suffixes are refused."""
    for suffix, begin in (("svg", b"<svg"), ("png", b"\x89PNG"), ("json", b"{")):
        chart.write(hostile_devices, tmp_path / f"c.{suffix}")
        assert (tmp_path / f"c.{suffix}").read_bytes().startswith(begin)
    with pytest.raises(ReportError, match=r"c\.gif"):
        chart.write(hostile_devices, tmp_path / "c.gif")


def test_a_heading_is_said_once() -> None:
    """No label says what the page of the report calls its column."""
    for report in shipped().reports.values():
        family, _, name = report.id.partition(".")
        file = Path(str(files("imsperf.sql"))) / "reports" / family / f"{name}.sql"
        header, _, sql = file.read_text(encoding="utf-8").partition("*/")
        without = re.sub(r'(, )?\blabel *= "[^"]*"(?(1)|(, )?)', "", header)
        plain = parse(f"{without}*/{sql}", name).columns
        said = tomllib.loads(header.partition("\n")[2]).get("columns", {})
        both = zip(report.columns, plain, strict=True)
        again = [
            own.name for own, other in both if own == other and "label" in said.get(own.name, {})
        ]
        assert again == [], report.id


def test_lines_of_sql_are_short() -> None:
    """At most 100 characters, 160 in a header; the words beside a column may be longer, and the
    lines of a page with their slots."""
    root = Path(str(files("imsperf.sql")))
    long = []
    for folder in ("reports", "views"):
        for file in sorted((root / folder).rglob("*.sql")):
            header, _, sql = file.read_text(encoding="utf-8").rpartition("*/")
            words = [line for line in header.splitlines() if "{" not in line]
            long += [f"{file.name}: {line}" for line in words if len(line) > 160]
            code = [line.partition(" -- ")[0] for line in sql.splitlines()]
            long += [f"{file.name}: {line}" for line in code if len(line) > 100]
    assert long == []


def test_one_report_reads_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command for one report does not wait for the others; a file is called as its report."""
    read: list[str] = []

    def counted(text: str, source: str) -> Report:
        read.append(source)
        return parse(text, source)

    monkeypatch.setattr("imsperf.reports.catalog.parse", counted)
    reports = shipped.__wrapped__().reports
    assert reports["rmf.cpu"].id == "rmf.cpu" and "rmf.cpu" in reports
    assert read == ["sql/reports/rmf/cpu.sql"]
    assert [report.id for report in reports.values()] == sorted(reports)
