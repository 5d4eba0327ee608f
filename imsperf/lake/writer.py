"""Load into a lake by one process: all of it or nothing, as into a database.

What a load writes stands in .staging/<load>. In the end its parts are renamed to their places, and
a manifest that names them is renamed in: from then on they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

import duckdb
import pyarrow as pa

from imsperf.database.row_groups import ahead
from imsperf.errors import ImsperfError, StoreError
from imsperf.lake.commits import Claim, Ledger, Staged, ledger_of
from imsperf.lake.manifest import HOME, is_lake
from imsperf.lake.parts import PartWriter, rows_held

_FILES = 10_000  # numbers that are claimed: how many files are in archives is not known before
_RECORDS = "load_record"


@dataclass
class Staging(Ledger):
    """The ledger of a lake, and a load whose rows are written aside until `publish`."""

    claim: Claim | None = None
    writer: PartWriter | None = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self.claim and self.writer
        self.writer.abort()
        self.claim.release()
        super().__exit__(kind, error, at)

    def next_file_id(self) -> int:
        """A number that no file in the lake has, nor any that another load has claimed."""
        assert self.claim
        return max(self.claim.numbers.first_file, super().next_file_id())

    def append_batches(self, batches: Iterable[tuple[str, pa.RecordBatch]]) -> None:
        """Write (table, rows) as they come, decoded a little ahead."""
        assert self.writer
        for table, rows in ahead(batches):
            self.writer.add(table, rows)

    def see_records(self) -> None:
        """Close the files of load_record: what was written can be read."""
        assert self.claim and self.writer
        self.writer.complete(_RECORDS)
        aside = self.writer.folder.relative_to(self.folder)
        written = [
            replace(part, path=(aside / part.path).as_posix())
            for part in self.writer.done
            if part.table == _RECORDS
        ]
        self.show(_RECORDS, [*self.claim.known, *written])

    def publish(self, runs: set[str]) -> bool:
        """Add all to the lake. False where another load was faster: see `Claim.publish`."""
        assert self.claim and self.writer
        first, end = self.claim.numbers.first_file, self.next_file_id()
        self.write(self.writer)
        parts = self.writer.close()
        self.check_types(parts, self.claim.known)
        staged = [Staged(self.writer.folder, part) for part in parts]
        return self.claim.publish(staged, runs, range(first, end))


def open_staging(path: Path, place: Path, memory: int | None = None) -> Staging:
    """Begin a load into a lake; `memory` bounds what it takes, in bytes, about."""
    claim = Claim.take(path, place, _FILES)
    try:
        ledger = ledger_of(place, claim.known, memory)
        writer = PartWriter(claim.staging / "rows", claim.numbers.load, rows_held(memory))
        return Staging(path, ledger.con, folder=place, claim=claim, writer=writer)
    except BaseException:
        claim.release()
        raise


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
            "free space, or name a folder you can write to; the lake is as it was",
        ) from error


def _remove_empty(folder: Path) -> None:
    """Remove a lake without a load: a folder that was not there before."""
    with suppress(OSError):
        (folder / HOME / "lock").unlink(missing_ok=True)
        (folder / HOME).rmdir()
        folder.rmdir()
