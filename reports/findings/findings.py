"""Run the rules on a database and rank what they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.findings.rule import SEVERITIES, Rule, overridden, shipped
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import lacking_of
from imsperf.reports.taken import Taken

if TYPE_CHECKING:
    import duckdb

SHOWN = 10  # findings on one screen
KEYS = 5  # affected keys that a line names

SCHEMA = pa.schema(
    [
        ("rank", pa.int64()),
        ("severity", pa.string()),  # high, medium, low
        ("finding", pa.string()),  # name of the rule
        ("title", pa.string()),
        ("run", pa.string()),
        ("systems", pa.list_(pa.string())),
        ("keys", pa.list_(pa.string())),  # what is affected, worst first: "device=09010"
        ("value", pa.float64()),  # of the worst row
        ("threshold", pa.float64()),  # of the same row
        ("unit", pa.string()),
        ("excess", pa.float64()),  # how many times beyond the threshold, 1 or more
        ("first", pa.timestamp("us")),  # local begin of the first interval
        ("last", pa.timestamp("us")),  # local end of the last one
        ("intervals", pa.int64()),  # in which a row is beyond its threshold
        ("of_intervals", pa.int64()),  # of the report, in the run
        ("report", pa.string()),  # where its evidence stands
        ("reason", pa.string()),
        ("overruled", pa.string()),  # what would show that there is no problem
        ("source", pa.string()),
    ]
)


@dataclass(frozen=True)
class Findings:
    """`table` (`SCHEMA`): all findings, most severe first. `tested`: rules that ran.

    `untested`: rules whose records the database does not have.
    """

    table: pa.Table
    tested: tuple[str, ...]
    untested: tuple[str, ...]


def findings(
    con: duckdb.DuckDBPyConnection,
    keep: Filter = EVERYTHING,
    *,
    site: str | Path | None = None,
    rules: Sequence[Rule] | None = None,
    taken: Taken | None = None,
) -> Findings:
    """What stands out in the rows that `keep` wants; those of `taken` are not asked again.

    `site`: a TOML file that changes limits (docs/findings.md). Raises ReportError for a bad one.
    """
    chosen = tuple(shipped() if rules is None else rules)
    if site is not None:
        try:
            text = Path(site).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ReportError(f"{site}: cannot be read: {error}") from error
        chosen = overridden(chosen, text)
    taken = taken or Taken(con, keep)
    tables: list[pa.Table] = []
    tested: list[str] = []
    untested: list[str] = []
    by_report = sorted(chosen, key=_reports)
    asked = {name for rule in chosen for name in _reports(rule) if name}
    lacks = lacking_of([catalog().get(name) for name in sorted(asked)], con, keep.run)
    taken.take([catalog().get(name) for name, lacking in lacks.items() if not lacking])
    for (report, beside), of_report in groupby(by_report, key=_reports):
        group = list(of_report)
        names = [rule.id for rule in group]
        if lacks[report] or lacks.get(beside):
            untested += names
            continue
        try:
            with _rows(taken, report, beside) as cursor:
                tested += names
                tables += [found(cursor, rule) for rule in group]
        except AbsentRecords:
            untested += names
    return Findings(_ranked(tables), tuple(tested), tuple(untested))


def evidence(con: duckdb.DuckDBPyConnection, rule: Rule, keep: Filter = EVERYTHING) -> pa.Table:
    """The rows of its report that are beyond the threshold of a rule, in order of time."""
    with _rows(Taken(con, keep), rule.report, rule.beside) as cursor:
        rows = cursor.sql(_evidence(rule), params=dict(rule.limits))
        return rows.order("run, system, first, key").to_arrow_table()


def _reports(rule: Rule) -> tuple[str, str]:
    return rule.report, rule.beside


@contextmanager
def _rows(taken: Taken, report: str, beside: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor with a report in `found_rows` and the one beside it, if any, in `beside_rows`.

    Raises AbsentRecords where one of them can have no rows.
    """
    rows = {"found_rows": taken.rows(catalog().get(report))}
    if beside:
        rows["beside_rows"] = taken.rows(catalog().get(beside))
    with in_memory() as cursor:
        for name, table in rows.items():
            cursor.register(name, table)
        yield cursor


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _evidence(rule: Rule) -> str:
    """SQL: run, system, first, seconds, key, value, threshold, excess of each row beyond it."""
    definition = catalog().get(rule.report)
    key = rule.key or tuple(definition.key)
    time = f'"{definition.time}"'
    local = '"interval_start"' if "interval_start" in definition.names else time
    seconds = '"interval_s"' if "interval_s" in definition.names else "NULL::DOUBLE"
    words = ", ".join(f"""'{name}=' || "{name}" """ for name in key) or "NULL"
    partition = _quoted(["run", "system", *key])
    added = ""
    windows = []
    if rule.usual:
        added += f""",
            CASE
                WHEN count(DISTINCT {local}::DATE) OVER same_hour >= 3
                    THEN median("{rule.usual}") OVER same_hour
                WHEN count("{rule.usual}") OVER any_time >= 4
                    THEN median("{rule.usual}") OVER any_time
            END AS usual"""
        windows += [
            f"same_hour AS (PARTITION BY {partition}, hour({local}))",
            f"any_time AS (PARTITION BY {partition})",
        ]
    if rule.across_days:
        column = rule.across_days
        added += f""",
            median("{column}") OVER other_days AS day_median,
            mad("{column}") OVER other_days AS day_mad,
            count(DISTINCT {local}::DATE) OVER other_days AS days"""
        windows += [
            f"""other_days AS (
                PARTITION BY {partition}, hour({local}) ORDER BY {local}::DATE
                RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP
            )"""
        ]
    window = f"WINDOW {', '.join(windows)}" if windows else ""
    return f"""
        WITH report AS (
            SELECT *{added}
            FROM found_rows
            {window}
        ),
        beyond AS ({rule.sql.rstrip().rstrip(";")})
        SELECT
            run, system, {local} AS first, {seconds} AS seconds,
            concat_ws(',', {words}) AS key,
            value::DOUBLE AS value, threshold::DOUBLE AS threshold,
            -- times beyond it, to either side; 1,000 stands for more, and for a threshold of 0
            CASE
                WHEN value = threshold THEN 1
                ELSE least(coalesce(
                    greatest(abs(value), abs(threshold))
                        / nullif(least(abs(value), abs(threshold)), 0), 1000
                ), 1000)
            END::DOUBLE AS excess
        FROM beyond"""


