/* imsperf check
title = "Data sets that do all the I/O of a volume have its mean times"
unit = "us"
source = "record type 42.6 against 74.1, intervals that begin and end together and in which the I/Os are the same to 0.5 %: times over measured I/Os; a microsecond and 0.5 %"
*/
WITH data_set AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_s) AS interval_s, sum(io_count) AS io_count, [sum(conn_us), sum(pend_us), sum(disc_us)] AS us
    FROM smf_dataset_io
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_us) / 1e6 AS interval_s, sum(io_count) AS io_count, sum(measured_count) AS measured, [sum(conn_us), sum(pend_us), sum(disc_us)] AS us, count(*) * 128 AS room
    FROM rmf_device
    GROUP BY ALL
)
SELECT s.run, s.system, strftime(s.interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') || ' ' || s.volume || ' ' || v.what AS key,
    s.us[v.n] / s.io_count AS found, s.us[v.n] / s.io_count - 1 AS found_low, s.us[v.n] / s.io_count + 1 AS found_high,
    (d.us[v.n] * 0.995 - d.room) / d.measured AS low, (d.us[v.n] * 1.005 + d.room) / d.measured AS high
FROM data_set AS s
JOIN device AS d USING (run, system, interval_start_utc, volume),
    LATERAL (VALUES (1, 'connect'), (2, 'pending'), (3, 'disconnect')) AS v (n, what)
WHERE abs(s.interval_s - d.interval_s) <= 0.001 * d.interval_s AND s.io_count BETWEEN d.io_count * 0.995 AND d.io_count * 1.005 AND d.measured > 0 AND s.us[v.n] > 0
