"""Appending batches: gathered for DuckDB, in order, none lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from imsperf import store
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


@pytest.mark.parametrize("held_bytes", [1 << 20, 2000])
@pytest.mark.parametrize("sizes", [[7], [10, 30, 1], [3] * 50, [95], [40, 40], [0, 5, 0]])
def test_rows_are_inserted_in_row_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: list[int], held_bytes: int
) -> None:
    """Whole groups until the end, whatever the batches; the rows keep their order."""
    monkeypatch.setattr(store, "_ROW_GROUP", 10)
    monkeypatch.setattr(store, "_HELD_ROWS", 40)
    monkeypatch.setattr(store, "_HELD_BYTES", held_bytes)
    inserted = [rows for _, rows in store._row_groups(batches(sizes))]
    assert all(len(rows) % 10 == 0 for rows in inserted[:-1]) or held_bytes == 2000
    assert all(b.num_rows <= 10 for rows in inserted for b in rows.to_batches())
    with store.open_store(tmp_path / "x.duckdb", create=True) as opened:
        opened.append_batches(batches(sizes))
        found = opened.con.sql("SELECT record_no FROM ims_47_region").fetchall()
    assert found == [(n,) for n in range(sum(sizes))]
