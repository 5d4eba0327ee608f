"""Executors of Spark load what one process loads; they read one table of dumps without a lake."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest
import second_writer as writer
from places import TESTS
from test_full_disk import on_small_disk
from test_tasks import PART, job_of, rows_of
from test_transfer_forms import records
from watching import Watch, parent_of

import imsperf
from imsperf import layouts
from imsperf import spark as on_spark
from imsperf.errors import DumpError, ImsperfError
from imsperf.lake.commits import STAGING
from imsperf.lake.parts import columns_of
from imsperf.loading.jobs import load_with
from imsperf.loading.load import Job, load_into
from imsperf.loading.tasks import Task
from imsperf.parsers.options import ReadOptions
from imsperf.spark.loading import on_executors

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    pytest.mark.skipif(not find_spec("pyspark"), reason="pyspark is not installed"),
]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Two executors of their own, each with one core."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.timeType.enabled": "true",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def dumps(tmp_path: Path) -> list[Path]:
    """SMF and a log, of which some records overlap."""
    smf, log = records("smf", 1), records("ims", 1)
    files = {"first": smf[:40], "second": smf[30:], "log": log}
    for name, some in files.items():
        (tmp_path / name).write_bytes(writer.rdw(some))
    return [tmp_path / name for name in files]


def in_one(dumps: list[Path], lake: Path) -> Any:
    load_into(lake, dumps, job_of(), parquet=True)
    return rows_of(lake)


def asked() -> dict[str, Any]:
    return {"run": "r", "raw": True, "part_bytes": PART, "range_bytes": 10 * PART}


def test_rows_of_a_lake(session: Any, dumps: list[Path], tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    done = on_spark.load(session, dumps, lake, **asked())
    assert rows_of(lake) == in_one(dumps, tmp_path / "one")
    assert [file.repeated for file in done] == [0, len(records("smf", 1)[30:40]), 0]
    assert not list(lake.glob("_imsperf/claim*"))
    (again,) = on_spark.load(session, dumps[:1], lake, **asked())
    assert "already" in again.skipped


# --- killed --------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who writes")
@pytest.mark.parametrize("who", ["worker", "executor"])
def test_who_is_killed(who: str, session: Any, dumps: list[Path], tmp_path: Path) -> None:
    """In the midst of a task, which then runs again elsewhere; no row is there twice. A worker is
    a Python process, its parent's parent the executor."""
    lake, killed = tmp_path / "lake", list[str]()
    application = session.sparkContext.applicationId

    def kill(watch: Watch) -> None:
        name, pid = watch.writer()
        if who == "executor":
            pid = parent_of(parent_of(pid))
            words = Path(f"/proc/{pid}/cmdline").read_text()
            assert "CoarseGrainedExecutorBackend" in words and application in words
        os.kill(pid, signal.SIGKILL)
        killed.append(name[:5])

    watch = Watch(lake)
    with watch.during(kill):
        on_spark.load(session, dumps, lake, **asked())
    assert len(watch.attempts[killed[0]]) > 1
    assert rows_of(lake) == in_one(dumps, tmp_path / "one")
    assert not (lake / STAGING).exists()


# --- other drivers -------------------------------------------------------------------------------


def driver_words(files: list[Path], lake: Path, run: str, **more: Any) -> str:
    """What drivers.py is asked."""
    names = [str(file) for file in files]
    given = {"by": "spark", "master": "local[1]", "options": {}} | more
    return json.dumps({**given, "files": names, "lake": str(lake), "run": run})


