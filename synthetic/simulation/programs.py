"""Programs in the regions of the compiled simulation: which region takes a message, schedules.

Where some messages find their program and others do not, a pool has a queue for each program and
knows which program each free region has. A message goes to a free region that has its program, and
a free region goes on with the next message for its program (quick reschedule, WFI, pseudo-WFI).
Where there is no such pair, or the draw says so, the message that came first has its program
scheduled: in a free region that has it, else in one that never had any, else in one of the program
with most free regions.

What schedules cost is calibrated for those that are drawn. One that was not is made up for by a
later one that was, and does not happen. As many as there are regions may be owed; further ones
have no cost of their own: what a measured transaction used has theirs in it.

In other pools all messages need a schedule, or none: one queue, and the region that became free
last is taken first.
"""

from __future__ import annotations

from imsperf.kernels import inner, merged
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.events import append, first, schedule
from imsperf.synthetic.simulation.gates import want_cp
from imsperf.synthetic.simulation.rng import exponential, uniform
from imsperf.synthetic.simulation.state import Setup, State
from imsperf.synthetic.simulation.stations import fill_block

NOTHING = -1


@inner
def pool_of(state: State, slot: int) -> int:
    """The regions that take this transaction."""
    return int(state.classes[state.slots[slot, c.S_CLASS], c.K_POOL])


@inner
def queue_of(state: State, slot: int) -> int:
    """The queue, of all pools, that this transaction is in."""
    return int(state.classes[state.slots[slot, c.S_CLASS], c.K_QUEUE])


@merged
def enqueue(state: State, slot: int, time: int) -> None:
    """The input message is on the queue of the regions; the response-time clock starts."""
    state.slots[slot, c.S_ARRIVAL] = time
    state.slots[slot, c.S_PHASE] = c.QUEUED
    state.counters[c.A_ARRIVALS] += 1
    state.counters[c.A_FLIGHT] -= time
    state.counters[c.A_QUEUE] -= time
    state.scalars[c.WAITING] += 1
    queue = queue_of(state, slot)
    state.scalars[c.LATEST_QUEUE] = queue
    append(state.chains, state.slots, c.REGION_QUEUE + queue, slot)


# --- which region takes which message -------------------------------------------------------------


@merged
def next_message(state: State, setup: Setup, number: int) -> int:
    """The message that a free region of a pool takes now, or NOTHING; its slot says the region."""
    pool, chance = state.region_pools[number], state.schedules[number, c.SCHEDULE_CHANCE]
    if pool[c.REGION_FREE] == 0:
        return NOTHING
    if pool[c.REGION_QUEUES] > 1:
        return matched(state, pool, chance)
    queue = c.REGION_QUEUE + pool[c.REGION_FIRST_QUEUE]
    if state.chains[queue, c.COUNT] == 0:
        return NOTHING
    slot = first(state.chains, state.slots, queue)
    last = pool[c.REGION_FIRST] + pool[c.REGION_FREE] - 1
    region = state.free_regions[last]
    scheduled = chance > 0.0 and (chance >= 1.0 or uniform(state.streams, c.RNG_SCHEDULE) < chance)
    if setup.steps > 0 and state.programs[region, c.P_KNOWN] == 0:
        scheduled = True
    state.slots[slot, c.S_REGION], state.slots[slot, c.S_SCHEDULED] = region, scheduled
    return slot


@inner
def matched(state: State, pool: I64, chance: float) -> int:
    """The same in a pool whose regions have programs: the first message, or the first that finds
    its program."""
    chains, slots, idle = state.chains, state.slots, state.idle
    begin = pool[c.REGION_FIRST_QUEUE]
    end = begin + pool[c.REGION_QUEUES]
    some, behind, latest = begin, end, state.scalars[c.LATEST_QUEUE]
    if state.scalars[c.WAITING] == 1 and chains[c.REGION_QUEUE + latest, c.COUNT] == 1:
        some, behind = max(begin, latest), min(end, latest + 1)  # the one message there is
    eldest, ready, arrived, ready_arrived = NOTHING, NOTHING, 0, 0
    for queue in range(some, behind):
        if chains[c.REGION_QUEUE + queue, c.COUNT] > 0:
            arrival = slots[chains[c.REGION_QUEUE + queue, c.HEAD], c.S_ARRIVAL]
            if eldest == NOTHING or arrival < arrived:
                eldest, arrived = queue, arrival
            if idle[queue, c.I_COUNT] > 0 and (ready == NOTHING or arrival < ready_arrived):
                ready, ready_arrived = queue, arrival
    if eldest == NOTHING:
        return NOTHING
    scheduled = uniform(state.streams, c.RNG_SCHEDULE) < chance
    if scheduled and ready != NOTHING and pool[c.REGION_OWED] > 0:
        pool[c.REGION_OWED] -= 1
        scheduled = False
    queue = ready if ready != NOTHING and not scheduled else eldest
    slot = first(chains, slots, c.REGION_QUEUE + queue)
    slots[slot, c.S_SCHEDULED] = scheduled
    giver = queue
    if idle[queue, c.I_COUNT] == 0:
        slots[slot, c.S_SCHEDULED] = 1
        if pool[c.REGION_UNUSED] == 0:
            for other in range(begin, end):
                if idle[other, c.I_COUNT] > idle[giver, c.I_COUNT]:
                    giver = other
            if not scheduled and pool[c.REGION_OWED] == pool[c.REGION_COUNT]:
                slots[slot, c.S_SCHEDULED] = c.AT_NO_COST
            elif not scheduled:
                pool[c.REGION_OWED] += 1
    if idle[giver, c.I_COUNT] > 0:
        region = idle[giver, c.I_REGION]
        idle[giver, c.I_REGION] = state.free_regions[region]
        idle[giver, c.I_COUNT] -= 1
    else:
        region = pool[c.REGION_FIRST] + pool[c.REGION_COUNT] - pool[c.REGION_UNUSED]
        pool[c.REGION_UNUSED] -= 1
    slots[slot, c.S_REGION] = region
    return slot


