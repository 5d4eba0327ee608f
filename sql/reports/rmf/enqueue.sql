/* imsperf report
id       = "rmf.enqueue"
title    = "Enqueue Activity"
answers  = "Which resource is waited for, how long, and who holds it?"
called   = ["enq"]
key      = ["major", "minor", "scope"]
named_by = "owner"
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "minor"
y        = ["total_s"]
color    = "major"
facet    = "system"
top      = 20
by       = "total_s"
title    = "Contention of the 20 worst resources, s"

[page]
layout   = "smf2db 0.1.3"
above    = """
ENQUEUE DETAIL ACTIVITY
-NAME-  ---- CONTENTION TIME ----  - JOBS AT MAXIMUM CONTENTION -   -%QLEN DISTRIBUTION- AVG Q  --REQUEST TYPE-- --- CONTENTION ----
MAJOR MIN     MAX     TOT     AVG  ----- OWN ----  ----- WAIT ---       1    2    3   4+ LNGTH  -EXCL-   -SHARE- EVENT --STAT CHNG--
 MINOR                              TOT  NAME       TOT  NAME                                    MIN MAX MIN MAX TOTAL  TOTAL %NODET
                                         SYSNAME         SYSNAME
"""

[[page.table]]
text     = """
{major}
 {minor} ({scope})
{min_s:9}{max_s:8}{total_s:8}{avg_s:8}  {owners:4}  {owner:-8}  {waiters:4}  {waiter:-8} {qlen1_pct:7}{qlen2_pct:5}{qlen3_pct:5}{qlen4_pct:5}{avg_queue:6}{exclusive_min:6}{exclusive_max:4}{shared_min:4}{shared_max:4}{events:6}{changes:7}{no_detail_pct:7}
                                         {owner_system:-8}        {waiter_system:-8}
"""

[columns]
major         = { label = "MAJOR" }
min_s         = { label = "MIN", kind = "level", total = "min", format = "3" }
max_s         = { kind = "highwater", better = "lower", format = "3" }
total_s       = { kind = "count", better = "lower", format = "3" }
avg_s         = { better = "lower", format = "3", empty = "" }
owners        = { label = "OWN TOT", kind = "level", format = "int" }
owner         = { label = "OWN NAME", empty = "" }
owner_system  = { label = "OWN SYSNAME", empty = "" }
waiters       = { label = "WAIT TOT", kind = "level", format = "int" }
waiter        = { label = "WAIT NAME", empty = "" }
waiter_system = { label = "WAIT SYSNAME", empty = "" }
qlen1_pct     = { format = "1", empty = "" }
qlen2_pct     = { label = "%QLEN 2", format = "1", empty = "" }
qlen3_pct     = { label = "%QLEN 3", format = "1", empty = "" }
qlen4_pct     = { label = "%QLEN 4+", format = "1", empty = "" }
avg_queue     = { label = "AVG Q LNGTH", better = "lower", format = "2", empty = "" }
exclusive_min = { label = "EXCL MIN", kind = "level", total = "min", format = "int" }
exclusive_max = { label = "EXCL MAX", kind = "highwater", format = "int" }
shared_min    = { label = "SHARE MIN", kind = "level", total = "min", format = "int" }
shared_max    = { label = "SHARE MAX", kind = "highwater", format = "int" }
events        = { label = "CONTENTION EVENT TOTAL", kind = "count", better = "lower", format = "int" }
changes       = { label = "STAT CHNG TOTAL", kind = "count", format = "int" }
no_detail_pct = { label = "%NODET", format = "1", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, major, minor, scope, min_s, max_s,
    total_s,
    total_s / nullif(event_count, 0)                             AS avg_s, -- Mean contention
    owner_count                                                  AS owners, -- Owners
    owner, owner_system,
    waiter_count                                                 AS waiters, -- Waiters
    waiter, waiter_system,
    100 * queue1_count / nullif(queue_count, 0)                  AS qlen1_pct, -- Queue 1 long
    100 * queue2_count / nullif(queue_count, 0)                  AS qlen2_pct, -- Queue 2 long
    100 * queue3_count / nullif(queue_count, 0)                  AS qlen3_pct, -- Queue 3 long
    100 * queue4_count / nullif(queue_count, 0)                  AS qlen4_pct, -- Queue 4 or more long
    queue_length_sum / nullif(queue_count, 0)                    AS avg_queue, -- Mean length of the queue
    exclusive_min, -- Exclusive requests at a time, fewest [requests]
    exclusive_max, -- Exclusive requests at a time, most [requests]
    shared_min, -- Shared requests at a time, fewest [requests]
    shared_max, -- Shared requests at a time, most [requests]
    event_count                                                  AS events, -- Times contention arose
    change_count                                                 AS changes, -- Changes of the contention
    100 * no_detail_count / nullif(change_count, 0)              AS no_detail_pct, -- Changes that came without detail
    interval_s, event_count, queue1_count, queue2_count, queue3_count, queue4_count, queue_count,
    queue_length_sum, change_count, no_detail_count
FROM rmf_enqueue
ORDER BY run, sysplex, system, interval_start_utc, interval_start, major, minor, scope
