"""Means of an interval of callouts through TPIPEs: the solver's slots, and what stands around them.

The load is how many callouts there are: at load 1 one after the other, below that callers pause
between them, so long that there are as many as the load says. Above load 1 nothing changes, as no
pause is left. The slots of all TPIPEs are one pool here, as in the solver.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

from imsperf.synthetic.interval_mode.mean_parts import (
    Inputs,
    Means,
    for_solver,
    latches,
    log,
    pools,
    volumes,
)
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.at_rate import devices_at
from imsperf.synthetic.solver.closed import closed_curve
from imsperf.synthetic.solver.programs import slots_of
from imsperf.synthetic.solver.queueing import birth_death, departure_dispersion, erlang_c
from imsperf.synthetic.solver.result import Result, Station


@dataclass(frozen=True)
class Balance:
    """Slots with what is inside (stations slots, cpu, latch, service), microseconds."""

    found: Result
    dispersion: float  # variance of the number of callouts over its mean


def at_pace(network: Network, load: float) -> Network:
    """The network with the pause between callouts that this load needs."""
    goal = load * balance(network).found.rate

    def paused(us: float) -> Network:
        return replace(network, think_us=us)

    if load >= 1:
        return network
    longest = network.clients / goal  # as if a callout took no time

    def excess(us: float) -> float:
        return balance(paused(us)).found.rate - goal

    return paused(float(brentq(excess, network.think_us, longest, rtol=1e-9)))


def balance(network: Network) -> Balance:
    """The pool of slots, with CPU outside and inside a slot on the same processors."""
    calls, cpu = network.callouts, network.cpu
    assert calls is not None
    left = cpu.cps - cpu.fixed_us_per_s / 1e6
    stretch = cpu.cps / left  # by work that is always there
    found = slots_of(network)
    inside = (
        Station("cpu", cpu.region_us * stretch, cpu.cps),
        Station("latch", calls.latch_us),
        Station("service", network.unexplained_us, 0),
    )
    rates = closed_curve(min(calls.slots, network.clients), 0.0, inside).rate
    away = network.clients / found.rate - float(found.response or 0.0)
    chain = birth_death(network.clients, away, rates)
    return Balance(found, departure_dispersion(chain.chances, rates))


def callout_means(inputs: Inputs) -> Means:
    """As `means_of`, of callouts."""
    network = inputs.network
    solved = for_solver(inputs, network, 0.0)
    found = balance(solved)
    rate = found.found.rate
    devices = devices_at(network, rate)
    times = _times(solved, found)
    return {
        **times,
        **_cpu(inputs, solved, rate),
        **volumes(inputs, network, devices, 0.0),
        **log(network, devices),
        **_latches(latches(devices), found.found, network),
        **pools(network, rate),
        **_gates(found, times),
        "gate_chance": 0.0,  # XCF holds nobody
    }


def _times(network: Network, balanced: Balance) -> dict[str, float]:
    """A response is a callout: the wait for its slot and what happens in it."""
    found = balanced.found
    response = float(found.response or 0.0)
    cpu, latch = found.station("cpu"), found.station("latch")
    waits = float(found.details["wait"] or 0.0)
    ahead = max(found.rate * waits, 1.0)  # each of them is an independent part of the wait
    at_latch = max(float(latch.queue or 0.0), 1.0)
    squares = (
        float(cpu.residence or 0.0) ** 2
        + float(latch.residence or 0.0) ** 2 / at_latch
        + network.unexplained_us**2
        + waits**2 / ahead
    )
    return {
        "rate_per_s": found.rate * 1e6,
        "dispersion": balanced.dispersion,
        "queue_us": 0.0,
        "occupancy_us": response,
        "after_us": 0.0,
        "before_us": float(found.details["outside"] or 0.0),
        "gate_us": 0.0,
        "response_us": response,
        "response_cv2": min(max(squares / response**2, 0.01), 4.0),
        "logged_us": 0.0,
    }


def _cpu(inputs: Inputs, network: Network, rate: float) -> dict[str, float]:
    """CPU of a callout, and work waiting for a CP, as Poisson arrivals would."""
    cpu, cap = network.cpu, inputs.cap
    cps, bursts = cpu.cps, np.array([cpu.input_us, cpu.region_us]) * cap
    running = min(rate * float(bursts.sum()) / cap + cpu.fixed_us_per_s / 1e6, cps * 0.999)
    chance = erlang_c(cps, running)
    waiting = max(chance * running / (cps - running), 1e-9)
    return {
        "cpu_us": float(bursts.sum()),
        "cpu_sd_us": float(math.sqrt(bursts @ bursts)),
        "search_us": 0.0,
        "fixed_us_per_s": cpu.fixed_us_per_s * cap - inputs.loop_cps * 1e6,
        "loop_us_per_s": inputs.loop_cps * 1e6,
        "denied": running / cps * (1 - cap),
        "capped": float(cap < 1),
        "running": running,
        "waiting": waiting,
        "all_busy": chance,
        "ratio": min(waiting / (waiting + max(chance, 1e-9)), 0.999),
    }


def _latches(common: dict[str, Any], found: Result, network: Network) -> dict[str, Any]:
    """Those of the log, and OTMA's: in a closed network, so its load may be 1."""
    latch, calls = found.station("latch"), network.callouts
    assert calls is not None
    wait = max(float(latch.residence or 0.0) - calls.latch_us, 0.0)
    own = {
        "latch_shared": 0.0,
        "latch_exclusive": min(latch.utilisation, 1.0),
        "latch_wait_us": wait,
        "latch_load": min(latch.utilisation, 0.999),
    }
    return {name: np.append(values, own[name]) for name, values in common.items()}


def _gates(balanced: Balance, times: dict[str, float]) -> dict[str, float]:
    """Callouts at all TPIPEs together, and where those are that have a slot."""
    slots = balanced.found.station("slots")
    busy = slots.utilisation * slots.limit
    behind = sum(float(balanced.found.station(name).queue or 0.0) for name in ("latch", "service"))
    return {
        "at_gates": float(slots.queue or 0.0),
        "at_gate_us": times["response_us"],
        "at_gate_cv2": times["response_cv2"],
        "gate_wait_us": max(times["response_us"] - busy / balanced.found.rate, 0.0),
        "past_cpu": min(behind / busy, 1.0) if busy else 0.0,
    }
