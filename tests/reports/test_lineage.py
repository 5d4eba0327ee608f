"""Where numbers come from: every column of every report down to fields, examples down to bytes."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path

import duckdb
import pytest
from dump_files import smf
from places import TESTS
from report_database import sample, with_tables
from test_report_values import tables_of

from imsperf import api
from imsperf.cli import main
from imsperf.database.store import Store
from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.lineage.columns import (
    CONSTANT,
    FIELD,
    KEY,
    LEDGER,
    ROWS,
    UNRESOLVED,
    Step,
    Subject,
    lineage,
    lineages,
    subject,
)
from imsperf.reports.lineage.example import Example, Number, Rows, example
from imsperf.reports.lineage.explanation import Explanation, render
from imsperf.reports.lineage.names import Library
from imsperf.reports.run import Result, run
from imsperf.reports.text import cell_texts

IDS = sorted(catalog().reports)
CASES = sorted((TESTS / "report_values").glob("*.json"))
COLUMNS = [f"{report.id}.{column.name}" for report in catalog() for column in report.columns]


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    con = sample()
    yield con
    con.close()


@pytest.fixture(scope="module")
def threads() -> Iterator[duckdb.DuckDBPyConnection]:
    """The same, and the first two processors are threads of one core."""
    con = sample()
    con.execute(
        """INSERT INTO smf70_1_core BY NAME
        SELECT p.file_id, p.record_no, c.section_no, p.system, p.interval_start, p.interval_end,
            c.core AS smf70_core_id, 128 AS smf70_core_flg, c.skip AS smf70_cpu_skip,
            c.number AS smf70_cpu_num, 900 AS smf70_prod, 60000 AS smf70_lpar_busy
        FROM smf70_1_product AS p,
            (VALUES (1, 0, 0, 2), (2, 2, 2, 1)) AS c (section_no, core, skip, number)"""
    )
    yield con
    con.close()


@cache
def followed(owner: str) -> dict[str, Step]:
    """All columns of a report or view."""
    return lineages(owner)


def fields_of(name: str, role: str = "value") -> set[str]:
    """The fields below a column, without the name of their table."""
    leaves = lineage(subject(name)).leaves(role)
    return {leave.name.partition(".")[2] for leave in leaves if leave.kind == FIELD}


def is_constant(step: Step) -> bool:
    """A text of the SQL, or one for each branch of a UNION: 'fast_path' beside 'switch'."""
    return bool(step.formulas) and all(is_constant(source) for source in step.inputs())


# --- every column --------------------------------------------------------------------------------


@pytest.mark.parametrize("report_id", IDS)
def test_every_column_of_a_report_is_followed_to_its_end(report_id: str) -> None:
    """Each leaf is a field with place, length and manual, or a declared key; nothing is lost."""
    ends = followed(report_id)
    assert tuple(ends) == catalog().get(report_id).names
    for name, step in ends.items():
        leaves = list(step.leaves())
        assert leaves or is_constant(step), name
        for leaf in leaves:
            assert leaf.kind in (FIELD, KEY, LEDGER, CONSTANT, ROWS), f"{name}: {leaf.name}"
            if leaf.kind == FIELD:
                assert leaf.entry and leaf.entry.source and leaf.entry.meaning, leaf.name
                if leaf.entry.kind != "by dictionary":  # there a record of the dump tells the place
                    assert leaf.entry.offset is not None and leaf.entry.length, leaf.name
            if leaf.kind in (KEY, LEDGER):
                assert leaf.entry and leaf.entry.meaning, leaf.name


@pytest.mark.parametrize("view", Library().view_names)
def test_every_column_of_a_view_is_followed_to_its_end(view: str) -> None:
    assert followed(view)
    for column, step in followed(view).items():
        lost = [leave.name for leave in step.leaves()
                if leave.kind not in (FIELD, KEY, LEDGER, CONSTANT, ROWS)]  # fmt: skip
        assert not lost, f"{view}.{column}"


EXPECTED = {
    "rmf.device.resp_ms": "smf74ssc smf74mec smf74ios smf74que smf74pen smf74dis smf74cnn "
    "smf74int smf74sam",
    "rmf.device.iosq_ms": "smf74ssc smf74ios smf74que smf74int smf74sam",
    "rmf.device.rate_per_s": "smf74ssc smf74int",
    "rmf.device.cmr_ms": "smf74cmr smf74mec",
    "rmf.device.volume": "smf74ser",
    "rmf.device.device_class": "smf74typ",
    "rmf.partition.partition": "smf70lpm",
    "rmf.partition.total_s": "smf70pdt",
    "rmf.partition.effective_s": "smf70edt",
    "rmf.partition.mgmt_pct": "smf70pdt smf70edt smf70can smf70ctn smf70dsa smf70int",
    "rmf.partition.lp_total_pct": "smf70pdt smf70ont smf70int",
    "rmf.cpu.tpi_pct": "smf70slh smf70tpi",
    "ims.logger.per_s": "records_written bytes_written check_write wait_writes bufwait_ckpt "
    "bufwait_nonckpt awe_submitted wads_excpvr wads_4k olds_writes olds_partial olds_reads "
    "olds_switches wads_us olds_us sample interval_start event_time",
    "ims.latches.contention_pct": "get_shr get_exc cont_shr cont_exc",
    "ims.latches.wait_per_contention_us": "wait_us cont_shr cont_exc",
    "ims.fixed_pools.avg_size_requested": "bytes_req gets",
    "ims.fixed_pools.avg_buffers": "avg_bufs_c",
    "ims.fixed_pools.pool_size_end": "pool_size",
}


@pytest.mark.parametrize("name", EXPECTED)
def test_fields_behind_a_number_are_those_a_person_named(name: str) -> None:
    assert fields_of(name) == set(EXPECTED[name].split())


def test_conditions_are_told_from_values() -> None:
    """A flag that decides whether a time counts is not part of the time."""
    assert fields_of("rmf.device.conn_ms") == {"smf74cnn", "smf74mec"}
    assert fields_of("rmf.device.conn_ms", "") == {"smf74cnn", "smf74mec", "smf74cnf", "smf74cnx"}


def test_row_of_an_outer_join_has_what_decides_it() -> None:
    """Whether a partition is active is whether a processor section belongs to it."""
    assert fields_of("rmf_partition.active") == set()
    assert {"smf70bdn", "smf70bds", "smf70ont"} <= fields_of("rmf_partition.active", "")


def test_names_may_be_those_of_views_and_tables() -> None:
    assert fields_of("rmf_device.pend_us") == {"smf74pen"}
    assert fields_of("smf74_1_device.smf74cmr") == {"smf74cmr"}
    assert lineage(subject("load_file.run")).kind == LEDGER
    assert lineage(subject("smf74_1_device.record_no")).kind == KEY


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("rmf.devic.resp_ms", "rmf.device"),
        ("rmf.device.rep_ms", "did you mean resp_ms"),
        ("rmf_devise.volume", "rmf_device"),
        ("smf74_1_devise.smf74cmr", "smf74_1_device"),
        ("rmf.device", "add one of its columns: run"),
        ("resp_ms", "rmf.device.resp_ms"),
        ("nothing", "REPORT.COLUMN"),
        ("", "REPORT.COLUMN"),
    ],
)
def test_unknown_names_are_answered_with_near_ones(name: str, hint: str) -> None:
    with pytest.raises(ReportError) as raised:
        subject(name)
    assert hint in str(raised.value.hint)


# --- SQL that reports may be written in ----------------------------------------------------------

FROM = "FROM smf74_1_device"
SQL = {
    "cte": f"WITH a AS (SELECT * {FROM}), b AS (SELECT * FROM a) SELECT smf74ssc AS x FROM b",
    "unnest": f"SELECT u.k AS x {FROM}, unnest([smf74ssc]) AS u (k)",
    "lateral": f"SELECT l.x {FROM} AS d, LATERAL (SELECT d.smf74ssc * 2 AS x) AS l",
    "scalar": f"SELECT smf74ser AS v, 1.0 * (SELECT sum(smf74ssc) {FROM}) AS x {FROM}",
    "distinct": f"SELECT DISTINCT smf74ssc AS x {FROM}",
    "count": f"SELECT smf74sgn AS v, count(*) FILTER (smf74ssc > 0) AS x {FROM} GROUP BY ALL",
    "using": f"SELECT d.smf74ssc AS x {FROM} AS d JOIN smf74_1_product USING (file_id, record_no)",
    "list": "SELECT smf74sgn AS v, list_sum(list_transform(list(smf74ssc ORDER BY smf74ser), "
    f"lambda n: n * 2)) AS x {FROM} GROUP BY ALL",
    "quantile": f"SELECT quantile_cont(smf74ssc, 0.5) AS q, q * 2 AS x {FROM}",
    "window": f"SELECT smf74ser AS v, smf74ssc / sum(smf74ssc) OVER () AS x {FROM}",
    "window_of_sums": "SELECT smf74ser AS v, sum(smf74ssc) / sum(sum(smf74ssc)) OVER () AS x "
    f"{FROM} GROUP BY smf74ser",
    "lag": "SELECT smf74ser AS v, lag(smf74ssc) OVER w AS x "
    f"{FROM} WINDOW w AS (PARTITION BY smf74ser ORDER BY record_no)",
    "arg_max": f"SELECT arg_max(smf74ssc, smf74ser) AS x {FROM}",
    "first": f"SELECT first(smf74ssc ORDER BY smf74ser DESC) AS x {FROM}",
    "union": f"SELECT smf74ssc AS x {FROM} UNION ALL SELECT smf70bdn FROM smf70_1_partition",
    "by_name": "SELECT smf70bdn AS v, 1 AS k FROM smf70_1_partition UNION ALL BY NAME "
    f"SELECT smf74ssc AS x {FROM}",
    "group_key": f"SELECT CASE WHEN smf74ssc > 0 THEN smf74ssc END AS x, count(*) AS n {FROM} "
    "GROUP BY ALL",
    "group_all_key": f"SELECT smf74ssc AS x, count(*) AS n {FROM} GROUP BY ALL",
    "grouping_sets": "SELECT smf74ser AS v, CASE WHEN grouping(smf74ser) = 0 THEN "
    f"sum(smf74ssc) END AS x {FROM} GROUP BY GROUPING SETS ((smf74ser), ())",
    "exists": "SELECT CASE WHEN EXISTS (FROM ims_06) OR smf74ser IN (SELECT name FROM "
    f"ims_450a_latch) THEN 0 ELSE smf74ssc END AS x {FROM}",
    "struct": f"SELECT {{'a': smf74ssc}}.a AS x {FROM}",
    "row": f"WITH a AS (SELECT smf74ssc {FROM}), b AS (SELECT a FROM a) SELECT b.a.smf74ssc AS x "
    "FROM b",
}


@pytest.mark.parametrize("form", SQL)
def test_forms_of_sql_are_followed(form: str, database: duckdb.DuckDBPyConnection) -> None:
    """What reports use and may use: the example has the value, and the field under it."""
    what = Subject(form, "x", SQL[form])
    assert "smf74_1_device.smf74ssc" in {leave.name for leave in lineage(what).leaves()}
    shown = example(database, what, EVERYTHING)
    rows = database.sql(f"SELECT CAST(x AS VARCHAR) FROM ({SQL[form]})").fetchall()
    assert (shown.number.value,) in rows
    below = [
        number
        for number in shown.number.walk()
        if number.place and number.place.table != "load_file"
    ]
    assert below and all(number.agrees for number in shown.number.walk())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"SELECT * {FROM} WHERE nowhere = 1 ORDER BY nothing", "odd.x"),
        (f"SELECT missing + smf74ssc AS x {FROM}", "missing"),
        ("SELECT x FROM (UNPIVOT smf74_1_device ON smf74ssc, smf74mec INTO NAME v VALUE x)", "x"),
        ("SELECT COLUMNS('x') FROM smf74_1_device", "columns('x')"),
        ("SELECT a.x FROM unknown_table AS a", "a.x"),
    ],
)
def test_what_cannot_be_followed_is_said_by_name(text: str, name: str) -> None:
    """A name that stands for nothing is a leaf of its own, never dropped."""
    leaves = lineage(Subject("odd", "x", text)).leaves()
    lost = {leave.name for leave in leaves if leave.kind == UNRESOLVED}
    assert lost == {name}


# --- examples ------------------------------------------------------------------------------------


def same(printed: object, value: str | None) -> bool:
    """A value of a report and the text DuckDB has for it."""
    if isinstance(printed, (int, float)) and not isinstance(printed, bool):
        return float(value or "nan") == pytest.approx(printed, rel=1e-15)
    if isinstance(printed, datetime):  # DuckDB writes .5, Python .500000
        return value is not None and datetime.fromisoformat(value) == printed
    return str(printed).lower() == str(value).lower()


_RESULTS: dict[tuple[duckdb.DuckDBPyConnection, str], Result] = {}


def printed(con: duckdb.DuckDBPyConnection, what: Subject) -> tuple[object, str] | None:
    """The first value that a report has in a column, and how it prints it."""
    assert what.report and what.definition
    key = con, what.owner
    if key not in _RESULTS:
        _RESULTS[key] = run(con, what.report, over=True)  # percentiles of a total as well
    column = _RESULTS[key].table[what.column]
    texts = zip(column.to_pylist(), cell_texts(column, what.definition.format), strict=True)
    return next(((value, text) for value, text in texts if value is not None), None)


def check_number(example: Example | None, value: object, text: str) -> None:
    """An example ends in this value, and every formula in it gives what stands there."""
    assert example and same(value, example.number.value)
    assert example.printed == text
    wrong = [
        (number.name, number.numbers, number.result)
        for number in example.number.walk()
        if not number.agrees
    ]
    assert not wrong


def check_example(con: duckdb.DuckDBPyConnection, name: str) -> bool:
    """The example of a column ends in what the report prints first; False where it prints none."""
    what = subject(name)
    expected = printed(con, what)
    if expected is None:
        with pytest.raises(ReportError, match="found no row with a value"):
            example(con, what, EVERYTHING)
        return False
    check_number(example(con, what, EVERYTHING), *expected)
    return True


def connections_of(report_id: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database of each case of a report."""
    for file in CASES:
        if json.loads(file.read_text(encoding="utf-8"))["report"] == report_id:
            yield database_of(file)


