"""Queueing functions for one kind of device each: latch, log, volume, path, XCF gate, pool, AWE.

Pure functions on numbers. Times in microseconds, rates per microsecond unless a name says `per_s`.
A wait of None means: no balance, the device cannot keep up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, pdtrc

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.network.network import Coupling
from imsperf.synthetic.solver.queueing import erlang_c, mmm_wait, poisson

ROOT_2_PI = math.sqrt(2 * math.pi)
XCF_EXACT_LOAD = 0.99  # above it the backlog of the XCF gate follows its heavy-traffic growth
XCF_STEP = math.log(100) / 46  # so that the steps in -log(1 - load) end at XCF_EXACT_LOAD
XCF_LIGHT_LOAD = 0.5  # below it nearly nobody waits, and who waits keeps nobody from sending


@dataclass(frozen=True)
class Latch:
    """A reader/writer latch, first come first served."""

    load: float  # share of time held exclusively, waiting for readers to leave included
    shared_rate: float
    shared_contention: float  # chance that a shared caller waits
    exclusive_rate: float
    exclusive_contention: float
    wait: float | None  # of any caller, mean over all
    drain: float  # an exclusive caller's further wait for readers

    @property
    def contentions(self) -> float:
        """Contentions per unit of time, callers of both modes."""
        shared = self.shared_rate * self.shared_contention
        return shared + self.exclusive_rate * self.exclusive_contention


def latch(
    shared_rate: float, shared_hold: float, exclusive: Sequence[tuple[float, float]]
) -> Latch:
    """Reader/writer latch with exponential holds; `exclusive` callers are (rate, hold) each."""
    alone = math.exp(-shared_rate * shared_hold)
    drain = (1 - alone) * shared_hold
    rate = sum(r for r, _ in exclusive)
    load = sum(r * (hold + drain) for r, hold in exclusive)
    if load >= 1:
        return Latch(load, shared_rate, 1.0, rate, 1.0, None, drain)
    squares = sum(2 * r * (hold**2 + hold * drain + shared_hold * drain) for r, hold in exclusive)
    contention = 1 - (1 - load) * alone
    return Latch(load, shared_rate, load, rate, contention, squares / (2 * (1 - load)), drain)


@dataclass(frozen=True)
class GroupCommit:
    """A data set with one outstanding write; what is pending goes with the next."""

    busy: float
    writes: float  # per unit of time
    batch: float  # requests satisfied by one write
    wait: float  # from request to the end of its write, mean


def group_commit(rate: float, write: float, cv: float) -> GroupCommit:
    """WADS writes for `rate` requests; a write takes `write`, gamma, coefficient of variation cv.

    Exact: a write's length does not depend on how many it carries, so the chance that nobody comes
    during one is its Laplace transform, and who comes during one waits for the rest of it.
    """
    load = rate * write
    if load == 0:
        return GroupCommit(0.0, 0.0, 1.0, write)
    nobody = math.exp(-load) if cv == 0 else (1 + load * cv**2) ** (-(cv**-2))
    busy = load / (load + nobody)
    return GroupCommit(busy, busy / write, load / busy, write * (1 + busy * (1 + cv**2) / 2))


def bunching(batch: float, cycle: float, burst: float, cps: int, others: float) -> float:
    """Mean square of the rate at which other bursts end over the square of its mean; 1: evenly.

    Every `cycle` a write releases `batch` bursts of CPU time `burst`, first come first served on
    `cps` of which `others` work on other bursts on average. Fluid: while those that find no CP are
    served the others queue, then they leave at the speed of all CPs until the queue is gone.
    """
    idle = max(cps - others, 0.0)
    beyond = max(batch - idle, 0.0) * burst
    if beyond == 0:
        return 1.0
    alone = beyond / cps
    queue = min(beyond / idle, cycle) if idle > 0 else cycle
    fast = queue - alone
    return (queue**2 / fast + cycle - queue) / cycle if fast > 0 else 1.0


def path_delay(rate: float, paths: int, hold: float) -> tuple[float, float | None]:
    """Load of a path and the command response delay: a queue per path, chosen at random."""
    load = rate * hold / paths
    return load, (None if load >= 1 else load * hold / (1 - load))


@dataclass(frozen=True)
class Io:
    """An I/O to a database. Waits: None where a path or volume cannot keep up."""

    path_load: float
    cmr: float | None  # wait for a path (command response)
    iosq: float | None = None
    response: float | None = None  # IOSQ + PEND + DISC + CONN


def volume_queue(rate: float, service: float, exposures: int) -> tuple[float, float | None]:
    """Load of a volume with `exposures` (base and aliases) and the mean wait for one (IOSQ)."""
    busy = rate * service
    if busy >= exposures:
        return busy / exposures, None
    return busy / exposures, erlang_c(exposures, busy) * service / (exposures - busy)


@dataclass(frozen=True)
class Gate:
    """The XCF gate of one member."""

    load: float
    backlog: float | None  # messages that wait, mean over time
    delay: float | None  # of a message, mean over all


def xcf_gate(rate: float, quota: int, window: float, clients: float = math.inf) -> Gate:
    """At most `quota` messages pass in a window, the rest wait; Poisson arrivals at `rate`.

    Exact for the backlog at the ends of windows (a discrete-time queue with bulk service) and
    averaged over the window; above XCF_EXACT_LOAD it is continued by heavy-traffic growth.
    A finite number of `clients` per member sends less while some of them wait.
    """
    arrivals = rate * window
    load = arrivals / quota
    if load >= 1:
        return Gate(load, None, None)
    if quota - arrivals > 9 * math.sqrt(arrivals) + 9:
        return Gate(load, 0.0, 0.0)
    exact = min(load, XCF_EXACT_LOAD) * quota
    backlog = _between(exact, quota)
    if load > XCF_EXACT_LOAD:
        backlog += arrivals / (2 * (quota - arrivals)) - exact / (2 * (quota - exact))
    if math.isfinite(clients) and load > XCF_LIGHT_LOAD:
        backlog *= _finite_share(rate, quota / window, clients)
    return Gate(load, backlog, backlog / rate)


def _finite_share(rate: float, limit: float, clients: float) -> float:
    """Backlog with so many clients against the backlog with endlessly many, both in heavy traffic.

    The backlog is a reflected Ornstein-Uhlenbeck process: a normal distribution cut at 0, around
    clients - limit x cycle, its variance half the number of clients outside. The cycle is the one
    that gives the rate: backlog = clients - rate x cycle.
    """

    def excess(cycle: float) -> float:
        spread = math.sqrt(rate * cycle / 2)
        place = (clients - limit * cycle) / spread
        hazard = math.exp(-(place**2) / 2 - float(log_ndtr(place))) / ROOT_2_PI
        return (limit - rate) * cycle - spread * hazard

    longest = clients / rate
    cycle = float(brentq(excess, longest * 1e-9, longest, rtol=1e-12))
    endless = rate / (2 * (limit - rate))
    return min((clients - rate * cycle) / endless, 1.0)


def _between(arrivals: float, quota: int) -> float:
    """Backlog interpolated between loads that are solved once and remembered (within 1 %)."""
    place = -math.log(1 - arrivals / quota) / XCF_STEP
    low = math.floor(place + 1e-9)
    if abs(place - low) < 1e-6:
        return _window_backlog(arrivals, quota)
    ends = [_window_backlog(quota * -math.expm1(-p * XCF_STEP), quota) for p in (low, low + 1)]
    if ends[0] <= 1e-12:
        return ends[1] * (place - low)
    return float(ends[0] * (ends[1] / ends[0]) ** (place - low))


@lru_cache(maxsize=1024)
def _window_backlog(arrivals: float, quota: int) -> float:
    """Mean number waiting at the gate over a window, for so many arrivals per window."""
    if arrivals <= 0:
        return 0.0
    chances = gate_chances(arrivals, quota)
    waiting = np.arange(len(chances))
    nodes, weights = np.polynomial.legendre.leggauss(8)
    parts = []
    for share in (nodes + 1) / 2:
        mean = arrivals * share
        free = np.maximum(quota - waiting, 0)
        excess = mean * _above(free - 2, mean) - free * _above(free - 1, mean)
        excess = np.where(free == 0, waiting - quota + mean, excess)
        parts.append(float(chances @ excess))
    return float(np.asarray(weights) @ np.asarray(parts)) / 2


def _above(number: F64, mean: float) -> F64:
    """Chance that a Poisson variable is above each number, which may be negative."""
    return np.where(number < 0, 1.0, pdtrc(np.maximum(number, 0), mean))


def gate_chances(arrivals: float, quota: int) -> F64:
    """Stationary chances of the backlog at the start of a window.

    Inverted from the generating function (quota - arrivals) (z - 1) / (z^quota - e^(arrivals
    (z - 1))) x product over the zeros z_k inside the circle of (z - z_k) / (1 - z_k): the M/D/c
    queue of C. D. Crommelin, P. O. Electrical Engineers' Journal 25 (1932), pages 41-50.
    """
    decay = 2 * (quota - arrivals) / arrivals
    size = 2 ** math.ceil(math.log2(40 / decay + 12 * math.sqrt(arrivals) + quota + 32))
    turns = np.exp(2j * np.pi * np.arange(1, quota) / quota)
    zeros = turns * 0.5
    for _ in range(400):
        before = zeros
        zeros = turns * np.exp(arrivals * (zeros - 1) / quota)
        if np.abs(zeros - before).max(initial=0.0) <= 1e-15:
            break
    z = np.exp(-2j * np.pi * np.arange(1, size // 2 + 1) / size)
    generating = (quota - arrivals) * (z - 1) / (z**quota - np.exp(arrivals * (z - 1)))
    for zero in zeros:
        generating *= (z - zero) / (1 - zero)
    chances = np.fft.irfft(np.concatenate(([1.0], generating)), size)
    return np.maximum(chances, 0.0)


def no_buffer(load: float, length: float, block: int, buffers: int, cv: float) -> float:
    """Chance that all log buffers are full, at this load of the OLDS (`length` bytes each time).

    Blocks fill nearly evenly, so what is unwritten moves like a Brownian motion with a wall at
    nothing, and buffers run out close to a full OLDS: J. M. Harrison, Brownian Motion and
    Stochastic Flow Systems (1985), chapter 5.
    """
    return math.exp(-steadiness(length, block, buffers, cv) * max(1 - load, 0.0))


def steadiness(length: float, block: int, buffers: int, cv: float) -> float:
    """Times what is left of the OLDS: minus the log of the chance that all buffers are full."""
    filled = block / max(length, 1e-9)  # transactions in a block
    return 2 * (buffers - 1) * filled / (1 + filled * cv**2)


def pool_blocks(peak: float, primary: int, secondary: int) -> int:
    """Blocks for `peak` buffers, 0 without any: the primary, and secondaries as needed."""
    if peak <= 0:
        return 0
    if peak <= primary or secondary <= 0:
        return 1
    return 1 + math.ceil((peak - primary) / secondary)


def awe_balance(rate: float, hold: float, blocks: int, bad_stay: float) -> tuple[float, float]:
    """Mean time between two shortages of the pool (infinite: none), and their share of the time.

    Blocks are held `hold` (exponential) by arrivals at `rate`; an arrival that finds all in use
    starts the bad mode, which lasts `bad_stay` (minutes before the correction, milliseconds after
    it). `rate` per microsecond. A stay in the good mode begins with what the bad one left: the
    usual number, the pool at most. First passage of a birth-death chain (Kleinrock volume 1,
    chapter 2).
    """
    load = rate * hold
    n = np.arange(blocks + 1)
    usual = poisson(blocks + 1, load)
    usual[-1] += pdtrc(blocks, load)
    logs = np.where(n > 0, -math.inf, 0.0)
    if load > 0:
        logs = n * math.log(load) - np.cumsum(np.log(np.maximum(n, 1)))
    with np.errstate(over="ignore"):
        below = np.logaddexp.accumulate(logs) if load > 0 else logs
        one_up = np.exp(below - logs) / rate if load > 0 else np.full(blocks + 1, math.inf)
    passage = np.cumsum(one_up[::-1])[::-1]  # from n to one more than the pool
    seen = usual > 0
    good = float(usual[seen] @ passage[seen])
    return good, bad_stay / (good + bad_stay)


# --- zIIPs ----------------------------------------------------------------------------------------
#
# zIIPs: eligible work moves there from the general CPs, SMT makes cores faster, some spills back.
#
# model.md 3.3. A core with two threads runs at `smt` times the speed of one when both are busy.
# Work that finds all threads busy goes to a general CP where the system says so
# (IIPHONORPRIORITY=YES) and waits otherwise. Sources: Kleinrock volume 1 section 3.7 (loss) with
# state-dependent speeds.


def smt_speeds(cores: int, threads: int, smt: float) -> tuple[float, ...]:
    """Speed of the pool with 1, 2 ... bursts there; cores are filled before second threads."""
    first = [float(n) for n in range(1, cores + 1)]
    second = [cores + (smt - 1) * n for n in range(1, cores + 1)]
    return tuple(first + (second if threads == 2 else []))


def spilled_share(load: float, speeds: tuple[float, ...]) -> tuple[float, float]:
    """Share of a load that finds all threads busy, and the mean number on them."""
    if load <= 0:
        return 0.0, 0.0
    chances = _loss(load, speeds)
    return float(chances[-1]), float(chances @ np.arange(len(chances)))


def cores_and_threads(
    load: F64, cores: int, threads: int, smt: float, *, honor: bool
) -> tuple[F64, F64]:
    """Mean cores with a thread at work, mean threads at work, (n,); of loads (n,) in threads alone.

    `honor`: what finds all threads busy goes elsewhere; else it waits, first come first served.
    """
    speeds = np.array(smt_speeds(cores, threads, smt))
    number = np.arange(len(speeds) + 1)
    full = load >= speeds[-1]
    load = np.where(full & (not honor), 0.0, np.maximum(load, 1e-12))[:, None]
    with np.errstate(divide="ignore"):
        logs = np.cumsum(np.log(load) - np.log(speeds), axis=1)
    chances = np.exp(np.hstack([np.zeros_like(load), logs]))
    if not honor:
        chances[:, -1] /= 1 - load[:, 0] / speeds[-1]  # with all that wait behind
        chances[full] = number == number[-1]
    chances /= chances.sum(axis=1, keepdims=True)
    return chances @ np.minimum(number, cores), chances @ number


def carried(offered: F64, servers: int) -> F64:
    """Load of each server, (n, servers), where the lowest number that is free is taken.

    Of Poisson arrivals that offer `offered` (n,) the k-th carries what the first k - 1 lose and k
    do not (Erlang).
    """
    lost = [np.ones(len(offered))]
    for k in range(1, servers + 1):
        lost.append(offered * lost[-1] / (k + offered * lost[-1]))
    return np.asarray(-np.diff(np.array(lost), axis=0).T)


def _loss(load: float, speeds: tuple[float, ...]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Chances of 0, 1 ... threads busy where nobody waits."""
    logs = np.concatenate(([0.0], np.cumsum(np.log(load) - np.log(speeds))))
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())


