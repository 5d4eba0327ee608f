"""Executors of Spark load what one process loads; they read one table of dumps without a lake."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import second_writer as writer
from test_tasks import PART, job_of, rows_of
from test_transfer_forms import records

import imsperf
from imsperf import layouts
from imsperf import spark as on_spark
from imsperf.errors import DumpError
from imsperf.lake.parts import columns_of
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
    return {"run": "r", "raw": True, "part_bytes": PART, "range_bytes": 10 * PART}


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
    name = session.sparkContext.applicationId

    def kill() -> None:
        while not killed and not is_over.wait(0.02):
            if len(list(lake.glob(".staging/*/*"))) > 2:
                command = ["ps", "-wweo", "pid,args"]  # whole lines, whatever COLUMNS says
                out = subprocess.run(command, capture_output=True, text=True, check=True)
                mine = [line for line in out.stdout.splitlines() if name in line]
                backends = [line for line in mine if "CoarseGrainedExecutorBackend" in line]
                killed.append(int(backends[0].split()[0]))
                os.kill(killed[0], signal.SIGKILL)

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


def comparable(row: dict[str, Any]) -> str:
    """A row as text: binary as bytes, whole numbers as int."""
    kinds = {bytearray: bytes, Decimal: int}
    return repr({name: kinds.get(type(x), lambda x: x)(x) for name, x in row.items()})
