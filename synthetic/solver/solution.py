"""The balance of a network as balance.py and turns.py give it, and what both work it out from."""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.at_rate import Demand, Devices
from imsperf.synthetic.solver.result import HELD, NEARLY_FULL


@dataclass(frozen=True)
class Solution:
    """The balance of a network. Times in microseconds, loads as shares."""

    rate_per_s: float
    saturated: bool  # open arrivals beyond what the system takes
    response_us: float | None  # XCF delivery to dequeue
    input_us: float
    region_wait_us: float | None
    occupancy_us: float
    check_write_us: float
    output_us: float
    regions_busy: float
    queued: float  # share of the transactions that find all regions busy
    cpu_busy: float
    demand: Demand
    devices: Devices
    loads: dict[str, float]
    held_by: dict[str, float]  # what a region's occupancy owes to queues at other stations, us
    dispersion: float = 1.0  # variance of the completions over their mean, in a long time

    @property
    def in_flight(self) -> float | None:
        """Transactions between XCF delivery and dequeue, by Little's law."""
        return None if self.response_us is None else self.rate_per_s * self.response_us / 1e6

    @property
    def bottleneck(self) -> str:
        """The station nearest to its limit; where that is the regions, who else keeps them full."""
        found = max(self.loads, key=lambda name: self.loads[name])
        holder = max(self.held_by, key=lambda name: self.held_by[name])
        full = found == "regions" and self.loads[found] > NEARLY_FULL
        return holder if full and self.held_by[holder] > HELD * self.occupancy_us else found

    @property
    def headroom(self) -> float:
        """The rate could rise by this share before a station is full."""
        return max(1 / max(self.loads.values()) - 1, 0.0)


def upper_rate(network: Network) -> float:
    """A rate above the balance: what clients could offer, or the first device to be full."""
    least = network.think_us + network.cpu.input_us + network.cpu.region_us
    limits = [network.clients / least]
    limits.append(network.xcf.members * network.xcf.quota / network.xcf.window_us)
    limits += [1 / (one.calls * one.hold_us) for one in network.serials if one.calls * one.hold_us]
    logged = network.mean("log_bytes") * network.logger.olds_us
    if logged > 0:
        limits.append(network.logger.block_bytes / logged)
    ios = network.mean("reads") + network.mean("writes")
    if ios * network.dasd.port_us > 0:
        limits.append(network.dasd.paths / (ios * network.dasd.port_us))
    return min(limits)


def region_delay(network: Network, devices: Devices) -> float:
    """What a region waits for besides CPU."""
    log = devices.wads.wait if network.logger.check_write == "in_region" else 0.0
    reads = network.mean("reads") * (devices.io_us or 0.0)
    waits = (devices.latch_us or 0.0) + (devices.buffer_us or 0.0)
    return reads + network.unexplained_us + log + waits


def device_loads(devices: Devices) -> dict[str, float]:
    """Shares of what each device can do; not the WADS, busy whenever anything is logged."""
    return {
        "xcf": devices.gate_load,
        "channel_paths": devices.path_load,
        "volumes": devices.volume_load,
        "logl": devices.logl.load,
        "lrec": devices.lrec.load,
        "olds": devices.olds_load,
    }


def held_by(network: Network, devices: Devices) -> dict[str, float]:
    """Waits inside a region by station."""
    reads = network.mean("reads")
    latch = "lrec" if network.latches.mode == "split" else "logl"
    return {
        "channel_paths": reads * (devices.cmr_us or 0.0),
        "volumes": reads * (devices.iosq_us or 0.0),
        "olds": devices.buffer_us or 0.0,
        latch: devices.latch_us or 0.0,
    }
