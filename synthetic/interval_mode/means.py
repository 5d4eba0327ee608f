"""What the solver says of one interval: rates, mean times and loads of a network at one load.

`Means` maps names to numbers (`_us` microseconds, `_per_s` rates, shares without a suffix) or to
short arrays (latches, pools). Everything that `drawn` counts is drawn around them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

from imsperf.errors import ScenarioError
from imsperf.synthetic.interval_mode import ziips
from imsperf.synthetic.interval_mode.batch import batch_means
from imsperf.synthetic.interval_mode.callout_means import at_pace, callout_means
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
from imsperf.synthetic.solver.coupling import Facility, Requests, requests
from imsperf.synthetic.solver.own_regions import schedules_of_mix, solve_by_kind
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.solution import Solution

ROUNDS, NEAR = 6, 1e-4  # until the rate and what the coupling facility costs agree
LEAST_THINK_US = 1.0
FULLEST_TCB = 0.98  # a TCB is taken for no busier than that
WAIT_SHARE = 1 / 12  # of a window: mean wait of a message that the XCF gate holds (assumption)


def at_load(network: Network, load: float, response_us: float) -> Network:
    """The network at `load` times its own arrivals.

    Open: the rate. Closed: think time, so that clients who respond in `response_us` (all time that
    is no think time, at load 1) send that many times as much; at no think time it ends.
    """
    if network.sequence is not None:
        return network  # a run of the program is longer, see batch.py
    if network.callouts is not None:
        return at_pace(network, load)
    if network.is_open:
        return replace(network, rate_per_s=network.rate_per_s * load)
    cycle = (network.think_us + response_us) / load
    return replace(network, think_us=max(cycle - response_us, LEAST_THINK_US))


def own_response_us(network: Network, systems: int = 1) -> float:
    """Time of a closed network's clients outside thought, at load 1."""
    if network.is_open or network.sequence is not None or network.callouts is not None:
        return 0.0
    found, *_ = solved(solved_form(network), systems)
    return max(network.clients / found.rate_per_s * 1e6 - network.think_us, 0.0)


def solved_form(network: Network) -> Network:
    """The network as the solver takes it: schedules, and CPU on a TCB, are those of any message."""
    if network.tcbs is not None:
        network = replace(network, cpu=ziips.more_cpu(network.cpu, network.tcbs.us))
    cpu_us, time_us = schedules_of_mix(network)
    if not cpu_us and not time_us:
        return network
    factor = network.mean("cpu_factor")
    cpu = ziips.more_cpu(network.cpu, cpu_us / factor)
    return replace(network, cpu=cpu, unexplained_us=network.unexplained_us + time_us)


def means_of(inputs: Inputs) -> Means:
    """The balance of these inputs. Errors: ScenarioError where open arrivals are too many."""
    if inputs.network.sequence is not None:
        return batch_means(inputs)
    if inputs.network.callouts is not None:
        return callout_means(inputs)
    network = solved_form(inputs.network)
    ios = network.mean("reads") + network.mean("writes")
    given = for_solver(inputs, network, ios)
    found, asked, offload = solved(given, inputs.systems, inputs.cap)
    if found.saturated:
        raise ScenarioError(
            f"open arrivals: found {network.rate_per_s:,.0f} a second at this load, expected at "
            f"most {found.rate_per_s:,.0f}: {found.bottleneck} can take no more",
            "lower driver.rate_per_s or the load profile, or give the system more",
        )
    rate = found.rate_per_s / 1e6
    moved = ziips.means(found.rate_per_s, offload)
    return {
        **_times(network, found, moved),
        **_cpu(inputs, given, found),
        **moved,
        **volumes(inputs, given, found.devices, rate * ios),
        **log(network, found.devices),
        **latches(found.devices),
        **pools(network, rate),
        **_gate(network, found),
        **_coupling(network, asked),
        **_tcbs(network, found),
    }


