"""Commits to a lake: loads write side by side, what they publish is moved in by one at a time.

A load claims the number of its manifest and those of its files (DIR/_imsperf/claim-<load>), and
holds that file locked as long as it lives. What it writes stands in DIR/.staging/<load>. Under the
lake's lock, held for moments, it claims, or renames its parts to their places and then a manifest
that names them: from then on they are read. What a load left that is no longer alive is removed by
the next one. One process (imsperf.lake.writer) and several (imsperf.loading.jobs) do it alike.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from imsperf.database.store import OFFLINE, Store
from imsperf.errors import StoreError
from imsperf.lake.manifest import (
    HOME,
    DataFile,
    by_table,
    columns_of,
    inside,
    manifest_path,
    manifest_text,
    read_manifests,
    table_statement,
)
from imsperf.lake.parts import PartWriter, to_disk
from imsperf.lake.parts import columns_of as columns_of_table
from imsperf.layout import Table
from imsperf.ledger import LEDGER_TABLES
from imsperf.locks import lock_file
from imsperf.output_files import utf8_name

STAGING = ".staging"
_MOVES = "moves.json"  # where the parts of a load go, written before the first of them does
_CLAIM = "claim-*.json"
_PATIENCE, _STEP = 60.0, 0.05  # seconds to wait for the lock of a lake, and between two tries


# --- locks ---------------------------------------------------------------------------------------


def take_lock(path: Path, file: Path, patience: float) -> IO[str]:
    """Hold the lock until the file is closed, or the process ends in whatever way.

    Raises StoreError where somebody else holds it for longer than `patience` seconds.
    """
    held, until = file.open("a+", encoding="utf-8"), time.monotonic() + patience
    try:
        while True:
            try:
                lock_file(held)
                break
            except OSError:
                if time.monotonic() >= until:
                    raise
                time.sleep(_STEP)
    except OSError as error:
        held.seek(0)
        who = held.read(20).strip()
        held.close()
        raise StoreError(
            f"{path}: another load writes to this lake{f' (process {who})' if who else ''}",
            "wait for it, or load into another folder",
        ) from error
    held.truncate(0)
    held.write(f"{os.getpid()}\n")
    held.flush()
    return held


# --- publish, and undo ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Staged:
    """A part that was written below `folder`, and what the manifest will say of it."""

    folder: Path
    part: DataFile


def publish(folder: Path, staging: Path, load: int, staged: Iterable[Staged]) -> list[DataFile]:
    """Rename parts to their places, then their manifest: from there on they are in the lake."""
    files = list(staged)
    parts = [file.part for file in files]
    _written(staging / _MOVES, json.dumps([part.path for part in parts]))
    for file in files:
        target = folder / file.part.path
        target.parent.mkdir(parents=True, exist_ok=True)
        (file.folder / file.part.path).replace(target)
    for place in {(folder / part.path).parent for part in parts}:
        _folder_to_disk(place)
    draft = staging / "manifest"
    _written(draft, manifest_text(load, parts))
    draft.replace(manifest_path(folder, load))
    _folder_to_disk(folder / HOME)
    return parts


def _written(file: Path, text: str) -> None:
    """A file that is whole or not there."""
    draft = file.with_name(file.name + ".new")
    draft.write_text(text, encoding="utf-8")
    to_disk(draft)
    draft.replace(file)


def _folder_to_disk(folder: Path) -> None:
    """Names in a folder survive a power cut from then on, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def undo(folder: Path, staging: Path, load: int | None) -> None:
    """Remove what a load left, also parts at their places, unless its manifest is there."""
    moves = staging / _MOVES
    if load is not None and not manifest_path(folder, load).exists() and moves.is_file():
        for path in json.loads(moves.read_text(encoding="utf-8")):
            target = folder / inside(path)
            target.unlink(missing_ok=True)
            _remove_parents(target.parent, folder)
    remove_staging(folder, staging)


