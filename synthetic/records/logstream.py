"""The IMS log of one run, profile imsperf-1: sampled transactions and statistics sets by time.

Order at equal times: signature, start, OLDS switch, checkpoint, transactions (flows.py).
Transactions come in slices of the run, so that memory does not grow with it; a record is in the
slice of its time.

A log has the transactions that ended in the run. What one of them wrote before the start is not
here: it is in the log data sets before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.layouts import ims_06, ims_42_48, ims_a0
from imsperf.layouts.ims import PROFILE
from imsperf.synthetic.records.control_blocks import block_sets
from imsperf.synthetic.records.flow_rows import Columns, Kind, Mine, in_steps
from imsperf.synthetic.records.flows import KINDS, PROGRAMS
from imsperf.synthetic.records.log_records import Stamped, in_time_order, rows_of
from imsperf.synthetic.records.log_source import Log
from imsperf.synthetic.records.otma_statistics import message_sets, otma_sets, tpipe_sets
from imsperf.synthetic.records.shared_queues import queue_sets
from imsperf.synthetic.records.statistics_sets import Sets, checkpoints, level_bytes
from imsperf.synthetic.records.traces import trace_blocks
from imsperf.synthetic.records.work_statistics import work_sets
from imsperf.synthetic.records.writer import Batch
from imsperf.synthetic.simulation.simulate import interval_ends

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]

SETS = 256  # checkpoints whose records are written at once
SLICE = 16_384  # transactions whose records are in memory at once


def chunks(log: Log) -> Iterator[list[Batch]]:
    """The log in slices, ready to be written; sequence numbers run from 1."""
    fixed = [*_opening(log), *_checkpoints(log), *_closing(log)]
    table = log.result.transactions
    spread = _spread(table)
    lsn = 1
    for begin, end in _slices(log):
        kinds = [one.between(begin, end) for one in fixed]
        kinds += _records(log, spread, max(begin, 0), min(end, log.end))
        batches = in_time_order(kinds, log.start, lsn)
        lsn += sum(len(one.rows) for one in batches)
        yield batches


def interval_chunks(log: Log, first: int, end: int, *, closing: bool) -> Iterator[list[Batch]]:
    """A log without transactions: what opens it, the sets at the boundaries `first` to `end`, and
    starts and ends of batch programs between them.

    Sequence numbers are those of the whole log. `closing`: with the OLDS switch at its end.
    """
    kinds, step = _checkpoints(log), SETS
    edges = interval_ends(log.result.seconds, log.result.every_s).tolist()
    yield in_time_order(_opening(log), log.start, 1)
    before = 4 + first * len(kinds) + _programs_before(log, edges[first])
    for begin in range(first, end + 1, step):
        some = slice(begin, min(begin + step, end + 1))
        sets = [Stamped(one.rows[some], one.tick[some]) for one in kinds]
        programs = _programs(log, edges[begin], edges[min(begin + step, end)])
        batches = in_time_order([*sets, *programs], log.start, before)
        before += sum(len(one.rows) for one in batches)
        yield batches
    if closing:
        yield in_time_order(_closing(log), log.start, before)


def _programs(log: Log, begin: int, end: int) -> list[Stamped]:
    """Starts and ends of programs between two times."""
    table = log.result.programs
    made = (_stamped(log, one, table, begin, end) for one in KINDS if one.code in PROGRAMS)
    return [one for one in made if one is not None]


def _programs_before(log: Log, tick: int) -> int:
    """Records of starts and ends of programs before a time."""
    clocks = (log.result.programs[one.clock] for one in KINDS if one.code in PROGRAMS)
    return sum(int(np.count_nonzero(one < tick)) for one in clocks)


def slices(log: Log) -> int:
    """How many slices `chunks` will give."""
    return len(list(_slices(log)))


def _checkpoints(log: Log) -> list[Stamped]:
    sets = Sets(log.result, log.host, log.network, log.ims_start, log.start)
    count, size = _traced(log, sets.tick)
    sets = replace(
        sets, traced=count * log.result.sample_k, traced_bytes=size * log.result.sample_k
    )
    behind = (*tpipe_sets(sets), *queue_sets(sets, log.plex), *work_sets(sets), *block_sets(sets))
    return checkpoints(sets, [*otma_sets(sets), *message_sets(sets)], behind)


def _slices(log: Log) -> Iterator[tuple[int, int]]:
    """Time ranges that together hold everything, each with about SLICE transactions."""
    cuts = np.unique(log.result.transactions["sync"][SLICE::SLICE]).astype(np.int64)
    cuts = cuts[(cuts > 0) & (cuts < log.end)]
    least, most = -(1 << 62), 1 << 62
    edges = [least, *cuts.tolist(), most]
    return pairwise(edges)


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
    warm_blocks = int(log.result.warm["olds_blocks"])
    return [
        Stamped(rows_of(ims_a0.RECORDS[0], signature), up),
        Stamped(rows_of(ims_06.RECORDS[0], started), up),
        Stamped(_switch(log, 1, 0, warm_blocks, 3), np.array([0])),
    ]


def _closing(log: Log) -> list[Stamped]:
    """The OLDS switch after the last checkpoint."""
    blocks = int(log.result.olds_blocks.sum())
    written = _records_before_the_end(log)
    rows = _switch(log, 2, log.end, blocks, written + 1)
    return [Stamped(rows, np.array([log.end + 1000]))]


def _switch(log: Log, number: int, tick: int, blocks: int, first_lsn: int) -> U8:
    """Code 42 from OLDS `number` - 1 to `number`."""
    time = np.array([log.start + tick], dtype=np.uint64)
    columns = {
        "imsid": log.host.ims_id,
        "installed_level": [level_bytes(log.host, 4)],
        "olds_ddname": f"DFSOLP{number:02d}",
        "prev_ddname": f"DFSOLP{number - 1:02d}",
        "open": time,
        "close_prev": time,
        "first_lsn": first_lsn,
        "blocks_prev": blocks,
        "reason": "C",
    }
    return rows_of(ims_42_48.RECORDS[0], columns)


def _records_before_the_end(log: Log) -> int:
    """How many records stand before the last one, the closing switch."""
    tables: dict[str, Columns] = {
        "transactions": log.result.transactions,
        "programs": log.result.programs,
    }
    tables["steps"] = in_steps(tables["transactions"], log)
    count = 3 + sum(len(one.tick) for one in _checkpoints(log))
    count += int(_traced(log, np.array([log.end]))[0][0])
    for kind in KINDS:
        if kind.code in log.lengths:
            table = tables[_table(kind)]
            cls = table["cls"][_within(table[kind.clock], 0, log.end)]
            count += int(np.sum(_number(log, kind, cls) * np.ones(len(cls), np.int64)))
    return count


def _within(tick: npt.NDArray[Any], begin: int, end: int) -> npt.NDArray[np.bool_]:
    inside: npt.NDArray[np.bool_] = (tick >= begin) & (tick < end)
    return inside


# --- transactions and programs --------------------------------------------------------------------


def _records(log: Log, spread: tuple[int, int], begin: int, end: int) -> list[Stamped]:
    """Records of one slice by kind, each in the order of its table."""
    if begin >= end:
        return []
    near: dict[str, Columns] = {
        "transactions": _near(log, spread, begin, end),
        "programs": log.result.programs,
    }
    near["steps"] = in_steps(near["transactions"], log)
    made = (_stamped(log, kind, near[_table(kind)], begin, end) for kind in KINDS)
    traced = trace_blocks(log, near["transactions"], begin, end)
    return [*(one for one in made if one is not None), *traced]


def _traced(log: Log, places: I64) -> tuple[I64, I64]:
    """Trace blocks and their bytes before some times; sampled ones stand for all."""
    count, size = np.zeros((2, len(places)), np.int64)
    if log.network.traces:
        spread = _spread(log.result.transactions)
        for begin, end in _slices(log):
            begin, end = max(begin, 0), min(end, log.end)
            for one in trace_blocks(log, _near(log, spread, begin, end), begin, end):
                before = np.searchsorted(one.tick, places)
                count += before
                size += before * one.rows.shape[1]
    return count, size


def _table(kind: Kind) -> str:
    return "programs" if kind.code in PROGRAMS else "steps" if kind.step else "transactions"


def _near(log: Log, spread: tuple[int, int], begin: int, end: int) -> dict[str, Any]:
    """The transactions that may write records between two times."""
    table = log.result.transactions
    before, after = spread
    first, last = np.searchsorted(table["sync"], [begin - after, end + before])
    return {key: values[int(first) : int(last) + 1] for key, values in table.items()}


def _stamped(log: Log, kind: Kind, here: Columns, begin: int, end: int) -> Stamped | None:
    """The records of one kind between two times, None where the log has none of it."""
    if kind.code not in log.lengths or not len(here[kind.clock]):
        return None
    which = np.flatnonzero(_within(here[kind.clock], begin, end))
    which = np.repeat(which, _number(log, kind, here["cls"][which]))
    columns = {key: values[which] for key, values in here.items()}
    rows = kind.fill(Mine(columns, which, log, kind.code)).rows
    return Stamped(rows, columns[kind.clock].astype(np.int64)).sorted()


def _number(log: Log, kind: Kind, cls: npt.NDArray[Any]) -> Any:
    """Records of this kind for transactions, or programs, of these classes."""
    return 1 if kind.code in PROGRAMS else kind.number(log.counts[kind.code])[cls]


def _spread(table: Mapping[str, npt.NDArray[Any]]) -> tuple[int, int]:
    """How long, at most, a transaction's records are before and after its sync point, ticks."""
    if not len(table["sync"]):
        return 0, 0
    before = int((table["sync"] - table["arrival"]).max())
    return before, int((table["dequeue"] - table["sync"]).max())
