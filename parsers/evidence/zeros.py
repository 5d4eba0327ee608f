"""Zeros in records: are they the record's own, or what a disk or a copy lost?

What is lost are sectors, or pages of them: zeros that begin and end where sectors of the file do.
Zeros of a record's own begin and end anywhere, and other records of its table have them too. So
zeros that no other record of the kind has at the very same place are held, section by section,
against the sections of the same table beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.evidence.declared import IN_TEXT, Declared
from imsperf.parsers.evidence.verdict import (
    NOT_ADMITTED,
    SUSPECT,
    About,
    Fate,
    Grades,
    Mask,
    Verdict,
    settle,
)
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.framing.lost_pages import BEGIN, EDGES, END, FIRST, LAST, PAGE, ROW
from imsperf.parsers.kernels.loads import I32, I64, U8, is_zero, zeros_begin, zeros_end
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Runs

_PEERS, _LOOKED_AT = 12, 256  # sections of the same table that are compared, and looked through
_CERTAIN = 8  # bytes that none of them has as zero, and that many of them, leave no doubt
_STRAY = 8  # bytes near a lost sector that are zero by chance, not in the others
_CUT = 64  # bytes that the end of the file leaves of a sector: fewer are zero by chance
_KNOWN = 16  # places of zeros in the sections of a table that are kept in mind
_FIXED_LEAST = 8  # bytes that all others have alike, and not zero: what is idle keeps them
_SURE = 4  # others that must have them
_COMPARED, _AGAINST, _INSIDE, _OUTSIDE, _FIXED, _EMPTY_ROW, _VOTES = range(7)  # columns of votes
_EMPTY = -1  # in a slot of the table of ranges
_NO_FIELDS = np.empty(0, np.uint8)
_MIX, _SHIFT = 0x9E3779B97F4A7C15, 29  # a multiplier that spreads keys, bits that it leaves


@inner
def _bytes_set(buffer: U8, begin: Any, end: Any) -> Any:
    """How many bytes are not zero."""
    count = 0
    for at in range(begin, end):
        count += buffer[at] != 0
    return count


@inner
def _peer(k: Any, step: Any) -> Any:
    """The row that is looked at as the step-th from row k on: in turn before it and behind it."""
    return k + (step + 1 >> 1 if step & 1 else -(step >> 1))


@inner
def _is_peer(starts: I64, lengths: I32, j: Any, least: Any, first: Any, last: Any) -> Any:
    """Whether a section is there, long enough, and not in the zeros from `first` to `last`."""
    if j < 0 or j >= starts.size or lengths[j] < least:
        return False
    return starts[j] >= last or starts[j] + lengths[j] <= first


@inner
def _beside(
    starts: I64, lengths: I32, k: Any, least: Any, first: Any, last: Any, peers: I64
) -> Any:
    """Note the peers of section k that are next to it; returns how many."""
    count, step = 0, 1
    while step < 2 * _LOOKED_AT and count < peers.size:
        peers[count] = _peer(k, step)
        count += _is_peer(starts, lengths, peers[count], least, first, last)
        step += 1
    return count


@inner
def _same_number(
    starts: I64, lengths: I32, record: I64, k: Any, low: Any, least: Any, first: Any, last: Any,
    peers: I64,
) -> Any:  # fmt: skip
    """Note the peers of section k that have its number in the records before it and behind it;
    returns how many. `low` is the first section of its own record."""
    count, begin, end = 0, low, k + 1
    while begin > 0 and 2 * count < peers.size:
        stop = begin
        begin -= 1
        while begin > 0 and record[begin - 1] == record[begin]:
            begin -= 1
        peers[count] = j = begin + k - low
        count += j < stop and _is_peer(starts, lengths, j, least, first, last)
    while end < starts.size and count < peers.size:
        while end < starts.size and record[end] == record[end - 1]:
            end += 1
        j = end + k - low
        if j < starts.size and record[j] == record[end]:
            peers[count] = j
            count += _is_peer(starts, lengths, j, least, first, last)
        end += 1
    return count


@inner
def _fixed(
    buffer: U8, starts: I64, lengths: I32, k: Any, first: Any, last: Any, peers: I64, count: Any
) -> Any:
    """Bytes of section k in the zeros from `first` to `last` that its peers have all alike, and not
    as zero: names, blanks, factors. 0 where it has few peers."""
    at, end, fixed = max(first, starts[k]), min(last, starts[k] + lengths[k]), 0
    for place in range(at - starts[k], end - starts[k]):
        value, is_alike = np.int64(0), count >= _SURE
        for n in range(count):
            if is_alike:
                other = np.int64(buffer[starts[peers[n]] + place])
                is_alike = other != 0 and (value == 0 or value == other)
                value = other
        fixed += is_alike
    return fixed


@kernel
def compare(
    buffer: U8, ranges: I64, low: I64, high: I64, starts: I64, lengths: I32, record: I64,
    has_unused: Any, inside: U8, known: I64, others: I64, votes: I64,
) -> None:  # fmt: skip
    """Vote on ranges of zeros by the sections of a table: `low[i]` to `high[i]` are those of the
    record of range i. `ranges` has places in the buffer.

    A section is compared with those next to it that are not in the same zeros. If none has zeros
    where it has them, it votes against the range, with the bytes that are set in the one that has
    fewest of them inside the range, and in the one that has fewest outside it, in the zeros around;
    and with the bytes in all of the zeros that its peers have alike. One of several sections of its
    record that is zero as a whole casts no vote where a table may have unused rows (`has_unused`).
    But what its peers have alike counts; and without peers, that no row in use is empty. Where
    those next to a section say nothing, and the zeros begin inside a number or begin or end inside
    a text of it (`inside`: see `Declared.insides`), those with its number in other records are its
    peers. `known` has room for places in a section that are known to be zero in some, `others` for
    peers.
    """
    slot = 0
    known[:] = 0
    for i in range(ranges.shape[0]):
        begin, end = ranges[i, BEGIN], ranges[i, END]
        first, last = ranges[i, FIRST], ranges[i, LAST]
        for k in range(low[i], high[i]):
            at, stop = starts[k], starts[k] + lengths[k]
            u, v = max(begin, at), min(end, stop)
            peers, steps, is_own = 0, 1, u >= v
            for n in range(known.shape[0]):
                is_own |= known[n, 0] <= u - at and v - at <= known[n, 1]
            while steps < 2 * _LOOKED_AT and peers < _PEERS and not is_own:
                j = _peer(k, steps)
                steps += 1
                if _is_peer(starts, lengths, j, v - at, first, last):
                    peers += 1
                    is_own = is_zero(buffer, u + starts[j] - at, v + starts[j] - at)
            if is_own:
                votes[i, _COMPARED] += u < v
                if steps > 1:
                    known[slot, 0], known[slot, 1] = u - at, v - at
                    slot = (slot + 1) % known.shape[0]
            elif peers:
                count = _beside(starts, lengths, k, v - at, first, last, others)
                votes[i, _FIXED] += _fixed(buffer, starts, lengths, k, first, last, others, count)
                least_in, least_out = v - u, last - first
                for step in range(1, steps):
                    j = _peer(k, step)
                    if not _is_peer(starts, lengths, j, v - at, first, last):
                        continue
                    by, stops = starts[j] - at, at + lengths[j]
                    outside = _bytes_set(buffer, max(first, at) + by, u + by)
                    outside += _bytes_set(buffer, v + by, min(min(last, stop), stops) + by)
                    least_in = min(least_in, _bytes_set(buffer, u + by, v + by))
                    least_out = min(least_out, outside)
                votes[i, _COMPARED] = max(votes[i, _COMPARED], peers)
                is_unused = has_unused and high[i] - low[i] > 1 and first <= at and stop <= last
                votes[i, _AGAINST] += not is_unused
                votes[i, _INSIDE] += least_in
                votes[i, _OUTSIDE] += least_out
            elif not has_unused and first <= at and stop <= last:
                votes[i, _COMPARED] = max(votes[i, _COMPARED], 1)
                votes[i, _EMPTY_ROW] += 1
            is_cut = at < first < at + inside.size and inside[first - at] != 0
            is_cut |= at < last < at + inside.size and inside[last - at] == IN_TEXT
            if is_cut and (is_own or not peers):
                least = min(last, stop) - at
                count = _same_number(starts, lengths, record, k, low[i], least, first, last, others)
                fixed = _fixed(buffer, starts, lengths, k, first, last, others, count)
                if fixed >= _FIXED_LEAST:
                    votes[i, _COMPARED] = max(votes[i, _COMPARED], count)
                    votes[i, _FIXED] += fixed


def weigh(
    part: Part,
    tables: Callable[[], Iterable[tuple[str, Runs]]],
    declared: Declared | None = None,
    is_free: bool = False,
) -> Verdict | None:
    """The grades of the records of a part by their zeros; None where all are sound.

    `tables`: where the sections of each table stand. `declared`: what their layout says.
    `is_free`: the records hold data of any kind, so that the edges of zeros must be those of
    sectors.
    """
    if not len(part.zeros.runs) or not len(part.start):
        return None
    mine, at = _of_records(part)
    zeros, rows = part.zeros.runs[mine], at[mine]
    if part.is_spanned:
        start = part.start[rows]
        widen(part.buffer, zeros, start, start + part.length[rows])
    alone = np.empty(len(zeros), np.bool_)
    slots = np.empty(1 << int(2 * len(zeros) + 1).bit_length(), np.int64)
    single(zeros, part.length[rows].astype(np.int64), slots, alone)
    zeros, rows = zeros[alone], rows[alone]
    if not len(zeros):
        return None
    places = zeros.copy()
    places[:, BEGIN:EDGES] += part.start[rows][:, None]
    votes = np.zeros((len(zeros), _VOTES), np.int64)
    known, others = np.empty((_KNOWN, 2), np.int64), np.empty(_PEERS, np.int64)
    for table, runs in tables():
        has_unused = declared is None or table not in declared.in_use
        inside = _NO_FIELDS if declared is None else declared.insides(table)
        low = np.searchsorted(runs.record, rows)
        high = np.searchsorted(runs.record, rows, side="right")
        compare(
            part.buffer, places, low, high, runs.start, runs.length, runs.record,
            has_unused, inside, known, others, votes,
        )  # fmt: skip
    free = np.flatnonzero(votes[:, _COMPARED] == 0)  # in no section: compare them as records
    if len(free) and not is_free:
        row, some = rows[free], votes[free]
        compare(
            part.buffer, places[free], row, row + 1, part.start, part.length,
            np.arange(len(part.start)), True, _NO_FIELDS, known, others, some,
        )  # fmt: skip
        votes[free] = some
    edges = np.zeros(len(zeros), np.int64)
    edges[free] = 1
    grades = _grades(votes, zeros, np.full(len(zeros), 2) if is_free else edges)
    bad = np.flatnonzero(grades)[::-1]  # the first of several comes last, and stays
    if not len(bad):
        return None
    grade = np.zeros(len(part.start), np.uint8)
    np.maximum.at(grade, rows[bad], grades[bad])
    first = dict(zip(rows[bad].tolist(), bad.tolist(), strict=True))

    def detail(row: int) -> str:
        begin, end = zeros[first[row], [BEGIN, END]].tolist()
        return f"found zeros from +{begin:,} to +{end:,}, {_why(votes[first[row]])}: lost data"

    return Verdict("zeroed_sector", grade, detail)


def _why(votes: I64) -> str:
    """What speaks against a range of zeros."""
    if not votes[_COMPARED]:
        return "both ends where sectors of the file end, and no other record of its table is there"
    if votes[_EMPTY_ROW]:
        return "in them a row that is in use"
    if votes[_FIXED] >= _FIXED_LEAST:
        return "where all other records of its table have the same bytes"
    return "where other records of its table have none"


def _of_records(part: Part) -> tuple[Mask, I64]:
    """Which ranges of zeros lie in these records, and the row of each one's record."""
    number, order = part.number, None
    if (number[1:] < number[:-1]).any():
        order = np.argsort(number, kind="stable")
        number = number[order]
    row = part.zeros.runs[:, ROW]
    if (row[1:] < row[:-1]).any():
        at = np.minimum(np.searchsorted(number, row), len(number) - 1)
        mine = np.asarray(number[at] == row)
    else:
        at, mine = np.empty(len(row), np.int64), np.empty(len(row), np.bool_)
        join(number, part.zeros.runs, at, mine)
    return mine, at if order is None else order[at]


