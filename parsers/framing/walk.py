"""Kernels that walk along descriptor words as long as what they lead to makes sense.

They are quick and stop at anything odd; `proof` then says whether a record stands there all the
same, and where records go on if not. Sources: SMF manual SA38-0667, standard record header; IMS
Diagnosis, log sequence field format; z/OS DFSMS Using Data Sets, variable-length records (RDW,
BDW, segment codes).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.framing.walk_state import WalkState
from imsperf.parsers.kernels.loads import (
    FIRST,
    I32,
    I64,
    LSN_STEP,
    MIDDLE,
    SMF_HEADER,
    U8,
    WHOLE,
    block,
    sane,
    segment,
    word64,
)

_LSN_BITS, _NONE = np.uint64(48), np.uint64(0)  # that one takes at most


@inner
def _emit(state: WalkState, starts: I64, lengths: I32, codes: U8, code: int, length: int) -> None:
    row = state.piece_count
    if code == FIRST:
        state.open_piece, state.open_position, state.open_block_end = (
            row,
            state.position,
            state.block_end,
        )
    elif code != MIDDLE:
        state.open_piece = -1
    starts[row], lengths[row], codes[row] = state.position, length, code | state.gap
    state.last_code = code
    state.piece_count = row + 1
    state.gap = state.is_proved = 0
    state.position += length
    state.piece_bytes += length


@inner
def _may_go_on(state: WalkState) -> Any:
    """Whether a middle or last segment can stand here: in a record, or where its start is lost."""
    return state.open_piece >= 0 or state.gap != 0 or state.last_code == MIDDLE


@inner
def _may_be_block(buffer: U8, at: int, length: int) -> Any:
    """Whether RDWs stand inside a record as in a block."""
    if length < SMF_HEADER or buffer[at + 7] != 0 or buffer[at + 6] > MIDDLE:
        return False
    end, first = at + length, segment(buffer, at + 4, at + length)
    return first and (at + 4 + first == end or segment(buffer, at + 4 + first, end) > 0)


@inner
def _follows(buffer: U8, at: int, length: int, end: int, state: WalkState, clocks: Any) -> Any:
    """Whether a log record with a clock that makes sense may stand here: its sequence number rises,
    or is a possible one, and another such record stands behind it (merged logs)."""
    lsn, last = word64(buffer, at + length - 8), np.uint64(state.last_lsn)
    if not (last < lsn and lsn - last < LSN_STEP):
        after = at + length
        then = segment(buffer, after, end)
        if lsn >> _LSN_BITS != _NONE:
            return False
        if after != end:
            good = sane(buffer, after, then, clocks)
            if not good or word64(buffer, after + then - 8) >> _LSN_BITS != _NONE:
                return False
    state.last_lsn = np.int64(lsn)
    return True


@inner
def _is_record(
    buffer: U8, at: int, length: int, end: int, code: int, state: WalkState, clocks: Any
) -> Any:
    """Whether a piece of this length and code plainly stands at `at`."""
    if length == 0:
        return False
    if state.is_proved:
        return True
    if code > FIRST:
        return _may_go_on(state)
    if not sane(buffer, at, length, clocks) or _may_be_block(buffer, at, length):
        return False
    return clocks.size == 0 or _follows(buffer, at, length, end, state, clocks)


@inner
def _run(
    buffer: U8,
    end: int,
    limit: int,
    state: WalkState,
    starts: I64,
    lengths: I32,
    codes: U8,
    clocks: Any,
) -> None:  # fmt: skip
    """Note whole records as long as there is nothing odd: all of most files."""
    at, row, used, lsn = (
        state.position,
        state.piece_count,
        state.piece_bytes,
        np.uint64(state.last_lsn),
    )
    first = row
    while at < end and row < starts.size and used < limit:
        length = segment(buffer, at, end)
        if length == 0 or buffer[at + 2] != WHOLE or not sane(buffer, at, length, clocks):
            break
        if _may_be_block(buffer, at, length):
            break
        if clocks.size:
            now = word64(buffer, at + length - 8)
            if not (lsn < now and now - lsn < LSN_STEP):
                break
            lsn = now
        starts[row], lengths[row], codes[row] = at, length, WHOLE
        row += 1
        at += length
        used += length
    if row > first:
        state.position, state.piece_count, state.piece_bytes, state.last_lsn = (
            at,
            row,
            used,
            np.int64(lsn),
        )
        state.open_piece, state.last_code = -1, WHOLE


@inner
def _step(
    buffer: U8,
    end: int,
    limit: int,
    state: WalkState,
    starts: I64,
    lengths: I32,
    codes: U8,
    clocks: Any,
) -> Any:  # fmt: skip
    """Note the pieces from here on, or one; whether one stands here."""
    if state.is_proved == 0 and state.gap == 0:
        count = state.piece_count
        _run(buffer, end, limit, state, starts, lengths, codes, clocks)
        if state.piece_count > count:
            return True
    at = state.position
    length = segment(buffer, at, end)
    code = buffer[at + 2] if length else 0
    if not _is_record(buffer, at, length, end, code, state, clocks):
        state.is_broken = 1
        return False
    _emit(state, starts, lengths, codes, code, length)
    return True


@kernel
def walk_records(
    buffer: U8, clocks: Any, limit: int, state: WalkState, starts: I64, lengths: I32, codes: U8
) -> None:
    """RDWs only: note segments until `limit` bytes, the room for them, or something odd."""
    end: Any = np.int64(buffer.size)
    while (
        state.position < buffer.size
        and state.piece_count < starts.size
        and state.piece_bytes < limit
    ):
        if not _step(buffer, end, limit, state, starts, lengths, codes, clocks):
            return


@kernel
def walk_blocks(
    buffer: U8, clocks: Any, limit: int, state: WalkState, starts: I64, lengths: I32, codes: U8
) -> None:
    """BDWs and RDWs: the same."""
    while (
        state.position < buffer.size
        and state.piece_count < starts.size
        and state.piece_bytes < limit
    ):
        at, end = state.position, state.block_end
        if at < end:
            if not _step(buffer, end, limit, state, starts, lengths, codes, clocks):
                return
            continue
        length = block(buffer, at)
        end = min(at + length, buffer.size)
        if length == 0 or segment(buffer, at + 4, end) == 0:
            state.is_broken = 1
            return
        if at + length > buffer.size:
            state.is_cut = 1
        state.block_end, state.block_begin, state.position = end, at, at + 4
