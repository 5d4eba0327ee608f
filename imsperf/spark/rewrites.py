"""Expressions of DuckDB as those of Spark, one function for each kind; what is not here is refused.

Spark is told that it errs on overflow (ANSI mode), that local time is UTC, and that there is a type
TIME. A number with a point is a DOUBLE, which it becomes in DuckDB as soon as it meets one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from sqlglot import exp

from imsperf import layouts
from imsperf.spark.unsupported import Unsupported

_Node = exp.Expr


def rewrite_expressions(tree: _Node) -> _Node:
    """The tree with all expressions as Spark has them. Raises Unsupported."""
    for node in reversed(list(tree.walk(bfs=True))):
        change = _CHANGES.get(type(node))
        new = change(node) if change else node
        if new is not node:
            if node is tree:
                tree = new
            else:
                node.replace(new)
    return tree


def check(tree: _Node) -> None:
    """Raise Unsupported where a function or a kind of expression is none that Spark has."""
    for node in tree.walk():
        if isinstance(node, exp.Anonymous):
            if node.name.upper() not in _SPARK_FUNCTIONS:
                raise Unsupported(f"function {node.name}()")
        elif isinstance(node, exp.Func | exp.SetOperation | exp.Binary | exp.UDTF | exp.Join):
            if type(node).__name__ not in _SPARK_KINDS:
                raise Unsupported(node.sql("duckdb", comments=False)[:80])
            if isinstance(node, exp.Join) and node.method:
                raise Unsupported(f"{node.method} JOIN")
        elif _adds_to_a_named_window(node):
            raise Unsupported(node.sql("duckdb", comments=False)[:80])


def _adds_to_a_named_window(node: _Node) -> bool:
    return (
        isinstance(node, exp.Window)
        and bool(node.alias)
        and any(map(node.args.get, ("spec", "order")))
    )


# --- pieces --------------------------------------------------------------------------------------


def _call(name: str, *arguments: _Node) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _number(value: int) -> _Node:
    return exp.Literal.number(value)


def _cast(value: _Node, type_name: str) -> exp.Cast:
    return exp.Cast(this=_bare(value), to=_kind(type_name))


def _bare(value: _Node) -> _Node:
    while isinstance(value, exp.Paren):
        value = value.this
    return value


def _closed(value: _Node) -> _Node:
    return exp.Paren(this=value) if isinstance(value, exp.Binary | exp.Is | exp.Not) else value


def _is_double(value: _Node) -> bool:
    value = _bare(value)
    return isinstance(value, exp.Cast) and value.to.this == exp.DType.DOUBLE


def _double(value: _Node) -> _Node:
    return value if _is_double(value) else _cast(value, "DOUBLE")


def _lambda(body: _Node, *names: str) -> exp.Lambda:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(name) for name in names])


def _var(words: str) -> exp.Var:
    return exp.Var(this=words)


@cache
def _built(words: str) -> exp.DataType:
    return exp.DataType.build(words, dialect="spark")


def _kind(words: str) -> exp.DataType:
    return _built(words).copy()


_EPOCH = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"
_MONDAY = "TIMESTAMP_NTZ '2000-01-03 00:00:00'"  # where DuckDB's time_bucket counts from
_US = "INTERVAL '0 00:00:00.000001' DAY TO SECOND"


# --- numbers -------------------------------------------------------------------------------------


def _literal(node: exp.Literal) -> _Node:
    if node.is_string or "." not in node.name:
        return node
    return exp.Literal.number(node.name if "e" in node.name.lower() else f"{node.name}D")


def _divide(node: exp.Div) -> _Node:
    return exp.Div(this=_double(node.this), expression=_double(node.expression))


def _bits(node: exp.Binary) -> _Node:
    return type(node)(
        this=_cast(node.this, "BIGINT"),
        expression=node.expression if node.expression.is_number else _cast(node.expression, "INT"),
    )


def _and_bits(node: exp.Binary) -> _Node:
    return type(node)(this=_cast(node.this, "BIGINT"), expression=_cast(node.expression, "BIGINT"))


def _average(node: exp.Avg) -> _Node:
    return exp.Avg(this=_double(node.this))


_INTEGERS = (exp.DType.BIGINT, exp.DType.INT)


def _casted(node: exp.Cast) -> _Node:
    """DuckDB rounds what becomes an integer, Spark cuts it."""
    value = node.this
    if value.is_string and node.to.this == exp.DType.TIMESTAMPNTZ:
        ends = {
            "infinity": "TIMESTAMP_NTZ '9999-12-31 23:59:59.999999'",
            "-infinity": "TIMESTAMP_NTZ '0001-01-01 00:00:00'",
        }
        return _var(ends[value.name]) if value.name in ends else node
    if node.to.this in _INTEGERS and any(
        isinstance(part, exp.Div | exp.Round | exp.Floor)
        or (isinstance(part, exp.Literal) and not part.is_string and not part.is_int)
        for part in value.walk()
    ):
        node.set("this", _call("BROUND", _bare(value)))
    return node


# An unsigned number gets a type that holds it.
_TYPES = {
    exp.DType.UTINYINT: "SMALLINT",
    exp.DType.USMALLINT: "INT",
    exp.DType.UINT: "BIGINT",
    exp.DType.UBIGINT: "DECIMAL(20, 0)",
    exp.DType.INT128: "DECIMAL(38, 0)",
}
# Types of Spark that sqlglot has no kind for.
_TYPES_BY_NAME = {exp.DType.TIME: "TIME", exp.DType.INTERVAL: "INTERVAL DAY TO SECOND"}


def _data_type(node: exp.DataType) -> _Node:
    node.set("values", None)  # an array of a fixed length
    if name := _TYPES_BY_NAME.get(node.this):
        return exp.DataType(this=exp.DType.USERDEFINED, kind=name)
    return _kind(_TYPES[node.this]) if node.this in _TYPES else node


@cache
def spark_type(sql: str) -> str:
    """The type of Spark for a column of that type in DuckDB."""
    return rewrite_expressions(exp.DataType.build(sql, dialect="duckdb")).sql("spark")


# --- times ---------------------------------------------------------------------------------------


def _microseconds(time: _Node, start: str = _EPOCH) -> _Node:
    return _call("TIMESTAMPDIFF", _var("MICROSECOND"), _var(start), _bare(time))


def _length(interval: _Node) -> _Node:
    """Microseconds of an interval."""
    return _microseconds(exp.Add(this=_var(_EPOCH), expression=_closed(_bare(interval))))


def _epoch(node: exp.TimeToUnix) -> _Node:
    """Seconds of an interval; our SQL asks for no other."""
    return exp.Paren(this=exp.Div(this=_length(node.this), expression=exp.Literal.number("1e6")))


def _interval(microseconds: _Node) -> _Node:
    return exp.Paren(this=exp.Mul(this=_var(_US), expression=_closed(microseconds)))


def _interval_of(count: _Node, unit_us: str) -> _Node:
    """So many units of that many microseconds; DuckDB rounds parts of one."""
    microseconds = exp.Mul(this=exp.Literal.number(unit_us), expression=_closed(count))
    return _interval(_cast(_call("BROUND", microseconds), "BIGINT"))


_UNIT_US = {"MILLISECOND": 1_000, "SECOND": 1_000_000, "MINUTE": 60_000_000, "HOUR": 3_600_000_000}


def _interval_literal(node: exp.Interval) -> _Node:
    unit = node.unit.name.upper().removesuffix("S") if node.unit else ""
    if unit not in _UNIT_US or not isinstance(node.this, exp.Literal):
        raise Unsupported(node.sql("duckdb"))
    return _interval(_number(int(node.this.name) * _UNIT_US[unit]))


def _truncated(node: exp.TimestampTrunc) -> _Node:
    return _cast(node.copy(), "TIMESTAMP_NTZ")


def _bucket(node: exp.DateBin) -> _Node:
    """Start of the bucket of that width, counted from a Monday."""
    width = _length(node.this)
    count = exp.Floor(
        this=exp.Div(
            this=_double(_microseconds(node.expression, _MONDAY)), expression=_double(width)
        )
    )
    begun = exp.Mul(this=count, expression=width.copy())
    return exp.Paren(this=exp.Add(this=_var(_MONDAY), expression=_interval(begun)))


@cache
def _columns_of(type_name: str) -> frozenset[str]:
    """Names of the columns of tables that have a type."""
    tables = layouts.shipped_tables().values()
    return frozenset(c.name for table in tables for c in table.columns if c.sql == type_name)


def _add(node: exp.Add) -> _Node:
    """A day and a time of day are a point in time."""
    day, clock = node.this, node.expression
    if (
        isinstance(day, exp.Column)
        and isinstance(clock, exp.Column)
        and day.name in _columns_of("DATE")
        and clock.name in _columns_of("TIME")
    ):
        return _call("MAKE_TIMESTAMP_NTZ", day, clock)
    return node


# --- texts ---------------------------------------------------------------------------------------

_SLOT = re.compile(r"%[0-9.]*([A-Za-z])")


def _printf(node: exp.Anonymous) -> _Node:
    """NULL where a value is NULL; Spark would print the word."""
    template, *values = node.expressions
    kinds = _SLOT.findall(template.name)
    to = {"X": "BIGINT", "d": "BIGINT", "f": "DOUBLE", "s": ""}
    if len(kinds) != len(values) or not set(kinds) <= set(to):
        raise Unsupported(node.sql("duckdb"))
    cast = [
        _cast(value, to[kind]) if to[kind] else value
        for kind, value in zip(kinds, values, strict=True)
    ]
    is_known = exp.and_(
        *(exp.Is(this=_closed(v.copy()), expression=exp.null()).not_() for v in values)
    )
    return exp.Case(ifs=[exp.If(this=is_known, true=_call("FORMAT_STRING", template, *cast))])


def _format(node: exp.Format) -> _Node:
    """format('{:02X}', n) is printf('%02X', n)."""
    slot = re.fullmatch(r"\{:(\d*X)\}", node.this.name)
    if not slot:
        raise Unsupported(node.sql("duckdb"))
    template = exp.Literal.string(f"%{slot[1]}")
    return _printf(_call("PRINTF", template, *node.expressions))


def _glob(node: exp.Glob) -> _Node:
    """* and ? of a pattern, as a regular expression; other characters stand for themselves."""
    text = exp.Literal.string
    pattern: _Node = _call(
        "REGEXP_REPLACE", node.expression, text(r"([^A-Za-z0-9*?])"), text(r"\\$1")
    )
    pattern = _call(
        "REPLACE", _call("REPLACE", pattern, text("*"), text(".*")), text("?"), text(".")
    )
    pattern = _call("CONCAT", text("^"), pattern, text("$"))
    return exp.RegexpLike(this=node.this, expression=pattern)


# --- lists ---------------------------------------------------------------------------------------


def _picked(node: exp.Bracket) -> _Node:
    """An element, which is NULL beyond the end; or a part, of a text or a list."""
    (place,) = node.expressions
    if not isinstance(place, exp.Slice):
        if place.is_int:  # the parser counts numbers from 0, nothing else
            return _call("GET", node.this, place)
        return _element(node.this, place)
    begin = place.this
    count: _Node = place.expression
    if begin.name != "1":
        count = exp.Add(this=exp.Sub(this=_closed(count), expression=begin), expression=_number(1))
    name = node.this.name if isinstance(node.this, exp.Column) else ""
    of_text = name in _columns_of("VARCHAR") or name in _columns_of("BLOB")
    return _call("SUBSTRING" if of_text else "SLICE", node.this, begin, _int(count))


def _int(value: _Node) -> _Node:
    return value if value.is_int else _cast(value, "INT")


def _element(values: _Node, place: _Node) -> _Node:
    """Places count from 1 in DuckDB, from 0 in Spark."""
    return _call("GET", values, _int(exp.Sub(this=_closed(place), expression=_number(1))))


def _folded(values: _Node, type_name: str, both: _Node) -> _Node:
    """All elements put together, without NULLs; NULL where there are none."""
    joined = exp.Coalesce(this=both, expressions=[exp.column("a"), exp.column("b")])
    return _call(
        "AGGREGATE",
        values,
        exp.Cast(this=exp.null(), to=_kind(type_name)),
        _lambda(exp.Cast(this=joined, to=_kind(type_name)), "a", "b"),
    )


def _position(node: exp.Anonymous) -> _Node:
    """NULL where the value is not in the list; Spark says 0."""
    return exp.Nullif(this=_call("ARRAY_POSITION", *node.expressions), expression=_number(0))


def _summed(node: exp.Anonymous) -> _Node:
    """Of lists of integers."""
    both = exp.Add(this=exp.column("a"), expression=exp.column("b"))
    return _folded(node.expressions[0], "DECIMAL(38, 0)", both)


def _any_of(node: exp.Anonymous) -> _Node:
    both = exp.Or(this=exp.column("a"), expression=exp.column("b"))
    return _folded(node.expressions[0], "BOOLEAN", both)


def _transformed(node: exp.Transform) -> _Node:
    """list_transform over list_zip: a function of two elements."""
    zipped = node.this
    if not (isinstance(zipped, exp.Anonymous) and zipped.name.upper() == "LIST_ZIP"):
        return node
    function = node.expression
    (pair,) = function.expressions
    # its elements were made GET(pair, 0), GET(pair, 1) before
    for call in list(function.find_all(exp.Anonymous)):
        if call.name == "GET" and call.expressions[0].name == pair.name:
            call.replace(exp.column(f"{pair.name}_{call.expressions[1].name}"))
    names = [f"{pair.name}_{number}" for number in range(len(zipped.expressions))]
    return _call("ZIP_WITH", *zipped.expressions, _lambda(function.this, *names))


def _long(node: exp.Length) -> _Node:
    if isinstance(node.this, exp.ArrayFilter):
        return _call("SIZE", node.this)
    raise Unsupported(f"{node.sql('duckdb')}: of a text or of a list?")


def _series(node: exp.GenerateSeries) -> _Node:
    """range(a, b), which is empty where b is not above a."""
    if not node.args.get("is_end_exclusive") or node.args.get("step"):
        raise Unsupported(node.sql("duckdb"))
    start, end = node.args["start"], node.args["end"]
    last = _call("GREATEST", start.copy(), exp.Sub(this=_closed(end.copy()), expression=_number(1)))
    below = exp.LT(this=exp.column("each_number"), expression=_closed(end))
    numbers = _call("SEQUENCE", start, last)
    return exp.ArrayFilter(this=numbers, expression=_lambda(below, "each_number"))


# --- aggregates and the rest ---------------------------------------------------------------------


def _at_extreme(node: exp.ArgMin | exp.ArgMax) -> _Node:
    """DuckDB passes over rows whose value is NULL."""
    is_known = exp.Is(this=_closed(node.this.copy()), expression=exp.null()).not_()
    of = exp.Case(ifs=[exp.If(this=is_known, true=node.expression)])
    return type(node)(this=node.this, expression=of)


def _not_null(node: exp.IgnoreNulls) -> _Node:
    """any_value(x, true), since IGNORE NULLS stands behind FILTER."""
    if not isinstance(node.this, exp.AnyValue):
        raise Unsupported(node.sql("duckdb"))
    return _call("ANY_VALUE", node.this.this, exp.true())


def _percentile(node: exp.PercentileCont) -> _Node:
    return _call("PERCENTILE", node.this, node.expression)


def _joined_texts(node: exp.GroupConcat) -> _Node:
    """listagg(DISTINCT x, s ORDER BY x) has its order behind."""
    values = node.this
    order = values if isinstance(values, exp.Order) else None
    if order is None:
        return node
    call = _call("LISTAGG", order.this, node.args.get("separator") or exp.Literal.string(""))
    return exp.WithinGroup(this=call, expression=exp.Order(expressions=order.expressions))


_NAMED: dict[str, Callable[[exp.Anonymous], _Node]] = {
    "EPOCH_US": lambda node: _microseconds(node.expressions[0]),
    "TO_MICROSECONDS": lambda node: _interval_of(node.expressions[0], "1"),
    "TO_SECONDS": lambda node: _interval_of(node.expressions[0], "1e6"),
    "TO_MINUTES": lambda node: _interval_of(node.expressions[0], "6e7"),
    "PRINTF": _printf,
    "LIST_EXTRACT": lambda node: _element(*node.expressions),
    "LIST_POSITION": _position,
    "LIST_SUM": _summed,
    "LIST_BOOL_OR": _any_of,
    "GETVARIABLE": lambda node: _var(f"session.{node.expressions[0].name}"),
    "ERROR": lambda node: _call("RAISE_ERROR", *node.expressions),
    "HASH": lambda node: _call("XXHASH64", *node.expressions),
}


def _named(node: exp.Anonymous) -> _Node:
    change = _NAMED.get(node.name.upper())
    return change(node) if change else node


_CHANGES: dict[type[_Node], Callable[..., _Node]] = {
    exp.Anonymous: _named,
    exp.Literal: _literal,
    exp.Div: _divide,
    exp.BitwiseAnd: _and_bits,
    exp.BitwiseRightShift: _bits,
    exp.Avg: _average,
    exp.Cast: _casted,
    exp.TryCast: _casted,
    exp.DataType: _data_type,
    exp.TimeToUnix: _epoch,
    exp.Interval: _interval_literal,
    exp.TimestampTrunc: _truncated,
    exp.DateBin: _bucket,
    exp.Add: _add,
    exp.Format: _format,
    exp.Glob: _glob,
    exp.Bracket: _picked,
    exp.Transform: _transformed,
    exp.Length: _long,
    exp.GenerateSeries: _series,
    exp.ArgMin: _at_extreme,
    exp.ArgMax: _at_extreme,
    exp.IgnoreNulls: _not_null,
    exp.PercentileCont: _percentile,
    exp.GroupConcat: _joined_texts,
}

# Kinds of expressions that Spark has as sqlglot writes them, and functions of Spark for which
# sqlglot has no kind.
_KINDS = """
    Abs Add And ArgMax ArgMin Array ArrayFilter Avg BitwiseAnd BitwiseRightShift Case Cast Coalesce
    ConcatWs Contains Count DPipe DenseRank Div EQ Escape Exists Explode Floor GT GTE Greatest
    Grouping Hex If IntDiv Is Join LT LTE Lag Lateral Lead Least Left Like LogicalAnd LogicalOr
    Lower Max Median Min Mod Mode Mul NEQ NullSafeEQ NullSafeNEQ Nullif Or Pow PropertyEQ
    RegexpExtract RegexpExtractAll RegexpLike Replace Right Round RowNumber Split SplitPart Sqrt
    StartsWith StddevSamp StrPosition Struct Sub Substring Sum TimestampTrunc Trim TryCast Union
    Unnest Upper Values
"""
_FUNCTIONS = """
    AGGREGATE ANY_VALUE ARRAY_POSITION BROUND CONCAT FORMAT_STRING GET GREATEST LISTAGG
    MAKE_TIMESTAMP_NTZ PERCENTILE RAISE_ERROR REGEXP_REPLACE REPLACE SEQUENCE SIZE SLICE STRUCT
    SUBSTRING TIMESTAMPDIFF XXHASH64 ZIP_WITH
"""
_SPARK_KINDS, _SPARK_FUNCTIONS = frozenset(_KINDS.split()), frozenset(_FUNCTIONS.split())
