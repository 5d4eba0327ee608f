/* imsperf report
id       = "ims.transit"
title    = "Transaction Transit"
answers  = "Where does a transaction spend its time: input queue, processing or output queue?"
key      = ["ims", "tran", "kind"]
time     = "interval_start_utc"
lead     = "ims_log_interval"
range    = "views"
needs    = ["ims_01", "ims_03", "ims_06", "ims_07", "ims_08", "ims_31", "ims_33", "ims_35",
            "ims_36", "ims_3730", "ims_4500", "ims_5612", "ims_56fa", "ims_5901", "ims_5936",
            "ims_5937", "ims_5938", "ims_a0", "load_file"]
optional = ["ims_01", "ims_03", "ims_06", "ims_07", "ims_08", "ims_31", "ims_33", "ims_35",
            "ims_36", "ims_3730", "ims_4500", "ims_5612", "ims_56fa", "ims_5901", "ims_5936",
            "ims_5937", "ims_5938", "ims_a0"]
any_of   = ["ims_01", "ims_5937", "ims_5938"]
no_rows  = "its messages are none for a transaction, or their file is of no known log"

[chart]
mark     = "bar"
x        = "tran"
y        = ["input_queue_ms", "process_ms", "output_queue_ms"]
facet    = "ims"
top      = 20
by       = "total_us"
title    = "Transit of the 20 transaction codes with most time, ms"

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
name     = "count"
label    = "Count"
unit     = "transactions"
kind     = "count"
format   = "grouped"
doc      = "Transactions in the log"
from     = ["ims_message.tran"]

[[column]]
name     = "input_queue_ms"
label    = "Input Q"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "input_queue_us"
den      = "input_queue_count"
scale    = 0.001
format   = "3"
doc      = "Mean time queued until the program got it"
from     = ["ims_01.arrival", "ims_35.log_stck", "ims_31.log_stck", "ims_5901.arrival",
            "ims_5901.gu"]

[[column]]
name     = "schedule_ms"
label    = "Schedule"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "schedule_us"
den      = "schedules"
scale    = 0.001
format   = "3"
doc      = "Mean time of a schedule, part of the input queue"
from     = ["ims_08.sched_start", "ims_08.sched"]

[[column]]
name     = "process_ms"
label    = "Process"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "process_us"
den      = "process_count"
scale    = 0.001
format   = "3"
doc      = "Mean time in the program, to the commit; Fast Path: to the sync point"
from     = ["ims_31.log_stck", "ims_3730.log_stck", "ims_5612.log_stck", "ims_07.end",
            "ims_5901.gu", "ims_5937.sync", "ims_5938.sync"]

[[column]]
name     = "output_queue_ms"
label    = "Output Q"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "output_queue_us"
den      = "output_queue_count"
scale    = 0.001
format   = "3"
doc      = "Mean time from insert of the output to its sending; Fast Path: from the sync point"
from     = ["ims_35.log_stck", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5937.sync", "ims_5937.router"]

[[column]]
name     = "total_ms"
label    = "Total"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "total_us"
den      = "total_count"
scale    = 0.001
format   = "3"
doc      = "Mean of input queue, processing and output queue together"
from     = ["ims_message.total_us"]

[[column]]
name     = "response_ms"
label    = "Response"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "response_us"
den      = "response_count"
scale    = 0.001
format   = "3"
doc      = "Mean time from arrival to sending: the output queue begins before the program ends"
from     = ["ims_01.arrival", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5901.arrival", "ims_5937.router"]

[[column]]
name     = "cpu_us"
label    = "CPU us"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "cpu_total_us"
den      = "cpu_count"
format   = "1"
doc      = "Mean CPU time on general processors: 56FA, else an equal share of the 07"
from     = ["ims_56fa.tpextime", "ims_07.cpu_us", "ims_07.msgs"]

[[column]]
name     = "std_ms"
label    = "Std Dev"
unit     = "ms"
better   = "lower"
kind     = "config"
format   = "3"
total_sql = """0.001 * sqrt(greatest(sum(total_count) * sum(total_squares_us2)
    - sum(total_us) ** 2, 0)
    / nullif(sum(total_count) * (sum(total_count) - 1), 0))"""
doc      = "Standard deviation of the totals, of the sample"
from     = ["ims_message.total_us"]

[[column]]
name     = "p50_ms"
label    = "50%"
unit     = "ms"
better   = "lower"
kind     = "config"
format   = "3"
total_sql = "coalesce(max(all_p50_ms), CASE WHEN count(*) = 1 THEN any_value(p50_ms) END)"
doc      = "Half of the totals are no longer; between two of them linear"
from     = ["ims_message.total_us"]

[[column]]
name     = "p90_ms"
label    = "90%"
unit     = "ms"
better   = "lower"
kind     = "config"
format   = "3"
total_sql = "coalesce(max(all_p90_ms), CASE WHEN count(*) = 1 THEN any_value(p90_ms) END)"
doc      = "90 % of the totals are no longer"
from     = ["ims_message.total_us"]

[[column]]
name     = "p99_ms"
label    = "99%"
unit     = "ms"
better   = "lower"
kind     = "config"
format   = "3"
total_sql = "coalesce(max(all_p99_ms), CASE WHEN count(*) = 1 THEN any_value(p99_ms) END)"
doc      = "99 % of the totals are no longer"
from     = ["ims_message.total_us"]

[[column]]
name     = "max_ms"
label    = "Maximum"
unit     = "ms"
better   = "lower"
kind     = "highwater"
format   = "3"
doc      = "Longest total"
from     = ["ims_message.total_us"]

[[column]]
name     = "total_squares_us2"
unit     = "us2"
kind     = "part"
doc      = "Sum of the squares of the totals"
from     = ["ims_message.total_us"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Time counted together"
from     = ["ims_log_interval.interval_s"]

[[column]]
name     = "schedules"
unit     = "schedules"
kind     = "part"
doc      = "Schedules among them"
from     = ["ims_08.sched_start", "ims_08.sched"]

[[column]]
name     = "input_queue_us"
unit     = "us"
kind     = "part"
doc      = "Time in the input queue"
from     = ["ims_01.arrival", "ims_35.log_stck", "ims_31.log_stck", "ims_5901.arrival",
            "ims_5901.gu"]

[[column]]
name     = "input_queue_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that time"
from     = ["ims_01.arrival", "ims_35.log_stck", "ims_31.log_stck", "ims_5901.arrival",
            "ims_5901.gu"]

[[column]]
name     = "schedule_us"
unit     = "us"
kind     = "part"
doc      = "Time of schedules"
from     = ["ims_08.sched_start", "ims_08.sched"]

[[column]]
name     = "process_us"
unit     = "us"
kind     = "part"
doc      = "Time in programs"
from     = ["ims_31.log_stck", "ims_3730.log_stck", "ims_5612.log_stck", "ims_07.end",
            "ims_5901.gu", "ims_5937.sync", "ims_5938.sync"]

[[column]]
name     = "process_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that time"
from     = ["ims_31.log_stck", "ims_3730.log_stck", "ims_5612.log_stck", "ims_07.end",
            "ims_5901.gu", "ims_5937.sync", "ims_5938.sync"]

[[column]]
name     = "output_queue_us"
unit     = "us"
kind     = "part"
doc      = "Time in the output queue"
from     = ["ims_35.log_stck", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5937.sync", "ims_5937.router"]

[[column]]
name     = "output_queue_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that time"
from     = ["ims_35.log_stck", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5937.sync", "ims_5937.router"]

[[column]]
name     = "total_us"
unit     = "us"
kind     = "part"
doc      = "Total time"
from     = ["ims_message.total_us"]

[[column]]
name     = "total_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that time"
from     = ["ims_message.total_us"]

[[column]]
name     = "response_us"
unit     = "us"
kind     = "part"
doc      = "Response time"
from     = ["ims_01.arrival", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5901.arrival", "ims_5937.router"]

[[column]]
name     = "response_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that time"
from     = ["ims_01.arrival", "ims_31.log_stck", "ims_36.log_stck", "ims_33.log_stck",
            "ims_5901.arrival", "ims_5937.router"]

[[column]]
name     = "cpu_total_us"
unit     = "us"
kind     = "part"
doc      = "CPU time"
from     = ["ims_56fa.tpextime", "ims_07.cpu_us", "ims_07.msgs"]

[[column]]
name     = "cpu_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions with that time"
from     = ["ims_56fa.tpextime", "ims_07.cpu_us", "ims_07.msgs"]

[[column]]
name     = "all_p50_ms"
unit     = "ms"
kind     = "part"
total    = "max"
doc      = "50 % over the whole total, from its transactions; NULL where no total is asked for"
from     = ["ims_message.total_us"]

[[column]]
name     = "all_p90_ms"
unit     = "ms"
kind     = "part"
total    = "max"
doc      = "90 % over the whole total, from its transactions; NULL where no total is asked for"
from     = ["ims_message.total_us"]

[[column]]
name     = "all_p99_ms"
unit     = "ms"
kind     = "part"
total    = "max"
doc      = "99 % over the whole total, from its transactions; NULL where no total is asked for"
from     = ["ims_message.total_us"]
*/
WITH transit AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, ims, tran, kind,
        max(interval_s)                                              AS interval_s,
        count(*)                                                     AS count,
        sum(input_queue_us)                                          AS input_queue_us,
        count(input_queue_us)                                        AS input_queue_count,
        sum(schedule_us)                                             AS schedule_us,
        count(schedule_us)                                           AS schedules,
        sum(process_us)                                              AS process_us,
        count(process_us)                                            AS process_count,
        sum(output_queue_us)                                         AS output_queue_us,
        count(output_queue_us)                                       AS output_queue_count,
        sum(total_us)                                                AS total_us,
        count(total_us)                                              AS total_count,
        sum(total_us::DOUBLE ** 2)                                   AS total_squares_us2,
        sum(response_us)                                             AS response_us,
        count(response_us)                                           AS response_count,
        sum(cpu_us)                                                  AS cpu_total_us,
        count(cpu_us)                                                AS cpu_count,
        0.001 * stddev_samp(total_us)                                AS std_ms,
        0.001 * max(total_us)                                        AS max_ms,
        0.001 * quantile_cont(total_us, 0.5)                         AS p50_ms,
        0.001 * quantile_cont(total_us, 0.9)                         AS p90_ms,
        0.001 * quantile_cont(total_us, 0.99)                        AS p99_ms
    FROM ims_message
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, ims, tran, kind
),
-- of the transactions of a whole total, where one is asked for
of_all AS (
    SELECT
        run, system, ims, tran, kind,
        report_bucket(interval_start_utc)                            AS bucket,
        0.001 * quantile_cont(total_us, 0.5)                         AS p50_ms,
        0.001 * quantile_cont(total_us, 0.9)                         AS p90_ms,
        0.001 * quantile_cont(total_us, 0.99)                        AS p99_ms
    FROM ims_message
    WHERE CAST(getvariable('report_total') AS BOOLEAN) AND in_report_range(interval_start)
    GROUP BY run, system, ims, tran, kind, bucket
)
SELECT
    t.run                                                        AS run,
    t.sysplex                                                    AS sysplex,
    t.system                                                     AS system,
    t.interval_start                                             AS interval_start,
    t.interval_start_utc                                         AS interval_start_utc,
    t.ims                                                        AS ims,
    t.tran                                                       AS tran,
    t.kind                                                       AS kind,
    count                                                        AS count,
    0.001 * input_queue_us / nullif(input_queue_count, 0)        AS input_queue_ms,
    0.001 * schedule_us / nullif(schedules, 0)                   AS schedule_ms,
    0.001 * process_us / nullif(process_count, 0)                AS process_ms,
    0.001 * output_queue_us / nullif(output_queue_count, 0)      AS output_queue_ms,
    0.001 * total_us / nullif(total_count, 0)                    AS total_ms,
    0.001 * response_us / nullif(response_count, 0)              AS response_ms,
    cpu_total_us / nullif(cpu_count, 0)                          AS cpu_us,
    std_ms                                                       AS std_ms,
    t.p50_ms                                                     AS p50_ms,
    t.p90_ms                                                     AS p90_ms,
    t.p99_ms                                                     AS p99_ms,
    max_ms                                                       AS max_ms,
    total_squares_us2                                            AS total_squares_us2,
    interval_s                                                   AS interval_s,
    schedules                                                    AS schedules,
    input_queue_us                                               AS input_queue_us,
    input_queue_count                                            AS input_queue_count,
    schedule_us                                                  AS schedule_us,
    process_us                                                   AS process_us,
    process_count                                                AS process_count,
    output_queue_us                                              AS output_queue_us,
    output_queue_count                                           AS output_queue_count,
    total_us                                                     AS total_us,
    total_count                                                  AS total_count,
    response_us                                                  AS response_us,
    response_count                                               AS response_count,
    cpu_total_us                                                 AS cpu_total_us,
    cpu_count                                                    AS cpu_count,
    a.p50_ms                                                     AS all_p50_ms,
    a.p90_ms                                                     AS all_p90_ms,
    a.p99_ms                                                     AS all_p99_ms
FROM transit AS t
LEFT JOIN of_all AS a
    ON a.run = t.run AND a.system IS NOT DISTINCT FROM t.system
    AND a.ims IS NOT DISTINCT FROM t.ims AND a.tran = t.tran AND a.kind = t.kind
    AND a.bucket IS NOT DISTINCT FROM report_bucket(t.interval_start_utc)
ORDER BY t.run, t.system, t.ims, t.interval_start_utc, t.tran, t.kind
