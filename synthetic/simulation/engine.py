"""The event loop of the simulation, compiled: events in order, sources, regions and CPs.

`run` goes on until a time, or until Python must give it more room. The order within one instant:
the event itself, then waiting transactions take free regions, then waiting bursts take free CPs.
"""

from __future__ import annotations

from imsperf.kernels import inner, kernel, merged
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.events import (
    KIND_MASK,
    KIND_SHIFT,
    SLOT_MASK,
    TIME_SHIFT,
    first,
    open_bucket,
    pop,
    schedule,
)
from imsperf.synthetic.simulation.facility import ask
from imsperf.synthetic.simulation.gates import count_busy, settle_core, take_gates, want_cp
from imsperf.synthetic.simulation.programs import (
    NOTHING,
    free_region,
    next_message,
    schedule_cpu,
    start_program,
)
from imsperf.synthetic.simulation.rng import exponential
from imsperf.synthetic.simulation.state import Setup, State
from imsperf.synthetic.simulation.state_pointers import Words, setup_of, state_of
from imsperf.synthetic.simulation.stations import (
    archive_read,
    release_buffers,
    start_write,
    take_latch,
)
from imsperf.synthetic.simulation.steps import answer, get_unique, transaction_event

DONE, ROWS_FULL, SLOTS_FULL = 0, 1, 2


