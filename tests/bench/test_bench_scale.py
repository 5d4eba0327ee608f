"""Time and memory from 10 MB to 4 GB; `inspect`; a selection; the first start.

`pytest -q -s -m bench tests/bench/test_bench_scale.py` needs about 8 GB of disk, and draws
docs/images/load-scale.svg with IMSPERF_BENCH_PLOT set to that name.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_clock import core, medians, told
from bench_inputs import dump, folder
from test_bench_load import read_through

from imsperf.api import load
from imsperf.parsers.framing.frames import Dump, open_dump
from imsperf.parsers.read import inspect, read_file
from imsperf.parsers.selection import Keep, Selection, wanted

pytestmark = pytest.mark.bench

SIZES = (10, 40, 160, 640, 2000, 4000)
# A child that loads, and says the most anonymous memory that it had, in MB.
_CHILD = """
import sys, threading, time
from pathlib import Path
from imsperf.api import load
most, done = [0], threading.Event()
def watch():
    while not done.wait(0.02):
        for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
            if line.startswith("Anonymous:"):
                most[0] = max(most[0], int(line.split()[1]))
thread = threading.Thread(target=watch)
thread.start()
load([sys.argv[1]], sys.argv[2], run="bench", memory=512 << 20)
done.set()
thread.join()
print(most[0] / 1024)
"""


def _child(path: Path, target: Path) -> tuple[float, float]:
    """Seconds and megabytes of a load in a process of its own."""
    target.unlink(missing_ok=True)
    began = time.perf_counter()
    words = [sys.executable, "-c", _CHILD, str(path), str(target)]
    out = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return time.perf_counter() - began, float(out)


@pytest.mark.parametrize("name", ["dense", "sixty"])
def test_load_grows_with_the_file(name: str, tmp_path: Path) -> None:
    """Anonymous memory below 600 MB at --memory 512M; time in proportion to the bytes."""
    rows: list[tuple[int, float, float]] = []
    for size in SIZES:
        path = dump(name, size)
        read_through(path)
        rows.append((size, *_child(path, tmp_path / "bench.duckdb")))
        if size > 1000:
            path.unlink()
    told(
        f"load of {name} with --memory 512M",
        [(f"{size:,} MB", f"{took:7.1f} s  {size / took:7,.0f} MB/s  {most:6,.0f} MB of memory")
         for size, took, most in rows],
    )  # fmt: skip
    if plot := os.environ.get("IMSPERF_BENCH_PLOT"):
        _draw(Path(plot.replace("NAME", name)), rows)


def _draw(target: Path, rows: list[tuple[int, float, float]]) -> None:
    import altair as alt
    import pyarrow as pa

    table = pa.Table.from_pylist(
        [dict(zip(("size", "seconds", "memory"), row, strict=True)) for row in rows]
    )
    size = alt.X("size:Q", title="Size of the dump (MB)", scale=alt.Scale(type="log"))
    marks = alt.Chart(table).mark_line(point=True).encode(size)
    seconds = alt.Y("seconds:Q", title="Load (s)", scale=alt.Scale(type="log"))
    memory = alt.Y("memory:Q", title="Anonymous memory (MB)")
    both = alt.hconcat(marks.encode(y=seconds), marks.encode(y=memory))
    target.parent.mkdir(parents=True, exist_ok=True)
    both.save(str(target))


def test_inspect_of_four_gigabytes() -> None:
    """One pass of reading and 0.8 s."""
    path = dump("dense", 4000)
    read_through(path)
    took = medians({"read": lambda: read_through(path), "inspect": lambda: inspect(path)}, 3)
    extra = took["inspect"] - took["read"]
    told(
        "inspect of 4 GB",
        [
            *((name, f"{seconds:.2f} s") for name, seconds in took.items()),
            ("inspect - read", f"{extra:.2f} s"),
        ],
    )
    path.unlink()


def test_a_selection_of_one_percent() -> None:
    """At most 1.5 times the walk and the decoding of what matches."""
    path = dump("one_percent")
    few = folder() / "one-percent-only.smf"
    if not few.exists():
        from imsperf.api import extract

        extract(path, few, types="74.1")

    def walk() -> None:
        opened: Dump = open_dump(path)
        for _ in opened.parts():
            pass

    def rows(source: Path, types: str) -> int:
        keep = Keep(Selection(wanted(types)))
        return sum(batch.num_rows for _, batch in read_file(source, 1, keep=keep).batches)

    works: dict[str, Callable[[], object]] = {
        "walk": walk,
        "decode of the matches": lambda: rows(few, ""),
        "selection": lambda: rows(path, "74.1"),
    }
    assert rows(few, "") > 0
    took = medians(works, 5, core)
    ratio = took["selection"] / (took["walk"] + took["decode of the matches"])
    told(
        f"1 % of {path.stat().st_size / 1e6:,.0f} MB",
        [
            *((name, f"{seconds:.3f} s") for name, seconds in took.items()),
            ("ratio", f"{ratio:.2f}"),
        ],
    )


_FIRST = """
import sys, time
began = time.perf_counter()
import imsperf
next(iter(imsperf.read(sys.argv[1])))
print(time.perf_counter() - began)
"""


def test_the_first_start(tmp_path: Path) -> None:
    """Nothing compiled yet: at most 6 s to the first rows; compiled: 1 s."""
    path = dump("dense", 16)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    words = [sys.executable, "-c", _FIRST, str(path)]
    seconds = [
        float(
            subprocess.run(
                words, check=True, capture_output=True, text=True, env=environment
            ).stdout
        )
        for _ in range(4)
    ]
    told(
        "to the first rows",
        [("cold", f"{seconds[0]:.2f} s"), ("cached", f"{min(seconds[1:]):.2f} s")],
    )


def test_load_of_what_is_there(tmp_path: Path) -> None:
    """A file that is loaded already is only recognised."""
    path, target = dump("dense", 160), tmp_path / "bench.duckdb"
    load([path], target, run="bench")
    took = medians({"again": lambda: load([path], target, run="bench")}, 3)
    told("the same 160 MB again", [("seconds", f"{took['again']:.2f}")])
