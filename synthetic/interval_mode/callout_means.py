"""Means of an interval of callouts through TPIPEs: the solver's slots, and what stands around them.

The load is how many callouts there are: at load 1 one after the other, below that callers pause
between them, so long that there are as many as the load says. Above load 1 nothing changes, as no
pause is left. The slots of all TPIPEs are one pool here, as in the solver.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from imsperf.synthetic.interval_mode.mean_parts import (
    UNUSED,
    GateTimes,
    Inputs,
    Means,
    Times,
    latches,
    log_writes,
    pools,
    processors,
    volumes,
)
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.declared import balance_of
from imsperf.synthetic.solver.devices import Latch
from imsperf.synthetic.solver.servers import Balance


def at_pace(network: Network, load: float) -> Network:
    """The network with the pause between callouts that this load needs."""
    goal = load * balance_of(network).point.rate

    def paused(us: float) -> Network:
        return replace(network, think_us=us)

    if load >= 1:
        return network
    longest = network.clients / goal  # as if a callout took no time

    def excess(us: float) -> float:
        return balance_of(paused(us)).point.rate - goal

    return paused(float(brentq(excess, network.think_us, longest, rtol=1e-9)))


def callout_means(inputs: Inputs) -> Means[float]:
    """As `means_of`, of callouts."""
    network, (solved,) = inputs.network, inputs.for_solver
    slots = balance_of(solved)
    rate, terms = slots.point.rate, slots.terms
    times, cps = _times(solved, slots), network.cpu.cps
    bursts = np.array([solved.cpu.input_us, solved.cpu.region_us])
    running = rate * float(bursts.sum()) + solved.cpu.fixed_us_per_s / 1e6
    return Means(
        load=1.0,
        times=times,
        cpu=processors(inputs, bursts, min(running, cps * 0.999)),
        volumes=volumes(inputs, terms, 0.0),
        log=log_writes(network, terms),
        latches=latches(terms, _otma_latch(slots, network)),
        pools=pools(network, rate),
        gates=_gates(network, slots, times),
    )


def _times(network: Network, slots: Balance) -> Times[float]:
    """A response is a callout: the wait for its slot and what happens in it."""
    rate, waits, response = slots.point.rate, slots.queue_us, slots.response_us or 0.0
    cpu, latch = (slots.residence_us[name] for name in ("cpu", "latch"))
    ahead = max(rate * waits, 1.0)  # each of them is an independent part of the wait
    at_latch = max(rate * float(latch.sum()), 1.0)
    squares = (
        float(cpu.sum()) ** 2
        + float(latch.sum()) ** 2 / at_latch
        + network.unexplained_us**2
        + waits**2 / ahead
    )
    return Times(
        rate_per_s=slots.rate_per_s,
        dispersion=slots.point.dispersion,
        before_us=float(cpu[0]),
        gate_us=0.0,
        gate_chance=0.0,  # XCF holds nobody
        queue_us=0.0,
        occupancy_us=response,
        after_us=0.0,
        response_us=response,
        response_cv2=min(max(squares / response**2, 0.01), 4.0),
        logged_us=0.0,
    )


def _otma_latch(slots: Balance, network: Network) -> Latch:
    """In a closed network, so its load may be 1; every callout asks for it exclusively."""
    calls = network.callouts
    assert calls is not None
    wait = max(float(slots.residence_us["latch"].sum()) - calls.latch_us, 0.0)
    busy = min(slots.point.rate * calls.latch_us, 1.0)
    return replace(UNUSED, load=min(busy, 0.999), exclusive_contention=busy, wait=wait)


def _gates(network: Network, slots: Balance, times: Times[float]) -> GateTimes[float]:
    """Callouts at all TPIPEs together, and where those are that have a slot."""
    rate, busy = slots.point.rate, slots.point.regions_busy
    behind = rate * (float(slots.residence_us["latch"].sum()) + network.unexplained_us)
    return GateTimes(
        there=rate * times.response_us,
        time_us=times.response_us,
        time_cv2=times.response_cv2,
        wait_us=max(times.response_us - busy / rate, 0.0),
        past_cpu=min(behind / busy, 1.0) if busy else 0.0,
    )
