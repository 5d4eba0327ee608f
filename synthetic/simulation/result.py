"""What a simulation gives: transactions, sums per interval, what was under way in between.

All times are ticks of 2**-12 microseconds (the TOD unit) since the start of the run, int64. Arrays
named `_ticks` and all counts are sums over ALL transactions of an interval, sampled or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class SimResult:
    """One run. n intervals; shapes in the comments, [n] where there is none.

    `transactions`: one row for each transaction with number % sample_k == 0 that completed in the
    run, sorted by `sync`. Columns: send xcf arrival taken gu sync written dequeue (when), cpu_input
    cpu_region cpu_output cpu_schedule ziip_region io_wait (how long; cpu_schedule: of cpu_region,
    that of the schedule; ziip_region: on zIIPs, in none of them; io_wait: database reads), number
    (0 = first of the warm-up), all int64; cls client
    member region (all from 0) reads writes area (volume from 0) scheduled (0 or 1; 2: at
    no cost, see programs.py) log_records log_bytes, int32.

    `programs`: one row for each program that ended in the run and whose first transaction has
    number % sample_k == 0: region and cls (from 0), number of that transaction; start of its
    schedule, first_gu, end (when); messages, cpu, io_wait, ziip (ticks), reads, writes: sums over
    its messages. Those that have not ended when the run does have a row, too; their end is far
    away.

    `warm`: the arrays below summed over the warm-up, one dimension less, and `ticks`, its length.

    `open`: at the n + 1 interval boundaries, what transactions in flight have had so far: total
    (time since send), response (since arrival), queue, region, cpu, io (counts), log_records,
    log_bytes. For each of them: used in an interval = had by those completed in it + open at its
    end - open at its start.
    """

    seconds: float
    every_s: float
    warmup_s: float
    intervals: int
    sample_k: int
    seed: int
    check_write_in_region: bool
    transactions: dict[str, NDArray[np.int64] | NDArray[np.int32]]
    programs: dict[str, NDArray[np.int64] | NDArray[np.int32]]
    warm: Mapping[str, Ints]
    open: Mapping[str, Ints]

    ticks: Ints  # length of the interval
    completed: Ints  # [n, classes] by dequeue
    arrivals: Ints  # by arrival: queued for a region
    in_flight_end: Ints  # arrived and not dequeued at the end of the interval
    in_flight_ticks: Ints  # integral of their number
    response_ticks: Ints  # arrival to dequeue, by dequeue
    response_squares_us2: Ints | NDArray[np.float64]  # of whole microseconds
    response_bucket: Ints  # [n, 14] <= 50, 60 .. 150, 200, 400 % of the goal, more
    total_ticks: Ints  # send to dequeue, by dequeue
    region_ticks: Ints  # integral of the busy regions
    region_queue_ticks: Ints  # integral of the messages waiting for a region
    region_busy_end: Ints

    cpu_ticks: Ints  # [n, cps] busy, split at the boundaries
    transaction_cpu_ticks: Ints  # of completed transactions
    background_cpu_ticks: Ints  # fixed work, by its end
    cpu_search_ticks: Ints  # pool search, inside the input bursts
    samples: Ints  # of the dispatcher, one per cycle
    ready_sum: Ints  # work units running or waiting for a CP
    ready_min: Ints
    ready_max: Ints
    ready_bucket: Ints  # [n, 16] <= N, N+1, N+2, N+3, N+5, +10 .. +150, more; N = CPs

    io_count: Ints  # [n, volumes] by start, as the times below
    io_pend: Ints  # with CMR delay and device busy
    io_cmr: Ints
    io_db: Ints
    io_int: Ints  # interrupt delay, not in the response
    io_disc: Ints
    io_conn: Ints
    io_iosq: Ints  # wait for a base or alias
    io_iosq_count: Ints  # I/Os that had to
    path_busy: Ints  # [n, paths] by start of the I/O
    path_count: Ints  # [n, paths]

    get_shr: Ints  # [n, 2] LOGL and LREC; [n, 3] OTMA too where there are callouts
    get_exc: Ints
    cont_shr: Ints  # gets that waited
    cont_exc: Ints
    wait_ticks: Ints
    latch_maxq: Ints  # longest queue, 64 at most

    records: Ints  # log records of transactions, without 08 and 07
    bytes: Ints
    check_writes: Ints  # one for each transaction
    wait_writes: Ints  # those that kept a region waiting
    joined_writes: Ints  # those that found a WADS write under way
    wads_writes: Ints
    wads_ticks: Ints
    wads_cis: Ints
    olds_blocks: Ints
    olds_ticks: Ints
    awe: Ints
    read_wait_ticks: Ints  # regions waited for database reads, by the begin of the read

    pool_gets: Ints  # [n, sizes], in the order of Network.pools
    pool_bytes: Ints  # asked for
    pool_in_use_ticks: Ints  # integral
    pool_high: Ints
    pool_low: Ints
    pool_now: Ints  # at the end
    pool_blocks_ticks: Ints  # integral
    pool_blocks_high: Ints
    pool_blocks_low: Ints
    pool_blocks_now: Ints
    pool_expand: Ints
    pool_searched: Ints  # blocks looked at
    pool_max_since_init: Ints
    pool_blocks_max_since_init: Ints

    schedules: Ints  # messages whose program had to be scheduled: log records 08
    programs_ended: Ints  # log records 07

    region_program: Ints  # [n, regions] at the end, [n, 0] if not kept: class; -1: that of the pool
    region_since: Ints  # start of its schedule
    region_active: Ints  # 1: it has a message
    region_cpu_ticks: Ints  # [n, regions], [n, 0] if not kept: of messages while they have it
    region_ziip_ticks: Ints  # the same on zIIPs

    cf_sync: Ints  # [n, structures] requests to the coupling facility by how they were sent
    cf_sync_ticks: Ints  # without the wait for a subchannel, as the squares
    cf_sync_squares: Ints  # ticks x us
    cf_async: Ints
    cf_async_ticks: Ints
    cf_async_squares: Ints
    cf_queued: Ints  # found no subchannel free
    cf_queued_ticks: Ints
    cf_queued_squares: Ints
    cf_contention: Ints  # false contention counted
    cf_false_contention: Ints
    cf_host_ticks: Ints  # CPU of this system
    cf_busy_ticks: Ints  # [n, CF processors] by requests of this system

    gate_calls: Ints  # [n, gates] TPIPEs or TCBs: requests
    gate_ended: Ints
    gate_waited_ticks: Ints  # request to place, by the time of getting it
    gate_ticks: Ints  # request to end, by the end
    gate_free_end: Ints
    gate_open_end: Ints  # waiting or served at the end of the interval
    gate_open_high: Ints  # most since the start
    gate_waiting_high: Ints
    gate_longest: Ints  # longest time since the start, ticks
    calls_open_high: Ints  # most at all gates since the start

    ziip_ticks: Ints  # [n, zIIPs] busy
    ziip_spilled_ticks: Ints  # eligible work on CPs, by its end, inside cpu_ticks

    xcf_messages: Ints  # by send, as the delays
    xcf_delayed: Ints
    xcf_delay_ticks: Ints

    buffer_waits: Ints | None = None  # log calls that found no log buffer free

    flying: Mapping[str, Ints] | None = (
        None  # sampled transactions at the end, see completed.flying
    )

    # interval mode only; None where transactions are simulated
    cf_held_ticks: Ints | None = None  # [n, structures] wait of those that met contention
    loop_ticks: Ints | None = None  # CPU of a program in a loop, inside background_cpu_ticks
    loop_region: Ints | None = None  # and the region it runs in
    denied_ticks: Ints | None = None  # [n, cps] ready to run, but the partition was capped
    capped_samples: Ints | None = None  # of the samples of the dispatcher
