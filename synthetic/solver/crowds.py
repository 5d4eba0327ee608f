"""Waits for processors of those who go on at once: released by a log write, or by the XCF gate.

For one kind of work on its processors, at a known rate. A log write: releases.py. The gate:
gate_releases.py, which is told here what a transaction does between its messages. Times in
microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.devices import group_commit
from imsperf.synthetic.solver.gate_releases import Crowds, Path, gate_waits
from imsperf.synthetic.solver.steps import Terms

Floats = NDArray[np.float64]
S = TypeVar("S", bound=m.Step)
AFTER_WRITES = "log_releases"  # names of the waits
AFTER_GATE = "xcf_releases"


def with_crowds(found: Terms, waits: Mapping[str, Floats]) -> Terms:
    """The terms with these waits, by name and place [outside, ims, region]."""
    for name, at in waits.items():
        for place, us in zip(m.PLACES, at, strict=True):
            if us > 0:
                found.wait(name, place, float(us))
    return found


def crowd_waits(
    model: m.Model, work: m.Work, rate: float, found: Terms, behind: float = 0.0
) -> dict[str, Floats]:
    """Extra waits by name and place; those that are nothing are left out.

    `behind`: share of the transactions that wait for the region which a log write sets free.
    """
    waits = {
        AFTER_WRITES: _after_writes(model, work, rate, found, behind),
        AFTER_GATE: _after_gate(model, work, rate, found),
    }
    return {name: at for name, at in waits.items() if at.any()}


def _after_writes(model: m.Model, work: m.Work, rate: float, found: Terms, behind: float) -> Floats:
    write = _step(work, m.LogWrite)
    if write is None or write.place == "none":
        return np.zeros(3)
    from imsperf.synthetic.solver.releases import release_waits  # numba: not before it is needed

    behind *= write.place == "region"
    cpus, cpu = model.cpus_of(work), _used(model, work, found)
    waits = release_waits(rate, cpu, cpus.cps, write.write_us, write.cv, behind)
    return np.maximum(waits, _returns(model, work, found, write))


def _returns(model: m.Model, work: m.Work, found: Terms, write: m.LogWrite) -> Floats:
    """Clients who soon come back, each of whom has a region, by the CPU time of each place."""
    cpu = _used(model, work, found)
    if work.is_open or not cpu.any() or (work.pool and work.pool.size < work.clients):
        return np.zeros(3)
    from imsperf.synthetic.solver.returns import return_wait

    delay = float((found.delay - found.delays.get(write.name, np.zeros(3))).sum())
    cycle = (work.think_us, float(cpu.sum()), delay)
    more = return_wait(work.clients, cycle, model.cpus_of(work).cps, (write.write_us, write.cv))
    return np.asarray(more / cpu.sum() * cpu)


def _used(model: m.Model, work: m.Work, found: Terms) -> Floats:
    """CPU by place, longer as fixed work takes its part of the processors."""
    cpus = model.cpus_of(work)
    return np.asarray(found.cpu / (1 - cpus.fixed_us_per_s / 1e6 / cpus.cps))


def _step(work: m.Work, kind: type[S]) -> S | None:
    return next((one for one in work.steps if isinstance(one, kind)), None)


def _after_gate(model: m.Model, work: m.Work, rate: float, found: Terms) -> Floats:
    gate = _step(work, m.Gate)
    held = None if gate is None else found.delays.get(gate.name)
    if gate is None or held is None:
        return np.zeros(3)
    cpus, ios, write = model.cpus_of(work), _step(work, m.Ios), _step(work, m.LogWrite)
    reading, logging = _inside(found, ios), _inside(found, write)
    between = Between(
        _used(model, work, found),
        cpus.turn_us * found.growth,
        cpus.cps,
        ios.reads if ios is not None else 0.0,
        reading,
        None if write is None or write.place == "none" else write,
        logging,
        max(float(found.delay[1:].sum()) - reading - logging, 0.0),
    )
    return behind_gate(gate, rate, float(held.sum()), work.clients, work.think_us, between)


@dataclass(frozen=True)
class Between:
    """What a transaction does between its messages.

    `cpu` by place [outside, ims, region]; `reading` and `logging`: all database reads, and the wait
    for the log write; `rest`: all other delays.
    """

    cpu: Floats
    turn: float
    servers: int
    reads: float
    reading: float
    write: m.LogWrite | None
    logging: float
    rest: float


def behind_gate(
    gate: m.Gate, rate: float, wait: float, clients: int, think: float, between: Between
) -> Floats:
    """Extra waits by place behind a gate where a mean message waits `wait`; clients 0: open."""
    path, delays = _path(between)
    cycle, each = 1 / rate, np.inf
    if clients:
        cycle, each = clients / rate - wait, clients / gate.members
    variance = think**2 + float((path.cpu**2).sum()) + delays
    extra, seen = gate_waits(
        Crowds(
            gate.members,
            gate.quota,
            gate.window_us,
            rate / gate.members,
            rate * wait / gate.members,
            each,
            cycle,
            min(variance**0.5 / cycle, 1.0),
        ),
        path,
    )
    write = between.write
    if write is not None:  # it is more often under way
        more = group_commit(seen, write.write_us, write.cv).wait
        extra[m.PLACES.index(write.place)] += (
            more - group_commit(rate, write.write_us, write.cv).wait
        )
    return extra


def _path(between: Between) -> tuple[Path, float]:
    """Its delays in stages, and their variance: reads, the log write, all else exponential."""
    reading, logging, rest = between.reading, between.logging, between.rest
    chance = min(between.reads, 1.0) if reading > 0 else 0.0
    io = np.array([chance, *[reading / chance / 2 if chance else rest] * 2])
    later, variance = np.array([rest]), rest**2
    if chance:
        variance += reading**2 * (1.5 / chance - 1)
    if between.write is not None and logging > 0:
        stages = _log_stages(between.write.cv)
        later = np.append(later, np.full(stages, logging / stages))
        variance += logging**2 / stages
    return Path(between.cpu[[0, 2, 1]], between.turn, between.servers, io, later), variance


def _inside(found: Terms, step: m.Step | None) -> float:
    """Delay of a step inside the response."""
    at = None if step is None else found.delays.get(step.name)
    return 0.0 if at is None else float(at[1:].sum())


def _log_stages(cv: float) -> int:
    """Erlang stages of the rest of one write and the whole of the next, by their variance.

    The rest has mean w (1 + cv^2) / 2 and second moment w^2 (1 + cv^2) (1 + 2 cv^2) / 3 (gamma).
    """
    rest = (1 + cv**2) / 2
    variance = cv**2 + (1 + cv**2) * (1 + 2 * cv**2) / 3 - rest**2
    return max(round((1 + rest) ** 2 / variance), 1)
