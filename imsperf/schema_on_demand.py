"""A database in memory whose tables, views and macros of ours are made when SQL first names them.

To make them all takes DuckDB half a second; a report reads a few.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import duckdb

from imsperf.ledger import META_NAME, META_TABLE
from imsperf.read_only import ReadOnly
from imsperf.store import OFFLINE, declared_tables, view_statements

_WORD = re.compile(r"\w+")
_SAID = re.compile(r"--.*")
_VIEW = re.compile(r"^(?=CREATE OR REPLACE (?:VIEW|MACRO) )", re.MULTILINE)
# SQL that lists what there is, or reads a table whose name may be computed.
_LISTS = re.compile(
    r"\b(?:duckdb_\w+|information_schema|pg_\w+|pragma\w*|sqlite_\w+|query_table)\b"
    r"|\bshow\s+(?:all\s+)?tables\b|^\s*(?:describe|show)[\s;]*$",
    re.IGNORECASE,
)


class SchemaOnDemand:
    """Such a database. They have no comments, which take longer than all else.

    `others` has statements that make some of the tables in another way than ours.
    """

    def __init__(self, config: dict[str, Any], others: Mapping[str, str] | None = None) -> None:
        self.con = duckdb.connect(config={**OFFLINE, **config})
        self._others = others or {}
        self._there: set[str] = set()
        self._lock = threading.RLock()

    def make(self, sql: str) -> None:
        """Make what statements name and what that reads, or all there is where they list it."""
        named = {name for word in _words(sql) for name in _reached(word)}
        wanted = _definitions().keys() if _LISTS.search(sql) else named
        with self._lock:
            if missing := wanted - self._there:
                with self.con.cursor() as con:
                    for name, definition in _definitions().items():
                        if name in missing:
                            con.execute(self._others.get(name, definition))
                            self._there.add(name)

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

    def ready(self, query: Any, values: Any = None) -> Any:
        """The same query, checked; what it reads is there."""
        for statement in self.statements(query):
            if statement.type is duckdb.StatementType.TRANSACTION:  # it sees nothing made later
                self._schema.make_all()
            self._schema.make(statement.query)
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
def _reached(name: str) -> frozenset[str]:
    """This table, view or macro, and all that it reads."""
    statement = _SAID.sub("", _definitions()[name])
    inside = _words(statement) - {name} if statement.startswith("CREATE OR REPLACE") else ()
    return frozenset({name}).union(*map(_reached, inside))


def _words(sql: str) -> set[str]:
    """The names of ours in a text."""
    return {word.lower() for word in _WORD.findall(sql)} & _definitions().keys()
