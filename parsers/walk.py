"""Kernels that find records: walk along descriptor words, prove a place, search for one.

A place is proved by a chain: descriptor words that lead from one to the next, with a record header
that makes sense behind them. Sense means, for SMF, a time of day and a packed date at +6 and +10;
for an IMS log, a TOD clock of a possible year in the record's suffix and a log sequence number
that rises. Sources: SMF manual SA38-0667, standard record header; IMS Diagnosis, log sequence
field format; z/OS DFSMS Using Data Sets, variable-length records (RDW, BDW, segment codes).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.parsers.compiled import (
    AFTER_GAP,
    FIRST,
    I32,
    I64,
    LAST,
    MIDDLE,
    SMF_HEADER,
    U8,
    WHOLE,
    block,
    inner,
    kernel,
    sane,
    segment,
    word16,
    word32,
    word64,
)

# What `state` holds between calls of a walk. BYTES are those of the segments noted so far; OPEN is
# the row of a first segment whose record has not ended, with the state of the walk before it.
POSITION, BLOCK_END, COUNT, BYTES, FRESH, IS_CUT, BROKEN, OPEN, OPEN_AT, OPEN_END = range(10)
STATE_WIDTH = 10
TRUNCATED, BAD_RDW, BAD_BLOCK, GARBAGE = range(4)  # reasons of a gap

_SMF_PROOF, _UNNAMED_PROOF, _IMS_PROOF = 2, 4, 3  # records in a chain that prove a place
_BLOCKS = 16  # that a record may span before its proof is given up
_ALL = 1 << 30
_PAGE = 4096  # what file systems and copies lose at once
_LSN_STEP = np.uint64(1 << 24)  # a sequence number may jump by less than this in an extract


# --- proof --------------------------------------------------------------------------------------


@inner
def _is_block(buffer: U8, at: int, end: int, clocks: Any) -> Any:
    """Whether what looks like an RDW at `at` is a BDW: a sane log record stands behind it."""
    length = segment(buffer, at + 4, end)
    return length > 0 and sane(buffer, at + 4, length, clocks)


@inner
def _spread(buffer: U8, at: int, length: int, end: int) -> Any:
    """Whether an SMF header that is spread over short segments makes sense."""
    value: Any = np.uint64(0)
    seen = 0
    while length and seen < SMF_HEADER - 8:
        for i in range(at + 4, min(at + length, at + 4 + SMF_HEADER - 8 - seen)):
            value = value << np.uint64(8) | np.uint64(buffer[i])  # time and date remain in it
            seen += 1
        at += length
        length = segment(buffer, at, end)
        if length and buffer[at + 2] not in (MIDDLE, LAST):
            length = 0
    time, date = np.int64(value >> np.uint64(32)), np.int64(value & np.uint64(0xFFFFFFFF))
    digits = (date >> 3) & ((date >> 2) | (date >> 1)) & 0x11111110
    right = time < 8_640_000 and date < 0x02000000 and date & 0xF >= 0xC and digits == 0
    return seen == SMF_HEADER - 8 and right and date & 0xFFF0 != 0


@inner
def _makes_sense(buffer: U8, at: int, length: int, end: int, clocks: Any) -> Any:
    """A record's header or suffix, also where its first segment is too short to hold it."""
    if length < SMF_HEADER and buffer[at + 2] == FIRST and clocks.size == 0:
        return _spread(buffer, at, length, end)
    return sane(buffer, at, length, clocks)


@inner
def _run(buffer: U8, at: int, end: int, most: int, clocks: Any) -> Any:
    """Follow a chain of RDWs: where it stops, and how many records in it make sense."""
    count = 0
    lsn: Any = np.uint64(0)
    while at < end and count < most:
        length = segment(buffer, at, end)
        if length == 0:
            break
        if buffer[at + 2] in (WHOLE, FIRST):
            if not _makes_sense(buffer, at, length, end, clocks):
                break
            if clocks.size:
                now = word64(buffer, at + length - 8)
                rises = lsn < now and now - lsn < _LSN_STEP
                if (count and not rises) or _is_block(buffer, at, at + length, clocks):
                    break
                lsn = now
            count += 1
        at += length
    return at, count


@inner
def _is_named(buffer: U8, at: int) -> Any:
    """Whether an SMF header has a year from 1970 on and a system id in EBCDIC: data may look like
    a header otherwise. Letters, digits, $ # @ and blanks behind them."""
    if at + SMF_HEADER > buffer.size or buffer[at + 2] > FIRST:
        return False
    if buffer[at + 10] == 0 and buffer[at + 11] < 0x70:
        return False
    for i in range(at + 14, at + SMF_HEADER):
        byte = buffer[i]
        low = byte & 0xF
        is_letter = byte >= 0xC1 and low <= 9 and (low or byte == 0xF0) and byte != 0xE1
        is_sign = byte == 0x5B or byte == 0x7B or byte == 0x7C
        if not (is_letter or is_sign or (byte == 0x40 and i > at + 14)):
            return False
    return True


