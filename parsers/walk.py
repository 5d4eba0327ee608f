"""Kernels that find records: walk along descriptor words, prove a place, search for one, join.

A place is proved by a chain: descriptor words that lead from one to the next, with a record header
that makes sense behind them. Sense means, for SMF, a time of day and a packed date at +6 and +10;
for an IMS log, a TOD clock of a possible year in the record's suffix and a log sequence number
that rises. Sources: SMF manual SA38-0667, standard record header; IMS Diagnosis, log sequence
field format; z/OS DFSMS Using Data Sets, variable-length records (RDW, BDW, segment codes).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.parsers.compiled import I32, I64, U8, inner, kernel, word16, word32, word64

WHOLE, FIRST, LAST, MIDDLE = range(4)  # segment codes
AFTER_GAP = 0x80  # set in the code of the first segment after lost bytes

# What `state` holds between calls of a walk.
POSITION, BLOCK_END, COUNT, GAPS, IS_CUT, FRESH = range(6)
STATE_WIDTH = 6
# Columns of a gap.
AT, BYTES, REASON = range(3)
TRUNCATED, BAD_RDW, BAD_BLOCK, GARBAGE = range(4)

_CHAIN = 4  # links that prove a place
_SMF_HEADER, _IMS_LEAST = 18, 21  # bytes: the shortest SMF header; LL ZZ, code, suffix
_DAY_CS = 8_640_000
_LONGEST = 0x7FFFFFFF  # bytes of a joined record: lengths are 32 bits
_LSN_STEP = np.uint64(1 << 24)  # a sequence number may jump by less than this in an extract


# --- does it make sense -------------------------------------------------------------------------


@inner
def _sane_smf(buffer: U8, at: int) -> Any:
    """Time of day and packed date 0cyydddF at their places; 18 bytes are there."""
    date = word32(buffer, at + 10)
    day = (date >> 12 & 0xF) * 100 + (date >> 8 & 0xF) * 10 + (date >> 4 & 0xF)
    digits = (date >> 3) & ((date >> 2) | (date >> 1)) & 0x11111110
    return (
        word32(buffer, at + 6) < _DAY_CS
        and date < 0x02000000
        and date & 0xF >= 0xC
        and digits == 0
        and 1 <= day <= 366
    )


@inner
def _sane(buffer: U8, at: int, length: int, clocks: Any) -> Any:
    """A record's header (SMF) or suffix (IMS); `clocks` holds the two TOD limits, none for SMF."""
    if clocks.size == 0:
        return length >= _SMF_HEADER and _sane_smf(buffer, at)
    if length < _IMS_LEAST:
        return False
    clock = word64(buffer, at + length - 16)
    return clocks[0] <= clock <= clocks[1]


@inner
def _segment(buffer: U8, at: int, end: int) -> Any:
    """Length of the segment at `at`, or 0 where no RDW that ends by `end` stands."""
    if at + 4 > end:
        return 0
    length = word16(buffer, at)
    if length < 4 or at + length > end or buffer[at + 2] > MIDDLE or buffer[at + 3] != 0:
        return 0
    return length


@inner
def _block(buffer: U8, at: int) -> Any:
    """Length that a BDW says, or 0 where none stands; bit 0 marks the 31-bit form."""
    if at + 8 > buffer.size:
        return 0
    if buffer[at] & 0x80:
        long = word32(buffer, at) & 0x7FFFFFFF
        return long if long >= 8 else 0
    length = word16(buffer, at)
    return length if length >= 8 and word16(buffer, at + 2) == 0 else 0


@inner
def _proved(buffer: U8, at: int, blocked: bool, clocks: Any) -> bool:
    """Whether records stand at `at`: a chain of them, or a shorter one to the very end."""
    sane, links = 0, 0
    lsn: Any = np.uint64(0)
    end = buffer.size
    while links < _CHAIN and at < buffer.size:
        if blocked:
            length = _block(buffer, at)
            end = at + length
            if length == 0 or end > buffer.size:
                return False
            at += 4
        while at < end and (blocked or links < _CHAIN):
            length = _segment(buffer, at, end)
            if length == 0:
                return False
            code = buffer[at + 2]
            if code in (WHOLE, FIRST):
                if not _sane(buffer, at, length, clocks):
                    return False
                if clocks.size:
                    now = word64(buffer, at + length - 8)
                    if sane and not (lsn < now and now - lsn < _LSN_STEP):
                        return False
                    lsn = now
                sane += 1
            at += length
            if not blocked:
                links += 1
        links += 1
    return sane > 0


