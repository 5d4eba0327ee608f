"""Batches of many tables gathered into whole row groups, in bounded memory, made ahead of time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import pyarrow as pa

T = TypeVar("T")

# DuckDB packs a table in row groups of that many rows. Whole ones, each a batch of its own, are
# packed side by side by its threads and never rewritten; pieces are put together when it commits.
ROW_GROUP = 122_880
_HELD_ROWS, _HELD_BYTES = 4 * ROW_GROUP, 128 << 20  # of a table, before its rows are inserted

Batch = tuple[str, pa.RecordBatch]


@dataclass
class _Held:
    """Rows of one table that wait."""

    batches: list[pa.RecordBatch] = field(default_factory=list)
    rows: int = 0
    bytes: int = 0

    def add(self, rows: pa.RecordBatch) -> None:
        self.batches.append(rows)
        self.rows += rows.num_rows
        self.bytes += rows.nbytes

    def take(self, full_groups: bool) -> pa.Table:
        """The rows as whole row groups; what is left over stays, unless there is no whole one."""
        joined = pa.Table.from_batches(self.batches).combine_chunks()
        count = self.rows // ROW_GROUP * ROW_GROUP if full_groups else self.rows
        count = count or self.rows
        rest = joined.take(np.arange(count, self.rows))  # a copy: a slice would keep all of it
        self.batches, self.rows, self.bytes = [], 0, 0
        for batch in rest.to_batches():
            self.add(batch)
        return _in_groups(joined.slice(0, count))


def row_groups(batches: Iterable[Batch], memory: int) -> Iterator[tuple[str, pa.Table]]:
    """The rows of each table in order, as whole row groups and, at the end, what is left.

    At most about `memory` bytes wait; of those that do, the largest table goes first.
    """
    held: dict[str, _Held] = {}
    waiting = 0
    for table, rows in batches:
        group = held.setdefault(table, _Held())
        before = group.bytes
        group.add(rows)
        waiting += group.bytes - before
        full = group.rows >= _HELD_ROWS or group.bytes >= _HELD_BYTES
        while full or waiting > memory:
            name = table if full else max(held, key=lambda each: held[each].bytes)
            before = held[name].bytes
            yield name, held[name].take(full_groups=True)
            waiting += held[name].bytes - before
            full = False
    for table, group in held.items():
        if group.rows:
            yield table, group.take(full_groups=False)


def _in_groups(rows: pa.Table) -> pa.Table:
    """The same rows, a row group in each batch."""
    return pa.Table.from_batches(rows.to_batches(max_chunksize=ROW_GROUP), schema=rows.schema)


class _End:
    """Behind the last item; `error` is what the maker raised."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def ahead(items: Iterable[T], most: int = 8) -> Iterator[T]:
    """The same items, made by another thread while the last ones are used; at most `most` wait.

    The thread has a copy of the context: the layouts in use here are in use there.
    """
    waiting: queue.Queue[T | _End] = queue.Queue(most)
    stop = threading.Event()

    def put(item: T | _End) -> None:
        while not stop.is_set():
            try:
                waiting.put(item, timeout=0.1)
            except queue.Full:
                continue
            return

    def make() -> None:
        error: BaseException | None = None
        try:
            for item in items:
                put(item)
                if stop.is_set():
                    return
        except BaseException as raised:
            error = raised
        put(_End(error))

    thread = threading.Thread(target=copy_context().run, args=(make,), name="ahead", daemon=True)
    thread.start()
    try:
        while not isinstance(item := waiting.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stop.set()
        thread.join()
