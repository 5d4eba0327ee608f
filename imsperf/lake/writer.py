"""Load into a lake: each file of dumps as a whole or not at all.

What a load writes stands in .staging/<load> until the file has been read. Then its parts are
renamed to their places, and a manifest that names them is renamed in: from then on they are read.
What a killed load left is removed by the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO

import duckdb
import pyarrow as pa

from imsperf.errors import ImsperfError, StoreError
from imsperf.lake.commits import (
    STAGING,
    Claimed,
    Staged,
    clean,
    next_numbers,
    publish,
    remove_staging,
    take_lock,
    undo,
)
from imsperf.lake.manifest import (
    HOME,
    DataFile,
    by_table,
    columns_of,
    define_table,
    is_lake,
    read_manifests,
)
from imsperf.lake.parts import MEMORY, PartWriter
from imsperf.lake.parts import columns_of as columns_of_table
from imsperf.layout import Table
from imsperf.ledger import LEDGER_TABLES
from imsperf.row_groups import ahead
from imsperf.store import OFFLINE, Store

_HELD_SHARE = 4  # of the memory of a load: rows that wait for their row group


@dataclass
class LakeWriter(Store):
    """An open lake that takes one load at a time. `con` shows the ledger, to look things up in."""

    folder: Path = Path()
    parts: list[DataFile] = field(default_factory=list)  # of the tables, what manifests name
    last: int = 0
    is_new: bool = False
    alive: list[Claimed] = field(default_factory=list)  # numbers that other loads have claimed
    _lock: IO[str] | None = None
    _writer: PartWriter | None = None
    _types: dict[str, dict[str, str]] = field(default_factory=dict)  # of columns, by table

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._discard()
        self.con.close()
        if self.is_new and not self.parts:  # a first load that did not succeed
            _remove_empty(self.folder)
        if self._lock:
            self._lock.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Each file is added by `file_done`; whatever is raised inside drops what was not yet."""
        with write_errors(self.path):
            try:
                yield
                self.file_done()
            except BaseException:
                self._discard()
                raise

    def next_file_id(self) -> int:
        """A number that no file in the lake has, nor any that is being loaded."""
        return next_numbers(0, super().next_file_id() - 1, self.alive)[1]

    def append_batches(self, batches: Iterable[tuple[str, pa.RecordBatch]]) -> None:
        """Write (table, rows) as they come, decoded a little ahead."""
        for table, rows in ahead(batches):
            self._write(table, rows)

    def append(self, table: str, rows: pa.Table | pa.RecordBatchReader) -> None:
        """Write Arrow rows; columns are matched by name."""
        for batch in rows.to_batches() if isinstance(rows, pa.Table) else rows:
            self._write(table, batch)

    def _write(self, table: str, rows: pa.RecordBatch) -> None:
        if table not in self._ready:
            self._check_columns(table)
        if self._writer is None:
            held = min(MEMORY, self.memory // _HELD_SHARE)
            self._writer = PartWriter(self._staging, self.last + 1, held)
        self._writer.add(table, rows)

    def _check_columns(self, table: str) -> None:
        """A layout of the user may have changed since the lake got its first rows of the table."""
        plain = Table(table, "", None, columns_of_table(table))  # type: ignore[arg-type]
        self._check_types(plain, self._types.get(table, {}))
        self._ready.add(table)

    @property
    def _staging(self) -> Path:
        return self.folder / STAGING / f"{self.last + 1:06d}"

    def file_done(self) -> None:
        """Add what was written since the last time to the lake."""
        if self._writer is None:
            return
        writer, staging = self._writer, self._staging
        added = publish(
            self.folder, staging, self.last + 1, [Staged(staging, one) for one in writer.close()]
        )
        self._writer = None
        self.last += 1
        self.parts += added
        self._show_ledger({part.table for part in added})
        remove_staging(self.folder, staging)

    def _show_ledger(self, changed: set[str]) -> None:
        for table, some in by_table(self.parts).items():
            if table in changed & LEDGER_TABLES.keys():
                if table not in self._types:
                    self.con.execute(f"DROP TABLE {table}")
                define_table(self.con, self.folder, table, some)
            if table in changed:
                self._types[table] = columns_of(some)

    def _discard(self) -> None:
        """Drop what was written since the last file."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            writer.abort()
            undo(self.folder, self._staging, self.last + 1)


def open_lake_writer(
    folder: str | Path, *, create: bool = False, memory: int | None = None
) -> LakeWriter:
    """Open a lake to load into it; with `create`, make one of a new or empty folder.

    `memory` bounds what a load takes, in bytes, about. Raises StoreError where the folder holds
    something else, or another load writes to the lake.
    """
    path = Path(folder)
    place = path.resolve()
    is_new = not is_lake(place)
    with write_errors(path):
        if is_new:
            _check_free(path, create)
            (place / HOME).mkdir(parents=True)
        held = take_lock(path, place / HOME / "lock")
        try:
            lake = _opened(path, place, is_new, held)
        except BaseException:
            held.close()
            raise
        if memory is not None:
            lake.memory = memory
            lake.con.execute(f"SET memory_limit = '{memory // 2 >> 10}KiB'")
        return lake


def _opened(path: Path, place: Path, is_new: bool, held: IO[str]) -> LakeWriter:
    alive = clean(place)
    last, parts = read_manifests(place)
    last = max([last, *(one.load for one in alive)])
    con = duckdb.connect(config=dict(OFFLINE))
    for name, (doc, columns) in LEDGER_TABLES.items():
        nothing: Table = Table(name, doc, None, columns)  # type: ignore[arg-type]
        con.execute(next(iter(nothing.create_sql())))
    lake = LakeWriter(path, con, folder=place, parts=parts, last=last, is_new=is_new, _lock=held)
    lake.alive = alive
    lake._show_ledger({part.table for part in parts})
    return lake


@contextmanager
def make_lake(path: Path, create: bool) -> Iterator[Path]:
    """The lake's folder; with `create`, made of a new or empty one, which is removed again where
    nothing is added. Raises StoreError where the folder holds something else."""
    place = path.resolve()
    is_new = not is_lake(place)
    if is_new:
        _check_free(path, create)
        (place / HOME).mkdir(parents=True, exist_ok=True)
    try:
        yield place
    except BaseException:
        if is_new and {file.name for file in (place / HOME).iterdir()} <= {"lock"}:
            _remove_empty(place)
        raise


def _check_free(path: Path, create: bool) -> None:
    if path.is_dir() and not any(path.iterdir()) and create:
        return
    if path.exists() or not create:
        what = "a folder that is no lake" if path.is_dir() else "a file"
        raise StoreError(
            f"{path}: found {what if path.exists() else 'nothing'}, expected a lake of imsperf",
            "name a new or empty folder with --parquet, or a database file with --db",
        )


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """What a full disk or a folder that is not ours says, as an error of ours."""
    try:
        yield
    except (OSError, duckdb.IOException) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ImsperfError(
            f"{path}: cannot be written: {first}",
            "free space, or name a folder you can write to; of this file nothing was added, "
            "files loaded before it are in the lake",
        ) from error


def _remove_empty(folder: Path) -> None:
    """Remove a lake without a load: a folder that was not there before."""
    with suppress(OSError):
        (folder / HOME / "lock").unlink()
        (folder / HOME).rmdir()
        folder.rmdir()
