"""A closed network of one class, exact: every population up to N at once.

Laws: U = X D / m, Little's law at each station, R = N / X - Z (model.md 3.1). Source of the method:
Buzen 1973, see convolution.py; residence by the arrival theorem (Lazowska et al. page 114).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver.convolution import delay_constants, stretch, with_station
from imsperf.synthetic.solver.result import Result, Station, Use, require

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """The balance for 0..N customers. Arrays over the population; [station, population] for two."""

    think: float
    names: tuple[str, ...]
    limits: tuple[float, ...]
    rate: Floats  # [N + 1]
    utilisation: Floats  # [K, N + 1]
    queue: Floats  # [K, N + 1]
    residence: Floats  # [K, N + 1]

    def at(self, population: int) -> Result:
        """The balance with so many customers."""
        rate = float(self.rate[population])
        uses = tuple(
            Use(
                name,
                self.limits[k],
                min(float(self.utilisation[k, population]), 1.0),
                float(self.queue[k, population]),
                float(self.residence[k, population]),
            )
            for k, name in enumerate(self.names)
        )
        return Result("", rate, float(self.residence[:, population].sum()), uses)


def closed(population: int, think: float, stations: Sequence[Station]) -> Result:
    """The balance of `population` customers who think `think` between transactions."""
    return closed_curve(population, think, stations).at(population)


def closed_rates(population: int, think: float, stations: Sequence[Station]) -> Floats:
    """Throughput with 0..population customers, shape [population + 1]."""
    _check(population, think, stations)
    log_g = _constants(population, think, stations)
    return np.concatenate(([0.0], np.exp(log_g[:-1] - log_g[1:])))


def closed_curve(population: int, think: float, stations: Sequence[Station]) -> Curve:
    """The same for all populations from 0 to `population`. Errors: ScenarioError."""
    _check(population, think, stations)
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
            others = [one for place, one in enumerate(stations) if place != k]
            without = _constants(population, think, others)
            residence[k, 1:] = demand * stretch(log_g, without, station)[:-1]
    if rest >= 0:  # who is nowhere else
        inside = np.arange(population + 1) - rate * (residence.sum(axis=0) - residence[rest])
        residence[rest, 1:] = inside[1:] / rate[1:]
    names, limits = tuple(s.name for s in stations), tuple(s.limit for s in stations)
    return Curve(think, names, limits, rate, use, rate * residence, residence)


def _rest(think: float, stations: Sequence[Station]) -> int:
    """The station with the most speeds, where no customer is ever away; -1: none."""
    busy = [k for k, one in enumerate(stations) if one.demand > 0]
    if think > 0 or any(stations[k].is_delay for k in busy):
        return -1
    return max(busy, key=lambda k: len(stations[k].capacity))


def _constants(population: int, think: float, stations: Sequence[Station]) -> Floats:
    delays = think + sum(s.demand for s in stations if s.is_delay)
    log_g = delay_constants(population, delays)
    for station in sorted(stations, key=lambda one: -len(one.capacity)):
        if not station.is_delay and station.demand > 0:
            log_g = with_station(log_g, station)
    return log_g


def _check(population: int, think: float, stations: Sequence[Station]) -> None:
    require("population", population, "1 or more", population >= 1)
    require("think time", think, "0 or more", think >= 0)
    some = think > 0 or any(one.demand > 0 for one in stations)
    require("stations", [one.name for one in stations], "one with a demand", some)
