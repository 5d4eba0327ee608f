"""How the records of one kind are made: a template and steps over it, for log_kernels.

Columns of transactions stay where they are: `Column`, `LookedUp` and `Drawn` say what a field holds
without computing it. Each can also be had as an array, for what is more than a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from imsperf.errors import LayoutError
from imsperf.layout import IMS_SUFFIX, Section
from imsperf.record import LogRecord
from imsperf.synthetic.arrays import I32, I64, U8, Values
from imsperf.synthetic.log import log_kernels as kernels
from imsperf.synthetic.log.log_records import rows_of

SUFFIX = IMS_SUFFIX.length
WORD = (1 << 64) - 1


@dataclass(frozen=True)
class Rows:
    """Rows of a table (n, columns) by the names of its columns."""

    data: I64
    names: Mapping[str, int]

    @classmethod
    def of(cls, table: Mapping[str, Values]) -> Rows:
        """Rows of a table given as columns."""
        data = np.empty((len(next(iter(table.values()))), len(table)), np.int64)
        for place, values in enumerate(table.values()):
            data[:, place] = values
        return cls(data, {name: place for place, name in enumerate(table)})

    def __getitem__(self, name: str) -> I64:
        return self.data[:, self.names[name]]

    def columns(self, first: int, last: int) -> dict[str, I64]:
        """Some rows as columns."""
        return {name: self.data[first:last, place] for name, place in self.names.items()}


@dataclass(frozen=True)
class Column:
    """(column >> shift) + add of the row that each record belongs to; whole numbers."""

    rows: Rows
    which: I32
    name: str
    shift: int = 0
    add: int = 0

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        values = (self.rows[self.name][self.which] >> self.shift) + _signed(self.add)
        return values.astype(dtype or np.int64, copy=False)

    def __len__(self) -> int:
        return len(self.which)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, int | np.integer):
            return replace(self, add=self.add + int(other))
        if isinstance(other, Column) and not (self.shift or self.add or other.shift or other.add):
            return Two(self, other, kernels.SUM)
        return np.asarray(self) + np.asarray(other)

    def __mul__(self, other: Any) -> Values:
        values: Values = np.asarray(self) * np.asarray(other)
        return values

    def __rmul__(self, other: Any) -> Values:
        return self.__mul__(other)

    def __and__(self, other: int) -> Values:
        return np.asarray(self) & other

    def __mod__(self, other: int) -> Values:
        return np.asarray(self) % other

    def __floordiv__(self, other: int) -> Values:
        return np.asarray(self) // other

    def step(self, width: int, plan: Plan) -> tuple[int, ...]:
        """For the kernel, but for its place."""
        return kernels.NUMBER, self.rows.names[self.name], self.shift, _signed(self.add), 0, 0


@dataclass(frozen=True)
class Two:
    """The sum or the larger of two columns."""

    one: Column
    other: Column
    what: int

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        both = np.asarray(self.one), np.asarray(self.other)
        values: Values = both[0] + both[1] if self.what == kernels.SUM else np.maximum(*both)
        return values.astype(dtype or np.int64, copy=False)

    def step(self, width: int, plan: Plan) -> tuple[int, ...]:
        """For the kernel."""
        names = self.one.rows.names
        return self.what, names[self.one.name], 0, 0, names[self.other.name], 0


@dataclass(frozen=True)
class Drawn:
    """Drawn from the numbers of the transaction and the record: (mixed >> shift) % modulo * by."""

    number: Column
    nth: I32
    shift: int = 0
    modulo: int = 0
    by: int = 1

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        number = np.asarray(self.number).astype(np.uint64)
        mixed = (number * kernels.GOLDEN + self.nth.astype(np.uint64)) * kernels.MIX
        mixed >>= np.uint64(self.shift)
        if self.modulo:
            mixed %= np.uint64(self.modulo)
        return (mixed * np.uint64(self.by)).astype(dtype or np.uint64, copy=False)

    def __rshift__(self, bits: int) -> Drawn:
        return replace(self, shift=bits)

    def __mod__(self, number: int) -> Drawn:
        return replace(self, modulo=number)

    def __mul__(self, number: int) -> Drawn:
        return replace(self, by=number)

    def step(self, width: int, plan: Plan) -> tuple[int, ...]:
        """For the kernel."""
        column = self.number.rows.names[self.number.name]
        return kernels.DRAWN, column, self.shift, self.by, 0, self.modulo


@dataclass(frozen=True)
class Lookup:
    """A table of bytes (n, width), or of numbers (n), for places that are not known yet."""

    values: Values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, Column | Drawn):
            return LookedUp(self.values, place)
        return self.values[place]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        return np.asarray(self.values, dtype)


@dataclass(frozen=True)
class LookedUp:
    """What stands in a table at a place that a column gives."""

    values: Values
    place: Column | Drawn

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        values: Values = self.values[np.asarray(self.place).astype(np.intp)]
        return values.astype(dtype, copy=False) if dtype else values

    def __mul__(self, other: Any) -> Values:
        values: Values = np.asarray(self) * np.asarray(other)
        return values

    def step(self, width: int, plan: Plan) -> tuple[int, ...]:
        """For the kernel."""
        table = plan.table(as_bytes(self.values, width, plan.record.section.table))
        if isinstance(self.place, Drawn):
            drawn = self.place.step(width, plan)
            return kernels.DRAWN_TABLE, *drawn[1:3], 1, table, drawn[5]
        if self.place.shift or self.place.add:
            place = np.asarray(self.place)
            given = as_bytes(self.values, width, plan.record.section.table)[place]
            return kernels.GIVEN, 0, 0, 0, plan.give(given), 0
        return kernels.TABLE, self.place.rows.names[self.place.name], 0, 0, table, 0


Piece = Column | Values
Token = tuple[tuple[int, U8 | Piece], ...]  # parts of a field and where in it they stand


@dataclass
class Plan:
    """Template and steps of one kind of records; `given` holds bytes for each record apart."""

    record: LogRecord
    template: U8  # the record but for its suffix
    steps: list[tuple[int, ...]] = field(default_factory=list)
    tables: list[U8] = field(default_factory=list)
    given: list[U8] = field(default_factory=list)

    @property
    def length(self) -> int:
        """Bytes of a record."""
        return len(self.template) + SUFFIX

    def fill(self, **fields: Any) -> Plan:
        """Whole fields, see `put`."""
        for name, value in fields.items():
            self.put(name, value)
        return self

    def fill_entry(self, section: Section, start: int, **fields: Any) -> Plan:
        """Whole fields of the one entry that begins there."""
        for name, value in fields.items():
            self._put(section.named(name), start, value)
        return self

    def put(self, name: str, value: Any) -> None:
        """A whole field: one value for all, a column and the like, or an array of values."""
        self._put(self.record.section.named(name), 0, value)

    def _put(self, at: Any, start: int, value: Any) -> None:
        width, at = at.kind.width, replace(at, offset=start + at.offset)
        if isinstance(value, tuple):
            for offset, piece in value:
                if isinstance(piece, np.ndarray) and piece.ndim == 1 and piece.dtype == np.uint8:
                    self.template[at.offset + offset : at.offset + offset + len(piece)] = piece
                else:
                    self._step(at.offset + offset, 8, piece)
        elif isinstance(value, int):
            value_bytes = as_bytes(np.array([value]), width, self.record.section.table)[0]
            self.template[at.offset : at.offset + width] = value_bytes
        else:
            self._step(at.offset, width, value)

    def _step(self, offset: int, width: int, value: Any) -> None:
        if isinstance(value, np.ndarray):
            rows = as_bytes(value, width, self.record.section.table)
            what, *rest = kernels.GIVEN, 0, 0, 0, self.give(rows), 0
        else:
            what, *rest = value.step(width, self)
        self.steps.append((what, offset, width, *rest))

    def give(self, rows: U8) -> int:
        """Bytes for each record; where they begin."""
        begin = sum(given.size for given in self.given)
        self.given.append(np.ascontiguousarray(rows))
        return begin

    def table(self, rows: U8) -> int:
        """Bytes that a column chooses from; where they begin."""
        begin = sum(known.size for known in self.tables)
        self.tables.append(np.ascontiguousarray(rows))
        return begin


def plan_of(record: LogRecord, length: int, same: Mapping[str, Any]) -> Plan:
    """Records that differ in nothing yet; zeros up to the length that is logged."""
    more = length - SUFFIX - record.section.length
    extra = np.zeros((1, more), np.uint8) if more > 0 else None
    return Plan(record, rows_of(record, same, extra)[0, :-SUFFIX].copy())


def plan_of_rows(rows: U8) -> Plan:
    """Records that are already there, but for the suffix."""
    width = np.ascontiguousarray(rows[:, :-SUFFIX])
    plan = Plan(NO_RECORD, np.zeros(width.shape[1], np.uint8))
    plan.steps.append((kernels.GIVEN, 0, width.shape[1], 0, 0, 0, plan.give(width), 0))
    return plan


NO_RECORD: Any = None


def as_bytes(values: Values, width: int, table: str) -> U8:
    """Bytes (n, width) as they are, or of numbers, big-endian. Errors: LayoutError."""
    if values.ndim == 2:
        data: U8 = values
        if values.shape[1] != width:
            raise LayoutError(f"{table}: found {values.shape[1]} bytes, expected {width}")
        return data
    if width < 8 and values.size and (int(values.min()) < 0 or int(values.max()) >> (8 * width)):
        raise LayoutError(
            f"{table}: found {values.min()}..{values.max()}, expected {width} bytes, unsigned"
        )
    wide = np.ascontiguousarray(values).astype(">u8", copy=False)
    return wide.view(np.uint8).reshape(-1, 8)[:, 8 - width :]


def _signed(value: int) -> int:
    """The same 64 bits as a signed number."""
    value &= WORD
    return value - (1 << 64) if value >> 63 else value
