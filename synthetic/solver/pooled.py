"""The balance of one work that holds a region (thread, slot) of a pool during part of its time.

Processors serve it inside and outside regions. While regions are free the whole is a product form
(below; with several stations the inner network, read off at 0, 1 ... busy regions). While
all are busy, as many are inside as there are regions, and the bursts outside come at the rate of
the whole: a mixed network (F. Baskett et al., Journal of the ACM 22 (1975), pages 248-260), whose
processors work for n inside ones at speed A(n - 1) / A(n), A(n) = sum over o of C(n + o, o) a^o /
(speed(1) ... speed(n + o)), a the outside load. Around it runs the birth-death chain of model.md
3.2. Against simulation (test_solve_agrees.py): rate within 0.5 %, response within 2 %. Pools of
less than 12 regions within 1 % and 3 %: there the order of bursts counts, of which the model knows
nothing. Open work near its limit with both pool and processors nearly full: response up to 10 %
low.
Times in any one unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.solver.queueing import (
    Population,
    birth_death,
    birth_death_open,
    closed_curve,
    delay_constants,
    departure_dispersion,
    with_station,
)
from imsperf.synthetic.solver.result import Station

# --- without a pool -------------------------------------------------------------------------------
#
# The balance of one work whose delays are known, without a pool of regions.
#
# Closed: a product form. The processors and queues become one server whose speed depends on how
# many are there, outside runs a birth-death chain over all clients (exact). Open: each station by
# itself. Sources: model.md 3.2; Lazowska et al. chapter 8 (hierarchical models). Times in any one
# unit.

MISSED = 1e-12  # chance of more customers than are followed
FLAT = 1e-10  # relative rise of the rate over half the customers: the limit is reached
FIRST = 64  # customers inside with which the search begins
FAR = 8.0
EDGE = 1 - 1e-9  # a saturated open system is shown just below its limit


@dataclass(frozen=True)
class Needs:
    """What a transaction needs: stations in all places, delays, clients or arrivals."""

    stations: tuple[Station, ...]
    inside: F64  # share of each station's demand that is used while a region is held
    region_delay: float
    other_delay: float  # outside regions, without think time
    clients: int
    think: float
    rate: float  # open arrivals, 0 for closed
    regions: int  # 0: no pool
    expected: float = 0.0  # closed: rate at which others come out while regions are full; 0: found


@dataclass(frozen=True)
class Point:
    """A balance. `stretch` [station, 2] is residence / demand outside and inside a region."""

    rate: float
    stretch: F64
    pool_wait: float = 0.0
    occupancy: float = 0.0
    regions_busy: float = 0.0
    all_busy: float = 0.0  # chance that a transaction finds no free region
    saturated: bool = False
    full: str = ""  # the station that open arrivals saturate
    served: tuple[F64, F64] | None = None  # chances of 0, 1 ... inside, and rates out of it

    @property
    def dispersion(self) -> float:
        """Variance of the number served in a long time over its mean; 1 for open arrivals."""
        return 1.0 if self.served is None else departure_dispersion(*self.served)


def closed_point(needs: Needs) -> Point:
    """Product form: think and all delays outside, the queues as one server."""
    away = needs.think + needs.region_delay + needs.other_delay
    stations = [station for station in needs.stations if station.demand > 0]
    if not stations:
        return Point(needs.clients / away, np.ones((len(needs.stations), 2)))
    size = min(needs.clients, len(stations[0].capacity) if len(stations) == 1 else FIRST)
    while True:
        curve = closed_curve(size, stations)
        chain = birth_death(needs.clients, away, curve.rate)
        beyond = float(chain.chances[size + 1 :].sum())
        flat = size > 1 and abs(curve.rate[-1] / curve.rate[size // 2] - 1) < FLAT
        if size == needs.clients or beyond < MISSED or flat or len(stations) == 1:
            break
        size = min(needs.clients, size * 2)
    weights = weights_of(chain, size)
    queue = curve.queue @ weights
    extra = chain.number - float(weights @ np.arange(size + 1))
    queue[int(np.argmax(curve.utilisation[:, -1]))] += max(extra, 0.0)
    known = {
        station.name: float(number) / chain.rate / station.demand
        for station, number in zip(stations, queue, strict=True)
    }
    rows = [known.get(station.name, 1.0) for station in needs.stations]
    return Point(
        chain.rate,
        np.column_stack((rows, rows)),
        served=(chain.chances, np.asarray(curve.rate)),
    )


def weights_of(chain: Population, size: int) -> F64:
    """Chances of 0, 1 ... `size` there, all more counted as `size`."""
    weights = np.zeros(size + 1)
    known = chain.chances[: size + 1]
    weights[: len(known)] = known
    weights[size] += chain.chances[size + 1 :].sum()
    return weights


def open_point(needs: Needs) -> Point:
    """Each station by itself; beyond the first limit saturated there."""
    limits = [
        station.limit / station.demand if station.demand > 0 else np.inf
        for station in needs.stations
    ]
    first = int(np.argmin(limits)) if limits else 0
    stretch = np.ones((len(needs.stations), 2))
    full = bool(limits) and needs.rate >= limits[first] * EDGE
    rate = limits[first] * EDGE if full else needs.rate
    for k, station in enumerate(needs.stations):
        demand = station.demand
        if demand == 0:
            continue
        chain = birth_death_open(rate, np.concatenate(([0.0], station.capacity)) / demand)
        stretch[k] = np.inf if chain is None else chain.response / demand
    return Point(rate, stretch, saturated=full, full=needs.stations[first].name if full else "")


def falling_root(
    excess: Callable[[float], float], guess: float, tolerance: float, most: float = np.inf
) -> float:
    """x with excess(x) = 0, where excess is g(x) - x with g that does not rise; x above 0.

    The root lies between a point and its g, so two points bracket it (where g does rise, but less
    than x, steps that double do); then a secant that keeps the bracket, the method of Anderson and
    Bjorck (BIT 13 (1973), pages 253-264), but no point counts less than half as much as before
    (Illinois).
    `most` is the answer where excess is still above 0 there.
    """
    low = min(guess, most)
    at_low = excess(low)
    if abs(at_low) <= tolerance * guess:
        return min(low + at_low, most)
    high = max(min(low + at_low, most), guess * 1e-9)
    if high == low:
        return most
    at_high = excess(high)
    for _ in range(200):
        if at_high > 0 and high == most:
            return most
        if abs(at_high) <= tolerance * abs(high) or abs(high - low) <= tolerance * abs(high):
            break
        outside = at_low * at_high > 0  # g rises: the root lies beyond both
        new = _secant(low, at_low, high, at_high, outside=outside)
        new = min(new, most)
        at_new = excess(new)
        if outside or at_new * at_high <= 0:
            low, at_low = high, at_high
        else:  # the same side again: the other one counts less
            at_low *= max(1 - at_new / at_high, 0.5)
        high, at_high = new, at_new
    return high


def _secant(low: float, at_low: float, high: float, at_high: float, *, outside: bool) -> float:
    """Where the line through two points meets 0; not far beyond them, or between them."""
    if outside:
        most = FAR * abs(high - low)
        step = at_high * (high - low) / (at_low - at_high) if at_low != at_high else 0.0
        if step * at_high <= 0:  # flat, or noise
            step = math.copysign(most, at_high)
        return max(high + min(max(step, -most), most), high / FAR)
    new = high - at_high * (high - low) / (at_high - at_low)
    return new if min(low, high) < new < max(low, high) else (low + high) / 2


# --- with a pool of regions -----------------------------------------------------------------------

Sizes = NDArray[np.int_]
FREE = 7.0  # standard deviations of the regions busy beyond which none is ever missing
RARELY = 1e-7  # chance of a full pool below which it is not looked at closely
CLOSE = 1e-9
TIE = 1 - 1e-6  # a pool that takes no less than this of a station's limit is full because of it


@dataclass(frozen=True)
class _Balance:
    """Closed work: the inner network, the clients around it, and their time at stations outside."""

    flow: Flow
    chain: Population
    outside: float


def point(needs: Needs, free: Point | None = None) -> Point:
    """The balance of one work, with its pool if it has one.

    `free`: `closed_point` of closed work, where it is known; it does not depend on `inside`.
    """
    demands = np.array([station.demand for station in needs.stations])
    pooled = needs.regions > 0 and needs.region_delay + float(demands @ needs.inside) > 0
    if needs.rate > 0:
        return _open(needs) if pooled else open_point(needs)
    free = free or closed_point(needs)
    return _closed(needs, free) if pooled else free


def _closed(needs: Needs, free: Point) -> Point:
    size = min(needs.regions, needs.clients)
    busy = free.rate * float(needs.region_delay + _times(needs, free)[:, 1].sum())
    if size == needs.clients or busy + FREE * busy**0.5 + 3 < size:
        return replace(free, occupancy=busy / free.rate, regions_busy=busy)
    flow = free_flow(needs, size) or _flow(needs, size)
    last = _balance(needs, flow)
    if last.chain.chances[size:].sum() <= RARELY:
        return _point(needs, last.chain, last.flow)
    if not _both(needs).any():
        last = _balance(needs, flow, last.outside)
    elif needs.expected:
        last = _balance(needs, _full(needs, flow, needs.expected), last.outside)
    else:

        def excess(rate: float) -> float:
            nonlocal last
            last = _balance(needs, _full(needs, flow, rate), last.outside)
            return last.chain.rate - rate

        falling_root(excess, last.chain.rate, CLOSE)
    return _point(needs, last.chain, last.flow)


def _times(needs: Needs, point: Point) -> F64:
    """Residences [station, outside or inside]."""
    demands = np.array([station.demand for station in needs.stations])[:, None]
    return np.asarray(demands * np.column_stack((1 - needs.inside, needs.inside)) * point.stretch)


def _both(needs: Needs) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Stations that serve the work inside and outside regions."""
    used = np.array([station.demand > 0 for station in needs.stations])
    return np.asarray(used & (needs.inside > 0) & (needs.inside < 1))