@kernel
def join(number: I64, ranges: I64, at: I64, mine: Any) -> None:
    """The row of the record that each range of zeros is in, and whether it is there; both rise."""
    row = 0
    for i in range(ranges.shape[0]):
        while row < number.size - 1 and number[row] < ranges[i, ROW]:
            row += 1
        at[i], mine[i] = row, number[row] == ranges[i, ROW]


@kernel
def widen(buffer: U8, ranges: I64, begin: I64, end: I64) -> None:
    """Let the zeros of each range go on over the ends of the segments that its record was put
    together from: `begin` and `end` are those of the record."""
    for i in range(ranges.shape[0]):
        ranges[i, FIRST] = zeros_begin(buffer, begin[i] + ranges[i, FIRST], begin[i] + 4) - begin[i]
        ranges[i, LAST] = zeros_end(buffer, begin[i] + ranges[i, LAST], end[i]) - begin[i]


@kernel
def single(ranges: I64, length: I64, slots: I64, alone: Any) -> None:
    """Mark the ranges whose zeros no other range has: in a record of the same length, from the same
    place to the same place. Zeros in two segments of a record are marked once. `length` is that of
    each range's record; `slots` has room for twice as many ranges, a power of two."""
    slots[:] = _EMPTY
    last = slots.size - 1
    for i in range(ranges.shape[0]):
        begin, end, size = ranges[i, FIRST], ranges[i, LAST], length[i]
        key = np.uint64((begin * 32771 + end) * 65599 + size) * np.uint64(_MIX)
        at = np.int64(key >> np.uint64(_SHIFT)) & last
        while slots[at] != _EMPTY:
            j = slots[at]
            if ranges[j, FIRST] == begin and ranges[j, LAST] == end and length[j] == size:
                break
            at = (at + 1) & last
        alone[i] = slots[at] == _EMPTY
        if alone[i]:
            slots[at] = i
        elif ranges[slots[at], ROW] != ranges[i, ROW]:  # not the same zeros in another segment
            alone[slots[at]] = False


