"""Rows of tables as Parquet files: by system and date, in row groups, within bounds of memory."""

from __future__ import annotations

import dataclasses
import os
from collections import OrderedDict, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from imsperf import layouts
from imsperf.lake.manifest import DataFile
from imsperf.layout import IMS_SUFFIX, RAW_TABLES, Column
from imsperf.ledger import LEDGER_TABLES
from imsperf.output_files import utf8_name

GROUP_ROWS, GROUP_BYTES = 122_880, 64 << 20  # a row group, whichever comes first
MEMORY = 192 << 20  # of rows that wait, all tables together
_HELD_SHARE = 4  # of the memory of a process
OPEN_FILES = 64
PARTITIONS = 1_000  # of a table in a load; a broken dump may have a system name in each record
_WORKERS = 2
_NONE = "__HIVE_DEFAULT_PARTITION__"  # NULL to DuckDB, polars and Spark
_TIMES = ("interval_start", "log_stck")  # what tells the date, where there is no column `date`


# --- what a table looks like ---------------------------------------------------------------------


def columns_of(table: str) -> tuple[Column, ...]:
    """The columns of a table; LayoutError for an unknown one."""
    if table in LEDGER_TABLES:
        return LEDGER_TABLES[table][1]
    return RAW_TABLES[table] if table in RAW_TABLES else layouts.table(table).columns


def schema_of(table: str) -> pa.Schema:
    """Its Arrow schema; each field has its meaning, and unit, source and confidence if known."""
    known = {} if table in LEDGER_TABLES or table in RAW_TABLES else _facts(table)
    fields = [
        pa.field(c.name, c.arrow, metadata=known.get(c.name, {"meaning": c.doc}))
        for c in columns_of(table)
    ]
    return pa.schema(fields, metadata=_table_facts(table))


def _facts(table: str) -> dict[str, dict[str, str]]:
    facts = {}
    for section in (IMS_SUFFIX, layouts.table(table).section):
        for field in section.fields:
            facts[field.name] = {
                "meaning": field.doc,
                "unit": field.unit,
                "source": f"{section.source}; {section.table} +{field.offset}",
                "confidence": section.confidence_of(field),
            }
    return facts


def _table_facts(table: str) -> dict[str, str]:
    if table in LEDGER_TABLES:
        return {"table": table, "meaning": LEDGER_TABLES[table][0]}
    if table in RAW_TABLES:
        return {"table": table, "meaning": "Records without a layout"}
    known = layouts.table(table)
    return {"table": table, "meaning": known.doc, "source": known.section.source}


@dataclass(frozen=True)
class _Shape:
    """A table's schema, and the columns it is partitioned and sorted by."""

    table: str
    schema: pa.Schema
    columns: tuple[tuple[str, str], ...]
    system: str | None
    day: str | None
    order: tuple[str, ...]


def _shape(table: str) -> _Shape:
    schema = schema_of(table)
    columns = tuple((c.name, c.sql) for c in columns_of(table))
    if table in LEDGER_TABLES:
        return _Shape(table, schema, columns, None, None, ())
    types = dict(zip(schema.names, schema.types, strict=True))
    system = "system" if types.get("system") == pa.string() else None
    times = ["date"] if "date" in types else [t for t in _TIMES if t in types]
    dated = [t for t in times if pa.types.is_date32(types[t]) or pa.types.is_timestamp(types[t])]
    day = dated[0] if dated else None
    wanted = (*_TIMES, "record_no")
    order = tuple(n for n in wanted if n in types and not pa.types.is_nested(types[n]))
    return _Shape(table, schema, columns, system, day, order)


# --- rows to partitions --------------------------------------------------------------------------


@cache
def _folder_name(key: str, value: str | None) -> str:
    """A folder of a partition; whatever a dump says, one name without a slash or a dot."""
    if value is None:
        return f"{key}={_NONE}"
    return f"{key}={quote(value, safe='').replace('.', '%2E')[:200]}"