def _balance(needs: Needs, flow: Flow, guess: float = 0.0) -> _Balance:
    """Clients who think, wait and work outside; the time there follows from the chain itself.

    `guess` of that time, where the search begins; 0: what it would be without queues.
    """
    away = needs.think + needs.other_delay
    demands = np.array([station.demand for station in needs.stations])
    used = float(demands @ (1 - needs.inside))
    if used == 0:
        return _Balance(flow, birth_death(needs.clients, away, flow.rates), 0.0)
    there = flow.numbers[:, 0].sum(axis=0)
    chains: list[Population] = []

    def excess(time: float) -> float:
        chains.append(birth_death(needs.clients, away + time, flow.rates))
        return float(there @ weights_of(chains[-1], len(there) - 1)) / chains[-1].rate - time

    time = falling_root(excess, guess or used, CLOSE * (1 + away / used) / 10)  # of the cycle
    return _Balance(flow, chains[-1], time)


def _flow(needs: Needs, size: int) -> Flow:
    """The inner network with so many customers that `size` of them are in regions."""
    used = [k for k, station in enumerate(needs.stations) if station.demand > 0]
    stations = [needs.stations[k] for k in used]
    share = needs.inside[used]
    if needs.region_delay > 0:
        stations.append(Station("delay", needs.region_delay, 0))
        share = np.append(share, 1.0)
    most = max(int(1.1 * size) + 8, FIRST)
    while True:
        curve = closed_curve(most, stations)
        inside = share @ curve.queue
        if inside[-1] >= size:
            break
        most *= 2
    busy = np.arange(size + 1)
    numbers = np.zeros((len(needs.stations), 2, size + 1))
    for place, k in enumerate(used):
        there = np.interp(busy, inside, curve.queue[place])
        numbers[k] = there * (1 - share[place]), there * share[place]
    return Flow(np.interp(busy, inside, curve.rate), numbers)


