"""Dumps asked as a database is: what a statement reads is decoded when it is first asked for.

Two databases in memory have the tables and views of any other. One stays empty: there DuckDB plans
each statement first, and the scans of its plan name the tables and columns that it reads. The other
gets those columns, with the ledger, before the statement runs; rows that do not fit in memory go to
a folder that is removed.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import duckdb
import pyarrow as pa

from imsperf import layouts
from imsperf.database.read_only import ReadOnly, lock
from imsperf.database.schema_on_demand import SchemaOnDemand, is_declared
from imsperf.database.store import Store, tables_of_sql
from imsperf.errors import StoreError
from imsperf.layout import RAW_TABLES, Column
from imsperf.ledger import LEDGER_TABLES
from imsperf.loading.load import Job, load_files
from imsperf.loading.loaded_file import LoadedFile, warnings
from imsperf.loading.repeats import NoHashesError
from imsperf.locks import WorkFolder
from imsperf.parsers.containers.mapped import Watch, unreadable
from imsperf.parsers.containers.source import STDIN
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.read import expand_paths
from imsperf.parsers.rows import Columns
from imsperf.parsers.selection import EVERYTHING, Selection

Told = Callable[[str], None]

MEMORY = 512 << 20  # bytes, where nothing is said
_SHARE = 3  # a third of the memory is what DuckDB may take; rows on their way to it take more
# Records decoded at a time: at most so many bytes, and where that many columns are wanted of a
# table so many parts of the memory. The fewer columns, the more records.
_PART_BYTES, _WIDE, _PARTS = 32 << 20, 64, 64
_FEW_PARTS = 16  # of the memory, where all records are decoded and few rows are kept
_PART = "decoded"  # the schema of the tables with the columns that were decoded
_COMPUTED = "memory.computed"  # the schema of views that statements read more than once
_KEY = "file_id"  # stands for a table of which only the rows are counted
_COUNTING = {"load_count", "load_interval"}  # tables that a walk with all headers fills
_PROBLEMS = "load_problem"  # a report tells of its own records
# What of the ledger a walk fills: rows of files; of all records the counts and intervals, then the
# problems, too; their hashes; the SHA-256 of files; and what run.toml says
_FILES, _COUNTS, _ALL_RECORDS, _NOTES = "load_file", "counts", "all records", "run_config"
_HASHES, _FINGERPRINT = "load_record", "sha256"
_KINDS = duckdb.StatementType
_DEFINES = {_KINDS.CREATE, _KINDS.DROP, _KINDS.ALTER, _KINDS.VARIABLE_SET}
_CHANGE = {_KINDS.INSERT, _KINDS.UPDATE, _KINDS.DELETE, _KINDS.MERGE_INTO}
_CHANGES = re.compile(  # its target; one's own may be temporary or in another schema
    r'(?i)\b(?:into|delete\s+from|update)\s+(?:\w+\.)*"?(\w+)'
    r"|\b(?:drop|alter|create(?:\s+or\s+replace)?)\s+(?:table|view|macro|function)\s+"
    r'(?:if\s+(?:not\s+)?exists\s+)?(?:(?:memory|main)\.)*"?(\w+)"?(?![\w".])'
)
_PLANNED = {
    *(_KINDS.SELECT, _KINDS.CREATE, _KINDS.INSERT, _KINDS.UPDATE, _KINDS.DELETE),
    _KINDS.MERGE_INTO,
}
_TABLE_NAME = re.compile(r"\b(?:smf\d+|ims)_\w+", re.IGNORECASE)
_MOST_PLANS = 1000  # that are kept
_OF_THE_SQL = ("unused_columns", "expression_rewriter")  # optimizers that look at it alone
_MOST_NAMES = 3  # of dumps, in a message
_NAME = re.compile(r"\w+(?:\.\w+)*")


def open_dumps(
    paths: Sequence[str | Path], run: str | None, memory: int | None, told: Told | None
) -> DumpStore:
    """Dumps as a store to read: see `imsperf.sources.Dumps`.

    Nothing is decoded yet: DumpError is raised for a file that is no dump when it is first asked.
    """
    told = told or (lambda words: None)
    dumps = expand_paths(paths, lambda _, why: told(f"passed over: {why}"))
    options = ReadOptions(memory=memory or MEMORY)
    job = Job(options, run, hashes=False, fingerprint=False)
    decoded = Decoded(tuple(dumps), job, told, memory or MEMORY, _names(paths))
    return DumpStore(dumps[0], _as_duckdb(decoded.connection()), decoded=decoded)


def _names(paths: Sequence[str | Path]) -> str:
    """What a user named, in a message."""
    if len(paths) > _MOST_NAMES:
        return f"{len(paths)} dumps"
    return ", ".join("standard input" if Path(path) == STDIN else str(path) for path in paths)


def _as_duckdb(con: DumpConnection) -> duckdb.DuckDBPyConnection:
    return cast(duckdb.DuckDBPyConnection, con)


@dataclass
class DumpStore(Store):
    """An open source of dumps."""

    decoded: Decoded | None = None

    def close(self, failed: bool = False) -> None:
        """Close it and remove what was written for it."""
        self.con.close()
        if self.decoded is not None:
            self.decoded.close()

    @contextmanager
    def again(self) -> Iterator[Store]:
        """These dumps for one more question: what is decoded stays, what it defines goes."""
        assert self.decoded is not None
        with self.decoded.connection() as con:
            yield replace(self, con=_as_duckdb(con))

    def ready(
        self,
        statements: Iterable[str] | None = None,
        about: Selection | None = None,
        often: Iterable[str] = (),
    ) -> Store:
        """Decode at once what these statements read; None: all there is.

        The store for them, without other SMF records of intervals than those `about`. Its ledger
        may know of records that none of them reads only that they are there: see `Decoded.read`.
        Views that they read `often` are computed once.
        """
        if self.decoded is None:
            return self
        if statements is None:
            self.decoded.read_all()
            return self
        about, views = about or EVERYTHING, tuple(often)
        with self.decoded.connection() as con:
            all_asked = (*statements, *(f"FROM {view}" for view in views))
            asked = _together([con.reads(statement) for statement in all_asked])
            self.decoded.read(asked, about=about)
        self.decoded.compute(views)
        return replace(self, con=_as_duckdb(self.decoded.connection(False, about, views)))


class DumpConnection(ReadOnly):
    """A connection that has what a statement reads decoded before DuckDB runs it."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        plan: duckdb.DuckDBPyConnection,
        decoded: Decoded,
        is_whole: bool,
        about: Selection,
        computed: tuple[str, ...],
    ) -> None:
        super().__init__(con)
        self.in_place = decoded.names
        self._plan, self._decoded, self._is_whole, self._about = plan, decoded, is_whole, about
        self._computed = computed
        self._defines = False  # tables or views of its own, which a text may name
        self._finds = self._plan_finds = False  # views that are attached
        for view in computed:  # found before the view of the database, also from other views
            con.execute(f"CREATE TEMP VIEW {view} AS FROM {_COMPUTED}.{view}")

    def ready(self, query: Any, values: Any = None) -> Any:
        """The same query, checked; what it reads is there."""
        given = self.statements(query)
        if any(statement.type is _KINDS.TRANSACTION for statement in given):
            raise _no_transaction()
        for statement in given:
            target = _changed(statement)
            if _is_ours(target.lower()) or is_declared(target.lower()):
                raise StoreError(f"found a change of {target}, expected SQL that only reads")
            self._decoded.read(self._columns(statement, values), self._is_whole, self._about)
            self._decoded.make(statement.query)
            self._finds = self._finds or self._decoded.find(self._con)
            if statement.type in _DEFINES:
                self._defines = True
                with suppress(duckdb.Error):  # the other database says what is wrong
                    self._plan.execute(statement, values or None)
        return query

    def reads(self, query: str) -> Columns:
        """The columns that SQL reads, by table."""
        return _together([self._columns(one) for one in duckdb.extract_statements(query)])

    def table(self, name: str) -> Any:
        """As DuckDBPyConnection.table."""
        return self.sql(f"FROM {name}")

    view = table

    def register(self, name: str, rows: Any) -> DumpConnection:
        """As DuckDBPyConnection.register."""
        self._defines = True
        self._plan.register(name, rows)
        self._con.register(name, rows)
        return self

    def attach_memory(self, name: str) -> None:
        """As ReadOnly.attach_memory."""
        super().attach_memory(name)
        self._defines = True
        ReadOnly(self._plan).attach_memory(name)

    def detach_memory(self, name: str) -> None:
        """As ReadOnly.detach_memory."""
        super().detach_memory(name)
        ReadOnly(self._plan).detach_memory(name)

    def begin(self) -> DumpConnection:
        """Raises StoreError: dumps have no transactions."""
        raise _no_transaction()

    def cursor(self) -> DumpConnection:
        """Another such connection."""
        con, plan = self._con.cursor(), self._plan.cursor()
        made = DumpConnection(con, plan, self._decoded, self._is_whole, self._about, self._computed)
        made._defines = self._defines  # temporary tables are each cursor's own, other things not
        return made

    duplicate = cursor

    def close(self) -> None:
        """Close it."""
        self._con.close()
        self._plan.close()

    def __enter__(self) -> DumpConnection:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _columns(self, statement: duckdb.Statement, values: Any = None) -> Columns:
        if self._defines:
            return self._planned(statement, values)
        plans, asked = _plans(layouts.current()), (statement.query, repr(values or None))
        if asked not in plans:
            if len(plans) >= _MOST_PLANS:
                plans.clear()
            plans[asked] = self._planned(statement, values)
        return plans[asked]

    def _planned(self, statement: duckdb.Statement, values: Any) -> Columns:
        _planner().make(statement.query)
        self._plan_finds = self._plan_finds or _planner().find(self._plan)
        self._define(statement.query)
        if statement.type in _PLANNED and "pivot" not in statement.query.lower():
            with suppress(duckdb.Error):
                return self._scanned(statement.query, values)
        return self._named(statement.query)

    def _define(self, sql: str) -> None:
        """Make empty tables for layouts that no view reads."""
        for name in dict.fromkeys(_TABLE_NAME.findall(sql)):
            if layouts.has_table(name.lower()) and not self._is_there(name):
                create = next(iter(layouts.table(name.lower()).create_sql()))
                self._plan.execute(create.replace("TABLE", "TEMP TABLE", 1))

    def _is_there(self, name: str) -> bool:
        try:
            self._plan.execute(f'SELECT 1 FROM "{name}" LIMIT 0')
        except duckdb.CatalogException:
            return False
        return True

    def _scanned(self, sql: str, values: Any) -> Columns:
        """What the scans of DuckDB's plan read. Raises duckdb.Error where it makes none."""
        rows = self._plan.execute(f"EXPLAIN (FORMAT json) {sql}", values or None).fetchall()
        scanned = _together(map(_scan, _nodes(json.loads(rows[-1][1]))))
        return {table: names for table, names in scanned.items() if _is_ours(table)}

    def _named(self, sql: str) -> Columns:
        """All that the tables, views and macros which a text names could read."""
        asked = []
        for name in dict.fromkeys(_NAME.findall(sql)):
            with suppress(duckdb.Error):
                asked.append(self._scanned(f"FROM {name}", None))
        return _together(asked)


