"""From the fields of a layout to the columns of our tables: by name, in our unit, in our width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.kinds import Kind
from imsperf.layout import IMS_SUFFIX, Section
from imsperf.layouts.profile import Fill, Profile
from imsperf.parsers.kernels.decode import Decoded, Decoder
from imsperf.parsers.kernels.loads import I32, I64, U8
from imsperf.parsers.rows import Batch, Columns, InvalidValues, Target, keys

_PLACE, _SUFFIX = "byte_offset", IMS_SUFFIX.fields[0].name  # columns of a record's own table


@dataclass(frozen=True)
class Subject:
    """What the rows of some sections are about: their records and, if repeated, their numbers."""

    number: I64
    place: I64
    suffix: Sequence[pa.Array]
    section: I32 | None = None


class SectionReader:
    """Reads sections of one layout into the tables of ours that it fills."""

    def __init__(
        self,
        section: Section,
        profile: Profile,
        file_id: int,
        code_page: str,
        columns: Columns | None = None,
    ) -> None:
        every = [(fill, Target.of(fill.table, columns)) for fill in profile.fills_from(section)]
        some = [(fill, target) for fill, target in every if target]
        self._file_id, self.targets = file_id, [target for _, target in some]
        taken = {
            source.field
            for fill, target in some
            for name, source in fill.sources.items()
            if target.has(name)
        }
        fields = [field for field in section.fields if field.name in taken]
        self._decoder = Decoder(fields, code_page)
        names = [field.name for field in fields]
        self._columns = [_Columns(fill, target, names) for fill, target in some]

    def read(
        self, buffer: U8, start: I64, length: Any, about: Subject, invalid: InvalidValues
    ) -> Iterator[Batch]:
        """A batch for each table; there is at least one section."""
        if not self.targets:
            return
        decoded = self._decoder.decode(buffer, start, length)
        for target, columns in zip(self.targets, self._columns, strict=True):
            filled = columns.of(decoded, len(start))
            invalid.add(target.name, filled, about.number, about.place)
            place = about.place if _PLACE in target.names else None
            first = keys(self._file_id, about.number, about.section, place)
            suffix = about.suffix if _SUFFIX in target.names else []
            yield target.batch(first, filled, *suffix)


class _Columns:
    """The columns of a table of ours that are wanted, and which of the decoded fields each takes; a
    column without one is NULL."""

    def __init__(self, fill: Fill, target: Target, decoded: list[str]) -> None:
        fields = target.fields(fill.table.section)
        self._schema = pa.schema([pa.field(field.name, field.kind.arrow) for field in fields])
        self._plan = [
            (field, source, decoded.index(source.field) if source else 0)
            for field, source in ((field, fill.sources.get(field.name)) for field in fields)
        ]

    def of(self, decoded: Decoded, rows: int) -> Decoded:
        """The columns; what does not fit is NULL, counted as invalid."""
        columns, invalid = [], {}
        for field, source, at in self._plan:
            if source is None:
                columns.append(pa.nulls(rows, field.kind.arrow))
                continue
            values = decoded.columns[at]
            column = _converted(values, field.kind, source.factor)
            columns.append(column)
            bad = decoded.invalid.get(source.field, 0)
            if column is not values:
                bad += column.null_count - values.null_count
            if bad:
                invalid[field.name] = bad
        return Decoded(self._schema, columns, invalid)


def _converted(values: pa.Array, ours: Kind, factor: int | float) -> pa.Array:
    if values.type == ours.arrow and factor == 1:
        return values
    if pa.types.is_fixed_size_binary(ours.arrow):
        return _padded(values, ours)
    if pa.types.is_integer(values.type) and factor == int(factor):
        return _multiplied(values, ours.arrow, int(factor))
    return _scaled(values, ours.arrow, factor)


def _multiplied(values: pa.Array, ours: pa.DataType, factor: int) -> pa.Array:
    """Integers times an integer, exactly; NULL where our column cannot hold the product."""
    (least, most), (low, high) = _limits(values.type), _limits(ours)
    least, most = max(least, -(-low // factor)), min(most, high // factor)
    fits = pc.and_(
        pc.greater_equal(values, pa.scalar(least, values.type)),
        pc.less_equal(values, pa.scalar(most, values.type)),
    )
    fitting = pc.if_else(fits, values, pa.scalar(None, values.type)).cast(ours)
    return pc.multiply(fitting, pa.scalar(factor, ours)) if factor != 1 else fitting


def _scaled(values: pa.Array, ours: pa.DataType, factor: float) -> pa.Array:
    """Numbers times a factor, to the nearest; NULL where our column cannot hold the product."""
    product = pc.multiply(values.cast(pa.float64(), safe=False), pa.scalar(float(factor)))
    if pa.types.is_floating(ours):
        return product
    low, high = _limits(ours)
    nearest = pc.round(product)
    fits = pc.and_(pc.greater_equal(nearest, float(low)), pc.less(nearest, float(high + 1)))
    return pc.if_else(fits, nearest, pa.scalar(None, pa.float64())).cast(ours, safe=False)


def _limits(kind: pa.DataType) -> tuple[int, int]:
    limits = np.iinfo(kind.to_pandas_dtype())
    return int(limits.min), int(limits.max)


def _padded(values: pa.Array, ours: Kind) -> pa.Array:
    """Opaque bytes of a smaller width, with zero bytes behind them."""
    valid, data = values.buffers()
    width = values.type.byte_width
    out = np.zeros((len(values), ours.width), dtype=np.uint8)
    out[:, :width] = np.frombuffer(data, np.uint8, len(values) * width).reshape(-1, width)
    return pa.Array.from_buffers(ours.arrow, len(values), [valid, pa.py_buffer(out)])