def _full(needs: Needs, flow: Flow, rate: float) -> Flow:
    """The same, with the last entry for outside bursts that come at `rate`."""
    rates, numbers = flow.rates.copy(), flow.numbers.copy()
    last = np.array([len(rates) - 1])
    mixed = _mixed(needs, last, rate, numbers[:, 1, last])
    if mixed is None:
        rates[-1] *= 1e-9  # outside bursts alone are more than the processors can do
    else:
        rates[last], numbers[:, :, last] = mixed
    return Flow(rates, numbers)


def _mixed(needs: Needs, sizes: Sizes, rate: float, like: F64) -> tuple[F64, F64] | None:
    """Rates and numbers [station, outside or inside, size], so many inside for ever; None: none.

    The processors exactly; others inside are divided as in `like` [station, size].
    """
    most = int(sizes[-1])
    main = int(np.argmax(_both(needs)))
    others = delay_constants(most, needs.region_delay)
    seen: dict[int, _Beside] = {}
    for k, station in enumerate(needs.stations):
        demand, inside = station.demand, float(needs.inside[k])
        outside = rate * demand * (1 - inside)
        if outside >= station.limit * EDGE and outside > 0:
            return None
        seen[k] = _beside(station.capacity, outside, most)
        if k != main and demand * inside > 0:
            speeds = tuple(np.exp(-np.diff(seen[k].weights)))
            others = with_station(others, Station(station.name, demand * inside, 1, speeds))
    n = np.arange(most + 1)
    at_main = n * np.log(needs.stations[main].demand * needs.inside[main]) + seen[main].weights
    out, chances = _divided(at_main, others, sizes)
    numbers = np.zeros((len(needs.stations), 2, len(sizes)))
    numbers[main, 1] = chances @ n
    rest = like.copy()
    rest[main] = 0.0
    left = np.maximum(sizes - numbers[main, 1] - out * needs.region_delay, 0.0)
    numbers[:, 1] += rest * left / np.maximum(rest.sum(axis=0), 1e-300)
    for k, other in seen.items():
        numbers[k, 0] = np.interp(numbers[k, 1], n, other.outside)
    numbers[main, 0] = chances @ seen[main].outside
    numbers[:, 0] *= out / rate  # as many as one transaction stays there, for each that comes out
    return out, numbers


