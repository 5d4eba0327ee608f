"""Stations of the compiled simulation that need no events of their own: gate, pools, latch, disks.

Each is first come first served and is called in time order, so its future is known on arrival: it
keeps the times when it will be free and answers at once (Lindley's recursion).
"""

from __future__ import annotations

from imsperf.kernels import inner
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.events import schedule
from imsperf.synthetic.simulation.rng import Streams, exponential, gamma, uniform, whole
from imsperf.synthetic.simulation.state import Setup, State


@inner
def gate(members: I64, member: int, quota: int, window: int, time: int) -> int:
    """When XCF delivers a message sent now: at once, or at the start of a later window."""
    row = members[member]
    now = (time - row[c.M_PHASE]) // window
    if now > row[c.M_WINDOW]:
        row[c.M_WINDOW] = now
        row[c.M_USED] = 0
    elif row[c.M_USED] >= quota > 0:
        row[c.M_WINDOW] += 1
        row[c.M_USED] = 0
    row[c.M_USED] += 1
    return max(time, int(row[c.M_WINDOW] * window + row[c.M_PHASE]))


@inner
def release_buffers(pool: I64, ring: I64, time: int) -> None:
    """Give back what was held until `time` or earlier; bring the integrals up to `time`."""
    capacity = len(ring)
    while pool[c.B_HELD] > 0:
        oldest = pool[c.B_FIRST]
        due = ring[oldest, 0]
        if due > time:
            break
        pool[c.B_IN_USE_TICKS] += pool[c.B_NOW] * (due - pool[c.B_LAST])
        pool[c.B_BLOCKS_TICKS] += pool[c.B_BLOCKS_NOW] * (due - pool[c.B_LAST])
        pool[c.B_LAST] = due
        pool[c.B_NOW] -= ring[oldest, 1]
        pool[c.B_LOW] = min(pool[c.B_LOW], pool[c.B_NOW])
        pool[c.B_FIRST] = oldest + 1 if oldest + 1 < capacity else 0
        pool[c.B_HELD] -= 1
    pool[c.B_IN_USE_TICKS] += pool[c.B_NOW] * (time - pool[c.B_LAST])
    pool[c.B_BLOCKS_TICKS] += pool[c.B_BLOCKS_NOW] * (time - pool[c.B_LAST])
    pool[c.B_LAST] = time


@inner
def expand_pool(pool: I64) -> None:
    """Blocks enough for the buffers in use: a primary one, then secondary ones."""
    while pool[c.B_BLOCKS_NOW] == 0 or (
        pool[c.B_SECONDARY] > 0
        and pool[c.B_NOW] > pool[c.B_PRIMARY] + (pool[c.B_BLOCKS_NOW] - 1) * pool[c.B_SECONDARY]
    ):
        pool[c.B_BLOCKS_NOW] += 1
        pool[c.B_EXPAND] += 1
    pool[c.B_BLOCKS_HIGH] = max(pool[c.B_BLOCKS_HIGH], pool[c.B_BLOCKS_NOW])
    pool[c.B_BLOCKS_MAX_SINCE_INIT] = max(pool[c.B_BLOCKS_MAX_SINCE_INIT], pool[c.B_BLOCKS_NOW])


@inner
def get_buffers(state: State, setup: Setup, time: int) -> int:
    """One transaction's buffers of all sizes; answers the CPU ticks of searching their blocks."""
    beyond = 0
    for size in range(len(state.pool_gets)):
        gets = whole(state.streams, c.RNG_POOL, state.pool_gets[size])
        if gets == 0:
            continue
        pool, ring = state.pools[size], state.ring[size]
        release_buffers(pool, ring, time)
        beyond += gets * max(pool[c.B_BLOCKS_NOW] - 1, 0)
        pool[c.B_BEYOND] += gets * max(pool[c.B_BLOCKS_NOW] - 1, 0)
        pool[c.B_GETS] += gets
        pool[c.B_NOW] += gets
        pool[c.B_HIGH] = max(pool[c.B_HIGH], pool[c.B_NOW])
        pool[c.B_MAX_SINCE_INIT] = max(pool[c.B_MAX_SINCE_INIT], pool[c.B_NOW])
        expand_pool(pool)
        last = pool[c.B_FIRST] + pool[c.B_HELD]
        last = last if last < len(ring) else last - len(ring)
        ring[last, 0], ring[last, 1] = time + pool[c.B_HOLD], gets
        pool[c.B_HELD] += 1
        state.scalars[c.RING_HIGH] = max(state.scalars[c.RING_HIGH], pool[c.B_HELD])
    return int(beyond * setup.search + 0.5)