@lru_cache(maxsize=32)  # more than any report has cases; its columns follow one another
def database_of(file: Path) -> duckdb.DuckDBPyConnection:
    return with_tables(tables_of(json.loads(file.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    "report_id",
    [
        *IDS[::9],
        *(pytest.param(name, marks=pytest.mark.slow) for name in IDS if name not in IDS[::9]),
    ],
)
def test_example_ends_in_the_printed_number(
    report_id: str, database: duckdb.DuckDBPyConnection
) -> None:
    """The last ratio of each report, on its cases where the sample has no such records.

    Every column of all of them in the slow test below.
    """
    report = catalog().get(report_id)
    ratios = [column.name for column in report.columns if column.kind == "ratio"]
    name = f"{report_id}.{(ratios or report.names)[-1]}"
    try:
        check_example(database, name)
    except AbsentRecords:
        assert any(check_example(con, name) for con in connections_of(report_id))


@pytest.mark.parametrize(
    "name",
    [
        "rmf.cf_subchannel.link_types",  # string_agg(DISTINCT x, ' ' ORDER BY x)
        "rmf.vstor_areas.address",  # list[place]
        "smf.address_space.ziip_us",  # 1e4 * macro(a, b), whose body is a - b
    ],
)
def test_example_of_a_formula_of_one_column(name: str) -> None:
    assert any(check_example(con, name) for con in connections_of(name.rpartition(".")[0]))


def test_example_of_a_sum_follows_its_first_rows(
    database: duckdb.DuckDBPyConnection,
) -> None:
    """How many rows there are, the first of them, and what all give."""
    keep, where = EVERYTHING, "cpu IS NULL AND type = 'CP'"
    shown = example(database, subject("rmf.cpu.parked_us"), keep, where, rows=1)
    (total,) = shown.number.inputs
    assert isinstance(total, Number) and isinstance(total.inputs[0], Rows)
    assert (total.inputs[0].count, len(total.inputs[0].first)) == (2, 1)
    assert float(total.inputs[0].value or 0) == 30e6


def test_condition_and_filter_choose_the_row(
    database: duckdb.DuckDBPyConnection,
) -> None:
    what = subject("rmf.device.volume")
    assert example(database, what, Filter(), "rate_per_s > 300").number.value == "OLDS01"
    with pytest.raises(ReportError, match="found no row"):
        example(database, what, Filter(system="OTHER"))
    with pytest.raises(ReportError, match="no column 'system'"):
        example(database, subject("load_file.run"), Filter(system="OTHER"))
    with pytest.raises(ReportError, match="nope"):
        example(database, what, Filter(), "nope > 3")


# --- bytes ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of four simulated seconds, beside its dumps."""
    folder = tmp_path_factory.mktemp("lineage")
    words = ["tps-100k", "--seconds", "4", "--every", "2s", "--sample", "2000"]
    main(["generate", *words, "--out", str(folder / "monday")])
    main(["load", str(folder / "monday"), "--db", str(folder / "r.duckdb")])
    return folder / "r.duckdb"


@pytest.fixture(scope="module")
def store(generated: Path) -> Iterator[Store]:
    with api.connect(generated) as opened:
        yield opened


KEY_NOTE = "not a field: made from the record when it was loaded"


def check_bytes(explanation: Explanation) -> None:
    """Every field says in its file what the table has, at the place that is named."""
    for field in explanation.bytes:
        assert field.note in (KEY_NOTE, ""), field
        if not field.note:
            assert field.agrees and field.at is not None, field
            raw = Path(field.path).read_bytes()
            assert raw[field.at : field.at + len(field.hex) // 2].hex() == field.hex


@pytest.mark.parametrize(
    "name",
    [
        "rmf.device.resp_ms",
        "rmf.partition.phys_total_pct",
        "rmf.cpu.mvs_busy_pct",
        "ims.logger.per_transaction",
        "ims.latches.contention_pct",
        "ims.fixed_pools.gets_per_s",
        "ims_fast_path.transit_us",
        "smf74_1_device.smf74ser",
        "ims_4507.log_stck",
    ],
)
def test_example_begins_with_bytes_of_the_file(name: str, store: Store) -> None:
    explained = api.explain(name, store)
    assert [field for field in explained.bytes if field.hex]
    check_bytes(explained)
    assert explained.example and all(number.agrees for number in explained.example.number.walk())


def test_forms_of_output(store: Store) -> None:
    """Text says all of it; JSON holds it; Markdown and HTML show the same and run nothing."""
    explained = api.explain("ims.latches.contention_pct", store)
    text = render(explained)
    for word in ("get_exc", "layout of this project, imsperf-1", "decided by", "printed", "(u8)"):
        assert word in text
    held = json.loads(render(explained, "json"))
    assert held["example"]["value"] == explained.example.number.value  # type: ignore[union-attr]
    assert all(shown["agrees"] for shown in held["example"]["bytes"] if shown["hex"])
    assert {"offset", "length", "unit", "source", "record"} <= held["leaves"][0].keys()
    assert render(explained, "md").startswith("# ims.latches.contention_pct")
    assert render(explained, "html").startswith("<!DOCTYPE html>")
    with pytest.raises(ReportError, match="cannot print 'xlsx'"):
        render(explained, "xlsx")


def test_text_from_data_is_no_markup(database: duckdb.DuckDBPyConnection) -> None:
    what = Subject("<script>", "x", f"SELECT '<script>' || smf74ser AS x {FROM}")
    explanation = Explanation(what, lineage(what), example(database, what, EVERYTHING))
    page = render(explanation, "html")
    assert "<script" not in page and "&lt;script&gt;S60$01" in page
    head, _, rest = render(explanation, "md").partition("\n")
    assert head == "# &lt;script>.x" and "<script>" not in re.sub("(?s)```.*?```", "", rest)


def test_ratio_says_how_it_is_made_again() -> None:
    text = render(api.explain("rmf.device.resp_ms"))
    assert "0.001 * (sum(iosq_us) / sum(io_count) + sum(device_us) / sum(measured_count))" in text
    assert "SMF74B" in text and "+296 (0x128)" in text and "Example" not in text


def test_lost_file_is_said_and_the_rest_shown(generated: Path, tmp_path: Path) -> None:
    """Moved, then another file of that name."""
    folder, moved = generated.parent / "monday", tmp_path / "away"
    with api.connect(generated) as opened:
        folder.rename(moved)
        try:
            gone = render(api.explain("rmf.device.conn_ms", opened))
            folder.mkdir()
            for path in moved.iterdir():
                (folder / path.name).write_bytes(b"other")
            changed = render(api.explain("rmf.device.conn_ms", opened))
            for path in list(folder.iterdir()):
                path.unlink()
            folder.rmdir()
        finally:
            moved.rename(folder)
    assert "no longer there" in gone and "printed" in gone
    assert "has changed since it was loaded" in changed


def test_command(generated: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The words of the command line, to the screen and to a file."""
    words = ["explain", "rmf.device.resp_ms", "--db", str(generated)]
    call(*words, "--where", "volume LIKE 'OLDS%'", "--system", "SYSA")
    assert "printed" in capsys.readouterr().out
    call(*words, "-o", str(tmp_path / "e.json"))
    assert json.loads((tmp_path / "e.json").read_text(encoding="utf-8"))["example"]
    assert call("explain", "rmf.device.rep_ms") == 1
    assert "did you mean resp_ms" in capsys.readouterr().err
    assert call(*words, "--where", "1 = 1) UNION SELECT * FROM read_csv('x') --") == 1


def call(*words: str) -> object:
    try:
        main(list(words))
    except SystemExit as end:
        return end.code
    return 0


LAYOUT = """
[[record]]
kind = "smf"
type = 201
subtype = 1
title = "Work of ours"
source = "our own listing"

[[record.section]]
table = "work"
triplet = 24
length = 12
fields = [{offset = 0, name = "a", kind = "u4"}, {offset = 4, name = "b", kind = "u4"}]
"""


def test_layouts_of_the_user(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A field that only the user's layout has: its place, its source, its bytes."""
    mine, dump, db = tmp_path / "work.toml", tmp_path / "smf.bin", str(tmp_path / "w.duckdb")
    mine.write_text(LAYOUT, encoding="utf-8")
    body = struct.pack(">IHH4xIQ", 36, 12, 1, 0xFEED, 7)
    record = smf(201, 1, body)
    dump.write_bytes((struct.pack(">HH", len(record) + 4, 0) + record) * 3)
    words = ["--db", db, "--layouts", str(mine)]
    assert call("load", str(dump), *words) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert call("explain", "work.a", *words) == 0
    shown = capsys.readouterr().out
    assert "type 201.1" in shown and "our own listing" in shown
    assert "00 00 fe ed (u4) = 65261" in shown and "printed 65261" in shown
    assert call("explain", "work.a", "--db", db) == 1
    mine.write_text(LAYOUT.replace("offset = 0", "offset = 8"), encoding="utf-8")
    assert call("explain", "work.a", "--layouts", str(mine)) == 0
    assert "+8 (0x8)" in capsys.readouterr().out


# conditions that are asked for without a parameter have no qualifier
OF_NO_DEFAULT = ("rmf.exceptions.qualifier", "rmf.overview.qualifier")


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_has_its_example(
    name: str,
    database: duckdb.DuckDBPyConnection,
    threads: duckdb.DuckDBPyConnection,
    store: Store,
) -> None:
    """On rows made by hand, or generated ones down to their bytes, and where there are, on both."""
    owner = name.rpartition(".")[0]
    by_hand = [check_example(con, name) for con in connections_of(owner)]
    with suppress(AbsentRecords):
        by_hand += [check_example(database, name)]
    by_hand += [check_example(threads, name)] if name.startswith("rmf.cpu.") else []
    expected = None
    with suppress(AbsentRecords):  # one system: neither A104 nor A105
        expected = printed(store.con, subject(name))
    if expected:
        explained = api.explain(name, store)
        check_number(explained.example, *expected)
        check_bytes(explained)
    assert bool(expected or any(by_hand)) is (name not in OF_NO_DEFAULT)
