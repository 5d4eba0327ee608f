"""Buffers of full-function databases in the statistics sets: 4504 OSAM, 4508 VSAM.

Reads and writes are those of the data sets (42.6). Which copy of a database a call goes to is not
simulated: calls are shared out as the I/Os are. A call locates a block, or inserts; what no read
was needed for was found in the pool (assumptions). How many buffers there are is one, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from imsperf.synthetic.accounts.database_files import KINDS, DatabaseFiles
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.db_calls import calls_of_codes
from imsperf.synthetic.log.statistics_sets import RECORDS, Sets, parts_of, table_records

BLOCK, BUFFERS = 4096, 20_000
OSAM, VSAM = range(2)


def buffer_sets(sets: Sets) -> Iterator[U8]:
    """4504 and 4508 of all sets, as far as there are such data sets."""
    network, host = sets.network, sets.host
    if not host.database_files or not network.of_classes("db_calls").any():
        return
    reads, writes, there = _ios(sets)
    made = calls_of_codes(network, host).of_classes(network)
    done = sets.total("completed")
    ios = np.maximum.accumulate((reads + writes).astype(np.float64), axis=0)

    def of(each: I64) -> I64:
        """Calls so far, by access method."""
        return parts_of(done @ each, ios)

    calls, inserts, others = of(made.in_all), of(made.isrt), of(made.dlet + made.repl)
    ended = done[:, made.changing > 0].sum(axis=1)
    same = {"buf_size": BLOCK, "buffers": BUFFERS}
    if there[OSAM]:
        columns = {
            "subpool": "OSAM",
            "locate": calls[:, [OSAM]],
            "alter": (inserts + others)[:, [OSAM]],
            "purge": ended[:, None],
            "hit": np.maximum(calls - reads, 0)[:, [OSAM]],
            "reads": reads[:, [OSAM]],
            "writes": writes[:, [OSAM]],
        }
        yield from table_records(sets, RECORDS[0x45, 0x04], same | columns, 1)
    if there[VSAM]:
        retrieved = calls - inserts
        columns = {
            "pool_id": "VSAM",
            "type": "D",
            "subpool": 1,
            "rba_retr": retrieved[:, [VSAM]],
            "esds_ins": inserts[:, [VSAM]],
            "alter": others[:, [VSAM]],
            "sync": ended[:, None],
            "get_hit": np.maximum(retrieved - reads, 0)[:, [VSAM]],
            "get_io": reads[:, [VSAM]],
            "nonuser_write": writes[:, [VSAM]],
        }
        yield from table_records(sets, RECORDS[0x45, 0x08], same | columns, 1)


def _ios(sets: Sets) -> tuple[I64, I64, list[bool]]:
    """Reads and writes so far by access method, (sets, 2), and which of the two there are."""
    result, warm = sets.result, sets.result.warm
    files = DatabaseFiles.of(sets.host, sets.network)
    both = {
        name: np.concatenate([np.asarray(warm[name])[None], getattr(result, name)])
        for name in ("completed", "io_count")
    }
    so_far = replace(result, completed=both["completed"])
    counts, reads = files.split(so_far, sets.network, both["io_count"])
    mine = np.stack([files.kind == KINDS[name] for name in ("OSAM", "VSAM")], axis=1)
    total, read = (np.cumsum(values @ mine.astype(np.int64), axis=0) for values in (counts, reads))
    written: I64 = total - read
    return read, written, (mine.sum(axis=0) > 0).tolist()
