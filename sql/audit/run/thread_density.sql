/* imsperf check
title = "A busy core has as many threads at work as its threads say, and the capacity its cores say"
unit = "threads or capacity"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70.1, SMF70ATDx against the time threads do not wait (SMF70WAT) over SMF70_LPAR_BUSY, SMF70CFx against SMF70MCFx x SMF70_PROD of cores with two threads; 1 % for clocks, a unit of 1/1024 and a millisecond of each core"
*/
WITH core AS MATERIALIZED (
    SELECT run, system, interval_start, type, sum(mvs_busy_us) AS threads_us, sum(mt_busy_us) AS busy_us,
        sum(mt_used_us) AS used_us, 1000.0 * count(mt_busy_us) AS unit_us
    FROM rmf_cpu
    WHERE thread IS NOT NULL
    GROUP BY ALL
    HAVING sum(mt_busy_us) > 20_000
)
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.type || ' ' || v.what AS key,
    v.found, v.found - 1 / 1024.0 AS found_low, v.found + 1 / 1024.0 AS found_high,
    v.expected * 0.99 - v.unit AS low, v.expected * 1.01 + v.unit AS high
FROM core AS c
JOIN rmf_multithreading AS m USING (run, system, interval_start, type),
    LATERAL (VALUES
        ('density', m.thread_density, c.threads_us / c.busy_us, 2 * c.unit_us / c.busy_us),
        ('capacity', m.capacity, m.capacity_max * c.used_us / c.busy_us, m.capacity_max / 1024)
    ) AS v (what, found, expected, unit)
WHERE m.threads > 1