@inner
def free_region(state: State, slot: int, time: int) -> None:
    """The region is free, with the program of the message; it is the first to be taken again."""
    row = state.slots[slot]
    region = row[c.S_REGION]
    program = state.programs[region]
    program[c.P_MESSAGES] += 1
    program[c.P_CPU] += row[c.S_CPU_REGION]
    program[c.P_READS] += row[c.S_READS]
    program[c.P_WRITES] += row[c.S_WRITES]
    program[c.P_IO_WAIT] += row[c.S_IO_WAIT]
    program[c.P_ZIIP] += row[c.S_ZIIP_REGION]
    program[c.P_ALL_CPU] += row[c.S_CPU_REGION]
    program[c.P_ALL_ZIIP] += row[c.S_ZIIP_REGION]
    pool = state.region_pools[pool_of(state, slot)]
    if pool[c.REGION_QUEUES] > 1:
        idle = state.idle[queue_of(state, slot)]
        state.free_regions[region] = idle[c.I_REGION]
        idle[c.I_REGION] = region
        idle[c.I_COUNT] += 1
    else:
        state.free_regions[pool[c.REGION_FIRST] + pool[c.REGION_FREE]] = region
    pool[c.REGION_FREE] += 1
    state.counters[c.A_REGION] += time


# --- schedules ------------------------------------------------------------------------------------


@merged
def start_program(state: State, setup: Setup, slot: int, time: int) -> None:
    """The program that was in the region ends, that of the message is scheduled."""
    row, program = state.slots[slot], state.programs[state.slots[slot, c.S_REGION]]
    if program[c.P_KNOWN] > 0:
        end_program(state, setup, program, time)
    for column in range(c.PROGRAM_COLUMNS):  # a loop: an assignment to [:] takes 4 s to compile
        program[column] = 0
    program[c.P_REGION], program[c.P_CLASS] = row[c.S_REGION], row[c.S_CLASS]
    program[c.P_NUMBER], program[c.P_START], program[c.P_KNOWN] = row[c.S_NUMBER], time, 1
    state.counters[c.A_SCHEDULES] += 1
    fill_block(state, setup, setup.schedule_bytes, time)


@merged
def schedule_cpu(state: State, slot: int, pool: int) -> None:
    """What a schedule costs: first its CPU."""
    state.slots[slot, c.S_PHASE] = c.SCHEDULING
    mean = state.schedules[pool, c.SCHEDULE_CPU]
    want_cp(state, slot, int(mean * exponential(state.streams, c.RNG_SCHEDULE) + 0.5), 0)


@inner
def end_program(state: State, setup: Setup, program: I64, time: int) -> None:
    """The program in a region ends."""
    scalars = state.scalars
    program[c.P_END] = time
    for column in range(c.PROGRAM_COLUMNS):
        state.ended[scalars[c.PROGRAMS], column] = program[column]
    scalars[c.PROGRAMS] += time >= 0 and program[c.P_NUMBER] % setup.sample_k == 0
    state.counters[c.A_PROGRAMS_ENDED] += 1
    fill_block(state, setup, setup.end_bytes, time)
    program[c.P_KNOWN] = 0


@inner
def schedule_time(state: State, slot: int, time: int) -> None:
    """What a schedule takes beside CPU; then the program gets its message.

    The last of both is program load and environment: IMS says "scheduled" (08) before. The engine
    takes all CPU of a schedule first.
    """
    row, costs = state.slots[slot], state.schedules[pool_of(state, slot)]
    length = int(costs[c.SCHEDULE_TIME] * exponential(state.streams, c.RNG_SCHEDULE) + 0.5)
    loading = int(costs[c.SCHEDULE_LOAD] * row[c.S_CPU_SCHEDULE])
    loading += int(costs[c.SCHEDULE_FETCH] * length)
    state.programs[row[c.S_REGION], c.P_SCHEDULED] = time + length - loading
    schedule(state, slot, time + length, c.GET_UNIQUE)
