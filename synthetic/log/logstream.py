"""The IMS log of one run, profile imsperf-1: sampled transactions and statistics sets by time.

Order at equal times: signature, start, OLDS switch, checkpoint, transactions (flows.py).
Transactions come in slices of the run, so that memory does not grow with it; a record is in the
slice of its time.

A log has the transactions that ended in the run. What one of them wrote before the start is not
here: it is in the log data sets before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import TracebackType

import numpy as np

from imsperf.layouts import ims_06, ims_a0
from imsperf.layouts.ims import PROFILE
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.region_cpu import region_share, ziip_share
from imsperf.synthetic.accounts.sysplex_accounts import Sysplex
from imsperf.synthetic.arrays import F64, I32, I64
from imsperf.synthetic.log import log_kernels as kernels
from imsperf.synthetic.log.buffer_sets import buffer_sets
from imsperf.synthetic.log.control_blocks import block_sets
from imsperf.synthetic.log.flow_rows import in_steps
from imsperf.synthetic.log.flows import KINDS
from imsperf.synthetic.log.log_plan import Rows
from imsperf.synthetic.log.log_records import Stamped, in_time_order, rows_of
from imsperf.synthetic.log.log_slice import PROGRAMS, Plans, Scratch, Slice, Together, table_of
from imsperf.synthetic.log.log_source import Log
from imsperf.synthetic.log.olds import FullOnes, closing, full_before, full_between, opened
from imsperf.synthetic.log.otma_statistics import message_sets, otma_sets, tpipe_sets
from imsperf.synthetic.log.shared_queues import lock_sets, queue_sets
from imsperf.synthetic.log.statistics_sets import Sets, checkpoints, level_bytes
from imsperf.synthetic.log.storage_sets import storage_sets
from imsperf.synthetic.log.thread_tokens import with_threads
from imsperf.synthetic.log.traces import trace_blocks
from imsperf.synthetic.log.work_statistics import work_sets
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.run import PROGRAMS as PROGRAM_NAMES
from imsperf.synthetic.simulation.run import SMALL, TIMES, Completed
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.units import FAR_AWAY
from imsperf.synthetic.writer import Batch, DumpFile, Form, Written

SETS = 256  # checkpoints whose records are written at once
SLICE = 16_384  # transactions whose records are in memory at once
SET_TICKS = 1 << 20  # a set is written in fewer: a tick for each record
BEHIND_SET = 1 << 12  # so many for what comes behind all records of a set
TRANSACTIONS = {name: n for n, name in enumerate((*TIMES, *SMALL))}
PROGRAM_COLUMNS = {name: n for n, name in enumerate((*PROGRAM_NAMES, "begun"))}
SYNC = TRANSACTIONS["sync"]


class LogWriter:
    """Writes the log while the run is simulated: slices, once all of their records are known."""

    def __init__(self, file: DumpFile, end: int) -> None:
        self.file = file
        self.end = end  # tick at which the run ends
        self.transactions = 0
        self._lsn = 1
        self._begin = -FAR_AWAY  # everything before is written
        self._dropped = 0  # transactions before the first row kept
        self._kept: Rows | None = None
        self._programs: Rows | None = None
        self._log: Log | None = None  # the first: names and numbers of all transactions
        self._region_shares = 1.0, 0.0  # of CPU used while regions are held, what is theirs
        self._plans, self._scratch, self._together = Plans(), Scratch(), Together()
        self._olds = FullOnes()
        self._traced: list[tuple[I64, int]] = []
        self._spread = (
            0,
            0,
        )  # ticks that records of a transaction are before and after its sync point

    def add(self, log: Log, new: Completed) -> None:
        """Transactions and programs that ended since, and all intervals closed so far."""
        self._merge(log, new)
        self._write(log, new.until, closing=False)

    def finish(self, log: Log, new: Completed, tell: Callable[[float], None]) -> None:
        """The rest. `tell`: shares of it that are done."""
        ended = self.transactions + len(new.times)
        self._merge(log, _with_open(log, new))
        self.transactions = ended
        self._write(log, FAR_AWAY, closing=True, tell=tell)

    def _merge(self, log: Log, new: Completed) -> None:
        """New transactions among those kept, by sync point; of their CPU, that of the region."""
        if self._log is None:
            self._log = log
            own = region_share(log.network, log.result)
            self._region_shares = own, ziip_share(log.network)
        new = _behind_set(_of_region(new, self._region_shares), log)
        self.transactions += len(new.times)
        width = len(TRANSACTIONS)
        rows_left = np.zeros((0, width), np.int64) if self._kept is None else self._kept.data
        sync = np.concatenate([rows_left[:, SYNC], new.times[:, SYNC]])
        data = np.empty((len(sync), width), np.int64)
        kernels.put_together(data, rows_left, new.times, new.small, _in_order(sync))
        self._kept = Rows(data, TRANSACTIONS)
        programs = _with_begun(log, new.programs)
        if self._programs is not None:
            ended = self._programs["end"] != FAR_AWAY  # the others are handed over again
            programs = np.concatenate([self._programs.data[ended], programs])
        by_start = np.argsort(programs[:, PROGRAM_COLUMNS["number"]], kind="stable")
        self._programs = Rows(programs[by_start], PROGRAM_COLUMNS)

    def _write(
        self,
        log: Log,
        until: int,
        *,
        closing: bool,
        tell: Callable[[float], None] | None = None,
    ) -> None:
        """Slices that end before `until`, which has no more records before it."""
        assert self._kept is not None and self._programs is not None and self._log is not None
        self._olds.see(log)
        edges = self._edges(until, closing)
        if len(edges) < 2:
            return
        rows = self._kept
        self._spread = (
            int((rows["sync"] - rows["arrival"]).max(initial=0)),
            int((rows["dequeue"] - rows["sync"]).max(initial=0)),
        )
        traced = [self._traces(log, begin, end) for begin, end in pairwise(edges)]
        fixed = self._fixed(log, edges[-1])
        for (begin, end), blocks in zip(pairwise(edges), traced, strict=True):
            here = [part.between(begin, end) for part in fixed]
            self._slice(here, blocks, (begin, end), log if end == FAR_AWAY else None)
            if tell is not None:
                tell(1 / (len(edges) - 1))
        self._begin = edges[-1]
        self._drop()

    def _fixed(self, log: Log, end: int) -> list[Stamped]:
        """What opens the log, and the sets; none of them where no set is in what is written."""
        taken = interval_ends(log.result.seconds, log.result.every_s)
        near = (taken + SET_TICKS >= self._begin) & (taken < end)
        if not near.any():
            return []
        return [*_opening(log), *_checkpoints(log, *_counted(self._traced, log))]

    def _edges(self, until: int, closing: bool) -> list[int]:
        """Where slices begin and end, each with about SLICE transactions, and at OLDS switches."""
        assert self._kept is not None
        switched, until = self._olds.cuts(self._begin, until, closing=closing)
        sync = self._kept["sync"]
        first = SLICE - self._dropped if self._dropped < SLICE else -self._dropped % SLICE
        cuts = np.unique(np.concatenate([sync[first::SLICE], switched]))
        cuts = cuts[(cuts > max(0, self._begin)) & (cuts < self.end) & (cuts <= until)]
        return [self._begin, *cuts.tolist(), *([FAR_AWAY] if closing else [])]

    def _near(self, begin: int, end: int) -> tuple[int, int]:
        """First and last row of the transactions that may write records between two times."""
        assert self._kept is not None
        before, after = self._spread
        sync = self._kept["sync"]
        first, last = np.searchsorted(sync, [begin - after, end + before])
        return int(first), min(int(last) + 1, len(sync))

    def _traces(self, log: Log, begin: int, end: int) -> list[Stamped]:
        """The trace blocks of a slice, which are counted."""
        assert self._kept is not None and self._log is not None
        if not log.network.traces or log.network.trace_target != "olds":
            return []
        begin, end = max(begin, 0), min(end, self.end)
        rows = self._kept.columns(*self._near(begin, end))
        traces = trace_blocks(self._log, rows, begin, end)
        self._traced += [(part.tick, part.rows.shape[1]) for part in traces]
        return traces

    def _slice(
        self,
        fixed: list[Stamped],
        traced: list[Stamped],
        between: tuple[int, int],
        whole: Log | None,
    ) -> None:
        """The records of a slice; `whole`: with the OLDS switch that closes this log."""
        assert self._kept is not None and self._programs is not None and self._log is not None
        log = self._log
        begin, end = max(between[0], 0), min(between[1], self.end)
        first, behind = self._near(begin, end)
        here = Rows(self._kept.data[first:behind], TRANSACTIONS)
        here = with_threads(here, self._programs, log)
        tables = {"transactions": here, "steps": in_steps(here, log), "programs": self._programs}
        piece = Slice(log, tables, self._scratch, self._together)
        for part in (*self._olds.at(between[0], self._lsn), *fixed):
            piece.add(part)
        for kind in KINDS:
            if kind.code in log.lengths and begin < end:
                rows = len(tables[table_of(kind)].data)
                piece.find(kind, (0, rows), begin, end, self._plans)
        for part in traced:
            piece.add(part)
        if whole is not None:
            piece.add(closing(whole, self._lsn + piece.count))
        piece.write(self.file, self._lsn)
        self._lsn += piece.count

    def _drop(self) -> None:
        """Forget what has been written."""
        assert self._kept is not None and self._programs is not None
        waiting = np.flatnonzero(self._kept["dequeue"] >= self._begin)
        first = int(waiting[0]) if len(waiting) else len(self._kept.data)
        self._kept = Rows(self._kept.data[first:].copy(), TRANSACTIONS)
        self._dropped += first
        ended = self._programs["end"] < self._begin
        self._programs = Rows(self._programs.data[~ended], PROGRAM_COLUMNS)


def interval_chunks(log: Log, first: int, end: int, *, closed: bool) -> Iterator[list[Batch]]:
    """A log without transactions: what opens it, the sets at the boundaries `first` to `end`, and
    starts and ends of batch programs between them.

    Sequence numbers are those of the whole log. `closed`: with the OLDS switch at its end.
    """
    kinds, step = _checkpoints(log), SETS
    edges = interval_ends(log.result.seconds, log.result.every_s).tolist()
    yield in_time_order(_opening(log), log.start, 1)
    before = 4 + first * len(kinds) + _programs_before(log, edges[first])
    before += full_before(log, edges[first])
    for begin in range(first, end + 1, step):
        some = slice(begin, min(begin + step, end + 1))
        sets = [Stamped(kind.rows[some], kind.tick[some]) for kind in kinds]
        near = edges[begin], edges[min(begin + step, end)]
        others = [*sets, *_programs(log, *near)]
        switched = full_between(
            log, *near, np.concatenate([other.tick for other in others]), before
        )
        batches = in_time_order([*switched, *others], log.start, before)
        before += sum(len(batch.rows) for batch in batches)
        yield batches
    if closed:
        yield in_time_order([closing(log, before)], log.start, before)


def _with_open(log: Log, new: Completed) -> Completed:
    """The same with transactions that are under way at the end: records as far as they happened.

    Steps of a chain are only known once it has ended: what came before its first program is here.
    """
    open_ones = log.result.flying
    if not open_ones or not len(open_ones["arrival"]):
        return new
    times = np.stack([open_ones[name] for name in TIMES], axis=1)
    small = np.stack([open_ones[name] for name in SMALL], axis=1)
    chained = log.chain_lengths[open_ones["cls"]] > 1
    for name in ("gu", "sync", "written"):
        times[chained, TRANSACTIONS[name]] = log.end + 1
    return replace(
        new,
        times=np.concatenate([new.times, times]),
        small=np.concatenate([new.small, small.astype(new.small.dtype)]),
    )


def _of_region(new: Completed, shares: tuple[float, float]) -> Completed:
    """The same with the CPU that the regions themselves used, of what was used meanwhile: on CPs
    and on zIIPs. That of a schedule is the program's, not that of the message that comes first."""
    times, programs = new.times.copy(), new.programs.copy()
    times[:, TRANSACTIONS["cpu_region"]] -= times[:, TRANSACTIONS["cpu_schedule"]]
    of_times, of_programs = ("cpu_region", "ziip_region"), ("cpu", "ziip")
    for share, time, other in zip(shares, of_times, of_programs, strict=True):
        for table, place in ((times, TRANSACTIONS[time]), (programs, PROGRAM_COLUMNS[other])):
            used: F64 = table[:, place].astype(np.float64)
            table[:, place] = np.rint(share * used)
    return replace(new, times=times, programs=programs)


