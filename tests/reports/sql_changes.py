"""What a mistake in a SQL statement may look like: the statement again with one change each.

Operators of arithmetic, comparison and logic; numbers, texts and truth values; a condition left out
of WHERE, ON, HAVING or QUALIFY; a branch of CASE left out; an argument of coalesce, nullif or IN
left out; other aggregates, and one without FILTER or DISTINCT; other kinds of join; a key of a
window left out or its order turned; a column read in place of its neighbour in the same table.
The order of the rows of a statement is not changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

SWAPPED: Mapping[type[exp.Expression], type[exp.Expression]] = {
    exp.Add: exp.Sub, exp.Sub: exp.Add, exp.Mul: exp.Div, exp.Div: exp.Mul,
    exp.LT: exp.LTE, exp.LTE: exp.LT, exp.GT: exp.GTE, exp.GTE: exp.GT,
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.And: exp.Or, exp.Or: exp.And,
    exp.NullSafeEQ: exp.EQ, exp.NullSafeNEQ: exp.NEQ,
    exp.BitwiseLeftShift: exp.BitwiseRightShift, exp.BitwiseRightShift: exp.BitwiseLeftShift,
    exp.Sum: exp.Max, exp.Avg: exp.Max, exp.Max: exp.Min, exp.Min: exp.Max,
    exp.ArgMax: exp.ArgMin, exp.ArgMin: exp.ArgMax, exp.Greatest: exp.Least,
    exp.Least: exp.Greatest, exp.LogicalOr: exp.LogicalAnd, exp.LogicalAnd: exp.LogicalOr,
    exp.Lag: exp.Lead, exp.Lead: exp.Lag,
}  # fmt: skip
CLAUSES = ("where", "having", "qualify")
NAMES_A_RESULT = (exp.CTE, exp.Alias)


@dataclass(frozen=True)
class Change:
    """`sql` is the whole statement; `name` is unlike that of any other change of the statement."""

    name: str
    sql: str


def changes(
    tree: exp.Expression, beside: Mapping[str, str], is_asked: Callable[[str], bool]
) -> Iterator[Change]:
    """Changes of a statement whose names are asked; `beside` has the neighbour of a column."""
    known: Counter[str] = Counter()
    for node in list(tree.walk()):
        if node.find_ancestor(exp.Order) and not _is_of_a_window(node):
            continue
        for parent, key, made, said in _changes(node, beside):
            name = f"{_place(node)}{said}"
            known[name] += 1
            name = name if known[name] == 1 else f"{name} ({known[name]})"
            if not is_asked(name):
                continue
            before = parent.args.get(key)
            parent.set(key, made)
            sql = tree.sql(dialect="duckdb", comments=False)
            parent.set(key, before)
            yield Change(name, sql)


Made = tuple[exp.Expression, str, object, str]  # node, its argument, the new value, what was done


def _changes(node: exp.Expression, beside: Mapping[str, str]) -> Iterator[Made]:
    for key in CLAUSES:
        clause = node.args.get(key)
        if clause is not None and not isinstance(clause.this, exp.And):
            yield node, key, None, f"no {_short(clause)}"
    if isinstance(node, exp.Case):
        branches = node.args["ifs"]
        for place, branch in enumerate(branches):
            left = [b.copy() for i, b in enumerate(branches) if i != place]
            if left:
                yield node, "ifs", left, f"no {_short(branch)}"
        if node.args.get("default") is not None:
            yield node, "default", None, f"no ELSE {_short(node.args['default'])}"
    if isinstance(node, exp.In):
        for place, value in enumerate(node.expressions):
            left = [v.copy() for i, v in enumerate(node.expressions) if i != place]
            if left:
                yield node, "expressions", left, f"no {_short(value)} in {_short(node)}"
    if isinstance(node, exp.Window):
        yield from _without_one(node, "partition_by")
    if isinstance(node, exp.Ordered):
        yield node, "desc", not node.args.get("desc"), f"{_short(node)} turned"
    if isinstance(node, exp.Select) and node.args.get("distinct"):
        yield node, "distinct", None, "no DISTINCT"
    if isinstance(node, exp.Union):
        kind = "UNION ALL" if node.args.get("distinct") else "UNION"
        yield node, "distinct", not node.args.get("distinct"), kind
    if isinstance(node, exp.Group):
        for sets in node.args.get("grouping_sets") or ():
            yield from _without_one(sets, "expressions")
    if isinstance(node, exp.Join):
        yield from _joins(node)
    for made in _replacements(node, beside):
        yield *_put(node, made), f"{_short(node)} -> {_short(made)}"


def _without_one(node: exp.Expression, key: str) -> Iterator[Made]:
    values = node.args.get(key) or []
    for place, value in enumerate(values):
        left = [v.copy() for i, v in enumerate(values) if i != place]
        yield node, key, left, f"no {_short(value)} in {key.replace('_', ' ')}"


def _joins(node: exp.Join) -> Iterator[Made]:
    said = node.alias_or_name
    if node.side == "LEFT":
        yield node, "side", None, f"LEFT JOIN {said} -> JOIN"
    elif node.kind in ("ANTI", "SEMI"):
        other = "SEMI" if node.kind == "ANTI" else "ANTI"
        yield node, "kind", other, f"{node.kind} JOIN {said} -> {other}"
    elif not node.kind and (node.args.get("on") or node.args.get("using")):
        yield node, "side", "LEFT", f"JOIN {said} -> LEFT JOIN"
    if len(node.args.get("using") or ()) > 1:
        yield from _without_one(node, "using")


def _put(node: exp.Expression, made: exp.Expression) -> tuple[exp.Expression, str, object]:
    """Parent, argument and value that put `made` in the place of the node."""
    parent, key = node.parent, node.arg_key
    assert parent is not None and key is not None
    values = parent.args[key]
    if isinstance(values, list):
        return parent, key, [made if value is node else value.copy() for value in values]
    return parent, key, made


def _replacements(node: exp.Expression, beside: Mapping[str, str]) -> Iterator[exp.Expression]:
    if node.parent is None:
        return
    other = SWAPPED.get(type(node))
    if other is not None:
        copy = node.copy()
        yield other(**{name: value for name, value in copy.args.items() if name in other.arg_types})
    if isinstance(node.parent, exp.Connector) and not isinstance(node, type(node.parent)):
        yield from _truth(node)
    if isinstance(node, exp.Literal):
        yield from _literals(node)
    if isinstance(node, exp.Boolean):
        yield exp.Boolean(this=not node.this)
    if isinstance(node, (exp.Not, exp.Neg, exp.Nullif, exp.Filter)):
        yield node.this.copy()
    if isinstance(node, exp.Is) and not isinstance(node.parent, exp.Not):
        yield exp.Not(this=node.copy())
    if isinstance(node, exp.Coalesce):
        values = [node.this, *node.expressions]
        for value in values:
            left = [v.copy() for v in values if v is not value]
            yield exp.Coalesce(this=left[0], expressions=left[1:]) if left[1:] else left[0]
    if isinstance(node, exp.If) and not isinstance(node.parent, exp.Case):
        yield from (node.args[key].copy() for key in ("true", "false") if node.args.get(key))
    if isinstance(node, exp.Between):
        yield exp.GTE(this=node.this.copy(), expression=node.args["low"].copy())
        yield exp.LTE(this=node.this.copy(), expression=node.args["high"].copy())
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Distinct):
        yield exp.Count(this=node.this.expressions[0].copy(), big_int=True)
    elif isinstance(node, exp.Count):
        yield exp.Literal.number(1)
    if isinstance(node, exp.Column) and node.name in beside:
        copy = node.copy()
        copy.set("this", exp.to_identifier(beside[node.name]))
        yield exp.alias_(copy, node.name) if isinstance(node.parent, exp.Select) else copy


def _truth(node: exp.Expression) -> Iterator[exp.Expression]:
    """A part of a condition as if it were not there."""
    yield exp.Boolean(this=isinstance(node.parent, exp.And))


def _literals(node: exp.Literal) -> Iterator[exp.Expression]:
    if isinstance(node.parent, exp.Nullif) and node.arg_key == "expression":
        return  # the nullif left out is the same mistake
    if node.is_string:
        yield exp.Literal.string(node.this + "x")
    elif isinstance(node.parent, exp.Binary) and isinstance(node.parent, exp.BitwiseAnd):
        yield exp.Literal.number(2 * int(node.this))
    elif node.this.isdigit():
        yield exp.Literal.number(int(node.this) + 1)
    else:
        yield exp.Literal.number(2 * float(node.this))


def _is_of_a_window(node: exp.Expression) -> bool:
    order = node.find_ancestor(exp.Order)
    return order is not None and not isinstance(order.parent, exp.Query)


def _place(node: exp.Expression) -> str:
    """Names of the subquery and the column that the node is in: "device.iosq_us: "."""
    names = []
    above: exp.Expression | None = node
    while above is not None:
        if isinstance(above, NAMES_A_RESULT) and above.alias not in names[:1]:
            names.append(above.alias)
        above = above.parent
    return ".".join(reversed(names)) + ": " if names else ""


def _short(node: exp.Expression) -> str:
    text = " ".join(node.sql(dialect="duckdb", comments=False).split())
    return text if len(text) < 90 else f"{text[:60]}...{text[-26:]}"


def parsed(sql: str) -> list[exp.Expression]:
    """Statements of DuckDB."""
    return [tree for tree in sqlglot.parse(sql, read="duckdb") if tree is not None]
