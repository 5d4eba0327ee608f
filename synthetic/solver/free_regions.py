"""How fast regions work while some are free: read off the product form of work without a pool.

With c of the clients at the processors, each of their bursts is one of a region with the chance its
share of the demand says, and each other client waits inside a region with the chance its share of
the time says. So the chance of n regions busy is known for the network that never lacks one, and
with it the rate at n: a chain with that rate has these chances again. A pool cuts the chain off.
Source of the product form: F. Baskett et al., Journal of the ACM 22 (1975), pages 248-260.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from imsperf.synthetic.solver.flow import Floats, Needs
from imsperf.synthetic.solver.queueing import birth_death

TOO_MANY = 20_000  # customers at the processors x regions: the chances of all pairs take too long
NOBODY = 1e-13


@dataclass(frozen=True)
class Flow:
    """What comes out with 0, 1 ... regions busy, and how many are at the stations then."""

    rates: Floats
    numbers: Floats  # [station, outside or inside, regions busy]


def free_flow(needs: Needs, size: int) -> Flow | None:
    """Rates and numbers for 0 to `size` regions; None: several stations, or too many customers."""
    (used, *others) = [k for k, one in enumerate(needs.stations) if one.demand > 0] or [-1]
    if others or used < 0:
        return None
    one, share = needs.stations[used], float(needs.inside[used])
    away = needs.think + needs.other_delay + needs.region_delay
    if away <= 0:
        return None
    speeds = np.concatenate(([0.0], one.capacity)) / one.demand
    chain = birth_death(needs.clients, away, speeds)
    there = int(np.flatnonzero(chain.chances > NOBODY * chain.chances.max())[-1]) + 1
    if there * size > TOO_MANY:
        return None
    chances, inside, present = _numbers(
        chain.chances[:there], share, needs.clients, needs.region_delay / away, size
    )
    if not (chances > 0).all():
        return None
    busy = chain.rate * needs.region_delay + share * chain.number
    n = np.arange(1, size + 1)
    rates = np.zeros(size + 1)
    rates[1:] = chain.rate * (needs.clients - n + 1) / (needs.clients - busy)
    rates[1:] *= chances[:-1] / chances[1:]
    numbers = np.zeros((len(needs.stations), 2, size + 1))
    numbers[used] = (present - inside) / chances, inside / chances
    return Flow(rates, numbers)


def _numbers(
    there: Floats, share: float, clients: int, waiting: float, size: int
) -> tuple[Floats, Floats, Floats]:
    """Chances of 0 to `size` regions busy; times those, the mean bursts of regions, and all bursts.

    `there`: chances of 0, 1 ... customers at the processors. `waiting`: the chance that another one
    waits inside a region.
    """
    c = np.arange(len(there), dtype=np.float64)
    bursts = there[:, None] * _binomial(c[:, None], c[None, : size + 1], share)
    away = np.maximum(clients - c, 0)[:, None]
    beside = _binomial(away, np.arange(size + 1, dtype=np.float64)[None, :], waiting)
    chances, inside, present = (np.zeros(size + 1) for _ in range(3))
    for i in range(min(len(there), size + 1)):
        both = np.stack((bursts[:, i], bursts[:, i] * c)) @ beside[:, : size + 1 - i]
        chances[i:] += both[0]
        inside[i:] += i * both[0]
        present[i:] += both[1]
    return chances, inside, present


def _binomial(trials: Floats, hits: Floats, chance: float) -> Floats:
    """Chances of so many hits; 0 where there are more than trials."""
    left = np.maximum(trials - hits, 0)
    logs = gammaln(trials + 1.0) - gammaln(hits + 1.0) - gammaln(left + 1.0)
    logs = logs + xlogy(hits, chance) + xlog1py(left, -chance)
    return np.asarray(np.where(hits <= trials, np.exp(logs), 0.0))