def begun(log: Log, tick: I64) -> I64:
    """When 08 is written: a batch program that begins with an interval does so behind the set."""
    if log.sequence is None:
        return tick
    edges = interval_ends(log.result.seconds, log.result.every_s)
    before = edges[np.maximum(np.searchsorted(edges, tick, side="right") - 1, 0)]
    return np.maximum(tick, before + BEHIND_SET)


def _with_begun(log: Log, programs: I64) -> I64:
    scheduled = programs[:, PROGRAM_COLUMNS["scheduled"]]
    return np.column_stack([programs, begun(log, scheduled)])


def _behind_set(new: Completed, log: Log) -> Completed:
    """The same with the first unit of recovery of a batch program behind its 08."""
    if log.sequence is None:
        return new
    times = new.times.copy()
    times[:, TRANSACTIONS["gu"]] = np.maximum(times[:, TRANSACTIONS["gu"]], BEHIND_SET + 1)
    return replace(new, times=times)


def _programs(log: Log, begin: int, end: int) -> list[Stamped]:
    """Starts and ends of programs between two times."""
    own = np.rint(
        np.asarray(log.result.programs["cpu"], float) * region_share(log.network, log.result)
    )
    scheduled = np.asarray(log.result.programs["scheduled"], np.int64)
    more = {"cpu": own.astype(np.int64), "begun": begun(log, scheduled)}
    table = Rows.of(dict(log.result.programs) | more)
    slice_of = Slice(log, {"programs": table}, Scratch(), Together())
    for kind in KINDS:
        if kind.code in PROGRAMS and kind.code in log.lengths:
            slice_of.find(kind, (0, len(table.data)), begin, end, Plans())
    return slice_of.stamped()


