"""Executors of Spark load what one process loads; they read one table of dumps without a lake."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import second_writer as writer
from test_tasks import PART, RANGE, job_of, rows_of
from test_transfer_forms import records

import imsperf
from imsperf import spark as on_spark
from imsperf.errors import DumpError
from imsperf.loading.load import load_into

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    pytest.mark.skipif(not find_spec("pyspark"), reason="pyspark is not installed"),
]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Two executors of their own, each with one core; a task that is slow is tried twice."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.speculation": "true",
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
    return {"run": "r", "raw": True, "part_bytes": PART, "range_bytes": RANGE}


def test_rows_of_a_lake(session: Any, dumps: list[Path], tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    done = on_spark.load(session, dumps, lake, **asked())
    assert rows_of(lake) == in_one(dumps, tmp_path / "one")
    assert [file.repeated for file in done] == [0, len(records("smf", 1)[30:40]), 0]
    assert not list(lake.glob("_imsperf/claim*"))
    (again,) = on_spark.load(session, dumps[:1], lake, **asked())
    assert "already" in again.skipped


def test_an_executor_that_is_killed(session: Any, dumps: list[Path], tmp_path: Path) -> None:
    """Its tasks run again elsewhere; no row is there twice."""
    lake, killed, is_over = tmp_path / "lake", list[int](), threading.Event()

    def kill() -> None:
        while not is_over.wait(0.02):
            if len(list(lake.glob(".staging/*/*"))) > 2:
                out = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True)
                for line in out.stdout.splitlines():
                    pid, _, words = line.strip().split(None, 2)
                    is_mine = session.sparkContext.applicationId in words
                    if "CoarseGrainedExecutorBackend" in words and is_mine:
                        os.kill(int(pid), signal.SIGKILL)
                        killed.append(int(pid))
                        return

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        on_spark.load(session, dumps, lake, **asked())
    finally:
        is_over.set()
        killer.join()
    assert killed
    assert rows_of(lake) == in_one(dumps, tmp_path / "one")


def test_what_is_no_dump(session: Any, dumps: list[Path], tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no dump\n" * 100)
    with pytest.raises(DumpError, match="text"):
        on_spark.load(session, [*dumps, text], tmp_path / "lake", **asked())
    assert not (tmp_path / "lake").exists()


@pytest.mark.parametrize("table", ["smf74_1_device", "ims_raw", "smf70_1_product"])
def test_a_table_of_dumps(table: str, session: Any, dumps: list[Path]) -> None:
    """The rows of `imsperf.read`, without a lake."""
    on_spark.register(session)
    file = dumps[2] if table.startswith("ims") else dumps[0]
    source = session.read.format("imsperf").option("path", str(file)).option("table", table)
    rows = source.load().drop("hash").collect()
    wanted = imsperf.read(file).table(table)
    assert len(rows) == wanted.num_rows > 0
    found = [row["record_no"] for row in rows]
    assert sorted(found) == sorted(wanted["record_no"].to_pylist())
    numbers = [name for name, kind in zip(wanted.schema.names, wanted.schema.types, strict=True)
               if "int" in str(kind)]  # fmt: skip
    have = sorted(tuple(row[name] for name in numbers) for row in rows)
    known = sorted(zip(*(wanted[name].to_pylist() for name in numbers), strict=True))
    assert have == known
