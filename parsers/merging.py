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
    from imsperf.parsers.evidence.declared import Tallied
    from imsperf.parsers.reassembly import Waiting
    from imsperf.parsers.rows import InvalidValues


@dataclass
class RecordState:
    """Of the records of one layout. `lengths`: how many end elsewhere than others, and as they."""

    declared: Tallied
    lengths: I64 | None = None
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
