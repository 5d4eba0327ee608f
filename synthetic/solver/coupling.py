"""Requests to a coupling facility: subchannels, link, CF processors; synchronous or not.

model.md 3.12. A request holds a subchannel over the link and through the CF processors. While a
synchronous request is on its way its host CPU spins; above a threshold of expected host cost the
system sends it asynchronously: the CPU is free for a fixed cost, the answer is found later. A
synchronous request that finds no subchannel spins too (subchannel busy), an asynchronous one waits.

So a host has at most as many synchronous requests out as it has CPs: finite sources (below).
Asynchronous ones leave the CP free and come as they like: Poisson.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from imsperf.synthetic.solver.queueing import Floats, erlang_c, mmm_wait

RAMP = 0.05  # above the threshold, until all requests are converted
WANDERS = 0.85  # of the threshold: three standard deviations of the moving mean below it


@dataclass(frozen=True)
class Facility:
    """One CF as one host sees it. Times in microseconds."""

    processors: int
    subchannels: int  # links x subchannels of a link
    link: float  # both ways
    service: float  # CF CPU of a request
    async_cpu: float = 15.0  # host CPU of an asynchronous request (model.md: 10 to 20, assumed)
    async_delay: float = 20.0  # until the host looks for the answer (assumed)
    threshold: float = 26.0  # host CPU time above which requests are converted (assumed)
    # of the host: CPs, each with one synchronous request at most (0: no limit), and what a CP does
    # between two of its requests
    cps: int = field(default=0, compare=False)
    work: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Served:
    """Requests on their way, however they are sent. Microseconds; `time` None: too many come."""

    rate: float  # per microsecond, at most what subchannels and CF can do
    time: float | None  # wait for a subchannel, link and CF
    spin: float  # link and CF, without the waits where too many come
    subchannels: float  # share in use
    processors: float  # share in use, by all hosts
    none_free: float = 0.0  # share that finds no subchannel


@dataclass(frozen=True)
class Requests:
    """What a stream of requests costs. Microseconds; None: more than the CF can do."""

    rate: float  # per microsecond, at most what it can do
    converted: float  # share sent asynchronously
    host_cpu: float  # of one request, mean
    elapsed: float | None  # as the program sees it, mean
    waited: float | None  # part of it that is no host CPU
    facility: float | None  # subchannel wait, link and CF
    subchannel_busy: float  # share of the requests that find none free
    served: Served

    @property
    def saturated(self) -> bool:
        """More requests than the CF or the subchannels can take."""
        return self.served.time is None


def requests(
    rate: float,
    facility: Facility,
    *,
    convert: bool = True,
    others: float = 0.0,
    other: Facility | None = None,
) -> Requests:
    """Requests at `rate` per microsecond; `others` come from the host that sees `other`.

    Conversion: none while a synchronous request costs less host CPU than the threshold, all when it
    costs 5 % more, a share between (each request is judged by a moving mean). Where asynchronous
    requests would queue till they take longer than that, synchronous ones short of the threshold by
    as much as the mean wanders do it: once converted they stay so. Saturated: at the highest rate,
    asynchronous where that is allowed, no elapsed time. More synchronous requests than the CPs can
    make: at the rate of CPs that do nothing else. `other` None: a host like this one. Hosts with
    more CPs than subchannels, or than 64, ask like a Poisson stream.
    """
    hosts = [(rate, facility)] + [(others, other or facility)] * (others > 0)
    finite = all(0 < one.cps <= min(one.subchannels, MOST) for _, one in hosts)
    free = _free(rate, facility, others)
    if not finite or (rate + others) * facility.service >= facility.processors:
        return _sent(facility, free, free, convert * _over(free, 1.0, facility))
    held = _held(hosts)
    share = convert * _over(held, WANDERS, facility)
    share = min(share, _over(free, 1.0, facility))
    return _sent(facility, free if share > 0 else held, held, share)


def _over(served: Served, part: float, facility: Facility) -> float:
    """How far the time is above a part of the threshold: 0 to 1; 1 where there is no time."""
    if served.time is None:
        return 1.0
    return min(max((served.time / facility.threshold / part - 1) / RAMP, 0.0), 1.0)


def _sent(facility: Facility, served: Served, spun: Served, share: float) -> Requests:
    """A share is sent asynchronously and takes the time of `served`; the others spin."""
    time, waited, mean, elapsed = served.time, None, None, None
    spin = spun.spin if spun.time is None else spun.time
    if time is not None:
        waited = share * (time + facility.async_delay)
        mean = (1 - share) * spin + share * time
        elapsed = mean + share * facility.async_delay
    host_cpu = share * facility.async_cpu + (1 - share) * spin
    return Requests(served.rate, share, host_cpu, elapsed, waited, mean, served.none_free, served)


def _held(hosts: Sequence[tuple[float, Facility]]) -> Served:
    """Synchronous requests of the first host; a CP has one at a time, so subchannels are free."""
    facility = hosts[0][1]
    service, processors = facility.service, facility.processors
    asking = [Host(rate, one.cps, one.work + one.link) for rate, one in hosts]
    answer = asked(asking, service, processors)
    rate, time = answer.rate, facility.link + answer.time
    load = (rate + sum(one.rate for one in asking[1:])) * service / processors
    return Served(rate, time, time, rate * time / facility.subchannels, load)


def _free(rate: float, facility: Facility, others: float) -> Served:
    """Requests that come as they like: M/M/m at the processors, then, as each holds a subchannel so
    long, M/M/c for these. Near their limit the simulation is asked (answer.py)."""
    subchannels, least = facility.subchannels, facility.link + facility.service
    wait = mmm_wait(rate + others, facility.service, facility.processors)
    if wait is None:
        most = max(facility.processors / facility.service - others, rate * 1e-9)
        return Served(most, None, least, 1.0, 1.0, 1.0)
    spin = least + wait
    load = min((rate + others) * facility.service / facility.processors, 1.0)
    queue = mmm_wait(rate, spin, subchannels)
    if queue is None:
        return Served(subchannels / spin, None, least, 1.0, load, 1.0)
    used = rate * spin
    return Served(rate, spin + queue, spin, used / subchannels, load, erlang_c(subchannels, used))


# --- CPs that spin --------------------------------------------------------------------------------
#
# Servers asked by CPs that spin for the answer: each CP has one request out at most.
#
# Work comes to a host as a Poisson stream, holds a CP, and in turns works there and asks. So CPs
# are a pool as regions are (pooled.py). Inside, k busy CPs are k sources who are away while they
# work: a closed network with a product form whatever the law of the time away (F. Baskett et al.,
# Journal of the ACM 22 (1975), pages 248-260). Outside, a birth-death chain over k; with all CPs
# busy for ever it is the repair of machines, M/M/m//k (L. Kleinrock, Queueing Systems volume 1,
# section 3.10). With ever more CPs it is M/M/m. Waits are the shorter the fewer CPs there are.
#
# Two hosts: while both have CPs free the chain over both numbers has a product form, too, as rates
# of normalising constants are balanced (F. Kelly, Reversibility and Stochastic Networks (1979),
# chapter 3). Work that waits for CPs of one host breaks it; it is taken to wait as long as the
# other host's mean state then makes it: exact for one host, for CPs without end and for CPs always
# busy.

MOST = 64  # CPs of a host; more are next to a Poisson stream
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
