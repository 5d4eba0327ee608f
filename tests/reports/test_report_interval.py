"""Longer intervals are cut from local midnight, also where a clock is set; times of day."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from places import TESTS
from report_database import sample, with_tables

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.charts import chart
from imsperf.reports.charts.rows import Choice
from imsperf.reports.filter import Filter
from imsperf.reports.run import Top, ask, parts, run, run_query
from imsperf.reports.syntax import order_terms
from imsperf.reports.text import render
from imsperf.reports.total import summed

CASE = TESTS / "report_values" / "device_means_per_event.json"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def devices(starts: Sequence[tuple[datetime, int]], minutes: int = 15) -> dict[str, Any]:
    """The devices of the case in intervals that begin at (UTC, hours that local time is ahead)."""
    tables: dict[str, list[dict[str, Any]]] = json.loads(CASE.read_text())["tables"]
    made: dict[str, list[dict[str, Any]]] = {name: [] for name in tables}
    for number, (utc, ahead) in enumerate(starts, 1):
        local = utc + timedelta(hours=ahead)
        end = local + timedelta(minutes=minutes)
        own = {"record_no": number, "interval_start": local.isoformat()}
        own["interval_end"] = end.isoformat()
        for name, rows in tables.items():
            made[name] += [row | own for row in rows]
        product = {"smf74int": minutes * 60_000_000, "smf74lgo": ahead * 3_600_000_000}
        made["smf74_1_product"][-1] |= product
    return made


def day(first: datetime, hours: int, change: datetime, ahead: tuple[int, int]) -> dict[str, Any]:
    """A day of so many hours from local midnight, in which a clock is set at an instant, UTC."""
    instants = [first + timedelta(minutes=15 * n) for n in range(hours * 4)]
    return devices([(utc, ahead[utc >= change]) for utc in instants])


def autumn() -> duckdb.DuckDBPyConnection:
    """25 October 2026 in Berlin, 25 hours: at 01:00 UTC 03:00 becomes 02:00."""
    first, change = datetime(2026, 10, 24, 22), datetime(2026, 10, 25, 1)
    return with_tables(day(first, 25, change, (2, 1)))


def spring() -> duckdb.DuckDBPyConnection:
    """29 March 2026 in Berlin, 23 hours: at 01:00 UTC 02:00 becomes 03:00."""
    first, change = datetime(2026, 3, 28, 23), datetime(2026, 3, 29, 1)
    return with_tables(day(first, 23, change, (1, 2)))


def longer(con: duckdb.DuckDBPyConnection, every: timedelta, keep: Filter) -> list[dict[str, Any]]:
    """VOL001 in longer intervals."""
    result = summed(ask(con, "rmf.device", keep=keep, over=every))
    return [row for row in result.table.to_pylist() if row["volume"] == "VOL001"]


@pytest.mark.parametrize(
    ("made", "every", "hours", "starts"),
    [
        (autumn, DAY, [25], [0]),
        (spring, DAY, [23], [0]),
        pytest.param(autumn, 6 * HOUR, [7, 6, 6, 6], [0, 6, 12, 18], marks=pytest.mark.slow),
        pytest.param(spring, 6 * HOUR, [5, 6, 6, 6], [0, 6, 12, 18], marks=pytest.mark.slow),
        pytest.param(autumn, HOUR, [1] * 25, [0, 1, 2, 2, *range(3, 24)], marks=pytest.mark.slow),
        (spring, HOUR, [1] * 23, [0, 1, *range(3, 24)]),
        pytest.param(autumn, HOUR / 2, [0.5] * 50, None, marks=pytest.mark.slow),
        # an hour and a half is cut where the clock is set: 01:30 to 03:00, 02:00 to 03:00
        pytest.param(autumn, 1.5 * HOUR, [1.5, 1.5, 1, *[1.5] * 14], None, marks=pytest.mark.slow),
    ],
)
def test_days_of_23_and_25_hours(
    made: Any, every: timedelta, hours: list[float], starts: list[int] | None
) -> None:
    """6,000 I/Os in each quarter of an hour, over the time that really passed."""
    with made() as con:
        rows = longer(con, every, Filter())
    assert [row["interval_s"] for row in rows] == [3600 * length for length in hours]
    assert [row["io_count"] for row in rows] == [24_000 * length for length in hours]
    assert [row["rate_per_s"] for row in rows] == pytest.approx([6000 / 900] * len(rows))
    if starts is not None:
        assert [row["interval_start"].hour for row in rows] == starts


def test_a_heading_has_the_first_start_and_the_time_covered() -> None:
    """From 09:15 to 11:15, 7 hours behind UTC; the day before has nothing."""
    first = datetime(2026, 3, 2, 16, 15)
    with with_tables(devices([(first + timedelta(minutes=15 * n), -7) for n in range(8)])) as con:
        page = render(summed(ask(con, "rmf.device", over=DAY)))
        hours = longer(con, HOUR, Filter())
    assert page.count("DATE 03/02/2026") == 1
    assert "INTERVAL 120.00.000" in page and "TIME 09.15.00" in page
    starts = [(row["interval_start"].strftime("%H:%M"), row["interval_s"]) for row in hours]
    assert starts == [("09:15", 2700), ("10:00", 3600), ("11:00", 900)]


def test_a_start_cut_to_its_second_is_of_the_hour_it_ends_in() -> None:
    """09:59:59 is 10:00: with drift both of 10 o'clock stay together."""
    starts = [datetime(2026, 3, 2, 9, 59, 59), datetime(2026, 3, 2, 10, 30)]
    with with_tables(devices([(utc, 0) for utc in starts], minutes=30)) as con:
        assert [row["interval_s"] for row in longer(con, HOUR, Filter())] == [3600]


