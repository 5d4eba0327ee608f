/* imsperf check
title = "The data sets of a volume do no more I/O than the volume"
unit = "I/Os"
source = "record type 42.6 against 74.1, over the run where both cover it; 0.5 % for the ends of intervals"
views = ["smf_dataset_io", "rmf_device"]
*/
WITH data_set AS MATERIALIZED (
    SELECT run, system, volume, sum(io_count) AS io_count, sum(interval_s) AS covered_s,
        min(interval_start_utc) AS first_utc, max(interval_start_utc) AS last_utc
    FROM smf_dataset_io
    GROUP BY ALL
),

device AS MATERIALIZED (
    SELECT run, system, volume, sum(io_count) AS io_count, min(interval_start_utc) AS first_utc,
        max(interval_start_utc) AS last_utc
    FROM rmf_device
    GROUP BY ALL
)

SELECT s.run, s.system, s.volume AS key, s.io_count AS found, s.io_count AS found_low,
    s.io_count AS found_high, 0 AS low, d.io_count * 1.005 + 1 AS high
FROM data_set s
JOIN device d USING (run, system, volume)
WHERE d.first_utc <= s.first_utc AND d.last_utc >= s.last_utc
