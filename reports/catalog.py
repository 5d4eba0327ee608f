"""Find, read and check the report files: one .sql file, one report.

A report file begins with a TOML header in a comment, whose members README.md here lists; the rest
is one SELECT.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from imsperf.errors import ReportError, near
from imsperf.reports.lead_columns import LEAD

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

KINDS = ("ratio", "count", "level", "highwater", "config", "text", "time", "part")
TOTALS = ("sum", "mean", "max", "min", "last", "same", "whole")
_TOTAL_OF_KIND = {"count": "sum", "part": "sum", "level": "mean", "highwater": "max"}
_HEADER = re.compile(r"\s*/\* imsperf report\n(?P<toml>.*?)\*/\n(?P<sql>.*)", re.DOTALL)


@dataclass(frozen=True)
class ReportColumn:
    """One column. A ratio is scale * (num[0]/den[0] + num[1]/den[1] ..); its parts are columns."""

    name: str
    kind: str
    doc: str
    label: str = ""
    unit: str = ""
    better: str = ""
    num: tuple[str, ...] = ()
    den: tuple[str, ...] = ()
    scale: float = 1.0
    margin_pct: float = 1.0
    total: str = ""
    total_sql: str = ""
    format: str = ""
    empty: str = "-"
    from_: tuple[str, ...] = ()

    @property
    def total_rule(self) -> str:
        """How several intervals become one value; "ratio" means from its parts."""
        if self.kind == "ratio":
            return "ratio"
        return self.total or _TOTAL_OF_KIND.get(self.kind, "same")

    @property
    def heading(self) -> str:
        """What a reader of the printed report knows it by."""
        return self.label or self.name


@dataclass(frozen=True)
class Parameter:
    """A named value the SQL takes as $name."""

    name: str
    type: str
    default: Any
    doc: str


@dataclass(frozen=True)
class ChartSpec:
    """The default chart: `y` columns over `x`, one mark for each value of `color`."""

    mark: str
    x: str
    y: tuple[str, ...]
    title: str
    color: str = ""
    facet: str = ""
    where: str = ""
    top: int = 0
    by: str = ""
    stack: str = "yes"
    own_y: bool = False


@dataclass(frozen=True)
class Report:
    """A checked report definition."""

    id: str
    title: str
    answers: str
    key: tuple[str, ...]
    needs: tuple[str, ...]
    columns: tuple[ReportColumn, ...]
    sql: str
    source: str
    time: str = ""
    lead: str = ""
    optional: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    chart: ChartSpec | None = None
    page: str = ""
    no_rows: str = ""
    range: str = ""
    whole: str = ""

    def column(self, name: str) -> ReportColumn:
        """The column of that name."""
        for one in self.columns:
            if one.name == name:
                return one
        known = [one.name for one in self.columns]
        raise ReportError(f"{self.id}: no column {name!r}", near(name, known))

    @property
    def is_of_the_ledger(self) -> bool:
        """Whether it tells of what was loaded, not of what records say."""
        return all(one.startswith("load_") or one == "run_config" for one in self.needs)

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in the order of the SELECT."""
        return tuple(one.name for one in self.columns)

    @property
    def shown(self) -> tuple[ReportColumn, ...]:
        """The columns a person reads: all but the parts of ratios."""
        return tuple(one for one in self.columns if one.kind != "part")

    @property
    def groups(self) -> tuple[str, ...]:
        """What tells its rows apart but for time: run, sysplex and system where it has them."""
        whole = [one for one in ("run", "sysplex", "system") if one in self.names]
        return tuple(dict.fromkeys([*whole, *self.key]))


def parse(text: str, source: str) -> Report:
    """The report in the text of a file. Raises ReportError where the header is wrong."""
    found = _HEADER.match(text)
    if not found:
        raise ReportError(f"{source}: found no header, expected '/* imsperf report' first", _HELP)
    try:
        header = tomllib.loads(found["toml"])
    except tomllib.TOMLDecodeError as error:
        raise ReportError(f"{source}: header: {error}, expected TOML", _HELP) from error
    reader = _Reader(source)
    report = reader.report(header, found["sql"].strip())
    reader.check(report)
    return report


_HELP = "the members of a report header are listed in reports/README.md"
_LISTS = ("key", "needs", "optional", "any_of", "num", "den", "from_", "y")


