"""The means of many intervals from few solutions: solved at steps of load, joined by cubics.

Steps are fixed (0.05, 0.10, ...), so an interval gets the same means whichever others are made.
Below the first step, and beside one that has no balance, the load itself is solved, rounded to a
thousandth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from imsperf.errors import ScenarioError
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.interval_mode.mean_parts import Means, joined

STEP = 0.05
FINEST = 1000  # parts of load 1 that are told apart where the load itself is solved


class Table:
    """Means at any load from a function that solves one load; every load is solved once."""

    def __init__(self, solve: Callable[[float], Means[float]]) -> None:
        self._solve = solve
        self._steps: dict[int, Means[float] | None] = {}
        self._exact: dict[int, Means[float]] = {}

    def at(self, load: F64) -> Means[F64]:
        """The means of n loads. Errors: ScenarioError, no balance."""
        low = np.floor(load / STEP + 1e-9).astype(np.int64)
        cells = np.unique(low).tolist()
        rows = [np.flatnonzero(low == cell) for cell in cells]
        parts = [self._within(cell, load[here]) for cell, here in zip(cells, rows, strict=True)]
        order = np.argsort(np.concatenate(rows))
        means: Means[F64] = joined(parts, lambda values: np.concatenate(values)[order])
        return replace(means, load=load)

    def _within(self, cell: int, load: F64) -> Means[F64]:
        """Of loads between two steps."""
        around = self._cell(cell)
        if around is None:
            exact = [self._itself(one) for one in load.tolist()]
            means: Means[F64] = joined(exact, np.array)
            return means
        return _cubic(around, load / STEP - cell)

    def _cell(self, cell: int) -> list[Means[float]] | None:
        """The two steps around and those beside them; None where one is missing.

        What would stand before the first step is the parabola's through the next three.
        """
        if cell < 1:
            return None
        known = [one for n in range(-1, 3) if cell + n and (one := self._step(cell + n))]
        if cell == 1 and len(known) == 3:
            known.insert(0, joined(known, lambda v: np.asarray(3 * v[0] - 3 * v[1] + v[2])))
        return known if len(known) == 4 else None

    def _step(self, number: int) -> Means[float] | None:
        if number not in self._steps:
            try:
                self._steps[number] = self._solve(number * STEP)
            except ScenarioError:
                self._steps[number] = None
        return self._steps[number]

    def _itself(self, load: float) -> Means[float]:
        place = max(round(load * FINEST), 1)
        if place not in self._exact:
            self._exact[place] = self._solve(place / FINEST)
        return self._exact[place]


def _cubic(around: list[Means[float]], share: F64) -> Means[F64]:
    """Catmull and Rom's cubic between the middle two, kept between them."""
    t = share
    weights = (
        -t / 2 + t * t - t * t * t / 2,
        1 - 5 * t * t / 2 + 3 * t * t * t / 2,
        t / 2 + 2 * t * t - 3 * t * t * t / 2,
        -t * t / 2 + t * t * t / 2,
    )

    def between(values: list[F64]) -> F64:
        shape = (len(t),) + (1,) * values[0].ndim
        cubic = sum(w.reshape(shape) * v for w, v in zip(weights, values, strict=True))
        low, high = np.minimum(values[1], values[2]), np.maximum(values[1], values[2])
        return np.asarray(np.clip(cubic, low, high))

    means: Means[F64] = joined(around, between)
    return means
