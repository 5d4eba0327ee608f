"""Normalising constants of closed networks, for one class or several, in logarithms.

G(n) of a network is built station by station. With H_q the part of G that has q customers at the
station, H_q(n) = sum over classes r of D_r / speed(q) x H_{q-1}(n - e_r): no list of a station's
states is needed, only sums of positive terms, so nothing is lost near saturation (the recursion of
mean value analysis with p(0) by subtraction loses up to 31 % there).

Sources: J. P. Buzen, Communications of the ACM 16 (1973), pages 527-531; M. Reiser, H. Kobayashi,
IBM Journal of Research and Development 19 (1975), pages 283-294 (several classes). The tail of a
station, all H_q beyond its last speed, is one recursion over the populations.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from imsperf.synthetic.solver.result import Station

Floats = NDArray[np.float64]
MANY = 24  # speeds of a station; with more, states are summed one by one


def delay_constants(populations: Sequence[int], delays: Sequence[float]) -> Floats:
    """log G of a delay alone, shape [N_1 + 1, N_2 + 1 ...]; delays per class, 0 allowed."""
    shape = tuple(n + 1 for n in populations)
    total = np.zeros(shape)
    for axis, (size, delay) in enumerate(zip(shape, delays, strict=True)):
        n = np.arange(size)
        part = np.where(n > 0, -np.inf, 0.0)
        if delay > 0:
            part = n * math.log(delay) - gammaln(n + 1)
        total = total + part.reshape([size if a == axis else 1 for a in range(len(shape))])
    return total


def with_station(log_g: Floats, station: Station) -> Floats:
    """log G of a network with one more station that is no delay."""
    if log_g.ndim == 1 and len(station.capacity) > MANY:
        return _direct(log_g, _states(station, len(log_g)))
    logs, speeds = _logs(station), station.capacity
    level, total = log_g, log_g
    for q in range(1, len(speeds)):
        level = _one_more(level, logs) - math.log(speeds[q - 1])
        total = np.logaddexp(total, level)
    last = math.log(speeds[-1])
    return np.asarray(np.logaddexp(total, _tail(_one_more(level, logs) - last, logs, last)))


def stretch(log_g: Floats, without: Floats, station: Station) -> Floats:
    """Residence / demand of an arrival that finds population n, same shape as log G.

    `without` is log G of the network without the station. R_r(N) = D_r x stretch(N - e_r).
    """
    numerator = _seen(without, station)
    with np.errstate(invalid="ignore"):  # -inf - -inf: a population that cannot be
        return np.asarray(np.exp(numerator - log_g))


def _speeds(station: Station, size: int) -> Floats:
    """Speed with 1, 2 ... size there."""
    speeds = np.asarray(station.capacity)
    return np.asarray(speeds[np.minimum(np.arange(size), len(speeds) - 1)])


def _states(station: Station, size: int) -> Floats:
    """log of D^q / (speed(1) ... speed(q)) for q = 0 ... size - 1, one class."""
    steps = _logs(station)[0] - np.log(_speeds(station, size - 1))
    return np.concatenate(([0.0], np.cumsum(steps)))


def _direct(log_g: Floats, states: Floats) -> Floats:
    """log of the convolution of one class: sum over q of state q x G(n - q)."""
    if np.isneginf(log_g[1:]).all():  # nothing else there
        return np.asarray(states + log_g[0])
    n = np.arange(len(log_g))
    left = n[:, None] - n
    terms = np.where(left >= 0, states + log_g[left], -np.inf)
    top = terms.max(axis=1)
    return np.asarray(top + np.log(np.exp(terms - top[:, None]).sum(axis=1)))


def _logs(station: Station) -> list[float]:
    return [math.log(d) if d > 0 else -math.inf for d in station.demands]


def _seen(log_g: Floats, station: Station) -> Floats:
    """log of the sum over q of H_q x (q + 1) / speed(q + 1)."""
    if log_g.ndim == 1 and len(station.capacity) > MANY:
        n = np.arange(len(log_g))
        more = np.log(n + 1.0) - np.log(_speeds(station, len(log_g)))
        return _direct(log_g, _states(station, len(log_g)) + more)
    logs, speeds = _logs(station), station.capacity
    level, waits = log_g, log_g - math.log(speeds[0])
    last = math.log(speeds[-1])
    for q in range(1, len(speeds)):
        level = _one_more(level, logs) - math.log(speeds[q - 1])
        waits = np.logaddexp(waits, level + math.log((q + 1) / speeds[q]))
    tail = _tail(_one_more(level, logs) - last, logs, last)  # all q beyond follow from the first
    slope = _tail(tail, logs, last)
    more = math.log(len(speeds)) - last
    return np.asarray(np.logaddexp(waits, np.logaddexp(tail + more, slope - last)))


def _one_more(level: Floats, logs: Sequence[float]) -> Floats:
    """sum over r of D_r x level(n - e_r)."""
    found = np.full(level.shape, -np.inf)
    for axis, log_demand in enumerate(logs):
        if log_demand > -math.inf:
            to, at = [slice(None)] * level.ndim, [slice(None)] * level.ndim
            to[axis], at[axis] = slice(1, None), slice(None, -1)
            shifted = level[tuple(at)] + log_demand
            found[tuple(to)] = np.logaddexp(found[tuple(to)], shifted)
    return found


def _tail(start: Floats, logs: Sequence[float], log_speed: float) -> Floats:
    """T(n) = start(n) + sum over r of D_r / speed x T(n - e_r), along the last axis at once."""
    steps = [log_demand - log_speed for log_demand in logs]
    found = start.copy()
    for place in itertools.product(*(range(size) for size in start.shape[:-1])):
        row = found[place]
        for axis, n in enumerate(place):
            if n > 0 and steps[axis] > -math.inf:
                before = (*place[:axis], n - 1, *place[axis + 1 :])
                row = np.logaddexp(row, found[before] + steps[axis])
        found[place] = _running(row, steps[-1])
    return found


def _running(row: Floats, step: float) -> Floats:
    """T(n) = row(n) + e^step T(n - 1), in logarithms."""
    if step == -math.inf:
        return row
    rise = np.arange(len(row)) * step
    return np.asarray(np.logaddexp.accumulate(row - rise) + rise)
