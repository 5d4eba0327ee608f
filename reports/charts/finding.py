"""The chart of a finding: the columns in which it is seen, of what is affected, over all time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from imsperf.errors import ReportError, near
from imsperf.reports.catalog import catalog
from imsperf.reports.charts.rows import Axes, clock, lines, with_unit
from imsperf.reports.definition import ChartSpec
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.findings.findings import affected, findings, tested_rows
from imsperf.reports.findings.rule import Rule, shipped
from imsperf.reports.findings.text import sentence
from imsperf.reports.run import Result
from imsperf.reports.taken import Taken

if TYPE_CHECKING:
    import duckdb


def spec(
    con: duckdb.DuckDBPyConnection, name: str, keep: Filter = EVERYTHING
) -> tuple[dict[str, Any], str]:
    """The Vega-Lite specification of the worst finding of a rule, and its title.

    Raises ReportError for an unknown rule, and where it finds nothing.
    """
    from imsperf.reports.charts import drawing

    rules = {rule.id: rule for rule in shipped()}
    if name not in rules:
        hint = near(name, rules, "`imsperf findings --format csv` names them")
        raise ReportError(f"no rule {name!r}", hint)
    rule = rules[name]
    found = findings(con, keep, rules=[rule])
    if not found.table.num_rows:
        raise ReportError(
            f"{name} finds nothing here", "`imsperf findings` says what stands out, if anything"
        )
    row = found.table.slice(0, 1).to_pylist()[0]
    with Taken(con, keep) as taken:
        axes, rows, limits = marks(taken, rule, row)
    return drawing.draw(axes, rows, limits), rule.title


def marks(
    taken: Taken, rule: Rule, row: Mapping[str, Any]
) -> tuple[Axes, pa.Table, list[tuple[str, float]]]:
    """Lines of the row of `Findings.table`, and its threshold where it is a value of theirs.

    Raises ReportError where no column shows it over time.
    """
    report = catalog().get(rule.report)
    if row["first"] is None:
        raise ReportError(
            f"{rule.id} is of whole files, there is no course of time to draw",
            f"`imsperf report {report.id}` shows it",
        )
    with tested_rows(taken, rule) as cursor:
        table = affected(cursor, rule, row)
    columns = tuple(c for c in rule.drawn if table[c].null_count < table.num_rows)
    if not columns:
        raise ReportError(f"{rule.id}: no column of {report.id} shows it")
    result = Result(report, table)
    chart = ChartSpec("line", clock(result), columns, rule.title, stack="no")
    axes, rows = lines(with_unit(result, chart), chart, subtitle=sentence(row))
    return axes, rows, [(rule.id, row["threshold"])] if not rule.draws else []
