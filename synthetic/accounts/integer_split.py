"""Exact whole-number arithmetic: totals cut into parts, running totals cut into units.

Sums over a run would pass 2^63 if they were formed in ticks (1/4096 us): 71 things that are busy
all the time reach it in a year, the frames of a hundred address spaces in one interval. So no
product and no total in ticks is formed: what each interval leaves over is carried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.synthetic.arrays import F64, I64

WHOLE = 1 << 30  # what weights add up to


def running_units(amount: I64, unit: Any, times: Any = 1) -> I64:
    """Whole units in the running totals of amount x times along the first axis, (n, ...).

    `times` and `unit`: whole numbers or arrays that broadcast to `amount`, unit > 0. Exact while
    the totals in units and amount x unit are below 2^63, however large amount x times is.
    """
    whole_units, rest = np.divmod(times, unit)
    more, over = np.divmod(amount * rest, unit)
    carried = np.cumsum(over, axis=0) // unit
    return np.asarray(np.cumsum(amount * whole_units + more, axis=0) + carried)


def in_units(amount: I64, unit: Any, times: Any = 1) -> I64:
    """What each interval adds to the running units: error diffusion along the first axis.

    The running total is cut, never the interval: any run of intervals is within one unit.
    """
    total = running_units(amount, unit, times)
    return np.diff(total, axis=0, prepend=np.zeros_like(total[:1]))


def part_of(amount: I64, part: I64, whole: I64) -> I64:
    """amount x part // whole, exact while part x whole is below 2^63; part is at most whole."""
    times, rest = np.divmod(amount, whole)
    return np.asarray(times * part + rest * part // whole)


def as_weights(parts: F64) -> I64:
    """Parts as whole numbers that `shared` takes: about 2^30 together."""
    weights: I64 = np.rint(parts * (WHOLE / parts.sum())).astype(np.int64)
    return weights


def shared(total: I64, weight: I64) -> I64:
    """Whole numbers (n, k) that add up to `total` (n,), in proportion to weights (k,) or (n, k).

    Weights add up to less than 2^31: then no product passes 2^62. All 0: the last one has all.
    """
    edges = np.cumsum(np.broadcast_to(weight, (len(total), np.shape(weight)[-1])), axis=1)
    whole = np.maximum(edges[:, -1:], 1)
    part = part_of(total[:, None], edges, whole)
    part[:, -1] = total
    return np.diff(part, axis=1, prepend=0)
