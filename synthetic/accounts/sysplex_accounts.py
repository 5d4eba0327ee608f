"""What a sysplex shares, as each of its systems records it: types 74.4 and 88.

Requests to structures are those of the simulation: each system counts its own; how busy the
processors of the coupling facility are is the work of all systems. The log stream of CQS is in the
structure that the last requests of its group go to, a block for each of those requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import WHOLE, in_units, shared
from imsperf.synthetic.arrays import I64, Bools
from imsperf.synthetic.network.network import Coupling, Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.measured import quantised
from imsperf.synthetic.smf.record_groups import Group, Interval
from imsperf.synthetic.smf.type74_4 import Facility, Requests, Structure, facility_group
from imsperf.synthetic.smf.type88 import (
    LogStream,
    LogStreamUse,
    LogStructure,
    log_stream_group,
    structure_group,
)
from imsperf.synthetic.units import TICKS_PER_US

Kind = Literal["list", "lock", "cache"]
FACILITY, CF_PATHS = "CF01", (0xE0, 0xE1, 0xE2, 0xE3)  # assumed
SIZES_KB = {"list": 1 << 20, "lock": 1 << 18, "cache": 1 << 21}  # assumed
STORAGE_KB = 1 << 24  # assumed
# assumed: a lock entry has 8 bytes, one of a cache directory 200, and caches hold no data
ENTRIES = {"list": 1_000_000, "lock": 33_554_432, "cache": 10_737_418}
ELEMENT = 256  # bytes of a data element of a list; assumed
LOG_USE = "log stream"  # what the use of a structure of log streams begins with
OFFLOAD_IO = 1 << 16  # bytes of an I/O of an offload; assumed


@dataclass(frozen=True)
class CqsLog:
    """The log stream of CQS: its structure, bytes of a transaction, bytes an offload empties."""

    structure: str
    bytes: float
    offload_bytes: float


@dataclass(frozen=True)
class Sysplex:
    """The systems of a run, in their order."""

    hosts: Sequence[Host]
    networks: Sequence[Network]
    results: Sequence[SimResult]
    log: CqsLog | None


def log_of(scenario: Any) -> CqsLog | None:
    """What the scenario says of the log stream of CQS; None without one."""
    if "cf_structures" not in scenario.tables:
        return None
    rows = scenario.table("cf_structures")
    names = [row["structure"] for row in rows if row["use"].startswith(LOG_USE)]
    if not names:
        return None
    return CqsLog(names[0], scenario["cqs.log_bytes"], scenario["cqs.offload_mb"] * 2**20)


def sysplex_groups(plex: Sysplex, which: int, interval: Interval) -> list[Group]:
    """74.4 and 88 of one system; none without a coupling facility."""
    if plex.networks[which].coupling is None:
        return []
    groups = [facility_record(plex, which, interval)]
    if plex.log is not None:
        groups += log_records(plex, plex.log, which, interval)
    return groups


# --- coupling facility ---------------------------------------------------------------------------


def facility_record(plex: Sysplex, which: int, interval: Interval) -> Group:
    """74.4 of one system: its own requests, the processors as all systems keep them busy."""
    coupling, result = cast(Coupling, plex.networks[which].coupling), plex.results[which]
    held = sum(SIZES_KB[structure.kind] for structure in coupling.structures)
    each = elements_of(plex, coupling)
    entries = _entries(plex, coupling)
    busy = _served(
        np.sum([facility_result.cf_busy_ticks for facility_result in plex.results], axis=0),
        interval,
    )
    facility = Facility(
        FACILITY,
        tuple(host.system for host in plex.hosts),
        tuple(
            Structure(
                structure.name,
                cast(Kind, structure.kind),
                SIZES_KB[structure.kind],
                entries=ENTRIES[structure.kind],
                elements=ENTRIES[structure.kind] * number,
            )
            for structure, number in zip(coupling.structures, each.tolist(), strict=True)
        ),
        CF_PATHS,
        processors=coupling.processors,
        subchannels=coupling.subchannels,
        storage_kb=STORAGE_KB,
        free_kb=max(STORAGE_KB - held, 0),
    )
    use = Requests(
        sync=result.cf_sync,
        sync_time=result.cf_sync_ticks,
        sync_squares=in_units(result.cf_sync_squares, TICKS_PER_US),
        asynchronous=result.cf_async,
        async_time=result.cf_async_ticks,
        async_squares=in_units(result.cf_async_squares, TICKS_PER_US),
        queued=result.cf_queued,
        queued_time=result.cf_queued_ticks,
        queued_squares=in_units(result.cf_queued_squares, TICKS_PER_US),
        deferred=result.cf_contention,
        contention=result.cf_contention,
        false_contention=result.cf_false_contention,
        entries=entries,
        elements=entries * each,
        execution=_executed(plex, busy),
        busy=busy,
    )
    return facility_group(facility, use, plex.hosts[which], interval)


def _served(asked: I64, interval: Interval) -> I64:
    """Work done in each interval, (n, processors), of that asked for: what is left waits."""
    room = np.cumsum(interval.length_us * TICKS_PER_US)[:, None]
    left = np.minimum(np.minimum.accumulate(np.cumsum(asked, axis=0) - room, axis=0), 0)
    done: I64 = np.diff(room + left, axis=0, prepend=0)
    return done


def _executed(plex: Sysplex, busy: I64) -> I64:
    """Ticks in the facility for each structure, (n, structures): together its busy time.

    A request is as long as any other; in whole microseconds, as the records have both.
    """
    asked = np.sum([result.cf_sync + result.cf_async for result in plex.results], axis=0)
    weight = np.where(asked.sum(axis=1, keepdims=True) > 0, asked, 1)
    weight = weight // (int(weight.sum(axis=1).max()) // WHOLE + 1)
    total = np.asarray(quantised(busy, TICKS_PER_US)).sum(axis=1)
    return shared(total, weight) * TICKS_PER_US


def elements_of(plex: Sysplex, coupling: Coupling) -> I64:
    """Data elements of an entry: a block of the log stream, or the message that it logs twice."""
    block = 2 * plex.hosts[0].message_in if plex.log is None else plex.log.bytes
    is_log = _is_log(plex, coupling)
    size = np.where(is_log, block, block / 2)
    lists = [structure.kind == "list" for structure in coupling.structures]
    each: I64 = (np.ceil(size / ELEMENT) * lists).astype(np.int64)
    return each


def _entries(plex: Sysplex, coupling: Coupling) -> I64:
    """At the end, in use: a message on its queue, the locks of a transaction, blocks of the log."""
    flying = sum(result.in_flight_end for result in plex.results)
    each = [
        {"list": 1.0 * (structure.in_output > 0), "lock": structure.in_region, "cache": 0.0}[
            structure.kind
        ]
        for structure in coupling.structures
    ]
    entries: I64 = np.rint(np.outer(flying, each)).astype(np.int64)
    if plex.log is not None:
        entries[:, _is_log(plex, coupling)] = blocks_held(plex, plex.log)[:, None]
    return entries


def _is_log(plex: Sysplex, coupling: Coupling) -> Bools:
    name = None if plex.log is None else plex.log.structure
    return np.array([structure.name == name for structure in coupling.structures])


# --- log stream of CQS ----------------------------------------------------------------------------


def log_records(plex: Sysplex, log: CqsLog, which: int, interval: Interval) -> list[Group]:
    """88.1 of the log stream and 88.11 of its structure, as this system used them."""
    host = plex.hosts[which]
    writes, written = _written(plex, log, which)
    done = offloads_of(plex, log)[:, which]
    emptied = done * round(log.offload_bytes)
    block = round(log.bytes)
    use = LogStreamUse(
        writes=writes[:, None],
        shortest=block * (writes > 0)[:, None],
        longest=block * (writes > 0)[:, None],
        bytes_written=written[:, None],
        bytes_to_disk=emptied[:, None],
        disk_ios=-(-emptied // OFFLOAD_IO)[:, None],
        interim_bytes=written[:, None],
        deleted_late_bytes=emptied[:, None],
        deleted_late=(emptied // max(block, 1))[:, None],
        type_1=writes[:, None],
        offloads=done[:, None],
    )
    stream = LogStream("CQS.MSGQ.LOG", log.structure)
    structure = LogStructure(log.structure, SIZES_KB["list"], 1, block, block)
    return [
        log_stream_group([stream], use, host, interval),
        structure_group(
            [structure], written[:, None], writes[:, None], done[:, None], host, interval
        ),
    ]


def _written(plex: Sysplex, log: CqsLog, which: int) -> tuple[I64, I64]:
    """Blocks and bytes that one system wrote: a block for each request to the structure."""
    coupling, result = cast(Coupling, plex.networks[which].coupling), plex.results[which]
    mine = [structure.name == log.structure for structure in coupling.structures]
    writes: I64 = (result.cf_sync + result.cf_async)[:, mine].sum(axis=1)
    return writes, writes * round(log.bytes)


def blocks_held(plex: Sysplex, log: CqsLog) -> I64:
    """Blocks of all systems that no offload has moved, at the end; none when the run begins."""
    blocks = np.cumsum(sum(_written(plex, log, n)[0] for n in range(len(plex.hosts))))
    moved = np.cumsum(offloads_of(plex, log).sum(axis=1)) * round(log.offload_bytes)
    held: I64 = blocks - moved // max(round(log.bytes), 1)
    return held


def offloads_of(plex: Sysplex, log: CqsLog) -> I64:
    """Offloads in each interval by system, (n, systems): one each time so much was written by all.

    Which system does it is an assumption: the last one first, then in turn.
    """
    total = sum(_written(plex, log, n)[1] for n in range(len(plex.hosts)))
    number = np.cumsum(total) // round(log.offload_bytes)
    before = np.concatenate([[0], number[:-1]])
    systems = len(plex.hosts)

    def up_to(count: I64, system: int) -> I64:
        first = systems - 1 - system  # offloads before its first one
        return np.asarray(np.maximum(count - first + systems - 1, 0) // systems)

    return np.stack([up_to(number, n) - up_to(before, n) for n in range(systems)], axis=1)
