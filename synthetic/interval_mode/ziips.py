"""Busy time of zIIPs in an interval, cut into that of each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.interval_mode.draws import topped_up, whole_parts

Floats = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]


def busy_ziips(total: I64, ticks: I64, offered: Floats, ziips: int) -> I64:
    """Busy time of each zIIP, (n, zIIPs), of `total` (n,): the lowest number that is free is taken.

    Of Poisson arrivals the k-th of them carries what the first k - 1 lose and k do not (Erlang).
    """
    lost = [np.ones(len(total))]
    for k in range(1, ziips + 1):
        lost.append(offered * lost[-1] / (k + offered * lost[-1]))
    shares = np.maximum(-np.diff(np.array(lost), axis=0).T, 1e-12)
    total = np.minimum(total, ticks * ziips)
    found = np.minimum(whole_parts(total, shares), ticks[:, None])
    return topped_up(found, total, ticks)
