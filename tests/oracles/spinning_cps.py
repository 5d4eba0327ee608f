"""Servers asked by CPs that spin for the answer: each CP has one request out at most.

Work comes to a host as a Poisson stream, holds a CP, and in turns works there and asks. So CPs
are a pool as regions are (pooled.py). Inside, k busy CPs are k sources who are away while they
work: a closed network with a product form whatever the law of the time away (F. Baskett et al.,
Journal of the ACM 22 (1975), pages 248-260). Outside, a birth-death chain over k; with all CPs
busy for ever it is the repair of machines, M/M/m//k (L. Kleinrock, Queueing Systems volume 1,
section 3.10). With ever more CPs it is M/M/m. Waits are the shorter the fewer CPs there are.

Two hosts: while both have CPs free the chain over both numbers has a product form, too, as rates
of normalising constants are balanced (F. Kelly, Reversibility and Stochastic Networks (1979),
chapter 3). Work that waits for CPs of one host breaks it; it is taken to wait as long as the
other host's mean state then makes it: exact for one host, for CPs without end and for CPs always
busy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from imsperf.synthetic.arrays import F64 as Floats

SHORTEST = 0.05  # time away, of a service time
NEAR = 1e-10  # of a share of CPs' work
ROUNDS = 30


@dataclass(frozen=True)
class Host:
    """CPs that ask at `rate` together. `away`: between an answer and the next request, mean."""

    rate: float
    cps: int
    away: float


@dataclass(frozen=True)
class Asked:
    """What the first host finds."""

    rate: float  # what its CPs can do, where that is less than wanted
    time: float  # wait and service


def asked(hosts: Sequence[Host], service: float, servers: int) -> Asked:
    """One or two hosts at `servers` with exponential service. At most 64 CPs each; one unit.

    CPs that cannot ask so often are all busy.
    """
    first, *others = hosts
    if service <= 0:
        return Asked(first.rate, 0.0)
    away = [max(host.away, SHORTEST * service) for host in hosts]
    sums = _sums(hosts, [service / one for one in away], servers)
    rates = [sums[:-1] / sums[1:] / away[0]]  # of all, by busy CPs of each
    worked = [
        min(host.rate * time, float(host.cps)) for host, time in zip(hosts, away, strict=True)
    ]
    weights = sums * worked[0] ** np.arange(first.cps + 1)[:, None]
    if others:
        rates.append((sums[:, :-1] / sums[:, 1:] / away[1]).T)
        weights *= worked[1] ** np.arange(others[0].cps + 1)
    full = _full(hosts, rates, weights)
    chances = _weighted(weights, full)
    chances /= chances.sum()
    rate = first.rate if math.isfinite(full[0]) else float(chances[-1] @ rates[0][-1])
    busy = float(chances.sum(axis=1) @ np.arange(first.cps + 1))
    return Asked(rate, max(busy / rate - away[0], service))


def _full(hosts: Sequence[Host], rates: Sequence[Floats], weights: Floats) -> list[float]:
    """How much likelier it is that all CPs of a host are busy because work waits; inf: always."""
    full = [1.0] * len(hosts)
    for _ in range(ROUNDS):
        before = list(full)
        for k, host in enumerate(hosts):
            chances = _weighted(weights, [1.0 if j == k else known for j, known in enumerate(full)])
            last = _by(k, chances)[-1]
            can = float(last @ rates[k][-1])
            load = host.rate * float(last.sum()) / can if can > 0 else 0.0
            full[k] = 1 / (1 - load) if load < 1 else math.inf
        moved = max(abs(1 / a - 1 / b) for a, b in zip(full, before, strict=True))
        if moved < NEAR or len(hosts) == 1:
            break
    return full


def _weighted(weights: Floats, full: Sequence[float]) -> Floats:
    """Chances of the numbers of busy CPs, not normalised."""
    chances = weights.copy()
    for k, factor in enumerate(full):
        if math.isfinite(factor):
            _by(k, chances)[-1] *= factor
        else:
            _by(k, chances)[:-1] = 0.0
    return chances


def _by(host: int, numbers: Floats) -> Floats:
    """Rows are the busy CPs of this host."""
    return numbers.T if host else numbers


def _sums(hosts: Sequence[Host], ratios: Sequence[float], servers: int) -> Floats:
    """Normalising constants with 0, 1 ... CPs busy of each host. `ratios`: service / time away."""
    number, other = (hosts[0].cps, hosts[1].cps if len(hosts) > 1 else 0)
    ways = _ways(number, other, servers) * ratios[0] ** np.arange(number + 1)[:, None]
    if other:
        ways = ways * ratios[1] ** np.arange(other + 1)
    return np.asarray(_away(number) @ ways @ _away(other).T)


@lru_cache(maxsize=64)
def _ways(first: int, second: int, servers: int) -> Floats:
    """Requests at the servers: orders of n1 + n2 over what min(n, servers) of them serve."""
    one, two = np.indices((first + 1, second + 1))
    factorials = np.array([math.lgamma(n + 1) for n in range(first + second + 1)])
    busy = np.log(np.minimum(np.arange(1, first + second + 1), servers))
    served = np.concatenate(([0.0], np.cumsum(busy)))
    there = one + two
    logs = factorials[there] - factorials[one] - factorials[two] - served[there]
    return np.asarray(np.exp(logs))


@lru_cache(maxsize=64)
def _away(cps: int) -> Floats:
    """1 / (k - n)!: k busy CPs of which n ask."""
    left = np.subtract.outer(np.arange(cps + 1), np.arange(cps + 1))
    inverse = np.array([1 / math.factorial(n) for n in range(cps + 1)])
    return np.where(left >= 0, inverse[np.maximum(left, 0)], 0.0)
