"""The default chart of a report, from the [chart] of its header. Only this module imports altair.

html needs no network: the Vega scripts stand in the page. Text from a dump reaches the page as JSON
without a single angle bracket, so nothing in it can end the script.
"""

from __future__ import annotations

import html
import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import altair as alt
import duckdb
import pyarrow as pa
import vl_convert

from imsperf.errors import ReportError
from imsperf.reports.definition import ChartSpec
from imsperf.reports.formats import STYLE
from imsperf.reports.numbers import values, visible
from imsperf.reports.run import Result, Top
from imsperf.reports.total import aggregate

SUFFIXES = ("html", "svg", "png", "json")
TIMES = ("interval_start", "interval_start_utc")
LETTERS = 60  # of names that fit below an axis without turning them


def spec(result: Result, top: Top | None = None) -> dict[str, Any]:
    """The Vega-Lite specification with its data; `top` are the bars that are drawn of each system.

    Raises ReportError without a chart or rows.
    """
    chart = result.report.chart
    if chart is None:
        raise ReportError(f"{result.report.id} has no chart", "add a [chart] to its header")
    if top:
        chart = _of_top(result, chart, top)
    rows = _rows(result, chart)
    if not rows.num_rows:
        raise ReportError(f"{result.report.id}: no rows to draw", result.note or None)
    drawn = _panels(_draw(result, chart, rows), chart, rows)
    drawing: dict[str, Any] = drawn.properties(title=chart.title).to_dict()
    return drawing


def _of_top(result: Result, chart: ChartSpec, top: Top) -> ChartSpec:
    column = result.report.column(top.by)
    if chart.x in TIMES:
        raise ReportError(
            f"{result.report.id}: found --top, but its chart is over time",
            f"`imsperf report {result.report.id} --top` prints rows",
        )
    title = f"{result.report.title}: {top.n} with the largest {column.heading}"
    return replace(chart, top=top.n, by=top.by, title=title)


def write(result: Result, path: Path, top: Top | None = None) -> None:
    """Write the chart; the suffix of the file names the form."""
    form = path.suffix.removeprefix(".").lower()
    if form not in SUFFIXES:
        raise ReportError(f"{path}: expected a name ending in {', '.join(SUFFIXES)}")
    drawing = spec(result, top)
    if form == "png":
        path.write_bytes(vl_convert.vegalite_to_png(drawing, scale=2))
    else:
        path.write_text(_text(drawing, form, result.report.title), encoding="utf-8")


def _text(drawing: dict[str, Any], form: str, title: str) -> str:
    if form == "json":
        return json.dumps(drawing, indent=1, ensure_ascii=False) + "\n"
    return str(vl_convert.vegalite_to_svg(drawing)) if form == "svg" else page(drawing, title)


def page(drawing: dict[str, Any], title: str) -> str:
    """One self-contained HTML page."""
    script = vl_convert.javascript_bundle("window.draw = vegaEmbed;").replace(
        "</script", "<\\/script"
    )
    data = (
        json.dumps(drawing).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    )
    name = html.escape(title)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{name}</title>\n<style>{STYLE}</style></head>\n"
        f'<body><h1>{name}</h1><div id="chart"></div>\n<script type="module">{script}</script>\n'
        '<script type="module">window.draw("#chart", '
        f'{data}, {{"actions": false, "renderer": "svg"}});</script>\n</body></html>\n'
    )


def _rows(result: Result, chart: ChartSpec) -> pa.Table:
    """The rows to draw, one for each y column: its name in `component`, its value in `value`."""
    source = (result if chart.x in TIMES else aggregate(result)).table
    panel = f"concat_ws(' ', run, {_shown(result, chart.facet)})" if chart.facet else "run"
    color = _shown(result, chart.color) if chart.color else "''"
    top, place = "", "place"
    if chart.top:
        columns_of_run = ", ".join(
            name for name in ("run", "system") if name in result.report.names
        )
        place = (
            f'row_number() OVER (PARTITION BY {columns_of_run} ORDER BY "{chart.by}" DESC, place)'
        )
        top = f"QUALIFY {place} <= {chart.top}"
    y = ", ".join(f'CAST("{name}" AS DOUBLE) AS y{i}' for i, name in enumerate(chart.y))
    chosen = f"""
        SELECT {_x_value(result, chart, panel, color)} AS x, {color} AS color, {panel} AS panel,
            min(place) OVER (PARTITION BY {panel}) AS panel_place, {place} AS row_place, {y}
        FROM rows WHERE {chart.where or "true"} {top}
    """
    parts = " UNION ALL ".join(
        f"SELECT x, color, panel, {_quoted(_label(result, name))} AS component, {i} AS place,"
        f" y{i} AS value, panel_place, row_place FROM chosen"
        for i, name in enumerate(chart.y)
    )
    with duckdb.connect() as con:
        con.register("rows", source.append_column("place", pa.array(range(source.num_rows))))
        return con.sql(
            f"WITH chosen AS ({chosen}) SELECT * EXCLUDE (panel_place, row_place) FROM ({parts})"
            " ORDER BY panel_place, row_place, place"
        ).to_arrow_table()


