"""What a log profile is: the layouts of a log's records, and which of our columns their fields fill.

Views and reports read our tables (ims_4507 ...) and do not know who laid out a log. So a profile has two
halves: records, with the names and places that their owner gave them, and fills, one for each of our tables
that such a log has rows for. In profile imsperf-1 every section fills the table of its own name; for another
layout a mapping says which of its fields each of our columns takes (`imsperf.layouts.mapped_profile`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import pyarrow as pa

from imsperf.errors import LayoutError, near
from imsperf.kinds import Kind
from imsperf.layout import Section, Table
from imsperf.record import LogRecord

LogKey = tuple[int, int | None]

_SORTS = (
    (pa.types.is_list, "an array"),
    (pa.types.is_fixed_size_list, "an array"),
    (pa.types.is_integer, "a number"),
    (pa.types.is_floating, "a number"),
    (pa.types.is_string, "text"),
    (pa.types.is_fixed_size_binary, "bytes"),
    (pa.types.is_timestamp, "a point in time"),
    (pa.types.is_date, "a date"),
    (pa.types.is_time, "a time of day"),
    (pa.types.is_duration, "a length of time"),
)


@dataclass(frozen=True)
class Scaled:
    """A field kept in another unit: its value times `factor` is the value of our column."""

    field: str
    factor: int | float = 1


Columns = Mapping[str, str | Scaled]  # our column -> the field it takes, "section.field"


@dataclass(frozen=True)
class Fill:
    """How rows of one of our tables are made: one from each section of some layout.

    `sources` gives for each of our columns the field of that section; a column without one is NULL. Key
    columns and the suffix are not mapped: they are the same in every log.
    """

    table: Table
    section: Section
    sources: Mapping[str, Scaled]

    def __post_init__(self) -> None:
        for column, source in self.sources.items():
            self._check(column, source)

    def _check(self, column: str, source: Scaled) -> None:
        ours, theirs = self.table.section.named(column).kind, self.section.named(source.field).kind
        where = f"{self.table.name}.{column} from {self.section.table}.{source.field}"
        if sort_of(ours) != sort_of(theirs):
            what = f"found {sort_of(theirs)} ({theirs.name}), expected {sort_of(ours)}"
            raise LayoutError(f"{where}: {what}", "map a field of that sort, or declare it as one")
        if sort_of(ours) == "bytes" and theirs.width > ours.width:
            what = f"found {theirs.width} bytes, expected at most {ours.width}"
            raise LayoutError(f"{where}: {what}", "declare the part of the field that identifies")
        if source.factor != 1 and sort_of(ours) != "a number":
            raise LayoutError(f"{where}: found a factor, expected one only for a number")
        if not (isfinite(source.factor) and source.factor > 0):
            raise LayoutError(f"{where}: found factor {source.factor}, expected one above 0")


@dataclass(frozen=True)
class Profile:
    """The layouts that hold for a log, by code and subcode (None: the code has no subcode).

    Fields that no column of ours takes are not read; a load says so once for each file. A record none of
    whose sections fills a table is kept raw, as one without a layout.
    """

    name: str
    records: Mapping[LogKey, LogRecord]
    fills: tuple[Fill, ...]

    def record(self, code: int, subcode: int) -> LogRecord | None:
        """The layout of a record that fills a table of ours; None if there is none."""
        layout = self.records.get((code, subcode)) or self.records.get((code, None))
        return (
            layout
            if layout and any(self.fills_from(section) for section in layout.sections)
            else None
        )

    def fills_from(self, section: Section) -> tuple[Fill, ...]:
        """The tables of ours that a section fills."""
        return tuple(fill for fill in self.fills if fill.section is section)

    @cached_property
    def _taken(self) -> frozenset[tuple[str, str]]:
        """Section and field of what a column of ours takes."""
        return frozenset((f.section.table, s.field) for f in self.fills for s in f.sources.values())

    def unused(self, record: LogRecord) -> list[str]:
        """The fields of a record that no column of ours takes, as "section.field"."""
        return [
            f"{section.table}.{field.name}"
            for section in record.sections
            for field in section.fields
            if (section.table, field.name) not in self._taken
        ]


def sort_of(kind: Kind) -> str:
    """The sort of value a kind holds, in words."""
    return next(words for test, words in _SORTS if test(kind.arrow))


def by_key(records: Iterable[LogRecord]) -> dict[LogKey, LogRecord]:
    """Records by code and subcode; two layouts for one code are refused."""
    layouts: dict[LogKey, LogRecord] = {}
    for record in records:
        if (record.code, record.subcode) in layouts:
            code = f"{record.code:02X}" + (
                "" if record.subcode is None else f"{record.subcode:02X}"
            )
            raise LayoutError(f"record {code}: found two layouts, expected one")
        layouts[record.code, record.subcode] = record
    return layouts


def same_names(table: Table) -> Fill:
    """A table that is filled by its own section."""
    return Fill(
        table, table.section, {field.name: Scaled(field.name) for field in table.section.fields}
    )


def fill(table: Table, columns: Columns, sections: Mapping[str, Section]) -> Fill:
    """A table that is filled by one of `sections`; every source names it, "section.field"."""
    sources, names = {}, set()
    for column, given in columns.items():
        source = given if isinstance(given, Scaled) else Scaled(given)
        section, _, field = source.field.rpartition(".")
        if section not in sections:
            what = f"{table.name}.{column} from {source.field!r}: found no section {section!r}"
            raise LayoutError(f"{what}, expected SECTION.FIELD", _known(section, sections))
        names.add(section)
        sources[column] = Scaled(field, source.factor)
    if len(names) != 1:
        sections_named = (
            f"found columns from {_words(sorted(names))}, expected them from one section"
        )
        raise LayoutError(
            f"{table.name}: {sections_named}", "a row of ours is made from one section"
        )
    return Fill(table, sections[names.pop()], sources)


def sections_of(records: Iterable[LogRecord]) -> dict[str, Section]:
    """Sections by name; records may share one, but two sections of one name are refused."""
    sections: dict[str, Section] = {}
    for section in (section for record in records for section in record.sections):
        if sections.setdefault(section.table, section) is not section:
            raise LayoutError(f"found two sections {section.table!r}, expected names of their own")
    return sections


def _known(name: str, known: Iterable[str]) -> str:
    names = list(known)
    return near(name, names, f"sections: {', '.join(names)}") or ""


def _words(names: Sequence[str]) -> str:
    return " and ".join(names) or "no section"