@dataclass(frozen=True)
class _Reader:
    """Turns the TOML of one file into typed members; errors name the file and the place."""

    source: str

    def report(self, header: Mapping[str, Any], sql: str) -> Report:
        plain = {k: v for k, v in header.items() if k not in ("column", "param", "chart")}
        columns = tuple(
            self.make(ReportColumn, one, f"column {one.get('name')!r}")
            for one in (*self.lead(header.get("lead", "")), *header.get("column", ()))
        )
        parameters = tuple(
            self.make(Parameter, one, f"param {one.get('name')!r}")
            for one in header.get("param", ())
        )
        chart = self.make(ChartSpec, header["chart"], "chart") if "chart" in header else None
        more = {"columns": columns, "parameters": parameters, "chart": chart}
        values = {**plain, **more, "sql": sql, "source": self.source}
        made: Report = self.make(Report, values, "header")
        return made

    def lead(self, table: str) -> Iterator[dict[str, Any]]:
        """The five columns every report begins with; `table` is where its intervals come from."""
        family, smf = table if table in LEAD else table[:3], table.partition("_")[0]
        if table and family not in LEAD:
            raise self.error(f"lead: found {table!r}, expected a table of smf or ims")
        for name, kind, doc, source in LEAD.get(family, ()):
            found = source.format(table=table, smf=smf).split()
            yield {"name": name, "kind": kind, "doc": doc, "from": found}

    def make(self, kind: type[Any], values: Mapping[str, Any], where: str) -> Any:
        known = {one.name: one for one in fields(kind)}
        named = {("from_" if key == "from" else key): value for key, value in values.items()}
        for name in named:
            if name not in known:
                raise self.error(f"{where}: found {name!r}, which is no member", near(name, known))
        made = {k: _as_tuple(v) if k in _LISTS else v for k, v in named.items()}
        try:
            return kind(**made)
        except TypeError as error:
            missing = [n for n in known if n not in made and n in str(error)]
            raise self.error(f"{where}: misses {', '.join(missing)}") from error

    def error(self, words: str, hint: str = "") -> ReportError:
        return ReportError(f"{self.source}: {words}", hint or _HELP)

    def check(self, report: Report) -> None:
        names = report.names
        if len(set(names)) != len(names) or not names:
            raise self.error("found no columns, or a column twice")
        used = [("key", report.key), ("time", (report.time,) if report.time else ())]
        used += [(f"num/den of {c.name}", c.num + c.den) for c in report.columns]
        if report.chart:
            drawn = report.chart
            more = [one for one in (drawn.color, drawn.facet, drawn.by) if one]
            used.append(("chart", (drawn.x, *drawn.y, *more)))
        for where, wanted in used:
            for name in wanted:
                if name not in names:
                    raise self.error(f"{where}: no column {name!r}", near(name, names))
        if report.range not in ("", "views"):
            raise self.error(f"range: found {report.range!r}, expected views, or none")
        for one in report.columns:
            self.check_column(one)
        for where, some in (("optional", report.optional), ("any_of", report.any_of)):
            if not set(some) <= set(report.needs):
                raise self.error(f"{where}: names a table that is not in needs")

    def check_column(self, one: ReportColumn) -> None:
        where = f"column {one.name!r}"
        if one.kind not in KINDS:
            raise self.error(f"{where}: kind {one.kind!r}", f"kinds: {', '.join(KINDS)}")
        if one.better not in ("", "higher", "lower"):
            raise self.error(f"{where}: better {one.better!r}, expected higher or lower")
        if (one.kind == "ratio") != bool(one.num) or len(one.num) != len(one.den):
            raise self.error(f"{where}: a ratio, and only a ratio, has as many num as den")
        if one.total and one.total not in TOTALS:
            raise self.error(f"{where}: total {one.total!r}", f"one of {', '.join(TOTALS)}")
        if one.total_sql and (one.total or one.kind in ("ratio", "part")):
            raise self.error(f"{where}: total_sql stands alone: no total, no ratio, no part")
        if not one.doc or not one.from_:
            raise self.error(f"{where}: has no doc or no from")


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


@dataclass(frozen=True)
class Catalog:
    """Every report, by id."""

    reports: Mapping[str, Report] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Report]:
        return iter(self.reports.values())

    def get(self, report_id: str) -> Report:
        """The report of that id. Raises ReportError with the closest names."""
        if report_id in self.reports:
            return self.reports[report_id]
        hint = near(report_id, self.reports, "`imsperf report` shows all")
        raise ReportError(f"no report {report_id!r}", hint)