def found(cursor: duckdb.DuckDBPyConnection, rule: Rule) -> pa.Table:
    """One row for each run in which the rule finds something (`SCHEMA`), from `found_rows`."""
    time = catalog().get(rule.report).time
    sql = f"""
        WITH evidence AS ({_evidence(rule)}),
        affected AS (
            SELECT run, key, max(excess) AS excess FROM evidence GROUP BY ALL
        ),
        length AS (
            SELECT run, count(DISTINCT "{time}") AS of_intervals FROM found_rows GROUP BY run
        ),
        of_run AS (
            SELECT
                run,
                list_sort(list(DISTINCT system))         AS systems,
                arg_max(value, excess)                   AS value,
                arg_max(threshold, excess)               AS threshold,
                max(excess)                              AS excess,
                min(first)                               AS first,
                max(first + to_microseconds((1e6 * coalesce(seconds, 0))::BIGINT)) AS last,
                count(DISTINCT first)                    AS intervals
            FROM evidence
            WHERE NOT list_contains($ignore::VARCHAR[], key)
            GROUP BY run
        )
        SELECT
            of_run.*, of_intervals,
            (
                SELECT list(key ORDER BY a.excess DESC, key)
                FROM affected AS a
                WHERE a.run IS NOT DISTINCT FROM of_run.run AND key <> ''
                    AND NOT list_contains($ignore::VARCHAR[], key)
            ) AS keys
        FROM of_run
        JOIN length ON length.run IS NOT DISTINCT FROM of_run.run"""
    given = {**rule.limits, "ignore": list(rule.ignore)}
    rows = cursor.sql(sql, params=given).to_arrow_table()
    count = rows.num_rows
    said = {
        "severity": rule.severity,
        "finding": rule.id,
        "title": rule.title,
        "unit": rule.unit,
        "report": rule.report,
        "reason": rule.reason,
        "overruled": rule.overruled,
        "source": rule.source,
    }
    for name, words in said.items():
        rows = rows.append_column(name, pa.array([words] * count, pa.string()))
    rows = rows.append_column("rank", pa.nulls(count, pa.int64()))
    return rows.select(SCHEMA.names).cast(SCHEMA)


def _ranked(tables: Sequence[pa.Table]) -> pa.Table:
    """Most severe first, then what is furthest beyond its threshold."""
    import pyarrow.compute as pc

    table = pa.concat_tables([SCHEMA.empty_table(), *tables])
    place = pc.index_in(table["severity"], pa.array(SEVERITIES))
    table = (
        table.append_column("place", place)
        .sort_by([("place", "ascending"), ("excess", "descending"), ("finding", "ascending")])
        .drop_columns(["place"])
    )
    rank = pa.array(range(1, table.num_rows + 1), pa.int64())
    return table.set_column(0, SCHEMA.field("rank"), rank)
