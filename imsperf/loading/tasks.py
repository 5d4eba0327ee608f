"""A load in tasks: a range of a dump, or several small dumps, which any process may read.

`plan` goes along all dumps once, `read_task` reads a task wherever its files are seen, `merge`
makes the rows of the ledger of what all tasks left. The rows are those of a load by one process.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import DumpError, ImsperfError
from imsperf.loading.load import Job
from imsperf.loading.loaded_file import LoadedFile
from imsperf.loading.notes import Intervals, file_row, lost_row, problem_row
from imsperf.parsers.containers.source import (
    STDIN,
    Source,
    fingerprint,
    open_sources,
)
from imsperf.parsers.kernels.loads import U8, read_only
from imsperf.parsers.merging import RangeState
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.problems import raise_on_damage
from imsperf.parsers.ranges import (
    Passed,
    Range,
    RangeReading,
    changed_since,
    in_shares,
    pass_along,
)
from imsperf.parsers.rows import Batch
from imsperf.parsers.selection import Keep

MOST_BYTES = 4096  # of a pickled task
_MOST_DUMPS = 64  # small ones in a task


@dataclass(frozen=True)
class Place:
    """Where the bytes of a dump are: a file as it was, and which of the dumps in it.

    `member` counts those that are unpacked from the file; a dump of other records glued behind
    another one begins at byte `start` of the member.
    """

    path: str
    size: int
    stamp: int  # when it was changed, in ns
    member: int = 0
    start: int = 0


@dataclass(frozen=True)
class Reading:
    """A range of a dump to be read. `there`: bits of the records that the run has, packed."""

    dump: int  # number in the plan
    at: int  # number of the range in the dump
    file_id: int
    place: Place
    range: Range
    there: bytes = b""
    hash_file: bool = False

    def keep(self, options: ReadOptions) -> Keep:
        """Which of its records become rows."""
        if not self.there:
            return Keep(options.selection, None, True)
        first, end = self.range.numbers
        bits = np.zeros(end // 8 + 1, np.uint8)
        some = np.frombuffer(zlib.decompress(self.there), np.uint8)
        bits[(first - 1) >> 3 :][: len(some)] = some
        return Keep(options.selection, bits, True)


def _packed(there: U8 | None, part: Range) -> bytes:
    if there is None:
        return b""
    first, end = part.numbers
    return zlib.compress(there[(first - 1) >> 3 : end // 8 + 1].tobytes(), 9)


@dataclass(frozen=True)
class Task:
    """Some readings for one process. It pickles below 4 KB, but for layouts of your own in the
    options, and where records that the run has take turns with new ones."""

    number: int
    readings: tuple[Reading, ...]
    options: ReadOptions

    @property
    def bytes(self) -> int:
        """Bytes of records."""
        return sum(reading.range.bytes for reading in self.readings)

    def __reduce__(self) -> tuple[Any, ...]:
        facts = (self.number, self.readings, self.options)
        return _task, (zlib.compress(pickle.dumps(facts, pickle.HIGHEST_PROTOCOL)),)


def _task(packed: bytes) -> Task:
    return Task(*pickle.loads(zlib.decompress(packed)))


@dataclass(frozen=True)
class ReadState:
    """What a reading leaves to be merged."""

    dump: int
    at: int
    state: RangeState
    intervals: Intervals
    sha256: str = ""


# --- reading -------------------------------------------------------------------------------------


class RunningReading:
    """The `wanted` reading: iterate it for (table, rows); then `state` is what it leaves."""

    def __init__(self, reading: Reading, opened: Opened, options: ReadOptions) -> None:
        self.wanted, self._opened, self._options = reading, opened, options
        self.state: ReadState | None = None

    def __iter__(self) -> Iterator[Batch]:
        """Raises DumpError where the file is not what it was."""
        wanted, options = self.wanted, self._options
        source, intervals = self._opened.source(wanted.place), Intervals()
        sha256 = _in_background(source) if wanted.hash_file else None
        reading = RangeReading(source, wanted.range, wanted.file_id, options, wanted.keep(options))
        yield from intervals.watch(reading)
        made = sha256.result() if sha256 else ""
        self.state = ReadState(wanted.dump, wanted.at, reading.state, intervals, made)


def _in_background(source: Source) -> Future[str]:
    hasher = ThreadPoolExecutor(1, "sha256")
    try:
        return hasher.submit(fingerprint, source)
    finally:
        hasher.shutdown(wait=False)


def readings_of(task: Task) -> Iterator[RunningReading]:
    """The readings of a task, to be read one after the other."""
    opened = Opened()
    for reading in task.readings:
        yield RunningReading(reading, opened, task.options)


class TaskReading:
    """A task that is read: iterate it for (table, rows); then `state` is what it leaves."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.state: list[ReadState] = []

    def __iter__(self) -> Iterator[Batch]:
        for reading in readings_of(self._task):
            yield from reading
            assert reading.state is not None
            self.state.append(reading.state)


