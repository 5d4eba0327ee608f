"""The limits of rules of findings that a chart of a report shows as lines."""

from __future__ import annotations

from imsperf.reports.charts.rows import Choice, chosen_chart
from imsperf.reports.findings.rule import shipped
from imsperf.reports.run import Result


def limits(result: Result, choice: Choice | None = None) -> list[tuple[str, float]]:
    """Fixed thresholds of the rules of findings on what is drawn, each with its rule's name.

    Raises ReportError where the report cannot be drawn so.
    """
    chart = chosen_chart(result, choice or Choice())
    if chart.stack == "yes" and len(chart.y) > 1:  # a part ends nowhere on the axis
        return []
    of_columns = [
        (rule.id, rule.fixed_limits()) for rule in shipped() if rule.report == result.report.id
    ]
    return [
        (name, max(limits[column] for column in chart.y if column in limits))
        for name, limits in of_columns
        if limits.keys() & set(chart.y)
    ]
