"""Tables and views of dumps are made when they are named; they are those of a database."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from imsperf.database.read_only import lock
from imsperf.database.schema_on_demand import SchemaOnDemand
from imsperf.database.store import open_empty

NAMES = """
    SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY ALL
"""
MACROS = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL"
RELATIONS = """
    SELECT table_name FROM duckdb_tables() UNION ALL
    SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL
"""


def names(con: duckdb.DuckDBPyConnection) -> list[str]:
    return [name for (name,) in con.execute(RELATIONS).fetchall()]


@pytest.mark.parametrize("listing", ["SHOW ALL TABLES", "describe;", NAMES, "PRAGMA show_tables"])
def test_a_listing_has_what_a_database_has(listing: str) -> None:
    schema = SchemaOnDemand({})
    schema.make("SELECT * FROM rmf_enqueue")
    schema.make(listing)
    with open_empty({}) as whole:
        for sql in (NAMES, MACROS):
            assert schema.con.execute(sql).fetchall() == whole.execute(sql).fetchall()


def test_what_is_named_is_there_with_what_it_reads() -> None:
    """rmf_partition_header of 70.1 sections, through macros; not a view that reads it."""
    schema = SchemaOnDemand({})
    assert not names(schema.con)
    schema.make('SELECT * FROM "RMF_Partition_Header"')
    there = names(schema.con)
    assert {"rmf_partition_header", "smf70_1_control", "smf70_1_product"} <= set(there)
    assert "rmf_cpu" not in there
    schema.con.execute("FROM rmf_partition_header")
    schema.make("-- a text without names of ours")
    assert names(schema.con) == there


def test_what_others_made_is_not_made() -> None:
    """A view over decoded rows is in the place of the table."""
    schema = SchemaOnDemand({})
    schema.con.execute("CREATE VIEW smf74_1_device AS SELECT 1 AS here")
    schema.has(["smf74_1_device"])
    schema.make("FROM smf74_1_device")
    assert schema.con.execute("FROM smf74_1_device").fetchall() == [(1,)]


# --- statements that read many views -------------------------------------------------------------

MANY = "FROM rmf_condition"
OWN = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND database_name = 'memory'"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "imsperf"


def columns(schema: SchemaOnDemand) -> list[tuple[str, ...]]:
    """Those of a view that reads many, asked of a locked database."""
    lock(schema.con)
    schema.make(MANY)
    con = schema.con.cursor()
    schema.find(con)
    return con.execute(f"DESCRIBE {MANY}").fetchall()


def test_views_that_many_read_are_attached(cache: Path) -> None:
    """They are those of a database; none is made. A table of the connection is before them."""
    with open_empty({}) as whole:
        expected = whole.execute(f"DESCRIBE {MANY}").fetchall()
    schema = SchemaOnDemand({})
    assert columns(schema) == expected
    assert schema.con.execute(OWN).fetchall() == []
    with schema.con.cursor() as con:
        schema.find(con)
        assert con.execute("SELECT count(*) FROM rmf_cache").fetchall() == [(0,)]
        con.execute("CREATE TEMP TABLE rmf_cache_device AS FROM rmf_cache_device")
        con.execute("INSERT INTO rmf_cache_device (run, ssid) VALUES ('a', '0001')")
        assert con.execute("SELECT count(*) FROM rmf_cache").fetchall() == [(2,)]  # and subsystem


def test_a_damaged_file_of_views_is_not_used(cache: Path) -> None:
    """The views are made, and the file is made anew by the next."""
    expected = columns(SchemaOnDemand({}))
    (kept,) = cache.iterdir()
    content = kept.read_bytes()
    kept.write_bytes(content[:5000])
    schema = SchemaOnDemand({})
    assert columns(schema) == expected
    assert schema.con.execute(OWN).fetchall() != [] and not kept.exists()
    assert columns(SchemaOnDemand({})) == expected and kept.exists()


def test_without_a_home_views_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no folder to keep them in."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    schema = SchemaOnDemand({})
    assert columns(schema) and schema.con.execute(OWN).fetchall() != []