def driver(files: list[Path], lake: Path, run: str, **more: Any) -> subprocess.Popen[str]:
    """A program of its own."""
    words = driver_words(files, lake, run, **more)
    command = [sys.executable, "-P", str(TESTS), "drivers", words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("other", ["spark", "command"])
@pytest.mark.parametrize("runs", ["rr", "ab"])
def test_two_drivers_at_once(runs: str, other: str, dumps: list[Path], tmp_path: Path) -> None:
    """Both have read all when the first commits. Other runs are both there; the same files of one
    run are there once, and the later driver says so."""
    lake, meet = tmp_path / "lake", tmp_path / "meet"
    meet.mkdir()
    both = [
        driver(dumps, lake, run, by=by, meet=str(meet), of=2)
        for run, by in zip(runs, ("spark", other), strict=True)
    ]
    told = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert len(list(meet.iterdir())) == 2
    for run in runs:
        load_into(tmp_path / "one", dumps, Job(ReadOptions(), run), parquet=True)
    but = ("loaded_at", "file_id")  # which of them was first is not known
    assert rows_of(lake, but) == rows_of(tmp_path / "one", but)
    with imsperf.connect(lake) as store:
        files = store.con.execute("SELECT count(*), count(DISTINCT file_id) FROM load_file")
        assert files.fetchall() == [(3 * len(set(runs)),) * 2]
    if runs == "rr" and other == "spark":
        skipped = [["already" in line[1] for line in json.loads(out)] for out, _ in told]
        assert sorted(skipped) == [[False] * 3, [True] * 3]
    assert not (lake / STAGING).exists()
    assert not list(lake.glob("_imsperf/claim*"))


@pytest.mark.parametrize("step", ["tasks", "before", "after"])
def test_a_driver_that_is_killed(step: str, dumps: list[Path], tmp_path: Path) -> None:
    """While its executors read, or before or after its manifest: the lake is as it was, or has all.
    The next load has all, once, and removes what was left."""
    lake = tmp_path / "lake"
    load_into(lake, dumps[2:], job_of(), parquet=True)
    before, options = rows_of(lake), {k: v for k, v in asked().items() if k != "run"}
    more = {"master": "local-cluster[2,1,1024]", "options": options, "killed": step}
    process = driver(dumps[:2], lake, "r", **more)
    out, error = process.communicate()
    assert process.returncode == -signal.SIGKILL, out + error
    load_into(tmp_path / "one", dumps[2:], job_of(), parquet=True)
    load_into(tmp_path / "one", dumps[:2], job_of(), parquet=True)
    whole = rows_of(tmp_path / "one")
    assert before != whole
    assert rows_of(lake) == (whole if step == "after" else before)
    assert list(lake.glob("_imsperf/claim*"))
    until = time.monotonic() + 120
    while Watch(lake).look() and time.monotonic() < until:  # executors end when they see it
        time.sleep(0.1)
    load_into(lake, dumps[:2], job_of(), parquet=True)
    assert rows_of(lake) == whole
    assert not (lake / STAGING).exists()
    assert not list(lake.glob("_imsperf/claim*"))


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [lambda data: data[:-5000], lambda data: data + data[-500:]])
def test_a_file_that_changes(change: Any, session: Any, dumps: list[Path], tmp_path: Path) -> None:
    """After the pass: it is named, the others load."""
    lake, ahead = tmp_path / "lake", [dumps[0].read_bytes()]
    on_all = on_executors(session)

    def run(*given: Any) -> Iterator[Any]:
        while ahead:
            dumps[0].write_bytes(change(ahead.pop()))
        yield from on_all(*given)

    with pytest.raises(DumpError, match="first: was changed"):
        load_with(run, lake, dumps, job_of(), 10 * PART, create=True)
    with imsperf.connect(lake) as store:
        names = store.con.execute("SELECT path FROM load_file ORDER BY file_id").fetchall()
    assert names == [(str(dumps[1]),), (str(dumps[2]),)]


def test_a_damaged_gz(session: Any, dumps: list[Path], tmp_path: Path) -> None:
    """What can be read of it is there, the damage in the ledger, as by one process."""
    packed = tmp_path / "first.gz"
    packed.write_bytes(writer.gz(dumps[0].read_bytes())[:-400])
    files = [packed, *dumps[1:]]
    on_spark.load(session, files, tmp_path / "lake", **asked())
    assert rows_of(tmp_path / "lake") == in_one(files, tmp_path / "one")
    with imsperf.connect(tmp_path / "lake") as store:
        assert store.scalar("SELECT count(*) FROM load_problem WHERE severity = 'data_loss'")


