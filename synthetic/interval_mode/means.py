"""What the solver says of one interval: rates, mean times and loads of a network at one load.

Everything that `drawn` counts is drawn around these means. The balance is that of `imsperf model`
(solver/declared.py), of all systems of a sysplex together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from imsperf.errors import ScenarioError
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.interval_mode.batch import batch_means
from imsperf.synthetic.interval_mode.callout_means import at_pace, callout_means
from imsperf.synthetic.interval_mode.mean_parts import (
    NOTHING,
    GateTimes,
    Inputs,
    Means,
    Processors,
    Requests,
    Times,
    Ziips,
    latches,
    log_writes,
    pools,
    processors,
    serial_latches,
    volumes,
)
from imsperf.synthetic.network.network import PLACES, Network
from imsperf.synthetic.short_runs import short_runs
from imsperf.synthetic.solver import declared, devices
from imsperf.synthetic.solver.servers import Balance
from imsperf.synthetic.solver.steps import PLACE
from imsperf.synthetic.units import US_PER_MS

LEAST_THINK_US = 1.0
TRANSACTIONS = 100_000  # simulated for one load at a knee
WAIT_SHARE = 1 / 12  # of a window: mean wait of a message that the XCF gate holds (assumption)


@dataclass(frozen=True)
class Solved:
    """Balances of all systems, one's own first, and what a simulation says of that at a knee.

    `times_us` by place [outside, ims, region], without the gate and the queue for a region.
    """

    balances: tuple[Balance, ...]
    rate_per_s: float
    gate_us: float
    queue_us: float
    times_us: F64

    @property
    def own(self) -> Balance:
        """Of the first system, without the simulation."""
        return self.balances[0]

    @property
    def cpu_wait_us(self) -> float:
        """For a CP; what a simulation found more is such a wait."""
        more = float((self.times_us - self.own.times_us).sum())
        return max(self.own.cpu_wait_us + more, 0.0)


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


def own_response_us(network: Network, *others: Network) -> float:
    """Time of a closed network's clients outside thought, at load 1, beside other systems."""
    if network.is_open or network.sequence is not None or network.callouts is not None:
        return 0.0
    solved = _solved((network, *others))
    return max(network.clients / solved.rate_per_s * 1e6 - network.think_us, 0.0)


def check_open(networks: Sequence[Network], what: str) -> None:
    """Raise ScenarioError where more arrives (`what` says at which rate) than passes."""
    for network, balance in zip(networks, declared.balances_of(networks), strict=True):
        _refuse(network, balance, what)


def _refuse(network: Network, balance: Balance, what: str) -> None:
    if balance.full:
        raise ScenarioError(
            f"{what}: found {network.rate_per_s:,.0f} a second, expected at most "
            f"{balance.rate_per_s:,.0f}: {balance.full} can take no more",
            "lower driver.rate_per_s or the load profile, give the system more, or let clients "
            "wait (driver.rate_per_s=0)",
        )


def means_of(inputs: Inputs) -> Means[float]:
    """The balance of these inputs. Errors: ScenarioError where open arrivals are too many."""
    if inputs.network.sequence is not None:
        return batch_means(inputs)
    if inputs.network.callouts is not None:
        return callout_means(inputs)
    network, networks = inputs.network, inputs.for_solver
    solved = _solved(networks)
    _refuse(networks[0], solved.own, "open arrivals")
    terms = solved.own.terms
    return Means(
        load=1.0,
        times=_times(networks[0], solved),
        cpu=_cpu(inputs, networks[0], solved),
        volumes=volumes(inputs, terms, _ios(networks, solved.balances)),
        log=log_writes(network, terms),
        latches=latches(terms, *serial_latches(network, terms)),
        pools=pools(network, solved.rate_per_s / 1e6),
        ziips=_ziips(networks[0], solved),
        requests=_requests(network, solved.own),
        gates=_tcbs(network, solved),
    )


def _ios(networks: tuple[Network, ...], balances: tuple[Balance, ...]) -> float:
    """I/Os per microsecond to the volumes that all systems share."""
    pairs = zip(networks, balances, strict=True)
    return sum(one.point.rate * (net.mean("reads") + net.mean("writes")) for net, one in pairs)


