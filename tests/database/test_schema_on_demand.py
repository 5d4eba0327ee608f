"""Tables and views of dumps are made when they are named; they are those of a database."""

from __future__ import annotations

import duckdb
import pytest

from imsperf.schema_on_demand import SchemaOnDemand
from imsperf.store import open_empty

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
