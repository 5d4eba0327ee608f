"""A lake gives what a database gives; a load adds all its files or nothing."""

from __future__ import annotations

import ast
import contextlib
import errno
import json
import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import second_writer as writer
from dump_files import smf
from evidence_files import record_bytes
from places import CHECKOUT

from imsperf import api, layouts
from imsperf.database.store import Store, open_store
from imsperf.errors import DumpError, ImsperfError, StoreError
from imsperf.lake import parts as lake_parts
from imsperf.lake.commits import Claim
from imsperf.lake.manifest import is_lake, read_manifests
from imsperf.lake.parts import PartWriter
from imsperf.lake.writer import Staging, make_lake, open_staging
from imsperf.loading import load as loading

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]
PLAIN = [smf(30 + n % 3 * 60, n % 4, bytes([n]) * 40, time=1000 * n) for n in range(60)]
FIRST = [smf(2, time=0), *PLAIN[:40], DEVICES, smf(3, time=60_000)]
SECOND = [*PLAIN[30:], CPU]


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two dumps that overlap."""
    folder = tmp_path_factory.mktemp("dumps")
    files = [folder / "first.smf", folder / "second.smf"]
    for file, records in zip(files, (FIRST, SECOND), strict=True):
        file.write_bytes(writer.vbs(records, 4000))
    (folder / "run.toml").write_text('[machine]\nmodel = "z17"\n')
    return files


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


Columns = list[tuple[str, str]]  # names and types


def columns_of(store: Store) -> dict[str, Columns]:
    """Columns of every table and view, with their types; without the time of the load."""
    sql = """SELECT table_name, column_name, data_type FROM information_schema.columns
        WHERE table_schema = 'main' AND table_name <> 'imsperf_meta' AND column_name <> 'loaded_at'
        ORDER BY table_name, ordinal_position"""
    columns = defaultdict[str, Columns](list)
    for table, column, kind in store.con.execute(sql).fetchall():
        columns[table].append((column, kind))
    return columns


def rows_of(store: Store, name: str, columns: Columns) -> list[Any]:
    picks = ", ".join(f'"{column}"' for column, _ in columns)
    rows = store.con.execute(f'SELECT {picks} FROM "{name}"').fetchall()
    return sorted((tuple(map(as_summed, row)) for row in rows), key=repr)


def as_summed(value: Any) -> Any:
    """A number to the digits that hold whatever the order of a sum."""
    return float(f"{value:.11g}") if isinstance(value, float) else value


def assert_equal(db: Path, lake: Path, step: int = 6) -> None:
    """Tables, views and every `step`-th report."""
    with api.connect(db) as database, api.connect(lake) as other:
        tables = columns_of(database)
        assert tables == columns_of(other)
        for name, columns in tables.items():
            assert rows_of(database, name, columns) == rows_of(other, name, columns), name
        for report in api.reports()["id"].to_pylist()[::step]:
            assert of_report(database, report) == of_report(other, report), report


def of_report(store: Store, report: str) -> Any:
    try:
        rows = api.run_report(store, report).table.to_pylist()
        return [{name: as_summed(value) for name, value in row.items()} for row in rows]
    except ImsperfError as error:
        return error.message


@contextlib.contextmanager
def adding(lake: Path, memory: int | None = None) -> Iterator[Staging]:
    """A load into a lake, in which rows of any table can be written."""
    with make_lake(lake, True) as place, open_staging(lake, place, memory) as staging:
        yield staging
        assert staging.publish(set())


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.name != "lock"}


# --- the same as a database ----------------------------------------------------------------------


@pytest.mark.slow
def test_reports_on_a_lake_are_those_on_a_database(tmp_path: Path, lake: Path) -> None:
    """A generated run: tables, views and reports; the command line too."""
    from imsperf.synthetic.generate import generate
    from imsperf.synthetic.scenarios import scenario

    out = tmp_path / "monday"
    generate(scenario.load("tps-100k", {}), out, seconds=4, sample_k=1000, every_s=2)
    db = tmp_path / "runs.duckdb"
    api.load([out], db)
    api.load([out], lake, parquet=True)
    assert_equal(db, lake, 1)
    with api.connect(lake) as store:
        assert api.run_report(store, "rmf.device", run="monday").table.num_rows > 0
        assert api.run_report(store, "rmf.cpu", total=True).table.num_rows > 0
        explained = api.explain("rmf.device.conn_ms", store)
        assert explained.bytes and all(shown.agrees for shown in explained.bytes if shown.hex)
    run_the_document(tmp_path)
    compared = api.compare(f"{db}::monday", f"{lake}::monday", ["rmf.device"]).table
    assert set(compared["delta"].to_pylist()) <= {0, None}


def run_the_document(folder: Path) -> None:
    """The queries of docs/lake.md, on the lake of that folder: the same rows, most I/O first."""
    text = (CHECKOUT / "docs/lake.md").read_text(encoding="utf-8")
    (sql,) = re.findall(r"^```sql\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    _tasks, code = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    with contextlib.chdir(folder), duckdb.connect() as con:
        rows = con.execute(sql).fetchall()
        *first, last = ast.parse(code).body
        assert isinstance(last, ast.Expr)
        names: dict[str, Any] = {}
        exec(compile(ast.Module(first, []), "lake.md", "exec"), names)
        frame = eval(compile(ast.Expression(last.value), "lake.md", "eval"), names)
    assert frame.rows() == rows
    assert len(rows) == 5 and rows[0][2] > 0


@pytest.mark.slow
def test_overlapping_dumps_and_the_same_again(
    dumps: list[Path], tmp_path: Path, lake: Path
) -> None:
    """Load by load, the lake has what the database has; the same bytes add nothing."""
    db = tmp_path / "x.duckdb"
    for paths in ([dumps[0]], dumps):
        loaded = api.load(paths, db, run="r", raw=True)
        other = api.load(paths, lake, run="r", raw=True, parquet=True)
        assert [(f.kept, f.repeated, bool(f.skipped), f.file_id) for f in loaded] == [
            (f.kept, f.repeated, bool(f.skipped), f.file_id) for f in other
        ]
    assert_equal(db, lake)
    before = files_in(lake)
    (again,) = api.load([dumps[1]], lake, run="r")  # where there is a lake, it is known as one
    assert "already" in again.skipped
    assert files_in(lake) == before
    with api.connect(lake) as store:
        sql = "SELECT list(file_id ORDER BY file_id) FROM load_file"
        assert store.scalar(sql) == [1, 2]
        assert store.scalar("SELECT value FROM run_config") == "z17"


def every_type() -> list[layouts.Table]:
    """Tables that together have every type of column."""
    chosen, seen = [], set[str]()
    for table in layouts.shipped_tables().values():
        types = {str(c.arrow) for c in table.columns}
        if types - seen:
            chosen.append(table)
            seen |= types
    return chosen


def values(kind: pa.DataType, rows: int, rng: np.random.Generator) -> list[Any]:
    """Any values of a type, some NULL, the limits among them."""
    if pa.types.is_fixed_size_list(kind):
        size = kind.list_size
        flat = values(kind.value_type, rows * size, rng)
        return [flat[n * size : (n + 1) * size] for n in range(rows)]
    if pa.types.is_integer(kind):
        bits = kind.bit_width
        low = 0 if pa.types.is_unsigned_integer(kind) else -(1 << (bits - 1))
        some = [low, low + (1 << bits) - 1, 0]
    elif pa.types.is_fixed_size_binary(kind):
        some = [rng.bytes(kind.byte_width), bytes(kind.byte_width)]
    elif pa.types.is_decimal(kind):
        some = [10**38 - 1, 0, 7]
    else:
        some = _SOME[str(kind)]
    return [None if n % 5 == 4 else some[n % len(some)] for n in range(rows)]


_SOME: dict[str, list[Any]] = {
    "string": ["", "SYSA", "é ' \" \n", " blank "],
    "double": [0.1, -1e300, float("inf")],
    "timestamp[us]": [datetime(2026, 3, 1, 9, 15, 0, 1), datetime(1900, 1, 1)],
    "date32[day]": [date(2026, 3, 1), date(1900, 1, 1)],
    "time64[us]": [timedelta(hours=1) // timedelta(microseconds=1), 86_399_999_999],
    "duration[us]": [timedelta(microseconds=1), timedelta(days=-400, seconds=7)],
}


def test_every_type_of_column(tmp_path: Path, lake: Path) -> None:
    """What the database gives back, the lake does too: type and value."""
    rng = np.random.default_rng(4)
    tables = every_type()
    batches = list[tuple[str, pa.RecordBatch]]()
    for table in tables:
        schema = table.schema()
        arrays = [pa.array(values(f.type, 20, rng), f.type) for f in schema]
        batches.append((table.name, pa.RecordBatch.from_arrays(arrays, schema=schema)))
    with open_store(tmp_path / "x.duckdb", create=True) as store, adding(lake) as writing:
        for into in (store, writing):
            into.append_batches(batches)
    with api.connect(tmp_path / "x.duckdb") as one_db, api.connect(lake) as other:
        columns = columns_of(one_db)
        assert columns == columns_of(other)
        assert columns.keys() >= {table.name for table in tables}
        for table in tables:
            texts = ", ".join(f'"{c.name}"::VARCHAR' for c in table.columns)
            sql = f"SELECT {texts} FROM {table.name} ORDER BY ALL"
            assert one_db.con.execute(sql).fetchall() == other.con.execute(sql).fetchall(), (
                table.name
            )


# --- the files -----------------------------------------------------------------------------------

NAMES = ["SYSA", "1234", "a/b", "..", "", "x=y", "é%", "null", "A*[1]?", " ", "#@$", "\x00\n", None]
SHAPE = layouts.table("smf70_1_cpu").schema()


def cpu_rows(systems: list[str | None], days: list[int], first: int = 1) -> pa.RecordBatch:
    """Rows of smf70_1_cpu, numbered from `first`."""
    given = {
        "system": systems,
        "interval_start": [datetime(2026, 3, 1) + timedelta(days=day) for day in days],
        "record_no": range(first, first + len(days)),
    }
    arrays = [
        pa.array(given[f.name], f.type) if f.name in given else pa.nulls(len(days), f.type)
        for f in SHAPE
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=SHAPE)


def test_names_of_systems_are_no_paths(lake: Path) -> None:
    """Whatever a dump says: one folder, below the table's; every reader gives the name back."""
    with adding(lake) as writing:
        writing.append_batches([("smf70_1_cpu", cpu_rows(NAMES, [0] * len(NAMES)))])
    folders = [path.parts for path in (lake / "smf70_1_cpu").rglob("*.parquet")]
    assert {len(folder) - len(lake.parts) for folder in folders} == {4}
    assert len(folders) == len(NAMES)
    glob = f"{lake}/smf70_1_cpu/**/*.parquet"
    with duckdb.connect() as con:
        sql = "SELECT system, record_no, date FROM read_parquet(?, hive_types_autocast = false)"
        by_path = {n: s for s, n, _ in con.execute(sql, [glob]).fetchall()}
    frame = pl.scan_parquet(glob, hive_partitioning=True, try_parse_hive_dates=False)
    polars = dict(frame.select("record_no", "system").collect().iter_rows())
    with api.connect(lake) as store:
        ours = dict(store.con.execute("SELECT record_no, system FROM smf70_1_cpu").fetchall())
    expected = dict(enumerate(NAMES, 1))
    assert ours == expected
    hard = {n for n, name in expected.items() if name and "\x00" in name}
    for names in (by_path, polars):
        assert {n: s for n, s in names.items() if n not in hard} == {
            n: s for n, s in expected.items() if n not in hard
        }


