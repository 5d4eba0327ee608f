/* imsperf report
id       = "ims.irlm"
title    = "IRLM Locks"
answers  = "How many locks are asked for, and how many of them wait, for whom and how long?"
key      = ["ims", "structure"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["locks_per_s", "wait_pct"]
color    = "structure"
facet    = "ims"
title    = "Locks a second and those that waited"
own_y    = true

[page]
layout   = "ours"
title    = "IRLM Locks, {structure}"
breaks   = ["structure"]
note     = "{unknown_wait}"

[page.texts]
unknown_wait = """CASE WHEN bool_or(wait_count > 0 AND avg_wait_ms IS NULL) OVER ()
    THEN 'mean wait -: how long they waited was not kept' END"""

[[page.table]]
widths   = [-32, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = [
    "lock_count", "unlock_count", "change_count", "verify_count", "query_count", "purge_count",
    "wait_count", "global_count", "contention_count", "settled_count", "false_count",
    "deadlock_count", "timeout_count", "cf_request_count",
]

[[page.table]]
joined   = true
widths   = [-32, 17]
lines    = [
    "wait_pct", "avg_wait_ms", "global_pct", "contention_pct", "false_pct", "cf_per_request_us",
    "cf_sync_pct", "locks_held", "max_locks_held", "lock_entries",
]

[columns]
structure             = { label = "Structure" }
irlm                  = { label = "IRLM" }
irlm_group            = { label = "Group" }
lock_count            = { label = "Locks requested", kind = "count", format = "grouped" }
locks_per_s           = { label = "Locks /Second", format = "per_second" }
locks_per_transaction = { label = "Locks /Transaction", format = "2" }
unlock_count          = { label = "Locks released", kind = "count", format = "grouped" }
change_count          = { label = "Changes of state", kind = "count", format = "grouped" }
verify_count          = { label = "Verify requests", kind = "count", format = "grouped" }
query_count           = { label = "Query requests", kind = "count", format = "grouped" }
purge_count           = { label = "Purge requests", kind = "count", format = "grouped" }
wait_count            = { label = "Waited", kind = "count", better = "lower", format = "grouped" }
wait_pct              = { label = "Waited %", better = "lower", format = "2" }
avg_wait_ms           = { label = "Mean wait ms", better = "lower", format = "3" }
global_count          = { label = "Needed another member", kind = "count", better = "lower", format = "grouped" }
global_pct            = { label = "Another member %", better = "lower", format = "2" }
contention_count      = { label = "Contention found by XES", kind = "count", better = "lower", format = "grouped" }
settled_count         = { label = "Settled between the IRLMs", kind = "count", better = "lower", format = "grouped" }
false_count           = { label = "False contention", kind = "count", better = "lower", format = "grouped" }
contention_pct        = { label = "Contention %", better = "lower", format = "2" }
false_pct             = { label = "False contention %", better = "lower", format = "2" }
cf_request_count      = { label = "Requests to the structure", kind = "count", format = "grouped" }
cf_requests_per_s     = { label = "Structure /Second", format = "per_second" }
cf_per_request_us     = { label = "Structure us", better = "lower", format = "1" }
cf_sync_pct           = { label = "Synchronous %", format = "1" }
deadlock_count        = { label = "Deadlocks", kind = "count", better = "lower", format = "grouped" }
timeout_count         = { label = "Timeouts", kind = "count", better = "lower", format = "grouped" }
locks_held            = { label = "Locks held at the end", kind = "level", format = "grouped" }
max_locks_held        = { label = "Most locks held", kind = "highwater", format = "grouped" }
lock_entries          = { label = "Entries of the lock table", format = "grouped" }
*/
WITH locks AS (
    SELECT
        q.*,
        -- those of the same time only: without the 4500 of the set before, t counts for longer
        CASE WHEN abs(t.interval_s - q.interval_s) < 1 AND t.restarted = q.restarted
            THEN t.transactions_count END                        AS transactions_count
    FROM ims_irlm AS q
    ASOF LEFT JOIN ims_statistics_set AS t
        ON t.run = q.run AND t.ims = q.ims AND t.ckpt_no = q.ckpt_no
        AND t.sysplex IS NOT DISTINCT FROM q.sysplex
        AND q.sample_utc >= t.sample_utc
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, structure, irlm, irlm_group,
    lock_count, -- Lock requests [requests]
    lock_count / nullif(interval_s, 0)                           AS locks_per_s, -- Lock requests a second
    lock_count / nullif(transactions_count, 0)                   AS locks_per_transaction, -- Lock requests for each transaction [requests]
    unlock_count, -- Unlock requests [requests]
    change_count, -- Requests to change the state of a lock [requests]
    verify_count, -- Verify requests [requests]
    query_count, -- Query requests [requests]
    purge_count, -- Purge requests [requests]
    wait_count, -- Requests that had to wait [requests]
    100.0 * wait_count / nullif(lock_count, 0)                   AS wait_pct, -- Requests that had to wait, of the lock requests
    0.001 * wait_us / nullif(timed_wait_count, 0)                AS avg_wait_ms, -- Mean wait of those that waited; NULL where no time was kept (0 us of some waits)
    global_count, -- Lock requests that needed another member of the group [requests]
    100.0 * global_count / nullif(lock_count, 0)                 AS global_pct, -- Lock requests that needed another member, of all
    contention_count, settled_count, false_count,
    100.0 * contention_count / nullif(cf_request_count, 0)       AS contention_pct, -- Contentions of the requests to the lock structure
    100.0 * false_count / nullif(cf_request_count, 0)            AS false_pct, -- False contentions of the requests to the lock structure
    cf_request_count, -- Requests to the lock structure [requests]
    cf_request_count / nullif(interval_s, 0)                     AS cf_requests_per_s, -- Requests to the lock structure a second
    cf_us / nullif(cf_request_count, 0)                          AS cf_per_request_us, -- Mean time of a request to the lock structure
    100.0 * cf_sync_count / nullif(cf_request_count, 0)          AS cf_sync_pct, -- Requests to the lock structure done synchronously
    deadlock_count,
    timeout_count, -- Requests ended because they waited too long [requests]
    locks_held, max_locks_held, lock_entries, restarted, interval_s, transactions_count, wait_us,
    timed_wait_count, cf_us, cf_sync_count
FROM locks
ORDER BY run, system, ims, interval_start_utc, structure
