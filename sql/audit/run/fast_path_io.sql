/* imsperf check
title = "Fast Path reads and writes as many control intervals as the areas have I/Os"
unit = "I/Os"
source = "IMS log 4521 between two sets against record type 42.6 of ESDS that are not of the log, where the IMS has no VSAM buffers (4508) and is alone in its system; as much as the ends are apart, 0.5 %, and 50 for what is under way at both ends"
views = ["ims_4521", "ims_statistics_set", "smf_dataset_io"]
covers = "42.6 of the jobs that have the areas fills the time between two sets, with as many data sets as in any interval"
*/
WITH source AS (
    SELECT file_id, record_no, [ci_reads, ci_writes]::DOUBLE[] AS number
    FROM ims_4521
),
taken AS (
    FROM audit_log_sets('ims_4521', 'source')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
alone AS MATERIALIZED (
    SELECT run, system, any_value(ims) AS ims
    FROM ims_statistics_set
    WHERE system IS NOT NULL
    GROUP BY run, system
    HAVING count(DISTINCT ims) = 1
),
area AS MATERIALIZED (
    SELECT run, system, interval_start_utc, max(interval_s) AS interval_s,
        sum(read_count)::DOUBLE AS reads, sum(io_count - read_count)::DOUBLE AS writes,
        -- an interval with fewer data sets than others may have lost some
        count(*) = max(count(*)) OVER (PARTITION BY run, system) AS has_all
    FROM smf_dataset_io
    WHERE dataset NOT LIKE '%.DFS%' AND dataset_type = 'ESDS'
    GROUP BY run, system, interval_start_utc
),
compared AS (
    SELECT c.run, a.system, c.since || ' ' || c.ims AS key, c.number, [sum(d.reads), sum(d.writes)] AS io,
        audit_apart(min(d.interval_start_utc), max(audit_end(d.interval_start_utc, d.interval_s)), c.begin, c.finish) AS apart
    FROM counted AS c
    JOIN alone AS a USING (run, ims)
    JOIN area AS d ON d.run = c.run AND d.system = a.system
        AND audit_inside(d.interval_start_utc, d.interval_s, c.begin, c.finish)
    WHERE c.ims NOT IN (SELECT imsid FROM ims_4508)
    GROUP BY c.run, a.system, c.since, c.ims, c.number, c.begin, c.finish
    HAVING audit_fills(sum(d.interval_s), c.begin, c.finish) AND bool_and(d.has_all)
)
SELECT m.run, m.system, m.key || ' ' || v.what AS key, m.number[v.n] AS found, m.number[v.n] AS found_low, m.number[v.n] AS found_high,
    m.io[v.n] * (0.995 - m.apart) - 50 AS low, m.io[v.n] * (1.005 + m.apart) + 50 AS high
FROM compared AS m, LATERAL (VALUES (1, 'reads'), (2, 'writes')) AS v (n, what)
WHERE m.number[v.n] > 0 OR m.io[v.n] > 0
