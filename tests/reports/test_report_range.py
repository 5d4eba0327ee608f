"""What --from, --to, --interval and --total leave in: every value by hand from few records."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

import duckdb
import pytest
from places import TESTS
from report_database import with_tables

from imsperf.errors import ReportError
from imsperf.reports.filter import Filter
from imsperf.reports.run import ask, run
from imsperf.reports.text import render
from imsperf.reports.total import aggregate, summed

CASES = TESTS / "report_values"
FIRST = "2026-03-02T10:00:00"
SECOND = datetime(2026, 3, 2, 10, 1)
TIMES = {"interval_start", "interval_end", "smf42pts", "smf42pte", "smf30iss", "smf30iet"}


def case(name: str) -> dict[str, Any]:
    """The rows of a case of report_values, by table."""
    tables: dict[str, Any] = json.loads((CASES / f"{name}.json").read_text())["tables"]
    return tables


def a_minute_later(rows: list[dict[str, Any]], **values: Any) -> list[dict[str, Any]]:
    """The same rows as records of the next minute, with other values where a row has them."""
    later = deepcopy(rows)
    for row in later:
        row["record_no"] += 100
        for name in TIMES & row.keys():
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
    values = metrics(two_minutes, keep)
    assert values["etr_per_s"] == pytest.approx(etr)
    assert values["cpu_busy_pct"] == pytest.approx(busy)
    assert values["itr_per_s"] == pytest.approx(etr / busy * 100)
    assert values["region_cpu_us_per_tran"] == (region and pytest.approx(region))


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
        summed(ask(two_minutes, "run.metrics", over=timedelta(minutes=1)))


def test_values_stay_in_line() -> None:
    """The longest label leaves its value in the column; a metric of single systems has a dash."""
    tables = case("metrics_two_systems")
    page = render(run(with_tables(tables), "run.metrics")).split("\n\n")[1].splitlines()
    assert any("Dependent Regions CPU Service Time/Tran (us), summed" in line for line in page)
    assert {len(line) for line in page} == {len(page[0])}
    cells = [word for line in page[1:] for word in line.split()[-3:]]
    assert all(cell == "-" or float(cell) >= 0 for cell in cells)


def test_total_keeps_the_order_of_rows(two_minutes: duckdb.DuckDBPyConnection) -> None:
    """A total keeps the order of the rows."""
    once = run(two_minutes, "run.metrics")
    names = [row["metric"] for row in once.table.to_pylist()]
    assert [row["metric"] for row in aggregate(once).table.to_pylist()] == names


# a device, data set and address space of the first minute alone; each rate over both
@pytest.mark.parametrize(
    ("name", "report", "stays", "row", "values"),
    [
        (
            "device_means_per_event",
            "rmf.device",
            lambda r: r.get("smf74ser", "VOL001") == "VOL001",
            {"volume": "VOL002"},
            {"rate_per_s": 12800 / 120, "resp_ms": 1.183, "conn_pct": 11.6266667 / 2},
        ),
        (
            "device_means_per_event",
            "rmf.device",
            lambda r: r.get("smf74ser", "VOL001") == "VOL001",
            {"volume": "VOL001"},
            {"rate_per_s": 12000 / 120, "resp_ms": 0.93, "conn_pct": 4},
        ),
        (
            "dataset_io_averages",
            "smf.dataset_io",
            lambda r: r["section_no"] == 1,
            {"dataset": "IMS.WADS0"},
            {"ios_per_s": 1200 / 120, "resp_ms": 0.25, "interval_s": 120},
        ),
        (
            "address_space_intervals",
            "smf.address_space",
            lambda r: r["record_no"] != 1,
            {"job": "IMS1CTL", "kind": "interval"},
            {"excps_per_s": 6000 / 120, "cpu_pct": 100 * 15.25 / 120, "io_conn_ms": 0.32},
        ),
    ],
)
def test_a_rate_is_over_the_whole_time(
    name: str,
    report: str,
    stays: Callable[[dict[str, Any]], bool],
    row: dict[str, Any],
    values: dict[str, float],
) -> None:
    """A key that is missing in an interval was idle in it; means of an event stay."""
    tables = case(name)
    for rows in tables.values():
        rows.extend(a_minute_later([row for row in rows if stays(row)]))
    once = run(with_tables(tables), report)
    total = one_of(aggregate(once).table.to_pylist(), row)
    assert {name: total[name] for name in values} == pytest.approx(values, rel=1e-6)
    first = one_of(aggregate(once, timedelta(minutes=1)).table.to_pylist(), row)
    alone = one_of(once.table.to_pylist(), row)
    assert {n: first[n] for n in values} == pytest.approx({n: alone[n] for n in values})


def one_of(rows: list[dict[str, Any]], values: dict[str, Any]) -> dict[str, Any]:
    """The first row that has them."""
    return next(row for row in rows if values.items() <= row.items())


def log_of_three() -> dict[str, Any]:
    """Arrivals at 9:00:05, :20 (another code), :30; sets at :10, :25 and, with none since, :50.

    What ended last did so at :30.002; so the intervals are 5, 15, 25 and 0 s.
    """
    tables = case("transit_fast_path")
    for rows in tables.values():
        for row in rows:
            if row.get("uow") == "A2" and "tran" in row:
                row["tran"] = "CREDIT"
    last = {**tables["ims_4500"][1], "record_no": 503, "log_lsn": 503, "ckpt_no": 3}
    at = "2026-03-02T09:00:50"
    tables["ims_4500"].append({**last, "sample": at, "log_stck": at})
    return tables


@pytest.mark.parametrize(
    ("start", "rates"),
    [
        (None, {"DEBIT": 2 / 45, "CREDIT": 1 / 45}),
        (datetime(2026, 3, 2, 10, 0, 10), {"DEBIT": 1 / 40, "CREDIT": 1 / 40}),
    ],
)
def test_a_rate_of_a_log_is_over_all_its_time(
    start: datetime | None, rates: dict[str, float]
) -> None:
    """PRICECHG of tm-db2-irww was 400/s: three in 10 s, one in each sample it was seen in."""
    once = run(with_tables(log_of_three()), "ims.transactions", keep=Filter(start=start))
    by_tran = {row["tran"]: row["per_s"] for row in aggregate(once).table.to_pylist()}
    assert by_tran == pytest.approx(rates)


def test_an_interval_without_a_transaction_counts() -> None:
    """Sets at :50 and 9:01:10 with nothing between them: 65 s in all."""
    tables = log_of_three()
    last = {**tables["ims_4500"][-1], "record_no": 504, "log_lsn": 504, "ckpt_no": 4}
    at = "2026-03-02T09:01:10"
    tables["ims_4500"].append({**last, "sample": at, "log_stck": at})
    once = run(with_tables(tables), "ims.transactions")
    rates = {row["tran"]: row["per_s"] for row in aggregate(once).table.to_pylist()}
    assert rates == pytest.approx({"DEBIT": 2 / 65, "CREDIT": 1 / 65})


def test_no_interval_before_the_first_set_of_messages_it_holds() -> None:
    """A log that begins with a set: what arrived 2 s before it is of its first interval."""
    tables = log_of_three()
    for rows in tables.values():
        rows[:] = [row for row in rows if row.get("uow") != "A2"]
        for row in rows:
            if row.get("uow") == "A1":
                moved = {"sync", "router", "dequeue", "gu", "log_stck"} & row.keys()
                row |= {name: row[name].replace("09:00:05", "09:00:12") for name in moved}
                row |= {"arrival": "2026-03-02T09:00:08"} if "arrival" in row else {}
    transits = run(with_tables(tables), "ims.transit").table.to_pylist()
    starts = [(row["interval_start_utc"].second, row["count"], row["total_ms"]) for row in transits]
    # A1: 4000.1 ms in the input queue, 0.5 and 1.0 ms as before
    assert starts == [(10, 1, pytest.approx(4001.6)), (25, 1, pytest.approx(1.2))]


def total(name: str, report: str, **values: Any) -> list[dict[str, Any]]:
    """The total of a case's minute and one more with other values."""
    tables = case(name)
    for rows in tables.values():
        rows.extend(a_minute_later(rows, **values))
    return aggregate(run(with_tables(tables), report)).table.to_pylist()