def remove_staging(folder: Path, staging: Path) -> None:
    shutil.rmtree(staging, ignore_errors=True)
    with suppress(OSError):
        (folder / STAGING).rmdir()


def _remove_parents(place: Path, folder: Path) -> None:
    """Remove folders that have become empty, up to the lake's own."""
    while place != folder:
        try:
            place.rmdir()
        except OSError:
            return
        place = place.parent


# --- claims --------------------------------------------------------------------------------------


@contextmanager
def short_lock(path: Path, folder: Path) -> Iterator[None]:
    """The lake's lock for some moments. Raises StoreError where a load holds it for long."""
    held = take_lock(path, folder / HOME / "lock", _PATIENCE)
    try:
        yield
    finally:
        held.close()


@dataclass(frozen=True)
class Claimed:
    """Numbers that a load has claimed which is alive: of its manifest and of its files."""

    load: int
    first_file: int
    files: int


def clean(folder: Path) -> list[Claimed]:
    """Remove what dead loads left; what others have claimed. Only under the lake's lock."""
    alive = list[Claimed]()
    for file in sorted((folder / HOME).glob(_CLAIM)):
        load = int(file.stem.partition("-")[2])
        claimed = _content(file)
        if claimed is not None:
            alive.append(claimed)
        else:
            undo(folder, folder / STAGING / f"{load:06d}", load)
            file.unlink(missing_ok=True)
    known = {f"{claimed.load:06d}" for claimed in alive}
    for left in sorted((folder / STAGING).glob("*")):
        if left.name not in known:
            undo(folder, left, int(left.name) if left.name.isdecimal() else None)
    return alive


def _content(file: Path) -> Claimed | None:
    """What a claim says; None where its load is dead: nobody holds it."""
    with file.open("r+", encoding="utf-8") as opened:
        try:
            lock_file(opened)
        except OSError:
            opened.seek(0)
            facts = json.loads(opened.read())
            return Claimed(int(facts["load"]), int(facts["first_file"]), int(facts["files"]))
    return None


def next_numbers(last: int, last_file: int, alive: Iterable[Claimed]) -> tuple[int, int]:
    """The next number of a manifest and of a file."""
    claims = list(alive)
    load = max([last, *(claim.load for claim in claims)]) + 1
    return load, max([last_file, *(claim.first_file + claim.files - 1 for claim in claims)]) + 1


@dataclass
class Claim:
    """Numbers of this load, until it is committed or given up; `known` is what the lake had."""

    path: Path  # as the user names the lake
    folder: Path
    known: list[DataFile]
    numbers: Claimed
    _file: Path
    _held: IO[str]

    @classmethod
    def take(cls, path: Path, folder: Path, files: int) -> Claim:
        """Claim numbers that nobody has: one of a manifest, and of so many files. What dead loads
        left is removed. Raises StoreError where others hold the lake's lock for long."""
        with short_lock(path, folder):
            alive = clean(folder)
            last, known = read_manifests(folder)
            numbers = [number for _, number in files_in(folder, known)]
            load, first_file = next_numbers(last, max(numbers, default=0), alive)
            file = folder / HOME / f"claim-{load:06d}.json"
            held = file.open("x+", encoding="utf-8")
            claim = cls(path, folder, known, Claimed(load, first_file, files), file, held)
            try:
                lock_file(held)
                held.seek(0)
                facts = {"load": load, "first_file": first_file, "files": files}
                held.write(json.dumps({**facts, "process": os.getpid()}))
                held.flush()
            except OSError:  # a full disk
                claim.release()
                raise
        return claim

    @property
    def staging(self) -> Path:
        """Where the load writes."""
        return self.folder / STAGING / f"{self.numbers.load:06d}"

    def publish(self, staged: Sequence[Staged], runs: set[str], files: range) -> bool:
        """Add what was staged to the lake. False where another load has added to these runs since,
        which may have the same records, or files of these numbers: the load must begin again."""
        with short_lock(self.path, self.folder):
            if has_changed(self.folder, self.known, runs, files):
                return False
            if staged:
                publish(self.folder, self.staging, self.numbers.load, staged)
        return True

    def release(self) -> None:
        """Give the claim up, and remove what is staged and not in the lake."""
        undo(self.folder, self.staging, self.numbers.load)
        if sys.platform == "win32":  # there an open file cannot be deleted
            self._held.close()
        self._file.unlink(missing_ok=True)
        self._held.close()


