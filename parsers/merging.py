"""What reading a range of a dump leaves for the whole: counts and tallies, which can be merged.

A reader gives its `RangeState`; another one of the same dump takes in those of all ranges in the
order of the file, and then says what one that had read all of it would say.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from imsperf.parsers.kernels.loads import I64
from imsperf.parsers.problems import Problem

if TYPE_CHECKING:
    from imsperf.parsers.cics import PerformanceState
    from imsperf.parsers.devices import DeviceCheck
    from imsperf.parsers.reassembly import Waiting
    from imsperf.parsers.rows import InvalidValues


@dataclass
class RecordState:
    """Of the records of one layout. `evidence`: tallies of records at odds and of others."""

    evidence: list[I64] = field(default_factory=list)
    waiting: Waiting | None = None  # pieces of RMF records that are not complete
    performance: PerformanceState | None = None  # of CICS
    unknown_entries: Counter[int] = field(default_factory=Counter)
    faulty_entries: int = 0


@dataclass
class RangeState:
    """Of all records of a range. `loaded`: those decoded, by key of the census."""

    kept: int
    repeated: int
    loaded: dict[int, int]
    problems: list[Problem]
    invalid: InvalidValues
    devices: DeviceCheck | None
    records: dict[Any, RecordState | None]  # by key of the reader; None: without a layout
    is_torn: bool  # segments of two records were joined
    depends: bool  # grades may be others if its records are read together with those beside it

    @property
    def is_silent(self) -> bool:
        """Whether nothing speaks against any record."""
        return all(problem.severity == "info" for problem in self.problems)


def add_evidence(mine: list[I64], more: list[I64], is_silent: bool) -> bool:
    """Add the tallies of a range to those before it, each (at odds, others).

    False where the grade of a record in the range may be another one with those before it. It is
    not where a rule says nothing of this level of the record: most records before break it, and in
    the range, which is `is_silent`, no record was told though some are at odds.
    """
    is_sure = True
    for before, after in zip(mine, more, strict=True):
        may_differ = (after[..., 0] > 0) & (before.sum(axis=-1) > 0)
        if is_silent:
            may_differ &= before[..., 0] < before[..., 1]
        is_sure &= not may_differ.any()
        before += after
    return is_sure


def at_odds(evidence: list[I64]) -> int:
    """How often records were at odds with any rule."""
    return sum(int(tally[..., 0].sum()) for tally in evidence)