def test_row_groups_are_sorted_and_described(tmp_path: Path, monkeypatch: Any) -> None:
    """Row groups of bounded size, in the order of interval and record; fields with their facts."""
    monkeypatch.setattr(lake_parts, "GROUP_ROWS", 100)
    parts = PartWriter(tmp_path, 1)
    days = [n % 2 for n in range(250)]
    for first in (1, 251, 501):
        parts.add("smf70_1_cpu", cpu_rows(["SYSA"] * 250, [0] * 250, 1000 - first))
    parts.add("smf70_1_cpu", cpu_rows(["SYSB"] * 250, days))
    done = parts.close()
    assert sorted((row.path.split("/")[1], row.rows) for row in done) == [
        ("system=SYSA", 750), ("system=SYSB", 125), ("system=SYSB", 125),
    ]  # fmt: skip
    for row in done:
        with pq.ParquetFile(tmp_path / row.path) as file:
            groups = [file.read_row_group(n) for n in range(file.num_row_groups)]
            assert file.metadata.row_group(0).column(0).compression == "ZSTD"
        assert all(group.num_rows <= 100 for group in groups)
        assert all(g["record_no"].to_pylist() == sorted(g["record_no"].to_pylist()) for g in groups)
    schema = pq.read_schema(tmp_path / done[0].path)
    facts = schema.field("smf70wat").metadata
    assert b"+" in facts[b"source"] and facts[b"meaning"] and facts[b"confidence"] == b"2src"
    assert schema.field("record_no").metadata[b"meaning"]
    assert schema.metadata[b"table"] == b"smf70_1_cpu"


