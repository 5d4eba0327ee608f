"""Kernels for SMF records back to back without RDWs: those that prove where they end.

A record does so by its self-defining section: the sections that the triplets of its header lead to
end exactly where another header, or the end of the file, stands. Sources: SMF manual SA38-0667,
self-defining sections; places of triplets as in the layouts. A record is noted 4 bytes before its
first byte, as if an RDW stood there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.framing.walk_state import WalkState
from imsperf.parsers.kernels.loads import (
    I32,
    I64,
    SMF_HEADER,
    U8,
    WHOLE,
    behind_zeros,
    is_named,
    sane,
    word16,
    word32,
)

_BEGIN, _END = 2, 3  # types of the records that begin and end a dump: a header only


@inner
def _bare_end(buffer: U8, at: int, first: I64, places: I64) -> Any:
    """Where a record without RDW ends by its own triplets; `at` is where its RDW would stand.

    0 where its layout is not known or its triplets contradict themselves. A triplet past the first
    section is absent, as in a record of an older level.
    """
    kind = np.int64(buffer[at + 5])
    if buffer[at + 4] & 0x40 and at + 24 > buffer.size:
        return 0
    subtype = word16(buffer, at + 22) if buffer[at + 4] & 0x40 else 0
    slot = kind << 8 | subtype
    if subtype > 0xFF or first[slot] == first[slot + 1]:
        return 0
    end, extent = np.int64(0), np.int64(buffer.size - at)
    for i in range(first[slot], first[slot + 1]):
        place = at + places[i]
        if places[i] + 8 > extent:
            break
        begin, length, number = (
            word32(buffer, place), word16(buffer, place + 4), word16(buffer, place + 6),
        )  # fmt: skip
        if begin and length and number:
            if begin < places[i] + 8:
                return 0
            end, extent = max(end, begin + length * number), min(extent, begin)
    return at + end if end else 0


@inner
def _next_bare(buffer: U8, at: int, clocks: Any) -> Any:
    """Whether a record without RDW begins at `at`, or the file ends there."""
    if at == buffer.size:
        return True
    return at - 4 + SMF_HEADER <= buffer.size and sane(buffer, at - 4, SMF_HEADER, clocks)


@inner
def _proved_end(buffer: U8, at: int, clocks: Any, first: I64, places: I64) -> Any:
    """Where the record without RDW ends whose RDW would stand at `at`, if another one, or the end
    of the file, stands there; else 0. Those that begin and end a dump have a header only."""
    if at + SMF_HEADER > buffer.size or not sane(buffer, at, SMF_HEADER, clocks):
        return 0
    end = _bare_end(buffer, at, first, places)
    if end == 0 and buffer[at + 5] in (_BEGIN, _END) and is_named(buffer, at):
        end = at + SMF_HEADER
    return end if 0 < end <= buffer.size and _next_bare(buffer, end, clocks) else 0


@kernel
def walk_bare(
    buffer: U8, clocks: Any, limit: int, state: WalkState, starts: I64, lengths: I32, codes: U8,
    first: I64, places: I64,
) -> None:  # fmt: skip
    """Records back to back: only those that end by their own triplets where another begins.

    `places[first[k]:first[k + 1]]` are those of the triplets of type and subtype k, rising.
    """
    while (
        state.position < buffer.size
        and state.piece_count < starts.size
        and state.piece_bytes < limit
    ):
        at = state.position - 4
        end = _proved_end(buffer, at, clocks, first, places)
        if end == 0:
            state.is_broken = 1
            return
        row = state.piece_count
        starts[row], lengths[row], codes[row] = at, end - at, WHOLE | state.gap
        state.piece_count, state.gap, state.position = row + 1, 0, end
        state.piece_bytes += end - at


@kernel
def search_bare(buffer: U8, clocks: Any, at: int, until: int, first: I64, places: I64) -> int:
    """The next place before `until` where a record stands that ends where another begins, or -1."""
    last = min(until, buffer.size - SMF_HEADER + 5)
    while at < last:
        if buffer[at] == 0:
            at = behind_zeros(buffer, at, last)
        if _proved_end(buffer, at - 4, clocks, first, places):
            return at
        at += 1
    return -1
