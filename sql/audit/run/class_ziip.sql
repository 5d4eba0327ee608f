/* imsperf check
title = "The zIIP time of a service class is that of its address spaces"
unit = "us"
source = "record type 72.3, R723CSUP and R723CSUC at zIIP speed, against type 30, SMF30_TIME_ON_ZIIP and SMF30_TIME_ZIIP_ON_CP, of a class in which no transaction ended, where the intervals are the same; a hundredth of a second of each address space with such time, whose counts are cut at both ends, 0.5 % for the ends of intervals"
*/
WITH space AS MATERIALIZED (
    SELECT run, system, interval_start_utc, service_class AS class, max(interval_s) AS interval_s,
        [sum(ziip_us), sum(ziip_on_cp_us)] AS us, [count(*) FILTER (ziip_us > 0), count(*) FILTER (ziip_on_cp_us > 0)] AS number
    FROM audit_spaces('smf_address_space', 'rmf_workload')
    WHERE service_class IS NOT NULL
    GROUP BY run, system, interval_start_utc, service_class
    -- an interval with fewer address spaces all the time than others may have lost some
    QUALIFY count(*) FILTER (whole) = max(count(*) FILTER (whole)) OVER (PARTITION BY run, system, service_class)
)
SELECT w.run, w.system, strftime(w.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || w.class || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, (s.us[v.n] - 10_000 * s.number[v.n]) * 0.995 AS low, (s.us[v.n] + 10_000 * s.number[v.n]) * 1.005 AS high
FROM rmf_workload AS w
JOIN space AS s USING (run, system, interval_start_utc, class),
    LATERAL (VALUES (1, 'on zIIPs', w.iip_us), (2, 'on CPs', w.iip_on_cp_us)) AS v (n, what, found)
WHERE w.kind = 'service' AND w.period IS NULL AND abs(s.interval_s - w.interval_s) < 0.5
    AND s.number[v.n] > 0 AND v.found > 0 AND w.ended_count = 0
