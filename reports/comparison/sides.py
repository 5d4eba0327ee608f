"""The two sides of a comparison, and what is not the same in them besides the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import ReportError, near
from imsperf.reports.comparison.samples import paired_units, slots_of
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.in_memory import in_memory


@dataclass(frozen=True)
class Side:
    """Runs in an open database."""

    con: duckdb.DuckDBPyConnection
    runs: tuple[str, ...]
    label: str = ""

    @property
    def run(self) -> str:
        """The first of them."""
        return self.runs[0]


def run_names(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The runs of a database, as `load --run` named them."""
    rows = con.execute("SELECT DISTINCT run FROM load_file ORDER BY run").fetchall()
    return [name for (name,) in rows]


def runs_as_loaded(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The same, in the order in which their first files were loaded."""
    sql = "SELECT run FROM load_file GROUP BY run ORDER BY min(file_id), run"
    return [name for (name,) in con.execute(sql).fetchall()]


def last_run(con: duckdb.DuckDBPyConnection, label: str = "database") -> str:
    """The run of the file that was loaded last. Raises ReportError where nothing is."""
    row = con.execute("SELECT arg_max(run, file_id) FROM load_file").fetchone()
    if row is None or row[0] is None:
        raise ReportError(f"{label}: nothing is loaded", "load dumps with `imsperf load`")
    return str(row[0])


def run_to_show(
    con: duckdb.DuckDBPyConnection, label: str, told: Callable[[str], None] | None, base: str = ""
) -> str:
    """The last run that is not the `base` of a comparison, which `told` hears where there are
    several. Raises ReportError as `last_run` does."""
    names, chosen = run_names(con), last_run(con, label)
    if chosen == base and len(names) > 1:
        chosen = [name for name in runs_as_loaded(con) if name != base][-1]
    if len(names) > 1 and told:
        told(f"of {len(names)} runs this is about {chosen}; --run chooses another")
    return chosen


def side(con: duckdb.DuckDBPyConnection, run_name: str | None, label: str = "") -> Side:
    """A run of a database, or all that match a pattern such as `mon*`; None takes the only one.

    Raises ReportError where there is none.
    """
    runs = run_names(con)
    if run_name is None and len(runs) == 1:
        return Side(con, (runs[0],), label)
    chosen = tuple(name for name in runs if fnmatchcase(name, run_name or ""))
    if run_name in runs or chosen:
        return Side(con, (run_name,) if run_name in runs else chosen, label)
    if not runs:
        raise ReportError(
            f"{label or 'database'}: nothing is loaded", "load dumps with `imsperf load`"
        )
    listed = f"runs: {', '.join(runs)}; name one as DB::run"
    if run_name is None:
        raise ReportError(f"{label or 'database'}: found {len(runs)} runs, expected one", listed)
    raise ReportError(f"{label or 'database'}: no run {run_name!r}", near(run_name, runs, listed))


# What tells the records of runs, however they are packed and named, without sorting their hashes.
_RECORDS = """
    SELECT count(*), sum(r.hash_high), sum(r.hash_low), bit_xor(r.hash_high), bit_xor(r.hash_low)
    FROM load_record AS r JOIN load_file AS f ON f.file_id = r.file_id
    WHERE list_contains(?, f.run)
"""
_FILES = """
    SELECT sample, sha256, selection, kept FROM load_file WHERE list_contains(?, run) ORDER BY ALL
"""


def same_records(base: Side, candidate: Side) -> bool:
    """Whether both sides are the same records, by what was noted when they were loaded."""
    if base.con is candidate.con and base.runs == candidate.runs:
        return True
    files = [_asked(side, _FILES) for side in (base, candidate)]
    if files[0] == files[1]:
        return all(sample for sample, *_ in files[0])
    if sum(file[-1] or 0 for file in files[0]) != sum(file[-1] or 0 for file in files[1]):
        return False
    records = [_asked(side, _RECORDS) for side in (base, candidate)]
    return records[0][0][0] > 0 and records[0] == records[1]


def _asked(side: Side, sql: str) -> list[Any]:
    with side.con.cursor() as cursor:
        return cursor.execute(sql, [list(side.runs)]).fetchall()


# Local times of the first and the last record that was decoded. Logs have UTC: where RMF does not
# tell how far that is from local time, they may be of any zone.
_TIMES = """
    WITH zone AS (
        SELECT
            coalesce(min(interval_start - interval_start_utc), INTERVAL (-12) HOUR) AS least,
            coalesce(max(interval_start - interval_start_utc), INTERVAL 14 HOUR) AS most
        FROM rmf_interval WHERE list_contains($runs, run)
    )
    SELECT
        min(c.first + CASE c.kind WHEN 'ims' THEN zone.least ELSE INTERVAL 0 HOUR END),
        max(c.last + CASE c.kind WHEN 'ims' THEN zone.most ELSE INTERVAL 0 HOUR END)
    FROM load_count AS c JOIN load_file AS f ON f.file_id = c.file_id CROSS JOIN zone
    WHERE list_contains($runs, f.run) AND c.loaded > 0
"""
_INTERVALS = """
    SELECT n.interval_start
    FROM load_interval AS n JOIN load_file AS f ON f.file_id = n.file_id
    WHERE list_contains($runs, f.run)
"""
_LONGEST = timedelta(days=1)  # from the begin of what a record is about to the record


def check_times(side: Side, keep: Filter, hint: str = "") -> None:
    """Raise ReportError where no row of a side can begin in the times that are wanted.

    `hint`: what else may help, where no time of day is asked for. Where RMF tells the intervals,
    what is written later and began then is a long job at most.
    """
    if not keep.has_time:
        return
    with side.con.cursor() as cursor:
        runs = {"runs": list(side.runs)}
        ((first, last),) = cursor.execute(_TIMES, runs).fetchall()
        rmf = cursor.execute(f"SELECT count(*) FROM ({_INTERVALS})", runs).fetchall()
        sql, bound = keep.sql(_INTERVALS, ["interval_start"])
        begun = cursor.execute(f"SELECT count(*) FROM ({sql})", {**runs, **bound}).fetchall()
    if first is None or begun[0][0]:
        return
    first_begin = first if rmf[0][0] else first - _LONGEST
    if not any(begin <= last and end > first_begin for begin, end in _wanted(keep, first, last)):
        raise ReportError(
            f"{side.label or side.run}: nothing begins in that time",
            f"its records are from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}, local time"
            + (f"; {hint}" if hint and not keep.tod else ""),
        )


def check_clock(base: Side, candidate: Side) -> None:
    """Raise ReportError where RMF tells intervals of both sides, none of the same time of day."""
    clock = f"SELECT DISTINCT CAST(interval_start AS TIME) FROM ({_INTERVALS}) ORDER BY ALL"
    times = []
    for side in (base, candidate):
        with side.con.cursor() as cursor:
            rows = cursor.execute(clock, {"runs": list(side.runs)}).fetchall()
        times.append([time for (time,) in rows])
    if all(times) and not {*times[0]} & {*times[1]}:
        has = (
            f"{side.label or side.run}: from {of_side[0]:%H:%M} to {of_side[-1]:%H:%M}"
            for side, of_side in zip((base, candidate), times, strict=True)
        )
        raise ReportError(
            "no interval of one side begins at a time of day of the other, expected some to pair",
            f"{'; '.join(has)}; without --pair clock all intervals of both are compared",
        )


def _wanted(keep: Filter, first: datetime, last: datetime) -> Iterator[tuple[datetime, datetime]]:
    """From when to when the times are that are wanted; of a time of day, of each day."""
    start, end = keep.start or datetime.min, keep.end or datetime.max
    if keep.tod is None:
        yield start, end
        return
    opens, closes = keep.tod
    for day in range((last - first).days + 4):
        date = (first + timedelta(days=day - 2)).date()
        until = datetime.combine(date, closes) + timedelta(days=closes <= opens)
        yield max(start, datetime.combine(date, opens)), min(end, until)


# --- what else differs ---------------------------------------------------------------------------

_FACTS = """
    SELECT 'configuration' AS topic, concat_ws('.', nullif(section, ''), key) AS item,
        concat_ws(' ', value, unit) AS value
    FROM run_config  -- of how a generated run was made (that has the answers) its sample alone
    WHERE run = $run AND (section NOT IN ('generator', 'files') OR key = 'sample_k')
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'type', record_type, system, 'intervals'),
        CAST(count(*) AS VARCHAR)
    FROM rmf_interval WHERE run = $run GROUP BY record_type, system
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'type', record_type, system, 'interval length [s]'),
        string_agg(DISTINCT format('{:g}', interval_s), ', ' ORDER BY format('{:g}', interval_s))
    FROM rmf_interval WHERE run = $run GROUP BY record_type, system
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'IMS', ims, 'statistics intervals'), CAST(count(*) AS VARCHAR)
    FROM ims_statistics_set WHERE run = $run GROUP BY ims
    UNION ALL
    SELECT 'coverage', concat_ws(' ', 'IMS', ims, 'statistics time [s]'),
        format('{:g}', sum(interval_s))
    FROM ims_statistics_set WHERE run = $run GROUP BY ims
    UNION ALL
    SELECT 'level', concat_ws(' ', 'z/OS of', system), string_agg(DISTINCT zos_level, ', ')
    FROM rmf_cpu_interval WHERE run = $run GROUP BY system
    UNION ALL
    SELECT 'zone', concat_ws(' ', 'local time of', system, 'less UTC [h]'),
        string_agg(DISTINCT format('{:+g}', h), ', ' ORDER BY format('{:+g}', h))
    FROM (
        SELECT system, epoch(interval_start - interval_start_utc) / 3600 AS h
        FROM rmf_interval WHERE run = $run
    ) WHERE h IS NOT NULL GROUP BY system
    UNION ALL
    SELECT 'damage', concat_ws(' ', p.severity, p.reason), CAST(count(*) AS VARCHAR)
    FROM load_problem AS p JOIN load_file AS f ON f.file_id = p.file_id
    WHERE f.run = $run AND p.severity <> 'info' GROUP BY p.severity, p.reason
