/* imsperf check
title = "Address spaces that do all the I/O have all of its time"
unit = "us"
source = "record type 30 against 74.1, where the I/Os are the same to 0.5 %; units of 128 us and 0.7 %"
*/
WITH space AS MATERIALIZED (
    SELECT run, system, interval_start_utc, sum(io_count) AS io_count, count(*) FILTER (io_count > 0) * 128 AS room,
        [sum(io_conn_us), sum(io_disc_us), sum(io_pend_us)] AS us
    FROM audit_spaces('smf_address_space', 'rmf_device')
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT run, system, interval_start_utc, sum(io_count) AS io_count, count(*) FILTER (io_count > 0) * 128 AS room,
        [sum(conn_us), sum(disc_us), sum(pend_us)] AS us
    FROM rmf_device
    GROUP BY run, system, interval_start_utc
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY run, system)
)
SELECT s.run, s.system, strftime(s.interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') || ' ' || v.what AS key,
    s.us[v.n] AS found, s.us[v.n] - s.room AS found_low, s.us[v.n] + s.room AS found_high,
    d.us[v.n] * 0.993 - d.room AS low, d.us[v.n] * 1.007 + d.room AS high
FROM space AS s
JOIN device AS d USING (run, system, interval_start_utc),
    LATERAL (VALUES (1, 'connect'), (2, 'disconnect'), (3, 'pending')) AS v (n, what)
WHERE s.us[v.n] IS NOT NULL AND s.io_count BETWEEN d.io_count * 0.995 AND d.io_count * 1.005
