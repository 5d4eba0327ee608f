"""A load by tasks gives the lake that a load by one process gives: all tables row by row, and the
ledger but for the time of the load. Ranges are as small as one part, and parts are small."""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import second_writer as writer
from dump_files import smf
from evidence_files import record_bytes
from mangler import tar_of, zst
from places import CHECKOUT
from test_cics import ALL, dictionary, performance
from test_transfer_forms import damages, forms, made, records

import imsperf
from imsperf import api
from imsperf.errors import DumpError, ImsperfError
from imsperf.lake import parts as lake_parts
from imsperf.lake.commits import Claim
from imsperf.lake.manifest import read_manifests
from imsperf.lake.parts import MEMORY
from imsperf.loading import copies
from imsperf.loading.jobs import (
    Outcomes,
    in_this_process,
    load_by_tasks,
    load_with,
    range_bytes_of,
)
from imsperf.loading.load import Job, load_into
from imsperf.loading.loaded_file import LoadedFile
from imsperf.loading.tasks import MOST_BYTES, Task
from imsperf.parsers.framing.frames import why_no_dump
from imsperf.parsers.options import ReadOptions

PART, RANGE = 3000, 6000
PIECES = [record_bytes(f"smf70_1 piece {letter}")[4:] for letter in "ab"]


def rows_of(lake: Path, but: Sequence[str] = ("loaded_at",)) -> dict[str, list[str]]:
    """The rows of all tables of a lake but some columns, in the order of their text."""
    rows = defaultdict[str, list[str]](list)
    for part in read_manifests(lake)[1]:
        table = pq.read_table(lake / part.path, partitioning=None)
        names = [name for name in table.schema.names if name not in but]
        columns = [table[name].to_pylist() for name in names]
        rows[part.table] += [repr(row) for row in zip(*columns, strict=True)]
    return {table: sorted(some) for table, some in rows.items()}


def told(files: Sequence[LoadedFile]) -> list[Any]:
    return [
        (f.name, f.run, f.skipped or (f.file_id, f.records, f.kept, f.repeated, f.decoded))
        for f in files
    ]


def job_of(run: str | None = "r", **options: Any) -> Job:
    return Job(ReadOptions(raw=True, part_bytes=PART, **options), run)


def assert_equal(folder: Path, *loads: tuple[Sequence[Path], Job]) -> Path:
    """Both lakes after each of the loads."""
    one, other = folder / "one", folder / "tasks"
    for files, job in loads:
        wanted = load_into(one, files, job, parquet=True)
        done = load_by_tasks(other, files, job, 1, RANGE, create=True)
        assert told(done) == told(wanted)
        assert rows_of(other) == rows_of(one)
        assert not list(other.glob("_imsperf/claim*"))
        assert not (other / ".staging").exists()
    return other