def _divided(here: F64, others: F64, sizes: Sizes) -> tuple[F64, F64]:
    """What comes out with so many inside, and the chances [size, n] that n of them are here.

    `here` and `others`: log of the weights of 0, 1 ... at a station and at all else.
    """
    rows = np.union1d(sizes - 1, sizes)
    left = rows[:, None] - np.arange(len(here))
    terms = np.where(left >= 0, here + others[np.maximum(left, 0)], -np.inf)
    top = terms.max(axis=1)
    weights = np.exp(terms - top[:, None])
    total = weights.sum(axis=1)
    log_g = top + np.log(total)
    now, before = np.searchsorted(rows, sizes), np.searchsorted(rows, sizes - 1)
    return np.exp(log_g[before] - log_g[now]), weights[now] / total[now, None]


@dataclass(frozen=True)
class _Beside:
    """Processors with n inside bursts: log A(n), and the mean number of outside bursts."""

    weights: F64
    outside: F64


def _beside(capacity: tuple[float, ...], load: float, size: int) -> _Beside:
    """`load` is the work that comes from outside, in units of speed 1."""
    if load == 0:
        return _Beside(
            -np.concatenate(([0.0], np.cumsum(_log_speeds(capacity, size)))), np.zeros(size + 1)
        )
    share, last = load / capacity[-1], len(capacity)
    few = min(size, last)
    most = few * share / (1 - share) + last
    most = int(most + 12 * (most + 1 / (1 - share) ** 2) ** 0.5 + 40)
    o = np.arange(most + 1)
    logs, outside = _with_others(capacity, o * np.log(load) - gammaln(o + 1.0), few)
    n = np.arange(last + 1, size + 1)  # at full speed, a negative binomial series
    tail = (last - n) * np.log(capacity[-1]) - _log_speeds(capacity, last).sum()
    tail -= (n + 1) * np.log1p(-share)
    return _Beside(
        np.concatenate((logs, tail)), np.concatenate((outside, (n + 1) * share / (1 - share)))
    )


def _with_others(capacity: tuple[float, ...], others: F64, most: int) -> tuple[F64, F64]:
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


def _log_speeds(capacity: tuple[float, ...], size: int) -> F64:
    speeds = np.asarray(capacity)[np.minimum(np.arange(size), len(capacity) - 1)]
    return np.asarray(np.log(speeds))


def _open(needs: Needs) -> Point:
    """Arrivals outside are Poisson whatever the pool does: the mixed network for any number."""
    alone = open_point(needs)
    if alone.saturated:
        full = _saturated(needs)
        return full if full.rate < alone.rate * TIE else alone
    flow = _flow(needs, needs.regions)
    if _both(needs).any():
        flow = _open_flow(needs, flow)
    chain = birth_death_open(needs.rate, flow.rates)
    if chain is None or needs.rate >= flow.rates[-1] * EDGE:
        return _saturated(needs)
    return _point(needs, chain, flow)


