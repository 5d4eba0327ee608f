/* imsperf check
title = "Data sets that do all the I/O of a volume have all of its time"
unit = "us"
source = "record type 42.6 against 74.1, over the run where the I/Os are the same to 0.5 %; each mean may be cut or rounded to a microsecond, each time of a device to 128, and 0.5 %"
views = ["smf_dataset_io", "rmf_device"]
*/
WITH data_set AS MATERIALIZED (
    SELECT run, system, volume, sum(io_count) AS io_count, [sum(conn_us), sum(pend_us), sum(disc_us)] AS us
    FROM smf_dataset_io
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT run, system, volume, sum(io_count) AS io_count, count(*) AS number, [sum(conn_us), sum(pend_us), sum(disc_us)] AS us
    FROM rmf_device
    GROUP BY ALL
)
SELECT s.run, s.system, s.volume || ' ' || v.what AS key,
    s.us[v.n] AS found, s.us[v.n] - s.io_count / 2 AS found_low, s.us[v.n] + s.io_count AS found_high,
    d.us[v.n] * 0.995 - 128 * d.number AS low, d.us[v.n] * 1.005 + 128 * d.number AS high
FROM data_set AS s
JOIN device AS d USING (run, system, volume),
    LATERAL (VALUES (1, 'connect'), (2, 'pending'), (3, 'disconnect')) AS v (n, what)
WHERE s.io_count BETWEEN d.io_count * 0.995 AND d.io_count * 1.005 AND s.us[v.n] > 0
