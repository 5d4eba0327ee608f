"""A105: the IRLM of one system, its lock structure as this system uses it.

Requests to the lock structure and the contention they met are those of the simulation. A lock that
is obtained is released: half of the requests are for each, but for the locks that are held, by a
program in a region half of its own on average (as if it obtained them evenly; assumed). Requests
that met contention are lock requests that waited for another member; those whose contention was
true were settled between the IRLMs. How long they waited is part of the unexplained time of a
region, and counted where a fault says it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from imsperf.layouts import ims_a1
from imsperf.synthetic.accounts.integer_split import running_units
from imsperf.synthetic.accounts.sysplex_accounts import ENTRIES
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.log_records import rows_of
from imsperf.synthetic.log.statistics_sets import Sets
from imsperf.synthetic.network.network import Structure
from imsperf.synthetic.units import TICKS_PER_US

RECORD = next(record for record in ims_a1.RECORDS if record.subcode == 0x05)
GROUP = "IRLMGRP"


def lock_sets(sets: Sets) -> Iterator[U8]:
    """A105 of all sets, behind the statistics set, for each lock structure."""
    coupling = sets.network.coupling
    for n, structure in enumerate(() if coupling is None else coupling.structures):
        if structure.kind != "lock":
            continue
        sync, waited = sets.total("cf_sync")[:, n], sets.total("cf_contention")[:, n]
        requests = sync + sets.total("cf_async")[:, n]
        false = sets.total("cf_false_contention")[:, n]
        held, locks, unlocks = _locks(sets, structure, requests)
        columns = {
            "locks": locks,
            "unlocks": unlocks,
            "global_locks": waited,
            "wait_us": _waited(sets, n),
            "locks_held": held,
            "max_locks_held": np.maximum.accumulate(held),
            "irlm": f"IR{sets.host.ims_id[-2:]}",
            "irlm_group": GROUP,
            "lock_structure": structure.name,
            "waits": waited,
            "false_contentions": false,
            "xes_contentions": waited,
            "irlm_contentions": waited - false,
            "cf_requests": requests,
            "cf_sync": sync,
            "cf_us": sets.total("cf_sync_ticks", "cf_async_ticks", unit=TICKS_PER_US)[:, n],
            "lock_entries": ENTRIES["lock"],
            "subsystems": 1,
        }
        yield rows_of(RECORD, sets.common() | columns)


def _locks(sets: Sets, structure: Structure, requests: I64) -> tuple[I64, I64, I64]:
    """Locks held at each set; locks obtained and released so far, which make up the requests."""
    each = (structure.in_region + structure.in_output) / 2  # of a transaction
    busy = np.asarray(sets.lately("region_busy_end"), dtype=np.int64)
    held = np.rint(busy * each / 2).astype(np.int64)
    locks = np.maximum.accumulate(np.maximum((requests + held + 1) // 2, held))
    unlocks = np.maximum.accumulate(locks - held)
    return locks - unlocks, locks, unlocks


def _waited(sets: Sets, number: int) -> I64 | int:
    """Wait for locks since IMS start, us; 0 where nothing says how long."""
    ticks = sets.result.cf_held_ticks
    if ticks is None:
        return 0
    return running_units(np.concatenate([[0], ticks[:, number]]), TICKS_PER_US)