@inner
def _proof(buffer: U8, at: int, clocks: Any) -> Any:
    """Records that a chain must have to be believed, and whether a shorter one may be."""
    if clocks.size:
        return _IMS_PROOF, True
    if at + 4 <= buffer.size and buffer[at + 2] > FIRST:
        return _SMF_PROOF, False
    named = _is_named(buffer, at)
    return (_SMF_PROOF if named else _UNNAMED_PROOF), named


@inner
def _records_stand(buffer: U8, at: int, blocked: bool, clocks: Any) -> Any:
    """Whether a chain of RDWs begins at `at`: long enough, or up to the end, a block or zeros."""
    least, may_be_short = _proof(buffer, at, clocks)
    stop, count = _run(buffer, at, buffer.size, least, clocks)
    if count >= least or not may_be_short:
        return count >= least
    if count == 0 or stop == buffer.size:
        return count > 0
    length = block(buffer, stop) if blocked else 0
    if length:
        end = min(stop + length, buffer.size)
        return _run(buffer, stop + 4, end, 1, clocks)[1] > 0
    return clocks.size == 0 and stop + 4 <= buffer.size and word32(buffer, stop) == 0


@inner
def _blocks_stand(buffer: U8, at: int, clocks: Any) -> Any:
    """Whether a block begins at `at`: its records fill it, or enough of them lead into it."""
    least, may_be_short = _proof(buffer, at + 4, clocks)
    seen = 0
    for _ in range(_BLOCKS):
        length = block(buffer, at) if at < buffer.size else 0
        if length == 0 or at + length > buffer.size:
            break
        stop, count = _run(buffer, at + 4, at + length, _ALL, clocks)
        if stop < at + length:
            return count >= least
        seen += count
        if seen >= least or (count and clocks.size == 0 and may_be_short):
            return True
        at += length
    return seen > 0 and at == buffer.size and may_be_short


@kernel
def search(buffer: U8, at: int, until: int, blocked: bool, clocks: Any) -> tuple[int, int]:
    """First place from `at` on, before `until`, where records are proved to stand, or -1.

    And where the block ends that the place is in: the place itself where a block begins there.
    """
    last = min(until, buffer.size - 8)
    while at < last:
        if buffer[at + 3] == 0 or (blocked and buffer[at] & 0x80):
            begins = blocked and block(buffer, at) and segment(buffer, at + 4, buffer.size)
            if begins and _blocks_stand(buffer, at, clocks):
                return at, at
            if segment(buffer, at, buffer.size) and _records_stand(buffer, at, blocked, clocks):
                end = _run(buffer, at, buffer.size, _ALL, clocks)[0] if blocked else buffer.size
                return at, end
        at += 1
    return -1, -1


@kernel
def probe(buffer: U8, blocked: bool, clocks: Any, at: int, limit: int, found: I64) -> None:
    """How far a form holds from `at` on: found = segments, sane ones, rising ones, the end, begun.

    Rising: with a sequence number above that of the one before. A block of log records would pass
    for a sane record, as it ends in the suffix of its last one.
    """
    end = at if blocked else buffer.size
    lsn: Any = np.uint64(0)
    while found[0] < limit and at < buffer.size:
        if blocked and at == end:
            length = block(buffer, at)
            if length == 0:
                break
            end, at = min(at + length, buffer.size), at + 4
            continue
        length = segment(buffer, at, end)
        if length == 0:
            break
        found[0] += 1
        begins = buffer[at + 2] <= FIRST
        found[4] += begins
        good = begins and _makes_sense(buffer, at, length, end, clocks)
        if good and clocks.size:
            now = word64(buffer, at + length - 8)
            good = blocked or not _is_block(buffer, at, at + length, clocks)
            found[2] += good and lsn < now
            lsn = now
        found[1] += good
        at += length
    found[3] = at


# --- the walk ------------------------------------------------------------------------------------


@inner
def _emit(state: I64, starts: I64, lengths: I32, codes: U8, code: int, length: int) -> None:
    row = state[COUNT]
    if code == FIRST:
        state[OPEN], state[OPEN_AT], state[OPEN_END] = row, state[POSITION], state[BLOCK_END]
    elif code != MIDDLE:
        state[OPEN] = -1
    starts[row], lengths[row], codes[row] = state[POSITION], length, code | state[FRESH]
    state[COUNT] = row + 1
    state[FRESH] = 0
    state[POSITION] += length
    state[BYTES] += length


@inner
def _goes_on(buffer: U8, at: int, end: int, blocked: bool, clocks: Any) -> Any:
    """Whether what follows an odd record says that its length is right."""
    if blocked:
        return at == end or _run(buffer, at, end, 1, clocks)[1] > 0
    return at == end or _records_stand(buffer, at, False, clocks)


@inner
def _may_go_on(state: I64, codes: U8) -> Any:
    """Whether a middle or last segment can stand here: in a record, or where its start is lost."""
    row = state[COUNT]
    return row == 0 or state[OPEN] >= 0 or state[FRESH] != 0 or codes[row - 1] & 3 == MIDDLE


