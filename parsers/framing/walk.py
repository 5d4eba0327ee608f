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

# What `state` holds between calls of a walk. BYTES are those of the segments noted so far; OPEN is
# the row of a first segment whose record has not ended, with the state of the walk before it; LSN
# is the log sequence number of the last record; SURE says that the next piece is proved; LAST_CODE
# is the code of the last piece; LAST_END and the last one belong to transfer.py. BLOCK_AT is where
# the block begins, or what is known of it.
POSITION, BLOCK_END, COUNT, BYTES, FRESH, IS_CUT, BROKEN, OPEN, OPEN_AT, OPEN_END = range(10)
LSN, SURE, LAST_CODE, LAST_END, BLOCK_AT = range(10, 15)
STATE_WIDTH = 16

_LSN_BITS, _NONE = np.uint64(48), np.uint64(0)  # that one takes at most


@inner
def _emit(state: I64, starts: I64, lengths: I32, codes: U8, code: int, length: int) -> None:
    row = state[COUNT]
    if code == FIRST:
        state[OPEN], state[OPEN_AT], state[OPEN_END] = row, state[POSITION], state[BLOCK_END]
    elif code != MIDDLE:
        state[OPEN] = -1
    starts[row], lengths[row], codes[row] = state[POSITION], length, code | state[FRESH]
    state[LAST_CODE] = code
    state[COUNT] = row + 1
    state[FRESH] = state[SURE] = 0
    state[POSITION] += length
    state[BYTES] += length


@inner
def _may_go_on(state: I64) -> Any:
    """Whether a middle or last segment can stand here: in a record, or where its start is lost."""
    return state[OPEN] >= 0 or state[FRESH] != 0 or state[LAST_CODE] == MIDDLE


@inner
def _may_be_block(buffer: U8, at: int, length: int) -> Any:
    """Whether RDWs stand inside a record as in a block."""
    if length < SMF_HEADER or buffer[at + 7] != 0 or buffer[at + 6] > MIDDLE:
        return False
    end, first = at + length, segment(buffer, at + 4, at + length)
    return first and (at + 4 + first == end or segment(buffer, at + 4 + first, end) > 0)


@inner
def _follows(buffer: U8, at: int, length: int, end: int, state: I64, clocks: Any) -> Any:
    """Whether a log record with a clock that makes sense may stand here: its sequence number rises,
    or is a possible one, and another such record stands behind it (merged logs)."""
    lsn, last = word64(buffer, at + length - 8), np.uint64(state[LSN])
    if not (last < lsn and lsn - last < LSN_STEP):
        after = at + length
        then = segment(buffer, after, end)
        if lsn >> _LSN_BITS != _NONE:
            return False
        if after != end:
            good = sane(buffer, after, then, clocks)
            if not good or word64(buffer, after + then - 8) >> _LSN_BITS != _NONE:
                return False
    state[LSN] = np.int64(lsn)
    return True


@inner
def _is_record(
    buffer: U8, at: int, length: int, end: int, code: int, state: I64, clocks: Any
) -> Any:
    """Whether a piece of this length and code plainly stands at `at`."""
    if length == 0:
        return False
    if state[SURE]:
        return True
    if code > FIRST:
        return _may_go_on(state)
    if not sane(buffer, at, length, clocks) or _may_be_block(buffer, at, length):
        return False
    return clocks.size == 0 or _follows(buffer, at, length, end, state, clocks)


@inner
def _run(
    buffer: U8, end: int, limit: int, state: I64, starts: I64, lengths: I32, codes: U8, clocks: Any
) -> None:
    """Note whole records as long as there is nothing odd: all of most files."""
    at, row, used, lsn = state[POSITION], state[COUNT], state[BYTES], np.uint64(state[LSN])
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
        state[POSITION], state[COUNT], state[BYTES], state[LSN] = at, row, used, np.int64(lsn)
        state[OPEN], state[LAST_CODE] = -1, WHOLE


@inner
def _step(
    buffer: U8, end: int, limit: int, state: I64, starts: I64, lengths: I32, codes: U8, clocks: Any
) -> Any:
    """Note the pieces from here on, or one; whether one stands here."""
    if state[SURE] == 0 and state[FRESH] == 0:
        count = state[COUNT]
        _run(buffer, end, limit, state, starts, lengths, codes, clocks)
        if state[COUNT] > count:
            return True
    at = state[POSITION]
    length = segment(buffer, at, end)
    code = buffer[at + 2] if length else 0
    if not _is_record(buffer, at, length, end, code, state, clocks):
        state[BROKEN] = 1
        return False
    _emit(state, starts, lengths, codes, code, length)
    return True


@kernel
def walk_records(
    buffer: U8, clocks: Any, limit: int, state: I64, starts: I64, lengths: I32, codes: U8
) -> None:
    """RDWs only: note segments until `limit` bytes, the room for them, or something odd."""
    end: Any = np.int64(buffer.size)
    while state[POSITION] < buffer.size and state[COUNT] < starts.size and state[BYTES] < limit:
        if not _step(buffer, end, limit, state, starts, lengths, codes, clocks):
            return


@kernel
def walk_blocks(
    buffer: U8, clocks: Any, limit: int, state: I64, starts: I64, lengths: I32, codes: U8
) -> None:
    """BDWs and RDWs: the same."""
    while state[POSITION] < buffer.size and state[COUNT] < starts.size and state[BYTES] < limit:
        at, end = state[POSITION], state[BLOCK_END]
        if at < end:
            if not _step(buffer, end, limit, state, starts, lengths, codes, clocks):
                return
            continue
        length = block(buffer, at)
        end = min(at + length, buffer.size)
        if length == 0 or segment(buffer, at + 4, end) == 0:
            state[BROKEN] = 1
            return
        if at + length > buffer.size:
            state[IS_CUT] = 1
        state[BLOCK_END], state[BLOCK_AT], state[POSITION] = end, at, at + 4