def test_goals_over_a_total() -> None:
    """Of summed buckets and samples.

    Percentile: 40 30 5 0 0 0 5 and 0 2 5 0 0 0 5 are 40 32 10 0 0 0 10 of 92: 82 within the goal
    are 89.13 %, so 90 % is reached in the bucket to 110 %. Velocity 40: using 30 + 90, delayed
    70 + 10: 60 %.
    """
    buckets = {"r723trdb": lambda old: [0, 2, *old[2:]] if old[0] == 40 else old}
    samples = {"r723ctou": lambda n: 3 * n, "r723ctot": lambda n: n // 7}
    rows = total("workload_scopes_and_goals", "rmf.workload", **buckets, **samples)
    periods = {row["period"]: row for row in rows if row["class"] == "IMSHIGH"}
    assert periods[1]["actual"] == pytest.approx(100 * 82 / 92)
    assert periods[1]["perf_index"] == pytest.approx(1.1)
    assert periods[2]["actual"] == pytest.approx(60)
    assert periods[2]["perf_index"] == pytest.approx(40 / 60)


def test_what_a_structure_holds_at_the_end_of_a_total() -> None:
    """CUR is of the end of an interval: 250, then 300 of 1,000 entries; 40 locks, then 30."""
    later = {"r744slem": lambda n: n + 50, "r744sltm": lambda n: n * 3 // 4}
    rows = total("cf_usage_two_systems", "rmf.cf_usage", **later)
    list_structure = one_of(rows, {"structure": "IMSMSGQ"})
    assert (list_structure["entries_used"], list_structure["entries_total"]) == (300, 1000)
    assert one_of(rows, {"structure": "IRLMLOCK1"})["locks_used"] == 30


def test_a_group_without_a_limit_has_none_on_both_pages() -> None:
    """SMF70GMU of 0 and no group name: N/A, and no number in a row."""
    tables = case("partition_header_caps")
    tables["smf70_1_partition"][0] |= {"smf70gmu": 0, "smf70gnm": ""}
    with with_tables(tables) as con:
        header = run(con, "rmf.partition_header")
        pages = [render(header), render(run(con, "rmf.partition"))]
    assert header.table["group_msu"].to_pylist() == [None]
    for page in pages:
        lines = [line for line in page.splitlines() if "LIMIT" in line or "GROUP NAME" in line]
        assert len(lines) == 2 and all("  N/A" in line for line in lines)


def test_deviations_over_a_total() -> None:
    """From counts, sums and sums of squares of both minutes: 600 + 400 transactions in 12 + 20 s,
    squares 3e11 + 2e12; 3,000 + 1,000 synchronous requests in 12 + 9 ms, squares 60,000 + 100,000.
    """
    ended = {"r723crcp": lambda n: 400, "r723ctetx": lambda n: 2e7, "r723cetsx": lambda n: 2e12}
    rows = total("workload_one_period", "rmf.workload", **ended)
    row_found = next(row for row in rows if row["period"] == 1)
    assert row_found["resp_std_ms"] == pytest.approx(
        ((1e3 * 2.3e12 - 3.2e7**2) / 999e3) ** 0.5 / 1e3
    )
    assert (row_found["actual"], row_found["perf_index"]) == pytest.approx((32, 32 / 25))
    sync = {"r744ssrc": lambda n: 1e3, "r744sstm": lambda n: 9000, "r744sssq": lambda n: 100000}
    rows = total("cf_structure_two_systems", "rmf.cf_structure", **sync)
    row_found = one_of(rows, {"system": "SYSA", "structure": "IRLMLOCK1"})
    wanted = ((4000 * 160000 - 21000**2) / (4000 * 3999)) ** 0.5
    assert row_found["sync_std_us"] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("start", "over", "totals"),
    [
        (None, True, (1.6, 1.2)),
        (datetime(2026, 3, 2, 10, 0, 10), True, (1.2,)),
        (None, timedelta(seconds=60), (1.6, 1.2)),
    ],
)
def test_percentiles_of_a_total_are_of_its_transactions(
    start: datetime | None, over: timedelta | bool, totals: tuple[float, ...]
) -> None:
    """DEBIT has totals of 1.6 and 1.2 ms, in two intervals; between two values it is linear."""
    every = over if isinstance(over, timedelta) else None
    once = run(with_tables(log_of_three()), "ims.transit", keep=Filter(start=start), over=over)
    total = one_of(aggregate(once, every).table.to_pylist(), {"tran": "DEBIT"})
    low, high = min(totals), max(totals)
    for share in (50, 90, 99):
        assert total[f"p{share}_ms"] == pytest.approx(low + share / 100 * (high - low))
    assert total["std_ms"] == (pytest.approx(0.4 / 2**0.5) if len(totals) > 1 else None)


def test_a_maximum_that_was_not_kept_is_null() -> None:
    """S42DSMXR of 0 where I/Os took time: the record keeps no maximum."""
    tables = case("dataset_io_averages")
    for table in tables["smf42_6_io"][:2]:
        table["s42dsmxr"] = 0
    rows = run(with_tables(tables), "smf.dataset_io").table.to_pylist()
    row_of_set = one_of(rows, {"dataset": "IMS.ACCTDB"})
    assert (row_of_set["resp_ms"], row_of_set["max_resp_ms"]) == (pytest.approx(0.768), None)


def test_coverage_says_by_which_clock() -> None:
    """SMF headers are local time, the clocks of a log UTC."""
    files = [{"file_id": 2, "run": "t", "kind": "ims", "status": "whole"}]
    counts = [
        {"file_id": 1, "kind": "smf", "system": "SYSA", "type": "70", "subtype": "1"},
        {"file_id": 2, "kind": "ims", "system": "IMS1", "type": "01"},
    ]
    at = {"records": 1, "bytes": 9, "loaded": 1, "first": FIRST, "last": FIRST}
    tables = {"load_file": files, "load_count": [count | at for count in counts]}
    result = run(with_tables(tables), "load.coverage")
    clocks = {(row["kind"], row["clock"]) for row in result.table.to_pylist()}
    assert clocks == {("smf", "local"), ("ims", "UTC")}
    assert "70.1     local 2026-03-02 10:00:00" in render(result)
