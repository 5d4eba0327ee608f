"""Where a number comes from: the formula of a column, down to the fields of records.

A column of a report, view or table becomes a tree of steps: each has the SQL that makes it and the
columns that SQL reads, down to table columns; of those the declared layouts say record, offset,
length, unit and manual. What cannot be followed is a step of kind "unresolved", with its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from sqlglot import exp

from imsperf import layouts
from imsperf.dictionary.rows import Entry, of_table
from imsperf.errors import ReportError, near
from imsperf.layout import PROJECT_DEFINED, RAW_TABLES
from imsperf.layouts import Layouts
from imsperf.ledger import LEDGER_TABLES
from imsperf.reports.catalog import catalog
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.lineage.names import Library
from imsperf.reports.lineage.operands import CONDITION, VALUE, readable, references
from imsperf.reports.lineage.scopes import (
    FUNCTION,
    QUERY,
    TABLE,
    VALUES,
    Branch,
    Output,
    Relation,
    ResolvedColumn,
    Scope,
)

if TYPE_CHECKING:
    import pyarrow as pa

FORMULA, FIELD, KEY, LEDGER = "formula", "field", "key", "ledger"
CONSTANT, ROWS, UNRESOLVED = "constant", "rows", "unresolved"
LEAVES = (FIELD, KEY, LEDGER, CONSTANT, ROWS, UNRESOLVED)


@dataclass(frozen=True)
class Formula:
    """The SQL of one branch, and what it reads: (VALUE or CONDITION, step)."""

    text: str
    inputs: tuple[tuple[str, Step], ...] = ()


@dataclass(frozen=True, eq=False)
class Step:
    """One column: a formula for each branch of a UNION, or a leaf with its entry."""

    name: str
    kind: str
    formulas: tuple[Formula, ...] = ()
    entry: Entry | None = None

    def inputs(self, wanted: str = "") -> Iterator[Step]:
        """What its formulas read, each once; `wanted` VALUE or CONDITION only."""
        seen: set[int] = set()
        for formula in self.formulas:
            for role, branch in formula.inputs:
                if id(branch) not in seen and wanted in ("", role):
                    seen.add(id(branch))
                    yield branch

    def leaves(self, wanted: str = "") -> Iterator[Step]:
        """Every leaf below, each once."""
        todo, seen = [self], {id(self)}
        while todo:
            step = todo.pop(0)
            if step.kind in LEAVES:
                yield step
            for source in step.inputs(wanted):
                if id(source) not in seen:
                    seen.add(id(source))
                    todo.append(source)


@dataclass(frozen=True, eq=False)
class Subject:
    """What is explained: a column of a report, a view or a table, with the SQL that gives it."""

    owner: str  # rmf.device
    column: str  # resp_ms
    sql: str
    report: Report | None = None

    @property
    def name(self) -> str:
        """As a person writes it."""
        return f"{self.owner}.{self.column}"

    @property
    def meaning(self) -> tuple[str, str]:
        """What it is, and its unit."""
        if self.definition:
            return self.definition.doc, self.definition.unit
        entry = _entries(self.owner).get(self.column)
        return (entry.meaning, entry.unit) if entry else ("", "")

    @property
    def definition(self) -> ReportColumn | None:
        """What the report's header says of it."""
        return self.report.column(self.column) if self.report else None


def subject(name: str) -> Subject:
    """REPORT.COLUMN, VIEW.COLUMN or TABLE.COLUMN. Raises ReportError with near names."""
    wanted = name.strip().lower()
    owner, _, column = wanted.rpartition(".")
    columns = _columns(owner)
    if not columns:
        columns_of_it = ", ".join(_columns(wanted))
        hint = (
            f"add one of its columns: {columns_of_it}"
            if columns_of_it
            else _near_name(owner, column)
        )
        raise ReportError(f"found no column {name!r}", hint)
    if column not in columns:
        hint = near(column, columns) or f"columns: {', '.join(columns)}"
        raise ReportError(f"{owner}: no column {column!r}", hint)
    report = catalog().reports.get(owner)
    return Subject(owner, column, report.sql if report else f"SELECT * FROM {owner}", report)


def _columns(owner: str) -> tuple[str, ...]:
    """The columns of a report, view or table; none where there is no such thing."""
    if owner in catalog().reports:
        return catalog().get(owner).names
    return _columns_with(owner, layouts.current()) if owner else ()


@cache
def _columns_with(owner: str, beside: Layouts) -> tuple[str, ...]:
    """Those of a view or table, with that set of layouts beside ours."""
    relation = Library().relation(owner)
    return tuple(relation.columns) if relation else ()


