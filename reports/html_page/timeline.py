"""Key figures of a run over time: a value for each interval of each system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from imsperf.errors import AbsentRecords
from imsperf.reports.catalog import catalog
from imsperf.reports.in_memory import in_memory
from imsperf.reports.taken import Taken


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


def figures(taken: Taken) -> Iterator[tuple[Figure, pa.Table]]:
    """Each figure that the records give, with its rows: system, began (local, ISO), value."""
    for figure in FIGURES:
        try:
            rows = taken.rows(catalog().get(figure.report))
        except AbsentRecords:
            continue
        with in_memory() as con:
            con.register("given", rows)
            table = con.sql(
                f"""SELECT system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') AS began,
                    CAST({figure.value} AS DOUBLE) AS value
                FROM given
                WHERE ({figure.where}) AND interval_start IS NOT NULL
                GROUP BY system, interval_start
                HAVING value IS NOT NULL
                ORDER BY system, began"""
            ).to_arrow_table()
        if table.num_rows:
            yield figure, table
