"""Records that lost a page of the file: it was never written, and reads as zeros.

Such a run of zeros begins and ends where pages do, but for zeros of the record beside it. Zeros
that a record really holds begin and end anywhere; where they begin at a page by chance, the record
before or behind of the same kind and length has them, too, at another place in a page.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.kernels.loads import I32, I64, U8, word64, zeros_begin, zeros_end

PAGE, _IN_PAGE = 4096, 4095  # what file systems and copies lose at once
SECTOR = 512  # the least that they do, at a multiple of it in the file
_NEAR = 256  # zero bytes of the records themselves that may touch a lost page, on both sides
_VERY_NEAR = 8  # on one side, whatever touches it on the other
_FAR = 2 * PAGE  # zero bytes behind a piece, or before it, that its neighbours cannot hold
_CLOSE = 4  # zero bytes that begin a number
_LEAST = 16  # bytes of a lost page at the end of the file
_HEADER = 6  # bytes of a record that tell its length, flags and type (SMF) or code (log)
_STEP, _STEPS = 1 << 20, 64  # bytes searched at a time for a record that is alike; how often


def zero_runs(buffer: U8, starts: I64, lengths: I32) -> tuple[I64, Any]:
    """The runs of zeros in pieces that hold a sector of the file, or are as long as half of one:
    an array of shape (runs, ZEROS_WIDTH), places counted from the start of the piece. And the
    pieces that lost a page, as booleans.
    """
    most = int(lengths.sum()) // _PROBE + len(starts)  # room that is never written costs nothing
    room, hit = np.empty((most, ZEROS_WIDTH), np.int64), np.empty(len(starts), np.bool_)
    runs = room[: find_runs(buffer, starts, lengths, room, hit)].copy()
    rows = np.flatnonzero(hit)
    if len(rows):
        is_lost = np.empty(len(rows), np.bool_)
        lost_a_page(buffer, starts[rows], lengths[rows], is_lost)
        for i in np.flatnonzero(is_lost).tolist():
            is_lost[i] = not _has_such_zeros(buffer, int(starts[rows[i]]), int(lengths[rows[i]]))
        hit[rows] = is_lost
    return runs, hit


def _has_such_zeros(buffer: U8, start: int, length: int) -> bool:
    """Whether a record of the same kind has the same zeros at another place in a page: all that
    reach into a page of zeros."""
    if start < 0 or start + length > buffer.size:
        return False
    runs = _zeros_in_pages(buffer, start, length)
    return all(_is_elsewhere(buffer, start, length, begin, end) for begin, end in runs)


def _is_elsewhere(buffer: U8, start: int, length: int, begin: int, end: int) -> bool:
    """The same for the zeros between two bytes of the record; none at its end."""
    if begin < _HEADER or end == length:
        return False
    head = buffer[start : start + _HEADER].tobytes()
    for step in range(1, _STEPS + 1):
        for at in (start + length + (step - 1) * _STEP, start - step * _STEP):
            window = buffer[max(at, 0) : max(at + _STEP + _HEADER, 0)].tobytes()
            place = window.find(head)
            while place >= 0:
                other = max(at, 0) + place
                zeros = buffer[other + begin - 1 : other + end + 1]
                is_moved = len(zeros) == end - begin + 2 and (other - start) % PAGE
                if is_moved and zeros[0] and zeros[-1] and not zeros[1:-1].any():
                    return True
                place = window.find(head, place + 1)
    return False


def _zeros_in_pages(buffer: U8, start: int, length: int) -> set[tuple[int, int]]:
    """Where zeros of the record begin and end that reach into a page of zeros."""
    record, zeros = buffer[start : start + length], set[tuple[int, int]]()
    edges = np.flatnonzero(np.diff((record == 0).astype(np.int8), prepend=0, append=0))
    for page in range(start // PAGE * PAGE, start + length, PAGE):
        if not buffer[page : page + PAGE].any():
            row = 2 * int(np.searchsorted(edges[::2], max(page - start, 0), "right")) - 2
            zeros.add((int(edges[row]), int(edges[row + 1])))
    return zeros


_PROBE = 256  # at multiples of it a run of zeros is looked for: none of 263 bytes is missed
_HALF = 120  # bytes: one way or the other, a run of as many as `_PROBE` reaches 8 beyond them

# Columns of runs of zeros: which piece or record, where whole sectors of zeros begin and end in it
# (the run itself, where it holds none), where the run does, and how many of both edges are those of
# a sector, or close to one.
ROW, BEGIN, END, FIRST, LAST, EDGES, ZEROS_WIDTH = range(7)
NO_ZEROS = np.empty((0, ZEROS_WIDTH), np.int64)


@inner
def _up(at: Any, size: Any) -> Any:
    """The first multiple of a power of two from a place on."""
    return (at + size - 1) & -size


@inner
def _is_short(buffer: U8, at: Any) -> Any:
    """Whether the zeros at a probe are plainly fewer than those looked for: such reach about as far
    as to a word half a probe before it or behind it, or begin at a page."""
    if at & _IN_PAGE == 0 or at + _HALF + 8 > buffer.size:
        return False
    return word64(buffer, at + _HALF) != 0 and word64(buffer, at - _HALF) != 0


@kernel
def find_runs(buffer: U8, starts: I64, lengths: I32, runs: I64, hit: Any) -> int:
    """Note the runs of zeros in pieces, whose places rise; returns how many. The first four bytes
    of a piece are its descriptor word. A sector that the end of the file cuts counts too.

    `hit`: pieces where a page of the file may be empty: all of it that is in the piece is zero, or
    it begins less than a word from an end of the piece, where no probe looks.
    """
    count, i = 0, 0
    if starts.size == 0:
        return 0
    for row in range(starts.size):
        begin, end = max(starts[row] + 4, 0), starts[row] + lengths[row]
        hit[row] = ((begin & _IN_PAGE) <= 4) | ((end - 1 & _IN_PAGE) < 8)
    at, stop = _up(max(starts[0] + 4, 0), _PROBE), starts[-1] + lengths[-1] - 8
    while at <= stop:
        if word64(buffer, at) != 0 or _is_short(buffer, at):  # nearly always, whose bytes it may be
            at += _PROBE
            continue
        while starts[i] + lengths[i] <= at:
            i += 1
        begin, end = max(starts[i] + 4, 0), starts[i] + lengths[i]
        if at < begin or at + 8 > end:
            at = _up(max(at + 1, begin), _PROBE)
            continue
        first, last = zeros_begin(buffer, at, begin), zeros_end(buffer, at, end)
        at = _up(last + 1, _PROBE)
        page = _up(first, PAGE)
        hit[i] |= page + PAGE <= last or (page < last and last == end)
        low = _up(first, SECTOR)
        high = last if last == buffer.size else _up(last - SECTOR + 1, SECTOR)
        holds_sector = high - low >= _LEAST
        if not holds_sector:
            if last - first < _PROBE:
                continue
            low, high = first, last
        edges = np.int64(holds_sector and begin < first and low - first < _CLOSE)
        edges += np.int64(holds_sector and low == 0)
        edges += np.int64(holds_sector and last < end and last - high < _CLOSE)
        run = runs[count]
        run[ROW], run[EDGES] = i, edges
        run[BEGIN], run[END] = low - starts[i], high - starts[i]
        run[FIRST], run[LAST] = first - starts[i], last - starts[i]
        count += 1
    return count


@inner
def _is_lost(buffer: U8, page: int, piece_start: int, piece_end: int) -> Any:
    """Whether the page at `page` is zero, in a run of zeros that begins and ends about where pages
    do, or goes far beyond its piece; and where the zeros from there on end. One end very near is
    enough: zeros of the record may stand at the other. A page that the end of the file cuts must
    begin so; the more so where the piece ends there too."""
    at, end = page, min(page + PAGE, buffer.size)
    while at + 8 <= end:
        if word64(buffer, at) != 0:
            return False, page
        at += 8
    last = min(max(piece_end, end) + _FAR, buffer.size)
    while at < last and buffer[at] == 0:
        at += 1
    if at < end or end < page + _LEAST:
        return False, at
    first = max(piece_start - _FAR, 0)
    while page > first and buffer[page - 1] == 0:
        page -= 1
    if (page == first and first > 0) or (at == last and last < buffer.size):
        return True, at
    before, after = -page % PAGE, at % PAGE
    if at == piece_end and after <= _VERY_NEAR:  # a block ends there: zeros may go on in the next
        after = _NEAR
    if end % PAGE == 0:
        return min(before, after) <= _VERY_NEAR or before + after <= _NEAR, at
    return before <= (_NEAR if piece_end < end else _LEAST), at


@kernel
def lost_a_page(buffer: U8, starts: I64, lengths: I32, hit: Any) -> None:
    """Mark the pieces that seem to have lost a page, which holds nothing but zeros.

    The page a piece begins in holds its descriptor word, so only those behind it can be empty.
    Zeros that a record really holds begin and end anywhere; few of them are long.
    """
    for i in range(starts.size):
        hit[i] = False
        page = (max(starts[i], 0) + PAGE - 1) // PAGE * PAGE
        end = starts[i] + lengths[i]
        while page < end and page < buffer.size and not hit[i]:
            hit[i], zeros_end = _is_lost(buffer, page, starts[i], end)
            page = max(page + PAGE, zeros_end // PAGE * PAGE)
