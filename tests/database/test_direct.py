"""Dumps that are asked without a database give what a database gives, and leave nothing behind."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import second_writer as writer
from dump_files import smf
from evidence_files import record_bytes

import imsperf
from imsperf import api, direct, layouts, reading
from imsperf.cli import main
from imsperf.database.read_only import asked_in_place
from imsperf.errors import DumpError, ImsperfError, LayoutError, ReportError, StoreError
from imsperf.loading import load
from imsperf.reports.catalog import catalog
from imsperf.sources import database_and_run
from imsperf.synthetic.scenarios.files import names

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]
PLAIN = [smf(30 + n % 3 * 60, n % 4, bytes([n]) * 40, time=1000 * n) for n in range(60)]
FIRST = [smf(2, time=0), *PLAIN[:40], DEVICES, smf(3, time=60_000)]
SECOND = [*PLAIN[30:], CPU]
REPORTS = ["rmf.device", "rmf.cpu", "load.coverage"]
SQL = {
    "table": "SELECT * FROM smf74_1_device",
    "view": "SELECT volume, device_us FROM rmf_device ORDER BY ALL",
    "report": "SELECT volume, resp_ms FROM rmf.device ORDER BY volume",
    "count": "SELECT count(*) FROM smf74_1_device",
    "condition": "SELECT count(*) FROM smf74_1_device WHERE smf74cmr IS NULL",
    "nothing": "SELECT smf74cmr FROM smf74_1_device WHERE smf74ser = 'NONE'",
    "several": "CREATE TEMP TABLE t AS SELECT smf74ser AS v FROM smf74_1_device; SELECT v FROM t",
    "pivot": "SELECT * FROM (PIVOT smf74_1_device ON smf74ser USING count(*)) ORDER BY ALL",
    "parameter": "SELECT smf74ssc FROM smf74_1_device WHERE smf74ser <> $v",
    "ledger": "SELECT * EXCLUDE (loaded_at) FROM load_file ORDER BY file_id",
    "counts": "SELECT * FROM load_count ORDER BY ALL",
    "intervals": "SELECT * FROM load_interval ORDER BY ALL",
    "problems": "SELECT * FROM load_problem ORDER BY ALL",
    "without layout": "SELECT type, count(*) FROM smf_raw GROUP BY ALL ORDER BY ALL",
    "summary": "SUMMARIZE SELECT smf74ssc FROM smf74_1_device",
}


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two dumps that overlap, in a folder that says what was run."""
    folder = tmp_path_factory.mktemp("dumps")
    files = [folder / "first.smf", folder / "second.smf"]
    for file, records in zip(files, (FIRST, SECOND), strict=True):
        file.write_bytes(writer.vbs(records, 4000))
    (folder / "run.toml").write_text('[machine]\nmodel = "z17"\n')
    return files


@pytest.fixture(scope="module")
def db(dumps: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("db") / "x.duckdb"
    api.load(dumps, file)
    return file


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files, of which nothing may stay."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert not list(folder.iterdir())


def _plain(row: dict[str, Any]) -> list[str]:
    return [
        f"{value:.6g}" if isinstance(value, float) else str(value)
        for name, value in row.items()
        if name != "loaded_at"
    ]


def assert_same(ours: pa.Table, theirs: pa.Table) -> None:
    """Sums of floats depend on the order in which threads add, as does that of rows that tie."""
    assert ours.schema == theirs.schema
    if ours.equals(theirs):
        return
    both = (sorted(table.to_pylist(), key=_plain) for table in (ours, theirs))
    for mine, other in zip(*both, strict=True):
        for name, value in mine.items():
            expected = other[name]
            if isinstance(value, float) and expected is not None:
                assert math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12), name
            elif name != "loaded_at":
                assert value == expected, name


def answer(store: Any, report: str, **options: Any) -> Any:
    """The result of a report, or why there is none, which names the dumps or the database."""
    try:
        return api.run_report(store, report, **options)
    except ImsperfError as error:
        message = error.message.replace(
            asked_in_place(store.con) or "the database", "what is asked"
        )
        return type(error), message.replace(str(store.path), "")


