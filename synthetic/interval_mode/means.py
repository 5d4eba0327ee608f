"""What the solver says of one interval: rates, mean times and loads of a network at one load.

`Means` maps names to numbers (`_us` microseconds, `_per_s` rates, shares without a suffix) or to
short arrays (latches, pools). Everything that `drawn` counts is drawn around them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from imsperf.errors import ScenarioError
from imsperf.synthetic.interval_mode.batch import batch_means
from imsperf.synthetic.interval_mode.callout_means import at_pace, callout_means
from imsperf.synthetic.interval_mode.mean_parts import (
    Inputs,
    Means,
    beside,
    for_solver,
    latches,
    log,
    pools,
    volumes,
)
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.system import Balance, balances

LEAST_THINK_US = 1.0
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


def own_response_us(network: Network, others: Sequence[Network] = ()) -> float:
    """Time of a closed network's clients outside thought, at load 1, beside other systems."""
    if network.is_open or network.sequence is not None or network.callouts is not None:
        return 0.0
    own = balances([network, *others])[0]
    return max(network.clients / own.rate_per_s * 1e6 - network.think_us, 0.0)


def means_of(inputs: Inputs) -> Means:
    """The balance of these inputs. Errors: ScenarioError where open arrivals are too many."""
    if inputs.network.sequence is not None:
        return batch_means(inputs)
    if inputs.network.callouts is not None:
        return callout_means(inputs)
    network = inputs.network
    given = for_solver(inputs, network)
    own = balances([given, *(beside(inputs, one) for one in inputs.others)])[0]
    if own.saturated:
        raise ScenarioError(
            f"open arrivals: found {network.rate_per_s:,.0f} a second at this load, expected at "
            f"most {own.rate_per_s:,.0f}: {own.bottleneck} can take no more",
            "lower driver.rate_per_s or the load profile, or give the system more",
        )
    rate = own.rate_per_s / 1e6
    ios = network.mean("reads") + network.mean("writes")
    return {
        **_times(network, own),
        **_cpu(inputs, given, own),
        **_ziips(network, own),
        **volumes(inputs, given, own.devices, rate * ios),
        **log(network, own.devices),
        **latches(own.devices),
        **pools(network, rate),
        **_gate(network, own),
        **_coupling(network, own),
        **_tcbs(own),
    }


def _ziips(network: Network, own: Balance) -> dict[str, float]:
    """Of one transaction, where there are zIIPs: its time on them and what spills."""
    one = own.offload
    if one is None:
        return {}
    return {
        "ziip_us": one.used_us,
        "ziip_spilled_us": one.spilled_us,
        "ziip_offered": own.rate_per_s / 1e6 * (one.used_us + one.spilled_us),
    }


def _tcbs(own: Balance) -> dict[str, float]:
    """Transactions at all TCBs, by Little's law."""
    if own.tcb is None:
        return {}
    time = own.tcb.wait_us + own.tcb.held_us
    return {
        "at_gates": own.rate_per_s / 1e6 * time,
        "at_gate_us": time,
        "at_gate_cv2": 1.0,  # exponential, as of a queue with one server
        "gate_wait_us": own.tcb.wait_us,
    }


def _coupling(network: Network, own: Balance) -> dict[str, Any]:
    """A request of a transaction to each structure; how it is sent and how long it takes."""
    asked = own.facility
    if network.coupling is None or asked is None:
        return {}
    structures = network.coupling.structures
    waited = max(asked.facility_us - network.coupling.link_us - network.coupling.service_us, 0)
    return {
        "cf_requests": np.array([one.in_region + one.in_output for one in structures]),
        "cf_contention": np.array([one.contention for one in structures]),
        "cf_false": np.array([one.false_contention for one in structures]),
        "cf_held_us": np.array([one.held_us for one in structures]),
        "cf_converted": asked.converted,
        "cf_us": asked.facility_us,
        "cf_busy_chance": asked.subchannel_busy,
        "cf_wait_us": waited,
        "cf_host_us": asked.host_cpu_us,
    }


def _times(network: Network, own: Balance) -> dict[str, float]:
    """Where a transaction's time goes, and how much the response of one differs from another's."""
    held = own.check_write_us if network.logger.check_write == "in_region" else 0.0
    response, parts = own.response_us, np.array(own.parts_us)
    return {
        "rate_per_s": own.rate_per_s,
        "dispersion": own.dispersion,
        "queue_us": own.region_wait_us,
        "occupancy_us": own.occupancy_us,
        "after_us": own.after_us,
        "before_us": own.input_us,
        "gate_us": own.devices.gate_us,
        "response_us": response,
        "response_cv2": min(max(float(parts @ parts) / response**2, 0.01), 4.0),
        "logged_us": own.after_us + held,
    }


def _cpu(inputs: Inputs, network: Network, own: Balance) -> dict[str, float]:
    """CPU of a transaction, at any rate, and work waiting for a CP. A cap changes none of it."""
    cap, cps, busy = inputs.cap, network.cpu.cps, own.cpu_busy
    bursts = np.array(own.cpu_us) * cap
    waiting = max(own.rate_per_s * own.cpu_wait_us / 1e6, 1e-9)
    chance = erlang_c(cps, busy * cps)
    return {
        "cpu_us": float(bursts.sum()),
        "cpu_sd_us": float(math.sqrt(bursts @ bursts)),
        "search_us": own.search_us * cap,
        "fixed_us_per_s": network.cpu.fixed_us_per_s * cap - inputs.loop_cps * 1e6,
        "loop_us_per_s": inputs.loop_cps * 1e6,
        "denied": busy * (1 - cap),  # of the time of a CP: it could work and may not
        "capped": float(cap < 1),
        "running": busy * cps,
        "waiting": waiting,
        "all_busy": chance,
        "ratio": min(waiting / (waiting + max(chance, 1e-9)), 0.999),
    }


def _gate(network: Network, own: Balance) -> dict[str, float]:
    """Share of the messages that the XCF gate holds."""
    mean = network.xcf.window_us * WAIT_SHARE
    return {"gate_chance": min(own.devices.gate_us / mean, 1.0) if mean > 0 else 0.0}