def of_free_records(part: Part, about: About, fate: Fate) -> tuple[Mask, list[Problem]]:
    """What `settle` gives for records of one kind without a layout."""
    rows = len(part.start)
    every, ones = np.arange(rows), np.ones(rows, np.int64)
    runs = Runs(ones, every, part.start, part.length, ones.astype(np.int32))
    return settle([weigh(part, lambda: [("", runs)], is_free=True)], part, about, fate)


def _grades(votes: I64, zeros: I64, least: I64) -> Grades:
    """Of each range: nothing to compare it with, and both its edges are those of sectors: suspect.

    Others have data where it has zeros: suspect if what it lacks ends where sectors do, if a page
    or more is zero, or if it lacks what all others have alike. It is beyond doubt, and not
    admitted, if both edges are those of sectors, if a page is zero, or if it lacks that, too. Of a
    run without a sector only what all others have alike says something. `least`: edges
    that must be those of a sector, of ranges in no section.
    """
    edges, is_page = zeros[:, EDGES], zeros[:, LAST] - zeros[:, FIRST] >= PAGE
    is_cut = zeros[:, END] - zeros[:, BEGIN] < _CUT
    has_sector = (edges > 0) | (zeros[:, BEGIN:FIRST] != zeros[:, FIRST:EDGES]).any(axis=1)
    alone = (votes[:, _COMPARED] == 0) & (edges == 2) & ~is_cut
    confined = (votes[:, _OUTSIDE] <= _STRAY) | (edges > 0) | is_page
    against = (votes[:, _AGAINST] > 0) & confined & ~is_cut & has_sector
    against &= (edges == 2) | (least == 0)
    lacks = (votes[:, _FIXED] >= _FIXED_LEAST) & (edges >= least) | (votes[:, _EMPTY_ROW] > 0)
    certain = (against | lacks) & (votes[:, _AGAINST] > 0) & (votes[:, _COMPARED] > 1)
    certain &= votes[:, _INSIDE] >= _CERTAIN
    certain &= (edges == 2) | is_page | lacks
    grade = SUSPECT * (alone | against | lacks) + (NOT_ADMITTED - SUSPECT) * certain
    grades: Grades = grade.astype(np.uint8)
    return grades
