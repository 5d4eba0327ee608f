"""Run the rules on a database and rank what they find."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from imsperf.errors import AbsentRecords, ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.definition import Report
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.findings.rule import SEVERITIES, Rule, overridden, shipped
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import lacking_of
from imsperf.reports.taken import Taken

if TYPE_CHECKING:
    import duckdb

SHOWN = 10  # findings on one screen
KEYS = 5  # affected keys that a line names
ENOUGH = 4  # intervals that say what is usual

SCHEMA = pa.schema(
    [
        ("rank", pa.int64()),
        ("severity", pa.string()),  # high, medium, low
        ("finding", pa.string()),  # name of the rule
        ("title", pa.string()),
        ("run", pa.string()),
        ("systems", pa.list_(pa.string())),
        ("keys", pa.list_(pa.string())),  # what is affected, worst first: "device=09010"
        ("names", pa.list_(pa.string())),  # what people call each of these: "S60$01"
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


@dataclass(frozen=True, repr=False)
class Findings:
    """`table` (`SCHEMA`): all findings, most severe first. `tested`: rules that ran.

    `untested`: rules whose records the database does not have, or which compare with what is usual
    where no run has intervals enough to say what that is.
    """

    table: pa.Table
    tested: tuple[str, ...]
    untested: tuple[str, ...]

    def __repr__(self) -> str:
        """How many there are: a notebook shows no table of lists."""
        rules, rows = len(self.tested), self.table.num_rows
        return f"<Findings: {rows}, {rules} rules tested; .table has them, most severe first>"


def findings(
    con: duckdb.DuckDBPyConnection,
    keep: Filter = EVERYTHING,
    *,
    site: str | Path | None = None,
    rules: Sequence[Rule] | None = None,
) -> Findings:
    """What stands out in the rows that `keep` wants.

    `site`: a TOML file that changes limits (docs/findings.md). Raises ReportError for a bad one.
    """
    chosen = tuple(shipped() if rules is None else rules)
    if site is not None:
        try:
            text = Path(site).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise ReportError(f"{site}: cannot be read: {error}") from error
        try:
            chosen = overridden(chosen, text)
        except ReportError as error:
            raise ReportError(f"{site}: {error.message}", error.hint) from error
    plan = Plan.of(chosen, con, keep.run)

    def test(taken: Taken, report: Report) -> list[tuple[Rule, pa.Table | None]]:
        made = plan.found(taken, report)
        if report.id not in plan.beside:
            taken.drop(report)
        return made

    with Taken(con, keep) as taken:
        found_of = taken.take(plan.reports, test)
    return plan.findings(chain.from_iterable(found_of))


@dataclass(frozen=True)
class Plan:
    """Rules by the report whose rows they test; those whose records are not there are `lacking`."""

    rules: Mapping[str, tuple[Rule, ...]]
    lacking: tuple[Rule, ...]

    @classmethod
    def of(cls, rules: Sequence[Rule], con: duckdb.DuckDBPyConnection, run: str | None) -> Plan:
        """The plan for these rules and the records of that run."""
        asked = sorted({name for rule in rules for name in _reports(rule)})
        lacks = lacking_of([catalog().get(name) for name in asked], con, run)
        lacking = tuple(rule for rule in rules if any(lacks[name] for name in _reports(rule)))
        by_report: dict[str, tuple[Rule, ...]] = {}
        for rule in sorted(rules, key=_reports):
            if rule not in lacking:
                by_report[rule.report] = (*by_report.get(rule.report, ()), rule)
        return cls(by_report, lacking)

    @property
    def reports(self) -> list[Report]:
        """The reports whose rows are tested."""
        return [catalog().get(name) for name in self.rules]

    @property
    def beside(self) -> set[str]:
        """The reports that rules of others read."""
        return {rule.beside for rules in self.rules.values() for rule in rules}

    def found(self, taken: Taken, report: Report) -> list[tuple[Rule, pa.Table | None]]:
        """What the rules of a report find (`SCHEMA`); None where a rule could not be tested."""
        made: list[tuple[Rule, pa.Table | None]] = []
        for _, rules in groupby(self.rules.get(report.id, ()), key=_reports):
            group = list(rules)
            try:
                with tested_rows(taken, group[0]) as cursor:
                    tables = [found(cursor, rule) for rule in group]
                    is_short = 0 < _intervals(cursor, report) < ENOUGH
                for rule, table in zip(group, tables, strict=True):
                    is_tested = table.num_rows or not (rule.usual and is_short)
                    made.append((rule, table if is_tested else None))
            except AbsentRecords:
                made += [(rule, None) for rule in group]
        return made

    def findings(self, made: Iterable[tuple[Rule, pa.Table | None]]) -> Findings:
        """All that was found, ranked."""
        every = sorted(made, key=lambda one: (_reports(one[0]), one[0].id))
        tested = {rule.id: table for rule, table in every if table is not None}
        untested = [rule.id for rule, table in every if table is None]
        untested = [*(rule.id for rule in self.lacking), *untested]
        return Findings(_ranked(list(tested.values())), tuple(tested), tuple(untested))


def evidence(con: duckdb.DuckDBPyConnection, rule: Rule, keep: Filter = EVERYTHING) -> pa.Table:
    """The rows of its report that are beyond the threshold of a rule, in order of time."""
    with Taken(con, keep) as taken, tested_rows(taken, rule) as cursor:
        rows = cursor.sql(_evidence(rule), params=dict(rule.limits))
        return rows.order("run, system, first, key").to_arrow_table()


def _intervals(cursor: duckdb.DuckDBPyConnection, report: Report) -> int:
    """How many the run with the most of them has in `found_rows`."""
    row = cursor.execute(
        f'SELECT max(n) FROM (SELECT count(DISTINCT "{report.time}") AS n FROM found_rows'
        " GROUP BY run)"
    ).fetchone()
    return (row and row[0]) or 0


def _reports(rule: Rule) -> tuple[str, ...]:
    return (rule.report, rule.beside) if rule.beside else (rule.report,)


@contextmanager
def tested_rows(taken: Taken, rule: Rule) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor with the report of a rule in `found_rows` and the one beside it, if any, in
    `beside_rows`.

    Raises AbsentRecords where one of them can have no rows.
    """
    named = zip(("found_rows", "beside_rows"), _reports(rule), strict=False)
    with taken.cursor(**{name: catalog().get(report) for name, report in named}) as cursor:
        yield cursor


