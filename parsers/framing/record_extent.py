"""Where SMF records end by their own triplets: a witness for records that nothing else measures.

FTP structure R marks the ends of records but has no lengths, so bytes that were put into a record
or lost from it show nowhere. Most kinds of records end with the last section that the triplets of
their header lead to. Source: SMF manual SA38-0667, self-defining sections; places of triplets as
in the layouts. Offsets count the 4-byte RDW.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from imsperf.kernels import inner, kernel
from imsperf.parsers.kernels.loads import I32, I64, SMF_HEADER, U8, word16, word32
from imsperf.record import Record

if TYPE_CHECKING:
    from imsperf.layouts import Layouts

_TYPES = 1 << 16  # type << 8 | subtype
_NO_KIND = -1
_PRODUCT = 28  # where the offset of the first section stands in most records
_ALIGNED = 8  # bytes: a section begins less than this behind the one before
_LIKE, _RARE = 1, 32  # records that end as they should: at least; for each that does not


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


@inner
def _is_led_to(buffer: U8, at: Any, length: Any, end: Any) -> Any:
    """Whether a pointer of the record, from its start or its first section on, leads to what stands
    behind `end`: a section that no triplet of the header leads to."""
    first = word32(buffer, at + _PRODUCT) if length >= _PRODUCT + 4 else np.int64(0)
    first = first if first < end else np.int64(0)
    for place in range(at + SMF_HEADER, at + length - 3):
        beyond = word32(buffer, place) - end
        if 0 <= beyond < _ALIGNED or 0 <= beyond + first < _ALIGNED:
            return True
    return False


@kernel
def measure(
    buffer: U8, starts: I64, lengths: I32, first: I64, places: I64, kinds: I64, odd: Any
) -> None:
    """Type << 8 | subtype of each record, and whether it ends elsewhere than its triplets say.

    The kind is -1 where its triplets are not known or all empty, and where a pointer explains what
    stands behind the sections of its triplets. `first`, `places`: see `triplets`. A triplet past
    the first section is absent, as in a record of an older level.
    """
    for i in range(starts.size):
        kinds[i], odd[i] = _NO_KIND, False
        at, extent = starts[i], np.int64(lengths[i])
        if extent < SMF_HEADER or (buffer[at + 4] & 0x40 and extent < SMF_HEADER + 6):
            continue
        subtype = word16(buffer, at + 22) if buffer[at + 4] & 0x40 else np.int64(0)
        if subtype > 0xFF:
            continue
        kind, end = np.int64(buffer[at + 5]) << 8 | subtype, np.int64(0)
        for k in range(first[kind], first[kind + 1]):
            if places[k] + 8 > extent:
                break
            place = at + places[k]
            begin, size = word32(buffer, place), word16(buffer, place + 4)
            size *= word16(buffer, place + 6)
            if begin and size:
                end, extent = max(end, begin + size), min(extent, begin)
        if end and (end >= lengths[i] or not _is_led_to(buffer, at, lengths[i], end)):
            kinds[i], odd[i] = kind, end != lengths[i]


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


class Ends:
    """Which records end elsewhere than their triplets say though the others of their type and
    subtype do not: bytes were put into them or lost. First all records are counted."""

    def __init__(self) -> None:
        self._exact, self._odd = (np.zeros(_TYPES, np.int64) for _ in range(2))

    def count(self, buffer: U8, start: I64, length: I32) -> None:
        """Take up the ends of some of the records."""
        kinds, odd = _measured(buffer, start, length)
        for counts, some in ((self._exact, ~odd), (self._odd, odd)):
            counts += np.bincount(kinds[some & (kinds >= 0)], minlength=_TYPES)

    def wrong(self, buffer: U8, start: I64, length: I32) -> npt.NDArray[np.bool_]:
        """Mask of the records to be left out, once all are counted."""
        kinds, odd = _measured(buffer, start, length)
        few = (self._odd == 1) | (_RARE * self._odd <= self._exact)
        known = few & (self._exact >= _LIKE)
        wrong: npt.NDArray[np.bool_] = odd & known[kinds]
        return wrong


def _measured(buffer: U8, start: I64, length: I32) -> tuple[I64, npt.NDArray[np.bool_]]:
    kinds, odd = np.empty(len(start), np.int64), np.empty(len(start), np.bool_)
    measure(buffer, start, length, *triplets(), kinds, odd)
    return kinds, odd
