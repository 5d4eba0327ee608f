"""What a chart draws: values worked out from twelve rows of three volumes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from report_database import with_tables

from imsperf.errors import ReportError
from imsperf.reports.charts import chart
from imsperf.reports.charts.rows import FORMS, OVERLAYS, Choice, label, marks
from imsperf.reports.findings.rule import shipped
from imsperf.reports.html_page.shown import chart_data
from imsperf.reports.report_file import parse
from imsperf.reports.run import Result, Top, ask, run_query

REPORT = parse(
    """/* imsperf report
id       = "my.volumes"
title    = "Volumes"
answers  = "How long does an I/O of a volume take?"
key      = ["volume"]

[chart]
mark     = "bar"
x        = "volume"
y        = ["wait_ms", "busy_ms"]
facet    = "system"
top      = 1
by       = "io_count"
title    = "Time of an I/O, ms"
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, volume,
    wait_ms_sum / nullif(io_count, 0)   AS wait_ms, -- waiting
    busy_ms_sum / nullif(io_count, 0)   AS busy_ms, -- transferring
    io_count,
    wait_ms_sum, -- ms of all waits
    busy_ms_sum, -- ms of all transfers
    interval_s
FROM rmf_device
""",
    "volumes.sql",
)
FIRST = datetime(2026, 3, 2, 9)  # a Monday
WAITS = {"BUSY01": (1.0, 3.0), "SLOW01": (0.0, 80.0), "RARE01": (0.0, 900.0)}
COUNTS = {"BUSY01": 100, "SLOW01": 50, "RARE01": 1}


def volumes(days: int = 1, runs: tuple[str, ...] = ("t",)) -> Result:
    """Two intervals of an hour each day, 2 ms busy for each I/O; waits of the first and second."""
    rows: list[dict[str, Any]] = []
    for run in runs:
        for day in range(days):
            for hour in range(2):
                start = FIRST + timedelta(days=day, hours=hour)
                for name, waits in WAITS.items():
                    n = COUNTS[name]
                    rows.append(
                        {
                            "run": run,
                            "sysplex": "PLEX1",
                            "system": "SYSA",
                            "interval_start": start,
                            "interval_start_utc": start - timedelta(hours=1),
                            "volume": name,
                            "wait_ms": waits[hour],
                            "busy_ms": 2.0,
                            "io_count": n,
                            "wait_ms_sum": waits[hour] * n,
                            "busy_ms_sum": 2.0 * n,
                            "interval_s": 3600.0,
                        }
                    )
    return Result(REPORT, pa.Table.from_pylist(rows))


def drawn(result: Result, **choice: Any) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = chart.spec(result, Choice(**choice))["data"]["values"]
    return values


def test_a_bar_is_a_mean_with_its_largest_interval() -> None:
    """(1 + 3) / 2 ms of waits for the volume with most I/O; 3 + 2 at 10:00. 80 + 2 ms is more than
    twice that, so SLOW01 stands beside it; one I/O of 900 ms is too few to be shown."""
    rows = drawn(volumes())
    assert [(row["x"], row["value"], row["largest"]) for row in rows] == [
        ("BUSY01", 2, None),
        ("BUSY01", 2, 5),
        ("SLOW01", 40, None),
        ("SLOW01", 2, 82),
    ]
    assert {row["largest_at"] for row in rows if row["largest"]} == {"2026-03-02T10:00:00"}


def test_lines_are_those_of_the_largest_series() -> None:
    """Over all intervals: each of the two of the first volumes, each with both columns."""
    rows = drawn(volumes(), form="line", top=Top(2, "io_count"))
    assert sorted((row["color"], row["value"]) for row in rows) == [
        *(("BUSY01 busy_ms [ms]", 2), ("BUSY01 busy_ms [ms]", 2)),
        *(("BUSY01 wait_ms [ms]", 1), ("BUSY01 wait_ms [ms]", 3)),
        *(("SLOW01 busy_ms [ms]", 2), ("SLOW01 busy_ms [ms]", 2)),
        *(("SLOW01 wait_ms [ms]", 0), ("SLOW01 wait_ms [ms]", 80)),
    ]
    assert {row["x"] for row in rows} == {"2026-03-02T09:00:00", "2026-03-02T10:00:00"}


def test_percentiles_of_the_rows_of_an_interval() -> None:
    """0, 0, 1 and 3, 80, 900: the 90th percentile is 0.8 of the way from second to third."""
    rows = drawn(volumes(), form="percentiles", columns=("wait_ms",))
    assert [(row["component"], row["value"]) for row in rows] == [
        *(("median", 0), ("90th percentile", pytest.approx(0.8)), ("largest", 1)),
        *(("median", 80), ("90th percentile", pytest.approx(736)), ("largest", 900)),
    ]


def test_hours_days_and_shares() -> None:
    """A cell for each hour of two days; six rows, half of them at most 1 ms."""
    cells = drawn(volumes(days=2), form="heatmap", columns=("wait_ms",))
    assert [(row["day"], row["hour"], row["value"]) for row in cells] == [
        *(("Mon 02 Mar 2026", 9, 1), ("Mon 02 Mar 2026", 10, 900)),
        *(("Tue 03 Mar 2026", 9, 1), ("Tue 03 Mar 2026", 10, 900)),
    ]
    shares = drawn(volumes(), form="ecdf", columns=("wait_ms",))
    assert [(row["value"], row["share"]) for row in shares] == [
        *((0, pytest.approx(100 / 3)), (1, 50), (3, pytest.approx(200 / 3))),
        *((80, pytest.approx(250 / 3)), (900, 100)),
    ]
    points = drawn(volumes(), form="scatter", columns=("io_count", "wait_ms"))
    assert (50, 80) in {(row["x"], row["y"]) for row in points} and len(points) == 6


@pytest.mark.parametrize(
    ("overlay", "lines", "hours"),
    [
        ("run", {"a BUSY01", "b BUSY01"}, {0, 1, 24, 25}),
        ("day", {"Mon 02 Mar 2026 BUSY01", "Tue 03 Mar 2026 BUSY01"}, {9, 10}),
        ("week", {"week 2026-10 BUSY01"}, {9, 10, 33, 34}),
    ],
)
def test_runs_days_and_weeks_over_one_another(
    overlay: str, lines: set[str], hours: set[int]
) -> None:
    """2 March 2026 is the Monday of week 10."""
    rows = drawn(
        volumes(2, ("a", "b")),
        overlay=overlay,
        columns=("wait_ms",),
        top=Top(1, "io_count"),
    )
    assert {row["color"] for row in rows} == lines
    assert {row["x"] for row in rows} == hours


@pytest.mark.parametrize(
    ("overlay", "panels", "labels", "read"),
    [
        ("day", {"SYSA"}, ["09:00", "09:05"], {"09:00", "10:00"}),
        ("week", {"SYSA"}, ["Mon 09:00", "Mon 12:00"], {"Mon 09:00", "Tue 10:00"}),
        ("run", {"SYSA"}, ["00:00", "00:05"], {"00:00", "01:00"}),
    ],
)
def test_runs_of_a_day_each_lie_over_one_another(
    overlay: str, panels: set[str], labels: list[str], read: set[str]
) -> None:
    """Monday and Tuesday, each a run: one panel for both. Hours are read as a clock shows them."""
    both = volumes(2)
    days = pc.day(both.table["interval_start"])
    runs = pc.if_else(pc.equal(days, 2), "mon", "tue")
    place = both.table.schema.get_field_index("run")
    result = replace(both, table=both.table.set_column(place, "run", runs))
    drawing = chart.spec(result, Choice(columns=("wait_ms",), overlay=overlay))
    rows = drawing["data"]["values"]
    assert {row["panel"] for row in rows} == panels
    assert {row["clock"] for row in rows} >= read
    axis = drawing["spec"]["encoding"]["x"]["axis"]
    said = re.findall(r"'([^']+)'", axis["labelExpr"])
    assert said[:2] == labels and len(said) == len(axis["values"]) <= 13


def test_a_line_is_cut_where_nothing_was_recorded() -> None:
    """Two hours of Monday and of Tuesday: two pieces. The one interval of Wednesday is alone, which
    a mark shows where the line has too many points for marks."""
    result = volumes(3)
    rows = result.table.slice(0, 5 * len(WAITS))
    choice = Choice(Top(1, "io_count"), ("wait_ms",), "line")
    drawing = chart.spec(replace(result, table=rows), choice)
    assert drawing["spec"]["encoding"]["detail"]["field"] == "piece"
    data = drawing["data"]["values"]
    assert [row["piece"] for row in data] == [1, 1, 2, 2, 3]
    assert [row["alone"] for row in data] == [False] * 4 + [True]
    unbroken = chart.spec(volumes(1), choice)
    assert "detail" not in unbroken["spec"]["encoding"]


def test_rows_of_own_sql() -> None:
    """Times make lines, one for each text; names make bars; numbers need not have a report."""
    times = pa.table({"at": [FIRST, FIRST], "v": ["A", "B"], "ms": [1, 2], "s": [None, 4.0]})
    values = chart.spec_of_rows(times, "own")["data"]["values"]
    assert [(row["color"], row["value"]) for row in values] == [
        ("A ms", 1),
        ("B ms", 2),
        ("B s", 4),
    ]
    names = chart.spec_of_rows(pa.table({"v": ["A", None], "ms": [1, 2]}), "own")
    assert [row["x"] for row in names["data"]["values"]] == ["A", "-"]
    for table in (pa.table({"a": [1]}), pa.table({"a": [1], "b": ["x"]}), times.slice(0, 0)):
        with pytest.raises(ReportError, match="draw"):
            chart.spec_of_rows(table, "own")


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    """A column nobody knows, one without a value, a form of two columns, no chart, no intervals."""
    result = volumes()
    with pytest.raises(ReportError, match="no column 'waits'"):
        drawn(result, columns=("waits",))
    with pytest.raises(ReportError, match="of two columns"):
        drawn(result, form="scatter", columns=("wait_ms",))
    nothing = pa.nulls(result.table.num_rows, pa.float64())
    place = result.table.schema.get_field_index("wait_ms")
    empty = replace(result, table=result.table.set_column(place, "wait_ms", nothing))
    with pytest.raises(ReportError, match="wait_ms is `-` in all rows") as raised:
        drawn(empty, columns=("wait_ms",))
    assert raised.value.hint == "--column draws one that has values: busy_ms"
    bare = replace(result, report=replace(REPORT, chart=None))
    with pytest.raises(ReportError, match=r"my\.volumes has no chart") as raised:
        drawn(bare)
    assert raised.value.hint and raised.value.hint.startswith("--column draws one: wait_ms")
    assert {row["color"] for row in drawn(bare, columns=("wait_ms",))} == set(WAITS)
    with pytest.raises(ReportError, match=r"expected a name ending in html"):
        chart.write(result, tmp_path / "volumes.gif")


def test_a_page_fits_its_window(tmp_path: Path) -> None:
    """Panels tell the page how many there are; every chart has the one style."""
    drawing = chart.spec(volumes(runs=("a", "b")))
    assert drawing["usermeta"]["panels"] == 2 and drawing["config"]["title"]["anchor"] == "start"
    chart.write(volumes(), tmp_path / "c.html")
    assert "addEventListener" in (tmp_path / "c.html").read_text(encoding="utf-8")


def test_the_command_offers_the_forms_there_are() -> None:
    """What --form and --overlay take is what a Choice takes; another is refused by name."""
    from imsperf.cli.database.chart import command

    offered = {
        option.name: tuple(option.type.choices)
        for option in command.params
        if isinstance(option.type, click.Choice)
    }
    assert offered == {"form": FORMS, "overlay": OVERLAYS}
    with pytest.raises(ReportError, match="found 'pie', expected one of line"):
        chart.spec(volumes(), Choice(form="pie"))


def test_a_limit_of_a_rule_is_a_line_where_it_is_near() -> None:
    """`device_pending` holds pend_ms against 2 ms of volumes with an I/O a second or more;
    `device_slow` compares a volume with itself. The chart is of BUSY01 alone, by its I/Os."""
    pending, slow = (
        next(rule for rule in shipped() if rule.id == name)
        for name in ("device_pending", "device_slow")
    )
    assert pending.fixed_limits() == {"pend_ms": 2} and slow.fixed_limits() == {}
    of_devices = replace(REPORT, id=pending.report)
    columns = tuple(
        replace(column, name="pend_ms") if column.name == "wait_ms" else column
        for column in of_devices.columns
    )
    report = replace(of_devices, columns=columns)
    named = ["limit of device_pending: 2"]
    for wait, rates, expected in (
        (1.4, {"BUSY01": 1.0}, named),
        (1.3, {"BUSY01": 1.0}, []),
        (1.4, {"BUSY01": 0.9, "SLOW01": 2.0}, []),
    ):
        table = volumes().table.rename_columns({"wait_ms": "pend_ms"})
        rate = [rates.get(volume, 0.0) for volume in table["volume"].to_pylist()]
        table = table.append_column("rate_per_s", pa.array(rate))
        waits = pa.array([wait] * table.num_rows)
        place = table.column_names.index("pend_ms")
        table = table.set_column(place, "pend_ms", waits)
        choice = Choice(columns=("pend_ms",), form="line", top=Top(1, "io_count"))
        drawn = chart.spec(Result(report, table), choice)
        layers = drawn["spec"].get("layer", [])
        named = {
            name["name"] for layer in layers for name in layer.get("data", {}).get("values", ())
        }
        assert sorted(named) == expected


def test_time_is_local_where_every_row_knows_it() -> None:
    """The local interval of a log is NULL without a 4500: then all is drawn in UTC."""
    known = volumes()
    place = known.table.column_names.index("interval_start")
    local = [*known.table["interval_start"].to_pylist()[:-1], None]
    unknown = replace(known, table=known.table.set_column(place, "interval_start", [local]))
    for result, zone in ((known, "local time, 02 Mar 2026"), (unknown, "UTC, 02 Mar 2026")):
        drawn = chart.spec(result, Choice(columns=("wait_ms",), form="line"))
        assert drawn["spec"]["encoding"]["x"]["title"] == zone


def changed(result: Result, **columns: list[Any]) -> Result:
    """The same rows with other values, or with columns that the report does not have yet."""
    table, report = result.table, result.report
    for name, values in columns.items():
        if name in table.column_names:
            table = table.set_column(table.column_names.index(name), name, pa.array(values))
        else:
            table = table.append_column(name, pa.array(values))
            word = replace(report.column("volume"), name=name, label=name)
            report = replace(report, columns=(*report.columns, word))
    return replace(result, table=table, report=report)


def test_two_systems_are_never_one_line_or_one_bar() -> None:
    """The facet is a word that both have: each system has a panel, and no line goes back."""
    systems = ["SYSA"] * 6 + ["SYSB"] * 6
    both = changed(volumes(runs=("t", "t")), system=systems, kind=["DASD"] * 12)
    assert both.report.chart
    of_kind = replace(
        both, report=replace(both.report, chart=replace(both.report.chart, facet="kind"))
    )
    for form in ("line", "bar"):
        rows = drawn(of_kind, form=form, columns=("busy_ms",), top=Top(3, "io_count"))
        assert {row["panel"] for row in rows} == {"t SYSA DASD", "t SYSB DASD"}
        places = [(row["panel"], row["color"], row["x"]) for row in rows]
        assert len(places) == len(set(places))


def test_rows_that_say_their_unit() -> None:
    """One unit stands at the axis, several in the names of the panels."""
    given = volumes()
    bare = tuple(replace(column, unit="") for column in given.report.columns)
    given = replace(given, report=replace(given.report, columns=bare))
    one, two = (changed(given, unit=units) for units in (["ms"] * 6, ["ms", "ms", "s"] * 2))
    spec = chart.spec(one, Choice(columns=("wait_ms",), form="line"))
    assert spec["spec"]["encoding"]["y"]["title"] == "wait_ms [ms]"
    rows = drawn(two, columns=("wait_ms",), form="line", top=Top(3, "io_count"))
    assert {row["panel"] for row in rows} == {"t SYSA [ms]", "t SYSA [s]"}


def test_a_unit_is_said_once() -> None:
    """Headings of RMF have theirs."""
    for heading, unit, expected in (
        ("AVG RESP TIME", "ms", "AVG RESP TIME [ms]"),
        ("QUEUE MS", "ms", "QUEUE MS"),
        ("CONT %", "%", "CONT %"),
        ("Calls /Second", "1/s", "Calls /Second"),
        ("ITEMS", "ms", "ITEMS [ms]"),
    ):
        columns = tuple(
            replace(column, label=heading, unit=unit) if column.name == "wait_ms" else column
            for column in REPORT.columns
        )
        given = replace(volumes(), report=replace(REPORT, columns=columns))
        assert label(given, "wait_ms") == expected


def test_zeros_and_parts_below_zero_keep_an_axis() -> None:
    """An axis of zeros reaches 1; a part of -1 is drawn as 0 and told as -1."""
    zeros = changed(volumes(), wait_ms=[0.0] * 6)
    spec = chart.spec(zeros, Choice(columns=("wait_ms",), form="line"))
    assert spec["spec"]["encoding"]["y"]["scale"] == {"domain": {"unionWith": [0, 1]}}
    assert "scale" not in chart.spec(volumes(), Choice(form="line"))["spec"]["encoding"]["y"]
    below = changed(volumes(), wait_ms=[-1.0] * 6, wait_ms_sum=[-100.0, -50.0, -1.0] * 2)
    assert {(row["value"], row["drawn"]) for row in drawn(below)} == {(-1, 0), (2, 2)}


def test_small_counts_are_read_beside_large_ones() -> None:
    """Twelve records of a type are no bar beside 6,000: their number stands there, and each system
    and IMS has a scale of its own."""
    of = {"file_id": 1, "kind": "smf", "system": "SYSA"}
    counts = [of | {"type": t, "records": n, "bytes": n} for t, n in (("30", 6000), ("70", 12))]
    with with_tables({"load_count": counts}) as con:
        shown = run_query(ask(con, "load.coverage"))
    spec = chart.spec(shown)
    assert spec["resolve"]["scale"]["x"] == "independent"
    (numbers,) = [each for each in spec["spec"]["layer"] if each["mark"]["type"] == "text"]
    assert numbers["encoding"]["text"]["field"] == "total"
    assert numbers["transform"][0]["groupby"] == ["panel", "x"]
    of_page = chart_data(*marks(shown))
    assert of_page["ownScale"] and of_page["printed"]


def test_a_line_over_names_has_all_of_them() -> None:
    """Nine parts of a goal in their order: only lines over time are cut to the largest."""
    given = volumes(days=2)
    names = [f"L{number}" for number in range(9)]
    rows = given.table.slice(0, 9)
    rows = rows.set_column(rows.column_names.index("volume"), "volume", pa.array(names))
    spec = replace(REPORT.chart, mark="line", color="system", top=0, y=("busy_ms",))
    result = Result(replace(REPORT, chart=spec), rows)
    assert [row["x"] for row in drawn(result)] == names
