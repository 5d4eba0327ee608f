"""A database in memory whose tables, views and macros of ours are made when SQL first names them.

To make them all takes DuckDB half a second; a report reads a few. DuckDB binds each view that it
makes, with all that the view reads. Where a statement reads many, all views are attached instead,
from a file in the user's cache folder.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from imsperf.database.read_only import ReadOnly
from imsperf.database.schema_cache import cached_file, place_of_cached
from imsperf.database.store import OFFLINE, declared_tables, kept_version, log_of, view_statements
from imsperf.ledger import META_NAME, META_TABLE
from imsperf.output_files import utf8_name

_WORD = re.compile(r"\w+")
_SAID = re.compile(r"--.*")
_VIEW = re.compile(r"^(?=CREATE OR REPLACE (?:VIEW|MACRO) )", re.MULTILINE)
# SQL that lists what there is, or reads a table whose name may be computed.
_LISTS = re.compile(
    r"\b(?:duckdb_\w+|information_schema|pg_\w+|pragma\w*|sqlite_\w+|query_table)\b"
    r"|\bshow\s+(?:all\s+)?tables\b|^\s*(?:describe|show)[\s;]*$",
    re.IGNORECASE,
)
_KEPT = "kept_views"  # the database that is attached
_MANY = 6  # views that are missing: to make so many takes as long as to attach all


class SchemaOnDemand:
    """Such a database. They have no comments, which take longer than all else.

    `others` has statements that make some of the tables in another way than ours; `files` are all
    that SQL may read, also once the database is locked.
    """

    def __init__(
        self,
        config: dict[str, Any],
        others: Mapping[str, str] | None = None,
        files: Iterable[Path] = (),
    ) -> None:
        self.con = duckdb.connect(config={**OFFLINE, **config})
        self._others = others or {}
        self._there: set[str] = set()
        self._lock = threading.RLock()
        self._can_attach, self._is_attached = True, False
        with suppress(RuntimeError):  # there is no home
            kept = place_of_cached(*_kept())
            files = *files, kept, log_of(kept)
        self.con.execute(f"SET allowed_paths = [{', '.join(map(_text, files))}]")

    def make(self, sql: str) -> None:
        """Make what statements name and what that reads, or all there is where they list it."""
        named = {name for word in _words(sql) for name in _reached(word)}
        lists = _LISTS.search(sql)
        wanted = _definitions().keys() if lists else named
        with self._lock:
            missing = wanted - self._there
            if not lists and len(missing & _views()) > _MANY:
                self._attach()
            if self._is_attached and not lists:
                missing -= _views()
            if missing:
                with self.con.cursor() as con:
                    for name, definition in _definitions().items():
                        if name in missing:
                            con.execute(self._others.get(name, definition))
                            self._there.add(name)

    def find(self, con: duckdb.DuckDBPyConnection) -> bool:
        """Let a connection find the attached views; False: there are none so far."""
        if self._is_attached:
            con.execute(f"SET search_path = 'memory.main,{_KEPT}.main'")
        return self._is_attached

    def _attach(self) -> None:
        """Attach the kept views, if that can be done."""
        if self._is_attached or not self._can_attach:
            return
        try:
            kept = cached_file(*_kept(), _keep)
            try:
                with self.con.cursor() as con:
                    con.execute(f"ATTACH {_text(kept)} AS {_KEPT} (READ_ONLY)")
            except duckdb.Error:
                kept.unlink()
                raise
            self._is_attached = True
        except (OSError, RuntimeError, duckdb.Error):
            self._can_attach = False

    def make_all(self) -> None:
        """Make all there is."""
        self.make("SHOW ALL TABLES")

    def has(self, names: Iterable[str]) -> None:
        """These are there, made by others."""
        with self._lock:
            self._there.update(names)


class ConnectionOnDemand(ReadOnly):
    """A connection to such a database, which makes what a statement names before DuckDB runs it."""

    def __init__(self, con: duckdb.DuckDBPyConnection, schema: SchemaOnDemand) -> None:
        super().__init__(con)
        self._schema = schema
        self._finds = False  # the attached views

    def ready(self, query: Any, values: Any = None) -> Any:
        """The same query, checked; what it reads is there."""
        for statement in self.statements(query):
            if statement.type is duckdb.StatementType.TRANSACTION:  # it sees nothing made later
                self._schema.make_all()
            self._schema.make(statement.query)
        self._finds = self._finds or self._schema.find(self._con)
        return query

    def table(self, name: str) -> Any:
        """As DuckDBPyConnection.table."""
        return self.sql(f"FROM {name}")

    view = table

    def cursor(self) -> ConnectionOnDemand:
        """Another such connection to the same database."""
        return ConnectionOnDemand(self._con.cursor(), self._schema)

    duplicate = cursor


def is_declared(table: str) -> bool:
    """Whether it is made when it is named."""
    return table in _definitions()


@cache
def _definitions() -> dict[str, str]:
    """The statement that makes a table, view or macro, by name; after what it reads."""
    made = {table.name: next(iter(table.create_sql())) for table in declared_tables()}
    made[META_NAME] = META_TABLE.partition(";")[0]
    for text in view_statements():
        for statement in _VIEW.split(text)[1:]:
            made[statement.split(maxsplit=5)[4].partition("(")[0]] = statement
    return made


@cache
def _views() -> frozenset[str]:
    """The names of views and macros."""
    return frozenset(name for name, sql in _definitions().items() if _VIEW.match(sql))


def _kept() -> tuple[str, str, str]:
    """Kind, version and suffix of the file with all views."""
    return "views", kept_version(), ".duckdb"


def _keep(path: Path) -> None:
    """Write all views and macros, without the tables that they read."""
    newest = {**OFFLINE, "storage_compatibility_version": "latest"}
    with duckdb.connect(utf8_name(path), config=newest) as con:
        con.execute("BEGIN")
        for sql in _definitions().values():
            con.execute(sql)
        for table in _definitions().keys() - _views():
            con.execute(f'DROP TABLE "{table}"')
        con.execute("COMMIT")


def _text(path: Path) -> str:
    return "'" + utf8_name(path).replace("'", "''") + "'"


@cache
def _reached(name: str) -> frozenset[str]:
    """This table, view or macro, and all that it reads."""
    statement = _SAID.sub("", _definitions()[name])
    inside = _words(statement) - {name} if statement.startswith("CREATE OR REPLACE") else ()
    return frozenset({name}).union(*map(_reached, inside))


def _words(sql: str) -> set[str]:
    """The names of ours in a text."""
    return {word.lower() for word in _WORD.findall(sql)} & _definitions().keys()
