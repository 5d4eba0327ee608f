/* imsperf check
title = "Data sets that do all the I/O of a volume have all of its time"
unit = "us"
source = "record type 42.6 against 74.1, over all intervals that begin and end together, where the I/Os are the same to 0.5 %; each mean may be cut or rounded to a microsecond, each time of a device to 128, and 0.5 %"
covers = "an interval of 74.1 is one of 42.6"
*/
WITH data_set AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_s) AS interval_s, sum(io_count) AS io_count, [sum(conn_us), sum(pend_us), sum(disc_us)] AS us
    FROM smf_dataset_io
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_us) / 1e6 AS interval_s, sum(io_count) AS io_count, count(*) AS number,
        [sum(conn_us), sum(pend_us), sum(disc_us)] AS us
    FROM rmf_device
    GROUP BY ALL
),
paired AS (
    SELECT s.run, s.system, s.volume, v.what, sum(s.io_count) AS io_count, sum(d.io_count) AS device_count, sum(d.number) AS number,
        sum(s.us[v.n]) AS us, sum(d.us[v.n]) AS device_us
    FROM data_set AS s
    JOIN device AS d USING (run, system, interval_start_utc, volume),
        LATERAL (VALUES (1, 'connect'), (2, 'pending'), (3, 'disconnect')) AS v (n, what)
    WHERE abs(s.interval_s - d.interval_s) <= 0.001 * d.interval_s
    GROUP BY ALL
)
SELECT run, system, volume || ' ' || what AS key,
    us AS found, us - io_count / 2 AS found_low, us + io_count AS found_high,
    device_us * 0.995 - 128 * number AS low, device_us * 1.005 + 128 * number AS high
FROM paired
WHERE io_count BETWEEN device_count * 0.995 AND device_count * 1.005 AND us > 0
