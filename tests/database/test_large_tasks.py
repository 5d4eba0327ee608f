"""Tasks of a log of 600 MB and SMF of 150 MB give the lake of one process, in ranges of 64 MB and
of 256 KB; so do those of the command and of `imsperf.load`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from bench_inputs import chunks

from imsperf.lake.manifest import by_table, read_manifests
from imsperf.loading.jobs import load_by_tasks
from imsperf.loading.load import Job, load_into
from imsperf.parsers.options import ReadOptions
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

pytestmark = pytest.mark.slow

LOG, SMF = 600_000_000, 150_000_000


def digests(lake: Path) -> dict[str, Any]:
    """How many rows each table has, and two sums of their hashes, but of the time of the load."""
    found = {}
    with duckdb.connect() as con:
        for table, parts in by_table(read_manifests(lake)[1]).items():
            pick = "* EXCLUDE (loaded_at)" if table == "load_file" else "*"
            rows = con.read_parquet(
                [str(lake / part.path) for part in parts],
                hive_partitioning=False,
                union_by_name=True,
            )
            sql = "SELECT count(*), sum(hash(t)::HUGEINT), bit_xor(hash(t)) "
            found[table] = con.sql(f"{sql} FROM (SELECT {pick} FROM rows) AS t").fetchall()[0]
            del rows
    return found


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    """Every transaction of 14 s, and device records."""
    folder = tmp_path_factory.mktemp("large")
    generate(scenario.load("tps-100k"), folder, seconds=14, every_s=7, sample_k=1)
    (log,) = folder.glob("*.imslog.*")
    smf = folder / "devices.smf"
    with smf.open("wb") as out:
        for chunk in chunks("dense", SMF // 1_000_000):
            out.write(chunk)
    assert log.stat().st_size > LOG
    assert smf.stat().st_size > SMF
    yield [log, smf]
    for file in folder.iterdir():
        file.unlink()


@pytest.mark.parametrize("range_bytes", [64 << 20, 256 << 10])
def test_ranges_of_large_dumps(range_bytes: int, dumps: list[Path], tmp_path: Path) -> None:
    """Parts of the walk are no larger than a range: what is beside a record is the same."""
    part_bytes = range_bytes if range_bytes < 1 << 20 else None
    job = Job(ReadOptions(raw=True, part_bytes=part_bytes), "r")
    load_into(tmp_path / "one", dumps, job, parquet=True)
    load_by_tasks(tmp_path / "tasks", dumps, job, 2, range_bytes, create=True)
    wanted = digests(tmp_path / "one")
    assert digests(tmp_path / "tasks") == wanted
    print({table: rows[0] for table, rows in wanted.items()})
    assert sum(rows[0] for rows in wanted.values()) > 10_000_000


@pytest.mark.parametrize("words", [["--jobs", "2"], ["--jobs", "3", "--memory", "1GB"]], ids=str)
def test_the_command(words: list[str], dumps: list[Path], tmp_path: Path) -> None:
    """By copies of itself; with a bound of memory too, of which parts of the walk are a share."""
    command = [sys.executable, "-P", "-m", "imsperf", "load", *map(str, dumps), "--run", "r"]
    for lake, more in (("one", words[2:]), ("tasks", words)):
        done = [*command, "--parquet", str(tmp_path / lake), *more]
        subprocess.run(done, check=True, capture_output=True)
    assert digests(tmp_path / "tasks") == digests(tmp_path / "one")
