"""Regions of one kind that run out before the pool they belong to does.

Each kind is a queue M/M/c for its share of the transactions, who hold a region as long as the
balance of all says; of closed work no more than its clients are there (Kleinrock section 3.10).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import numpy as np
from scipy.optimize import brentq

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.queueing import birth_death, mmm_wait
from imsperf.synthetic.solver.servers import Found
from imsperf.synthetic.solver.steps import Terms

CLOSE = 1e-6  # of the longest wait there can be


def with_kinds(plain: Found, solved: Callable[[Terms], Found]) -> Found:
    """The balance with the waits for regions of each kind; `plain`: without, `solved` of terms.

    A longer wait leaves fewer inside, who are faster and need less of it: a root, kind by kind.
    """
    found = plain
    for kind in plain.work.pool.kinds if plain.work.pool else ():
        found = _with_kind(found, solved, kind)
    return found


def limit_of_kinds(work: m.Work, plain: Callable[[float], Found], most: float) -> tuple[str, float]:
    """The kind that fills first when open arrivals rise to `most`, and the rate.

    '' and `most` where none does. `plain`: the balance without waits for kinds at a rate.
    """
    name, limit = "", most
    for kind in work.pool.kinds if work.pool else ():

        def excess(rate: float, kind: m.Kind = kind) -> float:
            return rate * _used(kind, plain(rate)) - 1

        if excess(limit) > 0:
            name, limit = kind.name, float(brentq(excess, 1e-6 * limit, limit, rtol=1e-9))
    return name, limit


def _with_kind(plain: Found, solved: Callable[[Terms], Found], kind: m.Kind) -> Found:
    known: dict[float, Found] = {}
    clients = plain.work.clients
    most = clients / (plain.point.rate * kind.share)

    def found(wait: float) -> Found:
        terms = deepcopy(plain.terms)
        terms.wait(kind.name, "ims", kind.share * wait)
        known[wait] = made = solved(terms)
        made.terms.loads[kind.name] = made.point.rate * _used(kind, made)
        return made

    def excess(wait: float) -> float:
        needed = _wait(kind, found(wait), clients)
        return most if needed is None else needed - wait

    if not clients:
        needed = _wait(kind, plain, 0)
        made = found(needed or 0.0)
        made.terms.full = "" if needed is not None else kind.name
        return made
    if excess(0.0) <= 0:
        return known[0.0]
    while excess(most) > 0:
        most *= 2
    wait = float(brentq(excess, 0.0, most, xtol=CLOSE * most, rtol=CLOSE))
    return known.get(wait) or found(wait)


def _used(kind: m.Kind, found: Found) -> float:
    """Share of its regions that one transaction of all takes in a microsecond."""
    return kind.share * kind.hold * found.point.occupancy / kind.size


def _wait(kind: m.Kind, found: Found, clients: int) -> float | None:
    """Wait for one of the regions; closed: `clients` are elsewhere so long that this rate comes."""
    rate, held = found.point.rate * kind.share, kind.hold * found.point.occupancy
    if not clients:
        return mmm_wait(rate, held, kind.size)
    if clients <= kind.size:
        return 0.0
    if rate * held >= kind.size:
        return None
    rates = np.arange(kind.size + 1) / held

    def excess(away: float) -> float:
        return birth_death(clients, away, rates).rate - rate

    most = clients / rate - held
    least = 1e-9 * most
    if excess(least) <= 0:
        return None
    if excess(most) >= 0:  # next to nobody comes
        return 0.0
    away = float(brentq(excess, least, most, xtol=least))
    return max(birth_death(clients, away, rates).response - held, 0.0)