def _programs_before(log: Log, tick: int) -> int:
    """Records of starts and ends of programs before a time."""
    return sum(
        int(np.count_nonzero(log.result.programs[name] < tick)) for name in ("scheduled", "end")
    )


def _checkpoints(log: Log, count: I64 | int = 0, size: I64 | int = 0) -> list[Stamped]:
    """All sets; `count`, `size`: trace blocks in the log before each of them, and their bytes."""
    sampled = log.result.sample_k  # those in the log stand for all
    sets = Sets(
        log.result, log.host, log.network, log.ims_start, log.start, count * sampled, size * sampled
    )
    queues = (*queue_sets(sets, log.plex), *lock_sets(sets))
    behind = (*tpipe_sets(sets), *queues, *work_sets(sets), *block_sets(sets))
    return checkpoints(
        sets,
        [*otma_sets(sets), *message_sets(sets), *buffer_sets(sets), *storage_sets(sets)],
        behind,
    )


def _counted(traced: Sequence[tuple[I64, int]], log: Log) -> tuple[I64, I64]:
    """Trace blocks and their bytes before each set."""
    places = interval_ends(log.result.seconds, log.result.every_s)
    count, size = np.zeros((2, len(places)), np.int64)
    for tick, length in traced:
        before = np.searchsorted(tick, places)
        count += before
        size += before * length
    return count, size


