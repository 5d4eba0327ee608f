"""What DuckDB's parser sees in our SQL: the columns of a SELECT, its ratios, the tables it reads.

Nothing is executed, and no database is needed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from imsperf import layouts
from imsperf.database.schema_cache import cached_file
from imsperf.database.store import view_statements
from imsperf.errors import ReportError
from imsperf.layout import RAW_TABLES
from imsperf.ledger import LEDGER_TABLES

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True)
class Ratio:
    """scale * (num[0] / den[0] + num[1] / den[1] ..), of columns of the same SELECT."""

    num: tuple[str, ...]
    den: tuple[str, ...]
    scale: float = 1.0


@dataclass(frozen=True)
class SelectColumn:
    """A column of the outer SELECT: the column it hands on, or the ratio it is, if either.

    `source`: with the name of its relation where that is said. `divides`: its expression divides by
    something that may be 0, whatever its form.
    """

    name: str
    source: str = ""
    ratio: Ratio | None = None
    divides: bool = False


@dataclass(frozen=True)
class Select:
    """A SELECT: its columns in order, and the tables, views and table macros it names."""

    columns: tuple[SelectColumn, ...]
    relations: tuple[str, ...]


@cache
def parse_select(sql: str) -> Select:
    """The columns and relations of one SELECT. Raises ReportError where it cannot be parsed."""
    return kept_selects().get(_digest(sql)) or parse_anew(sql)


def parse_anew(sql: str) -> Select:
    """`parse_select` of DuckDB's parser, whatever is kept."""
    tree, relations = _parsed(sql)
    items = tree["node"].get("select_list", ())
    given = _names_given(items)
    columns = tuple(
        SelectColumn(_name(item), _place(item), _ratio_of(item, given), _divides(item))
        for item in items
    )
    return Select(columns, relations)


def _names_given(items: Iterable[dict[str, Any]]) -> dict[str, str]:
    """What a name in an expression is called in the result: a column of the source comes first."""
    names = {_name(item): _name(item) for item in items}
    sources: dict[str, str] = {}
    for item in items:
        if _source(item) == _name(item):
            sources[_source(item)] = _name(item)
        sources.setdefault(_source(item), _name(item))
    return names | sources


def tables_read(sql: str) -> frozenset[str]:
    """The tables a SELECT reads, also through views and table macros."""
    return frozenset(
        name
        for name in relations_read(sql) - bodies().keys()
        if layouts.has_table(name) or name in LEDGER_TABLES or name in RAW_TABLES
    )


@cache
def relations_read(sql: str) -> frozenset[str]:
    """What a SELECT names, and what views and table macros among it name."""
    return frozenset(readers([sql]))


def readers(selects: Iterable[str]) -> Counter[str]:
    """What SELECTs and the views and table macros among it name, and how many of these name it."""
    known = bodies()
    seen = Counter[str]()
    waiting = list(selects)
    while waiting:
        named = _relations_of(waiting.pop())
        waiting += [known[name] for name in named if name in known and name not in seen]
        seen.update(named)
    return seen


@cache
def _relations_of(sql: str) -> frozenset[str]:
    return frozenset(parse_select(sql).relations)


# --- what is kept parsed -------------------------------------------------------------------------


@cache
def kept_selects() -> dict[str, Select]:
    """The SELECTs of shipped views and reports by their digests, parsed once and kept in the user's
    cache folder; none where nothing can be kept. A SELECT that was changed has another digest."""
    own = files("imsperf.reports").joinpath("syntax.py").read_text(encoding="utf-8")
    version = _digest("".join([own, duckdb.__version__, *view_statements()]))
    refused = (OSError, RuntimeError, ValueError, TypeError, AttributeError)  # no home; a bad file
    with suppress(*refused):
        path = cached_file("selects", version, ".json", _keep)
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {digest: _from_json(*parts) for digest, parts in kept.items()}
    return {}