def _near_name(owner: str, column: str) -> str:
    otherwise = "write REPORT.COLUMN, VIEW.COLUMN or TABLE.COLUMN, such as rmf.device.resp_ms"
    tables = {table.name: table for table in layouts.all_tables()}
    if owner:
        known = [*catalog().reports, *Library().view_names, *tables, *LEDGER_TABLES, *RAW_TABLES]
        return near(owner, known, otherwise)
    having = [
        f"{report}.{column}"
        for report in catalog().reports
        if column in catalog().get(report).names
    ]
    having += [
        f"{name}.{column}"
        for name, table in tables.items()
        if column in {each.name for each in table.columns}
    ]
    return f"did you mean {' or '.join(having[:3])}?" if having else otherwise


def lineage(what: Subject) -> Step:
    """The tree of steps that make a column."""
    library = Library()
    relation = library.query(library.parse(what.sql), what.owner)
    if what.report is None:
        relation = library.relation(what.owner) or relation
    return _Follower(library).step(ResolvedColumn(relation.columns.get(what.column)), what.name)


def lineages(owner: str) -> dict[str, Step]:
    """The trees of all columns of a report, view or table; they share their steps."""
    library = Library()
    follower, report = _Follower(library), catalog().reports.get(owner)
    if report:
        relation: Relation | None = library.query(library.parse(report.sql), owner)
    else:
        relation = library.relation(owner)
    columns = relation.columns if relation else {}
    return {name: follower.step(ResolvedColumn(column)) for name, column in columns.items()}


def report_columns(report: Report) -> pa.Table:
    """The columns of a report a person sees, with the table columns each is made from."""
    import pyarrow as pa

    steps = lineages(report.id)
    rows = [
        {
            "report": report.id,
            "column": column.name,
            "heading": column.heading,
            "kind": column.kind,
            "unit": column.unit,
            "better": column.better,
            "meaning": column.doc,
            "from": ", ".join(_sources(steps[column.name])),
        }
        for column in report.shown
    ]
    return pa.Table.from_pylist(rows)


def headed(word: str, reports: Iterable[Report]) -> Iterator[tuple[Report, list[str]]]:
    """Reports and their columns of whose printed heading it is a part in words: IOSQ, RESP TIME."""
    wanted = f" {word.strip().upper()} "
    for report in reports:
        if names := [c.name for c in report.shown if wanted in f" {c.heading.upper()} "]:
            yield report, names


def under_heading(word: str, reports: Iterable[Report]) -> Iterator[pa.Table]:
    """The rows of `report_columns` that are `headed` so."""
    for report, names in headed(word, reports):
        rows = report_columns(report)
        yield rows.filter([name in names for name in rows["column"].to_pylist()])


def _sources(step: Step) -> list[str]:
    """The fields behind a value; the keys where there is none."""
    leaves = list(step.leaves(VALUE))
    fields = [leaf.name for leaf in leaves if leaf.kind in (FIELD, LEDGER)]
    return sorted(set(fields or [leaf.name for leaf in leaves if leaf.kind == KEY]))


