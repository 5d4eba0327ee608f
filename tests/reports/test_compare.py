"""Comparing two runs: run-level values from sums, keys that come and go, what else differs."""

from __future__ import annotations

import json
from datetime import datetime, time
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from places import TESTS
from report_database import empty, insert, sample, with_tables
from test_report_values import tables_of

from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.compare import SCHEMA, _narrowed, check_common, compare
from imsperf.reports.comparison.samples import read_samples
from imsperf.reports.comparison.sides import (
    Side,
    check_clock,
    check_times,
    differences,
    follow_the_day,
    load_differs,
    loads_of,
    same_records,
    side,
)
from imsperf.reports.comparison.summary import comparison_text, sentence
from imsperf.reports.comparison.verdicts import bounded, concluded
from imsperf.reports.comparison.verdicts import ranked as in_order
from imsperf.reports.definition import Report
from imsperf.reports.filter import Filter
from imsperf.reports.formats import render
from imsperf.reports.numbers import beside_others
from imsperf.reports.taken import Together
from imsperf.reports.total import summands


def rows_of(report: str, **by: Any) -> list[dict[str, Any]]:
    """Rows of a report of base against a run with a tenth more load, those with these values."""
    sides = side(sample("before"), None), side(sample("after", busy=1.1), None)
    done = compare(*sides, [report])
    return [r for r in done.table.to_pylist() if all(r[k] == v for k, v in by.items())]


def test_columns_are_those_of_the_interface() -> None:
    """Names, order and types of `compare --format csv`."""
    done = compare(side(sample(), None), side(sample(), None), ["rmf.cpu"])
    assert done.table.schema == SCHEMA
    assert SCHEMA.names[:9] == [
        *("report", "key", "column", "unit", "better", "base", "candidate", "delta", "delta_pct"),
    ]


@pytest.mark.slow
def test_equal_runs_have_no_difference() -> None:
    """The same records on both sides: every delta is 0, nothing else differs."""
    done = compare(side(sample("a"), None), side(sample("b"), None))
    assert done.table.num_rows > 100
    assert set(done.table["delta"].to_pylist()) == {0.0}
    assert set(done.table["verdict"].to_pylist()) == {"unclear"}
    p_values = {p if p is None else round(p, 9) for p in done.table["p_value"].to_pylist()}
    assert p_values == {None, 1.0}  # 1: few events, as many
    assert "too few intervals" in done.table["note"].to_pylist()
    assert done.differences.num_rows == 0


def loaded(run: str, files: list[tuple[str, list[int]]]) -> Side:
    """A run of files: the hash of each, and those of its records."""
    con = empty()
    for number, (sha256, hashes) in enumerate(files, 1):
        con.execute(
            "INSERT INTO load_file (file_id, run, sha256, sample, kept) VALUES (?, ?, ?, ?, ?)",
            [number, run, sha256, sha256, len(hashes)],
        )
        for place, value in enumerate(hashes, 1):
            con.execute("INSERT INTO load_record VALUES (?, ?, ?, 7)", [number, place, value])
    return side(con, run)


@pytest.mark.parametrize(
    ("files", "is_same"),
    [
        ([("aa", [11, 12, 13])], True),
        ([("zz", [11, 12, 13])], True),  # packed in another way
        ([("bb", [13]), ("cc", [12, 11])], True),  # in two files
        ([("zz", [11, 12, 14])], False),
        ([("zz", [11, 11, 14])], False),  # of equal sum
        ([("zz", [11, 12])], False),
    ],
)
def test_the_same_records_are_known_by_their_hashes(
    files: list[tuple[str, list[int]]], is_same: bool
) -> None:
    """What was loaded is held against what was loaded; nothing else is asked then."""
    base, candidate = loaded("mon", [("aa", [11, 12, 13])]), loaded("tue", files)
    assert same_records(base, candidate) == is_same
    if is_same:
        done = compare(base, candidate)
        assert done.same_run and done.table.num_rows == 0


def test_files_of_unknown_content_are_not_the_same() -> None:
    assert not same_records(side(sample("a"), None), side(sample("b"), None))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a.x", "system=S1", 1, 1), ("a.x", "system=S2", 0, 1)], ""),
        ([], "no report has rows"),
        ([("a.x", "system=S1", 1, 0), ("b.y", "system=S1", 0, 1)], "before: a.x; after: b.y"),
        ([("a.x", "system=S1", 1, 0), ("a.x", "system=S2", 0, 1)], "before: S1; after: S2"),
    ],
)
def test_sides_with_nothing_in_common(rows: list[tuple[Any, ...]], said: str) -> None:
    """Neither a list of what is new nor one of what is gone answers anything."""
    names = ("report", "key", "in_base", "in_candidate")
    table = pa.table(dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {})
    sides = [Side(duckdb.connect(), ("r",), label) for label in ("before", "after")]
    if not said:
        check_common(table, *sides)
        return
    with pytest.raises(ReportError) as error:
        check_common(table, *sides)
    assert said in f"{error.value.message} {error.value.hint}"


