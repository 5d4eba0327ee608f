"""When the interval of each record begins and ends, by the fields that its layout names."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from imsperf.kinds import TOD_PER_US
from imsperf.parsers.census import NO_TIME
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.loads import I64
from imsperf.parsers.sections import Placed, first_sections
from imsperf.record import Record

_DAY = 86_400 * 10**6  # us
_LONGEST = 366 * _DAY  # of an interval: a longer one is no time


class IntervalReader:
    """Reads the intervals of records of one layout. Times are local microseconds since 1970, or
    NO_TIME where the record does not say them."""

    def __init__(self, record: Record) -> None:
        span = record.interval
        names = [name for name in (span.date, span.start, span.length) if name] if span else []
        self._span = span if names else None
        fields = [span.section.named(name) for name in names] if span else []
        self._decoder = Decoder(fields)
        # MQ counts microseconds, or units of a TOD clock; others have a duration
        self._counts = bool(fields) and pa.types.is_integer(fields[-1].kind.arrow)
        self._per_us = TOD_PER_US if fields and fields[-1].unit == f"1/{TOD_PER_US} us" else 1

    def read(self, placed: Placed) -> tuple[I64, I64]:
        """Begin and end of each record's interval."""
        if placed.span is None:
            placed.span = self._read(placed)
        return placed.span

    def _read(self, placed: Placed) -> tuple[I64, I64]:
        rows, span = len(placed.part.start), self._span
        nothing = np.full(rows, NO_TIME, np.int64)
        if span is None:
            return nothing, nothing
        where = first_sections(placed, span.section, np.arange(rows))
        clocks = [*map(_numbers, self._decoder.decode(placed.part.buffer, *where).columns)]
        begin = clocks.pop(0)
        if span.date:
            days = np.where(begin == NO_TIME, NO_TIME, begin * _DAY)
            begin = _plus(days, clocks.pop(0))
        if not span.length:
            return begin, nothing
        length = clocks.pop()
        if self._counts:  # below zero is beyond 63 bits
            us = length // self._per_us
            length = np.where((us < 0) | (us >= _LONGEST), NO_TIME, us)
        return begin, _plus(begin, length)


def instants(times: I64) -> pa.Array:
    """Points in time as a column, NULL for NO_TIME."""
    return pa.array(times.view("M8[us]"))  # what NumPy takes for no time is the same number


def _numbers(column: pa.Array) -> I64:
    """The numbers of a column of integers or times, NO_TIME where it is NULL."""
    is_integer, size = pa.types.is_integer(column.type), column.type.bit_width // 8
    kind = column.type.to_pandas_dtype() if is_integer else f"i{size}"
    values = np.frombuffer(column.buffers()[1], kind, len(column)).astype(np.int64)
    if column.null_count:
        values[column.is_null().to_numpy(zero_copy_only=False)] = NO_TIME
    return values


def _plus(times: I64, more: I64) -> I64:
    return np.where((times == NO_TIME) | (more == NO_TIME), NO_TIME, times + more)
