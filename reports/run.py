"""Run a report: ask it of a database, take its rows whole or in parts, say why there are none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.database.read_only import asked_in_place, bound_once
from imsperf.errors import AbsentRecords, ReportError, near
from imsperf.reports.catalog import catalog, record_of
from imsperf.reports.definition import Parameter, Report
from imsperf.reports.filter import EVERYTHING, Filter, bucket_told
from imsperf.reports.remarks import reads, remarks
from imsperf.reports.syntax import condition_columns, condition_texts, unordered

PAGE_KEYS = ("run", "sysplex", "system", "ims")  # what a page is about: its rows begin together
ROWS = 1 << 14  # of a part
_UNKNOWN = re.compile(r"(.*'([^']*)'); there are (.*)")
_TEXTS = "numbers stand bare, texts in single quotes: resp_ms > 2 AND device = '08055'"
_LISTED = 60  # names in a hint
_VALUES = 20_000  # of a column, among which near ones are looked for


@dataclass(frozen=True)
class Result:
    """The rows of a report with its definition beside them.

    `facts` has one row for each run, system and interval: what a page says above its table.
    `spans` are all intervals there are, where rows alone do not tell them. `suspect` is how many
    records that were loaded something speaks against; `remarks` are what else a reader must know.
    """

    report: Report
    table: pa.Table
    parameters: Mapping[str, Any] = field(default_factory=dict)
    facts: pa.Table | None = None
    note: str = ""
    spans: pa.Table | None = None
    suspect: int = 0
    remarks: tuple[str, ...] = ()

    @property
    def shown(self) -> pa.Table:
        """Without the parts of ratios."""
        return self.table.select([column.name for column in self.report.shown])


@dataclass(frozen=True)
class Top:
    """The `n` rows with the largest `by`, of each interval or of a total."""

    n: int
    by: str

    def sql(self, report: Report, rows: str) -> str:
        """SELECT of these rows, the largest first; NULL is never among them."""
        report.column(self.by)
        of = [f'"{name}"' for name in _page_columns(report)]
        apart = f"PARTITION BY {', '.join(of)} " if of else ""
        place = f'row_number() OVER ({apart}ORDER BY "{self.by}" DESC)'
        order = [*of, f'"{self.by}" DESC']
        return (
            f'SELECT * FROM ({rows}\n) AS any_row WHERE "{self.by}" IS NOT NULL '
            f"QUALIFY {place} <= {self.n} ORDER BY {', '.join(order)}"
        )


@dataclass(frozen=True)
class Order:
    """The order of rows within each interval or a total: names of columns, and whether the largest
    comes first."""

    columns: tuple[tuple[str, bool], ...]

    @classmethod
    def of(cls, words: str) -> Order:
        """From COLUMN[:asc|:desc], several with commas; the largest first is the default."""
        columns = []
        for word in words.split(","):
            name, _, way = word.strip().partition(":")
            if way not in ("", "asc", "desc"):
                raise ReportError(
                    f"--sort: found {word.strip()!r}, expected a column, or column:asc",
                    near(way, ("asc", "desc"), "such as --sort resp_ms,volume:asc"),
                )
            columns.append((name, way != "asc"))
        return cls(tuple(columns))

    def sql(self, report: Report, rows: str) -> str:
        """SELECT of the rows in this order, NULL last."""
        place = [f'"{name}"' for name in _page_columns(report)]
        own = [f'"{name}" {"DESC" if down else "ASC"} NULLS LAST' for name, down in self.columns]
        return f"SELECT * FROM ({rows}\n) AS any_row ORDER BY {', '.join([*place, *own])}"


@dataclass(frozen=True)
class Query:
    """A report that is asked of a database; raises ReportError where it cannot be asked so.

    `columns`: the rows have only these, and stand in any order: for what counts them.
    `over`: its rows will be summed, over all of it or intervals of that length; then percentiles
    are of the transactions themselves. `where` (a condition of SQL), `top` and `order` are of the
    rows that are printed: of the sums, where there are any. `known` keeps what is asked beside the
    rows, for other queries of the same database and filter. `of_all` has all records, where `con`
    has only those that its rows can come from.
    """

    con: duckdb.DuckDBPyConnection
    report: Report
    values: Mapping[str, Any]
    keep: Filter = EVERYTHING
    over: timedelta | bool | None = None
    top: Top | None = None
    where: str = ""
    order: Order | None = None
    known: dict[Any, Any] | None = None
    of_all: duckdb.DuckDBPyConnection | None = None
    columns: tuple[str, ...] = ()

    @contextmanager
    def rows(self) -> Iterator[duckdb.DuckDBPyRelation]:
        """The rows that are wanted, filtered by DuckDB, in the order of the report."""
        wanted, values = self.wanted
        with self._words(), self._cursor() as cursor:
            if self.report.is_long_to_bind:
                yield narrow(bound_once(cursor, wanted, values or None))
            else:
                yield narrow(cursor.sql(wanted, params=values or None))

    @contextmanager
    def stored(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection in which `rows` are the rows, numbered by `row_place`, and `spans` those of
        the view that the report names."""
        wanted, values = self.wanted
        numbered = f"SELECT *, row_number() OVER () AS row_place FROM ({wanted}\n)"
        with self._words(), self._cursor() as cursor:
            cursor.execute(f"CREATE TEMP TABLE rows AS {numbered}", values or None)
            spans = self.beside(self.report.whole)
            if spans is not None:
                cursor.register("spans", spans)
            yield cursor

    @contextmanager
    def as_table(self, name: str, most: int | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection, after the rows, the first `most` of them, became a table of that name."""
        wanted, values = self.wanted
        if most is not None:
            wanted = f"SELECT * FROM ({wanted}\n) AS any_row LIMIT {most}"
        with self._words(), self._cursor() as cursor:
            cursor.execute(f"CREATE TABLE {name} AS {wanted}", values or None)
            yield cursor

    @property
    def wanted(self) -> tuple[str, dict[str, Any]]:
        """The SELECT of its rows, and the values it binds."""
        rows = unordered(self.report.sql) if self.columns else self.report.sql
        wanted, kept = self.keep.sql(rows, self.report.names)
        if self.columns:
            names = ", ".join(f'"{name}"' for name in self.columns)
            wanted = f"SELECT {names} FROM ({wanted}\n) AS any_row"
        return wanted if self.over else self.printed(wanted), {**self.values, **kept}

    def printed(self, rows: str) -> str:
        """SELECT of those of the rows that are printed, in their order."""
        if self.where:
            rows = f"SELECT * FROM ({rows}\n) AS any_row WHERE ({self.where}\n)"
        if self.top:
            rows = self.top.sql(self.report, rows)
        return self.order.sql(self.report, rows) if self.order else rows

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        # a cursor of its own: an unfinished result of the caller's would be in the way
        with self.con.cursor() as cursor:
            for name, value in self.variables.items():
                cursor.execute(f"SET VARIABLE {name} = '{value}'")
            yield cursor

    @property
    def variables(self) -> dict[str, str]:
        """Variables of SQL that keeps a range itself: see in_report_range and report_bucket."""
        every = self.over if isinstance(self.over, timedelta) else None
        total = {"report_total": "true"} if self.over else {}
        return self.keep.told | total | bucket_told(every)

    @contextmanager
    def _words(self) -> Iterator[None]:
        """What DuckDB says of the report, in our words."""
        name = self.report.id
        try:
            yield
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            first = str(error).splitlines()[0]
            if self.where:
                raise ReportError(f"{name}: --where {self.where!r}: {first}") from error
            raise ReportError(
                f"{name}: this database lacks what the report reads: {first}",
                "it was made by another version of imsperf: load the files again",
            ) from error
        except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
            # error() in the SQL of a report refuses a parameter
            first = str(error).splitlines()[0].removeprefix("Invalid Input Error: ")
            if not (unknown := _unknown_name(first)) and self.where:
                raise ReportError(f"{name}: --where {self.where!r}: {first}", _TEXTS) from error
            said, hint = unknown or (first, _wanted(self.report))
            raise ReportError(f"{name}: {said}", hint) from error

    def beside(self, view: str) -> pa.Table | None:
        """Rows of the view that `facts` or `whole` names, of the same range."""
        if not view:
            return None
        with self._words(), self.con.cursor() as cursor:
            columns = self._once(view, lambda: cursor.sql(f"FROM {view} LIMIT 0").columns)
            there = set(columns) & set(self.report.names)
            wanted, kept = self.keep.sql(f"SELECT * FROM {view}", there)

            def asked() -> pa.Table:
                return narrow(cursor.sql(wanted, params=kept or None)).to_arrow_table()

            return self._once((wanted, *kept.items()), asked)

    def _once(self, name: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, or gave under that name."""
        if self.known is None:
            return make()
        if name not in self.known:
            self.known[name] = make()
        return self.known[name]

    def result(self, table: pa.Table) -> Result:
        """These rows with what is said of them. Raises AbsentRecords where there can be none."""
        empty = Result(self.report, table, self.values)
        if not table.num_rows:
            return replace(empty, note=self._why_none())
        facts, spans = self.beside(self.report.facts), self.beside(self.report.whole)
        run = self.keep.run
        suspect = self._once("suspect", lambda: suspect_records(self.con, run))
        intervals = None if self.keep.tod else facts
        said = self._once(
            ("remarks", id(intervals), reads(self.report)),  # `known` holds the intervals as well
            lambda: remarks(self.con, self.report, run, intervals),
        )
        return replace(empty, facts=facts, spans=spans, suspect=suspect, remarks=said)

    # --- no rows: why ---------------------------------------------------------------------------

    def _why_none(self) -> str:
        """A note. Raises AbsentRecords where run or system have no such records at all."""
        if self.of_all is not None:
            return replace(self, con=self.of_all, of_all=None)._why_none()
        check_records(self.report, self.con, self.keep.run)
        if self.keep.system is not None:
            self._check_system(self.keep.system)
        if self.where:
            return "; ".join([f"no row has {self.where}", *self._near_texts()])
        if not self.keep.has_time:
            return self.report.no_rows or "the records have no such sections"
        if "interval_start" in self.report.names:
            with self._of_any_time(system=self.keep.system) as rows:
                starts = rows.aggregate("min(interval_start), max(interval_start)").fetchall()
            if starts[0][0] is not None:
                return f"its intervals begin from {starts[0][0]} to {starts[0][1]}"
            if self.report.no_rows:
                return self.report.no_rows
        return "no interval begins in that time"

    def _check_system(self, system: str) -> None:
        with self._of_any_time() as rows:
            there = [name for (name,) in rows.project("system").distinct().fetchall() if name]
        if system in there:
            return
        known = sorted({*there, *systems(self.con)})
        listed = f"systems: {', '.join(known)}" if known else "its records name no system"
        if system not in known:
            raise ReportError(
                f"{self.report.id}: no system {system!r}", near(system, known, listed)
            )
        has = f"only those of {', '.join(sorted(there))}" if there else "nor of any other"
        raise AbsentRecords(
            f"{self.report.id}: no such records of system {system!r} are in "
            f"{_place(self.con, self.keep.run)}, {has}"
        )

    def _near_texts(self) -> Iterator[str]:
        """Values that its rows have, for those that `where` asks for and no row has."""
        every = replace(self, over=None, top=None, where="", order=None)
        for column, text in condition_texts(self.where):
            with every.rows() as rows:
                values = rows.project(f'"{column}"').distinct().limit(_VALUES).fetchall()
            there = [value for (value,) in values if isinstance(value, str)]
            hint = "" if text in there else near(text, there)
            if hint:
                yield f"{column}: {hint}"

    @contextmanager
    def _of_any_time(self, system: str | None = None) -> Iterator[duckdb.DuckDBPyRelation]:
        keep = Filter(run=self.keep.run, system=system)
        everything = replace(self, keep=keep, over=None, top=None, where="", order=None)
        with everything.rows() as rows:
            yield rows


def ask(
    con: duckdb.DuckDBPyConnection,
    report: Report | str,
    parameters: Mapping[str, Any] | None = None,
    keep: Filter = EVERYTHING,
    over: timedelta | bool | None = None,
    top: Top | None = None,
    where: str = "",
    sort: str = "",
) -> Query:
    """A Query, checked. Raises ReportError for an unknown id, parameter or column."""
    definition = catalog().get(report) if isinstance(report, str) else report
    keep.check(definition)
    if top:
        definition.column(top.by)
    if where:
        check_condition(definition, where)
    order = Order.of(sort) if sort else None
    for name, _ in order.columns if order else ():
        definition.column(name)
    return Query(con, definition, values_of(definition, parameters), keep, over, top, where, order)


def check_condition(report: Report, words: str) -> None:
    """Raise ReportError where a condition is not one of columns of the report."""
    try:
        names = condition_columns(words)
    except ReportError as error:
        raise ReportError(
            f"{report.id}: --where: {error.message}",
            "a condition of SQL on its columns, such as \"resp_ms > 2 AND volume LIKE 'IMS%'\"",
        ) from error
    for name in names:
        if name in report.names:
            continue
        if f'"{name}"' in words:
            raise ReportError(f'{report.id}: --where: no column "{name}"', _TEXTS)
        hint = near(name, report.names, f"if it is a text: '{name}'. {report.lists_columns}")
        raise ReportError(f"{report.id}: --where: no column {name!r}", hint)


def run(
    con: duckdb.DuckDBPyConnection,
    report: Report | str,
    parameters: Mapping[str, Any] | None = None,
    keep: Filter = EVERYTHING,
    over: timedelta | bool | None = None,
    top: Top | None = None,
) -> Result:
    """All rows of a report. Raises ReportError as `ask`, AbsentRecords without its records."""
    return run_query(ask(con, report, parameters, keep, over, top))


def run_query(query: Query) -> Result:
    """All rows of it."""
    with query.rows() as rows:
        table = rows.to_arrow_table()
    return query.result(table)


def parts(query: Query, rows: int = ROWS) -> Iterator[Result]:
    """The rows in parts of about so many, each of whole pages; at least one, which may be empty.

    Only the first part has to fit in memory at a time: DuckDB sorts on disk where it must.
    """
    with query.rows() as relation:
        reader = relation.to_arrow_reader(rows)
        first: Result | None = None
        for table in _cut(reader, _page_keys(query.report), rows):
            first = first or query.result(table)
            yield replace(first, table=table)
        if first is None:
            yield query.result(reader.schema.empty_table())


def _page_columns(report: Report) -> list[str]:
    """What rows of one interval of one IMS have in common."""
    names = dict.fromkeys((*PAGE_KEYS, report.time, "interval_start"))
    return [name for name in names if name in report.names]


def _page_keys(report: Report) -> list[str]:
    """Rows that differ in one of them are never on the same page."""
    is_long = report.page is not None and report.page.heading in ("log", "run")
    names = PAGE_KEYS if is_long else (*PAGE_KEYS, report.time)
    return [name for name in names if name in report.names]


def _cut(reader: pa.RecordBatchReader, keys: Sequence[str], rows: int) -> Iterator[pa.Table]:
    """Tables of at least so many rows, but the last, that end where one of the keys changes."""
    held: list[pa.RecordBatch] = []
    count = 0
    for batch in reader:
        held.append(batch)
        count += batch.num_rows
        if count <= rows:
            continue
        table = pa.Table.from_batches(held, reader.schema)
        end = _last_change(table, keys)
        if end:
            yield table.slice(0, end)
            held = table.slice(end).to_batches()
            count = table.num_rows - end
    if count:
        yield pa.Table.from_batches(held, reader.schema)


def _last_change(table: pa.Table, keys: Sequence[str]) -> int:
    """Where the rows of the last page begin; all rows where nothing makes a page."""
    if not keys:
        return int(table.num_rows)
    starts = [0]
    for name in keys:
        column = table[name].combine_chunks()
        before, after = column.slice(0, len(column) - 1), column.slice(1)
        differs = pc.fill_null(pc.not_equal(before, after), False)
        differs = pc.or_(differs, pc.not_equal(pc.is_null(before), pc.is_null(after)))
        places = pc.indices_nonzero(differs)
        starts.append(places[-1].as_py() + 1 if len(places) else 0)
    return max(starts)


def suspect_records(con: duckdb.DuckDBPyConnection, run: str | None) -> int:
    """How many loaded records of a run (None: of all) something speaks against."""
    counted = con.execute(
        """
        SELECT count(DISTINCT (p.file_id, p.record_no))
        FROM load_problem AS p
        JOIN load_file AS f ON f.file_id = p.file_id
        WHERE p.severity = 'suspect' AND f.run = coalesce(?, f.run)
        """,
        [run],
    )
    return int(counted.fetchall()[0][0])


def narrow(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """A sum of counts is a HUGEINT: as BIGINT, NULL where it does not fit."""
    types = zip(relation.columns, relation.types, strict=True)
    plain = {"hugeint": "BIGINT", "decimal": "DOUBLE"}  # Python would make Decimals of them
    wide = [f'TRY_CAST("{n}" AS {plain[t.id]}) AS "{n}"' for n, t in types if t.id in plain]
    return relation.project(f"* REPLACE ({', '.join(wide)})") if wide else relation


def systems(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Every system that a loaded record names, in order."""
    sql = """
        SELECT system FROM load_count WHERE kind = 'smf'
        UNION
        SELECT name FROM load_interval
        ORDER BY system
    """
    return [name for (name,) in con.execute(sql).fetchall() if name]


def values_of(report: Report, parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    """The value of each parameter: what is given, or its default. Raises ReportError for others."""
    known, given = {parameter.name: parameter for parameter in report.parameters}, parameters or {}
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


def _unknown_name(refusal: str) -> tuple[str, str] | None:
    """The words and the hint of a refusal `.. 'NAME'; there are NAME, NAME`, as error() in SQL has
    them; None for other words."""
    match = _UNKNOWN.fullmatch(refusal)
    if not match:
        return None
    said, name, known = match[1], match[2], match[3].split(", ")
    more = f" and {len(known) - _LISTED:,} more" if len(known) > _LISTED else ""
    return said, near(name, known, f"there are {', '.join(known[:_LISTED])}{more}")


def _wanted(report: Report) -> str:
    if not report.parameters:
        return f"{report.id} takes no parameters"
    return "parameters: " + "; ".join(f"{p.name} ({p.type}): {p.doc}" for p in report.parameters)


def lacking(report: Report, con: duckdb.DuckDBPyConnection, run: str | None = None) -> list[str]:
    """The record types the report is about that are not in the run, or not at all there."""
    return lacking_of([report], con, run)[report.id]


def lacking_of(
    reports: Iterable[Report], con: duckdb.DuckDBPyConnection, run: str | None = None
) -> dict[str, list[str]]:
    """`lacking` of each report by its id, the tables asked at once."""
    asked = list(reports)
    tables = {table for report in asked for table in (*report.required, *report.either)}
    empty = _without_rows(sorted(tables), con, run)
    return {report.id: _lacking(report, empty) for report in asked}


def _lacking(report: Report, empty: Set[str]) -> list[str]:
    must = report.required
    # records without such sections are there
    there = {_kind_of(record) for record in must if record not in empty}
    names = {_kind_of(record) for record in must if record in empty} - there
    if report.either and empty >= set(report.either):
        names.add(" or ".join(sorted({_kind_of(record) for record in report.any_of})))
    return sorted(names)


def to_show(
    con: duckdb.DuckDBPyConnection, keep: Filter, wanted: Sequence[str] = ()
) -> list[tuple[Report, Filter]]:
    """Reports of these ids, or of all, whose records are there, each with the filter it knows."""
    chosen = [catalog().get(name) for name in wanted] or list(catalog())
    lacks = lacking_of(chosen, con)
    given = [(report, keep.of(report)) for report in chosen if not lacks[report.id]]
    return [(report, own) for report, own in given if own]


def no_rows(con: duckdb.DuckDBPyConnection, run: str) -> ReportError:
    """Nothing of a run can be shown."""
    lists = "inspect" if asked_in_place(con) else "files"
    return ReportError(
        f"no report has rows of {_place(con, run)}", f"`imsperf {lists}` lists what there is"
    )


def check_records(report: Report, con: duckdb.DuckDBPyConnection, run: str | None) -> None:
    """Raise AbsentRecords where there are records the report is about that are not there."""
    names = lacking(report, con, run)
    if not names:
        return
    decoded = con.execute(
        """
        SELECT DISTINCT c.kind, c.type, c.subtype
        FROM load_count AS c
        JOIN load_file AS f ON f.file_id = c.file_id
        WHERE c.loaded > 0 AND f.run = coalesce(?, f.run)
        ORDER BY ALL
        """,
        [run],
    ).fetchall()
    loaded = ", ".join(_loaded_name(*row) for row in decoded) or "nothing yet"
    adds = "" if asked_in_place(con) else "; `imsperf load` adds files"
    raise AbsentRecords(
        f"{report.id}: this needs {' and '.join(names)} records, and none are in "
        f"{_place(con, run)}",
        f"decoded so far: {loaded}{adds}",
    )


def _place(con: duckdb.DuckDBPyConnection, run: str | None) -> str:
    """What is asked, in a message: a run, a database, or dumps by their names."""
    return asked_in_place(con) or ("the database" if run is None else f"run {run!r}")


_FAMILY = {"ims": "IMS log ", "smf": "type "}


def _kind_of(table: str) -> str:
    return (_FAMILY[table[:3]] + record_of(table)).removesuffix(" *")


def _without_rows(
    tables: Sequence[str], con: duckdb.DuckDBPyConnection, run: str | None
) -> frozenset[str]:
    """Of these tables those without a row, of that run if one is named."""
    if not tables:
        return frozenset()
    of_run = "" if run is None else "WHERE file_id IN (SELECT file_id FROM load_file WHERE run = ?)"
    each = [f"(SELECT '{table}' FROM {table} {of_run} LIMIT 1)" for table in tables]
    values = [] if run is None else [run] * len(tables)
    filled = con.execute(" UNION ALL ".join(each), values).fetchall()
    return frozenset(tables) - {table for (table,) in filled}


def _loaded_name(kind: str, number: str, sub: str | None) -> str:
    if kind == "ims":
        return f"IMS log {number}{sub or ''}"
    return f"type {number}.{sub}" if sub else f"type {number}"
