/* imsperf report
id       = "rmf.workload_distribution"
title    = "Workload Activity"
answers  = "How are the response times of a class spread around its goal?"
key      = ["kind", "class", "period", "bucket_no"]
records_by = ["system", "interval_start"]
facts    = "rmf_workload_interval"
no_rows  = "no class has a response time goal"

[chart]
mark     = "line"
x        = "limit_pct"
y        = ["within_pct"]
color    = "class"
facet    = "system"
where    = "kind = 'service' AND limit_pct IS NOT NULL"
title    = "Transactions that ended within a part of the goal, per cent"

[page]
layout      = "smf2db 0.1.3"
blocks      = ["kind", "class", "period"]
block_above = "{scope}\n\n"

[page.texts]
scope    = """CASE kind WHEN 'report' THEN 'REPORT CLASS' ELSE 'SERVICE CLASS' END
    || '=' || coalesce(nullif(class, ''), '-') || '  PERIOD=' || coalesce(period::VARCHAR, '-')"""
side     = "CASE WHEN bucket_no = 14 THEN '>' WHEN bucket_no = 1 THEN '<' ELSE '<=' END"
time     = """CASE WHEN limit_ms IS NULL AND bucket_no < 14 THEN '-'
    ELSE strftime(make_timestamp((1000 * coalesce(limit_ms, max(limit_ms) OVER block))::BIGINT), '%H.%M.%S.%g') END"""
gap      = "'  '"
bar      = "repeat('>', (bucket_pct / 2)::INTEGER)"

[[page.table]]
above    = """
------------------RESPONSE TIME DISTRIBUTION------------------
-----TIME------  NUMBER OF TRANSACT.  -------PERCENT-------   0    10   20   30   40   50   60   70   80   90   100
   HH.MM.SS.TTT  CUM TOTAL IN BUCKET  CUM TOTAL   IN BUCKET   |....|....|....|....|....|....|....|....|....|....|
"""
columns  = """
side          -2
time         -12
within_count  10
in_bucket      9
within_pct    10
bucket_pct    11
{gap}{bar}   -54
"""

[columns]
bucket_no    = { format = "int" }
limit_pct    = { label = "% OF GOAL", format = "int", empty = "" }
limit_ms     = { label = "TIME (MS)", format = "3", empty = "" }
within_count = { label = "CUM TOTAL", kind = "count", format = "int" }
in_bucket    = { label = "IN BUCKET", kind = "count", format = "int" }
within_pct   = { label = "CUM TOTAL %", format = "1" }
bucket_pct   = { label = "IN BUCKET %", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, kind, class, period, bucket_no,
    limit_pct, limit_ms,
    within_count, -- Transactions that ended within the time [transactions]
    bucket_count                                                 AS in_bucket, -- Transactions that ended in the bucket [transactions]
    100 * within_count / nullif(distributed_count, 0)            AS within_pct, -- Transactions that ended within the time, of all in the distribution
    100 * in_bucket / nullif(distributed_count, 0)               AS bucket_pct, -- Transactions of the bucket, of all in the distribution
    goal_kind, interval_s, distributed_count
FROM rmf_response_bucket
ORDER BY run, sysplex, system, interval_start_utc, interval_start, kind DESC, class, period,
    bucket_no