# --- coupling facility ----------------------------------------------------------------------------
#
# Requests to a coupling facility: subchannels, link, CF processors; synchronous or not.
#
# model.md 3.12. A request holds a subchannel over the link and through the CF processors. While a
# synchronous request is on its way its host CPU spins; above a threshold of expected host cost
# the system sends it asynchronously: the CPU is free for a fixed cost, the answer is found later.
# A synchronous request that finds no subchannel spins too (subchannel busy), an asynchronous one
# waits.
#
# So a host has at most as many synchronous requests out as it has CPs. Asynchronous ones leave
# the CP free and come as they like: Poisson.

RAMP = 0.05  # above the threshold, until all requests are converted
WANDERS = 0.85  # of the threshold: three standard deviations of the moving mean below it


@dataclass(frozen=True)
class Served:
    """Requests on their way, however they are sent. Microseconds; `time` None: too many come."""

    rate: float  # per microsecond, at most what subchannels and CF can do
    time: float | None  # wait for a subchannel, link and CF
    spin: float  # link and CF, without the waits where too many come
    subchannels: float  # share in use
    processors: float  # share in use, by all hosts
    none_free: float = 0.0  # share that finds no subchannel


@dataclass(frozen=True)
class Requests:
    """What a stream of requests costs. Microseconds; None: more than the CF can do."""

    rate: float  # per microsecond, at most what it can do
    converted: float  # share sent asynchronously
    host_cpu: float  # of one request, mean
    elapsed: float | None  # as the program sees it, mean
    waited: float | None  # part of it that is no host CPU
    facility: float | None  # subchannel wait, link and CF
    subchannel_busy: float  # share of the requests that find none free
    served: Served

    @property
    def saturated(self) -> bool:
        """More requests than the CF or the subchannels can take."""
        return self.served.time is None


