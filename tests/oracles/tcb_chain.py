"""The exact chain of a serial TCB, the check of solver/tcbs.py.

A transaction runs its serial CPU time on the TCB (QR of a CICS region), then the rest anywhere, and
shares the processors with all that run (processor sharing). A Markov chain over those at the TCB
(the level, to which only neighbours lead) and those who run elsewhere (the phase), exact for
exponential bursts. Solved from the top: R_n = A_up(n - 1) [-A_in(n) - R_{n+1} A_down(n + 1)]^-1,
then level by level up; all terms that are subtracted stand on diagonals, so nothing is lost.
Source: D. Gaver, P. Jacobs, G. Latouche, Advances in Applied Probability 16 (1984), pages 715-731.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Moves = Callable[[int], Floats]
ELSEWHERE = 120  # most who are followed running elsewhere
AT_TCB = 2_000


@dataclass(frozen=True)
class TcbBalance:
    """Rate, response, time at the TCB (wait and CPU) of one transaction."""

    rate: float
    response: float
    at_tcb: float


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
) -> TcbBalance:
    """One TCB with `serial` CPU time and `free` CPU time elsewhere, per transaction.

    Closed with `population` (at most 2,000) who think, or open at a `rate` below the limit.
    """
    limit = min(1 / serial, cps / (serial + free))
    assert (population > 0) != (0 < rate < limit)
    work = _Work(serial, free, cps, population, max(think, 1e-9 * serial), rate)
    return _solved(work, _levels_of(work, limit))


def _levels_of(work: _Work, limit: float) -> int:
    """Levels of the chain: all clients, or as many as open arrivals ever gather."""
    if work.population:
        return work.population + 1
    gathered = 34 / -np.log(work.rate / limit)
    return int(min(max(gathered * 1.5 + 40, 60), AT_TCB))


def _solved(work: _Work, levels: int) -> TcbBalance:
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
    return TcbBalance(rate, (there + elsewhere) / rate, there / rate)


def _most_elsewhere(work: _Work) -> int:
    """More than so many never run elsewhere: the TCB sends them one at a time."""
    c = np.arange(1, ELSEWHERE + 1)
    leave = c * np.minimum(work.cps / (c + 1), 1.0) / work.free
    come = min(work.rate or 1 / work.serial, 1 / work.serial)
    logs = np.cumsum(np.log(come / leave))
    small = np.flatnonzero(logs - logs.max() < -32)
    after = small[small > int(logs.argmax())]
    return int(after[0]) + 1 if len(after) else ELSEWHERE


def stationary(levels: int, up: Moves, beside: Moves, down: Moves) -> Floats:
    """Chances [levels, phases]. Rates [phases, phases] from a level up, within it, and down.

    `up` of the last level and `down` of the first are not asked; diagonals of `beside` are ignored.
    """
    last = levels - 1
    ratios: list[Floats] = [np.empty(0)] * levels
    identity: Floats = np.eye(len(beside(0)))
    beyond: Floats = np.zeros(identity.shape)
    for n in range(last, 0, -1):
        kept = _kept(n, last, up, beside, down) - beyond
        ratios[n] = np.asarray(np.linalg.solve(kept.T, up(n - 1).T).T, np.float64)
        beyond = ratios[n] @ down(n)
    system = (_kept(0, last, up, beside, down) - beyond).T
    system[0] = 1.0
    rows = [np.maximum(np.linalg.solve(system, identity[0]), 0.0)]
    logs = np.zeros(levels)
    for n in range(1, levels):
        row = np.maximum(rows[-1] @ ratios[n], 0.0)
        total = max(float(row.sum()), 1e-300)
        logs[n] = logs[n - 1] + np.log(total)
        rows.append(row / total)
    weights = np.exp(logs - logs.max())
    chances = np.array(rows) * weights[:, None]
    return np.asarray(chances / chances.sum())


def _kept(n: int, last: int, up: Moves, beside: Moves, down: Moves) -> Floats:
    """Minus the rates within a level, all ways out on the diagonal."""
    moves = beside(n).copy()
    np.fill_diagonal(moves, 0.0)
    out = moves.sum(axis=1)
    if n < last:
        out = out + up(n).sum(axis=1)
    if n > 0:
        out = out + down(n).sum(axis=1)
    return np.asarray(np.diag(out) - moves)
