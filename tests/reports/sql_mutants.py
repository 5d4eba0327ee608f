"""One change in the SQL of a report or of a view behind it: do the cases worked by hand notice?

`python tests sql_mutants rmf.device ims.transit` prints what lives; a number tests one in so many.
A mutant of a report is noticed when one of its cases gives other rows than it says, or an error;
one of a view, when a case of any report over it does. Each mutant is one of: another operator, a
comparison turned, a number changed, another aggregate, a coalesce without its second half, an outer
join made inner, a field read in place of its neighbour in the same section.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

import duckdb
import sqlglot
from report_database import TYPES, with_tables
from sqlglot import exp
from test_report_values import FILES, matches, same, tables_of

from imsperf.reports.catalog import shipped
from imsperf.reports.definition import Report
from imsperf.reports.run import ask
from imsperf.store import view_statements

P1 = (
    "rmf.cpu", "rmf.partition", "rmf.workload", "rmf.device", "rmf.cf_structure",
    "ims.fixed_pools", "ims.latches", "ims.logger", "ims.transit", "ims.fast_path", "run.metrics",
)  # fmt: skip
SWAPPED = {
    exp.Add: exp.Sub, exp.Sub: exp.Add, exp.Mul: exp.Div, exp.Div: exp.Mul,
    exp.LT: exp.LTE, exp.LTE: exp.LT, exp.GT: exp.GTE, exp.GTE: exp.GT,
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.And: exp.Or, exp.Or: exp.And,
    exp.Sum: exp.Max, exp.Max: exp.Min, exp.Min: exp.Max,
}  # fmt: skip
KEYS = ("file_id", "record_no", "section_no", "byte_offset", "log_lsn")
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Mutant:
    """A changed statement: `view` is its view, or empty for the report itself."""

    view: str
    sql: str
    what: str


@cache
def views() -> Mapping[str, exp.Create]:
    """Views that sqlglot writes again as DuckDB reads them."""
    found = {}
    for text in view_statements():
        for statement in sqlglot.parse(text, read="duckdb"):
            if isinstance(statement, exp.Create) and statement.kind == "VIEW":
                found[statement.this.name] = statement
    return found


def views_behind(sql: str) -> list[str]:
    """Our views that a statement reads, and those behind them."""
    found: dict[str, None] = {}
    rest = [sqlglot.parse_one(sql, read="duckdb")]
    while rest:
        for table in rest.pop().find_all(exp.Table):
            if table.name in views() and table.name not in found:
                found[table.name] = None
                rest.append(views()[table.name].expression)
    return list(found)


def changed(tree: exp.Expression) -> Iterator[tuple[exp.Expression, str]]:
    """Copies of the tree with one change each, and what it was."""
    nodes = [node for node in tree.walk() if not _is_out_of_sight(node)]
    places = {id(node): place for place, node in enumerate(tree.walk())}
    for node in nodes:
        for made in _changes(node):
            copy = tree.copy()
            at = next(n for place, n in enumerate(copy.walk()) if place == places[id(node)])
            said = f"{_short(node)} -> {_short(made)}"
            if at is copy:
                continue
            at.replace(made.copy())
            yield copy, said


def _short(node: exp.Expression) -> str:
    text = " ".join(node.sql(dialect="duckdb", comments=False).split())
    return text if len(text) < 70 else text[:67] + "..."


def _is_out_of_sight(node: exp.Expression) -> bool:
    """What orders rows or names them, and identifiers that other nodes hold."""
    return isinstance(node, exp.Identifier) or node.find_ancestor(exp.Order) is not None


def _changes(node: exp.Expression) -> Iterator[exp.Expression]:
    other = SWAPPED.get(type(node))
    if other is not None:
        yield other(**{name: value for name, value in node.args.items() if name in other.arg_types})
    if isinstance(node, exp.Literal) and not node.is_string:
        yield exp.Literal.number(
            int(node.this) + 1 if node.this.isdigit() else 2 * float(node.this)
        )
    if isinstance(node, exp.Coalesce):
        yield node.this
    if isinstance(node, exp.Filter):
        yield node.this
    if isinstance(node, exp.Join) and node.side == "LEFT" and node.args.get("on"):
        made = node.copy()
        made.set("side", None)
        yield made
    if isinstance(node, exp.Column) and (field := _neighbour(node.name)):
        yield exp.column(field, table=node.table or None)


@cache
def _fields() -> Mapping[str, str]:
    """A field of a record and the next one of its section with the same type."""
    found: dict[str, str] = {}
    for table, columns in TYPES.items():
        if not table.startswith(("smf", "ims_")):
            continue
        names = list(columns)
        for place, name in enumerate(names):
            later = [n for n in names[place + 1 :] + names[:place] if columns[n] == columns[name]]
            if later and columns[name] not in ("VARCHAR", "TIMESTAMP"):
                found.setdefault(name, later[0])
    return {n: other for n, other in found.items() if n not in KEYS and other not in KEYS}


def _neighbour(name: str) -> str | None:
    return _fields().get(name)


@dataclass
class Case:
    """A case of a report, with its database."""

    said: Mapping[str, Any]
    con: duckdb.DuckDBPyConnection

    def gives(self, report: Report) -> bool:
        """Whether the rows are those it says."""
        try:
            query = ask(self.con, report, self.said.get("parameters"))
            with query.rows() as found:
                rows = found.to_arrow_table().to_pylist()
        except Exception:
            return False
        return as_expected(rows, self.said)

    @contextmanager
    def with_view(self, mutant: Mutant) -> Iterator[bool]:
        """The database with the view changed; whether DuckDB takes it."""
        try:
            self.con.execute(f'CREATE OR REPLACE VIEW "{mutant.view}" AS {mutant.sql}')
            yield True
        except duckdb.Error:
            yield False
        finally:
            self.con.execute(f'CREATE OR REPLACE VIEW "{mutant.view}" AS {unchanged(mutant.view)}')


def unchanged(view: str) -> str:
    return views()[view].expression.sql(dialect="duckdb")


@cache
def cases(report: str) -> tuple[Case, ...]:
    """The cases of a report; their databases stay open."""
    said = [json.loads(file.read_text(encoding="utf-8")) for file in FILES]
    return tuple(
        Case(each, with_tables(tables_of(each))) for each in said if each["report"] == report
    )


@cache
def readers(view: str) -> tuple[str, ...]:
    """Reports that read the view, those with the shortest way to it first."""
    found = {name: behind(name) for name in shipped().reports}
    reading = [name for name, names in found.items() if view in names]
    return tuple(sorted(reading, key=lambda name: (found[name].index(view), len(found[name]))))


@cache
def behind(report: str) -> tuple[str, ...]:
    return tuple(views_behind(shipped().reports[report].sql))


@cache
def is_the_same_again(view: str) -> bool:
    """Written again by sqlglot without a change, it gives the rows of all cases."""
    same_view = Mutant(view, unchanged(view), "nothing")
    return not noticed(same_view, readers(view))


def noticed(mutant: Mutant, names: Sequence[str]) -> bool:
    """Whether a case of one of the reports gives other rows."""
    for name in names:
        report = shipped().reports[name]
        for case in cases(name):
            if not mutant.view:
                if not case.gives(replace(report, sql=mutant.sql)):
                    return True
                continue
            with case.with_view(mutant) as taken:
                if not taken or not case.gives(report):
                    return True
    return False


def as_expected(rows: Rows, case: Mapping[str, Any]) -> bool:
    """The rows of a case, as its test compares them."""
    if len(rows) != case.get("row_count", len(rows)):
        return False
    for wanted in case["expect"]:
        found = [row for row in rows if matches(row, wanted, case)]
        if len(found) != 1:
            return False
        if not all(
            same(found[0][name], value, case["tolerance"]) for name, value in wanted.items()
        ):
            return False
    return True


def tested(reports: Sequence[str], every: int = 1) -> Iterator[tuple[str, Mutant, bool]]:
    """Mutants of these reports and of the views behind them, one in `every`, and whether each is
    noticed."""
    for name in reports:
        tree = sqlglot.parse_one(shipped().reports[name].sql, read="duckdb")
        for made, what in islice(changed(tree), 0, None, every):
            mutant = Mutant("", made.sql(dialect="duckdb"), what)
            yield name, mutant, noticed(mutant, [name])
    for view in dict.fromkeys(view for name in reports for view in behind(name)):
        if not is_the_same_again(view):
            print(f"{view}: sqlglot writes another view, not tested", file=sys.stderr)
            continue
        for made, what in islice(changed(views()[view].expression), 0, None, every):
            mutant = Mutant(view, made.sql(dialect="duckdb"), what)
            yield view, mutant, noticed(mutant, readers(view))


if __name__ == "__main__":
    counts: dict[str, list[int]] = {}
    names = [word for word in sys.argv[1:] if not word.isdigit()]
    steps = [int(word) for word in sys.argv[1:] if word.isdigit()]
    for place, mutant, dead in tested(names or P1, *steps):
        counts.setdefault(place, []).append(dead)
        if not dead:
            print(f"    {place}: {mutant.what}", flush=True)
    for place, results in counts.items():
        print(f"{place}: {len(results)} mutants, {len(results) - sum(results)} live", flush=True)