# --- records that open and close the log --------------------------------------------------------


def _opening(log: Log) -> list[Stamped]:
    """Signature and cold start when IMS came up, then the OLDS switch that begins the run."""
    host, up = log.host, np.array([log.ims_start - log.start])
    signature = {
        "eye": "IMSPERF1",
        "profile": PROFILE,
        "imsid": host.ims_id,
        "ims_level": [level_bytes(host)],
        "seed": log.seed,
        "start": np.array([log.start], dtype=np.uint64),
        "sample_k": log.result.sample_k,
        "interval_cs": round(log.result.every_s * 100),
    }
    started = {
        "imsid": host.ims_id,
        "event": "S",
        "ims_level": [level_bytes(host)],
        "event_time": np.array([log.ims_start], dtype=np.uint64),
    }
    return [
        Stamped(rows_of(ims_a0.RECORDS[0], signature), up),
        Stamped(rows_of(ims_06.RECORDS[0], started), up),
        opened(log, 3),
    ]


def _in_order(tick: I64) -> I32:
    """Places of times in ascending order, equal ones as they stand."""
    order, other = np.empty((2, len(tick)), np.int32)
    keys, spare = np.empty((2, len(tick)), np.uint64)
    kernels.in_order(tick, order, other, keys, spare)
    return order


