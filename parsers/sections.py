"""Repeated sections: from an offset, a length and a number per record to one row per section."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from imsperf.parsers import locate
from imsperf.parsers.compiled import I32, I64


@dataclass(frozen=True)
class Runs:
    """Sections of one kind: per record offset, length and number; per row its record and place."""

    number: I64
    record: I64
    start: I64
    length: I32
    section: I32


def spread(starts: I64, offset: I64, size: I64, number: I64) -> Runs:
    """One row per section from the runs of all records."""
    rows = int(number.sum())
    record, begin = np.empty(rows, np.int64), np.empty(rows, np.int64)
    length, section = np.empty(rows, np.int32), np.empty(rows, np.int32)
    locate.spread(starts, offset, size, number, record, begin, length, section)
    return Runs(number, record, begin, length, section)
