"""Shortages of AWEs in intervals that are not simulated.

How long the pool lasts is the balance of `awe_balance` at the rate that each interval had; when its
queue is empty is drawn. The rate of an interval does not fall for it.
"""

from __future__ import annotations

import numpy as np

from imsperf.kernels import allocating_kernel
from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.network.network import AwePool
from imsperf.synthetic.solver.devices import awe_balance
from imsperf.synthetic.units import TICKS_PER_US

NEVER = 1e18  # ticks of a good time without end
DIGITS = 3  # to which rates are rounded before their balance is looked for
SEED = 0xA10C
NAMES = {
    "begun": "awe_shortages",
    "ticks": "awe_short_ticks",
    "storage": "awe_storage",
    "expansions": "awe_expansions",
    "empty": "awe_short_end",
}


def counters(pool: AwePool | None, arrivals: I64, length: I64, seed: int) -> dict[str, I64]:
    """What SimResult has of it, (n,) each; nothing without a pool."""
    if pool is None:
        none = np.zeros_like(arrivals)
        return dict.fromkeys(NAMES.values(), none)
    found = shortages(pool, arrivals, length, seed)
    return {NAMES[name]: values for name, values in found.items()}


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