"""


_TRANSACTIONS = """
    SELECT system, ims, interval_start, interval_s, transactions_count
    FROM ims_statistics_set WHERE run = $run
"""
_LOAD = """
    SELECT 'load' AS topic, concat_ws(' ', 'IMS', ims, 'transactions/s') AS item,
        format('{:.6g}', sum(transactions_count) / nullif(sum(interval_s), 0)) AS value,
        [value] AS each
    FROM transactions GROUP BY ims
"""


# What the runs of a side say of an item: one value, else each with the number of runs, - of none;
# of many values the first.
_OF_RUNS = """
    WITH said AS (
        SELECT topic, item, value, count(*) AS runs FROM facts GROUP BY topic, item, value
        UNION ALL
        SELECT topic, item, '-', $runs - count(*) FROM facts GROUP BY topic, item
        HAVING count(*) < $runs
    ),
    listed AS (
        SELECT topic, item, min(value) AS one,
            list(format('{} ({})', value, runs) ORDER BY runs DESC, value) AS each
        FROM said GROUP BY topic, item
    )
    SELECT topic, item,
        CASE WHEN len(each) = 1 THEN one ELSE array_to_string(each[:3], ', ')
            || CASE WHEN len(each) > 3 THEN format(', {} more', len(each) - 3) ELSE '' END END
            AS value,
        each
    FROM listed
