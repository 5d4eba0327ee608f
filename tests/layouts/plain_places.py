"""Follows the declared places of a record's sections: one section at a time, plain Python.

Nothing is shared with the product: `imsperf.parsers` has a kernel for the same.
"""

from __future__ import annotations

from imsperf.layout import Section
from imsperf.record import At, Place, Record, SectionPlace

Starts = dict[str, list[int]]  # where the sections of each table begin, in the order of the rows
_MOST = 1000  # links of a chain


def followed(record: Record, data: bytes) -> Starts:
    """Where the sections of a record begin; `data` has its RDW. IndexError where it points out."""
    header = record.header.table
    starts: Starts = {header: [0]}
    lengths = {header: len(data)}  # the header ends where the first section begins
    for part in record.parts:
        inside = (part.inside or record.header).table
        mine = starts.setdefault(part.section.table, [])
        for parent in starts.get(inside, []):
            places, length = _sections(part, data[: parent + lengths[inside]], data, parent, starts)
            if places:
                lengths[part.section.table] = length
            if places and part.inside is None:
                lengths[header] = min(lengths[header], *places)
            mine += places
    return {table: some for table, some in starts.items() if some}


def _sections(
    part: SectionPlace, head: bytes, data: bytes, parent: int, starts: Starts
) -> tuple[list[int], int]:
    """The sections of one parent, and the length of each; `head` ends where the parent does."""
    if part.when is not None and _number(data, parent + part.when[0], 1) not in part.when[1]:
        return [], 0
    places = [place for place in (part.offset, part.length, part.number) if isinstance(place, At)]
    if any(place.of is None and parent + place.at + place.width > len(head) for place in places):
        return [], 0  # a shorter level of the parent

    def value(place: Place) -> int:
        if isinstance(place, int):
            return place
        of: Section | None = place.of
        return _number(data, (starts[of.table][0] if of else parent) + place.at, place.width)

    first = value(part.offset)
    if first == 0 and isinstance(part.offset, At):
        return [], 0
    first += parent if part.from_parent else 0
    if part.next_at is not None:
        return _chain(part.next_at, data, first), value(part.length)
    step, number = value(part.length), value(part.number)
    if number and first + number * step > len(data):
        raise IndexError(f"{part.section.table}: ends at {first + number * step}")
    return [first + step * n for n in range(number)], step


def _chain(next_at: int, data: bytes, first: int) -> list[int]:
    links = [first]
    while following := _number(data, links[-1] + next_at, 4):
        if len(links) > _MOST:
            raise IndexError("the chain does not end")
        links.append(following)
    return links


def _number(data: bytes, at: int, width: int) -> int:
    if at < 0 or at + width > len(data):
        raise IndexError(f"found nothing at {at}")
    return int.from_bytes(data[at : at + width], "big")
