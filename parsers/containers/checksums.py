"""How much of a damaged packed stream its checksums prove: xz and bzip2, which have one a block.

Sources: The .xz File Format 1.2.1 (2.1.2 stream footer, 4 index); the bzip2 program's
bzip2recover (a block begins at any bit, with X'314159265359' and its CRC).
"""

from __future__ import annotations

import bz2
import lzma
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from imsperf.parsers.kernels.loads import U8

_BLOCK = np.unpackbits(np.frombuffer(b"\x31\x41\x59\x26\x53\x59", np.uint8))
_LAST = np.unpackbits(np.frombuffer(b"\x17\x72\x45\x38\x50\x90", np.uint8))
_CRC = 32  # bits behind the mark of a block
_MOST_BLOCK = 1 << 21  # bytes that a packed block of 900,000 bytes cannot take
_BITS = npt.NDArray[np.uint8]


def proved_bzip2(packed: U8) -> int:
    """Bytes unpacked from the blocks of one stream that come before the first bad one."""
    head, total = packed[:4].tobytes(), 0
    places = [*_marks(packed), 8 * packed.size]
    for begin, end in pairwise(places):
        size = _unpacked_block(head, packed, begin, min(end, begin + 8 * _MOST_BLOCK))
        if size is None:
            break
        total += size
    return total


def _marks(packed: U8) -> list[int]:
    """The bits at which blocks begin, in order, and that behind the last one."""
    data, places = packed.tobytes(), list[int]()
    for mark in (_BLOCK, _LAST):
        for shift in range(8):
            places += _marked(packed, data, mark, shift)
    return sorted(places)


def _marked(packed: U8, data: bytes, mark: _BITS, shift: int) -> list[int]:
    """Where a mark stands whose first bit is bit `shift` of a byte; `data` are the same bytes."""
    inner = np.packbits(mark[8 - shift : 48 - shift]).tobytes()
    at, places = 0, list[int]()
    while (at := data.find(inner, at)) >= 0:
        begin = 8 * (at - 1) + shift
        if begin >= 0 and np.array_equal(_bits(packed, begin, begin + 48), mark):
            places.append(begin)
        at += 1
    return places


def _bits(packed: U8, begin: int, end: int) -> _BITS:
    first = begin // 8
    bits = np.unpackbits(packed[first : -(-end // 8)])
    return bits[begin - 8 * first : end - 8 * first]


def _unpacked_block(head: bytes, packed: U8, begin: int, end: int) -> int | None:
    """Bytes of one block, as a stream of its own; None where it or its checksum is bad."""
    block = _bits(packed, begin, end)
    crc = block[48 : 48 + _CRC]
    stream = head + np.packbits(np.concatenate([block, _LAST, crc])).tobytes()
    try:
        return len(bz2.decompress(stream))
    except (OSError, ValueError, EOFError):
        return None


def proved_xz(packed: U8) -> int:
    """Bytes unpacked from the blocks of one stream that come before the first bad one.

    Zero where the index behind the blocks cannot be read: nothing says then where a block ends.
    """
    unpack, total, at = lzma.LZMADecompressor(lzma.FORMAT_XZ), 0, 12
    data = packed.data
    try:
        unpack.decompress(data[:12])
        for stored, size in _xz_index(packed):
            given, end = 0, at + stored
            piece = bytes(data[at:end])
            while piece or not unpack.needs_input:
                given += len(unpack.decompress(piece, 1 << 20))
                piece = b""
            if given != size:
                break
            total, at = total + size, end
    except (lzma.LZMAError, EOFError, IndexError, ValueError):
        pass
    return total


def _xz_index(packed: U8) -> Iterator[tuple[int, int]]:
    """Bytes of each block, packed with their padding, and unpacked. Raises IndexError."""
    end = packed.size
    while end >= 4 and not packed[end - 4 : end].any():
        end -= 4  # padding of the stream
    footer = packed[end - 12 : end].tobytes()
    if footer[10:] != b"YZ":
        raise IndexError
    begin = end - 12 - 4 * (int.from_bytes(footer[4:8], "little") + 1)
    index = packed[max(0, begin) : end - 12].tobytes()
    count, at = _number(index, 1)
    for _ in range(min(count, len(index))):
        stored, at = _number(index, at)
        size, at = _number(index, at)
        yield -(-stored // 4) * 4, size


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number in 7 bits a byte, low ones first; and where it ends."""
    value = 0
    for k in range(9):
        value |= (data[at + k] & 0x7F) << 7 * k
        if data[at + k] < 0x80:
            return value, at + k + 1
    raise IndexError
