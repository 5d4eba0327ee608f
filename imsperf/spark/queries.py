"""What a query says in a way that Spark has not: QUALIFY, ASOF, UNION BY NAME, rows as values.

The names of all columns are known on the way, from those of the tables up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from imsperf.spark.unsupported import Unsupported

Columns = tuple[str, ...]
Relations = Mapping[str, Columns]


@dataclass(frozen=True)
class Rewritten:
    """A query for Spark and the names of its columns."""

    query: exp.Expr
    columns: Columns


def rewrite(query: exp.Expr, relations: Relations) -> Rewritten:
    """The query for Spark; `relations` are the columns of tables and views by their names."""
    if isinstance(query, exp.Subquery):
        inner = rewrite(query.this, relations)
        query.set("this", inner.query)
        return Rewritten(query, _renamed(query, inner.columns))
    if isinstance(query, exp.Values):
        return Rewritten(query, _renamed(query, ()))
    if isinstance(query, exp.Table):
        return Rewritten(query, _renamed(query, relations.get(query.name.lower(), ())))
    relations = _with(query, relations)
    if isinstance(query, exp.SetOperation):
        return _union(query, relations)
    if isinstance(query, exp.Select):
        return _Select(query, relations).rewritten()
    raise Unsupported(type(query).__name__)


def _with(query: exp.Expr, relations: Relations) -> Relations:
    with_ = query.args.get("with_")
    known = dict(relations)
    for cte in with_.expressions if with_ else ():
        inner = rewrite(cte.this, known)
        cte.set("this", inner.query)
        known[cte.alias.lower()] = _renamed(cte, inner.columns)
    return known


def _renamed(source: exp.Expr, columns: Columns) -> Columns:
    """The names that an alias gives to the columns: t(a, b)."""
    alias = source.args.get("alias")
    named = alias.columns if isinstance(alias, exp.TableAlias) else ()
    return tuple(column.name for column in named) or columns


def _union(query: exp.SetOperation, relations: Relations) -> Rewritten:
    sides = [rewrite(query.args[side], relations) for side in ("this", "expression")]
    columns = sides[0].columns
    if query.args.get("by_name"):
        columns = tuple(dict.fromkeys(name for side in sides for name in side.columns))
        query.set("by_name", None)
        sides = [Rewritten(_picked(side, columns), columns) for side in sides]
    query.set("this", sides[0].query)
    query.set("expression", sides[1].query)
    return Rewritten(query, columns)


def _picked(side: Rewritten, columns: Columns) -> exp.Expr:
    """These columns of a query in this order, NULL for those that it lacks."""
    if side.columns == columns:
        return side.query
    if not side.columns:
        raise Unsupported("UNION BY NAME of a query whose columns are not known")
    there = set(side.columns)
    picks = [
        _column(name) if name in there else exp.alias_(exp.null(), name, quoted=True)
        for name in columns
    ]
    return exp.select(*picks).from_(exp.Subquery(this=side.query, alias=_alias("side")))


def _column(name: str, table: str = "") -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table or None)


def _alias(name: str) -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier(name))


class _Select:
    """A SELECT, whose sources become those of Spark first."""

    def __init__(self, select: exp.Select, relations: Relations) -> None:
        self.select, self.relations = select, relations
        self.sources: dict[str, Columns] = {}

    def rewritten(self) -> Rewritten:
        """The query for Spark: the same SELECT, or one around it."""
        sources = self._holders()
        for holder in sources:
            self._source(holder)
        self._nested(sources)
        self._renamed_stars()
        self._rows()
        self._aliases()
        for number, join in enumerate(self.select.args.get("joins") or ()):
            if join.method.upper() == "ASOF":
                self._asof(join, f"asof_{number}")
        columns = self._columns()
        self._generator()
        self._first_of_each()
        self._groupings()
        return Rewritten(self._qualified(columns), columns)

    def _holders(self) -> list[exp.Expr]:
        from_ = self.select.args.get("from_")
        first = [from_] if from_ else []
        return [
            *first,
            *(self.select.args.get("joins") or ()),
            *self.select.args.get("laterals", ()),
        ]

    def _source(self, holder: exp.Expr) -> None:
        source = holder.this
        if isinstance(source, exp.Lateral):
            inner = rewrite(source.this, self.relations)
            source.set("this", inner.query)
            self.sources[source.alias.lower()] = _renamed(source, inner.columns)
            return
        if isinstance(source, exp.Unnest):
            self.sources[source.alias.lower()] = _renamed(source, ())
            return
        name = source.alias_or_name.lower()
        self.sources[name] = rewrite(source, self.relations).columns

    def _nested(self, sources: list[exp.Expr]) -> None:
        """Queries within expressions."""
        done = [*(holder.this for holder in sources), self.select.args.get("with_")]
        for child in self._own(done):
            if isinstance(child, exp.Query):
                new = rewrite(child, self.relations).query
                if new is not child:
                    child.replace(new)

    def _own(self, without: Sequence[exp.Expr | None] = ()) -> list[exp.Expr]:
        """Nodes of this SELECT; of queries within it only the first node."""
        left_out = set(map(id, without))
        nodes: list[exp.Expr] = []
        waiting = list(self.select.iter_expressions())
        while waiting:
            node = waiting.pop()
            if id(node) in left_out:
                continue
            nodes.append(node)
            if not isinstance(node, exp.Query):
                waiting += node.iter_expressions()
        return nodes

    # --- columns --------------------------------------------------------------------------------

    def _columns(self) -> Columns:
        names: list[str] = []
        for item in self.select.expressions:
            star = item if isinstance(item, exp.Star) else item.this
            if isinstance(star, exp.Star):
                names += self._starred(star, getattr(item, "table", ""))
            else:
                names.append(item.alias_or_name)
        return tuple(names)

    def _starred(self, star: exp.Star, table: str) -> list[str]:
        tables = [table.lower()] if table else list(self.sources)
        without = {column.name for column in star.args.get("except_") or ()}
        names = [name for source in tables for name in self.sources.get(source, ())]
        return [name for name in names if name not in without]

    def _renamed_stars(self) -> None:
        """SELECT * RENAME or REPLACE names all columns."""
        items: list[exp.Expr] = []
        for item in self.select.expressions:
            star = item if isinstance(item, exp.Star) else item.this
            is_star = isinstance(star, exp.Star)
            if not is_star or not (star.args.get("rename") or star.args.get("replace")):
                items.append(item)
                continue
            table = getattr(item, "table", "")
            names = self._starred(star, table)
            if not names:
                raise Unsupported(f"{item.sql('duckdb')} of columns that are not known")
            new = {other.this.name: other.alias for other in star.args.get("rename") or ()}
            instead = {other.alias: other for other in star.args.get("replace") or ()}
            for name in names:
                column = _column(name, table)
                renamed = exp.alias_(column, new[name]) if name in new else column
                items.append(instead.get(name, renamed))
        self.select.set("expressions", items)

    # --- rows as values -------------------------------------------------------------------------

    def _rows(self) -> None:
        """The name of a table as a value is its row: struct(t.*)."""
        columns = {name for names in self.sources.values() for name in names}
        for node in self._own():
            if not isinstance(node, exp.Column) or node.table or isinstance(node.this, exp.Star):
                continue
            name = node.name.lower()
            if name not in self.sources or name in columns or not self.sources[name]:
                continue
            star = exp.Column(this=exp.Star(), table=exp.to_identifier(name))
            row: exp.Expr = exp.Anonymous(this="STRUCT", expressions=[star])
            is_item = node.parent is self.select
            node.replace(exp.alias_(row, name) if is_item else row)

    # --- names of results -----------------------------------------------------------------------

    def _aliases(self) -> None:
        """In WHERE and QUALIFY the name of a result is what it is made of."""
        columns = {name for names in self.sources.values() for name in names}
        results = {i.alias: i.this for i in self.select.expressions if isinstance(i, exp.Alias)}
        for clause in ("where", "qualify"):
            tree = self.select.args.get(clause)
            for node in list(tree.find_all(exp.Column)) if tree else ():
                if not node.table and node.name in results and node.name not in columns:
                    node.replace(exp.Paren(this=results[node.name].copy()))

    # --- ASOF -----------------------------------------------------------------------------------

    def _asof(self, join: exp.Join, bound: str) -> None:
        """Each row is good from its time to that of the next one of the same key.

        LEAD says when; for the next row after a time, instead of the last before it, LAG.
        """
        right = join.this.alias_or_name
        if any(isinstance(i, exp.Star) for i in self.select.expressions):
            raise Unsupported("SELECT * of an ASOF JOIN")
        equal, time = [], None
        for test in join.args["on"].flatten():
            test = test.unnest()
            if isinstance(test, exp.EQ | exp.NullSafeEQ):
                mine = test.this if test.this.table == right else test.expression
                equal.append(mine)
            elif isinstance(test, exp.GTE | exp.GT | exp.LTE | exp.LT) and time is None:
                time = test
            else:
                raise Unsupported(f"ASOF JOIN ON {test.sql('duckdb')}")
        if time is None or any(column.table != right for column in equal):
            raise Unsupported(f"ASOF JOIN ON {join.args['on'].sql('duckdb')}")
        if time.expression.table != right:
            raise Unsupported(f"ASOF JOIN ON {time.sql('duckdb')}: the joined table stands right")
        is_last = isinstance(time, exp.GTE | exp.GT)
        at = _column(time.expression.name)
        window = exp.Window(
            this=(exp.Lead if is_last else exp.Lag)(this=at.copy()),
            partition_by=[_column(column.name) for column in equal],
            order=exp.Order(expressions=[exp.Ordered(this=at.copy(), nulls_first=False)]),
        )
        rows = exp.select("*", exp.alias_(window, bound)).from_(_unnamed(join.this))
        rows = rows.where(exp.Not(this=exp.Is(this=at.copy(), expression=exp.null())))
        edge = _column(bound, right)
        beyond = {exp.GTE: exp.LT, exp.GT: exp.LTE, exp.LTE: exp.GT, exp.LT: exp.GTE}[type(time)]
        until = beyond(this=time.this.copy(), expression=edge)
        is_open = exp.Is(this=edge.copy(), expression=exp.null())
        either = exp.Paren(this=exp.Or(this=until, expression=is_open))
        join.this.replace(exp.Subquery(this=rows, alias=_alias(right)))
        join.set("on", exp.And(this=join.args["on"], expression=either))
        join.set("method", None)

    # --- generators -----------------------------------------------------------------------------

    def _generator(self) -> None:
        """explode() within an expression stands in a query of its own."""
        nested = [
            node
            for node in self._own()
            if isinstance(node, exp.Explode) and not isinstance(node.parent, exp.Alias | exp.Select)
        ]
        if not nested:
            return
        if len(nested) > 1 or self.select.args.get("from_"):
            raise Unsupported("unnest() within an expression of a table")
        generator = nested[0]
        generator.replace(_column("generated"))
        rows = exp.Select(expressions=[exp.alias_(generator, "generated")])
        self.select.set("from_", exp.From(this=exp.Subquery(this=rows, alias=_alias("each"))))

    # --- QUALIFY, DISTINCT ON -------------------------------------------------------------------

    def _first_of_each(self) -> None:
        """DISTINCT ON is the first row of each."""
        distinct = self.select.args.get("distinct")
        keys = distinct.args.get("on") if distinct else None
        if not keys:
            return
        if self.select.args.get("qualify"):
            raise Unsupported("DISTINCT ON with QUALIFY")
        window = exp.Window(
            this=exp.RowNumber(),
            partition_by=[key.copy() for key in keys.expressions],
            order=self.select.args["order"].copy(),
        )
        self.select.set("distinct", None)
        first = exp.EQ(this=window, expression=exp.Literal.number(1))
        self.select.set("qualify", exp.Qualify(this=first))

    def _groupings(self) -> None:
        """Spark knows grouping() where columns are made, not in HAVING."""
        having = self.select.args.get("having")
        if having and having.find(exp.Grouping):
            if self.select.args.get("qualify"):
                raise Unsupported("grouping() in HAVING with QUALIFY")
            self.select.set("qualify", exp.Qualify(this=having.pop().this))

    def _qualified(self, columns: Columns) -> exp.Expr:
        """QUALIFY becomes a column, and WHERE of a query around it."""
        qualify = self.select.args.get("qualify")
        if not qualify:
            return self.select
        if self.select.args.get("distinct"):
            raise Unsupported("QUALIFY with DISTINCT")
        qualify.pop()
        order = self.select.args.get("order")
        if order:
            order.pop()
            for column in order.find_all(exp.Column):
                if column.name not in columns:
                    raise Unsupported(f"QUALIFY with ORDER BY {column.sql()}")
                column.set("table", None)
        self.select.append("expressions", exp.alias_(qualify.this, "qualified"))
        star = exp.Star(except_=[exp.column("qualified")])
        outer = exp.Select(expressions=[star])
        outer.set("from_", exp.From(this=exp.Subquery(this=self.select, alias=_alias("counted"))))
        outer.set("where", exp.Where(this=exp.column("qualified")))
        outer.set("order", order)
        with_ = self.select.args.get("with_")
        outer.set("with_", with_.pop() if with_ else None)
        return outer


def _unnamed(source: exp.Expr) -> exp.Expr:
    """The same source; a table without its alias."""
    copy = source.copy()
    if isinstance(copy, exp.Table):
        copy.set("alias", None)
    return copy
