"""Load into a lake by several processes: plan, read tasks, merge, commit."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from imsperf import layouts
from imsperf.errors import DumpError, ImsperfError
from imsperf.lake.commits import Claim, Ledger, Staged, has_changed, ledger_of
from imsperf.lake.manifest import DataFile, read_manifests
from imsperf.lake.parts import MEMORY, PartWriter, rows_held
from imsperf.lake.writer import make_lake, write_errors
from imsperf.loading.copies import begin, copies
from imsperf.loading.load import Job, enter_beside
from imsperf.loading.loaded_file import LoadedFile
from imsperf.loading.notes import keep_unread
from imsperf.loading.planning import plan_dumps
from imsperf.loading.tasks import Merged, Opened, Plan, Planned, ReadState, Task, merge, readings_of
from imsperf.parsers.displays import display_text

_ATTEMPTS = 3  # of a task whose process ends, before the load gives up
_LEAST_RANGE, _MOST_RANGE = 32 << 20, 128 << 20  # bytes of a task


@dataclass(frozen=True)
class Failure:
    """A file that cannot be read as planned; nothing of its task was taken."""

    path: str
    error: DumpError


@dataclass(frozen=True)
class StagedTask:
    """What an attempt at a task wrote below `folder`, and what its readings leave."""

    task: int
    folder: Path
    parts: list[DataFile] = field(default_factory=list)
    states: list[ReadState] = field(default_factory=list)
    failure: Failure | None = None


def stage_task(task: Task, staging: Path, load: int, memory: int = MEMORY) -> StagedTask:
    """Read a task and write its rows as parts of a lake below `staging`, not yet in the lake.

    Each attempt writes to a folder of its own. A dump that cannot be read is returned as failure.
    No threads but one that hashes a file: each would take memory anew, and the other processes have
    the other processors.
    """
    folder = staging / f"{task.number:05d}-{uuid4().hex[:12]}"
    writer, states = PartWriter(folder, load, memory, task.number), list[ReadState]()
    path = task.readings[0].place.path
    try:
        for reading in readings_of(task):
            path = reading.wanted.place.path
            for table, rows in reading:
                writer.add(table, rows)
            assert reading.state is not None
            states.append(reading.state)
        return StagedTask(task.number, folder, writer.close(), states)
    except DumpError as error:
        writer.abort()
        shutil.rmtree(folder, ignore_errors=True)
        return StagedTask(task.number, folder, failure=Failure(path, error))
    except BaseException:
        writer.abort()
        raise


# --- processes -----------------------------------------------------------------------------------


Outcomes = Generator[tuple[Task, StagedTask], None, None]


class Runner(Protocol):
    """Whoever stages tasks, in whatever order and however many at once.

    When what it gives is closed, nothing is written any more.
    """

    def __call__(self, tasks: Sequence[Task], staging: Path, load: int) -> Outcomes:
        """What became of each task, as it is done."""


def in_this_process(memory: int) -> Runner:
    """One task after the other."""

    def run(tasks: Sequence[Task], staging: Path, load: int) -> Outcomes:
        for task in tasks:
            yield task, stage_task(task, staging, load, memory)

    return run


@contextmanager
def in_processes(jobs: int, memory: int) -> Iterator[Runner]:
    """So many processes, copies of this one where it is `copied`; a task whose process was ended
    is staged again by another one."""
    pools = [copies() or _pool(jobs)]

    def run(tasks: Sequence[Task], staging: Path, load: int) -> Outcomes:
        left, attempts = {task.number: task for task in tasks}, 0
        while left:
            try:
                for task, staged in _run_once(pools[0], list(left.values()), staging, load, memory):
                    del left[task.number]
                    attempts = 0
                    yield task, staged
            except BrokenProcessPool as error:
                attempts += 1
                pools[0].shutdown(wait=False, cancel_futures=True)
                pools[0] = _pool(jobs)
                if attempts == _ATTEMPTS:
                    raise ImsperfError(
                        f"found {attempts} processes ended one after the other, "
                        f"with {len(left):,} tasks left",
                        "look for what ends them, memory first: fewer --jobs, or --memory",
                    ) from error

    try:
        yield run
    finally:
        pools[0].shutdown(wait=True, cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # No copies of this process: those of a program with threads may not go on. Where the system
    # can, copies of one that has no threads, and all that reading takes.
    context: BaseContext = multiprocessing.get_context("spawn")
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["imsperf.loading.preloaded"])
    return ProcessPoolExecutor(jobs, context, begin, (layouts.current(),))


def _run_once(
    pool: ProcessPoolExecutor, tasks: list[Task], staging: Path, load: int, memory: int
) -> Outcomes:
    futures: dict[Future[StagedTask], Task] = {
        pool.submit(stage_task, task, staging, load, memory): task for task in tasks
    }
    try:
        while futures:
            done, _ = wait(futures, return_when=FIRST_COMPLETED)
            for future in done:
                yield futures.pop(future), future.result()
    finally:
        for future in futures:
            future.cancel()
        wait(futures)


# --- a load --------------------------------------------------------------------------------------


def load_by_tasks(
    path: Path, dumps: Sequence[Path], job: Job, jobs: int, range_bytes: int | None = None,
    create: bool = False,
) -> list[LoadedFile]:  # fmt: skip
    """Load files into a lake by so many processes, all of them in one commit.

    Ranges are of about `range_bytes`; by itself each process has about as many, of equal size.

    A file that was changed while it was read is left out: the others are loaded, then its error is
    raised. Raises DumpError for a file that holds no dump, StoreError or ImsperfError where the
    lake cannot be written; nothing is loaded then.
    """
    range_bytes = range_bytes or range_bytes_of(dumps, jobs)
    memory = job.options.memory
    held = rows_held(memory and memory // jobs)
    if memory:
        job = replace(job, options=replace(job.options, part_bytes=job.options.bytes_at_a_time))
    with write_errors(path):
        if jobs == 1:
            return load_with(in_this_process(held), path, dumps, job, range_bytes, create)
        with in_processes(jobs, held) as runner:
            return load_with(runner, path, dumps, job, range_bytes, create)


def range_bytes_of(dumps: Sequence[Path], jobs: int) -> int:
    """As few tasks as may be, for each costs: the same number for each process, none too long."""
    total = sum(path.stat().st_size for path in dumps if path.is_file())
    rounds = -(-total // (jobs * _MOST_RANGE))
    return max(_LEAST_RANGE, -(-total // max(1, jobs * rounds)))


def load_with(
    runner: Runner, path: Path, dumps: Sequence[Path], job: Job, range_bytes: int, create: bool
) -> list[LoadedFile]:
    """Load files into a lake; `runner` stages the tasks. The load is planned again, without files
    that cannot be read as planned, and where another load was faster; see `load_by_tasks`."""
    place, left, failed = path.resolve(), list(dumps), list[DumpError]()
    done: list[LoadedFile] | None = None
    with make_lake(path, create):
        while left:
            load = _Load(runner, path, place, job)
            if (done := load.run(left, range_bytes)) is not None:
                break
            failed += load.failures.values()
            left = [dump for dump in left if dump.absolute() not in load.failures]
        if failed:
            raise failed[0]
        return done or []


class _Load:
    """One attempt at a load; another load that was faster may make a second one necessary."""

    def __init__(self, runner: Runner, path: Path, place: Path, job: Job) -> None:
        self._runner, self._path, self._place, self._job = runner, path, place, job
        self._staged = dict[int, StagedTask]()  # by task
        self.failures = dict[Path, DumpError]()  # files that cannot be read as planned
        self._named = list[Path]()  # displays
        self._progress = job.options.progress

    def run(self, dumps: Sequence[Path], range_bytes: int) -> list[LoadedFile] | None:
        """What became of all files; None where another one must plan them again: there are
        `failures`, or the run has other files now."""
        known = read_manifests(self._place)[1]
        with ledger_of(self._place, known) as ledger:
            self._named = [path for path in dumps if display_text(path) is not None]
            some = [path for path in dumps if path not in self._named]
            plan = plan_dumps(ledger, some, self._job, range_bytes)
        claim = Claim.take(self._path, self._place, plan.files)
        try:
            runs = {dump.run for dump in plan.dumps}
            if has_changed(self._place, known, runs, range(0)):
                return None
            return self._run(plan.number(claim.numbers.first_file), claim, runs)
        finally:
            claim.release()

    def _run(self, plan: Plan, claim: Claim, runs: set[str]) -> list[LoadedFile] | None:
        merged = self._read(plan, claim)
        if merged is None:
            return None
        tasks = self._staged.values()
        staged = [Staged(task.folder, part) for task in tasks for part in task.parts]
        with ledger_of(self._place, claim.known) as ledger:
            ledger.check_types([file.part for file in staged], claim.known)
            done, of_ledger = self._of_ledger(plan, merged, claim, ledger)
        if not claim.publish([*staged, *of_ledger], runs, range(0)):
            return None
        for dump in plan.dumps:
            self._keep_unread(dump)
        return done

    def _keep_unread(self, dump: Planned) -> None:
        folder, problems = self._job.unread, dump.result.problems
        if folder is not None and any(problem.severity == "data_loss" for problem in problems):
            dump.result.unread = keep_unread(folder, Opened().source(dump.place), problems)

    def _read(self, plan: Plan, claim: Claim) -> Merged | None:
        """Read all tasks, those again that must be, until all dumps are merged; None where a file
        cannot be read as planned: others may have lacked records that it has."""
        merged, tasks = Merged(), plan.tasks
        while True:
            states = self._stage(tasks, claim)
            if not self.failures:
                more = merge(plan, states)
                for at, error in plan.failures.items():
                    self.failures[Path(plan.dumps[at].place.path)] = error
            if self.failures:
                return None
            self._drop(tasks, more.dropped)
            merged.add(more)
            tasks = more.again
            if not tasks:
                return merged

    def _stage(self, tasks: list[Task], claim: Claim) -> list[ReadState]:
        states = list[ReadState]()
        with closing(self._runner(tasks, claim.staging, claim.numbers.load)) as outcomes:
            for task, staged in outcomes:
                self._staged[task.number] = staged
                states += staged.states
                if staged.failure:
                    self.failures[Path(staged.failure.path)] = staged.failure.error
                elif self._progress:
                    self._progress(task.bytes)
        return states

    def _drop(self, tasks: list[Task], dumps: set[int]) -> None:
        """Forget what tasks wrote that read ranges of these dumps: each task one range."""
        for task in tasks:
            if task.readings[0].dump in dumps and (staged := self._staged.pop(task.number, None)):
                shutil.rmtree(staged.folder, ignore_errors=True)

    def _of_ledger(
        self, plan: Plan, merged: Merged, claim: Claim, ledger: Ledger
    ) -> tuple[list[LoadedFile], list[Staged]]:
        """Write what is known of all dumps: rows of the ledger, records from several ranges, what
        stands beside the dumps. What became of all files."""
        folder = claim.staging / "ledger"
        writer = PartWriter(folder, claim.numbers.load)
        done = [dump.result for dump in plan.dumps]
        done += enter_beside(ledger, done, self._named, self._job)
        for table, batch in merged.batches:
            writer.add(table, batch)
        for table, rows in merged.rows.items():
            ledger.append_rows(table, rows)
        ledger.write(writer)
        return done, [Staged(folder, part) for part in writer.close()]
