"""What speaks against a record that stands in its place: zeros in it, and a length of its own.

A record put together from segments may have the start of one and the end of another. It ends then
elsewhere than its last section does, though the others of its type and subtype end there.

What a disk or a copy loses are sectors, or pages of them: zeros that begin and end where sectors of
the file do. Zeros of a record's own begin and end anywhere, and other records of its table have
them too. So the bytes of each section are held against the sections of the same table beside it.
Three grades: sound, suspect (decoded, and told), and not admitted (kept raw, and told).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.kernels import inner, kernel
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.framing.lost_pages import BEGIN, EDGES, END, FIRST, LAST, PAGE, ROW
from imsperf.parsers.framing.record_extent import last_bytes, triplets
from imsperf.parsers.kernels.loads import I32, I64, U8, is_zero
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Runs

Mask = npt.NDArray[np.bool_]

SOUND, SUSPECT, NOT_ADMITTED = range(3)

_PEERS, _LOOKED_AT = 12, 256  # sections of the same table that are compared, and looked through
_CERTAIN = 8  # bytes that none of them has as zero, and that many of them, leave no doubt
_STRAY = 8  # bytes near a lost sector that are zero by chance, not in the others
_FEW, _RARE = 4, 16  # odd lengths that say nothing of a level; others for each of them that do
_KNOWN = 16  # places of zeros in the sections of a table that are kept in mind
_COMPARED, _AGAINST, _INSIDE, _OUTSIDE, _VOTES = range(5)  # columns of the votes on a range


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


@kernel
def compare(
    buffer: U8, ranges: I64, low: I64, high: I64, starts: I64, lengths: I32, known: I64, votes: I64
) -> None:
    """Vote on ranges of zeros by the sections of a table: `low[i]` to `high[i]` are those of the
    record of range i. `ranges` has places in the buffer.

    A section is compared with those next to it that are not in the same zeros. If none has zeros
    where it has them, it votes against the range, with the bytes that are set in the one that has
    fewest of them inside the range, and in the one that has fewest outside it, in the zeros around.
    `known` has room for places in a section that are known to be zero in some.
    """
    slot = 0
    known[:] = 0
    for i in range(ranges.shape[0]):
        begin, end = ranges[i, BEGIN], ranges[i, END]
        first, last = ranges[i, FIRST], ranges[i, LAST]
        for k in range(low[i], high[i]):
            at, stop = starts[k], starts[k] + lengths[k]
            u, v = max(begin, at), min(end, stop)
            if u >= v:
                continue
            peers, steps, is_own = 0, 1, False
            for n in range(known.shape[0]):
                is_own |= known[n, 0] <= u - at and v - at <= known[n, 1]
            while steps < 2 * _LOOKED_AT and peers < _PEERS and not is_own:
                j = _peer(k, steps)
                steps += 1
                if _is_peer(starts, lengths, j, v - at, first, last):
                    peers += 1
                    is_own = is_zero(buffer, u + starts[j] - at, v + starts[j] - at)
            if is_own:
                votes[i, _COMPARED] += 1
                if steps > 1:
                    known[slot, 0], known[slot, 1] = u - at, v - at
                    slot = (slot + 1) % known.shape[0]
            elif peers:
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
                votes[i, _AGAINST] += 1
                votes[i, _INSIDE] += least_in
                votes[i, _OUTSIDE] += least_out


_WORDS = {
    "zeroed_sector": (
        "found zeros from +{:,} to +{:,} where sectors of the file begin and end, and other "
        "records of its table have none there: lost data; "
    ),
    "odd_length": (
        "found the end of the last section at +{:,} and that of the record at +{:,}, expected one "
        "end as of others of its type and subtype: segments of two records, or lost ones; "
    ),
}


@dataclass
class Verdict:
    """The grade of each record of a part, and the two places that speak against it."""

    grade: npt.NDArray[np.uint8]
    begin: I64
    end: I64

    def refused(self, drop: bool) -> Mask:
        """Mask of the records that are kept raw; `drop`: suspect ones too."""
        return np.asarray(self.grade >= (SUSPECT if drop else NOT_ADMITTED))

    reason: str

    def problems(self, part: Part, about: tuple[str | None, str | None], drop: bool) -> Any:
        """A problem for each record that is not sound; `drop`: suspect ones are not admitted."""
        for row in np.flatnonzero(self.grade).tolist():
            is_suspect = self.grade[row] == SUSPECT and not drop
            detail = _WORDS[self.reason].format(int(self.begin[row]), int(self.end[row]))
            detail += "it is loaded as it stands" if is_suspect else "the record is kept raw"
            severity, reason = ("suspect" if is_suspect else "error"), self.reason
            number, at, length = (int(x[row]) for x in (part.number, part.place, part.length))
            yield Problem(number, at, length, *about, severity, reason, detail)  # type: ignore[arg-type]


def weigh(
    part: Part, tables: Callable[[], Iterable[Runs]], is_free: bool = False
) -> Verdict | None:
    """The grades of the records of a part by their zeros; None where all are sound.

    `tables`: where the sections of each table stand. `is_free`: they hold data of any kind, so that
    the edges of zeros must be those of sectors.
    """
    zeros = part.zeros
    if not len(zeros) or not len(part.start):
        return None
    order = np.argsort(part.number, kind="stable")
    at = np.searchsorted(part.number, zeros[:, ROW], sorter=order)
    at = order[np.minimum(at, len(order) - 1)]
    mine = part.number[at] == zeros[:, ROW]
    if not mine.any():
        return None
    zeros, row = zeros[mine].copy(), at[mine]
    edges, begin, end = zeros[:, EDGES].copy(), zeros[:, BEGIN].copy(), zeros[:, END].copy()
    zeros[:, BEGIN:EDGES] += part.start[row][:, None]
    votes = np.zeros((len(zeros), _VOTES), np.int64)
    known = np.empty((_KNOWN, 2), np.int64)
    for runs in tables():
        low = np.searchsorted(runs.record, row)
        high = np.searchsorted(runs.record, row, side="right")
        compare(part.buffer, zeros, low, high, runs.start, runs.length, known, votes)
    grades = _grades(votes, edges, zeros[:, LAST] - zeros[:, FIRST] >= PAGE, is_free)
    if not grades.any():
        return None
    rows = len(part.start)
    none = np.zeros(rows, np.uint8)
    verdict = Verdict(none, np.zeros(rows, np.int64), np.zeros(rows, np.int64), "zeroed_sector")
    bad = np.flatnonzero(grades)[::-1]  # of several ranges the first is named
    verdict.begin[row[bad]], verdict.end[row[bad]] = begin[bad], end[bad]
    np.maximum.at(verdict.grade, row[bad], grades[bad])
    return verdict


@dataclass
class Lengths:
    """How the spanned records of one type and subtype end: with their last section, or elsewhere.

    One that does not, while nearly all others do, is not admitted; where nothing is known of others
    it is suspect. Most of them ending elsewhere is how this level of the record ends.
    """

    exact: int = 0
    odd: int = 0

    def weigh(self, part: Part, ends: Callable[[], I64]) -> Verdict | None:
        """The grades of records by their lengths; None where all are sound. `ends`: where the last
        of all their sections ends, those too that no triplet of the header leads to."""
        last = np.empty(len(part.start), np.int64)
        last_bytes(part.buffer, part.start, part.length, *triplets(), last)
        if ((last > 0) & (last != part.length)).any():
            last = np.maximum(last, ends())
        odd = (last > 0) & (last != part.length)
        self.exact += int(((last > 0) & ~odd).sum())
        self.odd += int(odd.sum())
        if not odd.any() or self.odd > max(self.exact, _FEW):
            return None
        is_rare = _RARE * self.odd <= self.exact or (self.odd == 1 and self.exact > 1)
        grade = odd * np.uint8(NOT_ADMITTED if is_rare else SUSPECT)
        return Verdict(grade, last, part.length.astype(np.int64), "odd_length")


def of_free_records(part: Part, about: tuple[str | None, str | None], drop: bool) -> list[Problem]:
    """What is said of records of one kind without a layout: all of them are kept raw anyway."""
    rows = len(part.start)
    every, ones = np.arange(rows), np.ones(rows, np.int64)
    runs = Runs(ones, every, part.start, part.length, ones.astype(np.int32))
    verdict = weigh(part, lambda: [runs], True)
    return [] if verdict is None else list(verdict.problems(part, about, drop))


def _grades(votes: I64, edges: I64, is_long: Mask, is_free: bool) -> npt.NDArray[np.uint8]:
    """Of each range: nothing to compare it with, and an edge of it is that of a sector: suspect.

    Others have data where it has zeros: suspect if what it lacks ends where sectors do, or if a
    page or more is zero; not admitted if that is beyond doubt.
    """
    alone = (votes[:, _COMPARED] == 0) & (edges > is_free)
    confined = (votes[:, _OUTSIDE] <= _STRAY) | (edges > 0) | is_long
    against = (votes[:, _AGAINST] > 0) & confined
    if is_free:
        against &= edges == 2
    certain = against & (votes[:, _COMPARED] > 1) & (votes[:, _INSIDE] >= _CERTAIN)
    grades: npt.NDArray[np.uint8] = (
        SUSPECT * (alone | against) + (NOT_ADMITTED - SUSPECT) * certain
    ).astype(np.uint8)
    return grades
