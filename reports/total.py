"""The whole time of a total: a key that is missing in an interval was idle in it, not away.

A rate over several intervals is its events over the time of all of them, also of those in which
its key has no row. What that time is tell the rows of all keys of the same run, system and IMS
together, and the view that `whole` in the header of a report names.
"""

from __future__ import annotations

from imsperf.reports.definition import Report, ReportColumn

SECONDS = "interval_s"  # length of the interval of a row, in every report that has rates
_LENGTHS = (SECONDS, "interval_us")
_OF = ("run", "system", "ims")


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
    keys = [name for name in _OF if name in report.names]
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
    own = f'sum("{SECONDS}") FILTER ("{num}" IS NOT NULL)'
    lacks = f'coalesce(sum("{SECONDS}") FILTER ("{num}" IS NULL), 0)'
    return f"coalesce(greatest(max(whole_s) - {lacks}, {own}) / nullif({own}, 0), 1)"