@kernel
def walk_records(
    buffer: U8, clocks: Any, limit: int, state: I64, starts: I64, lengths: I32, codes: U8
) -> None:
    """RDWs only: note segments until `limit` bytes, the room for them, or the chain ends."""
    while state[POSITION] < buffer.size and state[COUNT] < starts.size and state[BYTES] < limit:
        at = state[POSITION]
        length = segment(buffer, at, buffer.size)
        code = buffer[at + 2] if length else 0
        if length == 0 or not (
            (code > FIRST and _may_go_on(state, codes))
            or (code <= FIRST and _makes_sense(buffer, at, length, buffer.size, clocks))
            or _goes_on(buffer, at + length, buffer.size, False, clocks)
        ):
            state[BROKEN] = 1
            return
        _emit(state, starts, lengths, codes, code, length)


@kernel
def walk_blocks(
    buffer: U8, clocks: Any, limit: int, state: I64, starts: I64, lengths: I32, codes: U8
) -> None:
    """BDWs and RDWs: the same."""
    while state[POSITION] < buffer.size and state[COUNT] < starts.size and state[BYTES] < limit:
        at, end = state[POSITION], state[BLOCK_END]
        if at == end:
            length = block(buffer, at)
            if length == 0:
                state[BROKEN] = 1
                return
            if at + length > buffer.size:
                state[IS_CUT] = 1
            state[BLOCK_END], state[POSITION] = min(at + length, buffer.size), at + 4
            continue
        length = segment(buffer, at, end)
        code = buffer[at + 2] if length else 0
        swallowed = length and clocks.size and _is_block(buffer, at, at + length, clocks)
        if length == 0 or swallowed or not (
            (code > FIRST and _may_go_on(state, codes))
            or (code <= FIRST and _makes_sense(buffer, at, length, end, clocks))
            or _goes_on(buffer, at + length, end, True, clocks)
        ):
            state[BROKEN] = 1
            return
        _emit(state, starts, lengths, codes, code, length)


@inner
def _is_lost(buffer: U8, at: int, clocks: Any) -> Any:
    """Whether zeros at `at` explain a break: a lost RDW before its record, a page, or padding."""
    has_room = at + SMF_HEADER <= buffer.size
    if has_room and word32(buffer, at) == 0 and sane(buffer, at, SMF_HEADER, clocks):
        return True
    end = min((at // _PAGE + 1) * _PAGE, buffer.size)
    while at < end and buffer[at] == 0:
        at += 1
    return at == end


@inner
def _is_off(reason: int, at: int, found: int) -> Any:
    """Whether no block begins where one ends, and not because its BDW alone is damaged."""
    return reason == BAD_BLOCK and found != at + 4


@inner
def _suffix_at(buffer: U8, at: int) -> Any:
    """Log sequence number of the record at `at`, or of the first one of the block there."""
    length = segment(buffer, at, buffer.size)
    inner_length = segment(buffer, at + 4, at + length) if length else 0
    if length == 0 or (inner_length and word16(buffer, at + 2) == 0 and length > inner_length + 3):
        at, length = at + 4, segment(buffer, at + 4, buffer.size)
    return word64(buffer, at + length - 8) if length >= 8 else np.uint64(0)


@kernel
def resume(
    buffer: U8, blocked: bool, clocks: Any, state: I64, starts: I64, lengths: I32, gap: I64
) -> None:
    """Go on after the chain broke; `gap` becomes the place, the bytes lost and the reason.

    The search begins inside the record before, if that one leads right here: a chain that is found
    in it means that its length was wrong. It is taken back also where no zeros stand here that
    would explain the break; in a log, where its sequence number is above the next one found.
    """
    at, end, row = state[POSITION], state[BLOCK_END], state[COUNT] - 1
    inside = not blocked or at < end
    touching = row >= 0 and starts[row] + lengths[row] == at
    begin = min(starts[row] + SMF_HEADER, at) if touching and inside else at
    found, block_end = search(buffer, begin, buffer.size, blocked, clocks)
    reason = BAD_RDW if inside else BAD_BLOCK
    if found < 0:
        length = word16(buffer, at) if at + 4 <= buffer.size else 0
        long = at + length > buffer.size and length >= 4 and buffer[at + 3] == 0
        cut = state[IS_CUT] or at + 4 > buffer.size or (long and not blocked)
        found, block_end, reason = buffer.size, buffer.size, TRUNCATED if cut else GARBAGE
    state[IS_CUT], state[BROKEN], state[FRESH] = reason == TRUNCATED, 0, AFTER_GAP
    is_odd = found > at and at + 4 <= buffer.size and not _is_lost(buffer, at, clocks)
    is_odd = is_odd and clocks.size == 0 and (reason == BAD_RDW or _is_off(reason, at, found))
    if touching and clocks.size and reason <= BAD_BLOCK and reason != TRUNCATED:
        is_odd = _suffix_at(buffer, starts[row]) >= _suffix_at(buffer, found)
    if touching and (found < at or is_odd):
        at = starts[row]
        state[COUNT], state[BYTES] = row, state[BYTES] - lengths[row]
        if state[OPEN] == row:
            state[OPEN] = -1
    state[OPEN] = -1
    state[POSITION], state[BLOCK_END] = found, block_end
    gap[0], gap[1], gap[2] = at, found - at, reason
