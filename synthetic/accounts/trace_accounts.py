"""Writes of external table traces to DFSTRA01 and DFSTRA02, where they go to disk (trace.target).

A transaction leaves the entries that network.traces counts. A record has 120 entries of one table;
a write is a block of five records. The two data sets are used in turn, each for as many blocks as
it has. How large blocks and data sets are is an assumption, and that the volume has an alias for
every write: nothing queues.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import shared
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.network.traces import ENTRY, PER_BLOCK, REST, entries_of
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.units import TICKS_PER_US

NAMES = ("DFSTRA01", "DFSTRA02")
RECORDS = 5  # of a block
BLOCK = RECORDS * (PER_BLOCK * ENTRY + REST)


def has_data_sets(network: Network) -> bool:
    """Traces are written to disk."""
    return bool(network.traces) and network.trace_target == "dasd"


def trace_writes(result: SimResult, network: Network, host: Host) -> I64:
    """Blocks written to each of the two, (n, 2); (n, 0) where there are none."""
    if not has_data_sets(network):
        return np.zeros((result.intervals, 0), np.int64)
    done, records = np.cumsum(result.completed, axis=0), np.zeros(result.intervals, np.int64)
    for table, each in entries_of(network).items():
        if table in network.traces:
            records += done @ each // PER_BLOCK
    if "SCHD" in network.traces:
        records += 2 * np.cumsum(result.schedules) // PER_BLOCK
    blocks, room = records // RECORDS, host.trace_blocks
    full, over = np.divmod(blocks, 2 * room)
    first = full * room + np.minimum(over, room)
    return np.diff(np.stack([first, blocks - first], axis=1), axis=0, prepend=0)


def trace_ticks(result: SimResult, network: Network, host: Host) -> dict[str, I64]:
    """Their volume, (n, 1) or (n, 0): PEND, DISC, CONN as databases have them."""
    count = trace_writes(result, network, host)
    if not count.shape[1]:
        return {"count": count}
    dasd = network.dasd
    parts = np.array([dasd.pend_us, dasd.disc_us, dasd.conn_us])
    total = count.sum(axis=1)
    time = total * round(parts.sum() * TICKS_PER_US)
    weights = np.rint(parts * 1000).astype(np.int64)
    pend, disc, conn = shared(time, weights if weights.any() else np.array([0, 0, 1])).T
    columns = {"count": total, "pend": pend, "disc": disc, "conn": conn}
    return {name: values[:, None] for name, values in columns.items()}


def trace_bytes(result: SimResult, network: Network, host: Host) -> I64:
    """Bytes written to both, (n,)."""
    written: I64 = trace_writes(result, network, host).sum(axis=1) * BLOCK
    return written
