/* imsperf check
title = "The I/O of a service class is that of its address spaces"
unit = "I/Os"
source = "record type 72.3 against type 30 where the intervals are the same; one for each address space, as counters are read one after the other"
*/
WITH space AS MATERIALIZED (
    SELECT run, system, interval_start_utc, service_class AS class, count(*) AS number,
        max(interval_s) AS interval_s, sum(io_count) AS io_count
    FROM audit_spaces('smf_address_space', 'rmf_workload')
    WHERE service_class IS NOT NULL
    GROUP BY run, system, interval_start_utc, service_class
    -- an interval with fewer address spaces all the time than others may have lost some
    QUALIFY count(*) FILTER (whole) = max(count(*) FILTER (whole)) OVER (PARTITION BY run, system, service_class)
)

SELECT w.run, w.system, strftime(w.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || w.class AS key,
    w.io_count AS found, w.io_count AS found_low, w.io_count AS found_high,
    s.io_count - s.number AS low, s.io_count + s.number AS high
FROM rmf_workload AS w
JOIN space AS s USING (run, system, interval_start_utc, class)
WHERE w.kind = 'service' AND w.period IS NULL AND w.io_count IS NOT NULL AND s.io_count IS NOT NULL
    AND abs(s.interval_s - w.interval_s) < 1
