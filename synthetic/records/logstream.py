"""The IMS log of one run, profile imsperf-1: sampled transactions and statistics sets by time.

Order at equal times: signature, start, OLDS switch, checkpoint, transactions. Transactions come in
slices of the run, so that memory does not grow with it; a record is in the slice of its time.

    5901 when the region got the message, 5950 for each update and 5937 at sync point,
    5903 when the log write is done, 5936 when the answer was dequeued

A log has the transactions that ended in the run. What one of them wrote before the start is not
here: it is in the log data sets before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.kinds import text
from imsperf.layouts import ims_06, ims_42_48, ims_59, ims_a0
from imsperf.layouts.ims import PROFILE
from imsperf.record import LogRecord
from imsperf.synthetic.network import Network
from imsperf.synthetic.records.hardware import Host
from imsperf.synthetic.records.log_records import Rows, Stamped, in_time_order, rows_of, tod_at
from imsperf.synthetic.records.statistics_sets import (
    Sets,
    checkpoints,
    level_bytes,
    psb_name,
    tod_of,
)
from imsperf.synthetic.records.writer import Batch
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]

SLICE = 16_384  # transactions whose records are in memory at once
INPUT, OUTPUT, DEQUEUE, COMMIT, *_, UPDATE = ims_59.RECORDS
ALWAYS = 4  # records of a transaction that updates nothing
CI = 4096  # bytes of a DEDB control interval
AREA_CIS = 90_000  # control intervals of an area; spreads the addresses, nothing more
UPDATE_BYTES = 100  # logged for one change


@dataclass(frozen=True)
class Names:
    """Text fields of transactions, encoded once: by class, client and area."""

    routing: U8
    tran: U8
    psb: U8
    lterm: U8
    userid: U8
    area: U8

    @classmethod
    def of(cls, network: Network, clients: int, areas: Sequence[str]) -> Names:
        """Names for a network; the routing code of a Fast Path transaction is its own name."""
        eight = text(8)
        tran = [one.name for one in network.classes]
        return cls(
            routing=eight.encode(tran),
            tran=eight.encode(tran),
            psb=eight.encode([psb_name(one) for one in tran]),
            lterm=eight.encode([f"C{n:07d}" for n in range(clients)]),
            userid=eight.encode([f"U{n:07d}" for n in range(clients)]),
            area=eight.encode(areas),
        )


@dataclass(frozen=True)
class Log:
    """Everything the log of one run is made from."""

    result: SimResult
    host: Host
    network: Network
    seed: int
    start: int  # TOD of tick 0
    ims_start: int  # TOD

    @classmethod
    def of(cls, result: SimResult, host: Host, network: Network, seed: int) -> Log:
        """The log of a simulation; IMS was started a warm-up before the run."""
        start = tod_of(host.start_utc)
        return cls(result, host, network, seed, start, start - int(result.warm["ticks"]))

    @property
    def end(self) -> int:
        """Tick at which the run ends."""
        return int(interval_ends(self.result.seconds, self.result.every_s)[-1])

    @property
    def slices(self) -> int:
        """How many slices `chunks` will give."""
        return len(list(_slices(self)))


def chunks(log: Log) -> Iterator[list[Batch]]:
    """The log in slices, ready to be written; sequence numbers run from 1."""
    fixed = [*_opening(log), *checkpoints(_sets(log)), *_closing(log)]
    table = log.result.transactions
    names = _names(log)
    spread = _spread(table)
    lsn = 1
    for begin, end in _slices(log):
        kinds = [one.between(begin, end) for one in fixed]
        kinds += _transactions(log, names, spread, max(begin, 0), min(end, log.end))
        batches = in_time_order(kinds, log.start, lsn)
        lsn += sum(len(one.rows) for one in batches)
        yield batches


def _sets(log: Log) -> Sets:
    return Sets(log.result, log.host, log.network, log.ims_start, log.start)


def _names(log: Log) -> Names:
    table = log.result.transactions
    clients, volumes = (
        int(table[key].max()) + 1 if len(table[key]) else 1 for key in ("client", "area")
    )
    # an area is simulated as the volume it is on
    areas = log.host.areas or [f"AREA{n:04d}" for n in range(volumes)]
    return Names.of(log.network, clients, [areas[n % len(areas)] for n in range(volumes)])


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
    table = log.result.transactions
    count = 3 + sum(len(one.tick) for one in checkpoints(_sets(log)))
    for clock in ("gu", "sync", "written", "dequeue"):
        count += int(_within(table[clock], 0, log.end).sum())
    return count + int(updates(log, table["cls"][_within(table["sync"], 0, log.end)]).sum())


def updates(log: Log, cls: npt.NDArray[Any]) -> I64:
    """Database updates logged for transactions of these classes."""
    count: I64 = np.array([one.log_records - ALWAYS for one in log.network.classes])[cls]
    return np.maximum(count, 0)


def _within(tick: npt.NDArray[Any], begin: int, end: int) -> npt.NDArray[np.bool_]:
    inside: npt.NDArray[np.bool_] = (tick >= begin) & (tick < end)
    return inside


# --- transactions -------------------------------------------------------------------------------


def _transactions(
    log: Log, names: Names, spread: tuple[int, int], begin: int, end: int
) -> list[Stamped]:
    """Records of one slice, five kinds, each in the order of the transaction table."""
    table = log.result.transactions
    if begin >= end or not len(table["sync"]):
        return []
    before, after = spread
    first, last = np.searchsorted(table["sync"], [begin - after, end + before])
    near = slice(int(first), int(last) + 1)
    here = {key: values[near] for key, values in table.items()}
    makers = (
        (_inputs, "gu"),
        (_updates, "sync"),
        (_commits, "sync"),
        (_outputs, "written"),
        (_dequeues, "dequeue"),
    )
    out = []
    for make, clock in makers:
        which = np.flatnonzero(_within(here[clock], begin, end))
        if make is _updates:
            which = np.repeat(which, updates(log, here["cls"][which]))
        mine = {key: values[which] for key, values in here.items()}
        rows = make(mine, which, names, log).rows
        out.append(Stamped(rows, mine[clock].astype(np.int64)))
    return out


def _spread(table: Mapping[str, npt.NDArray[Any]]) -> tuple[int, int]:
    """How long, at most, a transaction's records are before and after its sync point, ticks."""
    if not len(table["sync"]):
        return 0, 0
    before = int((table["sync"] - table["gu"]).max())
    return before, int((table["dequeue"] - table["sync"]).max())


