"""A second writer of dump containers, for tests only.

It shares no code with the generator or the reader of the product. Every rule below is taken from
two pages of source notes: "Physical forms of a dump file" (SMF) and "Physical form" (IMS log).
It builds the container around given records and never looks inside them.

Words used here:

* payload: a record without its 4-byte RDW; what most functions take. Offsets printed in a
  record layout count the RDW, so payload offset = documented offset - 4.
* RDW: 2-byte length that counts these 4 bytes, one segment code, one zero byte. Big-endian.
* BDW: 2-byte block length that counts these 4 bytes, then 2 zero bytes. Big-endian.

All lengths are in bytes.
"""

from __future__ import annotations

import gzip
import struct
from collections.abc import Iterable, Sequence

WHOLE, FIRST, LAST, MIDDLE = 0, 1, 2, 3
"""Segment codes: note that the last segment is 2 and a middle one 3."""

LARGEST_SEGMENT = 32760
"""Most bytes a segment's RDW can say, the RDW included; 32,756 are left for data."""

LARGEST_BLOCK = 32760
"""Most bytes of a block; the large-block form of the BDW is not written here."""

HEADER = 24
"""Standard SMF header with its RDW. Only a first or complete segment carries it, so a first
segment is not begun in less room than this when blocks allow it (a choice made here)."""


def rdw(records: Iterable[bytes]) -> bytes:
    """Payloads -> records back to back, each with an RDW and no BDW; every one complete."""
    return b"".join(_segment(WHOLE, payload) for payload in records)


def rdw_spanned(records: Iterable[bytes], max_segment: int) -> bytes:
    """Like rdw(), but a record longer than max_segment (its RDW counted) comes in pieces.

    Pieces carry the codes first, middle .., last and follow each other with no BDW between. Only
    the first holds the record header; the others are bare data to be appended.
    """
    return b"".join(b"".join(_segments(payload, max_segment)) for payload in records)


def bdw_rdw(records: Iterable[bytes], block_size: int) -> bytes:
    """Whole records in blocks of at most block_size bytes, BDW counted; nothing is spanned.

    A record that finds no room starts the next block. The next BDW stands right at the end of
    the block before it.
    """
    return _blocks([_segment(WHOLE, payload) for payload in records], block_size)


def vbs(records: Iterable[bytes], block_size: int, *, pseudo: bool = False) -> bytes:
    """Blocks of at most block_size bytes; a record may run over any number of blocks.

    Plain VBS fills each block to its end. With pseudo=True, as SMF writes it, a record is cut
    only if an empty block could not hold it; any other starts a new block. A record that is cut
    has one segment in each block it touches. It may be longer than 32,760 bytes.
    """
    full = _checked_block(block_size) - 4
    blocks: list[list[bytes]] = [[]]
    room = full
    for payload in records:
        need = len(payload) + 4
        too_tight = room < min(HEADER, full) or (pseudo and need <= full)
        if need > room and too_tight:
            room = 0
        for segment in _segments(payload, full, first=room or full):
            if len(segment) > room:
                blocks.append([])
                room = full
            blocks[-1].append(segment)
            room -= len(segment)
    return b"".join(_block(segments) for segments in blocks if segments)


def ims_vb(records: Iterable[bytes], block_size: int) -> bytes:
    """IMS log records, given whole, in blocks of at most block_size bytes, BDW counted.

    An IMS record starts with LL ZZ, and LL is the RDW: it counts itself and the 16-byte suffix.
    So nothing is put before a record. Block length = sum of LL + 4. IMS records do not span.
    The notes mark the BDW as inferred.
    """
    all_records = list(records)
    for record in all_records:
        (ll,) = struct.unpack_from(">H", record)
        if ll != len(record):
            raise ValueError(f"LL says {ll} but the record has {len(record)} bytes")
    return _blocks(all_records, block_size)


def gz(data: bytes) -> bytes:
    """The container packed with gzip; no file name and no time, so bytes repeat."""
    return gzip.compress(data, mtime=0)


# --- damage ----------------------------------------------------------------------------------


def rdw_starts(records: Iterable[bytes]) -> list[int]:
    """Byte offset of each RDW in rdw(records)."""
    starts, at = [], 0
    for payload in records:
        starts.append(at)
        at += 4 + len(payload)
    return starts


def cut(data: bytes, at: int) -> bytes:
    """The transfer broke off: only the first `at` bytes are there."""
    return data[:at]


def zero_rdw(data: bytes, record_starts: Sequence[int], n: int) -> bytes:
    """Record n (counted from 0) has four zero bytes for an RDW; its length is lost."""
    at = record_starts[n]
    return data[:at] + bytes(4) + data[at + 4 :]


def flip(data: bytes, at: int) -> bytes:
    """All eight bits of the byte at `at` are turned over."""
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


# --- parts -----------------------------------------------------------------------------------


def _segment(code: int, data: bytes) -> bytes:
    """RDW of a segment, then its data."""
    if len(data) + 4 > LARGEST_SEGMENT:
        raise ValueError(f"a segment holds at most {LARGEST_SEGMENT - 4} bytes, not {len(data)}")
    return struct.pack(">HBB", len(data) + 4, code, 0) + data


def _segments(payload: bytes, max_segment: int, first: int = 0) -> list[bytes]:
    """One complete segment, or first, middle .., last of at most max_segment bytes each.

    The first may be held to fewer bytes, as a block that is partly full has less room.
    """
    step = max_segment - 4
    if step < 1:
        raise ValueError("max_segment leaves no room for data")
    begin = (first or max_segment) - 4
    ends = [*range(begin, len(payload), step), len(payload)]
    starts = [0, *ends[:-1]]
    return [
        _segment(_code(at == 0, end == len(payload)), payload[at:end])
        for at, end in zip(starts, ends, strict=True)
    ]


def _code(is_first: bool, is_last: bool) -> int:
    """Segment code of a piece by its place in the record."""
    if is_first:
        return WHOLE if is_last else FIRST
    return LAST if is_last else MIDDLE


def _blocks(pieces: Iterable[bytes], block_size: int) -> bytes:
    """Pieces, never cut, filled one after another into blocks."""
    _checked_block(block_size)
    blocks: list[list[bytes]] = [[]]
    used = 4
    for piece in pieces:
        if len(piece) + 4 > block_size:
            raise ValueError(f"a record of {len(piece)} bytes does not fit a block of {block_size}")
        if used + len(piece) > block_size:
            blocks.append([])
            used = 4
        blocks[-1].append(piece)
        used += len(piece)
    return b"".join(_block(segments) for segments in blocks if segments)


def _block(segments: Sequence[bytes]) -> bytes:
    """BDW, then the segments of the block."""
    body = b"".join(segments)
    return struct.pack(">HH", len(body) + 4, 0) + body


def _checked_block(block_size: int) -> int:
    """block_size, or ValueError if not even one byte of data fits, or the BDW cannot say it."""
    if not 9 <= block_size <= LARGEST_BLOCK:
        raise ValueError(f"block size must be 9 to {LARGEST_BLOCK}, not {block_size}")
    return block_size
