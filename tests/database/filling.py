"""Loads into a lake on a disk that is full at any page; `python tests filling DISK` counts.

DISK is a file system of its own, of some megabytes. A file fills it so that a load finds so many
pages free, and none more. Then the lake must be as it was, file by file, or have all of the load;
and the next load, with space, must end with all of it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from killing import digest, dumps

from imsperf.errors import ImsperfError
from imsperf.loading.jobs import load_by_tasks
from imsperf.loading.load import Job, load_into
from imsperf.parsers.options import ReadOptions

PAGE = 4096
RANGE = 20_000
Load = Callable[[Path, list[Path]], object]


def by_one_process(lake: Path, files: list[Path]) -> None:
    load_into(lake, files, _job(), parquet=True)


def by_tasks(lake: Path, files: list[Path]) -> None:
    load_by_tasks(lake, files, _job(), 1, RANGE, create=True)


def by_two_processes(lake: Path, files: list[Path]) -> None:
    load_by_tasks(lake, files, _job(), 2, RANGE, create=True, worth=0)


def _job() -> Job:
    return Job(ReadOptions(raw=True, part_bytes=RANGE // 2), "r")


# How a lake is loaded, and how many pages more are free from one time to the next.
LOADS: dict[str, tuple[Load, int]] = {
    "one process": (by_one_process, 5),
    "tasks": (by_tasks, 17),
    "two processes": (by_two_processes, 90),
}


def files_of(lake: Path) -> dict[str, bytes]:
    """All files but the lock, which says who held it last."""
    files = [path for path in lake.rglob("*") if path.is_file() and path.name != "lock"]
    return {str(path.relative_to(lake)): path.read_bytes() for path in files}


@contextmanager
def filled(disk: Path, pages: int) -> Iterator[None]:
    """So many pages are free."""
    filler = disk / "filler"
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, free - pages * PAGE)
    try:
        yield
    finally:
        filler.unlink()


def sweep(disk: Path, name: str, files: list[Path]) -> Counter[str]:
    """From no page until a load fits."""
    load, step = LOADS[name]
    before, *more = files
    template, lake = disk / "template", disk / "lake"
    load_into(template, [before], _job(), parquet=True)
    shutil.copytree(template, lake)
    load(lake, more)
    wanted, counts, pages = digest(lake), Counter[str](), 0
    known, there = digest(template), files_of(template)
    assert known != wanted
    while not counts["loaded"]:
        shutil.rmtree(lake)
        shutil.copytree(template, lake)
        must = f"{name}, {pages} pages free:"
        with filled(disk, pages):
            try:
                load(lake, more)
                counts["loaded"] += 1
            except ImsperfError as error:
                assert "cannot be written" in str(error), f"{must} {error}"
                assert "No space left" in str(error), f"{must} {error}"
                counts["full"] += 1
            left = digest(lake)
        if counts["loaded"]:
            assert left == wanted, f"{must} not all of a load that ended"
            break
        assert left == known, f"{must} a content that is not the old one"
        new = files_of(lake).keys() ^ there.keys()
        assert files_of(lake) == there, f"{must} other files than before: {sorted(new)[:5]}"
        load(lake, more)
        assert digest(lake) == wanted, f"{must} the next load is not whole"
        pages += step
    shutil.rmtree(lake)
    shutil.rmtree(template)
    counts["pages"] = pages
    return counts


def main(disk: Path, *names: str) -> None:
    """Print how many loads were stopped."""
    files = dumps(disk)
    for name in names or LOADS:
        print(json.dumps({"load": name, **sweep(disk, name, files)}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
