"""The database: open it, make its tables from the layouts, append Arrow, keep the ledger.

One DuckDB file holds any number of runs. Tables come from the declared layouts, views from
imsperf.sql. Everything a load writes is one transaction.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby
from logging import getLogger
from operator import attrgetter, itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import duckdb
import pyarrow as pa

from imsperf import __version__, layouts
from imsperf.database.read_only import lock
from imsperf.database.row_groups import ahead, row_groups
from imsperf.database.schema_cache import SchemaCache, cached_schema, remove_leftovers
from imsperf.described import comment_statements
from imsperf.errors import StoreError
from imsperf.layout import RAW_TABLES, Table
from imsperf.ledger import LEDGER_TABLES, META_TABLE
from imsperf.output_files import utf8_name

SCHEMA_VERSION = 1
_log = getLogger(__name__)  # nobody has to configure it: warnings go to stderr
_HELD_SHARE, _HELD_OF_LITTLE = 8, 12  # of the memory of a load: rows that wait for their row group
_ROOMY = 1 << 30  # memory in which row groups may be put together while others are inserted
_OWN_MEMORY = 192 << 20  # bytes of Python and its libraries
_LARGE = 16 << 20  # bytes of rows whose memory is given back where there is little


@cache
def table_statements() -> str:
    """CREATE TABLE with comments for every table that a new database has."""
    statements = [sql for table in declared_tables() for sql in table.create_sql()]
    return ";\n".join(
        sql.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS") for sql in statements
    )


@cache
def declared_tables() -> tuple[Table, ...]:
    """Every ledger and raw table, and all that SQL of ours reads.

    The tables of other sections are made when the first of their rows comes.
    """
    ledger = [
        Table(name, doc, _NO_SECTION, columns) for name, (doc, columns) in LEDGER_TABLES.items()
    ]
    raw = [
        Table(name, "Records without a layout", _NO_SECTION, c) for name, c in RAW_TABLES.items()
    ]
    return (*ledger, *raw, *tables_of_sql())


@cache
def tables_of_sql() -> tuple[Table, ...]:
    """Tables that views, reports and the like name."""
    words = re.findall(r"\b(?:smf\d+|ims)_\w+", "\n".join(_sql_texts().values()))
    ours = layouts.shipped_tables()  # views read our columns, whatever the user brings
    return tuple(ours[name] for name in dict.fromkeys(words) if name in ours)


@cache
def shipped_columns() -> dict[str, dict[str, str]]:
    """Name and SQL type of the columns of tables that our SQL reads, and of the ledger."""
    tables = {name: columns for name, (_, columns) in LEDGER_TABLES.items()} | RAW_TABLES
    tables |= {table.name: table.columns for table in tables_of_sql()}
    return {name: {c.name: c.sql for c in columns} for name, columns in tables.items()}


_NO_SECTION: Any = None  # ledger and raw tables come from no section


def view_statements() -> list[str]:
    """The text of every view file, in the order of their names."""
    return list(view_files().values())


def view_files() -> dict[str, str]:
    """The text of every view file, by its path among our SQL."""
    return {path: text for path, text in _sql_texts().items() if path.startswith("views/")}


@cache
def _sql_texts() -> dict[str, str]:
    """All SQL of this version by path, in the order of the paths; read once."""
    return dict(_texts(files("imsperf.sql"), ""))


def _texts(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=attrgetter("name")):
        if entry.name.endswith(".sql"):
            yield path + entry.name, entry.read_bytes().decode()
        elif entry.is_dir():
            yield from _texts(entry, f"{path}{entry.name}/")


def install_views(con: duckdb.DuckDBPyConnection, *, comments: bool = True) -> None:
    """(Re)create every view; comments take as long as all else."""
    for text in view_statements():
        con.execute(text)
        if comments:
            con.execute(comment_statements(text))


@dataclass
class Store:
    """An open database. Use as a context manager."""

    path: Path
    con: duckdb.DuckDBPyConnection
    memory: int = 2 << 30  # bytes that a load may take, about
    is_unused: bool = False  # made by this process, and nothing is committed yet
    _ready: set[str] = field(default_factory=set)  # tables that have all columns of this version

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close(failed=kind is not None)

    def close(self, failed: bool = False) -> None:
        """Close it; one that a failed load made is deleted while nobody else can open it."""
        unused = failed and self.is_unused
        if unused and sys.platform != "win32":  # there an open file cannot be deleted
            _remove(self.path)
        self.con.close()
        if unused and (sys.platform == "win32" or not self.path.exists()):
            _remove(self.path)  # and what closing wrote

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing: whatever is raised inside leaves the database as it was."""
        self.con.execute("BEGIN TRANSACTION")
        try:
            yield
        except BaseException:
            with suppress(duckdb.Error):  # a full disk may have ended the transaction already
                self.con.execute("ROLLBACK")
            raise
        self.con.execute("COMMIT")
        self.is_unused = False

    def ready(
        self, statements: Iterable[str] | None = None, about: Any = None, often: Iterable[str] = ()
    ) -> Store:
        """The store in which all that these statements read is there; None: whatever is asked.

        `about`: SMF records of intervals about other ones may be left out, see `Keep`. `often`:
        views that they read more than once.
        """
        return self

    def see_records(self) -> None:
        """Let what was appended to load_record be read; a database needs nothing for that."""

    def append_batches(self, batches: Iterable[tuple[str, pa.RecordBatch]]) -> None:
        """Insert (table, rows) as they come, gathered into row groups."""
        is_roomy = self.memory >= _ROOMY
        held = self.memory // (_HELD_SHARE if is_roomy else _HELD_OF_LITTLE)
        gathered = row_groups(ahead(batches, 8 if is_roomy else 4), held)
        groups: Iterator[tuple[str, pa.RecordBatch]]
        groups = ((table, batch) for table, rows in gathered for batch in rows.to_batches())
        groups = ahead(groups, 4) if is_roomy else _released(groups)
        for table, following in groupby(groups, itemgetter(0)):
            self._append_stream(table, (rows for _, rows in following))

    def _append_stream(self, table: str, batches: Iterator[pa.RecordBatch]) -> None:
        """Insert batches by one statement: all threads are busy until the last of them."""
        first = next(batches)
        failed: list[BaseException] = []

        def rows() -> Iterator[pa.RecordBatch]:
            """The batches; what is raised must not pass through DuckDB, which would reword it."""
            try:
                yield first
                yield from batches
            except BaseException as error:
                failed.append(error)

        self.append(table, pa.RecordBatchReader.from_batches(first.schema, rows()))
        if failed:
            raise failed[0]

    def append(self, table: str, rows: pa.Table | pa.RecordBatchReader) -> None:
        """Insert Arrow rows; columns are matched by name. A table of a layout is made first."""
        if table not in self._ready and table not in LEDGER_TABLES and table not in RAW_TABLES:
            self._prepare(layouts.table(table))
        self.insert_into(f'"{table}"', rows)

    def insert_into(self, place: str, rows: pa.Table | pa.RecordBatchReader) -> None:
        """Insert Arrow rows into a table that is there; columns are matched by name."""
        # Found by its name in this frame: a registered view would keep the rows until COMMIT.
        incoming = rows  # noqa: F841
        self.con.execute(f"INSERT INTO {place} BY NAME SELECT * FROM incoming")

    def _prepare(self, table: Table) -> None:
        """Make a table that is missing, and columns that it lacks: an older version made it."""
        there = self.columns(table.name)
        statements = [] if there else list(table.create_sql())
        if there:
            late = [column for column in table.columns if column.name not in there]
            statements = [f'ALTER TABLE {table.name} ADD COLUMN "{c.name}" {c.sql}' for c in late]
        users = any(table.section in record.sections for record in layouts.user_records())
        if users:
            self._check_types(table, there)
        try:
            for statement in statements:
                self.con.execute(statement)
        except duckdb.Error as error:
            if not users:
                raise
            words = f"{self.path}: table {table.name}: {str(error).splitlines()[0]}"
            hint = "give the section of your layout another `table` name"
            raise StoreError(words, hint) from error
        self._ready.add(table.name)

    def has_tables(self, names: Iterable[str]) -> None:
        """Some tables are there, with all columns of this version."""
        self._ready.update(names)

    def columns(self, table: str) -> dict[str, str]:
        """Name and type of the columns of a table; none where it is not there."""
        sql = """
            SELECT column_name, data_type
            FROM duckdb_columns()
            WHERE database_name = current_database() AND table_name = ?
        """
        return dict(self.con.execute(sql, [table]).fetchall())

    def _check_types(self, table: Table, there: dict[str, str]) -> None:
        """A layout of the user may have changed since the table was made."""
        for column in table.columns:
            if there.get(column.name, column.sql) != column.sql:
                raise StoreError(
                    f"{self.path}: {table.name}.{column.name}: found a column of type "
                    f"{there[column.name]}, the layout says {column.sql}",
                    "the layout has changed: load into another database",
                )

    def append_rows(self, table: str, rows: list[dict[str, Any]]) -> None:
        """Insert a few rows of a ledger table."""
        if not rows:
            return
        columns = LEDGER_TABLES[table][1]
        schema = pa.schema([(c.name, c.arrow) for c in columns])
        self.append(table, pa.Table.from_pylist(rows, schema=schema))

    def next_file_id(self) -> int:
        """A number no file in this database has."""
        return int(self.scalar("SELECT coalesce(max(file_id), 0) + 1 FROM load_file"))

    def scalar(self, sql: str, parameters: list[Any] | None = None) -> Any:
        """The first value of the first row."""
        rows = self.con.execute(sql, parameters or []).fetchall()
        return rows[0][0] if rows else None


