"""Records that a run has twice, as of overlapping dumps: an audit reads them once.

Views leave them out on their own. Checks that read tables of records read temporary views of the
same names, made where a record is there twice.
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
def left_out(con: duckdb.DuckDBPyConnection, statements: Iterable[str]) -> Iterator[None]:
    """Hide, for this connection, repeated records from the tables that statements read.

    Two records of a run are the same where all their sections have the same values, and all their
    bytes where the load kept hashes: logs of two systems may differ in a clock's last bits alone.
    """
    kinds = {found[1] for sql in statements for found in _TABLE.finditer(sql)}
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
    found = _TABLE.fullmatch(table)
    return found[1] if found else None


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
    whole = "JOIN load_record AS r USING (file_id, record_no)" if known else ""
    bytes_ = ", r.hash_high, r.hash_low" if known else ""
    con.execute(
        "CREATE OR REPLACE TEMP TABLE audit_repeated AS SELECT file_id, record_no FROM ("
        f"SELECT file_id, record_no, sum(content) AS content FROM ({sections}) GROUP BY ALL"
        f") JOIN load_file AS f USING (file_id) {whole} QUALIFY row_number() OVER ("
        f"PARTITION BY f.run, content{bytes_} ORDER BY file_id, record_no) > 1"
    )
    return con.execute("SELECT count(*) FROM audit_repeated").fetchall() != [(0,)]