def requests(
    rate: float,
    coupling: Coupling,
    *,
    convert: bool = True,
    others: float = 0.0,
    cps: int = 0,
    work_us: float = 0.0,
) -> Requests:
    """Requests at `rate` per microsecond; `others` come from other hosts.

    The host has `cps`, each with one synchronous request at most (0: no limit), and a CP does
    `work_us` between two of its requests.

    Conversion: none while a synchronous request costs less host CPU than the threshold, all when it
    costs 5 % more, a share between (each request is judged by a moving mean). Where asynchronous
    requests would queue till they take longer than that, synchronous ones short of the threshold by
    as much as the mean wanders do it: once converted they stay so. Saturated: at the highest rate,
    asynchronous where that is allowed, no elapsed time. Hosts with more CPs than subchannels ask
    like a Poisson stream.
    """
    free = _free(rate, coupling, others)
    full = (rate + others) * coupling.service_us >= coupling.processors
    if full or not 0 < cps <= coupling.subchannels:
        return _sent(coupling, free, free, convert * _over(free, 1.0, coupling))
    held = _held(rate, coupling, others, cps, work_us)
    share = convert * _over(held, WANDERS, coupling)
    share = min(share, _over(free, 1.0, coupling))
    return _sent(coupling, free if share > 0 else held, held, share)


