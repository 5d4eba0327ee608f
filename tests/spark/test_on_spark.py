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
from places import CHECKOUT

import imsperf
from imsperf import spark as on_spark
from imsperf.cli import main
from imsperf.database.store import Store
from imsperf.errors import AbsentRecords, ReportError, StoreError
from imsperf.lake.manifest import HOME
from imsperf.reports.catalog import shipped
from imsperf.reports.lineage.names import Library
from imsperf.spark.report import with_views
from imsperf.spark.translate import Part

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    pytest.mark.skipif(not find_spec("pyspark"), reason="pyspark is not installed"),
]
SMALL = {
    "spark.driver.memory": "3g",
    # else whoever waits for a thread that ran out of memory waits for ever
    "spark.driver.extraJavaOptions": "-XX:+ExitOnOutOfMemoryError",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    # thousands of small plans: compiling them would take longer than running them
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
}


SCENARIOS = ("ff-haldb", "dsff-smq", "tps-100k", "fast-path", "esaf-pooling")
VIEWS, REPORTS, RANGES = (
    "views, all rows",
    "reports, all rows",
    "reports of a range of time, totals",
)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 40 seconds of each scenario, SMF and log."""
    folder = tmp_path_factory.mktemp("spark")
    for name in SCENARIOS:
        some = ["--seconds", "40", "--every", "10s", "--sample", "1000"]
        main(["generate", name, *some, "--out", str(folder / name)])
        imsperf.load(folder / name, folder / "lake", parquet=True)
    return folder / "lake"


@pytest.fixture(scope="module")
def equal() -> dict[str, dict[str, int]]:
    """How many rows views and reports had that were equal, by what was compared."""
    return {VIEWS: {}, REPORTS: {}, RANGES: {}}


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


class TestViews:
    """All at once: they read each other."""

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def all_views(cls, session: Any) -> Iterator[None]:
        with with_views(session, [Part("", "", (), frozenset(Library().view_names))], {}):
            yield

    @pytest.mark.parametrize("name", Library().view_names)
    def test_rows(
        self, name: str, session: Any, store: Store, equal: dict[str, dict[str, int]]
    ) -> None:
        expected = store.con.sql(f'SELECT * FROM "{name}"').to_arrow_table()
        check_same(session.table(name).toArrow(), expected)
        equal[VIEWS][name] = expected.num_rows


@pytest.mark.parametrize("report_id", list(shipped().reports))
def test_reports(
    report_id: str, session: Any, store: Store, equal: dict[str, dict[str, int]]
) -> None:
    equal[REPORTS][report_id] = check_report(session, store, report_id)


@pytest.mark.parametrize("report_id", list(shipped().reports))
def test_ranges_and_totals(
    report_id: str, session: Any, store: Store, equal: dict[str, dict[str, int]]
) -> None:
    """Intervals two and three; where a report has totals, the total of them."""
    rows, column = answer(imsperf.report, report_id, store), "interval_start"
    has_times = rows is not None and column in rows.column_names
    starts = sorted(set(rows[column].to_pylist()) - {None}) if has_times else []
    options: dict[str, Any] = {"start": starts[1], "end": starts[-1]} if len(starts) > 2 else {}
    has_total = isinstance(answer(imsperf.report, report_id, store, total=True), pa.Table)
    options |= {"total": True} if has_total else {}
    equal[RANGES][report_id] = check_report(session, store, report_id, **options)


@pytest.mark.parametrize("report_id", ["rmf.device", "rmf.cpu", "ims.transactions"])
@pytest.mark.parametrize("options", [{"every": timedelta(seconds=20)}, {"top": 2}], ids=str)
def test_intervals_and_tops(
    report_id: str, options: dict[str, Any], session: Any, store: Store
) -> None:
    by = {"rmf.device": "resp_ms", "rmf.cpu": "mvs_busy_pct", "ims.transactions": "per_s"}
    more = {"by": by[report_id]} if "top" in options else {}
    assert check_report(session, store, report_id, **options, **more)


def test_a_range_is_forgotten(session: Any, store: Store) -> None:
    """The next report has all rows, those of all systems and runs too."""
    some: dict[str, Any] = {"system": "SYSA", "run": "ff-haldb"}
    rows = imsperf.report("rmf.device", store, **some)
    starts = sorted(set(rows["interval_start"].to_pylist()))
    some |= {"start": starts[1], "end": starts[3]}
    few = check_report(session, store, "rmf.device", **some)
    assert 0 < few < check_report(session, store, "rmf.device")


def test_no_rows(session: Any, store: Store) -> None:
    """Spark says why there are none, as DuckDB does."""
    for report_id, options in (
        ("rmf.device", {"system": "SYSQ"}),
        ("rmf.device", {"run": "ff-hald"}),
        ("ims.cqs", {"run": "ff-haldb"}),
    ):
        with pytest.raises(ReportError) as expected:
            imsperf.report(report_id, store, **options)
        with pytest.raises(ReportError) as told:
            on_spark.report(session, report_id, **options)
        assert type(told.value) is type(expected.value)
        assert told.value.hint == expected.value.hint


def test_no_lake(session: Any, lake: Path, tmp_path: Path) -> None:
    """None attached, a folder that is none, one whose files are gone."""
    with pytest.raises(ReportError, match="no lake in this session"):
        on_spark.report(session.newSession(), "rmf.device")
    with pytest.raises(StoreError, match="expected a lake"):
        on_spark.attach(session, tmp_path)
    shutil.copytree(lake / HOME, tmp_path / HOME)
    with pytest.raises(StoreError, match="no such file"):
        on_spark.attach(session, tmp_path)


def test_document_has_the_counts(equal: dict[str, dict[str, int]]) -> None:
    """The table of docs/spark.md, when all was compared."""
    of = {VIEWS: Library().view_names, REPORTS: shipped().reports, RANGES: shipped().reports}
    lines = [
        f"| {what} | {len(rows)} of {len(of[what])} | {sum(map(bool, rows.values()))} |"
        for what, rows in equal.items()
    ]
    print("\n".join(lines))
    if any(len(equal[what]) < len(every) for what, every in of.items()):
        pytest.skip("not all were compared, or not all are equal")
    document = (CHECKOUT / "docs/spark.md").read_text(encoding="utf-8")
    assert [line for line in lines if line not in document] == []


def answer(ask: Any, *given: Any, **options: Any) -> Any:
    """The rows, or what is said why there are none."""
    try:
        return ask(*given, **options)
    except AbsentRecords:
        return None
    except ReportError as error:
        return error.message


def check_report(session: Any, store: Store, report_id: str, **options: Any) -> int:
    """Compare them; the number of rows. Where DuckDB says why there are none, Spark says it too."""
    expected = answer(imsperf.report, report_id, store, **options)
    rows = answer(on_spark.report, session, report_id, **options)
    if not isinstance(expected, pa.Table):
        assert rows == expected
        return 0
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