def solved(
    network: Network, systems: int, cap: float = 1.0
) -> tuple[Solution, Requests | None, ziips.Offload | None]:
    """The balance of a network in `solved_form`, with what requests to the coupling facility cost
    at its own rate, where so many systems ask it as often, and with zIIPs. `cap`: see Inputs."""
    coupling = network.coupling
    if coupling is None:
        found, moved = _settled(network, cap)
        return found, None, moved
    places = {name: coupling.requests(name) for name in ("in_region", "in_output")}
    facility = Facility(
        coupling.processors,
        coupling.subchannels,
        coupling.link_us,
        coupling.service_us,
        coupling.async_cpu_us,
        coupling.async_delay_us,
        coupling.threshold_us,
        network.cpu.cps,
        _between(network, sum(places.values())),
    )
    factor, asked = network.mean("cpu_factor"), None
    found, moved = _settled(network, cap)
    for _ in range(ROUNDS):
        rate = found.rate_per_s / 1e6 * sum(places.values())
        asked = requests(rate, facility, others=rate * (systems - 1))
        extra = {place: number * asked.host_cpu / factor for place, number in places.items()}
        cpu = ziips.more_cpu(network.cpu, extra["in_region"], extra["in_output"])
        wait = network.unexplained_us + places["in_region"] * (asked.waited or 0.0)
        before = found.rate_per_s
        found, moved = _settled(replace(network, cpu=cpu, unexplained_us=wait), cap)
        if abs(found.rate_per_s / before - 1) < NEAR:
            break
    return found, asked, moved


def _between(network: Network, asked: float) -> float:
    """What a CP does between two of its requests to the coupling facility, of `asked` each."""
    cpu = network.cpu
    bare = (cpu.input_us + cpu.region_us + cpu.output_us) * network.mean("cpu_factor")
    return bare * (1 + cpu.growth) / asked if asked > 0 else 0.0


def _settled(network: Network, cap: float) -> tuple[Solution, ziips.Offload | None]:
    """The balance with the waits that the rate itself makes: for the TCB of the caller, each a
    queue with one server, and for zIIPs."""

    def at(rate_per_s: float) -> tuple[Solution, ziips.Offload | None]:
        one, moved = network, None
        if network.cpu.ziips:
            moved = ziips.offload(one, rate_per_s, growth, cap, elsewhere)
            one = ziips.without(one, moved)
        if network.tcbs is not None and rate_per_s > 0:
            wait = _tcb_times(network, rate_per_s, found)[1]
            one = replace(one, unexplained_us=one.unexplained_us + wait)
        return solve_by_kind(one), moved

    growth, elsewhere = 1.0, 0.0
    found, moved = at(0.0)
    if network.tcbs is None and not network.cpu.ziips:
        return found, moved
    balance, rate = found, found.rate_per_s
    for _ in range(ROUNDS):
        if moved is not None:
            growth = balance.demand.growth
            elsewhere = network.clients / rate * 1e6 - float(moved.time.sum())
        balance, moved = at(rate)
        if moved is not None and ziips.overrun(network, rate, moved):
            return ziips.saturated(network, balance, moved), moved
        if abs(balance.rate_per_s / rate - 1) < NEAR:
            return balance, moved
        rate = balance.rate_per_s
    if network.tcbs is None:
        return balance, moved
    most = FULLEST_TCB * network.tcbs.count / network.tcbs.us * 1e6 / found.demand.growth
    most = min(most, found.rate_per_s)
    if at(most)[0].rate_per_s >= most:
        return at(most)
    root = brentq(lambda x: at(x)[0].rate_per_s - x, most * 1e-3, most, rtol=1e-4)
    return at(float(root))


def _tcb_times(network: Network, rate_per_s: float, found: Solution) -> tuple[float, float, float]:
    """How busy a TCB is, the wait for it, the time it is held: CPU and the waits for a CPU; us."""
    assert network.tcbs is not None
    demand = found.demand
    stretch = 1 + found.held_by["cpu"] / max(demand.region_us, 1e-9)
    each = network.tcbs.us * demand.growth * network.mean("cpu_factor") * stretch
    busy = min(rate_per_s / 1e6 / network.tcbs.count * each, FULLEST_TCB)
    return busy, each * busy / (1 - busy), each


def _tcbs(network: Network, found: Solution) -> dict[str, float]:
    """Transactions at all TCBs, a queue with one server each."""
    if network.tcbs is None:
        return {}
    busy, wait, each = _tcb_times(network, found.rate_per_s, found)
    return {
        "at_gates": network.tcbs.count * busy / (1 - busy),
        "at_gate_us": wait + each,
        "at_gate_cv2": 1.0,  # exponential, as of any such queue
        "gate_wait_us": wait,
    }


