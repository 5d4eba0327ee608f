"""Columns of the simulation's arrays, kinds of event, random streams: small integers with names.

Plain module constants, because compiled kernels read them. A prefix names the array: S_ slots,
A_ counters of the interval, G_ gates, K_ classes, REGION_ and SCHEDULE_ pools of regions, CP_,
M_ members, D_ devices, PATH_, L_ latches, B_ buffer pools, X_ structures of a coupling facility.
"""

from __future__ import annotations

# random streams, one per purpose
(
    RNG_THINK, RNG_CLASS, RNG_MEMBER, RNG_COUNTS, RNG_AREA, RNG_POOL, RNG_INPUT, RNG_REGION,
    RNG_OUTPUT, RNG_UNEXPLAINED, RNG_VOLUME, RNG_PATH, RNG_PORT, RNG_DISC, RNG_CONN, RNG_LATCH,
    RNG_OTHER, RNG_WADS, RNG_OLDS, RNG_BACKGROUND, RNG_SCHEDULE, RNG_REQUESTS, RNG_STRUCTURE,
    RNG_FACILITY, RNG_CONVERT, RNG_CONTENTION, RNG_TCB, RNG_CALLOUT, RNG_SERIAL, RNG_AWE,
    RNG_STREAMS,
) = range(31)  # fmt: skip

# kinds of event
(
    SEND, DELIVER, CPU_DONE, ENQUEUE, READ, SYNC, COMMIT, LEAVE, GET_UNIQUE, RESUME, STEP, BUFFERED,
    ARRIVE, BACKGROUND, EXCLUSIVE, WADS_DONE, SAMPLE, AWE_TURN, ARCHIVE,
) = range(19)  # fmt: skip

# phases of a slot; CLOSING is the CPU of a contended log call after the output burst, ASKING the
# wait for a TPIPE or TCB, ON_TCB the CPU there; FIXED_WORK and ARCHIVING are no transactions
(
    IDLE, GATE, INPUT, QUEUED, REGION, LOGGING, OUTPUT, FIXED_WORK, CLOSING, SCHEDULING, ASKING,
    ON_TCB, ARCHIVING,
) = range(13)  # fmt: skip

# slots that are no transactions
(
    SOURCE_SLOT, BACKGROUND_SLOT, EXCLUSIVE_SLOT, WADS_SLOT, SAMPLE_SLOT, AWE_SLOT, ARCHIVE_SLOT,
    FIRST_SLOT,
) = range(8)  # fmt: skip

# columns of a slot; S_SEND .. S_CPU + 2 and S_NUMBER are the times columns of a transaction row,
# S_CLASS .. S_SCHEDULED its small columns
(
    S_TIME, S_NEXT, S_KIND, S_PHASE, S_NEED, S_ADD, S_USED, S_CONTENTION, S_READS_LEFT, S_IO_DONE,
    S_SEND, S_XCF, S_ARRIVAL, S_TAKEN, S_GU, S_SYNC, S_WRITTEN, S_DEQUEUE, S_CPU,
    S_CPU_REGION, S_CPU_OUTPUT, S_CPU_SCHEDULE, S_ZIIP_REGION, S_IO_WAIT, S_NUMBER,
    S_CLASS, S_CLIENT, S_MEMBER, S_REGION, S_READS, S_WRITES, S_AREA, S_SCHEDULED, S_CP,
    S_REQUESTS, S_ANSWER, S_STEP, S_STEPS, S_ZIIP, S_ON,
) = range(40)  # fmt: skip
SLOT_COLUMNS = 40
TIME_COLUMNS = S_NUMBER - S_SEND + 1
SMALL_COLUMNS = S_SCHEDULED - S_CLASS + 1

# chains of slots, first in first out; one REGION_QUEUE for each pool of regions, in their order, or
# for each program of it where it matters which one a region has; then one for each gate
CPU_QUEUE, LOG_PENDING, LOG_WRITING, FREE_SLOTS, ZIIP_QUEUE, REGION_QUEUE = range(6)
UNMET, MET = 1, 2  # AWES_SHORT: no message has met the shortage yet, or one has
ON_CP, ON_ZIIP, SPILLED = range(3)  # S_ON: where a turn is; spilled: eligible work on a CP
HEAD, TAIL, COUNT = 0, 1, 2

