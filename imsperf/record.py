"""What a record is: its header, its sections and where each of them stands.

An SMF record says itself where its sections are: triplets in its header, offsets inside other
sections, chains, areas at fixed places. `SectionPlace` is that in one form; `triplet`, `pointer`,
`chain` and `nested` write it. Some sections belong to others by index and not by place: `Index`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

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
SINGLE_READER = " (single reader: nobody else has read the source)"
_KEY_BYTES = 4  # of a number that says what something is
_NUMBER_BYTES = 8  # of a field that evidence compares


@dataclass(frozen=True)
class SectionPlace:
    """Where the sections of one layout stand.

    `inside` is the parent section (None: the record's header), `offset` counts from the record's
    start unless `from_parent`. `next_at` makes a chain: where in a section the offset of the next
    one stands. `when` limits a part to parents whose byte at the first number is one of the others.
    `areas` names what the sections are about where only their place tells. A layout may have
    several parts: its sections are numbered in the order of the parts.
    """

    section: Section
    offset: Place
    length: Place
    number: Place = 1
    inside: Section | None = None
    from_parent: bool = False
    next_at: int | None = None
    when: tuple[int, tuple[int, ...]] | None = None
    areas: tuple[str, ...] = ()

    @property
    def at(self) -> int:
        """Where the header's triplet stands; only for parts that the header places."""
        if self.inside is not None or not isinstance(self.offset, At):
            raise LayoutError(f"{self.section.table}: found no triplet of the header")
        return self.offset.at

    @cached_property
    def in_header(self) -> bool:
        """Whether a triplet of the header places the sections, one after another."""
        at = self.offset.at if isinstance(self.offset, At) else 0
        usual = (At(at, 4), At(at + 4), At(at + 6))
        always = self.inside is None and self.when is None
        return always and (self.offset, self.length, self.number) == usual

    @cached_property
    def least(self) -> int:
        """Bytes of a section that hold one field."""
        return min((field.end for field in self.section.fields), default=1)


def triplet(
    at: int, section: Section, inside: Section | None = None, from_parent: bool = False
) -> SectionPlace:
    """Offset (4 bytes), length (2) and number (2) at `at`, in the header or in `inside`."""
    return SectionPlace(section, At(at, 4), At(at + 4), At(at + 6), inside, from_parent)


def pointer(
    at: int, length: Place, section: Section, inside: Section, from_parent: bool = False
) -> SectionPlace:
    """One section, its offset (4 bytes) at `at` in its parent; 0 where there is none."""
    return SectionPlace(section, At(at, 4), length, 1, inside, from_parent)


def chain(
    at: int, length: Place, section: Section, next_at: int, inside: Section | None = None
) -> SectionPlace:
    """The first section's offset stands at `at`, that of each next one in the section before it."""
    return SectionPlace(section, At(at, 4), length, 1, inside, next_at=next_at)


def nested(
    offset: int,
    section: Section,
    inside: Section,
    number: Place = 1,
    when: tuple[int, tuple[int, ...]] | None = None,
    areas: tuple[str, ...] = (),
    length: int = 0,
) -> SectionPlace:
    """Areas at a fixed place in each parent, one after another; `areas` names each of them."""
    count = len(areas) or number
    return SectionPlace(
        section, offset, length or section.length, count, inside, True, when=when, areas=areas
    )


@dataclass(frozen=True)
class Index:
    """Sections that belong to another by index: `first` and `number` are fields of the parent.

    `base` is the index of the first section, 0 or 1; an index below it means none, as does one of
    `none`. Their count is `number`, or `last` is the index of the last; without either the parent
    has one. The row of the section gets the parent's section number as its key.
    """

    parent: Section
    child: Section
    first: str
    number: str = ""
    base: int = 1
    none: int = -1
    last: str = ""


def parent_key(parent: Section) -> str:
    """The key column that names a parent: period_no for smf72_3_period."""
    return parent.table.split("_", 2)[-1].removeprefix("smf30_") + "_no"


@dataclass(frozen=True)
class Interval:
    """The fields of a section that say which system and which interval a record is about.

    Date and start are local time; without `date`, `start` is a clock that has both. Without
    `length` the end is not known. `named_in`: the section that has the name of the system, if it is
    another one.
    """

    section: Section
    system: str = ""
    date: str = ""
    start: str = ""
    length: str = ""
    named_in: Section | None = None


class Rule(IntEnum):
    """What a sound section keeps to."""

    READS = 0  # the field has one of some values: an eye catcher, an identifier
    LENGTH = 1  # the field says how long the section is
    SET = 2  # the field is never zero
    REPEATS = 3  # the field has the value of another one, in the header of the record
    ONCE = 4  # every record has one such section
    IN_USE = 5  # no section is zero from its first byte to its last: each is about what is there
    NEEDS = 6  # where the field has a bit set, another field of the section has one


@dataclass(frozen=True)
class Evidence:
    """One thing by which a record proves itself: a section that breaks it makes it doubtful.

    Declared only where the source says so, and the real dumps and the evidence files hold it.
    """

    section: Section
    rule: Rule
    field: str = ""
    values: tuple[str | int, ...] = ()
    header_at: int = 0  # where the field of the header stands
    other: str = ""  # a second field of the section

    @property
    def bytes(self) -> tuple[bytes, ...]:
        """The values as they stand in the record."""
        kind = self.section.named(self.field).kind
        return tuple(kind.encode([value]).tobytes() for value in self.values)


def reads(section: Section, field: str, *values: str | int) -> Evidence:
    """The field, of up to 8 bytes, has one of these values."""
    return Evidence(section, Rule.READS, field, values)


def states_length(section: Section, field: str) -> Evidence:
    """The field says how long its section is, as the triplet does that leads to it."""
    return Evidence(section, Rule.LENGTH, field)


def never_zero(section: Section, *fields: str) -> tuple[Evidence, ...]:
    """Fields with a bit set in every record: names, dates, counts of what is always there."""
    return tuple(Evidence(section, Rule.SET, field) for field in fields)


def needs(section: Section, other: str, *fields: str) -> tuple[Evidence, ...]:
    """Fields, of up to 8 bytes, that cannot have a value where the `other` one is zero: averages
    and parts of what it counts, the same time in a coarser unit."""
    return tuple(Evidence(section, Rule.NEEDS, field, other=other) for field in fields)


def repeats(section: Section, field: str, header: Section, name: str) -> Evidence:
    """The field says once more what a field of the record's header says, of the same width."""
    there, here = header.named(name), section.named(field)
    if there.kind.width != here.kind.width:
        raise LayoutError(f"{section.table}: {field} and {name} are not equally long")
    return Evidence(section, Rule.REPEATS, field, header_at=there.offset)


def once(section: Section) -> Evidence:
    """Every record has one of these sections."""
    return Evidence(section, Rule.ONCE)


def in_use(*sections: Section) -> tuple[Evidence, ...]:
    """Sections that are counted by what is there, not slots of which some may be free: a device, a
    path, a data set. None of them is zero from its first byte to its last."""
    return tuple(Evidence(section, Rule.IN_USE) for section in sections)


def _check_evidence(title: str, evidence: tuple[Evidence, ...], known: Iterable[Section]) -> None:
    """Raises LayoutError for evidence of fields that are not there or too long for a number."""
    tables = {section.table for section in known}
    for claim in evidence:
        if claim.section.table not in tables:
            raise LayoutError(f"{title}: found evidence of {claim.section.table}, which it has not")
        for name in filter(None, (claim.field, claim.other)):
            width = claim.section.named(name).kind.width
            if claim.rule is not Rule.SET and width > _NUMBER_BYTES:
                raise LayoutError(f"{title}: {name} is longer than {_NUMBER_BYTES} bytes")


@dataclass(frozen=True)
class Record:
    """One SMF record type and subtype (None: one layout for all subtypes).

    `when` limits the layout to records whose byte at the first number is one of the others; further
    layouts of a type are those of all subtypes. `single_reader`: one person wrote the declaration
    and its evidence; its tables say so.
    """

    type: int
    subtype: int | None
    title: str
    header: Section
    parts: tuple[SectionPlace, ...] = ()
    interval: Interval | None = None
    indexes: tuple[Index, ...] = ()
    when: tuple[int, tuple[int, ...]] | None = None
    single_reader: bool = False
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        _check_evidence(self.title, self.evidence, self.sections)
        known = [self.header]
        for part in self.parts:
            where = f"{self.title}: {part.section.table}"
            if part.inside is not None and not any(part.inside is section for section in known):
                raise LayoutError(f"{where}: found it before {part.inside.table}, which holds it")
            if any(p.inside is not part.inside for p in self.parts if p.section is part.section):
                raise LayoutError(f"{where}: found two parents, expected one")
            known.append(part.section)
        for index in self.indexes:
            index.parent.named(index.first)
            if not all(any(section is s for s in known) for section in (index.parent, index.child)):
                raise LayoutError(f"{self.title}: found an index of sections it does not have")

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Every section once, the header first."""
        return tuple(dict.fromkeys((self.header, *(part.section for part in self.parts))))

    def parts_of(self, section: Section) -> tuple[SectionPlace, ...]:
        """The places of the sections of one layout."""
        return tuple(part for part in self.parts if part.section is section)

    def keys_of(self, section: Section) -> tuple[Column, ...]:
        """What tells the rows of a section apart: the section they stand in, the area, by index."""
        parts = self.parts_of(section)
        inside = [parts[0].inside] if parts and parts[0].inside else []
        area = [_AREA] if any(part.areas for part in parts) else []
        owners = [index.parent for index in self.indexes if index.child is section]
        return (*map(_parent_column, inside), *area, *map(_parent_column, owners))

    def tables(self) -> tuple[Table, ...]:
        """One table per section."""
        return self._tables

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        doubt = SINGLE_READER if self.single_reader else ""
        return tuple(
            Table(
                section.table, section.doc + doubt, section, self._keys(section), section.columns()
            )
            for section in self.sections
        )

    def _keys(self, section: Section) -> tuple[Column, ...]:
        own = PLACE if section is self.header else KEYS
        return (*own, *self.keys_of(section), *SMF_KEYS)


_AREA = Column("area", pa.string(), "VARCHAR", "What it is about: the manual's name of the area")


def _parent_column(parent: Section) -> Column:
    doc = f"Section it belongs to: section_no in {parent.table}, same file and record"
    return Column(parent_key(parent), pa.int32(), "INTEGER", doc)


@dataclass(frozen=True)
class Variant:
    """What some entries of a log record are: those of records whose `field` is `value`.

    `ids`: and whose first bytes are one of these (none: all). `number`: and only the entry of that
    number. The section begins `inside` bytes into the entry; its row has the entry's number.
    """

    section: Section
    field: str
    value: str
    ids: tuple[bytes, ...] = ()
    number: int | None = None
    inside: int = 0


@dataclass(frozen=True)
class Entries:
    """Repeated entries of a log record: where the first stands, how many, how long.

    `start`: known, or the 4 bytes that say it (0: there are none). `count_at` and `length_at`: the
    2 bytes of the record that say count and length of an entry. Without a count there are `number`
    or, if that is not given either, as many as end at the suffix; without a length the section's
    holds. `more_at`: the 2 bytes of an entry that say how many bytes follow it. `kinds` is the
    field of the record that says what entries are: a value without a variant is told of.
    """

    section: Section
    start: Place
    count_at: int | None = None
    length_at: int | None = None
    number: int | None = None
    more_at: int | None = None
    variants: tuple[Variant, ...] = ()
    kinds: str = ""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The entry, then what it may be."""
        return (self.section, *(variant.section for variant in self.variants))


@dataclass(frozen=True)
class LogRecord:
    """One IMS log record: `subcode` None means that the byte after the code holds data, or is a
    subcode that has no layout of its own."""

    code: int
    subcode: int | None
    title: str
    section: Section
    entries: Entries | None = None
    single_reader: bool = False
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        _check_evidence(self.title, self.evidence, self.sections)
        if self.entries is None:
            return
        if isinstance(self.entries.start, At) and self.entries.start.width != 4:
            raise LayoutError(f"{self.title}: entries begin where 4 bytes say, not fewer")
        used = {variant.field for variant in self.entries.variants} | {self.entries.kinds} - {""}
        for name in sorted(used):
            if self.section.named(name).kind.width > _KEY_BYTES:
                raise LayoutError(f"{self.title}: {name} is longer than {_KEY_BYTES} bytes")

    @property
    def sections(self) -> tuple[Section, ...]:
        """The record's own fields, then its entries and what they may be."""
        return (self.section, *(() if self.entries is None else self.entries.sections))

    def tables(self) -> tuple[Table, ...]:
        """The record's table with the suffix fields, then those of its entries."""
        return self._tables

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        section, doubt = self.section, SINGLE_READER if self.single_reader else ""
        main = Table(
            section.table,
            section.doc + doubt,
            section,
            PLACE,
            section.columns() + IMS_SUFFIX.columns(),
        )
        inner = (Table(s.table, s.doc + doubt, s, self._keys(s), s.columns()) for s in self._inner)
        return (main, *inner)

    @property
    def _inner(self) -> tuple[Section, ...]:
        return self.sections[1:]

    def _keys(self, section: Section) -> tuple[Column, ...]:
        if self.entries is None or section is self.entries.section:
            return KEYS
        doc = f"Entry of the record: section_no in {self.entries.section.table}"
        return (*KEYS[:2], Column("section_no", pa.int32(), "INTEGER", doc))