@kernel
def search(buffer: U8, at: int, until: int, blocked: bool, clocks: Any) -> int:
    """First place from `at` on, before `until`, where records are proved to stand, or -1."""
    last = min(until, buffer.size - 8)
    while at < last:
        if blocked:
            hit = _block(buffer, at) and _segment(buffer, at + 4, buffer.size)
        else:
            hit = buffer[at + 3] == 0 and buffer[at + 2] <= MIDDLE and word16(buffer, at) >= 4
        if hit and _proved(buffer, at, blocked, clocks):
            return at
        at += 1
    return -1


@inner
def _is_block(buffer: U8, at: int, end: int, clocks: Any) -> Any:
    """Whether what looks like an RDW at `at` is a BDW: a sane log record stands behind it."""
    length = _segment(buffer, at + 4, end)
    return length > 0 and _sane(buffer, at + 4, length, clocks)


@kernel
def probe(buffer: U8, blocked: bool, clocks: Any, at: int, limit: int, found: I64) -> None:
    """How far a form holds from `at` on: found = segments, sane ones, rising ones, the end.

    Rising: with a sequence number above that of the one before. A block of log records would pass
    for a sane record, as it ends in the suffix of its last one.
    """
    end = at if blocked else buffer.size
    lsn: Any = np.uint64(0)
    while found[0] < limit and at < buffer.size:
        if blocked and at == end:
            length = _block(buffer, at)
            if length == 0:
                break
            end, at = min(at + length, buffer.size), at + 4
            continue
        length = _segment(buffer, at, end)
        if length == 0:
            break
        found[0] += 1
        sane = buffer[at + 2] <= FIRST and _sane(buffer, at, length, clocks)
        if sane and clocks.size:
            now = word64(buffer, at + length - 8)
            sane = blocked or not _is_block(buffer, at, at + length, clocks)
            found[2] += sane and lsn < now
            lsn = now
        found[1] += sane
        at += length
    found[3] = at


# --- the walk ------------------------------------------------------------------------------------


@inner
def _gap(gaps: I64, state: I64, at: int, until: int, reason: int) -> None:
    """Note lost bytes; the segment that follows is marked."""
    row = gaps[state[GAPS]]
    row[AT], row[BYTES], row[REASON] = at, until - at, reason
    state[GAPS] += 1
    state[FRESH] = AFTER_GAP
    state[POSITION] = until


@inner
def _emit(state: I64, starts: I64, lengths: I32, codes: U8, code: int, length: int) -> None:
    row = state[COUNT]
    starts[row], lengths[row], codes[row] = state[POSITION], length, code | state[FRESH]
    state[COUNT] = row + 1
    state[FRESH] = 0
    state[POSITION] += length


@inner
def _resume(buffer: U8, clocks: Any, state: I64, starts: I64, lengths: I32, gaps: I64) -> None:
    """Go on after a record that makes no sense, in a file of RDWs only.

    The search begins inside the record before, if that one stands right here: a chain that is
    found in it means that its length was wrong, and it is taken back.
    """
    at, row = state[POSITION], state[COUNT] - 1
    begin = at + 1
    touching = row >= 0 and starts[row] + lengths[row] == at
    if touching:
        begin = min(starts[row] + _SMF_HEADER, at + 1)
    found = search(buffer, begin, buffer.size, False, clocks)
    if found < 0:
        length = word16(buffer, at) if at + 2 <= buffer.size else 0
        cut = at + 4 > buffer.size or (at + length > buffer.size and buffer[at + 3] == 0)
        _gap(gaps, state, at, buffer.size, TRUNCATED if cut else GARBAGE)
    elif found < at:
        state[COUNT] = row
        _gap(gaps, state, starts[row], found, BAD_RDW)
    else:
        _gap(gaps, state, at, found, BAD_RDW)


@kernel
def walk_records(
    buffer: U8, clocks: Any, state: I64, starts: I64, lengths: I32, codes: U8, gaps: I64
) -> None:
    """RDWs only: note every segment until the end, or until the room for them is used up."""
    while (
        state[POSITION] < buffer.size and state[COUNT] < starts.size and state[GAPS] < gaps.shape[0]
    ):
        at = state[POSITION]
        length = _segment(buffer, at, buffer.size)
        if length:
            code = buffer[at + 2]
            if code not in (WHOLE, FIRST) or _sane(buffer, at, length, clocks):
                _emit(state, starts, lengths, codes, code, length)
                continue
            after = at + length  # odd, but what follows says that its length is right
            if after == buffer.size or _proved(buffer, after, False, clocks):
                _emit(state, starts, lengths, codes, code, length)
                continue
        _resume(buffer, clocks, state, starts, lengths, gaps)


