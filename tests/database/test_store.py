"""The database: rows are appended in order, none lost; one of an earlier version is brought up."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from imsperf.database import row_groups, store
from imsperf.errors import DumpError, StoreError
from imsperf.layouts import table

SCHEMA = table("ims_47_region").schema()


def batch(first: int, rows: int) -> pa.RecordBatch:
    """Rows numbered from `first`; their other columns are NULL."""
    numbers = pa.array(range(first, first + rows), SCHEMA.field("record_no").type)
    columns = [numbers if f.name == "record_no" else pa.nulls(rows, f.type) for f in SCHEMA]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def batches(sizes: list[int]) -> Iterator[tuple[str, pa.RecordBatch]]:
    first = 0
    for size in sizes:
        yield "ims_47_region", batch(first, size)
        first += size


def test_largest_table_is_inserted_first_when_memory_is_short() -> None:
    """What waits never grows past the limit, and every row comes once, in order."""
    rng = np.random.default_rng(8)
    inserted, count = [], Counter[str]()
    for _ in range(300):
        name = "abc"[int(rng.integers(0, 3))]
        rows = int(rng.integers(1, 50)) * (8 if name == "b" else 1)
        values = pa.array(np.arange(count[name], count[name] + rows))
        inserted.append((name, pa.RecordBatch.from_arrays([values], names=["n"])))
        count[name] += rows
    waiting, seen = Counter[str](), Counter[str]()
    largest = 0

    def watched() -> Iterator[tuple[str, pa.RecordBatch]]:
        nonlocal largest
        for name, rows in inserted:
            largest = max(largest, sum(waiting.values()))
            waiting[name] += rows.nbytes
            yield name, rows

    for name, rows in row_groups.row_groups(watched(), 20_000):
        assert rows.column(0).to_pylist() == list(range(seen[name], seen[name] + len(rows)))
        assert waiting[name] == max(waiting.values()) or sum(waiting.values()) <= 20_000
        seen[name] += len(rows)
        waiting[name] -= rows.nbytes
    assert seen == count and largest <= 20_000


def test_items_are_made_ahead_and_errors_come_through() -> None:
    def items() -> Iterator[int]:
        yield from range(100)
        raise ValueError("made")

    taken = []
    with pytest.raises(ValueError, match="made"):
        for item in row_groups.ahead(items(), 4):
            taken.append(item)
    assert taken == list(range(100))
    before = set(threading.enumerate())
    for item in row_groups.ahead(iter(range(1_000_000)), 2):
        if item == 5:
            break
    assert set(threading.enumerate()) <= before  # a thread of others may have ended meanwhile


def older(path: Path) -> None:
    """A database as an earlier version may have made it: without a table, a column and a view."""
    with store.open_store(path, create=True) as opened:
        con = opened.con
        con.execute("INSERT INTO load_file (file_id, run, status) VALUES (1, 'monday', 'whole')")
        con.execute("DROP VIEW ims_tcb")
        con.execute("DROP TABLE ims_450b")
        con.execute("ALTER TABLE load_file DROP COLUMN status")
        con.execute("UPDATE imsperf_meta SET value = 'older' WHERE key IN ('sql', 'definitions')")


def test_a_database_of_an_earlier_version_gets_our_views(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its rows stay; what it never had is empty, and NULL beside what it has. It is said once."""
    older(tmp_path / "x.duckdb")
    for told in (["its views are made anew, once"], []):
        caplog.clear()
        store.open_store(tmp_path / "x.duckdb", read_only=True).close()
        assert [record.message.split("; ")[1] for record in caplog.records] == told
    with store.open_store(tmp_path / "x.duckdb", read_only=True) as opened:
        con = opened.con
        assert con.sql("SELECT run, status FROM load_file").fetchall() == [("monday", None)]
        assert con.sql("FROM ims_450b").fetchall() == []
        assert con.sql("FROM ims_tcb").fetchall() == []


def test_other_sql_with_the_same_views_is_read_as_it_is(tmp_path: Path) -> None:
    """Another version may differ in reports alone: nobody has to write, several may read."""
    file = tmp_path / "x.duckdb"
    for sql in (None, "of another version"):
        with store.open_store(file, create=True) as made:
            (now,) = made.con.execute("SELECT value FROM imsperf_meta WHERE key = 'sql'").fetchone()
            assert now != "of another version"
            if sql:
                made.con.execute("UPDATE imsperf_meta SET value = ? WHERE key = 'sql'", [sql])
    before = file.read_bytes()
    with store.open_store(file, read_only=True) as one, store.open_store(file, read_only=True):
        assert one.con.sql("FROM load_file").fetchall() == []
    assert file.read_bytes() == before
    with store.open_store(file, create=True) as made:
        assert made.con.execute("FROM imsperf_meta WHERE value = ?", [sql]).fetchall() == []


def test_views_that_cannot_be_replaced_are_told(tmp_path: Path) -> None:
    """A view where a table must be stops them; the database stays as it was."""
    older(tmp_path / "x.duckdb")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as con:
        con.execute("CREATE VIEW ims_450b AS SELECT 1 AS x")
    before = (tmp_path / "x.duckdb").read_bytes()
    with pytest.raises(StoreError, match="views of another version of imsperf, which cannot be"):
        store.open_store(tmp_path / "x.duckdb", read_only=True)
    assert (tmp_path / "x.duckdb").read_bytes() == before


@pytest.mark.parametrize("held_bytes", [1 << 20, 2000])
@pytest.mark.parametrize("sizes", [[7], [10, 30, 1], [3] * 50, [95], [40, 40], [0, 5, 0]])
def test_rows_are_inserted_in_row_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: list[int], held_bytes: int
) -> None:
    """Whole groups until the end, whatever the batches; the rows keep their order."""
    monkeypatch.setattr(row_groups, "ROW_GROUP", 10)
    monkeypatch.setattr(row_groups, "_HELD_ROWS", 40)
    monkeypatch.setattr(row_groups, "_HELD_BYTES", held_bytes)
    inserted = [rows for _, rows in row_groups.row_groups(batches(sizes), 1 << 30)]
    assert all(len(rows) % 10 == 0 for rows in inserted[:-1]) or held_bytes == 2000
    assert all(b.num_rows <= 10 for rows in inserted for b in rows.to_batches())
    with store.open_store(tmp_path / "x.duckdb", create=True) as opened:
        opened.append_batches(batches(sizes))
        numbers = opened.con.sql("SELECT record_no FROM ims_47_region").fetchall()
    assert numbers == [(n,) for n in range(sum(sizes))]


def test_an_error_while_rows_are_made_comes_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it was raised, not in DuckDB's words; and none of the rows stays."""
    monkeypatch.setattr(row_groups, "ROW_GROUP", 10)
    monkeypatch.setattr(row_groups, "_HELD_ROWS", 20)

    def broken() -> Iterator[tuple[str, pa.RecordBatch]]:
        yield from batches([40, 40])
        raise DumpError("x.smf: cut", "transfer it again")

    for number, memory in enumerate((1 << 29, 2 << 30), 1):
        with store.open_store(tmp_path / "x.duckdb", create=True, memory=memory) as opened:
            opened.append_batches(batches([1]))
            with pytest.raises(DumpError, match="cut"), opened.transaction():
                opened.append_batches(broken())
            assert opened.scalar("SELECT count(*) FROM ims_47_region") == number
