"""A Markov chain of levels that only neighbours lead to, with some phases at each level.

Solved from the top: R_n = A_up(n - 1) [-A_in(n) - R_{n+1} A_down(n + 1)]^-1, then level by level
up. All terms that are subtracted stand on diagonals, so nothing is lost. Source: D. Gaver,
P. Jacobs, G. Latouche, Advances in Applied Probability 16 (1984), pages 715-731.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Moves = Callable[[int], Floats]


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