def _tokens(mine: Mapping[str, npt.NDArray[Any]], log: Log) -> tuple[U8, U8]:
    """Recovery token (16) and unit of work (24), unique: IMS id, number, arrival."""
    number = mine["number"].astype(">u8").view(np.uint8).reshape(-1, 8)
    arrival = tod_at(mine["arrival"], log.start).astype(">u8").view(np.uint8).reshape(-1, 8)
    ims = np.broadcast_to(text(8).encode(log.host.ims_id), number.shape)
    return np.hstack([ims, number]), np.hstack([ims, arrival, number])


def _many(record: LogRecord, count: int, **columns: Any) -> Rows:
    """`count` records that differ in nothing yet."""
    return Rows(record, rows_of(record, columns), np.zeros(count, dtype=np.intp))


def _inputs(mine: Mapping[str, Any], which: I64, names: Names, log: Log) -> Rows:
    rtoken, uow = _tokens(mine, log)
    rows = _many(INPUT, len(which), len=log.host.message_in)
    rows.put("rtoken", rtoken).put("routing", names.routing[mine["cls"]])
    rows.put("tran", names.tran[mine["cls"]]).put("psb", names.psb[mine["cls"]])
    rows.put("lterm", names.lterm[mine["client"]]).put("userid", names.userid[mine["client"]])
    rows.put("pst", mine["region"] + 1).put("uow", uow)
    rows.put("arrival", tod_at(mine["arrival"], log.start))
    return rows.put("gu", tod_at(mine["gu"], log.start))


def _updates(mine: Mapping[str, Any], which: I64, names: Names, log: Log) -> Rows:
    """One for each update. Address and change are stand-ins drawn from the transaction's number."""
    rtoken, _ = _tokens(mine, log)
    nth = np.arange(len(which)) - np.searchsorted(which, which)
    number = mine["number"].astype(np.uint64)
    mixed = number * np.uint64(0x9E3779B97F4A7C15) + nth.astype(np.uint64)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    rba = (mixed >> np.uint64(33)) % np.uint64(AREA_CIS) * np.uint64(CI)
    rows = _many(UPDATE, len(which), ci_size=CI, len=UPDATE_BYTES)
    rows.put("rtoken", rtoken).put("area", names.area[mine["area"]])
    return rows.put("rba", rba).put("data", mixed.astype(">u8").view(np.uint8).reshape(-1, 8))


def _commits(mine: Mapping[str, Any], which: I64, names: Names, log: Log) -> Rows:
    rtoken, uow = _tokens(mine, log)
    calls = np.array([one.dedb_calls for one in log.network.classes])
    rows = _many(COMMIT, len(which), fail_code="")
    rows.put("rtoken", rtoken).put("uow", uow).put("pst", mine["region"] + 1)
    rows.put("psb", names.psb[mine["cls"]]).put("tran", names.tran[mine["cls"]])
    rows.put("routing", names.routing[mine["cls"]]).put("dedb_calls", calls[mine["cls"]])
    rows.put("ci_reads", mine["reads"]).put("ci_updates", mine["writes"])
    rows.put("nba", np.maximum(mine["reads"], mine["writes"]))
    rows.put("sync", tod_at(mine["sync"], log.start))
    return rows.put("router", tod_at(mine["written"], log.start))


def _outputs(mine: Mapping[str, Any], which: I64, names: Names, log: Log) -> Rows:
    rtoken, uow = _tokens(mine, log)
    rows = _many(OUTPUT, len(which), len=log.host.message_out)
    rows.put("rtoken", rtoken).put("uow", uow).put("lterm", names.lterm[mine["client"]])
    return rows.put("pst", mine["region"] + 1)


def _dequeues(mine: Mapping[str, Any], which: I64, names: Names, log: Log) -> Rows:
    _, uow = _tokens(mine, log)
    rows = _many(DEQUEUE, len(which))
    rows.put("uow", uow).put("lterm", names.lterm[mine["client"]])
    return rows.put("dequeue", tod_at(mine["dequeue"], log.start))
