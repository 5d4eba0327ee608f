"""What a reader of a report must know of the data behind it, where not all is well: several runs,
intervals that are missing, data that was lost, a log that is a sample."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pyarrow as pa

from imsperf.reports.definition import Report
from imsperf.reports.in_memory import in_memory

_NAMED = 5  # in one remark
_NONE = 2**32 - 1  # one transaction in so many: the log was made to hold none
_OF_TRANSACTIONS = {"ims_01", "ims_5937"}  # records whose transactions a sampled log leaves out


def remarks(
    con: duckdb.DuckDBPyConnection,
    report: Report,
    run: str | None,
    intervals: pa.Table | None,
) -> tuple[str, ...]:
    """A line each. `run` is the one that was asked for; `intervals` are all in the range, with
    run, system and interval_start_utc; None where a report has none or parts of days are wanted."""
    found = [*_runs(con, run), *_lost(con, run)]
    if intervals is not None:
        found += _missing(intervals)
    if reads(report):
        found += _sampled(con, run)
    return tuple(found)


def _runs(con: duckdb.DuckDBPyConnection, run: str | None) -> Iterator[str]:
    rows = con.execute("SELECT DISTINCT run FROM load_file ORDER BY run").fetchall()
    if run is None and len(rows) > 1:
        yield f"Of {len(rows):,} runs: {_listed([name for (name,) in rows])}"


def _missing(intervals: pa.Table) -> Iterator[str]:
    """By the step that is usual between the intervals of a system."""
    with in_memory() as con:
        con.register("given", intervals)
        rows = con.sql(
            """
            WITH start AS (
                SELECT DISTINCT run, system, interval_start_utc AS begun FROM given
            ),
            step AS (
                SELECT *, epoch(lead(begun) OVER (PARTITION BY run, system ORDER BY begun) - begun)
                    AS seconds
                FROM start
            ),
            part AS (
                SELECT run, system, count(*) AS there, mode(round(seconds)) AS usual,
                    epoch(max(begun) - min(begun)) AS seconds
                FROM step
                GROUP BY ALL
            ),
            counted AS (
                SELECT *, (round(seconds / nullif(usual, 0)) + 1)::BIGINT AS all_of FROM part
            )
            SELECT concat_ws(' ', run, system), there, all_of
            FROM counted
            WHERE all_of > there
            ORDER BY run, system
            """
        ).fetchall()
    if rows:
        named = [f"{there:,} of {all_of:,} of {system}" for system, there, all_of in rows]
        yield f"Intervals there: {_listed(named)}"


def _lost(con: duckdb.DuckDBPyConnection, run: str | None) -> Iterator[str]:
    ((count, size),) = con.execute(
        """
        SELECT count(*), sum(p.bytes)::BIGINT
        FROM load_problem AS p
        JOIN load_file AS f ON f.file_id = p.file_id
        WHERE p.severity IN ('data_loss', 'error') AND f.run = coalesce(?, f.run)
        """,
        [run],
    ).fetchall()
    if count:
        lost = f", {size:,} bytes" if size else ""
        times = "once" if count == 1 else f"{count:,} times"
        yield f"Data lost in the files {times}{lost}; SELECT * FROM load_problem"


def reads(report: Report) -> tuple[str, ...]:
    """What is read of records for these lines."""
    return (_SAMPLED,) if _OF_TRANSACTIONS & set(report.any_of) else ()


_SAMPLED = """
    SELECT DISTINCT concat_ws(' ', run, ims) AS log, sample_every
    FROM ims_log_file
    WHERE sample_every > 1 AND run = coalesce(?, run)
    ORDER BY log
"""


def _sampled(con: duckdb.DuckDBPyConnection, run: str | None) -> Iterator[str]:
    rows = con.execute(_SAMPLED, [run]).fetchall()
    if rows:
        named = [
            f"{log}: {'statistics only' if every >= _NONE else f'one transaction in {every:,}'}"
            for log, every in rows
        ]
        yield (
            f"Sampled IMS log ({_listed(named)}): counts are of the sample, numbers a second "
            "of all transactions"
        )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
