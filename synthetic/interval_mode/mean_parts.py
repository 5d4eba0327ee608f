"""What intervals are drawn around: means by group, and the groups that every workload has.

A `Means[float]` is what the solver says of one load; `Means[F64]` has it for n intervals, each
field (n,) or, of what a system has several (latches, pools, structures), (n, k). Times are
microseconds, rates per second where the name says so, shares and counts have no suffix.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.special import gammaln

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver import devices
from imsperf.synthetic.solver.declared import slower
from imsperf.synthetic.solver.devices import GroupCommit, Io, Latch, pool_blocks, volume_queue
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.steps import Terms

T = TypeVar("T")

SIGMAS = 4.5  # a pool's highest use in an interval is about so many standard deviations up
FULLEST = 0.95  # a slow volume is shown as full as that at most
NOTHING = 1e-9
UNUSED = Latch(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Inputs:
    """A network, and what a fault changes that a network cannot say.

    `others`: the networks of further systems with the same volumes and coupling facility. `slow`:
    place of a volume and its further DISC time in us. `lost_path`: place of a path that is gone.
    `loop_cps`: CPs that a program in a loop uses, in the region `loop_region`. `cap`: share of its
    CPs that the partition may use, 1: all.
    """

    network: Network
    others: tuple[Network, ...] = ()
    slow: tuple[int, float] | None = None
    lost_path: int | None = None
    loop_cps: float = 0.0
    loop_region: int = 0
    cap: float = 1.0

    @property
    def for_solver(self) -> tuple[Network, ...]:
        """The networks with all that: a cap makes CPs slower, a loop takes CPU from all, a slow
        volume lengthens its share of the reads."""
        cpu = self.network.cpu
        used = replace(cpu, fixed_us_per_s=cpu.fixed_us_per_s + self.loop_cps * 1e6)
        own = slower(replace(self.network, cpu=used), self.cap)
        return tuple(self._devices(other) for other in (own, *self.others))

    def _devices(self, network: Network) -> Network:
        extra = 0.0
        if self.slow is not None:
            extra = self.slow[1] * network.mean("reads") / network.dasd.volumes
        paths = max(network.dasd.paths - (self.lost_path is not None), 1)
        return replace(
            network,
            unexplained_us=network.unexplained_us + extra,
            dasd=replace(network.dasd, paths=paths),
        )


@dataclass(frozen=True)
class Times(Generic[T]):
    """A transaction (a callout, a unit of recovery): how many, and where its time goes."""

    rate_per_s: T
    dispersion: T  # variance of the completions over their mean
    before_us: T  # outside the response, without the gate
    gate_us: T  # held by XCF
    gate_chance: T  # to be held
    queue_us: T  # for a region
    occupancy_us: T  # of a region
    after_us: T
    response_us: T
    response_cv2: T  # squared coefficient of variation
    logged_us: T  # time that its log records have been written before it ends


@dataclass(frozen=True)
class Processors(Generic[T]):
    """CPU of a transaction (of a batch program, a step), other CPU, and work for the CPs."""

    cpu_us: T
    cpu_sd_us: T
    search_us: T  # of it, search of pools
    fixed_us_per_s: T  # at any rate
    loop_us_per_s: T  # of a program in a loop, in `loop_region`
    loop_region: T
    denied: T  # share of the time of a CP in which it could work and may not
    capped: T  # 1: the partition is capped
    running: T  # CPs at work
    waiting: T  # work units that wait for one
    all_busy: T  # chance that all CPs are at work
    ratio: T  # of the chances of n + 1 and n work units beyond the CPs


@dataclass(frozen=True)
class Ziips(Generic[T]):
    """zIIPs: what a transaction uses of them, what it spills to CPs; both of all transactions."""

    used_us: T
    spilled_us: T
    offered: T  # zIIPs that all eligible work would keep busy


@dataclass(frozen=True)
class Volumes(Generic[T]):
    """An I/O to any volume, and to the slow one (place `slow_volume`; -1: there is none)."""

    pend_us: T
    cmr_us: T  # wait for a path
    cmr_sd_us: T
    disc_us: T
    conn_us: T
    iosq_us: T
    iosq_chance: T
    slow_disc_us: T
    slow_iosq_us: T
    slow_iosq_chance: T
    slow_volume: T
    lost_path: T  # place of a path that is gone; -1: none


@dataclass(frozen=True)
class LogWrites(Generic[T]):
    """WADS and OLDS."""

    wads_busy: T
    wads_per_s: T
    wads_cis: T  # control intervals of a write
    wads_us: T
    olds_us: T
    no_buffer: T  # chance that all log buffers are full


@dataclass(frozen=True)
class Latches:
    """LOGL, LREC (and that of OTMA): chances to wait, wait of a caller, load. Arrays (..., k)."""

    shared: F64
    exclusive: F64
    wait_us: F64
    load: F64


@dataclass(frozen=True)
class Pools:
    """Buffers of each size. Arrays (..., sizes)."""

    used: F64  # mean
    moving: F64  # of them, those that come and go
    high: F64  # usual highest use
    blocks: F64  # for that
    searched: F64  # blocks looked at by one get


@dataclass(frozen=True)
class Requests(Generic[T]):
    """Requests to the coupling facility; arrays (..., structures) of a transaction's."""

    count: F64
    contention: F64
    false_contention: F64
    held_us: F64
    converted: T  # share sent asynchronously
    elapsed_us: T
    wait_us: T  # of it
    busy_chance: T  # to find no subchannel
    host_us: T  # host CPU


