/* imsperf report
id       = "ims.transit"
title    = "Transaction Transit"
answers  = "Where does a transaction spend its time: input queue, processing or output queue?"
key      = ["ims", "tran", "kind"]
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

[page]
layout   = "ours"
note     = "FF full function   SW program switch   FP Fast Path"

[page.texts]
kind     = "CASE kind WHEN 'full_function' THEN 'FF' WHEN 'switch' THEN 'SW' WHEN 'fast_path' THEN 'FP' ELSE '-' END"

[[page.table]]
above    = "                      ---------------------- Mean ms ----------------------     Mean ---------------- Total, ms -----------------"
columns  = """
tran              -8  Trancode
kind              -2
count              9  Count
input_queue_ms     8  Input Q
schedule_ms        8  Schedule
process_ms         8  Process
output_queue_ms    8  Output Q
total_ms           8  Total
response_ms        8  Response
cpu_us             8  CPU us
std_ms             8  Std Dev
p50_ms             8  50%
p90_ms             8  90%
p99_ms             8  99%
max_ms             8  Maximum
"""

[columns]
kind              = { label = "Kind" }
count             = { kind = "count", format = "grouped" }
input_queue_ms    = { better = "lower", format = "3" }
schedule_ms       = { better = "lower", format = "3" }
process_ms        = { better = "lower", format = "3" }
output_queue_ms   = { better = "lower", format = "3" }
total_ms          = { better = "lower", format = "3" }
response_ms       = { better = "lower", format = "3" }
cpu_us            = { better = "lower", format = "1" }
max_ms            = { kind = "highwater", better = "lower", format = "3" }
abends            = { label = "Abend Count", kind = "count", better = "lower", format = "grouped" }
all_p50_ms        = { kind = "part", total = "max" }
all_p90_ms        = { kind = "part", total = "max" }
all_p99_ms        = { kind = "part", total = "max" }

[columns.std_ms]
better = "lower"
format = "3"
total_sql = """0.001 * sample_deviation(sum(total_count), sum(total_us), sum(total_squares_us2))"""

[columns.p50_ms]
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p50_ms), CASE WHEN count(*) = 1 THEN any_value(p50_ms) END)"

[columns.p90_ms]
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p90_ms), CASE WHEN count(*) = 1 THEN any_value(p90_ms) END)"

[columns.p99_ms]
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p99_ms), CASE WHEN count(*) = 1 THEN any_value(p99_ms) END)"
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
        sum(abended::INTEGER)                                        AS abends,
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
        report_bucket(interval_start, interval_start_utc)            AS bucket,
        0.001 * quantile_cont(total_us, 0.5)                         AS p50_ms,
        0.001 * quantile_cont(total_us, 0.9)                         AS p90_ms,
        0.001 * quantile_cont(total_us, 0.99)                        AS p99_ms
    FROM ims_message
    WHERE CAST(getvariable('report_total') AS BOOLEAN) AND in_report_range(interval_start)
    GROUP BY run, system, ims, tran, kind, bucket
)
SELECT
    t.run,
    t.sysplex, -- Sysplex name, from a 4500 of the IMS
    t.system, -- SMF system id, from a 4500 of the IMS, or NULL
    t.interval_start, -- The same, local; NULL without a 4500
    t.interval_start_utc, -- Statistics set, or first arrival in the log, UTC
    t.ims, -- IMS id
    t.tran, t.kind,
    count, -- Transactions in the log [transactions]
    0.001 * input_queue_us / nullif(input_queue_count, 0)        AS input_queue_ms, -- Mean time queued until the program got it
    0.001 * schedule_us / nullif(schedules, 0)                   AS schedule_ms, -- Mean time of a schedule, part of the input queue
    0.001 * process_us / nullif(process_count, 0)                AS process_ms, -- Mean time in the program, to the commit; Fast Path: to the sync point
    0.001 * output_queue_us / nullif(output_queue_count, 0)      AS output_queue_ms, -- Mean time from insert of the output to its sending; Fast Path: from the sync point
    0.001 * total_us / nullif(total_count, 0)                    AS total_ms, -- Mean of input queue, processing and output queue together
    0.001 * response_us / nullif(response_count, 0)              AS response_ms, -- Mean time from arrival to sending: the output queue begins before the program ends
    cpu_total_us / nullif(cpu_count, 0)                          AS cpu_us, -- Mean CPU time on general processors: 56FA, else an equal share of the 07
    std_ms, -- Standard deviation of the totals, of the sample
    t.p50_ms, -- Half of the totals are no longer; between two of them linear
    t.p90_ms, -- 90 % of the totals are no longer
    t.p99_ms, -- 99 % of the totals are no longer
    max_ms, -- Longest total
    abends, -- Transactions that ended in an abend; NULL where no record says it [transactions]
    total_squares_us2, -- Sum of the squares of the totals [us2]
    interval_s,
    schedules, -- Schedules among them [schedules]
    input_queue_us,
    input_queue_count, -- Transactions with that time [transactions]
    schedule_us, process_us,
    process_count, -- Transactions with that time [transactions]
    output_queue_us,
    output_queue_count, -- Transactions with that time [transactions]
    total_us,
    total_count, -- Transactions with that time [transactions]
    response_us,
    response_count, -- Transactions with that time [transactions]
    cpu_total_us, -- CPU time
    cpu_count, -- Transactions with that time [transactions]
    a.p50_ms                                                     AS all_p50_ms, -- 50 % over the whole total, from its transactions; NULL where no total is asked for
    a.p90_ms                                                     AS all_p90_ms, -- 90 % over the whole total, from its transactions; NULL where no total is asked for
    a.p99_ms                                                     AS all_p99_ms -- 99 % over the whole total, from its transactions; NULL where no total is asked for
FROM transit AS t
LEFT JOIN of_all AS a
    ON a.run = t.run AND a.system IS NOT DISTINCT FROM t.system
    AND a.ims IS NOT DISTINCT FROM t.ims AND a.tran = t.tran AND a.kind = t.kind
    AND a.bucket IS NOT DISTINCT FROM report_bucket(t.interval_start, t.interval_start_utc)
ORDER BY t.run, t.system, t.ims, t.interval_start_utc, t.tran, t.kind
