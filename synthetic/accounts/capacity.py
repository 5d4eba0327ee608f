"""Capacity of a partition as WLM sees it (70.1): what it used in four hours, what it may use."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.record_groups import Interval

I64 = npt.NDArray[np.int64]

WINDOW_US = 4 * 3600 * 1_000_000


def used_msu(effective: I64, host: Host, interval: Interval) -> npt.NDArray[np.float64]:
    """MSU an hour in each interval, (n,). `effective`: us of each CP, (n, cps)."""
    used: npt.NDArray[np.float64] = effective.sum(axis=1) * host.msu_per_cp / interval.length_us
    return used


def average_msu(used: npt.NDArray[np.float64], interval: Interval) -> I64:
    """The same of the four hours that end with each interval.

    Before the run the partition was as busy as in the first interval (assumed).
    """
    edges = np.concatenate([[0], np.cumsum(interval.length_us)]).astype(np.float64)
    total = np.concatenate([[0.0], np.cumsum(used * interval.length_us)])
    begin = edges[1:] - WINDOW_US
    before = np.where(begin < 0, begin * used[0], np.interp(begin, edges, total))
    average: I64 = np.rint((total[1:] - before) / WINDOW_US).astype(np.int64)
    return average


def defined_msu(used: npt.NDArray[np.float64], capped: I64 | None) -> I64:
    """Defined capacity, (n,), 0: none. `capped`: samples in which WLM capped the partition.

    It is set for the intervals in which it caps, to what the partition then uses.
    """
    if capped is None:
        return np.zeros(len(used), dtype=np.int64)
    limit: I64 = np.where(capped > 0, np.maximum(np.rint(used), 1), 0).astype(np.int64)
    return limit
