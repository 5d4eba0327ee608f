"""Records that lost a page of the file: it was never written, and reads as zeros.

Such a run of zeros begins and ends where pages do, but for zeros of the record beside it. Zeros
that a record really holds begin and end anywhere; where they begin at a page by chance, the record
before or behind of the same kind and length has them, too, at another place in a page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
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


class Zeros:
    """Runs of zeros in pieces or records, which are looked for when somebody asks: records that are
    only counted, or passed on as they are, are not held against them."""

    def __init__(self, find: Callable[[], I64]) -> None:
        self._find = find

    @cached_property
    def runs(self) -> I64:
        """An array of shape (runs, ZEROS_WIDTH); places count from the start of the piece or
        record."""
        return self._find()

    def changed(self, how: Callable[[I64], I64]) -> Zeros:
        """What `how` makes of the runs, of other records or with other numbers."""
        return Zeros(lambda: how(self.runs))


def zero_runs(buffer: U8, starts: I64, lengths: I32) -> I64:
    """The runs of zeros in pieces that hold a sector of the file, or are as long as half of one:
    an array of shape (runs, ZEROS_WIDTH), places counted from the start of the piece.
    """
    most = int(lengths.sum()) // _PROBE + len(starts)  # room that is never written costs nothing
    room = np.empty((most, ZEROS_WIDTH), np.int64)
    return room[: find_runs(buffer, starts, lengths, room)].copy()


def with_lost_pages(buffer: U8, starts: I64, lengths: I32) -> I64:
    """The rows of the pieces that lost a page."""
    hit = np.zeros(len(starts), np.bool_)
    if not lost_a_page(buffer, starts, lengths, hit):
        return np.empty(0, np.int64)
    some = [
        row
        for row in np.flatnonzero(hit).tolist()
        if not _has_such_zeros(buffer, int(starts[row]), int(lengths[row]))
    ]
    return np.array(some, np.int64)


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
NO_ZEROS = Zeros(lambda: np.empty((0, ZEROS_WIDTH), np.int64))


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
def find_runs(buffer: U8, starts: I64, lengths: I32, runs: I64) -> int:
    """Note the runs of zeros in pieces, whose places rise; returns how many. The first four bytes
    of a piece are its descriptor word. A sector that the end of the file cuts counts too.
    """
    count, i = 0, 0
    if starts.size == 0:
        return 0
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
    end = min(page + PAGE, buffer.size)
    at = zeros_end(buffer, page, end)
    if at < end or end < page + _LEAST:
        return False, page
    last = min(max(piece_end, end) + _FAR, buffer.size)
    at = zeros_end(buffer, at, last)
    first = max(piece_start - _FAR, 0)
    page = zeros_begin(buffer, page, first)
    if (page == first and first > 0) or (at == last and last < buffer.size):
        return True, at
    before, after = -page % PAGE, at % PAGE
    if at == piece_end and after <= _VERY_NEAR:  # a block ends there: zeros may go on in the next
        after = _NEAR
    if end % PAGE == 0:
        return min(before, after) <= _VERY_NEAR or before + after <= _NEAR, at
    return before <= (_NEAR if piece_end < end else _LEAST), at


@kernel
def lost_a_page(buffer: U8, starts: I64, lengths: I32, hit: Any) -> int:
    """Mark the pieces, whose places rise, that seem to have lost a page, which holds nothing but
    zeros; returns how many. `hit` is False everywhere.

    The page a piece begins in holds its descriptor word, so only those behind it can be empty.
    Zeros that a record really holds begin and end anywhere; few of them are long.
    """
    count, i = 0, 0
    if starts.size == 0:
        return 0
    page, stop = _up(max(starts[0], 0), PAGE), starts[-1] + lengths[-1]
    while page < stop and page + _LEAST <= buffer.size:
        if word64(buffer, page) != 0:  # nearly always, whose bytes it may be
            page += PAGE
            continue
        while starts[i] + lengths[i] <= page:
            i += 1
        if starts[i] > page:
            page = _up(starts[i], PAGE)
            continue
        row, last = i, page
        while row < starts.size and starts[row] <= page:  # an RDW that is no byte of the file may
            if not hit[row]:  # stand over the end of the piece before
                hit[row], end = _is_lost(buffer, page, starts[row], starts[row] + lengths[row])
                count += hit[row]
                last = max(last, end)
            row += 1
        last = min(last & -PAGE, _up(starts[i] + lengths[i] - 4, PAGE))
        page = max(page + PAGE, last)
    return count