def _key(rule: Rule) -> str:
    """SQL: what a row is about, as it is printed."""
    names = rule.key or catalog().get(rule.report).key
    words = ", ".join(f"""'{name}=' || "{name}" """ for name in names) or "NULL"
    return f"concat_ws(',', {words})"


def affected(cursor: duckdb.DuckDBPyConnection, rule: Rule, row: Mapping[str, Any]) -> pa.Table:
    """All rows of `found_rows` about what a row of `Findings.table` names, the worst KEYS of them:
    beyond the threshold or not."""
    return cursor.sql(
        f"""SELECT * FROM found_rows WHERE run IS NOT DISTINCT FROM $run
        AND list_contains($systems::VARCHAR[], coalesce(system, ''))
        AND ($keys IS NULL OR list_contains($keys::VARCHAR[], {_key(rule)}))""",
        params={
            "run": row["run"],
            "systems": [system or "" for system in row["systems"]],
            "keys": row["keys"] and row["keys"][:KEYS],
        },
    ).to_arrow_table()


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


_NO_LESS = 0.02  # share by which a load may be lower and still be as much


def _local(report: Report) -> str:
    """SQL: when an interval of a report began, local time where it has that."""
    return '"interval_start"' if "interval_start" in report.names else f'"{report.time}"'


