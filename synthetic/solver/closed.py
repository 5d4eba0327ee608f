"""A closed network of one class, exact: every population up to N at once.

Laws: U = X D / m, Little's law at each station, R = N / X - Z (model.md 3.1). Source of the method:
Buzen 1973, see below; residence by the arrival theorem (Lazowska et al. page 114).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver.result import Station


@dataclass(frozen=True)
class Curve:
    """The balance for 0..N customers. Arrays over the population; [station, population] for two."""

    rate: F64  # [N + 1]
    utilisation: F64  # [K, N + 1]
    queue: F64  # [K, N + 1]


def closed_curve(population: int, think: float, stations: Sequence[Station]) -> Curve:
    """The balance of 0 to `population` customers who think `think` between transactions."""
    log_g = _constants(population, think, stations)
    rate = np.concatenate(([0.0], np.exp(log_g[:-1] - log_g[1:])))
    shape = (len(stations), population + 1)
    use, residence = np.zeros(shape), np.zeros(shape)
    rest = _rest(think, stations)
    for k, station in enumerate(stations):
        demand = station.demand
        residence[k] = demand
        if not station.is_delay:
            use[k] = rate * demand / station.limit
        if not station.is_delay and demand > 0 and k != rest:
            others = [station for place, station in enumerate(stations) if place != k]
            without = _constants(population, think, others)
            residence[k, 1:] = demand * stretch(log_g, without, station)[:-1]
    if rest >= 0:  # who is nowhere else
        inside = np.arange(population + 1) - rate * (residence.sum(axis=0) - residence[rest])
        residence[rest, 1:] = inside[1:] / rate[1:]
    return Curve(rate, use, rate * residence)


def _rest(think: float, stations: Sequence[Station]) -> int:
    """The station with the most speeds, where no customer is ever away; -1: none."""
    busy = [k for k, station in enumerate(stations) if station.demand > 0]
    if think > 0 or any(stations[k].is_delay for k in busy):
        return -1
    return max(busy, key=lambda k: len(stations[k].capacity))


def _constants(population: int, think: float, stations: Sequence[Station]) -> F64:
    delays = think + sum(s.demand for s in stations if s.is_delay)
    log_g = delay_constants(population, delays)
    for station in sorted(stations, key=lambda one: -len(one.capacity)):
        if not station.is_delay and station.demand > 0:
            log_g = with_station(log_g, station)
    return log_g


# --- normalising constants ------------------------------------------------------------------------
#
# Normalising constants of closed networks of one class, in logarithms.
#
# G(n) of a network is built station by station. With H_q the part of G that has q customers at the
# station, H_q(n) = D / speed(q) x H_{q-1}(n - 1): only sums of positive terms, so nothing is lost
# near saturation (the recursion of mean value analysis with p(0) by subtraction loses up to 31 %
# there).
#
# Source: J. P. Buzen, Communications of the ACM 16 (1973), pages 527-531. The tail of a station,
# all H_q beyond its last speed, is one recursion over the population.


def delay_constants(population: int, delay: float) -> F64:
    """log G of a delay alone, shape [population + 1]; a delay of 0 is allowed."""
    n = np.arange(population + 1)
    if delay > 0:
        return np.asarray(n * math.log(delay) - gammaln(n + 1))
    return np.where(n > 0, -np.inf, 0.0)


def with_station(log_g: F64, station: Station) -> F64:
    """log G of a network with one more station that is no delay and has a demand."""
    log_demand, speeds = math.log(station.demand), station.capacity
    level, total = log_g, log_g
    for q in range(1, len(speeds)):
        level = _one_more(level, log_demand) - math.log(speeds[q - 1])
        total = np.logaddexp(total, level)
    step = log_demand - math.log(speeds[-1])
    return np.asarray(np.logaddexp(total, _tail(_one_more(level, step), step)))


def stretch(log_g: F64, without: F64, station: Station) -> F64:
    """Residence / demand of an arrival that finds population n, same shape as log G.

    `without` is log G of the network without the station. R(N) = D x stretch(N - 1).
    """
    numerator = _seen(without, station)
    with np.errstate(invalid="ignore"):  # -inf - -inf: a population that cannot be
        return np.asarray(np.exp(numerator - log_g))


def _seen(log_g: F64, station: Station) -> F64:
    """log of the sum over q of H_q x (q + 1) / speed(q + 1)."""
    log_demand, speeds = math.log(station.demand), station.capacity
    level, waits = log_g, log_g - math.log(speeds[0])
    last = math.log(speeds[-1])
    for q in range(1, len(speeds)):
        level = _one_more(level, log_demand) - math.log(speeds[q - 1])
        waits = np.logaddexp(waits, level + math.log((q + 1) / speeds[q]))
    step = log_demand - last
    tail = _tail(_one_more(level, step), step)  # all q beyond follow from the first
    slope = _tail(tail, step)
    more = math.log(len(speeds)) - last
    return np.asarray(np.logaddexp(waits, np.logaddexp(tail + more, slope - last)))


def _one_more(level: F64, log_factor: float) -> F64:
    """e^log_factor x level(n - 1)."""
    return np.concatenate(([-np.inf], level[:-1] + log_factor))


def _tail(start: F64, step: float) -> F64:
    """T(n) = start(n) + e^step T(n - 1), in logarithms."""
    rise = np.arange(len(start)) * step
    return np.asarray(np.logaddexp.accumulate(start - rise) + rise)
