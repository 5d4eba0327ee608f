"""The network in balance: rate, times and loads that agree with each other.

Outer level: clients (or arrivals), XCF gate, input and output CPU, log wait; a birth-death chain
over the transactions that want a region. Inner level: regions, CPU, database reads and the rest of
the occupancy; a closed network, seen from outside as a server whose rate depends on how many are
inside. The devices' waits depend on the rate, so the rate is the root of "what comes out minus
what went in".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.at_rate import (
    Clumping,
    Demand,
    Devices,
    clumping_at,
    demand_at,
    devices_at,
)
from imsperf.synthetic.solver.flow import falling_root
from imsperf.synthetic.solver.queueing import (
    Population,
    RegionFlow,
    birth_death,
    birth_death_open,
    departure_dispersion,
    region_flow,
)
from imsperf.synthetic.solver.solution import (
    Solution,
    device_loads,
    held_by,
    region_delay,
    upper_rate,
)

ROUNDS = 12
TOLERANCE = 1e-9  # of a rate
CLOSE = 1e-8  # of the stretch of CPU time
ROUGHLY = 1e-6  # of a rate while clumps are not settled
NEAR_US = 0.02
EDGE = 1 - 1e-9  # a saturated open system is shown just below its limit


@dataclass(frozen=True)
class _Balance:
    """One trial rate: what comes out of it."""

    devices: Devices
    demand: Demand
    flow: RegionFlow
    chain: Population | None
    stretch: float
    chain_stretch: float  # without that of the fixed CPU time


def solve_network(network: Network) -> Solution:
    """The balance, closed or open, with the clumps that its own rate makes.

    For CPU bursts that keep a processor to their end (`Cpu.quantum_us` 0); where processors are
    shared in short turns solve.py has the balance. A log that takes no time makes no clumps.
    """
    if network.logger.wads_us <= 0:
        return _solve(network, Clumping(), 0.0, TOLERANCE)
    clumping, moved, rate, slope = Clumping(), math.inf, 0.0, math.inf
    for _ in range(ROUNDS):
        rate_before, found = rate, _solve(network, clumping, rate, ROUGHLY)
        rate = found.rate_per_s / 1e6
        if slope * abs(rate - rate_before) < NEAR_US:  # another round would move so little
            break
        before, moved_before = clumping, moved
        clumping = clumping_at(network, rate, found.demand, found.devices, found.queued)
        if clumping.near(before):
            break
        moved = _apart(clumping, before)
        if before.known:
            slope = moved / max(abs(rate - rate_before), 1e-12 * rate)
        if moved > moved_before / 2:  # it swings
            clumping = clumping.halfway(before)
    return _solve(network, clumping, rate, TOLERANCE)


def _solve(network: Network, clumping: Clumping, guess: float, tolerance: float) -> Solution:
    if network.is_open:
        return _solve_open(network, clumping)
    return _solve_closed(network, clumping, guess, tolerance)


def _apart(one: Clumping, other: Clumping) -> float:
    """How far two are from each other, in microseconds."""
    waits = abs(one.input_us - other.input_us) + abs(one.region_us - other.region_us)
    return waits + abs(one.output_us - other.output_us)


def _solve_closed(network: Network, clumping: Clumping, guess: float, tolerance: float) -> Solution:
    """The rate at which as many transactions come out as the devices' waits were computed for."""

    known: dict[float, _Balance | None] = {}
    stretch = 1.0

    def surplus(rate: float) -> float:
        nonlocal stretch
        trial = known[rate] = _trial(network, rate, clumping, stretch=stretch)
        if trial is None or trial.chain is None:
            return -rate
        stretch = trial.chain_stretch
        return trial.chain.rate - rate

    high = upper_rate(network) * EDGE
    rate = falling_root(surplus, guess or high * 0.98, tolerance, high)
    if rate == high and surplus(high) > 0:
        return _solve_gated(network, high, clumping)
    trial = known[rate] if rate in known else _trial(network, rate, clumping)
    while trial is None or trial.chain is None:
        rate *= 1 - 1e-10
        trial = _trial(network, rate, clumping)
    return _solution(network, rate, trial, clumping, saturated=False)


def _solve_gated(network: Network, rate: float, clumping: Clumping) -> Solution:
    """The XCF gate passes all it can: the clients who are nowhere else wait there."""
    trial = _trial(network, rate, clumping)
    if trial is None:
        raise ValueError("the gate's limit is above a device's")
    stretch = trial.chain_stretch

    def waiting(gate_us: float) -> _Balance:
        nonlocal stretch
        devices = replace(trial.devices, gate_us=gate_us)
        chain, stretch = _outer(network, rate, devices, trial.demand, trial.flow, clumping, stretch)
        share = trial.stretch / trial.chain_stretch
        return _Balance(devices, trial.demand, trial.flow, chain, stretch * share, stretch)

    def surplus(gate_us: float) -> float:
        chain = waiting(gate_us).chain
        return rate if chain is None else chain.rate - rate

    longest = network.clients / rate
    gate_us = float(brentq(surplus, 0.0, longest, xtol=1e-9 * longest))
    return _solution(network, rate, waiting(gate_us), clumping, saturated=False)


