"""What --from, --to, --interval and --total leave in: every value by hand from few records."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from report_database import with_tables

from imsperf.errors import ReportError
from imsperf.reports.run import Filter, aggregate, run, summed
from imsperf.reports.text import render

CASES = Path(__file__).parent / "report_values"
SECOND = datetime(2026, 3, 2, 10, 1)


def case(name: str) -> dict[str, Any]:
    """The rows of a case of report_values, by table."""
    tables: dict[str, Any] = json.loads((CASES / f"{name}.json").read_text())["tables"]
    return tables


def a_minute_later(rows: list[dict[str, Any]], **values: Any) -> list[dict[str, Any]]:
    """The same rows as records of the next minute, with other values where a row has them."""
    later = deepcopy(rows)
    for row in later:
        row["record_no"] += 100
        for name in ("interval_start", "interval_end"):
            row[name] = (datetime.fromisoformat(row[name]) + timedelta(minutes=1)).isoformat()
        row |= {name: change(row[name]) for name, change in values.items() if row.get(name)}
    return later


@pytest.fixture(scope="module")
def two_minutes() -> duckdb.DuckDBPyConnection:
    """One system: in the second minute half the transactions and half the CPU; no type 30."""
    tables = case("metrics_one_system")
    half = {"r723crcp": lambda n: n // 2, "smf70pdt": lambda n: n // 2}
    for name, rows in tables.items():
        if not name.startswith("smf30"):
            rows.extend(a_minute_later(rows, **half))
    return with_tables(tables)


def metrics(con: duckdb.DuckDBPyConnection, keep: Filter) -> dict[str, Any]:
    """The metrics of the one system."""
    rows = run(con, "run.metrics", keep=keep).table.to_pylist()
    return {row["metric"]: row["value"] for row in rows}


# 60,000 transactions, 132 of 180 s of three CPs; then 30,000 and 66 s
@pytest.mark.parametrize(
    ("keep", "etr", "busy", "region"),
    [
        (Filter(), 90000 / 120, 100 * 198 / 360, 60e6 / 60 / 750),
        (Filter(end=SECOND), 1000, 100 * 132 / 180, 1000),
        (Filter(start=SECOND), 500, 100 * 66 / 180, None),
        (Filter(start=SECOND, system="SYSA"), 500, 100 * 66 / 180, None),
    ],
)
def test_metrics_are_of_the_range(
    two_minutes: duckdb.DuckDBPyConnection,
    keep: Filter,
    etr: float,
    busy: float,
    region: float | None,
) -> None:
    """--from and --to choose the intervals; a record that is not in them is absent."""
    found = metrics(two_minutes, keep)
    assert found["etr_per_s"] == pytest.approx(etr)
    assert found["cpu_busy_pct"] == pytest.approx(busy)
    assert found["itr_per_s"] == pytest.approx(etr / busy * 100)
    assert found["region_cpu_us_per_tran"] == (region and pytest.approx(region))


def test_metrics_say_of_which_time_they_are(two_minutes: duckdb.DuckDBPyConnection) -> None:
    """The page names the first start and the last end; no interval in the range: no row."""
    page = render(run(two_minutes, "run.metrics", keep=Filter(start=SECOND)))
    assert "Time: 2026-03-02 10:01:00 to 2026-03-02 10:02:00\n" in page
    none = run(two_minutes, "run.metrics", keep=Filter(start=SECOND + timedelta(hours=1)))
    assert (none.table.num_rows, none.note) == (0, "no interval begins in that time")


def test_a_range_that_cannot_be_kept_is_refused(two_minutes: duckdb.DuckDBPyConnection) -> None:
    """Never ignored in silence: run.config and load.coverage have no time to choose by."""
    for report, hint in (("run.config", ""), ("load.coverage", "load --from")):
        with pytest.raises(ReportError) as refused:
            run(two_minutes, report, keep=Filter(start=SECOND))
        assert hint in (refused.value.hint or "")
    with pytest.raises(ReportError, match="--interval"):
        summed(run(two_minutes, "run.metrics"), timedelta(minutes=1))


def test_columns_stay_in_line_and_order(two_minutes: duckdb.DuckDBPyConnection) -> None:
    """A total keeps the order of the rows."""
    once = run(two_minutes, "run.metrics")
    names = [row["metric"] for row in once.table.to_pylist()]
    assert [row["metric"] for row in aggregate(once).table.to_pylist()] == names
