"""The drawings of a chart's rows as Vega-Lite. Only this module imports altair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import altair as alt
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import ReportError
from imsperf.reports.charts.rows import Axes, clock, label, name_sql
from imsperf.reports.definition import ChartSpec
from imsperf.reports.in_memory import in_memory
from imsperf.reports.numbers import values, visible
from imsperf.reports.run import Result

LETTERS = 60  # of names that fit below an axis; more stand beside it
PANELS = 6  # one below the other; of more two stand in a row
GAP = 3  # times the usual distance of points, beyond which a line is cut; so does page.js
POINTS = 60  # of a line that are marked; more are a line only
# of palettes of Okabe and Ito, Paul Tol and IBM, the eight that are furthest apart with any colour
# vision, each 3:1 on white: those of the page in the light
COLORS = ("#0072b2", "#997700", "#ee6677", "#785ef0", "#663333", "#332288", "#666633", "#aa3377")
STYLE = {
    "mark": {"color": COLORS[0]},
    "range": {"category": COLORS, "heatmap": {"scheme": "viridis"}},
    "axis": {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal"},
    "axisXQuantitative": {"labelFlush": False, "tickCount": 10},
    "title": {"anchor": "start", "fontSize": 14, "subtitleFontSize": 11},
    "legend": {"labelLimit": 260, "symbolLimit": 40},
    "view": {"stroke": "#dddddd"},
    "line": {"strokeWidth": 1.5},
}
# the title of an axis of names, which would stand on long ones
ABOVE: dict[str, Any] = {
    "titleAngle": 0, "titleAlign": "right", "titleAnchor": "end", "titleX": -6, "titleY": -6,
}  # fmt: skip
NUMBER = ",.5~r"
LIMIT = "#B3261E"
LEAST_REACH = 0.1  # of the middle of its values, which an axis of runs spans at least
FAR = 1.5  # times the highest value: a limit beyond is not drawn
Limits: TypeAlias = Sequence[tuple[str, float]]


def _data(rows: pa.Table) -> list[dict[str, Any]]:
    names = rows.column_names
    return [
        {name: visible(v) if isinstance(v, str) else v for name, v in zip(names, row, strict=True)}
        for row in zip(*map(values, rows.columns), strict=True)
    ]


def _marks(axes: Axes, rows: pa.Table, limits: Limits) -> Any:
    data = _data(rows)
    labels, units = axes.labels, set(axes.units)
    value_title = labels[0] if len(labels) == 1 else units.pop() if len(units) == 1 else ""
    lying = _lies(axes, rows)
    x, x_tip = _x(axes, data, lying)
    if axes.stacked:  # a part below zero would stand on the other side of the axis
        for row in data:
            row["drawn"] = max(row["value"], 0)
    value = (alt.X if lying else alt.Y)(
        "drawn:Q" if axes.stacked else "value:Q",
        title=value_title,
        stack=axes.stacked or None,
        scale=_value_scale(axes, data),
    )
    tips = [x_tip]
    channels: dict[str, Any] = {"y" if lying else "x": x, "x" if lying else "y": value}
    if len(labels) > 1:
        channels["color"] = alt.Color("component:N", title=None, sort=labels)
        channels["order"] = alt.Order("place:Q")
        tips.append(alt.Tooltip("component:N", title="value of"))
    elif axes.color_title != "" and (shown := _named(data)):
        channels["color"] = alt.Color("color:N", title=axes.color_title, sort=shown)
        tips.append(alt.Tooltip("color:N", title=axes.color_title or "of"))
    if axes.mark == "bar" and not axes.stacked and len(labels) > 1:
        offset = alt.YOffset if lying else alt.XOffset
        channels["yOffset" if lying else "xOffset"] = offset("component:N", sort=labels)
    tips.append(alt.Tooltip("value:Q", title=value_title or "value", format=NUMBER))
    if axes.mark == "line" and axes.x_kind != "name" and _cut(data):
        channels["detail"] = alt.Detail("piece:N")
    base = alt.Chart().encode(**channels, tooltip=tips)
    longest = _longest(rows)
    marks = {
        # points where there are few, so that a run of a single interval is seen
        "line": lambda: base.mark_line(point=longest <= POINTS),
        "area": lambda: base.mark_area(point=longest <= POINTS, line=True, opacity=0.7),
        "bar": base.mark_bar,
    }
    layers = [marks[axes.mark]()]
    if longest > POINTS and any(row.get("alone") for row in data):
        layers.append(base.transform_filter("datum.alone").mark_point(filled=True, size=20))
    layers += _limit_lines(rows, lying, limits)
    if "largest" in rows.column_names:
        layers.insert(1, _ticks(channels, lying, x_tip))
    if axes.printed:
        layers.append(_numbers(x, lying))
    if len(layers) == 1:
        return layers[0].properties(data=alt.Data(values=data))
    return alt.layer(*layers, data=alt.Data(values=data))


def _cut(data: list[dict[str, Any]]) -> bool:
    """Number the pieces of each line, which is cut where nothing was recorded: where its points are
    GAP times as far apart as usual. Whether there is such a place."""
    lines = dict[Any, list[dict[str, Any]]]()
    for row in data:
        if row["x"] is not None:
            lines.setdefault((row["panel"], row["color"], row["component"]), []).append(row)
    for points in lines.values():
        x = np.array([point["x"] for point in points])
        steps = np.diff(x.astype("datetime64[us]").astype(np.int64) if x.dtype.kind == "U" else x)
        forward = np.sort(steps[steps > 0])
        usual = forward[(len(forward) - 1) // 2] if len(forward) else np.inf
        is_far = steps > GAP * usual
        ends = np.concatenate([[True], is_far, [True]])
        for point, piece, alone in zip(
            points, np.cumsum(ends[:-1]).tolist(), (ends[:-1] & ends[1:]).tolist(), strict=True
        ):
            point["piece"], point["alone"] = piece, alone
    return any(row.get("piece", 1) > 1 for row in data)


def _value_scale(axes: Axes, data: list[dict[str, Any]]) -> Any:
    """Up to 1, or to what others reach, where all is zero: an axis of a 0 alone has no length."""
    highest: dict[str, float] = {}
    for row in data:
        panel = row["panel"] if axes.own_y else ""
        most = max(row["value"], row.get("largest") or 0)
        highest[panel] = max(highest.get(panel, 0), most)
    some = [most for most in highest.values() if most]
    if len(some) < len(highest):
        return alt.Scale(domain=alt.DomainUnionWith(unionWith=[0, min(1, *some, 1)]))
    return alt.Undefined


def _limit_lines(rows: pa.Table, lying: bool, limits: Limits) -> list[alt.Chart]:
    """A dashed line and a name for each limit near what is drawn; one far above it would press
    all that is drawn to the ground."""
    names = {"value", "largest"} & set(rows.column_names)
    highest = max((pc.max(rows[name]).as_py() or 0 for name in names), default=0)
    data = [
        {"limit": limit, "name": f"limit of {name}: {limit:g}"}
        for name, limit in limits
        if 0 < limit <= FAR * highest  # at zero it is the axis
    ]
    if not data:
        return []
    base = alt.Chart(alt.Data(values=data))
    tips = [alt.Tooltip("name:N", title="limit of the finding")]
    place: dict[str, Any] = (
        {"x": "limit:Q", "y": alt.value(0)} if lying else {"y": "limit:Q", "x": alt.value(0)}
    )
    line = {axis: channel for axis, channel in place.items() if isinstance(channel, str)}
    return [
        base.mark_rule(strokeDash=[6, 4], color=LIMIT).encode(**line, tooltip=tips),
        base.mark_text(align="left", baseline="bottom", dx=4, dy=-3, color=LIMIT).encode(
            **place, text="name:N", tooltip=tips
        ),
    ]


def _named(data: list[dict[str, Any]]) -> list[str]:
    """The series in their order; none where the only one has no name, which needs no legend."""
    shown = list(dict.fromkeys(row["color"] for row in data))
    return shown if any(shown) else []


def _lies(axes: Axes, rows: pa.Table) -> bool:
    """Bars lie where their names would not fit below them."""
    letters = sum(map(len, set(rows["x"].to_pylist()))) if axes.x_kind == "name" else 0
    return axes.mark == "bar" and letters > LETTERS


def _longest(rows: pa.Table) -> int:
    """Points of the longest line."""
    counted = rows.group_by(["panel", "color", "component"]).aggregate([("value", "count")])
    return max(counted["value_count"].to_pylist(), default=0)


def _ticks(channels: dict[str, Any], lying: bool, x_tip: alt.Tooltip) -> alt.Chart:
    """A mark where a bar would end in its largest interval."""
    at = alt.Tooltip("largest_at:N", title="interval")
    tips = [x_tip, at, alt.Tooltip("largest:Q", title="in that interval", format=NUMBER)]
    place = {name: channels[name] for name in ("xOffset", "yOffset") if name in channels}
    ends = {"x" if lying else "y": alt.X("largest:Q") if lying else alt.Y("largest:Q")}
    names = {"y" if lying else "x": channels["y" if lying else "x"]}
    ticks = alt.Chart().transform_filter("datum.largest !== null")
    return ticks.mark_tick(color="black", thickness=2).encode(
        **ends, **names, **place, tooltip=tips
    )


def _numbers(x: Any, lying: bool) -> alt.Chart:
    """The number of a bar at its end: one may be too small to be seen beside another."""
    sums = alt.Chart().transform_aggregate(total="sum(value)", groupby=["panel", "x"])
    place = {"x": alt.X("total:Q"), "y": x} if lying else {"x": x, "y": alt.Y("total:Q")}
    away = {"align": "left", "dx": 4} if lying else {"baseline": "bottom", "dy": -3}
    return sums.mark_text(**away).encode(**place, text=alt.Text("total:Q", format=NUMBER))


def _x(axes: Axes, data: list[dict[str, Any]], lying: bool) -> tuple[Any, alt.Tooltip]:
    if axes.x_kind == "name":
        channel = alt.Y if lying else alt.X
        axis = alt.Axis(labelLimit=240, **ABOVE) if lying else alt.Axis(labelAngle=0)
        tip = alt.Tooltip("x:N", title=axes.x_title)
        return channel("x:N", title=axes.x_title, sort=None, axis=axis), tip
    if axes.x_kind == "number":
        tip = alt.Tooltip("x:Q", title=axes.x_title, format=NUMBER)
        return alt.X("x:Q", title=axes.x_title, scale=alt.Scale(zero=False, nice=False)), tip
    if axes.x_kind == "hours":
        return _hours(axes, data)
    for row in data:
        row["time"] = row["x"] and row["x"] + "Z"  # drawn as it stands, whoever's zone it is
    form, day = _clock([row["x"] for row in data])
    axis = alt.Axis(format=form, labelOverlap=True, tickCount=6)
    tip = alt.Tooltip("x:N", title=axes.x_title)
    return alt.X("time:T", title=axes.x_title + day, scale=alt.Scale(type="utc"), axis=axis), tip


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_TICKS = (1 / 60, 1 / 12, 0.25, 0.5, 1, 2, 3, 6, 12, 24)  # hours from one to the next
_MOST_TICKS = 12


def _hours(axes: Axes, data: list[dict[str, Any]]) -> tuple[alt.X, alt.Tooltip]:
    """Hours of a day, of a week or of a run: 9.25 reads as 09:15, 33.25 of a week as Tue 09:15."""
    hours = [row["x"] for row in data if row["x"] is not None]
    first, last = min(hours, default=0.0), max(hours, default=0.0)
    step = next((step for step in _TICKS if step * _MOST_TICKS >= last - first), 24)
    ticks = [step * place for place in range(math.ceil(first / step), int(last / step) + 1)]
    is_week = "week" in axes.x_title
    for row in data:
        row["clock"] = None if row["x"] is None else _hour(row["x"], is_week)
    words = " : ".join(f"datum.value == {tick} ? '{_hour(tick, is_week)}'" for tick in ticks)
    axis = alt.Axis(values=ticks, labelExpr=f"{words} : datum.label", labelOverlap=True)
    scale = alt.Scale(zero=False, nice=False)
    tip = alt.Tooltip("clock:N", title=axes.x_title)
    return alt.X("x:Q", title=axes.x_title, scale=scale, axis=axis), tip


def _hour(hours: float, is_week: bool) -> str:
    """A number of hours as a clock shows it, with the day of the week."""
    minutes = round(60 * hours)
    day, minute = divmod(minutes, 24 * 60) if is_week else (0, minutes)
    clock = f"{minute // 60:02}:{minute % 60:02}"
    return f"{_DAYS[day % 7]} {clock}" if is_week else clock


def _clock(times: list[str | None]) -> tuple[str, str]:
    """The form of the labels: seconds where they matter; the day once where there is only one."""
    known = sorted(datetime.fromisoformat(time) for time in times if time)
    if not known or known[0].date() != known[-1].date():
        years = dict.fromkeys(f"{time:%Y}" for time in (*known[:1], *known[-1:]))
        return "%d %b %H:%M", f", {' to '.join(years)}" if years else ""
    short = known[-1] - known[0] < timedelta(minutes=10)
    return "%H:%M:%S" if short else "%H:%M", f", {known[0]:%d %b %Y}"


def draw(axes: Axes, rows: pa.Table, limits: Limits = ()) -> dict[str, Any]:
    """One panel for each run and value of the facet column, each with its own x axis.

    `limits`: values that a dashed line shows, each with the name that stands at it.
    """
    panels = list(dict.fromkeys(rows["panel"].to_pylist()))
    named = axes.x_kind == "name"
    wide = not named and _longest(rows) > POINTS and len(panels) <= PANELS
    columns = 1 if len(panels) == 1 or wide else 2
    bars = [len(set(part)) for part in _names(rows).values()] if _lies(axes, rows) else [0]
    drawn = (
        _marks(axes, rows, limits)
        .properties(width=900 if columns == 1 else 480, height=max(240, 18 * max(bars)))
        .facet(
            alt.Facet("panel:N", title=None, sort=[visible(name) for name in panels]),
            columns=columns,
        )
        .properties(
            title=alt.Title(axes.title, subtitle=axes.subtitle) if axes.subtitle else axes.title
        )
    )
    value = "independent" if axes.own_y else "shared"
    if _lies(axes, rows):
        apart = {"x": value, "y": "independent", "yOffset": "independent"}
    else:
        apart = {"x": "independent", "y": value}
        apart |= {"xOffset": "independent"} if named else {}
    drawn = drawn.resolve_scale(**apart)
    if _lies(axes, rows):  # else the values stand below the last row of panels only
        drawn = drawn.resolve_axis(x="independent")
    several = len(axes.labels) > 1
    listed = [*axes.labels] if several else rows["color"].to_pylist() if axes.color_title else []
    names = rows["x"].to_pylist() if _lies(axes, rows) else []
    return _styled(drawn, len(panels), _wide(listed, 300), _wide(names, 240))


def _names(rows: pa.Table) -> dict[str, list[str]]:
    """Names on the x axis of each panel."""
    names: dict[str, list[str]] = {}
    for panel, x in zip(rows["panel"].to_pylist(), rows["x"].to_pylist(), strict=True):
        names.setdefault(panel, []).append(x)
    return names


def _wide(words: Iterable[str | None], most: int) -> int:
    """About how wide the longest of these words is, in pixels."""
    longest = max((len(word) for word in words if word), default=0)
    return min(most, 7 * longest + 40) if longest else 0


def _styled(drawn: Any, panels: int = 1, legend: int = 200, names: int = 0) -> dict[str, Any]:
    """With our style; `usermeta` tells a page what takes its width: panels, the legend, and names
    at the axis of each panel, in pixels."""
    drawing: dict[str, Any] = drawn.to_dict()
    drawing["config"] = {**drawing.get("config", {}), **STYLE}
    drawing["usermeta"] = {"panels": panels, "legend": legend, "names": names}
    return drawing


def of_runs(rows: pa.Table, over: str, title: str) -> dict[str, Any]:
    """Rows of release_chart.load_rows: a panel for each metric, a point for each run.

    `over`: "rate", then the model is a line; or "run", the columns in their order.
    """
    data = [row for row in _data(rows) if over == "rate" or not row["is_model"]]
    data = [row for row in data if over == "run" or row["rate"] != row["value"]]
    series = list(dict.fromkeys(row["series"] for row in data))
    panels = list(dict.fromkeys(row["panel"] for row in data))
    for panel in panels:
        there = [row for row in data if row["panel"] == panel]
        low, high = _reach([row["value"] for row in there if row["value"] is not None])
        for row in there:
            row |= {"low": low, "high": high}
    rate = alt.X("rate:Q", title="transactions a second", scale=alt.Scale(zero=False))
    names = alt.X("series:N", title=None, sort=series, axis=alt.Axis(labelAngle=0, labelLimit=120))
    base = alt.Chart().encode(
        x=rate if over == "rate" else names,
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
        color=alt.Color("series:N", title=None, sort=series),
        tooltip=[
            alt.Tooltip("series:N", title="of"),
            alt.Tooltip("rate:Q", title="transactions a second", format=NUMBER),
            alt.Tooltip("value:Q", title="value", format=NUMBER),
        ],
    )
    points = base.transform_filter("!datum.is_model").mark_point(filled=True, size=70)
    curve = base.transform_filter("datum.is_model").mark_line(point=False)
    reach = alt.Chart().mark_rule(opacity=0).encode(y="low:Q", y2="high:Q")
    drawn = (
        alt.layer(reach, curve, points, data=alt.Data(values=data))
        .properties(width=420, height=220)
        .facet(alt.Facet("panel:N", title=None, sort=panels), columns=2)
        .resolve_scale(x="independent", y="independent")
        .properties(title=title)
    )
    return _styled(drawn, len(panels))


def _reach(values: list[float]) -> tuple[float, float]:
    """The ends of an axis for values, a tenth of their middle apart at least: what differs by noise
    looks like it."""
    low, high = min(values), max(values)
    middle, half = (low + high) / 2, max(high - low, LEAST_REACH * abs(low + high) / 2) / 2
    return middle - half, middle + half


def of_deltas(table: pa.Table, title: str) -> dict[str, Any]:
    """Rows of release_table: a bar of delta_pct for each metric and column but the base, a panel
    for each system. Raises ReportError where no metric has one.
    """
    data = [
        {
            "system": row["system"] or "",
            "metric": row["label"] or row["metric"],
            "column": row["column"],
            "delta_pct": row["delta_pct"],
        }
        for row in table.to_pylist()
        if row["delta_pct"] is not None
    ]
    if not data:
        raise ReportError(
            "no number has a delta: nothing to draw", "name two runs that have the same metrics"
        )
    of, metrics, systems = (
        list(dict.fromkeys(r[k] for r in data)) for k in ("column", "metric", "system")
    )
    all_deltas = [float(row["delta_pct"]) for row in data]
    reach = [min(-1.0, *all_deltas), max(1.0, *all_deltas)]
    drawn = (
        alt.Chart(alt.Data(values=data))
        .mark_bar()
        .encode(
            x=alt.X("delta_pct:Q", title="delta %", scale=alt.Scale(domain=reach)),
            y=alt.Y("metric:N", title=None, sort=metrics, axis=alt.Axis(labelLimit=320)),
            yOffset=alt.YOffset("column:N", sort=of),
            color=alt.Color("column:N", title=None, sort=of),
            tooltip=[
                alt.Tooltip("metric:N", title="metric"),
                alt.Tooltip("column:N", title="of"),
                alt.Tooltip("delta_pct:Q", title="delta %", format=NUMBER),
            ],
        )
        .properties(width=420, height=alt.Step(12 * len(of)))
        .facet(alt.Facet("system:N", title=None, sort=systems), columns=2)
        .properties(title=title)
    )
    return _styled(drawn, len(systems))


def _points(result: Result, chart: ChartSpec, sql: str) -> list[dict[str, Any]]:
    """Rows of SQL over `rows`, those that the chart is of."""
    with in_memory() as con:
        con.register("every_row", result.table)
        rows = f"WITH rows AS (SELECT * FROM every_row WHERE {chart.where or 'true'}) {sql}"
        return _data(con.sql(rows).to_arrow_table())


def heatmap(result: Result, chart: ChartSpec) -> dict[str, Any]:
    """Hour by day: the largest value of any row of the hour."""
    name = chart.y[0]
    time = name_sql(clock(result))
    value = f"CAST({name_sql(name)} AS DOUBLE)"
    data = _points(
        result,
        chart,
        f"SELECT run AS panel, hour({time}) AS hour, strftime({time}, '%a %d %b %Y') AS day,"
        f" max({value}) AS value FROM rows WHERE {value} IS NOT NULL AND {time} IS NOT NULL"
        f" GROUP BY ALL ORDER BY min({time})",
    )
    days = list(dict.fromkeys(row["day"] for row in data))
    heading = label(result, name)
    drawn = (
        alt.Chart(alt.Data(values=data))
        .mark_rect()
        .encode(
            x=alt.X("hour:O", title="hour of the day"),
            y=alt.Y("day:N", title=None, sort=days),
            color=alt.Color("value:Q", title=heading),
            tooltip=[
                alt.Tooltip("day:N", title="day"),
                alt.Tooltip("hour:O", title="hour"),
                alt.Tooltip("value:Q", title=heading, format=NUMBER),
            ],
        )
        .properties(width=600, height=alt.Step(20))
        .facet(alt.Facet("panel:N", title=None), columns=1)
        .properties(title=f"{result.report.title}: largest {heading} of each hour")
    )
    return _styled(drawn)


def ecdf(result: Result, chart: ChartSpec) -> dict[str, Any]:
    """The share of rows at or below a value, of each run."""
    name = chart.y[0]
    value = f"CAST({name_sql(name)} AS DOUBLE)"
    data = _points(
        result,
        chart,
        f"SELECT DISTINCT run, {value} AS value,"
        f" 100 * cume_dist() OVER (PARTITION BY run ORDER BY {value}) AS share"
        f" FROM rows WHERE {value} IS NOT NULL ORDER BY run, value",
    )
    heading = label(result, name)
    drawn = (
        alt.Chart(alt.Data(values=data))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("value:Q", title=heading),
            y=alt.Y("share:Q", title="rows at or below, %", scale=alt.Scale(domain=[0, 100])),
            color=alt.Color("run:N", title="run"),
            tooltip=[
                alt.Tooltip("run:N", title="run"),
                alt.Tooltip("value:Q", title=heading, format=NUMBER),
                alt.Tooltip("share:Q", title="% at or below", format=NUMBER),
            ],
        )
        .properties(width=900, height=300, title=f"{result.report.title}: {heading}, all rows")
    )
    return _styled(drawn)


def scatter(result: Result, chart: ChartSpec) -> dict[str, Any]:
    """One column against another, a point for each row."""
    x, y = chart.y
    data = _points(
        result,
        chart,
        f"SELECT run, CAST({name_sql(x)} AS DOUBLE) AS x, CAST({name_sql(y)} AS DOUBLE) AS y"
        f" FROM rows WHERE {name_sql(x)} IS NOT NULL AND {name_sql(y)} IS NOT NULL"
        " ORDER BY run, x",
    )
    across, up = label(result, x), label(result, y)
    drawn = (
        alt.Chart(alt.Data(values=data))
        .mark_circle(size=30, opacity=0.6)
        .encode(
            x=alt.X("x:Q", title=across, scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", title=up),
            color=alt.Color("run:N", title="run"),
            tooltip=[
                alt.Tooltip("run:N", title="run"),
                alt.Tooltip("x:Q", title=across, format=NUMBER),
                alt.Tooltip("y:Q", title=up, format=NUMBER),
            ],
        )
        .properties(width=900, height=360, title=f"{result.report.title}: {up} against {across}")
    )
    return _styled(drawn)
