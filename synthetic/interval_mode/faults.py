"""Faults that can be injected: each changes what the solver is given, so all records agree.

The truth names the report, key and column in which the cause shows most, before anything that
follows from it. Sizes are assumptions, chosen so that nobody doubts which interval it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammainc

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.accounts.io_accounts import DATABASE_PATHS
from imsperf.synthetic.accounts.sysplex_accounts import FACILITY
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.interval_mode.mean_parts import FULLEST, Inputs, Means, joined, steadiness
from imsperf.synthetic.network.network import Network, PoolSize, Structure
from imsperf.synthetic.solver.devices import pool_blocks

SLOWER = 20  # times the response of an I/O, as further DISC
OLDS_LOAD = 1.02  # of the OLDS at the rate without the fault, where clients wait
NO_BUFFER = 0.05  # of the log calls find all buffers full, where arrivals do not wait
MORE_BLOCKS = 20  # secondary blocks that the buffers of a pool need
LOOP_CPS = 0.98  # CPs that a loop uses
CAP = 0.85  # of what is used, where clients wait
STORM = 0.4  # share of the lock requests that meet contention
LOCK_WAIT_US = 1000.0  # a program waits so long for each of them
MISSED = 1.1  # performance index above which a goal is missed anyway: a step of its distribution
OPEN_LOAD = 0.97  # of a capped partition where arrivals do not wait


@dataclass(frozen=True)
class Place:
    """What a fault may need to know of the run."""

    network: Network
    host: Host
    inventory: Inventory


@dataclass(frozen=True)
class Truth:
    """Where a fault shows most: `key` as `name=value` pairs, `direction` higher or lower."""

    report: str
    key: str
    column: str
    direction: str
    changed: str


@dataclass(frozen=True)
class Fault:
    """`change` takes the inputs of an interval and its means without faults.

    `truth` raises ScenarioError where the scenario has nothing that could fail so.
    """

    name: str
    title: str
    change: Callable[[Inputs, Means[float]], Inputs]
    truth: Callable[[Place], Truth]
    shared: bool = False  # what fails serves all systems; else it is one of the first
    shows: Callable[[Place, Means[F64]], None] | None = None  # see `check_shows`


@dataclass(frozen=True)
class Injected:
    """A fault, and the intervals it lasts, from 0."""

    fault: Fault
    intervals: tuple[int, ...]


def _missing(name: str, what: str, hint: str) -> ScenarioError:
    return ScenarioError(f"--inject {name}: this scenario has no {what}", hint)


# --- devices --------------------------------------------------------------------------------------


def _slow_place(network: Network) -> int:
    return network.dasd.volumes // 3


def _slow_volume(inputs: Inputs, means: Means[float]) -> Inputs:
    dasd = inputs.network.dasd
    own = dasd.pend_us + means.volumes.cmr_us + dasd.disc_us + dasd.conn_us
    return replace(inputs, slow=(_slow_place(inputs.network), SLOWER * own))


def _slow_truth(place: Place) -> Truth:
    _needs_io("slow-volume", place.network)
    number = place.host.device + _slow_place(place.network)
    return Truth(
        "rmf.device",
        f"device={number:05X}",
        "resp_ms",
        "higher",
        f"DISC of device {number:05X}: {SLOWER} responses longer (busy {FULLEST:.0%} at most)",
    )


def _needs_io(name: str, network: Network) -> None:
    if not network.mean("reads") + network.mean("writes"):
        raise _missing(name, "database I/O", "choose a scenario that reads and writes")


def _lost(network: Network) -> int:
    return network.dasd.paths // 2


def _path_lost(inputs: Inputs, _means: Means[float]) -> Inputs:
    return replace(inputs, lost_path=_lost(inputs.network))


def _path_truth(place: Place) -> Truth:
    _needs_io("path-lost", place.network)
    if place.network.dasd.paths < 2:
        raise _missing("path-lost", "second channel path", "set dasd.channel_paths to 2 or more")
    path = DATABASE_PATHS + _lost(place.network)
    return Truth(
        "rmf.channel",
        f"channel={path:02X}",
        "zhpf_per_s",
        "lower",
        f"channel path {path:02X} to the databases is gone; the others have its work",
    )


def _olds_wait(inputs: Inputs, means: Means[float]) -> Inputs:
    network = inputs.network
    blocks = means.times.rate_per_s / 1e6 * network.mean("log_bytes")
    write = _olds_load(network) * network.logger.block_bytes / blocks
    logger = replace(network.logger, olds_us=max(write, network.logger.olds_us))
    return replace(inputs, network=replace(network, logger=logger))


def _olds_load(network: Network) -> float:
    """Of the OLDS, at the rate without the fault."""
    if not network.is_open:
        return OLDS_LOAD
    return max(1 + math.log(NO_BUFFER) / max(steadiness(network), 1e-9), 0.5)


def _olds_truth(place: Place) -> Truth:
    return Truth(
        "ims.logger",
        f"ims={place.host.ims_id},part=logical,counter=bufwait_nonckpt",
        "count",
        "higher",
        "OLDS writes take so long that what the run logs would keep the OLDS "
        f"{_olds_load(place.network):.1%} busy: no buffer is free",
    )


# --- processors -----------------------------------------------------------------------------------


def _loop_cps(network: Network) -> float:
    return LOOP_CPS if network.cpu.cps > 1 else LOOP_CPS / 2


def _loop_region(network: Network) -> int:
    """The region in the middle of the largest pool."""
    counts = [pool.count for pool in network.region_pools]
    largest = counts.index(max(counts))
    return sum(counts[:largest]) + counts[largest] // 2


def _looping(inputs: Inputs, _means: Means[float]) -> Inputs:
    """Nothing else is done in that region, nor by the TCB of a CICS region."""
    network = inputs.network
    most = max(pool.count for pool in network.region_pools)
    pools = list(network.region_pools)
    place = [pool.count for pool in pools].index(most)
    if most > 1:
        pools[place] = replace(pools[place], count=most - 1)
    tcbs = network.tcbs
    if tcbs is not None and tcbs.count > 1:
        tcbs = replace(tcbs, count=tcbs.count - 1)
    return replace(
        inputs,
        network=replace(network, region_pools=tuple(pools), tcbs=tcbs),
        loop_cps=_loop_cps(network),
        loop_region=_loop_region(network),
    )


def _loop_truth(place: Place) -> Truth:
    servers = place.inventory.servers
    if place.network.sequence is not None:
        raise _missing("looping-region", "region beside the one program", "take slow-volume")
    if len(servers) < 2 or max(pool.count for pool in place.network.region_pools) < 2:
        raise _missing(
            "looping-region", "region that could do the work of another", "give it more regions"
        )
    job = place.inventory.spaces[servers[_loop_region(place.network) % len(servers)]].job
    cps = _loop_cps(place.network)
    changed = f"the program in {job} uses {cps:g} CP all the time, ends nothing; others do its work"
    return Truth("smf.address_space", f"job={job}", "cpu_s", "higher", changed)


def _capped(inputs: Inputs, means: Means[float]) -> Inputs:
    busy = means.cpu.running / inputs.network.cpu.cps
    share = busy / OPEN_LOAD if inputs.network.is_open else busy * CAP
    return replace(inputs, cap=min(share, 1.0))


def _cap_truth(place: Place) -> Truth:
    return Truth(
        "rmf.partition",
        f"partition={place.host.partition},type=CP",
        "wlm_cap_pct",
        "higher",
        f"the partition may use {CAP:.0%} of the CPU it used (open arrivals: is {OPEN_LOAD:.0%} "
        "busy with what it may use)",
    )


# --- IMS ------------------------------------------------------------------------------------------


def _pool(network: Network) -> PoolSize | None:
    """The size most used that can be extended."""
    able = [
        pool for pool in network.pools if pool.secondary > 0 and pool.gets > 0 and pool.hold_us > 0
    ]
    return max(able, key=lambda one: one.gets * one.hold_us, default=None)


def _pool_too_small(inputs: Inputs, means: Means[float]) -> Inputs:
    network = inputs.network
    small = _pool(network)
    assert small is not None, "truth() was asked before"
    needed = small.primary + MORE_BLOCKS * small.secondary
    hold = max(needed / (means.times.rate_per_s / 1e6 * small.gets), small.hold_us)
    blocks = max(
        pool_blocks(small.standing + needed, small.primary, small.secondary), small.blocks_at_start
    )
    longer = replace(small, hold_us=hold, blocks_at_start=blocks)
    pools = tuple(longer if pool is small else pool for pool in network.pools)
    return replace(inputs, network=replace(network, pools=pools))


def _pool_truth(place: Place) -> Truth:
    small = _pool(place.network)
    if small is None:
        raise _missing("pool-too-small", "storage pool with secondary blocks", "tps-100k has some")
    return Truth(
        "ims.fixed_pools",
        f"ims={place.host.ims_id},pool={small.pool},buffer_size={small.buffer_bytes}",
        "avg_blocks",
        "higher",
        f"buffers of {small.pool} are held so long that {MORE_BLOCKS} secondary blocks are needed",
    )


def _goal_missed(inputs: Inputs, _means: Means[float]) -> Inputs:
    network = inputs.network
    longer = network.unexplained_us + network.response_goal_us
    return replace(inputs, network=replace(network, unexplained_us=longer))


def within_goal(mean_us: F64, cv2: F64, goal_us: float) -> F64:
    """Share of the responses within a goal: gamma, as their distribution is drawn."""
    shape = 1 / cv2
    share: F64 = gammainc(shape, shape * goal_us / np.maximum(mean_us, 1e-9))
    return share


def _goal_shows(place: Place, means: Means[F64]) -> None:
    goal = place.inventory.classes[place.inventory.transactions[0]].goals[0]
    mean = means.times.response_us
    most = place.network.response_goal_us * MISSED
    within = within_goal(mean, means.times.response_cv2, most)
    percentile = goal.kind == "percentile"
    missed = within < goal.percent / 100 if percentile else mean > most
    if missed.any():
        shown = f"{within.min():.0%} of the responses" if percentile else f"{mean.max():,.0f} us"
        wanted = f"{goal.percent} %" if percentile else "less"
        raise ScenarioError(
            f"--inject goal-missed: the goal of {place.network.response_goal_us / 1000:g} ms is "
            f"missed without it (in {most / 1000:g} ms found {shown}, expected {wanted})",
            "give the class a longer goal (table `goals`) or choose intervals with less load",
        )


def _goal_truth(place: Place) -> Truth:
    if not place.inventory.transactions:
        raise _missing("goal-missed", "class with a response goal", "give it a table `goals`")
    name = place.inventory.classes[place.inventory.transactions[0]].name
    goal, regions = place.network.response_goal_us / 1000, place.network.regions
    return Truth(
        "rmf.workload",
        f"kind=service,class={name},period=1",
        "perf_index",
        "higher",
        f"programs wait {goal:g} ms longer, as long as the goal, for what nobody measures; "
        f"{regions} regions end {1000 * regions / goal:,.0f} a second at most, others queue",
    )


def _stormy(structure: Structure) -> Structure:
    """Those that meet contention without the storm, too, wait as they did: that is not known."""
    share = max(STORM - structure.contention, 0) / STORM
    return replace(
        structure, contention=STORM, false_contention=STORM / 2, held_us=share * LOCK_WAIT_US
    )


def _lock_storm(inputs: Inputs, _means: Means[float]) -> Inputs:
    coupling = inputs.network.coupling
    assert coupling is not None, "truth() was asked before"
    structures = tuple(
        _stormy(structure) if structure.kind == "lock" else structure
        for structure in coupling.structures
    )
    held = sum(
        structure.contention * structure.held_us * structure.requests for structure in structures
    )
    longer = inputs.network.unexplained_us + held
    coupling = replace(coupling, structures=structures)
    return replace(
        inputs, network=replace(inputs.network, coupling=coupling, unexplained_us=longer)
    )


def _lock_truth(place: Place) -> Truth:
    coupling = place.network.coupling
    locks = (
        []
        if coupling is None
        else [structure for structure in coupling.structures if structure.kind == "lock"]
    )
    if not locks:
        raise _missing("cf-lock-storm", "lock structure in a coupling facility", "dsff-smq has one")
    return Truth(
        "rmf.cf_structure",
        f"cf={FACILITY},structure={locks[0].name}",
        "contention_pct",
        "higher",
        f"{STORM:.0%} of the lock requests meet contention, half of them wrongly; each one "
        f"keeps its program waiting {LOCK_WAIT_US / 1000:g} ms",
    )


CATALOGUE = {
    one.name: one
    for one in (
        Fault("cf-lock-storm", "contention for the lock structure", _lock_storm, _lock_truth, True),
        Fault("olds-wait", "no log buffer is free: OLDS writes are slow", _olds_wait, _olds_truth),
        Fault("slow-volume", "one database volume answers late", _slow_volume, _slow_truth, True),
        Fault(
            "path-lost", "one channel path to the databases is gone", _path_lost, _path_truth, True
        ),
        Fault("pool-too-small", "a storage pool needs more blocks", _pool_too_small, _pool_truth),
        Fault("looping-region", "a program in a region is in a loop", _looping, _loop_truth),
        Fault("capped-lpar", "WLM caps the partition", _capped, _cap_truth),
        Fault(
            "goal-missed",
            "transactions miss their goal",
            _goal_missed,
            _goal_truth,
            shows=_goal_shows,
        ),
    )
}


def changed(fault: Fault, inputs: Inputs, means: Means[float]) -> Inputs:
    """The inputs with a fault; what fails for all systems fails for the others too."""
    faulty = fault.change(inputs, means)
    if not fault.shared:
        return faulty
    pairs = (fault.change(replace(inputs, network=other), means) for other in inputs.others)
    return replace(faulty, others=tuple(pair.network for pair in pairs))


def check_shows(injected: Injected, place: Place, means: Means[F64]) -> None:
    """Raise ScenarioError where what a fault does is there without it. `means`: no faults."""
    intervals = len(means.load)
    here = [n for n in injected.intervals if n < intervals]
    if injected.fault.shows is not None and here:
        injected.fault.shows(place, joined([means], lambda values: values[0][here]))


def injected(words: Sequence[str], intervals: int) -> tuple[Injected, ...]:
    """FAULT, FAULT@5, FAULT@5-8,12: intervals from 1; without any the one in the middle.

    Errors: ScenarioError for an unknown fault or an interval outside the run.
    """
    return tuple(_one(word, intervals) for word in words)


def _one(word: str, intervals: int) -> Injected:
    name, _, when = word.partition("@")
    if name not in CATALOGUE:
        hint = near(name, CATALOGUE, f"there are {', '.join(CATALOGUE)}")
        raise ScenarioError(f"--inject: no fault {name!r}", hint)
    if "@" not in word:
        return Injected(CATALOGUE[name], (intervals // 2,))
    places: set[int] = set()
    for part in when.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= intervals:
            raise ScenarioError(
                f"--inject {word}: found {part!r}, expected intervals from 1 to {intervals}",
                "such as FAULT@5, FAULT@5-8 or FAULT@5,9",
            )
        places |= set(range(first - 1, last))
    return Injected(CATALOGUE[name], tuple(sorted(places)))
