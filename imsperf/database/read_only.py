"""A connection that only reads: what DuckDB itself does not forbid to a database opened to read.

With `enable_external_access` off, DuckDB still writes to files that it may read: those of the
database or lake that is open. `COPY (SELECT 1) TO 'runs.duckdb'` would replace it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import duckdb

from imsperf.errors import StoreError

_KINDS = duckdb.StatementType
_ALLOWED = {
    *(_KINDS.SELECT, _KINDS.EXPLAIN, _KINDS.RELATION, _KINDS.MULTI, _KINDS.TRANSACTION),
    *(_KINDS.PRAGMA, _KINDS.CALL, _KINDS.SET, _KINDS.VARIABLE_SET, _KINDS.ANALYZE),
    *(_KINDS.CREATE, _KINDS.DROP, _KINDS.ALTER),  # of temporary tables; DuckDB refuses others
    *(_KINDS.INSERT, _KINDS.UPDATE, _KINDS.DELETE, _KINDS.MERGE_INTO),
}
# WITH and EXPLAIN may hold COPY. These functions run SQL that stands in a string.
_WORDS = {"copy", "export"}
_RUN_STRINGS = {"query", "json_execute_serialized_sql"}
_MAY_WRITE = re.compile("|".join({*_WORDS, *_RUN_STRINGS}), re.IGNORECASE)
_HARMLESS = [
    "threads",
    "memory_limit",
    "max_memory",
    "TimeZone",
    "Calendar",
    "preserve_insertion_order",
]


def lock(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The same connection for SQL of a user: it opens no other file, and writes none."""
    # Connections of a process to the same file share their settings: another may be locked already.
    if con.execute("SELECT NOT current_setting('lock_configuration')").fetchall()[0][0]:
        con.execute("SET enable_external_access = false")
        con.execute(f"SET allowed_configs = {_HARMLESS}")
        con.execute("SET lock_configuration = true")
    return cast(duckdb.DuckDBPyConnection, ReadOnly(con))


def attach_memory(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """A database in memory of that name beside the one that is open, also where that is read."""
    (con if isinstance(con, ReadOnly) else ReadOnly(con)).attach_memory(name)


def detach_memory(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Forget such a database."""
    (con if isinstance(con, ReadOnly) else ReadOnly(con)).detach_memory(name)


def bound_once(con: duckdb.DuckDBPyConnection, sql: str, values: Any) -> duckdb.DuckDBPyRelation:
    """The rows of a SELECT, run: they stand in a temporary table of the connection.

    A relation is bound when it is made and again when it runs. Of SQL that reads dozens of views
    that is up to a third of all its time; of few views, to store many rows takes longer.
    """
    if isinstance(con, ReadOnly):
        con.ready(sql, values)
        con = con._con
    con.execute(f"CREATE OR REPLACE TEMP TABLE bound_once AS {sql}", values)
    return con.sql("FROM bound_once")


def asked_in_place(con: duckdb.DuckDBPyConnection) -> str:
    """The dumps that are asked in the place of a database, as the user named them; else empty."""
    return con.in_place if isinstance(con, ReadOnly) else ""


class ReadOnly:
    """A connection that looks at each statement before DuckDB does."""

    in_place = ""  # the names of dumps, where it is of dumps

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con

    def __getattr__(self, name: str) -> Any:
        return getattr(self._con, name)

    def __enter__(self) -> ReadOnly:
        return self

    def __exit__(self, *error: object) -> None:
        self._con.close()

    def execute(self, query: Any, *more: Any, **named: Any) -> Any:
        """As DuckDBPyConnection.execute."""
        values = more[0] if more else named.get("parameters")
        return self._con.execute(self.ready(query, values), *more, **named)

    def executemany(self, query: Any, *more: Any, **named: Any) -> Any:
        """As DuckDBPyConnection.executemany."""
        return self._con.executemany(self.ready(query), *more, **named)

    def sql(self, query: Any, *more: Any, **named: Any) -> Any:
        """As DuckDBPyConnection.sql."""
        return self._con.sql(self.ready(query, named.get("params")), *more, **named)

    query = from_query = sql

    def ready(self, query: Any, values: Any = None) -> Any:
        """The same query. Raises StoreError where it may write a file."""
        self.statements(query)
        return query

    @staticmethod
    def statements(query: Any) -> list[duckdb.Statement]:
        """The statements of a query. Raises StoreError where one may write a file."""
        given = duckdb.extract_statements(query) if isinstance(query, str) else [query]
        for statement in given:
            if statement.type not in _ALLOWED:
                name = str(statement.type).rpartition(".")[2].replace("_", " ")
                raise StoreError(f"found {name}, expected SQL that only reads", _HINT)
            _check_words(statement.query)
        return given

    def attach_memory(self, name: str) -> None:
        """A database in memory of that name beside the one that is open."""
        self._con.execute(f"ATTACH IF NOT EXISTS ':memory:' AS \"{name}\" (READ_WRITE)")

    def detach_memory(self, name: str) -> None:
        """Forget such a database."""
        self._con.execute(f'DETACH "{name}"')

    def cursor(self) -> ReadOnly:
        """Another such connection to the same database."""
        return ReadOnly(self._con.cursor())

    duplicate = cursor


_HINT = "a database opened to read takes SELECT; `imsperf query -o FILE` writes its rows to a file"


def _check_words(sql: str) -> None:
    if not _MAY_WRITE.search(sql):  # most SQL; its tokens take as long as its parser
        return
    words = list(_words(sql))
    for word, after in zip(words, [*words[1:], ("", False)], strict=True):
        text, quoted = word
        runs = text in _RUN_STRINGS and after[0].startswith("(")
        if runs or (text in _WORDS and not quoted):
            hint = f'{_HINT}; a column of that name is written "{text}"'
            raise StoreError(f"found {text.upper()}, expected SQL that only reads", hint)


def _words(sql: str) -> Iterator[tuple[str, bool]]:
    """Each token in lower case, without comments; and whether it was quoted."""
    data = sql.encode()
    tokens = duckdb.tokenize(sql)
    ends = [*(at for at, _ in tokens[1:]), len(data)]
    for (at, kind), end in zip(tokens, ends, strict=True):
        text = data[at:end].decode(errors="replace").strip().lower()
        if kind == duckdb.token_type.comment:
            continue
        if kind == duckdb.token_type.string_const:
            yield "''", True
        else:
            yield text.strip('"'), text.startswith('"')
