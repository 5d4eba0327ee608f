"""What the solver says of one interval: rates, mean times and loads of a network at one load.

`Means` maps names to numbers (`_us` microseconds, `_per_s` rates, shares without a suffix) or to
short arrays (latches, pools). Everything that `drawn` counts is drawn around them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.errors import ScenarioError
from imsperf.synthetic.network import Network, RegionPool
from imsperf.synthetic.solver.at_rate import in_pool
from imsperf.synthetic.solver.balance import Solution, solve_network
from imsperf.synthetic.solver.coupling import Facility, Requests, requests
from imsperf.synthetic.solver.devices import Latch, pool_blocks, volume_queue
from imsperf.synthetic.solver.queueing import erlang_c

Means = Mapping[str, Any]
Floats = npt.NDArray[np.float64]

ROUNDS, NEAR = 6, 1e-4  # until the rate and what the coupling facility costs agree
SIGMAS = 4.5  # a pool's highest use in an interval is about so many standard deviations up
LEAST_THINK_US = 1.0
FULLEST = 0.95  # a slow volume is shown as full as that at most
WAIT_SHARE = 1 / 12  # of a window: mean wait of a message that the XCF gate holds (assumption)


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


def at_load(network: Network, load: float, response_us: float) -> Network:
    """The network at `load` times its own arrivals.

    Open: the rate. Closed: think time, so that clients who respond in `response_us` (all time that
    is no think time, at load 1) send that many times as much; at no think time it ends.
    """
    if network.is_open:
        return replace(network, rate_per_s=network.rate_per_s * load)
    cycle = (network.think_us + response_us) / load
    return replace(network, think_us=max(cycle - response_us, LEAST_THINK_US))


def own_response_us(network: Network, systems: int = 1) -> float:
    """Time of a closed network's clients outside thought, at load 1."""
    if network.is_open:
        return 0.0
    found, _ = _solved(solved_form(network), systems)
    return max(network.clients / found.rate_per_s * 1e6 - network.think_us, 0.0)


def solved_form(network: Network) -> Network:
    """The network as the solver takes it: schedules, and CPU on a TCB, are those of any message."""
    if network.tcbs is not None:
        cpu = replace(network.cpu, region_us=network.cpu.region_us + network.tcbs.us)
        network = replace(network, cpu=cpu)
    work = [_schedule(network, pool, place) for place, pool in enumerate(network.region_pools)]
    cpu_us, time_us = (sum(one[n] for one in work) for n in (0, 1))
    if not cpu_us and not time_us:
        return network
    factor = network.mean("cpu_factor")
    cpu = replace(network.cpu, region_us=network.cpu.region_us + cpu_us / factor)
    return replace(network, cpu=cpu, unexplained_us=network.unexplained_us + time_us)


def _schedule(network: Network, pool: RegionPool, place: int) -> tuple[float, float]:
    """CPU and time of schedules in one pool of regions, of a transaction of the mix."""
    weight = sum(one.weight for one in network.classes if one.pool == place)
    share = weight / sum(one.weight for one in network.classes) * pool.schedule_chance
    return share * pool.schedule_cpu_us, share * pool.schedule_us


def means_of(inputs: Inputs) -> Means:
    """The balance of these inputs. Errors: ScenarioError where open arrivals are too many."""
    network = solved_form(inputs.network)
    ios = network.mean("reads") + network.mean("writes")
    solved = _for_solver(inputs, network, ios)
    found, asked = _solved(solved, inputs.systems)
    if found.saturated:
        raise ScenarioError(
            f"open arrivals: found {network.rate_per_s:,.0f} a second at this load, expected at "
            f"most {found.rate_per_s:,.0f}: {found.bottleneck} can take no more",
            "lower driver.rate_per_s or the load profile, or give the system more",
        )
    rate = found.rate_per_s / 1e6
    return {
        **_times(network, found),
        **_cpu(inputs, solved, found),
        **_volumes(inputs, solved, found, rate * ios),
        **_log(network, found),
        **_latches(found),
        **_pools(network, rate),
        **_gate(network, found),
        **_coupling(network, asked),
    }


