/* imsperf check
title = "Address spaces do no more I/O than the devices"
unit = "I/Os"
source = "record type 30 against 74.1, where all address spaces of the interval are there; 0.5 % for the ends of intervals"
*/
WITH space AS MATERIALIZED (
    SELECT run, system, interval_start_utc, sum(io_count) AS io_count
    FROM audit_spaces('smf_address_space', 'rmf_device')
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT run, system, interval_start_utc, sum(io_count) AS io_count
    FROM rmf_device
    GROUP BY run, system, interval_start_utc
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY run, system)
)
SELECT s.run, s.system, strftime(s.interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') AS key,
    s.io_count AS found, s.io_count AS found_low, s.io_count AS found_high,
    0 AS low, d.io_count * 1.005 + 10 AS high
FROM space AS s
JOIN device AS d USING (run, system, interval_start_utc)
WHERE s.io_count IS NOT NULL
