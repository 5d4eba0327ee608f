/* imsperf report
id       = "ims.irlm"
title    = "IRLM Locks"
answers  = "How many locks are asked for, and how many of them wait, for whom and how long?"
key      = ["ims", "structure"]
time     = "interval_start_utc"
lead     = "ims_a105"
needs    = ["ims_06", "ims_4500", "ims_a105", "load_file"]
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

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_a105.imsid"]

[[column]]
name     = "structure"
label    = "Structure"
kind     = "text"
doc      = "Name of the lock structure"
from     = ["ims_a105.lock_structure"]

[[column]]
name     = "irlm"
label    = "IRLM"
kind     = "text"
doc      = "IRLM id"
from     = ["ims_a105.irlm"]

[[column]]
name     = "irlm_group"
label    = "Group"
kind     = "text"
doc      = "Data sharing group of the IRLM"
from     = ["ims_a105.irlm_group"]

[[column]]
name     = "lock_count"
label    = "Locks requested"
unit     = "requests"
kind     = "count"
format   = "grouped"
doc      = "Lock requests"
from     = ["ims_a105.locks"]

[[column]]
name     = "locks_per_s"
label    = "Locks /Second"
unit     = "1/s"
kind     = "ratio"
num      = "lock_count"
den      = "interval_s"
format   = "per_second"
doc      = "Lock requests a second"
from     = ["ims_a105.locks"]

[[column]]
name     = "locks_per_transaction"
label    = "Locks /Transaction"
unit     = "requests"
kind     = "ratio"
num      = "lock_count"
den      = "transactions_count"
format   = "2"
doc      = "Lock requests for each transaction"
from     = ["ims_a105.locks", "ims_4500.trans_total"]

[[column]]
name     = "unlock_count"
label    = "Locks released"
unit     = "requests"
kind     = "count"
format   = "grouped"
doc      = "Unlock requests"
from     = ["ims_a105.unlocks"]

[[column]]
name     = "change_count"
label    = "Changes of state"
unit     = "requests"
kind     = "count"
format   = "grouped"
doc      = "Requests to change the state of a lock"
from     = ["ims_a105.change_req"]

[[column]]
name     = "verify_count"
label    = "Verify requests"
unit     = "requests"
kind     = "count"
format   = "grouped"
doc      = "Verify requests"
from     = ["ims_a105.verify_req"]

[[column]]
name     = "query_count"
label    = "Query requests"
unit     = "requests"
kind     = "count"
format   = "grouped"
doc      = "Query requests"
from     = ["ims_a105.query_req"]

[[column]]
name     = "purge_count"
label    = "Purge requests"
unit     = "requests"
kind     = "count"
format   = "grouped"
doc      = "Purge requests"
from     = ["ims_a105.purges"]

[[column]]
name     = "wait_count"
label    = "Waited"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Requests that had to wait"
from     = ["ims_a105.waits"]

[[column]]
name     = "wait_pct"
label    = "Waited %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "wait_count"
den      = "lock_count"
scale    = 100
format   = "2"
doc      = "Requests that had to wait, of the lock requests"
from     = ["ims_a105.waits", "ims_a105.locks"]

[[column]]
name     = "avg_wait_ms"
label    = "Mean wait ms"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "wait_us"
den      = "timed_wait_count"
scale    = 0.001
format   = "3"
doc      = "Mean wait of those that waited; NULL where no time was kept (0 us of some waits)"
from     = ["ims_a105.wait_us", "ims_a105.waits"]

[[column]]
name     = "global_count"
label    = "Needed another member"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Lock requests that needed another member of the group"
from     = ["ims_a105.global_locks"]

[[column]]
name     = "global_pct"
label    = "Another member %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "global_count"
den      = "lock_count"
scale    = 100
format   = "2"
doc      = "Lock requests that needed another member, of all"
from     = ["ims_a105.global_locks", "ims_a105.locks"]

[[column]]
name     = "contention_count"
label    = "Contention found by XES"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Contentions found by the lock structure"
from     = ["ims_a105.xes_contentions"]

[[column]]
name     = "settled_count"
label    = "Settled between the IRLMs"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Contentions settled between the IRLMs"
from     = ["ims_a105.irlm_contentions"]

[[column]]
name     = "false_count"
label    = "False contention"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Contentions that were false: same hash, other resource"
from     = ["ims_a105.false_contentions"]

[[column]]
name     = "contention_pct"
label    = "Contention %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "contention_count"
den      = "cf_request_count"
scale    = 100
format   = "2"
doc      = "Contentions of the requests to the lock structure"
from     = ["ims_a105.xes_contentions", "ims_a105.cf_requests"]

[[column]]
name     = "false_pct"
label    = "False contention %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "false_count"
den      = "cf_request_count"
scale    = 100
format   = "2"
doc      = "False contentions of the requests to the lock structure"
from     = ["ims_a105.false_contentions", "ims_a105.cf_requests"]

[[column]]
name     = "cf_request_count"
label    = "Requests to the structure"
unit     = "requests"
kind     = "count"
format   = "grouped"
doc      = "Requests to the lock structure"
from     = ["ims_a105.cf_requests"]

[[column]]
name     = "cf_requests_per_s"
label    = "Structure /Second"
unit     = "1/s"
kind     = "ratio"
num      = "cf_request_count"
den      = "interval_s"
format   = "per_second"
doc      = "Requests to the lock structure a second"
from     = ["ims_a105.cf_requests"]

[[column]]
name     = "cf_per_request_us"
label    = "Structure us"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "cf_us"
den      = "cf_request_count"
format   = "1"
doc      = "Mean time of a request to the lock structure"
from     = ["ims_a105.cf_us", "ims_a105.cf_requests"]

[[column]]
name     = "cf_sync_pct"
label    = "Synchronous %"
unit     = "%"
kind     = "ratio"
num      = "cf_sync_count"
den      = "cf_request_count"
scale    = 100
format   = "1"
doc      = "Requests to the lock structure done synchronously"
from     = ["ims_a105.cf_sync", "ims_a105.cf_requests"]

[[column]]
name     = "deadlock_count"
label    = "Deadlocks"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Deadlocks"
from     = ["ims_a105.deadlocks"]

[[column]]
name     = "timeout_count"
label    = "Timeouts"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Requests ended because they waited too long"
from     = ["ims_a105.timeouts"]

[[column]]
name     = "locks_held"
label    = "Locks held at the end"
kind     = "level"
format   = "grouped"
doc      = "Locks held at the later set"
from     = ["ims_a105.locks_held"]

[[column]]
name     = "max_locks_held"
label    = "Most locks held"
kind     = "highwater"
format   = "grouped"
doc      = "Most locks held so far, since IRLM start"
from     = ["ims_a105.max_locks_held"]

[[column]]
name     = "lock_entries"
label    = "Entries of the lock table"
kind     = "config"
format   = "grouped"
doc      = "Entries of the lock table"
from     = ["ims_a105.lock_entries"]

[[column]]
name     = "restarted"
kind     = "config"
doc      = "IMS restarted since the earlier set: counts are those since the restart"
from     = ["ims_irlm.restarted"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Counted time"
from     = ["ims_irlm.interval_s"]

[[column]]
name     = "transactions_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions dequeued in the same time"
from     = ["ims_4500.trans_total"]

[[column]]
name     = "wait_us"
unit     = "us"
kind     = "part"
doc      = "Time requests waited"
from     = ["ims_irlm.wait_us"]

[[column]]
name     = "timed_wait_count"
unit     = "requests"
kind     = "part"
doc      = "Requests that had to wait, where the time of waits was kept"
from     = ["ims_irlm.timed_wait_count"]

[[column]]
name     = "cf_us"
unit     = "us"
kind     = "part"
doc      = "Time of requests to the lock structure"
from     = ["ims_irlm.cf_us"]

[[column]]
name     = "cf_sync_count"
unit     = "requests"
kind     = "part"
doc      = "Requests to the lock structure done synchronously"
from     = ["ims_irlm.cf_sync_count"]
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
        AND q.sample_utc >= t.sample_utc
)
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    ims                                                          AS ims,
    structure                                                    AS structure,
    irlm                                                         AS irlm,
    irlm_group                                                   AS irlm_group,
    lock_count                                                   AS lock_count,
    lock_count / nullif(interval_s, 0)                           AS locks_per_s,
    lock_count / nullif(transactions_count, 0)                   AS locks_per_transaction,
    unlock_count                                                 AS unlock_count,
    change_count                                                 AS change_count,
    verify_count                                                 AS verify_count,
    query_count                                                  AS query_count,
    purge_count                                                  AS purge_count,
    wait_count                                                   AS wait_count,
    100.0 * wait_count / nullif(lock_count, 0)                   AS wait_pct,
    0.001 * wait_us / nullif(timed_wait_count, 0)                AS avg_wait_ms,
    global_count                                                 AS global_count,
    100.0 * global_count / nullif(lock_count, 0)                 AS global_pct,
    contention_count                                             AS contention_count,
    settled_count                                                AS settled_count,
    false_count                                                  AS false_count,
    100.0 * contention_count / nullif(cf_request_count, 0)       AS contention_pct,
    100.0 * false_count / nullif(cf_request_count, 0)            AS false_pct,
    cf_request_count                                             AS cf_request_count,
    cf_request_count / nullif(interval_s, 0)                     AS cf_requests_per_s,
    cf_us / nullif(cf_request_count, 0)                          AS cf_per_request_us,
    100.0 * cf_sync_count / nullif(cf_request_count, 0)          AS cf_sync_pct,
    deadlock_count                                               AS deadlock_count,
    timeout_count                                                AS timeout_count,
    locks_held                                                   AS locks_held,
    max_locks_held                                               AS max_locks_held,
    lock_entries                                                 AS lock_entries,
    restarted                                                    AS restarted,
    interval_s                                                   AS interval_s,
    transactions_count                                           AS transactions_count,
    wait_us                                                      AS wait_us,
    timed_wait_count                                             AS timed_wait_count,
    cf_us                                                        AS cf_us,
    cf_sync_count                                                AS cf_sync_count
FROM locks
ORDER BY run, system, ims, interval_start_utc, structure
