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
    load_by_tasks(lake, files, _job(), 2, RANGE, create=True)


def _job() -> Job:
    return Job(ReadOptions(raw=True, part_bytes=RANGE // 2), "r")


# How a lake is loaded; how many pages more are free from one time to the next, first in all, then
# where the load nearly fits: its parts are moved to their places and its manifest is written.
LOADS: dict[str, tuple[Load, tuple[int, ...]]] = {
    "one process": (by_one_process, (5,)),
    "tasks": (by_tasks, (170, 17)),
    "two processes": (by_two_processes, (270, 90)),
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


class Sweep:
    """A load of some files into a lake that has another one, with few pages free."""

    def __init__(self, disk: Path, name: str, files: list[Path]) -> None:
        self._disk, self._name, (self._load, self._steps) = disk, name, LOADS[name]
        before, *self._more = files
        self._template, self._lake = disk / "template", disk / "lake"
        load_into(self._template, [before], _job(), parquet=True)
        self._known, self._there = digest(self._template), files_of(self._template)
        self._begin()
        self._load(self._lake, self._more)
        self._wanted = digest(self._lake)
        assert self._known != self._wanted

    def run(self) -> Counter[str]:
        """From no page until the load fits; the last of these steps again in smaller ones."""
        counts, pages = Counter[str](), 0
        for step in self._steps:
            while not self._is_loaded(pages):
                counts["full"] += 1
                pages += step
            counts["pages"] = pages
            pages = max(0, pages - step)
        for lake in (self._lake, self._template):
            shutil.rmtree(lake)
        return counts

    def _begin(self) -> None:
        shutil.rmtree(self._lake, ignore_errors=True)
        shutil.copytree(self._template, self._lake)

    def _is_loaded(self, pages: int) -> bool:
        """Whether the load fits; what is in the lake then, and what the next load makes of it."""
        self._begin()
        must, error = f"{self._name}, {pages} pages free:", None
        with filled(self._disk, pages):
            try:
                self._load(self._lake, self._more)
            except ImsperfError as full:
                error = str(full)
            left = digest(self._lake)
        if error is None:
            assert left == self._wanted, f"{must} not all of a load that ended"
            return True
        assert "cannot be written" in error and "No space left" in error, f"{must} {error}"
        assert left == self._known, f"{must} a content that is not the old one"
        new = files_of(self._lake).keys() ^ self._there.keys()
        assert files_of(self._lake) == self._there, f"{must} other files: {sorted(new)[:5]}"
        self._load(self._lake, self._more)
        assert digest(self._lake) == self._wanted, f"{must} the next load is not whole"
        return False


def main(disk: Path, *names: str) -> None:
    """Print how many loads were stopped."""
    files = dumps(disk)
    for name in names or LOADS:
        print(json.dumps({"load": name, **Sweep(disk, name, files).run()}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