def _over(served: Served, part: float, coupling: Coupling) -> float:
    """How far the time is above a part of the threshold: 0 to 1; 1 where there is no time."""
    if served.time is None:
        return 1.0
    return min(max((served.time / coupling.threshold_us / part - 1) / RAMP, 0.0), 1.0)


def _sent(coupling: Coupling, served: Served, spun: Served, share: float) -> Requests:
    """A share is sent asynchronously and takes the time of `served`; the others spin."""
    time, waited, mean, elapsed = served.time, None, None, None
    spin = spun.spin if spun.time is None else spun.time
    if time is not None:
        waited = share * (time + coupling.async_delay_us)
        mean = (1 - share) * spin + share * time
        elapsed = mean + share * coupling.async_delay_us
    host_cpu = share * coupling.async_cpu_us + (1 - share) * spin
    return Requests(served.rate, share, host_cpu, elapsed, waited, mean, served.none_free, served)


def _held(rate: float, coupling: Coupling, others: float, cps: int, work_us: float) -> Served:
    """Synchronous requests: a CP has one at a time, so subchannels are free, and none waits behind
    its own; nor do those of another host, which meet half as much less of each other. Within 6 % of
    exact chains of one and two like hosts while the CF is up to half busy, 2 % in most cases; above
    that the simulation is asked (answer.py)."""
    service, processors = coupling.service_us, coupling.processors
    time = coupling.link_us + service + (mmm_wait(rate + others, service, processors) or 0.0)
    busy = min(rate * (work_us + time) / cps, 1.0)
    ahead = rate * (1 - busy / cps) + others * (1 - busy / cps / 2)
    time = coupling.link_us + service + (mmm_wait(ahead, service, processors) or 0.0)
    load = (rate + others) * service / processors
    return Served(rate, time, time, rate * time / coupling.subchannels, load)


def _free(rate: float, coupling: Coupling, others: float) -> Served:
    """Requests that come as they like: M/M/m at the processors, then, as each holds a subchannel so
    long, M/M/c for these. Near their limit the simulation is asked (answer.py)."""
    subchannels, least = coupling.subchannels, coupling.link_us + coupling.service_us
    wait = mmm_wait(rate + others, coupling.service_us, coupling.processors)
    if wait is None:
        most = max(coupling.processors / coupling.service_us - others, rate * 1e-9)
        return Served(most, None, least, 1.0, 1.0, 1.0)
    spin = least + wait
    load = min((rate + others) * coupling.service_us / coupling.processors, 1.0)
    queue = mmm_wait(rate, spin, subchannels)
    if queue is None:
        return Served(subchannels / spin, None, least, 1.0, load, 1.0)
    used = rate * spin
    return Served(rate, spin + queue, spin, used / subchannels, load, erlang_c(subchannels, used))