def test_weeks_begin_on_monday() -> None:
    """1 March 2026 is a Sunday."""
    starts = [datetime(2026, 3, 1, 12), datetime(2026, 3, 2, 12), datetime(2026, 3, 8, 12)]
    with with_tables(devices([(utc, 0) for utc in starts])) as con:
        assert [row["interval_s"] for row in longer(con, 7 * DAY, Filter())] == [900, 1800]


@pytest.mark.parametrize(
    ("every", "words"),
    [
        (timedelta(minutes=20), "--interval 20m, but the intervals of SYSA are 15m long"),
        (timedelta(minutes=5), "--interval 5m, but the intervals of SYSA are 15m long"),
        (timedelta(hours=36), "found 36h, expected a part of a day, or whole days"),
    ],
)
def test_an_interval_that_is_no_multiple_is_refused(every: timedelta, words: str) -> None:
    """What most intervals have is what they are: one that an IPL cut short does not count."""
    tables = devices([(datetime(2026, 3, 2, 9) + timedelta(minutes=15 * n), 0) for n in range(4)])
    tables["smf74_1_product"][0]["smf74int"] = 7 * 60_000_000
    with with_tables(tables) as con, pytest.raises(ReportError, match=words):
        longer(con, every, Filter())


@pytest.mark.parametrize(
    ("tod", "hours"),
    [
        ((time(9), time(17)), list(range(9, 17))),
        ((time(22), time(6)), [0, 1, 2, 3, 4, 5, 22, 23]),
    ],
)
def test_a_time_of_day_is_local(tod: tuple[time, time], hours: list[int]) -> None:
    """An hour each from local midnight; over midnight both ends of the day."""
    first = datetime(2026, 3, 2, 7)  # seven hours behind UTC
    made = devices([(first + n * HOUR, -7) for n in range(24)], minutes=60)
    with with_tables(made) as con:
        rows = run(con, "rmf.device", keep=Filter(tod=tod)).table.to_pylist()
        (of_day,) = longer(con, DAY, Filter(tod=tod))
    assert [row["interval_start"].hour for row in rows if row["volume"] == "VOL001"] == hours
    assert of_day["interval_s"] == 8 * 3600


def test_parts_are_of_whole_pages_and_together_all_rows() -> None:
    """Three rows an interval: no part ends within one, however few rows are asked for."""
    made = devices([(datetime(2026, 3, 2, 9) + n * HOUR, 0) for n in range(5)], minutes=60)
    with with_tables(made) as con:
        query = ask(con, "rmf.device")
        pieces = list(parts(query, rows=4))
        all_rows = run_query(query)
    assert len(pieces) > 2 and {piece.table.num_rows % 3 for piece in pieces} == {0}
    assert pa.concat_tables([piece.table for piece in pieces]) == all_rows.table
    assert "\n".join(map(render, pieces)) == render(all_rows)