def open_store(
    path: str | Path,
    *,
    create: bool = False,
    read_only: bool = False,
    memory: int | None = None,
    threads: int | None = None,
) -> Store:
    """Open a database of ours; `create` makes tables and views that are missing.

    `memory` bounds what a load takes, in bytes, about; `threads` those of DuckDB. Raises
    StoreError where the file is missing, not a DuckDB database, not ours, or newer than us.

    A database of another version gets our views, and tables and columns that they read: NULL for
    what was loaded before. Its rows stay as they are.
    """
    file = Path(path)
    existed = file.exists()
    if not existed and not create:
        raise StoreError(
            f"{file}: found no such file, expected a database made by imsperf load", _nearby(file)
        )
    copied = _copied(file) if create and not existed else None
    store = copied or Store(file, _connect(file, read_only))
    try:
        if not (existed or copied):
            store.is_unused = not store.scalar("SELECT count(*) FROM duckdb_tables()")
        is_unused = store.is_unused
        _limit(store, memory, threads)
        facts = _facts(store) if existed else {}
        if existed:
            _check_ours(store, facts)
        if read_only and facts and _is_of_another_version(facts):
            store.close()
            _bring_up_to_date(file)
            store = Store(file, _connect(file, read_only))
            _limit(store, memory, threads)
        if create:
            _create(store)
            store.is_unused = is_unused  # it has tables now, and no rows
        if copied:
            store.has_tables(table.name for table in tables_of_sql())
    except BaseException:
        store.close(failed=True)
        raise
    return store


