"""Open arrivals at stations of one or several servers: each station by itself (Jackson).

Poisson arrivals; M/M/m, insensitive to the service law under processor sharing. Sources:
L. Kleinrock, Queueing Systems volume 1, sections 3.5 and 4.8; Lazowska et al. page 109 (laws).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from imsperf.synthetic.solver.queueing import birth_death_open
from imsperf.synthetic.solver.result import Result, Station, Use, require


def open_network(rate: float, stations: Sequence[Station]) -> Result:
    """The balance at `rate` arrivals; beyond a station's limit: saturated, at that limit.

    A saturated station has utilisation 1 and neither queue nor residence, the whole no response.
    Errors: ScenarioError for a negative or endless rate.
    """
    require("rate", rate, "0 or more", rate >= 0)
    top = open_limit(stations)
    done = min(rate, top)
    uses = tuple(_use(done, station, full=rate >= top) for station in stations)
    waits = [one.residence for one in uses]
    response = sum(w for w in waits if w is not None) if all(w is not None for w in waits) else None
    return Result("", done, response, uses, saturated=rate >= top)


def open_limit(stations: Sequence[Station]) -> float:
    """The rate at which the first station is full; infinite where all are delays."""
    found = [s.limit / s.demands[0] for s in stations if s.limit > 0 and s.demands[0] > 0]
    return min(found, default=float("inf"))


def _use(rate: float, station: Station, *, full: bool) -> Use:
    demand, limit = station.demands[0], station.limit
    if station.is_delay or demand == 0:
        return Use(station.name, limit, 0.0, rate * demand, demand)
    share = min(rate * demand / limit, 1.0)
    if full and share > 1 - 1e-12:
        return Use(station.name, limit, 1.0, None, None)
    if rate == 0:
        return Use(station.name, limit, 0.0, 0.0, demand / station.capacity[0])
    speeds = np.concatenate(([0.0], station.capacity)) / demand
    chain = birth_death_open(rate, speeds)
    if chain is None:
        return Use(station.name, limit, 1.0, None, None)
    return Use(station.name, limit, share, chain.number, chain.response)
