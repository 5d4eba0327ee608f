"""Tables that an audit makes for its session, under the names that its checks read.

A view that checks read is computed once, not by each of them. Records that a run has twice, as of
overlapping dumps, are read once: views leave them out on their own; checks that read tables of
records read temporary tables of the same names, made where a record is there twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

# tables of SMF and statistics records; those of single transactions are many, and go by file
_TABLE = re.compile(r"\b(smf(?!110|123)\d+(?:_\d+)?|ims_(?:4[57]\w\w|47|a1\w\w))(?:_\w+)?\b")
_PLACE = {"file_id", "record_no", "byte_offset"}
_COLUMNS = "SELECT count(*) FROM duckdb_columns() WHERE table_name = ?"


@contextmanager
def computed(
    con: duckdb.DuckDBPyConnection, statements: Iterable[str], run: str | None = None
) -> Iterator[None]:
    """Compute, for this connection, each view that statements name, of one run or of all.

    The table that stands for it has the columns whose names occur in the statements.
    """
    words = {word for sql in statements for word in re.findall(r"\w+", sql)} | {"run"}
    views = {view: columns for view, columns in _views(con).items() if view in words}
    try:
        for view, columns in views.items():
            some = ", ".join(_quoted(column) for column in columns if column in words)
            of_run = "run = coalesce($run, run)" if "run" in columns else "$run IS NULL OR true"
            con.execute(
                f"CREATE TEMP TABLE audit_{view} AS SELECT {some or 1} FROM {view} WHERE {of_run}",
                {"run": run},
            )
        for view in views:  # only now: views read tables of this connection, too
            con.execute(f"ALTER TABLE temp.main.audit_{view} RENAME TO {view}")
        yield
    finally:
        for view in views:
            con.execute(f"DROP TABLE IF EXISTS temp.main.audit_{view}")
            con.execute(f"DROP TABLE IF EXISTS temp.main.{view}")


def _views(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    sql = (
        "SELECT view_name, list(column_name ORDER BY column_index) "
        "FROM duckdb_views() AS v JOIN duckdb_columns() AS c "
        "ON c.table_oid = v.view_oid AND c.database_name = v.database_name "
        "WHERE v.schema_name = 'main' AND NOT v.internal "
        "AND v.database_name = current_database() GROUP BY view_name"
    )
    return dict(con.execute(sql).fetchall())


@contextmanager
def left_out(con: duckdb.DuckDBPyConnection, statements: Iterable[str]) -> Iterator[None]:
    """Hide, for this connection, repeated records from the tables that statements read.

    Two records of a run are the same where all their sections have the same values, and all their
    bytes where the load kept hashes: logs of two systems may differ in a clock's last bits alone.
    """
    kinds = {match[1] for sql in statements for match in _TABLE.finditer(sql)}
    tables = _tables(con)
    hidden: list[str] = []
    try:
        for kind in sorted(kinds):
            parts = {name: own for name, own in tables.items() if _kind(name) == kind}
            if not parts or not _find_repeats(con, parts):
                continue
            for name in parts:
                con.execute(
                    f"CREATE TEMP TABLE {name} AS FROM {_database(con)}.main.{name} "
                    "ANTI JOIN audit_repeated USING (file_id, record_no)"
                )
                hidden.append(name)
        yield
    finally:
        for name in hidden:
            con.execute(f"DROP TABLE temp.main.{name}")


def _database(con: duckdb.DuckDBPyConnection) -> str:
    ((name,),) = con.execute("SELECT current_database()").fetchall()
    return _quoted(name)


def _quoted(name: str) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def _kind(table: str) -> str | None:
    match = _TABLE.fullmatch(table)
    return match[1] if match else None


def _tables(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    sql = (
        "SELECT table_name, list(column_name) FROM duckdb_columns() "
        "WHERE schema_name = 'main' AND NOT internal AND database_name = current_database() "
        "GROUP BY table_name"
    )
    return {
        name: sorted(set(columns) - _PLACE)
        for name, columns in con.execute(sql).fetchall()
        if _PLACE - {"byte_offset"} <= set(columns)
    }


def _find_repeats(con: duckdb.DuckDBPyConnection, parts: dict[str, list[str]]) -> bool:
    sections = " UNION ALL ".join(
        f"SELECT file_id, record_no, hash('{name}', {', '.join(map(_quoted, columns))})::HUGEINT "
        f"AS content FROM {_database(con)}.main.{name}"
        for name, columns in parts.items()
    )
    known = con.execute(_COLUMNS, ["load_record"]).fetchall() != [(0,)]
    join_records = "JOIN load_record AS r USING (file_id, record_no)" if known else ""
    bytes_ = ", r.hash_high, r.hash_low" if known else ""
    con.execute(
        "CREATE OR REPLACE TEMP TABLE audit_repeated AS SELECT file_id, record_no FROM ("
        f"SELECT file_id, record_no, sum(content) AS content FROM ({sections}) GROUP BY ALL"
        f") JOIN load_file AS f USING (file_id) {join_records} QUALIFY row_number() OVER ("
        f"PARTITION BY f.run, content{bytes_} ORDER BY file_id, record_no) > 1"
    )
    return con.execute("SELECT count(*) FROM audit_repeated").fetchall() != [(0,)]
