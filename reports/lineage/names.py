"""What the names in our SQL stand for: relations, their columns, the expression behind each.

`Library` reads the view files and the declared tables; `Library.query` takes a SELECT apart into a
`Relation`. It writes stars out and expands macros in the tree it is given. A name that stands for
nothing we know is kept, as a column without a relation: lineage says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import sqlglot
from sqlglot import exp

from imsperf import layouts
from imsperf.database.store import view_statements
from imsperf.errors import ReportError
from imsperf.layout import RAW_TABLES
from imsperf.layouts import Layouts
from imsperf.ledger import LEDGER_TABLES
from imsperf.reports.lineage.macros import Macro, inline, macro_of
from imsperf.reports.lineage.scopes import (
    FUNCTION,
    QUERY,
    TABLE,
    VALUES,
    VIEW,
    Branch,
    Relation,
    ResolvedColumn,
    Scope,
    joins,
    nodes,
)


class Library:
    """Views and tables by name. Trees are taken apart in place: one library, one use."""

    def __init__(self) -> None:
        self.views: dict[str, Relation] = {}  # those looked at, each after those it reads
        self._trees, self._macros = _definitions()
        self._tables: dict[str, Relation] = {}

    def relation(self, name: str) -> Relation | None:
        """The view or table of that name."""
        if name in self._trees and name not in self.views:
            definition = self.query(inline(self._trees[name].copy(), self._macros), name)
            self.views[name] = definition
            definition.name, definition.kind = name, VIEW
        if name not in self._trees and name not in self._tables:
            columns = _columns_of(name)
            if not columns:
                return None
            self._tables[name] = definition = Relation(name, TABLE)
            for column in columns:
                definition.add(column)
        return self.views.get(name) or self._tables.get(name)

    @property
    def view_names(self) -> tuple[str, ...]:
        """Every view."""
        return tuple(self._trees)

    def parse(self, sql: str) -> exp.Query:
        """The tree of one SELECT, with macros written out. Raises ReportError where it is none."""
        try:
            tree = sqlglot.parse_one(sql, read="duckdb")
        except sqlglot.errors.ParseError as error:
            raise ReportError(f"the SQL cannot be parsed: {error}") from error
        if not isinstance(tree, exp.Query):
            raise ReportError("found no SELECT in the SQL")
        written_out = inline(tree, self._macros)
        assert isinstance(written_out, exp.Query)
        return written_out

    def query(
        self,
        tree: exp.Expr,
        name: str,
        known: Mapping[str, Relation] | None = None,
        outer: Scope | None = None,
    ) -> Relation:
        """The relation a SELECT, a UNION or either in parentheses makes."""
        inner = dict(known or {})
        for cte in _ctes(tree):
            alias = cte.alias.lower()
            relation = self.query(cte.this, f"{name}/{alias}", inner, outer)
            inner[alias] = _renamed(relation, cte)
        if isinstance(tree, exp.SetOperation):
            return self._union(tree, name, inner, outer)
        if isinstance(tree, exp.Subquery):
            return self.query(tree.this, name, inner, outer)
        if isinstance(tree, exp.Values):
            return _values(tree, name)
        if not isinstance(tree, exp.Select):
            return Relation(name, QUERY)  # PIVOT and the like: columns depend on the data
        return _Select(self, tree, name, inner, outer).relation()

    def _union(
        self,
        tree: exp.SetOperation,
        name: str,
        known: Mapping[str, Relation],
        outer: Scope | None,
    ) -> Relation:
        left, right = (
            self.query(side, name, known, outer) for side in (tree.this, tree.expression)
        )
        both = isinstance(tree, exp.Union)
        result = Relation(name, QUERY, tree=tree)
        by_name = bool(tree.args.get("by_name"))
        others = list(right.columns.values())
        for place, (key, output) in enumerate(left.columns.items()):
            other = right.columns.get(key) if by_name else others[place]
            result.add(
                key, *output.branches, *(other.branches if other and both else ()), row=output.row
            )
        for extra in others if by_name else ():
            result.add(extra.name, *extra.branches, row=extra.row)
        return result


class _Select:
    """Takes one SELECT apart."""

    def __init__(
        self,
        library: Library,
        tree: exp.Select,
        name: str,
        known: Mapping[str, Relation],
        outer: Scope | None,
    ) -> None:
        self.library, self.known = library, known
        self.scope = Scope(tree, name, outer)
        self.result = Relation(name, QUERY, tree=tree)

    def relation(self) -> Relation:
        """Its columns, in order; a star is written out."""
        for source in self._sources():
            self._add_source(source)
        self.scope.optional = set(_optional(self.scope))
        self.scope.result = self.result
        tree = self.scope.select
        written = [select for each in tree.expressions for select in self._written_out(each)]
        tree.set("expressions", written)
        for place, name in enumerate(written):
            self._add_column(name, place)
        for query_inside in _queries(tree):
            query = self.library.query(query_inside, f"{self.scope.name}/", self.known, self.scope)
            self.scope.queries[id(query_inside)] = query
        return self.result

    def _sources(self) -> Iterator[exp.Expr]:
        tree = self.scope.select
        for clause in (*nodes(tree.args.get("from_")), *nodes(tree.args.get("joins"))):
            yield clause.this
            self.scope.joined |= {node.name.lower() for node in nodes(clause.args.get("using"))}
            for node in nodes(clause.this.args.get("joins")):  # FROM a, b JOIN c
                yield node.this
        yield from nodes(tree.args.get("laterals"))

    def _add_source(self, source: exp.Expr) -> None:
        alias = source.alias_or_name.lower()
        if not alias:  # a query without a name gets one, so that its columns can be written
            alias = f"part{len(self.scope.sources) + 1}"
            source.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
        relation = self._source(source, alias)
        if nodes(source.args.get("pivots")):
            relation = Relation(alias, QUERY)  # its columns depend on the data
        self.scope.sources[alias] = _renamed(relation, source)

    def _source(self, source: exp.Expr, alias: str) -> Relation:
        name = f"{self.scope.name}/{alias}"
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
            wanted = source.name.lower()
            found = self.known.get(wanted) or self.library.relation(wanted)
            return found or Relation(wanted, QUERY)
        if isinstance(source, exp.Subquery):
            return self.library.query(source, name, self.known, self.scope)
        if isinstance(source, exp.Lateral) and isinstance(source.this, exp.Subquery):
            return self.library.query(source.this, name, self.known, self.scope)
        if isinstance(source, exp.Values):
            return _values(source, name)
        relation = Relation(name, FUNCTION)
        call = source.this if isinstance(source, (exp.Table, exp.Lateral)) else source
        titles = _column_aliases(source) or [getattr(call, "name", "") or "unnest"]
        for title in titles:
            relation.add(title, Branch(call, self.scope))
        return relation

    def _written_out(self, expr: exp.Expr) -> Iterator[exp.Expr]:
        star = expr if isinstance(expr, exp.Star) else expr.this
        if not isinstance(star, exp.Star) or isinstance(expr, exp.Count):
            yield expr
            return
        without = {each.name.lower() for each in nodes(star.args.get("except_"))}
        replaced = {each.alias.lower(): each for each in nodes(star.args.get("replace"))}
        renamed = {e.this.name.lower(): e.alias for e in nodes(star.args.get("rename"))}
        only = expr.table.lower() if isinstance(expr, exp.Column) else ""
        for alias, name in self._star(only):
            if name not in without:
                plain = exp.column(name, table=alias, quoted=True)
                yield replaced.get(name) or exp.alias_(plain, renamed.get(name, name), quoted=True)

    def _star(self, only: str) -> Iterator[tuple[str, str]]:
        """The columns a star stands for; those of USING once."""
        seen: set[str] = set()
        for alias, source in self.scope.sources.items():
            if only and alias != only:
                continue
            for name in source.columns:
                if name not in seen or name not in self.scope.joined:
                    yield alias, name
                seen.add(name)

    def _add_column(self, expr: exp.Expr, place: int) -> None:
        value = expr.unalias()
        name = expr.alias_or_name or f"column {place + 1}"
        output = self.scope.find(value) if isinstance(value, exp.Column) else ResolvedColumn(None)
        row = output.output.row if output.output else None
        self.result.add(name, Branch(value, self.scope), row=row)


# --- parts of a tree -----------------------------------------------------------------------------


def _ctes(tree: exp.Expr) -> list[exp.Expr]:
    clauses = nodes(tree.args.get("with_"))
    return list(clauses[0].expressions) if clauses else []


def _column_aliases(source: exp.Expr) -> list[str]:
    alias = source.args.get("alias")
    return [node.name for node in nodes(alias.args.get("columns"))] if alias else []


def _renamed(relation: Relation, source: exp.Expr) -> Relation:
    """With the names that `AS t (a, b)` gives to the first columns."""
    names = _column_aliases(source)
    if not names or relation.kind == FUNCTION:
        return relation
    renamed = Relation(relation.name, relation.kind, tree=relation.tree)
    old = list(relation.columns.values())
    for name, column in zip(
        [*names, *(column.name for column in old[len(names) :])], old, strict=True
    ):
        renamed.add(name, *column.branches, row=column.row)
    return renamed


def _values(tree: exp.Values, name: str) -> Relation:
    relation = Relation(name, VALUES)
    width = len(tree.expressions[0].expressions) if tree.expressions else 0
    for place in range(width):
        relation.add((_column_aliases(tree) or [f"col{i}" for i in range(width)])[place])
    return relation


def _optional(scope: Scope) -> Iterator[str]:
    """The sources that an outer join may leave without a row."""
    before = list(scope.sources)
    for join in joins(scope.select):
        alias, side = join.this.alias_or_name.lower(), str(join.args.get("side") or "").upper()
        if side in ("LEFT", "FULL"):
            yield alias
        if side in ("RIGHT", "FULL") and alias in before:
            yield from before[: before.index(alias)]


def _queries(tree: exp.Select) -> Iterator[exp.Query]:
    """The SELECTs that stand inside its expressions."""
    for expression in tree.expressions:
        for node in expression.dfs(prune=lambda each: isinstance(each, exp.Query)):
            if isinstance(node, exp.Query):
                yield node


def _columns_of(table: str) -> tuple[str, ...]:
    return _columns_with(table, layouts.current())


@cache
def _columns_with(table: str, beside: Layouts) -> tuple[str, ...]:
    """The same with that set of layouts beside ours."""
    if table in LEDGER_TABLES:
        return tuple(column.name for column in LEDGER_TABLES[table][1])
    if table in RAW_TABLES:
        return tuple(column.name for column in RAW_TABLES[table])
    known = layouts.has_table(table)
    return tuple(column.name for column in layouts.table(table).columns) if known else ()


@cache
def _definitions() -> tuple[dict[str, exp.Query], dict[str, Macro]]:
    """The views and the macros of the view files; whoever changes a tree copies it first."""
    views: dict[str, exp.Query] = {}
    macros: dict[str, Macro] = {}
    for text in view_statements():
        for statement in sqlglot.parse(text, read="duckdb"):
            if not isinstance(statement, exp.Create):
                continue
            if statement.kind == "VIEW":
                views[statement.this.name.lower()] = statement.expression
            elif statement.kind in ("MACRO", "FUNCTION"):
                macros |= macro_of(statement)
    return views, macros
