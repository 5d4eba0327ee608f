"""The schema of an empty database, kept to be copied.

Making tables, views and comments takes seconds. They stand in a database in the user's cache
folder, one for each version of the definitions. A new database begins as a copy of that file; where
one is there already, or in memory, its tables are copied. Where none can be kept, each new database
is made from the beginning. `cached_file` keeps other files there in the same way.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from imsperf.errors import OutputError
from imsperf.output_files import utf8_name

_ALIAS = "imsperf_schema_cache"
_MOST_VERSIONS = 4
_HALF_MADE_SECONDS = 600.0


class SchemaCache:
    """A context in which `copy` works, if a schema of that version could be kept.

    `make` writes one to a path. A kept database that cannot be read is removed.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, version: str, make: Callable[[Path], None]
    ) -> None:
        self._con, self._version, self._make = con, version, make
        self._is_there = False

    def __enter__(self) -> SchemaCache:
        with suppress(OSError, RuntimeError, duckdb.Error):  # RuntimeError: there is no home
            cache = cached_schema(self._version, self._make)
            quoted = utf8_name(cache).replace("'", "''")
            try:
                self._con.execute(f"ATTACH '{quoted}' AS {_ALIAS} (READ_ONLY)")
            except duckdb.Error:
                cache.unlink()
                raise
            self._is_there = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._is_there:
            with suppress(duckdb.Error):
                self._con.execute(f"DETACH {_ALIAS}")

    def copy(self) -> bool:
        """Copy it into the database of the connection, which has no table; False: nothing done."""
        if self._is_there:
            ((name,),) = self._con.execute("SELECT current_database()").fetchall()
            self._con.execute(f'COPY FROM DATABASE {_ALIAS} TO "{name}" (SCHEMA)')
        return self._is_there


def cached_schema(version: str, make: Callable[[Path], None]) -> Path:
    """The file that holds the schema of that version; `make` writes it where it is missing."""
    return cached_file("schema", version, ".duckdb", make)


def cached_file(kind: str, version: str, suffix: str, make: Callable[[Path], None]) -> Path:
    """A file of the user's cache folder; `make` writes it where it is missing.

    Raises OSError or RuntimeError where nothing can be kept.
    """
    cached = place_of_cached(kind, version, suffix)
    folder = cached.parent
    if not cached.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            copy = Path(work) / cached.name
            make(copy)
            copy.replace(cached)
        _remove_old(folder, f"{kind}-*{suffix}")
        remove_leftovers(folder, "tmp*")
    return cached


def place_of_cached(kind: str, version: str, suffix: str) -> Path:
    """Where such a file is, or would be. Raises RuntimeError where the user has no folder
    that a database can be in."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    folder = (Path(home) if home else Path.home() / ".cache") / "imsperf"
    try:
        utf8_name(folder)
    except OutputError as error:
        raise RuntimeError(str(error)) from error
    return folder / f"{kind}-{version}{suffix}"


def remove_leftovers(folder: Path, pattern: str) -> None:
    """Remove what killed processes left half made; others make such things in a second."""
    for path in folder.glob(pattern):
        with suppress(OSError):  # another process was faster, or still writes into it
            if time.time() - path.stat().st_mtime > _HALF_MADE_SECONDS:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _remove_old(folder: Path, pattern: str) -> None:
    versions = sorted(folder.glob(pattern), key=lambda file: file.stat().st_mtime)
    for old_version in versions[:-_MOST_VERSIONS]:
        old_version.unlink()
