"""Sources of rows: a database, the folder of a lake, or dumps that are asked without either."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imsperf.database.store import Store
    from imsperf.errors import StoreError

Paths = str | Path | Sequence[str | Path]  # files, folders, patterns; one or several

_BOUND = "384MiB"  # of DuckDB, where memory is bounded
_DUCKDB, _DUCKDB_AT = b"DUCK", 8  # in each of its files


@dataclass(frozen=True)
class Dumps:
    """Dumps that are asked without a database.

    `memory` (bytes) bounds what is taken, about; `told` hears what is lost in them, a line each;
    `run` names the measurement, by itself the folder a file is in.
    """

    paths: Paths
    memory: int | None = None
    told: Callable[[str], None] | None = None
    run: str | None = None


Source = Paths | Dumps  # a database, a lake, or dumps


def connect(db: Source, *, bounded: bool = False) -> Store:
    """Open a database, the folder of a lake, or dumps to read. Raises StoreError if it is none.

    Of dumps each statement decodes what it reads, when it is first asked; closing the store forgets
    it. SQL goes through `execute`, `sql` or `query` of its connection. DumpError is raised there
    for a file that is no dump, or has changed since it was opened.
    `bounded`: SQL takes half a gigabyte of memory, as far as that can do, and sorts on disk.
    """
    source = resolved(db)
    if isinstance(source, Dumps):
        from imsperf.direct import open_dumps

        given = source.paths
        paths = [given] if isinstance(given, str | Path) else given
        return open_dumps(paths, source.run, source.memory, source.told)
    if source.is_dir():
        from imsperf.lake.manifest import open_lake

        store = open_lake(source)
    else:
        from imsperf.database.store import open_store

        if source.is_file() and not is_database(source):
            raise _neither(source)
        store = open_store(source, read_only=True)
    if bounded:
        store.con.execute(f"SET memory_limit = '{_BOUND}'")
    return store


@contextmanager
def connected(db: Source | Store) -> Iterator[Store]:
    """The store, which stays open if it was."""
    if isinstance(db, str | Path | Sequence | Dumps):
        with connect(db) as store:
            yield store
    else:
        yield db


def resolved(db: Source) -> Path | Dumps:
    """The path of a database or lake, or of what should be one; else dumps.

    Dumps are several paths, a pattern, a path that holds a dump, and - for standard input.
    """
    if isinstance(db, Dumps):
        return db
    if not isinstance(db, str | Path):
        return resolved(db[0]) if len(db) == 1 else Dumps(db)
    path = Path(db)
    return Dumps(db) if not is_database(path) and not _why_no_dump(path) else path


def heard(db: Source, told: Callable[[str], None] | None, memory: int | None = None) -> Source:
    """The same source; of dumps, what is lost is told, and `memory` bounds what is taken."""
    source = resolved(db)
    if not isinstance(source, Dumps):
        return source
    return replace(source, told=source.told or told, memory=source.memory or memory)


def database_and_run(label: str) -> tuple[str, str]:
    """Path and run of DATABASE::RUN; a path that is there may have :: in it."""
    path, _, run = (label, "", "") if is_there(Path(label)) else label.partition("::")
    return path, run


def is_there(path: Path) -> bool:
    """Whether it exists; a text that is too long for a name does not."""
    try:
        return path.exists()
    except OSError:
        return False


def is_database(path: Path) -> bool:
    """Whether it is a DuckDB file or the folder of a lake."""
    if path.is_dir():
        from imsperf.lake.manifest import is_lake

        return is_lake(path)
    try:
        with path.open("rb") as file:
            return file.read(_DUCKDB_AT + len(_DUCKDB))[_DUCKDB_AT:] == _DUCKDB
    except (OSError, ValueError):
        return False


def _why_no_dump(path: Path) -> str:
    """Why a path holds no dump; empty where it holds one, or may as a pattern."""
    from imsperf.errors import DumpError
    from imsperf.parsers.containers.source import STDIN
    from imsperf.parsers.framing.frames import why_no_dump
    from imsperf.parsers.read import expand_paths

    if path == STDIN:
        return ""
    if not is_there(path):
        return "" if glob.has_magic(str(path)) else "no such file"
    try:
        first = expand_paths([path])[0]
        return "" if path.is_dir() else why_no_dump(first)  # those of a folder were looked at
    except DumpError as error:
        return error.message


def _neither(path: Path) -> StoreError:
    """A file that is no database is thought to be a dump: what speaks against that."""
    from imsperf.errors import StoreError

    return StoreError(
        f"{_why_no_dump(path)}, or a database made by imsperf load",
        "`imsperf doctor` says what became of a dump",
    )
