"""What SMF record headers say: type, subtype, system, time; and the interval of a record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from imsperf.kinds import TOD_PER_US, centisec, date, flags1, text
from imsperf.layout import Field
from imsperf.parsers.census import NO_TIME
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.sections import Placed, first_sections
from imsperf.record import Record

_DAY = 86_400 * 10**6  # us
_LONGEST = 366 * _DAY  # of an interval: a longer one is no time


# Standard SMF record header; offsets count the RDW.
SYSTEM = Field(14, "system", text(4), "SMF system id")
SUBSYSTEM = Field(18, "subsystem", text(4), "Subsystem id")
HEADER = (
    Field(4, "flags", flags1, "System indicator flags"),
    Field(6, "time", centisec, "of the record"),
    Field(10, "date", date, "of the record"),
    SYSTEM,
    SUBSYSTEM,
)

Kind = tuple[int | None, int | None]  # type and subtype; None where the record has none


def kind_of(key: int) -> Kind:
    """Type and subtype in a key of locate.smf_headers."""
    if key == locate.NO_HEADER:
        return None, None
    subtype = key & 0xFFFF if key & locate.HAS_SUBTYPE else None
    return key >> locate.TYPE_BITS & 0x7FFF, subtype


def system_of(key: int, code_page: str) -> str | None:
    """The SMF system id in a key."""
    if key == locate.NO_HEADER:
        return None
    return _name(key >> locate.SYSTEM_BITS & 0xFFFFFFFF, code_page)


def subsystems(part: Part, rows: I64) -> set[int]:
    """The subsystem ids of records with a header of 24 bytes or more, each as a number."""
    places = part.start[rows][:, None] + np.arange(SUBSYSTEM.offset, SUBSYSTEM.offset + 4)
    words = np.ascontiguousarray(np.asarray(part.buffer)[places]).view(">u4")
    return set(np.unique(words).tolist())


def subsystem_names(words: Iterable[int], code_page: str) -> str | None:
    """Those that are neither zeros nor blanks, in order of the alphabet; of many the first."""
    names = sorted(name for word in words if (name := _name(word, code_page)))
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return " ".join(names[:_NAMED]) + more if names else None


_NAMED = 6  # subsystems of a line


def _name(word: int, code_page: str) -> str:
    four = np.frombuffer(word.to_bytes(4, "big"), np.uint8)
    name = Decoder([Field(0, "name", text(4), "id")], code_page).decode(four, [0], [4])
    return str(name.batch.column(0)[0].as_py() or "").strip()


def labels(kind: Kind) -> tuple[str | None, str | None]:
    """Type and subtype as the ledger shows them: decimal text."""
    return tuple(None if number is None else str(number) for number in kind)  # type: ignore[return-value]


@dataclass(frozen=True)
class Headers:
    """What the headers of a part say; `time` is local, in microseconds since 1970,
    or NO_TIME."""

    key: I64
    form: I32
    time: I64


def read_headers(part: Part) -> Headers:
    """Keys, header lengths and times of all records of a part."""
    rows = len(part.start)
    key, form, time = np.empty(rows, np.int64), np.empty(rows, np.int32), np.empty(rows, np.int64)
    locate.smf_headers(part.buffer, part.start, part.length, key, form, time)
    return Headers(key, form, time)


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
    if (times == NO_TIME).any():
        return pa.array(times.view("M8[us]"))  # what NumPy takes for no time is the same number
    buffers = [None, pa.py_buffer(np.ascontiguousarray(times))]
    return pa.Array.from_buffers(pa.timestamp("us"), len(times), buffers, 0)


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