def test_what_is_not_compared_is_no_total_by_sql() -> None:
    """A standard deviation over a run is made of columns that a comparison does not read: a report
    that is asked without these has no such total either."""
    every = [report for report in catalog() if any(c.total_sql for c in report.columns)]
    assert len(every) > 3
    for report in every:
        narrow = _narrowed(report)
        is_whole = narrow.columns == report.columns
        assert is_whole or not any(column.total_sql for column in narrow.columns), report.id


def test_parts_of_ratios_are_read() -> None:
    """What a comparison leaves out of a report is no part of a ratio that is left in."""
    for report in catalog():
        narrow = _narrowed(report)
        parts = {name for column in narrow.columns for name in (*column.num, *column.den)}
        assert parts <= set(summands(narrow)), report.id


def test_names_are_texts_beside_the_key() -> None:
    """What a key is known by is read, tells more than the key, and is a text."""
    named = [report for report in catalog() if report.named_by]
    assert len(named) > 10
    with empty() as con:
        for report in named:
            assert report.named_by not in report.groups, report.id
            assert report.named_by in summands(_narrowed(report)), report.id
            relation = con.sql(report.sql, params=_defaults(report))
            assert relation[report.named_by].types == ["VARCHAR"], report.id


def _defaults(report: Report) -> dict[str, Any] | None:
    return {each.name: each.default for each in report.parameters} or None


