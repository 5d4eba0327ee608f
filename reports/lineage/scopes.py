"""What the names in one SELECT stand for: sources, columns, the expression behind each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

TABLE, VIEW, QUERY, VALUES, FUNCTION = "table", "view", "query", "values", "function"


@dataclass(eq=False)
class Relation:
    """What a FROM may name. `name` of a query inside a view has the view before it."""

    name: str
    kind: str
    columns: dict[str, Output] = field(default_factory=dict)
    tree: exp.Query | None = None  # of a view and a query

    def add(self, name: str, *branches: Branch, row: Relation | None = None) -> None:
        """One more column; a name that is there already keeps its first meaning."""
        self.columns.setdefault(name.lower(), Output(self, name.lower(), branches, row))


@dataclass(eq=False)
class Output:
    """A column of a relation: an expression for each branch of a UNION, none in a table."""

    relation: Relation
    name: str
    branches: tuple[Branch, ...] = ()
    row: Relation | None = None  # it is a whole row of that relation


@dataclass(eq=False)
class Branch:
    """An expression and the SELECT it stands in."""

    expression: exp.Expr
    scope: Scope


@dataclass(frozen=True)
class ResolvedColumn:
    """What a column name stands for, and how other columns of the same row are written.

    `output` is None where nothing has that name. `member`: the name is of a part of that column, a
    struct. `lateral`: an alias of the same SELECT.
    """

    output: Output | None
    row: tuple[str, ...] = ()
    lateral: bool = False
    member: str = ""


@dataclass(eq=False)
class Scope:
    """One SELECT: its sources by alias, the names it gives, the SELECT around it."""

    select: exp.Select
    name: str
    outer: Scope | None = None
    sources: dict[str, Relation] = field(default_factory=dict)
    joined: set[str] = field(default_factory=set)  # columns of JOIN .. USING
    optional: set[str] = field(default_factory=set)  # sources that an outer join may leave NULL
    result: Relation | None = None
    queries: dict[int, Relation] = field(default_factory=dict)  # SELECTs inside expressions

    def find(self, column: exp.Column) -> ResolvedColumn:
        """What a column name in this SELECT stands for."""
        parts = [part.name.lower() for part in column.parts]
        return (
            self._of_alias(parts)
            or self._of_any(parts)
            or self._before(column)
            or self._row(parts)
            or (self.outer.find(column) if self.outer else ResolvedColumn(None))
        )

    def tests(self) -> Iterator[exp.Expr]:
        """What decides which rows there are: WHERE, HAVING, QUALIFY and the conditions of joins."""
        for name in ("where", "having", "qualify"):
            yield from nodes(self.select.args.get(name))
        for join in joins(self.select):
            yield from nodes(join.args.get("on"))
            yield from (exp.column(node.name) for node in nodes(join.args.get("using")))

    def _of_alias(self, parts: list[str]) -> ResolvedColumn | None:
        if len(parts) < 2 or parts[0] not in self.sources:
            return None
        output = self.sources[parts[0]].columns.get(parts[1])
        return _inside(output, (parts[0],), parts[2:]) if output else None

    def _of_any(self, parts: list[str]) -> ResolvedColumn | None:
        for alias, source in self.sources.items():
            if parts[0] in source.columns:
                return _inside(source.columns[parts[0]], (alias,), parts[1:])
        return None

    def _before(self, column: exp.Column) -> ResolvedColumn | None:
        """A name that the same SELECT gave to an expression before."""
        known = self.result.columns if self.result else {}
        output = known.get(column.parts[0].name.lower())
        if output is None or any(_is_part(column, branch.expression) for branch in output.branches):
            return None
        return ResolvedColumn(output, lateral=True)

    def _row(self, parts: list[str]) -> ResolvedColumn | None:
        """A whole row, or the one column of a function."""
        source = self.sources.get(parts[0])
        if source is None or len(parts) > 1:
            return None
        if source.kind == FUNCTION and len(source.columns) == 1:
            return ResolvedColumn(next(iter(source.columns.values())), (parts[0],))
        return ResolvedColumn(Output(source, parts[0], (), source), (parts[0],))


def _is_part(node: exp.Expr, expr: exp.Expr) -> bool:
    ancestor: exp.Expr | None = node
    while ancestor is not None and ancestor is not expr:
        ancestor = ancestor.parent
    return ancestor is expr


def _inside(output: Output, row: tuple[str, ...], rest: list[str]) -> ResolvedColumn:
    """Follow `row.column` into a column that is a row; a member of another struct is its struct."""
    if output.row is None or not rest:
        return ResolvedColumn(output, row, member=".".join(rest))
    member = output.row.columns.get(rest[0])
    return _inside(member, (*row, output.name), rest[1:]) if member else ResolvedColumn(None)


def joins(select: exp.Expr) -> Iterator[exp.Expr]:
    """The joins of a SELECT, also those of FROM a, b JOIN c."""
    for clause in (*nodes(select.args.get("from_")), *nodes(select.args.get("joins"))):
        if isinstance(clause, exp.Join):
            yield clause
        yield from nodes(clause.this.args.get("joins"))


def nodes(value: object) -> list[exp.Expr]:
    """The nodes among an argument: one, several or none."""
    several = value if isinstance(value, list) else [value]
    return [node for node in several if isinstance(node, exp.Expression)]