def _changed(statement: duckdb.Statement) -> str:
    """The table, view or macro that a statement changes; empty: none."""
    is_change = statement.type in _CHANGE or statement.type in _DEFINES
    found = _CHANGES.search(statement.query) if is_change else None
    return found[1] or found[2] if found else ""


def _no_transaction() -> StoreError:
    return StoreError(
        "found a transaction, expected statements by themselves: what each reads of a dump is "
        "decoded before it runs, and a transaction sees nothing that came after its BEGIN",
        "leave out BEGIN, COMMIT and ROLLBACK, or load the dump: `imsperf load DUMP --db FILE`",
    )


def _nodes(plan: Any) -> Iterator[Mapping[str, Any]]:
    todo = list(plan)
    while todo:
        node = todo.pop()
        yield node
        todo += node.get("children", [])


def _scan(node: Mapping[str, Any]) -> Columns:
    """Table and columns of a scan; nothing for another node."""
    told = node.get("extra_info", {})
    table = str(told.get("Table", "")).rpartition(".")[2].strip('"')
    if not table:
        return {}
    columns = told.get("Projections") or []
    listed = [columns] if isinstance(columns, str) else columns
    return {table: frozenset(name.strip('"') for name in listed)}


def _is_ours(table: str) -> bool:
    return table in LEDGER_TABLES or table in RAW_TABLES or layouts.has_table(table)


