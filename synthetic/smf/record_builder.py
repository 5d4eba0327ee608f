"""Sections -> records: every section at its place, every offset, length and number filled in.

The layout declarations say where offsets stand: triplets, pointers and chains in the header or in
other sections, areas at a fixed place in their parent. Records made together have the same sections
in the same numbers; those that differ are made apart, so there is no loop over records.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.errors import LayoutError
from imsperf.kinds import Op, unsigned
from imsperf.layout import Field, Section
from imsperf.record import At, Record, SectionPlace
from imsperf.synthetic.arrays import I64, U8, Values

LARGEST_RECORD = 32_756  # so that the record and its RDW fit one segment


@dataclass(frozen=True)
class Sections:
    """`number` sections of one layout in every record of a group, `length` bytes each.

    `columns` hold what differs from record to record: arrays of records x number values, of records
    values where number is 1, or one value for all. `fixed` holds what many records share: number
    values, or things x number values where `which` says for each record what thing it is about;
    with a `which` of records x number values, one for each section. Text that nobody gave is blank,
    all else zero. `each`: how many belong to each section of the parent, where the layout puts them
    inside another. `at` chooses between areas of one layout: where the first stands.
    """

    section: Section
    columns: Mapping[str, Any]
    number: int = 1
    length: int = 0  # 0: the longest level known
    fixed: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    which: I64 | None = None
    each: tuple[int, ...] = ()
    at: int | None = None

    @property
    def size(self) -> int:
        """Bytes of one section."""
        return self.length or self.section.length

    def templates(self) -> U8:
        """Bytes of each thing, (things, its sections, size)."""
        things = 1 if self.which is None else max(map(_rows, self.fixed.values()), default=1)
        each = 1 if self.which is not None and self.which.ndim == 2 else self.number
        blank = {field.name: "" for field in self.section.fields if field.kind.op is Op.TEXT}
        fields = blank | {name: _flat(values) for name, values in self.fixed.items()}
        once = self.section.encode(fields, count=things * each, length=self.size)
        return once.reshape(things, each, self.size)


@dataclass(frozen=True)
class Planned:
    """A part with the place the layout declares for it, and its bytes but for the columns."""

    part: Sections
    place: SectionPlace | None  # None: the header
    start: int
    template: U8
    columns: tuple[tuple[Field, Any], ...]
    inline: tuple[Planned, ...] = ()  # areas inside its sections

    def encode(self, begin: int, end: int) -> U8:
        """The sections of records begin to end, shape (records, number, size)."""
        part, count = self.part, end - begin
        if part.which is None or len(self.template) == 1:
            shape = (count, part.number, part.size)
            rows = np.broadcast_to(self.template, shape).copy()
        else:
            rows = self.template[part.which[begin:end]].reshape(count, part.number, part.size)
        for field, values in self.columns:
            data = part.section.encode_field(field, _flat(_between(values, begin, end)))
            width = field.end - field.offset
            rows[:, :, field.offset : field.end] = (
                data if len(data) == 1 else data.reshape(count, part.number, width)
            )
        for other in self.inline:
            other.put_inside(rows, begin, end)
        return rows

    def put_inside(self, rows: U8, begin: int, end: int) -> None:
        """Areas into the bytes of those parents that have them."""
        each = self.part.each or (1,) * rows.shape[1]
        have = np.flatnonzero(each)
        areas = self.encode(begin, end).reshape(end - begin, len(have), -1)
        assert self.place is not None and isinstance(self.place.offset, int)
        rows[:, have, self.place.offset : self.place.offset + areas.shape[2]] = areas


@dataclass(frozen=True)
class Plan:
    """Records of one shape: the header and what follows it, each at its place."""

    parts: tuple[Planned, ...]
    length: int

    def encode(self, begin: int, end: int) -> U8:
        """Bytes of records begin to end, (records, length)."""
        blocks = [part.encode(begin, end).reshape(end - begin, -1) for part in self.parts]
        return np.hstack(blocks)


def plan(record: Record, head: Sections, parts: Sequence[Sections]) -> Plan:
    """How records of this shape are made: `head` is the header, its triplets left out.

    Parts stand in the record in the order given; a part inside another comes after it. Raises
    LayoutError for a part that the record does not have, and for records too long for one segment.
    """
    placed = [_planned(head, None, 0)]
    for part in parts:
        place = _place(record, part)
        if part.number:
            last = next(entry for entry in reversed(placed) if not _is_inline(entry))
            after = last.start + last.part.number * last.part.size
            placed.append(_planned(part, place, after))
    for entry in placed[1:]:
        _point(entry, _parent(entry, placed), placed)
    _absent(record, placed)
    last = next(entry for entry in reversed(placed) if not _is_inline(entry))
    length = last.start + last.part.number * last.part.size
    if length > LARGEST_RECORD:
        raise LayoutError(
            f"{record.title}: found a record of {length:,} bytes, expected at most "
            f"{LARGEST_RECORD:,}"
        )
    placed[0].template[:, :, 0:2] = list(length.to_bytes(2))
    return Plan(
        tuple(_with_areas(entry, placed) for entry in placed if not _is_inline(entry)), length
    )


def _planned(part: Sections, place: SectionPlace | None, start: int) -> Planned:
    fields = ((part.section.named(name), values) for name, values in part.columns.items())
    known = tuple((field, values) for field, values in fields if field.end <= part.size)
    return Planned(part, place, start, part.templates(), known)


def _is_inline(planned: Planned) -> bool:
    """Whether it stands in the bytes of its parent."""
    return planned.place is not None and isinstance(planned.place.offset, int)


def _with_areas(planned: Planned, placed: Sequence[Planned]) -> Planned:
    inside = tuple(p for p in placed if _is_inline(p) and _parent(p, placed) is planned)
    return Planned(
        planned.part, planned.place, planned.start, planned.template, planned.columns, inside
    )


def _rows(values: Any) -> int:
    return len(values) if np.ndim(values) else 1


def _between(values: Any, begin: int, end: int) -> Any:
    return values[begin:end] if np.ndim(values) else values


def _flat(values: Any) -> Any:
    return values.reshape(-1, *values.shape[2:]) if np.ndim(values) > 1 else values


# --- places -------------------------------------------------------------------------------------


def _place(record: Record, part: Sections) -> SectionPlace:
    for place in record.parts_of(part.section):
        if part.at is None or place.offset == part.at:
            return place
    raise LayoutError(f"{record.title}: found no place for {part.section.table}")


def _parent(planned: Planned, placed: Sequence[Planned]) -> Planned:
    inside = planned.place.inside if planned.place else None
    if inside is None:
        return placed[0]
    for other in placed:
        if other.part.section is inside:
            return other
    raise LayoutError(f"{planned.part.section.table}: found no {inside.table} to hold it")


def _each(planned: Planned, parents: int) -> I64:
    """How many sections belong to each parent."""
    each = planned.part.each or ((planned.part.number,) if parents == 1 else ())
    if len(each) != parents or sum(each) != planned.part.number:
        raise LayoutError(
            f"{planned.part.section.table}: found {planned.part.number} sections as {each} "
            f"for {parents} "
            f"of their parents"
        )
    return np.array(each, dtype=np.int64)


def _point(planned: Planned, parent: Planned, placed: Sequence[Planned]) -> None:
    """Offset, length and number into the parents; offsets of a chain into its sections."""
    place = planned.place
    if place is None or _is_inline(planned):
        return
    size, rows = planned.part.size, parent.template
    each = _each(planned, rows.shape[1])
    first = np.cumsum(each) - each
    _number(rows, place.offset, np.where(each > 0, planned.start + first * size, 0))
    _number(rows, place.number, each)
    where = place.length
    if isinstance(where, At) and where.of is not None:
        holder = next(other for other in placed if other.part.section is where.of)
        _number(holder.template, where, np.full(holder.part.number, size))
    else:
        _number(rows, where, np.where(each > 0, size, 0))
    if place.next_at is not None:
        after = planned.start + size * np.arange(1, planned.part.number + 1)
        after[(first + each - 1)[each > 0]] = 0
        _number(planned.template, At(place.next_at, 4), after)


def _number(rows: U8, where: int | At, values: Values) -> None:
    """One number for each section, the same in every record."""
    if isinstance(where, At):
        rows[:, :, where.at : where.at + where.width] = unsigned(where.width).encode(values)


def _absent(record: Record, placed: Sequence[Planned]) -> None:
    """A triplet of no sections says how long one would be."""
    here = {id(entry.place.section) for entry in placed if entry.place}
    for place in record.parts:
        if place.in_header and id(place.section) not in here:
            _number(placed[0].template, place.length, np.array([place.section.length]))
