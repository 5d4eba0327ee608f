"""Key figures of a run over time: a value for each interval of each system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from imsperf.reports.filter import Filter
from imsperf.reports.run import ask, lacking


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


def figures(con: duckdb.DuckDBPyConnection, keep: Filter) -> Iterator[tuple[Figure, pa.Table]]:
    """Each figure that the records give, with its rows: system, began (local, ISO), value."""
    for figure in FIGURES:
        query = ask(con, figure.report, keep=keep)
        if lacking(query.report, con):
            continue
        with query.rows() as rows:
            table = (
                rows.filter(f"({figure.where}) AND interval_start IS NOT NULL")
                .aggregate(
                    "system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') AS began,"
                    f" CAST({figure.value} AS DOUBLE) AS value",
                    "system, interval_start",
                )
                .filter("value IS NOT NULL")
                .order("system, began")
                .to_arrow_table()
            )
        if table.num_rows:
            yield figure, table
