"""Run a report: parameters, filters, the Result; make totals from the parts of ratios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import AbsentRecords, ReportError, near
from imsperf.reports.catalog import catalog, record_of
from imsperf.reports.definition import Parameter, Report, ReportColumn

WHOLE = ("run", "sysplex", "system", "ims")  # what a page is about: its rows begin together


@dataclass(frozen=True)
class Result:
    """The rows of a report with its definition beside them.

    `facts` has one row for each run, system and interval: what a page says above its table.
    `spans` are all intervals there are, where rows alone do not tell them. `suspect` is how many
    records that were loaded something speaks against.
    """

    report: Report
    table: pa.Table
    parameters: Mapping[str, Any] = field(default_factory=dict)
    facts: pa.Table | None = None
    note: str = ""
    spans: pa.Table | None = None
    suspect: int = 0

    @property
    def shown(self) -> pa.Table:
        """Without the parts of ratios."""
        return self.table.select([column.name for column in self.report.shown])


@dataclass(frozen=True)
class Filter:
    """What rows to keep: equal run and system, local interval start in [start, end)."""

    run: str | None = None
    system: str | None = None
    start: datetime | None = None
    end: datetime | None = None

    def apply(self, table: pa.Table) -> pa.Table:
        """The rows that pass; a table without such a column passes whole."""
        tests = [
            ("run", pc.equal, self.run),
            ("system", pc.equal, self.system),
            ("interval_start", pc.greater_equal, self.start),
            ("interval_start", pc.less, self.end),
        ]
        for name, test, value in tests:
            if value is not None and name in table.column_names:
                table = table.filter(test(table[name], pa.scalar(value, table[name].type)))
        return table

    def check(self, report: Report) -> None:
        """Raise ReportError where a time is wanted that the rows of the report cannot tell."""
        if (self.start or self.end) and not (report.time or report.range):
            raise ReportError(f"{report.id}: its rows have no time: --from and --to say nothing")
        if (self.start or self.end) and report.is_of_the_ledger:
            raise ReportError(
                f"{report.id}: found --from or --to, but it counts whole files",
                "`imsperf load --from --to` loads a part of a file",
            )

    def why_none(self, table: pa.Table) -> str:
        """What the report has instead of what was wanted; for a table of which no row passes."""
        for name, value in (("run", self.run), ("system", self.system)):
            if value is not None and name in table.column_names:
                there = sorted(filter(None, pc.unique(table[name]).to_pylist()))
                if value not in there:
                    return (
                        f"found no {name} {value!r}, only {', '.join(there) or 'rows without one'}"
                    )
        if (self.start or self.end) and "interval_start" in table.column_names:
            ends = pc.min_max(table["interval_start"]).as_py()
            if ends["min"] is not None:
                return f"its intervals begin from {ends['min']} to {ends['max']}"
        return "no row has that run, system and time together"


EVERYTHING = Filter()


def run(
    con: duckdb.DuckDBPyConnection,
    report: Report | str,
    parameters: Mapping[str, Any] | None = None,
    keep: Filter = EVERYTHING,
    over: timedelta | bool | None = None,
) -> Result:
    """Run a report. Raises ReportError for an unknown id or parameter, or absent records.

    `over`: its rows will be summed, over all of it or intervals of that length; then percentiles
    are of the transactions themselves.
    """
    definition = catalog().get(report) if isinstance(report, str) else report
    values = _values(definition, parameters or {})
    keep.check(definition)
    told = _told(keep, over) if definition.range else {}
    try:
        table = _arrow(con, definition.sql, values, told)
        if not table.num_rows:
            _check_records(definition, con)
            if keep.start or keep.end:
                return Result(definition, table, values, None, "no interval begins in that time")
        facts = _arrow(con, f"SELECT * FROM {definition.facts}") if definition.facts else None
        spans = (
            keep.apply(_arrow(con, f"SELECT * FROM {definition.whole}"))
            if definition.whole
            else None
        )
        suspect = suspect_records(con, keep.run)
    except duckdb.CatalogException as error:
        first = str(error).splitlines()[0]
        raise ReportError(
            f"{definition.id}: this database lacks what the report reads: {first}",
            "it was made by another version of imsperf: load the files again",
        ) from error
    except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
        # error() in the SQL of a report refuses a parameter
        first = str(error).splitlines()[0].removeprefix("Invalid Input Error: ")
        raise ReportError(f"{definition.id}: {first}", _wanted(definition)) from error
    rows = keep.apply(table)
    if rows.num_rows:
        return Result(definition, rows, values, facts, spans=spans, suspect=suspect)
    missing = definition.no_rows or "the records have no such sections"
    return Result(
        definition, rows, values, facts, keep.why_none(table) if table.num_rows else missing
    )


def suspect_records(con: duckdb.DuckDBPyConnection, run: str | None) -> int:
    """How many loaded records of a run (None: of all) something speaks against."""
    counted = "SELECT count(DISTINCT (file_id, record_no)) AS n FROM load_problem"
    wanted = "WHERE severity = 'suspect'"
    if run is None:
        return int(_arrow(con, f"{counted} {wanted}")["n"][0].as_py())
    mine = "AND file_id IN (SELECT file_id FROM load_file WHERE run = $run)"
    return int(_arrow(con, f"{counted} {wanted} {mine}", {"run": run})["n"][0].as_py())


def _arrow(
    con: duckdb.DuckDBPyConnection,
    sql: str,
    values: Mapping[str, Any] | None = None,
    told: Mapping[str, str] | None = None,
) -> pa.Table:
    # a cursor of its own: an unfinished result of the caller's would be in the way
    with con.cursor() as cursor:
        for name, value in (told or {}).items():
            cursor.execute(f"SET VARIABLE {name} = '{value}'")
        return _rows(cursor.sql(sql, params=dict(values) if values else None))


def _told(keep: Filter, over: timedelta | bool | None) -> dict[str, str]:
    """What SQL that keeps a range itself is told: see in_report_range and report_bucket."""
    told: dict[str, Any] = {"report_from": keep.start, "report_to": keep.end}
    told["report_total"] = over or None
    if isinstance(over, timedelta):
        told |= {"report_total": True, "report_every": f"{over.total_seconds()} seconds"}
    return {name: str(value) for name, value in told.items() if value is not None}


def _rows(relation: duckdb.DuckDBPyRelation) -> pa.Table:
    """Arrow rows. A sum of counts is a HUGEINT: as BIGINT, NULL where it does not fit."""
    types = zip(relation.columns, relation.types, strict=True)
    plain = {"hugeint": "BIGINT", "decimal": "DOUBLE"}  # Python would make Decimals of them
    wide = [f'TRY_CAST("{n}" AS {plain[t.id]}) AS "{n}"' for n, t in types if t.id in plain]
    narrow = relation.project(f"* REPLACE ({', '.join(wide)})") if wide else relation
    return narrow.to_arrow_table()


def _values(report: Report, given: Mapping[str, Any]) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in report.parameters}
    for name in given:
        if name not in known:
            hint = near(name, known, _wanted(report))
            raise ReportError(f"{report.id}: no parameter {name!r}", hint)
    return {name: _typed(report, p, given.get(name, p.default)) for name, p in known.items()}


def _typed(report: Report, parameter: Parameter, value: Any) -> Any:
    """The value in the type the header names; text from a command line is converted."""
    convert: dict[str, Any] = {"INTEGER": int, "BIGINT": int, "DOUBLE": float, "VARCHAR": str}
    try:
        return convert.get(parameter.type, lambda same: same)(value)
    except ValueError as error:
        raise ReportError(
            f"{report.id}: parameter {parameter.name}: found {value!r}, expected {parameter.type}",
            parameter.doc,
        ) from error


def _wanted(report: Report) -> str:
    if not report.parameters:
        return f"{report.id} takes no parameters"
    return "parameters: " + "; ".join(f"{p.name} ({p.type}): {p.doc}" for p in report.parameters)


def _check_records(report: Report, con: duckdb.DuckDBPyConnection) -> None:
    """Raise where a record type the report is about is not in the database at all."""
    must = report.required
    empty = _without_rows(must, con)
    there = {
        _kind_of(record) for record in must if record not in empty
    }  # records without such sections
    names = [_kind_of(record) for record in empty if _kind_of(record) not in there]
    if report.any_of and set(_without_rows(report.any_of, con)) == set(report.any_of):
        names.append(" or ".join(sorted({_kind_of(record) for record in report.any_of})))
    if not names:
        return
    names = sorted(set(names))
    decoded = con.execute(
        "SELECT DISTINCT kind, type, subtype FROM load_count WHERE loaded > 0 ORDER BY ALL"
    ).fetchall()
    loaded = ", ".join(_loaded_name(*row) for row in decoded) or "nothing yet"
    raise AbsentRecords(
        f"{report.id}: this needs {' and '.join(names)} records, and the database has none",
        f"decoded so far: {loaded}; `imsperf load` adds files",
    )


_FAMILY = {"ims": "IMS log ", "smf": "type "}


def _kind_of(table: str) -> str:
    return _FAMILY[table[:3]] + record_of(table)


def _without_rows(tables: Iterable[str], con: duckdb.DuckDBPyConnection) -> list[str]:
    return [t for t in tables if not con.execute(f"SELECT 1 FROM {t} LIMIT 1").fetchone()]


def _loaded_name(kind: str, number: str, sub: str | None) -> str:
    if kind == "ims":
        return f"IMS log {number}{sub or ''}"
    return f"type {number}.{sub}" if sub else f"type {number}"


# --- totals --------------------------------------------------------------------------------------


def summed(result: Result, every: timedelta | None = None) -> Result:
    """`aggregate`; raises ReportError for an interval length where rows are not of intervals."""
    report = result.report
    if every and not report.time:
        raise ReportError(
            f"{report.id}: found --interval, but its rows are not of intervals",
            "--from and --to choose the intervals" if report.range else "leave it out",
        )
    return aggregate(result, every)


def aggregate(result: Result, every: timedelta | None = None) -> Result:
    """The same report over longer intervals: ratios made again from summed parts, never averaged.

    `every` is the new interval length, counted from midnight UTC; None makes one row per run,
    system and key, which begins with the first interval of the run and system.
    """
    report = result.report
    keys = list(report.groups)
    bucket = _bucket(every if report.time else None)
    picks = [_pick(report, column, keys, bucket) for column in report.columns]
    groups = ", ".join([*(f'"{k}"' for k in keys), *([bucket] if bucket else [])])
    rows = "rows"
    if _has_whole(report):
        rows = f"({_timed_sql(report, bucket, result.spans is not None)})"
    sql = f"SELECT {', '.join(picks)} FROM {rows} GROUP BY {groups} ORDER BY min(row_place)"
    place = pa.array(range(result.table.num_rows), pa.int64())
    with duckdb.connect() as con:
        con.register("rows", result.table.append_column("row_place", place))
        if result.spans is not None:
            con.register("spans", result.spans)
        facts = result.facts
        if facts is not None and bucket:
            con.register("facts", facts)
            facts = con.sql(_facts_sql(bucket)).to_arrow_table()
        return replace(result, table=_rows(con.sql(sql)), facts=facts)


def _bucket(every: timedelta | None) -> str:
    if every is None:
        return ""
    return f"time_bucket(INTERVAL '{every.total_seconds()} seconds', interval_start_utc)"


def _facts_sql(bucket: str) -> str:
    """Of each longer interval the facts that its first one had."""
    return f"""
        SELECT * REPLACE ({_bucket_start(bucket)} AS interval_start, {bucket} AS interval_start_utc)
        FROM facts
        QUALIFY row_number() OVER (
            PARTITION BY run, system, {bucket} ORDER BY facts.interval_start_utc
        ) = 1
    """


def _bucket_start(bucket: str, earliest: str = "") -> str:
    """The local time of a bucket."""
    return f"{earliest}(interval_start) - ({earliest}(interval_start_utc) - {bucket})"


def _pick(report: Report, report_column: ReportColumn, keys: list[str], bucket: str) -> str:
    """The SQL expression of one column of a total row."""
    name = f'"{report_column.name}"'
    if report_column.name in keys:
        return name
    if report_column.name == "interval_start_utc" and bucket:
        return f"{bucket} AS {name}"
    if report_column.name == "interval_start" and bucket:
        return f"{_bucket_start(bucket, 'min')} AS {name}"
    if report_column.kind == "time":
        keys_of_all = ", ".join(f'"{k}"' for k in keys if k in WHOLE)
        return f"min(min({name})) OVER (PARTITION BY {keys_of_all}) AS {name}"
    return f"{_total(report, report_column)} AS {name}"


def _total(report: Report, report_column: ReportColumn) -> str:
    name = f'"{report_column.name}"'
    if report_column.total_rule == "ratio":
        return ratio_sql(report, report_column)
    if report_column.total_sql:
        return f"({report_column.total_sql})"
    if _is_of_whole(report, report_column.name):
        return _part_sql(report, report_column)
    return {
        "sum": f"sum({name})",
        "mean": f"avg({name})",
        "max": f"max({name})",
        "min": f"min({name})",
        "last": f"arg_max({name}, interval_start_utc)",
        "whole": f"sum({name})",
        "same": f"CASE WHEN count(DISTINCT {name}) = 1 THEN any_value({name}) END",
    }[report_column.total_rule]


def ratio_sql(report: Report, report_column: ReportColumn) -> str:
    """A ratio column over the rows of a group, from its summed parts; a row must have both."""
    terms = [
        f'sum("{num}") FILTER ("{den}" IS NOT NULL)'
        f' / nullif(sum("{den}") FILTER ("{num}" IS NOT NULL)'
        + (f" * {_factor_sql(num)}, 0)" if _is_of_whole(report, den) else ", 0)")
        for num, den in zip(report_column.num, report_column.den, strict=True)
    ]
    return f"{report_column.scale!r} * ({' + '.join(terms)})"


# --- the whole time of a total -------------------------------------------------------------------
#
# A rate over several intervals is its events over the time of all of them, also of those in which
# its key has no row: a key that is missing in an interval was idle in it, not away. What that time
# is tell the rows of all keys of the same run, system and IMS together, and the view that `whole`
# in the header of a report names.

_SECONDS = "interval_s"  # length of the interval of a row, in every report that has rates
_LENGTHS = (_SECONDS, "interval_us")
_OF = ("run", "system", "ims")


def _has_whole(report: Report) -> bool:
    """Whether its rows tell how long their intervals are."""
    return _SECONDS in report.names and "interval_start_utc" in report.names


def _is_of_whole(report: Report, name: str) -> bool:
    """Whether a part grows with the time alone: the length of the interval, a capacity in it."""
    column = report.column(name)
    named = column.kind == "part" and (name in _LENGTHS or column.total == "whole")
    return named and _has_whole(report)


def _timed_sql(report: Report, bucket: str, with_spans: bool) -> str:
    """The rows with `whole_s`, the time of their total; of tables `rows` and `spans`.

    Intervals that overlap (type 30 begins with its address space) count once; starts are whole
    seconds, lengths are not, so a second of overlap is none.
    """
    keys = [name for name in _OF if name in report.names]
    names = ", ".join(f'"{key}"' for key in keys)
    of = f"{names}, {bucket or 'NULL'} AS bucket"
    tables = ["rows", "spans"] if with_spans else ["rows"]
    pieces = " UNION ALL ".join(
        f"SELECT {of}, epoch(interval_start_utc) AS begun, {_SECONDS} AS seconds FROM {table}"
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


def _part_sql(report: Report, report_column: ReportColumn) -> str:
    """The sum of a part over the whole time."""
    own = f'sum("{_SECONDS}")'
    longest = f"greatest(max(whole_s), {own})"
    return f'sum("{report_column.name}") * coalesce({longest} / nullif({own}, 0), 1)'


def _factor_sql(num: str) -> str:
    """The whole time over that of the rows with this number; without intervals that lack it."""
    own = f'sum("{_SECONDS}") FILTER ("{num}" IS NOT NULL)'
    lacks = f'coalesce(sum("{_SECONDS}") FILTER ("{num}" IS NULL), 0)'
    return f"coalesce(greatest(max(whole_s) - {lacks}, {own}) / nullif({own}, 0), 1)"
