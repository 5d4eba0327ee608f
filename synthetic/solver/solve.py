"""`solve`: the balance of declared work, whatever its stations are.

One work: the rate at which as much comes out as the waits of its devices were computed for (root of
out - in). Several works have processors of their own and meet at devices: the rate of all together,
at which each finds its own part. How a step becomes CPU, delay
and load: steps.py; the network inside: pooled.py; the answer: answer.py.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import brentq

from imsperf.errors import OutOfReach, ScenarioError
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.network.network import PLACES, Latch
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.answer import results
from imsperf.synthetic.solver.pooled import CLOSE, EDGE, Point, falling_root, point
from imsperf.synthetic.solver.queueing import finite_wait, mmm_wait
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.solver.servers import LOG_RELEASES, Balance, needs_of, servers_of
from imsperf.synthetic.solver.steps import Terms, terms
from imsperf.synthetic.solver.tcbs import behind_tcbs

TOLERANCE = 1e-10
STEPS = 100  # below a limit that the search ended beyond
ROUNDS = 100
NOTHING = 1e-12  # a rate per microsecond at which no device has anything to do
ENDLESS = 1e6  # arrivals per microsecond that no system takes


@dataclass
class _State:
    """Where the search stands: rates per microsecond, and what each work found last."""

    works: m.Works
    rates: dict[str, float]
    balances: dict[str, Balance] = field(default_factory=dict)
    releases: F64 = field(default_factory=lambda: np.zeros(3))  # waits after log writes, by place
    at_tcbs: dict[str, float | None] = field(default_factory=dict)  # of each work, the last share
    waits: dict[str, float] = field(default_factory=dict)  # for kinds of regions, the last
    total: float = 0.0  # of all works; 0: as each rate says


def solve(works: m.Works) -> Results:
    """Rate, response and every station of every work. Seconds and rates per second.

    Closed work always has a balance (response = clients / rate - think time - time outside); open
    work beyond a limit is saturated: its rate is the limit, it has no response. Errors:
    ScenarioError, see `balance`.
    """
    return results(works, balance(works))


def balance(works: m.Works) -> dict[str, Balance]:
    """What `solve` answers from, for each work by its name: terms, servers and network.

    Errors: ScenarioError where a device is full before anything comes.
    """
    idle = {work.name: NOTHING for work in works}
    for work in works:
        if full := terms(works, work, idle).full:
            raise ScenarioError(
                f"{full}: found full without a transaction, expected room for some",
                "what else uses it (latch.other_per_s for LOGL) takes all its time",
            )
    rates = {work.name: work.rate_per_s / 1e6 or NOTHING for work in works}
    state = _State(works, rates)
    if len(works) == 1:
        _settle(state, works[0])
        _settle_releases(state, works[0])
    elif works[0].is_open:
        _work_by_work(state)
    else:
        _at_total(state)
    return state.balances


def _at_total(state: _State) -> None:
    """Closed works: the rate of all together, at which each finds its own part of it.

    A device that all of them fill would let one after the other swing between all and nothing.
    """
    for work in state.works:
        state.rates[work.name] = _guess(state, work)

    def excess(total: float) -> float:
        state.total = total
        for work in state.works:
            _settle(state, work)
        return max(sum(state.rates.values()) - total, -total / 2)

    falling_root(excess, sum(state.rates.values()), CLOSE)


def _work_by_work(state: _State) -> None:
    """Open works: each in turn, until nothing moves."""
    for _ in range(ROUNDS):
        before = dict(state.rates)
        for work in state.works:
            _settle(state, work)
        moved = max(abs(state.rates[w] / before[w] - 1) for w in before)
        if moved < 1e-8:
            break


def _settle(state: _State, work: m.Work) -> None:
    """The rate of one work, the others' rates given."""
    if work.is_open:
        rate = work.rate_per_s / 1e6
        balance = _trial(state, work, rate)
        if balance.terms.full or balance.point.saturated:
            balance = _open_limit(state, work, rate)
    else:
        balance = _closed(state, work)
    state.balances[work.name] = balance
    state.rates[work.name] = max(balance.point.rate, NOTHING)


def _settle_releases(state: _State, work: m.Work) -> None:
    """The same with the waits after log writes, at the rate without."""
    balance = state.balances[work.name]
    if balance.point.saturated:
        return
    waits = _after_writes(work, balance)
    if waits.any():
        state.releases = waits
        _settle(state, work)