def test_top_rows_of_each_interval_and_of_a_total() -> None:
    """VOL002 has 12,800 I/Os, VOL001 6,000, VOL003 600; nothing may be largest of NULL."""
    made = devices([(datetime(2026, 3, 2, 9) + n * HOUR, 0) for n in range(2)], minutes=60)
    with with_tables(made) as con:
        each = run(con, "rmf.device", top=Top(2, "rate_per_s")).table["volume"].to_pylist()
        total = summed(ask(con, "rmf.device", over=True, top=Top(1, "resp_ms"))).table.to_pylist()
        with pytest.raises(ReportError, match="no column 'rate'"):
            ask(con, "rmf.device", top=Top(2, "rate"))
    assert each == ["VOL002", "VOL001"] * 2
    assert [(row["volume"], row["interval_s"]) for row in total] == [("VOL003", 7200)]


@pytest.mark.parametrize("over", [True, HOUR])
def test_a_key_that_comes_late_stands_where_it_belongs(over: bool | timedelta) -> None:
    """In a total, as in each interval; within its longer interval, where there are several."""
    first = datetime(2026, 3, 2, 9)
    tables = devices([(first + timedelta(minutes=15 * n), 0) for n in range(8)])
    late = [row["smf74num"] for row in tables["smf74_1_device"]]
    tables["smf74_1_device"] = [
        row
        for row in tables["smf74_1_device"]
        if row["record_no"] % 4 > 1 or row["smf74num"] != min(late)
    ]
    with with_tables(tables) as con:
        each = run(con, "rmf.device").table["device"].to_pylist()
        found = summed(ask(con, "rmf.device", over=over)).table["device"].to_pylist()
    several = len(set(each))
    assert several > 1 and each[0] != min(each)
    assert found == sorted(set(each)) * (1 if over is True else 2)


@pytest.mark.parametrize(
    ("sql", "terms"),
    [
        ("SELECT 1 AS a ORDER BY s.run, a DESC, b", [("run", ""), ("a", " DESC"), ("b", "")]),
        (
            "SELECT 1 ORDER BY a IS NOT NULL, b = '*ALL*',\n  c NULLS FIRST",
            [("a", " IS NOT NULL"), ("b", " = '*ALL*'"), ("c", " NULLS FIRST")],
        ),
        ("SELECT 1 ORDER BY a, lower(b), c", [("a", "")]),
        ("SELECT row_number() OVER (ORDER BY a, b) AS n FROM t", []),
        ("SELECT row_number() OVER (ORDER BY a) AS n FROM t", []),
        ("SELECT a FROM t ORDER BY a, b LIMIT 3", [("a", "")]),
        ("SELECT a FROM t", []),
    ],
)
def test_what_a_select_orders_by(sql: str, terms: list[tuple[str, str]]) -> None:
    assert order_terms(sql) == terms


def test_rows_that_a_condition_chooses_and_their_order() -> None:
    """I/Os 6,000, 12,800 and 600; ms 0.93, 1.183 and 1.2. Of each interval, and of a total."""
    made = devices([(datetime(2026, 3, 2, 9) + n * HOUR, 0) for n in range(2)], minutes=60)
    with with_tables(made) as con:

        def volumes(where: str, sort: str, total: bool = False) -> list[str]:
            query = ask(con, "rmf.device", over=total, where=where, sort=sort)
            table = (summed if total else run_query)(query).table
            return [str(name)[-1] for name in table["volume"].to_pylist()]

        assert volumes("", "rate_per_s") == ["2", "1", "3"] * 2
        assert volumes("resp_ms > 1", "rate_per_s:asc") == ["3", "2"] * 2
        # 12,000 of VOL001 in both hours, but 6,000 in each
        assert volumes("io_count > 10000", "lcu,volume") == ["2"] * 2
        assert volumes("io_count > 10000", "resp_ms", total=True) == ["2", "1"]
        assert (
            run_query(ask(con, "rmf.device", where="resp_ms > 9")).note == "no row has resp_ms > 9"
        )


@pytest.mark.parametrize(
    ("where", "sort", "said"),
    [
        ("rate > 2", "", "no column 'rate'"),
        ("resp_ms > ", "", "no condition of SQL"),
        ("1=1); DROP TABLE load_file; SELECT (1", "", "--where: found"),
        ("true; DROP TABLE load_file", "", "expected one condition"),
        ("volume IN (SELECT path FROM load_file)", "", "without a SELECT"),
        ("nothing_such(volume)", "", "nothing_such"),
        ("", "resp", "no column 'resp'"),
        ("", "resp_ms:up", "found 'resp_ms:up'"),
    ],
)
def test_conditions_and_orders_that_are_refused(where: str, sort: str, said: str) -> None:
    with (
        with_tables(devices([(datetime(2026, 3, 2, 9), 0)])) as con,
        pytest.raises(ReportError, match=re.escape(said)),
    ):
        run_query(ask(con, "rmf.device", where=where, sort=sort))