@dataclass(frozen=True)
class GateTimes(Generic[T]):
    """TPIPEs or TCBs, all together."""

    there: T  # transactions
    time_us: T
    time_cv2: T
    wait_us: T
    past_cpu: T  # share of the slots held by who has asked for the OTMA latch


@dataclass(frozen=True)
class Units(Generic[T]):
    """Units of recovery of a batch program while it runs."""

    unit_us: T
    unit_cv2: T
    last_us: T  # the shorter one at the end; 0: there is none
    read_us: T
    alone: T  # CPs at work while it does not run


@dataclass(frozen=True)
class Means(Generic[T]):
    """All of it; None for what a network has not."""

    load: T
    times: Times[T]
    cpu: Processors[T]
    volumes: Volumes[T]
    log: LogWrites[T]
    latches: Latches
    pools: Pools
    ziips: Ziips[T] | None = None
    requests: Requests[T] | None = None
    gates: GateTimes[T] | None = None
    units: Units[T] | None = None


def joined(parts: Sequence[Any], join: Callable[[list[F64]], F64]) -> Any:
    """Means (or a group of them) whose fields `join` makes of the same field of all `parts`."""
    first = parts[0]
    if first is None:
        return None
    if not is_dataclass(first) or isinstance(first, type):
        return join([np.asarray(part, np.float64) for part in parts])
    values = {f.name: [getattr(part, f.name) for part in parts] for f in fields(first)}
    return replace(first, **{name: joined(each, join) for name, each in values.items()})


# --- what every workload has ----------------------------------------------------------------------


def processors(
    inputs: Inputs, bursts: F64, running: float, waiting: float | None = None
) -> Processors[float]:
    """`bursts`: CPU of one transaction on slower CPs; `running`: CPs at work; `waiting`: work that
    waits for one, None: as Poisson arrivals would."""
    cps, cap = inputs.network.cpu.cps, inputs.cap
    chance, bursts = erlang_c(cps, running), bursts * cap
    if waiting is None:
        waiting = chance * running / max(cps - running, 0.001 * cps)
    waiting = max(waiting, NOTHING)
    return Processors(
        cpu_us=float(bursts.sum()),
        cpu_sd_us=float(math.sqrt(bursts @ bursts)),
        search_us=0.0,
        fixed_us_per_s=inputs.network.cpu.fixed_us_per_s,
        loop_us_per_s=inputs.loop_cps * 1e6,
        loop_region=float(inputs.loop_region),
        denied=running / cps * (1 - cap),
        capped=float(cap < 1),
        running=running,
        waiting=waiting,
        all_busy=chance,
        ratio=min(waiting / (waiting + max(chance, NOTHING)), 0.999),
    )


