"""What every station does at one rate: device waits, CPU per transaction, clumped arrivals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.network.network import Network, PoolSize
from imsperf.synthetic.solver.clumps import clumped, gamma_cycles, path_factor
from imsperf.synthetic.solver.devices import (
    GroupCommit,
    Latch,
    LogBuffers,
    PoolUse,
    buffer_wait,
    group_commit,
    latch,
    path_delay,
    pool_use,
    volume_queue,
    xcf_gate,
)

NOBODY = Latch(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Devices:
    """What the devices do at one rate. Microseconds; None in a wait: cannot keep up."""

    gate_us: float | None
    gate_load: float
    cmr_us: float | None
    path_load: float
    iosq_us: float | None
    volume_load: float
    io_us: float | None  # response of one I/O
    logl: Latch
    lrec: Latch
    wads: GroupCommit
    olds_load: float
    buffer_us: float | None  # wait for a log buffer
    latch_us: float | None  # of one transaction, all its calls
    serials: tuple[Latch, ...] = ()  # code for one caller at a time, in the network's order
    serial_us: float | None = 0.0  # wait for it, of one transaction

    @property
    def keeps_up(self) -> bool:
        """No device has more to do than it can."""
        waits = (self.gate_us, self.cmr_us, self.iosq_us, self.buffer_us, self.latch_us)
        return self.serial_us is not None and all(wait is not None for wait in waits)


@dataclass(frozen=True)
class Demand:
    """CPU of one transaction in microseconds, growth, search and contention included."""

    input_us: float
    region_us: float
    output_us: float
    search_us: float
    contention_us: float
    growth: float  # factor on the bare cost

    @property
    def total_us(self) -> float:
        """All of it."""
        return self.input_us + self.region_us + self.output_us


@dataclass(frozen=True)
class Clumping:
    """Waits for a CPU beyond those of Poisson arrivals, microseconds."""

    input_us: float = 0.0
    region_us: float = 0.0
    output_us: float = 0.0
    paths: float = 1.0  # factor on the wait for a channel path
    known: bool = False  # not yet looked for: as of Poisson arrivals

    def near(self, other: Clumping) -> bool:
        """So little between the two that a further round changes nothing anybody sees."""
        apart = abs(self.input_us - other.input_us) + abs(self.region_us - other.region_us)
        apart += abs(self.output_us - other.output_us) + abs(self.paths - other.paths)
        return other.known and apart < 0.05 + 0.001 * abs(self.output_us)

    def halfway(self, other: Clumping) -> Clumping:
        """The mean of two, so that rounds do not swing."""
        if not other.known:
            return self
        return Clumping(
            input_us=(self.input_us + other.input_us) / 2,
            region_us=(self.region_us + other.region_us) / 2,
            output_us=(self.output_us + other.output_us) / 2,
            paths=(self.paths + other.paths) / 2,
            known=True,
        )


def clumping_at(
    network: Network, rate: float, demand: Demand, devices: Devices, queued: float
) -> Clumping:
    """Output bursts start together when a log write ends, and so do region bursts where the regions
    wait for it and `queued` (a share) of the transactions wait for a region."""
    cpus, service = network.cpu.cps, demand.total_us / 3
    behind = queued if network.logger.check_write == "in_region" else 0.0
    cycles = gamma_cycles(network.logger.wads_us, network.logger.wads_cv)
    log = clumped(cpus, service, rate * (2 - behind), rate, cycles, behind)
    alone = log.single_wait - log.poisson_wait
    after_log = log.behind_wait - log.poisson_wait
    released = released_share(network, rate, devices)
    gate_us, behind_gate_us, beside_us = 0.0, 0.0, 0.0
    dasd, reads, writes = network.dasd, network.mean("reads"), network.mean("writes")
    ios = ((1 - behind) * reads / (2 - behind), writes, reads)
    paths = path_factor(log.starts, service, ios, dasd.paths, dasd.port_us)
    if released > 0:
        between = np.array([network.xcf.window_us / network.xcf.members])
        singles = rate * (1 + 2 * (1 - released))
        gate = clumped(cpus, service, singles, rate * released, between, 1.0)
        gate_us = gate.clump_wait - gate.poisson_wait
        ios = ((writes + (1 - released) * reads) / (3 - 2 * released), 0.0, reads)
        paths += path_factor(gate.starts, service, ios, dasd.paths, dasd.port_us) - 1
        behind_gate_us = max(gate.behind_wait - gate.clump_wait - service, 0.0)
        beside_us = gate.single_wait - gate.poisson_wait
    return Clumping(
        input_us=alone + released * gate_us + (1 - released) * beside_us,
        region_us=(1 - behind) * (alone + released * behind_gate_us + (1 - released) * beside_us)
        + behind * after_log,
        output_us=log.clump_wait - log.poisson_wait + beside_us,
        paths=paths,
        known=True,
    )


def released_share(network: Network, rate: float, devices: Devices) -> float:
    """Share of the messages that XCF passes at the start of a window, those that had to wait."""
    backlog = rate / network.xcf.members * (devices.gate_us or 0.0)
    share = backlog / (rate / network.xcf.members * network.xcf.window_us)
    return min(share, 1.0) if share > 0.01 else 0.0


def devices_at(network: Network, rate: float, paths: float = 1.0) -> Devices:
    """All devices at a rate per microsecond; `paths` is a factor on the wait for a path."""
    dasd, xcf, logger = network.dasd, network.xcf, network.logger
    clients = math.inf if network.is_open else network.clients / xcf.members
    gate = xcf_gate(rate / xcf.members, xcf.quota, xcf.window_us, clients)
    ios = rate * (network.mean("reads") + network.mean("writes"))
    path_load, alone = path_delay(ios, dasd.paths, dasd.port_us)
    cmr = None if alone is None else alone * paths
    service = dasd.pend_us + (cmr or 0.0) + dasd.disc_us + dasd.conn_us
    volume_load, iosq = volume_queue(ios / dasd.volumes, service, 1 + dasd.aliases)
    log = LogBuffers(logger.block_bytes, logger.olds_us, logger.buffers, logger.wads_cv)
    waiters = () if network.is_open else (network.clients, network.regions)
    olds_load, buffer_us = buffer_wait(rate, network.mean("log_bytes"), log, *waiters)
    logl, lrec = _latches(network, rate)
    serials = tuple(latch(0.0, 0.0, ((rate * s.calls, s.hold_us),)) for s in network.serials)
    return Devices(
        gate_us=gate.delay,
        gate_load=gate.load,
        cmr_us=cmr,
        path_load=path_load,
        iosq_us=iosq,
        volume_load=volume_load,
        io_us=None if cmr is None or iosq is None else service + iosq,
        logl=logl,
        lrec=lrec,
        wads=group_commit(rate, logger.wads_us, logger.wads_cv),
        olds_load=olds_load,
        buffer_us=buffer_us,
        latch_us=_latch_time(network, logl, lrec),
        serials=serials,
        serial_us=_serial_time(network, serials),
    )


def _serial_time(network: Network, serials: tuple[Latch, ...]) -> float | None:
    """Waits of one transaction for code that one caller at a time may run."""
    total = 0.0
    for one, seen in zip(network.serials, serials, strict=True):
        if seen.wait is None:
            return None
        total += one.calls * seen.wait
    return total


def _latches(network: Network, rate: float) -> tuple[Latch, Latch]:
    """LOGL and LREC."""
    one = network.latches
    others = (one.other_exclusive_per_s / 1e6, one.other_hold_us)
    calls = (rate * one.calls_shared, one.hold_shared_us)
    alone = (rate * one.calls_shared, one.hold_exclusive_us)
    syncpoint = (rate, one.hold_exclusive_us)
    if one.mode == "exclusive":
        return latch(0.0, 0.0, (alone, syncpoint, others)), NOBODY
    if one.mode == "shared":
        return latch(*calls, (syncpoint, others)), NOBODY
    return latch(*calls, (others,)), latch(0.0, 0.0, (syncpoint,))


def _latch_time(network: Network, logl: Latch, lrec: Latch) -> float | None:
    """Waits and holds of one transaction's log calls and its syncpoint."""
    one = network.latches
    at_syncpoint = lrec if one.mode == "split" else logl
    if logl.wait is None or at_syncpoint.wait is None:
        return None
    calls = one.calls_shared * (logl.wait + one.hold_shared_us)
    return calls + at_syncpoint.wait + at_syncpoint.drain + one.hold_exclusive_us


