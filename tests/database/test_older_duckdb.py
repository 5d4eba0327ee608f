"""Databases open in older DuckDB: programs of the last two years bring their own."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from imsperf import api
from imsperf.database.store import STORAGE_VERSION
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

FAILS = "run_system"  # an internal error of DuckDB before 1.5; docs/database.md tells it
OLDEST = STORAGE_VERSION.removeprefix("v")

# The main header of a DuckDB file: a checksum of 8 bytes, "DUCK", the version of its storage. 64 is
# that of DuckDB 0.9 to 1.1, 65 of 1.2, 66 of 1.3 (duckdb.org, Storage Versions and Format).
HEADER = struct.Struct("<8x4sQ")

ASK = """
import json, sys
import duckdb
con = duckdb.connect(sys.argv[1], read_only=True)
con.execute("SET enable_progress_bar = false")  # it would be printed beside the answer
names = con.execute(
    "SELECT table_name FROM duckdb_tables() UNION ALL "
    "SELECT view_name FROM duckdb_views() WHERE NOT internal"
).fetchall()
rows = {}
for (name,) in names:  # all columns are computed
    try:
        made = con.execute(f'CREATE OR REPLACE TEMP TABLE copy AS SELECT * FROM main."{name}"')
        rows[name] = made.fetchone()[0]
    except duckdb.InternalException:
        rows[name] = None
print(json.dumps([duckdb.__version__, rows]))
"""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("older")
    generate(scenario.load("ff-haldb"), folder / "run", seconds=4, every_s=2)
    api.load([folder / "run"], folder / "x.duckdb")
    return folder / "x.duckdb"


def test_the_file_says_who_can_read_it(db: Path) -> None:
    assert HEADER.unpack(db.read_bytes()[: HEADER.size]) == (b"DUCK", 65)


def test_views_have_no_columns_without_names(db: Path) -> None:
    """A row (a, b) is a struct whose parts have no names: older ones cannot keep it in a table."""
    with duckdb.connect(str(db), read_only=True) as con:
        views = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'"
        unnamed = [
            f"{view}.{name}"
            for (view,) in con.execute(views).fetchall()
            for relation in [con.sql(f'FROM "{view}"')]
            for name, kind in zip(relation.columns, relation.types, strict=True)
            if kind.id == "struct" and not all(part for part, _ in kind.children)
        ]
    assert unnamed == []


@pytest.mark.slow
def test_the_oldest_reads_all_tables_and_views(db: Path, tmp_path: Path) -> None:
    """With as many rows as ours reads."""
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--target",
        tmp_path,
        f"duckdb=={OLDEST}",
    ]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        pytest.skip(f"duckdb {OLDEST} cannot be installed here")
    words = [
        sys.executable,
        "-P",
        "-c",
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}){ASK}",
        db,
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    version, rows = json.loads(done.stdout)
    assert version == OLDEST and sum(count or 0 for count in rows.values()) > 10_000
    with api.connect(db) as store:
        assert [name for name, count in rows.items() if count is None] == [FAILS]
        del rows[FAILS]
        for name, count in rows.items():
            assert store.scalar(f'SELECT count(*) FROM "{name}"') == count, name