def _coupling(network: Network, asked: Requests | None) -> dict[str, Any]:
    """A request of a transaction to each structure; how it is sent and how long it takes."""
    if network.coupling is None or asked is None:
        return {}
    structures = network.coupling.structures
    waited = max(
        (asked.facility or 0.0) - network.coupling.link_us - network.coupling.service_us, 0
    )
    return {
        "cf_requests": np.array([one.in_region + one.in_output for one in structures]),
        "cf_contention": np.array([one.contention for one in structures]),
        "cf_false": np.array([one.false_contention for one in structures]),
        "cf_held_us": np.array([one.held_us for one in structures]),
        "cf_converted": asked.converted,
        "cf_us": asked.facility or 0.0,
        "cf_busy_chance": asked.subchannel_busy,
        "cf_wait_us": waited,
        "cf_host_us": asked.host_cpu,
    }


def _times(network: Network, found: Solution, moved: Means) -> dict[str, float]:
    """Where a transaction's time goes, and how much the response of one differs from another's.

    `moved`: what it has on zIIPs; the solver has all of that in the region.
    """
    on_ziips = [moved.get(f"ziip_{one}_us", 0.0) for one in ("before", "inside", "after")]
    occupancy = found.occupancy_us - on_ziips[0] - on_ziips[2]
    notified = found.check_write_us if network.logger.check_write == "notified" else 0.0
    held = found.check_write_us if network.logger.check_write == "in_region" else 0.0
    queue = float(found.region_wait_us or 0.0)
    after = notified + float(found.output_us) + on_ziips[2]
    parts = np.array(
        [
            found.demand.region_us + found.held_by["cpu"],
            network.unexplained_us,
            found.output_us,
            queue,
            0.5 * (notified + held),
            *on_ziips[1:],
        ],
        np.float64,
    )
    response = queue + occupancy + after
    return {
        "rate_per_s": found.rate_per_s,
        "dispersion": found.dispersion,
        "queue_us": queue,
        "occupancy_us": occupancy,
        "after_us": after,
        "before_us": float(found.input_us) + on_ziips[0],
        "gate_us": float(found.devices.gate_us or 0.0),
        "response_us": response,
        "response_cv2": min(max(float(parts @ parts) / response**2, 0.01), 4.0),
        "logged_us": after + held,
    }


def _cpu(inputs: Inputs, network: Network, found: Solution) -> dict[str, float]:
    """CPU of a transaction, at any rate, and work waiting for a CP. A cap changes none of it."""
    demand, cap, cps = found.demand, inputs.cap, network.cpu.cps
    bursts = np.array([demand.input_us, demand.region_us, demand.output_us]) * cap
    waits = found.input_us - (found.devices.serial_us or 0.0) - demand.input_us
    waits += found.output_us - demand.output_us + found.held_by["cpu"]
    busy = float(found.cpu_busy)
    waiting = max(found.rate_per_s * float(waits) / 1e6, 1e-9)
    chance = erlang_c(cps, busy * cps)
    return {
        "cpu_us": float(bursts.sum()),
        "cpu_sd_us": float(math.sqrt(bursts @ bursts)),
        "search_us": demand.search_us * cap,
        "fixed_us_per_s": network.cpu.fixed_us_per_s * cap - inputs.loop_cps * 1e6,
        "loop_us_per_s": inputs.loop_cps * 1e6,
        "denied": busy * (1 - cap),  # of the time of a CP: it could work and may not
        "capped": float(cap < 1),
        "running": busy * cps,
        "waiting": waiting,
        "all_busy": chance,
        "ratio": min(waiting / (waiting + max(chance, 1e-9)), 0.999),
    }


def _gate(network: Network, found: Solution) -> dict[str, float]:
    """Share of the messages that the XCF gate holds."""
    wait = float(found.devices.gate_us or 0.0)
    mean = network.xcf.window_us * WAIT_SHARE
    return {"gate_chance": min(wait / mean, 1.0) if mean > 0 else 0.0}