def _keep(path: Path) -> None:
    folder = Path(str(files("imsperf.sql") / "reports"))
    texts = [report.read_text(encoding="utf-8") for report in sorted(folder.rglob("*.sql"))]
    selects = [*bodies().values(), *(text.partition("*/\n")[2].strip() for text in texts)]
    kept = {_digest(sql): parse_anew(sql) for sql in selects}
    path.write_text(json.dumps({digest: _as_json(one) for digest, one in kept.items()}), "utf-8")


def _as_json(select: Select) -> list[Any]:
    columns = [
        [c.name, c.source, c.ratio and [c.ratio.num, c.ratio.den, c.ratio.scale], c.divides]
        for c in select.columns
    ]
    return [columns, select.relations]


def _from_json(columns: list[Any], relations: list[str]) -> Select:
    made = tuple(
        SelectColumn(
            name, source, ratio and Ratio(tuple(ratio[0]), tuple(ratio[1]), ratio[2]), divides
        )
        for name, source, ratio, divides in columns
    )
    return Select(made, tuple(relations))


def _digest(sql: str) -> str:
    return hashlib.sha256(sql.encode()).hexdigest()[:32]


# --- SQL as its parser sees it -------------------------------------------------------------------


@cache
def unordered(sql: str) -> str:
    """The same rows in any order: a SELECT without its ORDER BY."""
    from imsperf.reports.in_memory import in_memory

    tree: dict[str, Any] = {"error": False, "statements": [_parsed(sql)[0]]}
    above = tree["statements"][0]["node"]["modifiers"]
    if [each["type"] for each in above] != ["ORDER_MODIFIER"]:
        return sql
    above.clear()
    with in_memory() as cursor:
        row = cursor.execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)]).fetchone()
    return str(row[0]) if row else sql


_ORDER_TERM = re.compile(
    r"(?:\w+\.)?(\w+)((?:\s+IS(?:\s+NOT)?\s+NULL|\s*=\s*'[^']*')?(?:\s+DESC|\s+ASC)?"
    r"(?:\s+NULLS\s+(?:FIRST|LAST))?)",
    re.IGNORECASE,
)


def order_terms(sql: str) -> list[tuple[str, str]]:
    """What the ORDER BY at the end of a SELECT orders by: a column and what follows it, DESC or
    IS NOT NULL, up to the first term that is more than that."""
    _, _, last = re.sub(r"\bORDER\s+BY\b", "\0", sql, flags=re.IGNORECASE).rpartition("\0")
    if last == sql or last.count(")") > last.count("("):  # of a window, or of a part in brackets
        return []
    matches = (_ORDER_TERM.fullmatch(term.strip()) for term in last.split(","))
    return [(match[1], match[2]) for match in takewhile(bool, matches) if match]