def _together(asked: Iterable[Columns]) -> dict[str, frozenset[str]]:
    together: dict[str, frozenset[str]] = {}
    for columns in asked:
        for table, names in columns.items():
            together[table] = together.get(table, frozenset()) | names
    return together


@cache
def _planner() -> SchemaOnDemand:
    """The database without rows. What a connection defines in it is temporary."""
    schema = SchemaOnDemand({})
    # Scans show the columns that a statement needs: of conditions that are false whatever the rows
    # are, none. What else is known of the data must not count.
    names = [name for (name,) in schema.con.execute("FROM duckdb_optimizers()").fetchall()]
    others = ",".join(name for name in names if name not in _OF_THE_SQL)
    schema.con.execute(f"SET disabled_optimizers = '{others}'")
    return schema


@cache
def _plans(of: layouts.Layouts) -> dict[tuple[str, str], Columns]:
    """What statements read, by their text and values, while such layouts stand beside ours."""
    return {}


# --- what is decoded -----------------------------------------------------------------------------


@dataclass
class Decoded:
    """The rows of dumps that were decoded so far, in a database of memory and spill."""

    dumps: tuple[Path, ...]
    job: Job
    told: Told
    memory: int
    names: str  # of the dumps, as they were given
    _have: dict[str, frozenset[str]] = field(default_factory=dict)
    _about: dict[str, Selection] = field(default_factory=dict)  # which records those are of
    _views: list[str] = field(default_factory=list)  # that are computed
    _walked: frozenset[str] = frozenset()  # what of the ledger is there: see `read`
    _told: set[str] = field(default_factory=set)
    _has_hashes: bool = False  # of records: a file may have some of another
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self._watched = [_watched(path) for path in self.dumps if path != STDIN]
        self._folder = WorkFolder()
        spill = str(self._folder.path / "spill")
        self._schema = SchemaOnDemand({"temp_directory": spill})
        self._schema.make(" ".join(LEDGER_TABLES))
        self._con = self._schema.con
        self._con.execute(f"SET memory_limit = '{self.memory // _SHARE >> 10}KiB'")
        self._con.execute(f"CREATE SCHEMA {_PART}; CREATE SCHEMA {_COMPUTED}")
        lock(self._con)

    def connection(
        self,
        is_whole: bool = True,
        about: Selection = EVERYTHING,
        computed: tuple[str, ...] = (),
    ) -> DumpConnection:
        """A connection to read: see `read`. These views were computed."""
        both = self._con.cursor(), _planner().con.cursor()
        return DumpConnection(*both, self, is_whole, about, computed)

    def make(self, sql: str) -> None:
        """Make the tables and views that a statement names; what it reads is decoded."""
        with self._lock:
            self._schema.make(sql)

    def find(self, con: duckdb.DuckDBPyConnection) -> bool:
        """As SchemaOnDemand.find."""
        return self._schema.find(con)

    def compute(self, views: Iterable[str]) -> None:
        """Keep the rows of views, of which all that they read is decoded."""
        with self._lock, self._con.cursor() as con:
            for view in views:
                if view not in self._views:
                    self._schema.make(view)
                    self._schema.find(con)
                    con.execute(f"CREATE OR REPLACE TABLE {_COMPUTED}.{view} AS FROM {view}")
                    self._views.append(view)

    def close(self) -> None:
        """Forget all rows."""
        self._con.close()
        self._folder.close()

    def read_all(self) -> None:
        """Decode everything that a view reads."""
        names = {table.name for table in tables_of_sql()} | self._have.keys()
        asked = {name: frozenset(_declared(name)) for name in names if layouts.has_table(name)}
        self.read(asked | {"load_problem": frozenset()})

    def read(self, columns: Columns, is_whole: bool = True, about: Selection = EVERYTHING) -> None:
        """Have these columns decoded, and the ledger if it is among them.

        Raises DumpError where a file is not what it was. The dumps are walked when something is
        missing. A walk for some tables counts all records, and tells all damage to their framing;
        what else it tells of records is of those it decodes. `is_whole`: problems are asked for of
        all records, not only of those. `about`: SMF records of intervals are wanted only if they
        are about that system and time. Where others of a table are there, all are decoded.
        """
        if not columns:
            return
        with self._lock:
            self._check_same()
            # Words of problems are asked for by what tells of all of them, not in passing.
            of_file = columns.get("load_file", frozenset())
            of_all = "reason" in columns.get("load_problem", ())
            of_all |= is_whole and bool(_PROBLEMS in columns or "status" in of_file)
            asked = {
                _COUNTS: of_all or bool(_COUNTING & columns.keys()),
                _ALL_RECORDS: of_all,
                _HASHES: is_whole and _HASHES in columns,
                _FINGERPRINT: is_whole and _FINGERPRINT in of_file,
                _NOTES: _NOTES in columns,
            }
            wanted = (
                {_FILES} | self._walked | {name for name, is_asked in asked.items() if is_asked}
            )
            missing = {
                table: names | {_KEY} | self._have.get(table, frozenset())
                for table, names in columns.items()
                if table not in LEDGER_TABLES
                and (
                    not names <= self._have.get(table, frozenset())
                    or self._about.get(table) not in (EVERYTHING, about)
                )
            }
            differs = any(self._about.get(table, about) != about for table in missing)
            if differs or _COUNTS in wanted:
                about = EVERYTHING
            if missing or not wanted <= self._walked:
                self._walk(missing, wanted, about)

    def _walk(self, missing: Columns, wanted: set[str], about: Selection) -> None:
        job = replace(
            self.job, columns=missing, about=about, notes=_NOTES in wanted,
            hashes=_HASHES in wanted or self._has_hashes, fingerprint=_FINGERPRINT in wanted,
        )  # fmt: skip
        if _ALL_RECORDS in wanted:
            options = replace(job.options, part_bytes=min(_PART_BYTES, self.memory // _FEW_PARTS))
            job = replace(job, columns=None, options=options)
        else:
            options = replace(job.options, part_bytes=self._part_bytes(missing))
            job = replace(job, options=options, counts=_COUNTS in wanted)
        try:
            rows, done = self._walked_by(job, missing)
        except NoHashesError:
            self._has_hashes = True
            rows, done = self._walked_by(replace(job, hashes=True), missing)
        self._schema.has(rows.taken)
        self._have.update(missing)
        self._about.update(dict.fromkeys(missing, about))
        views, self._views = self._views, []
        self.compute(views)
        self._walked = frozenset(wanted)
        for words in warnings(done):
            if words not in self._told:
                self._told.add(words)
                self.told(words)

    def _walked_by(self, job: Job, missing: Columns) -> tuple[_Rows, list[LoadedFile]]:
        """Rows of the ledger, and of tables that are missing."""
        rows = _Rows(self.dumps[0], self._con.cursor(), self.memory, missing=missing)
        with rows, rows.transaction():
            for table in LEDGER_TABLES if self._walked else ():
                rows.con.execute(f'DELETE FROM "{table}"')
            done = load_files(rows, self.dumps, job)
            rows.show()
            self._check_same()
        return rows, done

    def _part_bytes(self, columns: Columns) -> int:
        """Bytes of records to be decoded at a time."""
        widest = max(map(len, columns.values()), default=1)
        return max(1 << 20, min(_PART_BYTES, self.memory // _PARTS * _WIDE // widest))

    def _check_same(self) -> None:
        """Raises DumpError where a file is not what it was."""
        for watch in self._watched:
            watch.check()


_STORED = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'"


@dataclass
class _Rows(Store):
    """Takes the rows of a walk: of these tables, these columns, and the ledger."""

    missing: Columns = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def append_batches(self, batches: Iterable[tuple[str, pa.RecordBatch]]) -> None:
        """Insert what is wanted of them."""
        super().append_batches(self._wanted(batches))

    def _wanted(
        self, batches: Iterable[tuple[str, pa.RecordBatch]]
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        for table, rows in batches:
            if table in LEDGER_TABLES:
                yield table, rows
            elif table in self.missing:
                names = [name for name in rows.schema.names if name in self.missing[table]]
                yield table, rows.select(names)

    def append(self, table: str, rows: pa.Table | pa.RecordBatchReader) -> None:
        """Insert rows of the ledger, or of a table that is new."""
        if table in LEDGER_TABLES:
            self.insert_into(f'"{table}"', rows)
            return
        place = f'{_PART}."{table}"'
        if table not in self.taken:
            self._make(table, place)
        self.insert_into(place, rows)

    def insert_into(self, place: str, rows: pa.Table | pa.RecordBatchReader) -> None:
        """As Store.insert_into; a locked database finds no rows by the name of a variable."""
        self.con.register("incoming", rows)
        self.con.execute(f"INSERT INTO {place} BY NAME SELECT * FROM incoming")
        self.con.unregister("incoming")

    def _make(self, table: str, place: str) -> None:
        columns = _declared(table)
        body = (f'"{name}" {columns[name].sql}' for name in columns if name in self.missing[table])
        self.con.execute(f"CREATE OR REPLACE TABLE {place} ({', '.join(body)})")
        self.taken.add(table)

    def show(self) -> None:
        """Put the new tables in the place of those that were there."""
        there = {name for (name,) in self.con.execute(_STORED).fetchall()}
        for table in self.taken:
            if table in there:
                self.con.execute(f'DROP TABLE "{table}"')
            self.con.execute(f'CREATE OR REPLACE VIEW "{table}" AS {self._shown(table)}')

    def _shown(self, table: str) -> str:
        """SELECT of all columns of a table; who reads one past the connection that no statement
        named is told."""
        columns, there = _declared(table), self.missing[table]
        types = dict.fromkeys(c.sql for name, c in columns.items() if name not in there)
        # one error for each type: DuckDB binds all of them wherever a statement names the table
        words = f"{table}: this column was not decoded: ask by execute, sql or query"
        lacks = "".join(f""", CAST(error('{words}') AS {sql}) AS "no {sql}\"""" for sql in types)
        names = ", ".join(
            f'"{name}"' if name in there else f'"no {column.sql}" AS "{name}"'
            for name, column in columns.items()
        )
        return f'SELECT {names} FROM (SELECT *{lacks} FROM {_PART}."{table}")'


def _watched(path: Path) -> Watch:
    try:
        return Watch(path, path.stat())
    except OSError as error:
        raise unreadable(path, error) from error


def _declared(table: str) -> dict[str, Column]:
    """The columns of a table by name."""
    columns = RAW_TABLES[table] if table in RAW_TABLES else layouts.table(table).columns
    return {column.name: column for column in columns}