def demand_at(network: Network, rate: float, devices: Devices) -> Demand:
    """CPU per transaction: bare cost with growth, pool search and latch contention."""
    cpu = network.cpu
    looked_at = sum(pool.gets * in_pool(network, pool, rate).searched for pool in network.pools)
    search = looked_at * network.block_search_us
    contention = _contention_cpu(network, rate, devices)
    factor = network.mean("cpu_factor")
    bare = factor * (cpu.input_us + cpu.region_us + cpu.output_us)
    growth = _growth(network, rate, bare, search + contention)
    return Demand(
        input_us=factor * cpu.input_us * growth + search,
        region_us=factor * cpu.region_us * growth,
        output_us=factor * cpu.output_us * growth + contention,
        search_us=search,
        contention_us=contention,
        growth=growth,
    )


def in_pool(network: Network, pool: PoolSize, rate: float) -> PoolUse:
    """Buffers and blocks of one size at a rate per microsecond."""
    made_per_us = rate * pool.gets
    return pool_use(
        made_per_us, pool.hold_us, pool.standing, pool.blocks_at_start, network.search_share
    )


def _contention_cpu(network: Network, rate: float, devices: Devices) -> float:
    """Wait and post cost of a transaction's own contentions."""
    others = network.latches.other_exclusive_per_s / 1e6
    total = devices.logl.contentions + devices.lrec.contentions
    total -= others * devices.logl.exclusive_contention
    cost = total * network.latches.contention_cpu_us
    for one, seen in zip(network.serials, devices.serials, strict=True):
        cost += seen.contentions * one.contention_cpu_us
    return cost / rate if rate > 0 else 0.0


def _growth(network: Network, rate: float, bare: float, extra: float) -> float:
    """1 + growth x U (model.md 3.3); U contains the CPU that this makes longer."""
    cpu = network.cpu
    used = rate * (bare + extra) + cpu.fixed_us_per_s / 1e6
    left = cpu.cps - rate * bare * cpu.growth
    return 1 + cpu.growth * (min(used / left, 1.0) if left > 0 else 1.0)
