"""Blocks of trace tables, log code 67FA, where a table trace is external.

Entries at the times of the simulated transactions; what IBM does not publish of them is zero:
function codes, addresses, and all but the sequence number of the tables DLOG, LOCK and STRG.
IDC0 tells of errors, of which there are none. The two letters of SCHD and STRG are ours. A block is
written when it is full, and at the end of a slice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields

import numpy as np

from imsperf.layouts import ims_67
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.db_calls import Calls
from imsperf.synthetic.log.log_records import Stamped, rows_of, tod_at
from imsperf.synthetic.log.log_source import Log
from imsperf.synthetic.network.traces import ENTRY, PER_BLOCK

Columns = Mapping[str, I64]

(BLOCK,) = [record for record in ims_67.RECORDS if record.subcode == 0xFA]
GET, RELEASE = 1, 3  # of a latch
GET_UNIQUE, DEQUEUE, ENQUEUE = 0x02, 0x04, 0x0C  # of the queue manager
BEGIN, END = 0x41, 0x43  # of scheduling
FUNCTIONS = np.stack(  # of DL/I calls, in the order of `Calls`
    [np.frombuffer(f"{kind.name:4}".upper().encode("cp037"), np.uint8) for kind in fields(Calls)]
)


@dataclass(frozen=True)
class Entries:
    """Entries of one trace point: when, and their bytes but for the sequence number."""

    tick: I64
    rows: U8

    @classmethod
    def of(cls, tick: I64, *start: int | I64) -> Entries:
        """So many, which begin with these bytes."""
        rows = np.zeros((len(tick), ENTRY), np.uint8)
        for place, value in enumerate(start):
            rows[:, place] = value
        return cls(tick.astype(np.int64), rows)


def _latches(log: Log, here: Columns) -> Iterator[Entries]:
    """The latch of the sync point, got and given back."""
    split = log.network.latches.mode == "split"
    name = np.frombuffer(("LREC" if split else "LOGL").encode("cp037"), np.uint8)
    for what in (GET, RELEASE):
        entries = Entries.of(here["sync"], 0, what)
        entries.rows[:, 8:12] = name
        clock = tod_at(entries.tick, log.start).astype(">u8")
        entries.rows[:, 24:32] = clock.view(np.uint8).reshape(-1, 8)
        yield entries


def _dispatcher(log: Log, here: Columns) -> Iterator[Entries]:
    """A region is dispatched: it has its message, and its sync point is done."""
    for clock in ("gu", "sync"):
        entries = Entries.of(here[clock], 0)
        middle = (tod_at(entries.tick, log.start) >> np.uint64(16)).astype(np.uint32)
        entries.rows[:, 28:32] = middle.astype(">u4").view(np.uint8).reshape(-1, 4)
        yield entries


def _logger(_log: Log, here: Columns) -> Iterator[Entries]:
    """Records of a transaction are handed to the logger."""
    yield Entries.of(here["sync"], 0)


def _storage(_log: Log, here: Columns) -> Iterator[Entries]:
    """A buffer for a message, got and given back."""
    for clock in ("arrival", "dequeue"):
        yield Entries.of(here[clock], 0)


def _locks(log: Log, here: Columns) -> Iterator[Entries]:
    """A lock for each changed segment, all given back at the sync point."""
    number = log.calls.changing[here["cls"]]
    for clock in ("gu", "sync"):
        yield Entries.of(np.repeat(here[clock], number), 0)


def _scheduler(log: Log, here: Columns) -> Iterator[Entries]:
    """A schedule begins and ends."""
    some = here["scheduled"] > 0
    region = (here["region"][some] + 1) & 0xFF
    yield Entries.of(here["taken"][some], BEGIN, region)
    yield Entries.of(here["gu"][some], END, region)


def _queues(log: Log, here: Columns) -> Iterator[Entries]:
    """Message queues: input in and out, output in and out."""
    if log.has_messages:
        for clock, what in (
            ("arrival", ENQUEUE),
            ("gu", GET_UNIQUE),
            ("sync", ENQUEUE),
            ("dequeue", DEQUEUE),
        ):
            yield Entries.of(here[clock], 0x4E, what)


def _fast_path(log: Log, here: Columns) -> Iterator[Entries]:
    """The sync point of a Fast Path transaction; which trace point it is is not published."""
    if "5937" in log.lengths:
        yield Entries.of(here["sync"], 0x9D)


def _calls(log: Log, here: Columns) -> Iterator[Entries]:
    """Each database call, evenly from the message to the sync point: gets, then changes."""
    by_kind = np.stack([*vars(log.calls).values()], axis=1)
    by_kind[:, 0] += log.dedb_calls
    upto = np.cumsum(by_kind, axis=1)
    number = upto[:, -1][here["cls"]]
    which = np.repeat(np.arange(len(number)), number)
    nth = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
    span = (here["sync"] - here["gu"])[which]
    tick = here["gu"][which] + span * (nth + 1) // (number[which] + 1)
    entries = Entries.of(tick, 0xAA, (here["region"][which] + 1) & 0xFF)
    kind = (nth[:, None] >= upto[here["cls"]][which]).sum(axis=1)
    entries.rows[:, 8:12] = FUNCTIONS[kind]
    yield entries


POINTS: dict[str, tuple[str, Callable[[Log, Columns], Iterator[Entries]]]] = {
    "DISP": ("DS", _dispatcher),
    "DLI": ("DL", _calls),
    "DLOG": ("DG", _logger),
    "FPTT": ("FT", _fast_path),
    "LATC": ("LA", _latches),
    "LOCK": ("DL", _locks),
    "QMGR": ("QM", _queues),
    "SCHD": ("SC", _scheduler),
    "STRG": ("ST", _storage),
}


def trace_blocks(log: Log, here: Columns, begin: int, end: int) -> list[Stamped]:
    """The blocks of all external traces written between two times."""
    blocks = list[Stamped]()
    for trace in log.network.traces:
        if trace not in POINTS:
            continue
        table, make = POINTS[trace]
        parts = list(make(log, here))
        if not parts:
            continue
        tick = np.concatenate([part.tick for part in parts])
        order = np.argsort(tick, kind="stable")
        order = order[(tick[order] >= begin) & (tick[order] < end)]
        rows = np.concatenate([part.rows for part in parts])[order]
        rows[:, 2:4] = (
            (np.arange(1, len(rows) + 1) & 0xFFFF).astype(">u2").view("u1").reshape(-1, 2)
        )
        full = len(rows) // PER_BLOCK * PER_BLOCK
        for some, size in ((slice(0, full), PER_BLOCK), (slice(full, None), len(rows) - full)):
            if size and len(rows[some]):
                blocks.append(_stamped(log, table, tick[order][some], rows[some], size))
    return blocks


def _stamped(log: Log, table: str, tick: I64, rows: U8, size: int) -> Stamped:
    """Blocks of `size` entries, each written with its last entry."""
    written = tick[size - 1 :: size]
    local = log.utc(written) + log.host.offset
    day = local.astype("datetime64[D]")
    columns = {"date": day, "time": local - day, "table_id": table}
    return Stamped(rows_of(BLOCK, columns, rows.reshape(len(written), -1)), written)
