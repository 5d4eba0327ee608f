"""Queueing functions for servers and populations: what a rate and a demand make of waiting.

Pure functions on numbers, no scenario and no published figure. Times in any one unit (callers use
microseconds or seconds), rates per that unit. The functions for one kind of device each are in
devices.py.

Sources: J. P. Buzen, Communications of the ACM 16 (1973), pages 527-531 (convolution);
L. Kleinrock, Queueing Systems volume 1, sections 3.5 M/M/m, 3.7 M/M/m/m and 3.8-3.10 (finite
populations).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver.result import Station

# --- closed networks of one class -----------------------------------------------------------------
#
# A closed network of one class, exact: every population up to N at once.
#
# Laws: U = X D / m, Little's law at each station, R = N / X - Z (model.md 3.1). Source of the
# method: Buzen 1973, see below; residence by the arrival theorem (Lazowska et al. page 114).


@dataclass(frozen=True)
class Curve:
    """The balance for 0..N customers. Arrays over the population; [station, population] for two."""

    rate: F64  # [N + 1]
    utilisation: F64  # [K, N + 1]
    queue: F64  # [K, N + 1]


def closed_curve(population: int, stations: Sequence[Station]) -> Curve:
    """The balance of 0 to `population` customers."""
    log_g = _constants(population, stations)
    rate = np.concatenate(([0.0], np.exp(log_g[:-1] - log_g[1:])))
    shape = (len(stations), population + 1)
    use, residence = np.zeros(shape), np.zeros(shape)
    rest = _rest(stations)
    for k, station in enumerate(stations):
        demand = station.demand
        residence[k] = demand
        if not station.is_delay:
            use[k] = rate * demand / station.limit
        if not station.is_delay and demand > 0 and k != rest:
            others = [station for place, station in enumerate(stations) if place != k]
            without = _constants(population, others)
            residence[k, 1:] = demand * stretch(log_g, without, station)[:-1]
    if rest >= 0:  # who is nowhere else
        inside = np.arange(population + 1) - rate * (residence.sum(axis=0) - residence[rest])
        residence[rest, 1:] = inside[1:] / rate[1:]
    return Curve(rate, use, rate * residence)


def _rest(stations: Sequence[Station]) -> int:
    """The station with the most speeds, where no customer is ever away; -1: none."""
    busy = [k for k, station in enumerate(stations) if station.demand > 0]
    if any(stations[k].is_delay for k in busy):
        return -1
    return max(busy, key=lambda k: len(stations[k].capacity))


def _constants(population: int, stations: Sequence[Station]) -> F64:
    delays = sum(s.demand for s in stations if s.is_delay)
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


# --- servers and populations ----------------------------------------------------------------------

IMPOSSIBLE = 45.0  # log of the most likely number over one that is left out
SPREAD = 12.0  # standard deviations of a Poisson number, beyond which it is left out


@dataclass(frozen=True)
class Population:
    """A birth-death chain's answer: the rate, the mean number inside, the chance of each number."""

    rate: float
    number: float
    chances: F64

    @property
    def response(self) -> float:
        """Time inside, by Little's law."""
        return self.number / self.rate if self.rate > 0 else 0.0


def birth_death(clients: int, think: float, rates: F64) -> Population:
    """Closed outer level: `clients` think, then are served at rates[min(inside, len - 1)].

    `rates` is the throughput with 0, 1, 2 ... inside. Kleinrock section 3.10 with any service law
    that a flow-equivalent server gives. Numbers that are next to impossible are left out at the
    end of `chances`, and 0 at its beginning.
    """
    last = len(rates) - 1
    if think <= 0:
        chances = np.zeros(clients + 1)
        chances[-1] = 1.0
        return Population(float(rates[min(clients, last)]), float(clients), chances)
    first, size = 0, min(clients, 2 * last + 64)
    away = think * float(rates[last])  # a Poisson number while more than `last` are inside
    spread = SPREAD * away**0.5 + 50
    if clients - away - spread > last:
        first, size = int(clients - away - spread), min(clients, int(clients - away + spread))
    while True:
        inside = np.arange(first, size + 1)
        served = rates[np.minimum(inside, last)]
        steps = np.log((clients - inside[1:] + 1) / (think * served[1:]))
        logs = np.concatenate(([0.0], np.cumsum(steps)))
        if size == clients or (steps[-1] < 0 and logs[-1] < logs.max() - IMPOSSIBLE):
            break
        size = min(clients, 2 * size)
    seen = np.exp(logs - logs.max())
    seen /= seen.sum()
    chances = np.zeros(size + 1)
    chances[first:] = seen
    number = float((seen * inside).sum())  # small sums: no threads of a BLAS
    return Population(float((seen * served).sum()), number, chances)


