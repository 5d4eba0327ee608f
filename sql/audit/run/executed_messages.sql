/* imsperf check
title = "A message that a region processed has an execution phase"
unit = "transactions"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3: R723CNCP of classes with response goals, against IMS log 4500, where all sources of A108 are regions that wait for messages and the intervals are the same; 0.5 % and 20 for the ends of intervals"
*/
WITH executed AS MATERIALIZED (
    SELECT run, system, interval_start_utc, sum(executed_count) AS number, max(interval_s) AS interval_s
    FROM rmf_workload
    WHERE kind = 'service' AND period IS NOT NULL AND ended_count > 0 AND goal_kind NOT ILIKE '%velocity%'
    GROUP BY ALL
),
waits AS (
    SELECT f.run, k.imsid AS ims
    FROM ims_a108 AS k
    JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    JOIN load_file AS f ON f.file_id = k.file_id
    GROUP BY ALL
    HAVING bool_and(c.source IN ('MPP', 'JMP', 'IFP'))
)
SELECT s.run, s.system, strftime(s.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || s.ims AS key,
    e.number AS found, e.number AS found_low, e.number AS found_high,
    0.995 * s.transactions_count - 20 AS low, 'Infinity'::DOUBLE AS high
FROM ims_statistics_set AS s
SEMI JOIN waits AS w ON w.run = s.run AND w.ims = s.ims
JOIN executed AS e ON e.run = s.run AND e.system = s.system AND e.interval_start_utc = s.interval_start_utc
WHERE abs(s.interval_s - e.interval_s) < 0.5 AND s.transactions_count > 0 AND NOT s.restarted AND e.number > 0
