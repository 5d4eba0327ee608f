"""Totals over several intervals, made from the parts of ratios; the time that a total is over.

A key that is missing in an interval was idle in it, not away: a rate over several intervals is its
events over the time of all of them, also of those in which its key has no row. What that time is
tell the rows of all keys of the same run, sysplex, system and IMS together, and the view that
`whole` in the header of a report names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import timedelta

import duckdb
import numpy as np
import pyarrow as pa

from imsperf.errors import ReportError
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.filter import bucket_told, interval_words
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import PAGE_KEYS, Query, Result, narrow
from imsperf.reports.syntax import order_terms

SECONDS = "interval_s"  # length of the interval of a row, in every report that has rates
PER_ROW = ("unit", "better", "margin_pct")  # of a long report, which names them row by row
_BUCKET = "report_bucket(interval_start, interval_start_utc)"  # a macro of sql/views
_LENGTHS = (SECONDS, "interval_us")


def summed(query: Query) -> Result:
    """The total that a query asks for, made in DuckDB, which holds its rows on disk where it must.

    Raises ReportError where rows are not of intervals, or the length is no multiple of theirs.
    """
    report = query.report
    every = query.over if isinstance(query.over, timedelta) else None
    if every and not report.time:
        raise ReportError(
            f"{report.id}: found --interval, but its rows are not of intervals",
            "--from and --to choose the intervals" if report.range else "leave it out",
        )
    with query.stored() as con:
        return query.result(total_of_rows(con, query, in_order=True))


def total_of_rows(
    con: duckdb.DuckDBPyConnection, query: Query, *, in_order: bool = False
) -> pa.Table:
    """The total that a query asks for, of its rows: in `con` they are `rows`, numbered by
    `row_place`, and `spans` those of the view that its report names. `in_order`: as the report
    orders the rows of an interval, else by their first rows.

    Raises ReportError where a longer interval is no multiple of theirs.
    """
    report = query.report
    every = query.over if isinstance(query.over, timedelta) else None
    if every:
        _check_multiple(con, report, every)
    return _total(con, report, every, bool(report.whole), query, in_order=in_order)


def aggregate(
    result: Result, every: timedelta | None = None, columns: Collection[str] = ()
) -> Result:
    """The same report over longer intervals: ratios made again from summed parts, never averaged.

    `every` is the new interval length, counted from local midnight; None makes one row per run,
    system and key. Rows begin with the first interval of their run and system, or of the longer
    interval. `columns`: only these are made, of all.
    """
    place = pa.array(np.arange(result.table.num_rows))
    with in_memory() as con:
        con.register("rows", result.table.append_column("row_place", place))
        if result.spans is not None:
            con.register("spans", result.spans)
        table = _total(con, result.report, every, result.spans is not None, columns=columns)
        return replace(result, table=table)


def summands(report: Report) -> tuple[str, ...]:
    """The columns that totals are made of: all but ratios, which are made again of their parts."""
    if any(column.total_sql for column in report.columns):
        return report.names
    parts = _parts(report)
    return tuple(c.name for c in report.columns if c.kind != "ratio" or c.name in parts)


def _parts(report: Report) -> set[str]:
    """The columns that ratios are made of."""
    return {name for column in report.columns for name in (*column.num, *column.den)}


def _total(
    con: duckdb.DuckDBPyConnection,
    report: Report,
    every: timedelta | None,
    with_spans: bool,
    query: Query | None = None,
    columns: Collection[str] = (),
    in_order: bool = False,
) -> pa.Table:
    """Totals of `rows`, in the order of the report or of their first rows."""
    every = every if report.time else None
    for name, value in bucket_told(every).items():
        con.execute(f"SET VARIABLE {name} = '{value}'")
    bucket = _BUCKET if every else ""
    keys = list(report.groups)
    wanted = [column for column in report.columns if not columns or column.name in columns]
    picks = [_pick(report, column, keys, bucket) for column in wanted]
    groups = ", ".join([*(f'"{k}"' for k in keys), *([bucket] if bucket else [])])
    rows = f"({timed_sql(report, bucket, with_spans)})" if has_whole(report) else "rows"
    order = ", ".join([*(_order(report, bucket) if in_order else ()), "min(row_place)"])
    sql = f"SELECT {', '.join(picks)} FROM {rows} GROUP BY {groups} ORDER BY {order}"
    return narrow(con.sql(query.printed(sql) if query else sql)).to_arrow_table()


def _order(report: Report, bucket: str) -> Iterator[str]:
    """What the report orders its rows by, as far as its columns tell it: a key that comes late
    stands where it belongs, not behind those that were there before."""
    begun = False
    for name, rest in order_terms(report.sql):
        kind = report.column(name).kind if name in report.names else ""
        if name not in report.groups and kind not in ("attribute", "time"):
            return  # it is no column, or another value in each interval
        if kind != "time":
            yield (f'"{name}"' if name in report.groups else f'min("{name}")') + rest
        elif bucket and not begun:
            begun = True
            yield bucket


def _check_multiple(con: duckdb.DuckDBPyConnection, report: Report, every: timedelta) -> None:
    """Raise where intervals that mostly have one length do not fill the longer ones."""
    if SECONDS not in report.names:
        return
    keys = ", ".join(name for name in PAGE_KEYS if name in report.names)
    usual = con.execute(
        f"""
        SELECT {"system" if "system" in report.names else "NULL"} AS name, seconds
        FROM (
            SELECT {keys}, interval_start_utc, round(max({SECONDS})) AS seconds
            FROM rows
            GROUP BY ALL
        )
        WHERE seconds > 0
        GROUP BY name, seconds
        QUALIFY count(*) > 0.5 * sum(count(*)) OVER (PARTITION BY name)
        ORDER BY name
        """
    ).fetchall()
    for system, seconds in usual:
        length = timedelta(seconds=seconds)
        if every % length:
            of = f" of {system}" if system else ""
            raise ReportError(
                f"{report.id}: found --interval {interval_words(every)}, but the intervals{of} "
                f"are {interval_words(length)} long",
                f"give a multiple of it, such as {interval_words(2 * length)} or 1d",
            )


def _pick(report: Report, report_column: ReportColumn, keys: list[str], bucket: str) -> str:
    """The SQL expression of one column of a total row."""
    name = f'"{report_column.name}"'
    if report_column.name in keys:
        return name
    if report_column.kind == "time":
        of_page = ", ".join(
            [*(f'"{k}"' for k in keys if k in PAGE_KEYS), *([bucket] if bucket else [])]
        )
        return f"min(min({name})) OVER (PARTITION BY {of_page}) AS {name}"
    return f"{_total_of(report, report_column)} AS {name}"


def _total_of(report: Report, report_column: ReportColumn) -> str:
    name = f'"{report_column.name}"'
    if report_column.total_rule == "ratio":
        return ratio_sql(report, report_column)
    if report_column.total_sql:
        return f"({report_column.total_sql})"
    if is_of_whole(report, report_column.name):
        return part_sql(report, report_column)
    return {
        "sum": f"sum({name})",
        "mean": f"avg({name})",
        "max": f"max({name})",
        "min": f"min({name})",
        "last": f"arg_max({name}, interval_start_utc)",
        "whole": f"sum({name})",
        "same": f"CASE WHEN min({name}) = max({name}) THEN min({name}) END",
    }[report_column.total_rule]


def ratio_sql(report: Report, report_column: ReportColumn) -> str:
    """A ratio column over the rows of a group, from its summed parts; a row must have both."""
    terms = [
        f"{_sum_where(num, den)} / nullif({_sum_where(den, num)}"
        + (f" * {factor_sql(num)}, 0)" if is_of_whole(report, den) else ", 0)")
        for num, den in zip(report_column.num, report_column.den, strict=True)
    ]
    return f"{report_column.scale!r} * ({' + '.join(terms)})"


# --- the whole time -----------------------------------------------------------------------------


def has_whole(report: Report) -> bool:
    """Whether its rows tell how long their intervals are."""
    return SECONDS in report.names and "interval_start_utc" in report.names


def is_of_whole(report: Report, name: str) -> bool:
    """Whether a part grows with the time alone: the length of the interval, a capacity in it."""
    column = report.column(name)
    named = column.kind == "part" and (name in _LENGTHS or column.total == "whole")
    return named and has_whole(report)


def timed_sql(report: Report, bucket: str, with_spans: bool) -> str:
    """The rows with `whole_s`, the time of their total; of tables `rows` and `spans`.

    Intervals that overlap (type 30 begins with its address space) count once; starts are whole
    seconds, lengths are not, so a second of overlap is none.
    """
    keys = [name for name in PAGE_KEYS if name in report.names]
    names = ", ".join(f'"{key}"' for key in keys)
    of = f"{names}, {bucket or 'NULL'} AS bucket"
    tables = ["rows", "spans"] if with_spans else ["rows"]
    pieces = " UNION ALL ".join(
        f"SELECT {of}, epoch(interval_start_utc) AS begun, {SECONDS} AS seconds FROM {table}"
        for table in tables
    )
    same = " AND ".join(f'w."{key}" IS NOT DISTINCT FROM r."{key}"' for key in keys)
    return f"""
        WITH piece AS (
            SELECT {names}, bucket, begun, max(seconds) AS seconds
            FROM ({pieces})
            WHERE begun IS NOT NULL AND seconds IS NOT NULL
            GROUP BY ALL
        ),
        follows AS (
            SELECT *, max(begun + seconds) OVER (
                PARTITION BY {names}, bucket ORDER BY begun
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS busy_to
            FROM piece
        ),
        whole AS (
            SELECT {names}, bucket, sum(
                CASE WHEN busy_to - begun > 1 THEN greatest(begun + seconds - busy_to, 0)
                    ELSE seconds END
            ) AS whole_s
            FROM follows
            GROUP BY ALL
        )
        SELECT r.*, w.whole_s
        FROM rows AS r
        LEFT JOIN whole AS w ON {same} AND w.bucket IS NOT DISTINCT FROM {bucket or "NULL"}
    """


def part_sql(report: Report, report_column: ReportColumn) -> str:
    """The sum of a part over the whole time."""
    own = f'sum("{SECONDS}")'
    longest = f"greatest(max(whole_s), {own})"
    return f'sum("{report_column.name}") * coalesce({longest} / nullif({own}, 0), 1)'


def factor_sql(num: str) -> str:
    """The whole time over that of the rows with this number; without intervals that lack it."""
    own = _sum_where(SECONDS, num)
    lacks = f"coalesce({_sum_where(SECONDS, num, 'NULL')}, 0)"
    return f"coalesce(greatest(max(whole_s) - {lacks}, {own}) / nullif({own}, 0), 1)"


def _sum_where(name: str, other: str, what: str = "NOT NULL") -> str:
    """The sum of a column over rows in which another one has a value; DuckDB takes four times as
    long for a FILTER."""
    return f'sum(CASE WHEN "{other}" IS {what} THEN "{name}" END)'