def _solved(network: Network, systems: int) -> tuple[Solution, Requests | None]:
    """The balance, with what requests to the coupling facility cost at its own rate."""
    coupling = network.coupling
    if coupling is None:
        return solve_network(network), None
    places = {name: coupling.requests(name) for name in ("in_region", "in_output")}
    facility = Facility(
        coupling.processors,
        coupling.subchannels,
        coupling.link_us,
        coupling.service_us,
        coupling.async_cpu_us,
        coupling.async_delay_us,
        coupling.threshold_us,
    )
    factor, found, asked = network.mean("cpu_factor"), solve_network(network), None
    for _ in range(ROUNDS):
        rate = found.rate_per_s / 1e6 * sum(places.values())
        asked = requests(rate, facility, others=rate * (systems - 1))
        cpu = replace(
            network.cpu,
            region_us=network.cpu.region_us + places["in_region"] * asked.host_cpu / factor,
            output_us=network.cpu.output_us + places["in_output"] * asked.host_cpu / factor,
        )
        wait = network.unexplained_us + places["in_region"] * (asked.waited or 0.0)
        before = found.rate_per_s
        found = solve_network(replace(network, cpu=cpu, unexplained_us=wait))
        if abs(found.rate_per_s / before - 1) < NEAR:
            break
    return found, asked


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
        "cf_converted": asked.converted,
        "cf_us": asked.facility or 0.0,
        "cf_busy_chance": asked.subchannel_busy,
        "cf_wait_us": waited,
        "cf_host_us": asked.host_cpu,
    }


def _for_solver(inputs: Inputs, network: Network, ios: float) -> Network:
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


def _times(network: Network, found: Solution) -> dict[str, float]:
    """Where a transaction's time goes, and how much the response of one differs from another's."""
    notified = found.check_write_us if network.logger.check_write == "notified" else 0.0
    held = found.check_write_us if network.logger.check_write == "in_region" else 0.0
    queue, after = float(found.region_wait_us or 0.0), notified + float(found.output_us)
    parts = np.array(
        [
            found.demand.region_us + found.held_by["cpu"],
            network.unexplained_us,
            found.output_us,
            queue,
            0.5 * (notified + held),
        ],
        np.float64,
    )
    response = queue + found.occupancy_us + after
    return {
        "rate_per_s": found.rate_per_s,
        "dispersion": found.dispersion,
        "queue_us": queue,
        "occupancy_us": found.occupancy_us,
        "after_us": after,
        "before_us": float(found.input_us),
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


def _volumes(inputs: Inputs, network: Network, found: Solution, ios: float) -> dict[str, float]:
    """An I/O of any volume, and of the slow one; `ios` per microsecond."""
    dasd, devices = network.dasd, found.devices
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


def _log(network: Network, found: Solution) -> dict[str, float]:
    """Group commit, and 4 KB control intervals of a write: each write has one at least."""
    logger, wads = network.logger, found.devices.wads
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
        "no_buffer": found.devices.olds_load**logger.buffers,
    }


def _log_factorial(n: npt.NDArray[np.int64]) -> Floats:
    found: Floats = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(n.max()) + 1)))])[n]
    return found


def _latches(found: Solution) -> dict[str, Floats]:
    """Of LOGL and LREC: chances to wait, wait of a caller, load."""
    both: tuple[Latch, ...] = (found.devices.logl, found.devices.lrec)
    return {
        "latch_shared": np.array([one.shared_contention for one in both]),
        "latch_exclusive": np.array([one.exclusive_contention for one in both]),
        "latch_wait_us": np.array([one.wait or 0.0 for one in both]),
        "latch_load": np.array([one.load for one in both]),
    }


def _pools(network: Network, rate: float) -> dict[str, Floats]:
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


def _gate(network: Network, found: Solution) -> dict[str, float]:
    """Share of the messages that the XCF gate holds."""
    wait = float(found.devices.gate_us or 0.0)
    mean = network.xcf.window_us * WAIT_SHARE
    return {"gate_chance": min(wait / mean, 1.0) if mean > 0 else 0.0}
