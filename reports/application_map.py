"""Names of transactions or jobs to applications, by patterns that a user gives as a CSV file.

    pattern,application
    PAY*,payments
    ACCT??,accounts

The first line whose pattern matches counts; * stands for any letters, ? for one.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog

if TYPE_CHECKING:
    import duckdb

_HEADS = ["pattern", "application"]
_SQL = """
CREATE OR REPLACE TEMP TABLE application_map AS FROM application_lines;
CREATE OR REPLACE TEMP MACRO application(name) AS coalesce(
    (
        SELECT arg_min(m.application, m.line)
        FROM application_map AS m
        WHERE upper(name) GLOB replace(upper(m.pattern), '[', '[[]')
    ),
    '(unmatched)'
);
"""
_VIEW = """
CREATE OR REPLACE TEMP VIEW ims_application AS
WITH transaction AS ({transactions}),
of_application AS (
    SELECT
        run, system, ims, interval_start, application(tran) AS application,
        count(DISTINCT tran) AS codes, sum(count) AS transactions,
        sum(cpu_total_us) / 1e6 AS cpu_s
    FROM transaction
    GROUP BY ALL
)
SELECT
    *,
    100 * transactions / nullif(sum(transactions) OVER of_interval, 0) AS share_pct,
    100 * cpu_s / nullif(sum(cpu_s) OVER of_interval, 0) AS cpu_share_pct
FROM of_application
WINDOW of_interval AS (PARTITION BY run, system, ims, interval_start)
ORDER BY run, system, ims, interval_start, transactions DESC
"""


def use_map(con: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Make `application_map`, the function `application(name)` and, where there are transactions,
    the view `ims_application` for this connection. Raises ReportError for a bad file."""
    con.register("application_lines", _lines(file))
    con.execute(_SQL)
    con.execute(_VIEW.format(transactions=catalog().get("ims.transactions").sql))


def _lines(file: Path) -> pa.Table:
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            rows = [row for row in csv.reader(text, strict=True) if row]
    except OSError as error:
        raise ReportError(f"{file}: cannot be read: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise ReportError(f"{file}: no CSV: {error}") from error
    head = [name.strip().lower() for name in rows[0]] if rows else []
    if head != _HEADS:
        raise ReportError(
            f"{file}: found the columns {', '.join(head) or 'none'}, expected {','.join(_HEADS)}",
            "a line such as PAY*,payments",
        )
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(_HEADS) or not all(value.strip() for value in row):
            raise ReportError(f"{file}: row {number}: found {row}, expected {','.join(_HEADS)}")
    patterns, applications = ([row[n].strip() for row in rows[1:]] for n in (0, 1))
    columns = [pa.array(range(len(patterns)), pa.int64()), patterns, applications]
    return pa.table([columns[0], *(pa.array(c, pa.string()) for c in columns[1:])],
                    names=["line", *_HEADS])  # fmt: skip