def assert_same_report(direct_store: Any, loaded: Any, report: str, **options: Any) -> bool:
    """Whether there are rows."""
    ours, theirs = (answer(store, report, **options) for store in (direct_store, loaded))
    if isinstance(theirs, tuple):
        assert ours == theirs
        return False
    assert_same(ours.table, theirs.table)
    assert ours.note == theirs.note
    lost = "Data lost"  # of the records that the report reads, not of all
    mine, said = ([r for r in result.remarks if lost not in r] for result in (ours, theirs))
    assert mine == said
    for mine, other in ((ours.facts, theirs.facts), (ours.spans, theirs.spans)):
        assert (mine is None) == (other is None)
        if mine is not None:
            assert_same(mine, other)
    return True


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_has_the_rows_of_a_database(
    dumps: list[Path], db: Path, temporary: Path, report: str
) -> None:
    with api.connect(dumps) as ours, api.connect(db) as theirs:
        assert_same_report(ours, theirs, report)


def test_sql_gives_what_it_gives_of_a_database(
    dumps: list[Path], db: Path, temporary: Path
) -> None:
    """In one session, and each statement by itself; whatever was decoded before."""
    with api.connect(dumps) as ours, api.connect(db) as theirs:
        for name, sql in SQL.items():
            values = {"v": "NONE"} if name == "parameter" else None
            expected = api.query(theirs, sql, values)
            assert_same(api.query(ours, sql, values), expected)
            if name in ("ledger", "condition", "pivot", "view", "counts", "intervals"):
                with api.connect(dumps) as alone:
                    assert_same(api.query(alone, sql, values), expected)


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The columns that each walk through the dumps decodes."""
    decoded, real = list[Any](), direct.load_files

    def counted(rows: Any, files: Any, job: Any) -> Any:
        decoded.append(job.columns)
        return real(rows, files, job)

    monkeypatch.setattr(direct, "load_files", counted)
    return decoded


def test_what_was_decoded_is_not_decoded_again(dumps: list[Path], walks: list[Any]) -> None:
    """A walk decodes the columns that are asked for, and of the others of a table none."""
    with api.connect(dumps[0]) as store:
        sql = "SELECT sum(smf74ssc) FROM smf74_1_device"
        first = store.con.execute(sql).fetchall()
        assert walks == [{"smf74_1_device": {"file_id", "smf74ssc"}}]
        assert store.con.execute(sql).fetchall() == first
        store.con.execute("SELECT smf74ssc, path FROM smf74_1_device NATURAL JOIN load_file")
        assert len(walks) == 1
        with pytest.raises(duckdb.Error, match=r"smf74_1_device: this column was not decoded"):
            store.con._con.execute("SELECT smf74que FROM smf74_1_device").fetchall()
        store.con.execute("SELECT smf74que FROM smf74_1_device")
        assert len(walks) == 2
        assert api.run_report(store, "rmf.device").table.num_rows
        assert len(walks) == 3


def test_what_no_row_can_come_from_is_not_decoded(dumps: list[Path], walks: list[Any]) -> None:
    """A condition that is false by itself, as of what nobody asks `rmf.exceptions` for."""
    with api.connect(dumps[0]) as store:
        store.con.execute(
            "SELECT smf74ssc FROM smf74_1_device UNION ALL SELECT smf73pid FROM smf73_1_channel "
            "WHERE regexp_matches('A', 'B')"
        )
        assert walks == [{"smf74_1_device": {"file_id", "smf74ssc"}}]
    for conditions, is_read in (("CPUBSY>90", False), ("CHLBSY>90", True)):
        walks.clear()
        with api.connect(dumps[0]) as store:
            api.run_report(store, "rmf.exceptions", {"conditions": conditions})
        assert ["smf73pid" in walk.get("smf73_1_channel", ()) for walk in walks] == [is_read]


def test_a_statement_is_planned_once(dumps: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """But anew where its names may mean something else."""
    planned = []
    real = direct.DumpConnection._planned

    def seen(self: Any, statement: Any, values: Any) -> Any:
        planned.append(statement.query)
        return real(self, statement, values)

    monkeypatch.setattr(direct.DumpConnection, "_planned", seen)
    sql = "SELECT smf74ser FROM smf74_1_device ORDER BY ALL"
    with api.connect(dumps) as store:
        rows = store.con.execute(sql).fetchall()
        with store.again() as other:
            assert other.con.execute(sql).fetchall() == rows
        assert planned == [sql]
        store.con.execute(
            "CREATE TEMP VIEW smf74_1_device AS SELECT file_id::TEXT AS smf74ser FROM smf70_1_cpu"
        )
        own = store.con.execute(sql).fetchall()
        assert own != rows and own == store.con.execute(sql).fetchall()
        assert planned.count(sql) == 3


@pytest.mark.parametrize("kind", ["several files", "an archive", "apart"])
def test_records_of_two_files_count_once(
    kind: str, dumps: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records are hashed where an overlap is possible, from the beginning; else not at all."""
    files, archive = dumps, tmp_path / "both.zip"
    if kind == "apart":
        files = [tmp_path / f"{name}.smf" for name in ("a", "b")]
        for file, records in zip(files, (PLAIN[:9], PLAIN[9:]), strict=True):
            file.write_bytes(writer.vbs(records, 4000))
    if kind == "an archive":
        files = [archive]
        with zipfile.ZipFile(archive, "w") as written:
            for dump in dumps:
                written.write(dump, dump.name)
    api.load(files, tmp_path / "x.duckdb")
    hashed = []
    real = direct.load_files

    def seen(rows: Any, files: Any, job: Any) -> Any:
        hashed.append(job.hashes)
        return real(rows, files, job)

    monkeypatch.setattr(direct, "load_files", seen)
    asked = "SELECT * EXCLUDE (sha256, status, loaded_at) FROM load_file ORDER BY file_id"
    with api.connect(files) as ours, api.connect(tmp_path / "x.duckdb") as theirs:
        for sql in (asked, SQL["table"], SQL["counts"]):
            assert_same(api.query(ours, sql), api.query(theirs, sql))
    assert hashed == ([False] * 3 if kind == "apart" else [False, True, True, True])


