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
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from imsperf.synthetic.arrays import F64

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
