"""Which layout SMF records have where a byte of them tells: types with a version in the record."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from imsperf.layouts import smf_layouts
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I64
from imsperf.record import Record


def by_layout(
    type: int | None, subtype: int | None, part: Part
) -> Iterator[tuple[Record | None, I64]]:
    """The rows of records of one type and subtype, by layout; None: those that have none."""
    left = np.arange(len(part.start))
    for record in () if type is None else smf_layouts(type, subtype):
        fits = np.ones(len(left), np.bool_)
        if record.when is not None:
            at, values = record.when
            some, layout_no = part.take(left), np.zeros(len(left), np.int64)
            locate.read_numbers(some.buffer, some.start, some.length, at, 1, layout_no)
            fits = np.isin(layout_no, values)
        if fits.any():
            yield record, left[fits]
        left = left[~fits]
    if len(left):
        yield None, left
