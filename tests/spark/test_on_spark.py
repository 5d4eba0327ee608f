"""Views and reports of a lake on Spark give the rows that DuckDB gives, floats within 1e-9."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import imsperf
from imsperf import spark as on_spark
from imsperf.cli import main
from imsperf.errors import AbsentRecords
from imsperf.reports.catalog import shipped
from imsperf.reports.lineage.names import Library
from imsperf.spark.report import with_views
from imsperf.spark.translate import Part
from imsperf.store import Store

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    pytest.mark.skipif(not find_spec("pyspark"), reason="pyspark is not installed"),
]
SMALL = {
    "spark.driver.memory": "2g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    # thousands of small plans: compiling them would take longer than running them
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of ff-haldb of 40 seconds, SMF and log."""
    folder = tmp_path_factory.mktemp("spark")
    run = ["ff-haldb", "--seconds", "40", "--every", "10s", "--sample", "500"]
    main(["generate", *run, "--out", str(folder / "run")])
    dumps = [str(file) for file in (folder / "run").iterdir() if file.suffix != ".toml"]
    imsperf.load(dumps, folder / "lake", parquet=True, run="ff")
    return folder / "lake"


@pytest.fixture(scope="module")
def session(lake: Path) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]")
    for name, value in SMALL.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    on_spark.attach(session, lake, views=False)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def store(lake: Path) -> Iterator[Store]:
    with imsperf.connect(lake) as store:
        yield store


@pytest.mark.parametrize("name", Library().view_names)
def test_views_have_the_same_rows(name: str, session: Any, store: Store) -> None:
    expected = store.con.sql(f'SELECT * FROM "{name}"').to_arrow_table()
    with with_views(session, [Part("", "", (), frozenset({name}))], {}):
        check_same(session.table(name).toArrow(), expected)


@pytest.mark.parametrize("report_id", list(shipped().reports))
def test_reports_have_the_same_rows(report_id: str, session: Any, store: Store) -> None:
    check_report(session, store, report_id)


@pytest.mark.parametrize("report_id", ["rmf.device", "rmf.cpu", "ims.transactions"])
@pytest.mark.parametrize("options", [{"total": True}, {"every": timedelta(seconds=20)}, {"top": 2}])
def test_totals_are_the_same(
    report_id: str, options: dict[str, Any], session: Any, store: Store
) -> None:
    by = {"rmf.device": "resp_ms", "rmf.cpu": "busy_pct", "ims.transactions": "trans_per_s"}
    more = {"by": by[report_id]} if "top" in options else {}
    check_report(session, store, report_id, **options, **more)


@pytest.mark.parametrize("report_id", ["rmf.device", "ims.transactions"])
def test_ranges_are_the_same(report_id: str, session: Any, store: Store) -> None:
    first = imsperf.report(report_id, store)["interval_start"].to_pylist()
    starts = sorted(set(first))
    options = {"start": starts[1], "end": starts[3], "system": "SYSA", "run": "ff"}
    rows = check_report(session, store, report_id, **options)
    assert 0 < rows < len(first)
    check_report(session, store, report_id)  # the range is forgotten


def check_report(session: Any, store: Store, report_id: str, **options: Any) -> int:
    """Compare them; the number of rows."""
    rows = on_spark.report(session, report_id, **options)
    try:
        expected = imsperf.report(report_id, store, **options)
    except AbsentRecords:
        expected = rows.schema.empty_table()
    assert rows.schema.equals(expected.schema)
    check_same(rows, expected)
    return int(rows.num_rows)


def check_same(rows: pa.Table, expected: pa.Table) -> None:
    """The same rows in any order."""
    assert rows.column_names == expected.column_names
    mine, theirs = ordered(rows), ordered(expected)
    assert len(mine) == len(theirs)
    for row, other in zip(mine, theirs, strict=True):
        assert is_same(row, other), [
            (name, value, wanted)
            for name, value, wanted in zip(rows.column_names, row, other, strict=True)
            if not is_same(value, wanted)
        ]


def ordered(rows: pa.Table) -> list[tuple[Any, ...]]:
    values = [tuple(map(plain, row.values())) for row in rows.to_pylist()]
    return sorted(values, key=lambda row: [(value is None, as_text(value)) for value in row])


def as_text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def plain(value: Any) -> Any:
    """A value as both have it: whole numbers as int, lengths as timedelta, rows as tuples."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, pa.MonthDayNano):
        return timedelta(days=value.days, microseconds=value.nanoseconds // 1000)
    if isinstance(value, datetime) and value.year in (1, 9999):
        return None  # infinity
    if isinstance(value, dict):
        return tuple(map(plain, value.values()))
    if isinstance(value, list):
        return tuple(map(plain, value))
    return value


def is_same(value: Any, other: Any) -> bool:
    if isinstance(value, tuple) and isinstance(other, tuple):
        return len(value) == len(other) and all(map(is_same, value, other))
    if isinstance(value, float) or isinstance(other, float):
        if value is None or other is None:
            return value is other
        return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(value == other)
