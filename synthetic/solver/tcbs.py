"""Transactions behind TCBs where the processors are full: who waits, waits at a TCB.

All CPU time is shared evenly, so the rate is that of the processors. A TCB runs one burst at a time
and has us of the D that a transaction uses: it keeps up only while at most D / us bursts are at the
processors. All others wait for a TCB, not for a processor.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.servers import Found, Server
from imsperf.synthetic.solver.steps import Terms

MOST_HELD = 0.999  # of the use of the processors, which are the bottleneck


def without_tcbs(work: m.Work, servers: dict[str, Server], found: Terms) -> dict[str, Server]:
    """The servers with all CPU time at the processors."""
    one = servers[work.cpu]
    at = one.at + sum(servers[name].at for name in found.serial)
    whole = replace(one, at=at, station=replace(one.station, demand=float(at.sum())))
    rest = {k: v for k, v in servers.items() if k != work.cpu and k not in found.serial}
    return {work.cpu: whole} | rest


def behind_tcbs(plain: Found, servers: dict[str, Server]) -> Found:
    """The balance of `without_tcbs`, its CPU time divided between processors, TCBs and the pool.

    Responses add up as before; what was a wait for a processor outside regions is one inside.
    """
    work, point = plain.work, plain.point
    rate, whole = point.rate, plain.servers[work.cpu]
    serial = {name: servers[name].demand for name in plain.terms.serial}
    row = dict(zip(plain.servers, point.stretch, strict=True))
    times = whole.times(row[work.cpu])
    longest = whole.demand / max(serial.values()) / (rate * whole.demand)
    shared = min(float(times.sum()) / whole.demand, longest)
    inward = float(times[:2].sum() - whole.at[:2].sum() * shared)
    occupancy = point.occupancy + inward
    most = work.pool.size / rate if work.pool else occupancy
    queued = max(occupancy - most, 0.0)
    at_tcb = float(times.sum()) - servers[work.cpu].demand * shared - queued
    total = sum(serial.values())
    row[work.cpu] = np.full(2, shared)
    made = dict(servers)
    most_held = MOST_HELD * rate * whole.demand / whole.station.limit
    for name, us in serial.items():
        held = max(min(shared, most_held / (rate * us)), 1.0)
        made[name] = servers[name].slower(held)
        row[name] = np.full(2, at_tcb / total / held)
    now = replace(
        point,
        stretch=np.array([row[name] for name in servers]),
        occupancy=occupancy - queued,
        pool_wait=point.pool_wait + queued,
        regions_busy=rate * (occupancy - queued),
    )
    return Found(work, plain.terms, made, now)