# scalars
(
    BASE, NEAR_COUNT, BUSY_CPS, WAITING, NUMBER, ROWS, WRITING, PENDING_BYTES, OLDS_FILL,
    RING_HIGH, PROGRAMS, STEPS_LEFT, CALLS_OPEN, CALLS_HIGH, NEXT, BUSY_ZIIPS, OLDS_NEXT,
    OLDS_READY, BUSY_AT, BUSY_MEAN, LATEST_QUEUE, AWES_SHORT, AWES_SINCE, OLDS_USED,
    ARCHIVE_LEFT, BUSY_WINDOW, SCALARS,
) = range(27)  # fmt: skip

# Counters, up to those of the ends of an array (below), have the name of their figure in a result
# (result.py): A_ and L_ as it is, io_ for D_, pool_ for B_, cf_ for X_, gate_ for G_.

# counters of the current interval; the first three collect -time on entry and +time on exit
(
    A_FLIGHT, A_REGION, A_QUEUE,
    A_ARRIVALS, A_RESPONSE_TICKS, A_TOTAL_TICKS, A_TRANSACTION_CPU_TICKS, A_BACKGROUND_CPU_TICKS,
    A_CPU_SEARCH_TICKS, A_SAMPLES, A_READY_SUM, A_READY_MIN, A_READY_MAX,
    A_RECORDS, A_BYTES, A_CHECK_WRITES, A_WAIT_WRITES, A_JOINED_WRITES, A_WADS_WRITES, A_WADS_TICKS,
    A_WADS_CIS, A_OLDS_BLOCKS, A_OLDS_TICKS, A_AWE, A_XCF_MESSAGES, A_XCF_DELAYED,
    A_XCF_DELAY_TICKS, A_SCHEDULES, A_RESPONSE_SQUARES_US2, A_PROGRAMS_ENDED, A_ZIIP_SPILLED_TICKS,
    A_BUFFER_WAITS, A_READ_WAIT_TICKS, A_AWE_STORAGE, A_AWE_SHORTAGES, A_AWE_EXPANSIONS,
    A_AWE_SHORT_TICKS, A_ARCHIVE_BLOCKS, A_ARCHIVE_CPU_TICKS, A_BUCKETS,
) = range(40)  # fmt: skip
READY_EDGES = (0, 1, 2, 3, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120, 150)  # above the online CPs
GOAL_EDGES_PCT = (50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 200, 400)  # as WLM counts
A_GOAL = A_BUCKETS + len(READY_EDGES) + 1
A_CLASSES = A_GOAL + len(GOAL_EDGES_PCT) + 1

# columns of classes (floats), CPs, members, devices, paths, latches, pools, structures
(
    K_CUMULATIVE, K_CPU_FACTOR, K_READS, K_WRITES, K_RECORDS, K_BYTES, K_POOL, K_QUEUE, K_TRACE,
    CLASS_COLUMNS,
) = range(10)  # fmt: skip
# a pool of regions: its first queue, its queues; regions that never had a program, schedules that
# were not drawn and are still to be made up for
(
    REGION_FIRST, REGION_FREE, REGION_COUNT, REGION_FIRST_QUEUE, REGION_QUEUES, REGION_UNUSED,
    REGION_OWED, REGION_COLUMNS,
) = range(8)  # fmt: skip
I_REGION, I_COUNT, IDLE_COLUMNS = range(3)  # free regions with a program
AT_NO_COST = 2  # S_SCHEDULED, see programs.py
SCHEDULE_CHANCE, SCHEDULE_CPU, SCHEDULE_TIME, SCHEDULE_LOAD, SCHEDULE_FETCH, SCHEDULE_COLUMNS = (
    range(6)
)