def finite_wait(clients: int, away: float, held: float, servers: int) -> float:
    """Wait for one of `servers`, `held` each time, of clients who are away in between.

    Kleinrock section 3.10; 0 where there is a server for each.
    """
    if clients <= servers:
        return 0.0
    rates = np.arange(servers + 1) / held
    return max(birth_death(clients, away, rates).response - held, 0.0)


def birth_death_open(arrivals: float, rates: F64) -> Population | None:
    """Open outer level: arrivals at a given rate. None where they exceed the last rate: no balance.

    `chances` has one entry for each number below len(rates) - 1, and one for all the rest.
    """
    last = len(rates) - 1
    load = arrivals / float(rates[last])
    if load >= 1:
        return None
    logs = np.concatenate(([0.0], np.cumsum(np.log(arrivals) - np.log(rates[1:]))))
    weights = np.exp(logs - logs.max())
    weights[last] /= 1 - load
    chances = weights / weights.sum()
    beyond = load / (1 - load)
    number = float(chances @ np.arange(last + 1)) + float(chances[last]) * beyond
    return Population(arrivals, number, chances)


def departure_dispersion(chances: F64, rates: F64) -> float:
    """Variance of the number served in a long time, as a multiple of its mean; 1 is Poisson.

    Of a birth-death chain with `chances` that serves at rates[min(inside, len - 1)]. The number
    served less the mean plus g summed up to the present number is a martingale, where
    flow_i g_i = rate P(inside <= i) - flow of the numbers below i; its jumps give the variance:
    sum of flow_i (g_i^2 + (1 - g_i)^2) / rate. Y. Nazarathy, G. Weiss, Queueing Systems 59 (2008).
    """
    inside = np.minimum(np.arange(len(chances)), len(rates) - 1)
    flow = (chances * rates[inside])[1:]  # from i to i + 1 = from i + 1 to i
    rate = flow.sum()
    seen = flow > 1e-15 * rate
    if not seen.any():
        return 1.0
    below = np.concatenate(([0.0], np.cumsum(flow)[:-1]))
    g = (rate * np.cumsum(chances)[:-1] - below)[seen] / flow[seen]
    return float(flow[seen] @ (g * g + (1 - g) ** 2) / rate)


def erlang_b(servers: int, load: float) -> float:
    """Chance that all servers are busy when nobody waits. Kleinrock section 3.7, by recursion."""
    b = 1.0
    for k in range(1, servers + 1):
        b = load * b / (k + load * b)
    return b


def poisson(states: int, mean: float) -> F64:
    """Chances that a Poisson variable is 0, 1 ... states - 1."""
    n = np.arange(states)
    if mean <= 0:
        return np.where(n == 0, 1.0, 0.0)
    return np.asarray(np.exp(n * math.log(mean) - mean - gammaln(n + 1.0)))


def erlang_c(servers: int, load: float) -> float:
    """Chance of having to wait; 1 at and beyond saturation. Kleinrock section 3.5."""
    if load >= servers:
        return 1.0
    b = erlang_b(servers, load)
    return servers * b / (servers - load * (1 - b))


def mmm_wait(rate: float, demand: float, servers: int) -> float | None:
    """Wait for one of `servers`; None where there is no balance.

    Many short visits wait as long together as one visit with their total demand.
    """
    load = rate * demand
    if load >= servers:
        return None
    return erlang_c(servers, load) * demand / (servers - load)
