"""From the terms of a work to the servers of its network: demands by place, speeds, limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.devices import GroupCommit, smt_speeds
from imsperf.synthetic.solver.pooled import Needs, Point
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.solver.steps import Terms

LOG_RELEASES = "log_releases"  # name of the waits after log writes


@dataclass(frozen=True)
class Server:
    """A station of one work: its demand by place [outside, ims, region], microseconds."""

    at: F64
    station: Station  # as if nobody else were there; demand is the sum of `at`
    slowed: float = 1.0  # factor that is in both, for the time a TCB waits for a processor

    @property
    def demand(self) -> float:
        """Of one transaction, all places."""
        return self.station.demand

    def times(self, stretch: F64) -> F64:
        """Residence by place, of a stretch outside and inside a region."""
        return np.asarray(self.at * stretch[[0, 0, 1]])

    def slower(self, factor: float) -> Server:
        """The same work at a lower speed."""
        longer = replace(self.station, demand=self.demand * factor)
        return Server(self.at * factor, longer, self.slowed * factor)


@dataclass(frozen=True)
class Balance:
    """The balance of one work: what it needs, from which servers, and what came out.

    Times are microseconds of a mean transaction; arrays are by place [outside, ims, region].
    """

    work: m.Work
    terms: Terms
    servers: dict[str, Server]  # in the order of point.stretch, the processors first
    point: Point
    at_tcbs: float | None = None  # share of those who want a processor or TCB that are at TCBs

    @property
    def rate_per_s(self) -> float:
        """Transactions a second."""
        return self.point.rate * 1e6

    @property
    def full(self) -> str:
        """What open arrivals saturate; empty: nothing."""
        if self.terms.full or not self.point.saturated:
            return self.terms.full
        return "regions" if self.point.full == "pool" else self.point.full

    @property
    def residence_us(self) -> dict[str, F64]:
        """At each server by name, with the waits there."""
        stretch = zip(self.servers.items(), self.point.stretch, strict=True)
        return {name: server.times(factor) for (name, server), factor in stretch}

    @property
    def gate_us(self) -> float:
        """Held by XCF, before all else."""
        return self._delays([step.name for step in self.work.steps if isinstance(step, m.Gate)])

    @property
    def queue_us(self) -> float:
        """Wait for a region, those of its kind included."""
        return self.point.pool_wait + self._delays(self._kinds)

    @property
    def times_us(self) -> F64:
        """All time but that at the gate and in the queue for a region."""
        gates = {step.name for step in self.work.steps if isinstance(step, m.Gate)}
        apart = gates | set(self._kinds)
        delays = [at for name, at in self.terms.delays.items() if name not in apart]
        return np.asarray(sum([*self.residence_us.values(), *delays], np.zeros(3)))

    @property
    def response_us(self) -> float | None:
        """From the message in the queue to its answer; None: saturated, it would grow for ever."""
        times = self.times_us
        return None if self.point.saturated else self.queue_us + float(times[1] + times[2])

    @property
    def check_write_us(self) -> float:
        """Wait for the log write of a sync point, whoever waits for it."""
        write = self.terms.device(GroupCommit)
        return 0.0 if write is None else write.wait

    @property
    def cpu_us(self) -> F64:
        """CPU on general CPs, growth and what spills from zIIPs included."""
        return self.terms.cpu

    @property
    def cpu_time_us(self) -> F64:
        """CPU on general CPs with the waits for one, on account of fixed work and releases too."""
        at_cpu = self.residence_us[self.work.cpu] + self._held_tcbs
        return np.asarray(at_cpu + self.terms.delays.get(LOG_RELEASES, np.zeros(3)))

    @property
    def cpu_wait_us(self) -> float:
        """Wait for a CP, all places."""
        return float((self.cpu_time_us - self.terms.cpu).sum())

    @property
    def ziip_us(self) -> F64:
        """On zIIPs, with the wait for one."""
        name = f"ziip_{self.work.cpu}"
        return self.residence_us.get(name, self.terms.delays.get(name, np.zeros(3)))

    @property
    def tcb_us(self) -> float:
        """At a TCB, with the wait for it."""
        return sum(float(self.residence_us[name].sum()) for name in self.terms.serial)

    @property
    def tcb_wait_us(self) -> float:
        """Of it, the wait."""
        return self.tcb_us - float(self._held_tcbs.sum())

    @property
    def _held_tcbs(self) -> F64:
        return np.asarray(sum((self.servers[name].at for name in self.terms.serial), np.zeros(3)))

    @property
    def _kinds(self) -> list[str]:
        return [kind.name for kind in self.work.pool.kinds] if self.work.pool else []

    def _delays(self, names: Iterable[str]) -> float:
        delays = self.terms.delays
        return sum(float(delays[name].sum()) for name in names if name in delays)


def servers_of(work: m.Work, sums: Terms) -> dict[str, Server]:
    """The servers by name: processors, TCBs, zIIPs, queues. Fixed CPU work slows the first two."""
    cpus = work.cpus
    share = 1 / (1 - cpus.fixed_us_per_s / 1e6 / cpus.cps)
    serial = sum(sums.serial.values(), np.zeros(3))
    made = {work.cpu: _server(work.cpu, (sums.cpu - serial) * share, cpus.cps)}
    for name, part in sums.serial.items():
        made[name] = _server(name, part * share, sums.tcbs[name])
    if sums.ziip.sum() > 0:
        speeds = smt_speeds(cpus.ziips, cpus.ziip_threads, cpus.ziip_smt)
        name = f"ziip_{work.cpu}"
        made[name] = _server(name, sums.ziip, cpus.ziips, speeds)
    for name, (at, servers) in sums.queues.items():
        made[name] = _server(name, at, servers)
    return made


def _server(name: str, at: F64, servers: int, speeds: tuple[float, ...] = ()) -> Server:
    return Server(at, Station(name, float(at.sum()), servers, speeds))


def needs_of(
    work: m.Work,
    rate: float,
    sums: Terms,
    servers: dict[str, Server],
    stations: tuple[Station, ...],
) -> Needs:
    """The network of a work; `rate`: of open arrivals, or what is expected of closed work."""
    inside = [
        server.at[2] / server.demand if server.demand > 0 else 0.0 for server in servers.values()
    ]
    delay = sums.delay
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
