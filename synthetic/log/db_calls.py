"""Kinds of DL/I calls of a transaction, in 07, 56FA, A108 and traces, from how many it has in all.

Assumption: a call replaces for each change that is logged, as far as there are calls enough; IMS
takes one only for a segment that a hold call got (status code DJ otherwise). All others get. A
replace can log several changes, as those of databases with indexes or pointers do.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.arrays import I64
from imsperf.synthetic.network.network import Network, TransactionClass


def kinds_of_calls(calls: I64, changes: I64) -> tuple[I64, I64, I64]:
    """Calls that replace, those that get and hold for them, and other get calls."""
    repl = np.minimum(changes, calls // 2)
    return repl, repl, calls - 2 * repl


def replacing(network: Network) -> I64:
    """Calls of a transaction of each class that replace segments of full-function databases."""
    logged = [database.counts for database in network.logged if database.code == "5050"]
    changes = np.array([sum(each) for each in zip(*logged, strict=True)], np.int64)
    if not logged:
        changes = np.zeros(len(network.classes), np.int64)
    pairs = [
        _of_programs(work_class, int(n))
        for work_class, n in zip(network.classes, changes, strict=True)
    ]
    return np.array([sum(min(n, calls // 2) for calls, n in each) for each in pairs], np.int64)


def _of_programs(transaction_class: TransactionClass, changes: int) -> list[tuple[int, int]]:
    """Calls and changes of each program of a transaction."""
    if transaction_class.programs and transaction_class.db_calls:
        return [(program.calls, program.changes) for program in transaction_class.programs]
    return [(transaction_class.db_calls, changes)]
