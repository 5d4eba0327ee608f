"""Parts of the means that every kind of workload has: volumes, log, latches, pools."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.at_rate import Devices, in_pool
from imsperf.synthetic.solver.devices import Latch, pool_blocks, volume_queue
from imsperf.synthetic.solver.queueing import erlang_c

Means = Mapping[str, Any]
Floats = npt.NDArray[np.float64]

SIGMAS = 4.5  # a pool's highest use in an interval is about so many standard deviations up
FULLEST = 0.95  # a slow volume is shown as full as that at most


@dataclass(frozen=True)
class Inputs:
    """A network, and what a fault changes that a network cannot say.

    `slow`: place of a volume and its further DISC time in us. `lost_path`: place of a path that is
    gone. `loop_cps`: CPs that a program in a loop uses, in the region `loop_region`. `cap`: share
    of its CPs that the partition may use, 1: all.
    """

    network: Network
    slow: tuple[int, float] | None = None
    lost_path: int | None = None
    loop_cps: float = 0.0
    loop_region: int = 0
    cap: float = 1.0
    systems: int = 1  # that use the same coupling facility and paths as often as this one


def for_solver(inputs: Inputs, network: Network, ios: float) -> Network:
    """A cap makes CPs slower, a loop takes CPU from all, a slow volume lengthens its share."""
    cpu = network.cpu
    if inputs.loop_cps:
        cpu = replace(cpu, fixed_us_per_s=cpu.fixed_us_per_s + inputs.loop_cps * 1e6)
    if inputs.cap < 1:
        names = ("input_us", "region_us", "output_us", "fixed_us_per_s")
        cpu = replace(cpu, **{name: getattr(cpu, name) / inputs.cap for name in names})
    network = replace(network, cpu=cpu)
    if inputs.slow is not None and ios:
        extra = inputs.slow[1] * network.mean("reads") / network.dasd.volumes
        network = replace(network, unexplained_us=network.unexplained_us + extra)
    paths = network.dasd.paths - (inputs.lost_path is not None)
    paths = max(paths // inputs.systems, 1)  # all systems use them, as often as this one
    return replace(network, dasd=replace(network.dasd, paths=paths))


def volumes(inputs: Inputs, network: Network, devices: Devices, ios: float) -> dict[str, float]:
    """An I/O of any volume, and of the slow one; `ios` per microsecond."""
    dasd = network.dasd
    exposures = 1 + dasd.aliases
    cmr = float(devices.cmr_us or 0.0)
    load = devices.path_load
    squares = 2 * load * dasd.port_us**2 / max(1 - load, 1e-3) ** 2  # of the wait for a path
    service = dasd.pend_us + cmr + dasd.disc_us + dasd.conn_us
    each = ios / dasd.volumes
    extra = inputs.slow[1] if inputs.slow is not None else 0.0
    extra = min(extra, max(FULLEST * exposures / max(each, 1e-12) - service, 0.0))
    _, slow_wait = volume_queue(each, service + extra, exposures)
    return {
        "pend_us": dasd.pend_us,
        "cmr_us": cmr,
        "cmr_sd_us": math.sqrt(max(squares - cmr**2, 0.0)),
        "disc_us": dasd.disc_us,
        "conn_us": dasd.conn_us,
        "iosq_us": float(devices.iosq_us or 0.0),
        "iosq_chance": erlang_c(exposures, each * service),
        "slow_disc_us": dasd.disc_us + extra,
        "slow_iosq_us": slow_wait or 0.0,
        "slow_iosq_chance": erlang_c(exposures, each * (service + extra)),
        "slow_volume": -1.0 if inputs.slow is None else float(inputs.slow[0]),
        "lost_path": -1.0 if inputs.lost_path is None else float(inputs.lost_path),
        "loop_region": float(inputs.loop_region),
    }


def log(network: Network, devices: Devices) -> dict[str, float]:
    """Group commit, and 4 KB control intervals of a write: each write has one at least."""
    logger, wads = network.logger, devices.wads
    size = network.mean("log_bytes") / logger.wads_ci_bytes
    batch = np.arange(1, int(8 * wads.batch) + 16)
    others = max(wads.batch - 1, 1e-9)  # that joined the first
    logs = (batch - 1) * math.log(others) - others - _log_factorial(batch - 1)
    chance = np.exp(logs)
    return {
        "wads_busy": wads.busy,
        "wads_per_s": wads.writes * 1e6,
        "wads_cis": float(chance @ np.ceil(batch * size)) / float(chance.sum()),
        "wads_us": logger.wads_us,
        "olds_us": logger.olds_us,
        "no_buffer": math.exp(-steadiness(network) * (1 - min(devices.olds_load, 1.0))),
    }


def steadiness(network: Network) -> float:
    """Of the OLDS buffers: times what is left of the OLDS, the log of the chance that all are full.

    As in solver/devices.py: blocks fill nearly evenly, so buffers run out close to a full OLDS.
    """
    logger = network.logger
    filled = logger.block_bytes / max(network.mean("log_bytes"), 1e-9)  # transactions in a block
    return 2 * (logger.buffers - 1) * filled / (1 + filled * logger.wads_cv**2)


def _log_factorial(n: npt.NDArray[np.int64]) -> Floats:
    found: Floats = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(n.max()) + 1)))])[n]
    return found


def latches(devices: Devices) -> dict[str, Floats]:
    """Of LOGL and LREC: chances to wait, wait of a caller, load."""
    both: tuple[Latch, ...] = (devices.logl, devices.lrec)
    return {
        "latch_shared": np.array([one.shared_contention for one in both]),
        "latch_exclusive": np.array([one.exclusive_contention for one in both]),
        "latch_wait_us": np.array([one.wait or 0.0 for one in both]),
        "latch_load": np.array([one.load for one in both]),
    }


def pools(network: Network, rate: float) -> dict[str, Floats]:
    """Buffers of each size: mean in use, usual highest use, blocks for that. Rate per us."""
    xcf = network.xcf
    gated = xcf.window_us > 0 and xcf.quota < network.clients
    burst = min(xcf.quota, rate * xcf.window_us / max(xcf.members, 1)) if gated else 1.0
    used = [in_pool(network, one, rate) for one in network.pools]
    moving = np.array([rate * one.gets * one.hold_us for one in network.pools])
    standing = np.array([one.standing for one in network.pools], np.float64)
    gets = np.array([one.gets for one in network.pools])
    high = standing + moving + SIGMAS * np.sqrt(moving) + np.where(moving > 0, gets * burst, 0)
    blocks = [
        max(pool_blocks(most, one.primary, one.secondary), one.blocks_at_start)
        for most, one in zip(high, network.pools, strict=True)
    ]
    return {
        "pool_used": np.array([one.in_use for one in used]),
        "pool_moving": moving,
        "pool_high": high,
        "pool_blocks": np.array(blocks, np.float64),
        "pool_searched": np.array([one.searched for one in used]),
    }