@cache
def catalog() -> Catalog:
    """The reports that come with imsperf."""
    found = [parse(text, name) for name, text in _texts()]
    return Catalog({one.id: one for one in sorted(found, key=lambda one: one.id)})


def _texts() -> Iterator[tuple[str, str]]:
    for family in sorted((files("imsperf.sql") / "reports").iterdir(), key=lambda one: one.name):
        if family.is_dir():
            for one in family.iterdir():
                if one.name.endswith(".sql"):
                    yield f"sql/reports/{family.name}/{one.name}", one.read_text(encoding="utf-8")


def record_of(table: str) -> str:
    """The record of a table as a person calls it: 74.1, 30, 450A."""
    family, _, rest = table.partition("_")
    first = rest.partition("_")[0].upper()
    if family == "ims":
        return first
    return f"{family[3:]}.{first}" if first.isdigit() else family[3:]


def records_needed(report: Report) -> str:
    """The records a report is made from: "70.1", "450A, and 06, 4500 where there are any"."""
    if report.is_of_the_ledger:
        return "any"
    tables = [one for one in report.needs if one.startswith(("smf", "ims"))]
    must = sorted({record_of(one) for one in tables if one not in report.optional})
    one_of = sorted({record_of(one) for one in report.any_of} - set(must))
    may = sorted({record_of(t) for t in tables if t in report.optional} - {*must, *one_of})
    words = [*must, " or ".join(one_of)] if one_of else must
    more = f", and {', '.join(may)} where there are any" if may else ""
    return ", ".join(words) + more


def listing(reports: Iterable[Report]) -> list[dict[str, str]]:
    """What there is to choose from: id, title, what each report answers, the records it needs."""
    return [
        {"id": one.id, "title": one.title, "answers": one.answers, "needs": records_needed(one)}
        for one in reports
    ]


def tables_read(sql: str, con: duckdb.DuckDBPyConnection) -> set[str]:
    """The tables a SELECT reads, through views and macros, as DuckDB's own parser sees it."""
    bodies: dict[str, str] = dict(con.execute(_BODIES).fetchall())
    tables = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    read: set[str] = set()
    todo = [sql]
    seen: set[str] = set()
    while todo:
        for name in _names_read(todo.pop(), con) - seen:
            seen.add(name)
            if name in bodies:
                todo.append(bodies[name])
            elif name in tables:
                read.add(name)
    return read


# The SELECTs of views and of macros that make tables.
_BODIES = """
SELECT view_name, substr(sql, instr(sql, ' AS ') + 4) FROM duckdb_views() WHERE NOT internal
UNION ALL
SELECT function_name, macro_definition FROM duckdb_functions()
WHERE function_type = 'table_macro' AND NOT internal
"""


def _names_read(sql: str, con: duckdb.DuckDBPyConnection) -> set[str]:
    """Table, view, CTE and table function names in the parse tree of one SELECT."""
    row = con.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    tree = json.loads(row[0]) if row else {}
    if tree.get("error"):
        raise ReportError(f"the SQL cannot be parsed: {tree.get('error_message')}")
    return set(_base_tables(tree))


def _base_tables(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if node.get("type") == "BASE_TABLE":
            yield str(node["table_name"])
        elif node.get("type") == "TABLE_FUNCTION":
            yield str(node["function"]["function_name"])
        for inner in node.values():
            yield from _base_tables(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _base_tables(inner)


def report_columns(one: Report) -> pa.Table:
    """The columns of a report a person sees, with where each comes from."""
    import pyarrow as pa

    rows = [
        {
            "report": one.id,
            "column": c.name,
            "heading": c.heading,
            "kind": c.kind,
            "unit": c.unit,
            "better": c.better,
            "meaning": c.doc,
            "from": ", ".join(c.from_),
        }
        for c in one.shown
    ]
    return pa.Table.from_pylist(rows)


def check_sql(report: Report, con: duckdb.DuckDBPyConnection) -> None:
    """Compare a report with its SQL: columns and needs. Raises ReportError where they differ."""
    values = {one.name: one.default for one in report.parameters}
    described = con.execute(f"SELECT * FROM ({report.sql}) LIMIT 0", values or None).description
    names = tuple(one[0] for one in described or ())
    if names != report.names:
        odd = sorted(set(names) ^ set(report.names)) or "their order"
        raise ReportError(f"{report.source}: header and SELECT differ in {odd}")
    read = tables_read(report.sql, con)
    if read != set(report.needs):
        raise ReportError(
            f"{report.source}: needs {sorted(report.needs)}, but the SQL reads {sorted(read)}"
        )
