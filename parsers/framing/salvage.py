"""Where reading goes on behind a place at which no record can be read, and what was lost there.

A record that leads to such a place is taken back unless something proves its length: its bytes
may be the damaged ones. So one whole record may be lost with each damage, but none is wrong.
"""

from __future__ import annotations

from typing import NamedTuple

from imsperf.parsers.framing import resync
from imsperf.parsers.framing.forms import Form
from imsperf.parsers.framing.walk_state import Pieces, WalkState
from imsperf.parsers.kernels.loads import AFTER_GAP, FIRST, LAST, MIDDLE, SMF_HEADER, U8

TRUNCATED, BAD_RDW, BAD_BLOCK, GARBAGE = range(4)  # reasons of a gap
_RDW = 4  # bytes
_FLAGS = 0x1E  # bits that z/OS sets in the flag byte of an SMF header
_LOG_LEAST = 21  # bytes of the shortest log record
_STEP, _FAR = 1 << 12, 1 << 24  # sequence numbers from one log record to the next; in an extract


class Gap(NamedTuple):
    """Bytes that hold no record: the place, how many, and why."""

    at: int
    bytes: int
    reason: int


def resume(buffer: U8, form: Form, state: WalkState, pieces: Pieces, before: int) -> Gap:
    """Go on after the chain broke: the state stands at the next place that is proved.

    `before`: where the record before the pieces ends, 0 if there is none.
    """
    at, row = int(state.position), int(state.piece_count) - 1
    begins_block = form.blocked and at == int(state.block_end)
    if begins_block and resync.is_bdw(buffer, at):
        begins_block, at = False, at + 4  # the RDW behind it is damaged
    last = _doubtful(buffer, form, at, row, pieces, begins_block)
    begin = at if last is None else min(last + _least(form), at)
    place, block_end = form.search(buffer, begin, buffer.size, at)
    reason = BAD_BLOCK if begins_block else BAD_RDW
    if place < 0:
        reason = TRUNCATED if _is_cut(buffer, form, at, begins_block) else GARBAGE
    if last is not None and place != at:
        before = pieces.end(row - 1) if row else before
        if not _fits(buffer, form, at, before, (place, block_end), begins_block):
            state.piece_bytes -= at - last
            state.piece_count, at = row, last
    if place < 0:
        place = block_end = buffer.size
        state.is_cut |= reason == TRUNCATED
    else:
        state.is_cut = 0
    block, block_ends = int(state.block_begin), int(state.block_end)
    if form.blocked and at == block + 4 and (place >= block_ends or place == block_end):
        at = block  # nothing is left that its BDW frames
    state.jump(place, block_end)
    return Gap(at, place - at, reason)


def take_back(
    buffer: U8, form: Form, state: WalkState, pieces: Pieces, at: int, before: int
) -> int | None:
    """Leave out the record that leads to a broken place, of a form in which records are wrapped,
    unless something proves its length. Where it begins, if it is left out; `before` as above."""
    last = row = int(state.piece_count) - 1
    if row < 0 or pieces.end(row) + len(form.ending) != at or form.proves_ends:
        return None
    codes = pieces.code
    while row > 0 and codes[row] & 3 in (LAST, MIDDLE) and not codes[row] & AFTER_GAP:
        row -= 1
    if form.kind == "smf":
        if resync.is_explained(buffer, int(pieces.start[last]), at, at - form.shift):
            return None
    else:
        before = pieces.end(row - 1) if row else before
        if resync.is_next(buffer, before, at - len(form.ending), _STEP, form.clocks):
            return None
    pieces.take_back(state, row)
    return int(pieces.start[row]) + form.shift


def _least(form: Form) -> int:
    return _LOG_LEAST if form.kind == "ims" else SMF_HEADER


def _doubtful(
    buffer: U8, form: Form, at: int, row: int, pieces: Pieces, begins_block: bool
) -> int | None:
    """Where the record begins that leads to a broken place, if nothing there proves its length.

    Where a block begins, a header must stand behind a BDW: the record before holds one else.
    """
    if row < 0 or pieces.end(row) != at:
        return None
    start = int(pieces.start[row])
    header = at + 4 * begins_block
    is_right = form.kind == "smf" and resync.is_explained(buffer, start, at, header)
    return None if is_right else start


def _fits(
    buffer: U8, form: Form, at: int, before: int, span: tuple[int, int], begins_block: bool
) -> bool:
    """Whether what was found behind a broken place says that the length before it was right.

    `before`: where the record before that one ends, 0 if there is none. Log records must follow
    each other by clock and sequence number.
    """
    place, block_end = span
    if form.kind == "ims":
        padding = buffer[at : place if place >= 0 else None]
        if padding.size and not padding.any():
            return True  # it begins where the record ends
        step = _STEP if place < 0 else _FAR
        if before and not resync.is_next(buffer, before, at, step, form.clocks):
            return False
        if place < 0:
            return before > 0 or _is_cut(buffer, form, at, begins_block)
        first = place + 4 if block_end == place else place
        then = first + _word(buffer, first, 2)
        return place > at and bool(resync.is_next(buffer, at, then, _FAR, form.clocks))
    if place < 0:
        return _shows_cut(buffer, at + 4 * begins_block) and _is_cut(buffer, form, at, begins_block)
    is_short = _word(buffer, at, 3) == 0x800000  # a BDW that says less than 256 bytes
    return begins_block and place == at + 4 and (block_end != place or is_short)


def _word(buffer: U8, at: int, width: int) -> int:
    return int.from_bytes(buffer[at : at + width].tobytes(), "big")


def _is_cut(buffer: U8, form: Form, at: int, begins_block: bool) -> bool:
    """Whether the file ends in what begins at `at`: a record, or a block."""
    if begins_block and at + 4 < buffer.size:
        if not buffer[at] & 0x80 and _word(buffer, at + 2, 2) != 0:
            return False
        at += 4
    head = buffer[at : at + SMF_HEADER]
    left = buffer.size - at
    if left < 2:
        return True
    if _word(buffer, at, 2) <= left or (left > 2 and head[2] > MIDDLE) or (left > 3 and head[3]):
        return False
    if left < SMF_HEADER or form.kind == "ims" or head[2] > FIRST:
        return True
    return bool(resync.is_header(buffer, at))


def _shows_cut(buffer: U8, at: int) -> bool:
    """Whether the bytes at the end of the file are an RDW, and flags that z/OS sets behind it.

    Bytes that are put into the last record leave as many of its own behind it."""
    head = buffer[at : at + _RDW + 1]
    return len(head) >= _RDW and all(int(byte) & _FLAGS == _FLAGS for byte in head[_RDW:])
