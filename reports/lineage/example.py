"""A worked example: one number of one row, with the numbers that make it, down to table rows.

Every formula is computed again from the numbers that are put into it: `result` is what it gives,
`value` what the database has there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
from sqlglot import exp

from imsperf.errors import ReportError
from imsperf.reports.filter import Filter
from imsperf.reports.lineage.columns import Subject, hands_on
from imsperf.reports.lineage.names import Library
from imsperf.reports.lineage.operands import operands, readable, sql
from imsperf.reports.lineage.scopes import FUNCTION, Branch, Output
from imsperf.reports.lineage.trace import SUFFIX, Tracer, taken
from imsperf.reports.numbers import formatter

ROWS_FOLLOWED = 3


@dataclass(frozen=True)
class Place:
    """A row of a table. Numbers are None where a table has no such key, or there was no row."""

    table: str
    column: str
    file_id: int | None
    record_no: int | None
    section_no: int | None


@dataclass(frozen=True, eq=False)
class Number:
    """A column in one row. `value`, `type` and `result` are as DuckDB writes them.

    `formula` has names, `numbers` their values; both are empty for a column of a table, which has a
    place instead, and for a constant.
    """

    name: str
    value: str | None
    type: str
    formula: str = ""
    numbers: str = ""
    result: str | None = None
    inputs: tuple[Number | Rows, ...] = ()
    place: Place | None = None

    @property
    def agrees(self) -> bool:
        """The formula gives the value."""
        return not self.formula or self.result == self.value

    def walk(self) -> Iterator[Number]:
        """This number and all below it."""
        yield self
        for source in self.inputs:
            for number in [source] if isinstance(source, Number) else source.numbers():
                yield from number.walk()


@dataclass(frozen=True, eq=False)
class Rows:
    """A call over many rows: its value, how many rows, and the first of them."""

    call: str
    value: str | None
    count: int
    first: tuple[Row, ...] = ()

    def numbers(self) -> Iterator[Number]:
        """Those that its first rows were made from."""
        for row in self.first:
            for number in row.inputs:
                yield from [number] if isinstance(number, Number) else number.numbers()


@dataclass(frozen=True, eq=False)
class Row:
    """One row of a call: what was taken from it."""

    value: str | None
    inputs: tuple[Number | Rows, ...]


@dataclass(frozen=True, eq=False)
class Example:
    """One row of a report: its key, the number, and the number as a page prints it."""

    row: Mapping[str, str | None]
    number: Number
    printed: str


def example(
    con: duckdb.DuckDBPyConnection,
    what: Subject,
    keep: Filter,
    where: str = "",
    rows: int = ROWS_FOLLOWED,
) -> Example:
    """The first row that the filter and `where`, an SQL condition on its columns, leave.

    Raises ReportError where no row is left, or the condition is wrong.
    """
    text = _with_defaults(what)
    tracer = Tracer(text, what.owner, rows)
    if what.column not in tracer.relation.columns:
        raise ReportError(f"{what.name}: its SQL cannot be followed", "see the formula alone")
    with con.cursor() as cursor:
        for name, told in (keep.told | {"report_total": "true"}).items():
            cursor.execute(f"SET VARIABLE {name} = '{told}'")  # columns of totals have values too
        keys, value = _choose(cursor, what, text, keep, where)
        traced = _one_row(cursor, _exactly(tracer, what.column, keys), list(keys.values()))
    payload = json.loads(traced[what.column + SUFFIX])
    output = tracer.relation.columns[what.column]
    top = _Reader(con).number(output, traced["@value"], traced["@type"], payload)
    plain = what.report is None and all(
        isinstance(o.expression, exp.Column) for o in output.branches
    )
    if plain and len(top.inputs) == 1 and isinstance(top.inputs[0], Number):
        top = top.inputs[0]  # SELECT * FROM view hands its columns on
    return Example(keys, top, _printed(what, value))


def _printed(what: Subject, value: Any) -> str:
    """As the report's text page prints it."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    form = what.definition.format if what.definition and is_number else ""
    return formatter(form)(value)


def _with_defaults(what: Subject) -> str:
    """The SELECT with the defaults of its parameters."""
    if not what.report or not what.report.parameters:
        return what.sql
    values = {parameter.name: parameter.default for parameter in what.report.parameters}

    def fill(node: exp.Expr) -> exp.Expr:
        known = isinstance(node, (exp.Placeholder, exp.Parameter)) and node.name in values
        return exp.convert(values[node.name]) if known else node

    return sql(Library().parse(what.sql).transform(fill))


