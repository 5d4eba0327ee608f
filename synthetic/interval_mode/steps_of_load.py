"""The means of many intervals from few solutions: solved at steps of load, joined by cubics.

Steps are fixed (0.05, 0.10, ...), so an interval gets the same means whichever others are made.
Below the first step, and beside one that has no balance, the load itself is solved, rounded to a
thousandth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.errors import ScenarioError
from imsperf.synthetic.interval_mode.mean_parts import Means

STEP = 0.05
FINEST = 1000  # parts of load 1 that are told apart where the load itself is solved

Floats = npt.NDArray[np.float64]


class Table:
    """Means at any load from a function that solves one load; every load is solved once."""

    def __init__(self, solve: Callable[[float], Means]) -> None:
        self._solve = solve
        self._steps: dict[int, Means | None] = {}
        self._exact: dict[int, Means] = {}

    def at(self, load: Floats) -> dict[str, Any]:
        """The means of n loads: names to (n, ...) arrays. Errors: ScenarioError, no balance."""
        low = np.floor(load / STEP + 1e-9).astype(np.int64)
        found: dict[str, Any] = {}
        for cell in np.unique(low).tolist():
            here = np.flatnonzero(low == cell)
            around = self._cell(cell)
            if around is None:
                rows = [self._itself(one) for one in load[here].tolist()]
                means = {name: np.array([row[name] for row in rows]) for name in rows[0]}
            else:
                means = _joined(around, load[here] / STEP - cell)
            for name, values in means.items():
                if name not in found:
                    found[name] = np.empty((len(load), *values.shape[1:]))
                found[name][here] = values
        return found

    def _cell(self, cell: int) -> list[Means] | None:
        """The two steps around and those beside them; None where one is missing.

        What would stand before the first step is the parabola's through the next three.
        """
        if cell < 1:
            return None
        found = [one for n in range(-1, 3) if cell + n and (one := self._step(cell + n))]
        if cell == 1 and len(found) == 3:
            a, b, c = found
            found.insert(0, {name: 3 * a[name] - 3 * b[name] + c[name] for name in a})
        return found if len(found) == 4 else None

    def _step(self, number: int) -> Means | None:
        if number not in self._steps:
            try:
                self._steps[number] = self._solve(number * STEP)
            except ScenarioError:
                self._steps[number] = None
        return self._steps[number]

    def _itself(self, load: float) -> Means:
        place = max(round(load * FINEST), 1)
        if place not in self._exact:
            self._exact[place] = self._solve(place / FINEST)
        return self._exact[place]


def _joined(around: list[Means], share: Floats) -> dict[str, Floats]:
    """Catmull and Rom's cubic between the middle two, kept between them."""
    t = share
    weights = (
        -t / 2 + t * t - t * t * t / 2,
        1 - 5 * t * t / 2 + 3 * t * t * t / 2,
        t / 2 + 2 * t * t - 3 * t * t * t / 2,
        -t * t / 2 + t * t * t / 2,
    )
    found: dict[str, Floats] = {}
    for name in around[0]:
        values = [np.asarray(one[name], np.float64) for one in around]
        shape = (len(t),) + (1,) * values[0].ndim
        cubic = sum(w.reshape(shape) * v for w, v in zip(weights, values, strict=True))
        low, high = np.minimum(values[1], values[2]), np.maximum(values[1], values[2])
        found[name] = np.clip(cubic, low, high)
    return found
