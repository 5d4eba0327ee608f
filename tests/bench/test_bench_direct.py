"""How fast a dump answers by itself, against a walk through it and against a load.

Goals, two cores: a sum over two columns of 1 GB of 74.1 in 0.5 s; `rmf.cpu` of 4 GB of mixed
records in the time of a walk and 1 s; in less than 600 MB.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from bench_clock import medians, told
from bench_inputs import dump, folder

import imsperf
from imsperf import api
from imsperf.parsers.read import inspect

ROUNDS = 3
SUM = "SELECT smf74ser, sum(smf74ssc) FROM smf74_1_device GROUP BY ALL"
MEMORY = """
import sys
from imsperf import api
with api.connect(sys.argv[1]) as store:
    store.con.execute(sys.argv[2]).fetchall()
    lines = open("/proc/self/status").read().splitlines()
print(*(" ".join(line.split()) for line in lines if line.startswith(("VmHWM", "RssAnon"))))
"""

pytestmark = pytest.mark.bench


def ask(path: Path, sql: str) -> None:
    with api.connect(path) as store:
        store.con.execute(sql).fetchall()


def scan(path: Path) -> None:
    rows = imsperf.scan(path, "smf74_1_device").group_by("smf74ser")
    rows.agg(pl.col("smf74ssc").sum()).collect(engine="streaming")


def load_and_report(path: Path, report: str) -> None:
    db = folder() / "direct.duckdb"
    db.unlink(missing_ok=True)
    api.load(path, db)
    api.report(report, db)
    db.unlink()


def tell(title: str, seconds: Mapping[str, float]) -> None:
    told(title, [(name, f"{value:.2f} s") for name, value in seconds.items()])


def test_a_sum_over_two_columns() -> None:
    path = dump("dense")
    works = {
        "walk": lambda: inspect(path),
        "connect": lambda: ask(path, SUM),
        "scan": lambda: scan(path),
        "load and report": lambda: load_and_report(path, "rmf.device"),
        "report": lambda: api.report("rmf.device", path),
    }
    tell(f"{path.stat().st_size / 1e6:,.0f} MB of 74.1", medians(works, ROUNDS))
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, path, SUM], capture_output=True, text=True, check=True
    )
    told("memory of connect", [("resident at most, of which anonymous at the end", done.stdout)])


def test_a_report_of_mixed_records() -> None:
    """Of a file that holds them four times: intervals count once."""
    once = dump("sixty")
    path = folder() / "direct-four.smf"
    with path.open("wb") as file:
        for _ in range(4):
            with once.open("rb") as quarter:
                shutil.copyfileobj(quarter, file)
    works = {
        "walk": lambda: inspect(path),
        "report": lambda: api.report("rmf.cpu", path),
        "walk of a quarter": lambda: inspect(once),
        "report of a quarter": lambda: api.report("rmf.cpu", once),
        "load and report of a quarter": lambda: load_and_report(once, "rmf.cpu"),
    }
    tell(f"{path.stat().st_size / 1e6:,.0f} MB of mixed records", medians(works, ROUNDS))
    path.unlink()