def _choose(
    cursor: duckdb.DuckDBPyConnection, what: Subject, text: str, keep: Filter, where: str
) -> tuple[dict[str, str | None], Any]:
    """The key of the row as text, and the value in it."""
    tests = [f'"{what.column}" IS NOT NULL']
    values: list[Any] = []
    columns = _columns(cursor, text)
    for name, sign, value in (
        ("run", "=", keep.run),
        ("system", "=", keep.system),
        ("interval_start", ">=", keep.start),
        ("interval_start", "<", keep.end),
    ):
        if value is not None:
            if name not in columns:
                raise ReportError(f"{what.owner}: found no column {name!r} to choose by")
            tests.append(f'"{name}" {sign} ?')
            values.append(value)
    if where.strip():
        tests.append(f"({where}\n)")
    keys = _keys(what, columns)
    texts = ", ".join(f'CAST("{key}" AS VARCHAR) AS "{key}"' for key in keys)
    picked = f'{texts}{", " if texts else ""}{_narrow(what.column, columns)} AS "@value"'
    query = f"SELECT {picked} FROM ({text}) AS report WHERE {' AND '.join(tests)} LIMIT 1"
    row = _one_row(cursor, query, values)
    if not row:
        raise ReportError(
            f"{what.name}: found no row with a value",
            "see the report for what there is; --where, --system and times may leave out all rows",
        )
    value = row.pop("@value")
    return row, value


def _narrow(column: str, columns: Mapping[str, str]) -> str:
    """As reports hand it on: no HUGEINT and no DECIMAL."""
    kind = columns[column].partition("(")[0]
    plain = {"HUGEINT": "BIGINT", "DECIMAL": "DOUBLE"}.get(kind)
    return f'TRY_CAST("{column}" AS {plain})' if plain else f'"{column}"'


def _columns(cursor: duckdb.DuckDBPyConnection, text: str) -> dict[str, str]:
    """Names and SQL types."""
    with _told():
        rows = cursor.execute(f"DESCRIBE {text}").fetchall()
    return {row[0].lower(): row[1] for row in rows}


_PLACES = ("run", "system", "interval_start_utc", "file_id", "record_no", "section_no")
_NO_KEY = ("DOUBLE", "FLOAT", "STRUCT", "MAP", "BLOB")


def _keys(what: Subject, columns: Mapping[str, str]) -> list[str]:
    """What tells the row apart: a report says so, a view has places, or else every exact column."""
    if what.report:
        wanted = ["run", "system", what.report.time, *what.report.key]
        return list(dict.fromkeys(column for column in wanted if column in columns))
    if {"file_id", "record_no", "section_no"} <= columns.keys():
        return [column for column in _PLACES if column in columns]
    return [name for name, kind in columns.items() if not kind.startswith(_NO_KEY)]


def _exactly(tracer: Tracer, column: str, keys: Mapping[str, str | None]) -> str:
    """The row of these keys, with the column's companion, and its value and type as text."""
    tests = [f'CAST("{key}" AS VARCHAR) IS NOT DISTINCT FROM ?' for key in keys]
    picked = f'"{column}{SUFFIX}", CAST("{column}" AS VARCHAR) AS "@value"'
    picked += f', typeof("{column}") AS "@type"'
    rows = f"({tracer.sql(column)}) AS report"
    return f"SELECT {picked} FROM {rows} WHERE {' AND '.join(tests) or 'true'} LIMIT 1"