def open_empty(config: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """A database in memory with all tables that views read, and no row."""
    con = duckdb.connect(config={**OFFLINE, **config})
    _create(Store(Path(), con))
    return con


def _limit(store: Store, memory: int | None, threads: int | None) -> None:
    if memory is not None:
        store.memory = memory
        store.con.execute(f"SET memory_limit = '{(memory - _OWN_MEMORY) // 2 >> 10}KiB'")
    if threads is not None:
        store.con.execute(f"SET threads = {threads}")


def _released(groups: Iterable[tuple[str, pa.RecordBatch]]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The same; memory of those before, which Arrow keeps for the next, is given back."""
    for group in groups:
        yield group
        if group[1].nbytes >= _LARGE:
            pa.default_memory_pool().release_unused()


def log_of(path: Path) -> Path:
    """DuckDB's log beside a database: what was committed and does not stand in the file yet.

    Closing a database empties it, where there is room for that.
    """
    return path.with_name(path.name + ".wal")


def _remove(path: Path) -> None:
    """Delete a database file and its log, if they are there."""
    for file in (path, log_of(path)):
        with suppress(OSError):  # it is not there, or nothing can be written there at all
            file.unlink()


# The oldest DuckDB that opens our files: it has the types and functions that tables and views use.
STORAGE_VERSION = "v1.2.0"

# DuckDB fetches nothing from a network.
OFFLINE: dict[str, Any] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # an ASOF join whose left side is thought small compares each row with each: seconds, not tenths
    "asof_loop_join_threshold": 0,
    # they take a tenth of the time of SQL that reads many views, and save other SQL nothing
    "disabled_optimizers": "projection_pullup,projection_placement",
}
STORED = {**OFFLINE, "storage_compatibility_version": STORAGE_VERSION}


def _connect(file: Path, read_only: bool) -> duckdb.DuckDBPyConnection:
    existed = file.exists()
    try:
        con = duckdb.connect(utf8_name(file), read_only=read_only, config=STORED)
        return lock(con) if read_only else con
    except (duckdb.Error, OSError) as error:
        first = str(error).splitlines()[0]
        if not existed and "lock" not in first.lower():
            _remove(file)
        if _NO_DATABASE in first:
            what = "a file that is no database" if file.stat().st_size else "an empty file"
            raise StoreError(
                f"{file}: found {what}, expected a database made by imsperf load",
                "dumps go before --db: `imsperf load DUMP --db NEW.duckdb`",
            ) from error
        hint = next(
            (hint for word, hint in _HINTS.items() if word in first.lower()),
            "name a database made by imsperf load, or a file in a folder you can write to",
        )
        raise StoreError(f"{file}: cannot be opened as a database: {first}", hint) from error


_NO_DATABASE = "not a valid DuckDB database file"
_HINTS = {
    "lock": "another process has it open; wait for it, or write to another --db file",
    "no space": "free space, or name a --db file elsewhere",
    "too large": "files may not be that large here: name a --db file elsewhere",
}


def _nearby(file: Path) -> str:
    folder = file.parent if file.parent.is_dir() else Path()
    there = sorted(p.name for p in folder.glob("*.duckdb"))
    return (
        f"databases there: {', '.join(there[:5])}"
        if there
        else "make one with `imsperf load FILE --db`"
    )


def _check_ours(store: Store, facts: dict[str, str]) -> None:
    version = facts.get("schema_version")
    if version is None:
        if not store.scalar("SELECT count(*) FROM duckdb_tables()"):
            return  # an empty database: what a killed first load leaves
        raise StoreError(
            f"{store.path}: found a DuckDB database without imsperf's tables, expected one of ours",
            "name another file; imsperf writes only to databases it made",
        )
    if int(version) > SCHEMA_VERSION:
        raise StoreError(
            f"{store.path}: found schema version {version}, expected at most {SCHEMA_VERSION}",
            f"it was written by a newer imsperf than this {__version__}: upgrade imsperf",
        )


def _create(store: Store) -> None:
    """Make what is missing; a database this version has prepared before is left alone."""
    facts = _facts(store)
    if facts.get("definitions") == _definitions():
        if facts.get("sql") != _sql_version():
            store.con.execute(_SET_META, ["sql", _sql_version()])
        return
    is_empty = not store.scalar("SELECT count(*) FROM duckdb_tables()")
    if not is_empty:  # it takes seconds
        _log.warning("%s: of another version of imsperf; its views are made anew, once", store.path)
    with SchemaCache(store.con, kept_version(), _make_schema) as cache, store.transaction():
        if is_empty and cache.copy():
            _set_facts(store)
        else:
            _define(store)


_SET_META = "INSERT OR REPLACE INTO imsperf_meta VALUES (?, ?)"


def kept_version() -> str:
    """What an empty database depends on."""
    return f"{_definitions()}-{__version__}-{duckdb.__version__}"


def _make_schema(path: Path) -> None:
    with duckdb.connect(utf8_name(path), config=STORED) as con:
        store = Store(path, con)
        with store.transaction():  # DuckDB would write each of thousands of statements to disk
            _define(store)


def _define(store: Store) -> None:
    """Tables that are missing, and columns of those an earlier version made; views anew."""
    _add_columns(store)
    store.con.execute(table_statements())
    store.con.execute(META_TABLE)
    install_views(store.con)
    _set_facts(store)


def _set_facts(store: Store) -> None:
    facts = {
        "schema_version": str(SCHEMA_VERSION),
        "written_by": f"imsperf {__version__}",
        "definitions": _definitions(),
        "sql": _sql_version(),
    }
    every = "INSERT OR REPLACE INTO imsperf_meta SELECT unnest(?), unnest(?)"
    store.con.execute(every, [list(facts), list(facts.values())])


def _add_columns(store: Store) -> None:
    """Columns that tables of an earlier version lack; NULL for what it loaded."""
    for table, columns in shipped_columns().items():
        there = store.columns(table)
        for column, kind in columns.items():
            if there and column not in there:
                store.con.execute(f'ALTER TABLE {table} ADD COLUMN "{column}" {kind}')


def _is_of_another_version(facts: dict[str, str]) -> bool:
    """Whether it lacks tables or views of this version. Where no SQL has changed, it does not."""
    return facts.get("sql") != _sql_version() and facts.get("definitions") != _definitions()


def _bring_up_to_date(file: Path) -> None:
    """Make views of this version in a database of another. Raises StoreError where that fails."""
    try:
        with Store(file, _connect(file, read_only=False)) as store:
            _create(store)
    except (StoreError, duckdb.Error) as error:
        first = str(error).splitlines()[0]
        raise StoreError(
            f"{file}: found views of another version of imsperf, which cannot be replaced: {first}",
            "close what has it open and let it be written to, or load the files again",
        ) from error


@cache
def _sql_version() -> str:
    """A short hash of all SQL of this version: its views, and what names the tables it needs."""
    return sha256("\n".join(_sql_texts().values()).encode()).hexdigest()[:16]


@cache
def _definitions() -> str:
    """A short hash of all tables and views of this version."""
    return sha256("\n".join([table_statements(), *view_statements()]).encode()).hexdigest()[:16]


def _facts(store: Store) -> dict[str, str]:
    """What the database says of itself; nothing where it is not ours."""
    if not store.scalar("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'imsperf_meta'"):
        return {}
    return dict(store.con.execute("SELECT key, value FROM imsperf_meta").fetchall())


def _copied(file: Path) -> Store | None:
    """A new database, copied to a place where nothing is; None where that cannot be done.

    It comes to its place whole, and not where another process was faster.
    """
    with suppress(OSError, RuntimeError, duckdb.Error):  # RuntimeError: there is no home
        cache = cached_schema(kept_version(), _make_schema)
        part = file.with_name(f".{file.name}.{uuid4().hex[:12]}")
        remove_leftovers(file.parent, f".{glob.escape(file.name)}.{'[0-9a-f]' * 12}")
        try:
            shutil.copyfile(cache, part)
            made = part.stat()
            os.link(part, file)
        finally:
            part.unlink(missing_ok=True)
        try:
            con = duckdb.connect(utf8_name(file), config=STORED)
        except duckdb.Error as error:
            if "lock" not in str(error).lower():  # another process has it
                _remove(file)
                cache.unlink()
            raise
        now = file.stat()  # another process may have loaded into it
        is_unused = (now.st_size, now.st_mtime_ns) == (made.st_size, made.st_mtime_ns)
        return Store(file, con, is_unused=is_unused)
    return None
