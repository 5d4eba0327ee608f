"""Mean times of I/Os as type 42 holds them: whole numbers that, times the I/Os, keep the sum.

What a mean in microseconds leaves over goes to the next interval with I/Os, at most one for each of
them. The field in 128 us is the same mean, cut: nothing is carried in it, else an interval with
means below 1 us could have 0 in one field and 128 us in the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import I64
from imsperf.synthetic.smf.measured import Amounts
from imsperf.synthetic.units import TICKS_PER_US

FINE_IN_COARSE = 128

# What follows the prefix of a field, in units of 128 us and of 1 us.
MEANS = {"conn": ("ioc", "c1u"), "pend": ("iop", "p1u"), "disc": ("iod", "d1u")}
RESPONSE = ("ior", "r1u")
PARTS_OF_PENDING = {"device_busy": "b1u", "cmr": "m1u"}
COUNTS = {"io": "ion", "reads": "rdt", "zhpf_reads": "hrd", "zhpf_writes": "hwr"}


@dataclass(frozen=True, kw_only=True)
class IoUse:
    """I/Os to d things (data sets, classes, volumes) in n intervals: counts and ticks, (n, d).

    Times are sums over the I/Os; the response is connect + pending + disconnect.
    `device_busy` and `cmr` are parts of pending.
    """

    io: I64
    conn: Amounts = 0
    pend: Amounts = 0
    disc: Amounts = 0
    device_busy: Amounts = 0
    cmr: Amounts = 0
    reads: Amounts = 0
    zhpf_reads: Amounts = 0
    zhpf_writes: Amounts = 0

    def columns(self, prefix: str) -> Mapping[str, Any]:
        """Fields by name, (n, d), without those of nothing."""
        columns: dict[str, Any] = {}
        response = self.conn + self.pend + self.disc
        sums = {fields: getattr(self, name) for name, fields in MEANS.items()}
        for (coarse, fine), total in (*sums.items(), (RESPONSE, response)):
            mean = self._mean(total)
            columns |= {prefix + coarse: mean // FINE_IN_COARSE, prefix + fine: mean}
        columns |= {
            prefix + field: self._mean(getattr(self, name))
            for name, field in PARTS_OF_PENDING.items()
        }
        columns |= {prefix + field: getattr(self, name) for name, field in COUNTS.items()}
        return {field: values for field, values in columns.items() if np.ndim(values)}

    def _mean(self, total: Amounts) -> Amounts:
        return total if isinstance(total, int) else means(total, self.io, TICKS_PER_US)


def means(total: I64, count: I64, unit: int) -> I64:
    """Means of `total` ticks over `count` things in whole units, (n, d); none: 0.

    What is left over depends on the interval before: a step for each interval, all things at once.
    """
    out = np.zeros(total.shape, dtype=np.int64)
    over = np.zeros(total.shape[1], dtype=np.int64)
    for mean, ticks, number in zip(out, total, count, strict=True):
        units = number * unit
        np.floor_divide(ticks + np.minimum(over, units), units, out=mean, where=units > 0)
        over += ticks - mean * units
    return out
