"""CICS monitoring records (SMF 110.1) before they are decoded: what they hold, and compressed ones.

CICS compresses the data section with the z/OS service CSRCESRV: a byte X'80', then runs. A run is
a control byte and what it counts: with the high bit off that many bytes as they are, with it on
one byte, that many times. Sources: IBM's description of the module and a program that reads it,
both on the IBM-MAIN list in June 2013 (IBM calls it no interface); the offsets count from the RDW
of the expanded record: a public assembler program that expands them with the service itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.kernels import kernel
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I64, U8, read_only
from imsperf.parsers.smf_headers import read_headers

DICTIONARY, PERFORMANCE = 1, 3  # classes of data

_PRODUCT, _DATA = 28, 36  # triplets in the header
_HEADER_BYTES, _SYSTEM, _REGION = 44, 14, 2  # end of the header; system id; APPLIDs in the product
_LEAST_PRODUCT = 40  # bytes up to the number of data records
_LONGEST = 65_536  # bytes of an expanded record; SMF takes half of that
_AT_ONCE = 64 << 20  # bytes of expanded records handled at a time
_COMPRESSED = 0x80  # first byte of a compressed data section

REGION_BYTES = 20  # system id, generic and specific APPLID


@dataclass(frozen=True)
class Heads:
    """What the product sections say: one row per record, all 0 where there is none."""

    is_known: npt.NDArray[np.bool_]
    product: I64  # where it starts in the buffer
    kind: I64
    connectors: I64  # offset
    connector_size: I64
    connector_count: I64
    data: I64  # offset
    size: I64
    count: I64

    @property
    def end(self) -> I64:
        """Offset of the first byte after the data, in the expanded record."""
        return self.data + self.size * self.count

    def regions(self, part: Part) -> npt.NDArray[np.uint8]:
        """System, generic and specific APPLID of each record, shape (n, 20); zeros if unknown."""
        region_names = np.zeros((len(part.start), REGION_BYTES), np.uint8)
        some = self.is_known
        region_names[some, :4] = part.buffer[
            part.start[some, None] + np.arange(_SYSTEM, _SYSTEM + 4)
        ]
        region_names[some, 4:] = part.buffer[
            self.product[some, None] + np.arange(_REGION, _REGION + 16)
        ]
        return region_names


def read_heads(part: Part) -> Heads:
    """Read the product sections of 110.1 records; one that is not inside its record is absent."""
    offset, size, count = (_numbers(part, _PRODUCT + at, width) for at, width in _TRIPLET)
    known = (count > 0) & (size >= _LEAST_PRODUCT) & (offset >= _HEADER_BYTES)
    known &= offset + _LEAST_PRODUCT <= part.length
    start = part.start + np.where(known, offset, 0)
    have = np.where(known, _LEAST_PRODUCT, 0).astype(np.int32)
    inside = Part(part.buffer, start, have, part.number, part.place)
    return Heads(
        known, start, _numbers(inside, 22, 2),
        _numbers(inside, 24, 4), _numbers(inside, 28, 2), _numbers(inside, 30, 2),
        _numbers(inside, 32, 4), _numbers(inside, 36, 2), _numbers(inside, 38, 2),
    )  # fmt: skip


_TRIPLET = ((0, 4), (4, 2), (6, 2))  # offset, length, number: place and width of each


def _numbers(part: Part, at: int, width: int) -> I64:
    numbers = np.zeros(len(part.start), np.int64)
    locate.read_numbers(part.buffer, part.start, part.length, at, width, numbers)
    return numbers


def monitoring(part: Part) -> Part:
    """The 110.1 records of a part."""
    key = read_headers(part).key
    kind = key & (1 << locate.SYSTEM_BITS) - 1
    wanted = 110 << locate.TYPE_BITS | locate.HAS_SUBTYPE | 1
    return part.take((key != locate.NO_HEADER) & (kind == wanted))


def dictionaries(part: Part) -> npt.NDArray[np.bool_]:
    """Mask of the dictionary records of a part."""
    some = monitoring(part)
    some = some.take(read_heads(some).kind == DICTIONARY)
    return np.isin(part.number, some.number)


@dataclass(frozen=True)
class Piece:
    """Some records of a part, expanded: `rows` says which, `failed` which could not be."""

    rows: Any
    part: Part
    failed: npt.NDArray[np.bool_]


def expanded(part: Part) -> Iterator[Piece]:
    """The records of a part with their data sections expanded, some at a time."""
    offset, size, is_compressed, length = _compressed(part)
    if not is_compressed.any():
        yield Piece(slice(None), part, np.zeros(len(part.start), np.bool_))
        return
    keep = np.where(is_compressed, offset, part.length)
    ends = np.cumsum(length)
    cuts = np.unique(np.searchsorted(ends, np.arange(_AT_ONCE, ends[-1], _AT_ONCE)) + 1)
    for rows in np.split(np.arange(len(length)), cuts):
        if not len(rows):
            continue
        some, want = part.take(rows), length[rows]
        at = np.cumsum(want) - want
        out, good = np.zeros(int(want.sum()), np.uint8), np.zeros(len(rows), np.bool_)
        _expand(part.buffer, some.start, keep[rows], size[rows], want, at, out, good)
        have = np.where(good, want, some.length).astype(np.int32)
        expanded_part = Part(read_only(out), at, have, some.number, some.place)
        yield Piece(rows, expanded_part, ~good)


def compressed_data(part: Part) -> npt.NDArray[np.bool_]:
    """Mask of the records whose data section is compressed."""
    is_compressed: npt.NDArray[np.bool_] = _compressed(part)[2]
    return is_compressed


def _compressed(part: Part) -> tuple[I64, I64, Any, I64]:
    """Data section offset and length, whether it is compressed, and the length when expanded.

    A compressed record is shorter than its product section says, else CICS leaves it as it is.
    """
    head = read_heads(part)
    offset, size = _numbers(part, _DATA, 4), _numbers(part, _DATA + 4, 2)
    is_good = head.is_known & (head.end > part.length) & (head.end <= _LONGEST)
    is_good &= (offset >= _HEADER_BYTES) & (size > 1) & (offset + size <= part.length)
    is_good &= part.buffer[part.start + np.where(is_good, offset, 0)] == _COMPRESSED
    size[~is_good] = 0
    return offset, size, is_good, np.where(is_good, head.end, part.length).astype(np.int64)


@kernel
def _expand(
    buffer: U8, starts: I64, keep: I64, size: I64, want: I64, at: I64, out: U8, good: Any
) -> None:
    """Copy `keep` bytes of each record and expand the `size` after them to `want` in all."""
    for i in range(starts.size):
        put, end = at[i] + keep[i], at[i] + want[i]
        for j in range(keep[i]):
            out[at[i] + j] = buffer[starts[i] + j]
        take, last = starts[i] + keep[i] + 1, starts[i] + keep[i] + size[i]
        while put < end and take + 1 < last:
            count = min(np.int64(buffer[take]) & 0x7F, end - put)
            is_repeat = buffer[take] & 0x80 != 0
            take += 1
            if not is_repeat:
                count = min(count, last - take)
            for j in range(count):
                out[put + j] = buffer[take if is_repeat else take + j]
            put += count
            take += 1 if is_repeat else count
        good[i] = put == end
