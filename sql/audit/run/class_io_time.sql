/* imsperf check
title = "The I/O time of a service class is that of its address spaces"
unit = "us"
source = "record type 72.3 against type 30 where the intervals are the same; units of 128 us, 0.5 % for the ends of intervals"
*/
WITH space AS MATERIALIZED (
    SELECT run, system, interval_start_utc, service_class AS class, count(*) AS number,
        max(interval_s) AS interval_s, [sum(io_conn_us), sum(io_disc_us), sum(io_pend_us)] AS us,
        count(*) FILTER (io_count > 0) AS working
    FROM audit_spaces('smf_address_space', 'rmf_workload')
    WHERE service_class IS NOT NULL
    GROUP BY run, system, interval_start_utc, service_class
    -- an interval with fewer address spaces all the time than others may have lost some
    QUALIFY count(*) FILTER (whole) = max(count(*) FILTER (whole)) OVER (PARTITION BY run, system, service_class)
)

SELECT w.run, w.system, strftime(w.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || w.class || ' ' || v.what AS key,
    v.found, v.found - 128 AS found_low, v.found + 128 AS found_high,
    s.us[v.n] * 0.995 - 128 * s.working AS low, s.us[v.n] * 1.005 + 128 * s.working AS high
FROM rmf_workload AS w
JOIN space AS s USING (run, system, interval_start_utc, class),
    LATERAL (VALUES
        (1, 'connect', w.io_conn_us), (2, 'disconnect', w.io_disc_us), (3, 'pending', w.io_qpend_us))
        AS v (n, what, found)
WHERE w.kind = 'service' AND w.period IS NULL AND v.found IS NOT NULL AND s.us[v.n] IS NOT NULL
    AND abs(s.interval_s - w.interval_s) < 1