def test_ratio_is_made_again_from_sums() -> None:
    """Two intervals of one run: contentions over gets, not the mean of two percentages."""
    (row,) = rows_of(
        report="ims.latches", column="contention_pct", key="system=PRDA,ims=IMS1,latch=LOGL"
    )
    before = 100 * (24_000 // 100 + 24_000 // 8) / (20 * 24_000)
    after = 100 * (26_400 // 100 + 26_400 // 8) / (20 * 26_400)
    assert row["base"] == pytest.approx(before)
    assert row["candidate"] == pytest.approx(after)
    assert row["delta_pct"] == pytest.approx(100 * (after / before - 1))
    assert (row["n_base"], row["n_candidate"], row["better"]) == (2, 2, "lower")


def test_rank_puts_large_before_small() -> None:
    """A response time that halved comes before a queue of nothing that doubled."""
    base, candidate = sample(), sample()
    candidate.execute("UPDATE smf74_1_device SET smf74pen = smf74pen / 2 WHERE smf74ser = 'S60$01'")
    candidate.execute("UPDATE smf74_1_device SET smf74idt = 12")
    done = compare(side(base, None), side(candidate, None), ["rmf.device"])
    ranked = done.table.to_pylist()
    assert {r["column"] for r in ranked[:2]} == {"resp_ms", "pend_ms"}
    assert max(ranked, key=lambda r: r["delta_pct"] or 0)["column"] == "int_ms"


def ranked(load_differs: bool = False, **columns: list[Any]) -> list[str]:
    """The names of rows in the order of their rank; `change` is what they changed by at least."""
    count = len(columns["name"])
    base, candidate = (np.array(columns[name], float) for name in ("base", "candidate"))
    known: dict[str, Any] = {
        "report": ["ims.logger"] * count, "unit": ["1/s"] * count, "column": ["c"] * count,
        "verdict": ["worse"] * count, "is_rate": [False] * count, "constant": [False] * count,
        "delta": candidate - base, "p_value": [1e-9] * count,
        "delta_pct": [
            100 * (c / b - 1) if b else None for b, c in zip(base, candidate, strict=True)
        ],
        "ci_high_pct": columns["ci_low_pct"],
    }  # fmt: skip
    types = dict.fromkeys(("ci_low_pct", "ci_high_pct", "p_value", "delta_pct"), pa.float64())
    rows = {name: pa.array(values, types.get(name)) for name, values in (known | columns).items()}
    return pa.table(rows)["name"].take(in_order(pa.table(rows), load_differs)).to_pylist()


@pytest.mark.parametrize(
    ("delta_pct", "half_log", "samples", "note", "is_told"),
    [
        (2.0, 0.04, "interval", "98 intervals would decide", True),
        (2.0, 0.02, "run", "25 runs would decide", True),
        (0.01, 4.0, "interval", "four weeks of intervals would not decide", True),
        (0.01, 4.0, "run", "28 runs would not decide", True),
        (2.0, 0.01, "interval", "beyond noise by itself, not among all rows (q > 0.05)", True),
        (2.0, 7.0, "interval", "scatters over 1,000 times: no bounds to tell", False),
    ],
)
def test_why_a_row_is_unclear(
    delta_pct: float, half_log: float, samples: str, note: str, is_told: bool
) -> None:
    """24 units, margin 1 %: (.04 / ln 1.02)^2 of them are 97.9, with .02 24.5,
    with .01 fewer than there are;
    (4 / (ln 1.01 - ln 1.0001))^2 are 3.96 million, four weeks of quarters of an hour 2,688. ln
    1,000 is 6.9."""
    known = {name: [True] for name in ("in_base", "in_candidate", "tested", "testable")}
    known |= {name: [False] for name in ("constant", "rare", "single")}
    row: dict[str, Any] = {
        **known, "report": ["r"], "column": ["c"], "better": ["lower"], "margin_pct": [1.0],
        "base": [100.0], "candidate": [100 + delta_pct], "delta": [delta_pct],
        "delta_pct": [delta_pct], "p_value": [0.5], "half_log": [half_log], "samples": [samples],
        "units": [24.0], "most_units": [28.0 if samples == "run" else 2688.0],
        "ci_low_pct": [100 * np.expm1(-half_log)], "ci_high_pct": [100 * np.expm1(half_log)],
    }  # fmt: skip
    (said,) = bounded(concluded(pa.table(row))).to_pylist()
    assert (said["verdict"], said["note"]) == ("unclear", note)
    assert (said["ci_low_pct"] is not None, said["ci_high_pct"] is not None) == (is_told, is_told)


@pytest.mark.parametrize(
    ("wanted", "has_rmf", "fails"),
    [
        (Filter(start=datetime(2031, 1, 1)), False, True),
        (Filter(end=datetime(2001, 1, 1)), False, True),
        (Filter(tod=(time(21), time(5))), False, False),  # a job that ends at 09:15 may begin then
        (Filter(tod=(time(21), time(5))), True, True),
        (Filter(tod=(time(16), time(9, 45))), True, False),
        (Filter(start=datetime(2026, 3, 1, 10), end=datetime(2026, 3, 1, 12)), True, True),
        (Filter(start=datetime(2026, 3, 1, 10), end=datetime(2026, 3, 1, 12)), False, False),
    ],
)
def test_a_time_without_records_is_known_before_reports_are_asked(
    wanted: Filter, has_rmf: bool, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loads know when the first and last records were written, and RMF when intervals begin:
    here at 09:30 and 16:00 on Monday the 2nd, with records from 09:15 to 16:15."""
    sides = []
    for run in ("mon", "tue"):
        con = empty()
        con.execute("INSERT INTO load_file (file_id, run) VALUES (1, ?)", [run])
        con.execute(
            "INSERT INTO load_count (file_id, kind, loaded, first, last) VALUES "
            "(1, 'smf', 9, '2026-03-02 09:15', '2026-03-02 16:15')"
        )
        if has_rmf:
            con.execute(
                "INSERT INTO load_interval (file_id, interval_start) VALUES "
                "(1, '2026-03-02 09:30'), (1, '2026-03-02 16:00')"
            )
        sides.append(side(con, run, run))
    if not fails:
        for each in sides:
            check_times(each, wanted)
        return
    monkeypatch.setattr(Together, "result", None)
    with pytest.raises(ReportError, match="mon: nothing begins in that time") as error:
        compare(*sides, keep=wanted)
    said = "its records are from 2026-03-02 09:15 to 2026-03-02 16:15, local time"
    same_hours = "; --tod 09:00-12:00 takes the same hours of both, whatever their days"
    assert error.value.hint == said + ("" if wanted.tod else same_hours)


def test_another_time_zone_is_told() -> None:
    """Central European time, which is set to summer time in the second run."""
    sides = []
    for run, hours in (("mon", [1, 1]), ("tue", [1, 2])):
        con = empty()
        rows = ", ".join(
            f"('{run}', 'SYSA', TIMESTAMP '2026-03-29 0{n}:00' + INTERVAL {h} HOUR,"
            f" TIMESTAMP '2026-03-29 0{n}:00')"
            for n, h in enumerate(hours)
        )
        con.execute(
            f"""CREATE OR REPLACE VIEW rmf_interval AS
            SELECT *, '70.1' AS record_type, 900.0 AS interval_s
            FROM (VALUES {rows}) AS t (run, system, interval_start, interval_start_utc)"""
        )
        con.execute("INSERT INTO load_file (file_id, run) VALUES (1, ?)", [run])
        sides.append(side(con, run, run))
    told = differences(*sides, loads_of(*sides))
    assert told.filter(pc.field("topic") == "zone").to_pylist() == [{
        "topic": "zone", "item": "local time of SYSA less UTC [h]", "base": "+1",
        "candidate": "+1, +2",
    }]  # fmt: skip


@pytest.mark.parametrize(("second", "fails"), [("09:15", False), ("09:10", True), (None, False)])
def test_pairs_need_a_time_of_day_that_both_sides_have(second: str | None, fails: bool) -> None:
    """Monday has intervals from 09:00 and 09:15; where RMF tells none, nothing is known."""
    sides = []
    for run, times in (("mon", ["09:00", "09:15"]), ("tue", [second])):
        con = empty()
        con.execute("INSERT INTO load_file (file_id, run) VALUES (1, ?)", [run])
        for each in filter(None, times):
            sql = "INSERT INTO load_interval (file_id, interval_start) VALUES (1, ?)"
            con.execute(sql, [f"2026-03-02 {each}"])
        sides.append(side(con, run, run))
    if not fails:
        check_clock(*sides)
        return
    with pytest.raises(ReportError, match="expected some to pair") as error:
        check_clock(*sides)
    assert error.value.hint.startswith("mon: from 09:00 to 09:15; tue: from 09:10 to 09:10")


def test_both_sides_may_be_narrowed_to_a_time_of_day() -> None:
    """The sample has intervals from 10:00 and from 10:02."""
    sides = side(sample("before"), None), side(sample("after", busy=1.1), None)
    whole = compare(*sides, ["rmf.cpu"])
    at_nine = compare(*sides, ["rmf.cpu"], keep=Filter(tod=(time(10), time(10, 2))))
    assert at_nine.table.num_rows == whole.table.num_rows
    counts = [pc.sum(done.table["n_base"]).as_py() for done in (whole, at_nine)]
    assert 0 < counts[1] < counts[0]


def test_a_job_without_a_complete_interval_is_not_idle_all_day() -> None:
    """IMS1 has 12 quarters of an hour, the archive job one row of 138 s: it tells nothing by which
    to test the job. The region that is idle in the last hour has 12 intervals, 4 of them of 0."""
    report = catalog().get("smf.address_space")
    hours = [datetime(2026, 3, 1, 9 + n // 4, n % 4 * 15) for n in range(12)]
    starts = [*hours, datetime(2026, 3, 1, 10, 37), *hours[:8]]
    rows = pa.table({
        "run": [0] * 21, "system": ["SYSA"] * 21, "interval_start_utc": starts,
        "interval_s": [900.0] * 12 + [138.0] + [900.0] * 8,
        **{
            name: [1800.0] * 21
            for column in report.columns
            for name in ((*column.num, *column.den) if column.kind == "ratio" else [column.name])
            if column.kind in ("ratio", "count", "level", "highwater") and name != "interval_s"
        },
    })  # fmt: skip
    of = np.array([0] * 12 + [1] + [2] * 8)
    samples = read_samples(rows, report, of, 3)
    num, den, _ = samples.parts(report, report.column("excps_per_s"), by_second=False)
    assert (~np.isnan(num[0])).sum(axis=1).tolist() == [12, 0, 12]
    assert np.nansum(num[0], axis=1).tolist() == [12 * 1800, 0, 8 * 1800]
    assert np.nansum(den[0], axis=1).tolist() == [12 * 900, 0, 12 * 900]


def test_rows_of_one_key_and_interval_count_together() -> None:
    """Two rows of 3 and 4 are 7; of one without a value, the other; of none, none. A row that is
    alone stays what it is; where there is no row, there is no number."""
    report = catalog().get("rmf.device")
    starts = [datetime(2026, 3, 1, 9, quarter) for quarter in (0, 0, 15, 15, 30, 30, 0)]
    parts = {name for c in report.columns for name in (*c.num, *c.den)} | {
        c.name for c in report.columns if c.kind in ("count", "level", "highwater")
    }
    rows = pa.table({
        "run": [0] * 7, "system": ["SYSA"] * 7, "interval_start_utc": starts,
        **{name: pa.array([1.0] * 7) for name in parts},
        "interval_s": [900.0] * 7, "io_count": [3.0, 4.0, 5.0, None, None, None, 8.0],
    })  # fmt: skip
    samples = read_samples(rows, report, np.array([0] * 6 + [1]), 2)
    told = [[None if np.isnan(v) else v for v in row] for row in samples.column("io_count")]
    assert told == [[7, 5, None], [8, None, None]]
    assert samples.column("pend_us")[0].tolist() == [2, 2, 2]


def test_totals_by_sql_may_read_texts() -> None:
    """The goal of a class says what its performance index is of."""
    assert rows_of(report="rmf.workload", column="perf_index")


def test_what_begins_comes_before_a_small_change() -> None:
    """Waits that were never there, tested, before 2 % of a volume; after 200 % of the largest. What
    ends comes so, too. What nobody calls better or worse has the place of its size. What nothing
    tests is last.

    Size is the logarithm of the sure change, 3 at most, by the root of the share of the largest
    value: ln 2.5 * sqrt(200/300) = .748; ln 1.9 * sqrt(100/300) = .371; 3 * sqrt(3/300) = .3;
    3 * sqrt(2/300) = .245; ln 1.01 * sqrt(2/300) = .0008.
    """
    assert ranked(
        name=["begins", "small", "large", "untested", "ends", "other"],
        verdict=[*["worse"] * 4, "differs", "differs"],
        base=[0.0, 100.0, 100.0, 0.0, 2.0, 100.0],
        candidate=[3.0, 102.0, 300.0, 300.0, 0.0, 200.0],
        ci_low_pct=[None, 1.0, 150.0, None, None, 90.0],
        p_value=[1e-9, 1e-9, 1e-9, None, 1e-9, 1e-9],
    ) == ["large", "other", "begins", "ends", "small", "untested"]


def test_what_never_varies_is_as_sure_as_can_be() -> None:
    """A cap of 0 % in all intervals, then 100 %, comes before delays of 3.9 and then 98.3 %:
    3 * sqrt(100/100) against 3 * sqrt(94.4/100). From 50 to 100 it has ln 2 * sqrt(50/100)."""
    assert ranked(
        name=["delay", "capped", "half"],
        base=[3.9, 0.0, 50.0],
        candidate=[98.3, 100.0, 100.0],
        ci_low_pct=[2200.0, None, None],
        p_value=[1e-9, None, None],
        constant=[False, True, True],
    ) == ["capped", "delay", "half"]


def test_numbers_without_a_unit_are_weighed_by_their_column() -> None:
    """An index that went from 1 to 2 is large beside indexes, not beside 1,200 address spaces."""
    assert ranked(
        name=["spaces", "index"],
        unit=["", ""],
        column=["avg", "perf_index"],
        base=[1000.0, 1.0],
        candidate=[1200.0, 2.0],
        ci_low_pct=[19.0, 90.0],
    ) == ["index", "spaces"]


def test_rates_come_late_where_the_load_is_another_one() -> None:
    columns: dict[str, list[Any]] = {
        "name": ["rate", "time"], "is_rate": [True, False], "base": [1.0, 1.0],
        "candidate": [2.0, 1.1], "ci_low_pct": [90.0, 9.0], "unit": ["1/s", "ms"],
    }  # fmt: skip
    assert ranked(**columns) == ["rate", "time"]
    assert ranked(load_differs=True, **columns) == ["time", "rate"]


@pytest.mark.parametrize(("busy", "differs"), [(1.0001, False), (1.1, True)])
def test_the_load_is_another_one_beyond_a_margin(busy: float, differs: bool) -> None:
    """110 transactions a second after 100 are; 100.01 are what two equal days differ by."""
    sides = side(sample("a"), None), side(sample("b", busy=busy), None)
    facts = differences(*sides, loads_of(*sides))
    assert load_differs(facts) is differs


def ims_of(run: str, **rates: float) -> Side:
    """Statistics sets of IMS1, an hour each: `at_08=100` is 100 transactions a second from 08."""
    con = empty()
    con.execute("INSERT INTO load_file (file_id, run) VALUES (1, ?)", [run])
    rows = ", ".join(
        f"('{run}', 'SYSA', 'IMS1', TIMESTAMP '2026-03-02 {name[-2:]}:00', 3600.0, {3600 * rate})"
        for name, rate in rates.items()
    )
    con.execute(
        f"""CREATE OR REPLACE VIEW ims_statistics_set AS SELECT * FROM (VALUES {rows})
        AS t (run, system, ims, interval_start, interval_s, transactions_count)"""
    )
    return side(con, run, run)


@pytest.mark.parametrize(
    ("wanted", "load"),
    [
        ({}, ("300", "150")),  # of whole runs
        ({"clock": True}, ("200", "150")),  # 09 alone is in both
        ({"keep": Filter(tod=(time(8), time(10)))}, ("150", "150")),
        ({"keep": Filter(system="SYSB")}, None),
    ],
)
def test_the_load_is_that_of_the_hours_that_are_compared(
    wanted: dict[str, Any], load: tuple[str, str] | None
) -> None:
    """100, 200, 400 and 500 a second from 08 to 12, and 150 from 09 to 10: the load of the day is
    another one by half, that of the hour that both have by a quarter."""
    day = ims_of("mon", at_08=100, at_09=200, at_10=400, at_11=500)
    hour = ims_of("tue", at_09=150)
    found = differences(day, hour, loads_of(day, hour, **wanted))
    facts = found.filter(pc.field("topic") == "load").to_pylist()
    told = [(row["base"], row["candidate"]) for row in facts]
    assert told == ([load] if load and load[0] != load[1] else [])


def test_count_is_taken_for_each_second() -> None:
    """A count without a rate of its own is compared as a rate, and says so in its unit."""
    key = "system=PRODSYSA,partition=PRDA,type=IIP"
    (row,) = rows_of(report="rmf.partition", column="effective_s", key=key)
    assert row["unit"] == "s/s"
    assert row["base"] == pytest.approx(19.8 / 120)
    assert row["delta_pct"] == pytest.approx(10)


@pytest.mark.parametrize(
    ("report", "rates", "counts"),
    [
        ("smf.dataset_io", {"ios_per_s"}, {"ios", "reads"}),  # io_count AS ios, io_count / ..
        ("rmf.xcf_member", {"sent_per_s", "received_per_s"}, {"sent", "received"}),
        ("smf.address_space", {"ios_per_s", "excps_per_s"}, {"ios", "excps"}),
    ],
)
def test_a_count_beside_its_rate_is_compared_once(
    report: str, rates: set[str], counts: set[str]
) -> None:
    """By the second they are one number, whatever name the rate knows the count by. What has no
    rate beside it stays: reads."""
    compared = {row["column"] for row in rows_of(report)}
    assert rates <= compared and compared & counts == counts & {"reads"}


def test_percentiles_and_the_performance_index_are_compared() -> None:
    """They have a total of their own, and one is better than another."""
    kinds = {
        (report, name): catalog().get(report).column(name).kind
        for report, name in (
            ("ims.transit", "p99_ms"), ("rmf.workload", "perf_index"), ("rmf.workload", "actual")
        )
    }  # fmt: skip
    assert list(kinds.values()) == ["level", "level", "attribute"]


def test_long_report_has_unit_and_direction_by_row() -> None:
    """The logger report names unit and better for each counter."""
    key = "system=PRDA,ims=IMS1,part=logical,counter=wait_writes"
    (row,) = rows_of(report="ims.logger", column="per_transaction", key=key)
    assert (row["unit"], row["better"], row["delta_pct"]) == (
        "waits",
        "lower",
        pytest.approx(0),
    )


def test_keys_join_null_safe_and_come_and_go() -> None:
    """Total rows (NULL keys) meet each other; a volume of one side only is new or gone."""
    base, candidate = sample(), sample()
    candidate.execute("UPDATE smf74_1_device SET smf74num = 999 WHERE smf74ser = 'SPARE1'")
    done = compare(side(base, None), side(candidate, None), ["rmf.cpu", "rmf.device"])
    verdicts = {
        (r["key"], r["verdict"]) for r in done.table.to_pylist() if r["report"] == "rmf.device"
    }
    assert ("system=PRODSYSA,device=003E7", "new") in verdicts
    assert ("system=PRODSYSA,device=09A12", "gone") in verdicts
    totals = [
        r for r in done.table.to_pylist() if r["key"] == "system=PRODSYSA,cpu=,thread=,type=CP"
    ]
    assert totals and {r["verdict"] for r in totals} == {"unclear"}


def test_what_two_reports_have_is_compared_once() -> None:
    """I/Os of a shared volume: of all systems together, 30 a second; of each in rmf.device."""
    file = TESTS / "report_values" / "shared_device_two_systems.json"
    tables = tables_of(json.loads(file.read_text(encoding="utf-8")))
    with with_tables(tables) as base, with_tables(tables) as candidate:
        candidate.execute("UPDATE smf74_1_device SET smf74ssc = 2 * smf74ssc")
        reports = ["rmf.device", "rmf.shared_device"]
        done = compare(side(base, None), side(candidate, None), reports)
        of_system = Filter(system="SYSA")
        none = compare(side(base, None), side(candidate, None), reports[1:], keep=of_system)
    assert sentence(none, []).startswith("Nothing to compare")
    rates = {
        (r["report"], r["key"]): (r["base"], r["candidate"])
        for r in done.table.to_pylist()
        if r["column"] == "rate_per_s" and r["base"] in (10, 20, 30)
    }
    assert rates == {
        ("rmf.device", "system=SYSA,device=01000"): (10, 20),
        ("rmf.device", "system=SYSB,device=02000"): (20, 40),
        ("rmf.shared_device", "system=*ALL,volume=SHR001"): (30, 60),
    }
    of_shared = {r["key"] for r in done.table.to_pylist() if r["report"] == "rmf.shared_device"}
    assert of_shared == {"system=*ALL,volume=SHR001"}


def test_a_report_without_numbers_has_no_row() -> None:
    """run.config is text: there is nothing to compare, and what else differs is told."""
    base, candidate = sample("a"), sample("b")
    for con, run, value in ((base, "a", "off"), (candidate, "b", "on")):
        insert(con, "run_config", [{"run": run, "section": "log", "key": "mirror", "value": value}])
    done = compare(side(base, None), side(candidate, None), ["run.config"])
    assert (done.table.num_rows, done.differences.num_rows) == (0, 1)
    assert sentence(done, []).startswith("Nothing to compare")


def test_what_else_differs_comes_first() -> None:
    """Configuration, coverage and load."""
    base, candidate = sample("a"), sample("b", busy=1.1)
    insert(base, "run_config", [{"run": "a", "section": "log", "key": "mirror", "value": "off"}])
    insert(
        candidate, "run_config", [{"run": "b", "section": "log", "key": "mirror", "value": "on"}]
    )
    made = [
        {"run": "b", "section": "generator", "key": k, "value": "1"} for k in ("seed", "faults")
    ]
    made += [{"run": "b", "section": "files", "key": "b.SYSA.smf.vbs", "value": "400"}]
    insert(candidate, "run_config", made)  # how it was generated, which nobody may know
    candidate.execute("DELETE FROM smf74_1_product WHERE record_no = 4")
    done = compare(side(base, None), side(candidate, None), ["rmf.cpu"])
    differences = {
        (r["topic"], r["item"]): (r["base"], r["candidate"]) for r in done.differences.to_pylist()
    }
    assert differences == {
        ("configuration", "log.mirror"): ("off", "on"),
        ("coverage", "type 74.1 PRODSYSA intervals"): ("2", "1"),
        ("load", "IMS IMS1 transactions/s"): ("100", "110"),
    }


def test_what_else_differs_is_of_all_runs_of_a_side() -> None:
    """The first runs of both sides are alike but for the mirror. An hour of IMS1 in each run: the
    load is (3 * 100) / 3 transactions a second before, (100 + 200) / 2 after."""
    mirrors = {"a1": "off", "a2": "off", "a3": "on", "b1": "on", "b2": "on"}
    rates = {"a1": 100, "a2": 100, "a3": 100, "b1": 100, "b2": 200}
    facts = [
        {"run": run, "section": "log", "key": "mirror", "value": mirrors[run]} for run in rates
    ]
    with empty() as con:
        insert(con, "load_file", [{"file_id": n, "run": run} for n, run in enumerate(rates)])
        insert(
            con, "run_config", [*facts, {"run": "b2", "section": "log", "key": "x", "value": "y"}]
        )
        rows = ", ".join(
            f"('{run}', 'SYSA', 'IMS1', TIMESTAMP '2026-03-02 08:00', 3600.0, {3600 * rate})"
            for run, rate in rates.items()
        )
        con.execute(
            f"""CREATE OR REPLACE VIEW ims_statistics_set AS SELECT * FROM (VALUES {rows})
            AS t (run, system, ims, interval_start, interval_s, transactions_count)"""
        )
        sides = side(con, "a*"), side(con, "b*")
        told = differences(*sides, loads_of(*sides)).to_pylist()
    assert {(r["topic"], r["item"]): (r["base"], r["candidate"]) for r in told} == {
        ("configuration", "log.mirror"): ("off (2), on (1)", "on"),
        ("configuration", "log.x"): (None, "- (1), y (1)"),
        ("load", "IMS IMS1 transactions/s"): ("100", "150"),
    }


def test_a_load_that_follows_the_day_is_known() -> None:
    """Six hours of both sides, the busiest with 2.5 times the transactions of the others; with 1.5
    times, with five hours, or with other hours of one side, none is said to."""

    def load(*rates: int, first: int = 0) -> pa.Table:
        starts = [datetime(2026, 3, 2, first + hour, 30) for hour in range(len(rates))]
        counts = [3600 * rate for rate in rates]
        lengths = [3600.0] * len(rates)
        names = ["interval_start", "interval_s", "transactions_count"]
        return pa.table([starts, lengths, counts], names=names)

    busy, even = load(100, 100, 100, 100, 100, 250), load(100, 100, 100, 100, 100, 150)
    assert follow_the_day([busy, busy])
    assert not follow_the_day([busy, even]) and not follow_the_day([even, busy])
    assert not follow_the_day([busy, load(100, 100, 100, 100, 100, 250, first=1)])
    assert not follow_the_day([load(100, 100, 100, 100, 250)] * 2)
    assert not follow_the_day([load(0, 0, 0, 0, 0, 0)] * 2)


def test_side_without_records_is_all_gone() -> None:
    """A run without a record type has no rows of its report; both without it have no report."""
    candidate = sample()
    for table in ("smf74_1_device", "smf74_1_product", "ims_450a", "ims_450a_latch"):
        candidate.execute(f"DELETE FROM {table}")
    done = compare(side(sample(), None), side(candidate, None), ["rmf.device"])
    device = [r["verdict"] for r in done.table.to_pylist() if r["report"] == "rmf.device"]
    assert device and set(device) == {"gone"}
    assert sentence(done, []) == (
        f"Nothing in common to compare, each row is on one side: {len(device)} gone."
    )
    both = compare(side(candidate, None), side(candidate, None), ["rmf.cpu"])
    assert both.table.num_rows
    with pytest.raises(ReportError, match="IMS log 450A"):
        compare(side(candidate, None), side(candidate, None), ["ims.latches"])


def test_a_run_without_the_records_leaves_its_side_the_others() -> None:
    """Two runs a side, and the second of the base has no record."""
    base = sample("mon1")
    insert(base, "load_file", [{"file_id": 99, "run": "mon2", "kind": "smf", "status": "whole"}])
    done = compare(side(base, "mon*"), side(sample("tue"), None), ["rmf.device", "ims.latches"])
    assert {*done.table["report"].to_pylist()} == {"rmf.device", "ims.latches"}
    assert {*done.table["delta"].to_pylist()} == {0.0}


def test_side_names_its_run() -> None:
    """One run is taken, several must be named, near names are suggested."""
    con = sample("monday")
    insert(con, "load_file", [{"file_id": 2, "run": "tuesday"}])
    assert side(con, "monday").run == "monday"
    with pytest.raises(ReportError, match="found 2 runs, expected one") as several:
        side(con, None)
    assert several.value.hint == "runs: monday, tuesday; name one as DB::run"
    with pytest.raises(ReportError, match="no run 'mondy'") as unknown:
        side(con, "mondy")
    assert "monday" in str(unknown.value.hint)
    with pytest.raises(ReportError, match="nothing is loaded"):
        side(empty(), None)


# --- as text --------------------------------------------------------------------------------------


def compared(**columns: list[Any]) -> list[list[str]]:
    """The words of each line of a comparison with these columns."""
    names = [name for name in SCHEMA.names if name in columns]
    table = pa.table(columns).select(names)
    return [line.split() for line in comparison_text(table).splitlines()]


def test_numbers_are_printed_as_in_their_report() -> None:
    """Device times in three digits, I/Os to three decimals; a zero before the point, as columns of
    other reports have it. What is empty throughout is left out. The values are those of document
    002, table 4-5, and its 28 %."""
    lines = compared(
        report=["rmf.device", "rmf.device"],
        column=["resp_ms", "rate_per_s"],
        base=[1.179184289, 524.7049999999999],
        candidate=[0.8541615285, None],
        delta=[-0.3250227601, None],
        delta_pct=[-27.56335573, None],
        p_value=pa.nulls(2, pa.float64()),
    )
    assert lines[0] == ["report", "column", "base", "candidate", "delta", "delta_pct"]
    assert lines[2] == ["rmf.device", "resp_ms", "1.18", "0.854", "-0.325", "-27.6"]
    assert lines[3] == ["rmf.device", "rate_per_s", "524.705", "-", "-", "-"]


def test_counts_are_printed_by_the_second() -> None:
    """Gets are whole numbers in the report, by the second they have the decimals of a rate."""
    lines = compared(
        report=["ims.latches"] * 2,
        column=["shared_gets"] * 2,
        base=[1234.56, 0.02],
        candidate=[12.3456, 0.0],
        delta=[-1222.2144, -0.0012],
        delta_pct=[-99.0, -100.0],
    )
    assert lines[2][2:] == ["1,235", "12.35", "-1,222", "-99.0"]
    assert lines[3][2:] == ["0.0200", "0.0000", "-0.0012", "-100.0"]


def test_a_difference_has_the_form_of_its_column() -> None:
    """Also below its last digit: three decimals stay three, and what prints as 0 has no sign."""
    assert beside_others("3")(7.6e-08) == "0.000"
    assert beside_others("device")(-0.00012) == "0.000"
    assert beside_others("int")(0.4) == "0"
    assert beside_others("int")(-1.6) == "-2"
    assert beside_others("int")(470371.2) == "470,371"
    assert beside_others("1")(-1234.56) == "-1,234.6"
    assert beside_others("pool_per_second")(-0.3) == ">-0.5"  # <0.5 in the report
    assert beside_others("scaled")(-148_000_000.0) == "-148M"


def test_text_is_for_people_and_csv_for_programs() -> None:
    """csv keeps every digit and every column."""
    done = compare(
        side(sample("a"), None), side(sample("b", busy=1.1), None), ["rmf.device"]
    )  # fmt: skip
    head, first = render(done, "csv").splitlines()[:2]
    assert head.split(",") == SCHEMA.names and first.startswith("rmf.device,")
    assert render(done, "text") == comparison_text(done.table)
    assert "p_value" not in render(done, "text")
    some = done.table.drop_columns(["delta", "candidate"])  # who chose columns
    assert comparison_text(some).splitlines()[0].split()[:3] == ["report", "key", "column"]