# a program in its region, and a row of the table of ended programs; then what the region has used
# since the warm-up began, whatever its program
(
    P_REGION, P_CLASS, P_NUMBER, P_KNOWN, P_START, P_SCHEDULED, P_FIRST, P_END, P_MESSAGES, P_CPU,
    P_READS, P_WRITES, P_IO_WAIT, P_ZIIP, PROGRAM_COLUMNS,
) = range(15)  # fmt: skip
P_ALL_CPU, P_ALL_ZIIP, REGION_OWN_COLUMNS = range(PROGRAM_COLUMNS, PROGRAM_COLUMNS + 3)
# of a zIIP thread also: work of its burst and what is left of it, at the speed of one thread alone,
# and work done; on the first thread of a core: since when that is counted, time with any busy
(
    CP_SLOT, CP_START, CP_SINCE, CP_BUSY, CP_WORK, CP_LEFT, CP_DONE, CP_MARK, CP_CORE, CP_COLUMNS,
) = range(10)  # fmt: skip
M_WINDOW, M_USED, M_PHASE, M_MESSAGES, M_ANSWERS, MEMBER_COLUMNS = range(6)
MEMBER_COUNTERS = (M_MESSAGES, M_ANSWERS)
SERIAL_CALLS, SERIAL_HOLD, SERIAL_POST, SERIAL_COLUMNS = range(4)  # floats
D_COUNT, D_PEND, D_CMR, D_DB, D_INT, D_DISC, D_CONN, D_IOSQ, D_IOSQ_COUNT, D_NEXT = range(10)
DEVICE_COUNTERS = D_NEXT
PATH_BUSY, PATH_COUNT, PATH_COLUMNS = range(3)
(
    L_GET_SHR, L_GET_EXC, L_CONT_SHR, L_CONT_EXC, L_WAIT_TICKS, L_LATCH_MAXQ, L_EXCLUSIVE_FREE,
    L_READERS_FREE, L_LAST, L_STARTS,
) = range(10)  # fmt: skip
LATCH_COUNTERS = L_EXCLUSIVE_FREE
LATCH_RING = 64
LOGL, LREC, OTMA = range(3)

# a gate: requests, ends, time to get it and time to its end; requests open and waiting; since the
# start most of each and the longest time
(
    G_CALLS, G_ENDED, G_WAITED_TICKS, G_TICKS, G_FREE_END, G_OPEN_END, G_OPEN_HIGH, G_WAITING_HIGH,
    G_LONGEST, GATE_COLUMNS,
) = range(10)  # fmt: skip
GATE_COUNTERS = G_FREE_END
(
    B_GETS, B_IN_USE_TICKS, B_BLOCKS_TICKS, B_EXPAND, B_BEYOND, B_HIGH, B_LOW,
    B_BLOCKS_HIGH, B_BLOCKS_LOW, B_NOW, B_BLOCKS_NOW, B_MAX_SINCE_INIT, B_BLOCKS_MAX_SINCE_INIT,
    B_LAST, B_FIRST, B_HELD, B_PRIMARY, B_SECONDARY, B_HOLD, POOL_COLUMNS,
) = range(20)  # fmt: skip
POOL_SUMS = B_HIGH
# a structure: requests as they were sent, time in ticks, its square in ticks x us; host CPU
(
    X_SYNC, X_SYNC_TICKS, X_SYNC_SQUARES, X_ASYNC, X_ASYNC_TICKS, X_ASYNC_SQUARES,
    X_QUEUED, X_QUEUED_TICKS, X_QUEUED_SQUARES, X_CONTENTION, X_FALSE_CONTENTION, X_HOST_TICKS,
    X_MEAN, STRUCTURE_COLUMNS,
) = range(14)  # fmt: skip
STRUCTURE_COUNTERS = X_MEAN
FROM_REGION, FROM_OUTPUT, CONTENTION, FALSE, SHARE_COLUMNS = range(5)  # floats of a structure

BACKGROUND_US = 200.0
BUCKET_BITS = 20  # a bucket of the calendar is 256 us wide
BUCKETS = 4096
WIDTH = 1 << BUCKET_BITS
SPARE_SLOTS = 256
CHUNK_ROWS = 1 << 17
RAMP = 0.05  # conversion of CF requests: none at the threshold, all so much above
MEAN_BITS = 8  # the moving mean of CF requests: each counts 1/256
BUSY_UNIT = 1 << 28  # the moving mean of busy CPs is kept in such parts of one
BUSY_MOST = 1 << 33  # CPs x ticks that it reaches back, at most: products pass no 2^63
