/* imsperf check
title = "Service classes that do all the I/O have all of its time in the IOS queue"
unit = "us"
source = "record type 72.3, R723CIOT, against 74.1, SMF74IOS, where the I/Os are the same to 0.5 %; units of 128 us and 0.5 %"
*/
WITH class AS MATERIALIZED (
    SELECT run, system, interval_start, sum(io_count) AS io_count, sum(io_iosq_us) AS iosq_us,
        128 * count(*) FILTER (io_iosq_us > 0) AS room
    FROM rmf_workload
    WHERE kind = 'service' AND period IS NULL
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT f.run, d.system, d.interval_start, sum(d.smf74ssc) AS io_count, sum(d.smf74ios) AS iosq_us
    FROM smf74_1_device AS d
    JOIN load_file AS f USING (file_id)
    GROUP BY ALL
)
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    c.iosq_us AS found, c.iosq_us - c.room AS found_low, c.iosq_us + c.room AS found_high,
    d.iosq_us * 0.995 - 128 AS low, d.iosq_us * 1.005 + 128 AS high
FROM class AS c
JOIN device AS d USING (run, system, interval_start)
WHERE c.iosq_us > 0 AND c.io_count BETWEEN d.io_count * 0.995 AND d.io_count * 1.005