def volumes(inputs: Inputs, terms: Terms, ios: float) -> Volumes[float]:
    """`ios` per microsecond, of all systems."""
    dasd = inputs.for_solver[0].dasd
    io = terms.device(Io) or Io(0.0, 0.0)
    exposures, load = dasd.exposures, io.path_load
    cmr, iosq = io.cmr or 0.0, io.iosq or 0.0
    squares = 2 * load * dasd.port_us**2 / max(1 - load, 1e-3) ** 2  # of the wait for a path
    service = dasd.pend_us + cmr + dasd.disc_us + dasd.conn_us
    each = ios / dasd.volumes
    extra = inputs.slow[1] if inputs.slow is not None else 0.0
    extra = min(extra, max(FULLEST * exposures / max(each, 1e-12) - service, 0.0))
    _, slow_wait = volume_queue(each, service + extra, exposures)
    return Volumes(
        pend_us=dasd.pend_us,
        cmr_us=cmr,
        cmr_sd_us=math.sqrt(max(squares - cmr**2, 0.0)),
        disc_us=dasd.disc_us,
        conn_us=dasd.conn_us,
        iosq_us=iosq,
        iosq_chance=iosq / (iosq + service) if iosq > 0 else 0.0,  # as of a volume without aliases
        slow_disc_us=dasd.disc_us + extra,
        slow_iosq_us=slow_wait or 0.0,
        slow_iosq_chance=erlang_c(exposures, each * (service + extra)),
        slow_volume=-1.0 if inputs.slow is None else float(inputs.slow[0]),
        lost_path=-1.0 if inputs.lost_path is None else float(inputs.lost_path),
    )


def log_writes(network: Network, terms: Terms) -> LogWrites[float]:
    """Group commit, and 4 KB control intervals of a write: each write has one at least."""
    logger, wads = network.logger, terms.device(GroupCommit)
    assert wads is not None, "every network has a log"
    size = network.mean("log_bytes") / logger.wads_ci_bytes
    batch = np.arange(1, int(8 * wads.batch) + 16)
    others = max(wads.batch - 1, NOTHING)  # that joined the first
    chance = np.exp((batch - 1) * math.log(others) - others - gammaln(batch))
    load = next(load for name, load in terms.loads.items() if name.startswith("olds"))
    return LogWrites(
        wads_busy=wads.busy,
        wads_per_s=wads.writes * 1e6,
        wads_cis=float(chance @ np.ceil(batch * size)) / float(chance.sum()),
        wads_us=logger.wads_us,
        olds_us=logger.olds_us,
        no_buffer=math.exp(-steadiness(network) * (1 - min(load, 1.0))),
    )


def steadiness(network: Network) -> float:
    """Of the OLDS buffers, see devices.no_buffer."""
    log = network.logger
    return devices.steadiness(network.mean("log_bytes"), log.block_bytes, log.buffers, log.wads_cv)


def latches(terms: Terms, *further: Latch) -> Latches:
    """Of LOGL and LREC, and `further` ones."""
    every = [terms.device(Latch, name) or UNUSED for name in ("logl", "lrec")]
    every += further
    return Latches(
        shared=np.array([solved_latch.shared_contention for solved_latch in every]),
        exclusive=np.array([solved_latch.exclusive_contention for solved_latch in every]),
        wait_us=np.array([solved_latch.wait or 0.0 for solved_latch in every]),
        load=np.array([solved_latch.load for solved_latch in every]),
    )


def serial_latches(network: Network, terms: Terms) -> list[Latch]:
    """Of code that one caller at a time runs."""
    return [terms.device(Latch, serial.name) or UNUSED for serial in network.serials]


def pools(network: Network, rate: float) -> Pools:
    """Buffers of each size; blocks as for their usual highest use. `rate` per microsecond."""
    xcf = network.xcf
    gated = xcf.window_us > 0 and xcf.quota < network.clients
    burst = min(xcf.quota, rate * xcf.window_us / max(xcf.members, 1)) if gated else 1.0
    moving = np.array([rate * pool.gets * pool.hold_us for pool in network.pools])
    standing = np.array([pool.standing for pool in network.pools], np.float64)
    gets = np.array([pool.gets for pool in network.pools])
    high = standing + moving + SIGMAS * np.sqrt(moving) + np.where(moving > 0, gets * burst, 0)
    blocks = [
        max(pool_blocks(most, pool.primary, pool.secondary), pool.blocks_at_start)
        for most, pool in zip(high, network.pools, strict=True)
    ]
    beyond = np.array([max(pool.blocks_at_start - 1, 0) for pool in network.pools])
    return Pools(
        used=standing + moving,
        moving=moving,
        high=high,
        blocks=np.array(blocks, np.float64),
        searched=beyond * network.search_share,
    )