def test_what_is_no_dump(session: Any, dumps: list[Path], tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no dump\n" * 100)
    with pytest.raises(DumpError, match="text"):
        on_spark.load(session, [*dumps, text], tmp_path / "lake", **asked())
    assert not (tmp_path / "lake").exists()


def test_a_full_disk(dumps: list[Path], tmp_path: Path) -> None:
    """Of the executors: one message; the lake, which was not there, goes again."""
    disk = tmp_path / "disk"
    disk.mkdir()
    asked = driver_words(dumps, disk / "lake", "r", pages=40)
    told = on_small_disk(disk, "drivers", asked)
    assert re.search("executor of Spark could not .*No space left", told["error"])
    assert told["left"] == []


def test_a_lake_that_executors_do_not_see(session: Any, tmp_path: Path) -> None:
    """They write nothing then, and say where they looked."""
    lake, task = tmp_path / "lake", cast(Task, None)
    with pytest.raises(ImsperfError, match=f"StoreError: {lake}: the machine .* sees no lake"):
        list(on_executors(session)([task], lake / STAGING / "000001", 1))
    assert not lake.exists()


def test_every_table_has_types_of_spark(session: Any) -> None:
    """What we decode can be handed to it."""
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StructType

    from imsperf.spark.source import DumpSource

    for name in (*layouts.shipped_tables(), "smf_raw", "ims_raw"):
        schema = to_arrow_schema(StructType.fromDDL(DumpSource({"table": name}).schema()))
        ours = pa.schema([(column.name, column.arrow) for column in columns_of(name)])
        nothing = [pa.nulls(2, field.type) for field in ours]
        pa.RecordBatch.from_arrays(nothing, schema=ours).cast(schema)


@pytest.mark.parametrize("table", ["smf74_1_device", "ims_raw", "smf70_1_product"])
def test_a_table_of_dumps(table: str, session: Any, dumps: list[Path]) -> None:
    """The rows of `imsperf.read`, without a lake."""
    on_spark.register(session)
    file = dumps[2] if table.startswith("ims") else dumps[0]
    source = session.read.format("imsperf").option("path", str(file)).option("table", table)
    rows = [row.asDict() for row in source.option("raw", "true").load().collect()]
    wanted = imsperf.read(file, raw=True).table(table)
    assert len(rows) == wanted.num_rows > 0
    expected = wanted.select(list(rows[0])).to_pylist()
    assert sorted(map(comparable, rows)) == sorted(map(comparable, expected))


def test_types_of_a_table_of_dumps(session: Any, dumps: list[Path]) -> None:
    """Records that are not wanted are not decoded: their table has no rows then."""
    on_spark.register(session)
    source = session.read.format("imsperf").option("path", str(dumps[0]))
    devices = source.option("table", "smf74_1_device")
    there = imsperf.read(dumps[0]).table("smf74_1_device").num_rows
    assert devices.option("types", "74.1").load().count() == there > 0
    assert devices.option("types", "70").load().count() == 0


def test_an_option_that_is_none(session: Any, dumps: list[Path]) -> None:
    on_spark.register(session)
    source = session.read.format("imsperf").option("path", str(dumps[0]))
    with pytest.raises(Exception, match=r"found option 'type', which .* did you mean types"):
        source.option("table", "smf74_1_device").option("type", "74.1").load()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"path": "x"}, "found no option 'table'"),
        ({"table": "smf74_1_device"}, "found no option 'path'"),
        ({"path": "x", "table": "smf74_1_devic"}, "did you mean smf74_1_device"),
    ],
)
def test_what_a_source_lacks_is_told_when_it_is_named(
    session: Any, options: dict[str, str], said: str
) -> None:
    """With the hint, of which Spark passes on nothing by itself."""
    on_spark.register(session)
    with pytest.raises(Exception, match=said):
        session.read.format("imsperf").options(**options).load()


def comparable(row: dict[str, Any]) -> str:
    """A row as text: binary as bytes, whole numbers as int."""
    kinds = {bytearray: bytes, Decimal: int}
    return repr({name: kinds.get(type(x), lambda x: x)(x) for name, x in row.items()})
