"""Linearizer for several closed classes, with stations of several servers.

Each queue at one customer less is estimated from the queue at the full population and a correction
that is itself computed at the reduced populations, three times (K. M. Chandy, D. Neuse,
Communications of the ACM 25(2) (1982), pages 126-134). Where a station has several servers, what an
arrival finds is spread as in a finite source with that mean: exact for one such station and delays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.special import gammaln, pdtr

from imsperf.synthetic.solver.convolution import Floats
from imsperf.synthetic.solver.result import Class, Result, Results, Station, Use, summed

PASSES = 3
TOLERANCE = 1e-10
STEPS = 20_000
UNDERFLOW = 1e-250
GRID = 161  # means at which a station's finite source is tabulated


def linearizer(classes: Sequence[Class], stations: Sequence[Station]) -> Results:
    """The balance of closed classes by Linearizer; demands and classes as in `multiclass`.

    Errors of rate mostly below 0.3 %, of residence below 2 % (test_solvers_agree.py).
    """
    size = len(classes)
    full = np.array([one.population for one in classes], np.float64)
    less = full - np.eye(size)
    populations = np.vstack((full, less))  # [1 + R, R]
    think = np.array([one.think for one in classes])
    demand = np.array([one.demands for one in stations], np.float64)  # [K, R]
    waits = [_wait_of(one, int(full.sum()) - 1) for one in stations]
    visited = np.count_nonzero(demand, axis=0)
    start = np.where(demand > 0, 1.0, 0.0) / np.maximum(visited, 1)
    queue = populations[:, None, :] * start
    correction = np.zeros((len(stations), size, size))
    for _ in range(PASSES):
        queue, rate, residence = _core(populations, think, demand, waits, queue, correction)
        share = queue / np.maximum(populations, 1e-300)[:, None, :]
        correction = np.moveaxis(np.where(less[:, None, :] > 0, share[1:] - share[0], 0.0), 0, 2)
    queue, rate, residence = _core(populations[:1], think, demand, waits, queue[:1], correction)
    return class_results(classes, stations, rate[0], residence[0], "linearizer")


Wait: TypeAlias = PchipInterpolator | None


def _core(
    populations: Floats,
    think: Floats,
    demand: Floats,
    waits: Sequence[Wait | float],
    queue: Floats,
    correction: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Queues [P, K, R], rates [P, R] and residences [P, K, R] that agree, for P populations."""
    there = np.maximum(populations, 1e-300)[:, None, :]
    identity = np.eye(populations.shape[1])
    for _ in range(STEPS):
        share = queue / there  # of class r at station k
        others = populations[:, :, None] - identity  # [P, r, s]: class r when one of s arrives
        found = others[:, None] * (share[..., None] + correction)  # [P, K, r, s]
        found = np.maximum(np.where(others[:, None] > 0, found, 0.0), 0.0)
        seen = found.sum(axis=2)
        residence = demand * np.stack([_stretch(w, seen[:, k]) for k, w in enumerate(waits)], 1)
        cycle = think + residence.sum(axis=1)
        rate = np.where(populations > 0, populations, 0.0) / np.maximum(cycle, 1e-300)
        new = rate[:, None, :] * residence
        change = float(np.abs(new - queue).max())
        queue = new
        if change < TOLERANCE * float(populations.max()):
            break
    return queue, rate, residence


def _stretch(wait: Wait | float, seen: Floats) -> Floats:
    """Residence / demand of an arrival that finds so many, mean."""
    if wait is None:
        return np.ones_like(seen)
    if isinstance(wait, float):
        return (1 + seen) / wait
    return np.asarray(np.exp(wait(np.log1p(seen))))


def _wait_of(station: Station, others: int) -> Wait | float:
    """None for a delay, the speed of a single server, else a table over the mean number found."""
    if station.is_delay:
        return None
    if len(station.capacity) == 1 or others < 1:
        return float(station.capacity[0])
    return _table(station.capacity, others)


@lru_cache(maxsize=64)
def _table(capacity: tuple[float, ...], others: int) -> PchipInterpolator:
    """log of the stretch over log(1 + mean number found), of a finite source."""
    speeds = np.asarray(capacity[: others + 1])
    u = np.linspace(-1, 1, GRID)
    offered = speeds.max() / others * np.exp(12 * np.sign(u) * np.abs(u) ** 3)
    means, stretched = _finite_source(others, offered, speeds)
    speed = speeds[np.minimum([0, others], len(speeds) - 1)]  # with one more there
    means = np.concatenate(([0.0], means, [others]))
    stretched = np.concatenate(([1 / speed[0]], stretched, [(others + 1) / speed[-1]]))
    places = np.log1p(means)
    keep = np.concatenate(([True], np.diff(places) > 1e-12))
    return PchipInterpolator(places[keep], np.log(stretched[keep]), extrapolate=True)


def _finite_source(others: int, offered: Floats, speeds: Floats) -> tuple[Floats, Floats]:
    """Mean number n of `others` at a server, and mean of (n + 1) / speed(n + 1), for each load.

    `offered` is the rate of one who is away. Up to the last speed the states one by one; beyond it
    those away are a Poisson number cut off at the top.
    """
    last = len(speeds) - 1
    n = np.arange(last + 1)
    steps = np.log(others - n[:-1]) - np.log(speeds[:-1])
    logs = np.concatenate(([0.0], np.cumsum(steps))) + n * np.log(offered)[:, None]
    mean_away = speeds[-1] / offered
    ratio = _poisson_below(others - last, mean_away)
    top = np.maximum(logs.max(axis=1), logs[:, -1] + ratio)
    chances = np.exp(logs[:, :-1] - top[:, None])
    beyond = np.exp(logs[:, -1] + ratio - top)
    away = -mean_away * beyond * np.expm1(-ratio)
    total = chances.sum(axis=1) + beyond
    number = chances @ n[:-1] + others * beyond - away
    stretched = chances @ ((n[:-1] + 1) / speeds[:-1])
    stretched += ((others + 1) * beyond - away) / speeds[-1]
    return number / total, stretched / total


def _poisson_below(most: int, mean: Floats) -> Floats:
    """log of P(number <= most) / P(number = most) of Poisson numbers, for each mean."""
    found = np.zeros_like(mean)
    below = pdtr(most, mean)
    log_chance = most * np.log(mean) - mean - gammaln(most + 1.0)
    sure = below > UNDERFLOW
    found[sure] = np.log(below[sure]) - log_chance[sure]
    term = np.ones(int((~sure).sum()))
    rest = np.ones_like(term)
    for k in range(most):  # most / mean is well below 1 here
        term = term * (most - k) / mean[~sure]
        rest += term
        if not len(term) or term.max() < 1e-17 * rest.min():
            break
    found[~sure] = np.log(rest)
    return found


def class_results(
    classes: Sequence[Class],
    stations: Sequence[Station],
    rates: Floats,
    residence: Floats,
    method: str,
) -> Results:
    """Rates [R] and residences [K, R] as results."""
    found = []
    for r, one in enumerate(classes):
        rate = float(rates[r])
        uses = tuple(
            Use(
                station.name,
                station.limit,
                rate * station.demands[r] / station.limit if station.limit else 0.0,
                rate * float(residence[k, r]),
                float(residence[k, r]),
            )
            for k, station in enumerate(stations)
        )
        found.append(Result(one.name, rate, float(residence[:, r].sum()), uses))
    weights = [one.rate for one in found]
    together = tuple(
        summed(station.name, [one.stations[k] for one in found], weights)
        for k, station in enumerate(stations)
    )
    return Results(tuple(found), together, method)
