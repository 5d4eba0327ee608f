"""What happens to a transaction at each of its events, compiled. Sources, servers: engine.py."""

from __future__ import annotations

from imsperf.kernels import inner, merged
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.events import append, schedule
from imsperf.synthetic.simulation.facility import plan_requests
from imsperf.synthetic.simulation.gates import (
    count_busy,
    enter_gate,
    leave_gate,
    pass_latch,
    region_burst,
    settle_core,
    want_cp,
    want_processor,
    want_ziip,
)
from imsperf.synthetic.simulation.programs import (
    NOTHING,
    end_program,
    enqueue,
    free_region,
    schedule_time,
)
from imsperf.synthetic.simulation.rng import exponential, uniform, whole
from imsperf.synthetic.simulation.state import Setup, State
from imsperf.synthetic.simulation.stations import (
    fill_block,
    gate,
    get_buffers,
    start_io,
    start_write,
    take_latch,
)
from imsperf.synthetic.units import TICKS_PER_US


@merged
def transaction_event(state: State, setup: Setup, slot: int, time: int, kind: int) -> None:
    """One event after another, until one lies in the future or the transaction waits for a server.

    Long because each step leads to the next without going through the event list.
    """
    if kind == c.SEND:
        delivered = send(state, setup, slot, time)
        if delivered > time:
            schedule(state, slot, delivered, c.DELIVER)
            return
        kind = c.DELIVER
    if kind == c.DELIVER:
        deliver(state, setup, slot, time)
        return
    if kind == c.CPU_DONE:
        kind = leave_cp(state, setup, slot, time)
        if kind == NOTHING:
            return
        if kind == c.GET_UNIQUE:
            schedule_time(state, slot, time)
            return
        if kind == c.STEP:
            leave_gate(state, slot, time)
        elif kind != c.LEAVE or state.slots[slot, c.S_PHASE] == c.OUTPUT:
            wait = log_calls(state, setup, slot, time)
            if kind == c.ENQUEUE:
                wait = pass_serials(state, setup, slot, time, wait)
            if wait > 0:
                schedule(state, slot, time + wait, kind)
                return
    elif kind == c.SYNC:
        if setup.tpipes > 0:
            leave_gate(state, slot, time)
        wait = syncpoint(state, setup, slot, time)
        if wait > 0:
            schedule(state, slot, time + wait, c.COMMIT)
            return
        kind = c.COMMIT
    if kind == c.COMMIT:
        own = state.classes[state.slots[slot, c.S_CLASS]]
        length = int(own[c.K_BYTES] + own[c.K_TRACE])
        ready = fill_block(state, setup, length, time)
        if ready > time:
            schedule(state, slot, ready, c.BUFFERED)
            return
        kind = c.BUFFERED
    if kind == c.ENQUEUE:
        enqueue(state, slot, time)
    elif kind == c.RESUME:
        append(state.chains, state.slots, c.CPU_QUEUE, slot)
    elif kind == c.READ:
        read(state, setup, slot, time)
    elif kind == c.BUFFERED:
        commit(state, setup, slot, time)
    elif kind == c.LEAVE:
        leave(state, setup, slot, time)
    elif kind == c.GET_UNIQUE:
        get_unique(state, setup, slot, time)
    elif kind == c.STEP:
        region_burst(state, setup, slot)


