"""The balance of one work whose delays are known: processors, queues and a pool of regions.

Without a pool the network is a product form: the processors and queues become one server whose
speed depends on how many are there, outside runs a birth-death chain over all clients (exact). With
a pool the chain runs over those who want a region; processors also serve work outside regions, so
the inner network holds all bursts and is read off at 0..regions inside (within 0.1 % of simulation
where the pool is nearly full, test_solve_agrees.py). Sources: model.md 3.2; Lazowska et al. chapter
8 (hierarchical models). Times in any one unit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver.closed import closed_curve
from imsperf.synthetic.solver.queueing import Population, birth_death, birth_death_open
from imsperf.synthetic.solver.result import Station

Floats = NDArray[np.float64]
NOBODY = 1e-12
FLAT = 1e-10  # relative rise of the rate over half the customers: the limit is reached
FIRST = 64  # customers inside with which the search begins
EDGE = 1 - 1e-9  # a saturated open system is shown just below its limit


@dataclass(frozen=True)
class Needs:
    """What a transaction needs: stations in all places, delays, clients or arrivals."""

    stations: tuple[Station, ...]
    inside: Floats  # share of each station's demand that is used while a region is held
    region_delay: float
    other_delay: float  # outside regions, without think time
    clients: int
    think: float
    rate: float  # open arrivals, 0 for closed
    regions: int  # 0: no pool


@dataclass(frozen=True)
class Point:
    """A balance. `stretch` is residence / demand of each station, None where saturated."""

    rate: float
    stretch: Floats
    pool_wait: float = 0.0
    occupancy: float = 0.0
    regions_busy: float = 0.0
    all_busy: float = 0.0  # chance that a transaction finds no free region
    saturated: bool = False
    full: str = ""  # the station that open arrivals saturate


def point(needs: Needs) -> Point:
    """The balance of one work."""
    pooled = needs.regions > 0 and _in_region(needs) > 0
    if needs.rate > 0:
        return _open_pool(needs) if pooled else _open(needs)
    return _closed_pool(needs) if pooled else _closed(needs)


def _in_region(needs: Needs) -> float:
    used = sum(s.demands[0] * i for s, i in zip(needs.stations, needs.inside, strict=True))
    return needs.region_delay + float(used)


def _closed(needs: Needs) -> Point:
    """Product form: think and all delays outside, the queues as one server."""
    away = needs.think + needs.region_delay + needs.other_delay
    stations = [one for one in needs.stations if one.demands[0] > 0]
    if not stations:
        return Point(needs.clients / away, np.ones(len(needs.stations)))
    size = min(needs.clients, FIRST)
    while True:
        curve = closed_curve(size, 0.0, stations)
        chain = birth_death(needs.clients, away, curve.rate)
        beyond = float(chain.chances[size + 1 :].sum())
        flat = size > 1 and abs(curve.rate[-1] / curve.rate[size // 2] - 1) < FLAT
        if size == needs.clients or beyond < NOBODY or flat:
            break
        size = min(needs.clients, size * 4)
    weights = _weights(chain, size)
    queue = curve.queue @ weights
    extra = chain.number - float(weights @ np.arange(size + 1))
    queue[int(np.argmax(curve.utilisation[:, -1]))] += max(extra, 0.0)
    known = {
        one.name: float(number) / chain.rate / one.demands[0]
        for one, number in zip(stations, queue, strict=True)
    }
    return Point(chain.rate, np.array([known.get(one.name, 1.0) for one in needs.stations]))


def _weights(chain: Population, size: int) -> Floats:
    taken = np.minimum(np.arange(len(chain.chances)), size)
    return np.bincount(taken, chain.chances, size + 1).astype(np.float64)


@dataclass(frozen=True)
class _Flow:
    """What comes out with 0, 1, 2 ... regions busy, and the stretch of each station then."""

    rates: Floats
    stretch: Floats  # [station, busy]


def _flow(needs: Needs, size: int) -> _Flow:
    """The inner network with so many customers that `size` of them are in regions."""
    used = [k for k, one in enumerate(needs.stations) if one.demands[0] > 0]
    stations = [needs.stations[k] for k in used]
    share = needs.inside[used]
    if needs.region_delay > 0:
        stations.append(Station("delay", needs.region_delay, 0))
        share = np.append(share, 1.0)
    most = max(int(1.1 * size) + 8, FIRST)
    while True:
        curve = closed_curve(most, 0.0, stations)
        inside = share @ curve.queue
        if inside[-1] >= size:
            break
        most *= 2
    busy = np.arange(size + 1)
    stretch = np.ones((len(needs.stations), size + 1))
    for place, k in enumerate(used):
        each = curve.residence[place] / stations[place].demands[0]
        each[0] = each[1]
        stretch[k] = np.interp(busy, inside, each)
    return _Flow(np.interp(busy, inside, curve.rate), stretch)


def _closed_pool(needs: Needs) -> Point:
    size = min(needs.regions, needs.clients)
    flow = _flow(needs, size)
    away = needs.think + needs.other_delay
    outside = np.array([one.demands[0] for one in needs.stations]) * (1 - needs.inside)

    def chain_at(used: float) -> Population:
        return birth_death(needs.clients, away + used, flow.rates)

    def excess(used: float) -> float:
        return float(outside @ _mean_stretch(chain_at(used), flow)) - used

    used = float(outside @ flow.stretch[:, 0])
    if used > 0:
        used = falling_root(excess, used, 1e-10)
    return _pool_point(needs, chain_at(used), flow)


def _mean_stretch(chain: Population, flow: _Flow) -> Floats:
    """Mean over transactions, so weighted with what comes out."""
    weights = _weights(chain, len(flow.rates) - 1) * flow.rates
    total = weights.sum()
    return np.asarray(flow.stretch @ weights / total) if total > 0 else flow.stretch[:, 0]


def _pool_point(needs: Needs, chain: Population, flow: _Flow) -> Point:
    weights = _weights(chain, len(flow.rates) - 1)
    busy = float(weights @ np.arange(len(flow.rates)))
    occupancy = busy / chain.rate
    return Point(
        chain.rate,
        _mean_stretch(chain, flow),
        pool_wait=max(chain.response - occupancy, 0.0),
        occupancy=occupancy,
        regions_busy=busy,
        all_busy=float(weights[-1]) if len(flow.rates) - 1 == needs.regions else 0.0,
    )


def _open(needs: Needs) -> Point:
    """Each station by itself; beyond the first limit saturated there."""
    limits = [
        one.limit / one.demands[0] if one.demands[0] > 0 else np.inf for one in needs.stations
    ]
    first = int(np.argmin(limits)) if limits else 0
    stretch = np.ones(len(needs.stations))
    full = bool(limits) and needs.rate >= limits[first] * EDGE
    rate = limits[first] * EDGE if full else needs.rate
    for k, one in enumerate(needs.stations):
        demand = one.demands[0]
        if demand == 0:
            continue
        chain = birth_death_open(rate, np.concatenate(([0.0], one.capacity)) / demand)
        stretch[k] = np.inf if chain is None else chain.response / demand
    return Point(rate, stretch, saturated=full, full=needs.stations[first].name if full else "")


def _open_pool(needs: Needs) -> Point:
    alone = _open(needs)
    if alone.saturated:
        return alone
    flow = _flow(needs, needs.regions)
    chain = birth_death_open(needs.rate, flow.rates)
    if chain is None or needs.rate >= flow.rates[-1] * EDGE:
        rate = float(flow.rates[-1]) * EDGE
        busy = float(needs.regions)
        stretch = flow.stretch[:, -1]
        return Point(rate, stretch, 0.0, busy / rate, busy, 1.0, saturated=True, full="pool")
    return _pool_point(needs, chain, flow)


def falling_root(excess: Callable[[float], float], guess: float, tolerance: float) -> float:
    """x with excess(x) = 0, where excess is g(x) - x with g that does not rise; x above 0.

    The root lies between a point and its g, so two points bracket it; then the Illinois method.
    """
    low = guess
    at_low = excess(low)
    if abs(at_low) <= tolerance * guess:
        return low + at_low
    high = max(low + at_low, guess * 1e-9)
    at_high = excess(high)
    for _ in range(200):
        if abs(at_high) <= tolerance * abs(high) or abs(high - low) <= tolerance * abs(high):
            break
        new = high - at_high * (high - low) / (at_high - at_low)
        if not min(low, high) < new < max(low, high):
            new = (low + high) / 2
        at_new = excess(new)
        if at_new * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = new, at_new
    return high