def _x_value(result: Result, chart: ChartSpec, panel: str, color: str) -> str:
    """What stands on the x axis; a name that several keys share is told apart by its key."""
    shown = _shown(result, chart.x)
    key = [k for k in result.report.key if k not in (chart.x, chart.color, chart.facet)]
    if chart.x in TIMES or not key:
        return shown
    keys = ", ".join(_shown(result, part) for part in key)
    same = f"count(*) OVER (PARTITION BY {panel}, {color}, {shown})"
    return f"CASE WHEN {same} > 1 THEN concat_ws(' ', {shown}, {keys}) ELSE {shown} END"


def _shown(result: Result, name: str) -> str:
    """A column as SQL; a NULL as the page prints it."""
    if name in TIMES:
        return f'"{name}"'
    return f'coalesce(CAST("{name}" AS VARCHAR), {_quoted(result.report.column(name).empty)})'


def _label(result: Result, name: str) -> str:
    column = result.report.column(name)
    return f"{column.heading} [{column.unit}]" if column.unit else column.heading


def _quoted(words: str) -> str:
    return "'" + words.replace("'", "''") + "'"


def _draw(result: Result, chart: ChartSpec, rows: pa.Table) -> alt.Chart:
    names = rows.column_names
    data = [
        {name: visible(v) if isinstance(v, str) else v for name, v in zip(names, row, strict=True)}
        for row in zip(*map(values, rows.columns), strict=True)
    ]
    stacked = chart.mark in ("bar", "area") and chart.stack == "yes"
    labels = [_label(result, name) for name in chart.y]
    units = {result.report.column(name).unit for name in chart.y}
    title = labels[0] if len(labels) == 1 else units.pop() if len(units) == 1 else ""
    channels: dict[str, Any] = {
        "x": _x(result, chart, data),
        "y": alt.Y("value:Q", title=title, stack=stacked or None),
        "tooltip": [alt.Tooltip(f"{name}:N") for name in ("x", "color", "component", "value")],
    }
    if len(labels) > 1:
        channels["color"] = alt.Color("component:N", title=None, sort=labels)
        channels["order"] = alt.Order("place:Q")
    elif chart.color:
        shown = list(dict.fromkeys(row["color"] for row in data))
        channels["color"] = alt.Color("color:N", title=chart.color, sort=shown)
    if chart.mark == "bar" and not stacked:
        channels["xOffset"] = alt.XOffset("component:N", sort=labels)
    base = alt.Chart(alt.Data(values=data))
    # points and lines, so that a run of a single interval is seen
    marks = {
        "line": lambda: base.mark_line(point=True),
        "area": lambda: base.mark_area(point=True, line=True, opacity=0.7),
        "bar": base.mark_bar,
    }
    return marks[chart.mark]().encode(**channels)


def _x(result: Result, chart: ChartSpec, data: list[dict[str, Any]]) -> alt.X:
    if chart.x not in TIMES:
        names = {row["x"] for row in data}
        flat = alt.Undefined if sum(map(len, names)) > LETTERS else 0
        title = _label(result, chart.x)
        return alt.X("x:N", title=title, sort=None, axis=alt.Axis(labelAngle=flat))
    for row in data:
        row["time"] = row["x"] and row["x"] + "Z"  # drawn as it stands, whoever's zone it is
    form, day = _clock([row["x"] for row in data])
    title = ("UTC" if chart.x.endswith("utc") else "local time") + day
    axis = alt.Axis(format=form, labelOverlap=True, tickCount=6)
    return alt.X("time:T", title=title, scale=alt.Scale(type="utc"), axis=axis)


def _clock(times: list[str | None]) -> tuple[str, str]:
    """The form of the labels: seconds where they matter; the day once where there is only one."""
    known = sorted(datetime.fromisoformat(time) for time in times if time)
    if not known or known[0].date() != known[-1].date():
        return "%d %b %H:%M", ""
    short = known[-1] - known[0] < timedelta(minutes=10)
    return "%H:%M:%S" if short else "%H:%M", f", {known[0]:%d %b %Y}"


def _panels(drawn: alt.Chart, chart: ChartSpec, rows: pa.Table) -> Any:
    """One panel for each run and value of the facet column, each with its own x axis."""
    names = [visible(name) for name in rows["panel"].unique().to_pylist()]
    by = alt.Facet("panel:N", title=None, sort=names)
    panels = drawn.properties(width=480, height=240).facet(by, columns=2)
    y = "independent" if chart.own_y else "shared"
    if chart.x in TIMES:
        return panels.resolve_scale(x="independent", y=y)
    return panels.resolve_scale(x="independent", xOffset="independent", y=y)