def _after_writes(work: m.Work, balance: Balance) -> F64:
    """What those wait whom a log write releases at once, by place (releases.py)."""
    write = next((step for step in work.steps if isinstance(step, m.LogWrite)), None)
    if write is None or write.place == "none" or write.write_us <= 0:
        return np.zeros(3)
    from imsperf.synthetic.solver.releases import release_waits  # numba: not before it is needed

    cpus, point = work.cpus, balance.point
    cpu = balance.terms.cpu / (1 - cpus.fixed_us_per_s / 1e6 / cpus.cps)  # fixed work's part
    behind = point.all_busy * (write.place == "region")
    return release_waits(point.rate, cpu, cpus.cps, write.write_us, write.cv, behind)


def _closed(state: _State, work: m.Work) -> Balance:
    known: dict[float, Balance] = {}

    def excess(rate: float) -> float:
        balance = known[rate] = _trial(state, work, rate)
        return -rate / 2 if balance.terms.full else balance.point.rate - rate

    if len(state.works) > 1 and (least := _terms(state, work, NOTHING)).full:
        return _with(state, work, NOTHING, least)  # the others take all there is
    guess = state.rates[work.name]
    if guess <= NOTHING:
        guess = _guess(state, work)
    own = _device_limit(state, work, guess)
    rate = falling_root(excess, guess, TOLERANCE, min(own, state.total or np.inf) * EDGE)
    balance = known.get(rate) or _trial(state, work, rate)
    for _ in range(STEPS):
        if not balance.terms.full:
            break
        rate *= EDGE
        balance = _trial(state, work, rate)
    if balance.point.rate > rate * (1 + 1e-7) and (not state.total or rate > own * EDGE**2):
        return _held_back(state, work, rate, balance)
    return balance


def _device_limit(state: _State, work: m.Work, rate: float) -> float:
    """The rate at which the first device of this work alone is full, by loads that grow with it."""
    bent = {step.name for step in work.steps if isinstance(step, Latch)}
    bent |= {s.name for other in state.works if other is not work for s in other.steps}
    loads = _terms(state, work, rate).loads.items()
    return min(
        (rate / load for name, load in loads if load > 0 and name not in bent), default=np.inf
    )


def _guess(state: _State, work: m.Work) -> float:
    """The asymptotic bounds of a lightly loaded system (model.md 3.1), a little less."""
    sums = _terms(state, work, NOTHING)
    servers = servers_of(work, sums)
    away = (
        work.think_us + float(sums.delay.sum()) + sum(server.demand for server in servers.values())
    )
    limits = [
        server.station.limit / server.demand for server in servers.values() if server.demand > 0
    ]
    return 0.95 * min([work.clients / away, *limits])


def _held_back(state: _State, work: m.Work, rate: float, balance: Balance) -> Balance:
    """A device passes all it can: the clients who are nowhere else wait there."""
    name = max(balance.terms.loads, key=lambda one: balance.terms.loads[one])
    place = next((step.place for step in work.steps if step.name == name), "ims")

    def with_wait(us: float) -> Balance:
        again = _terms(state, work, rate)
        again.wait(name, "ims" if place == "none" else place, us)
        return _with(state, work, rate, again)

    def surplus(us: float) -> float:
        return with_wait(us).point.rate - rate

    most = work.clients / rate
    return with_wait(float(brentq(surplus, 0.0, most, xtol=1e-9 * most, rtol=1e-12)))


def _open_limit(state: _State, work: m.Work, rate: float) -> Balance:
    """The highest rate that has a balance, and what is full beyond it."""
    full = ""

    def excess(rate: float) -> float:
        nonlocal full
        balance = _terms(state, work, rate)
        limit = 0.0 if balance.full else _network(state, work, ENDLESS, balance).point.rate
        full = balance.full or full
        return limit - rate

    limit = _network(state, work, ENDLESS, _terms(state, work, NOTHING)).point.rate
    limit = falling_root(excess, min(limit, rate), TOLERANCE)
    last = _terms(state, work, limit)
    back = 1 - EDGE
    while last.full and limit > NOTHING:  # others may take all there is
        limit, back = limit * (1 - back), min(1.1 * back, 0.5)
        last = _terms(state, work, limit)
    kind, of_kind = limit_of_kinds(
        work, lambda x: _network(state, work, x, _terms(state, work, x)), limit * EDGE
    )
    if kind:
        balance = _network(state, work, of_kind * EDGE, _terms(state, work, of_kind * EDGE))
        return replace(balance, point=replace(balance.point, saturated=True, full=kind))
    balance = _network(state, work, limit * EDGE, last)
    beyond = _network(state, work, ENDLESS, last).point
    return replace(balance, point=_shown_full(balance.point, beyond, full, limit))


