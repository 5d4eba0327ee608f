"""A network whose transactions use regions of several kinds, each with a queue of its own.

As in kinds.py: a kind is a queue M/M/c for its share of the transactions, who hold a region as long
as the balance of all says; of closed work no more than its clients are there (Kleinrock section
3.10). Who waits for a region of one kind never waits for one of all. Times in microseconds.
"""

from __future__ import annotations

import math
from dataclasses import replace

from scipy.optimize import brentq

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.balance import solve_network
from imsperf.synthetic.solver.flow import falling_root
from imsperf.synthetic.solver.queueing import finite_wait, mmm_wait
from imsperf.synthetic.solver.solution import Solution

CLOSE = 1e-8  # of a wait
NOBODY = 1e-6  # wait, in times that a region is held
AMPLE = 4.0  # standard deviations of those inside for whom there are regions
CHECK_WRITE = 1.5  # log writes that a sync point waits for
EDGE = 1 - 1e-9  # a saturated open system is shown just below its limit


def solve_by_kind(network: Network) -> Solution:
    """The balance, closed or open; waits for regions and `loads` are those of each kind.

    The network's CPU and delay hold the schedules of the mix (`schedules_of_mix`).
    Open arrivals that are too many for one kind: saturated there.
    """
    if len(network.region_pools) < 2:
        return solve_network(network)
    found = _open(network) if network.is_open else _closed(network)
    loads = found.loads | {"regions": min(found.regions_busy / network.regions, 1.0)}
    for place, pool in enumerate(network.region_pools):
        loads[pool.name.lower()] = min(found.rate_per_s / 1e6 * _used(network, found, place), 1.0)
    return replace(found, loads=loads)


def _closed(network: Network) -> Solution:
    """Waits for a kind delay its clients as thought would; kind by kind a root, as in kinds.py."""
    many = network.clients + math.ceil(AMPLE * math.sqrt(network.clients)) + 1
    first, *others = network.region_pools
    first = replace(first, count=max(many, network.regions))
    plain = replace(network, region_pools=(first, *others))
    found, waited = solve_network(plain), 0.0
    for place in range(len(network.region_pools)):
        found, waited = _with_kind(network, plain, (found, waited), place)
    return _with_wait(found, waited)


def _with_kind(
    network: Network, plain: Network, before: tuple[Solution, float], place: int
) -> tuple[Solution, float]:
    """The balance and the waits of a mean transaction, with those for one more kind."""
    share, (found, waited) = _share(network, place), before
    last = before

    def excess(wait: float) -> float:
        nonlocal last
        think = network.think_us + waited + share * wait
        last = solve_network(replace(plain, think_us=think)), waited + share * wait
        return _wait(network, last[0], place, wait) - wait

    guess = _wait(network, found, place, 0.0)
    if guess > NOBODY * found.occupancy_us:
        falling_root(excess, guess, CLOSE)
    return last


def _wait(network: Network, found: Solution, place: int, wait: float) -> float:
    """Wait for a region of one kind of closed work, away as long as `found` with `wait` says."""
    size, clients = network.region_pools[place].count, network.clients
    held = _held(network, found, place)
    away = clients / (found.rate_per_s / 1e6 * _share(network, place)) - wait - held
    return finite_wait(clients, away, held, size)


def _open(network: Network) -> Solution:
    """With the waits for those kinds that run out before all regions together do."""
    found, waited = solve_network(network), 0.0
    if found.saturated:
        return found
    for place, pool in enumerate(network.region_pools):
        share, held = _share(network, place), _held(network, found, place)
        if pool.count >= network.regions * share * held / found.occupancy_us:
            continue
        wait = mmm_wait(found.rate_per_s / 1e6 * share, held, pool.count)
        if wait is None:
            return _open_limit(network, place)
        waited += share * wait
    return _with_wait(found, waited)


def _open_limit(network: Network, place: int) -> Solution:
    """Just below the rate that fills one kind for ever."""

    def excess(rate_per_s: float) -> float:
        found = solve_network(replace(network, rate_per_s=rate_per_s))
        return rate_per_s / 1e6 * _used(network, found, place) - 1

    rate = float(brentq(excess, network.rate_per_s * 1e-6, network.rate_per_s, rtol=1e-9))
    found = solve_network(replace(network, rate_per_s=rate * EDGE))
    return replace(found, saturated=True, response_us=None, region_wait_us=None)


def _with_wait(found: Solution, waited: float) -> Solution:
    response, wait = found.response_us, found.region_wait_us
    return replace(
        found,
        response_us=None if response is None else response + waited,
        region_wait_us=None if wait is None else wait + waited,
    )


def _share(network: Network, place: int) -> float:
    """Of the transactions, those that use the regions of one kind."""
    total = sum(one.weight for one in network.classes)
    return sum(one.weight for one in network.classes if one.pool == place) / total


def _held(network: Network, found: Solution, place: int) -> float:
    """How long these hold a region, in proportion to what they would without waits.

    They do not have the schedules of all, which the network's CPU and delay hold, but their own.
    """
    own = replace(network, classes=tuple(one for one in network.classes if one.pool == place))
    pool, (cpu_us, time_us) = network.region_pools[place], schedules_of_mix(network)
    of_all = cpu_us * own.mean("cpu_factor") / network.mean("cpu_factor") + time_us
    schedules = pool.schedule_chance * (pool.schedule_cpu_us + pool.schedule_us)
    return found.occupancy_us * (_alone(own) - of_all + schedules) / _alone(network)


def schedules_of_mix(network: Network) -> tuple[float, float]:
    """CPU and other time of schedules, of a transaction of the mix."""
    total = sum(one.weight for one in network.classes)
    pools = [(one.weight / total, network.region_pools[one.pool]) for one in network.classes]
    return (
        sum(share * pool.schedule_chance * pool.schedule_cpu_us for share, pool in pools),
        sum(share * pool.schedule_chance * pool.schedule_us for share, pool in pools),
    )


def _alone(network: Network) -> float:
    """Mean time in a region without waits, as the declared model has it."""
    log = network.logger.wads_us if network.logger.check_write == "in_region" else 0.0
    read = network.dasd.pend_us + network.dasd.disc_us + network.dasd.conn_us
    own = network.cpu.region_us * network.mean("cpu_factor") + network.mean("reads") * read
    return own + network.unexplained_us + CHECK_WRITE * log


def _used(network: Network, found: Solution, place: int) -> float:
    """Share of its regions that one transaction of all takes in a microsecond."""
    held = _share(network, place) * _held(network, found, place)
    return held / network.region_pools[place].count
