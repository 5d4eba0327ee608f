"""What a simulation gives: transactions, sums per interval, what was under way in between.

All times are ticks of 2**-12 microseconds (the TOD unit) since the start of the run, int64. Arrays
named `_ticks` and all counts are sums over ALL transactions of an interval, sampled or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from imsperf.synthetic.arrays import F64, I32, I64


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
    schedule, scheduled (log record 08), first_gu, end (when); messages, cpu, io_wait, ziip
    (ticks), reads, writes: sums over its messages. Those that have not ended when the run does
    have a row, too; their end is far away.

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
    transactions: dict[str, I64 | I32]
    programs: dict[str, I64 | I32]
    warm: Mapping[str, I64]
    open: Mapping[str, I64]

    ticks: I64  # length of the interval
    completed: I64  # [n, classes] by dequeue
    arrivals: I64  # by arrival: queued for a region
    in_flight_end: I64  # arrived and not dequeued at the end of the interval
    in_flight_ticks: I64  # integral of their number
    response_ticks: I64  # arrival to dequeue, by dequeue
    response_squares_us2: I64 | F64  # of whole microseconds
    response_bucket: I64  # [n, 14] <= 50, 60 .. 150, 200, 400 % of the goal, more
    total_ticks: I64  # send to dequeue, by dequeue
    region_ticks: I64  # integral of the busy regions
    region_queue_ticks: I64  # integral of the messages waiting for a region
    region_busy_end: I64

    cpu_ticks: I64  # [n, cps] busy, split at the boundaries
    transaction_cpu_ticks: I64  # of completed transactions
    background_cpu_ticks: I64  # fixed work, by its end; that of archive jobs in it
    cpu_search_ticks: I64  # pool search, inside the input bursts
    samples: I64  # of the dispatcher, one per cycle
    ready_sum: I64  # work units running or waiting for a CP
    ready_min: I64
    ready_max: I64
    ready_bucket: I64  # [n, 16] <= N, N+1, N+2, N+3, N+5, +10 .. +150, more; N = CPs

    io_count: I64  # [n, volumes] by start, as the times below
    io_pend: I64  # with CMR delay and device busy
    io_cmr: I64
    io_db: I64
    io_int: I64  # interrupt delay, not in the response
    io_disc: I64
    io_conn: I64
    io_iosq: I64  # wait for a base or alias
    io_iosq_count: I64  # I/Os that had to
    path_busy: I64  # [n, paths] by start of the I/O
    path_count: I64  # [n, paths]

    get_shr: I64  # [n, latches] in the order of Network.latch_names
    get_exc: I64
    cont_shr: I64  # gets that waited
    cont_exc: I64
    wait_ticks: I64
    latch_maxq: I64  # longest queue, 64 at most

    records: I64  # log records of transactions, without 08 and 07
    bytes: I64
    check_writes: I64  # one for each transaction
    wait_writes: I64  # those that kept a region waiting
    joined_writes: I64  # those that found a WADS write under way
    wads_writes: I64
    wads_ticks: I64
    wads_cis: I64
    olds_blocks: I64
    olds_ticks: I64
    archive_blocks: I64  # of full OLDS: archive jobs have read them and are done with them
    archive_cpu_ticks: I64  # of these
    awe: I64
    awe_storage: I64  # messages that took z/OS storage instead
    awe_shortages: I64  # by their begin
    awe_expansions: I64  # that ended one
    awe_short_ticks: I64
    awe_short_end: I64  # 1: the interval ends in one
    read_wait_ticks: I64  # regions waited for database reads, by the begin of the read

    pool_gets: I64  # [n, sizes], in the order of Network.pools
    pool_bytes: I64  # asked for
    pool_in_use_ticks: I64  # integral
    pool_high: I64
    pool_low: I64
    pool_now: I64  # at the end
    pool_blocks_ticks: I64  # integral
    pool_blocks_high: I64
    pool_blocks_low: I64
    pool_blocks_now: I64
    pool_expand: I64
    pool_searched: I64  # blocks looked at
    pool_max_since_init: I64
    pool_blocks_max_since_init: I64

    schedules: I64  # messages whose program had to be scheduled: log records 08
    programs_ended: I64  # log records 07

    region_program: I64  # [n, regions] at the end, [n, 0] if not kept: class; -1: that of the pool
    region_since: I64  # start of its schedule
    region_active: I64  # 1: it has a message
    region_cpu_ticks: I64  # [n, regions], [n, 0] if not kept: of messages while they have it
    region_ziip_ticks: I64  # the same on zIIPs

    cf_sync: I64  # [n, structures] requests to the coupling facility by how they were sent
    cf_sync_ticks: I64  # without the wait for a subchannel, as the squares
    cf_sync_squares: I64  # ticks x us
    cf_async: I64
    cf_async_ticks: I64
    cf_async_squares: I64
    cf_queued: I64  # found no subchannel free
    cf_queued_ticks: I64
    cf_queued_squares: I64
    cf_contention: I64  # false contention counted
    cf_false_contention: I64
    cf_host_ticks: I64  # CPU of this system
    cf_busy_ticks: I64  # [n, CF processors] by requests of this system

    gate_calls: I64  # [n, gates] TPIPEs or TCBs: requests
    gate_ended: I64
    gate_waited_ticks: I64  # request to place, by the time of getting it
    gate_ticks: I64  # request to end, by the end
    gate_free_end: I64
    gate_open_end: I64  # waiting or served at the end of the interval
    gate_open_high: I64  # most since the start
    gate_waiting_high: I64
    gate_longest: I64  # longest time since the start, ticks
    calls_open_high: I64  # most at all gates since the start

    ziip_ticks: I64  # [n, threads of zIIPs] busy
    ziip_work_ticks: I64  # of it, what each had needed alone on its core
    ziip_core_ticks: I64  # [n, zIIPs] with any thread busy
    ziip_spilled_ticks: I64  # eligible work on CPs, by its end, inside cpu_ticks

    xcf_messages: I64  # by send, as the delays
    xcf_delayed: I64
    xcf_delay_ticks: I64
    member_messages: I64  # [n, members] by delivery
    member_answers: I64  # [n, members] of those completed

    buffer_waits: I64 | None = None  # log calls that found no log buffer free

    flying: Mapping[str, I64] | None = None  # sampled transactions at the end, see completed.flying

    # interval mode only; None where transactions are simulated
    cf_held_ticks: I64 | None = None  # [n, structures] wait of those that met contention
    loop_ticks: I64 | None = None  # CPU of a program in a loop, inside background_cpu_ticks
    loop_region: I64 | None = None  # and the region it runs in
    denied_ticks: I64 | None = None  # [n, cps] ready to run, but the partition was capped
    capped_samples: I64 | None = None  # of the samples of the dispatcher
