/* imsperf check
title = "The logger writes as often as its data sets are written"
unit = "I/Os"
source = "IMS log 4507 against record type 42.6 of data sets named WADS and OLDS (DFSWADSn, DFSOLPnn, DFSOLSnn), between statistics sets; 2 for what is under way at the ends, and as much as the ends are apart"
covers = "42.6 of the jobs that write the log fills the time between two 4507"
*/
WITH logger AS MATERIALIZED (
    SELECT run, system, min(interval_start_utc) AS begin, max(audit_end(interval_start_utc, interval_s)) AS finish,
        [sum(wads_excpvr), sum(olds_writes)]::DOUBLE[] AS io,
        if(grouping(interval_start_utc) = 1, 'all sets', strftime(begin, '%Y-%m-%dT%H:%M:%SZ')) AS since
    FROM ims_logger
    WHERE NOT restarted AND records_written IS NOT NULL
    GROUP BY GROUPING SETS ((run, system, interval_start_utc), (run, system))
    HAVING count(DISTINCT ims) = 1 AND audit_fills(sum(interval_s), begin, finish) AND (grouping(interval_start_utc) = 0 OR count(*) > 1)
),
writer AS (
    SELECT DISTINCT run, system, job FROM smf_dataset_io WHERE dataset LIKE '%WADS%' OR regexp_matches(dataset, 'OL(DS|P|S)')
),
data_set AS MATERIALIZED (
    SELECT d.run, d.system, d.interval_start_utc, max(d.interval_s) AS interval_s,
        [sum(if(dataset LIKE '%WADS%', io_count - coalesce(read_count, 0), 0)), sum(if(regexp_matches(dataset, 'OL(DS|P|S)'), io_count - coalesce(read_count, 0), 0))]::DOUBLE[] AS io
    FROM smf_dataset_io AS d
    SEMI JOIN writer AS w USING (run, system, job)
    WHERE io_count > coalesce(read_count, 0) -- an archive job reads them
    GROUP BY ALL
),
written AS (
    SELECT l.run, l.system, l.since, any_value(l.io) AS logger, [sum(d.io[1]), sum(d.io[2])] AS io,
        audit_apart(min(d.interval_start_utc), max(audit_end(d.interval_start_utc, d.interval_s)), l.begin, l.finish) AS apart
    FROM logger AS l
    JOIN data_set AS d ON d.run = l.run AND d.system = l.system AND audit_inside(d.interval_start_utc, d.interval_s, l.begin, l.finish)
    GROUP BY l.run, l.system, l.since, l.begin, l.finish
    HAVING audit_fills(sum(d.interval_s), l.begin, l.finish)
)
SELECT w.run, w.system, w.since || ' ' || v.what AS key, w.logger[v.n] AS found, w.logger[v.n] AS found_low, w.logger[v.n] AS found_high,
    w.io[v.n] * (1 - w.apart) - 2 AS low, w.io[v.n] * (1 + w.apart) + 2 AS high
FROM written AS w, LATERAL (VALUES (1, 'WADS'), (2, 'OLDS')) AS v (n, what)
WHERE w.logger[v.n] > 0 AND w.io[v.n] > 0
