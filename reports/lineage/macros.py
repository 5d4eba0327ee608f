"""Macros of our SQL, written out where they are called: lineage follows what they stand for, and
Spark has none that take tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

_OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Bracket, exp.AtTimeZone)


@dataclass(frozen=True)
class Macro:
    """CREATE MACRO name(parameters) AS body; the body of a table macro is a query."""

    parameters: tuple[str, ...]
    body: exp.Expr


def macro_of(create: exp.Create) -> dict[str, Macro]:
    """What a CREATE MACRO statement makes, by its name."""
    head = create.this
    parameters = tuple(parameter.name for parameter in head.expressions)
    return {head.this.name.lower(): Macro(parameters, create.expression)}


def inline(tree: exp.Expr, macros: Mapping[str, Macro]) -> exp.Expr:
    """The same tree without calls of macros, also of those that macros call."""
    for call in list(tree.find_all(exp.Anonymous)):
        macro = macros.get(call.name.lower())
        if macro is None:
            continue
        place = call.parent if isinstance(call.parent, exp.Table) else call
        body = inline(_filled(macro, call.expressions), macros)
        new = _table(place, body) if isinstance(place, exp.Table) else _operand(place, body)
        if place is tree:
            return new
        place.replace(new)
    return tree


def _filled(macro: Macro, arguments: list[exp.Expr]) -> exp.Expr:
    """The body with arguments in the places of parameters."""
    given = dict(zip(macro.parameters, arguments, strict=True))
    body = exp.Paren(this=macro.body.copy())  # so that a body of one parameter can be replaced too
    for column in list(body.find_all(exp.Column)):
        # a field of a row that is a parameter: now.counters
        name = column.parts[0].name
        if name not in given:
            continue
        value = given[name].copy()
        rest = [part.name for part in column.parts[1:]]
        if rest and isinstance(value, exp.Column):
            value = _path([*(part.name for part in value.parts), *rest])
        column.replace(_operand(column, value))
    for call in list(body.find_all(exp.Anonymous)):
        if call.name.lower() == "query_table" and isinstance(call.parent, exp.Table):
            call.replace(exp.to_identifier(call.expressions[0].name))
    filled: exp.Expr = body.this
    filled.pop()
    return filled


def _operand(place: exp.Expr, value: exp.Expr) -> exp.Expr:
    """What stands in this place, in parentheses among operators: 1e4 * (a - b)."""
    is_among = isinstance(place.parent, _OPERATORS) and not isinstance(place.parent, exp.Paren)
    is_operator = isinstance(value, _OPERATORS) and not isinstance(value, exp.Paren)
    return exp.Paren(this=value) if is_among and is_operator else value


def _path(words: list[str]) -> exp.Expr:
    """a.b.c as the parser reads it."""
    names = ("this", "table", "db", "catalog")
    parts = dict(zip(names, map(exp.to_identifier, reversed(words)), strict=False))
    return exp.Column(**parts)


def _table(call: exp.Table, body: exp.Expr) -> exp.Subquery:
    alias = call.args.get("alias") or exp.TableAlias(this=exp.to_identifier(call.this.name))
    return exp.Subquery(this=body, alias=alias)
