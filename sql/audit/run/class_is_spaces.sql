/* imsperf check
title = "The CPU of a service class is that of its address spaces"
unit = "us"
source = "record type 72.3 against type 30 where the intervals are the same; 10 ms units of each address space, 0.5 % for the ends of intervals"
*/
WITH spaces AS MATERIALIZED (
    SELECT run, system, interval_start_utc, service_class AS class,
        sum(cpu_us) AS cpu_us, count(*) AS number, max(interval_s) AS interval_s
    FROM audit_spaces('smf_address_space', 'rmf_workload')
    WHERE service_class IS NOT NULL
    GROUP BY run, system, interval_start_utc, service_class
    -- an interval with fewer address spaces all the time than others may have lost some
    QUALIFY count(*) FILTER (whole) = max(count(*) FILTER (whole)) OVER (PARTITION BY run, system, service_class)
),
-- TCB and SRB on CPs: type 30 has what ran on zIIPs in a field of its own
class AS (
    SELECT *, cp_us - coalesce(rct_us, 0) - coalesce(iit_us, 0) - coalesce(hst_us, 0) AS used_us
    FROM rmf_workload
)

SELECT w.run, w.system, strftime(w.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || w.class AS key,
    w.used_us AS found, w.used_us AS found_low, w.used_us AS found_high,
    s.cpu_us - s.number * 20000 - 0.005 * s.cpu_us AS low,
    s.cpu_us + s.number * 20000 + 0.005 * s.cpu_us AS high
FROM class AS w
JOIN spaces s USING (run, system, interval_start_utc, class)
WHERE w.kind = 'service' AND w.period IS NULL AND abs(s.interval_s - w.interval_s) < 1
