"""SQL of DuckDB as SQL of Spark: our views, our reports, and whatever is written like them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, time
from functools import cache
from typing import Any, ClassVar

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.generators.spark import SparkGenerator

from imsperf import layouts
from imsperf.database.store import view_files
from imsperf.layout import RAW_TABLES
from imsperf.ledger import LEDGER_TABLES
from imsperf.reports.lineage.macros import Macro, inline, macro_of
from imsperf.spark.queries import Columns, Relations, rewrite
from imsperf.spark.rewrites import check, rewrite_expressions
from imsperf.spark.unsupported import Unsupported


@dataclass(frozen=True)
class Part:
    """A query that has a name: a view, or a WITH ... AS MATERIALIZED of one, which `is_once`.

    `reads` are the names of all that stands after FROM.
    """

    name: str
    sql: str
    columns: Columns
    reads: frozenset[str]
    is_once: bool = False


def translate(sql: str, source: str = "") -> str:
    """The same query for Spark, which may read our tables and views.

    Raises Unsupported, which names the construct and `source`. MATERIALIZED is left out: Spark
    computes such a part as often as it is read.
    """
    schema = shipped_schema()
    with _errors_name(source):
        tree = _prepared(sqlglot.parse_one(sql, read="duckdb"), schema.macros)
        return _text(rewrite(tree, schema.relations).query)


def parts(
    sql: str, name: str, source: str = "", values: Mapping[str, Any] | None = None
) -> tuple[Part, ...]:
    """A query by its parts: those that are computed once, then the query itself, called `name`.

    A part that is computed once is called `name__` and its name in WITH. `values` stand in the
    places of $parameters.
    """
    schema = shipped_schema()
    with _errors_name(source):
        tree = _bound(sqlglot.parse_one(sql, read="duckdb"), values or {})
        tree = _prepared(tree, schema.macros)
        return tuple(_parts(tree, name, schema.relations))


@dataclass(frozen=True)
class Schema:
    """What SQL of ours may name: macros, and columns of tables and views."""

    macros: Mapping[str, Macro]
    relations: Relations
    views: tuple[Part, ...]


@cache
def shipped_schema() -> Schema:
    """Our tables, and our views as Spark makes them, each after those that it reads."""
    macros: dict[str, Macro] = {}
    relations = _tables()
    views: list[Part] = []
    for file, text in view_files().items():
        with _errors_name(f"sql/{file}"):
            for statement in filter(None, sqlglot.parse(text, read="duckdb")):
                if not isinstance(statement, exp.Create):
                    raise Unsupported(f"statement {type(statement).__name__}")
                if statement.kind == "MACRO":
                    macros |= macro_of(statement)
                    continue
                tree = _prepared(statement.expression, macros)
                new = list(_parts(tree, statement.this.name, relations))
                relations |= {part.name: part.columns for part in new}
                views += new
    return Schema(macros, relations, tuple(views))


def _tables() -> dict[str, Columns]:
    named = {name: columns for name, (_, columns) in LEDGER_TABLES.items()} | RAW_TABLES
    named |= {name: table.columns for name, table in layouts.shipped_tables().items()}
    return {name: tuple(column.name for column in columns) for name, columns in named.items()}


@contextmanager
def _errors_name(source: str) -> Iterator[None]:
    """What cannot be translated inside is an error that names the source."""
    try:
        yield
    except Unsupported as error:
        raise Unsupported(error.construct, source) from error
    except SqlglotError as error:
        raise Unsupported(str(error).splitlines()[0], source) from error


def _prepared(tree: exp.Expr, macros: Mapping[str, Macro]) -> exp.Expr:
    tree = inline(tree, macros)
    if not isinstance(tree, exp.Query):
        raise Unsupported(f"statement {type(tree).__name__}")
    return tree


def _bound(tree: exp.Expr, values: Mapping[str, Any]) -> exp.Expr:
    """Values in the places of $parameters."""
    for place in list(tree.find_all(exp.Placeholder)):
        if place.name in values:
            place.replace(_value(values[place.name]))
    return tree


def _value(value: Any) -> exp.Expr:
    if isinstance(value, datetime | time):
        kind = exp.DType.TIMESTAMPNTZ if isinstance(value, datetime) else exp.DType.TIME
        return exp.cast(exp.Literal.string(str(value)), kind)
    return exp.convert(value)


def _text(tree: exp.Expr) -> str:
    """The text of a query for Spark, whose expressions are still those of DuckDB."""
    for cte in tree.find_all(exp.CTE):
        cte.set("materialized", None)
    tree = rewrite_expressions(tree)
    check(tree)
    return _Writer(dialect="spark", comments=False).generate(tree, copy=False)


class _Writer(SparkGenerator):
    """WITH of a query within stays there: its names may be others outside."""

    EXPRESSIONS_WITHOUT_NESTED_CTES: ClassVar[set[type[exp.Expr]]] = set()


# --- parts that are computed once ----------------------------------------------------------------


def _parts(tree: exp.Expr, name: str, relations: Relations) -> Iterator[Part]:
    """The query last, before it what its WITH says is computed once."""
    rewritten = rewrite(tree, relations)
    query = rewritten.query
    with_ = query.args.get("with_")
    before: list[exp.CTE] = []  # that stay in WITH
    for cte in list(with_.expressions) if with_ else ():
        if not cte.args.get("materialized"):
            before.append(cte)
            continue
        cte.pop()
        once = f"{name}__{cte.alias}"
        _rename(query, cte.alias, once)
        yield _part(_with(cte.this, before), once, is_once=True)
    if with_ and not with_.expressions:
        query.set("with_", None)
    yield _part(query, name, rewritten.columns)


def _with(query: exp.Expr, before: list[exp.CTE]) -> exp.Expr:
    """The query with those parts of WITH before it that it reads."""
    wanted = {table.name for table in query.find_all(exp.Table)}
    chosen: list[exp.CTE] = []
    for cte in reversed(before):
        if cte.alias in wanted:
            wanted |= {table.name for table in cte.find_all(exp.Table)}
            chosen.insert(0, cte.copy())
    if chosen and query.args.get("with_"):
        raise Unsupported("WITH in a part AS MATERIALIZED that reads another")
    if chosen:
        query.set("with_", exp.With(expressions=chosen))
    return query


def _rename(query: exp.Expr, old: str, new: str) -> None:
    """Read a table by another name, but where WITH of a query within gives the old one anew."""
    waiting = [query]
    while waiting:
        node = waiting.pop()
        if isinstance(node, exp.Table) and node.name == old:
            node.set("alias", node.args.get("alias") or exp.TableAlias(this=node.this.copy()))
            node.set("this", exp.to_identifier(new))
        inner = node.args.get("with_") if node is not query else None
        if not (inner and any(cte.alias == old for cte in inner.expressions)):
            waiting += node.iter_expressions()


def _part(query: exp.Expr, name: str, columns: Columns = (), *, is_once: bool = False) -> Part:
    reads = frozenset(table.name for table in query.find_all(exp.Table))
    return Part(name, _text(query), columns, reads, is_once)
