/* imsperf check
title = "Service classes use no more CPU than the partition"
unit = "us"
source = "CPU busy of record type 70 is that of record type 72.3 and what is not captured"
*/
WITH busy AS MATERIALIZED (
    SELECT run, system, interval_start, sum(lpar_busy_us) AS busy_us
    FROM rmf_cpu
    WHERE type = 'CP' AND coalesce(thread, 1) = 1
    GROUP BY ALL
)

SELECT w.run, w.system, strftime(w.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    cp_us AS found, cp_us AS found_low, cp_us AS found_high, 0 AS low, busy_us AS high
FROM rmf_workload w
JOIN busy USING (run, system, interval_start)
WHERE w.kind = 'policy' AND w.period IS NULL AND cp_us IS NOT NULL