def test_a_transaction_is_refused(dumps: list[Path]) -> None:
    """Before anything of it is done; it would not see what is decoded later."""
    sql = "SELECT count(*) FROM smf74_1_device"
    with api.connect(dumps[0]) as store:
        for statements in ("BEGIN", f"BEGIN; {sql}; COMMIT", "START TRANSACTION", "ROLLBACK"):
            with pytest.raises(StoreError, match="found a transaction, expected statements by"):
                store.con.execute(statements)
        with pytest.raises(StoreError):
            store.con.begin()
        assert store.con.execute(sql).fetchall() == [(3,)]


def test_records_are_not_changed(dumps: list[Path]) -> None:
    """As those of a database; temporary tables of one's own are."""
    changes = (
        "DELETE FROM load_count",
        'delete from main."smf74_1_device" WHERE true',
        "UPDATE smf74_1_device SET system = 'X'",
        "INSERT INTO load_count SELECT * FROM load_count",
        "DROP TABLE load_file",
        'drop view if exists "rmf_device"',
        "CREATE OR REPLACE VIEW main.rmf_device AS SELECT 1 AS x",
        "ALTER TABLE load_file ADD COLUMN x INTEGER",
    )
    with api.connect(dumps[0]) as store:
        for change in changes:
            with pytest.raises(StoreError, match="expected SQL that only reads"):
                store.con.execute(change)
        store.con.execute("CREATE TEMP TABLE own AS SELECT system FROM smf74_1_device")
        store.con.execute("UPDATE own SET system = 'X'")
        store.con.execute("DELETE FROM own WHERE system = 'Y'")
        store.con.execute("WITH more AS (FROM own) INSERT INTO own FROM more")
        assert store.con.execute("SELECT system, count(*) FROM own GROUP BY ALL").fetchall() == [
            ("X", 6)
        ]