_BODY = re.compile(
    r"^CREATE OR REPLACE (?:VIEW (\w+) AS|MACRO (\w+)\([^)]*\) AS TABLE)\n(.*?);\n(?=\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


@cache
def bodies() -> dict[str, str]:
    """The SELECT of every view and of every macro that makes a table."""
    text = "\n\n".join(view_statements())
    return {view or macro: select for view, macro, select in _BODY.findall(text)}


def views() -> Iterator[str]:
    """The names of all views."""
    return (view for view, _, _ in _BODY.findall("\n\n".join(view_statements())) if view)


def _parsed(sql: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The statement of one SELECT as DuckDB's parser sees it, and the names of tables, views, CTEs
    and table functions in it. Raises ReportError for other SQL.

    A text that is given to a table function names one too: f('ims_4500').
    """
    from imsperf.reports.in_memory import in_memory

    names = dict[str, None]()

    def noted(node: dict[str, Any]) -> dict[str, Any]:
        match node.get("type"):
            case "BASE_TABLE":
                names[str(node["table_name"])] = None
            case "TABLE_FUNCTION":
                names[str(node["function"]["function_name"])] = None
                for given in node["function"]["arguments"]:
                    literal = given["expression"].get("literal") or {}
                    if literal.get("kind") == "STRING":
                        names[str(literal["text"])] = None
        return node

    with in_memory() as cursor:
        row = cursor.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    tree = json.loads(row[0], object_hook=noted) if row else {}
    if tree.get("error"):
        raise ReportError(f"the SQL cannot be parsed: {tree.get('error_message')}")
    statement: dict[str, Any] = tree["statements"][0]
    return statement, tuple(names)


def condition_columns(words: str) -> tuple[str, ...]:
    """The columns a condition names. Raises ReportError for what is no condition, or more."""
    from sqlglot import exp

    return tuple(dict.fromkeys(column.name for column in _condition(words).find_all(exp.Column)))


def condition_texts(words: str) -> tuple[tuple[str, str], ...]:
    """The texts that a condition compares a column with by = or IN, each with its column."""
    from sqlglot import exp

    pairs = []
    for node in _condition(words).find_all(exp.EQ, exp.In):
        column, *others = [*node.iter_expressions()]
        texts = [other.name for other in others if isinstance(other, exp.Literal)]
        pairs += [(column.name, text) for text in texts if isinstance(column, exp.Column)]
    return tuple(pairs)


def _condition(words: str) -> exp.Condition:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        trees = sqlglot.parse(words, read="duckdb")
    except SqlglotError as error:
        raise ReportError(f"found {words!r}, which is no condition of SQL") from error
    tree = trees[0] if len(trees) == 1 else None
    if not isinstance(tree, exp.Condition) or tree.find(exp.Query):
        raise ReportError(f"found {words!r}, expected one condition, without a SELECT")
    return tree


# --- ratios --------------------------------------------------------------------------------------


def _name(item: dict[str, Any]) -> str:
    return str(item["alias"] or (item.get("column_names") or ["?"])[-1])


def _place(item: dict[str, Any]) -> str:
    """The column of a relation that an item hands on, r.name; empty for any other expression."""
    return ".".join(item["column_names"]) if item.get("class") == "COLUMN_REF" else ""


def _source(item: dict[str, Any]) -> str:
    """The same without its relation."""
    return _place(item).rpartition(".")[2]


def _ratio_of(item: dict[str, Any], given: Mapping[str, str]) -> Ratio | None:
    """A sum of quotients `num / nullif(den, 0)` of given columns, times or over numbers."""
    ratio = _terms(item)
    if ratio and {*ratio.num, *ratio.den} <= set(given):
        num, den = (tuple(given[name] for name in names) for names in (ratio.num, ratio.den))
        return Ratio(num, den, ratio.scale)
    return None


def _terms(node: dict[str, Any]) -> Ratio | None:
    left, right = _operands(node)
    match node.get("function_name"):
        case "+":
            first, second = _terms(left), _terms(right)
            if first and second and first.scale == second.scale:
                return Ratio(first.num + second.num, first.den + second.den, first.scale)
        case "*":
            number, rest = _number(left), _terms(right)
            if number is not None and rest:
                return Ratio(rest.num, rest.den, rest.scale * number)
        case "/":
            number, rest = _number(right), _terms(left)
            if number is not None and rest:
                return Ratio(rest.num, rest.den, rest.scale / number)
            return _quotient(left, right)
    return None


def _quotient(above: dict[str, Any], below: dict[str, Any]) -> Ratio | None:
    """[number *] num / nullif(den, 0)."""
    scale, top = 1.0, above
    if above.get("function_name") == "*":
        number, top = _number(_operands(above)[0]), _operands(above)[1]
        if number is None:
            return None
        scale = number
    divisor, zero = _operands(below)
    if below.get("function_name") != "nullif" or _number(zero) != 0:
        return None
    if top.get("class") == divisor.get("class") == "COLUMN_REF":
        return Ratio((_source(top),), (_source(divisor),), scale)
    return None


def _operands(node: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    given = [argument["expression"] for argument in node.get("arguments", ())]
    return (given[0], given[1]) if len(given) == 2 else ({}, {})


def _divides(item: dict[str, Any]) -> bool:
    """A quotient, times or over numbers, by what is no number."""
    left, right = _operands(item)
    match item.get("function_name"):
        case "/":
            return _number(right) is None or _divides(left)
        case "*":
            return _divides(left) or _divides(right)
    return False


def _number(node: dict[str, Any]) -> float | None:
    literal = node.get("literal") or {}
    return float(literal["text"]) if literal.get("kind") in ("INTEGER", "NUMERIC") else None
