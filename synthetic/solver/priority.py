"""Priorities: who is served first at the CPUs, as service classes of workload management are.

`head_of_line` and `preemptive` are the formulas for open arrivals (L. Kleinrock, Queueing Systems
volume 2, section 3.6; A. Cobham, Operations Research 2 (1954), pages 70-76). `priority_network` is
a Markov chain over two classes, exact for two; of several classes each sees all higher ones as one
class of their mean demand. The chain has a level per low customer there (levels.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver.levels import stationary
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.result import Class, Result, Results, Station, Use, require, summed

Floats = NDArray[np.float64]
NOBODY = 1e-13  # chance below which more customers are left out
LEVELS = 1_500  # of the chain; a larger low class sees the mean speed that is left
PHASES = 160


def head_of_line(
    rates: Sequence[float], services: Sequence[float], servers: int
) -> tuple[float | None, ...]:
    """Wait before service, a burst is not interrupted; highest first. None: no balance.

    Exponential services, with several servers all of the same mean. Errors: ScenarioError.
    """
    _same_means(services, servers)
    busy = sum(r * s for r, s in zip(rates, services, strict=True))
    first = sum(r * s**2 for r, s in zip(rates, services, strict=True))  # one server: half of 2 s^2
    if servers > 1:
        first = erlang_c(servers, busy) * services[0] / servers
    found: list[float | None] = []
    above = 0.0
    for rate, service in zip(rates, services, strict=True):
        upto = above + rate * service / servers
        found.append(first / ((1 - upto) * (1 - above)) if upto < 1 and busy < servers else None)
        above = upto
    return tuple(found)


def preemptive(
    rates: Sequence[float], services: Sequence[float], servers: int
) -> tuple[float | None, ...]:
    """Time in the system, a higher arrival takes the server and work goes on later. None: none.

    Several servers: the classes down to one are an M/M/m queue, so all must have the same mean.
    """
    _same_means(services, servers)
    found: list[float | None] = []
    busy = squares = inside = 0.0
    for rate, service in zip(rates, services, strict=True):
        above, before = busy / servers, inside
        busy += rate * service
        squares += rate * service**2
        left = 1 - busy / servers
        if left <= 0:
            found.append(None)
        elif servers == 1:
            found.append((service * left + squares) / (left * (1 - above)))
        else:
            inside = busy + erlang_c(servers, busy) * busy / (servers - busy)
            found.append((inside - before) / rate)
    return tuple(found)


def _same_means(services: Sequence[float], servers: int) -> None:
    same = servers == 1 or max(services) - min(services) <= 1e-12 * max(services)
    require("services", tuple(services), "the same for all, with several servers", same)


@dataclass(frozen=True)
class _Chain:
    """Customers of one class at the station: who comes with n there, and who is left out."""

    arrive: Floats  # rate with 0..T there, 0 with T
    leave: float  # rate of one who has a server

    @property
    def size(self) -> int:
        return len(self.arrive)


def priority_network(classes: Sequence[Class], station: Station) -> Results:
    """Classes, highest first, that think (or arrive) and share the station, preemptive.

    Utilisation of a class is its share. A class for which nothing is left is saturated if open:
    its rate is what the others leave. Errors: ScenarioError.
    """
    demands = station.demands
    require(
        "demands of " + station.name, len(demands), f"{len(classes)}", len(demands) == len(classes)
    )
    found: list[Result] = []
    above: list[tuple[Class, float, float]] = []  # class, demand, rate
    for one, demand in zip(classes, demands, strict=True):
        require(f"demand of {one.name}", demand, "above 0", demand > 0)
        rate, number = _one_class(above, one, demand, station)
        full = number is None
        residence = number / rate if number is not None and rate > 0 else None
        share = rate * demand / station.limit
        use = Use(station.name, station.limit, share, number, residence)
        found.append(Result(one.name, rate, residence, (use,), saturated=full))
        above.append((one, demand, rate))
    weights = [one.rate for one in found]
    both = summed(station.name, [one.stations[0] for one in found], weights)
    return Results(tuple(found), (both,), "priority")


def _one_class(
    above: Sequence[tuple[Class, float, float]], one: Class, demand: float, station: Station
) -> tuple[float, float | None]:
    """Rate and number there of a class below `above`; number None: saturated."""
    speeds = np.concatenate(([0.0], station.capacity))
    if not above:
        high = _Chain(np.zeros(1), 1.0)
        marginal = np.ones(1)
    else:
        high, marginal = _high(above, speeds)
    left = float(marginal @ _left(high.size, speeds, len(speeds) - 1)) / demand
    if one.rate > 0 and one.rate >= left * (1 - 1e-9):
        return left, None
    low = _low(one, demand, speeds, marginal)
    if low.size > LEVELS:
        return _by_mean_speed(low, marginal, speeds)
    return _levels(high, low, speeds)


def _high(above: Sequence[tuple[Class, float, float]], speeds: Floats) -> tuple[_Chain, Floats]:
    """All higher classes as one, and the chances of 0, 1 ... of it."""
    total = sum(rate for _, _, rate in above)
    demand = sum(d * rate for _, d, rate in above) / total
    if all(one.rate > 0 for one, _, _ in above):
        merged = Class("high", rate=total)
    else:
        population = sum(one.population for one, _, _ in above)
        think = sum(one.think * rate for one, _, rate in above) / total
        merged = Class("high", population=population, think=think)
    chain = _Chain(_arrivals(merged, 100_000), 1 / demand)
    marginal = _alone(chain, speeds)
    keep = min(max(int(np.flatnonzero(marginal > NOBODY)[-1]) + 1, 2), PHASES)
    arrive = chain.arrive[:keep].copy()
    arrive[-1] = 0.0
    cut = _Chain(arrive, chain.leave)
    return cut, _alone(cut, speeds)


def _arrivals(one: Class, most: int) -> Floats:
    """Rate at which the class comes with 0, 1 ... there."""
    if one.rate > 0:
        return np.concatenate((np.full(min(most, 4_000), one.rate), [0.0]))
    n = np.arange(min(one.population, most) + 1)
    return (one.population - n) / max(one.think, 1e-12)


def _alone(chain: _Chain, speeds: Floats) -> Floats:
    """Chances of each number of a class that sees nobody else."""
    served = speeds[np.minimum(np.arange(1, chain.size), len(speeds) - 1)] * chain.leave
    with np.errstate(divide="ignore"):
        logs = np.concatenate(([0.0], np.cumsum(np.log(chain.arrive[:-1]) - np.log(served))))
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())


def _left(phases: int, speeds: Floats, low: int) -> Floats:
    """Speed left for `low` customers with 0, 1 ... higher ones there, shape [phases]."""
    high = np.arange(phases)
    last = len(speeds) - 1
    return speeds[np.minimum(high + low, last)] - speeds[np.minimum(high, last)]


def _low(one: Class, demand: float, speeds: Floats, marginal: Floats) -> _Chain:
    """The low class, cut off where nobody is with the mean speed that is left, and twice that."""
    chain = _Chain(_arrivals(one, 100_000), 1 / demand)
    chances = _mean_speed_chances(chain, marginal, speeds)
    last = int(np.flatnonzero(chances > NOBODY)[-1])
    size = min(chain.size, 3 * last + 40)
    arrive = chain.arrive[:size].copy()
    arrive[-1] = 0.0
    return _Chain(arrive, chain.leave)


def _mean_speed_chances(low: _Chain, marginal: Floats, speeds: Floats) -> Floats:
    many = min(low.size, len(speeds)) + 1
    mean = np.array([marginal @ _left(len(marginal), speeds, n) for n in range(many)])
    return _alone(low, mean)


def _by_mean_speed(low: _Chain, marginal: Floats, speeds: Floats) -> tuple[float, float]:
    chances = _mean_speed_chances(low, marginal, speeds)
    return float(chances @ low.arrive), float(chances @ np.arange(low.size))


def _levels(high: _Chain, low: _Chain, speeds: Floats) -> tuple[float, float]:
    """Rate and mean number of the low class, from the chain over both."""
    phases = high.size
    served = speeds[np.minimum(np.arange(phases), len(speeds) - 1)] * high.leave
    beside = np.diag(high.arrive[:-1], 1) + np.diag(served[1:], -1)
    identity = np.eye(phases)
    chances = stationary(
        low.size,
        lambda n: low.arrive[n] * identity,
        lambda n: beside,
        lambda n: np.diag(_left(phases, speeds, n) * low.leave),
    ).sum(axis=1)
    return float(chances @ low.arrive), float(chances @ np.arange(low.size))
