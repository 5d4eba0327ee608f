"""The tables of a new database are copied from one that is kept: the same as made from anew."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from imsperf.database import store
from imsperf.database.schema_cache import SchemaCache

FACTS = (
    "SELECT table_name, sql, comment, has_primary_key FROM duckdb_tables()",
    "SELECT table_name, column_name, data_type, is_nullable, column_default, comment "
    "FROM duckdb_columns() WHERE NOT internal",
    "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal",
    "SELECT table_name, constraint_text FROM duckdb_constraints()",
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def facts(con: duckdb.DuckDBPyConnection) -> list[list[Any]]:
    """All that a database says of itself."""
    return [sorted(con.execute(query).fetchall(), key=str) for query in FACTS]


@pytest.mark.slow
def test_a_copy_is_the_same(tmp_path: Path, cache: Path) -> None:
    """Columns, comments, keys and views, as made without anything kept."""
    with store.open_store(tmp_path / "it's.duckdb", create=True) as opened:
        copied = facts(opened.con)
    assert [path.suffix for path in (cache / "imsperf").iterdir()] == [".duckdb"]
    with duckdb.connect() as con:
        con.execute(store.table_statements())
        con.execute(store.META_TABLE)
        store.install_views(con)
        assert facts(con) == copied
    assert len(copied[0]) > 50


def make(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE t (n INTEGER PRIMARY KEY); COMMENT ON COLUMN t.n IS 'told'")


def copy(path: Path, version: str = "1") -> bool:
    """Whether a new database got its table from what is kept."""
    with duckdb.connect(str(path)) as con:
        with SchemaCache(con, version, make) as schema:
            con.execute("BEGIN")
            done = schema.copy()
            con.execute("COMMIT")
        assert con.execute("SELECT database_name FROM duckdb_databases()").fetchall()[0]
        assert len(con.execute("SELECT comment FROM duckdb_columns()").fetchall()) >= done
    return done


def test_what_is_kept_may_be_damaged_or_old(tmp_path: Path, cache: Path) -> None:
    """A damaged one is removed, and made again by the next; few versions are kept."""
    assert copy(tmp_path / "a")
    (file,) = (cache / "imsperf").iterdir()
    content = file.read_bytes()
    file.write_bytes(content[:5000])
    assert not copy(tmp_path / "b")
    assert not file.exists()
    assert copy(tmp_path / "c") and file.stat().st_size == len(content)
    for number in range(6):
        assert copy(tmp_path / f"d{number}", str(number))
    names = sorted(path.name for path in (cache / "imsperf").iterdir())
    assert names == [f"schema-{number}.duckdb" for number in range(2, 6)]


def test_nowhere_to_keep_it(tmp_path: Path, cache: Path) -> None:
    """A file stands where the folder should."""
    cache.write_text("")
    assert not copy(tmp_path / "a")
    assert cache.read_text() == ""


# --- a new database is a copy of the file that is kept --------------------------------------------


@pytest.fixture
def small(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the kept schema, which has one table: making the real one takes seconds."""

    def define(new: store.Store) -> None:
        new.con.execute(store.META_TABLE)
        new.con.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER)")
        store._set_facts(new)

    monkeypatch.setattr(store, "_define", define)
    return cache / "imsperf"


def rows(path: Path) -> list[Any]:
    with duckdb.connect(str(path), read_only=True) as con:
        return con.execute("SELECT n FROM t").fetchall()


def insert(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("INSERT INTO t VALUES (7)")


def names(path: Path) -> list[str]:
    return [file.name for file in path.parent.iterdir() if file.is_file()]


def test_a_new_database_is_a_copy(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    for is_new in (True, False):
        with store.open_store(path, create=True) as opened:
            assert opened.is_unused == is_new
            assert opened.scalar("SELECT count(*) FROM t") == 0
    assert len(list(small.iterdir())) == 1
    assert names(path) == ["a.duckdb"]


def test_a_failed_load_leaves_no_copy(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    with pytest.raises(ZeroDivisionError), store.open_store(path, create=True):
        raise ZeroDivisionError
    assert names(path) == []


def test_what_another_process_loaded_in_between_stays(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A load that fails removes only what it made itself."""
    path, link = tmp_path / "a.duckdb", os.link

    def link_and_load(part: Path, file: Path) -> None:
        link(part, file)
        insert(file)

    monkeypatch.setattr(store.os, "link", link_and_load)
    with pytest.raises(ZeroDivisionError), store.open_store(path, create=True):
        raise ZeroDivisionError
    assert rows(path) == [(7,)]
    assert names(path) == ["a.duckdb"]


def test_another_process_was_faster(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, link = tmp_path / "a.duckdb", os.link

    def link_after_another(part: Path, file: Path) -> None:
        link(part, file)
        insert(file)
        link(part, file)

    monkeypatch.setattr(store.os, "link", link_after_another)
    with store.open_store(path, create=True) as opened:
        assert not opened.is_unused
    assert rows(path) == [(7,)]
    assert names(path) == ["a.duckdb"]


def test_where_files_have_one_name_only(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system without hard links: tables are copied instead."""

    def refuse(part: Path, file: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(store.os, "link", refuse)
    path = tmp_path / "a.duckdb"
    with store.open_store(path, create=True) as opened:
        assert opened.is_unused
    assert rows(path) == []
    assert names(path) == ["a.duckdb"]


def test_a_damaged_file_is_not_copied_twice(small: Path, tmp_path: Path) -> None:
    store.open_store(tmp_path / "a.duckdb", create=True).close()
    (kept,) = small.iterdir()
    content = kept.read_bytes()
    kept.write_bytes(content[:5000])
    for name in ("b.duckdb", "c.duckdb"):
        store.open_store(tmp_path / name, create=True).close()
        assert rows(tmp_path / name) == []
    assert kept.stat().st_size == len(content)


def test_what_killed_processes_left_goes(tmp_path: Path, cache: Path) -> None:
    """A copy and a folder half made an hour ago go; those of now, and of others, stay."""
    folder = cache / "imsperf"
    folder.mkdir(parents=True)
    old = [tmp_path / ".x.duckdb.0123456789ab", folder / "tmpabc" / "schema.duckdb"]
    stay = [tmp_path / ".x.duckdb.ba9876543210", tmp_path / ".x.duckdb.wal", folder / "other"]
    for file in (*old, *stay):
        file.parent.mkdir(exist_ok=True)
        file.touch()
    for path in (old[0], old[1].parent, stay[1], stay[2]):
        os.utime(path, (time.time() - 3600,) * 2)
    store.open_store(tmp_path / "x.duckdb", create=True).close()
    assert not any(file.exists() for file in old) and not old[1].parent.exists()
    assert all(file.exists() for file in stay)