@inner
def take_latch(latch: I64, streams: Streams, time: int, hold: float, exclusive: bool) -> int:
    """When a caller gets the latch. Readers wait for writers before them, writers for all."""
    start = max(time, latch[c.L_EXCLUSIVE_FREE])
    held = int(hold * exponential(streams, c.RNG_LATCH) + 0.5)
    if exclusive:
        start = max(start, latch[c.L_READERS_FREE])
        latch[c.L_EXCLUSIVE_FREE] = start + held
        latch[c.L_GET_EXC] += 1
        latch[c.L_CONT_EXC] += start > time
    else:
        latch[c.L_READERS_FREE] = max(latch[c.L_READERS_FREE], start + held)
        latch[c.L_GET_SHR] += 1
        latch[c.L_CONT_SHR] += start > time
    if start > time:
        latch[c.L_WAIT_TICKS] += start - time
        count_waiters(latch, time, start)
    return start  # type: ignore[no-any-return]


@inner
def count_waiters(latch: I64, time: int, start: int) -> None:
    """Longest queue: callers, of the last 64 that waited, who have not got the latch yet."""
    last = (latch[c.L_LAST] + 1) % c.LATCH_RING
    latch[c.L_LAST] = last
    latch[c.L_STARTS + last] = start
    queue = 1
    while queue < c.LATCH_RING and latch[c.L_STARTS + (last - queue) % c.LATCH_RING] > time:
        queue += 1
    latch[c.L_LATCH_MAXQ] = max(latch[c.L_LATCH_MAXQ], queue)


@inner
def exposure_wait(state: State, volume: int, time: int) -> int:
    """Wait until the volume's base or an alias is free; its end is set by `start_io`."""
    ends = state.exposures[volume]
    place = state.devices[volume, c.D_NEXT]
    if ends[place] <= time:
        return 0
    soonest = place
    for other in range(len(ends)):
        if ends[other] < ends[soonest]:
            soonest = other
    ends[place], ends[soonest] = ends[soonest], ends[place]
    return max(int(ends[place]) - time, 0)


@inner
def start_io(state: State, setup: Setup, volume: int, time: int) -> int:
    """Count one I/O started now on its volume and a random path; answers when it ends."""
    streams = state.streams
    number = int(uniform(streams, c.RNG_PATH) * setup.paths)
    path = state.paths[number]
    delay = max(state.ports[number] - time, 0)
    port = int(setup.port * exponential(streams, c.RNG_PORT) + 0.5)
    state.ports[number] = time + delay + port
    path[c.PATH_BUSY] += port
    path[c.PATH_COUNT] += 1
    disconnect = int(setup.disc * exponential(streams, c.RNG_DISC) + 0.5)
    connect = int(setup.conn * exponential(streams, c.RNG_CONN) + 0.5)
    queued = exposure_wait(state, volume, time)
    end = time + queued + setup.pend + delay + disconnect + connect
    device = state.devices[volume]
    state.exposures[volume, device[c.D_NEXT]] = end
    device[c.D_NEXT] = (device[c.D_NEXT] + 1) % state.exposures.shape[1]
    device[c.D_COUNT] += 1
    device[c.D_PEND] += setup.pend + delay
    device[c.D_CMR] += delay
    device[c.D_DB] += setup.device_busy
    device[c.D_INT] += setup.interrupt
    device[c.D_DISC] += disconnect
    device[c.D_CONN] += connect
    device[c.D_IOSQ] += queued
    device[c.D_IOSQ_COUNT] += queued > 0
    return end  # type: ignore[no-any-return]


