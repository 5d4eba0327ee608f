"""A105: the IRLM of one system, its lock structure as this system uses it.

Requests to the lock structure and the contention they met are those of the simulation, which does
not tell locks that are obtained from locks that are released. Requests that met contention waited;
those whose contention was true were settled between the IRLMs. How long they waited is part of the
unexplained time of a region and not counted.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from imsperf.layouts import ims_a1
from imsperf.synthetic.records.log_records import rows_of
from imsperf.synthetic.records.smf_records import TICK
from imsperf.synthetic.records.statistics_sets import Sets
from imsperf.synthetic.records.sysplex_accounts import ENTRIES

U8 = npt.NDArray[np.uint8]

RECORD = next(one for one in ims_a1.RECORDS if one.subcode == 0x05)
GROUP = "IRLMGRP"


def lock_sets(sets: Sets) -> Iterator[U8]:
    """A105 of all sets, behind the statistics set, for each lock structure."""
    coupling = sets.network.coupling
    for n, one in enumerate(() if coupling is None else coupling.structures):
        if one.kind != "lock":
            continue
        sync, waited = sets.total("cf_sync")[:, n], sets.total("cf_contention")[:, n]
        requests = sync + sets.total("cf_async")[:, n]
        false = sets.total("cf_false_contention")[:, n]
        ticks = sets.total("cf_sync_ticks")[:, n] + sets.total("cf_async_ticks")[:, n]
        columns = {
            "irlm": f"IR{sets.host.ims_id[-2:]}",
            "irlm_group": GROUP,
            "lock_structure": one.name,
            "waits": waited,
            "false_contentions": false,
            "xes_contentions": waited,
            "irlm_contentions": waited - false,
            "cf_requests": requests,
            "cf_sync": sync,
            "cf_us": ticks // TICK,
            "lock_entries": ENTRIES["lock"],
            "subsystems": 1,
        }
        yield rows_of(RECORD, sets.common() | columns)
