/* imsperf check
title = "A write to a log stream is a request to its structure"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 88, subtype 1, against 74.4 of a structure of that name, an interval of 88 within one of 74.4; 2 for the moments of reading, 0.1 % where the ends are apart"
covers = "an interval of 88 lies in one of 74.4"
*/
WITH written AS MATERIALIZED (
    SELECT run, system, structure, interval_start_utc, max(interval_s) AS interval_s, max(interval_end_utc) AS finish, sum(write_count) AS writes
    FROM smf_logstream
    GROUP BY ALL
),
asked AS MATERIALIZED (
    SELECT run, system, structure, interval_start_utc AS begin, max(audit_end(interval_start_utc, interval_s)) AS finish, sum(request_count) AS requests
    FROM rmf_cf_structure
    GROUP BY ALL
)
SELECT w.run, w.system, strftime(w.interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') || ' ' || w.structure AS key,
    w.writes AS found, w.writes AS found_low, w.writes AS found_high,
    0 AS low, a.requests * if(w.interval_start_utc = a.begin AND w.finish = a.finish, 1, 1.001) + 2 AS high
FROM written AS w
JOIN asked AS a ON a.run = w.run AND a.system = w.system AND a.structure = w.structure
    AND audit_inside(w.interval_start_utc, w.interval_s, a.begin, a.finish)
WHERE w.writes > 0