# --- log ------------------------------------------------------------------------------------------
#
# Writes of the log, compiled: WADS for what waits, OLDS blocks one after the other.


@inner
def start_write(state: State, setup: Setup, time: int) -> None:
    """Write all pending log records to the WADS in one go."""
    scalars, counters, chains = state.scalars, state.counters, state.chains
    for column in range(3):
        chains[c.LOG_WRITING, column] = chains[c.LOG_PENDING, column]
    chains[c.LOG_PENDING, c.COUNT] = 0
    length = int(setup.wads * gamma(state.streams, c.RNG_WADS, setup.wads_shape) + 0.5)
    counters[c.A_WADS_WRITES] += 1
    counters[c.A_WADS_TICKS] += length
    counters[c.A_WADS_CIS] += -(-scalars[c.PENDING_BYTES] // setup.ci_bytes)
    scalars[c.PENDING_BYTES] = 0
    scalars[c.WRITING] = 1
    schedule(state, c.WADS_SLOT, time + length, c.WADS_DONE)


@inner
def use_olds(state: State, setup: Setup, time: int) -> None:
    """One more block of the OLDS in use; the archive job reads those that are full, in turn."""
    scalars = state.scalars
    scalars[c.OLDS_USED] += 1
    if scalars[c.OLDS_USED] == setup.olds_capacity:
        if scalars[c.ARCHIVE_LEFT] == 0:
            state.slots[c.ARCHIVE_SLOT, c.S_PHASE] = c.ARCHIVING
            schedule(state, c.ARCHIVE_SLOT, time + setup.archive_read, c.ARCHIVE)
        scalars[c.OLDS_USED] = 0
        scalars[c.ARCHIVE_LEFT] += setup.olds_capacity


@inner
def archive_read(state: State, setup: Setup) -> int:
    """The archive job has blocks of one OLDS; answers how much CPU it needs for them."""
    scalars, size = state.scalars, setup.olds_capacity
    of_this_olds = (scalars[c.ARCHIVE_LEFT] - 1) % size + 1
    blocks = min(setup.archive_blocks, of_this_olds)
    scalars[c.ARCHIVE_LEFT] -= blocks
    state.slots[c.ARCHIVE_SLOT, c.S_READS] = blocks
    return int(blocks * setup.archive_cpu + 0.5)


@inner
def fill_block(state: State, setup: Setup, length: int, time: int) -> int:
    """Log records go to OLDS blocks. Answers when there is a buffer for them, `time` or later.

    A full block is written when the write before it has ended: one is outstanding. Its buffer is
    free again after that, and whoever finds all buffers full waits for the first of them. First
    come first served, so all is known on arrival.
    """
    scalars, counters, olds = state.scalars, state.counters, state.olds
    ready = max(time, scalars[c.OLDS_READY])
    scalars[c.OLDS_FILL] += length
    while scalars[c.OLDS_FILL] >= setup.block_bytes:
        scalars[c.OLDS_FILL] -= setup.block_bytes
        counters[c.A_OLDS_BLOCKS] += 1
        if time >= 0 and setup.archive_blocks > 0:
            use_olds(state, setup, time)
        wait = int(setup.olds * gamma(state.streams, c.RNG_OLDS, setup.wads_shape) + 0.5)
        counters[c.A_OLDS_TICKS] += wait
        place = scalars[c.OLDS_NEXT]
        before = olds[place - 1 if place > 0 else setup.buffers - 1]
        olds[place] = max(ready, before) + wait
        place = place + 1 if place + 1 < setup.buffers else 0
        scalars[c.OLDS_NEXT] = place
        scalars[c.OLDS_READY] = olds[place]  # the oldest write of all buffers
        if scalars[c.OLDS_FILL] > 0:
            ready = max(ready, olds[place])
    counters[c.A_BUFFER_WAITS] += ready > time
    return ready  # type: ignore[no-any-return]
