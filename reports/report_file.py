"""Read a report file: a TOML header in a comment, then one SELECT; what the SELECT says is not
said again.

README.md here lists the members of the header. The parser of DuckDB gives the columns and which
of them are ratios of others; the words beside a column describe it, else those of the view it is
read from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from imsperf.database.store import view_statements
from imsperf.described import columns_described, views_described, without_unit
from imsperf.errors import ReportError, near
from imsperf.reports.definition import (
    KINDS,
    TOTALS,
    ChartSpec,
    PageColumn,
    PageSpec,
    PageTable,
    Parameter,
    Report,
    ReportColumn,
    slots,
)
from imsperf.reports.syntax import Select, SelectColumn, bodies, condition_columns, parse_select

_HEADER = re.compile(r"\s*/\* imsperf report\n(?P<toml>.*?)\*/\n(?P<sql>.*)", re.DOTALL)
_HELP = "the members of a report header are listed in reports/README.md"
_LISTS = (
    *("key", "optional", "any_of", "records_by", "called", "num", "den", "contains", "y"),
    *("breaks", "blocks", "lines", "widths", "heads"),
)
_TABLES = ("columns", "param", "chart", "page")
_HEADINGS = ("", "rmf", "sysplex", "ims", "smf", "log", "run")
_DERIVED = ("name", "doc", "source")  # of a column: the SELECT gives them
_TIMES = ("interval_start", "interval_start_utc", "interval_end", "interval_end_utc")
_LENGTHS = ("interval_s", "interval_us")  # parts, unless the header says otherwise
_LABELS = {"ims": {"label": "IMS"}}  # in every report
_UNITS = (
    ("_per_s", "1/s"), ("_pct", "%"), ("_ms", "ms"), ("_us", "us"), ("_s", "s"), ("_kb", "KB"),
    ("_mb", "MB"), ("_bytes", "bytes"), ("_mbps", "MB/s"),
)  # fmt: skip


def parse(text: str, source: str) -> Report:
    """The report in the text of a file. Raises ReportError where the header is wrong."""
    parts = _HEADER.match(text)
    if not parts:
        raise ReportError(f"{source}: found no header, expected '/* imsperf report' first", _HELP)
    try:
        header = tomllib.loads(parts["toml"])
    except tomllib.TOMLDecodeError as error:
        raise ReportError(f"{source}: header: {error}, expected TOML", _HELP) from error
    reader = _Reader(source)
    if "like" in header:
        header = reader.as_another(header, parts["sql"].strip())
    report = reader.report(header, parts["sql"].strip())
    reader.check(report)
    return report


@dataclass(frozen=True)
class _Reader:
    """Turns header and SELECT of one file into a Report; errors name the file and the place."""

    source: str

    def report(self, header: Mapping[str, Any], sql: str) -> Report:
        plain = {k: v for k, v in header.items() if k not in _TABLES}
        parameters = tuple(
            self.make(Parameter, values, f"param {values.get('name')!r}")
            for values in header.get("param", ())
        )
        chart = self.make(ChartSpec, header["chart"], "chart") if "chart" in header else None
        page = self.page(header["page"]) if "page" in header else None
        columns = self.columns(sql, header.get("columns", {}), page)
        if any(column.name == "interval_start_utc" for column in columns):
            plain.setdefault("time", "interval_start_utc")
        more = {"columns": columns, "parameters": parameters, "chart": chart, "page": page}
        values = {**plain, **more, "sql": sql, "source": self.source}
        report: Report = self.make(Report, values, "header")
        return report

    def as_another(self, header: Mapping[str, Any], sql: str) -> dict[str, Any]:
        """The header with the page tables, and what is said of columns that both have, of the
        report that it names as `like`."""
        family, _, name = str(header["like"]).partition(".")
        file = files("imsperf.sql") / "reports" / family / f"{name}.sql"
        parts = _HEADER.match(file.read_text(encoding="utf-8")) if file.is_file() else None
        if not parts:
            raise self.error(f"like: found {header['like']!r}, expected the id of a shipped report")
        other, own = tomllib.loads(parts["toml"]), dict(header.get("columns", {}))
        tables = other.get("page", {}).get("table", [])
        said = other.get("columns", {})
        for column in said.keys() & {column.name for column in parse_select(sql).columns}:
            own[column] = said[column] | own.get(column, {})
        page = {"table": tables, **header.get("page", {})}
        plain = {name: value for name, value in header.items() if name != "like"}
        return {**plain, "columns": own, "page": page}

    def page(self, header: Mapping[str, Any]) -> PageSpec:
        tables = tuple(
            self.make(PageTable, {**table, "columns": self.page_columns(table)}, "page.table")
            for table in header.get("table", ())
        )
        plain = {name: value for name, value in header.items() if name != "table"}
        plain["together"] = tuple(map(_as_tuple, header.get("together", ())))
        page: PageSpec = self.make(PageSpec, {**plain, "tables": tables}, "page")
        if page.heading not in _HEADINGS:
            raise self.error(f"page: heading {page.heading!r}", f"one of {', '.join(_HEADINGS)}")
        for table in tables:
            if sum(map(bool, (table.columns, table.lines, table.text))) != 1:
                raise self.error("page.table: expected columns, lines or text, one of them")
        for template in page.templates:
            try:
                slots(template)
            except ValueError as error:
                raise self.error(f"page: {template!r}: {error}") from error
        return page

    def page_columns(self, table: Mapping[str, Any]) -> tuple[PageColumn, ...]:
        """A line for each: name or template, width, heading."""
        columns = []
        for line in str(table.get("columns", "")).splitlines():
            cell, width, heading = (*line.split(maxsplit=2), "", "", "")[:3]
            if not width.lstrip("-").isdigit():
                raise self.error(f"page: {line!r}, expected the name of a column, width, heading")
            template = cell if "{" in cell else f"{{{cell}}}"
            columns.append(PageColumn(template, int(width), heading))
        return tuple(columns)

    def columns(
        self, sql: str, said: Mapping[str, Any], page: PageSpec | None
    ) -> tuple[ReportColumn, ...]:
        """The columns of the SELECT, with what the header says of them."""
        try:
            select = parse_select(sql)
        except ReportError as error:
            raise self.error(error.message) from error
        names = [column.name for column in select.columns]
        for name, members in said.items():
            if name not in names:
                raise self.error(f"columns: no column {name!r}", near(name, names))
            if set(members) & set(_DERIVED):
                raise self.error(f"column {name!r}: describe it beside it, in the SELECT")
        words, heads = _words(sql, select), _LABELS | _headings(page)
        parts = {part for column in select.columns for part in _parts(column, said)}
        return tuple(
            self.column(
                column, heads.get(column.name, {}) | said.get(column.name, {}), words, parts
            )
            for column in select.columns
        )

    def column(
        self,
        given: SelectColumn,
        said: Mapping[str, Any],
        words: Mapping[str, str],
        parts: Set[str],
    ) -> ReportColumn:
        doc, unit = without_unit(words.get(given.name, ""))
        values = {"name": given.name, "doc": doc, "unit": unit or _unit(given.name)}
        values["source"] = given.source
        values["kind"] = "attribute"
        if given.name in _TIMES:
            values["kind"] = "time"
        elif "num" in said or given.ratio:
            values["kind"] = "ratio"
        elif not said and given.name in {*parts, *_LENGTHS}:
            values["kind"] = "part"
        elif "total_sql" in said and "better" in said:  # a percentile, an index
            values["kind"] = "level"
        if given.divides and values["kind"] == "attribute" and "kind" not in said:
            raise self.error(
                f"column {given.name!r}: found a quotient that is no ratio of columns, expected "
                "[scale *] num / nullif(den, 0)",
                "make both parts columns of the SELECT (sums in a WITH), or say its num and den",
            )
        ratio = {}
        if given.ratio and "num" not in said and said.get("kind", "ratio") == "ratio":
            ratio = {name: getattr(given.ratio, name) for name in ("num", "den", "scale")}
        column: ReportColumn = self.make(
            ReportColumn, {**values, **ratio, **said}, f"column {given.name!r}"
        )
        return column

    def make(self, kind: type[Any], values: Mapping[str, Any], where: str) -> Any:
        known = {member.name: member for member in fields(kind)}
        for name in values:
            if name not in known:
                raise self.error(f"{where}: found {name!r}, which is no member", near(name, known))
        typed = {k: _as_tuple(v) if k in _LISTS else v for k, v in values.items()}
        try:
            return kind(**typed)
        except TypeError as error:
            missing = [n for n in known if n not in typed and n in str(error)]
            raise self.error(f"{where}: misses {', '.join(missing)}") from error

    def error(self, words: str, hint: str = "") -> ReportError:
        return ReportError(f"{self.source}: {words}", hint or _HELP)

    def check(self, report: Report) -> None:
        names = report.names
        if len(set(names)) != len(names) or not names:
            raise self.error("found no columns, or a column twice")
        used = [("key", report.key), ("time", (report.time,) if report.time else ())]
        used += [(f"num/den of {c.name}", c.num + c.den) for c in report.columns]
        used += [(f"contains of {c.name}", c.contains) for c in report.columns]
        if report.named_by:
            used.append(("named_by", (report.named_by,)))
        if report.compared:
            used.append(("compared", tuple(condition_columns(report.compared))))
        if report.page:
            used += _page_names(report.page)
        if report.chart:
            drawn = report.chart
            more = [name for name in (drawn.color, drawn.facet, drawn.by) if name]
            used.append(("chart", (drawn.x, *drawn.y, *more)))
        for where, wanted in used:
            for name in wanted:
                if name not in names:
                    raise self.error(f"{where}: no column {name!r}", near(name, names))
        if report.range not in ("", "views"):
            raise self.error(f"range: found {report.range!r}, expected views, or none")
        for column in report.columns:
            self.check_column(column)

    def check_column(self, column: ReportColumn) -> None:
        where = f"column {column.name!r}"
        if column.kind not in KINDS:
            raise self.error(f"{where}: kind {column.kind!r}", f"kinds: {', '.join(KINDS)}")
        if column.better not in ("", "higher", "lower"):
            raise self.error(f"{where}: better {column.better!r}, expected higher or lower")
        if (column.kind == "ratio") != bool(column.num) or len(column.num) != len(column.den):
            raise self.error(f"{where}: a ratio, and only a ratio, has as many num as den")
        if column.total and column.total not in TOTALS:
            raise self.error(f"{where}: total {column.total!r}", f"one of {', '.join(TOTALS)}")
        if column.total_sql and (column.total or column.kind in ("ratio", "part")):
            raise self.error(f"{where}: total_sql stands alone: no total, no ratio, no part")
        if not column.doc:
            raise self.error(
                f"{where}: has no description, and the views it reads have no column of that name",
                f"write it beside the column: AS {column.name}, -- what it is [unit]",
            )


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _parts(column: SelectColumn, said: Mapping[str, Any]) -> Iterable[str]:
    """What a ratio is made of, or a total by SQL."""
    members = said.get(column.name, {})
    if "total_sql" in members:
        return re.findall(r"\w+", members["total_sql"])
    if "num" in members:
        return _as_tuple(members["num"]) + _as_tuple(members.get("den", ()))
    return column.ratio.num + column.ratio.den if column.ratio else ()


def _headings(page: PageSpec | None) -> dict[str, dict[str, str]]:
    """What the page calls a column, in one line; a column that it shows is no mere part."""
    columns = [column for table in page.tables for column in table.columns] if page else []
    return {
        slot.name: {"label": " ".join(column.heading.replace("|", " ").split())}
        for column in reversed(columns)
        for slot in slots(column.cell)
        if len(slots(column.cell)) == 1
    }


def _page_names(page: PageSpec) -> list[tuple[str, tuple[str, ...]]]:
    """The columns that a page names, with the place of their names."""
    printed = [slot.name for template in page.templates for slot in slots(template) if slot.name]
    shown = tuple(n for n in printed if n not in page.texts and not n.startswith("facts."))
    tables = [
        ("page.table", tuple(name for name in (*table.lines, *table.per, table.beside) if name))
        for table in page.tables
        if table.lines != ("*",)
    ]
    return [("page: breaks", page.breaks), ("page: blocks", page.blocks), ("page", shown), *tables]


def _words(sql: str, select: Select) -> dict[str, str]:
    """What describes each column: the words beside it, else those of the view or macro it is read
    from."""
    of_views: dict[str, str] = {}
    for view in reversed(select.relations):
        of_views |= _of_views().get(view, {})
    inherited = {
        column.name: of_views.get(column.source.rpartition(".")[2]) or of_views.get(column.name, "")
        for column in select.columns
    }
    return inherited | columns_described(sql)


@cache
def _of_views() -> dict[str, dict[str, str]]:
    views: dict[str, dict[str, str]] = {}
    for text in view_statements():
        for view, column, words in views_described(text):
            if column:
                views.setdefault(view, {})[column] = words
    macros = {name: body for name, body in bodies().items() if name not in views}
    return views | {name: columns_described(body, views) for name, body in macros.items()}


def _unit(name: str) -> str:
    """The unit a name ends in."""
    return next((unit for ending, unit in _UNITS if name.endswith(ending)), "")
