"""Where SMF records end by their own triplets: a witness for records that nothing else measures.

Most kinds of records end with the last section that the triplets of their header lead to. Source:
SMF manual SA38-0667, self-defining sections; places of triplets as in the layouts. Offsets count
the 4-byte RDW.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from imsperf.kernels import kernel
from imsperf.parsers.kernels.loads import I32, I64, SMF_HEADER, U8, word16, word32
from imsperf.record import Record

if TYPE_CHECKING:
    from imsperf.layouts import Layouts

_TYPES = 1 << 16  # type << 8 | subtype


def triplets() -> tuple[I64, I64]:
    """Places of the header triplets of all types and subtypes that have layouts, rising.

    `places[first[k]:first[k + 1]]` are those of k = type << 8 | subtype.
    """
    from imsperf import layouts

    return _triplets_with(layouts.current())


@cache
def _triplets_with(beside: Layouts) -> tuple[I64, I64]:
    """The same with that set of layouts beside ours."""
    from imsperf import layouts

    first, places = np.zeros(_TYPES + 1, np.int64), list[int]()
    known = dict[int, list[int]]()
    for record in sorted(layouts.all_records(), key=lambda record: record.subtype is not None):
        subtypes = range(256) if record.subtype is None else [record.subtype]
        known |= dict.fromkeys(
            (record.type << 8 | subtype for subtype in subtypes), _triplets(record)
        )
    for key in sorted(known):
        if key < _TYPES:
            first[key + 1] = len(known[key])
            places += known[key]
    return np.cumsum(first), np.array(places, np.int64)


def _triplets(record: Record) -> list[int]:
    """Where the triplets of a header stand, those too that lead to sections we do not decode."""
    triplet_places = {part.at for part in record.parts if part.in_header}
    fields = record.header.fields
    for field, length, number in zip(fields, fields[1:], fields[2:], strict=False):
        widths = (field.kind.width, length.kind.width, number.kind.width)
        joined = field.offset + 4 == length.offset == number.offset - 2
        if joined and widths == (4, 2, 2) and field.doc.startswith("Offset of"):
            triplet_places.add(field.offset)
    return sorted(triplet_places)


@kernel
def last_bytes(buffer: U8, starts: I64, lengths: I32, first: I64, places: I64, ends: I64) -> None:
    """Where the last section ends that the triplets of each header lead to, 0 where none does;
    counted from the start of the record. `first`, `places`: see `triplets`."""
    for i in range(starts.size):
        ends[i] = 0
        at, extent = starts[i], np.int64(lengths[i])
        if extent < SMF_HEADER or (buffer[at + 4] & 0x40 and extent < SMF_HEADER + 6):
            continue
        subtype = word16(buffer, at + 22) if buffer[at + 4] & 0x40 else np.int64(0)
        if subtype > 0xFF:
            continue
        kind = np.int64(buffer[at + 5]) << 8 | subtype
        for k in range(first[kind], first[kind + 1]):
            if places[k] + 8 > extent:
                break
            place = at + places[k]
            begin, size = word32(buffer, place), word16(buffer, place + 4)
            size *= word16(buffer, place + 6)
            if begin and size:
                ends[i], extent = max(ends[i], begin + size), min(extent, begin)
