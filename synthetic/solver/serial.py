"""Work that one TCB does, in an address space whose other work can use all processors.

A transaction runs its serial CPU time on the TCB (QR of a CICS region, a single-threaded server),
then the rest anywhere, and shares the processors with all that run (processor sharing). A chain
over those at the TCB and those who run elsewhere, exact for exponential bursts. Source of the
structure: model.md 3.3; of the solution: levels.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver.cpu_cost import serial_limit
from imsperf.synthetic.solver.levels import stationary
from imsperf.synthetic.solver.open import open_network
from imsperf.synthetic.solver.result import Result, Station, Use, require

Floats = NDArray[np.float64]
ELSEWHERE = 120  # most who are followed running elsewhere
AT_TCB = 2_000


@dataclass(frozen=True)
class _Work:
    serial: float
    free: float
    cps: int
    population: int
    think: float
    rate: float


def serial_tcb(
    serial: float,
    free: float,
    cps: int,
    *,
    population: int = 0,
    think: float = 0.0,
    rate: float = 0.0,
) -> Result:
    """One TCB with `serial` CPU time and `free` CPU time elsewhere, per transaction.

    Closed with `population` who think, or open at `rate`. Stations: tcb (wait and CPU of the serial
    part) and cpu (the rest; utilisation of all CPU). Saturated: the rate of `serial_limit`. At
    most 2,000 clients. Errors: ScenarioError.
    """
    require("serial and free CPU time", (serial, free), "both above 0", serial > 0 and free > 0)
    require("processors", cps, "1 or more", cps >= 1)
    either = (population > 0) != (rate > 0)
    require("population and rate", (population, rate), "one of the two", either)
    require("population", population, f"at most {AT_TCB}", population <= AT_TCB)
    limit, name = serial_limit(serial, serial + free, cps)
    if rate >= limit:
        return _full(serial, free, cps, limit, name)
    work = _Work(serial, free, cps, population, max(think, 1e-9 * serial), rate)
    return _solved(work, _levels_of(work, limit))


def _levels_of(work: _Work, limit: float) -> int:
    """Levels of the chain: all clients, or as many as open arrivals ever gather."""
    if work.population:
        return work.population + 1
    gathered = 34 / -np.log(work.rate / limit)
    return int(min(max(gathered * 1.5 + 40, 60), AT_TCB))


def _solved(work: _Work, levels: int) -> Result:
    phases = min(work.population or ELSEWHERE, _most_elsewhere(work)) + 1
    c = np.arange(phases)

    def come(n: int) -> Floats:
        if work.rate:
            return np.full(phases, work.rate)
        return np.maximum(work.population - n - c, 0) / work.think

    def share(n: int) -> Floats:
        return np.minimum(work.cps / np.maximum(c + (n > 0), 1), 1.0)

    def beside(n: int) -> Floats:
        return np.diag((c * share(n) / work.free)[1:], -1)

    def down(n: int) -> Floats:
        moves = np.diag((share(n) / work.serial)[:-1], 1)
        moves[-1, -1] = share(n)[-1] / work.serial  # nobody more is followed elsewhere
        return moves

    chances = stationary(levels, lambda n: np.diag(come(n)), beside, down)
    rate = work.rate
    if not rate:
        rate = float(sum(row @ come(n) for n, row in enumerate(chances)))
    there = float(chances.sum(axis=1) @ np.arange(levels))
    elsewhere = float(chances.sum(axis=0) @ c)
    held = float(1 - chances[0].sum())
    tcb = Use("tcb", 1.0, held, there, there / rate)
    used = rate * (work.serial + work.free) / work.cps
    cpu = Use("cpu", float(work.cps), min(used, 1.0), elsewhere, elsewhere / rate)
    return Result("", rate, (there + elsewhere) / rate, (tcb, cpu))


def _most_elsewhere(work: _Work) -> int:
    """More than so many never run elsewhere: the TCB sends them one at a time."""
    c = np.arange(1, ELSEWHERE + 1)
    leave = c * np.minimum(work.cps / (c + 1), 1.0) / work.free
    come = min(work.rate or 1 / work.serial, 1 / work.serial)
    logs = np.cumsum(np.log(come / leave))
    found = np.flatnonzero(logs - logs.max() < -32)
    after = found[found > int(logs.argmax())]
    return int(after[0]) + 1 if len(after) else ELSEWHERE


def _full(serial: float, free: float, cps: int, limit: float, name: str) -> Result:
    """More comes than the TCB or the processors do: who waits at the full one waits for ever."""
    used = min(limit * (serial + free) / cps, 1.0)
    rest = open_network(limit, [Station("cpu", serial + free, cps)]).stations[0].residence
    alone = None if rest is None or name == "cpu" else rest * free / (serial + free)
    tcb = Use("tcb", 1.0, min(limit * serial, 1.0), None, None)
    queue = None if alone is None else limit * alone
    return Result(
        "", limit, None, (tcb, Use("cpu", float(cps), used, queue, alone)), saturated=True
    )