def _beyond(rule: Rule) -> str:
    """SQL: the rows of `found_rows` that the rule gives, as the common table `beyond`."""
    definition = catalog().get(rule.report)
    local = _local(definition)
    partition = _quoted(["run", "system", *(rule.key or definition.key)])
    added = ""
    windows = []
    if rule.usual:
        together = _quoted(rule.usual)
        if len(rule.usual) > 1:
            together = f"list_sum([{together}])"  # of what is not NULL
        as_loaded = ""
        if rule.load:  # at least as much of it
            as_loaded = f"""ORDER BY "{rule.load}"
                RANGE BETWEEN {_NO_LESS} * "{rule.load}" PRECEDING AND UNBOUNDED FOLLOWING"""
        added += f""",
            CASE
                WHEN count(DISTINCT {local}::DATE) OVER same_hour >= 3
                    THEN median({together}) OVER same_hour
                WHEN count({together}) OVER any_time >= {ENOUGH}
                    THEN median({together}) OVER any_time
            END AS usual"""
        windows += [
            f"same_hour AS (PARTITION BY {partition}, hour({local}) {as_loaded})",
            f"any_time AS (PARTITION BY {partition} {as_loaded})",
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
    if rule.value:
        # greatest() passes over a NULL: where nothing is usual, there is no threshold
        limit = f"${rule.threshold}"
        if rule.usual:
            limit = f"CASE WHEN usual IS NOT NULL THEN greatest($times * usual, {limit}) END"
        added += f", greatest({_quoted(rule.value)}) AS value, {limit} AS threshold"
    window = f"WINDOW {', '.join(windows)}" if windows else ""
    return f"""
        WITH report AS (SELECT *{added} FROM found_rows {window}),
        beyond AS ({rule.sql.rstrip().rstrip(";")})"""


def watched(rule: Rule, rows: pa.Table) -> pa.Table:
    """The rows of its report that a rule holds against its fixed limit, which are those that it
    gives when no value can be within the limit."""
    with in_memory() as con:
        con.register("found_rows", rows)
        asked = f"{_beyond(rule)} FROM beyond"
        every = [{**rule.limits, rule.threshold: limit} for limit in (-math.inf, math.inf)]
        return pa.concat_tables([con.sql(asked, params=p).to_arrow_table() for p in every])


def _evidence(rule: Rule) -> str:
    """SQL: run, system, first, seconds, key, name, value, threshold, excess of each row beyond."""
    definition = catalog().get(rule.report)
    seconds = '"interval_s"' if "interval_s" in definition.names else "NULL::DOUBLE"
    named_by = "" if rule.key else definition.named_by  # which names a row by the report's key
    name = f'CAST("{named_by}" AS VARCHAR)' if named_by else "NULL::VARCHAR"
    began = "NULL::TIMESTAMP" if definition.is_of_the_ledger else _local(definition)
    return f"""{_beyond(rule)}
        SELECT
            run, system, {began} AS first, {seconds} AS seconds,
            {_key(rule)} AS key, {name} AS name,
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
    """One row for each run in which the rule finds something (`SCHEMA`), from `found_rows`.

    What is of whole files has no time.
    """
    definition = catalog().get(rule.report)
    length = "NULL" if definition.is_of_the_ledger else f'count(DISTINCT "{definition.time}")'
    sql = f"""
        WITH evidence AS ({_evidence(rule)}),
        affected AS (
            SELECT run, key, arg_max(name, excess) AS name, max(excess) AS excess
            FROM evidence
            WHERE key <> '' AND NOT list_contains($ignore::VARCHAR[], key)
            GROUP BY ALL
        ),
        of_key AS (
            SELECT
                run,
                list(key ORDER BY excess DESC, key)      AS keys,
                list(name ORDER BY excess DESC, key)     AS names
            FROM affected
            GROUP BY run
        ),
        length AS (
            SELECT run, {length} AS of_intervals FROM found_rows GROUP BY run
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
                nullif(count(DISTINCT first), 0)         AS intervals
            FROM evidence
            WHERE NOT list_contains($ignore::VARCHAR[], key)
            GROUP BY run
        )
        SELECT
            of_run.*, of_intervals,
            of_key.keys, of_key.names
        FROM of_run
        JOIN length ON length.run IS NOT DISTINCT FROM of_run.run
        LEFT JOIN of_key ON of_key.run IS NOT DISTINCT FROM of_run.run"""
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
