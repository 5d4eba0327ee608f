"""Kills loads and looks at what is left; `python tests killing FOLDER POINTS SEED` counts.

A process that has imported and compiled everything, and runs no thread, forks one child for each
point. The child loads into a copy of a database, or of a lake, that holds a run; it is killed by
SIGKILL after some part of the time that a load takes. Then what is left must open, hold what it
held before or all that a whole load adds, and the next load must end with all of it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import second_writer as writer
from dump_files import smf
from evidence_files import record_bytes

from imsperf import api
from imsperf.database import store
from imsperf.lake import writer as lake_writer
from imsperf.lake.manifest import read_manifests
from imsperf.loading import load as loading
from imsperf.parsers.read import read_file

IMPORTED = (lake_writer, loading, store)  # before a process is forked

TABLES = "SELECT table_name FROM duckdb_tables() WHERE estimated_size > 0 ORDER BY 1"
RUN = "after"
_LONGEST = 120  # seconds that a child may take


def dumps(folder: Path) -> list[Path]:
    """What is there before, and two files that are loaded while the process is killed."""
    rng = np.random.default_rng(1)
    golden = [record_bytes(f"{name} record")[4:] for name in ("smf74_1", "smf70_1")]
    paths = []
    for number, count in enumerate((30, 200, 100)):
        plain = [smf(200, 1, rng.bytes(300), time=1000 * number + n) for n in range(count)]
        paths.append(folder / f"{number}.smf")
        paths[-1].write_bytes(writer.vbs([*golden * (count // 2), *plain], 8000))
    return paths


# --- what is in it -------------------------------------------------------------------------------


def digest(place: Path) -> str:
    """Rows of all tables, whatever their order, but for the time of the load; "" if none."""
    rows = _of_lake(place) if place.is_dir() else _of_database(place)
    return json.dumps(rows) if rows else ""


def _of_database(place: Path) -> dict[str, Any]:
    with api.connect(place) as store:
        names = [name for (name,) in store.con.execute(TABLES).fetchall()]
        return _digests(store.con, {name: f'"{name}"' for name in names if name != "imsperf_meta"})


def _of_lake(place: Path) -> dict[str, Any]:
    """By the manifests alone; every file they name is read."""
    files: dict[str, list[str]] = {}
    for manifest in read_manifests(place)[1]:
        files.setdefault(manifest.table, []).append(str(place / manifest.path))
    with duckdb.connect() as con:
        return _digests(con, {name: f"read_parquet({some})" for name, some in files.items()})


def _digests(con: Any, tables: dict[str, str]) -> dict[str, Any]:
    digests = {}
    for name, source in sorted(tables.items()):
        pick = "* EXCLUDE (loaded_at)" if name == "load_file" else "*"
        sql = f"SELECT count(*), bit_xor(hash(t)) FROM (SELECT {pick} FROM {source}) AS t"
        rows = con.execute(sql).fetchall()[0]
        digests |= {name: rows} if rows[0] else {}
    return digests


# --- kill ----------------------------------------------------------------------------------------


@dataclass
class Target:
    """A database or a lake: a template with its content, and what may be in it after a kill."""

    template: Path
    files: list[Path]
    allowed: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_lake(self) -> bool:
        return not self.template.suffix

    def copied(self, folder: Path) -> Path:
        place = folder / f"copy{self.template.suffix}"
        _remove(place)
        if self.template.is_dir():
            shutil.copytree(self.template, place)
        elif self.template.exists():
            shutil.copy(self.template, place)
        return place

    def load(self, place: Path) -> None:
        api.load(self.files, place, run=RUN, parquet=self.is_lake, raw=True)

    def content(self, place: Path) -> str:
        """What is in it; nothing where a first load was killed before there was anything."""
        there = place.is_file() or (place / "_imsperf").is_dir()
        return digest(place) if there else ""


def _remove(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    for leftover in (place, place.with_name(place.name + ".wal")):
        leftover.unlink(missing_ok=True)


def in_child(work: Any) -> int:
    """Run it in a forked process; its exit code or, below zero, the signal that ended it."""
    return _ended(_forked(work))


def _forked(work: Any) -> int:
    child = os.fork()
    if child:
        return child
    signal.alarm(_LONGEST)
    try:
        work()
        os._exit(0)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)


def _ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def asked(folder: Path, work: Any) -> Any:
    """What a function gives that runs in a child: this process must keep to one thread."""
    answer = folder / "answer.json"
    answer.unlink(missing_ok=True)
    code = in_child(lambda: answer.write_text(json.dumps(work())))
    if code:
        raise AssertionError(f"a look at what is left ended with {code}")
    return json.loads(answer.read_text())


def prepare(target: Target, folder: Path) -> None:
    """Work out what a whole load gives, and how long it takes."""
    place = target.copied(folder)
    target.allowed = [asked(folder, lambda: target.content(place))]
    began = time.monotonic()
    assert in_child(lambda: target.load(place)) == 0
    target.seconds = time.monotonic() - began
    target.allowed.append(asked(folder, lambda: target.content(place)))
    assert len({*target.allowed}) == len(target.allowed)


def point(target: Target, folder: Path, delay: float, again: bool, counts: Counter[str]) -> None:
    """Kill one load after `delay` seconds, look at what is left, and load again."""
    place = target.copied(folder)
    child = _forked(lambda: target.load(place))
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    code = _ended(child)
    must = f"after {delay:.4f} of {target.seconds:.4f} s:"
    assert code in (0, -signal.SIGKILL), f"{must} a load ended with {code}"

    def after() -> list[str]:
        left = target.content(place)
        if again:
            target.load(place)
            with api.connect(place) as store:
                store.con.execute("SELECT count(*) FROM load_file")
        return [left, target.content(place)]

    left, then = asked(folder, after)
    assert left in target.allowed, f"{must} a content that is neither old nor new"
    assert then == (target.allowed[-1] if again else left), f"{must} the next load is not whole"
    state = target.allowed.index(left)
    counts["ended" if code == 0 else "killed"] += 1
    counts["new" if state else "old"] += 1
    counts["loaded again"] += again


def run(target: Target, folder: Path, points: int, seed: int, every: int) -> Counter[str]:
    """Kill at points spread over the time of a load, half of them over its last third."""
    prepare(target, folder)
    rng, counts = np.random.default_rng(seed), Counter[str]()
    for number in range(points):
        part = rng.random() if number % 2 else rng.uniform(0.65, 1.05)
        point(target, folder, part * target.seconds, number % every == 0, counts)
    counts["ms of a load"] = round(1000 * target.seconds)
    return counts


def targets(folder: Path) -> dict[str, tuple[Target, float]]:
    """A database and a lake with a run, and none yet; and their shares of the points."""
    before, *files = dumps(folder)
    db, lake = folder / "t.duckdb", folder / "t"
    for place in (db, lake):
        code = in_child(lambda p=place: api.load([before], p, run="before", parquet=not p.suffix))
        assert code == 0
    return {
        "database": (Target(db, files), 0.45),
        "lake": (Target(lake, files), 0.45),
        "new database": (Target(folder / "none.duckdb", files), 0.05),
        "new lake": (Target(folder / "none", files), 0.05),
    }


def main(folder: Path, points: int, seed: int, every: int = 1) -> None:
    """Print the counts of each kind of target; after every `every`-th kill the load is repeated."""
    for path in dumps(folder):  # compiles what reading takes; no thread of ours stays
        for _ in read_file(path, 1, raw=True).batches:
            pass
    assert threading.active_count() == 1, "a fork takes one thread along"
    for number, (name, (target, share)) in enumerate(targets(folder).items()):
        if count := round(points * share):
            counts = run(target, folder, count, seed + number, every)
            print(json.dumps({"target": name, **counts}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
