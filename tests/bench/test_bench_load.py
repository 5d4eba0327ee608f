"""How fast a dump loads, against the floor in the same run: reading the file, and DuckDB alone.

The floor reads the file in pieces of 8 MB and, for each table, makes it from ready Arrow with its
key columns (CREATE TABLE AS), then COMMIT and CHECKPOINT, with DuckDB's own number of threads.
The ledger of a load is no part of it: load_record alone has 16 bytes for each record that do not
pack. Goals: a load takes at most 1.6 times the floor (sparse), 1.3 times (dense).
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from bench_clock import medians, told
from bench_inputs import dump, folder

from imsperf.api import load
from imsperf.parsers.read import read_file
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

ROUNDS = 3
PIECE = 8 << 20

pytestmark = pytest.mark.bench


def read_through(path: Path) -> None:
    """Every byte once, in pieces of 8 MB."""
    piece = bytearray(PIECE)
    with path.open("rb", buffering=0) as file:
        while file.readinto(piece):
            pass


def ingest(tables: dict[str, pa.Table], target: Path) -> None:
    """What DuckDB alone needs for ready-made Arrow: create, commit, checkpoint."""
    target.unlink(missing_ok=True)
    with duckdb.connect(str(target)) as con:
        con.execute("BEGIN TRANSACTION")
        for name, rows in tables.items():
            con.register("ready", rows)
            con.execute(f"CREATE TABLE {name} AS SELECT * FROM ready")
            con.unregister("ready")
        con.execute("COMMIT")
        con.execute("CHECKPOINT")


def decoded(path: Path) -> dict[str, pa.Table]:
    """The Arrow tables a load would append."""
    tables: dict[str, list[pa.Table]] = {}
    for name, rows in read_file(path, 1).batches:
        table = rows if isinstance(rows, pa.Table) else pa.Table.from_batches([rows])
        tables.setdefault(name, []).append(table)
    return {name: pa.concat_tables(parts) for name, parts in tables.items()}


def bytes_to_arrow(path: Path) -> int:
    """Rows decoded and given away at once."""
    return sum(rows.num_rows for _, rows in read_file(path, 1).batches)


def imslog() -> Path:
    """An IMS log of about 200 MB: every transaction of 4 s."""
    out = folder() / "imslog"
    if not list(out.glob("*.imslog.*")):
        generate(scenario.load("tps-100k"), out, seconds=4, every_s=2, sample_k=1)
    return next(out.glob("*.imslog.*"))


@pytest.mark.parametrize("name", ["sparse", "dense", "sixty", "undecoded", "imslog"])
def test_load(name: str, tmp_path: Path) -> None:
    """MB/s of reading, decoding, the floor and the whole load, and their ratios."""
    path, target = imslog() if name == "imslog" else dump(name), tmp_path / "bench.duckdb"

    def whole() -> None:
        target.unlink(missing_ok=True)
        load([path], target, run="bench")

    tables = decoded(path)  # compiles the kernels
    rows = {name: table.num_rows for name, table in tables.items()}

    def floor() -> None:
        read_through(path)
        ingest(tables, target)

    took = medians(
        {
            "read": lambda: read_through(path),
            "decode": lambda: bytes_to_arrow(path),
            "floor": floor,
            "load": whole,
        },
        ROUNDS,
    )
    size = path.stat().st_size
    told(
        f"load of {name}, {size / 1e6:,.0f} MB, {sum(rows.values()):,} rows, {len(rows)} tables",
        [
            *(
                (seconds, f"{took[seconds]:6.2f} s  {size / took[seconds] / 1e6:8,.0f} MB/s")
                for seconds in took
            ),
            ("load / floor", f"{took['load'] / took['floor']:.2f}"),
        ],
    )
    with duckdb.connect(str(target), read_only=True) as con:
        for table_name, count in rows.items():
            assert con.execute(f"SELECT count(*) FROM {table_name}").fetchall() == [(count,)]
    target.unlink()
