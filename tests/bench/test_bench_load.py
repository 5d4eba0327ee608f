"""How fast a dump loads, as ratios in one run: to reading the file, and to DuckDB's own ingest.

Run with `pytest -m bench -s`. Nothing here asserts a time; results that are quoted stand in
tests/bench/README.md with the machine they were measured on.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from imsperf.api import load
from imsperf.parsers.read import read_file
from imsperf.synthetic import scenario
from imsperf.synthetic.generate import generate

ROUNDS = 3
PIECE = 8 << 20

pytestmark = pytest.mark.bench


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An IMS log of about 200 MB: every transaction of 4 s."""
    out = tmp_path_factory.mktemp("bench")
    made = generate(scenario.load("tps-100k"), out, seconds=4, every_s=2, sample_k=1)
    return next(path for path in made.paths if ".imslog." in path.name)


def median(action: Callable[[], object]) -> float:
    """Seconds of the middle one of a few rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


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
    found: dict[str, list[pa.Table]] = {}
    for name, rows in read_file(path, 1).batches:
        table = rows if isinstance(rows, pa.Table) else pa.Table.from_batches([rows])
        found.setdefault(name, []).append(table)
    return {name: pa.concat_tables(parts) for name, parts in found.items()}


def test_load(dump: Path, tmp_path: Path) -> None:
    """MB/s of reading, decoding, DuckDB's ingest and the whole load, and their ratios."""
    target = tmp_path / "bench.duckdb"

    def whole() -> None:
        target.unlink(missing_ok=True)
        load([dump], target, run="bench")

    tables = decoded(dump)  # compiles the kernels
    megabytes = dump.stat().st_size / 1e6
    seconds = {
        "read": median(lambda: read_through(dump)),
        "decode": median(lambda: decoded(dump)),
        "DuckDB ingest": median(lambda: ingest(tables, target)),
        "load": median(whole),
    }
    floor = seconds["read"] + seconds["DuckDB ingest"]
    print(f"\n{megabytes:.0f} MB, {sum(t.num_rows for t in tables.values()):,} rows")
    for name, took in seconds.items():
        print(f"  {name:14} {took:6.2f} s  {megabytes / took:8.0f} MB/s")
    print(f"  load / read {seconds['load'] / seconds['read']:.1f}")
    ratio = seconds["load"] / seconds["DuckDB ingest"]
    print(f"  load / DuckDB ingest of the same Arrow {ratio:.2f}")
    print(f"  load / (read + ingest) {seconds['load'] / floor:.2f}")
    with duckdb.connect(str(target), read_only=True) as con:
        for name, rows in tables.items():
            assert con.execute(f"SELECT count(*) FROM {name}").fetchall() == [(rows.num_rows,)]
