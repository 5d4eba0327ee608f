"""External table traces: entries of a transaction, and their bytes where they go to the log.

A block of the log (67FA) has 120 entries of one table.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.network.network import Network, TransactionClass

PER_BLOCK, ENTRY, REST = 120, 32, 48  # entries of a block; bytes of one, of what else a block has
EACH = ENTRY + REST / PER_BLOCK


def entries_of(network: Network) -> dict[str, I64]:
    """Entries of a transaction of each class by table; SCHD has two for each schedule beside."""
    one = np.ones(len(network.classes), np.int64)
    codes = {record.code for record in network.logged}
    changing = np.array([_changing(network, place) for place in range(len(one))], np.int64)
    return {
        "DISP": 2 * one,
        "DLI": np.rint(network.of_classes("db_calls") + network.of_classes("dedb_calls")).astype(
            np.int64
        ),
        "DLOG": one,
        "FPTT": one * ("5937" in codes),
        "LATC": 2 * one,
        "LOCK": 2 * changing,
        "QMGR": 4 * one * ("01" in codes),
        "STRG": 2 * one,
    }


def _changing(network: Network, place: int) -> int:
    """Calls of a transaction that change a segment; each has a get with hold before it."""
    work_class: TransactionClass = network.classes[place]
    if not work_class.db_calls:
        return 0
    logged = sum(record.counts[place] for record in network.logged if record.code == "5050")
    programs = [(one.calls, one.changes) for one in work_class.programs]
    each = programs or [(work_class.db_calls, logged)]
    return sum(min(changes, calls // 2) for calls, changes in each)


def logged_bytes(network: Network) -> F64:
    """Bytes of trace blocks in the log for a transaction of each class, mean."""
    total = np.zeros(len(network.classes))
    if network.trace_target == "olds":
        for table, entries in entries_of(network).items():
            total += entries * (EACH * (table in network.traces))
    return total


def logged_bytes_of_schedule(network: Network) -> float:
    """The same for a schedule."""
    return 2 * EACH * (network.trace_target == "olds" and "SCHD" in network.traces)