class _Follower:
    """Follows columns down; each is followed once."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._steps: dict[int, Step] = {}

    def step(self, resolved: ResolvedColumn, node: exp.Expr | str = "") -> Step:
        """The step behind a name; `node` is what the SQL calls it."""
        output = through(resolved).output
        if output is None:
            return Step(readable(node) if isinstance(node, exp.Expr) else node, UNRESOLVED)
        if id(output) not in self._steps:
            self._steps[id(output)] = self._made(output)
        return self._steps[id(output)]

    def _made(self, output: Output) -> Step:
        name, kind = f"{output.relation.name}.{output.name}", output.relation.kind
        if output.row and not output.branches:
            return self._row(output.row)
        if kind == TABLE:
            return leaf(output.relation.name, output.name)
        if kind == VALUES:
            return Step(name, CONSTANT)
        formulas = tuple(self._formula(branch) for branch in output.branches)
        return Step(name, FORMULA, formulas) if formulas else Step(name, UNRESOLVED)

    def _row(self, relation: Relation) -> Step:
        """A whole row: all of its columns."""
        inputs = tuple(
            (VALUE, self.step(ResolvedColumn(column))) for column in relation.columns.values()
        )
        return Step(f"{relation.name}.*", FORMULA, (Formula(f"{relation.name}.*", inputs),))

    def _formula(self, branch: Branch) -> Formula:
        expression, scope = branch.expression, branch.scope
        inputs: dict[tuple[str, int], tuple[str, Step]] = {}
        for node, role in references(expression):
            for step in self._behind(node, branch):
                inputs[role, id(step)] = role, step
        for count in expression.find_all(exp.Count):
            if isinstance(count.this, exp.Star):
                sources = ", ".join(source.name for source in scope.sources.values())
                inputs[VALUE, id(count)] = VALUE, Step(f"rows of {sources}", ROWS)
        for step in self._presence(branch):
            inputs[CONDITION, id(step)] = CONDITION, step
        values = {id(step) for role, step in inputs.values() if role == VALUE}
        inputs_left = [(r, s) for r, s in inputs.values() if r == VALUE or id(s) not in values]
        return Formula(readable(expression), tuple(inputs_left))

    def _presence(self, branch: Branch) -> Iterator[Step]:
        """Where IS NULL asks whether an outer join found a row: what decides that, but for keys."""
        scope = branch.scope
        for test in branch.expression.find_all(exp.Is):
            if isinstance(test.this, exp.Column) and isinstance(test.expression, exp.Null):
                row = scope.find(test.this).row
                if row and row[0] in scope.optional:
                    rows = self._rows_of(scope.sources[row[0]], {id(scope)})
                    yield from filter(_more_than_keys, chain(self._tests(scope), rows))

    def _rows_of(self, relation: Relation, seen: set[int]) -> Iterator[Step]:
        """What decides which rows a relation has, down to the tables."""
        scopes = (branch.scope for each in relation.columns.values() for branch in each.branches)
        for scope in {id(scope): scope for scope in scopes}.values():
            if id(scope) not in seen:
                seen.add(id(scope))
                yield from self._tests(scope)
                for source in scope.sources.values():
                    yield from self._rows_of(source, seen)

    def _tests(self, scope: Scope) -> Iterator[Step]:
        for test in scope.tests():
            for node, _ in references(test):
                yield from self._behind(node, Branch(test, scope))

    def _behind(self, node: exp.Expr, branch: Branch) -> Iterator[Step]:
        if isinstance(node, exp.Column):
            yield self.step(branch.scope.find(node), node)
            return
        query = branch.scope.queries.get(id(node))
        if query is None:
            yield Step(readable(node), UNRESOLVED)
            return
        for column in query.columns.values():
            yield self.step(ResolvedColumn(column))


def _more_than_keys(step: Step) -> bool:
    return any(leave.kind not in (KEY, LEDGER) for leave in step.leaves())


def hands_on(output: Output) -> bool:
    """A column that a query inside a view or report only hands on."""
    inside = output.relation.kind in (QUERY, FUNCTION) and "/" in output.relation.name
    is_plain = len(output.branches) == 1 and isinstance(output.branches[0].expression, exp.Column)
    return inside and is_plain


def through(output: ResolvedColumn) -> ResolvedColumn:
    """Past the columns that are only handed on."""
    while output.output is not None and hands_on(output.output):
        branch = output.output.branches[0]
        if isinstance(branch.expression, exp.Column):
            output = branch.scope.find(branch.expression)
    return output


def _entries(table: str) -> dict[str, Entry]:
    return _entries_with(table, layouts.current())


@cache
def _entries_with(table: str, beside: Layouts) -> dict[str, Entry]:
    """The same with that set of layouts beside ours."""
    rows = of_table(table)
    entries = [Entry(**row) for row in rows.to_pylist()] if rows is not None else []
    return {entry.column: entry for entry in entries}


def leaf(table: str, column: str) -> Step:
    """The step of a table column."""
    entry, name = _entries(table).get(column), f"{table}.{column}"
    if table in LEDGER_TABLES:
        return Step(name, LEDGER, (), entry)
    if entry is not None and entry.located:
        return Step(name, FIELD, (), entry)
    if table in RAW_TABLES or column in {key.name for key in layouts.table(table).keys}:
        return Step(name, KEY, (), entry)
    return _by_dictionary(table, column)


def _by_dictionary(table: str, column: str) -> Step:
    """A field whose place a dictionary record of the dump says."""
    table_of = layouts.table(table)
    meant = {field.name: field for field in table_of.fields}.get(column)
    if meant is None:
        return Step(f"{table}.{column}", UNRESOLVED)
    section = table_of.section
    entry = Entry(
        table, column, None, None, False, None, None, None, meant.sql, "", meant.doc,
        section.confidence, section.source,
    )  # fmt: skip
    return Step(f"{table}.{column}", FIELD, (), entry)


def is_ours(step: Step) -> bool:
    """A field whose place is the project's own, not IBM's."""
    return step.entry is not None and step.entry.confidence == PROJECT_DEFINED


def record_name(entry: Entry) -> str:
    """The record of a field as a person calls it: "type 74.1", "IMS log 45 07"."""
    if entry.record is None:
        return ""
    family = "IMS log" if (entry.table or "").startswith("ims_") else "type"
    return f"{family} {entry.record}"


def ratio_text(report_column: ReportColumn) -> str:
    """How a ratio is made again over several rows, from the sums of its parts."""
    terms = [
        f"sum({num}) / sum({den})"
        for num, den in zip(report_column.num, report_column.den, strict=True)
    ]
    joined = " + ".join(terms)
    if report_column.scale == 1:
        return joined
    return (
        f"{report_column.scale:g} * ({joined})"
        if len(terms) > 1
        else f"{report_column.scale:g} * {joined}"
    )
