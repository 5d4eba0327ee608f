"""Several works solved as one network, where that is possible: product forms and priorities.

All works closed (or all open), no pool that ever fills, servers shared evenly: classes.py. Works of
different priorities that use nothing but processors and delays: priority.py (two exact, the lowest
of more within 4 %). The waits of other
devices follow from the rates, so both are repeated until the rates stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.classes import multiclass
from imsperf.synthetic.solver.flow import Point
from imsperf.synthetic.solver.priority import priority_network
from imsperf.synthetic.solver.result import Class, Results, Station
from imsperf.synthetic.solver.servers import Found, Server, servers_of
from imsperf.synthetic.solver.steps import Terms, terms

ROUNDS = 60
NEAR = 1e-3  # change of a rate from which on it is known whether a pool fills
FREE = 5.0  # standard deviations of the regions busy that must be free for a pool to be ignored


def as_whole(model: m.Model, rates: dict[str, float], found: dict[str, Found]) -> str:
    """Fill `rates` and `found` and say by which method; empty where it cannot be done."""
    ranked = _ranked(model)
    if not _fits(model, ranked=ranked):
        return ""
    method = ""
    for _ in range(ROUNDS):
        needed = {work.name: terms(model, work, rates) for work in model.work}
        if any(one.full for one in needed.values()):
            return ""
        servers = {work.name: servers_of(model, work, needed[work.name]) for work in model.work}
        whole = _solve(model, needed, servers, ranked=ranked)
        if whole.saturated:
            return ""
        before = dict(rates)
        for work, one in zip(_ordered(model), whole.classes, strict=True):
            rates[work.name] = one.rate
        moved = max(abs(rates[name] / before[name] - 1) for name in rates)
        if moved < 1e-8 or not _depends(model):
            method = whole.method
            break
        near = moved < NEAR and {
            work.name: _found(work, needed[work.name], servers[work.name], whole)
            for work in model.work
        }
        if near and not all(_pool_is_free(one) for one in near.values()):
            return ""  # not worth the rounds that are left
    if not method:
        return ""
    for work in model.work:
        found[work.name] = _found(work, needed[work.name], servers[work.name], whole)
    return method if all(_pool_is_free(one) for one in found.values()) else ""


def apart(model: m.Model) -> bool:
    """Whether the works, all closed, meet only at devices whose wait follows from all rates."""
    names = [one.cpu for one in model.work]
    names += [s.name for one in model.work for s in one.steps if isinstance(s, m.Queue | m.Serial)]
    return len(set(names)) == len(names) and not any(one.is_open for one in model.work)


def _ranked(model: m.Model) -> bool:
    """Whether works of different priority share processors."""
    kinds = {(work.cpu, work.priority) for work in model.work}
    return len(kinds) > len({work.cpu for work in model.work})


def _fits(model: m.Model, *, ranked: bool) -> bool:
    steps = [step for work in model.work for step in work.steps]
    if any(isinstance(step, m.Serial) for step in steps):
        return False
    if not ranked:
        return len({work.is_open for work in model.work}) == 1
    each = len({work.priority for work in model.work}) == len(model.work)
    queues = any(isinstance(step, m.Queue) for step in steps)
    one = len({work.cpu for work in model.work}) == 1
    moved = any(isinstance(s, m.Burst) and s.eligible > 0 for s in steps)
    moved = moved and model.cpus[0].ziips > 0
    return each and one and not queues and not moved


def _depends(model: m.Model) -> bool:
    """Whether any wait or CPU time follows from the rates."""
    fixed = m.Burst | m.Delay | m.Queue | m.Scheduling
    steps = [step for work in model.work for step in work.steps]
    plain = all(isinstance(step, fixed) for step in steps)
    grows = any(cpus.growth > 0 or cpus.ziips > 0 for cpus in model.cpus)
    return grows or not plain


def _ordered(model: m.Model) -> list[m.Work]:
    """Highest priority first."""
    return sorted(model.work, key=lambda one: one.priority)


def _solve(
    model: m.Model,
    needed: dict[str, Terms],
    servers: dict[str, dict[str, Server]],
    *,
    ranked: bool,
) -> Results:
    works = _ordered(model)
    names = dict.fromkeys(name for work in works for name in servers[work.name])
    delays = [float(needed[work.name].delay.sum()) for work in works]
    stations = [_station(name, works, servers) for name in names]
    if ranked:
        classes = [
            replace(_class(work), think=work.think_us + delay)
            for work, delay in zip(works, delays, strict=True)
        ]
        return priority_network(classes, stations[0])
    stations.append(Station("", tuple(delays), 0))
    return multiclass([_class(work) for work in works], stations)


def _class(work: m.Work) -> Class:
    return Class(work.name, work.clients, work.think_us, work.rate_per_s / 1e6)


def _station(name: str, works: Sequence[m.Work], servers: dict[str, dict[str, Server]]) -> Station:
    users = [servers[work.name].get(name) for work in works]
    first = next(one for one in users if one is not None).station
    return replace(first, demand=tuple(0.0 if one is None else one.demand for one in users))


def _found(work: m.Work, needed: Terms, servers: dict[str, Server], whole: Results) -> Found:
    one = whole.of(work.name)
    stretch = np.ones((len(servers), 2))
    region = float(needed.delay[2])
    for k, (name, server) in enumerate(servers.items()):
        time = one.station(name).residence
        if server.demand > 0 and time is not None:
            stretch[k] = time / server.demand
            region += float(server.at[2]) * float(stretch[k, 0])
    point = Point(one.rate, stretch, occupancy=region, regions_busy=one.rate * region)
    return Found(work, needed, servers, point)


def _pool_is_free(found: Found) -> bool:
    pool, busy = found.work.pool, found.point.regions_busy
    if pool is None or 0 < found.work.clients <= pool.size:
        return True
    return bool(busy + FREE * busy**0.5 + 1 < pool.size)
