/* imsperf check
title = "A write to a log stream is a request to its structure"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 88, subtype 1, against 74.4 of a structure of that name, over the run where both cover it; 0.5 % for the ends of intervals"
views = ["smf_logstream", "rmf_cf_structure"]
*/
WITH written AS MATERIALIZED (
    SELECT run, system, structure, sum(write_count) AS writes, min(interval_start_utc) AS first_utc, max(interval_end_utc) AS last_utc
    FROM smf_logstream
    GROUP BY ALL
),
asked AS MATERIALIZED (
    SELECT run, system, structure, sum(request_count) AS requests, min(interval_start_utc) AS first_utc,
        max(interval_start_utc + to_milliseconds((1000 * interval_s)::BIGINT)) AS last_utc
    FROM rmf_cf_structure
    GROUP BY ALL
)
SELECT w.run, w.system, w.structure AS key, w.writes AS found, w.writes AS found_low, w.writes AS found_high,
    0 AS low, a.requests * 1.005 + 10 AS high
FROM written AS w
JOIN asked AS a USING (run, system, structure)
WHERE w.writes > 0 AND a.first_utc <= w.first_utc AND a.last_utc >= w.last_utc
