"""A database opened to read: SQL of a user neither writes a file nor reads another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from imsperf.database.read_only import lock
from imsperf.errors import StoreError


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A small database, opened to read and locked."""
    file = str(tmp_path / "r.duckdb")
    with duckdb.connect(file) as database:
        database.execute('CREATE TABLE t AS SELECT 1 AS a, 2 AS "copy"')
    with duckdb.connect(file, read_only=True) as opened:
        yield lock(opened)


WRITES = [
    "COPY (SELECT 1) TO '{db}' (USE_TMP_FILE false)",
    "SELECT 1; COPY (SELECT 1) TO '{db}' (USE_TMP_FILE false)",
    "WITH x AS (COPY t TO '{db}') FROM x",
    "SELECT 'éééééééééééé'; WITH x AS (/* é */ cOpY t TO '{db}') FROM x",
    "EXPLAIN ANALYZE COPY t TO '{db}' (USE_TMP_FILE false)",
    "FROM json_execute_serialized_sql(json_serialize_sql('WITH x AS (COPY t TO ''{db}'') FROM x'))",
    "FROM query('FROM json_exe' || 'cute_serialized_sql(1)')",
    "FROM \"QUERY\" /* x */ ('SELECT 1')",
    "FROM system.main.query -- x\n ('SELECT 1')",
    "PRAGMA json_execute_serialized_sql('x')",
    "PREPARE p AS SELECT 1",
    "EXPORT DATABASE '{folder}/x'",
    "ATTACH '{folder}/other.duckdb'",
    "FROM t WHERE a = $$x$$; COPY t TO '{db}'",
]


@pytest.mark.parametrize("sql", WRITES)
def test_sql_that_writes_a_file_is_refused(
    con: duckdb.DuckDBPyConnection, sql: str, tmp_path: Path
) -> None:
    """Whatever it is wrapped in; the database keeps its bytes."""
    db = tmp_path / "r.duckdb"
    before = db.read_bytes()
    words = sql.format(db=db, folder=tmp_path)
    for run in (con.execute, con.sql, con.cursor().execute):
        with pytest.raises(StoreError, match="expected SQL that only reads"):
            run(words)
    assert db.read_bytes() == before
    assert list(tmp_path.iterdir()) == [db]


@pytest.mark.parametrize(
    "sql",
    [
        "FROM read_csv('/etc/passwd')",
        "FROM glob('/etc/*')",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET profiling_output = 'x'",
        "CALL enable_logging(storage='file', storage_path='logs')",
        "INSERT INTO t VALUES (1, 2)",
        "CREATE PERSISTENT SECRET (TYPE s3)",
    ],
)
def test_duckdb_refuses_the_rest(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Other files, settings, changes."""
    with pytest.raises(duckdb.Error):
        con.execute(sql).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "FROM t",
        'SELECT "copy" FROM t',
        "SELECT a AS query, 'copy' FROM t -- copy",
        "SHOW TABLES",
        "DESCRIBE t",
        "SUMMARIZE t",
        "PRAGMA table_info('t')",
        "PIVOT t ON a USING count(*)",
        "EXPLAIN ANALYZE FROM t",
        "CREATE TEMP TABLE q AS FROM t",
        "SET threads = 1",
    ],
)
def test_sql_that_reads_is_run(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Also on a cursor, with parameters."""
    con.execute(sql).fetchall()
    with con.cursor() as cursor:
        assert cursor.sql("SELECT $a AS x", params={"a": 3}).fetchall() == [(3,)]


def test_two_connections_to_one_file(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A comparison of two runs of a database opens it twice."""
    with duckdb.connect(str(tmp_path / "r.duckdb"), read_only=True) as other:
        assert lock(other).execute("SELECT a FROM t").fetchall() == [(1,)]
