"""Bytes to Arrow: sections at given places become record batches, by the declared layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from imsperf.errors import LayoutError
from imsperf.kinds import DEFAULT_CODEPAGE, WIDE_LIMIT, Kind, Op, codepage
from imsperf.layout import Field, Section
from imsperf.parsers.kernels import columns, first_start
from imsperf.parsers.kernels.loads import bytes_of_arrow, read_only

U8 = npt.NDArray[np.uint8]

_TOO_LARGE = WIDE_LIMIT >> 120  # highest byte of the first 16-byte number that does not fit
_VALUES, _BITS = range(2)  # columns of places


@dataclass(frozen=True)
class Decoded:
    """The columns of a schema, and how many values of each field were invalid: these are NULL."""

    schema: pa.Schema
    columns: list[pa.Array]
    invalid: dict[str, int]

    @property
    def batch(self) -> pa.RecordBatch:
        """The columns as a batch, made anew: a few microseconds for each column."""
        return pa.RecordBatch.from_arrays(self.columns, schema=self.schema)

    def column(self, name: str) -> pa.Array:
        """The column of that name."""
        return self.columns[self.schema.get_field_index(name)]


class Decoder:
    """Decodes the sections of one layout; made once, used for many slices."""

    def __init__(self, fields: Sequence[Field], code_page: str = DEFAULT_CODEPAGE) -> None:
        self.fields = tuple(fields)
        self._letters = _utf8(code_page)
        self._pairs = _pairs(code_page)
        shape = _shape(self.fields)
        self.schema, self._plan, self._value_bytes = shape.schema, shape.plan, shape.value_bytes
        self._text_width, self._wide, self._kinds = shape.text_width, shape.wide, shape.kinds
        self._widest = shape.widest

    def decode(self, buffer: U8, starts: Any, lengths: Any) -> Decoded:
        """Sections of `lengths` bytes at `starts`; every one must lie inside the buffer.

        A field past the end of its section is NULL; bytes past the last field are ignored.
        """
        first_start.wait()
        begin = np.ascontiguousarray(starts, dtype=np.int64)
        have = np.ascontiguousarray(lengths, dtype=np.int32)
        padded = read_only(buffer)
        if len(padded) < self._widest:  # nothing fits, but the kernel looks at byte 0 all the same
            padded = read_only(np.pad(padded, (0, self._widest - len(padded))))
        place = np.empty((len(self.fields), columns.PLACES), np.int64)
        placed = np.empty((len(self._plan), columns.TEXT_END + 1), np.int64)
        for utf8_bytes in (1, 3):  # a code page is ASCII nearly everywhere; 3 always suffice
            size, text_size = columns.arrange(
                self._plan, self._value_bytes, self._text_width, len(begin), utf8_bytes,
                place, placed,
            )  # fmt: skip
            arena, text = bytes_of_arrow(size), bytes_of_arrow(text_size)
            field_counts = np.zeros((len(self.fields), 3), dtype=np.int64)
            flags, at = np.zeros(columns.TILE, np.uint8), np.empty((2, columns.TILE), np.int64)
            if columns.decode_columns(
                padded, begin, have, placed, self._letters, self._pairs,
                arena, text, field_counts, flags, at[0], at[1],
            ):  # fmt: skip
                break
        self._turn_wide(len(begin), place, arena, field_counts)
        arrays = self._arrays(len(begin), place, arena, text, field_counts)
        invalid = {
            self.fields[row].name: int(field_counts[row, columns.INVALID])
            for row in np.flatnonzero(field_counts[:, columns.INVALID]).tolist()
        }
        return Decoded(self.schema, arrays, invalid)

    def _turn_wide(self, rows: int, place: Any, arena: U8, field_counts: Any) -> None:
        """Numbers of 16 bytes stand as they are: turn them round; what is too large is NULL."""
        for number in self._wide:
            seen = field_counts[number]
            start, bits = int(place[number, _VALUES]), int(place[number, _BITS])
            values = arena[start : start + 16 * rows].reshape(rows, 16)
            values[:] = values[:, ::-1].copy()
            valid = np.unpackbits(arena[bits : bits + (rows + 7) // 8], bitorder="little")[:rows]
            large = (values[:, 15] >= _TOO_LARGE) & (valid == 1)
            values[(values[:, 15] >= _TOO_LARGE) | (valid == 0)] = 0
            arena[bits : bits + (rows + 7) // 8] = np.packbits(valid & ~large, bitorder="little")
            seen[columns.NULLS] += large.sum()
            seen[columns.INVALID] += large.sum()

    def _arrays(
        self, rows: int, place: Any, arena: U8, text: U8, field_counts: Any
    ) -> list[pa.Array]:
        """The columns: views of the two arenas."""
        memory, letters, arrays = pa.py_buffer(arena), pa.py_buffer(text), []
        bit_bytes = (rows + 7) // 8
        for (values, at, text_at, _), (nulls, _, text_bytes), (kind, size, is_text) in zip(
            place.tolist(), field_counts.tolist(), self._kinds, strict=True
        ):
            bits = memory.slice(at, bit_bytes) if nulls else None
            data = [memory.slice(values, size * (rows + is_text))]
            if is_text:
                data.append(letters.slice(text_at, text_bytes))
            arrays.append(_array(kind, rows, bits, data, nulls))
        return arrays


def decode_section(
    buffer: U8, starts: Any, lengths: Any, section: Section, codepage: str = DEFAULT_CODEPAGE
) -> pa.RecordBatch:
    """Sections of `lengths` bytes at `starts` in the buffer, as a batch of section.columns()."""
    return Decoder(section.fields, codepage).decode(buffer, starts, lengths).batch


class _Shape(NamedTuple):
    """What the fields of a layout alone say; nobody writes into its arrays."""

    schema: pa.Schema
    plan: npt.NDArray[np.int64]
    value_bytes: npt.NDArray[np.int64]
    text_width: npt.NDArray[np.int64]  # bytes of a field of text, -1 of another
    widest: int  # bytes
    wide: list[int]  # which fields are numbers of 16 bytes
    kinds: list[tuple[Kind, int, bool]]  # of each field, its bytes in a row, whether it is text


@lru_cache(1024)  # sections of the files of a load: most have the same
def _shape(fields: tuple[Field, ...]) -> _Shape:
    _refuse_long_numbers(fields)
    sizes = [_value_bytes(field.kind) for field in fields]
    is_text = [field.kind.op is Op.TEXT for field in fields]
    return _Shape(
        pa.schema([pa.field(field.name, field.kind.arrow) for field in fields]),
        _plan(fields),
        np.array(sizes, np.int64),
        np.array(
            [field.kind.width if field.kind.op is Op.TEXT else -1 for field in fields], np.int64
        ),
        max((field.kind.width for field in fields), default=0),
        [number for number, field in enumerate(fields) if field.kind.op is Op.WIDE],
        list(zip((field.kind for field in fields), sizes, is_text, strict=True)),
    )


def _plan(fields: Sequence[Field]) -> npt.NDArray[np.int64]:
    """A row for each item of each field, those of one encoding and width behind each other.

    The columns up to VALUES, which are the bytes from the field's first value to the item's.
    """
    rows = []
    for number, field in enumerate(fields):
        kind, width = field.kind, field.kind.item_width
        op, size = Op.OPAQUE if kind.op is Op.WIDE else kind.op, _value_bytes(kind)
        for item in range(kind.count):
            at = field.offset + item * width
            between = item * size // kind.count
            rows.append((op, width, number, at, field.end, size, between))
    return np.array(sorted(rows), np.int64).reshape(-1, columns.VALUES + 1)


def _refuse_long_numbers(fields: Sequence[Field]) -> None:
    for field in fields:
        if field.kind.op == Op.PACKED_NUMBER and field.kind.item_width > 8:
            raise LayoutError(f"{field.name}: found {field.kind.name}, expected at most 15 digits")


def _array(kind: Kind, rows: int, bits: Any, data: list[Any], nulls: int) -> pa.Array:
    if kind.count == 1:
        return pa.Array.from_buffers(kind.arrow, rows, [bits, *data], nulls)
    items = pa.Array.from_buffers(kind.arrow.value_type, rows * kind.count, [None, *data], 0)
    return pa.Array.from_buffers(kind.arrow, rows, [bits], nulls, children=[items])


def _value_bytes(kind: Kind) -> int:
    """Bytes a row takes in the values buffer; for text the offsets are the values."""
    if kind.op == Op.TEXT:
        return 4
    item = kind.arrow.value_type if kind.count > 1 else kind.arrow
    return int(item.bit_width) // 8 * kind.count


@cache
def _utf8(code_page: str) -> npt.NDArray[np.uint32]:
    """The UTF-8 bytes of each of the 256 letters, the first byte lowest."""
    letters = [chr(point).encode("utf-8", "replace") for point in codepage(code_page).tolist()]
    return np.array([int.from_bytes(letter, "little") for letter in letters], dtype=np.uint32)


@cache
def _pairs(code_page: str) -> npt.NDArray[np.uint16]:
    """ASCII of two letters at a time, the first lowest; above 127 where there is none."""
    letters = _utf8(code_page)
    plain = np.where(letters < 0x80, letters, 0x80).astype(np.uint16)
    return np.ravel(plain[:, None] << 8 | plain).astype(np.uint16)