@merged
def send(state: State, setup: Setup, slot: int, time: int) -> int:
    """A new transaction: its class and counts. Answers when XCF delivers it."""
    row, streams = state.slots[slot], state.streams
    scalars, counters = state.scalars, state.counters
    number = scalars[c.NUMBER]
    scalars[c.NUMBER] = number + 1
    row[c.S_NUMBER], row[c.S_SEND], row[c.S_PHASE] = number, time, c.GATE
    cls = start_class(state, setup, row)
    row[c.S_CLASS] = cls
    row[c.S_READS] = whole(streams, c.RNG_COUNTS, state.classes[cls, c.K_READS])
    row[c.S_WRITES] = whole(streams, c.RNG_COUNTS, state.classes[cls, c.K_WRITES])
    row[c.S_READS_LEFT] = row[c.S_READS]
    row[c.S_AREA] = int(uniform(streams, c.RNG_AREA) * setup.volumes)
    if setup.closed:
        member = row[c.S_CLIENT] % setup.members
    else:
        row[c.S_CLIENT] = number % max(setup.clients, 1)
        member = int(uniform(streams, c.RNG_MEMBER) * setup.members)
    row[c.S_MEMBER] = member
    row[c.S_CPU] = row[c.S_CPU_REGION] = row[c.S_CPU_OUTPUT] = 0
    row[c.S_CPU_SCHEDULE] = row[c.S_ZIIP_REGION] = 0
    row[c.S_IO_DONE] = row[c.S_CONTENTION] = row[c.S_IO_WAIT] = 0
    delivered = gate(state.members, member, setup.quota, setup.window, time)
    row[c.S_XCF] = delivered
    counters[c.A_XCF_MESSAGES] += 1
    counters[c.A_XCF_DELAYED] += delivered > time
    counters[c.A_XCF_DELAY_TICKS] += delivered - time
    return delivered


@merged
def start_class(state: State, setup: Setup, row: I64) -> int:
    """The class of a new transaction, by chance; in a sequence by the steps that are left."""
    row[c.S_STEP], row[c.S_STEPS] = 0, 1
    if setup.steps > 0:
        row[c.S_STEPS] = min(setup.per_commit, state.scalars[c.STEPS_LEFT])
        state.scalars[c.STEPS_LEFT] -= row[c.S_STEPS]
        return int(row[c.S_STEPS] < setup.per_commit)
    chance, cls = uniform(state.streams, c.RNG_CLASS), 0
    while chance >= state.classes[cls, c.K_CUMULATIVE]:
        cls += 1
    return cls


@merged
def deliver(state: State, setup: Setup, slot: int, time: int) -> None:
    """Buffers from the pools, then the input burst."""
    state.members[state.slots[slot, c.S_MEMBER], c.M_MESSAGES] += 1
    search = get_buffers(state, setup, time)
    state.counters[c.A_CPU_SEARCH_TICKS] += search
    state.slots[slot, c.S_PHASE] = c.INPUT
    mean = setup.input * state.classes[state.slots[slot, c.S_CLASS], c.K_CPU_FACTOR]
    draw = int(mean * exponential(state.streams, c.RNG_INPUT) + 0.5)
    want_processor(state, setup, slot, draw, search, setup.ziip_input)