"""


def _facts(side: Side, con: duckdb.DuckDBPyConnection) -> pa.Table:
    with side.con.cursor() as cursor:
        of_runs = [cursor.sql(_FACTS, params={"run": run}).to_arrow_table() for run in side.runs]
    con.register("facts", pa.concat_tables(of_runs))
    return con.sql(_OF_RUNS, params={"runs": len(side.runs)}).to_arrow_table()


def _transactions(side: Side, keep: Filter) -> pa.Table:
    """Transactions of each statistics set that `keep` wants, in order of time."""
    sql, bound = keep.sql(_TRANSACTIONS, ("system", "interval_start"))
    with side.con.cursor() as cursor:
        of_runs = [
            cursor.sql(sql, params={"run": run, **bound}).to_arrow_table() for run in side.runs
        ]
    return pa.concat_tables(of_runs).sort_by("interval_start")


def _of_same_times(sides: Sequence[pa.Table]) -> list[pa.Table]:
    """The rows of intervals of the same time of the week, else of the day."""
    starts = [pc.unique(rows["interval_start"].drop_null()) for rows in sides]
    places = paired_units(*(slots_of(each.cast(pa.timestamp("us")).to_numpy()) for each in starts))
    return [
        rows.filter(pc.is_in(rows["interval_start"], each.take(pa.array(place))))
        for rows, each, place in zip(sides, starts, places, strict=True)
    ]


def loads_of(
    base: Side, candidate: Side, keep: Filter = EVERYTHING, clock: bool = False
) -> list[pa.Table]:
    """The transactions of all runs of both sides by statistics set, of the times that `keep` wants,
    with `clock` of those that both sides have."""
    loads = [_transactions(side, keep) for side in (base, candidate)]
    return _of_same_times(loads) if clock else loads


_FEWEST_HOURS = 6  # fewer do not say how a day goes
_SWING = 2.0  # the busiest hour against the least busy
_BY_HOUR = """
    SELECT hour(interval_start) AS hour, sum(transactions_count) / sum(interval_s) AS rate
    FROM transactions WHERE interval_s > 0 AND transactions_count IS NOT NULL GROUP BY hour
