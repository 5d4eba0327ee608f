"""OLDS: when each is full, and the records 42 that tell of switches.

The run begins on a data set of its own (command). It is full after `Logger.olds_capacity` blocks,
at a time read off the blocks of its interval as if they came evenly; then the next one is used,
OLDS_COUNT of them in turn: archiving keeps up (assumption).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.layouts import ims_42_48
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.log_records import Stamped, rows_of, tod_at
from imsperf.synthetic.log.log_source import Log
from imsperf.synthetic.log.statistics_sets import level_bytes
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.units import FAR_AWAY, TICKS_PER_US

OLDS_COUNT = 10  # data sets, used in turn
OLDS_NAMES = tuple(f"DFSOLP{n:02d}" for n in range(OLDS_COUNT))
COMMAND, FULL = "C", "F"
EXPECTED = 1.5  # an interval may bring so many times the blocks of the one before


def full_ticks(result: SimResult, capacity: int) -> I64:
    """When data sets became full, in the intervals there are."""
    edges = interval_ends(result.seconds, result.every_s)
    return filled_at(np.asarray(result.olds_blocks, np.int64), edges, capacity)


def filled_at(blocks: I64, edges: I64, capacity: int) -> I64:
    """The same of blocks (n,) written between edges, ticks."""
    edges, upto = edges[: len(blocks) + 1], np.cumsum(blocks)
    filled = np.arange(1, (int(upto[-1]) if len(upto) else 0) // capacity + 1) * capacity
    at = np.searchsorted(upto, filled)
    share = (filled - (upto - blocks)[at]) / blocks[at]
    tick = edges[at] + np.rint(share * np.diff(edges)[at]).astype(np.int64)
    ticks: I64 = np.minimum(tick, edges[at + 1] - 1)
    return ticks


@dataclass(frozen=True)
class OldsUse:
    """Blocks of each OLDS in n intervals, whether it was opened and closed in them; (n, 10)."""

    blocks: I64
    opened: I64
    closed: I64


def olds_use(blocks: I64, capacity: int) -> OldsUse:
    """What each had of the blocks (n,) of intervals, in the order in which they are used.

    Opened: it has its first block in the interval; closed: another one is in use at its end.
    """
    upto = np.append(0, np.cumsum(blocks))
    place = np.arange(OLDS_COUNT)
    nth = (place - 1) % OLDS_COUNT  # the run begins on the second one
    rounds, over = np.divmod(upto[:, None], OLDS_COUNT * capacity)
    written = rounds * capacity + np.clip(over - nth * capacity, 0, capacity)
    in_use = place == (upto[:, None] // capacity + 1) % OLDS_COUNT
    begun = in_use & (upto[:, None] % capacity > 0)
    blocks_of = np.diff(written, axis=0)
    used = blocks_of > 0
    return OldsUse(
        blocks_of, (used & ~begun[:-1]).astype(np.int64), (used & ~in_use[1:]).astype(np.int64)
    )


def known_until(result: SimResult, capacity: int) -> int:
    """Before this tick no further OLDS will turn out to be full: intervals may still be open."""
    blocks = np.asarray(result.olds_blocks, np.int64)
    edges = interval_ends(result.seconds, result.every_s)[: len(blocks) + 1]
    if len(blocks):
        lately = blocks[-1] / (edges[-1] - edges[-2])
    else:
        lately = int(result.warm["olds_blocks"]) / max(int(result.warm["ticks"]), 1)
    more = EXPECTED * lately * round(result.every_s * 1e6) * TICKS_PER_US
    return int(edges[-1]) if int(blocks.sum()) % capacity + more >= capacity else FAR_AWAY


def opened(log: Log, lsn: int) -> Stamped:
    """The switch that begins the run."""
    rows = _rows(log, 1, 0, int(log.result.warm["olds_blocks"]), lsn, COMMAND)
    return Stamped(rows, np.array([0]))


def full(log: Log, nth: I64, tick: I64, lsn: I64) -> Stamped:
    """Switches from data sets that are full, from 0, with the sequence numbers of their records."""
    capacity = log.network.logger.olds_capacity
    return Stamped(_rows(log, nth + 2, tick, capacity, lsn, FULL), np.asarray(tick))


def closing(log: Log, lsn: int) -> Stamped:
    """The switch after the last checkpoint."""
    capacity, total = log.network.logger.olds_capacity, int(log.result.olds_blocks.sum())
    rows = _rows(log, total // capacity + 2, log.end, total % capacity, lsn, COMMAND)
    return Stamped(rows, np.array([log.end + 1000]))


def full_between(log: Log, begin: int, end: int, others: I64, lsn: int) -> list[Stamped]:
    """Those of a part of a log whose `others` begin with the sequence number `lsn`."""
    ticks = full_ticks(log.result, log.network.logger.olds_capacity)
    first, last = np.searchsorted(ticks, [begin, end])
    some, nth = ticks[first:last], np.arange(first, last)
    if not len(some):
        return []
    place = np.searchsorted(np.sort(others), some) + np.arange(len(some))
    return [full(log, nth, some, place + lsn)]


def full_before(log: Log, tick: int) -> int:
    """How many were full before a time."""
    return int(np.searchsorted(full_ticks(log.result, log.network.logger.olds_capacity), tick))


def _rows(log: Log, number: Any, tick: Any, blocks: int, lsn: Any, reason: str) -> U8:
    """Code 42 from OLDS `number` - 1 to `number`, each one value or (n,)."""
    number, tick = np.atleast_1d(number), np.atleast_1d(tick)
    time = tod_at(tick.astype(np.int64), log.start)
    names = np.array(OLDS_NAMES)
    columns = {
        "imsid": log.host.ims_id,
        "installed_level": [level_bytes(log.host, 4)] * len(number),
        "olds_ddname": names[number % OLDS_COUNT],
        "prev_ddname": names[(number - 1) % OLDS_COUNT],
        "open": time,
        "close_prev": time,
        "first_lsn": np.atleast_1d(lsn),
        "blocks_prev": blocks,
        "reason": reason,
    }
    return rows_of(ims_42_48.RECORDS[0], columns)


class FullOnes:
    """Switches of a log that is written in slices: each begins a slice."""

    def __init__(self) -> None:
        self.log: Log | None = None
        self.done = 0

    def see(self, log: Log) -> None:
        """What is known by now."""
        self.log = log

    def cuts(self, begin: int, until: int, *, closing: bool) -> tuple[I64, int]:
        """Where slices have to begin, and until when all switches are known."""
        assert self.log is not None
        capacity = self.log.network.logger.olds_capacity
        if not closing:
            until = min(until, known_until(self.log.result, capacity))
        ticks = full_ticks(self.log.result, capacity)[self.done :]
        ticks = np.maximum(ticks, max(begin, 0) + 1)
        return ticks[ticks <= until], until

    def at(self, begin: int, lsn: int) -> list[Stamped]:
        """The switch with which the slice begins."""
        assert self.log is not None
        ticks = full_ticks(self.log.result, self.log.network.logger.olds_capacity)
        if self.done == len(ticks) or ticks[self.done] > begin:
            return []
        nth = np.array([self.done])
        self.done += 1
        return [full(self.log, nth, np.array([begin]), np.array([lsn]))]
