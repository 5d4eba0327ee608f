"""Kernels that turn the codes of a packed data set into records: PACK and SPACK.

What the codes are: terse.py. Each call goes on where the last one stopped, until the codes end or
there may be no room for more; tables and `state` hold what is in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.kernels import inner, kernel
from imsperf.parsers.kernels.loads import I64, U8, put64

I16 = npt.NDArray[np.int16]

HEADER = 12  # bytes
MARK = 257  # ends a record; higher codes are learned strings
STRINGS = 4096  # codes that 12 bits can tell
_BLANK = 0x40 + 1
_SEGMENT = 0xFFFF  # bytes that an RDW can count
_ROOM = 4 * STRINGS + 8  # bytes that one PACK code makes at most: a string of record ends

# What `state` holds between calls; from STACK on the strings that SPACK has yet to put out.
CODE, PUT, RECORD, SPANNED, STATUS, BEFORE, CURRENT, PENDING, HEAD, FREE, MARKS, STACK = range(12)
MORE, ENDED, TRUNCATED, BAD = range(4)  # STATUS


def new_state(variable: bool) -> I64:
    """Nothing read yet; room is left for the first RDW."""
    state = np.zeros(STACK + STRINGS, np.int64)
    state[FREE] = MARK + 1
    state[PUT] = 4 if variable else 0
    return state


@inner
def _code(buffer: U8, number: Any) -> Any:
    """The code of that number, or -1 if the file ends."""
    at = HEADER + (number >> 1) * 3 + (number & 1)
    if at + 2 > buffer.size:
        return -1
    pair = np.int64(buffer[at]) << 8 | np.int64(buffer[at + 1])
    return pair & 0xFFF if number & 1 else pair >> 4


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


@inner
def _put(out: U8, state: I64, put: int, code: int, variable: bool) -> Any:
    """One byte, or the end of a record, which fixed records do without."""
    if code == MARK:
        return _close(out, state, put, 0) if variable else put
    if variable and put - state[RECORD] == _SEGMENT:
        put = _close(out, state, put, 1)
    out[put] = code - 1
    return put + 1


# --- PACK ---------------------------------------------------------------------------------------

PARENT, LETTER, NEXT, PREVIOUS = range(4)  # columns of its table, one row a string


def pack_table() -> I16:
    """Strings of one more blank each; a ring from the latest use to the longest ago, 0 its seam."""
    table = np.zeros((STRINGS, 4), np.int16)
    learned = np.arange(MARK + 1, STRINGS)
    table[learned, PARENT] = learned - 1
    table[MARK + 1, PARENT] = _BLANK
    table[learned, LETTER] = _BLANK
    table[learned[:-1], NEXT] = learned[1:]
    table[learned[1:], PREVIOUS] = learned[:-1]
    table[0, NEXT], table[0, PREVIOUS] = MARK + 1, STRINGS - 1
    return table


@inner
def _to_front(table: I16, code: Any, fresh: Any) -> tuple[Any, Any]:
    """Move a string and those it begins with to the front of the ring, `fresh` behind them.

    Parents are turned into children on the way, to be turned back when the bytes are put out;
    returns the first byte's code and the first child. In a loop the way ends where it began, at 0.
    """
    first, child, at = fresh, 0, code
    while at > MARK:
        after, before = table[at, NEXT], table[at, PREVIOUS]
        table[before, NEXT], table[after, PREVIOUS] = after, before
        table[at, NEXT], table[first, PREVIOUS] = first, at
        first = at
        parent = table[at, PARENT]
        table[at, PARENT] = child
        child, at = at, parent
    front = table[0, NEXT]
    table[fresh, NEXT], table[front, PREVIOUS] = front, fresh
    table[0, NEXT], table[first, PREVIOUS] = first, 0
    return at, child


@kernel
def pack(buffer: U8, variable: bool, out: U8, state: I64, table: Any) -> None:
    """Codes to records, until the file ends or `out` may not hold one string more."""
    put, number, before = state[PUT], state[CODE], state[BEFORE]
    while put + _ROOM <= out.size:
        code = _code(buffer, number)
        number += code >= 0
        if code <= 0:
            state[STATUS] = ENDED if code == 0 else TRUNCATED
            break
        fresh = np.int64(table[0, PREVIOUS])
        last = table[fresh, PREVIOUS]
        table[0, PREVIOUS], table[last, NEXT] = last, 0
        at, child = _to_front(table, code, fresh)
        if at == 0:
            state[STATUS] = BAD
            break
        table[before, LETTER] = at  # of the string learned last, known only now
        put = _put(out, state, put, at, variable)
        before = fresh
        while child != 0:
            down = np.int64(table[child, PARENT])
            put = _put(out, state, put, table[child, LETTER], variable)
            table[child, PARENT] = at
            at, child = child, down
        table[fresh, PARENT] = at
    state[PUT], state[CODE], state[BEFORE] = put, number, before


# --- SPACK --------------------------------------------------------------------------------------

# Columns of its table. LINK: next in the ring of unused strings, 0 its seam; or below 0 for one
# that is part of others, -1 for each. RING: the one before in that ring. Strings of up to _SHORT
# bytes and no record end are kept whole in `words`, the first byte lowest, their size highest: that
# is faster.
LEFT, RIGHT, LINK, RING = range(4)
_NONE = -1
_SHORT = 7
_MOST = 16  # bytes that are put at a time, an RDW before them
_SIZE = np.uint64(56)  # bits below the size in a word
_TEXT = (np.uint64(1) << _SIZE) - np.uint64(1)


def spack_tables() -> tuple[I16, Any]:
    """No string learned; single bytes are never unused."""
    table = np.zeros((STRINGS, 4), np.int16)
    table[:, LEFT] = table[:, RIGHT] = _NONE
    table[1 : MARK + 1, LINK] = _NONE
    words = np.zeros(STRINGS, np.uint64)
    words[1:MARK] = np.arange(MARK - 1, dtype=np.uint64) | np.uint64(1) << _SIZE
    return table, words


@inner
def _used(table: I16, code: int) -> None:
    """Count one more string that this one is part of."""
    after = table[code, LINK]
    if after < 0:
        table[code, LINK] = after - 1
        return
    before = table[code, RING]
    table[before, LINK], table[after, RING] = after, before
    table[code, LINK] = _NONE


@inner
def _unused(table: I16, code: int) -> None:
    """Put a string that is no part of others into the ring, as the latest."""
    last = table[0, RING]
    table[code, LINK], table[code, RING] = 0, last
    table[last, LINK], table[0, RING] = code, code


@inner
def _forget(table: I16) -> Any:
    """Take out the string that was unused for longest; its parts may become unused."""
    oldest = np.int64(table[0, LINK])
    after, before = table[oldest, LINK], table[oldest, RING]
    table[after, RING], table[before, LINK] = before, after
    for part in (table[oldest, LEFT], table[oldest, RIGHT]):
        uses = table[part, LINK]
        if uses == _NONE:
            _unused(table, part)
        else:
            table[part, LINK] = uses + 1
    table[oldest, LINK] = _NONE
    return oldest


@inner
def _learn(table: I16, words: Any, state: I64, left: int, right: int) -> None:
    """Enter a pair of strings as a new one."""
    code = state[FREE]
    if code < STRINGS:
        state[FREE] = code + 1
    else:
        code = _forget(table)
    table[code, LEFT], table[code, RIGHT] = left, right
    _used(table, left)
    _used(table, right)
    _unused(table, code)
    first, second = words[left], words[right]
    size, more = first >> _SIZE, second >> _SIZE
    words[code] = 0
    if size != 0 and more != 0 and size + more <= _SHORT and left != code and right != code:
        text = (first & _TEXT) | second << (np.uint64(8) * size)
        words[code] = (text & _TEXT) | (size + more) << _SIZE


@inner
def _expand(table: I16, words: Any, out: U8, state: I64, put: Any, variable: bool) -> Any:
    """Put out the string that is pending, until it ends or `out` is full."""
    code: Any = state[PENDING]
    head = state[HEAD]
    while code != 0 and put + _MOST <= out.size:
        while code > MARK and words[code] == 0:
            left, right = table[code, LEFT], table[code, RIGHT]
            if left in (_NONE, code) or right == code or head == STRINGS:
                state[STATUS] = BAD
                return put
            state[STACK + head] = right
            head += 1
            code = np.int64(left)
        if code == MARK and variable:
            put = _close(out, state, put, 0)
        elif code == MARK:
            state[MARKS] += 1
            if state[MARKS] > out.size:  # a string of nothing else may be endless
                state[STATUS] = BAD
                return put
        else:
            size = np.int64(words[code] >> _SIZE)
            if variable and put - state[RECORD] + size > _SEGMENT:
                put = _close(out, state, put, 1)
            put64(out, put, words[code])
            put += size
        code = 0
        if head:
            head -= 1
            code = state[STACK + head]
    state[PENDING], state[HEAD] = code, head
    return put


@kernel
def spack(buffer: U8, variable: bool, out: U8, state: I64, tables: Any) -> None:
    """Codes to records, until the file ends or `out` is full; a string may take several pieces."""
    table, words = tables
    put, number = state[PUT], state[CODE]
    before, current = state[BEFORE], state[CURRENT]
    while state[STATUS] == MORE:
        if state[PENDING] != 0:
            put = _expand(table, words, out, state, put, variable)
            if state[PENDING] != 0:
                break
            continue
        if before:
            _learn(table, words, state, before, current)
        code = _code(buffer, number)
        if code <= 0:
            state[STATUS] = ENDED if code == 0 else TRUNCATED
            number += code == 0
            break
        number += 1
        before, current = current, code
        size = np.int64(words[code] >> _SIZE)
        room = state[RECORD] + _SEGMENT if variable else out.size
        if size != 0 and put + size <= room and put + 8 <= out.size:
            put64(out, put, words[code])
            put += size
        else:
            state[PENDING] = code
    state[PUT], state[CODE], state[BEFORE], state[CURRENT] = put, number, before, current