def _solve_open(network: Network, clumping: Clumping) -> Solution:
    """At the given rate, or at the limit where there is no balance."""
    rate = network.rate_per_s / 1e6
    trial = _trial(network, rate, clumping)
    if trial is not None and trial.chain is not None:
        return _solution(network, rate, trial, clumping, saturated=False)
    low, high = 0.0, rate
    while high - low > rate * 1e-7:
        middle = (low + high) / 2
        found = _trial(network, middle, clumping)
        if found is None or found.chain is None:
            high = middle
        else:
            low, trial = middle, found
    if trial is None or trial.chain is None:
        raise ValueError("the network takes no work at all")
    return _solution(network, low * EDGE, trial, clumping, saturated=True)


def _trial(
    network: Network, rate: float, clumping: Clumping, stretch: float = 1.0
) -> _Balance | None:
    """Devices, CPU and regions at one rate; None where a device cannot keep up.

    `stretch` is a guess of that of CPU time.
    """
    devices = devices_at(network, rate, clumping.paths)
    if not devices.keeps_up:
        return None
    demand = demand_at(network, rate, devices)
    fixed = network.cpu.fixed_us_per_s / 1e6 / network.cpu.cps
    share = 1 / max(1 - fixed, 1e-6)  # the fixed part takes CPU time from all others
    flow = region_flow(
        network.regions,
        network.cpu.cps,
        demand.region_us * share,
        (demand.input_us + demand.output_us) * share,
        region_delay(network, devices) + clumping.region_us,
    )
    chain, found = _outer(network, rate, devices, demand, flow, clumping, stretch)
    return _Balance(devices, demand, flow, chain, found * share, found)


def _outer(
    network: Network,
    rate: float,
    devices: Devices,
    demand: Demand,
    flow: RegionFlow,
    clumping: Clumping,
    guess: float,
) -> tuple[Population | None, float]:
    """The chain over transactions that want a region, and the stretch of CPU time it implies."""
    if network.is_open:
        chain = birth_death_open(rate, flow.rates)
        return chain, 1.0 if chain is None else _mean_stretch(chain, flow)
    outside = demand.input_us + demand.output_us
    fixed = network.think_us + (devices.gate_us or 0.0) + clumping.input_us + clumping.output_us
    fixed += devices.serial_us or 0.0
    if network.logger.check_write == "notified":
        fixed += devices.wads.wait

    def chain_at(stretch: float) -> Population:
        return birth_death(network.clients, fixed + outside * stretch, flow.rates)

    def excess(stretch: float) -> float:
        return _mean_stretch(chain_at(stretch), flow) - stretch

    stretch = falling_root(excess, guess, CLOSE) if outside > 0 else 1.0
    return chain_at(stretch), stretch


def _mean_stretch(chain: Population, flow: RegionFlow) -> float:
    inside = np.minimum(np.arange(len(chain.chances)), len(flow.rates) - 1)
    weights = chain.chances * flow.rates[inside]
    return float(weights @ flow.stretch[inside] / weights.sum())


def _solution(
    network: Network, rate: float, trial: _Balance, clumping: Clumping, *, saturated: bool
) -> Solution:
    chain, devices, demand, flow = trial.chain, trial.devices, trial.demand, trial.flow
    if chain is None:
        raise ValueError("a solution needs a balance")
    last = len(flow.rates) - 1
    inside = np.minimum(np.arange(len(chain.chances)), last)
    full = saturated and rate >= float(flow.rates[-1]) * EDGE**2
    busy = float(network.regions) if full else float(chain.chances @ inside)
    occupancy = busy / rate
    input_us = demand.input_us * trial.stretch + clumping.input_us + (devices.serial_us or 0.0)
    output_us = demand.output_us * trial.stretch + clumping.output_us
    notified = devices.wads.wait if network.logger.check_write == "notified" else 0.0
    used = rate * demand.total_us + network.cpu.fixed_us_per_s / 1e6
    cpu_busy = min(used / network.cpu.cps, 1.0)
    inner = chain.response
    return Solution(
        rate_per_s=rate * 1e6,
        saturated=saturated,
        response_us=None if saturated else input_us + inner + notified + output_us,
        input_us=input_us,
        region_wait_us=None if saturated else max(inner - occupancy, 0.0),
        occupancy_us=occupancy,
        check_write_us=devices.wads.wait,
        output_us=output_us,
        regions_busy=busy,
        queued=float(chain.chances[last:].sum()),
        cpu_busy=cpu_busy,
        demand=demand,
        devices=devices,
        loads=device_loads(devices)
        | {one.name: seen.load for one, seen in zip(network.serials, devices.serials, strict=True)}
        | {"cpu": cpu_busy, "regions": min(busy / network.regions, 1.0)},
        held_by=held_by(network, devices)
        | {"cpu": demand.region_us * (trial.stretch - 1) + clumping.region_us},
        dispersion=1.0 if network.is_open else departure_dispersion(chain.chances, flow.rates),
    )
