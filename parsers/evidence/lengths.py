"""Where records end that nothing else measures: with their last section, or elsewhere.

A record that was put together from segments may have the start of one and the end of another; one
whose end is only a mark may have lost bytes, or hold others; of one whose sections are chained the
rest may be lost from a broken link on. It ends then elsewhere than its last section does, though
the others of its type and subtype end there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from imsperf.parsers.evidence.verdict import NOT_ADMITTED, SUSPECT, Mask, Verdict, grade_of
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.framing.record_extent import last_bytes, triplets
from imsperf.parsers.kernels.loads import I64, SUFFIX

# Where the last section of each record ends, those too that no triplet of the header leads to.
Ends = Callable[[], I64]

_RDW, _BLANK = 4, 0x40
_IN_NO_SECTION = 512  # bytes behind all sections that are more than what RMF puts there itself
_MOST_LOST = 64  # bytes in front of the first record of a log
_CANDIDATES = 256  # longer records that it is compared with
_LOOKED_AT, _ALIKE = 64, 16  # bytes of it that are compared; equal ones, but zeros and blanks


@dataclass
class Lengths:
    """How the records of one type and subtype end.

    One that does not end with its last section, while nearly all others do, is not admitted; one
    that was put together from segments as soon as any other does, or as soon as segments in the
    file are known to be out of order. Where nothing is known of others it is suspect if nothing
    measures it: it was put together from segments, or only a mark ends it. Its own header is proof
    if it has no room for a triplet that we do not know, and many bytes are in no section.
    """

    tally: I64 = field(default_factory=lambda: np.zeros(2, np.int64))  # at odds, others
    # Records of the kind that are in one piece: looked at where one that is not ends elsewhere.
    beside: Callable[[], tuple[Part, Ends]] | None = None

    def weigh(self, part: Part, ends: Ends, is_full: Mask, is_torn: bool) -> Verdict | None:
        """The grades of records by their lengths; None where all are sound. `is_full`: headers that
        name all their sections. `is_torn`: segments of two records were joined elsewhere in the
        file."""
        odd, last = self._count(part, ends)
        self.tally[0] += odd.sum()
        if self.beside is not None and odd.any():
            self._count(*self.beside())
            self.beside = None
        at_odds, exact = self.tally.tolist()
        grade = grade_of(at_odds, exact)
        if grade and part.is_spanned and (exact or is_torn):
            grade = NOT_ADMITTED
        is_unmeasured = part.is_spanned or part.is_marked
        if not odd.any() or not grade or not (is_unmeasured or exact):
            return None
        grades = odd * np.uint8(grade)
        if is_unmeasured:
            grades[odd & is_full & (part.length - last >= _IN_NO_SECTION)] = NOT_ADMITTED

        def detail(row: int) -> str:
            return (
                f"found the end of the last section at +{last[row]:,} and that of the record at "
                f"+{part.length[row]:,}, expected one end as of others of its type and subtype: "
                "bytes of two records, or lost ones"
            )

        return Verdict("odd_length", grades, detail)

    def _count(self, part: Part, ends: Ends) -> tuple[Mask, I64]:
        """Which records are odd, and where the last section of each ends; counts the others."""
        last = np.empty(len(part.start), np.int64)
        last_bytes(part.buffer, part.start, part.length, *triplets(), last)
        if ((last > 0) & (last != part.length)).any():
            last = np.maximum(last, ends())
        odd = (last > 0) & (last != part.length)
        self.tally[1] += ((last > 0) & ~odd).sum()
        return odd, last


def weigh_first(part: Part) -> Verdict | None:
    """The grade of the first record of a log of which only a mark says where it ends, by where it
    begins: nothing in the file does say that.

    If the code that it seems to have is nowhere else, and it reads like the end of a record that is
    a little longer, bytes in front of it are lost; if it begins with zeros, they are no code.
    """
    first = np.flatnonzero(part.number == 1)
    if not part.is_marked or not len(first):
        return None
    start, length = int(part.start[first[0]]) + _RDW, int(part.length[first[0]])
    size = min(length - _RDW - SUFFIX, _LOOKED_AT)
    grade = np.zeros(len(part.start), np.uint8)
    grade[first[0]] = SUSPECT
    if size >= _ALIKE and not part.buffer[start : start + size].any():
        return Verdict("lost_start", grade, lambda row: "found zeros where the log should begin")
    more = part.length - length
    candidates = np.flatnonzero((more > 0) & (more <= _MOST_LOST))[:_CANDIDATES]
    if size < _ALIKE or not len(candidates):
        return None
    code = part.buffer[part.start + _RDW].astype(int) << 8 | part.buffer[part.start + _RDW + 1]
    own = part.buffer[start : start + size]
    places = (part.start + more)[candidates] + _RDW
    others = part.buffer[places[:, None] + np.arange(size)]
    alike = ((others == own) & (own != 0) & (own != _BLANK)).sum(axis=1)
    best = int(np.argmax(alike))
    if alike[best] < _ALIKE or np.count_nonzero(code == code[first[0]]) > 1:
        return None
    lost, number = int(more[candidates[best]]), int(part.number[candidates[best]])

    def detail(row: int) -> str:
        return (
            f"found a record that begins as record {number:,} does at +{lost:,}, its code "
            f"nowhere else, expected its first {lost:,} bytes: they seem to be lost"
        )

    return Verdict("lost_start", grade, detail)