# --- logs of all systems --------------------------------------------------------------------------
#
# The IMS logs of all systems of a run, written by a thread while the run is simulated.


@dataclass(frozen=True)
class Place:
    """The log of one system: its file, its names, what is simulated."""

    path: Path
    host: Host
    network: Network


class Logs:
    """A context manager: leaving it with an error names no file. No places: nothing is written.

    `end`: tick at which the run ends; `together`: what the systems share, from their results.
    """

    def __init__(
        self,
        places: Sequence[Place],
        form: Form,
        seed: int,
        end: int,
        together: Callable[[Sequence[SimResult]], Sysplex],
    ) -> None:
        self.places, self.seed, self.together = places, seed, together
        self.files = [
            DumpFile(place.path, form, place.network.logger.block_bytes) for place in places
        ]
        self._writers = [LogWriter(file, end) for file in self.files]
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._under_way: Future[None] | None = None
        self.written: list[Written] = []

    def __enter__(self) -> Logs:
        return self

    def add(self, handed: Sequence[Completed], results: Sequence[SimResult]) -> None:
        """What has ended since the last time, of each system, and the intervals closed so far.

        Comes back once what was added before is written; an error of that is raised here.
        """
        self._wait()
        if not self.places:
            return
        self._under_way = self._thread.submit(self._add, handed, results)

    def _add(self, handed: Sequence[Completed], results: Sequence[SimResult]) -> None:
        for writer, log, new in zip(self._writers, self._logs(results), handed, strict=True):
            writer.add(log, new)

    def _logs(self, results: Sequence[SimResult]) -> list[Log]:
        plex = self.together(results)
        return [
            Log.of(result, place.host, place.network, self.seed, plex)
            for place, result in zip(self.places, results, strict=True)
        ]

    def finish(self, results: Sequence[SimResult], tell: Callable[[float], None]) -> None:
        """The rest of all logs. `tell`: shares of it that are done."""
        self._wait()
        if not self.places:
            return
        share = 1 / len(self.places)
        for writer, log in zip(self._writers, self._logs(results), strict=True):
            left = Completed.of(log.result.transactions, log.result.programs, FAR_AWAY)
            writer.finish(log, left, lambda part: tell(share * part))
        self.written = [writer.close() for writer in self.files]

    @property
    def transactions(self) -> int:
        """How many are in the logs."""
        return sum(writer.transactions for writer in self._writers)

    def _wait(self) -> None:
        if self._under_way is not None:
            self._under_way.result()
            self._under_way = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._thread.shutdown()
        for writer in self.files:
            writer.__exit__(kind, error, at)