@inner
def first_events(state: State, setup: Setup, start: int) -> None:
    """Schedule what a run starts with: clients in thought, and the sources of all other events."""
    state.scalars[c.BUSY_AT] = start
    if setup.closed:
        for client in range(setup.clients):
            think = int(setup.think * exponential(state.streams, c.RNG_THINK) + 0.5)
            begin = max(start, 0) if setup.steps > 0 else start
            schedule(state, c.FIRST_SLOT + client, begin + think, c.SEND)
    else:
        repeat(state, c.SOURCE_SLOT, start, c.RNG_THINK, setup.think, c.ARRIVE)
    repeat(state, c.BACKGROUND_SLOT, start, c.RNG_BACKGROUND, setup.background_gap, c.BACKGROUND)
    repeat(state, c.EXCLUSIVE_SLOT, start, c.RNG_OTHER, setup.other_gap, c.EXCLUSIVE)
    repeat(state, c.AWE_SLOT, start, c.RNG_AWE, setup.awe_good, c.AWE_TURN)
    schedule(state, c.SAMPLE_SLOT, -(-start // setup.cycle) * setup.cycle, c.SAMPLE)


@inner
def repeat(state: State, slot: int, time: int, stream: int, gap: float, kind: int) -> None:
    """Schedule the next event of a Poisson source; gap 0 is a source that never acts."""
    if gap > 0.0:
        schedule(state, slot, time + int(gap * exponential(state.streams, stream) + 0.5), kind)


@inner
def lacks(state: State) -> int:
    """DONE, or the reason why Python must make room first."""
    scalars = state.scalars
    programs = len(state.ended) - len(state.programs)  # all regions may schedule at one instant
    if scalars[c.ROWS] == len(state.times) or scalars[c.PROGRAMS] > programs:
        return ROWS_FULL
    if state.chains[c.FREE_SLOTS, c.COUNT] < 2 or scalars[c.RING_HIGH] + 1 >= state.ring.shape[1]:
        return SLOTS_FULL
    return DONE


@inner
def next_time(state: State, until: int) -> int:
    """Time of the next event, at least `until` where there is none before; NEXT tells it."""
    scalars = state.scalars
    while scalars[c.NEAR_COUNT] == 0 and scalars[c.BASE] + c.WIDTH < until:
        open_bucket(state)
    if scalars[c.NEAR_COUNT] == 0:
        scalars[c.NEXT] = scalars[c.BASE] + c.WIDTH
        return until
    time = scalars[c.BASE] + (state.near[0] >> TIME_SHIFT)
    if time >= until:
        scalars[c.NEXT] = time
    return time  # type: ignore[no-any-return]


@inner
def next_system(table: Words, until: int) -> tuple[int, int]:
    """The system with the next event before `until`, and when another one may have one.

    Until then it goes on alone: NEXT tells when each has its next event at the earliest.
    """
    which, first_at, limit = NOTHING, until, until
    for number in range(len(table)):
        time = min(until, int(state_of(table, number).scalars[c.NEXT]))
        if time < first_at:
            which, first_at, limit = number, time, first_at
        else:
            limit = min(limit, time)
    return which, max(limit, first_at + 1)


@inner
def settle(state: State, setup: Setup, time: int) -> None:
    """Bring what is accounted lazily up to the end of an interval."""
    for core in range(setup.ziips // setup.ziip_threads):
        settle_core(state, setup, core, time)
    for size in range(len(state.pools)):
        release_buffers(state.pools[size], state.ring[size], time)


# --- events that belong to no transaction ---------------------------------------------------------


@merged
def source_event(state: State, setup: Setup, slot: int, time: int, kind: int) -> int:
    """Handle it; answers the slot of a transaction that arrives now, or NOTHING."""
    if kind == c.WADS_DONE:
        end_write(state, setup, time)
    elif kind == c.SAMPLE:
        take_sample(state, setup)
        schedule(state, slot, time + setup.cycle, c.SAMPLE)
    elif kind == c.BACKGROUND:
        repeat(state, slot, time, c.RNG_BACKGROUND, setup.background_gap, kind)
        work = first(state.chains, state.slots, c.FREE_SLOTS)
        state.slots[work, c.S_PHASE] = c.FIXED_WORK
        want_cp(state, work, 0, setup.background)
    elif kind == c.EXCLUSIVE:
        repeat(state, slot, time, c.RNG_OTHER, setup.other_gap, kind)
        take_latch(state.latches[c.LOGL], state.streams, time, setup.other_hold, True)
    elif kind == c.AWE_TURN:
        turn_awes(state, setup, time)
    elif kind == c.ARCHIVE:
        want_cp(state, slot, 0, archive_read(state, setup))
    else:
        repeat(state, slot, time, c.RNG_THINK, setup.think, kind)
        return first(state.chains, state.slots, c.FREE_SLOTS)
    return NOTHING


@merged
def turn_awes(state: State, setup: Setup, time: int) -> None:
    """The queue of AWEs becomes empty, or a task expands the pool; both last exponential times."""
    scalars, counters = state.scalars, state.counters
    if scalars[c.AWES_SHORT] > 0:
        met = scalars[c.AWES_SHORT] == c.MET or not setup.awe_by_free
        counters[c.A_AWE_EXPANSIONS] += met  # nobody frees what nobody got
        counters[c.A_AWE_SHORT_TICKS] += time - scalars[c.AWES_SINCE]
    else:
        counters[c.A_AWE_SHORTAGES] += 1
    scalars[c.AWES_SHORT] = c.UNMET if scalars[c.AWES_SHORT] == 0 else 0
    scalars[c.AWES_SINCE] = time
    gap = setup.awe_short if scalars[c.AWES_SHORT] > 0 else setup.awe_good
    repeat(state, c.AWE_SLOT, time, c.RNG_AWE, gap, c.AWE_TURN)


@merged
def take_sample(state: State, setup: Setup) -> None:
    """RMF looks at the dispatcher: work units running and waiting."""
    counters = state.counters
    busy = state.scalars[c.BUSY_CPS]
    ready = busy + state.chains[c.CPU_QUEUE, c.COUNT]
    if counters[c.A_SAMPLES] == 0:
        counters[c.A_READY_MIN] = counters[c.A_READY_MAX] = ready
    counters[c.A_SAMPLES] += 1
    counters[c.A_READY_SUM] += ready
    counters[c.A_READY_MIN] = min(counters[c.A_READY_MIN], ready)
    counters[c.A_READY_MAX] = max(counters[c.A_READY_MAX], ready)
    bucket = 0
    while bucket < len(c.READY_EDGES) and ready > setup.cps + c.READY_EDGES[bucket]:
        bucket += 1
    counters[c.A_BUCKETS + bucket] += 1


@merged
def end_write(state: State, setup: Setup, time: int) -> None:
    """A WADS write has ended: its transactions go on, what is pending is written next."""
    chains, slots = state.chains, state.slots
    while chains[c.LOG_WRITING, c.COUNT] > 0:
        slot = first(chains, slots, c.LOG_WRITING)
        if setup.in_region:
            free_region(state, slot, time)
        answer(state, setup, slot, time)
    state.scalars[c.WRITING] = 0
    if state.scalars[c.PENDING_BYTES] > 0:
        start_write(state, setup, time)


# --- servers --------------------------------------------------------------------------------------


@merged
def take_regions(state: State, setup: Setup, time: int) -> None:
    """Free regions get the next messages of the queues; the region burst begins, or a schedule."""
    slots, scalars = state.slots, state.scalars
    for number in range(len(state.region_pools)):
        while scalars[c.WAITING] > 0:
            slot = next_message(state, setup, number)
            if slot == NOTHING:
                break
            scalars[c.WAITING] -= 1
            state.region_pools[number, c.REGION_FREE] -= 1
            slots[slot, c.S_TAKEN] = time
            state.counters[c.A_QUEUE] += time
            state.counters[c.A_REGION] -= time
            if slots[slot, c.S_SCHEDULED] > 0:
                start_program(state, setup, slot, time)
            if slots[slot, c.S_SCHEDULED] == 1:
                schedule_cpu(state, slot, number)
            else:
                get_unique(state, setup, slot, time)


@merged
def take_cps(state: State, setup: Setup, time: int) -> None:
    """Waiting bursts get the lowest-numbered free CPs for a turn; `S_NEED` is what is left then."""
    chains, slots, cps, scalars = state.chains, state.slots, state.cps, state.scalars
    while chains[c.CPU_QUEUE, c.COUNT] > 0 and scalars[c.BUSY_CPS] < setup.cps:
        slot = first(chains, slots, c.CPU_QUEUE)
        cp = 0
        while cps[cp, c.CP_SLOT] >= 0:
            cp += 1
        count_busy(scalars, time, 1)
        turn = min(slots[slot, c.S_NEED], setup.quantum)
        grown = 1.0 + setup.growth * scalars[c.BUSY_MEAN] / c.BUSY_UNIT
        asked = 0
        if slots[slot, c.S_REQUESTS] > 0:  # spread over the burst, one in a turn
            turn = min(turn, slots[slot, c.S_NEED] // slots[slot, c.S_REQUESTS])
            asked = ask(state, setup, slot, time, grown)
            if slots[slot, c.S_ANSWER] > 0:
                turn = 0
        slots[slot, c.S_NEED] -= turn
        length = int(turn * grown + 0.5) + asked
        if slots[slot, c.S_NEED] + slots[slot, c.S_REQUESTS] + slots[slot, c.S_ANSWER] == 0:
            length += slots[slot, c.S_ADD] if slots[slot, c.S_ON] != c.SPILLED else 0
        slots[slot, c.S_CP] = cp
        cps[cp, c.CP_SLOT], cps[cp, c.CP_START], cps[cp, c.CP_SINCE] = slot, time, time
        schedule(state, slot, time + length, c.CPU_DONE)


@merged
def take_ziips(state: State, setup: Setup, time: int) -> None:
    """Waiting eligible work gets the lowest-numbered idle zIIPs, then threads, to its end.

    It is over at the earliest when it would be alone on its core: see `settle_core`.
    """
    chains, slots, cps, scalars = state.chains, state.slots, state.cps, state.scalars
    while chains[c.ZIIP_QUEUE, c.COUNT] > 0 and scalars[c.BUSY_ZIIPS] < setup.ziips:
        slot = first(chains, slots, c.ZIIP_QUEUE)
        which = free_thread(cps, setup)
        settle_core(state, setup, (which - setup.cps) // setup.ziip_threads, time)
        scalars[c.BUSY_ZIIPS] += 1
        slots[slot, c.S_CP], slots[slot, c.S_ON] = which, c.ON_ZIIP
        cps[which, c.CP_SLOT], cps[which, c.CP_START], cps[which, c.CP_SINCE] = slot, time, time
        grown = 1.0 + setup.growth * scalars[c.BUSY_MEAN] / c.BUSY_UNIT
        length = int(slots[slot, c.S_ZIIP] * grown + 0.5)
        slots[slot, c.S_ZIIP] = 0
        cps[which, c.CP_WORK] = cps[which, c.CP_LEFT] = length
        schedule(state, slot, time + length, c.CPU_DONE)


@inner
def free_thread(cps: I64, setup: Setup) -> int:
    """A thread of the first idle core; where all cores are at work, the first free one."""
    found = NOTHING
    for which in range(setup.cps, setup.cps + setup.ziips):
        if cps[which, c.CP_SLOT] < 0:
            first_of_core = which - (which - setup.cps) % setup.ziip_threads
            busy = 0
            for thread in range(first_of_core, first_of_core + setup.ziip_threads):
                busy += cps[thread, c.CP_SLOT] >= 0
            if busy == 0:
                return which
            found = which if found == NOTHING else found
    return found


# --- what Python calls ----------------------------------------------------------------------------

MOST = 2  # systems


@kernel
def begin(table: Words, start: int) -> int:
    """Schedule what all systems start with."""
    for number in range(len(table)):
        first_events(state_of(table, number), setup_of(table, number), start)
    return DONE


@kernel
def run(table: Words, until: int) -> int:
    """Handle all events before `until`. DONE, or why Python must make room first.

    One kernel with all that is called at one place: each level of calls is compiled again.
    """
    while True:
        which, end = next_system(table, until)
        if which == NOTHING:
            break
        state, setup = state_of(table, which), setup_of(table, which)
        while True:
            reason = lacks(state)
            if reason != DONE:
                return reason
            time = next_time(state, end)
            if time >= end:
                break
            key = pop(state.near, state.scalars)
            kind, slot = (key >> KIND_SHIFT) & KIND_MASK, key & SLOT_MASK
            if kind >= c.ARRIVE:
                slot = source_event(state, setup, slot, time, kind)
                kind = c.SEND
            if slot >= 0:
                transaction_event(state, setup, slot, time, kind)
            take_regions(state, setup, time)
            take_gates(state, setup, time)
            if setup.ziips > 0:
                take_ziips(state, setup, time)
            take_cps(state, setup, time)
    for number in range(len(table)):
        settle(state_of(table, number), setup_of(table, number), until)
    return DONE