class _told:
    """Turns what DuckDB says into an error of ours."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, at: object) -> None:
        if isinstance(error, duckdb.Error):
            words = str(error).strip().splitlines()[0]
            raise ReportError(
                f"DuckDB says: {words}",
                "the condition is SQL on the columns of the report, such as \"volume = 'OLDS01'\"",
            ) from error


def _one_row(
    cursor: duckdb.DuckDBPyConnection, query: str, values: Sequence[Any]
) -> dict[str, Any]:
    with _told():
        cursor.execute(query, list(values))
        row = cursor.fetchone()
        names = [description[0] for description in cursor.description or ()]
    return dict(zip(names, row, strict=True)) if row else {}


class _Reader:
    """Reads companions back, formula by formula."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con

    def number(
        self, output: Output, value: str | None, kind: str, payload: Any, member: str = ""
    ) -> Number:
        """A column and what its companion says; none where it was not followed.

        Of a member of a struct it says what makes the struct, and no formula of the member alone.
        """
        name = ".".join(filter(None, (output.relation.name, output.name, member)))
        if payload is None:
            return Number(name, value, kind)
        if "c" in payload:
            table, _, column = payload["c"].rpartition(".")
            place = Place(table, column, *(payload.get(key) for key in ("f", "r", "s")))
            return Number(payload["c"], value, kind, place=place)
        branch = output.branches[payload["b"]]
        inputs = self._inputs(branch.expression, branch, payload["o"])
        if member:
            return Number(name, value, kind, inputs=inputs)
        if hands_on(output) and len(inputs) == 1 and isinstance(inputs[0], Number):
            return inputs[0]
        if output.relation.kind == FUNCTION or branch.expression.find(exp.Explode):
            return Number(name, value, kind, inputs=inputs)  # one of several rows that a call gives
        numbers, result = self._computed(branch.expression, payload["o"], kind)
        return Number(name, value, kind, readable(branch.expression), numbers, result, inputs)

    def _inputs(
        self, expression: exp.Expr, branch: Branch, entries: list[Any]
    ) -> tuple[Number | Rows, ...]:
        """What was followed; a condition and a branch not taken were not."""
        numbers: list[Number | Rows] = []
        for node, entry in zip(operands(expression), entries, strict=True):
            if isinstance(node, exp.Column):
                column = branch.scope.find(node)
                if column.output is not None and entry.get("d") is not None:
                    said = entry["v"], entry["t"], entry["d"]
                    numbers.append(self.number(column.output, *said, column.member))
            elif entry.get("i") is not None:
                numbers.append(self._rows(node, branch, entry))
        return tuple(numbers)

    def _rows(self, node: exp.Expr, branch: Branch, entry: Any) -> Rows:
        items = [entry_input for entry_input in entry["i"] if entry_input]
        first = tuple(self._row(node, branch, item) for item in items)
        return Rows(readable(node), entry["v"], int(entry["n"] or 0), first)

    def _row(self, node: exp.Expr, branch: Branch, item: Any) -> Row:
        if "b" in item:  # a SELECT inside the formula
            inner = next(iter(branch.scope.queries[id(node)].columns.values())).branches[0]
            return Row(None, self._inputs(inner.expression, inner, item["o"]))
        value = taken(node, branch.scope)
        inputs = self._inputs(value, Branch(value, branch.scope), item["o"]) if value else ()
        return Row(item.get("a"), inputs)

    def _computed(
        self, expression: exp.Expr, entries: list[Any], kind: str
    ) -> tuple[str, str | None]:
        """The formula with its numbers, and what it then gives in the column's type, which other
        branches of a UNION may have widened; None if it cannot be computed."""
        shown, run = expression.copy(), expression.copy()
        for node, entry in zip(operands(shown), entries, strict=True):
            shown = _put(shown, node, _literal(entry["v"], entry["t"]))
        for bracket in run.find_all(exp.Bracket):
            if isinstance(bracket.expressions[0], exp.Column):
                bracket.set("offset", 1)  # sqlglot counts from 0 once it knows that it is a number
        for node, entry in zip(operands(run), entries, strict=True):
            run = _put(run, node, _typed(entry["v"], entry["t"]))
        cases = list(run.find_all(exp.Case))
        try:
            with self._con.cursor() as cursor:
                picked = [f"CAST(CAST({sql(run)} AS {kind}) AS VARCHAR)", *map(_which, cases)]
                row = cursor.execute(f"SELECT {', '.join(picked)}").fetchone()
        except duckdb.Error:
            return readable(shown), None
        result, *chosen = row or (None,)
        for case, number in reversed(list(zip(shown.find_all(exp.Case), chosen, strict=False))):
            shown = _put(shown, case, _branch(case, number))
        return readable(shown), result


def _which(case: exp.Case) -> str:
    """SQL that gives the number of the branch a CASE takes, -1 for ELSE."""
    subject = sql(case.this) if case.this else ""
    tests = [f"WHEN {sql(arg.this)} THEN {n}" for n, arg in enumerate(case.args["ifs"])]
    return f"CASE {subject} {' '.join(tests)} ELSE -1 END"


def _branch(case: exp.Case, number: int) -> exp.Expr:
    taken_one = case.args["ifs"][number].args["true"] if number >= 0 else case.args.get("default")
    if isinstance(taken_one, exp.Binary) and isinstance(case.parent, exp.Binary):
        return exp.paren(taken_one)
    return taken_one if isinstance(taken_one, exp.Expression) else exp.null()


def _put(root: exp.Expr, node: exp.Expr, value: exp.Expr) -> exp.Expr:
    """The formula with a value in place of a node."""
    if node is root:
        return value
    node.replace(value)
    return root


_INTEGERS = ("INTEGER", "BIGINT", "HUGEINT", "SMALLINT", "TINYINT")
_PLAIN = (*_INTEGERS, *(f"U{kind}" for kind in _INTEGERS), "DOUBLE", "FLOAT", "DECIMAL", "BOOLEAN")
_CLOCKS = ("DATE", "TIME", "TIMESTAMP", "INTERVAL")


def _literal(value: str | None, kind: str) -> exp.Expr:
    """A value as a person writes it in a formula."""
    if value is None:
        return exp.null()
    if kind.startswith(_PLAIN):
        return exp.Var(this=value)
    quoted = exp.Literal.string(value)
    return exp.Var(this=f"{kind} {sql(quoted)}") if kind in _CLOCKS else quoted


def _typed(value: str | None, kind: str) -> exp.Expr:
    """A value of exactly its type."""
    if kind == '"NULL"':
        return exp.null()
    text = exp.null() if value is None else exp.Literal.string(value)
    return exp.Cast(this=text, to=exp.DataType.build(kind, dialect="duckdb", udt=True))
