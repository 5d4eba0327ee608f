"""Checkpoints of the IMS log with their statistics sets.

One at the start of the run, at each interval boundary and at the end, in the order 4001, 47, 4500,
4506, 4507, 450A, 450E (one for each pool), storage, 45FF, 4098. Counters are sums since IMS start,
warm-up included, over all transactions, whatever share of them the log holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.kinds import to_tod
from imsperf.layouts import (
    ims_40_47,
    ims_45,
    ims_45_buffers,
    ims_45_fast_path,
    ims_45_otma,
    ims_45_storage,
    ims_45_system,
    ims_a1,
    ims_a1_blocks,
)
from imsperf.record import LogRecord
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import running_units
from imsperf.synthetic.accounts.regions import (
    job_names,
    program_classes,
    program_names,
    programs_kept,
    region_classes,
    region_types,
)
from imsperf.synthetic.arrays import I64, U8, U64, Bools, Values
from imsperf.synthetic.log.log_records import (
    LARGEST_TABLE,
    Stamped,
    entry_rows,
    rows_of,
    tod_at,
    with_offset,
)
from imsperf.synthetic.network.network import Network, PoolSize
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.units import TICKS_PER_US

RECORDS = {
    (record.code, record.subcode): record
    for module in (
        *(ims_45, ims_45_system, ims_45_otma, ims_45_storage, ims_45_fast_path),
        ims_45_buffers,
        *(ims_40_47, ims_a1, ims_a1_blocks),
    )
    for record in module.RECORDS
}


SERIALS = {"lubt": "LUBT", "cbts": "CBTS", "local_lock": "LOCL"}  # LOCL: that of z/OS


@dataclass(frozen=True)
class Sets:
    """What all records of the sets share; n + 1 sets for n intervals."""

    result: SimResult
    host: Host
    network: Network
    ims_start: int  # TOD
    start: int  # TOD of tick 0
    traced: I64 | int = 0  # blocks of trace tables before each set
    traced_bytes: I64 | int = 0

    @property
    def tick(self) -> I64:
        """When each set is taken."""
        return interval_ends(self.result.seconds, self.result.every_s)

    @property
    def tod(self) -> U64:
        """The same as TOD."""
        return tod_at(self.tick, self.start)

    def total(self, *names: str, unit: int = 1) -> I64:
        """Sum of counters since IMS start at each set; ticks become whole field units."""
        each = [
            np.concatenate([np.asarray(self.result.warm[name])[None], getattr(self.result, name)])
            for name in names
        ]
        return running_units(np.sum(each, axis=0, dtype=np.int64), unit)

    def lately(self, name: str) -> Values:
        """A level of the interval before each set; of the warm-up for the first."""
        each = np.asarray(getattr(self.result, name))
        return np.concatenate([np.asarray(self.result.warm[name])[None], each])

    def common(self) -> dict[str, Any]:
        """The fields every 45xx record begins with."""
        return {
            "ckpt_no": np.arange(1, len(self.tick) + 1),
            "interval_start": np.full(len(self.tick), self.ims_start, dtype=np.uint64),
            "sample": self.tod,
            "imsid": self.host.ims_id,
        }


def checkpoints(sets: Sets, more: Sequence[U8] = (), behind: Sequence[U8] = ()) -> list[Stamped]:
    """All records of all checkpoints, a Stamped for each kind; a tick apart in a checkpoint.

    `more`: further records of the statistics sets; `behind`: those that follow a set.
    """
    rows = list(_in_order(sets, more, behind))
    first = sets.tick + sets.host.system_number  # no two systems at the same tick
    return [Stamped(each, first + number) for number, each in enumerate(rows)]


def _in_order(sets: Sets, more: Sequence[U8], behind: Sequence[U8]) -> Iterator[U8]:
    yield _checkpoint(sets, RECORDS[0x40, 0x01])
    yield from _regions(sets)
    yield _header(sets)
    yield _scheduling(sets)
    yield _logger(sets)
    yield from _latches(sets)
    pools = list(dict.fromkeys(shared_pool.pool for shared_pool in sets.network.pools))
    for pool in pools:
        yield from _pool(sets, pool)
    yield from more
    yield _last(sets, 5 + len(pools) + len(more))
    yield from behind
    yield _checkpoint(sets, RECORDS[0x40, 0x98])


def table_records(
    sets: Sets,
    record: LogRecord,
    columns: Mapping[str, Any],
    number: int,
    head: Mapping[str, Any] | None = None,
) -> Iterator[U8]:
    """A record of each set with `number` entries, several where one would be too long.

    Columns are (sets, number), (number,) or one value; `head`: further fields of the record.
    """
    assert record.entries is not None
    section, count = record.entries.section, len(sets.tick)
    block = sets.network.logger.block_bytes - 64  # a log record is never cut
    fit = (min(LARGEST_TABLE, block) - record.section.length) // section.length
    columns_of = {
        name: np.broadcast_to(values, (count, number)) for name, values in columns.items()
    }
    for first in range(0, number, fit):
        some = {name: values[:, first : first + fit] for name, values in columns_of.items()}
        entries = min(fit, number - first)
        own = {"count": entries, "entry_len": section.length}
        yield rows_of(
            record, sets.common() | own | dict(head or {}), entry_rows(section, some, count)
        )


def parts_of(total: I64, weights: Values) -> I64:
    """Whole parts of a counter that add up to it, none of which ever falls: (sets, parts).

    `total`: since IMS start, (sets,). `weights`: counters, (sets, parts), which say for each
    interval how the gain is divided; all to the last part where no weight grew.
    """
    gain, grown = np.diff(total, prepend=0), np.diff(weights, axis=0, prepend=0.0)
    upto = np.cumsum(grown, axis=1)
    share = upto / np.where(upto[:, -1:] > 0, upto[:, -1:], 1.0)
    share[:, -1] = 1.0
    each = np.diff(np.floor(gain[:, None] * share + 1e-6).astype(np.int64), axis=1, prepend=0)
    parts: I64 = np.cumsum(each, axis=0)
    return parts


def level_bytes(host: Host, width: int = 3) -> bytes:
    """Version, release, modification: 0D0100 for IMS 13."""
    return bytes([host.ims_level, 1, 0]).ljust(width, b"\0")


def _checkpoint(sets: Sets, record: LogRecord) -> U8:
    columns = {
        "ckpt_no": np.arange(1, len(sets.tick) + 1),
        "ckpt": sets.tod,
        "imsid": sets.host.ims_id,
        "ckpt_type": "C",  # /CHECKPOINT STATISTICS, see run_note.py
        "ckpt_stck": sets.tod,
    }
    place = record.section.named("ckpt").offset
    return with_offset(rows_of(record, columns), sets.host.offset_minutes, place)


def _regions(sets: Sets) -> Iterator[U8]:
    """Code 47: which regions are active then, and the program of each."""
    record = RECORDS[0x47, None]
    assert record.entries is not None
    section = record.entries.section
    block = sets.network.logger.block_bytes - 64  # a log record is never cut
    fit = min(LARGEST_TABLE, block) // section.length
    count, regions = len(sets.tick), sets.network.regions
    busy = sets.lately("region_busy_end")
    jobs, types = np.array(job_names(sets.network)), np.array(region_types(sets.network))
    psb, tran = (np.array([*name, ""]) for name in program_names(sets.network))
    programs, active, sched = _programs(sets), _active(sets, busy), _scheduled(sets)
    waiting = np.where((programs < 0) | bool(sets.network.sequence), "I", "W")
    for first in range(0, regions, fit):
        here = np.arange(first, min(first + fit, regions))
        columns = {
            "pst": np.tile(here + 1, (count, 1)),
            "jobname": np.tile(jobs[here], (count, 1)),
            "psb": psb[programs[:, here]],
            "tran": tran[programs[:, here]],
            "region_type": np.tile(types[here], (count, 1)),
            "state": np.where(active[:, here], "A", waiting[:, here]),
            "sched": sched[:, here],
        }
        head = {
            "ckpt_no": np.arange(1, count + 1),
            "count": np.where(busy > 0, 1, 0) if sets.network.sequence else len(here),
            "entry_len": section.length,
        }
        yield rows_of(record, head, entry_rows(section, columns, count))


def _programs(sets: Sets) -> I64:
    """The class whose program each region has, (sets, regions); -1: it has none yet."""
    fixed = region_classes(sets.network)
    if not sets.result.region_program.shape[1]:
        return np.tile(fixed, (len(sets.tick), 1))
    programs = np.asarray(sets.lately("region_program"), np.int64)
    return np.where((programs < 0) & ~programs_kept(sets.network), fixed, programs)


def regions_of_classes(sets: Sets) -> I64:
    """Regions that have the program of each class, (sets, classes)."""
    programs = np.array(program_classes(sets.network))
    counts: I64 = (_programs(sets)[:, :, None] == programs).sum(axis=1)
    return counts


def _active(sets: Sets, busy: I64) -> Bools:
    """Regions that have a message, (sets, regions); where that is not kept the lowest are."""
    if not sets.result.region_active.shape[1]:
        return np.arange(sets.network.regions) < busy[:, None]
    return np.asarray(sets.lately("region_active"), bool)


def _scheduled(sets: Sets) -> U64:
    """When the programs of the regions were scheduled, (sets, regions): with IMS where they wait
    for messages as long as they run, or where that is not kept; a batch program when it began."""
    shape = len(sets.tick), sets.network.regions
    scheduled = np.full(shape, sets.ims_start, dtype=np.uint64)
    if sets.network.sequence is not None and len(sets.result.programs.get("start", ())):
        start = np.sort(np.asarray(sets.result.programs["start"], np.int64))
        last = np.searchsorted(start, sets.tick, side="right") - 1
        began = tod_at(start[np.maximum(last, 0)], sets.start)
        return np.where(last >= 0, began, scheduled[:, 0])[:, None]
    if not sets.result.region_program.shape[1]:
        return scheduled
    known = np.asarray(sets.lately("region_program")) >= 0
    scheduled = np.where(programs_kept(sets.network), np.uint64(0), scheduled)
    return np.where(known, tod_at(sets.lately("region_since"), sets.start), scheduled)


def _header(sets: Sets) -> U8:
    level = level_bytes(sets.host, 4)
    columns = sets.common() | {
        "ims_level": [level] * len(sets.tick),
        "smfid": sets.host.smf_id,
        "sysplex": sets.host.sysplex,
        "ims_start": np.full(len(sets.tick), sets.ims_start, dtype=np.uint64),
        "trans_total": 0 if sets.network.sequence else sets.total("completed").sum(axis=1),
        "local_offset_q": sets.host.offset_minutes // 15,
        "st4500_in_level": [level] * len(sets.tick),
    }
    return rows_of(RECORDS[0x45, 0x00], columns)


def _scheduling(sets: Sets) -> U8:
    """4506: a message that needs no schedule, of a program that does not wait, is quick."""
    may = (sets.network.schedule_chances > 0) & (not sets.host.ims.wait_for_input)
    schedules = sets.total("schedules")
    begun = sets.total("completed")[:, may].sum(axis=1)
    columns = sets.common() | {
        "schedules": schedules,
        "quick_resched": np.maximum.accumulate(np.maximum(begun - schedules, 0)),
    }
    return rows_of(RECORDS[0x45, 0x06], columns)


def _logger(sets: Sets) -> U8:
    logger = sets.network.logger
    schedules, ended = sets.total("schedules"), sets.total("programs_ended")
    begun = int(sets.result.warm["olds_blocks"])
    columns = sets.common() | {
        "records_written": sets.total("records")
        + schedules
        + ended * (1 + (logger.thread_end_bytes > 0))
        + sets.traced,
        "bytes_written": sets.total("bytes")
        + schedules * logger.schedule_bytes
        + ended * (logger.end_bytes + logger.thread_end_bytes)
        + sets.traced_bytes,
        "check_write": sets.total("check_writes"),
        "wait_writes": sets.total("wait_writes"),
        "bufwait_nonckpt": 0 if sets.result.buffer_waits is None else sets.total("buffer_waits"),
        "awe_submitted": sets.total("awe"),
        "wads_excpvr": sets.total("wads_writes"),
        "wads_4k": sets.total("wads_cis"),
        "olds_writes": sets.total("olds_blocks"),
        # the one that began the run, and full data sets; the last comes after the last set
        "olds_switches": 1 + (sets.total("olds_blocks") - begun) // logger.olds_capacity,
        "wads_us": sets.total("wads_ticks", unit=TICKS_PER_US),
        "olds_us": sets.total("olds_ticks", unit=TICKS_PER_US),
        "buffers": logger.buffers,
        "buf_size": logger.block_bytes,
    }
    return rows_of(RECORDS[0x45, 0x07], columns)


def _latches(sets: Sets) -> Iterator[U8]:
    names = [SERIALS.get(name, name) for name in sets.network.latch_names]
    columns: dict[str, Any] = {
        **{name: sets.total(name) for name in ("get_shr", "get_exc", "cont_shr", "cont_exc")},
        "wait_us": sets.total("wait_ticks", unit=TICKS_PER_US),
        "maxq": np.maximum.accumulate(sets.lately("latch_maxq"), axis=0),
    }
    yield from table_records(sets, RECORDS[0x45, 0x0A], columns | {"name": names}, len(names))


def _pool(sets: Sets, pool: str) -> Iterator[U8]:
    """One 450E: its buffer sizes in ascending order, OVERSIZE last."""
    mine = [n for n, own_pool in enumerate(sets.network.pools) if own_pool.pool == pool]
    sizes = [sets.network.pools[n] for n in mine]
    entries = _buffers(sets, mine, sizes)
    head = {
        "pool": pool,
        "pool_size": pool_bytes(sizes, entries["blocks"]),
        "pool_max": pool_bytes(sizes, entries["high_blocks"]),
        "pool_max_restart": pool_bytes(sizes, entries["max_blocks"]),
    }
    return table_records(sets, RECORDS[0x45, 0x0E], entries, len(sizes), head)


def pool_bytes(sizes: list[PoolSize], blocks: I64) -> I64:
    """Bytes of a primary block and the secondary ones, (sets, sizes) -> (sets,)."""
    first = np.array([size.primary * size.buffer_bytes for size in sizes])
    other = np.array([size.secondary * size.buffer_bytes for size in sizes])
    held = np.where(blocks > 0, first + (blocks - 1) * other, 0)
    total: I64 = held.sum(axis=1)
    return total


def _buffers(sets: Sets, mine: list[int], sizes: list[PoolSize]) -> dict[str, Any]:
    length = np.concatenate([[sets.result.warm["ticks"]], np.diff(sets.tick)])[:, None]

    def total(name: str) -> I64:
        return sets.total(name)[:, mine]

    def lately(name: str) -> I64:
        return np.asarray(sets.lately(name)[:, mine], dtype=np.int64)

    def mean_in_hundredths(name: str) -> I64:
        mean: I64 = np.rint(100.0 * lately(name) / np.maximum(length, 1)).astype(np.int64)
        return mean

    begun = np.array([size.blocks_at_start for size in sizes])
    return {
        "buf_size": [size.buffer_bytes for size in sizes],
        "prim": [size.primary for size in sizes],
        "sec": [size.secondary for size in sizes],
        "init": ["Y" if size.initial else "N" for size in sizes],
        "max_bufs": lately("pool_max_since_init"),
        "max_blocks": lately("pool_blocks_max_since_init"),
        "bytes_req": total("pool_bytes"),
        "gets": total("pool_gets"),
        "blocks": lately("pool_blocks_now"),
        "bufs": lately("pool_now"),
        "expand": total("pool_expand"),
        "compress": np.maximum(total("pool_expand") + begun - lately("pool_blocks_now"), 0),
        "avg_blocks_c": mean_in_hundredths("pool_blocks_ticks"),
        "high_blocks": lately("pool_blocks_high"),
        "low_blocks": lately("pool_blocks_low"),
        "avg_bufs_c": mean_in_hundredths("pool_in_use_ticks"),
        "high_bufs": lately("pool_high"),
        "low_bufs": lately("pool_low"),
    }


def _last(sets: Sets, records: int) -> U8:
    return rows_of(RECORDS[0x45, 0xFF], sets.common() | {"records": records})


def tod_of(time: np.datetime64) -> int:
    """TOD units of a time in UTC."""
    return int(to_tod(np.array([time]))[0])
