"""Regions of one kind that run out before the pool they belong to does.

Each kind is a queue M/M/c for its share of the transactions, who hold a region as long as the
balance of all says; of closed work no more than its clients are there (Kleinrock section 3.10).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from scipy.optimize import brentq

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.flow import falling_root
from imsperf.synthetic.solver.queueing import finite_wait, mmm_wait
from imsperf.synthetic.solver.servers import Found
from imsperf.synthetic.solver.steps import Terms

CLOSE = 1e-9  # of a wait
NOBODY = 1e-9  # wait, in times that a region is held


def with_kinds(plain: Found, solved: Callable[[Terms], Found], waits: dict[str, float]) -> Found:
    """The balance with the waits for regions of each kind; `plain`: without, `solved` of terms.

    A longer wait leaves fewer inside, who are faster and need less of it: a root, kind by kind.
    `waits` by kind: where the search begins; those found are put there.
    """
    found = plain
    for kind in plain.work.pool.kinds if plain.work.pool else ():
        found = _with_kind(found, solved, kind, waits)
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


def _with_kind(
    plain: Found, solved: Callable[[Terms], Found], kind: m.Kind, waits: dict[str, float]
) -> Found:
    clients = plain.work.clients
    made = plain

    def found(wait: float) -> Found:
        terms = deepcopy(plain.terms)
        terms.wait(kind.name, "ims", kind.share * wait)
        made = solved(terms)
        made.terms.loads[kind.name] = made.point.rate * _used(kind, made)
        return made

    def excess(wait: float) -> float:
        nonlocal made
        made = found(wait)
        return _wait(kind, made, clients, wait) - wait

    if not clients:
        rate, held = plain.point.rate * kind.share, kind.hold * plain.point.occupancy
        needed = mmm_wait(rate, held, kind.size)
        made = found(needed or 0.0)
        made.terms.full = "" if needed is not None else kind.name
        return made
    guess = waits.get(kind.name) or excess(0.0)
    if guess > NOBODY * plain.point.occupancy:
        waits[kind.name] = falling_root(excess, guess, CLOSE)
    return made


def _used(kind: m.Kind, found: Found) -> float:
    """Share of its regions that one transaction of all takes in a microsecond."""
    return kind.share * kind.hold * found.point.occupancy / kind.size


def _wait(kind: m.Kind, found: Found, clients: int, wait: float) -> float:
    """Wait for one of the regions of closed work, whose clients are away as long as `found` says.

    `wait`: what `found` was computed with.
    """
    held = kind.hold * found.point.occupancy
    away = clients / (found.point.rate * kind.share) - wait - held
    return finite_wait(clients, away, held, kind.size)