def test_what_was_run_is_read_when_it_is_asked(
    dumps: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """run.toml is long; few reports read it. A later walk keeps it."""
    read = []
    real = load.run_config_rows

    def counted(run: str, file: Path) -> Any:
        read.append(file)
        return real(run, file)

    monkeypatch.setattr(load, "run_config_rows", counted)
    notes = "SELECT section, key, value FROM run_config"
    with api.connect(dumps[0]) as store:
        store.con.execute("SELECT sum(smf74ssc) FROM smf74_1_device")
        assert not read
        assert store.con.execute(notes).fetchall() == [("machine", "model", "z17")]
        store.con.execute("SELECT sum(smf74que) FROM smf74_1_device")
        assert store.con.execute(notes).fetchall() == [("machine", "model", "z17")]


def _devices(system: str, hour: int) -> bytes:
    """The device record of another system and interval."""
    layout = layouts.smf_record(74, 1)
    assert layout is not None
    record = bytearray(DEVICES)
    product = int.from_bytes(record[24:28], "big") - 4  # of the first triplet, without the RDW
    fields = {field.name: field for field in layout.parts[0].section.fields}
    for name, value in (("smf74snm", system), ("smf74ist", np.timedelta64(hour * 3600, "s"))):
        at = product + fields[name].offset
        record[at : at + fields[name].kind.width] = fields[name].kind.encode(value).tobytes()
    return bytes(record)


RANGES: dict[str, tuple[dict[str, Any], int]] = {
    "an hour": ({"start": "{day}T09:00", "end": "{day}T10:00"}, 2),
    "a system": ({"system": "SYSB"}, 3),
    "both": ({"start": "{day}T10:00", "system": "SYSB"}, 1),
    "a total": ({"start": "{day}T10:00", "total": True}, 2),
    "no time": ({"start": "{day}T12:00"}, 6),
    "no system": ({"system": "SYSC"}, 6),
}


@pytest.mark.parametrize("name", RANGES)
def test_only_records_of_the_range_are_decoded(name: str, tmp_path: Path) -> None:
    """So many records of six, and the answer of a database; all of them to say why there is no
    row."""
    file, db = tmp_path / "a.smf", tmp_path / "a.duckdb"
    asked = [_devices(system, hour) for hour in (8, 9, 10) for system in ("SYSA", "SYSB")]
    file.write_bytes(writer.rdw(asked))
    api.load(file, db)
    options, count = RANGES[name]
    with api.connect(db) as theirs, api.connect(file) as ours:
        day = theirs.con.execute("SELECT min(interval_start)::DATE FROM smf74_1_device").fetchone()
        told = {
            key: value.format(day=day[0]) if isinstance(value, str) else value
            for key, value in options.items()
        }
        assert_same_report(ours, theirs, "rmf.device", **told)
        decoded = ours.con._con.execute("SELECT count(DISTINCT record_no) FROM smf74_1_device")
        assert decoded.fetchall() == [(count,)]
        assert_same_report(ours, theirs, "rmf.device")  # all that was left out


def test_what_views_read_often_is_computed_once(dumps: list[Path], db: Path) -> None:
    """And anew where more of the records is decoded."""
    with api.connect(dumps) as ours, api.connect(db) as theirs:
        for report in ("rmf.cpu", "rmf.partition", "rmf.cpu"):
            assert_same_report(ours, theirs, report)
        computed = ours.decoded._con.execute("SELECT * FROM computed.rmf_cpu_interval")
        view = theirs.con.execute("SELECT * FROM rmf_cpu_interval")
        assert computed.fetchall() == view.fetchall()


def test_a_scan_is_the_table(dumps: list[Path]) -> None:
    """With what polars hands down: columns, a condition, rows, the size of a batch."""
    table = imsperf.read(dumps[0]).table("smf74_1_device")
    every = pl.DataFrame(pl.from_arrow(table))
    lazy = imsperf.scan(dumps[0], "smf74_1_device")
    assert lazy.collect().equals(every)
    assert lazy.collect_schema() == every.schema
    some = [pl.col("smf74ser"), (pl.col("smf74ssc") * 2).alias("twice")]
    last = every["smf74ser"][-1]
    for query in (
        lambda rows: rows.select(some),
        lambda rows: rows.filter(smf74ser=last).select("smf74ssc", "record_no"),
        lambda rows: rows.select("smf74ssc").head(2),
        lambda rows: rows.filter(pl.col("smf74ser") != last).tail(1),
        lambda rows: rows.select(pl.len()),
        lambda rows: rows.group_by("system").agg(pl.col("smf74ssc").sum()),
    ):
        assert query(lazy).collect().equals(query(every))
        assert query(lazy).collect(engine="streaming").equals(query(every))
    assert imsperf.scan(dumps, "smf74_4_product").collect().is_empty()
    for name in ("no_table", "rmf_device", "load_file"):
        with pytest.raises(LayoutError, match="found no table") as error:
            imsperf.scan(dumps, name)
        assert "imsperf.connect has views and the ledger" in error.value.hint


def test_a_scan_decodes_what_is_used(dumps: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    decoded = []
    real = reading.Keep

    def seen(*given: Any, columns: Any, **more: Any) -> Any:
        decoded.append(columns)
        return real(*given, columns=columns, **more)

    monkeypatch.setattr(reading, "Keep", seen)
    lazy = imsperf.scan(dumps[0], "smf74_1_device").filter(pl.col("smf74ssc") > 0)
    lazy.select("smf74ser").collect()
    assert decoded == [{"smf74_1_device": {"file_id", "smf74ssc", "smf74ser"}}]


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_a_scan_loses_no_row_between_batches(size: int, tmp_path: Path) -> None:
    """Of any size, from dumps that are decoded in several parts; the first rows need no more."""
    from polars.io import plugins

    file = tmp_path / "a.smf"
    file.write_bytes(writer.rdw([_devices(f"S{number:03}", 8) for number in range(300)]))
    every = pl.DataFrame(pl.from_arrow(imsperf.read(file).table("smf74_1_device")))
    made: list[Any] = []
    real = plugins.register_io_source
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            plugins, "register_io_source", lambda io, **more: made.append(io) or real(io, **more)
        )
        imsperf.scan(file, "smf74_1_device", part_bytes=1 << 16)
    wanted, last = ["system", "smf74ssc"], pl.col("system") == "S299"
    for rows in (None, 1, 100):
        parts = list(made[0](wanted, None, rows, size))
        assert all(part.height <= size for part in parts)
        assert pl.concat(parts).equals(every.select(wanted).head(rows or every.height))
    assert pl.concat(made[0](wanted, last, None, size)).equals(every.filter(last).select(wanted))


starts = pl.col("interval_start")
FILTERS: dict[str, tuple[Any, int]] = {
    "system": (lambda at: pl.col("system") == "SYSA", 3),
    "from": (lambda at: starts >= at(9), 4),
    "behind": (lambda at: starts > at(9), 4),  # the interval itself is decoded, and filtered out
    "before": (lambda at: starts < at(9), 4),
    "until": (lambda at: at(9) >= starts, 4),
    "one": (lambda at: starts == at(9), 2),
    "between": (lambda at: starts.is_between(at(9), at(10), closed="left"), 4),
    "and": (lambda at: (pl.col("system") == "SYSB") & (starts < at(9)) & (at(7) < starts), 2),
    "and a column": (lambda at: (pl.col("smf74ssc") > 0) & (starts == at(9)), 2),
    "or": (lambda at: (pl.col("system") == "SYSB") | (starts == at(9)), 6),
    "not": (lambda at: ~(pl.col("system") == "SYSB"), 6),
    "a day": (lambda at: starts.dt.date() == at(9).date(), 6),
    "in a list": (lambda at: pl.col("system").is_in(["SYSA"]), 6),
    "another column": (lambda at: pl.col("interval_end") > at(9), 6),
    "two systems": (lambda at: (pl.col("system") == "SYSA") & (pl.col("system") == "SYSB"), 3),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_scan_decodes_records_that_a_filter_asks_for(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many of six, of two systems at 8, 9 and 10 o'clock."""
    file = tmp_path / "a.smf"
    asked = [_devices(system, hour) for hour in (8, 9, 10) for system in ("SYSA", "SYSB")]
    file.write_bytes(writer.rdw(asked))
    every = pl.DataFrame(pl.from_arrow(imsperf.read(file).table("smf74_1_device")))
    first = every["interval_start"].min()
    assert isinstance(first, datetime) and first.hour == 8
    condition, count = FILTERS[name]
    wanted = condition(lambda hour: first.replace(hour=hour))
    decoded = set()
    real = pl.from_arrow

    def seen(rows: Any) -> Any:
        decoded.update(rows["record_no"].to_pylist())
        return real(rows)

    lazy = imsperf.scan(file, "smf74_1_device").filter(wanted)
    monkeypatch.setattr(pl, "from_arrow", seen)
    assert lazy.collect().equals(every.filter(wanted))
    assert len(decoded) == count


def test_damage_is_told_once(tmp_path: Path) -> None:
    """And the rows are those after a load."""
    file = tmp_path / "cut.smf"
    whole = writer.vbs(FIRST, 4000)
    file.write_bytes(whole[: len(whole) // 2] + b"\xff" * 9 + whole[len(whole) // 2 + 50 :])
    api.load(file, tmp_path / "x.duckdb")
    told: list[str] = []
    with (
        api.connect(api.Dumps(file, told=told.append)) as ours,
        api.connect(tmp_path / "x.duckdb") as theirs,
    ):
        for name in ("table", "problems", "ledger", "without layout"):
            assert_same(api.query(ours, SQL[name]), api.query(theirs, SQL[name]))
    assert {words.split(":")[0] for words in told} == {"DATA LOST", str(file)}
    assert len(told) == len(set(told))


HOSTILE = ["it's", 'say "x"', "a::b", "x=y", "[a]*", "line\nend", "-o", os.fsdecode(b"\xff\xfe")]
HOSTILE += ["a; DROP TABLE load_file; --", "\N{GRINNING FACE} $1 {}"]


def test_any_name_of_a_file_will_do(tmp_path: Path, capsys: Any) -> None:
    files = [tmp_path / f"{name}.smf" for name in HOSTILE]
    for number, file in enumerate(files):
        file.write_bytes(writer.vbs([smf(2, time=number), *PLAIN[number : number + 2]], 4000))
    printed_rows = printed(
        capsys, "query", "--format", "json", *files, "SELECT path FROM load_file ORDER BY file_id"
    )
    expected = [os.fsencode(file).decode("utf-8", "replace") for file in files]
    assert [row["path"] for row in json.loads(printed_rows)] == expected
    asked = database_and_run(str(files[2])), database_and_run(f"{files[0]}::monday")
    assert asked == ((str(files[2]), ""), (str(files[0]), "monday"))


@pytest.mark.parametrize("name", HOSTILE)
def test_reports_of_a_file_of_any_name(name: str, tmp_path: Path, capsys: Any) -> None:
    """Its rows are those of a plain name, and `explain` names the file: by a name that is text."""
    file, plain = tmp_path / f"{name}.smf", tmp_path / "plain.smf"
    for one in (file, plain):
        one.write_bytes(writer.vbs(FIRST, 4000))
    words = ("report", "rmf.device", "--format", "csv")
    assert printed(capsys, *words, file) == printed(capsys, *words, plain)
    explained = printed(capsys, "explain", "rmf.device.resp_ms", file)
    assert ", record 42 at byte" in explained
    assert not name.isprintable() or f"{file.name}, record 42 at byte" in explained


@pytest.mark.parametrize("system", ["';--", '"x"', "%_*?", "$a{}"])
def test_names_in_records_stay_values(system: str, tmp_path: Path, capsys: Any) -> None:
    """Those of systems are options, values of SQL and of lineage."""
    file, db = tmp_path / "a.smf", tmp_path / "a.duckdb"
    file.write_bytes(writer.rdw([_devices(name, 8) for name in (system, "SYSB")]))
    api.load(file, db)
    with api.connect(db) as theirs, api.connect(file) as ours:
        assert assert_same_report(ours, theirs, "rmf.device", system=system)
        assert_same_report(ours, theirs, "load.coverage")
        values = {"v": system}
        sql = "SELECT DISTINCT system FROM smf74_1_device WHERE system = $v"
        assert api.query(ours, sql, values).to_pylist() == [{"system": system}]
    words = ("explain", "rmf.device.resp_ms", "--system", system)
    assert "record 1 at byte" in printed(capsys, *words, file)


def test_a_file_that_changes_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two questions, and while it is read."""
    file = tmp_path / "growing.smf"
    file.write_bytes(writer.vbs(FIRST, 4000))
    with api.connect(file) as store:
        assert api.query(store, SQL["count"]).num_rows
        file.write_bytes(writer.vbs(SECOND, 4000))
        with pytest.raises(DumpError, match=r"growing\.smf: was"):
            api.query(store, SQL["table"])
    real = direct.load_files

    def grown(rows: Any, files: Any, job: Any) -> Any:
        done = real(rows, files, job)
        with file.open("ab") as opened:
            opened.write(b"more")
        return done

    monkeypatch.setattr(direct, "load_files", grown)
    with api.connect(file) as store, pytest.raises(DumpError, match=r"growing\.smf: was changed"):
        api.query(store, SQL["table"])


def test_nothing_is_left_when_it_is_stopped(
    dumps: list[Path], temporary: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """As Ctrl-C does, in the middle of a walk."""

    def stopped(rows: Any, files: Any, job: Any) -> Any:
        (Path(tempfile.gettempdir()) / "spilled").touch(exist_ok=True)
        (Path(tempfile.gettempdir()) / "spilled").unlink()
        raise KeyboardInterrupt

    monkeypatch.setattr(direct, "load_files", stopped)
    with pytest.raises(SystemExit):
        main(["report", "rmf.device", str(dumps[0])])
    assert capsys.readouterr().err.endswith("stopped\n")


def printed(capsys: Any, *words: object) -> str:
    main([str(word) for word in words])
    return str(capsys.readouterr().out)


def test_commands_take_dumps_where_they_take_a_database(
    dumps: list[Path], db: Path, tmp_path: Path, temporary: Path, capsys: Any
) -> None:
    words = ("report", "rmf.device", "--format", "csv")
    assert printed(capsys, *words, *dumps) == printed(capsys, *words, "--db", db)
    sql = "SELECT volume FROM rmf.device"
    asked = printed(capsys, "query", "--db", db, sql)
    (tmp_path / "x.sql").write_text(sql)
    assert asked == printed(capsys, "query", dumps[0], "-f", tmp_path / "x.sql")
    explained = printed(capsys, "explain", "rmf.device.resp_ms", dumps[0])
    assert f"{dumps[0]}, record 42 at byte" in explained
    compared = printed(capsys, "compare", dumps[0], dumps[0], "--report", "rmf.device")
    assert "same records" in compared


def test_what_is_not_there_is_not_in_these_dumps(
    dumps: list[Path], db: Path, temporary: Path, capsys: Any
) -> None:
    """A message says what was asked by the names that the user gave; there is no database."""

    def refused(*words: object) -> str:
        with pytest.raises(SystemExit):
            main([str(word) for word in words])
        return str(capsys.readouterr().err)

    lacks = "ims.latches: this needs IMS log 450A records, and none are in"
    of_one = refused("report", "ims.latches", dumps[0])
    assert f"{lacks} {dumps[0]}\n" in of_one and "imsperf load" not in of_one
    assert f"{lacks} {dumps[0]}, {dumps[1]}\n" in refused("report", "ims.latches", *dumps)
    assert f"{lacks} 4 dumps\n" in refused("report", "ims.latches", *dumps, *dumps)
    of_database = refused("report", "ims.latches", "--db", db)
    assert f"{lacks} the database\n" in of_database and "`imsperf load` adds" in of_database


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["report", "findings", "table", "chart rmf.cpu", "html", "workbook"]
)
def test_more_commands_take_dumps(
    dumps: list[Path], db: Path, tmp_path: Path, temporary: Path, capsys: Any, words: str
) -> None:
    """They print the same, or write a file as large."""
    form = {"chart": "svg", "html": "html", "workbook": "xlsx"}.get(words.split()[0])
    files = [tmp_path / f"{name}.{form}" for name in ("ours", "theirs")]
    out = [["-o", file] if form else ["--format", "csv"] for file in files]
    # a path behind `table` is a column of its own
    given = ["--db", dumps[0].parent] if words == "table" else dumps
    ours = printed(capsys, *words.split(), *given, *out[0])
    assert ours == printed(capsys, *words.split(), "--db", db, *out[1])
    if form:
        sizes = [file.stat().st_size for file in files]
        assert abs(sizes[0] - sizes[1]) < sizes[0] / 100


def test_what_is_there_and_whether_it_holds_is_asked_of_dumps(
    dumps: list[Path], db: Path, tmp_path: Path, temporary: Path, capsys: Any
) -> None:
    """files, audit and reconcile; a word before the paths is a check, or the listing."""
    csv = ("--format", "csv")
    files = printed(capsys, "files", *dumps, *csv)
    assert files == printed(capsys, "files", "--db", db, *csv)
    assert len(files.splitlines()) == 1 + len(dumps)

    def audited(*words: object) -> list[str]:
        with pytest.raises(SystemExit, match="3"):  # these records contradict one another
            main(["audit", *map(str, words), "--all", *csv])
        return str(capsys.readouterr().out).splitlines()[1:]

    every = audited(*dumps)
    assert every == audited("--db", db)
    check = next(row for row in every if row.endswith(",false")).split(",")[0]
    assert audited(check, *dumps) == [row for row in every if row.startswith(f"{check},")]
    listing = tmp_path / "CPU.xml"
    printed(capsys, "report", "rmf.cpu", "--db", db, "--format", "rmfxml", "-o", listing)
    with pytest.raises(SystemExit, match="3"):
        main(["reconcile", str(listing), *map(str, dumps), *csv])
    out, said = capsys.readouterr()
    assert " cells of 1 intervals compared" in said
    assert {row.split(",")[0] for row in out.splitlines()[1:]} == {"identity"}  # no cell differs


@pytest.mark.parametrize("given", ["{dump}", "{folder}/*.csv", "--db {dump}", "{folder}/link.csv"])
def test_what_is_asked_is_not_written_over(
    dumps: list[Path], tmp_path: Path, capsys: Any, given: str
) -> None:
    """Dumps come with any suffix, also one that -o takes."""
    dump = tmp_path / "smf.csv"
    data = dumps[0].read_bytes()
    dump.write_bytes(data)
    (tmp_path / "link.csv").symlink_to(dump)
    words = given.format(dump=dump, folder=tmp_path).split()
    with pytest.raises(SystemExit, match="1"):
        main(["report", "rmf.device", *words, "-o", str(dump)])
    assert "expected another file to write" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="1"):
        main(["compare", str(dumps[0]), str(dump), "-o", str(dump)])
    assert "expected another file to write" in capsys.readouterr().err
    assert dump.read_bytes() == data


def test_both_sides_take_the_memory_that_is_given(
    dumps: list[Path], temporary: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    taken = []

    def opened(paths: Any, run: Any, memory: int | None, told: Any) -> Any:
        taken.append(memory)
        return open_dumps(paths, run, memory, told)

    open_dumps = direct.open_dumps
    monkeypatch.setattr(direct, "open_dumps", opened)
    words = ("--memory", "300M")
    printed(capsys, "compare", *dumps, "--report", "rmf.device", *words)
    printed(capsys, "table", dumps[1], dumps[1], *words)
    assert taken == [300 * 1024 * 1024] * 4


def test_times_in_which_nothing_begins(dumps: list[Path], tmp_path: Path, temporary: Path) -> None:
    """To find nothing there would say that all is well."""
    page = tmp_path / "x.html"
    for ask in (
        lambda: api.findings(dumps, start="2031-01-01"),
        lambda: api.html_page(dumps, page, end="1999-01-01"),
        lambda: api.workbook(dumps, page, start="2031-01-01"),
    ):
        with pytest.raises(ReportError, match="nothing begins in that time") as error:
            ask()
        assert "--tod" not in error.value.hint and "its records are from" in error.value.hint
    assert not page.exists()


def test_the_list_of_reports_needs_no_source(capsys: Any) -> None:
    """Hints name `imsperf report` alone."""
    rows = printed(capsys, "report", "--format", "csv").splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == list(catalog().reports)
    assert "have records here" not in printed(capsys, "report")


def test_bytes_of_standard_input_are_not_kept(dumps: list[Path]) -> None:
    command = [sys.executable, "-P", "-m", "imsperf", "explain", "rmf.device.resp_ms", "-"]
    with dumps[0].open("rb") as data:
        done = subprocess.run(command, stdin=data, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "they came from standard input" in done.stdout
    assert "no longer there" not in done.stdout


@pytest.mark.parametrize(
    "words", [["report", "rmf.cpu"], ["report", "rmf.cpu", "x.smf", "--db", "x"], ["findings"]]
)
def test_a_command_wants_one_source(words: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert "expected --db FILE or the paths of dumps" in capsys.readouterr().err


def _last_of(loaded: Any) -> dict[str, Any]:
    found = loaded.con.execute("SELECT max(name), max(interval_start) FROM load_interval")
    return dict(zip(("system", "start"), found.fetchall()[0], strict=True))


def _two_intervals(scenario: str, folder: Path) -> list[Path]:
    """The dumps of two seconds, with a record of each kind but a twentieth of the transactions."""
    words = ("--seconds", "2", "--every", "1s", "--sample", "20")
    main(["generate", scenario, *words, "--out", str(folder)])
    return sorted(file for file in folder.iterdir() if file.suffix in (".vbs", ".vb"))


def _damage(file: Path) -> None:
    """Five holes of 40 bytes, and the end is cut off."""
    data = bytearray(file.read_bytes())
    for at in range(len(data) // 7, len(data), len(data) // 5):
        data[at : at + 40] = bytes(40)
    file.write_bytes(data[: -len(data) // 20])


@pytest.mark.slow
@pytest.mark.parametrize("scenario", names())
def test_every_report_has_the_rows_of_a_database(scenario: str, tmp_path: Path) -> None:
    """Of whole dumps all reports after one walk, and those of a system and its last interval; of
    damaged ones each report that has rows, by itself."""
    files = _two_intervals(scenario, tmp_path / "run")
    whole, damaged = tmp_path / "whole.duckdb", tmp_path / "damaged.duckdb"
    api.load(files, whole)
    with api.connect(whole) as theirs, api.connect(files) as every:
        every.ready()
        assert sum(assert_same_report(every, theirs, report.id) for report in catalog()) > 20
        for report in catalog():
            if report.records_by:
                with api.connect(files) as ours:
                    assert_same_report(ours, theirs, report.id, **_last_of(theirs))
    for file in files:
        _damage(file)
    api.load(files, damaged)
    with api.connect(damaged) as theirs:
        for report in catalog():
            if not isinstance(answer(theirs, report.id), tuple):
                with api.connect(files) as ours:
                    assert_same_report(ours, theirs, report.id)


@pytest.mark.slow
def test_every_report_by_itself_has_the_rows_of_a_database(tmp_path: Path) -> None:
    """Those without rows say why, too. In a session each finds what those before it had decoded."""
    files = _two_intervals("ff-haldb", tmp_path / "run")
    api.load(files, tmp_path / "x.duckdb")
    with api.connect(tmp_path / "x.duckdb") as theirs, api.connect(files) as session:
        for report in catalog():
            with api.connect(files) as ours:
                assert_same_report(ours, theirs, report.id)
            assert_same_report(session, theirs, report.id)
