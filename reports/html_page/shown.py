"""A report of the page: its table and its chart, in a form that leaves room for the others.

A report of more than MOST_ROWS rows is condensed; what is still too large for the page is made
smaller step by step, and the report says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.catalog import records_needed
from imsperf.reports.charts.limits import limits
from imsperf.reports.charts.rows import Axes, marks
from imsperf.reports.definition import Report
from imsperf.reports.html_page.cells import cells, other_time, short
from imsperf.reports.html_page.condensed import Condensed, condensed
from imsperf.reports.in_memory import in_memory
from imsperf.reports.lineage.columns import ratio_text
from imsperf.reports.numbers import visible
from imsperf.reports.run import Result
from imsperf.reports.taken import Taken
from imsperf.reports.text import is_number

MOST_ROWS = 5_000  # of a table; more are totals
MOST_DRAWN = 200_000  # rows of which a chart is made
TOP = 50  # rows of each system of a total that is shown instead
_WORTH = 0.7  # a smaller chart has less than this part of the marks
_LEAST_ROWS = 20  # a table is not cut below this, but left out
_DRAWN = ("x", "color", "panel", "component", "value", "largest", "largest_at")


@dataclass
class Shown:
    """`chart_note`: what is left out of the chart; `limits`: of findings, lines in it."""

    report: Report
    table: Condensed
    chart: tuple[Axes, pa.Table] | None
    chart_note: str = ""
    limits: Sequence[tuple[str, float]] = ()
    _texts: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """JSON as the script of the page reads it."""
        said = (self.table.result.note, self.table.note, self.chart_note)
        head = as_json(
            {
                "id": self.report.id,
                "title": self.report.title,
                "answers": self.report.answers,
                "note": visible(" ".join(filter(None, said))),
                "needs": records_needed(self.report),
            }
        )
        return f'{head[:-1]},"columns":{self._part("table")},"chart":{self._part("chart")}}}'

    @property
    def sizes(self) -> list[tuple[int, str]]:
        """How many bytes its parts take that can be made smaller, and their names."""
        there = [
            *(["table"] if self.table.result.table.num_rows else ()),
            *(["chart"] if self.chart else ()),
        ]
        return [(len(self._part(part).encode()), part) for part in there]

    def _part(self, part: str) -> str:
        if part not in self._texts:
            data = _columns(self.table.result) if part == "table" else self._drawn()
            self._texts[part] = as_json(data)
        return self._texts[part]

    def _drawn(self) -> dict[str, Any] | None:
        return chart_data(*self.chart, self.limits) if self.chart else None

    def shrink(self, part: str) -> None:
        """Make a part smaller, or leave it out."""
        del self._texts[part]
        if part == "chart" and self.chart:
            self.chart, self.chart_note = _smaller_chart(*self.chart)
        else:
            enough = self.table.result.table.num_rows >= 2 * _LEAST_ROWS
            self.table = self.table.smaller() if enough else self.table.cut(0)


def shown_of(taken: Taken, report: Report) -> Shown | None:
    """A report as the page shows it at first; None without rows."""
    try:
        table = condensed(taken, report, MOST_ROWS, TOP)
    except AbsentRecords:
        return None
    if not table.result.table.num_rows:
        return None
    drawn = table.result
    if report.chart and not table.is_whole and 0 < table.rows <= MOST_DRAWN:
        drawn = replace(drawn, table=taken.rows(report))
    chart = _marks(drawn)
    return Shown(report, table, chart, limits=limits(drawn, chart[1]) if chart else ())


def fit(reports: Sequence[Shown], room: int) -> None:
    """Make the largest parts smaller until all of them take at most so many bytes."""
    sizes = {shown.report.id: len(shown.text.encode()) + 1 for shown in reports}
    while sum(sizes.values()) > room:
        parts = [(size, n, part) for n, one in enumerate(reports) for size, part in one.sizes]
        if not parts:
            return
        _, place, part = max(parts)
        reports[place].shrink(part)
        sizes[reports[place].report.id] = len(reports[place].text.encode()) + 1


# --- charts --------------------------------------------------------------------------------------


def _marks(result: Result) -> tuple[Axes, pa.Table] | None:
    """The marks of the report's own chart; None where it has none, or no value to draw."""
    try:
        return marks(result)
    except ReportError:
        return None


def _smaller_chart(axes: Axes, rows: pa.Table) -> tuple[tuple[Axes, pa.Table] | None, str]:
    """The largest value of each hour, else half of the panels, else none; and what to say."""
    if axes.x_kind == "time" and axes.mark != "bar":
        thin = hourly(rows, ("color", "panel", "component"), "x", "value")
        if thin.num_rows < _WORTH * rows.num_rows:
            return (axes, thin), "Each point of the chart is the largest value of an hour."
    panels = pc.unique(rows["panel"]).to_pylist()
    if len(panels) > 1:
        kept = pa.array(panels[: len(panels) // 2])
        fewer = rows.filter(pc.is_in(rows["panel"], kept))
        return (axes, fewer), f"The chart has the first {len(kept):,} panels; there are more."
    return None, "The chart is left out, so that the page stays small; `imsperf chart` draws it."


def hourly(rows: pa.Table, keys: Sequence[str], time: str, value: str, hours: int = 1) -> pa.Table:
    """The largest value of each key in each so many hours, in the order of the rows."""
    names = ", ".join(keys)
    begin = f"time_bucket(INTERVAL {hours} HOUR, CAST({time} AS TIMESTAMP))"
    with in_memory() as con:
        con.register("given", rows)
        return con.sql(
            f"SELECT {names}, {begin} AS {time}, max({value}) AS {value}"
            f" FROM (SELECT *, row_number() OVER () AS place FROM given)"
            f" GROUP BY {names}, {begin} ORDER BY min(place)"
        ).to_arrow_table()


# --- JSON ----------------------------------------------------------------------------------------


def _columns(result: Result) -> list[dict[str, Any]]:
    report, table = result.report, result.shown
    hidden = {"run", *other_time(table)}
    return [
        {
            "name": column.name,
            "heading": column.heading,
            "unit": column.unit,
            "doc": column.doc,
            "better": column.better,
            "formula": ratio_text(column) if column.num else "",
            "number": is_number(table.schema.field(column.name).type),
            "time": kinds.is_timestamp(table.schema.field(column.name).type),
            **cells(table[column.name]),
        }
        for column in report.shown
        if column.name not in hidden
    ]


def chart_data(
    axes: Axes, rows: pa.Table, limits: Sequence[tuple[str, float]] = ()
) -> dict[str, Any]:
    """A chart as the script of the page reads it; `limits`: names and values of lines in it."""
    return {
        "mark": axes.mark,
        "title": axes.title,
        "subtitle": axes.subtitle,
        "labels": list(axes.labels),
        "unit": axes.units[0] if len(set(axes.units)) == 1 else "",
        "time": axes.x_kind == "time",
        "xTitle": axes.x_title,
        "colored": axes.color_title != "",
        "stacked": axes.stacked,
        "ownScale": axes.own_y,
        "printed": axes.printed,
        "limits": [{"name": name, "value": short(value)} for name, value in limits],
        "columns": {name: cells(rows[name]) for name in _DRAWN if name in rows.column_names},
    }


def as_json(data: Any) -> str:
    """JSON without a bracket or an ampersand: it can end no element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for sign, escape in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(sign, escape)
    return text