def _solved(networks: tuple[Network, ...]) -> Solved:
    """That of the solver; at a knee with what short runs of the simulation say in its place."""
    balances, knees = declared.balances_and_knees(networks)
    own = balances[0]
    if not knees or own.full:
        return Solved(balances, own.rate_per_s, own.gate_us, own.queue_us, own.times_us)
    rate = sum(balance.rate_per_s for balance in balances)
    runs = short_runs(networks, rate, TRANSACTIONS)
    end = "_ims1" if len(networks) > 1 else ""
    response, queue, occupancy, gate, outside = (
        runs[f"{name}_ms{end}"].mean * US_PER_MS
        for name in ("ims_response", "region_queue", "region_occupancy", "xcf_delay", "outside")
    )
    places = {"outside": outside - gate, "ims": response - queue - occupancy, "region": occupancy}
    times = np.array([places[place] for place in PLACES])
    return Solved(balances, runs[f"etr_per_s{end}"].mean, gate, queue, times)


def _tcbs(network: Network, solved: Solved) -> GateTimes[float] | None:
    """Transactions at all TCBs."""
    if network.tcbs is None:
        return None
    return GateTimes(
        there=solved.rate_per_s / 1e6 * solved.own.tcb_us,
        time_us=solved.own.tcb_us,
        time_cv2=1.0,  # exponential, as of a queue with one server
        wait_us=solved.own.tcb_wait_us,
        past_cpu=0.0,
    )


def _requests(network: Network, balance: Balance) -> Requests[float] | None:
    """A request of a transaction to each structure; how it is sent and how long it takes."""
    shared, sent = network.coupling, balance.terms.device(devices.Requests)
    if shared is None or sent is None:
        return None
    structures, elapsed = shared.structures, sent.facility or 0.0
    return Requests(
        count=np.array([structure.requests for structure in structures]),
        contention=np.array([structure.contention for structure in structures]),
        false_contention=np.array([structure.false_contention for structure in structures]),
        held_us=np.array([structure.held_us for structure in structures]),
        converted=sent.converted,
        elapsed_us=elapsed,
        wait_us=max(elapsed - shared.link_us - shared.service_us, 0.0),
        busy_chance=sent.subchannel_busy,
        host_us=sent.host_cpu,
    )


def _times(network: Network, solved: Solved) -> Times[float]:
    """Where a transaction's time goes, and how much the response of one differs from another's."""
    own = solved.own
    before, after, occupancy = (float(solved.times_us[PLACE[place]]) for place in PLACES)
    held = own.check_write_us if network.logger.check_write == "in_region" else 0.0
    notified = own.check_write_us if network.logger.check_write == "notified" else 0.0
    cpu = own.cpu_time_us
    parts = np.array(
        [
            cpu[PLACE["region"]],
            network.unexplained_us,
            cpu[PLACE["ims"]],
            solved.queue_us,
            own.tcb_wait_us,
            0.5 * (notified + held),
            *own.ziip_us[1:],
        ],
        np.float64,
    )
    response = solved.queue_us + occupancy + after
    gate = network.xcf.window_us * WAIT_SHARE
    return Times(
        rate_per_s=solved.rate_per_s,
        dispersion=1.0 if network.is_open else own.point.dispersion,
        before_us=before,
        gate_us=solved.gate_us,
        gate_chance=min(solved.gate_us / gate, 1.0) if gate > 0 else 0.0,
        queue_us=solved.queue_us,
        occupancy_us=occupancy,
        after_us=after,
        response_us=response,
        response_cv2=min(max(float(parts @ parts) / response**2, 0.01), 4.0),
        logged_us=after + held,
    )


def _cpu(inputs: Inputs, network: Network, solved: Solved) -> Processors[float]:
    """CPU of a transaction, at any rate, and work waiting for a CP. A cap changes none of it."""
    rate, cps = solved.rate_per_s / 1e6, network.cpu.cps
    used = rate * float(solved.own.cpu_us.sum()) + network.cpu.fixed_us_per_s / 1e6
    common = processors(inputs, solved.own.cpu_us, min(used, float(cps)), rate * solved.cpu_wait_us)
    return replace(common, search_us=declared.search_us(inputs.network))


def _ziips(network: Network, solved: Solved) -> Ziips[float] | None:
    """Of one transaction, where there are zIIPs: its time on them and what spills to CPs."""
    if not network.cpu.ziips:
        return None
    terms = solved.own.terms
    used = float(terms.ziip_used.sum())
    spilled = used * terms.spilled / max(1 - terms.spilled, NOTHING)
    return Ziips(used, spilled, solved.rate_per_s / 1e6 * (used + spilled))
