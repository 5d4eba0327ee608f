/* imsperf check
title = "Buffer pools read and write as often as the data sets of databases"
unit = "I/Os"
source = "IMS log 4504 (OSAM) and 4508 (VSAM) against record type 42.6 of other data sets than those of the log and of traces, sequential ones and ESDS, between statistics sets; exact where both are of one time, and as much as the ends are apart"
covers = "42.6 of the jobs that have the databases fills the time between two sets, with as many data sets as in any interval"
*/
WITH set_io AS MATERIALIZED (
    SELECT run, system, kind, interval_start_utc, min(ims) AS ims, max(interval_s) AS interval_s,
        [sum(reads), sum(coalesce(block_writes + chain_writes, user_writes + nonuser_writes))]::DOUBLE[] AS io
    FROM ims_db_buffer
    WHERE NOT restarted AND kind IN ('OSAM', 'VSAM')
    GROUP BY run, system, kind, interval_start_utc
    HAVING count(DISTINCT ims) = 1
),
pool AS MATERIALIZED (
    SELECT run, system, kind, min(interval_start_utc) AS begin, max(audit_end(interval_start_utc, interval_s)) AS finish,
        [sum(io[1]), sum(io[2])] AS io,
        if(grouping(interval_start_utc) = 1, 'all sets', strftime(begin, '%Y-%m-%dT%H:%M:%SZ')) AS since
    FROM set_io
    GROUP BY GROUPING SETS ((run, system, kind, interval_start_utc), (run, system, kind))
    HAVING count(DISTINCT ims) = 1 AND (grouping(interval_start_utc) = 0 OR count(*) > 1) AND audit_fills(sum(interval_s), begin, finish)
),
data_set AS MATERIALIZED (
    SELECT run, system, CASE dataset_type WHEN 'PS' THEN 'OSAM' WHEN 'ESDS' THEN 'VSAM' END AS kind, interval_start_utc,
        max(interval_s) AS interval_s, [sum(read_count), sum(io_count - read_count)]::DOUBLE[] AS io,
        -- an interval with fewer data sets than others may have lost some
        count(*) = max(count(*)) OVER (PARTITION BY run, system, dataset_type) AS has_all
    FROM smf_dataset_io
    WHERE dataset NOT LIKE '%.DFS%' AND dataset_type IN ('PS', 'ESDS')
    GROUP BY run, system, dataset_type, interval_start_utc
),
measured AS (
    SELECT p.run, p.system, p.kind, p.since, any_value(p.io) AS pool, [sum(d.io[1]), sum(d.io[2])] AS io,
        audit_apart(min(d.interval_start_utc), max(audit_end(d.interval_start_utc, d.interval_s)), p.begin, p.finish) AS apart
    FROM pool AS p
    JOIN data_set AS d ON d.run = p.run AND d.system = p.system AND d.kind = p.kind
        AND audit_inside(d.interval_start_utc, d.interval_s, p.begin, p.finish)
    GROUP BY p.run, p.system, p.kind, p.since, p.begin, p.finish
    HAVING audit_fills(sum(d.interval_s), p.begin, p.finish) AND bool_and(d.has_all)
)
SELECT m.run, m.system, m.since || ' ' || m.kind || ' ' || v.what AS key, m.pool[v.n] AS found, m.pool[v.n] AS found_low, m.pool[v.n] AS found_high,
    m.io[v.n] * (1 - m.apart) AS low, m.io[v.n] * (1 + m.apart) AS high
FROM measured AS m, LATERAL (VALUES (1, 'reads'), (2, 'writes')) AS v (n, what)
WHERE m.pool[v.n] > 0 OR m.io[v.n] > 0
