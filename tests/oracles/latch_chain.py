"""A reader/writer latch served first come first served, exactly: the check of devices.latch.

State: readers who hold it, or one writer, and how many wait. Who waits behind the first is a reader
with the chance of any arrival, so the order of the queue need not be kept. When the first to wait
is let in, readers go in together until the next writer. Exponential holds. Exact but some ten
milliseconds; devices.latch is a formula (microseconds, wait within 10 %) for use in iterations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

MOST = 40_000  # states

Floats = NDArray[np.float64]
Indices = int | NDArray[np.int64]


@dataclass(frozen=True)
class LatchBalance:
    """Chances of both kinds of callers to wait, and the mean wait over all callers."""

    shared_contention: float
    exclusive_contention: float
    wait: float


def latch_chain(
    shared_rate: float, shared_hold: float, exclusive_rate: float, exclusive_hold: float
) -> LatchBalance:
    """Contentions and mean wait of callers whom the latch can serve.

    Rates and holds in one unit of time, above 0. The wait includes that for readers to leave.
    """
    load = _saturation(shared_rate, shared_hold, exclusive_rate, exclusive_hold)
    assert load < 1
    readers = int(shared_rate * shared_hold + 9 * (shared_rate * shared_hold) ** 0.5 + 14)
    waiting = int(min(30 / -np.log(load) + 3 * readers, MOST / (readers + 2)))
    return _solved(shared_rate, shared_hold, exclusive_rate, exclusive_hold, readers, waiting)


def _saturation(ls: float, hs: float, lx: float, hx: float) -> float:
    """Share of the time that all callers need when somebody always waits.

    Between two writers come k readers with a geometric chance; their holds overlap, the longest of
    k lasts hs x (1 + 1/2 + ... + 1/k).
    """
    p = ls / (ls + lx)
    longest = hs * -np.log1p(-p)  # sum over k of p^k / k: mean of the harmonic sums
    return float(lx * (hx + longest))


def _solved(ls: float, hs: float, lx: float, hx: float, most: int, waiting: int) -> LatchBalance:
    """States [0 = writer, 1 + r = r readers][w waiting]; idle is r = 0, w = 0."""
    size = waiting + 1
    moves = _Moves((most + 2) * size)
    reader = ls / (ls + lx)
    w = np.arange(size)
    moves.add(w[:-1], w[:-1] + 1, ls + lx)  # behind a writer all wait
    for n in range(size):
        _let_in(moves, n, n, 1 / hx, reader, most, size)
    for r in range(most + 1):
        base = (1 + r) * size
        if r < most:
            moves.add(base, base + size, ls)
        if r == 0:
            moves.add(base, 0, lx)
            moves.add(base + w[1:], base, 1.0)  # nobody waits for a free latch: never entered
            continue
        moves.add(base, base + 1, lx)
        moves.add(base + w[1:-1], base + w[1:-1] + 1, ls + lx)
        if r > 1:
            moves.add(base + w, base - size + w, r / hs)
        else:
            moves.add(base, size, 1 / hs)
            moves.add(base + w[1:], w[1:] - 1, 1 / hs)  # the first to wait is a writer
    chances = moves.stationary().reshape(most + 2, size)
    free = float(chances[1, 0])
    held_by_readers = float(chances[2:, 0].sum())
    shared = 1 - free - held_by_readers
    total = float(chances.sum(axis=0) @ w)
    wait = total / (ls + lx)
    return LatchBalance(shared, 1 - free, wait)


class _Moves:
    """Rates between states, gathered."""

    def __init__(self, states: int) -> None:
        self.states = states
        self.parts: list[tuple[NDArray[np.int64], NDArray[np.int64], Floats]] = []

    def add(self, start: Indices, end: Indices, rate: float) -> None:
        """From state(s) to state(s)."""
        a, b = np.broadcast_arrays(np.atleast_1d(start), np.atleast_1d(end))
        self.parts.append((a, b, np.full(len(a), rate)))

    def stationary(self) -> Floats:
        """Chances of all states."""
        start, end, rate = (np.concatenate(part) for part in zip(*self.parts, strict=True))
        out = np.bincount(start, rate, self.states)
        places = np.arange(self.states)
        rows, columns = np.concatenate((end, places)), np.concatenate((start, places))
        system = coo_array((np.concatenate((rate, -out)), (rows, columns))).tocsc()
        balance = np.ones(self.states)  # the first state stands for the scale
        first = -np.asarray(system[1:, [0]].todense()).ravel()
        balance[1:] = np.maximum(spsolve(system[1:, 1:], first), 0.0)
        return np.asarray(balance / balance.sum())


def _let_in(
    moves: _Moves, state: int, waiting: int, rate: float, reader: float, most: int, size: int
) -> None:
    """The writer of `state` ends with so many waiting: readers up to the next writer go in."""
    k = np.arange(waiting + 1)
    chances = reader**k * (1 - reader)
    chances[-1] = reader**waiting
    left = waiting - k
    ends = (1 + np.minimum(k, most)) * size + left
    if waiting:
        ends[0] = waiting - 1  # the first is a writer himself
    for end, chance in zip(ends, chances, strict=True):
        moves.add(state, int(end), rate * float(chance))
