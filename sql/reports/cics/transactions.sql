/* imsperf report
id       = "cics.transactions"
title    = "CICS Transactions"
answers  = "What does each CICS transaction take, and how much of it is a wait for IMS?"
key      = ["region", "tran"]
optional = ["smf70_1_control", "smf70_1_product"]
whole    = "rmf_cpu_interval"
no_rows  = "the records have no performance data"

[chart]
mark     = "bar"
x        = "tran"
y        = ["response_ms"]
facet    = "region"
top      = 20
by       = "count"
title    = "Response of the 20 most frequent transactions, ms"

[page]
layout = "ours"

[[page.table]]
columns  = """
region         -8  |REGION
tran           -4  |TRAN
count           9  |COUNT
per_s           7  |/SEC
response_ms     9  RESPONSE|MS
dispatch_ms     9  DISPATCH|MS
cpu_ms          8  CPU|MS
suspend_ms      8  SUSPEND|MS
ims_calls       6  IMS|CALLS
ims_wait_ms     8  IMS WAIT|MS
p50_ms          8  RESP|50%
p90_ms          8  RESP|90%
p99_ms          8  RESP|99%
max_ms          8  RESP|MAX
abends          6  |ABENDS
"""

[columns]
count = { kind = "count", format = "grouped" }
abends = { kind = "count", better = "lower", format = "grouped" }
per_s = { format = "rate" }
response_ms = { label = "RESPONSE", better = "lower", format = "3", contains = ["dispatch_ms", "suspend_ms"] }
dispatch_ms = { label = "DISPATCH", better = "lower", format = "3", contains = ["cpu_ms", "qr_ms"] }
cpu_ms = { label = "CPU", better = "lower", format = "3" }
suspend_ms = { label = "SUSPEND", better = "lower", format = "3", contains = ["ims_wait_ms", "file_wait_ms", "mxt_wait_ms"] }
ims_calls = { better = "lower", format = "2" }
ims_wait_ms = { label = "IMS WAIT", better = "lower", format = "3" }
file_wait_ms = { label = "FILE WAIT", better = "lower", format = "3" }
qr_ms = { label = "QR TCB", better = "lower", format = "3" }
mxt_wait_ms = { label = "MXT WAIT", better = "lower", format = "3" }
max_ms = { label = "MAX", kind = "highwater", better = "lower", format = "3" }
all_p50_ms = { kind = "part", total = "max" }
all_p90_ms = { kind = "part", total = "max" }
all_p99_ms = { kind = "part", total = "max" }

[columns.p50_ms]
label = "50%"
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p50_ms), CASE WHEN count(*) = 1 THEN any_value(p50_ms) END)"

[columns.p90_ms]
label = "90%"
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p90_ms), CASE WHEN count(*) = 1 THEN any_value(p90_ms) END)"

[columns.p99_ms]
label = "99%"
better = "lower"
format = "3"
total_sql = "coalesce(max(all_p99_ms), CASE WHEN count(*) = 1 THEN any_value(p99_ms) END)"
*/
WITH summed AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, region, tran,
        max(interval_s) AS interval_s,
        count(*) FILTER (ended) AS count,
        count(abend_code) FILTER (ended) AS abends,
        sum(response_us) AS response_us_sum,
        count(response_us) FILTER (ended) AS response_us_n,
        sum(dispatch_us) AS dispatch_us_sum,
        count(dispatch_us) FILTER (ended) AS dispatch_us_n,
        sum(cpu_us) AS cpu_us_sum,
        count(cpu_us) FILTER (ended) AS cpu_us_n,
        sum(suspend_us) AS suspend_us_sum,
        count(suspend_us) FILTER (ended) AS suspend_us_n,
        sum(ims_count) AS ims_count_sum,
        count(ims_count) FILTER (ended) AS ims_count_n,
        sum(ims_wait_us) AS ims_wait_us_sum,
        count(ims_wait_us) FILTER (ended) AS ims_wait_us_n,
        sum(qr_us) AS qr_us_sum,
        count(qr_us) FILTER (ended) AS qr_us_n,
        sum(mxt_wait_us) AS mxt_wait_us_sum,
        count(mxt_wait_us) FILTER (ended) AS mxt_wait_us_n,
        sum(file_wait_us) AS file_wait_us_sum,
        count(file_wait_us) FILTER (ended) AS file_wait_us_n,
        0.001 * max(response_us) AS max_ms,
        0.001 * quantile_cont(response_us, 0.5) AS p50_ms,
        0.001 * quantile_cont(response_us, 0.9) AS p90_ms,
        0.001 * quantile_cont(response_us, 0.99) AS p99_ms
    FROM cics_task
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, region, tran
),
-- over all of a total, where one is asked for
of_all AS (
    SELECT
        run, sysplex, system, region, tran,
        report_bucket(interval_start, interval_start_utc) AS bucket,
        0.001 * quantile_cont(response_us, 0.5) AS p50_ms,
        0.001 * quantile_cont(response_us, 0.9) AS p90_ms,
        0.001 * quantile_cont(response_us, 0.99) AS p99_ms
    FROM cics_task
    WHERE CAST(getvariable('report_total') AS BOOLEAN) AND in_report_range(interval_start)
    GROUP BY run, sysplex, system, region, tran, bucket
)
SELECT
    t.run, t.sysplex, t.system, t.interval_start, t.interval_start_utc, t.region, t.tran,
    count, -- Tasks that ended [transactions]
    count / nullif(interval_s, 0) AS per_s, -- Tasks a second
    abends, -- Tasks that ended with an abend code [transactions]
    0.001 * response_us_sum / nullif(response_us_n, 0) AS response_ms, -- Mean time from start to end
    0.001 * dispatch_us_sum / nullif(dispatch_us_n, 0) AS dispatch_ms, -- Mean time dispatched, on all TCBs
    0.001 * cpu_us_sum / nullif(cpu_us_n, 0) AS cpu_ms, -- Mean CPU time, on all TCBs
    0.001 * suspend_us_sum / nullif(suspend_us_n, 0) AS suspend_ms, -- Mean time suspended, waits for dispatch among it
    0.001 * qr_us_sum / nullif(qr_us_n, 0) AS qr_ms, -- Mean time dispatched on the QR TCB, part of dispatched
    0.001 * mxt_wait_us_sum / nullif(mxt_wait_us_n, 0) AS mxt_wait_ms, -- Mean wait for the first dispatch: the region is at its limit of tasks (MXT)
    ims_count_sum / nullif(ims_count_n, 0) AS ims_calls, -- DL/I requests of a task through DBCTL
    0.001 * ims_wait_us_sum / nullif(ims_wait_us_n, 0) AS ims_wait_ms, -- Mean time waiting for DBCTL, part of suspended
    0.001 * file_wait_us_sum / nullif(file_wait_us_n, 0) AS file_wait_ms, -- Mean time waiting for files, part of suspended
    t.p50_ms, -- Half of the times of the records (tasks, or their parts where the region writes such) are no longer
    t.p90_ms, -- 90 % of the times of the records (tasks, or their parts where the region writes such) are no longer
    t.p99_ms, -- 99 % of the times of the records (tasks, or their parts where the region writes such) are no longer
    max_ms, -- Longest of the times of the records (tasks, or their parts where the region writes such)
    interval_s,
    response_us_sum, -- Time from start to end [us]
    response_us_n, -- Tasks that it is known of
    dispatch_us_sum, -- Time dispatched [us]
    dispatch_us_n, -- Tasks that it is known of
    cpu_us_sum, -- CPU time [us]
    cpu_us_n, -- Tasks that it is known of
    suspend_us_sum, -- Time suspended [us]
    suspend_us_n, -- Tasks that it is known of
    ims_count_sum, -- DL/I requests
    ims_count_n, -- Tasks that it is known of
    ims_wait_us_sum, -- Time waiting for DBCTL [us]
    ims_wait_us_n, -- Tasks that it is known of
    file_wait_us_sum, -- Time waiting for files [us]
    file_wait_us_n, -- Tasks that it is known of
    qr_us_sum, -- Time dispatched on the QR TCB [us]
    qr_us_n, -- Tasks that it is known of
    mxt_wait_us_sum, -- Time waiting at the limit of tasks [us]
    mxt_wait_us_n, -- Tasks that it is known of
    a.p50_ms AS all_p50_ms, -- 50 % over the whole total; NULL where no total is asked for
    a.p90_ms AS all_p90_ms, -- 90 % over the whole total; NULL where no total is asked for
    a.p99_ms AS all_p99_ms -- 99 % over the whole total; NULL where no total is asked for
FROM summed AS t
LEFT JOIN of_all AS a
    ON a.run = t.run AND a.sysplex IS NOT DISTINCT FROM t.sysplex
    AND a.system IS NOT DISTINCT FROM t.system
    AND a.region IS NOT DISTINCT FROM t.region AND a.tran IS NOT DISTINCT FROM t.tran
    AND a.bucket IS NOT DISTINCT FROM report_bucket(t.interval_start, t.interval_start_utc)
ORDER BY t.run, t.sysplex, t.system, t.interval_start_utc, t.region, t.tran