def read_task(task: Task) -> TaskReading:
    """Read a task: iterate what is returned for (table, rows), then merge its `state`.

    Raises DumpError where a file was changed since the plan was made.
    """
    return TaskReading(task)


class Opened:
    """The file that is open: its members are unpacked once, in their order."""

    def __init__(self) -> None:
        self._path, self._at = "", -1
        self._members: Iterator[Source] = iter(())
        self._member: Source | None = None

    def source(self, place: Place) -> Source:
        """The dump at a place."""
        if (place.path, place.member) != (self._path, self._at):
            path = Path(place.path)
            if place.path != self._path or place.member < self._at:
                self._path, self._at, self._members = place.path, -1, open_sources(path)
            self._member = None
            while self._at < place.member:
                self._member = next(self._members, None)
                self._at += 1
                if self._at == 0 and self._member:
                    _check(self._member, place)
        if self._member is None:
            raise changed_since(Source(Path(place.path), read_only(np.empty(0, np.uint8))))
        if not place.start:
            return self._member
        buffer = read_only(self._member.buffer[place.start :])
        member, name = f"byte-{place.start}", f"{self._member.name}!byte-{place.start}"
        return replace(
            self._member, buffer=buffer, problems=[], start=place.start, rest=[], member=member,
            name=name,
        )  # fmt: skip


def _check(source: Source, place: Place) -> None:
    if source.path == STDIN:
        return
    with suppress(OSError):
        known = source.path.stat()
        if (known.st_size, known.st_mtime_ns) == (place.size, place.stamp):
            return
    raise changed_since(source)


# --- planning ------------------------------------------------------------------------------------


@dataclass
class Planned:
    """A dump of the plan and what became of it."""

    place: Place
    run: str
    result: LoadedFile
    passed: Passed | None = None  # None: nothing could be unpacked of it, or it is skipped
    lost: Source | None = None
    there: U8 | None = None
    states: dict[int, ReadState] = field(default_factory=dict)
    is_merged: bool = False

    @property
    def ranges(self) -> list[Range]:
        """Those to be read."""
        return self.passed.ranges if self.passed else []

    @property
    def is_entered(self) -> bool:
        """Whether it gets a row in the ledger."""
        return not self.result.skipped


@dataclass
class Plan:
    """What is to be read of dumps, and by which tasks."""

    job: Job
    range_bytes: int
    dumps: list[Planned]
    tasks: list[Task] = field(default_factory=list)
    failures: dict[int, DumpError] = field(default_factory=dict)
    _next_task: int = 0

    def number(self, first_id: int) -> Plan:
        """Give the dumps their numbers as files, from `first_id` on, and make the tasks."""
        for dump in self.dumps:
            if dump.is_entered:
                dump.result.file_id = first_id
                first_id += 1
        self.tasks = self._tasks(range(len(self.dumps)))
        return self

    @property
    def files(self) -> int:
        """How many numbers that takes."""
        return sum(dump.is_entered for dump in self.dumps)

    def whole(self, dumps: Iterable[int]) -> list[Task]:
        """Tasks for some dumps from the start on, each as one range."""
        for number in dumps:
            dump = self.dumps[number]
            try:
                source = Opened().source(dump.place)
                dump.passed = pass_along(source, self.job.options, self.range_bytes, is_cut=False)
                dump.passed.loaded.release()
                dump.states = {}
            except DumpError as error:
                self.failures[number] = error
        return self._tasks([number for number in sorted(dumps) if number not in self.failures])

    def _tasks(self, dumps: Iterable[int]) -> list[Task]:
        """Ranges one by one; small dumps, and the dumps of a packed file, together."""
        options = replace(self.job.options, progress=None, passed_over=_untold)
        tasks, small = list[Task](), dict[str, list[Reading]]()

        def take(readings: list[Reading]) -> None:
            while readings:
                task = Task(self._next_task, tuple(readings[:_MOST_DUMPS]), options)
                while len(task.readings) > 1 and len(pickle.dumps(task)) > MOST_BYTES:
                    task = replace(task, readings=task.readings[:-1])
                tasks.append(task)
                self._next_task += 1
                readings = readings[len(task.readings) :]

        for number in dumps:
            readings = self._readings(number)
            if len(readings) > 1 and not self._is_packed(number):
                for reading in readings:
                    take([reading])
            elif readings:
                small.setdefault(readings[0].place.path, []).extend(readings)
        sizes = [sum(reading.range.bytes for reading in file) for file in small.values()]
        for files in in_shares([*small.values()], sizes, self.range_bytes):
            take([reading for file in files for reading in file])
        return tasks

    def _is_packed(self, number: int) -> bool:
        dump = self.dumps[number]
        return bool(dump.passed and dump.passed.loaded.container)

    def _readings(self, number: int) -> list[Reading]:
        dump = self.dumps[number]
        wants_hash = self.job.fingerprint and not self.job.options.selection
        return [
            Reading(
                number, at, dump.result.file_id, dump.place, part, _packed(dump.there, part),
                wants_hash and at == 0,
            )
            for at, part in enumerate(dump.ranges)
        ]  # fmt: skip


