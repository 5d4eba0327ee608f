"""A pool of regions (threads, slots, subchannels) whose holders share an inner network.

Whoever has a region keeps it while he waits inside: simultaneous possession. The inner network is
solved for 0..regions customers and becomes one server whose speed depends on how many are inside
(flow equivalence); outside, a birth-death chain runs over all who want a region. Sources: model.md
3.2; Lazowska et al. chapter 9.3 (flow-equivalent servers); Kleinrock volume 1 section 3.10.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from imsperf.synthetic.solver.closed import Curve, closed_curve
from imsperf.synthetic.solver.queueing import Population, birth_death, birth_death_open
from imsperf.synthetic.solver.result import Result, Station, Use, require

EDGE = 1 - 1e-12


def region_pool(
    regions: int,
    inside: Sequence[Station],
    *,
    population: int = 0,
    think: float = 0.0,
    rate: float = 0.0,
    name: str = "regions",
) -> Result:
    """The pool with `population` clients who think, or with open arrivals at `rate`.

    The first station of the result is the pool: its queue counts those who wait for a region, its
    residence is the response. The others are what happens inside. Exact where the inner stations
    are visited in no order and services are exponential. Open arrivals beyond the pool's rate:
    saturated, at that rate, no response. Errors: ScenarioError.
    """
    require(f"number of {name}", regions, "1 or more", regions >= 1)
    require(
        "population and rate", (population, rate), "one of the two", (population > 0) != (rate > 0)
    )
    size = min(regions, population) if population else regions
    curve = closed_curve(size, 0.0, inside)
    if population:
        chain: Population | None = birth_death(population, think, curve.rate)
    else:
        chain = birth_death_open(rate, curve.rate)
    if chain is None:
        return _full(curve, regions, name)
    return _balance(curve, regions, chain, name)


def _balance(curve: Curve, regions: int, chain: Population, name: str) -> Result:
    """Every chance of a number inside gives the inner network of that size."""
    last = len(curve.rate) - 1
    taken = np.minimum(np.arange(len(chain.chances)), last)
    weights = np.bincount(taken, chain.chances, last + 1)
    busy = float(weights @ np.arange(last + 1))
    pool = Use(name, float(regions), busy / regions, chain.number, chain.response)
    inner = tuple(
        Use(
            one,
            curve.limits[k],
            min(float(weights @ curve.utilisation[k]), 1.0),
            float(weights @ curve.queue[k]),
            float(weights @ curve.queue[k]) / chain.rate,
        )
        for k, one in enumerate(curve.names)
    )
    return Result("", chain.rate, chain.response, (pool, *inner))


def _full(curve: Curve, regions: int, name: str) -> Result:
    """All regions busy for ever: what is inside has a balance, who waits outside has none."""
    inside = curve.at(len(curve.rate) - 1)
    pool = Use(name, float(regions), 1.0, None, None)
    return Result("", inside.rate, None, (pool, *inside.stations), saturated=True)
