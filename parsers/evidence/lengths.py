"""Where records end that nothing else measures: with their last section, or elsewhere.

A record that was put together from segments may have the start of one and the end of another; one
whose end is only a mark may have lost bytes, or hold others; of one whose sections are chained the
rest may be lost from a broken link on. It ends then elsewhere than its last section does, though
the others of its type and subtype end there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from imsperf.parsers.evidence.verdict import Verdict, grade_of
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.framing.record_extent import last_bytes, triplets
from imsperf.parsers.kernels.loads import I64


@dataclass
class Lengths:
    """How the records of one type and subtype end.

    One that does not end with its last section, while nearly all others do, is not admitted. Where
    nothing is known of others it is suspect if it was put together from segments.
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
        grade = grade_of(self.odd, self.exact)
        is_known = part.is_spanned or self.exact > 0  # one whole piece needs others of its kind
        if not odd.any() or not grade or not is_known:
            return None

        def detail(row: int) -> str:
            return (
                f"found the end of the last section at +{last[row]:,} and that of the record at "
                f"+{part.length[row]:,}, expected one end as of others of its type and subtype: "
                "bytes of two records, or lost ones"
            )

        return Verdict("odd_length", odd * np.uint8(grade), detail)