def _split(shape: _Shape, batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The rows of each partition, in their order, with the folder of the partition."""
    rows = batch.num_rows
    systems, days = _codes(shape, batch)
    code = (systems[0] << 32) | (days & 0xFFFFFFFF)
    if not rows or (code == code[0]).all():
        if rows:
            yield _place(shape, systems[1], systems[0][0], days[0]), batch
        return
    order = np.argsort(code, kind="stable")
    edges = np.flatnonzero(np.diff(code[order])) + 1
    if len(edges) >= PARTITIONS:
        yield _no_partition(shape), batch
        return
    for some in np.split(order, edges):
        folder = _place(shape, systems[1], systems[0][some[0]], days[some[0]])
        yield folder, batch.take(pa.array(some))


_NO_DAY = -(1 << 31)


def _codes(
    shape: _Shape, batch: pa.RecordBatch
) -> tuple[tuple[npt.NDArray[np.int64], list[str]], npt.NDArray[np.int64]]:
    """Of each row the number of its system, -1 for none, the systems; and the day since 1970."""
    codes, names = np.zeros(batch.num_rows, np.int64), list[str]()
    if shape.system:
        systems = batch.column(shape.system).dictionary_encode()
        codes, names = _numbers(systems.indices, -1), systems.dictionary.to_pylist()
    days = np.zeros(batch.num_rows, np.int64)
    if shape.day:
        day_numbers = batch.column(shape.day).cast(pa.date32(), safe=False).cast(pa.int32())
        days = _numbers(day_numbers, _NO_DAY)
    return (codes, names), days


def _numbers(values: pa.Array, none: int) -> npt.NDArray[np.int64]:
    numbers: npt.NDArray[np.int64] = pc.fill_null(values.cast(pa.int64()), none).to_numpy()
    return numbers


def _place(shape: _Shape, names: list[str], code: Any, day: Any) -> str:
    folders = [quote(shape.table, safe="")]
    if shape.system:
        folders.append(_folder_name("system", names[code] if code >= 0 else None))
    if shape.day:
        date = None if day == _NO_DAY else str(np.datetime64(int(day), "D"))
        folders.append(_folder_name("date", date))
    return "/".join(folders)


def _no_partition(shape: _Shape) -> str:
    """Where rows go that would make too many partitions; their own columns are not changed."""
    return _place(shape, [], -1, _NO_DAY)


# --- partitions to files -------------------------------------------------------------------------


@dataclass
class _File:
    """A Parquet file that is being written; at most one row group of it at a time."""

    path: str
    writer: pq.ParquetWriter
    rows: int = 0
    busy: Future[None] | None = None


@dataclass
class _Partition:
    """Rows of one partition that wait, and its open file."""

    shape: _Shape
    folder: str
    held: list[pa.RecordBatch] = dataclasses.field(default_factory=list)
    rows: int = 0
    bytes: int = 0
    file: _File | None = None

    @property
    def full(self) -> bool:
        return self.rows >= GROUP_ROWS or self.bytes >= GROUP_BYTES


def rows_held(memory: int | None) -> int:
    """Bytes of rows that wait in a process which may take so much memory."""
    return MEMORY if memory is None else min(MEMORY, memory // _HELD_SHARE)


class PartWriter:
    """Takes batches of any tables; `close` gives the files, which stand below `folder`.

    Threads of its own write them; that of a `task`, which is one of several writers, has none, and
    its number is in their names beside that of the load.
    """

    def __init__(
        self, folder: Path, load: int, memory: int = MEMORY, task: int | None = None
    ) -> None:
        self.folder, self.memory = folder, memory
        self._prefix = f"part-{load:06d}" + ("" if task is None else f"-{task:05d}")
        self.done: list[DataFile] = []
        self._shapes: dict[str, _Shape] = {}
        self._partitions: dict[str, _Partition] = {}
        self._count: dict[str, int] = {}  # partitions of a table, then files of it
        self._named: dict[str, int] = {}
        self._open: OrderedDict[str, _Partition] = OrderedDict()
        self._waiting = 0
        self._pool = ThreadPoolExecutor(_WORKERS, "parquet") if task is None else None
        self._busy: deque[Future[None]] = deque()

    def add(self, table: str, rows: pa.RecordBatch) -> None:
        """Add rows; writes what has become whole row groups."""
        shape = self._shapes.get(table) or self._shapes.setdefault(table, _shape(table))
        for folder, some in _split(shape, _as(shape.schema, rows)):
            partition = self._partition(shape, folder)
            partition.held.append(some)
            partition.rows += some.num_rows
            partition.bytes += some.nbytes
            self._waiting += some.nbytes
            if partition.full:
                self._flush(partition)
        while self._waiting > self.memory:
            self._flush(max(self._partitions.values(), key=lambda partition: partition.bytes))

    def close(self) -> list[DataFile]:
        """Write what is left; all files of the load, complete and on the disk."""
        self.complete(*self._shapes)
        if self._pool:
            self._pool.shutdown()
        return self.done

    def complete(self, *tables: str) -> None:
        """Complete the files of some tables, which are in `done` then; more rows begin others."""
        for partition in self._partitions.values():
            if partition.shape.table in tables:
                if partition.rows:
                    self._flush(partition, is_last=True)
                self._finish(partition)

    def abort(self) -> None:
        """Write no more; the files may be removed then."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
        for partition in self._open.values():
            if partition.file:
                with suppress(OSError, pa.ArrowException):  # of a full disk, say
                    partition.file.writer.close()

    def _partition(self, shape: _Shape, folder: str) -> _Partition:
        if folder not in self._partitions:
            if self._count.get(shape.table, 0) >= PARTITIONS:
                folder = _no_partition(shape)
            self._count[shape.table] = self._count.get(shape.table, 0) + 1
        return self._partitions.setdefault(folder, _Partition(shape, folder))

    def _flush(self, partition: _Partition, is_last: bool = False) -> None:
        """Write row groups, or let a thread do it; unless `is_last`, the rest waits on."""
        rows = pa.Table.from_batches(partition.held, partition.shape.schema).combine_chunks()
        count = rows.num_rows if is_last else rows.num_rows // GROUP_ROWS * GROUP_ROWS
        count = count or rows.num_rows  # many bytes, or too much waits: less than a row group
        rest = rows.slice(count)
        rows_left = rest.take(pa.array(np.arange(rest.num_rows))) if rest.num_rows else rest
        self._waiting -= partition.bytes
        partition.held, partition.rows, partition.bytes = (
            rows_left.to_batches(),
            rows_left.num_rows,
            rows_left.nbytes,
        )
        if not partition.rows:
            partition.bytes = 0
        self._waiting += partition.bytes
        file, groups = self._file(partition), rows.slice(0, count)
        file.rows += count
        if not self._pool:
            _write(file.writer, groups, partition.shape.order)
            return
        if file.busy:
            file.busy.result()
        file.busy = self._pool.submit(_write, file.writer, groups, partition.shape.order)
        self._busy.append(file.busy)
        while len(self._busy) > _WORKERS:
            self._busy.popleft().result()

    def _file(self, partition: _Partition) -> _File:
        """The partition's open file; the one not used longest is closed where there are many."""
        if partition.file is None:
            if len(self._open) >= OPEN_FILES:
                self._finish(next(iter(self._open.values())))
            number = self._named[partition.shape.table] = (
                self._named.get(partition.shape.table, -1) + 1
            )
            path = f"{partition.folder}/{self._prefix}-{number}.parquet"
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            partition.file = _File(path, _writer(target, partition.shape.schema))
        self._open[partition.folder] = partition
        self._open.move_to_end(partition.folder)
        return partition.file

    def _finish(self, partition: _Partition) -> None:
        """Close the partition's file; more rows would begin another one."""
        file, partition.file = partition.file, None
        self._open.pop(partition.folder, None)
        if file is None:
            return
        try:
            if file.busy:
                file.busy.result()
        finally:
            file.writer.close()
        size = to_disk(self.folder / file.path)
        self.done.append(
            DataFile(partition.shape.table, file.path, file.rows, size, partition.shape.columns)
        )


def to_disk(file: Path) -> int:
    """Wait until a file is on the disk; its size."""
    with file.open("r+b") as opened:
        os.fsync(opened.fileno())
        return os.fstat(opened.fileno()).st_size


# Numbers that count up are kept as differences, hashes as they are: a third smaller, half the time.
_COUNT_UP = {"record_no", "byte_offset", "log_lsn"}
_HASHES = {"hash", "hash_high", "hash_low"}


def _writer(file: Path, schema: pa.Schema) -> pq.ParquetWriter:
    rising = [f.name for f in schema if f.name in _COUNT_UP or pa.types.is_timestamp(f.type)]
    return pq.ParquetWriter(
        utf8_name(file),
        schema,
        compression="zstd",
        use_dictionary=[n for n in schema.names if n not in {*rising, *_HASHES}],
        column_encoding=dict.fromkeys(rising, "DELTA_BINARY_PACKED"),
        write_page_index=True,
    )


def _write(writer: pq.ParquetWriter, rows: pa.Table, order: tuple[str, ...]) -> None:
    """Write row groups, each sorted."""
    size = max(1, min(GROUP_ROWS, rows.num_rows * GROUP_BYTES // max(1, rows.nbytes)))
    for start in range(0, rows.num_rows, size):
        group = rows.slice(start, size)
        writer.write_table(_sorted(group, order), row_group_size=group.num_rows)


def _sorted(rows: pa.Table, order: tuple[str, ...]) -> pa.Table:
    """Sorted by these columns; rows that are equal in them keep their order."""
    if rows.num_rows < 2 or not order or _in_order(rows, order):
        return rows
    keys = pa.Table.from_arrays([rows[name] for name in order], list(order))
    return rows.take(pc.sort_indices(keys, [(name, "ascending") for name in order]))


def _in_order(rows: pa.Table, order: tuple[str, ...]) -> bool:
    """What a dump gives is mostly sorted already."""
    if any(rows[name].null_count for name in order):
        return False
    equal: npt.NDArray[np.bool_] = np.ones(rows.num_rows - 1, np.bool_)
    for name in order:
        values = rows[name].cast(pa.int64()).to_numpy()
        if (equal & (values[1:] < values[:-1])).any():
            return False
        equal &= values[1:] == values[:-1]
    return True


def _as(schema: pa.Schema, rows: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows with the columns of the table; NULL where they are lacking."""
    if rows.schema.equals(schema):
        return pa.RecordBatch.from_arrays(rows.columns, schema=schema)
    arrays = []
    for field in schema:
        at = rows.schema.get_field_index(field.name)
        have = rows.column(at) if at >= 0 else pa.nulls(rows.num_rows, field.type)
        arrays.append(have if have.type == field.type else have.cast(field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
