"""The kernels of XMIT: segments become records; where they do not lead on, they are looked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.kernels.loads import I64, U8

FIRST, LAST, CONTROL, NUMBER = 0x80, 0x40, 0x20, 0x10  # flags of a segment
_SEGMENT = 0xFFFF  # bytes that an RDW can count
_ROOM = 253 + 8  # bytes that a segment makes at most
_PROVED = 16  # segments that lead from one to the next: no chance

# What `state` holds between calls.
AT, PUT, RECORD, SPANNED, STATUS, ROWS, GAPS = range(7)
MORE, ENDED, TRUNCATED, BAD = range(4)  # STATUS
# Columns of a control record: its place and end, the end of the whole data records behind it, how
# many there are, and how many of them begin with their own length as an RDW or a BDW does.
PLACE, BEHIND, DATA_END, RECORDS, WORDS = range(5)


@inner
def _note_control(buffer: U8, state: I64, controls: I64, start: Any, end: Any) -> Any:
    """Enter a control record; says whether it is the last, INMR06."""
    row = controls[state[ROWS]]
    row[PLACE], row[BEHIND], row[DATA_END] = start, end, end
    state[ROWS] += 1
    if buffer[start] < 8:
        return False
    last = True
    for i in range(6):
        last &= buffer[start + 2 + i] == (0xC9, 0xD5, 0xD4, 0xD9, 0xF0, 0xF6)[i]
    return last


@inner
def _note_data(buffer: U8, state: I64, controls: I64, start: Any, end: Any, size: Any) -> None:
    """Count a data record behind the last control record."""
    if state[ROWS] == 0:
        return
    row = controls[state[ROWS] - 1]
    row[DATA_END] = end
    if buffer[start + 1] & NUMBER:
        return
    row[RECORDS] += 1
    if buffer[start] >= 6:
        said = np.int64(buffer[start + 2]) << 8 | np.int64(buffer[start + 3])
        row[WORDS] += said == size and buffer[start + 4] == 0 and buffer[start + 5] == 0


@inner
def _chain(buffer: U8, at: Any) -> Any:
    """Where the second record begins of a chain of segments from `at`; -1 where none is proved.

    The first may begin within a segment that by chance leads to where one ends.
    """
    here: Any = at
    second: Any = np.int64(-1)
    before: Any = np.int64(0)
    is_open, count = False, 0
    while here + 2 <= buffer.size:
        length, flags = np.int64(buffer[here]), np.int64(buffer[here + 1])
        if length < 2 or flags & 0x0F or here + length > buffer.size:
            return np.int64(-1)
        if (flags & FIRST != 0) == is_open or (is_open and (flags ^ before) & (CONTROL | NUMBER)):
            return np.int64(-1)
        if not is_open and count and second < 0:
            second = here
        if flags & CONTROL and length == 8:
            last = True
            for i in range(6):
                last &= buffer[here + 2 + i] == (0xC9, 0xD5, 0xD4, 0xD9, 0xF0, 0xF6)[i]
            if last:
                return here if second < 0 else second
        is_open, before = flags & LAST == 0, flags
        here, count = here + length, count + 1
        if count >= _PROVED and second >= 0:
            return second
    return np.int64(-1)


@inner
def _go_on(buffer: U8, at: Any) -> Any:
    """Where records are proved again behind a broken place; the end where none are."""
    for here in range(at + 1, buffer.size - 1):
        if buffer[here] >= 2 and buffer[here + 1] & 0x8F == FIRST:
            go_on = _chain(buffer, np.int64(here))
            if go_on >= 0:
                return go_on
    return np.int64(buffer.size)


@inner
def _note_gap(state: I64, gaps: I64, controls: I64, before: I64, begin: Any, end: Any) -> None:
    """Enter lost bytes; `before` is the record that leads to them, which is lost with them."""
    if begin == before[0] and state[ROWS]:
        row = controls[state[ROWS] - 1]
        row[RECORDS], row[WORDS] = before[1], before[2]
    gaps[state[GAPS], 0], gaps[state[GAPS], 1] = begin, end
    state[GAPS] += 1


@kernel
def scan(buffer: U8, state: I64, controls: I64, gaps: I64, before: I64) -> None:
    """Follow the segments to INMR06 or the end; from one that cannot be one to where they go on.

    `before`: the last data record, -1 if there is none, and the counts in front of it.
    """
    at: Any = np.int64(0)
    start: Any = np.int64(-1)
    size: Any = np.int64(0)
    state[STATUS] = TRUNCATED
    while at + 2 <= buffer.size:
        length, flags = np.int64(buffer[at]), buffer[at + 1]
        begins = flags & FIRST != 0
        same = start < 0 or (buffer[start + 1] ^ flags) & (CONTROL | NUMBER) == 0
        if length < 2 or flags & 0x0F or begins != (start < 0) or not same:
            state[AT] = at
            begin = start if start >= 0 else max(before[0], np.int64(-1))
            begin = at if begin < 0 else begin
            is_full = state[GAPS] == gaps.shape[0] - 1
            at = np.int64(buffer.size) if is_full else _go_on(buffer, at)
            _note_gap(state, gaps, controls, before, begin, at)
            before[0] = start = -1
            if at == buffer.size:
                state[STATUS] = BAD
                return
            continue
        if at + length > buffer.size:
            break
        if begins:
            start, size = at, np.int64(0)
        at, size = at + length, size + length - 2
        if flags & LAST:
            before[0] = -1
            if flags & CONTROL == 0:
                if state[ROWS]:
                    row = controls[state[ROWS] - 1]
                    before[0], before[1], before[2] = start, row[RECORDS], row[WORDS]
                _note_data(buffer, state, controls, start, at, size)
            elif state[ROWS] == controls.shape[0]:
                state[STATUS] = MORE
                break
            elif _note_control(buffer, state, controls, start, at):
                state[STATUS] = ENDED
                break
            start = np.int64(-1)
    state[AT] = at
    if state[STATUS] == TRUNCATED:
        begin = start if start >= 0 else at
        _note_gap(state, gaps, controls, before, begin, np.int64(buffer.size))


@inner
def _close(out: U8, state: I64, put: int, goes_on: int) -> Any:
    """End a record, or a segment of one that goes on; room for the next RDW is left."""
    at = state[RECORD]
    length = put - at
    code = (3 if goes_on else 2) if state[SPANNED] else goes_on
    out[at], out[at + 1], out[at + 2], out[at + 3] = length >> 8, length & 0xFF, code, 0
    state[SPANNED] = goes_on
    state[RECORD] = put
    return put + 4


@kernel
def copy(buffer: U8, words: bool, end: int, out: U8, state: I64) -> None:
    """Put the records together, behind an RDW each if `words`, until `out` is full."""
    at, put = state[AT], state[PUT]
    while at < end and put + _ROOM <= out.size:
        size, flags = np.int64(buffer[at]) - 2, buffer[at + 1]
        if flags & NUMBER == 0:
            if words and put - state[RECORD] + size > _SEGMENT:
                put = _close(out, state, put, 1)
            for i in range(size):
                out[np.uint64(put + i)] = buffer[np.uint64(at + 2 + i)]
            put += size
            if words and flags & LAST:
                put = _close(out, state, put, 0)
        at += size + 2
    state[AT], state[PUT] = at, put
