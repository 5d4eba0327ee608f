"""Sections -> records: every section at its place, every offset, length and number filled in.

The layout declarations say where offsets stand: triplets, pointers and chains in the header or in
other sections, areas at a fixed place in their parent. Records made together have the same sections
in the same numbers; those that differ are made apart, so there is no loop over records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.errors import LayoutError
from imsperf.kinds import Op, unsigned
from imsperf.layout import Section
from imsperf.record import At, Record
from imsperf.record import Part as Place

U8 = npt.NDArray[np.uint8]
I64 = npt.NDArray[np.int64]

LARGEST_RECORD = 32_756  # so that the record and its RDW fit one segment


@dataclass(frozen=True)
class Part:
    """`number` sections of one layout in every record of a group, `length` bytes each.

    `columns` hold what differs from record to record: arrays of records x number values, of records
    values where number is 1, or one value for all. `fixed` holds what many records share: number
    values, or things x number values where `which` says for each record what thing it is about;
    with a `which` of records x number values, one for each section.
    `each`: how many belong to each section of the parent, where the layout puts them inside
    another. `at` chooses between areas of one layout: where the first stands.
    """

    section: Section
    columns: Mapping[str, Any]
    number: int = 1
    length: int = 0  # 0: the longest level known
    fixed: Mapping[str, Any] = field(default_factory=dict)
    which: I64 | None = None
    each: tuple[int, ...] = ()
    at: int | None = None

    @property
    def size(self) -> int:
        """Bytes of one section."""
        return self.length or self.section.length

    def encode(self, begin: int, end: int) -> U8:
        """The sections of records begin to end, shape (records, number, size)."""
        once = self._templates()
        if self.which is None:
            rows = np.repeat(once, end - begin, axis=0)
        else:
            which = self.which[begin:end] if len(once) > 1 else np.zeros_like(self.which[begin:end])
            rows = once[which].reshape(end - begin, self.number, self.size)
        here = {name: _flat(_between(v, begin, end)) for name, v in self.columns.items()}
        self.section.encode(here, onto=rows.reshape(-1, self.size))
        return rows

    def _templates(self) -> U8:
        """Bytes of each thing, (things, its sections, size); text that nobody gave is blank."""
        things = 1 if self.which is None else max(map(_rows, self.fixed.values()), default=1)
        each = 1 if self.which is not None and self.which.ndim == 2 else self.number
        blank = {one.name: "" for one in self.section.fields if one.kind.op is Op.TEXT}
        whole = blank | {name: _flat(values) for name, values in self.fixed.items()}
        once = self.section.encode(whole, count=things * each, length=self.size)
        return once.reshape(things, each, self.size)


def _rows(values: Any) -> int:
    return len(values) if np.ndim(values) else 1


def _between(values: Any, begin: int, end: int) -> Any:
    return values[begin:end] if np.ndim(values) else values


def _flat(values: Any) -> Any:
    return values.reshape(-1, *values.shape[2:]) if np.ndim(values) > 1 else values


@dataclass(frozen=True)
class Placed:
    """A part with the place the layout declares for it, its bytes, and where it begins."""

    part: Part
    place: Place
    rows: U8
    start: int

    @property
    def inline(self) -> bool:
        """Whether it stands in the bytes of its parent."""
        return isinstance(self.place.offset, int)

    @cached_property
    def sections(self) -> I64:
        """Where each section begins."""
        return self.start + self.part.size * np.arange(self.part.number, dtype=np.int64)


def records_of(record: Record, head: Part, parts: Sequence[Part], begin: int, end: int) -> U8:
    """Bytes of records begin to end of a group, (records, length), the length in their RDW.

    `head` is the header, its triplets left out. Parts stand in the record in the order given; a
    part inside another comes after it. Raises LayoutError for a part that the record does not have,
    and for records too long for one segment.
    """
    header = head.encode(begin, end)
    placed = _laid_out(record, parts, begin, end)
    for one in placed:
        parent = _parent(one, placed)
        rows = header if parent is None else parent.rows
        if one.inline:
            _put_inside(one, rows)
        else:
            _point(one, rows, placed)
    _absent(record, placed, header)
    blocks = [header, *(one.rows for one in placed if not one.inline)]
    rows = np.hstack([one.reshape(end - begin, -1) for one in blocks])
    if rows.shape[1] > LARGEST_RECORD:
        raise LayoutError(
            f"{record.title}: found a record of {rows.shape[1]:,} bytes, expected at most "
            f"{LARGEST_RECORD:,}"
        )
    rows[:, 0:2] = list(rows.shape[1].to_bytes(2))
    return rows


def _laid_out(record: Record, parts: Sequence[Part], begin: int, end: int) -> list[Placed]:
    at, found = record.header.length, []
    for part in parts:
        place = _place(record, part)
        inline = isinstance(place.offset, int)
        if part.number:
            found.append(Placed(part, place, part.encode(begin, end), at))
        if not inline:
            at += part.number * part.size
    return found


def _place(record: Record, part: Part) -> Place:
    for place in record.parts_of(part.section):
        if part.at is None or place.offset == part.at:
            return place
    raise LayoutError(f"{record.title}: found no place for {part.section.table}")


def _parent(one: Placed, placed: Sequence[Placed]) -> Placed | None:
    if one.place.inside is None:
        return None
    for other in placed:
        if other.part.section is one.place.inside:
            return other
    raise LayoutError(f"{one.part.section.table}: found no {one.place.inside.table} to hold it")


def _each(one: Placed, parents: int) -> I64:
    """How many sections belong to each parent."""
    each = one.part.each or ((one.part.number,) if parents == 1 else ())
    if len(each) != parents or sum(each) != one.part.number:
        raise LayoutError(
            f"{one.part.section.table}: found {one.part.number} sections as {each} for {parents} "
            f"of their parents"
        )
    return np.array(each, dtype=np.int64)


def _put_inside(one: Placed, rows: U8) -> None:
    """Areas into the bytes of those parents that have them."""
    each = one.part.each or (one.part.number // rows.shape[1],) * rows.shape[1]
    have = np.flatnonzero(each)
    areas = one.rows.reshape(len(one.rows), len(have), -1)
    at = one.place.offset
    assert isinstance(at, int)
    rows[:, have, at : at + areas.shape[2]] = areas


def _point(one: Placed, rows: U8, placed: Sequence[Placed]) -> None:
    """Offset, length and number into the parents; offsets of a chain into its sections."""
    each = _each(one, rows.shape[1])
    first = np.cumsum(each) - each
    begins = np.where(each > 0, one.start + first * one.part.size, 0)
    _number(rows, one.place.offset, begins)
    _number(rows, one.place.number, each)
    where = one.place.length
    if isinstance(where, At) and where.of is not None:
        holder = next(other for other in placed if other.part.section is where.of)
        _number(holder.rows, where, np.full(holder.part.number, one.part.size))
    else:
        _number(rows, where, np.where(each > 0, one.part.size, 0))
    if one.place.next_at is not None:
        after = np.append(one.sections[1:], 0)
        after[(first + each - 1)[each > 0]] = 0
        _number(one.rows, At(one.place.next_at, 4), after)


def _number(rows: U8, where: int | At, values: npt.NDArray[Any]) -> None:
    """One number for each section, the same in every record."""
    if isinstance(where, At):
        rows[:, :, where.at : where.at + where.width] = unsigned(where.width).encode(values)


def _absent(record: Record, placed: Sequence[Placed], header: U8) -> None:
    """A triplet of no sections says how long one would be."""
    here = {id(one.place.section) for one in placed}
    for place in record.parts:
        if place.in_header and id(place.section) not in here:
            _number(header, place.length, np.array([place.section.length]))
