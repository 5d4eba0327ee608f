"""The runs of a database: what was loaded under which name; rename one, remove one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from imsperf.database.store import Store
from imsperf.errors import StoreError, near


def runs(store: Store) -> pa.Table:
    """One row for each run: files, records, times of SMF (local) and of IMS logs (UTC), loads."""
    return store.con.sql(
        """SELECT
            run, count(*) AS files, sum(records)::BIGINT AS records, sum(bytes)::BIGINT AS bytes,
            min(first) FILTER (kind = 'smf') AS smf_first,
            max(last) FILTER (kind = 'smf') AS smf_last,
            min(first) FILTER (kind = 'ims') AS log_first_utc,
            max(last) FILTER (kind = 'ims') AS log_last_utc,
            max(loaded_at) AS loaded_at,
            count(*) FILTER (status <> 'whole') AS damaged
        FROM load_file
        GROUP BY run
        ORDER BY max(loaded_at), run"""
    ).to_arrow_table()


def rename_run(store: Store, old: str, new: str) -> None:
    """Give a run another name. Raises StoreError where there is no such run, or `new` is taken."""
    _check_run(store, old)
    if not new.strip():
        raise StoreError("found no new name for the run", "such as --rename one monday")
    if new in runs(store)["run"].to_pylist():
        raise StoreError(f"{store.path}: run {new!r} is there already", "take another name")
    with _together(store):
        for table in _tables_with(store, "run"):
            store.con.execute(f'UPDATE "{table}" SET run = $1 WHERE run = $2', [new, old])


def remove_run(store: Store, run: str) -> None:
    """Delete all rows of a run. Raises StoreError where there is no such run."""
    _check_run(store, run)
    of_run = "SELECT file_id FROM load_file WHERE run = $1"
    with _together(store):
        for table in _tables_with(store, "file_id"):
            if table != "load_file":
                store.con.execute(f'DELETE FROM "{table}" WHERE file_id IN ({of_run})', [run])
        for table in _tables_with(store, "run"):
            store.con.execute(f'DELETE FROM "{table}" WHERE run = $1', [run])


def _check_run(store: Store, run: str) -> None:
    names = runs(store)["run"].to_pylist()
    if run not in names:
        raise StoreError(
            f"{store.path}: no run {run!r}", near(run, names, f"runs: {', '.join(names)}")
        )


def _tables_with(store: Store, column: str) -> list[str]:
    """Tables of the database that have a column of that name."""
    found = store.con.execute(
        """SELECT c.table_name
        FROM duckdb_columns() AS c
        JOIN duckdb_tables() AS t USING (database_name, schema_name, table_name)
        WHERE c.column_name = ? AND NOT t.temporary
        ORDER BY c.table_name""",
        [column],
    ).fetchall()
    return [name for (name,) in found]


@contextmanager
def _together(store: Store) -> Iterator[None]:
    """All of it or nothing."""
    store.con.begin()
    try:
        yield
    except BaseException:
        store.con.rollback()
        raise
    store.con.commit()