# --- what the lake has ---------------------------------------------------------------------------


@dataclass
class Ledger(Store):
    """The ledger of a lake as it is, and beside it, in `planned`, what a load is to add."""

    folder: Path = Path()

    def show(self, table: str, parts: Iterable[DataFile]) -> None:
        """Let a table have the rows of these parts of the lake, and those that are planned."""
        mine = [part for part in parts if part.table == table]
        union = f"CREATE OR REPLACE VIEW {table} AS SELECT * FROM planned.{table}"
        if mine:
            self.con.execute(table_statement(self.folder, table, mine))
            self.con.execute(f"DROP VIEW IF EXISTS there_{table}")
            self.con.execute(f"ALTER VIEW {table} RENAME TO there_{table}")
            union += f" UNION ALL BY NAME SELECT * FROM there_{table}"
        self.con.execute(union)

    def append(self, table: str, rows: pa.Table | pa.RecordBatchReader) -> None:
        """Plan rows of a table of the ledger."""
        self.insert_into(f"planned.{table}", rows)

    def write(self, writer: PartWriter) -> None:
        """Write what is planned."""
        for table in LEDGER_TABLES:
            planned = self.con.sql(f"SELECT * FROM planned.{table}").to_arrow_table()
            for batch in planned.to_batches():
                writer.add(table, batch)

    def next_file_id(self) -> int:
        """A number that no file in the lake has; those that are planned have negative ones."""
        return max(1, super().next_file_id())

    def check_types(self, new: Iterable[DataFile], parts: Iterable[DataFile]) -> None:
        """Raises StoreError where columns of new parts have other types than those in the lake: a
        layout of the user has changed."""
        there = {table: columns_of(some) for table, some in by_table(parts).items()}
        for table in dict.fromkeys(part.table for part in new):
            plain = Table(table, "", None, columns_of_table(table))  # type: ignore[arg-type]
            self._check_types(plain, there.get(table, {}))


def ledger_of(folder: Path, parts: Iterable[DataFile], memory: int | None = None) -> Ledger:
    """The ledger of these parts of a lake; half of `memory` bounds it, in bytes."""
    con = duckdb.connect(config=dict(OFFLINE))
    if memory is not None:
        con.execute(f"SET memory_limit = '{memory // 2 >> 10}KiB'")
    con.execute("CREATE SCHEMA planned")
    ledger, some = Ledger(folder, con, folder=folder), list(parts)
    for name, (doc, columns) in LEDGER_TABLES.items():
        nothing: Table = Table(name, doc, None, columns)  # type: ignore[arg-type]
        con.execute(next(iter(nothing.create_sql())).replace(name, f"planned.{name}", 1))
        ledger.show(name, some)
    return ledger


def has_changed(folder: Path, known: Iterable[DataFile], runs: set[str], files: range) -> bool:
    """Whether the lake has other files of these runs, or of these numbers, than it had when it had
    the `known` parts."""
    before = set(known)
    later = [part for part in read_manifests(folder)[1] if part not in before]
    return any(run in runs or number in files for run, number in files_in(folder, later))


def files_in(folder: Path, parts: Iterable[DataFile]) -> Iterator[tuple[str, int]]:
    """Run and number of the files that parts of a lake tell of."""
    for part in parts:
        if part.table == "load_file":
            columns = ["run", "file_id"]
            rows = pq.read_table(utf8_name(folder / part.path), columns=columns, partitioning=None)
            yield from zip(*(rows[name].to_pylist() for name in columns), strict=True)
