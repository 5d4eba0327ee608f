/* imsperf report
id       = "ims.transactions"
title    = "Transaction Resource Usage"
answers  = "What does each transaction code use: CPU, calls, I/O, locks?"
key      = ["ims", "tran", "kind"]
named_by = "psb"
any_of   = ["ims_01", "ims_5937", "ims_5938"]
no_rows  = "its messages are none for a transaction, or their file is of no known log"
whole    = "ims_log_interval"

[chart]
mark     = "bar"
x        = "tran"
y        = ["cpu_us"]
facet    = "ims"
top      = 20
by       = "count"
title    = "CPU of a transaction, us: the 20 codes with most transactions"

[page]
layout   = "ours"
note     = "FF full function   SW program switch   FP Fast Path"

[page.texts]
kind     = "CASE kind WHEN 'full_function' THEN 'FF' WHEN 'switch' THEN 'SW' WHEN 'fast_path' THEN 'FP' ELSE '-' END"

[[page.table]]
above    = "                                                          ------- Calls ------- ---- Database ---"
columns  = """
tran           -8  Trancode
kind           -2
count           9  Count
per_s           9  /Second
per_schedule    7  /Sched
cpu_us          9  CPU us
ziip_us         8  zIIP us
db_calls        7  DB
fp_calls        6  FP
esaf_calls      6  ESAF
db_ios          7  I/Os
db_io_ms        9  I/O ms
lock_ms         8  Lock ms
ci_reads        7  CIs rd
ci_updates      7  CIs chg
in_flight       8  In IMS
"""

[columns]
kind         = { label = "Kind" }
psb          = { label = "PSB" }
count        = { kind = "count", format = "grouped" }
per_s        = { format = "2" }
schedules    = { label = "Schedules", kind = "count", format = "grouped" }
per_schedule = { label = "/Schedule", format = "2" }
cpu_us       = { better = "lower", format = "1" }
ziip_us      = { format = "1" }
db_calls     = { label = "DB Calls", format = "1" }
db_ios       = { label = "DB I/Os", format = "1" }
db_io_ms     = { label = "DB I/O ms", better = "lower", format = "3" }
lock_ms      = { better = "lower", format = "3" }
esaf_calls   = { label = "ESAF Calls", format = "1" }
fp_calls     = { label = "FP Calls", format = "1" }
ci_reads     = { label = "CI Reads", format = "1" }
ci_updates   = { label = "CI Updates", format = "1" }
in_flight    = { format = "2" }
*/
WITH message AS (
    SELECT
        *,
        CASE WHEN lock_us > 0 OR u.ims IS NULL THEN lock_us END      AS kept_lock_us
    FROM ims_message
    LEFT JOIN ims_untimed_locks() AS u USING (run, ims)
),
usage AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, ims, tran, kind,
        CASE WHEN count(DISTINCT psb) = 1 THEN any_value(psb) END    AS psb,
        max(interval_s)                                              AS interval_s,
        max(interval_s) * 1e6                                        AS interval_us,
        count(*)                                                     AS count,
        count(*) * max(sample_every)                                 AS all_count,
        count(schedule_us)                                           AS schedules,
        CASE WHEN count(schedule_us) > 0 THEN count(*) END           AS scheduled_count,
        sum(response_us) * max(sample_every)                         AS in_ims_us,
        sum(cpu_us)                                                  AS cpu_total_us,
        count(cpu_us)                                                AS cpu_total_us_of,
        sum(ziip_us)                                                 AS ziip_total_us,
        count(ziip_us)                                               AS ziip_total_us_of,
        sum(db_calls_count)                                          AS db_calls_total,
        count(db_calls_count)                                        AS db_calls_total_of,
        sum(db_io_count)                                             AS db_io_total,
        count(db_io_count)                                           AS db_io_total_of,
        sum(db_io_us)                                                AS db_io_us,
        count(db_io_us)                                              AS db_io_us_of,
        sum(kept_lock_us)                                            AS lock_us,
        count(kept_lock_us)                                          AS lock_us_of,
        sum(esaf_calls_count)                                        AS esaf_calls_total,
        count(esaf_calls_count)                                      AS esaf_calls_total_of,
        sum(fp_calls_count)                                          AS fp_calls_total,
        count(fp_calls_count)                                        AS fp_calls_total_of,
        sum(ci_reads_count)                                          AS ci_reads_total,
        count(ci_reads_count)                                        AS ci_reads_total_of,
        sum(ci_updates_count)                                        AS ci_updates_total,
        count(ci_updates_count)                                      AS ci_updates_total_of
    FROM message
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, ims, tran, kind
)
SELECT
    run,
    sysplex, -- Sysplex name, from a 4500 of the IMS
    system, -- SMF system id, from a 4500 of the IMS, or NULL
    interval_start, -- The same, local; NULL without a 4500
    interval_start_utc, -- Statistics set, or first arrival in the log, UTC
    ims, tran, kind,
    psb, -- PSB of its program; NULL where there are several
    count, -- Transactions in the log [transactions]
    all_count / nullif(interval_s, 0)                            AS per_s, -- Transactions a second; a sampled log counts for the whole [1/s]
    schedules, -- Programs scheduled for it [schedules]
    scheduled_count / nullif(schedules, 0)                       AS per_schedule, -- Transactions of a schedule; NULL without a schedule record
    cpu_total_us / nullif(cpu_total_us_of, 0)                    AS cpu_us, -- CPU time on general processors of a transaction: 56FA, else an equal share of the 07
    ziip_total_us / nullif(ziip_total_us_of, 0)                  AS ziip_us, -- CPU time on zIIPs of a transaction
    db_calls_total / nullif(db_calls_total_of, 0)                AS db_calls, -- Calls to full-function databases of a transaction [calls]
    db_io_total / nullif(db_io_total_of, 0)                      AS db_ios, -- Database I/Os of a transaction [requests]
    0.001 * db_io_us / nullif(db_io_us_of, 0)                    AS db_io_ms, -- Waiting for database I/O in a transaction
    0.001 * lock_us / nullif(lock_us_of, 0)                      AS lock_ms, -- Waiting for locks in a transaction; NULL where IRLM counts waits, but no time of any
    esaf_calls_total / nullif(esaf_calls_total_of, 0)            AS esaf_calls, -- Calls to external subsystems of a transaction [calls]
    fp_calls_total / nullif(fp_calls_total_of, 0)                AS fp_calls, -- Calls to Fast Path databases of a transaction [calls]
    ci_reads_total / nullif(ci_reads_total_of, 0)                AS ci_reads, -- DEDB control intervals read by a transaction [CIs]
    ci_updates_total / nullif(ci_updates_total_of, 0)            AS ci_updates, -- DEDB control intervals changed by a transaction [CIs]
    in_ims_us / nullif(interval_us, 0)                           AS in_flight, -- Transactions in IMS at a time: rate times response [transactions]
    interval_s,
    interval_us, -- Time counted together
    all_count, -- Transactions, those left out of a sampled log too [transactions]
    in_ims_us, -- Response time of all of them
    scheduled_count, -- Transactions where there are schedules [transactions]
    cpu_total_us, -- CPU time
    cpu_total_us_of, -- Transactions with that number [transactions]
    ziip_total_us, -- CPU time on zIIPs
    ziip_total_us_of, -- Transactions with that number [transactions]
    db_calls_total, -- Database calls [calls]
    db_calls_total_of, -- Transactions with that number [transactions]
    db_io_total, -- Database I/Os [requests]
    db_io_total_of, -- Transactions with that number [transactions]
    db_io_us,
    db_io_us_of, -- Transactions with that number [transactions]
    lock_us,
    lock_us_of, -- Transactions with that number [transactions]
    esaf_calls_total, -- Calls to external subsystems [calls]
    esaf_calls_total_of, -- Transactions with that number [transactions]
    fp_calls_total, -- Fast Path calls [calls]
    fp_calls_total_of, -- Transactions with that number [transactions]
    ci_reads_total, -- CIs read [CIs]
    ci_reads_total_of, -- Transactions with that number [transactions]
    ci_updates_total, -- CIs changed [CIs]
    ci_updates_total_of -- Transactions with that number [transactions]
FROM usage
ORDER BY run, system, ims, interval_start_utc, tran, kind
