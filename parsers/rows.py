"""Sections become rows of tables: one row each, key columns in front, raw rows for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.layout import RAW_TABLES, Field, Section, Table
from imsperf.ledger import LEDGER_TABLES
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.decode import Decoded
from imsperf.parsers.kernels.hashing import hash_records
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.problems import Problem

RDW = 4  # bytes

Batch = tuple[str, pa.RecordBatch]
Columns = Mapping[str, frozenset[str]]  # by table


@dataclass(frozen=True)
class Runs:
    """Repeated sections: per record their number; per section its record, place and number."""

    number: I64
    record: I64
    start: I64
    length: I32
    section: I32


def spread(starts: I64, offset: I64, size: I64, number: I64) -> Runs:
    """One row per section, from the offset, length and number of sections in each record."""
    rows = int(number.sum())
    record, begin = np.empty(rows, np.int64), np.empty(rows, np.int64)
    length, section = np.empty(rows, np.int32), np.empty(rows, np.int32)
    locate.spread(starts, offset, size, number, record, begin, length, section)
    return Runs(number, record, begin, length, section)


def keys(
    file_id: int, number: Any, section: Any | None = None, place: Any | None = None
) -> list[pa.Array]:
    """The key columns file_id, record_no, section_no (1 if not given), and byte_offset if given."""
    rows = len(number)
    columns = [
        np.full(rows, file_id, np.int32),
        number,
        np.ones(rows, np.int32) if section is None else section,
    ]
    return [pa.array(column) for column in (*columns, *([] if place is None else [place]))]


@dataclass(frozen=True)
class Target:
    """A table that batches are made for; `schema` has those of its columns that are wanted."""

    name: str
    schema: pa.Schema
    names: tuple[str, ...]  # of all columns
    wanted: tuple[str, ...]  # of those of the schema

    @classmethod
    def of(cls, table: Table, columns: Columns | None = None) -> Target:
        """The table with its schema, made once."""
        schema = table.schema()
        if columns is not None:
            wanted = columns.get(table.name, ())
            names = [name for name in table.column_names if name in wanted] if wanted else []
            schema = pa.schema([schema.field(name) for name in names], schema.metadata)
        return cls(table.name, schema, table.column_names, tuple(schema.names))

    def __bool__(self) -> bool:
        return bool(self.wanted)

    def has(self, *names: str) -> bool:
        """Whether one of these columns is wanted."""
        return any(name in self.wanted for name in names)

    def fields(self, section: Section) -> list[Field]:
        """The fields of a section that are wanted."""
        wanted = frozenset(self.wanted)
        return [field for field in section.fields if field.name in wanted]

    def batch(self, columns: Sequence[pa.Array], fields: Decoded, *more: pa.Array) -> Batch:
        """The first columns of the table, those of `fields` and the last ones, as a batch."""
        arrays = [*columns, *fields.columns, *more]
        if len(self.wanted) < len(self.names):
            named = dict(zip(self.names, columns, strict=False))
            named.update(zip(fields.schema.names, fields.columns, strict=True))
            named.update(zip(reversed(self.names), reversed(more), strict=False))
            arrays = [named[name] for name in self.wanted]
        return self.name, pa.RecordBatch.from_arrays(arrays, schema=self.schema)


class PerRecord:
    """Columns with a row for each record of a part, to be repeated for the sections of these."""

    def __init__(self, columns: Sequence[pa.Array]) -> None:
        self.columns = list(columns)
        self._repeat = [_repeater(column) for column in self.columns]

    def of(self, run: Runs) -> list[pa.Array]:
        """The columns with a row for each section."""
        if len(run.record) == len(run.number) and (run.number == 1).all():
            return self.columns
        return [repeat(run.record) for repeat in self._repeat]


def _repeater(column: pa.Array) -> Callable[[I64], pa.Array]:
    """What gives the values of a column by row, without NULL among them in a few microseconds: all
    alike, as names of systems mostly are, or times."""
    if not len(column) or column.null_count == len(column):
        return lambda rows: pa.nulls(len(rows), column.type)
    if column.null_count == 0 and pa.types.is_timestamp(column.type):
        values = column.view(pa.int64()).to_numpy()
        return lambda rows: pa.Array.from_buffers(
            column.type, len(rows), [None, pa.py_buffer(values.take(rows))], 0
        )
    if column.null_count == 0 and pc.all(pc.equal(column, column[0])).as_py():
        return lambda rows: pa.repeat(column[0], len(rows))
    return lambda rows: column.take(pa.array(rows))


_RECORD = LEDGER_TABLES["load_record"][1]
_HASHES = pa.schema([(column.name, column.arrow) for column in _RECORD])


def short_records(part: Part, short: Any, least: int) -> list[Problem]:
    """A problem for each record, by mask, that is shorter than `least` bytes."""
    some = part.take(short)
    expected = f"expected at least the {least} of its fixed fields"
    return [
        Problem(number, place, length, None, None, "error", "short_record",
                f"found a record of {length} bytes, {expected}")
        for number, place, length in zip(
            some.number.tolist(), some.place.tolist(), some.length.tolist(), strict=True
        )
    ]  # fmt: skip


def hash_batch(file_id: int, part: Part) -> Batch:
    """Rows of load_record: the hash of each record without its RDW, in two halves."""
    high, low = hash_records(part.buffer, part.start, part.length, RDW).view("<u8").T
    columns = [np.full(len(part.start), file_id, np.int32), part.number, high, low]
    arrays = [pa.array(column) for column in columns]
    return "load_record", pa.RecordBatch.from_arrays(arrays, schema=_HASHES)


def raw_batch(name: str, file_id: int, part: Part, columns: Mapping[str, Any], body: bool) -> Batch:
    """Rows of smf_raw or ims_raw: place, length, hash, the given columns, the body on request."""
    hashes = hash_records(part.buffer, part.start, part.length, RDW)
    known = {
        "file_id": np.full(len(part.start), file_id, np.int32),
        "record_no": part.number,
        "byte_offset": part.place,
        "length": part.length,
        "hash": pa.Array.from_buffers(
            pa.binary(16), len(part.start), [None, pa.py_buffer(hashes)], 0
        ),
        "body": _bodies(part) if body else pa.nulls(len(part.start), pa.large_binary()),
        **columns,
    }
    schema = pa.schema([pa.field(c.name, c.arrow) for c in RAW_TABLES[name]])
    arrays = [_typed(known[field.name], field.type) for field in schema]
    return name, pa.RecordBatch.from_arrays(arrays, schema=schema)


def _typed(values: Any, kind: pa.DataType) -> pa.Array:
    return values if isinstance(values, pa.Array) else pa.array(values, type=kind)


def _bodies(part: Part) -> pa.Array:
    ends = np.zeros(len(part.start) + 1, dtype=np.int64)
    np.cumsum(np.maximum(part.length - RDW, 0), out=ends[1:])
    out = np.empty(int(ends[-1]), dtype=np.uint8)
    locate.copy_bodies(part.buffer, part.start, part.length, RDW, ends, out)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(out)]
    return pa.Array.from_buffers(pa.large_binary(), len(part.start), buffers, 0)


@dataclass
class InvalidValues:
    """Counts values that became NULL because they were invalid; one problem per field and file."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    first: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def add(
        self, table: str, decoded: Decoded, number: I64, place: I64, record: I64 | None = None
    ) -> None:
        """Count what a batch had. `number` and `place` are those of records, `record` the one that
        each row is of; None: each row of its own."""
        for name, count in decoded.invalid.items():
            where = (table, name)
            if where not in self.counts:
                row = decoded.column(name).is_null().index(True).as_py()
                row = row if record is None else record[row]
                self.first[where] = int(number[row]), int(place[row])
            self.counts[where] = self.counts.get(where, 0) + count

    def absorb(self, more: InvalidValues) -> None:
        """Count what a later range of the file had."""
        for where, count in more.counts.items():
            self.first.setdefault(where, more.first[where])
            self.counts[where] = self.counts.get(where, 0) + count

    def problems(self, kinds: Mapping[str, tuple[str | None, str | None]]) -> Iterator[Problem]:
        """One info problem per field; `kinds` gives type and subtype of a table."""
        for (table, name), count in sorted(self.counts.items()):
            number, place = self.first[table, name]
            detail = f"{table}.{name}: found {count:,} invalid values, which are NULL"
            yield Problem(number, place, 0, *kinds[table], "info", "invalid_value", detail)