def _open_flow(needs: Needs, flow: Flow) -> Flow:
    """With outside bursts at the arrivals' rate, for each number of regions busy."""
    rates, numbers = flow.rates.copy(), flow.numbers.copy()
    some = np.arange(1, needs.regions + 1)
    mixed = _mixed(needs, some, needs.rate, numbers[:, 1, some])
    if mixed is not None:
        rates[some], numbers[:, :, some] = mixed
        numbers[:, 0, some] *= needs.rate / rates[some]  # they come all the time
    none = [
        _beside(station.capacity, _outside(needs, k), 0).outside[0]
        for k, station in enumerate(needs.stations)
    ]
    numbers[:, 0, 0] = none
    return Flow(rates, numbers)


def _outside(needs: Needs, k: int) -> float:
    return float(needs.rate * needs.stations[k].demand * (1 - needs.inside[k]))


def _saturated(needs: Needs) -> Point:
    """All regions busy for ever, and as much outside as they let through."""
    flow = _flow(needs, needs.regions)
    top = float(flow.rates[-1])
    if _both(needs).any():
        top = falling_root(lambda x: _full(needs, flow, x).rates[-1] - x, top, CLOSE)
        flow = _full(needs, flow, top)
    rate, busy = top * EDGE, float(needs.regions)
    demands = np.array([station.demand for station in needs.stations])
    stretch = _stretch(needs, flow.numbers[:, :, -1] / rate, demands)
    return Point(rate, stretch, 0.0, busy / rate, busy, 1.0, saturated=True, full="pool")


def _point(needs: Needs, chain: Population, flow: Flow) -> Point:
    last = len(flow.rates) - 1
    weights = weights_of(chain, last)
    busy = float(weights @ np.minimum(np.arange(last + 1), needs.regions))
    occupancy = busy / chain.rate
    demands = np.array([station.demand for station in needs.stations])
    return Point(
        chain.rate,
        _stretch(needs, flow.numbers @ weights / chain.rate, demands),
        pool_wait=max(chain.response - occupancy, 0.0),
        occupancy=occupancy,
        regions_busy=busy,
        all_busy=float(weights[needs.regions :].sum()),
        served=None if needs.rate > 0 else (chain.chances, flow.rates),
    )


def _stretch(needs: Needs, times: F64, demands: F64) -> F64:
    """Residence [station, outside or inside] over demand; 1 where there is none."""
    share = np.column_stack((1 - needs.inside, needs.inside))
    need = demands[:, None] * share
    return np.divide(times, need, out=np.ones_like(times), where=need > 0)


# --- while regions are free -----------------------------------------------------------------------
#
# How fast regions work while some are free: read off the product form of work without a pool.
#
# With c of the clients at the processors, each of their bursts is one of a region with the chance
# its share of the demand says, and each other client waits inside a region with the chance its
# share of the time says. So the chance of n regions busy is known for the network that never lacks
# one, and with it the rate at n: a chain with that rate has these chances again. A pool cuts the
# chain off. Source of the product form: F. Baskett et al., Journal of the ACM 22 (1975), pages
# 248-260.

TOO_MANY = 20_000  # customers at the processors x regions: the chances of all pairs take too long
NOBODY = 1e-13


@dataclass(frozen=True)
class Flow:
    """What comes out with 0, 1 ... regions busy, and how many are at the stations then."""

    rates: F64
    numbers: F64  # [station, outside or inside, regions busy]


def free_flow(needs: Needs, size: int) -> Flow | None:
    """Rates and numbers for 0 to `size` regions; None: several stations, or too many customers."""
    (used, *others) = [k for k, station in enumerate(needs.stations) if station.demand > 0] or [-1]
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
    there: F64, share: float, clients: int, waiting: float, size: int
) -> tuple[F64, F64, F64]:
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


def _binomial(trials: F64, hits: F64, chance: float) -> F64:
    """Chances of so many hits; 0 where there are more than trials."""
    left = np.maximum(trials - hits, 0)
    logs = gammaln(trials + 1.0) - gammaln(hits + 1.0) - gammaln(left + 1.0)
    logs = logs + xlogy(hits, chance) + xlog1py(left, -chance)
    return np.asarray(np.where(hits <= trials, np.exp(logs), 0.0))
