/* imsperf check
title = "The data sets of a volume do no more I/O than the volume"
unit = "I/Os"
source = "record type 42.6 against 74.1, intervals that begin and end together; 0.5 % for the ends of intervals"
covers = "an interval of 74.1 is one of 42.6"
*/
WITH data_set AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_s) AS interval_s, sum(io_count) AS io_count
    FROM smf_dataset_io
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_us) / 1e6 AS interval_s, sum(io_count) AS io_count
    FROM rmf_device
    GROUP BY ALL
)
SELECT s.run, s.system, strftime(s.interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') || ' ' || s.volume AS key, s.io_count AS found,
    s.io_count AS found_low, s.io_count AS found_high, 0 AS low, d.io_count * 1.005 + 1 AS high
FROM data_set AS s
JOIN device AS d USING (run, system, interval_start_utc, volume)
WHERE abs(s.interval_s - d.interval_s) <= 0.001 * d.interval_s