def file_of(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def slow(name: Any) -> Any:
    """A case that differs from others little: what test_ranges proves of readers, in a lake."""
    return pytest.param(name, marks=pytest.mark.slow)


FORMS = ["vbs_27998", "ims_rdw", "ims_vb", *map(slow, ("rdw", "bdw_rdw_27998", "ftp_block_rdw"))]


@pytest.mark.parametrize("form", FORMS)
def test_plain_forms(form: str, tmp_path: Path) -> None:
    assert_equal(tmp_path, ([file_of(tmp_path, "dump", made(form, 1))], job_of()))


@pytest.mark.slow
def test_every_form_whole_and_damaged(tmp_path: Path) -> None:
    """All dumps of the mangler as one load, each a run of its own: the name of its folder."""
    dumps = list[Path]()
    for case in (*forms(1), *damages(1, 1)):
        folder = tmp_path / "dumps" / case.name
        folder.mkdir(parents=True)
        dump = file_of(folder, "dump", case.data)
        if not why_no_dump(dump):
            dumps.append(dump)
    assert len(dumps) > 60
    assert_equal(tmp_path, (dumps, job_of(None)))


def cases(folder: Path) -> dict[str, list[tuple[list[Path], Job]]]:
    """Loads one after the other."""
    smf_records, log_records = records("smf", 1), records("ims", 1)
    half = len(smf_records) // 2
    (folder / "run.toml").write_text('[machine]\nmodel = "z17"\n')
    first = file_of(folder, "first", writer.rdw(smf_records[: half + 20]))
    second = file_of(folder, "second", writer.vbs(smf_records[half:], 4000))
    whole = file_of(folder, "whole", writer.rdw(smf_records))
    logs = [
        file_of(folder, "log1", writer.rdw(log_records[:80])),
        file_of(folder, "log2", writer.rdw(log_records[60:])),
    ]
    between = [smf(200, 1, bytes(range(250))) for _ in range(30)]
    pieces = file_of(
        folder, "pieces", writer.rdw([*between, PIECES[1], *between, PIECES[0], *between])
    )
    cics = [performance(ALL, time=n) for n in range(40)]
    late = file_of(folder, "cics", writer.rdw([*cics, dictionary()]))
    packed = file_of(folder, "whole.gz", writer.gz(writer.rdw(smf_records)))
    damaged_gz = file_of(folder, "damaged.gz", packed.read_bytes()[:-400])
    tar = file_of(
        folder, "all.tar", tar_of([("a", first.read_bytes()), ("b", zst(logs[0].read_bytes()))])
    )
    glued = file_of(folder, "glued", first.read_bytes() + logs[0].read_bytes())
    damage = bytearray(whole.read_bytes())
    damage[len(damage) // 2 : len(damage) // 2 + 3000] = bytes(3000)
    damaged = file_of(folder, "damaged", bytes(damage))
    return {
        "overlap": [([first, second], job_of())],
        "overlap_later": [([first], job_of()), ([second, whole], job_of())],
        "overlap_of_logs": [(logs, job_of())],
        "same_twice": [([first, logs[0], first], job_of()), ([first], job_of())],
        "two_runs": [([first], job_of("a")), ([first, second], job_of("b"))],
        "named_by_folder": [([first, logs[0]], job_of(None))],
        "pieces": [([pieces], job_of())],
        "late_dictionary": [([late], job_of())],
        "types": [([whole, logs[0]], job_of(types="70,74,ims:59"))],
        "types_that_overlap": [([first, second], job_of(types="70,74,2,200"))],
        "from": [([whole, logs[0]], job_of(start="2024-03-04T15:30:00.00015"))],
        "gz": [([packed, whole], job_of())],
        "damaged_gz": [([damaged_gz], job_of())],
        "tar": [([tar, first], job_of())],
        "glued": [([glued, logs[1]], job_of())],
        "damaged": [([damaged, first], job_of()), ([whole], job_of())],
    }  # fmt: skip


NAMES = (
    "overlap_later", "overlap_of_logs", "pieces", "late_dictionary", "types", "types_that_overlap",
    "from", "damaged",
)  # fmt: skip
MORE = ("overlap", "two_runs", "same_twice", "named_by_folder", "gz", "damaged_gz", "tar", "glued")


@pytest.mark.parametrize("case", [*NAMES, *map(slow, MORE)])
def test_loads(case: str, tmp_path: Path) -> None:
    assert_equal(tmp_path, *cases(tmp_path)[case])


@pytest.mark.parametrize(
    ("size", "jobs", "wanted"),
    [
        (164_000_000, 2, 82_000_000),  # one each
        (846_000_000, 2, 105_750_000),  # four each, as three would have 141 MB
        (846_000_000, 8, 105_750_000),
        (10_000_000, 2, 32 << 20),  # less is not worth a task
    ],
)
def test_each_process_has_as_many_tasks(size: int, jobs: int, wanted: int, tmp_path: Path) -> None:
    with (tmp_path / "dump").open("wb") as file:
        file.truncate(size)
    assert range_bytes_of([tmp_path / "dump"], jobs) == wanted


def test_tasks_are_small(tmp_path: Path) -> None:
    """Below 4 KB, also of many files; a task is a range, or several small files."""
    some = records("smf", 1)
    files = [
        file_of(tmp_path, f"a-rather-long-name-of-a-dump-{n:03}.smf", writer.rdw(some[n:]))
        for n in range(40)
    ]
    plan = imsperf.plan(files, part_bytes=PART)
    assert len(plan.tasks) < 4
    cut = imsperf.plan(files[:1], part_bytes=PART, range_bytes=RANGE)
    assert len(cut.tasks) > 10
    assert max(len(pickle.dumps(task)) for task in (*plan.tasks, *cut.tasks)) <= MOST_BYTES


def test_the_document_runs(tmp_path: Path) -> None:
    """The example of docs/lake.md, with two dumps in `week`: all of its processes end, and each
    record is counted once."""
    text = (CHECKOUT / "docs/lake.md").read_text(encoding="utf-8")
    code, _queries = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "tasks.py").write_text(code)
    (tmp_path / "week").mkdir()
    some = records("smf", 1)
    for name, part in (("a.smf", some[:9]), ("b.smf", some[9:])):
        file_of(tmp_path / "week", name, writer.rdw(part))
    command = [sys.executable, "tasks.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    counts, ledger = done.stdout.splitlines()
    assert f"'load_record': {len(some)}" in counts
    assert ledger.count("'run': 'week'") == 2


def test_states_are_added_up(tmp_path: Path) -> None:
    """A task leaves a list: one that is not taken apart is an error that says what to do."""
    file = file_of(tmp_path, "whole", writer.rdw(records("smf", 1)))
    plan = imsperf.plan([file], run="r", part_bytes=PART)
    reading = imsperf.read_task(plan.tasks[0])
    assert list(reading)
    with pytest.raises(ImsperfError, match="found list among the states") as error:
        imsperf.merge(plan, [reading.state])  # type: ignore[list-item]
    assert "states += reading.state" in error.value.hint


def test_interface(tmp_path: Path) -> None:
    """plan, read_task and merge without a lake: rows of the tables and of the ledger."""
    file = file_of(tmp_path, "whole", writer.rdw(records("smf", 1)))
    plan = imsperf.plan([file], range_bytes=RANGE, run="r", part_bytes=PART)
    rows, states = 0, []
    for task in plan.tasks:
        reading = imsperf.read_task(pickle.loads(pickle.dumps(task)))
        rows += sum(batch.num_rows for table, batch in reading if table == "load_record")
        states += reading.state
    merged = imsperf.merge(plan, states)
    assert merged.again == []
    (row,) = merged.rows["load_file"]
    assert (row["records"], row["kept"], row["run"]) == (rows, rows, "r")


# --- others at work, and what goes wrong ---------------------------------------------------------


def files_in(lake: Path) -> set[str]:
    return {str(path.relative_to(lake)) for path in lake.rglob("*") if path.name != "lock"}


def load_while(lake: Path, files: Sequence[Path], job: Job, happens: Callable[[], Any]) -> Any:
    """A load in which something happens when its plan is made, before the first task is read."""
    ahead = [happens]

    def run(tasks: Sequence[Task], staging: Path, load: int) -> Outcomes:
        while ahead:
            ahead.pop()()
        yield from in_this_process(MEMORY)(tasks, staging, load)

    return load_with(run, lake, files, job, RANGE, create=True)


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """Two dumps that overlap."""
    some = records("smf", 1)
    return [
        file_of(tmp_path, "first", writer.rdw(some[:40])),
        file_of(tmp_path, "second", writer.rdw(some[30:])),
    ]


def test_loads_of_two_runs_at_once(two: list[Path], tmp_path: Path) -> None:
    """Both commit; no number is there twice."""
    lake = tmp_path / "lake"

    def other() -> None:
        load_by_tasks(lake, two[1:], job_of("b"), 1, RANGE, create=True)

    load_while(lake, two[:1], job_of("a"), other)
    with api.connect(lake) as store:
        rows = store.con.execute("SELECT run, file_id, kept FROM load_file ORDER BY run").fetchall()
    kept = [len(records("smf", 1)[:40]), len(records("smf", 1)[30:])]
    assert rows == [("a", 1, kept[0]), ("b", 2, kept[1])]
    assert not (lake / ".staging").exists()


@pytest.mark.parametrize("inner", [slow([0]), slow([1]), [0, 1]])
def test_loads_of_one_run_at_once(inner: list[int], two: list[Path], tmp_path: Path) -> None:
    """The later one looks for repeats again: no record is there twice."""
    lake = tmp_path / "lake"
    some = [two[at] for at in inner]
    load_while(lake, two, job_of(), lambda: load_by_tasks(lake, some, job_of(), 1, RANGE, True))
    load_into(tmp_path / "one", some, job_of(), parquet=True)
    load_into(tmp_path / "one", two, job_of(), parquet=True)
    but = ("loaded_at", "file_id")  # the other load has claimed its numbers already
    assert rows_of(lake, but) == rows_of(tmp_path / "one", but)
    assert not list(lake.glob("_imsperf/claim*"))


@pytest.mark.parametrize("change", [lambda data: data[:-5000], lambda data: data + data[-500:]])
def test_a_file_that_changes(change: Any, two: list[Path], tmp_path: Path) -> None:
    """It is named; the others load, with nothing of it."""
    lake, small = tmp_path / "lake", file_of(tmp_path, "small", writer.rdw(records("smf", 1)[:9]))
    data = two[0].read_bytes()
    with pytest.raises(DumpError, match="first: was changed"):
        load_while(lake, [*two, small], job_of(), lambda: two[0].write_bytes(change(data)))
    with api.connect(lake) as store:
        names = store.con.execute("SELECT path FROM load_file ORDER BY file_id").fetchall()
        assert names == [(str(two[1]),), (str(small),)]
        assert store.scalar("SELECT count(DISTINCT file_id) FROM load_record") == 2


def test_what_is_no_dump_and_damage_with_strict(two: list[Path], tmp_path: Path) -> None:
    """Nothing is loaded; a lake that was made for it goes again."""
    lake = tmp_path / "lake"
    text = file_of(tmp_path, "text", b"no dump at all\n" * 100)
    cut = file_of(tmp_path, "cut", two[0].read_bytes()[:-9])
    for bad, job in ((text, job_of()), (cut, replace(job_of(), strict=True))):
        with pytest.raises(DumpError, match=bad.name):
            load_by_tasks(lake, [*two, bad], job, 1, RANGE, create=True)
        assert not lake.exists()


def test_a_full_disk(two: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One message; the lake is as it was."""
    lake = tmp_path / "lake"
    load_by_tasks(lake, two[:1], job_of(), 1, RANGE, create=True)
    before = files_in(lake)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("_write", "to_disk"):
        with monkeypatch.context() as patched:
            patched.setattr(lake_parts, name, full)
            with pytest.raises(ImsperfError, match=r"lake: cannot be written: .*No space left"):
                load_by_tasks(lake, two[1:], job_of(), 1, RANGE)
        assert files_in(lake) == before


class Killed(BaseException):
    """Stands for a process that is gone: nothing is cleaned up."""


@pytest.mark.parametrize("step", [1, *map(slow, (0, 3, 5))])
def test_a_killed_driver(
    step: int, two: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any rename of its commit: the lake is as it was, and the next load cleans up."""
    lake, one = tmp_path / "lake", tmp_path / "one"
    load_by_tasks(lake, two[:1], job_of(), 1, RANGE, create=True)
    known, calls, real = rows_of(lake), [0], Path.replace

    def rename(self: Path, target: Path) -> Path:
        calls[0] += 1
        if calls[0] > step:
            raise Killed
        return real(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", rename)
        patched.setattr(Claim, "release", lambda self: self._held.close())
        with pytest.raises(Killed):
            load_by_tasks(lake, two[1:], job_of(), 1, RANGE)
    assert rows_of(lake) == known
    assert list(lake.glob("_imsperf/claim*"))
    load_by_tasks(lake, two[1:], job_of(), 1, RANGE)
    for file in two:
        load_into(one, [file], job_of(), parquet=True)
    assert rows_of(lake) == rows_of(one)
    assert not (lake / ".staging").exists()
    assert not list(lake.glob("_imsperf/claim*"))


def by_one_process(lake: Path, files: Sequence[Path]) -> list[LoadedFile]:
    return load_into(lake, files, job_of(), parquet=True)


def by_tasks(lake: Path, files: Sequence[Path]) -> list[LoadedFile]:
    return load_by_tasks(lake, files, job_of(), 1, RANGE, create=True)


@pytest.mark.parametrize("load", [by_one_process, by_tasks])
def test_a_driver_killed_after_its_commit(
    load: Any, two: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its manifest names is in the lake, once; the next load removes what it left."""
    lake = tmp_path / "lake"

    def killed(self: Claim) -> None:
        self._held.close()
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Claim, "release", killed)
        with pytest.raises(Killed):
            load(lake, two)
    assert list(lake.glob("_imsperf/claim*"))
    load_into(tmp_path / "one", two, job_of(), parquet=True)
    assert rows_of(lake) == rows_of(tmp_path / "one")
    again = load(lake, two)
    assert all("already" in file.skipped for file in again)
    assert rows_of(lake) == rows_of(tmp_path / "one")
    assert not list(lake.glob("_imsperf/claim*"))
    assert not (lake / ".staging").exists()


@pytest.mark.slow
def test_a_killed_process(two: list[Path], tmp_path: Path) -> None:
    """Another one takes its task; the rows are those of one process."""
    lake, killed = tmp_path / "lake", list[int]()

    def kill() -> None:
        while not killed:
            for child in multiprocessing.active_children():
                if list(lake.glob(".staging/*/*")):
                    child.kill()
                    killed.append(child.pid or 0)
                    return
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    load_by_tasks(lake, two, job_of(), 2, RANGE, create=True)
    killer.join()
    load_into(tmp_path / "one", two, job_of(), parquet=True)
    assert rows_of(lake) == rows_of(tmp_path / "one")
    assert not (lake / ".staging").exists()


def test_little_is_read_by_this_process(
    two: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To start a process takes longer than that."""
    monkeypatch.setattr(copies, "load_by_copies", None)
    imsperf.load(two, tmp_path / "lake", run="r", parquet=True, jobs=2)
    load_into(tmp_path / "one", two, Job(ReadOptions(), "r"), parquet=True)
    assert rows_of(tmp_path / "lake") == rows_of(tmp_path / "one")


# A program with threads, and without `if __name__ == "__main__"`.
PROGRAM = """
import multiprocessing.process, sys, threading
import imsperf
from imsperf.loading import copies

def anew(*given):
    raise SystemExit("the program itself started a process")

multiprocessing.process.BaseProcess.start = anew
threading.Thread(target=threading.Event().wait, daemon=True).start()
copies._WORTH = 0
told = []
folder, lake = sys.argv[1:]
files = imsperf.load(
    folder, lake, run="r", jobs=2, parquet=True, progress=told.append,
    passed_over=lambda path, why: print(path.name, why)
)
print([file.name for file in files], sum(told))
"""


def test_processes_of_a_program_are_copies_of_another(two: list[Path], tmp_path: Path) -> None:
    """The rows are the same, and the functions of the program are called."""
    folder = tmp_path / "dumps"
    folder.mkdir()
    (folder / "text").write_bytes(b"no dump at all\n" * 100)
    files = [file.rename(folder / file.name) for file in two]
    command = [sys.executable, "-P", "-c", PROGRAM, str(folder), str(tmp_path / "lake")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.startswith("text ")
    size = sum(file.stat().st_size for file in files)
    assert done.stdout.endswith(f"{list(map(str, files))} {size}\n")
    load_into(tmp_path / "one", files, Job(ReadOptions(), "r"), parquet=True)
    assert rows_of(tmp_path / "lake") == rows_of(tmp_path / "one")


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process is started for anything."""
    monkeypatch.setattr(copies, "_WORTH", 0)


@pytest.mark.usefixtures("worth")
def test_errors_of_the_process_of_a_load(two: list[Path], tmp_path: Path) -> None:
    """They are raised in the program, and the lake that was made for the load is gone."""
    lake, text = tmp_path / "lake", file_of(tmp_path, "text", b"no dump at all\n" * 100)
    with pytest.raises(DumpError, match="text: ") as alone:
        imsperf.load(text, lake, parquet=True)
    with pytest.raises(DumpError) as caught:
        imsperf.load([*two, text], lake, parquet=True, jobs=2)
    assert (str(caught.value), caught.value.hint) == (str(alone.value), alone.value.hint)
    assert not lake.exists()


@pytest.mark.usefixtures("worth")
def test_a_program_that_is_interrupted(two: list[Path], tmp_path: Path) -> None:
    """As by Ctrl-C in a notebook, which reaches the program alone: nothing is left behind."""
    lake = tmp_path / "lake"

    def interrupt(size: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imsperf.load(two, lake, run="r", parquet=True, jobs=2, progress=interrupt)
    assert not lake.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("worth")
@pytest.mark.skipif(sys.platform != "linux", reason="children of a process are listed in /proc")
def test_a_killed_process_of_a_load(two: list[Path], tmp_path: Path) -> None:
    """One message; the next load has all rows."""
    lake, here = tmp_path / "lake", os.getpid()

    def kill(size: int) -> None:
        children = Path(f"/proc/{here}/task/{threading.get_native_id()}/children").read_text()
        os.kill(int(children.split()[-1]), signal.SIGKILL)

    with pytest.raises(ImsperfError, match="process of the load ended with -9"):
        imsperf.load(two, lake, run="r", parquet=True, jobs=2, progress=kill)
    imsperf.load(two, lake, run="r", parquet=True, jobs=2)
    load_into(tmp_path / "one", two, Job(ReadOptions(), "r"), parquet=True)
    but = ("loaded_at", "file_id")
    assert rows_of(lake, but) == rows_of(tmp_path / "one", but)
    assert not (lake / ".staging").exists()


COPIES = """
import multiprocessing.forkserver

def anew(*given):
    raise SystemExit("a process was started anew")

multiprocessing.forkserver.ForkServer.ensure_running = anew
from imsperf.cli import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are started anew elsewhere")
def test_processes_of_the_command_are_copies_of_it(two: list[Path], tmp_path: Path) -> None:
    """They need not import and read anew what the command has; the rows are the same."""
    lake = tmp_path / "lake"
    words = ["load", *map(str, two), "--parquet", str(lake), "--jobs", "2", "--run", "r"]
    command = [sys.executable, "-P", "-c", COPIES, *words]
    subprocess.run(command, check=True, capture_output=True)
    load_into(tmp_path / "one", two, Job(ReadOptions(), "r"), parquet=True)
    assert rows_of(lake) == rows_of(tmp_path / "one")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are started anew elsewhere")
def test_a_killed_copy(two: list[Path], tmp_path: Path) -> None:
    """Processes that are started anew take the tasks of the command's."""
    lake = tmp_path / "lake"
    words = ["load", *map(str, two), "--parquet", str(lake), "--jobs", "2", "--run", "r"]
    command = [sys.executable, "-P", "-m", "imsperf", *words]
    with subprocess.Popen(command) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(copies := children.read_text().split()) < 2:
            time.sleep(0.01)
        os.kill(int(copies[-1]), signal.SIGKILL)
    assert process.returncode == 0
    load_into(tmp_path / "one", two, Job(ReadOptions(), "r"), parquet=True)
    assert rows_of(lake) == rows_of(tmp_path / "one")
    assert not (lake / ".staging").exists()