@merged
def leave_cp(state: State, setup: Setup, slot: int, time: int) -> int:
    """A turn has ended: free the CP; queue again, or charge the burst. Answers the next event."""
    row = state.slots[slot]
    cp = state.cps[row[c.S_CP]]
    if row[c.S_ON] == c.ON_ZIIP:
        settle_core(state, setup, (row[c.S_CP] - setup.cps) // setup.ziip_threads, time)
        if cp[c.CP_LEFT] > 0:  # another thread took part of the core
            schedule(state, slot, time + cp[c.CP_LEFT], c.CPU_DONE)
            return NOTHING
    cp[c.CP_SLOT] = NOTHING
    cp[c.CP_BUSY] += time - cp[c.CP_SINCE]
    if row[c.S_ON] == c.ON_ZIIP:
        state.scalars[c.BUSY_ZIIPS] -= 1
        if row[c.S_PHASE] == c.REGION:
            row[c.S_ZIIP_REGION] += cp[c.CP_WORK]
    else:
        count_busy(state.scalars, time, -1)
        row[c.S_USED] += time - cp[c.CP_START]
        if row[c.S_ON] == c.SPILLED:
            state.counters[c.A_ZIIP_SPILLED_TICKS] += time - cp[c.CP_START]
    if row[c.S_NEED] == 0:
        row[c.S_ON] = c.ON_CP
    if row[c.S_ANSWER] > 0:
        schedule(state, slot, time + row[c.S_ANSWER], c.RESUME)
        row[c.S_ANSWER] = 0
        return NOTHING
    if row[c.S_NEED] > 0 or row[c.S_REQUESTS] > 0:
        append(state.chains, state.slots, c.CPU_QUEUE, slot)
        return NOTHING
    if row[c.S_ZIIP] > 0:
        want_ziip(state, setup, slot)
        return NOTHING
    used = row[c.S_USED]
    row[c.S_USED] = 0
    phase = row[c.S_PHASE]
    if phase == c.FIXED_WORK:
        state.counters[c.A_BACKGROUND_CPU_TICKS] += used
        row[c.S_PHASE] = c.IDLE
        append(state.chains, state.slots, c.FREE_SLOTS, slot)
        return NOTHING
    if phase == c.ARCHIVING:
        end_archive_burst(state, setup, slot, used, time)
        return NOTHING
    if phase == c.INPUT:
        row[c.S_CPU] = used
        return c.ENQUEUE
    if phase == c.SCHEDULING:
        row[c.S_CPU_REGION] = row[c.S_CPU_SCHEDULE] = used
        return c.GET_UNIQUE
    if phase == c.REGION:
        row[c.S_CPU_REGION] += used
        return c.READ
    if phase == c.ON_TCB:
        row[c.S_CPU_REGION] += used
        return c.STEP
    row[c.S_CPU_OUTPUT] += used
    return c.LEAVE


@inner
def end_archive_burst(state: State, setup: Setup, slot: int, used: int, time: int) -> None:
    """The archive job has copied what it read: it reads on, or ends."""
    state.counters[c.A_BACKGROUND_CPU_TICKS] += used
    state.counters[c.A_ARCHIVE_CPU_TICKS] += used
    state.counters[c.A_ARCHIVE_BLOCKS] += state.slots[slot, c.S_READS]
    if state.scalars[c.ARCHIVE_LEFT] > 0:
        schedule(state, slot, time + setup.archive_read, c.ARCHIVE)
    else:
        state.slots[slot, c.S_PHASE] = c.IDLE


@merged
def log_calls(state: State, setup: Setup, slot: int, time: int) -> int:
    """The log calls at the end of a burst, one after the other. Answers how long they waited."""
    phase = state.slots[slot, c.S_PHASE]
    place = 0 if phase == c.INPUT else (1 if phase == c.REGION else 2)
    hold = setup.hold_exclusive if setup.calls_exclusive else setup.hold_shared
    latch = state.latches[c.LOGL]
    waited = 0
    for _ in range(setup.calls[place]):
        got = take_latch(latch, state.streams, time + waited, hold, setup.calls_exclusive)
        if got > time + waited:
            state.slots[slot, c.S_CONTENTION] += setup.contention
            waited = got - time
    return waited


@merged
def pass_serials(state: State, setup: Setup, slot: int, time: int, wait: int) -> int:
    """What one caller at a time runs, one after the other, within CPU of the burst; then an AWE.

    While AWEs are short, most messages take z/OS storage for it, under the local lock. Answers how
    long all was waited for, with what was before.
    """
    for number in range(len(state.serials)):
        serial = state.serials[number]
        calls = whole(state.streams, c.RNG_SERIAL, serial[c.SERIAL_CALLS])
        for _ in range(calls):
            wait = pass_serial(state, setup, slot, time, wait, number)
    short = state.scalars[c.AWES_SHORT] > 0
    if short and uniform(state.streams, c.RNG_AWE) < setup.awe_storage:
        state.scalars[c.AWES_SHORT] = c.MET
        state.counters[c.A_AWE_STORAGE] += 1
        if setup.local_lock >= 0:
            number = setup.local_lock - setup.serial_latch
            wait = pass_serial(state, setup, slot, time, wait, number)
    return wait


@inner
def pass_serial(state: State, setup: Setup, slot: int, time: int, wait: int, number: int) -> int:
    """One call of it. Answers the wait so far and for it."""
    latch, serial = state.latches[setup.serial_latch + number], state.serials[number]
    got = take_latch(latch, state.streams, time + wait, serial[c.SERIAL_HOLD], True)
    if got > time + wait:
        state.slots[slot, c.S_CONTENTION] += int(serial[c.SERIAL_POST])
    return got - time


@merged
def syncpoint(state: State, setup: Setup, slot: int, time: int) -> int:
    """The exclusive latch of the syncpoint. Answers how long it was waited for."""
    latch = state.latches[setup.sync_latch]
    got = take_latch(latch, state.streams, time, setup.hold_exclusive, True)
    if got > time:
        state.slots[slot, c.S_CONTENTION] += setup.contention
    return got - time


@merged
def get_unique(state: State, setup: Setup, slot: int, time: int) -> None:
    """The program gets the message; the region burst begins, behind a gate where there is one."""
    row = state.slots[slot]
    row[c.S_GU] = time
    program = state.programs[row[c.S_REGION]]
    if program[c.P_MESSAGES] == 0:
        program[c.P_FIRST] = time
        if row[c.S_SCHEDULED] != 1:  # at no cost
            program[c.P_SCHEDULED] = time
    if len(state.gates) > 0:
        enter_gate(state, setup, slot)
    else:
        region_burst(state, setup, slot)


@merged
def read(state: State, setup: Setup, slot: int, time: int) -> None:
    """The next database read, or the unexplained delay at once where there is none.

    Then the sync point, or the next step of a sequence, which has its part of the reads.
    """
    row = state.slots[slot]
    left, step = row[c.S_READS_LEFT], row[c.S_STEP] + 1
    later = row[c.S_READS] - row[c.S_READS] * step // row[c.S_STEPS]
    end = time
    if left > later:
        number = row[c.S_READS] - left
        end = start_io(state, setup, volume_of(state, setup, slot, number), time)
        row[c.S_READS_LEFT] = left - 1
        row[c.S_IO_DONE] += 1
        row[c.S_IO_WAIT] += end - time
        state.counters[c.A_READ_WAIT_TICKS] += end - time
    if left > later + 1:
        schedule(state, slot, end, c.READ)
        return
    if setup.tpipes > 0:
        end = pass_latch(state.latches[c.OTMA], state.streams, end, setup.otma)
    if setup.unexplained > 0.0:
        end += int(setup.unexplained * exponential(state.streams, c.RNG_UNEXPLAINED) + 0.5)
    row[c.S_STEP] = step
    schedule(state, slot, end, c.STEP if step < row[c.S_STEPS] else c.SYNC)


@inner
def volume_of(state: State, setup: Setup, slot: int, number: int) -> int:
    """The first read and the first write go to the area of the transaction, the others anywhere."""
    if number == 0:
        return int(state.slots[slot, c.S_AREA])
    return int(uniform(state.streams, c.RNG_VOLUME) * setup.volumes)


@merged
def commit(state: State, setup: Setup, slot: int, time: int) -> None:
    """Log records are built; they wait for the WADS write, the region with them or not."""
    row, scalars, counters = state.slots[slot], state.scalars, state.counters
    row[c.S_SYNC], row[c.S_PHASE] = time, c.LOGGING
    length = int(state.classes[row[c.S_CLASS], c.K_BYTES])
    counters[c.A_RECORDS] += int(state.classes[row[c.S_CLASS], c.K_RECORDS])
    counters[c.A_BYTES] += length
    counters[c.A_CHECK_WRITES] += 1
    counters[c.A_AWE] += 1
    counters[c.A_WAIT_WRITES] += setup.in_region
    counters[c.A_JOINED_WRITES] += scalars[c.WRITING]
    if not setup.in_region:
        free_region(state, slot, time)
    scalars[c.PENDING_BYTES] += length + int(state.classes[row[c.S_CLASS], c.K_TRACE])
    if setup.unwaited:
        answer(state, setup, slot, time)
    else:
        append(state.chains, state.slots, c.LOG_PENDING, slot)
    if scalars[c.WRITING] == 0 and (length > 0 or not setup.unwaited):
        start_write(state, setup, time)


@inner
def answer(state: State, setup: Setup, slot: int, time: int) -> None:
    """The answer may go: the output burst."""
    row = state.slots[slot]
    row[c.S_WRITTEN], row[c.S_PHASE] = time, c.OUTPUT
    plan_requests(row, state.streams, setup.requests_output)
    mean = setup.output * state.classes[row[c.S_CLASS], c.K_CPU_FACTOR]
    draw = int(mean * exponential(state.streams, c.RNG_OUTPUT) + 0.5)
    want_processor(state, setup, slot, draw, row[c.S_CONTENTION], setup.ziip_output)
    row[c.S_CONTENTION] = 0


@merged
def leave(state: State, setup: Setup, slot: int, time: int) -> None:
    """The answer leaves, after the CPU of a contended log call; the client thinks or is gone."""
    row, counters = state.slots[slot], state.counters
    if row[c.S_CONTENTION] > 0:
        row[c.S_PHASE] = c.CLOSING
        want_cp(state, slot, 0, row[c.S_CONTENTION])
        row[c.S_CONTENTION] = 0
        return
    for number in range(row[c.S_WRITES]):
        start_io(state, setup, volume_of(state, setup, slot, number), time)
    row[c.S_DEQUEUE], row[c.S_PHASE] = time, c.IDLE
    counters[c.A_FLIGHT] += time
    counters[c.A_CLASSES + row[c.S_CLASS]] += 1
    state.members[row[c.S_MEMBER], c.M_ANSWERS] += 1
    count_response(state, setup, time - row[c.S_ARRIVAL])
    counters[c.A_TOTAL_TICKS] += time - row[c.S_SEND]
    counters[c.A_TRANSACTION_CPU_TICKS] += row[c.S_CPU] + row[c.S_CPU_REGION] + row[c.S_CPU_OUTPUT]
    if time >= 0 and row[c.S_NUMBER] % setup.sample_k == 0:
        keep_row(state, slot)
    if setup.steps > 0 and state.scalars[c.STEPS_LEFT] == 0:
        end_program(state, setup, state.programs[row[c.S_REGION]], time)
    elif setup.closed:
        think = int(setup.think * exponential(state.streams, c.RNG_THINK) + 0.5)
        schedule(state, slot, time + think, c.SEND)
    else:
        append(state.chains, state.slots, c.FREE_SLOTS, slot)


@merged
def count_response(state: State, setup: Setup, response: int) -> None:
    """Into the sum, the sum of squares of microseconds and the distribution around the goal."""
    counters = state.counters
    counters[c.A_RESPONSE_TICKS] += response
    us = response // TICKS_PER_US
    counters[c.A_RESPONSE_SQUARES_US2] += us * us
    place = 0
    while place < len(c.GOAL_EDGES_PCT) and response * 100 > setup.goal * c.GOAL_EDGES_PCT[place]:
        place += 1
    counters[c.A_GOAL + place] += 1


@merged
def keep_row(state: State, slot: int) -> None:
    """Copy a completed transaction to the table of transactions."""
    place = state.scalars[c.ROWS]
    for column in range(c.TIME_COLUMNS):
        state.times[place, column] = state.slots[slot, c.S_SEND + column]
    for column in range(c.SMALL_COLUMNS):
        state.small[place, column] = state.slots[slot, c.S_CLASS + column]
    state.scalars[c.ROWS] = place + 1
