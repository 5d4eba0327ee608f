"""Several classes at the same stations: service classes of one LPAR, or LPARs that share a CF.

Stations serve all classes alike (processor sharing), which is a product form whatever a class's
demand. Two or three classes of moderate population are solved exactly by convolution, others by
Linearizer with the marginal distribution of a finite source (linearizer.py). Priorities:
priority.py. Sources: F. Baskett et al., Journal of the ACM 22 (1975), pages 248-260; M. Reiser,
H. Kobayashi 1975 (convolution.py); Lazowska et al. chapter 7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.solver.convolution import Floats, delay_constants, stretch, with_station
from imsperf.synthetic.solver.linearizer import class_results, linearizer
from imsperf.synthetic.solver.open import open_network
from imsperf.synthetic.solver.result import Class, Result, Results, Station, Use, require, summed

EXACT_ROWS = 160  # populations of all classes but the largest, multiplied: rows of a table
EXACT_STATES = 40_000


def multiclass(classes: Sequence[Class], stations: Sequence[Station]) -> Results:
    """The balance of all classes; all of them closed or all open. Errors: ScenarioError.

    A station's demand is a tuple, one entry per class. Times in one unit.
    """
    _check(classes, stations)
    if all(one.rate > 0 for one in classes):
        return _open(classes, stations)
    sizes = sorted(one.population + 1 for one in classes)
    rows, states = math.prod(sizes[:-1]), math.prod(sizes)
    if len(classes) <= 3 and rows <= EXACT_ROWS and states <= EXACT_STATES:
        return _exact(classes, stations)
    return linearizer(classes, stations)


def _exact(classes: Sequence[Class], stations: Sequence[Station]) -> Results:
    """Convolution; the largest class last, whose populations are one row."""
    order = sorted(range(len(classes)), key=lambda r: classes[r].population)
    turned = [_reordered(station, order) for station in stations]
    populations = [classes[r].population for r in order]
    delays = [classes[r].think for r in order]
    for station in turned:
        if station.is_delay:
            delays = [d + s for d, s in zip(delays, station.demands, strict=True)]
    alone = delay_constants(populations, delays)
    log_g = _with(alone, turned)
    size, count = len(classes), len(stations)
    rates, residence = np.zeros(size), np.zeros((count, size))
    for k, station in enumerate(turned):
        stretched = None
        if not station.is_delay and any(station.demands):
            without = _with(alone, [one for place, one in enumerate(turned) if place != k])
            stretched = stretch(log_g, without, station)
        for place, r in enumerate(order):
            found = tuple(n - (axis == place) for axis, n in enumerate(populations))
            factor = 1.0 if stretched is None else float(stretched[found])
            residence[k, r] = station.demands[place] * factor if station.demands[place] else 0.0
    for place, r in enumerate(order):
        found = tuple(n - (axis == place) for axis, n in enumerate(populations))
        rates[r] = math.exp(log_g[found] - log_g[tuple(populations)])
    return class_results(classes, stations, rates, residence, "exact")


def _with(log_g: Floats, stations: Sequence[Station]) -> Floats:
    for station in stations:
        if not station.is_delay and any(station.demands):
            log_g = with_station(log_g, station)
    return log_g


def _reordered(station: Station, order: Sequence[int]) -> Station:
    demands = tuple(station.demands[r] for r in order)
    return Station(station.name, demands, station.servers, station.speeds)


def _open(classes: Sequence[Class], stations: Sequence[Station]) -> Results:
    """Each station is a queue of all classes; a class's time there is in proportion to its demand.

    Where a station is full, all classes are shown at the rates at which it just is.
    """
    total = sum(one.rate for one in classes)
    mixed = [_mixed(classes, station) for station in stations]
    whole = open_network(total, mixed)
    share = whole.rate / total
    found = []
    for r, one in enumerate(classes):
        uses = tuple(
            _part(use, station.demands[r], mean.demands[0], one.rate * share)
            for use, station, mean in zip(whole.stations, stations, mixed, strict=True)
        )
        times = [use.residence for use in uses]
        known = [t for t in times if t is not None]
        response = sum(known) if len(known) == len(times) else None
        late = response is None or whole.saturated
        found.append(Result(one.name, one.rate * share, response, uses, saturated=late))
    weights = [one.rate for one in found]
    together = tuple(
        summed(station.name, [one.stations[k] for one in found], weights)
        for k, station in enumerate(stations)
    )
    return Results(tuple(found), together, "open")


def _mixed(classes: Sequence[Class], station: Station) -> Station:
    """The station as the mean transaction sees it."""
    total = sum(one.rate for one in classes)
    mean = sum(one.rate * d for one, d in zip(classes, station.demands, strict=True)) / total
    return Station(station.name, mean, station.servers, station.speeds)


def _part(use: Use, demand: float, mean: float, rate: float) -> Use:
    """What one class has of a station."""
    if demand == 0:
        return Use(use.name, use.limit, 0.0, 0.0, 0.0)
    used = rate * demand / use.limit if use.limit else 0.0
    if use.residence is None:
        return Use(use.name, use.limit, used, None, None)
    residence = use.residence * demand / mean
    return Use(use.name, use.limit, used, rate * residence, residence)


def _check(classes: Sequence[Class], stations: Sequence[Station]) -> None:
    require("classes", len(classes), "1 or more", len(classes) > 0)
    kinds = {one.rate > 0 for one in classes}
    require("classes", "open and closed ones together", "all open or all closed", len(kinds) == 1)
    for station in stations:
        places = len(station.demands)
        require(f"demands of {station.name}", places, f"{len(classes)}", places == len(classes))
    for r, one in enumerate(classes):
        some = one.think + sum(station.demands[r] for station in stations)
        require(f"demands of {one.name}", some, "one above 0", some > 0)


@dataclass(frozen=True)
class Lpar:
    """One LPAR of a sysplex: its clients, and demands on its own CPUs and on shared stations."""

    name: str
    clients: int
    think: float
    cpus: int
    cpu: float
    delay: float
    shared: tuple[float, ...]  # one per shared station


def sysplex(lpars: Sequence[Lpar], shared: Sequence[tuple[str, int]]) -> Results:
    """LPARs with CPUs of their own, and `shared` stations (name, servers) such as CF or paths.

    Each LPAR is a class (model.md 3.1: the rate of the whole is the sum over LPARs).
    """
    classes = [Class(one.name, population=one.clients, think=one.think) for one in lpars]
    stations = []
    for place, one in enumerate(lpars):
        only = tuple(one.cpu if k == place else 0.0 for k in range(len(lpars)))
        stations.append(Station(f"cpu_{one.name}", only, one.cpus))
    stations.append(Station("delay", tuple(one.delay for one in lpars), 0))
    for place, (name, servers) in enumerate(shared):
        demands = tuple(one.shared[place] for one in lpars)
        stations.append(Station(name, demands, servers))
    return multiclass(classes, stations)
