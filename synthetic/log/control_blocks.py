"""A10C: who got an AWE by which path; of scenarios that say how their AWE pool behaves.

The XCF input exit of OTMA takes an AWE for each message; the logger, for each of its writes, one of
those it keeps. How long the pool lasts and how often messages take z/OS storage instead is the
balance of `awe_balance` at the rate that each interval had; when its queue is empty is drawn. The
simulation itself is not slowed down by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from imsperf.kernels import allocating_kernel
from imsperf.synthetic.accounts.definitions import AwePool
from imsperf.synthetic.accounts.integer_split import running_units
from imsperf.synthetic.arrays import F64, I64, U8
from imsperf.synthetic.log.statistics_sets import RECORDS, Sets, table_records
from imsperf.synthetic.solver.devices import awe_balance
from imsperf.synthetic.units import TICKS_PER_US

NEVER = 1e18  # ticks of a good time without end
DIGITS = 3  # to which rates are rounded before their balance is looked for
SEED = 0xA10C


def block_sets(sets: Sets) -> Iterator[U8]:
    """A10C of all sets, behind the statistics set; none without messages or without a pool."""
    pool = sets.host.ims.awe
    if pool is None or not sets.network.xcf.is_gate:
        return
    arrivals = np.diff(sets.total("arrivals"), prepend=0)
    length = np.diff(sets.tick, prepend=-int(sets.result.warm["ticks"]))
    sets_of = shortages(pool, arrivals, length, sets.result.seed)
    callers = _callers(pool, sets, sets_of)
    head = {
        "block": "AWE",
        "blocks": pool.blocks,
        "state": np.where(sets_of["empty"] > 0, "S", "N"),
        "shortages": np.cumsum(sets_of["begun"]),
        "short_us": running_units(sets_of["ticks"], TICKS_PER_US),
        "expansions": np.cumsum(sets_of["expansions"]),
    }
    yield from table_records(sets, RECORDS[0xA1, 0x0C], callers, len(callers["caller"]), head)


def _callers(pool: AwePool, sets: Sets, callers: dict[str, I64]) -> dict[str, Any]:
    came, logged = sets.total("arrivals"), sets.total("awe")
    storage, expansions = np.cumsum(callers["storage"]), np.cumsum(callers["expansions"])
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


def shortages(pool: AwePool, arrivals: I64, length: I64, seed: int) -> dict[str, I64]:
    """Empty queues of the pool in n intervals with so many arrivals, `length` ticks each.

    begun, ticks: shortages and their time; storage: messages that took z/OS storage; expansions,
    the first get by a task after it ends one; empty: 1 where the interval ends in one. Nobody
    expands a pool whose shortage nobody met. An interval depends on those before it alone.
    """
    good = good_times(pool, arrivals / np.maximum(length / TICKS_PER_US, 1.0))
    begun, ended, ticks, empty = _walk(
        length, good * TICKS_PER_US, pool.short_us * TICKS_PER_US, seed ^ SEED
    )
    draws = np.random.default_rng([seed, SEED])
    chance = ticks / np.maximum(length, 1) * pool.storage_share
    storage = draws.binomial(arrivals, np.clip(chance, 0.0, 1.0)).astype(np.int64)
    expansions = np.minimum(ended, storage) if pool.by_free else ended
    return {
        "begun": begun,
        "ticks": ticks,
        "storage": storage,
        "expansions": expansions,
        "empty": empty,
    }


def good_times(pool: AwePool, rate: F64) -> F64:
    """Mean time until the queue is empty, us, at rates per us; the same for rates nearly equal."""
    digits = DIGITS - 1 - np.floor(np.log10(np.maximum(rate, 1e-12)))
    rounded = np.rint(rate * 10.0**digits) / 10.0**digits
    kinds, which = np.unique(rounded, return_inverse=True)
    good = [
        awe_balance(kind, pool.hold_us, pool.blocks, pool.short_us)[0] for kind in kinds.tolist()
    ]
    times: F64 = np.minimum(np.array(good), NEVER / TICKS_PER_US)[which]
    return times


@allocating_kernel
def _walk(length: I64, good: F64, short: float, seed: int) -> tuple[I64, I64, I64, I64]:
    """Alternate stays, exponential, cut at the ends of the intervals: without memory."""
    np.random.seed(seed & 0x7FFFFFFF)
    count = len(length)
    begun, ended = np.zeros(count, np.int64), np.zeros(count, np.int64)
    ticks, empty = np.zeros(count, np.int64), np.zeros(count, np.int64)
    is_short = False
    for n in range(count):
        now, spent = 0.0, 0.0
        while True:
            stay = np.random.exponential(short if is_short else good[n])
            left = length[n] - now
            if is_short:
                spent += min(stay, left)
            if stay >= left:
                break
            now += stay
            if is_short:
                ended[n] += 1
            else:
                begun[n] += 1
            is_short = not is_short
        ticks[n], empty[n] = int(spent), int(is_short)
    return begun, ended, ticks, empty
