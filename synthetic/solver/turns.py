"""The balance of a network whose CPUs are shared in short turns: processor sharing among delays.

A product form: all bursts of a transaction are one visit to a station that speeds up with the
number there, and think time, I/O, log and gate are delays around it (Baskett, Chandy, Muntz and
Palacios, Journal of the ACM 22 (1975), pages 248-260). Exact but for waits that depend on the rate,
which is sought. Only while regions are free: where they may run out, balance.py has them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.at_rate import (
    Clumping,
    Demand,
    Devices,
    demand_at,
    devices_at,
)
from imsperf.synthetic.solver.flow import falling_root
from imsperf.synthetic.solver.queueing import (
    Floats,
    Population,
    birth_death,
    birth_death_open,
    departure_dispersion,
)
from imsperf.synthetic.solver.solution import (
    Solution,
    device_loads,
    held_by,
    region_delay,
    upper_rate,
)

TOLERANCE = 1e-9  # of a rate
EDGE = 1 - 1e-9
SPARE = 4.0  # standard deviations of the busy regions that must be free


@dataclass(frozen=True)
class _Point:
    """One trial rate (per us): what comes out of it."""

    devices: Devices
    demand: Demand
    speeds: Floats  # transactions a CPU station completes with 0, 1 ... there
    chain: Population
    stretch: float  # residence over CPU time, by fixed work too


def in_turns(network: Network, clumping: Clumping) -> Solution | None:
    """The balance; None where regions may run out, or a device or the CPUs cannot keep up."""
    if network.is_open:
        rate = network.rate_per_s / 1e6
    else:
        high = upper_rate(network) * EDGE
        rate = falling_root(
            lambda one: _surplus(network, one, clumping), high * 0.98, TOLERANCE, high
        )
        if rate == high:
            return None
    point = _at(network, rate, clumping)
    if point is None:
        return None
    found = _solution(network, rate, point, clumping)
    return (
        found
        if found.regions_busy + SPARE * math.sqrt(found.regions_busy) < network.regions
        else None
    )


def _surplus(network: Network, rate: float, clumping: Clumping) -> float:
    point = _at(network, rate, clumping)
    return -rate if point is None else point.chain.rate - rate


def _at(network: Network, rate: float, clumping: Clumping) -> _Point | None:
    """Everything at one rate, None where there is no balance."""
    devices = devices_at(network, rate)
    if not devices.keeps_up:
        return None
    demand, cps = demand_at(network, rate, devices), network.cpu.cps
    share = 1 / max(1 - network.cpu.fixed_us_per_s / 1e6 / cps, 1e-6)  # fixed work slows all others
    each = demand.total_us * share
    speeds = np.arange(cps + 1) / each
    if network.is_open:
        chain = birth_death_open(rate, speeds)
    else:
        delay = network.think_us + region_delay(network, devices) + _beside(network, devices)
        delay += clumping.input_us + clumping.region_us + clumping.output_us
        chain = birth_death(network.clients, delay, speeds)
    if chain is None:
        return None
    return _Point(devices, demand, speeds, chain, chain.response / demand.total_us)


def _beside(network: Network, devices: Devices) -> float:
    """Waits outside regions and CPUs."""
    notified = devices.wads.wait if network.logger.check_write == "notified" else 0.0
    return notified + (devices.gate_us or 0.0) + (devices.serial_us or 0.0)


def _solution(network: Network, rate: float, point: _Point, clumping: Clumping) -> Solution:
    demand, devices, stretch = point.demand, point.devices, point.stretch
    held_for_cpu = demand.region_us * stretch + clumping.region_us
    occupancy = held_for_cpu + region_delay(network, devices)
    input_us = demand.input_us * stretch + clumping.input_us + (devices.serial_us or 0.0)
    output_us = demand.output_us * stretch + clumping.output_us
    notified = devices.wads.wait if network.logger.check_write == "notified" else 0.0
    used = rate * demand.total_us + network.cpu.fixed_us_per_s / 1e6
    cpu_busy = min(used / network.cpu.cps, 1.0)
    serials = zip(network.serials, devices.serials, strict=True)
    return Solution(
        rate_per_s=rate * 1e6,
        saturated=False,
        response_us=input_us + occupancy + notified + output_us,
        input_us=input_us,
        region_wait_us=0.0,
        occupancy_us=occupancy,
        check_write_us=devices.wads.wait,
        output_us=output_us,
        regions_busy=rate * occupancy,
        queued=0.0,
        cpu_busy=cpu_busy,
        demand=demand,
        devices=devices,
        loads=device_loads(devices)
        | {one.name: seen.load for one, seen in serials}
        | {"cpu": cpu_busy, "regions": min(rate * occupancy / network.regions, 1.0)},
        held_by=held_by(network, devices) | {"cpu": held_for_cpu - demand.region_us},
        dispersion=1.0
        if network.is_open
        else departure_dispersion(point.chain.chances, point.speeds),
    )
