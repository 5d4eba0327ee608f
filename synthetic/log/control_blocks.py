"""A10C: who got an AWE by which path; of scenarios that say how their AWE pool behaves.

The XCF input exit of OTMA takes an AWE for each message; the logger, for each of its writes, one of
those it keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import U8
from imsperf.synthetic.log.statistics_sets import RECORDS, Sets, table_records
from imsperf.synthetic.network.network import AwePool
from imsperf.synthetic.units import TICKS_PER_US


def block_sets(sets: Sets) -> Iterator[U8]:
    """A10C of all sets, behind the statistics set; none without messages or without a pool."""
    pool = sets.network.awe
    if pool is None or not sets.network.xcf.is_gate:
        return
    callers = _callers(pool, sets)
    head = {
        "block": "AWE",
        "blocks": pool.blocks,
        "state": np.where(np.asarray(sets.lately("awe_short_end")) > 0, "S", "N"),
        "shortages": sets.total("awe_shortages"),
        "short_us": sets.total("awe_short_ticks", unit=TICKS_PER_US),
        "expansions": sets.total("awe_expansions"),
    }
    yield from table_records(sets, RECORDS[0xA1, 0x0C], callers, len(callers["caller"]), head)


def _callers(pool: AwePool, sets: Sets) -> dict[str, Any]:
    came, logged = sets.total("arrivals"), sets.total("awe")
    storage, expansions = sets.total("awe_storage"), sets.total("awe_expansions")
    none = np.zeros_like(came)
    helper = storage if pool.by_free else expansions  # who frees storage asks for each once
    columns = {
        "requests": (came, logged, helper),
        "from_queue": (came - storage, none, helper - expansions),
        "from_expansion": (none, none, expansions),
        "from_storage": (storage, none, none),
        "from_own": (none, logged, none),
        "lock_us": (np.rint(storage * pool.lock_us).astype(np.int64), none, none),
    }
    names = {"caller": ["OTMA", "LOGGER", "FREE" if pool.by_free else "OTHER"], "mode": [*"STT"]}
    return names | {name: np.stack(values, axis=1) for name, values in columns.items()}