"""


def follow_the_day(loads: Sequence[pa.Table]) -> bool:
    """Whether both sides have the same hours of the day, several, and far more transactions in one
    than in another: intervals of one time are more alike then than those of a whole day."""
    rates = []
    with in_memory() as con:
        for load in loads:
            con.register("transactions", load)
            rates.append(dict(con.sql(_BY_HOUR).fetchall()))
    base, candidate = rates
    return (
        len(base) >= _FEWEST_HOURS
        and base.keys() == candidate.keys()
        and all(max(side.values()) > _SWING * min(side.values()) for side in rates)
    )


def differences(base: Side, candidate: Side, loads: Sequence[pa.Table]) -> pa.Table:
    """What else is not the same on the two sides, `loads` too; to be read before any number.

    Where the runs of a side differ, each value has the number of runs behind it: off (2), on (1).
    """
    with in_memory() as con:
        for name, side, load in zip("bc", (base, candidate), loads, strict=True):
            con.register("transactions", load)
            loaded = con.sql(_LOAD).to_arrow_table()
            con.register(name, pa.concat_tables([_facts(side, con), loaded]))
        return con.sql(
            """
            SELECT coalesce(b.topic, c.topic) AS topic, coalesce(b.item, c.item) AS item,
                b.value AS base, c.value AS candidate
            FROM b FULL OUTER JOIN c ON b.topic = c.topic AND b.item = c.item
            WHERE b.value IS DISTINCT FROM c.value OR len(b.each) > 1 AND b.each <> c.each
            ORDER BY topic, item
            """
        ).to_arrow_table()


_LOAD_MARGIN = 0.01  # that of the verdicts


def load_differs(facts: pa.Table) -> bool:
    """Whether an IMS of both sides ran more or fewer transactions, of what `differences` found."""
    loads = facts.filter(pc.equal(facts["topic"], "load"))
    base, candidate = (
        np.array(loads[name].cast(pa.float64()).to_pylist(), np.float64)
        for name in ("base", "candidate")
    )
    return bool((np.abs(candidate - base) > _LOAD_MARGIN * base).any())
