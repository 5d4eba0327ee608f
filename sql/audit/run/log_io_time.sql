/* imsperf check
title = "The logger waits as long as writes to its data sets take"
unit = "us"
source = "IMS log 4507 against record type 42.6 of data sets named WADS and OLDS, between statistics sets, where the writes are the same but for 2 and what the ends are apart; each mean may be rounded or cut to a microsecond, and 0.5 %"
covers = "42.6 of the jobs that write the log fills the time between two 4507"
*/
WITH logger AS MATERIALIZED (
    SELECT run, system, min(interval_start_utc) AS begin, max(audit_end(interval_start_utc, interval_s)) AS finish,
        [sum(wads_excpvr), sum(olds_writes)]::DOUBLE[] AS io, [sum(wads_us), sum(olds_us)]::DOUBLE[] AS us,
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
        [sum(if(dataset LIKE '%WADS%', io_count, 0)), sum(if(regexp_matches(dataset, 'OL(DS|P|S)'), io_count, 0))]::DOUBLE[] AS io,
        [sum(if(dataset LIKE '%WADS%', resp_us, 0)), sum(if(regexp_matches(dataset, 'OL(DS|P|S)'), resp_us, 0))]::DOUBLE[] AS us
    FROM smf_dataset_io AS d
    SEMI JOIN writer AS w USING (run, system, job)
    WHERE io_count > coalesce(read_count, 0) -- an archive job reads them
    GROUP BY ALL
),
written AS (
    SELECT l.run, l.system, l.since, any_value(l.io) AS writes, any_value(l.us) AS waits, [sum(d.io[1]), sum(d.io[2])] AS io, [sum(d.us[1]), sum(d.us[2])] AS us,
        audit_apart(min(d.interval_start_utc), max(audit_end(d.interval_start_utc, d.interval_s)), l.begin, l.finish) AS apart
    FROM logger AS l
    JOIN data_set AS d ON d.run = l.run AND d.system = l.system AND audit_inside(d.interval_start_utc, d.interval_s, l.begin, l.finish)
    GROUP BY l.run, l.system, l.since, l.begin, l.finish
    HAVING audit_fills(sum(d.interval_s), l.begin, l.finish)
)
SELECT w.run, w.system, w.since || ' ' || v.what AS key, w.waits[v.n] AS found, w.waits[v.n] AS found_low, w.waits[v.n] AS found_high,
    (w.us[v.n] - w.io[v.n] / 2) * 0.995 AS low, (w.us[v.n] + w.io[v.n]) * 1.005 AS high
FROM written AS w, LATERAL (VALUES (1, 'WADS'), (2, 'OLDS')) AS v (n, what)
WHERE w.waits[v.n] > 0 AND w.writes[v.n] BETWEEN w.io[v.n] * (1 - w.apart) - 2 AND w.io[v.n] * (1 + w.apart) + 2
