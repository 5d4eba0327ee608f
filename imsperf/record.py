"""What a record is: its header, its sections and where each of them stands.

An SMF record says itself where its sections are: triplets in its header, offsets inside other
sections, chains, areas at fixed places. `Part` is that in one form; `triplet`, `pointer`, `chain`
and `nested` write it. Some sections belong to others by index and not by place: `Index`.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from imsperf.errors import LayoutError
from imsperf.layout import IMS_SUFFIX, KEYS, PLACE, SMF_KEYS, Column, Section, Table


@dataclass(frozen=True)
class At:
    """A number in the record: `width` bytes at `at`, counted from the start of the parent section.

    `of`: count from the record's first section of that layout instead.
    """

    at: int
    width: int = 2
    of: Section | None = None


Place = int | At  # known, or to be read


@dataclass(frozen=True)
class Part:
    """Where the sections of one layout stand.

    `inside` is the parent section (None: the record's header), `offset` counts from the record's
    start unless `from_parent`. `next_at` makes a chain: where in a section the offset of the next
    one stands. `when` limits a part to parents whose byte at the first number is one of the others.
    """

    section: Section
    offset: Place
    length: Place
    number: Place = 1
    inside: Section | None = None
    from_parent: bool = False
    next_at: int | None = None
    when: tuple[int, tuple[int, ...]] | None = None

    @property
    def at(self) -> int:
        """Where the header's triplet stands; only for parts that the header places."""
        if self.inside is not None or not isinstance(self.offset, At):
            raise LayoutError(f"{self.section.table}: found no triplet of the header")
        return self.offset.at

    @property
    def in_header(self) -> bool:
        """Whether a triplet of the header places the sections, one after another."""
        return self.inside is None and self.next_at is None

    @property
    def least(self) -> int:
        """Bytes of a section that hold one field."""
        return min((one.end for one in self.section.fields), default=1)


def triplet(
    at: int, section: Section, inside: Section | None = None, from_parent: bool = False
) -> Part:
    """Offset (4 bytes), length (2) and number (2) at `at`, in the header or in `inside`."""
    return Part(section, At(at, 4), At(at + 4), At(at + 6), inside, from_parent)


def pointer(
    at: int, length: Place, section: Section, inside: Section, from_parent: bool = False
) -> Part:
    """One section, its offset (4 bytes) at `at` in its parent; 0 where there is none."""
    return Part(section, At(at, 4), length, 1, inside, from_parent)


def chain(
    at: int, length: Place, section: Section, next_at: int, inside: Section | None = None
) -> Part:
    """The first section's offset stands at `at`, that of each next one in the section before it."""
    return Part(section, At(at, 4), length, 1, inside, next_at=next_at)


def nested(
    offset: int,
    section: Section,
    inside: Section,
    number: Place = 1,
    when: tuple[int, tuple[int, ...]] | None = None,
) -> Part:
    """Areas at a fixed place in each parent, one after another."""
    return Part(section, offset, section.length, number, inside, True, when=when)


@dataclass(frozen=True)
class Index:
    """Sections that belong to another by index: `first` and `number` are fields of the parent.

    `base` is the index of the first section (0 or 1; with 1, an index of 0 means none). Without
    `number` the parent has one. The row of the section gets the parent's section number as its key.
    """

    parent: Section
    child: Section
    first: str
    number: str = ""
    base: int = 1


def parent_key(parent: Section) -> str:
    """The key column that names a row's parent: smf72_3_period gives period_no."""
    return parent.table.split("_", 2)[-1].removeprefix("smf30_") + "_no"


@dataclass(frozen=True)
class Interval:
    """The fields of a section that say which system and which interval a record is about.

    Date and start are local time. Without `length` the end is not known.
    """

    section: Section
    system: str = ""
    date: str = ""
    start: str = ""
    length: str = ""


@dataclass(frozen=True)
class Record:
    """One SMF record type and subtype (None: one layout for all subtypes)."""

    type: int
    subtype: int | None
    title: str
    header: Section
    parts: tuple[Part, ...] = ()
    interval: Interval | None = None
    indexes: tuple[Index, ...] = ()

    def __post_init__(self) -> None:
        known = [self.header]
        for part in self.parts:
            where = f"{self.title}: {part.section.table}"
            if part.inside is not None and not any(part.inside is one for one in known):
                raise LayoutError(f"{where}: found it before {part.inside.table}, which holds it")
            if any(part.section is one for one in known):
                raise LayoutError(f"{where}: found two places for one section")
            known.append(part.section)
        for index in self.indexes:
            index.parent.named(index.first)
            if not all(any(one is s for s in known) for one in (index.parent, index.child)):
                raise LayoutError(f"{self.title}: found an index of sections it does not have")

    @property
    def sections(self) -> tuple[Section, ...]:
        """Every section, the header first."""
        return (self.header, *(part.section for part in self.parts))

    def parents(self, section: Section) -> tuple[Section, ...]:
        """The sections whose numbers the rows of a section carry: by place, then by index."""
        by_place = [p.inside for p in self.parts if p.section is section and p.inside]
        return (*by_place, *(one.parent for one in self.indexes if one.child is section))

    def tables(self) -> tuple[Table, ...]:
        """One table per section."""
        return tuple(
            Table(one.table, one.doc, one, self._keys(one), one.columns()) for one in self.sections
        )

    def _keys(self, section: Section) -> tuple[Column, ...]:
        own = PLACE if section is self.header else KEYS
        return (*own, *map(_parent_column, self.parents(section)), *SMF_KEYS)


def _parent_column(parent: Section) -> Column:
    doc = f"Section it belongs to: section_no in {parent.table}, same file and record"
    return Column(parent_key(parent), pa.int32(), "INTEGER", doc)


@dataclass(frozen=True)
class Entries:
    """Repeated entries: the first at `start`; count and entry length stand in the record."""

    section: Section
    start: int
    count_at: int
    length_at: int


@dataclass(frozen=True)
class LogRecord:
    """One IMS log record: `subcode` None means the byte after the code holds data."""

    code: int
    subcode: int | None
    title: str
    section: Section
    entries: Entries | None = None

    @property
    def sections(self) -> tuple[Section, ...]:
        """The record's own fields, then its entries."""
        return (self.section,) if self.entries is None else (self.section, self.entries.section)

    def tables(self) -> tuple[Table, ...]:
        """The record's table with the suffix fields, then the table of its entries."""
        main = Table(
            self.section.table,
            self.section.doc,
            self.section,
            PLACE,
            self.section.columns() + IMS_SUFFIX.columns(),
        )
        if self.entries is None:
            return (main,)
        inner = self.entries.section
        return (main, Table(inner.table, inner.doc, inner, KEYS, inner.columns()))
