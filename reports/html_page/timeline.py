"""Key figures of a run over time: a value for each interval of each system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import AbsentRecords
from imsperf.reports.definition import Report
from imsperf.reports.html_page.cells import cells, short
from imsperf.reports.html_page.shown import hourly
from imsperf.reports.taken import Taken

MOST_LINES = 16  # of a chart that somebody can tell apart
MOST_POINTS = 1_000  # of a line


@dataclass(frozen=True)
class Figure:
    """A number of every interval: SQL over the rows of a report."""

    report: str
    label: str
    unit: str
    value: str
    where: str = "true"


FIGURES = (
    Figure("rmf.summary", "CPU busy", "%", "avg(cpu_busy_pct)"),
    Figure(
        "ims.scheduling",
        "IMS transactions",
        "1/s",
        "sum(transactions_count) / nullif(max(interval_s), 0)",
    ),
    Figure(
        "rmf.workload",
        "Worst performance index",
        "",
        "max(perf_index)",
        "kind = 'service' AND period IS NOT NULL",
    ),
    Figure(
        "rmf.device", "Slowest volume with an I/O a second", "ms", "max(resp_ms)", "rate_per_s >= 1"
    ),
    Figure("rmf.summary", "I/O rate", "1/s", "sum(dasd_per_s)"),
    Figure("rmf.channel", "Busiest channel", "%", "max(total_util_pct)"),
    Figure("rmf.paging", "Page rate", "1/s", "sum(page_rate_per_s)"),
    Figure("ims.latches", "Latch contentions", "1/s", "sum(contentions_per_s)"),
    Figure("mq.manager", "MQ gets", "1/s", "sum(gets_per_s)"),
)


def figures_of(taken: Taken, report: Report) -> Iterator[tuple[Figure, pa.Table]]:
    """The figures of a report, each with its rows: system, began (local, ISO), value."""
    for figure in FIGURES:
        if figure.report != report.id:
            continue
        try:
            with taken.cursor(given=report) as con:
                table = con.sql(
                    f"""SELECT system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') AS began,
                        CAST({figure.value} AS DOUBLE) AS value
                    FROM given
                    WHERE ({figure.where}) AND interval_start IS NOT NULL
                    GROUP BY system, interval_start
                    HAVING value IS NOT NULL
                    ORDER BY system, began"""
                ).to_arrow_table()
        except AbsentRecords:
            continue
        if table.num_rows:
            yield figure, table


def drawn(figure: Figure, table: pa.Table) -> dict[str, Any]:
    """A figure as the script of the page reads it: median and ends of all of its values, and lines
    of at most MOST_LINES systems with at most MOST_POINTS points; `note` says what is left out."""
    ends, (middle,) = pc.min_max(table["value"]).as_py(), pc.quantile(table["value"], 0.5)
    chosen = thinned = ""
    largest = table.group_by("system").aggregate([("value", "max")])
    if largest.num_rows > MOST_LINES:
        ranked = largest.sort_by([("value_max", "descending"), ("system", "ascending")])
        kept = ranked["system"].slice(0, MOST_LINES)
        chosen = f"{MOST_LINES} of {largest.num_rows:,} systems, those with the largest value."
        table = table.filter(pc.is_in(table["system"], kept.combine_chunks()))
    lines, times = table, len(pc.unique(table["began"]))
    for hours, words in ((1, "an hour"), (24, "a day"), (24 * 30, "30 days")):
        if times <= MOST_POINTS:
            break
        lines = hourly(table, ["system"], "began", "value", hours)
        times = len(pc.unique(lines["began"]))
        thinned = f"Each point is the largest value of {words}."
    return {
        "label": figure.label,
        "unit": figure.unit,
        "report": figure.report,
        "note": f"{chosen} {thinned}".strip(),
        "middle": short(middle.as_py()),
        "least": short(ends["min"]),
        "most": short(ends["max"]),
        "system": cells(lines["system"]),
        "at": cells(lines["began"]),
        "value": cells(lines["value"]),
    }
