"""The balance of one work whose delays are known, without a pool of regions (with one: pooled.py).

Closed: a product form. The processors and queues become one server whose speed depends on how many
are there, outside runs a birth-death chain over all clients (exact). Open: each station by itself.
Sources: model.md 3.2; Lazowska et al. chapter 8 (hierarchical models). Times in any one unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver.closed import closed_curve
from imsperf.synthetic.solver.queueing import (
    Population,
    birth_death,
    birth_death_open,
    departure_dispersion,
)
from imsperf.synthetic.solver.result import Station

NOBODY = 1e-12
FLAT = 1e-10  # relative rise of the rate over half the customers: the limit is reached
FIRST = 64  # customers inside with which the search begins
FAR = 8.0
EDGE = 1 - 1e-9  # a saturated open system is shown just below its limit


@dataclass(frozen=True)
class Needs:
    """What a transaction needs: stations in all places, delays, clients or arrivals."""

    stations: tuple[Station, ...]
    inside: F64  # share of each station's demand that is used while a region is held
    region_delay: float
    other_delay: float  # outside regions, without think time
    clients: int
    think: float
    rate: float  # open arrivals, 0 for closed
    regions: int  # 0: no pool
    expected: float = 0.0  # closed: rate at which others come out while regions are full; 0: found


@dataclass(frozen=True)
class Point:
    """A balance. `stretch` [station, 2] is residence / demand outside and inside a region."""

    rate: float
    stretch: F64
    pool_wait: float = 0.0
    occupancy: float = 0.0
    regions_busy: float = 0.0
    all_busy: float = 0.0  # chance that a transaction finds no free region
    saturated: bool = False
    full: str = ""  # the station that open arrivals saturate
    served: tuple[F64, F64] | None = None  # chances of 0, 1 ... inside, and rates out of it

    @property
    def dispersion(self) -> float:
        """Variance of the number served in a long time over its mean; 1 for open arrivals."""
        return 1.0 if self.served is None else departure_dispersion(*self.served)


def closed_point(needs: Needs) -> Point:
    """Product form: think and all delays outside, the queues as one server."""
    away = needs.think + needs.region_delay + needs.other_delay
    stations = [station for station in needs.stations if station.demand > 0]
    if not stations:
        return Point(needs.clients / away, np.ones((len(needs.stations), 2)))
    size = min(needs.clients, len(stations[0].capacity) if len(stations) == 1 else FIRST)
    while True:
        curve = closed_curve(size, 0.0, stations)
        chain = birth_death(needs.clients, away, curve.rate)
        beyond = float(chain.chances[size + 1 :].sum())
        flat = size > 1 and abs(curve.rate[-1] / curve.rate[size // 2] - 1) < FLAT
        if size == needs.clients or beyond < NOBODY or flat or len(stations) == 1:
            break
        size = min(needs.clients, size * 2)
    weights = weights_of(chain, size)
    queue = curve.queue @ weights
    extra = chain.number - float(weights @ np.arange(size + 1))
    queue[int(np.argmax(curve.utilisation[:, -1]))] += max(extra, 0.0)
    known = {
        station.name: float(number) / chain.rate / station.demand
        for station, number in zip(stations, queue, strict=True)
    }
    found = [known.get(station.name, 1.0) for station in needs.stations]
    return Point(
        chain.rate, np.column_stack((found, found)), served=(chain.chances, np.asarray(curve.rate))
    )


def weights_of(chain: Population, size: int) -> F64:
    """Chances of 0, 1 ... `size` there, all more counted as `size`."""
    weights = np.zeros(size + 1)
    known = chain.chances[: size + 1]
    weights[: len(known)] = known
    weights[size] += chain.chances[size + 1 :].sum()
    return weights


def open_point(needs: Needs) -> Point:
    """Each station by itself; beyond the first limit saturated there."""
    limits = [
        station.limit / station.demand if station.demand > 0 else np.inf
        for station in needs.stations
    ]
    first = int(np.argmin(limits)) if limits else 0
    stretch = np.ones((len(needs.stations), 2))
    full = bool(limits) and needs.rate >= limits[first] * EDGE
    rate = limits[first] * EDGE if full else needs.rate
    for k, station in enumerate(needs.stations):
        demand = station.demand
        if demand == 0:
            continue
        chain = birth_death_open(rate, np.concatenate(([0.0], station.capacity)) / demand)
        stretch[k] = np.inf if chain is None else chain.response / demand
    return Point(rate, stretch, saturated=full, full=needs.stations[first].name if full else "")


def falling_root(
    excess: Callable[[float], float], guess: float, tolerance: float, most: float = np.inf
) -> float:
    """x with excess(x) = 0, where excess is g(x) - x with g that does not rise; x above 0.

    The root lies between a point and its g, so two points bracket it (where g does rise, but less
    than x, steps that double do); then a secant that keeps the bracket, the method of Anderson and
    Bjorck (BIT 13 (1973), pages 253-264), but no point counts less than half as much as before
    (Illinois).
    `most` is the answer where excess is still above 0 there.
    """
    low = min(guess, most)
    at_low = excess(low)
    if abs(at_low) <= tolerance * guess:
        return min(low + at_low, most)
    high = max(min(low + at_low, most), guess * 1e-9)
    if high == low:
        return most
    at_high = excess(high)
    for _ in range(200):
        if at_high > 0 and high == most:
            return most
        if abs(at_high) <= tolerance * abs(high) or abs(high - low) <= tolerance * abs(high):
            break
        outside = at_low * at_high > 0  # g rises: the root lies beyond both
        new = _secant(low, at_low, high, at_high, outside=outside)
        new = min(new, most)
        at_new = excess(new)
        if outside or at_new * at_high <= 0:
            low, at_low = high, at_high
        else:  # the same side again: the other one counts less
            at_low *= max(1 - at_new / at_high, 0.5)
        high, at_high = new, at_new
    return high


def _secant(low: float, at_low: float, high: float, at_high: float, *, outside: bool) -> float:
    """Where the line through two points meets 0; not far beyond them, or between them."""
    if outside:
        most = FAR * abs(high - low)
        step = at_high * (high - low) / (at_low - at_high) if at_low != at_high else 0.0
        if step * at_high <= 0:  # flat, or noise
            step = math.copysign(most, at_high)
        return max(high + min(max(step, -most), most), high / FAR)
    new = high - at_high * (high - low) / (at_high - at_low)
    return new if min(low, high) < new < max(low, high) else (low + high) / 2