def _untold(path: Path, why: str) -> None:
    return None


# --- merging -------------------------------------------------------------------------------------


@dataclass
class Merged:
    """What a load enters beside the rows of its tasks.

    `batches`: rows of records of which the pieces stand in several ranges. `rows` are those of the
    ledger by table. `again`: tasks for dumps that ranges cannot tell as one reading of the whole
    does; what was read of these `dropped` dumps counts for nothing.
    """

    batches: list[Batch] = field(default_factory=list)
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    again: list[Task] = field(default_factory=list)

    def add(self, more: Merged) -> None:
        """What was merged later too."""
        self.batches += more.batches
        for table, rows in more.rows.items():
            self._add(table, rows)

    def _add(self, table: str, rows: list[dict[str, Any]]) -> None:
        self.rows.setdefault(table, []).extend(rows)


def merge(plan: Plan, states: Iterable[ReadState]) -> Merged:
    """What the readings of all tasks leave, as rows of the ledger; once for each dump.

    `states` are those of all tasks, in any order and one behind another. Read the tasks of `again`
    until there are none, and merge what they leave. Raises ImsperfError where a reading lacks.
    """
    for state in states:
        if not isinstance(state, ReadState):
            found = f"found {type(state).__name__} among the states, expected ReadState"
            hint = "a task leaves a list of them: add up the lists, states += reading.state"
            raise ImsperfError(found, hint)
        plan.dumps[state.dump].states[state.at] = state
    merged = Merged()
    for number, planned in enumerate(plan.dumps):
        if planned.is_merged or not planned.is_entered:
            continue
        if planned.passed is None:
            _enter_lost(merged, planned)
        elif not _enter(merged, planned, planned.passed, plan.job):
            merged.dropped.add(number)
    merged.again = plan.whole(merged.dropped)
    return merged


def _enter_lost(merged: Merged, planned: Planned) -> None:
    source, result = planned.lost, planned.result
    assert source is not None
    merged._add("load_problem", [problem_row(result.file_id, p) for p in source.problems])
    merged._add("load_file", [lost_row(source, result.file_id, planned.run)])
    planned.is_merged = True


def _enter(merged: Merged, planned: Planned, passed: Passed, job: Job) -> bool:
    """Enter a dump; False where its ranges cannot tell what one reading does."""
    loaded, result, intervals = passed.loaded, planned.result, Intervals()
    if len(planned.states) < len(passed.ranges):
        what = f"found {len(planned.states)} of {len(passed.ranges)} ranges read"
        raise ImsperfError(f"{loaded.name}: {what}, expected all", "read the tasks of the plan")
    states = [planned.states[at] for at in range(len(passed.ranges))]
    for state in states:
        intervals.absorb(state.intervals)
    passed.reader.file_id = result.file_id
    batches = list(intervals.watch(passed.merge([state.state for state in states])))
    if not passed.is_equal:
        return False
    if job.strict:
        raise_on_damage(loaded.name, loaded.problems, "nothing was loaded")
    has_hash = job.fingerprint and not job.options.selection
    if has_hash:
        loaded.is_hashed_as(states[0].sha256)
    counts = [{"file_id": result.file_id, **row} for row in loaded.counts]
    result.records, result.framing, result.kept = loaded.records, loaded.framing, loaded.kept
    result.problems, result.repeated = list(loaded.problems), loaded.repeated
    result.decoded = sum(row["loaded"] for row in counts)
    merged.batches += batches
    merged._add("load_count", counts)
    merged._add("load_interval", intervals.rows(result.file_id))
    merged._add("load_problem", [problem_row(result.file_id, p) for p in loaded.problems])
    merged._add("load_file", [file_row(loaded, result, job.options.selection, has_hash)])
    planned.is_merged, planned.states, planned.passed = True, {}, None
    return True