def _shown_full(point: Point, beyond: Point, full: str, limit: float) -> Point:
    """A balance just below the limit, marked with what is full there: server, pool or device."""
    by_network = beyond.rate <= limit * (1 + 1e-6)
    return replace(point, saturated=True, full=beyond.full if by_network else full)


def _trial(state: _State, work: m.Work, rate: float) -> Balance:
    return _with(state, work, rate, _terms(state, work, rate))


def _terms(state: _State, work: m.Work, rate: float) -> Terms:
    sums = terms(state.works, work, _rates(state, work, rate))
    for place, us in zip(PLACES, state.releases, strict=True):
        if us != 0:
            sums.wait(LOG_RELEASES, place, float(us))
    return sums


def _rates(state: _State, work: m.Work, rate: float) -> dict[str, float]:
    """Those of all works while this one has `rate`: the others have the rest of a given total."""
    others = {name: rate for name, rate in state.rates.items() if name != work.name}
    if state.total:
        left = max(state.total - rate, NOTHING) / sum(others.values())
        others = {name: other * left for name, other in others.items()}
    return others | {work.name: rate}


def _with(state: _State, work: m.Work, rate: float, sums: Terms) -> Balance:
    """The network of these terms, solved; with the waits for kinds of regions, if there are any."""
    if sums.full or work.pool is None or not work.pool.kinds:
        return _network(state, work, rate, sums)
    large_enough = work
    if work.clients:  # who waits for one of its kind never waits for one of all
        size = max(work.clients, work.pool.size)
        large_enough = replace(work, pool=replace(work.pool, size=size))

    def solved(terms: Terms) -> Balance:
        return replace(_network(state, large_enough, rate, terms), work=work)

    return with_kinds(solved(sums), solved, state.waits)


def _network(state: _State, work: m.Work, rate: float, sums: Terms) -> Balance:
    if sums.full:
        return Balance(work, sums, {}, Point(0.0, np.zeros((0, 2)), full=sums.full))
    servers = servers_of(work, sums)
    stations = tuple(server.station for server in servers.values())
    if any(part.sum() > 0 for part in sums.serial.values()):
        guess = state.at_tcbs.get(work.name)
        network = behind_tcbs(work, rate, sums, servers, stations[0].capacity, guess)
        state.at_tcbs[work.name] = network.at_tcbs
        return network
    needs = needs_of(work, rate, sums, servers, stations)
    return Balance(work, sums, servers, point(needs))


# --- kinds of regions -----------------------------------------------------------------------------
#
# Regions of one kind that run out before the pool they belong to does.
#
# Each kind is a queue M/M/c for its share of the transactions, who hold a region as long as the
# balance of all says; of closed work no more than its clients are there (Kleinrock section 3.10).

NOBODY = 1e-9  # wait, in times that a region is held


def with_kinds(
    plain: Balance, solved: Callable[[Terms], Balance], waits: dict[str, float]
) -> Balance:
    """The balance with the waits for regions of each kind; `plain`: without, `solved` of terms.

    A longer wait leaves fewer inside, who are faster and need less of it: a root, kind by kind.
    `waits` by kind: where the search begins; those found are put there.
    """
    balance = plain
    for kind in plain.work.pool.kinds if plain.work.pool else ():
        balance = _with_kind(balance, solved, kind, waits)
    return balance


def limit_of_kinds(
    work: m.Work, plain: Callable[[float], Balance], most: float
) -> tuple[str, float]:
    """The kind that fills first when open arrivals rise to `most`, and the rate.

    '' and `most` where none does. `plain`: the balance without waits for kinds at a rate.
    """
    name, limit = "", most
    for kind in work.pool.kinds if work.pool else ():

        def excess(rate: float, kind: m.RegionKind = kind) -> float:
            return rate * _used(kind, plain(rate)) - 1

        if excess(limit) > 0:
            name, limit = kind.name, float(brentq(excess, 1e-6 * limit, limit, rtol=1e-9))
    return name, limit