@kernel
def walk_blocks(
    buffer: U8, clocks: Any, state: I64, starts: I64, lengths: I32, codes: U8, gaps: I64
) -> None:
    """BDWs and RDWs: the same; after damage inside a block the next block goes on."""
    while (
        state[POSITION] < buffer.size and state[COUNT] < starts.size and state[GAPS] < gaps.shape[0]
    ):
        at, end = state[POSITION], state[BLOCK_END]
        if at < end:
            length = _segment(buffer, at, end)
            if length:
                _emit(state, starts, lengths, codes, buffer[at + 2], length)
                continue
            found = end if end == buffer.size or _proved(buffer, end, True, clocks) else -1
            if found < 0:
                found = search(buffer, at, buffer.size, True, clocks)
            reason = TRUNCATED if state[IS_CUT] else BAD_RDW
            _gap(gaps, state, at, found if found >= 0 else buffer.size, reason)
            state[BLOCK_END] = state[POSITION]
            continue
        length = _block(buffer, at)
        fits = length > 0 and at + length <= buffer.size
        if not fits:
            found = search(buffer, at + 1, buffer.size, True, clocks)
            state[IS_CUT] = found < 0 and (length > 0 or at + 8 > buffer.size)
            if found >= 0 or length == 0:
                until = found if found >= 0 else buffer.size
                _gap(gaps, state, at, until, TRUNCATED if state[IS_CUT] else BAD_BLOCK)
                state[BLOCK_END] = state[POSITION]
                continue
        state[BLOCK_END] = min(at + length, buffer.size)
        state[POSITION] = at + 4


# --- spanned records ---------------------------------------------------------------------------


@kernel
def join_plan(lengths: I32, codes: U8, record: I64, orphan: I64) -> tuple[int, int, int]:
    """Which record each segment belongs to: record[i], or -1 for a piece whose rest is missing.

    Returns the records, the orphaned runs (orphan[k] = first segment of run k) and the bytes that
    the joined records take, a leading RDW each. A record longer than 32 bits can say is orphaned.
    """
    records, orphans, joined, begin, size = 0, 0, 0, -1, 0
    for i in range(codes.size + 1):
        code = codes[i] if i < codes.size else AFTER_GAP
        kind = code & 3
        goes_on = begin >= 0 and code & AFTER_GAP == 0 and kind in (MIDDLE, LAST)
        if goes_on and size + lengths[i] - 4 > _LONGEST:
            goes_on = False
        if begin >= 0 and not goes_on:  # the rest never came
            record[begin:i] = -1
            orphan[orphans] = begin
            orphans += 1
            begin = -1
        if i == codes.size:
            break
        if goes_on:
            size += lengths[i] - 4
            record[i] = records
            if kind == LAST:
                records, joined, begin = records + 1, joined + size, -1
        elif kind == WHOLE:
            record[i] = records
            records += 1
        elif kind == FIRST:
            begin, size = i, lengths[i]
            record[i] = records
        else:
            if i == 0 or record[i - 1] != -1 or codes[i - 1] & 3 == LAST:
                orphan[orphans] = i
                orphans += 1
            record[i] = -1
    return records, orphans, joined


@kernel
def join(
    buffer: U8, starts: I64, lengths: I32, codes: U8, record: I64,
    out: U8, out_start: I64, out_length: I32, is_joined: Any, place: I64,
) -> None:  # fmt: skip
    """Copy the segments of spanned records together, each record behind one RDW."""
    put = 0
    for i in range(starts.size):
        row = record[i]
        if row < 0:
            continue
        kind = codes[i] & 3
        if kind == WHOLE:
            out_start[row], out_length[row], place[row] = starts[i], lengths[i], starts[i]
            continue
        if kind == FIRST:
            place[row], out_start[row], out_length[row] = starts[i], put, 4
            is_joined[row] = True
            put += 4
        size, data = lengths[i] - 4, starts[i] + 4
        for j in range(size):
            out[np.uint64(put + j)] = buffer[np.uint64(data + j)]
        put += size
        out_length[row] += size
        if kind == LAST:
            said, at = min(out_length[row], 0xFFFF), out_start[row]
            out[at], out[at + 1], out[at + 2], out[at + 3] = said >> 8, said & 0xFF, 0, 0
