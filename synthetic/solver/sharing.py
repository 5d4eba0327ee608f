"""What one work sees of a server that others use too: a speed that depends on its own number.

`crowd` are the chances of 0, 1, 2 ... customers of the other works there, taken as independent of
the work's own number. Two works are solved better as a whole (classes.py, priority.py); this is for
regions, serial code and many works together. Errors against simulation: test_solve_agrees.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver.queueing import birth_death
from imsperf.synthetic.solver.result import Station

Floats = NDArray[np.float64]
MOST = 400  # own customers beyond which the speed is taken as constant
NOBODY = 1e-12
ALONE = np.ones(1)


def shared_speeds(capacity: tuple[float, ...], equal: Floats, above: Floats) -> tuple[float, ...]:
    """Speed with 1, 2 ... own customers, beside `equal` ones and below those `above`.

    capacity: speed with 1, 2 ... there in all. Both crowds are chances of 0, 1, 2 ...
    """
    if len(equal) == 1 and len(above) == 1:
        return capacity
    speeds = np.concatenate(([0.0], capacity))
    last = len(speeds) - 1
    most = MOST if len(equal) > 1 else last
    n = np.arange(1, most + 1)[:, None, None]
    beside = np.arange(len(equal))[:, None]
    over = np.arange(len(above))
    left = speeds[np.minimum(n + beside + over, last)] - speeds[np.minimum(over, last)]
    mean = ((left * n / (n + beside)) @ above) @ equal
    mean = np.maximum(mean, speeds[1] * 1e-9)
    grown = np.flatnonzero(mean >= mean[-1] * (1 - 1e-9))
    return tuple(float(one) for one in mean[: int(grown[0]) + 1])


def crowd_of(clients: int, rate: float, station: Station, residence: float) -> Floats:
    """Chances of 0, 1, 2 ... customers at a station they leave at `rate` after `residence`.

    Closed with `clients`; 0 are open arrivals. A birth-death chain whose mean is rate x residence
    where arrivals are those of a finite (or endless) source.
    """
    demand = station.demands[0]
    if demand == 0 or rate == 0:
        return ALONE
    served = np.concatenate(([0.0], station.capacity)) / demand
    if clients:
        away = max(clients / rate - residence, 1e-12)
        chances = birth_death(clients, away, served).chances
    else:
        steps = np.log(rate / served[np.minimum(np.arange(1, MOST), len(served) - 1)])
        logs = np.concatenate(([0.0], np.cumsum(steps)))
        chances = np.exp(logs - logs.max())
        chances /= chances.sum()
    seen = np.flatnonzero(chances > NOBODY)
    cut = np.asarray(chances[: int(seen[-1]) + 1])
    return np.asarray(cut[:MOST] / cut[:MOST].sum())


def together(crowds: list[Floats]) -> Floats:
    """Chances of the sum of independent numbers."""
    found = ALONE
    for one in crowds:
        found = np.convolve(found, one)[:MOST]
    return np.asarray(found / found.sum())
