"""A lake: the tables of a database as Parquet files in a folder. Its manifests; open it to read.

DIR/<table>/system=<system>/date=<date>/part-<load>-<n>.parquet
DIR/_imsperf/manifest-<load>.json    the files that one load added; no other file is read
DIR/_imsperf/lock, DIR/.staging      of the load that is going on
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

import duckdb

from imsperf import __version__, layouts
from imsperf.database.read_only import lock
from imsperf.database.schema_on_demand import ConnectionOnDemand, SchemaOnDemand, is_declared
from imsperf.database.store import SCHEMA_VERSION, Store
from imsperf.errors import StoreError
from imsperf.ledger import LEDGER_TABLES, META_NAME, META_TABLE
from imsperf.locks import WorkFolder
from imsperf.output_files import utf8_name

FORMAT = 1
_RELOAD = "load the dumps again into another folder"
HOME = "_imsperf"
_MANIFEST = "manifest-*.json"
_SQL_TYPE = re.compile(r"[A-Z]+(\(\d+(,\s?\d+)?\))?(\[\d*\])?")


@dataclass(frozen=True)
class DataFile:
    """A Parquet file of a table; `path` counts from the lake's folder, `columns` are name and SQL
    type."""

    table: str
    path: str
    rows: int
    bytes: int
    columns: tuple[tuple[str, str], ...]


def is_lake(folder: str | Path) -> bool:
    """A folder that a load has made a lake of, be it an empty one."""
    return (Path(folder) / HOME).is_dir()


@dataclass
class LakeStore(Store):
    """An open lake; what does not fit in memory goes to a folder that is removed with it."""

    spill: WorkFolder | None = None

    def close(self, failed: bool = False) -> None:
        """Close it."""
        self.con.close()
        if self.spill is not None:
            self.spill.close()


def open_lake(folder: str | Path) -> Store:
    """Open a lake to read: in memory, a view for each table, the views of reports over them.

    Raises StoreError for a folder that is no lake, was written by a newer imsperf, or lacks a file.
    """
    place = Path(folder).resolve()
    _, parts = read_manifests(place)
    check_there(place, parts)
    spill = WorkFolder()
    try:
        config = {"temp_directory": str(spill.path)}
        schema = _Schema(Path(folder), place, parts, config)
        lock(schema.con)
        return LakeStore(Path(folder), schema.connection(), spill=spill)
    except BaseException:
        spill.close()
        raise


class _Schema(SchemaOnDemand):
    """The tables of a lake and the views over them, made when they are named: a view for each table
    of the lake, and an empty table for each that it lacks."""

    def __init__(
        self,
        folder: Path,
        place: Path,
        parts: Sequence[DataFile],
        config: dict[str, Any],
    ) -> None:
        tables = by_table(parts).items()
        made = {name: table_statement(place, name, some) for name, some in tables}
        super().__init__(config, made, [place / part.path for part in parts])
        self._folder = folder
        self.con.execute(META_TABLE)
        facts = {"schema_version": str(SCHEMA_VERSION), "written_by": f"imsperf {__version__}"}
        for item in facts.items():
            self.con.execute("INSERT INTO imsperf_meta VALUES (?, ?)", list(item))
        self.has([META_NAME])
        with self._told():
            for name, statement in made.items():
                if not is_declared(name):  # no view reads it
                    self.con.execute(statement)

    def connection(self) -> duckdb.DuckDBPyConnection:
        """A connection to read."""
        return cast(duckdb.DuckDBPyConnection, ConnectionOnDemand(self.con, self))

    def make(self, sql: str) -> None:
        """As SchemaOnDemand.make. Raises StoreError where a file of the lake cannot be read."""
        with self._told():
            super().make(sql)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            first = str(error).splitlines()[0]
            raise StoreError(
                f"{self._folder}: cannot be read as a lake: {first}", _RELOAD
            ) from error


def by_table(parts: Iterable[DataFile]) -> dict[str, list[DataFile]]:
    """The parts of each table, in the order of the loads."""
    tables: dict[str, list[DataFile]] = {}
    for part in parts:
        tables.setdefault(part.table, []).append(part)
    return tables


def table_statement(folder: Path, table: str, parts: list[DataFile]) -> str:
    """Makes a view over the files of a table, with the columns and types that a database has."""
    columns = columns_of(parts)
    picks = [_pick(name, sql) for name, sql in columns.items()]
    picks += [
        f"CAST(NULL AS {c}) AS {_name(n)}" for n, c in _ours(table).items() if n not in columns
    ]
    differ = len({part.columns for part in parts}) > 1
    files = ", ".join(_files(folder, parts))
    return (
        f"CREATE OR REPLACE VIEW {_name(table)} AS SELECT {', '.join(picks)} "
        f"FROM read_parquet([{files}], union_by_name = {differ}, hive_partitioning = false)"
    )


def columns_of(parts: Iterable[DataFile]) -> dict[str, str]:
    """Name and SQL type of all columns; those that later loads added come last."""
    return {name: sql for part in parts for name, sql in part.columns}


def _ours(table: str) -> Mapping[str, str]:
    """The columns that our views may read of a table; an older load may lack some."""
    if table in LEDGER_TABLES:
        return {column.name: column.sql for column in LEDGER_TABLES[table][1]}
    if table not in layouts.shipped_tables():
        return {}
    return {column.name: column.sql for column in layouts.shipped_table(table).columns}


def _pick(name: str, sql: str) -> str:
    """A column as it is in a database: Parquet has neither intervals nor lists of fixed length."""
    column = _name(name)
    if sql == "INTERVAL":
        return f"to_microseconds({column}) AS {column}"
    return f"CAST({column} AS {sql}) AS {column}" if sql.endswith("]") else column


def _files(folder: Path, parts: Iterable[DataFile]) -> list[str]:
    return [_text(utf8_name((folder / part.path).as_posix())) for part in parts]


def _name(words: str) -> str:
    return '"' + words.replace('"', '""') + '"'


def _text(words: str) -> str:
    return "'" + words.replace("'", "''") + "'"


# --- manifests -----------------------------------------------------------------------------------


def read_manifests(folder: Path) -> tuple[int, list[DataFile]]:
    """The number of the last load, and the files that all loads added."""
    if not is_lake(folder):
        raise StoreError(
            f"{folder}: found a folder without {HOME}, expected a lake made by imsperf load",
            "make one with `imsperf load FILE --parquet DIR`, or name a database",
        )
    last, parts = 0, list[DataFile]()
    for file in sorted((folder / HOME).glob(_MANIFEST)):
        content = _content(file)
        try:
            number, some = content["load"], list(_parts(content))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise _broken(file, f"{type(error).__name__} {error}") from error
        last = max(last, int(number))
        parts += some
    return last, parts


def _content(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        version = int(content["format"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _broken(file, str(error)) from error
    if version > FORMAT:
        raise StoreError(
            f"{file}: found format {version}, expected at most {FORMAT}",
            f"it was written by a newer imsperf than this {__version__}: upgrade imsperf",
        )
    content_read: dict[str, Any] = content
    return content_read


def _broken(file: Path, words: str) -> StoreError:
    return StoreError(f"{file}: found no manifest of a lake: {words}", _RELOAD)


def _parts(content: dict[str, Any]) -> Iterable[DataFile]:
    schemas = [tuple((str(n), _sql_type(t)) for n, t in schema) for schema in content["schemas"]]
    for part in content["parts"]:
        columns = schemas[part["schema"]]
        path = inside(part["path"])
        yield DataFile(str(part["table"]), path, int(part["rows"]), int(part["bytes"]), columns)


def _sql_type(words: str) -> str:
    if not _SQL_TYPE.fullmatch(words):
        raise ValueError(f"type {words!r}")
    return words


def inside(path: str) -> str:
    """The same path. ValueError where it leads out of the lake."""
    place = PurePosixPath(path)
    if place.is_absolute() or ".." in place.parts or "\\" in path or ":" in path:
        raise ValueError(f"path {path!r}")
    return path


def check_there(folder: Path, parts: Iterable[DataFile]) -> None:
    """Raise StoreError where a file is missing, or has another length than a load gave it."""
    for part in parts:
        file = folder / part.path
        size = file.stat().st_size if file.is_file() else None
        if size != part.bytes:
            what = "no such file" if size is None else f"{size:,} bytes"
            raise StoreError(f"{file}: found {what}, expected {part.bytes:,} bytes", _RELOAD)


def manifest_path(folder: Path, load: int) -> Path:
    """Where the manifest of a load stands."""
    return folder / HOME / f"manifest-{load:06d}.json"


def manifest_text(load: int, parts: Iterable[DataFile]) -> str:
    """The manifest of a load."""
    some = list(parts)
    schemas = list(dict.fromkeys(part.columns for part in some))
    rows = [
        {
            "table": part.table,
            "path": part.path,
            "rows": part.rows,
            "bytes": part.bytes,
            "schema": schemas.index(part.columns),
        }
        for part in some
    ]
    head = {"format": FORMAT, "written_by": f"imsperf {__version__}", "load": load}
    return json.dumps({**head, "schemas": schemas, "parts": rows}, indent=1)
