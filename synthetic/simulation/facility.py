"""The coupling facility: subchannels of each system, processors that serve all systems.

First come first served and called in time order, as the stations of stations.py. A request holds a
subchannel over the link and through a processor.
"""

from __future__ import annotations

from imsperf.kernels import inner, merged
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.rng import Streams, exponential, uniform, whole
from imsperf.synthetic.simulation.state import Setup, State
from imsperf.synthetic.units import TICKS_PER_US


@inner
def plan_requests(row: I64, streams: Streams, mean: float) -> None:
    """How many requests the burst that begins will make."""
    if mean > 0.0:
        row[c.S_REQUESTS] = whole(streams, c.RNG_REQUESTS, mean)


@merged
def ask(state: State, setup: Setup, slot: int, time: int, grown: float) -> int:
    """Send a request now. Answers its host CPU; S_ANSWER is what the transaction waits after that.

    Sent asynchronously when the moving mean of the structure's requests is above the threshold.
    """
    row = state.slots[slot]
    which = structure_of(state, c.FROM_OUTPUT if row[c.S_PHASE] == c.OUTPUT else c.FROM_REGION)
    structure = state.structures[which]
    over = (structure[c.X_MEAN] / setup.threshold - 1.0) / c.RAMP
    begin, end = through(state, setup, time)
    structure[c.X_MEAN] += (end - time - structure[c.X_MEAN]) >> c.MEAN_BITS
    row[c.S_REQUESTS] -= 1
    if begin > time:
        count(structure, c.X_QUEUED, begin - time)
    meet(state, which)
    if over >= 1.0 or (over > 0.0 and uniform(state.streams, c.RNG_CONVERT) < over):
        count(structure, c.X_ASYNC, end - begin + setup.async_delay)
        row[c.S_ANSWER] = end - time + setup.async_delay
        cpu = int(setup.async_cpu * grown + 0.5)
    else:
        count(structure, c.X_SYNC, end - begin)
        cpu = int((end - time) * grown + 0.5)
    structure[c.X_HOST_TICKS] += cpu
    return cpu


@merged
def structure_of(state: State, place: int) -> int:
    """Draw the structure that is asked."""
    chance, which = uniform(state.streams, c.RNG_STRUCTURE), 0
    while chance >= state.structure_shares[which, place]:
        which += 1
    return which


@merged
def through(state: State, setup: Setup, time: int) -> tuple[int, int]:
    """When the request gets a subchannel, and when its answer is there."""
    free = soonest(state.subchannels)
    begin = max(time, state.subchannels[free])
    way = setup.link >> 1
    processor = soonest(state.processors)
    start = max(begin + way, state.processors[processor])
    service = int(setup.service * exponential(state.streams, c.RNG_FACILITY) + 0.5)
    state.processors[processor] = start + service
    state.processor_busy[processor] += service
    end = start + service + setup.link - way
    state.subchannels[free] = end
    return begin, end


@inner
def soonest(free: I64) -> int:
    """The server that is free first."""
    earliest = 0
    for other in range(1, len(free)):
        if free[other] < free[earliest]:
            earliest = other
    return earliest


@inner
def count(structure: I64, first: int, length: int) -> None:
    """A count, a sum of times and one of their squares stand side by side."""
    structure[first] += 1
    structure[first + 1] += length
    structure[first + 2] += length * length // TICKS_PER_US


@merged
def meet(state: State, which: int) -> None:
    """Lock contention: counted; what it takes to resolve is no time of the facility."""
    share = state.structure_shares[which, c.CONTENTION]
    if share > 0.0:
        chance = uniform(state.streams, c.RNG_CONTENTION)
        structure, false = state.structures[which], state.structure_shares[which, c.FALSE]
        structure[c.X_CONTENTION] += chance < share
        structure[c.X_FALSE_CONTENTION] += chance < false
