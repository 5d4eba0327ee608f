"""What tasks cost: CPU and Parquet files of a load into a lake by one process and in ranges.

CPU (user and system) is that of a process which loads, and of all that it starts. Goals: the pass
over the headers 1 GB/s or more; all tasks at most 1.2 times one process; 41 files of 4 MB at most
1.5 times the CPU and 2 times the Parquet files of the same bytes as one file.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_clock import core, told
from bench_inputs import chunks, dump, folder
from test_bench_load import imslog

from imsperf.parsers.containers.source import open_source
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.ranges import pass_along

ROUNDS = 3
FILES, MEGABYTES = 41, 4
_ADOPT = 36  # PR_SET_CHILD_SUBREAPER: processes whose parent has ended become those of this one

pytestmark = [
    pytest.mark.bench,
    pytest.mark.skipif(sys.platform != "linux", reason="CPU of processes that others started"),
]

LOAD = """
import sys
import imsperf
if __name__ == "__main__":
    jobs, lake, *files = sys.argv[1:]
    imsperf.load(files, lake, run="bench", parquet=True, jobs=int(jobs))
"""


def load(files: list[Path], lake: Path, jobs: int) -> tuple[float, int]:
    """Seconds of CPU, and how many Parquet files there are."""
    ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    command = [sys.executable, "-P", "-c", LOAD, str(jobs), str(lake), *map(str, files)]
    seconds, status = 0.0, dict[int, int]()
    with subprocess.Popen(command) as process:
        while True:
            try:
                child, status[child], used = os.wait4(-1, 0)
            except ChildProcessError:
                break
            seconds += used.ru_utime + used.ru_stime
        process.returncode = os.waitstatus_to_exitcode(status[process.pid])
    assert process.returncode == 0
    return seconds, len(list(lake.rglob("*.parquet")))


def compared(works: dict[str, tuple[list[Path], int]], place: Path) -> Iterator[tuple[str, str]]:
    """Files and jobs of each load, in turn; ratios to the first, of least and of medians."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    parts = dict[str, int]()
    for turn in range(ROUNDS):
        for name, (files, jobs) in works.items():
            took, parts[name] = load(files, place / f"{name}-{turn}", jobs)
            seconds[name].append(took)
    first = next(iter(works))
    for name, times in seconds.items():
        least, middle = min(times), statistics.median(times)
        ratios = least / min(seconds[first]), middle / statistics.median(seconds[first])
        words = f"{least:6.2f} s, times {ratios[0]:.2f} (medians {ratios[1]:.2f})"
        yield name, f"{words}, {parts[name]} Parquet files ({parts[name] / parts[first]:.2f})"


@pytest.mark.parametrize("name", ["dense", "sixty", "imslog"])
def test_tasks(name: str, tmp_path: Path) -> None:
    """One process; ranges of 64 MB in two."""
    file = imslog() if name == "imslog" else dump(name)
    source = open_source(file)
    pass_along(source, ReadOptions())  # compiles
    size = file.stat().st_size
    took = min(core(lambda: pass_along(source, ReadOptions())) for _ in range(ROUNDS))
    works = {"one process": ([file], 1), "two processes": ([file], 2)}
    rows = [("pass", f"{size / took / 1e9:.2f} GB/s of CPU"), *compared(works, tmp_path)]
    told(f"tasks of {name}, {size / 1e6:,.0f} MB", rows)


def whole_records(data: bytes, most: int) -> bytes:
    """As many records as fit."""
    at = end = 0
    while end <= most:
        at, end = end, end + int.from_bytes(data[end : end + 2])
    return data[:at]


@pytest.mark.parametrize("name", ["dense", "sixty"])
def test_many_small_files(name: str, tmp_path: Path) -> None:
    """The same bytes as one file and as many, by one process and by two."""
    many = [folder() / f"small-{name}-{number:02}.smf" for number in range(FILES)]
    each = iter(chunks(name, 2 * FILES * MEGABYTES))
    for path in many:
        if not path.exists():
            path.write_bytes(whole_records(next(each), MEGABYTES * 1_000_000))
    one = folder() / f"small-{name}-all.smf"
    one.write_bytes(b"".join(path.read_bytes() for path in many))
    works = {
        "as one file": ([one], 1),
        "as many": (many, 1),
        "as one file, two processes": ([one], 2),
        "as many, two processes": (many, 2),
    }
    told(f"{FILES} files of {MEGABYTES} MB, {name}", list(compared(works, tmp_path)))
