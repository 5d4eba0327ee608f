"""Storage and buffers in the statistics sets: 4505, of Fast Path 4521 and 4522.

A message has its input buffer as long as its transaction is in IMS, its output buffer for no time
(assumptions); what is in use is messages in IMS times their bytes. Pools have room for a message of
each client (assumed).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.log_records import rows_of
from imsperf.synthetic.log.statistics_sets import RECORDS, Sets, table_records

CI, SLOTS = 4096, 20  # bytes of a 64-bit buffer; buffers a region may have at once
WORK_BYTES = 1024  # of a Fast Path unit of work, of a connection to a subsystem
POOLS = {  # 001 T1, storage manager trace: where each lies
    "HIOP": "E", "CIOP": "C", "SPAP": "E", "EMHB": "E", "FPWP": "E", "CESS": "E", "LUMP": "X",
    "LUMC": "E",
}  # fmt: skip


def storage_sets(sets: Sets) -> list[U8]:
    """4505, 4521 and 4522 of all sets, as far as there is such work."""
    if sets.network.sequence is not None or sets.network.source:
        return []
    return [*_pools(sets), *_fast_path(sets)]


def _pools(sets: Sets) -> Iterator[U8]:
    """Each pool: pieces got and freed, their bytes, pieces in use now and on average."""
    network, host = sets.network, sets.host
    came, done = sets.total("arrivals"), sets.total("completed")
    left, none = done.sum(axis=1), np.zeros(len(came), np.int64)
    length = np.concatenate([[sets.result.warm["ticks"]], np.diff(sets.tick)])
    mean = np.asarray(sets.lately("in_flight_ticks")) / np.maximum(length, 1)
    talks = np.array([bool(one.conversational) for one in network.classes])
    share = (done @ talks) / np.maximum(left, 1)
    begun = np.maximum.accumulate(np.rint(came * share).astype(np.int64))
    otma = network.xcf.is_gate and not {"LUMP", "LUMC"} & {pool.pool for pool in network.pools}
    fast, external = (network.of_classes(n).any() for n in ("dedb_calls", "esaf_calls"))
    use: dict[str, tuple[int, I64, I64, Any]] = {
        "HIOP": (host.message_in, came, left, mean),
        "CIOP": (host.message_out, left, left, none),
    }
    if talks.any():
        ended = np.minimum(done @ talks, begun)
        use["SPAP"] = host.spa_bytes, begun, ended, mean * share
    if fast and "EMHB" not in {pool.pool for pool in network.pools}:
        use["EMHB"] = max(host.message_in, host.message_out), came, left, mean
    if fast:
        use["FPWP"] = WORK_BYTES, came, left, mean
    if external:
        use["CESS"] = WORK_BYTES, sets.total("awe"), sets.total("awe"), none
    if otma:
        use |= {"LUMP": (host.message_in, came, left, mean), "LUMC": (WORK_BYTES, came, came, none)}

    def of(number: int) -> I64:
        return np.stack([np.rint(row[number] * row[0]).astype(np.int64) for row in parts], axis=1)

    parts = list(use.values())
    gets, frees = (np.stack([row[n] for row in parts], axis=1) for n in (1, 2))
    size = np.array([row[0] for row in parts])
    held, average = (gets - frees) * size, of(3)
    most = np.maximum.accumulate(np.maximum(held, average), axis=0)
    room = np.maximum(max(network.clients, network.regions) * size + CI, most)
    columns = {
        "pool": list(use),
        "location": [POOLS[name] for name in use],
        "pool_size": room,
        "bytes_allocated": held,
        "max_bytes_allocated": most,
        "ave_bytes_allocated": average,
        "largest_free": room - held,
        "gets": gets,
        "frees": frees,
        "bytes_requested": gets * size,
    }
    yield from table_records(sets, RECORDS[0x45, 0x05], columns, len(use))


def _fast_path(sets: Sets) -> Iterator[U8]:
    """DEDB buffers: 64-bit ones, which IMS adds and takes away by itself; no pool of the user.

    A call to a DEDB takes a buffer until its unit of recovery ends.
    """
    network, done = sets.network, sets.total("completed")
    calls = network.of_classes("dedb_calls")
    if not calls.any():
        return
    gets = done @ calls
    busy = np.asarray(sets.lately("region_busy_end"), np.int64)
    each = gets / np.maximum(done.sum(axis=1), 1)
    used = np.rint(busy * each).astype(np.int64)
    most = np.maximum.accumulate(used)
    buffers = np.maximum(2 * most, network.regions)
    reads, writes = (
        np.rint(done @ network.of_classes(name)).astype(np.int64) for name in ("reads", "writes")
    )
    committed = done.sum(axis=1)
    yield rows_of(
        RECORDS[0x45, 0x21],
        sets.common()
        | {
            "sync_points": committed,
            "buffer_gets": gets,
            "ci_reads": reads,
            "ci_writes": writes,
            "emh_messages": committed * bool(network.logged[0].code.startswith("59")),
            "buffers": buffers,
            "buf_size": CI,
            "max_buffers_used": most,
            "buffers_fixed": used,
        },
    )
    head = {
        "pool_size": buffers * CI,
        "max_pool_size": np.maximum.accumulate(buffers * CI),
        "pool_limit": network.regions * SLOTS * CI,
        "ecsa_size": buffers * 64,
    }
    columns = {
        "subpool": 1,
        "purpose": "B",
        "buf_size": CI,
        "buffers": buffers[:, None],
        "bufs_used": used[:, None],
        "bufs_used_max": most[:, None],
        "extents": 1,
        "gets": gets[:, None],
    }
    yield from table_records(sets, RECORDS[0x45, 0x22], columns, 1, head)