def test_many_partitions(lake: Path, monkeypatch: Any) -> None:
    """Few files are open at a time, little waits; a broken dump does not make endless folders."""
    monkeypatch.setattr(lake_parts, "OPEN_FILES", 3)
    monkeypatch.setattr(lake_parts, "GROUP_BYTES", 10_000)
    monkeypatch.setattr(lake_parts, "PARTITIONS", 20)
    systems: list[str | None] = [f"S{n % 30:02}" for n in range(600)]
    with adding(lake) as writing:
        assert writing.writer
        writing.writer.memory = 20_000
        for n in range(0, 600, 15):
            writing.append_batches([("smf70_1_cpu", cpu_rows(systems[n : n + 15], [0] * 15, n))])
            assert len(writing.writer._open) <= 3
            assert writing.writer._waiting <= 20_000
    assert len(list((lake / "smf70_1_cpu").iterdir())) == 21
    with api.connect(lake) as store:
        sql = "SELECT system, list(record_no ORDER BY record_no) FROM smf70_1_cpu GROUP BY ALL"
        counts = dict(store.con.execute(sql).fetchall())
    assert counts == {f"S{n:02}": list(range(n, 600, 30)) for n in range(30)}


def test_columns_of_a_newer_version(lake: Path) -> None:
    """Files that lack a column give NULL for it, also where a view reads it."""
    for n in (1, 2):
        with adding(lake) as writing:
            writing.append_batches([("smf70_1_cpu", cpu_rows(["SYSA"], [0], n))])
    older = read_manifests(lake)[1][0]
    file = lake / older.path
    pq.write_table(pq.ParquetFile(file).read().drop_columns("smf70wat"), file)
    manifest = lake / "_imsperf" / "manifest-000001.json"
    said = json.loads(manifest.read_text())
    said["schemas"] = [[c for c in schema if c[0] != "smf70wat"] for schema in said["schemas"]]
    said["parts"][0]["bytes"] = file.stat().st_size
    manifest.write_text(json.dumps(said))
    with api.connect(lake) as store:
        assert store.scalar("SELECT count(*) FROM smf70_1_cpu WHERE smf70wat IS NULL") == 2
        assert store.scalar("SELECT list(record_no ORDER BY record_no) FROM smf70_1_cpu") == [1, 2]


