"""Where the sections of SMF records stand: triplets, offsets in other sections, chains, indexes.

A triplet of the header that is wrong makes the whole record unreadable (kernels.locate); so
does a wrong place or chain inside a section: what else it says may be as wrong. An index past the
sections costs what it points to, and is a `Problem`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from imsperf.layout import Section
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Runs, spread
from imsperf.record import At, Index, Place, Record, SectionPlace

_NO_ROOM = np.empty(0, np.int64)


@dataclass
class Placed:
    """Sections of the records of a slice, by table name, and the numbers of their parents."""

    record: Record
    part: Part
    extent: I32  # bytes of each record's header
    runs: dict[str, Runs] = field(default_factory=dict)
    parents: dict[str, list[pa.Array]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    faults: dict[int, tuple[str, str]] = field(default_factory=dict)  # row: reason, detail
    span: tuple[I64, I64] | None = None  # see IntervalReader, once it has read them

    def number(self, section: Section) -> I64:
        """Sections in each record."""
        return self.runs[section.table].number

    def tables(self) -> Iterator[tuple[str, Runs]]:
        """Where the sections of each table stand; the headers first."""
        start, ones = self.part.start, np.ones(len(self.part.start), np.int64)
        header = Runs(ones, np.arange(len(start)), start, self.extent, ones.astype(np.int32))
        yield self.record.header.table, header
        yield from self.runs.items()

    def unreadable(self, row: Any, reason: str, detail: str) -> None:
        """Note that these records do not hold their sections: the first as `detail` says."""
        first = int(self.part.number[row[0]])
        others = f"{reason.replace('_', ' ')}, as in record {first:,}"
        for row_no in np.unique(row).tolist():
            self.faults.setdefault(row_no, (reason, detail if row_no == row[0] else others))

    def report(self, row: Any, reason: str, detail: str) -> None:
        """One problem for all records at fault: the first by name, the others by number."""
        more = len(np.unique(row)) - 1
        detail += f"; so in {more:,} more records" if more else ""
        number, place = int(self.part.number[row[0]]), int(self.part.place[row[0]])
        subtype = None if self.record.subtype is None else str(self.record.subtype)
        self.problems.append(
            Problem(number, place, 0, str(self.record.type), subtype, "error", reason, detail)
        )


def place_sections(record: Record, part: Part, extent: I32) -> Placed:
    """Find all sections of the records; the triplets of their headers have been checked."""
    placed = Placed(record, part, extent)
    for section in record.sections[1:]:
        placed_parts = [_place(placed, declared) for declared in record.parts_of(section)]
        runs, keys = placed_parts[0] if len(placed_parts) == 1 else _together(placed_parts)
        placed.runs[section.table], placed.parents[section.table] = runs, keys
    for index in record.indexes:
        placed.parents[index.child.table].append(_owners(placed, index))
    return placed


def _place(placed: Placed, declared: SectionPlace) -> tuple[Runs, list[pa.Array]]:
    """The sections of one part and their keys: the number of the parent, the name of the area."""
    if declared.in_header:
        return _triplets(placed, declared), []
    runs, parent, number = _inside(placed, declared)
    keys = [] if parent is None else [pa.array(parent)]
    if declared.areas:
        keys.append(pa.array(declared.areas, pa.string()).take(pa.array(number)))
    return runs, keys


def _together(placed_parts: list[tuple[Runs, list[pa.Array]]]) -> tuple[Runs, list[pa.Array]]:
    """Sections of one layout that stand at several places, in the order of record and place."""
    record = np.concatenate([runs.record for runs, _ in placed_parts])
    order = np.argsort(record, kind="stable")
    start, size = (
        np.concatenate([getattr(runs, name) for runs, _ in placed_parts])[order]
        for name in ("start", "length")
    )
    columns = zip(*(keys for _, keys in placed_parts), strict=True)
    keys = [pa.concat_arrays(some).take(pa.array(order)) for some in columns]
    return _numbered(order, record, len(placed_parts[0][0].number), start, size), keys


def _numbered(row: I64, record: I64, records: int, start: I64, size: I32) -> Runs:
    """Sections in the order of their records, numbered from 1 in each. `row` is the parent of each,
    `record` that of a parent."""
    counts, of_section = np.empty(records, np.int64), np.empty(len(row), np.int64)
    section = np.empty(len(row), np.int32)
    locate.number_sections(row, record, counts, of_section, section)
    return Runs(counts, of_section, start, size, section)


def _triplets(placed: Placed, declared: SectionPlace) -> Runs:
    part, rows = placed.part, len(placed.part.start)
    offset, size, number = (np.empty(rows, np.int64) for _ in range(3))
    locate.read_triplets(part.buffer, part.start, placed.extent, declared.at, offset, size, number)
    return spread(part.start, offset, size, number)


@dataclass(frozen=True)
class _Parents:
    """The sections that others stand in, or the headers: one row for each."""

    record: I64
    start: I64
    length: I32
    section: I32 | None


def _parents(placed: Placed, declared: SectionPlace) -> _Parents:
    if declared.inside is None:
        rows = np.arange(len(placed.part.start))
        return _Parents(rows, placed.part.start, placed.extent, None)
    runs = placed.runs[declared.inside.table]
    return _Parents(runs.record, runs.start, runs.length, runs.section)


def _inside(placed: Placed, declared: SectionPlace) -> tuple[Runs, I32 | None, I64]:
    """Sections whose places stand in their parents; number of the parent, number in it from 0."""
    parents = _parents(placed, declared)
    find = _spread if declared.next_at is None else _chain
    row, start, size = find(placed, declared, parents)
    runs = _numbered(row, parents.record, len(placed.part.start), start, size)
    number = np.empty(0, np.int64)
    if declared.areas:
        each = np.bincount(row, minlength=len(parents.record))
        number = np.arange(len(row)) - np.repeat(np.cumsum(each) - each, each)
    return runs, None if parents.section is None else parents.section[row], number


def _spread(placed: Placed, declared: SectionPlace, parents: _Parents) -> tuple[I64, I64, I32]:
    """Parent row, start and length of sections that stand one after another."""
    offset = _value(placed, declared.offset, parents)
    size = _value(placed, declared.length, parents)
    number = _value(placed, declared.number, parents)
    part, record = placed.part, parents.record
    base = parents.start if declared.from_parent else part.start[record]
    number[_absent(placed, declared, parents, offset, size)] = 0
    # an area of the parent: an older level may end before it
    room = parents.length if isinstance(declared.offset, int) else _NO_ROOM
    bad = np.empty(len(number), np.uint8)
    if locate.fit_inside(
        part.start, part.length, record, base, room.astype(np.int64), declared.least,
        offset, size, number, bad,
    ):  # fmt: skip
        outside, shared = (
            np.flatnonzero(bad == locate.OUTSIDE),
            np.flatnonzero(bad == locate.SHARED),
        )
        if len(outside):
            at = int(base[outside[0]] + offset[outside[0]])
            end = at + int(size[outside[0]]) * int(number[outside[0]])
            _past_end(placed, declared, parents, outside, at, end)
        if len(shared):
            _shared(placed, declared, parents, shared, size * number)
        number[bad != 0] = 0
    run = spread(base, offset, size, number)
    return run.record, run.start, run.length


def _absent(
    placed: Placed, declared: SectionPlace, parents: _Parents, offset: I64, size: I64
) -> Any:
    """Mask of the parents that have none of these sections."""
    gone = size == 0
    if isinstance(declared.offset, At):
        gone |= offset == 0
    if declared.when is not None:
        at, values = declared.when
        gone |= ~np.isin(_value(placed, At(at, 1), parents), values)
    return gone


def _shared(
    placed: Placed, declared: SectionPlace, parents: _Parents, rows: I64, taken: I64
) -> None:
    """Parents in records whose sections take more bytes than the record has: sections that others
    share are few, and what says otherwise is no record."""
    record = parents.record[rows[0]]
    total = int(taken[rows][parents.record[rows] == record].sum())
    detail = (
        f"{declared.section.table}: found sections of {total:,} bytes in a record of "
        f"{int(placed.part.length[record]):,}, expected few that are shared"
    )
    placed.unreadable(parents.record[rows], "sections_overlap", detail)


def _past_end(
    placed: Placed, declared: SectionPlace, parents: _Parents, bad: Any, at: int, end: int
) -> None:
    record = parents.record[bad[0]]
    begin, finish = (x - int(placed.part.start[record]) for x in (at, end))
    words = declared.section.table.split("_", 2)[-1].replace("_", " ")
    detail = (
        f"{words} section at +{begin} would end at +{finish}, or is shorter than its first field; "
        f"the record is {int(placed.part.length[record])} bytes long"
    )
    placed.unreadable(parents.record[bad], "section_past_end", detail)


def _chain(placed: Placed, declared: SectionPlace, parents: _Parents) -> tuple[I64, I64, I32]:
    """Parent row, start and length of sections that are chained by offsets in the record."""
    part = placed.part
    first = _value(placed, declared.offset, parents)
    length = _value(placed, declared.length, parents)
    start, lengths = part.start[parents.record], part.length[parents.record]
    bad = np.empty(len(first), np.int64)
    room = max(2 * len(first), 16)
    while True:
        row, offset = np.empty(room, np.int64), np.empty(room, np.int64)
        chained = locate.follow_chains(
            part.buffer,
            start,
            lengths,
            first,
            declared.least,
            declared.next_at or 0,
            row,
            offset,
            bad,
        )
        if chained <= room:
            break
        room = chained
    row, offset = row[:chained], offset[:chained]
    if len(broken := np.flatnonzero(bad >= 0)):
        where = (
            f"chain of {declared.section.table}: found a bad offset after {bad[broken[0]]} links"
        )
        placed.unreadable(parents.record[broken], "broken_chain", where)
    known = np.where(length[row] > 0, length[row], declared.section.length)
    size = np.minimum(known, lengths[row] - offset).astype(np.int32)
    return row, start[row] + offset, size


def _value(placed: Placed, place: Place, parents: _Parents) -> I64:
    """A number of each parent: known, in the parent, or in another section of its record."""
    rows = len(parents.record)
    if isinstance(place, int):
        return np.full(rows, place, np.int64)
    value = np.zeros(rows, np.int64)
    if place.of is None:
        start, length = parents.start, parents.length
    else:
        start, length = first_sections(placed, place.of, parents.record)
    locate.read_numbers(
        placed.part.buffer, np.ascontiguousarray(start), np.ascontiguousarray(length),
        place.at, place.width, value,
    )  # fmt: skip
    return value


def first_sections(placed: Placed, section: Section, record: I64) -> tuple[I64, I32]:
    """Start and length of the first section of a layout in each record; length 0: none."""
    runs = placed.runs[section.table]
    start, length = np.zeros(len(runs.number), np.int64), np.zeros(len(runs.number), np.int32)
    is_first = runs.section == 1
    start[runs.record[is_first]] = runs.start[is_first]
    length[runs.record[is_first]] = runs.length[is_first]
    return start[record], length[record]


def last_ends(placed: Placed) -> I64:
    """Where the last section of each record ends, counted from its start; 0 where it has none."""
    ends = np.zeros(len(placed.part.start), np.int64)
    for runs in placed.runs.values():
        stop = runs.start + runs.length - placed.part.start[runs.record]
        np.maximum.at(ends, runs.record, stop)
    return ends


def _owners(placed: Placed, index: Index) -> pa.Array:
    """The section number of the parent of each child, NULL where no index points to it."""
    parent, child = placed.runs[index.parent.table], placed.runs[index.child.table]
    rows = _Parents(parent.record, parent.start, parent.length, parent.section)
    first = _field(placed, index.parent, index.first, rows)
    number = _index_count(placed, index, rows, first)
    skip = first - index.base
    number[(skip < 0) | (first == index.none)] = 0
    have = child.number[parent.record]
    past = np.flatnonzero((number > 0) & (skip + number > have))
    if len(past):
        _past_section(placed, index, parent, past, skip, number, have)
        number[past] = np.maximum(have[past] - skip[past], 0)
    begin = np.cumsum(child.number) - child.number
    owner = np.zeros(len(child.record), np.int32)
    row = np.repeat(np.arange(len(number)), number)[::-1]  # of two parents the first one counts
    step = (np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number))[::-1]
    owner[begin[parent.record[row]] + skip[row] + step] = parent.section[row]
    return pa.array(owner, mask=owner == 0)


def _index_count(placed: Placed, index: Index, rows: _Parents, first: I64) -> I64:
    """How many sections each parent has."""
    if index.last:
        last = _field(placed, index.parent, index.last, rows)
        return np.where(first > 0, np.maximum(last - first + 1, 0), 0)
    if index.number:
        return _field(placed, index.parent, index.number, rows)
    return np.ones(len(first), np.int64)


def _past_section(
    placed: Placed, index: Index, parent: Runs, past: Any, skip: I64, number: I64, have: I64
) -> None:
    row = past[0]
    field = index.parent.named(index.first)
    detail = (
        f"{index.parent.table}.{field.name} at +{field.offset} of section {parent.section[row]}: "
        f"found sections {skip[row] + 1} to {skip[row] + number[row]} of {index.child.table}, "
        f"expected at most {have[row]}; what is past the end is left out"
    )
    placed.report(parent.record[past], "index_past_section", detail)


def _field(placed: Placed, section: Section, name: str, rows: _Parents) -> I64:
    field = section.named(name)
    return _value(placed, At(field.offset, field.kind.width), rows)
