/* imsperf report
id       = "ims.esaf"
title    = "External Subsystems (ESAF)"
answers  = "What do calls and commits at Db2 and MQ cost, and are threads used again?"
key      = ["ims", "subsystem"]
any_of   = [
    "ims_a107", "ims_5603", "ims_5604", "ims_5605", "ims_5606", "ims_5608", "ims_5609", "ims_560a",
    "ims_560b", "ims_560c",
]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["calls_per_s"]
color    = "subsystem"
facet    = "ims"
title    = "Calls to external subsystems a second"

[page]
layout   = "ours"
blocks   = ["subsystem"]
block_above = "Subsystem {subsystem} {subsystem_type}"
note     = """
Counts from A107; times of threads, prepares, commits and aborts from the records 5603 to 560C
- the record is not in the log, or the subsystem is not in the set before"""

[[page.table]]
widths   = [-44, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = [
    "calls", "connects", "disconnects", "signons", "thread_creates", "thread_reuses",
    "thread_terminates", "commands", "prepares", "commits", "aborts", "failures",
]

[[page.table]]
joined   = true
widths   = [-44, 17]
lines    = [
    "avg_call_us", "thread_reuse_pct", "avg_create_us", "avg_prepare_us", "avg_commit_us",
    "avg_abort_us", "avg_thread_ms", "calls_per_thread", "failed_events", "connections",
    "threads", "max_threads", "indoubts", "storage_bytes",
]

[columns]
subsystem         = { label = "Subsystem" }
subsystem_type    = { label = "Type" }
pooled            = { label = "Pooled" }
state             = { label = "State" }
connections       = { label = "Regions connected", kind = "level", total = "last", format = "grouped" }
threads           = { label = "Threads", kind = "level", total = "last", format = "grouped" }
max_threads       = { label = "Most threads since IMS start", kind = "highwater", format = "grouped" }
indoubts          = { label = "Units in doubt", kind = "level", total = "last", better = "lower", format = "grouped" }
storage_bytes     = { label = "Common storage of threads, bytes", kind = "level", total = "last", format = "grouped" }
calls             = { label = "Calls", kind = "count", format = "grouped" }
calls_per_s       = { label = "Calls /Second", format = "per_second" }
avg_call_us       = { label = "Mean us of a call", better = "lower", format = "1" }
connects          = { label = "Connections made", kind = "count", format = "grouped" }
disconnects       = { label = "Connections ended", kind = "count", format = "grouped" }
signons           = { label = "Sign-ons", kind = "count", format = "grouped" }
thread_creates    = { label = "Threads created", kind = "count", better = "lower", format = "grouped" }
thread_reuses     = { label = "Threads used again", kind = "count", format = "grouped" }
thread_reuse_pct  = { label = "Threads used again %", better = "higher", format = "2" }
thread_terminates = { label = "Threads terminated", kind = "count", format = "grouped" }
commands          = { label = "Commands", kind = "count", format = "grouped" }
prepares          = { label = "Prepares", kind = "count", format = "grouped" }
commits           = { label = "Commits", kind = "count", format = "grouped" }
aborts            = { label = "Aborts", kind = "count", better = "lower", format = "grouped" }
failures          = { label = "Requests that failed", kind = "count", better = "lower", format = "grouped" }
avg_create_us     = { label = "Mean us of a thread creation", better = "lower", format = "1" }
avg_prepare_us    = { label = "Mean us of a prepare", better = "lower", format = "1" }
avg_commit_us     = { label = "Mean us of a commit", better = "lower", format = "1" }
avg_abort_us      = { label = "Mean us of an abort", better = "lower", format = "1" }
avg_thread_ms     = { label = "Mean life of a thread, ms", format = "3" }
calls_per_thread  = { label = "Calls of a thread", format = "2" }
failed_events     = { label = "Records of failed requests", kind = "count", better = "lower", format = "grouped" }
*/
WITH event AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, ims, subsystem,
        sum(event_count) FILTER (code = '5603')::BIGINT AS create_events,
        sum(elapsed_us) FILTER (code = '5603')::BIGINT AS create_us,
        sum(event_count) FILTER (code = '5604')::BIGINT AS terminate_events,
        sum(elapsed_us) FILTER (code = '5604')::BIGINT AS thread_us,
        sum(calls) FILTER (code = '5604')::BIGINT AS thread_calls,
        sum(event_count) FILTER (code = '560A')::BIGINT AS prepare_events,
        sum(elapsed_us) FILTER (code = '560A')::BIGINT AS prepare_us,
        sum(event_count) FILTER (code = '560B')::BIGINT AS commit_events,
        sum(elapsed_us) FILTER (code = '560B')::BIGINT AS commit_us,
        sum(event_count) FILTER (code = '560C')::BIGINT AS abort_events,
        sum(elapsed_us) FILTER (code = '560C')::BIGINT AS abort_us,
        sum(failed_count)::BIGINT AS failed_events
    FROM ims_external_event
    GROUP BY ALL
),
esaf AS (
    SELECT
        coalesce(a.run, e.run) AS run, coalesce(a.sysplex, e.sysplex) AS sysplex,
        coalesce(a.system, e.system) AS system,
        coalesce(a.interval_start, e.interval_start) AS interval_start,
        coalesce(a.interval_start_utc, e.interval_start_utc) AS interval_start_utc,
        coalesce(a.interval_s, e.interval_s) AS interval_s, coalesce(a.ims, e.ims) AS ims,
        coalesce(a.subsystem, e.subsystem) AS subsystem,
        a.* EXCLUDE (
            run, sysplex, system, interval_start, interval_start_utc, interval_s, ims, subsystem
        ),
        e.* EXCLUDE (
            run, sysplex, system, interval_start, interval_start_utc, interval_s, ims, subsystem
        ),
        a.thread_creates + a.thread_reuses AS thread_requests
    FROM ims_with_transactions('ims_external_subsystem') AS a
    FULL JOIN event AS e
        ON e.run = a.run AND e.ims = a.ims AND e.subsystem = a.subsystem
        AND e.interval_start_utc = a.interval_start_utc
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name, from a 4500 of the IMS
    system, -- SMF system id, from a 4500 of the IMS, or NULL
    interval_start, -- The same, local; NULL without a 4500
    interval_start_utc, -- Statistics set, or the restart after it, or first arrival in the log, UTC
    ims, -- IMS id
    subsystem, subsystem_type, pooled, state, connections, threads, max_threads, indoubts,
    storage_bytes, calls,
    calls / nullif(interval_s, 0)                                AS calls_per_s, -- Calls to the subsystem a second
    calls_us / nullif(calls, 0)                                  AS avg_call_us, -- Mean time of a call inside the subsystem
    connects, disconnects, signons, thread_creates, thread_reuses,
    100.0 * thread_reuses / nullif(thread_requests, 0)           AS thread_reuse_pct, -- Requests for a thread that found one, of those and the threads created
    thread_terminates, commands, prepares, commits, aborts, failures,
    create_us / nullif(create_events, 0)                         AS avg_create_us, -- Mean time of the creation of a thread (5603)
    prepare_us / nullif(prepare_events, 0)                       AS avg_prepare_us, -- Mean time of a prepare (560A)
    commit_us / nullif(commit_events, 0)                         AS avg_commit_us, -- Mean time of a commit (560B)
    abort_us / nullif(abort_events, 0)                           AS avg_abort_us, -- Mean time of an abort (560C)
    0.001 * thread_us / nullif(terminate_events, 0)              AS avg_thread_ms, -- Mean life of the threads terminated (5604)
    thread_calls / nullif(terminate_events, 0)                   AS calls_per_thread, -- Calls of a thread terminated (5604) [calls]
    failed_events, -- Records 5603 to 560C of requests that failed [records]
    restarted, interval_s,
    transactions_count, -- Transactions dequeued in the interval
    calls_us,
    thread_requests, -- Threads created and used again [threads]
    create_us, -- Time of the creation of threads
    create_events, -- Records 5603 [records]
    prepare_us, -- Time of prepares
    prepare_events, -- Records 560A [records]
    commit_us, -- Time of commits
    commit_events, -- Records 560B [records]
    abort_us, -- Time of aborts
    abort_events, -- Records 560C [records]
    thread_us, -- Life of the threads terminated
    thread_calls, -- Calls of these threads [calls]
    terminate_events -- Records 5604 [records]
FROM esaf
ORDER BY run, system, ims, interval_start_utc, subsystem
