"""What one work sees of a server that others use too: a speed that depends on its own number.

Of equal rank: the others are sources that send a burst at a time, endless ones (open arrivals) or
finite ones (clients who come back). All are a product form, in which n own bursts are worked off at
A(n - 1) / A(n), A(n) = sum over h of (n + h)! / n! e(h) / (speed(1) ... speed(n + h)), e(h) the
weight of h others: a^h / h! or C(M, h) (demand / away)^h (F. Baskett et al., Journal of the ACM 22
(1975), pages 248-260). Exact where the others wait nowhere else. Above in rank: the mean speed that
they leave, taken as independent of one's own number; that is some percent too fast for those below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from imsperf.synthetic.solver.queueing import birth_death

Floats = NDArray[np.float64]
MOST = 400  # own customers beyond which the speed is taken as constant, and others followed
NOBODY = 1e-13
ALONE = np.ones(1)


@dataclass(frozen=True)
class Source:
    """Who sends bursts of `demand`: `population` who are `away` between them, 0: at `rate`."""

    demand: float
    population: float = 0.0
    away: float = 0.0
    rate: float = 0.0

    def weights(self) -> Floats:
        """log e(h) for h = 0, 1 ..."""
        if self.population == 0:
            h = np.arange(MOST)
            return np.asarray(h * np.log(self.rate * self.demand) - gammaln(h + 1.0))
        h = np.arange(min(int(self.population), MOST) + 1)
        left = np.log(np.maximum(self.population - h[:-1], 1e-9))
        step = np.log(self.demand / max(self.away, 1e-9 * self.demand))
        rise = np.concatenate(([0.0], np.cumsum(left - np.log(h[1:]) + step)))
        return np.asarray(rise)


def mixed(parts: Sequence[tuple[float, Sequence[Source]]]) -> Floats:
    """log e(h) of sources that are these with chance p, others with another."""
    found = np.full(1, -np.inf)
    for chance, sources in parts:
        if chance <= 0:
            continue
        each = together([one.weights() for one in sources]) + np.log(chance)
        size = max(len(found), len(each))
        found = np.logaddexp(_grown(found, size), _grown(each, size))
    return np.asarray(found - found[0])


def _grown(logs: Floats, size: int) -> Floats:
    return np.concatenate((logs, np.full(size - len(logs), -np.inf)))


def together(parts: Sequence[Floats]) -> Floats:
    """log e(h) of several sources: the convolution of their weights."""
    found = np.zeros(1)
    for one in parts:
        long, short = (found, one) if len(found) >= len(one) else (one, found)
        made = np.full(min(len(long) + len(short) - 1, MOST + 1), -np.inf)
        for h, weight in enumerate(short.tolist()):
            part = long[: len(made) - h] + weight
            made[h : h + len(part)] = np.logaddexp(made[h : h + len(part)], part)
        found = made
    return found


def beside(capacity: tuple[float, ...], others: Floats, most: int) -> tuple[Floats, Floats]:
    """log A(n) for n = 0 ... most, and the mean number of others beside n."""
    n = np.arange(most + 1)
    h = np.arange(len(others))
    speeds = np.concatenate((capacity, np.full(most + len(h), capacity[-1])))[: most + len(h)]
    work = np.concatenate(([0.0], np.cumsum(np.log(speeds))))
    known = gammaln(np.arange(most + len(h)) + 1.0) - work[: most + len(h)]
    both = known[n[:, None] + h] - gammaln(n + 1.0)[:, None] + others
    top = both.max(axis=1)
    each = np.exp(both - top[:, None])
    total = each.sum(axis=1)
    return top + np.log(total), each @ h / total


def shared_speeds(
    capacity: tuple[float, ...], equal: Floats, above: Floats, most: int
) -> tuple[float, ...]:
    """Speed with 1, 2 ... `most` own customers.

    capacity: speed with 1, 2 ... there in all. `equal`: log e(h) of others of the same rank;
    `above`: chances of 0, 1 ... of those above.
    """
    if len(above) > 1:
        capacity = left_over(capacity, above)
    if len(equal) == 1:
        return capacity
    logs, _ = beside(capacity, equal, max(min(most, MOST), 1))
    found = np.exp(-np.diff(logs))
    grown = np.flatnonzero(found >= found[-1] * (1 - 1e-9))
    return tuple(float(one) for one in found[: int(grown[0]) + 1])


def left_over(capacity: tuple[float, ...], above: Floats) -> tuple[float, ...]:
    """Mean speed with 1, 2 ... there below those of higher rank."""
    speeds = np.concatenate(([0.0], capacity))
    last = len(speeds) - 1
    n = np.arange(1, last + 1)[:, None]
    h = np.arange(len(above))
    left = speeds[np.minimum(n + h, last)] - speeds[np.minimum(h, last)]
    mean = np.maximum(left @ above, speeds[1] * 1e-9)
    return tuple(float(one) for one in mean)


def chances_of(source: Source, capacity: tuple[float, ...]) -> Floats:
    """Chances of 0, 1, 2 ... bursts of a source at a server with these speeds."""
    served = np.concatenate(([0.0], capacity)) / source.demand
    if source.population:
        away = max(source.away, 1e-9 * source.demand)
        chances = birth_death(max(int(source.population), 1), away, served).chances
    else:
        steps = np.log(source.rate / served[np.minimum(np.arange(1, MOST), len(served) - 1)])
        logs = np.concatenate(([0.0], np.cumsum(steps)))
        chances = np.exp(logs - logs.max())
        chances = chances / chances.sum()
    seen = np.flatnonzero(chances > NOBODY)
    cut = np.asarray(chances[: int(seen[-1]) + 1][:MOST])
    return np.asarray(cut / cut.sum())


def sum_chances(crowds: Sequence[Floats]) -> Floats:
    """Chances of the sum of independent numbers."""
    found = ALONE
    for one in crowds:
        found = np.convolve(found, one)[:MOST]
    return np.asarray(found / found.sum())
