"""What tasks cost: CPU and Parquet files of a load into a lake by one process and in ranges.

CPU (user and system) is that of a process which loads, and of all that it starts; modules are
compiled, as those of an installed package. Goals: the pass
over the headers 1 GB/s or more; all tasks at most 1.2 times one process; 41 files of 4 MB at most
1.5 times the CPU and 2 times the Parquet files of the same bytes as one file.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from bench_clock import core, told
from bench_inputs import chunks, dump, folder

from imsperf.parsers.containers.source import open_source
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.ranges import pass_along
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

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


def program(files: list[Path], lake: Path, jobs: int) -> list[str]:
    """A load by `imsperf.load`."""
    return [sys.executable, "-P", "-c", LOAD, str(jobs), str(lake), *map(str, files)]


def command(files: list[Path], lake: Path, jobs: int) -> list[str]:
    """The same by `imsperf load`."""
    words = ["load", *map(str, files), "--parquet", str(lake), "--run", "bench"]
    return [sys.executable, "-P", "-m", "imsperf", *words, "--jobs", str(jobs)]


def load(words: list[str], lake: Path) -> tuple[float, int]:
    """Seconds of CPU, and how many Parquet files there are."""
    ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    seconds, status = 0.0, dict[int, int]()
    installed = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder() / "modules")}
    installed.pop("PYTHONDONTWRITEBYTECODE", None)
    with subprocess.Popen(words, stderr=subprocess.DEVNULL, env=installed) as process:
        while True:
            try:
                child, status[child], used = os.wait4(-1, 0)
            except ChildProcessError:
                break
            seconds += used.ru_utime + used.ru_stime
        process.returncode = os.waitstatus_to_exitcode(status[process.pid])
    assert process.returncode == 0
    parts = len(list(lake.rglob("*.parquet")))
    shutil.rmtree(lake)
    return seconds, parts


Work = tuple[Callable[[list[Path], Path, int], list[str]], list[Path], int]


def compared(works: dict[str, Work], place: Path) -> Iterator[tuple[str, str]]:
    """How, files and jobs of each load, in turn; ratios to the first, of least and of medians."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    parts = dict[str, int]()
    for turn in range(ROUNDS):
        for name, (words, files, jobs) in works.items():
            lake = place / f"{name}-{turn}"
            took, parts[name] = load(words(files, lake, jobs), lake)
            seconds[name].append(took)
    first = next(iter(works))
    for name, times in seconds.items():
        least, middle = min(times), statistics.median(times)
        ratios = least / min(seconds[first]), middle / statistics.median(seconds[first])
        words = f"{least:6.2f} s, times {ratios[0]:.2f} (medians {ratios[1]:.2f})"
        yield name, f"{words}, {parts[name]} Parquet files ({parts[name] / parts[first]:.2f})"


def test_tasks(tmp_path: Path) -> None:
    """A log of 600 MB and device records of 150 MB: one process; ranges in two."""
    generate(scenario.load("tps-100k"), tmp_path, seconds=14, every_s=7, sample_k=1)
    files = [*tmp_path.glob("*.imslog.*"), dump("dense", 150)]
    for file in files:
        walk = partial(pass_along, open_source(file), ReadOptions())
        walk()  # compiles
        took, size = min(core(walk) for _ in range(ROUNDS)), file.stat().st_size
        told(f"pass over {file.name}", [(f"{size:,} bytes", f"{size / took / 1e9:.2f} GB/s")])
    works = {
        "one process": (program, files, 1),
        "two of imsperf.load": (program, files, 2),
        "two of the command": (command, files, 2),
    }
    told(
        f"tasks, {sum(f.stat().st_size for f in files) / 1e6:,.0f} MB", [*compared(works, tmp_path)]
    )


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
        "as one file": (program, [one], 1),
        "as many": (program, many, 1),
        "as one file, two processes": (command, [one], 2),
        "as many, two processes": (command, many, 2),
    }
    told(f"{FILES} files of {MEGABYTES} MB, {name}", list(compared(works, tmp_path)))
