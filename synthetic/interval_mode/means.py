"""What the solver says of one interval: rates, mean times and loads of a network at one load.

`Means` maps names to numbers (`_us` microseconds, `_per_s` rates, shares without a suffix) or to
short arrays (latches, pools). Everything that `drawn` counts is drawn around them. The balance is
that of `imsperf model` (solver/declared.py).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from imsperf.errors import ScenarioError
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
from imsperf.synthetic.short_runs import short_runs
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.at_rate import devices_at
from imsperf.synthetic.solver.declared import Balance, balance_of, capped
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.steps import PLACE

LEAST_THINK_US = 1.0
US_PER_MS = 1000.0
TRANSACTIONS = 100_000  # simulated for one load at a knee
WAIT_SHARE = 1 / 12  # of a window: mean wait of a message that the XCF gate holds (assumption)
NOTHING = 1e-9


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
    found = _balance(network, systems)
    return max(network.clients / found.rate_per_s * 1e6 - network.think_us, 0.0)


def check_open(network: Network, what: str, systems: int = 1) -> None:
    """Raise ScenarioError where more arrives (`what` says at which rate) than passes."""
    if network.is_open:
        _refuse(network, balance_of(network, systems), what)


def _refuse(network: Network, found: Balance, what: str) -> None:
    if found.full:
        raise ScenarioError(
            f"{what}: found {network.rate_per_s:,.0f} a second, expected at most "
            f"{found.rate_per_s:,.0f}: {found.full} can take no more",
            "lower driver.rate_per_s or the load profile, give the system more, or let clients "
            "wait (driver.rate_per_s=0)",
        )


def means_of(inputs: Inputs) -> Means:
    """The balance of these inputs. Errors: ScenarioError where open arrivals are too many."""
    if inputs.network.sequence is not None:
        return batch_means(inputs)
    if inputs.network.callouts is not None:
        return callout_means(inputs)
    network = inputs.network
    ios = network.mean("reads") + network.mean("writes")
    given = for_solver(replace(inputs, cap=1.0, systems=1), network, ios)
    found = _balance(given, inputs.systems, inputs.cap)
    _refuse(given, found, "open arrivals")
    rate = found.rate_per_s / 1e6
    devices = devices_at(for_solver(replace(inputs, cap=1.0), network, ios), rate)
    return {
        **_times(given, found),
        **_cpu(inputs, given, found),
        **_ziips(inputs, found),
        **volumes(inputs, given, devices, rate * ios),
        **log(network, devices),
        **latches(devices),
        **pools(network, rate),
        **_gate(network, found),
        **_coupling(network, found),
        **_tcbs(network, found),
    }


def _balance(network: Network, systems: int = 1, cap: float = 1.0) -> Balance:
    """That of the solver; at a knee with what short runs of the simulation say in its place."""
    found = balance_of(network, systems, cap)
    if not found.knees or found.full:
        return found
    runs = short_runs([capped(network, cap)] * systems, found.rate_per_s * systems, TRANSACTIONS)
    end = "_ims1" if systems > 1 else ""
    response, queue, occupancy, gate, outside = (
        runs[f"{name}_ms{end}"].mean * US_PER_MS
        for name in ("ims_response", "region_queue", "region_occupancy", "xcf_delay", "outside")
    )
    places = {"outside": outside - gate, "ims": response - queue - occupancy, "region": occupancy}
    times = np.array([places[place] for place in m.PLACES])
    return replace(
        found,
        rate_per_s=runs[f"etr_per_s{end}"].mean,
        gate_us=gate,
        queue_us=queue,
        times=times,
        cpu_wait_us=max(found.cpu_wait_us + float((times - found.times).sum()), 0.0),
    )


def _tcbs(network: Network, found: Balance) -> dict[str, float]:
    """Transactions at all TCBs."""
    if network.tcbs is None:
        return {}
    return {
        "at_gates": found.rate_per_s / 1e6 * found.tcb_us,
        "at_gate_us": found.tcb_us,
        "at_gate_cv2": 1.0,  # exponential, as of a queue with one server
        "gate_wait_us": found.tcb_wait_us,
    }


def _coupling(network: Network, found: Balance) -> dict[str, Any]:
    """A request of a transaction to each structure; how it is sent and how long it takes."""
    coupling, facts = network.coupling, found.requests
    if coupling is None or facts is None:
        return {}
    structures, elapsed = coupling.structures, facts["cf.facility_us"] or 0.0
    return {
        "cf_requests": np.array([one.in_region + one.in_output for one in structures]),
        "cf_contention": np.array([one.contention for one in structures]),
        "cf_false": np.array([one.false_contention for one in structures]),
        "cf_held_us": np.array([one.held_us for one in structures]),
        "cf_converted": facts["cf.converted"],
        "cf_us": elapsed,
        "cf_busy_chance": facts["cf.subchannel_busy"],
        "cf_wait_us": max(elapsed - coupling.link_us - coupling.service_us, 0),
        "cf_host_us": facts["cf.host_cpu_us"],
    }


def _times(network: Network, found: Balance) -> dict[str, float]:
    """Where a transaction's time goes, and how much the response of one differs from another's."""
    before, after, occupancy = (float(found.times[PLACE[one]]) for one in m.PLACES)
    held = found.check_write_us if network.logger.check_write == "in_region" else 0.0
    notified = found.check_write_us if network.logger.check_write == "notified" else 0.0
    cpu = found.cpu_time_us
    on_ziips = np.zeros(3) if found.ziip_us is None else found.ziip_us
    parts = np.array(
        [
            cpu[PLACE["region"]],
            network.unexplained_us,
            cpu[PLACE["ims"]],
            found.queue_us,
            found.tcb_wait_us,
            0.5 * (notified + held),
            *on_ziips[1:],
        ],
        np.float64,
    )
    response = found.queue_us + occupancy + after
    return {
        "rate_per_s": found.rate_per_s,
        "dispersion": found.dispersion,
        "queue_us": found.queue_us,
        "occupancy_us": occupancy,
        "after_us": after,
        "before_us": before,
        "gate_us": found.gate_us,
        "response_us": response,
        "response_cv2": min(max(float(parts @ parts) / response**2, 0.01), 4.0),
        "logged_us": after + held,
    }


def _cpu(inputs: Inputs, network: Network, found: Balance) -> dict[str, float]:
    """CPU of a transaction, at any rate, and work waiting for a CP. A cap changes none of it."""
    cap, cps = inputs.cap, network.cpu.cps
    bursts = found.cpu_us * cap
    rate = found.rate_per_s / 1e6
    used = rate * float(found.cpu_us.sum()) + network.cpu.fixed_us_per_s / cap / 1e6
    busy = min(used / cps, 1.0)
    waiting = max(rate * found.cpu_wait_us, NOTHING)
    chance = erlang_c(cps, busy * cps)
    return {
        "cpu_us": float(bursts.sum()),
        "cpu_sd_us": float(math.sqrt(bursts @ bursts)),
        "search_us": found.search_us * cap,
        "fixed_us_per_s": network.cpu.fixed_us_per_s - inputs.loop_cps * 1e6,
        "loop_us_per_s": inputs.loop_cps * 1e6,
        "denied": busy * (1 - cap),  # of the time of a CP: it could work and may not
        "capped": float(cap < 1),
        "running": busy * cps,
        "waiting": waiting,
        "all_busy": chance,
        "ratio": min(waiting / (waiting + max(chance, NOTHING)), 0.999),
    }


def _ziips(inputs: Inputs, found: Balance) -> dict[str, float]:
    """Of one transaction, where there are zIIPs: its time on them and what spills to CPs."""
    if found.ziip_used_us is None or found.ziip_us is None:
        return {}
    used = float(found.ziip_used_us.sum())
    spilled = used * found.spilled / max(1 - found.spilled, NOTHING)
    return {
        "ziip_us": used,
        "ziip_before_us": float(found.ziip_us[PLACE["outside"]]),
        "ziip_inside_us": float(found.ziip_us[PLACE["region"]]),
        "ziip_after_us": float(found.ziip_us[PLACE["ims"]]),
        "ziip_spilled_us": spilled,
        "ziip_offered": found.rate_per_s / 1e6 * (used + spilled),
    }


def _gate(network: Network, found: Balance) -> dict[str, float]:
    """Share of the messages that the XCF gate holds."""
    mean = network.xcf.window_us * WAIT_SHARE
    return {"gate_chance": min(found.gate_us / mean, 1.0) if mean > 0 else 0.0}
