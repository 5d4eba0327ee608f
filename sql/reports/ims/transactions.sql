/* imsperf report
id       = "ims.transactions"
title    = "Transaction Resource Usage"
answers  = "What does each transaction code use: CPU, calls, I/O, locks?"
key      = ["ims", "tran", "kind"]
time     = "interval_start_utc"
lead     = "ims_log_interval"
whole    = "ims_log_interval"
needs    = ["ims_01", "ims_03", "ims_06", "ims_07", "ims_08", "ims_31", "ims_33", "ims_35",
            "ims_36", "ims_3730", "ims_4500", "ims_5612", "ims_56fa", "ims_5901", "ims_5936",
            "ims_5937", "ims_5938", "ims_a0", "ims_a105", "load_file"]
optional = ["ims_01", "ims_03", "ims_06", "ims_07", "ims_08", "ims_31", "ims_33", "ims_35",
            "ims_36", "ims_3730", "ims_4500", "ims_5612", "ims_56fa", "ims_5901", "ims_5936",
            "ims_5937", "ims_5938", "ims_a0", "ims_a105"]
any_of   = ["ims_01", "ims_5937", "ims_5938"]
no_rows  = "its messages are none for a transaction, or their file is of no known log"

[chart]
mark     = "bar"
x        = "tran"
y        = ["cpu_us"]
facet    = "ims"
top      = 20
by       = "count"
title    = "CPU of a transaction, us: the 20 codes with most transactions"

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_a0.imsid", "ims_06.imsid", "ims_4500.imsid"]

[[column]]
name     = "tran"
label    = "Trancode"
kind     = "text"
doc      = "Transaction code"
from     = ["ims_01.dest", "ims_03.dest", "ims_5937.tran", "ims_5938.tran"]

[[column]]
name     = "kind"
label    = "Kind"
kind     = "text"
doc      = "full_function, switch (program to program) or fast_path"
from     = ["ims_message.kind"]

[[column]]
name     = "psb"
label    = "PSB"
kind     = "text"
doc      = "PSB of its program; NULL where there are several"
from     = ["ims_5937.psb", "ims_07.psb", "ims_56fa.tpcppsb"]

[[column]]
name     = "count"
label    = "Count"
unit     = "transactions"
kind     = "count"
format   = "grouped"
doc      = "Transactions in the log"
from     = ["ims_message.tran"]

[[column]]
name     = "per_s"
label    = "/Second"
unit     = "1/s"
kind     = "ratio"
num      = "all_count"
den      = "interval_s"
format   = "2"
doc      = "Transactions a second; a sampled log counts for the whole"
from     = ["ims_log_interval.interval_s"]

[[column]]
name     = "schedules"
label    = "Schedules"
unit     = "schedules"
kind     = "count"
format   = "grouped"
doc      = "Programs scheduled for it"
from     = ["ims_08.sched_start", "ims_08.sched"]

[[column]]
name     = "per_schedule"
label    = "/Schedule"
kind     = "ratio"
num      = "scheduled_count"
den      = "schedules"
format   = "2"
doc      = "Transactions of a schedule; NULL without a schedule record"
from     = ["ims_08.sched_start", "ims_08.sched"]

[[column]]
name     = "cpu_us"
label    = "CPU us"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "cpu_total_us"
den      = "cpu_total_us_of"
format   = "1"
doc      = "CPU time on general processors of a transaction: 56FA, else an equal share of the 07"
from     = ["ims_56fa.tpextime", "ims_07.cpu_us", "ims_07.msgs"]

[[column]]
name     = "ziip_us"
label    = "zIIP us"
unit     = "us"
kind     = "ratio"
num      = "ziip_total_us"
den      = "ziip_total_us_of"
format   = "1"
doc      = "CPU time on zIIPs of a transaction"
from     = ["ims_56fa.tpezaap", "ims_07.ziip_us", "ims_07.msgs"]

[[column]]
name     = "db_calls"
label    = "DB Calls"
unit     = "calls"
kind     = "ratio"
num      = "db_calls_total"
den      = "db_calls_total_of"
format   = "1"
doc      = "Calls to full-function databases of a transaction"
from     = ["ims_message.db_calls_count"]

[[column]]
name     = "db_ios"
label    = "DB I/Os"
unit     = "requests"
kind     = "ratio"
num      = "db_io_total"
den      = "db_io_total_of"
format   = "1"
doc      = "Database I/Os of a transaction"
from     = ["ims_56fa.db_ios", "ims_07.db_ios", "ims_07.msgs"]

[[column]]
name     = "db_io_ms"
label    = "DB I/O ms"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "db_io_us"
den      = "db_io_us_of"
scale    = 0.001
format   = "3"
doc      = "Waiting for database I/O in a transaction"
from     = ["ims_56fa.tptdbio", "ims_07.db_io_us", "ims_07.msgs"]

[[column]]
name     = "lock_ms"
label    = "Lock ms"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "lock_us"
den      = "lock_us_of"
scale    = 0.001
format   = "3"
doc      = "Waiting for locks in a transaction; NULL where IRLM counts waits, but no time of any"
from     = ["ims_56fa.tptdbpl", "ims_07.lock_us", "ims_07.msgs", "ims_a105.wait_us"]

[[column]]
name     = "esaf_calls"
label    = "ESAF Calls"
unit     = "calls"
kind     = "ratio"
num      = "esaf_calls_total"
den      = "esaf_calls_total_of"
format   = "1"
doc      = "Calls to external subsystems of a transaction"
from     = ["ims_56fa.esaf_calls", "ims_07.esaf_calls", "ims_07.msgs"]

[[column]]
name     = "fp_calls"
label    = "FP Calls"
unit     = "calls"
kind     = "ratio"
num      = "fp_calls_total"
den      = "fp_calls_total_of"
format   = "1"
doc      = "Calls to Fast Path databases of a transaction"
from     = ["ims_5937.dedb_calls", "ims_5937.msdb_calls", "ims_56fa.fp_calls", "ims_07.fp_calls"]

[[column]]
name     = "ci_reads"
label    = "CI Reads"
unit     = "CIs"
kind     = "ratio"
num      = "ci_reads_total"
den      = "ci_reads_total_of"
format   = "1"
doc      = "DEDB control intervals read by a transaction"
from     = ["ims_5937.ci_reads", "ims_56fa.fp_ci_reads", "ims_07.fp_reads"]

[[column]]
name     = "ci_updates"
label    = "CI Updates"
unit     = "CIs"
kind     = "ratio"
num      = "ci_updates_total"
den      = "ci_updates_total_of"
format   = "1"
doc      = "DEDB control intervals changed by a transaction"
from     = ["ims_5937.ci_updates", "ims_56fa.fp_ci_updates", "ims_07.fp_writes"]

[[column]]
name     = "in_flight"
label    = "In IMS"
unit     = "transactions"
kind     = "ratio"
num      = "in_ims_us"
den      = "interval_us"
format   = "2"
doc      = "Transactions in IMS at a time: rate times response"
from     = ["ims_01.arrival", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5901.arrival", "ims_5937.router"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Time counted together"
from     = ["ims_log_interval.interval_s"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Time counted together"
from     = ["ims_log_interval.interval_s"]

[[column]]
name     = "all_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions, those left out of a sampled log too"
from     = ["ims_a0.sample_k"]

[[column]]
name     = "in_ims_us"
unit     = "us"
kind     = "part"
doc      = "Response time of all of them"
from     = ["ims_01.arrival", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5901.arrival", "ims_5937.router"]

[[column]]
name     = "scheduled_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions where there are schedules"
from     = ["ims_08.sched_start", "ims_08.sched"]

[[column]]
name     = "cpu_total_us"
unit     = "us"
kind     = "part"
doc      = "CPU time"
from     = ["ims_56fa.tpextime", "ims_07.cpu_us", "ims_07.msgs"]

[[column]]
name     = "cpu_total_us_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_56fa.tpextime", "ims_07.cpu_us", "ims_07.msgs"]

[[column]]
name     = "ziip_total_us"
unit     = "us"
kind     = "part"
doc      = "CPU time on zIIPs"
from     = ["ims_56fa.tpezaap", "ims_07.ziip_us", "ims_07.msgs"]

[[column]]
name     = "ziip_total_us_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_56fa.tpezaap", "ims_07.ziip_us", "ims_07.msgs"]

[[column]]
name     = "db_calls_total"
unit     = "calls"
kind     = "part"
doc      = "Database calls"
from     = ["ims_message.db_calls_count"]

[[column]]
name     = "db_calls_total_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_message.db_calls_count"]

[[column]]
name     = "db_io_total"
unit     = "requests"
kind     = "part"
doc      = "Database I/Os"
from     = ["ims_56fa.db_ios", "ims_07.db_ios", "ims_07.msgs"]

[[column]]
name     = "db_io_total_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_56fa.db_ios", "ims_07.db_ios", "ims_07.msgs"]

[[column]]
name     = "db_io_us"
unit     = "us"
kind     = "part"
doc      = "Database I/O time"
from     = ["ims_56fa.tptdbio", "ims_07.db_io_us", "ims_07.msgs"]

[[column]]
name     = "db_io_us_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_56fa.tptdbio", "ims_07.db_io_us", "ims_07.msgs"]

[[column]]
name     = "lock_us"
unit     = "us"
kind     = "part"
doc      = "Lock wait time"
from     = ["ims_56fa.tptdbpl", "ims_07.lock_us", "ims_07.msgs"]

[[column]]
name     = "lock_us_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_56fa.tptdbpl", "ims_07.lock_us", "ims_07.msgs"]

[[column]]
name     = "esaf_calls_total"
unit     = "calls"
kind     = "part"
doc      = "Calls to external subsystems"
from     = ["ims_56fa.esaf_calls", "ims_07.esaf_calls", "ims_07.msgs"]

[[column]]
name     = "esaf_calls_total_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_56fa.esaf_calls", "ims_07.esaf_calls", "ims_07.msgs"]

[[column]]
name     = "fp_calls_total"
unit     = "calls"
kind     = "part"
doc      = "Fast Path calls"
from     = ["ims_5937.dedb_calls", "ims_5937.msdb_calls", "ims_56fa.fp_calls", "ims_07.fp_calls"]

[[column]]
name     = "fp_calls_total_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_5937.dedb_calls", "ims_5937.msdb_calls", "ims_56fa.fp_calls", "ims_07.fp_calls"]

[[column]]
name     = "ci_reads_total"
unit     = "CIs"
kind     = "part"
doc      = "CIs read"
from     = ["ims_5937.ci_reads", "ims_56fa.fp_ci_reads", "ims_07.fp_reads"]

[[column]]
name     = "ci_reads_total_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_5937.ci_reads", "ims_56fa.fp_ci_reads", "ims_07.fp_reads"]

[[column]]
name     = "ci_updates_total"
unit     = "CIs"
kind     = "part"
doc      = "CIs changed"
from     = ["ims_5937.ci_updates", "ims_56fa.fp_ci_updates", "ims_07.fp_writes"]

[[column]]
name     = "ci_updates_total_of"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that number"
from     = ["ims_5937.ci_updates", "ims_56fa.fp_ci_updates", "ims_07.fp_writes"]
*/
-- logs that have no time of any wait for a lock: 0 in their transactions says nothing
WITH untimed AS (
    SELECT run, ims
    FROM ims_irlm
    GROUP BY run, ims
    HAVING sum(wait_count) > 0 AND sum(wait_us) = 0
),
message AS (
    SELECT
        *,
        CASE WHEN lock_us > 0 OR u.ims IS NULL THEN lock_us END      AS kept_lock_us
    FROM ims_message
    LEFT JOIN untimed AS u USING (run, ims)
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
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    ims                                                          AS ims,
    tran                                                         AS tran,
    kind                                                         AS kind,
    psb                                                          AS psb,
    count                                                        AS count,
    all_count / nullif(interval_s, 0)                            AS per_s,
    schedules                                                    AS schedules,
    scheduled_count / nullif(schedules, 0)                       AS per_schedule,
    cpu_total_us / nullif(cpu_total_us_of, 0)                    AS cpu_us,
    ziip_total_us / nullif(ziip_total_us_of, 0)                  AS ziip_us,
    db_calls_total / nullif(db_calls_total_of, 0)                AS db_calls,
    db_io_total / nullif(db_io_total_of, 0)                      AS db_ios,
    0.001 * db_io_us / nullif(db_io_us_of, 0)                    AS db_io_ms,
    0.001 * lock_us / nullif(lock_us_of, 0)                      AS lock_ms,
    esaf_calls_total / nullif(esaf_calls_total_of, 0)            AS esaf_calls,
    fp_calls_total / nullif(fp_calls_total_of, 0)                AS fp_calls,
    ci_reads_total / nullif(ci_reads_total_of, 0)                AS ci_reads,
    ci_updates_total / nullif(ci_updates_total_of, 0)            AS ci_updates,
    in_ims_us / nullif(interval_us, 0)                           AS in_flight,
    interval_s                                                   AS interval_s,
    interval_us                                                  AS interval_us,
    all_count                                                    AS all_count,
    in_ims_us                                                    AS in_ims_us,
    scheduled_count                                              AS scheduled_count,
    cpu_total_us                                                 AS cpu_total_us,
    cpu_total_us_of                                              AS cpu_total_us_of,
    ziip_total_us                                                AS ziip_total_us,
    ziip_total_us_of                                             AS ziip_total_us_of,
    db_calls_total                                               AS db_calls_total,
    db_calls_total_of                                            AS db_calls_total_of,
    db_io_total                                                  AS db_io_total,
    db_io_total_of                                               AS db_io_total_of,
    db_io_us                                                     AS db_io_us,
    db_io_us_of                                                  AS db_io_us_of,
    lock_us                                                      AS lock_us,
    lock_us_of                                                   AS lock_us_of,
    esaf_calls_total                                             AS esaf_calls_total,
    esaf_calls_total_of                                          AS esaf_calls_total_of,
    fp_calls_total                                               AS fp_calls_total,
    fp_calls_total_of                                            AS fp_calls_total_of,
    ci_reads_total                                               AS ci_reads_total,
    ci_reads_total_of                                            AS ci_reads_total_of,
    ci_updates_total                                             AS ci_updates_total,
    ci_updates_total_of                                          AS ci_updates_total_of
FROM usage
ORDER BY run, system, ims, interval_start_utc, tran, kind
