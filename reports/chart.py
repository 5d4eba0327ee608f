"""The default chart of a report, from the [chart] of its header. Only this module imports altair.

html needs no network: the Vega scripts stand in the page. Text from a dump reaches the page as JSON
without a single angle bracket, so nothing in it can end the script.
"""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import altair as alt
import duckdb
import pyarrow as pa
import vl_convert

from imsperf.errors import ReportError
from imsperf.reports.catalog import ChartSpec
from imsperf.reports.formats import values
from imsperf.reports.run import Result, aggregate

SUFFIXES = ("html", "svg", "png", "json")
TIMES = ("interval_start", "interval_start_utc")


def spec(result: Result) -> dict[str, Any]:
    """The Vega-Lite specification with its data. Raises ReportError where a report has no chart."""
    chart = result.report.chart
    if chart is None:
        raise ReportError(f"{result.report.id} has no chart", "add a [chart] to its header")
    rows = _rows(result, chart)
    drawn = _panels(_draw(result, chart, rows), chart)
    made: dict[str, Any] = drawn.properties(title=chart.title).to_dict()
    return made


def write(result: Result, path: Path) -> None:
    """Write the chart; the suffix of the file names the form."""
    form = path.suffix.removeprefix(".").lower()
    if form not in SUFFIXES:
        raise ReportError(f"{path}: expected a name ending in {', '.join(SUFFIXES)}")
    made = spec(result)
    if form == "png":
        path.write_bytes(vl_convert.vegalite_to_png(made, scale=2))
    else:
        path.write_text(_text(made, form, result.report.title), encoding="utf-8")


def _text(made: dict[str, Any], form: str, title: str) -> str:
    if form == "json":
        return json.dumps(made, indent=1, ensure_ascii=False) + "\n"
    return str(vl_convert.vegalite_to_svg(made)) if form == "svg" else page(made, title)


def page(made: dict[str, Any], title: str) -> str:
    """One self-contained HTML page."""
    script = vl_convert.javascript_bundle("window.draw = vegaEmbed;").replace(
        "</script", "<\\/script"
    )
    data = json.dumps(made).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    name = html.escape(title)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{name}</title></head>\n"
        f'<body><h1>{name}</h1><div id="chart"></div>\n<script type="module">{script}</script>\n'
        '<script type="module">window.draw("#chart", '
        f'{data}, {{"actions": false, "renderer": "svg"}});</script>\n</body></html>\n'
    )


def _rows(result: Result, chart: ChartSpec) -> pa.Table:
    """The rows to draw, one for each y column: its name in `component`, its value in `value`."""
    source = result if chart.x in TIMES else aggregate(result)
    names = {chart.x: "x", **({chart.color: "color"} if chart.color else {})}
    picks = ", ".join(f"{_shown(result, name)} AS {role}" for name, role in names.items())
    panel = f"concat_ws(' ', run, {_shown(result, chart.facet)})" if chart.facet else "run"
    top = (
        "QUALIFY row_number() OVER "
        f'(PARTITION BY run, system ORDER BY "{chart.by}" DESC) <= {chart.top}'
        if chart.top
        else ""
    )
    filtered = f"SELECT * FROM rows WHERE {chart.where or 'true'} {top}"
    parts = " UNION ALL ".join(
        f"SELECT {picks}, {panel} AS panel, {_quoted(_label(result, name))} AS component,"
        f' {place} AS place, CAST("{name}" AS DOUBLE) AS value FROM chosen'
        for place, name in enumerate(chart.y)
    )
    with duckdb.connect() as con:
        con.register("rows", source.table)
        return con.sql(f"WITH chosen AS ({filtered}) {parts}").to_arrow_table()


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
        dict(zip(names, row, strict=True)) for row in zip(*map(values, rows.columns), strict=True)
    ]
    base = alt.Chart(alt.Data(values=data))
    stacked = chart.mark in ("bar", "area") and chart.stack == "yes"
    labels = [_label(result, name) for name in chart.y]
    channels: dict[str, Any] = {
        "x": _x(chart),
        "y": alt.Y("value:Q", title=labels[0] if len(labels) == 1 else "", stack=stacked or None),
        "tooltip": [alt.Tooltip(f"{name}:N") for name in ("x", "component", "value")],
    }
    if len(labels) > 1:
        channels["color"] = alt.Color("component:N", title=None, sort=labels)
        channels["order"] = alt.Order("place:Q")
    elif chart.color:
        channels["color"] = alt.Color("color:N", title=chart.color)
    if chart.mark == "bar" and not stacked:
        channels["xOffset"] = alt.XOffset("component:N", sort=labels)
    marks = {
        "line": lambda: base.mark_line(point=True),
        "area": base.mark_area,
        "bar": base.mark_bar,
    }
    return marks[chart.mark]().encode(**channels)


def _x(chart: ChartSpec) -> alt.X:
    if chart.x in TIMES:
        return alt.X("x:T", title="UTC" if chart.x.endswith("utc") else "local time")
    return alt.X("x:N", title=chart.x.replace("_", " "), sort=None)


def _panels(drawn: alt.Chart, chart: ChartSpec) -> Any:
    """One panel for each run and value of the facet column."""
    by = alt.Facet("panel:N", title=None, sort=None)
    panels = drawn.properties(width=480, height=240).facet(by, columns=2)
    if chart.x in TIMES:
        return panels
    y = "shared" if chart.stack == "yes" else "independent"
    return panels.resolve_scale(x="independent", xOffset="independent", y=y)
