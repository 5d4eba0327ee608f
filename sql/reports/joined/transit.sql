/* imsperf report
id       = "joined.transit"
title    = "Parts of the Transit Time"
answers  = "What is the time of a transaction made of, and what do the slow ones wait for?"
key      = ["ims", "tran", "kind", "part"]
any_of   = ["ims_01", "ims_5937", "ims_5938"]
no_rows  = "its messages are none for a transaction, or no program got any"

[page]
layout   = "ours"
heading  = "ims"
blocks   = ["tran", "kind"]
block_above = "Trancode : {tran:-8}  {kind_text:-13}  Transactions : {count:9}"
note     = """
-    no record of a transaction has this part: its time is unexplained
Mean over all transactions; Measured, percentiles, Typical and Slow over those with the part
Slow tenth: longer than 90 % of its code; Typical: the others
"""

[page.texts]
kind_text = "CASE kind WHEN 'full_function' THEN 'Full function' WHEN 'switch' THEN 'Switch' WHEN 'fast_path' THEN 'Fast Path' ELSE '-' END"

[[page.table]]
above    = "                        ------------------ Milliseconds ------------------   Milliseconds: mean of"
columns  = """
part          -12  Part
measured       10  Measured
mean_ms        10  Mean
share_pct       7  %
p50_ms         10  50%
p90_ms         10  90%
p99_ms         10  99%
typical_ms     11  Typical
slow_ms        11  Slow tenth
"""

[columns]
kind       = { label = "Kind" }
count      = { kind = "count", format = "grouped" }
measured   = { kind = "count", format = "grouped" }
mean_ms    = { label = "Mean ms", better = "lower", format = "3" }
share_pct  = { format = "1" }
typical_ms = { label = "Typical ms", better = "lower", format = "3" }
slow_ms    = { label = "Slow tenth ms", better = "lower", format = "3" }
all_p50_ms = { kind = "part", total = "max" }
all_p90_ms = { kind = "part", total = "max" }
all_p99_ms = { kind = "part", total = "max" }

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
WITH transaction AS (
    SELECT
        *,
        whole_us > quantile_cont(whole_us, 0.9) OVER (
            PARTITION BY run, system, ims, interval_start_utc, tran, kind
        )                                                            AS slow
    FROM joined_transit
),
part AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, ims, tran, kind, slow,
        whole_us,
        unnest(joined_transit_parts(
            input_queue_us, schedule_us, cpu_us, db_io_us, lock_us, commit_us, output_us,
            unexplained_us, whole_us
        ))                                                           AS p
    FROM transaction
),
part_sum AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, max(interval_s) AS interval_s,
        ims, tran, kind, p.part_no AS part_no, p.part AS part,
        count(*)                                                     AS count,
        count(p.us)                                                  AS measured,
        sum(p.us)                                                    AS part_us,
        sum(whole_us)::DOUBLE                                        AS whole_us,
        sum(p.us) FILTER (WHERE NOT slow)                            AS typical_us,
        count(p.us) FILTER (WHERE NOT slow)                          AS typical_count,
        sum(p.us) FILTER (WHERE slow)                                AS slow_us,
        count(p.us) FILTER (WHERE slow)                              AS slow_count,
        0.001 * quantile_cont(p.us, 0.5)                             AS p50_ms,
        0.001 * quantile_cont(p.us, 0.9)                             AS p90_ms,
        0.001 * quantile_cont(p.us, 0.99)                            AS p99_ms
    FROM part
    GROUP BY ALL
),
-- of the transactions of a whole total, where one is asked for
part_of_all AS (
    SELECT
        run, system, ims, tran, kind,
        report_bucket(interval_start, interval_start_utc)            AS bucket,
        unnest(joined_transit_parts(
            input_queue_us, schedule_us, cpu_us, db_io_us, lock_us, commit_us, output_us,
            unexplained_us, whole_us
        ))                                                           AS p
    FROM joined_transit
    WHERE CAST(getvariable('report_total') AS BOOLEAN) AND in_report_range(interval_start)
),
of_all AS (
    SELECT
        run, system, ims, tran, kind, bucket, p.part_no AS part_no,
        0.001 * quantile_cont(p.us, 0.5)                             AS p50_ms,
        0.001 * quantile_cont(p.us, 0.9)                             AS p90_ms,
        0.001 * quantile_cont(p.us, 0.99)                            AS p99_ms
    FROM part_of_all
    GROUP BY ALL
)
SELECT
    s.run,
    sysplex, -- Sysplex name, from a 4500 of the IMS
    s.system, -- SMF system id, from a 4500 of the IMS, or NULL
    interval_start, -- The same, local; NULL without a 4500
    interval_start_utc, -- Statistics set, or first arrival in the log, UTC
    s.ims, -- IMS id
    s.tran, -- Transaction code
    s.kind, -- full_function, switch (program to program) or fast_path
    part, -- Part of the time; Unexplained is the rest, Whole all of it
    count, -- Transactions that a program got [transactions]
    measured, -- Transactions whose records have the part [transactions]
    0.001 * part_us / nullif(count, 0)                               AS mean_ms, -- Mean over all transactions: the parts add up to the whole
    100.0 * part_us / nullif(whole_us, 0)                            AS share_pct, -- Part of the whole
    s.p50_ms, -- Half of those measured are no longer; between two of them linear
    s.p90_ms, -- 90 % of those measured are no longer
    s.p99_ms, -- 99 % of those measured are no longer
    0.001 * typical_us / nullif(typical_count, 0)                    AS typical_ms, -- Mean of those measured among the other nine tenths
    0.001 * slow_us / nullif(slow_count, 0)                          AS slow_ms, -- Mean of those measured among the transactions longer than 90 % of their code
    interval_s,
    s.part_no, -- Place of the part in the list
    part_us, -- Time of the part in all transactions
    whole_us, -- Time of all transactions
    typical_us, -- Time of the part in typical transactions
    typical_count, -- Typical transactions with the part [transactions]
    slow_us, -- Time of the part in the slow tenth
    slow_count, -- Transactions of the slow tenth with the part [transactions]
    a.p50_ms                                                         AS all_p50_ms, -- 50 % over the whole total, from its transactions; NULL where no total is asked for
    a.p90_ms                                                         AS all_p90_ms, -- 90 % over the whole total, from its transactions; NULL where no total is asked for
    a.p99_ms                                                         AS all_p99_ms -- 99 % over the whole total, from its transactions; NULL where no total is asked for
FROM part_sum AS s
LEFT JOIN of_all AS a
    ON a.run = s.run AND a.system IS NOT DISTINCT FROM s.system
    AND a.ims IS NOT DISTINCT FROM s.ims AND a.tran = s.tran AND a.kind = s.kind
    AND a.part_no = s.part_no
    AND a.bucket IS NOT DISTINCT FROM report_bucket(s.interval_start, s.interval_start_utc)
ORDER BY s.run, s.system, s.ims, s.interval_start_utc, s.tran, s.kind, s.part_no