def test_top_bars_of_a_chart() -> None:
    """By response time: 1.2, 1.183 and 0.93 ms; of a chart over time they are lines."""
    with with_tables(devices([(datetime(2026, 3, 2, 9), 0)])) as con:
        drawing = chart.spec(run(con, "rmf.device"), Choice(Top(2, "resp_ms")))
        assert list(dict.fromkeys(row["x"] for row in drawing["data"]["values"])) == [
            "VOL003",
            "VOL002",
        ]
        assert drawing["title"] == "Direct Access Device Activity: 2 with the largest AVG RESP TIME"
    with sample() as con:
        lines = chart.spec(run(con, "rmf.cpu"), Choice(Top(1, "lpar_busy_pct")))
        assert {row["color"] for row in lines["data"]["values"]} == {"CP"}


def test_why_there_is_no_row() -> None:
    """A run without the records, a system nobody knows, one without such records, a time."""
    made = devices([(datetime(2026, 3, 2, 9), 0)])
    made["load_file"] = [{"file_id": 2, "run": "other", "kind": "smf", "status": "whole"}]
    count = {"file_id": 2, "kind": "smf", "system": "SYSB", "type": "70", "subtype": "1"}
    made["load_count"] = [count | {"records": 1, "loaded": 1, "bytes": 9}]
    with with_tables(made) as con:

        def why(keep: Filter) -> ReportError:
            with pytest.raises(ReportError) as raised:
                run(con, "rmf.device", keep=keep)
            return raised.value

        lacks = why(Filter(run="other"))
        assert isinstance(lacks, AbsentRecords)
        assert lacks.message.endswith("this needs type 74.1 records, and none are in run 'other'")
        assert lacks.hint and "type 70.1" in lacks.hint
        unknown = why(Filter(system="sysc"))
        assert unknown.message == "rmf.device: no system 'sysc'"
        assert unknown.hint == "did you mean SYSB or SYSA? systems: SYSA, SYSB"
        without = why(Filter(system="SYSB"))
        assert without.message == (
            "rmf.device: no such records of system 'SYSB' are in the database, only those of SYSA"
        )
        late = run(con, "rmf.device", keep=Filter(start=datetime(2030, 1, 1)))
    assert late.note == "its intervals begin from 2026-03-02 09:00:00 to 2026-03-02 09:00:00"


def test_what_is_said_below_a_report() -> None:
    """Six of eight quarters of an hour, a lost block, a second run; nothing where all is well."""
    instants = [datetime(2026, 3, 2, 9) + timedelta(minutes=15 * n) for n in range(8)]
    with with_tables(devices([(utc, 0) for utc in instants])) as con:
        assert run(con, "rmf.device").remarks == ()
    del instants[2:4]
    tables = devices([(utc, 0) for utc in instants])
    tables["load_file"] = [{"file_id": 2, "run": "other", "kind": "smf", "status": "damaged"}]
    lost = {"file_id": 2, "bytes": 32_760, "severity": "data_loss"}
    tables["load_problem"] = [lost, lost | {"severity": "info"}]
    with with_tables(tables) as con:
        result = run(con, "rmf.device")
        assert result.remarks == (
            "Of 2 runs: other, t",
            "Data lost in the files once, 32,760 bytes; SELECT * FROM load_problem",
            "Intervals there: 6 of 8 of t SYSA",
        )
        assert render(result).endswith("\n\n" + "\n".join(result.remarks) + "\n")
        of_run = run(con, "rmf.device", keep=Filter(run="t", end=instants[2]))
        assert of_run.remarks == ()


@pytest.mark.parametrize(
    ("every", "words"),
    [(1000, "one transaction in 1,000"), (0xFFFFFFFF, "statistics only")],
)
def test_a_sampled_log_says_so(every: int, words: str) -> None:
    """Count is of the sample, /Second of all: one in a thousand by the signature of the log."""
    tables = json.loads((CASE.parent / "transit_fast_path.json").read_text())["tables"]
    signature = {"file_id": 1, "record_no": 900, "imsid": "IMS1", "sample_k": every}
    with with_tables(tables | {"ims_a0": [signature]}) as con:
        remarks = run(con, "ims.transactions").remarks
        assert run(con, "ims.transit").remarks == remarks
    assert remarks == (
        f"Sampled IMS log (t IMS1: {words}): counts are of the sample, numbers a second "
        "of all transactions",
    )
