"""CPU time that TCBs do, in address spaces whose other work can use all processors.

A transaction runs its serial CPU time on one of so many TCBs (QR of a CICS region), where it may
have to wait for another, then the rest anywhere; all that run share the processors. Both together
are one server whose speed depends on how many are there (flow equivalence): for each number a chain
over those who run elsewhere, the others at the TCBs, k of them on `tcbs` k / (k + tcbs - 1), as
random queues divide. The number changes slowly against what happens within it, above all where the
processors are nearly full. Sources: model.md 3.3 (structure); Lazowska et al. chapter 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.pooled import (
    EDGE,
    Point,
    closed_point,
    falling_root,
    point,
    weights_of,
)
from imsperf.synthetic.solver.queueing import birth_death, birth_death_open
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.solver.servers import Balance, Server, needs_of
from imsperf.synthetic.solver.steps import Terms

EXACT = 32  # up to so many, each number; then some, and between them in proportion
MOST = 1000
POINTS = 16
CLOSE = 1e-7
ENOUGH = 1 - 1e-6  # of the highest speed


@dataclass(frozen=True)
class Flow:
    """With 0, 1 ... transactions that run or wait: what comes out, and who is where."""

    rates: F64
    at_tcbs: F64  # waiting or running there
    held: F64  # TCBs with a burst, running or waiting for a processor


def flow(serial: float, free: float, tcbs: int, speeds: Sequence[float], most: int) -> Flow:
    """0 to `most` transactions with `serial` CPU time at one of `tcbs` and `free` elsewhere.

    `speeds` of the processors with 1, 2 ... bursts.
    """
    most = min(most, MOST)
    few = np.arange(1, min(EXACT, most) + 1)
    some = np.geomspace(EXACT, most, POINTS).astype(int) if most > EXACT else few
    total = np.unique(np.concatenate((few, some)))
    size = total + 1  # 0 ... all of them elsewhere; the chains one after the other
    first = np.cumsum(size) - size
    c = np.arange(size.sum()) - np.repeat(first, size)
    there = np.repeat(total, size) - c
    held = tcbs * there / np.maximum(there + tcbs - 1, 1)
    each = _share(held + c, speeds)
    out = held * each / serial
    back = c * each / max(free, 1e-9 * serial)
    rises = np.zeros(len(c))
    rises[1:] = np.log(np.maximum(out[:-1], 1e-300) / np.maximum(back[1:], 1e-300))
    rises[first] = 0.0
    logs = np.cumsum(rises)
    chances = np.exp(logs - np.repeat(np.maximum.reduceat(logs, first), size))
    totals = np.add.reduceat(chances, first)
    known = [np.add.reduceat(chances * one, first) / totals for one in (out, there, held)]
    n = np.arange(most + 1)
    at = np.concatenate(([0], total))
    return Flow(*(np.interp(n, at, np.concatenate(([0.0], one))) for one in known))


def _share(running: F64, speeds: Sequence[float]) -> F64:
    """Speed of each of so many bursts, which need not be a whole number."""
    known = np.concatenate(([0.0], speeds))
    return np.asarray(
        np.interp(running, np.arange(len(known)), known) / np.maximum(running, 1e-300)
    )


def behind_tcbs(
    work: m.Work,
    rate: float,
    terms: Terms,
    servers: dict[str, Server],
    speeds: Sequence[float],
    guess: float | None = None,
) -> Balance:
    """The balance of a work with a part that TCBs do; `rate`: see `needs_of`.

    `speeds` of the processors with 1, 2 ... of its bursts there; `guess` of the share of those
    there who are at TCBs, where the search begins.
    """
    (name,) = terms.serial
    tcb, processors = servers[name], servers[work.cpu]
    inner = flow(tcb.demand, processors.demand, tcb.station.servers, speeds, work.clients or MOST)
    station = _together(processors, tcb, inner)
    rest = {key: value for key, value in servers.items() if key not in (name, work.cpu)}
    held, solved = 0.0, Balance(work, terms, servers, Point(0.0, np.zeros((0, 2))))
    free: Point | None = None

    def excess(there: float) -> float:
        nonlocal held, solved, free
        at = _by_place(processors) * (1 - there) + _by_place(tcb) * there
        both = {work.cpu: Server(at * station.demand, station), **rest}
        stations = tuple(each.station for each in both.values())
        needs = needs_of(work, rate, terms, both, stations)
        free = free or (closed_point(needs) if work.clients else None)
        balance = point(needs, free)
        solved = Balance(work, terms, both, balance)
        chances = _chances(work, balance, both[work.cpu], inner)
        held = float(chances @ inner.held)
        return float(chances @ inner.at_tcbs / (chances @ np.arange(len(chances)))) - there

    there = falling_root(excess, guess or tcb.demand / station.demand, CLOSE)
    return _divided(solved, servers, there, held)


def _by_place(server: Server) -> F64:
    return server.at / max(server.demand, 1e-300)


def _together(server: Server, tcb: Server, inner: Flow) -> Station:
    """Processors and TCBs as one station."""
    demand = server.demand + tcb.demand
    top = min(tcb.station.limit / tcb.demand, server.station.limit / demand)
    rates = inner.rates[1:]
    rising = rates[: int(np.searchsorted(rates, top * ENOUGH)) + 1]
    speeds = np.append(rising, top) * demand
    return replace(server.station, demand=demand, speeds=tuple(speeds.tolist()))


def _chances(work: m.Work, point: Point, server: Server, inner: Flow) -> F64:
    """Of 0, 1 ... transactions there."""
    last = len(inner.rates) - 1
    if not work.clients:
        chain = birth_death_open(point.rate * EDGE, inner.rates)
        return weights_of(chain, last) if chain else np.eye(last + 1)[last]
    away = work.clients / point.rate - float(server.times(point.stretch[0]).sum())
    return weights_of(birth_death(work.clients, away, inner.rates), last)


def _divided(balance: Balance, servers: dict[str, Server], there: float, held: float) -> Balance:
    """The balance with the time at both divided again: `there` of it at TCBs, `held` are busy."""
    work, point = balance.work, balance.point
    (name,) = balance.terms.serial
    processors, tcb = servers[work.cpu], servers[name]
    times = balance.servers[work.cpu].times(point.stretch[0])
    at_tcbs = there * float(times.sum())
    free = times - _by_place(tcb) * at_tcbs
    slower = max(held / (point.rate * tcb.demand), 1.0)
    rows = dict(zip(balance.servers, point.stretch, strict=True))
    outside = float(free[:2].sum()) / max(float(processors.at[:2].sum()), 1e-300)
    rows[work.cpu] = np.array([outside, float(free[2]) / max(float(processors.at[2]), 1e-300)])
    rows[name] = np.full(2, at_tcbs / tcb.demand / slower)
    divided = servers | {name: tcb.slower(slower)}
    full = point.full
    if full == work.cpu and tcb.station.limit / tcb.demand < point.rate * (1 + 1e-6):
        full = name
    now = replace(point, stretch=np.array([rows[key] for key in divided]), full=full)
    return Balance(work, balance.terms, divided, now, there)