# --- whole or not at all -------------------------------------------------------------------------


class Killed(BaseException):
    """Stands for a process that is gone: nothing is cleaned up."""


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int) -> Callable[[], None]:
    """Die at the n-th rename, or after it."""
    real, calls = Path.replace, [0]

    def replace(self: Path, target: Path) -> Path:
        calls[0] += 1
        if calls[0] > step:
            raise Killed
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(Claim, "release", lambda self: self._held.close())
    return monkeypatch.undo


STEPS = [0, *(pytest.param(step, marks=pytest.mark.slow) for step in (1, 6, 15))]


def essence(db: Path) -> Any:
    with api.connect(db) as store:
        names = {"load_file", "load_count", "load_record", "smf74_1_device", "smf70_1_cpu"}
        tables = columns_of(store)
        return {name: rows_of(store, name, tables[name]) for name in names & tables.keys()}


@pytest.fixture(scope="module")
def both(dumps: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with both dumps."""
    db = tmp_path_factory.mktemp("both") / "x.duckdb"
    api.load(dumps, db, run="r")
    return db


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_load_leaves_the_lake_as_it_was(
    dumps: list[Path], lake: Path, both: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """At each rename; the next load removes what is left and adds the file."""
    api.load(dumps[:1], lake, run="r", parquet=True)
    before = files_in(lake)
    known = essence(lake)
    revive = kill_at(monkeypatch, step)
    with pytest.raises(Killed):
        api.load(dumps[1:], lake, run="r")
    revive()
    assert (lake / ".staging").exists()
    assert essence(lake) == known
    Claim.take(lake, lake, 1).release()
    assert files_in(lake) == before
    api.load(dumps, lake, run="r")
    assert essence(lake) == essence(both)
    assert not (lake / ".staging").exists()


def test_what_fails_adds_nothing(lake: Path, tmp_path: Path) -> None:
    """Damage with --strict: nothing of any file; a new lake is removed again."""
    sound, broken = tmp_path / "whole.smf", tmp_path / "broken.smf"
    sound.write_bytes(writer.vbs([DEVICES], 4000))
    broken.write_bytes(writer.vbs(SECOND, 4000)[:-9])
    with pytest.raises(DumpError):
        api.load([sound, broken], lake, run="r", parquet=True, strict=True)
    assert not lake.exists()
    api.load([sound], lake, run="r", parquet=True, strict=True)
    before = files_in(lake)
    with pytest.raises(DumpError):
        api.load([sound, broken], lake, run="r", strict=True)
    assert files_in(lake) == before


def test_a_full_disk(dumps: list[Path], lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One message; the lake is as it was."""
    api.load(dumps[:1], lake, parquet=True)
    before = files_in(lake)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("_write", "to_disk", "_writer"):
        with monkeypatch.context() as patched:
            patched.setattr(lake_parts, name, full)
            with pytest.raises(ImsperfError, match=r"lake: cannot be written: .*No space left"):
                api.load(dumps[1:], lake)
        assert files_in(lake) == before
    api.load(dumps[1:], lake)


@pytest.mark.parametrize("run", ["r", "other"])
def test_two_loads_at_once(
    run: str, dumps: list[Path], lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are in the lake. Of one run, the later looks for repeats again: no record is twice."""
    real, calls = loading.load_files, [0]

    def load_files(*given: Any) -> Any:
        done = real(*given)
        calls[0] += 1
        if calls[0] == 1:
            api.load(dumps[:1], lake, run=run)
        return done

    monkeypatch.setattr(loading, "load_files", load_files)
    api.load(dumps, lake, run="r", parquet=True)
    assert calls[0] == (3 if run == "r" else 2)
    monkeypatch.undo()
    for name, some in ((run, dumps[:1]), ("r", dumps)):
        api.load(some, tmp_path / "x.duckdb", run=name)
    sql = "SELECT run, path, kept, repeated FROM load_file ORDER BY ALL"
    with api.connect(lake) as store, api.connect(tmp_path / "x.duckdb") as other:
        assert store.con.execute(sql).fetchall() == other.con.execute(sql).fetchall()
        sql = "SELECT count(DISTINCT file_id), count(*) FROM load_file"
        assert len(set(store.con.execute(sql).fetchall()[0])) == 1
    assert not list(lake.glob("_imsperf/claim*"))


KILLED = """
import sys
from imsperf import api
print("ready", flush=True)
api.load([sys.argv[1]], sys.argv[2], run="r", raw=True, parquet=True)
"""


@pytest.mark.slow
def test_sigkill_at_any_time(tmp_path: Path, lake: Path) -> None:
    """Killed 30 times within a load: always the old content, or all of the new."""
    file = tmp_path / "much.smf"
    file.write_bytes(writer.rdw([*PLAIN, DEVICES, CPU] * 400))
    for n in range(30):
        command = [sys.executable, "-P", "-c", KILLED, str(file), str(lake)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout and process.stdout.readline()
            time.sleep(0.06 * n)
            process.send_signal(signal.SIGKILL)
        if (lake / "_imsperf").is_dir():
            with api.connect(lake) as store:
                assert store.scalar("SELECT count(*) FROM load_record") in (0, 400 * 62)
    api.load([file], lake, run="r", raw=True, parquet=True)
    api.load([file], tmp_path / "x.duckdb", run="r", raw=True)
    assert_equal(tmp_path / "x.duckdb", lake)


# --- what is no lake, and what SQL may do --------------------------------------------------------


def test_folders_that_are_no_lake(dumps: list[Path], lake: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="without _imsperf"):
        api.connect(tmp_path)
    (tmp_path / "file").write_text("x")
    for place in (tmp_path, tmp_path / "file"):
        with pytest.raises(StoreError, match="expected a lake"):
            api.load(dumps, place, parquet=True)
    assert (tmp_path / "file").read_text() == "x"
    lake.mkdir()
    with pytest.raises(StoreError, match="expected a lake"):
        api.load(dumps, lake)  # an empty folder becomes a lake only when asked for
    api.load(dumps, lake, parquet=True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda said: said.update(format=99), "upgrade|newer|format 99"),
        (lambda said: said["parts"][0].update(path="../../x.parquet"), "no manifest"),
        (lambda said: said["parts"][0].update(path="/etc/passwd"), "no manifest"),
        (lambda said: said["schemas"][0][0].__setitem__(1, "INT) FROM x"), "no manifest"),
        (lambda said: said.pop("parts"), "no manifest"),
        (lambda said: said["parts"][0].update(bytes=7), "expected 7 bytes"),
        (lambda said: said["parts"][0].update(path="gone.parquet"), "no such file"),
    ],
)
def test_manifests_are_not_trusted(
    dumps: list[Path], lake: Path, change: Callable[[Any], None], words: str
) -> None:
    api.load(dumps[:1], lake, parquet=True)
    file = lake / "_imsperf" / "manifest-000001.json"
    said = json.loads(file.read_text())
    change(said)
    file.write_text(json.dumps(said))
    with pytest.raises(StoreError, match=words):
        api.connect(lake)


def test_sql_reads_the_lake_and_nothing_else(dumps: list[Path], lake: Path, tmp_path: Path) -> None:
    """No other file, no writing, no way to change that."""
    api.load(dumps[:1], lake, parquet=True)
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), other)
    part = next(
        manifest.path for manifest in read_manifests(lake)[1] if manifest.table == "load_file"
    )
    bytes_before = {file: (lake / file).read_bytes() for file in files_in(lake) if ".p" in file}
    with api.connect(lake) as store:
        assert store.scalar(f"SELECT count(*) FROM read_parquet('{lake / part}')") == 1
        for sql in (
            f"FROM '{other}'",
            f"FROM read_text('{lake / '_imsperf' / 'manifest-000001.json'}')",
            f"FROM read_parquet('{lake}/../other.parquet')",
            f"FROM glob('{tmp_path}/*')",
            f"COPY (SELECT 1) TO '{lake / part}' (FORMAT parquet, USE_TMP_FILE false)",
            f"WITH x AS (COPY (SELECT 1) TO '{lake / part}') FROM x",
            f"ATTACH '{tmp_path}/new.duckdb'",
            f"EXPORT DATABASE '{tmp_path}/out'",
            "SET enable_external_access = true",
            f"SET allowed_paths = ['{other}']",
            "INSERT INTO load_file (run) VALUES ('x')",
        ):
            with pytest.raises((duckdb.Error, ImsperfError)):
                api.query(store, sql)
    assert {file: (lake / file).read_bytes() for file in bytes_before} == bytes_before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lake", "other.parquet"]


def test_views_are_made_when_they_are_named(dumps: list[Path], lake: Path) -> None:
    """In a transaction, and where SQL lists them, all; a file that is no Parquet file is told."""
    api.load(dumps, lake, parquet=True)
    made = "SELECT view_name FROM {}() WHERE NOT internal"
    with api.connect(lake) as store:
        raw = store.con._con  # type: ignore[attr-defined]
        few = raw.execute(made.format("duckdb_views")).fetchall()
        assert len(few) < 10  # tables that no view reads
        assert store.con.execute("FROM rmf_device").fetchall()
        more = raw.execute(made.format("duckdb_views")).fetchall()
        assert ("rmf_device",) in more and len(more) < 25
        with store.con.cursor() as cursor:
            cursor.execute("BEGIN TRANSACTION")
            assert cursor.execute("FROM rmf_cpu").fetchall()
            cursor.execute("COMMIT")
        assert len(store.con.execute(made.format("duckdb_views")).fetchall()) > 100
    (part,) = (lake / "smf74_1_device").rglob("*.parquet")
    part.write_bytes(bytes(part.stat().st_size))
    with api.connect(lake) as store:
        assert store.con.execute("FROM rmf_cpu").fetchall()
        with pytest.raises(StoreError, match="cannot be read as a lake"):
            store.con.execute("FROM rmf_device")


def test_command_line(dumps: list[Path], lake: Path) -> None:
    """--parquet writes, --db reads; both or none is wrong usage."""
    from click.testing import CliRunner

    from imsperf.cli.database.query import command as query
    from imsperf.cli.dumps.load import command as load

    run = CliRunner().invoke
    assert run(load, [str(dumps[0])]).exit_code == 2
    assert run(load, [str(dumps[0]), "--db", "x", "--parquet", str(lake)]).exit_code == 2
    assert run(load, [str(dumps[0]), "--parquet", str(lake)]).exit_code == 0
    done = run(query, ["--db", str(lake), "--format", "csv", "SELECT count(*) AS n FROM load_file"])
    assert done.output.split() == ["n", "1"]


def test_the_lock_file_is_left_to_the_next_load(dumps: list[Path], lake: Path) -> None:
    """It holds a number of a process, and is no sign of a load by itself."""
    api.load(dumps[:1], lake, parquet=True)
    assert (lake / "_imsperf" / "lock").read_text().strip().isdecimal()
    api.load(dumps[1:], lake)
    assert is_lake(lake)


def test_a_system_without_fcntl(dumps: list[Path], lake: Path) -> None:
    """Windows and others: the modules of a lake are there, and a load takes its locks by msvcrt."""
    script = """
import json, sys, types
sys.modules["fcntl"] = None
from pathlib import Path
import imsperf.lake.writer, imsperf.loading.jobs
from imsperf.lake.commits import Claim
taken = []
locks = types.SimpleNamespace(LK_NBLCK=2, locking=lambda file, *how: taken.append(how))
sys.modules["msvcrt"], sys.platform = locks, "win32"
place = Path(sys.argv[1])
place.joinpath("_imsperf").mkdir(parents=True)
claim = Claim.take(place, place, 1)
(file,) = place.glob("_imsperf/claim*")
assert json.loads(file.read_text())["first_file"] == 1
claim.release()
assert taken == [(2, 1)] * 2, taken  # of the lake, and of the claim
"""
    subprocess.run([sys.executable, "-P", "-c", script, str(lake)], check=True)