def _with_kind(
    plain: Balance, solved: Callable[[Terms], Balance], kind: m.RegionKind, waits: dict[str, float]
) -> Balance:
    clients = plain.work.clients
    made = plain

    def with_wait(wait: float) -> Balance:
        terms = deepcopy(plain.terms)
        terms.wait(kind.name, "ims", kind.share * wait)
        made = solved(terms)
        made.terms.loads[kind.name] = made.point.rate * _used(kind, made)
        return made

    def excess(wait: float) -> float:
        nonlocal made
        made = with_wait(wait)
        return _wait(kind, made, clients, wait) - wait

    if not clients:
        rate, held = plain.point.rate * kind.share, kind.hold * plain.point.occupancy
        needed = mmm_wait(rate, held, kind.size)
        made = with_wait(needed or 0.0)
        made.terms.full = "" if needed is not None else kind.name
        return made
    guess = waits.get(kind.name) or excess(0.0)
    if guess > NOBODY * plain.point.occupancy:
        waits[kind.name] = falling_root(excess, guess, CLOSE)
    return made


def _used(kind: m.RegionKind, balance: Balance) -> float:
    """Share of its regions that one transaction of all takes in a microsecond."""
    return kind.share * kind.hold * balance.point.occupancy / kind.size


def _wait(kind: m.RegionKind, balance: Balance, clients: int, wait: float) -> float:
    """Wait for one of the regions of closed work, whose clients are away as long as `balance` says.

    `wait`: what `balance` was computed with.
    """
    held = kind.hold * balance.point.occupancy
    away = clients / (balance.point.rate * kind.share) - wait - held
    return finite_wait(clients, away, held, kind.size)


# --- think times for a utilisation ----------------------------------------------------------------
#
# What an operator chooses. The rate follows from the target alone, as the CPU time of a transaction
# depends on rates only. Each work's think time then moves by what its cycle, clients / rate, is too
# short or too long. Source: model.md 3.1 (laws), 3.3 (CPU time).

THINKS = 60  # rounds
LEAST = 0.02  # by which a cycle grows with thought
REACHED = 1e-7  # of a rate


def with_busy(works: m.Works, busy: float, what: str = "utilisation") -> Results:
    """The balance of closed works with think times at which the processors of each are `busy`.

    `busy`: 0 to 1; `what`: its name in messages. Errors: OutOfReach where processors stay below the
    target even without think time, or are above it without work.
    """
    fixed = {work.name: work.cpus.fixed_us_per_s / 1e6 / work.cpus.cps for work in works}
    if busy <= max(fixed.values()):
        raise _out_of_reach(what, busy, f"more than {max(fixed.values()):.4%}, that without work")
    idle = {work.name: NOTHING for work in works}
    cycles = {
        work.name: work.clients * float(terms(works, work, idle).cpu.sum()) / work.cpus.cps / busy
        for work in works
    }
    before: dict[str, tuple[float, float]] = {}  # thought and cycle
    thinks = cycles
    for _ in range(THINKS):
        works = tuple(replace(work, think_us=thinks[work.name]) for work in works)
        results = solve(works)
        now, missing = {}, {}
        for work in works:
            used = float(results.details[f"{work.cpu}.busy"] or 0.0) - fixed[work.name]
            cycle = work.clients / results.of(work.name).rate * 1e6
            now[work.name] = work.think_us, cycle
            missing[work.name] = cycle * (used / (busy - fixed[work.name]) - 1)
        if all(abs(us) < REACHED * now[name][1] for name, us in missing.items()):
            return results
        if not any(thinks.values()):
            break
        thinks = {
            name: max(think + missing[name] / _slope(now[name], before.get(name)), 0.0)
            for name, (think, _) in now.items()
        }
        before = now
    most = min(float(results.details[f"{work.cpu}.busy"] or 0.0) for work in works)
    raise _out_of_reach(what, busy, f"at most {most:.2%}, that without think time")


def _slope(now: tuple[float, float], before: tuple[float, float] | None) -> float:
    """How a cycle grows with thought: by as much, but where thought replaces waits."""
    if before is None or now[0] == before[0]:
        return 1.0
    return min(max((now[1] - before[1]) / (now[0] - before[0]), LEAST), 1.0)


def _out_of_reach(what: str, busy: float, expected: str) -> OutOfReach:
    return OutOfReach(
        f"{what}: found {busy:.2%}, expected {expected}",
        "without think time (0) --explain shows what is full",
    )
