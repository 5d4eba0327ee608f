"""What a formula is made of: columns, calls over many rows, and which of them only decide.

The operands of a formula are what its numbers are put in for: columns of the row, and whole calls
of aggregates, windows and SELECTs, whose own arguments come from other rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from imsperf.reports.lineage.scopes import nodes

VALUE, CONDITION = "value", "condition"

# Aggregates of DuckDB that sqlglot takes for plain functions.
_AGGREGATES = frozenset(
    (
        "arbitrary", "arg_max_null", "arg_min_null", "arg_max_nulls_last", "arg_min_nulls_last",
        "bitstring_agg", "count_star", "entropy", "favg", "fsum", "histogram", "histogram_exact",
        "kahan_sum", "kurtosis_pop", "mad", "mean", "product", "reservoir_quantile", "sem",
        "sumkahan",
    )
)  # fmt: skip
_NULLS = (exp.IgnoreNulls, exp.RespectNulls)


def is_aggregate(node: exp.Expr) -> bool:
    """A call of an aggregate, without its FILTER and OVER."""
    by_name = isinstance(node, exp.Anonymous) and node.name.lower() in _AGGREGATES
    return by_name or isinstance(node, exp.AggFunc)


def is_call(node: exp.Expr) -> bool:
    """A call over many rows, with its FILTER and OVER, or a SELECT."""
    if isinstance(node, _NULLS):
        return is_call(node.this)
    if isinstance(node, (exp.Window, exp.Filter, exp.Query, exp.Exists)) or is_aggregate(node):
        return True
    return isinstance(node, exp.In) and node.args.get("query") is not None


def operands(expression: exp.Expr) -> list[exp.Expr]:
    """The columns and calls of a formula, from left to right."""
    walk = expression.dfs(prune=lambda place: is_call(place) or isinstance(place, exp.Column))
    return [node for node in walk if is_call(node) or (_is_column(node) and not _is_bound(node))]


def references(expression: exp.Expr) -> Iterator[tuple[exp.Expr, str]]:
    """Every column, SELECT and COLUMNS() inside, calls too, each with VALUE or CONDITION."""
    stops = (exp.Query, exp.Columns)
    for node in expression.dfs(prune=lambda node: isinstance(node, stops)):
        if isinstance(node, stops) or (_is_column(node) and not _is_bound(node)):
            yield node, role(node, expression)
    for window in expression.find_all(exp.Window):
        for named in _named_window(window):
            yield from ((column, CONDITION) for column in named.find_all(exp.Column))


def _named_window(window: exp.Window) -> Iterator[exp.Expr]:
    """The definition of `OVER name`, in the WINDOW clause of its SELECT."""
    select = window.find_ancestor(exp.Select)
    for window_of in nodes(select.args.get("windows")) if select else ():
        if window.alias and window_of.name == window.alias:
            yield window_of


def _is_column(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)


def _is_bound(column: exp.Expr) -> bool:
    """The parameter of a lambda around it."""
    first = column.parts[0].name if isinstance(column, exp.Column) else ""
    around, node = set(), column.parent
    while node is not None and not isinstance(node, exp.Query):
        if isinstance(node, exp.Lambda):
            around |= {expression.name for expression in node.expressions}
        node = node.parent
    return first in around


def role(node: exp.Expr, root: exp.Expr) -> str:
    """Whether a part of a formula makes its value, or only decides which part does."""
    for inner, outer in _ancestors(node, root):
        if isinstance(outer, (exp.If, exp.Case)) and inner.arg_key == "this":
            if _has_values(outer):
                return CONDITION
            continue  # CASE kind WHEN 2 THEN 'IIP' END: what is tested makes the value
        if isinstance(outer, (exp.Filter, exp.Window)) and inner.arg_key != "this":
            return CONDITION
        if isinstance(outer, exp.Ordered) or (
            isinstance(outer, (exp.ArgMax, exp.ArgMin)) and inner.arg_key != "this"
        ):
            return CONDITION
        if isinstance(outer, (exp.Exists, exp.Grouping)) or inner.arg_key == "query":
            return CONDITION
    return VALUE


def _has_values(node: exp.Expr) -> bool:
    """A CASE or if() that hands on what it reads, not constants only."""
    case = node.parent if isinstance(node.parent, exp.Case) else node
    whens = case.args["ifs"] if isinstance(case, exp.Case) else [case]
    results = [*(when.args["true"] for when in whens), case.args.get("default")]
    results += [case.args.get("false")]
    parts = (each for result in results if result is not None for each in result.dfs())
    return any(is_call(each) or _is_column(each) for each in parts)


def _ancestors(node: exp.Expr, root: exp.Expr) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """Each node from this one up to the root, with the node it stands in."""
    while node is not root and node.parent is not None:
        yield node, node.parent
        node = node.parent


def path_guard(node: exp.Expr, root: exp.Expr, inside: str) -> str:
    """`inside` as SQL that is NULL where CASE, if() or coalesce() take another part than this."""
    for inner, outer in _ancestors(node, root):
        if isinstance(outer, exp.Case) and inner.arg_key == "default":
            inside = _case_with(outer, "", inside)
        elif isinstance(outer, exp.If) and isinstance(outer.parent, exp.Case):
            inside = _case_with(outer.parent, outer, inside)
        elif isinstance(outer, exp.If):
            test = sql(outer.this)
            wanted = test if inner.arg_key == "true" else f"NOT coalesce({test}, false)"
            inside = f"CASE WHEN {wanted} THEN {inside} END"
        elif isinstance(outer, exp.Coalesce):
            tries = [outer.this, *outer.expressions]
            before = [f"({sql(step)}) IS NULL" for step in tries[: _place(inner, tries)]]
            tests = " AND ".join([*before, f"({sql(inner)}) IS NOT NULL"])
            inside = f"CASE WHEN {tests} THEN {inside} END"
    return inside


def _place(expr: exp.Expr, among: list[exp.Expr]) -> int:
    return next(place for place, each in enumerate(among) if each is expr)


def _case_with(case: exp.Case, chosen: exp.If | str, inside: str) -> str:
    """The same CASE, with a value in the chosen branch only; "" chooses ELSE."""
    subject = f" {sql(case.this)}" if case.this else ""
    tests = " ".join(
        f"WHEN {sql(arg.this)} THEN {inside if arg is chosen else 'NULL'}"
        for arg in case.args["ifs"]
    )
    return f"CASE{subject} {tests} ELSE {'NULL' if chosen else inside} END"


def sql(node: exp.Expr) -> str:
    """For DuckDB."""
    return str(node.sql(dialect="duckdb", comments=False))


_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


def readable(node: exp.Expr) -> str:
    """For a person, in one line: no quotes where none are needed."""

    def plain(expr: exp.Expr) -> exp.Expr:
        if isinstance(expr, exp.Identifier) and _PLAIN.fullmatch(expr.name):
            expr.set("quoted", False)
        return expr

    shown = node.copy().transform(plain, copy=False)
    text = shown.sql(dialect="duckdb", comments=False, normalize_functions="lower")
    return str(text).replace("INT128", "HUGEINT")
