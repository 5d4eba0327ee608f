"""The limits of rules of findings that a chart of a report shows as lines."""

from __future__ import annotations

import pyarrow as pa

from imsperf.reports.charts.rows import TIMES, Choice, chosen_chart, shown
from imsperf.reports.definition import ChartSpec
from imsperf.reports.findings.findings import watched
from imsperf.reports.findings.rule import Rule, shipped
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import Result


def limits(
    result: Result, drawn: pa.Table, choice: Choice | None = None
) -> list[tuple[str, float]]:
    """Fixed thresholds of the rules of findings on what is drawn, each with its rule's name.

    `drawn`: the marks of the chart. A rule that watches none of their rows has no line.

    Raises ReportError where the report cannot be drawn so.
    """
    chart = chosen_chart(result, choice or Choice())
    if chart.stack == "yes" and len(chart.y) > 1:  # a part ends nowhere on the axis
        return []
    found = []
    for rule in shipped():
        limits = rule.fixed_limits() if rule.report == result.report.id else {}
        names = limits.keys() & set(chart.y)
        if names and _is_watched(rule, result, chart, drawn):
            found.append((rule.id, max(limits[name] for name in names)))
    return found


def _is_watched(rule: Rule, result: Result, chart: ChartSpec, drawn: pa.Table) -> bool:
    """Whether a rule watches a row of a line or bar that is drawn."""
    name, place = (chart.color, "color") if chart.x in TIMES else (chart.x, "x")
    labels = {f" {label} " for label in drawn[place].to_pylist()}
    rows = watched(rule, result.table)
    of = shown(result, name) if name else "''"
    with in_memory() as con:
        con.register("rows", rows)
        names = con.sql(f"SELECT DISTINCT {of} FROM rows WHERE {chart.where or 'true'}").fetchall()
    if labels == {"  "}:  # all rows are one line
        return bool(names)
    return any(f" {name} " in label for label in labels for (name,) in names)
