"""What a report is: its columns, parameters, chart and page, as the header and the SQL say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache, cached_property
from string import Formatter
from typing import Any

from imsperf.errors import ReportError, near
from imsperf.reports.syntax import relations_read, tables_read

KINDS = ("ratio", "count", "level", "highwater", "attribute", "time", "part")
TOTALS = ("sum", "mean", "max", "min", "last", "same", "whole")
_TOTAL_OF_KIND = {"count": "sum", "part": "sum", "level": "mean", "highwater": "max"}
_MANY_RELATIONS = 24  # tables, views and macros that SQL reads: more take long to bind


@dataclass(frozen=True)
class ReportColumn:
    """One column. A ratio is scale * (num[0]/den[0] + num[1]/den[1] ..); its parts are columns.

    `contains`: columns that are parts of it, of the same unit: what it is the outcome of.
    `own_words`: its texts stand in the SQL, none is from a record. `source`: the column of a
    relation of the SELECT that it hands on, under this or another name.
    """

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
    contains: tuple[str, ...] = ()
    total: str = ""
    total_sql: str = ""
    format: str = ""
    empty: str = "-"
    own_words: bool = False
    source: str = ""

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
    printed: bool = False


@dataclass(frozen=True)
class PageColumn:
    """A column of a printed table; a negative width is to the left, | parts lines of a heading.

    `cell` is a template with slots: `{pav}{hyper}`.
    """

    cell: str
    width: int
    heading: str


@dataclass(frozen=True)
class PageTable:
    """A part of a page, of the rows that `where` chooses: exactly one of three forms.

    `columns`: headings, then a line for each row. `lines`: a line for each column that it names,
    a value for each row. `text`: a template that is filled in for each row.
    """

    columns: tuple[PageColumn, ...] = ()
    lines: tuple[str, ...] = ()
    text: str = ""
    above: str = ""
    where: str = ""
    joined: bool = False
    beside: str = ""
    wrap: bool = False
    widths: tuple[int, ...] = (0, 16)
    heads: tuple[str, ...] = ()
    per: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PageSpec:
    """A printed page: a heading, lines above, blocks of tables, and a note below all pages.

    `together`: what RMF prints together with it, a list of reports for each page, itself in one.
    `layout`: the print it follows, or "ours".
    """

    tables: tuple[PageTable, ...] = ()
    title: str = ""
    heading: str = ""
    breaks: tuple[str, ...] = ()
    above: str = ""
    blocks: tuple[str, ...] = ()
    block_above: str = ""
    note: str = ""
    together: tuple[tuple[str, ...], ...] = ()
    layout: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def templates(self) -> Iterator[str]:
        """Every text with slots."""
        yield from (self.title, self.above, self.block_above, self.note)
        for table in self.tables:
            yield from (table.above, table.text, *(column.cell for column in table.columns))


@dataclass(frozen=True)
class Slot:
    """What a template prints after `literal`: the value called `name`, of the row whose `beside`
    column has that value. Width 0: as wide as it is; negative: to the left."""

    literal: str
    name: str = ""
    beside: str = ""
    width: int = 0


@cache
def slots(template: str) -> tuple[Slot, ...]:
    """The parts of a template. Raises ValueError where its braces or a width are wrong."""
    parts = []
    for literal, value, width, conversion in Formatter().parse(template):
        if conversion:
            raise ValueError(f"found !{conversion}, expected {{name}} or {{name:width}}")
        name, _, beside = (value or "").partition("@")
        parts.append(Slot(literal, name, beside, int(width or 0)))
    return tuple(parts)


@dataclass(frozen=True)
class Report:
    """A checked report definition."""

    id: str
    title: str
    answers: str
    key: tuple[str, ...]
    columns: tuple[ReportColumn, ...]
    sql: str
    source: str
    time: str = ""
    optional: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    chart: ChartSpec | None = None
    page: PageSpec | None = None
    facts: str = ""
    no_rows: str = ""
    range: str = ""
    whole: str = ""
    records_by: tuple[str, ...] = ()
    compared: str = ""
    called: tuple[str, ...] = ()
    named_by: str = ""

    def column(self, name: str) -> ReportColumn:
        """The column of that name."""
        if name not in self._by_name:
            hint = near(name, self.names, self.lists_columns)
            raise ReportError(f"{self.id}: no column {name!r}", hint)
        return self._by_name[name]

    @property
    def lists_columns(self) -> str:
        """The hint where a column is not known."""
        return f"`imsperf report {self.id} --help` lists its columns"

    @cached_property
    def _by_name(self) -> dict[str, ReportColumn]:
        return {column.name: column for column in self.columns}

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The tables its SQL reads, also through views, in alphabetical order."""
        return tuple(sorted(tables_read(self.sql)))

    @property
    def is_long_to_bind(self) -> bool:
        """Whether its SQL takes long to bind. Its rows may be stored then, however many they are:
        next to the SQL of so many relations that takes no time."""
        return len(relations_read(self.sql)) > _MANY_RELATIONS

    @cached_property
    def either(self) -> tuple[str, ...]:
        """The tables of `any_of`; `ims_*` are all of a log that its SQL reads."""
        return tuple(
            table for table in self.needs if any(fnmatch(table, each) for each in self.any_of)
        )

    @property
    def ranked_by(self) -> str:
        """The column whose largest values come first where nothing else is asked for; "": none."""
        if self.chart and self.chart.by:
            return self.chart.by
        counted = [c.name for c in self.columns if c.kind in ("count", "ratio") and c.label]
        return counted[0] if counted else ""

    @property
    def is_of_any_record(self) -> bool:
        """Whether it tells of records whatever their layout."""
        return any("*" in each for each in self.any_of)

    @property
    def required(self) -> tuple[str, ...]:
        """Tables of records without which it has no row; with `any_of` each alone is enough."""
        if self.any_of:
            return ()
        records = (table for table in self.needs if table.startswith(("smf", "ims")))
        return tuple(table for table in records if table not in self.optional)

    @property
    def beside(self) -> Iterator[str]:
        """What is read beside its rows, for its pages."""
        return (f"SELECT * FROM {view}" for view in (self.facts, self.whole) if view)

    @property
    def presence(self) -> Iterator[str]:
        """What is read to say whether its records are there."""
        tables = dict.fromkeys([*self.required, *self.either])
        return (f"SELECT file_id FROM {table}" for table in tables)

    @property
    def is_of_the_ledger(self) -> bool:
        """Whether it tells of what was loaded, not of what records say."""
        ours = ("run_config", "run_text")
        return all(table.startswith("load_") or table in ours for table in self.needs)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Column names in the order of the SELECT."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def shown(self) -> tuple[ReportColumn, ...]:
        """The columns a person reads: all but the parts of ratios."""
        return tuple(column for column in self.columns if column.kind != "part")

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """What tells its rows apart but for time: run, sysplex and system where it has them."""
        place = [name for name in ("run", "sysplex", "system") if name in self.names]
        return tuple(dict.fromkeys([*place, *self.key]))
