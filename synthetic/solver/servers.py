"""From the terms of a work to the servers of its network: demands by place, speeds, limits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.devices import smt_speeds
from imsperf.synthetic.solver.flow import Needs, Point
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.solver.steps import Terms

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Server:
    """A station of one work: its demand by place [outside, ims, region], microseconds."""

    at: Floats
    station: Station  # as if nobody else were there; demand is the sum of `at`
    slowed: float = 1.0  # factor that is in both, for the time a TCB waits for a processor

    @property
    def demand(self) -> float:
        """Of one transaction, all places."""
        return self.station.demand

    def times(self, stretch: Floats) -> Floats:
        """Residence by place, of a stretch outside and inside a region."""
        return np.asarray(self.at * stretch[[0, 0, 1]])

    def slower(self, factor: float) -> Server:
        """The same work at a lower speed."""
        longer = replace(self.station, demand=self.demand * factor)
        return Server(self.at * factor, longer, self.slowed * factor)


@dataclass(frozen=True)
class Found:
    """The balance of one work: what it needs, from which servers, and what came out."""

    work: m.Work
    terms: Terms
    servers: dict[str, Server]  # in the order of point.stretch, the processors first
    point: Point
    at_tcbs: float | None = None  # share of those who want a processor or TCB that are at TCBs


def servers_of(model: m.Model, work: m.Work, found: Terms) -> dict[str, Server]:
    """The servers by name: processors, TCBs, zIIPs, queues. Fixed CPU work slows the first two."""
    cpus = model.cpus_of(work)
    share = 1 / (1 - cpus.fixed_us_per_s / 1e6 / cpus.cps)
    serial = sum(found.serial.values(), np.zeros(3))
    made = {cpus.name: _server(cpus.name, (found.cpu - serial) * share, cpus.cps)}
    for name, part in found.serial.items():
        made[name] = _server(name, part * share, found.tcbs[name])
    if found.ziip.sum() > 0:
        speeds = smt_speeds(cpus.ziips, cpus.threads, cpus.smt)
        name = f"ziip_{cpus.name}"
        made[name] = _server(name, found.ziip, cpus.ziips, speeds)
    for name, (at, servers) in found.queues.items():
        made[name] = _server(name, at, servers)
    return made


def _server(name: str, at: Floats, servers: int, speeds: tuple[float, ...] = ()) -> Server:
    return Server(at, Station(name, float(at.sum()), servers, speeds))


def needs_of(
    work: m.Work,
    rate: float,
    found: Terms,
    servers: dict[str, Server],
    stations: tuple[Station, ...],
) -> Needs:
    """The network of a work; `rate`: of open arrivals, or what is expected of closed work."""
    inside = [one.at[2] / one.demand if one.demand > 0 else 0.0 for one in servers.values()]
    delay = found.delay
    return Needs(
        stations,
        np.array(inside),
        region_delay=float(delay[2]),
        other_delay=float(delay[:2].sum()),
        clients=work.clients,
        think=work.think_us,
        rate=rate if work.is_open else 0.0,
        regions=work.pool.size if work.pool else 0,
        expected=0.0 if work.is_open else rate,
    )
