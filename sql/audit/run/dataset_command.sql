/* imsperf check
title = "Data sets that do all the I/O of a volume wait as long for the first command"
unit = "us"
source = "record type 42.6, S42DSM1U over all I/Os, against 74.1, SMF74CMR over measured ones, intervals that begin and end together and in which the I/Os are the same to 0.5 %; a microsecond, a unit of 128 us for each interval, 0.1 % and twice the I/Os that differ"
*/
WITH data_set AS MATERIALIZED (
    SELECT f.run, i.system, p.smf42pts AS interval_start_utc, d.s42dsvol AS volume, max(epoch(p.smf42pte - p.smf42pts)) AS interval_s, sum(i.s42dsion)::DOUBLE AS io_count, sum(i.s42dsion::DOUBLE * i.s42dsm1u) AS us
    FROM smf42_6_io AS i
    JOIN smf42_6_dataset AS d ON d.file_id = i.file_id AND d.record_no = i.record_no AND d.section_no = i.dataset_no
    JOIN smf42_6_product AS p ON p.file_id = i.file_id AND p.record_no = i.record_no
    JOIN load_file AS f ON f.file_id = i.file_id
    GROUP BY ALL
),
device AS MATERIALIZED (
    SELECT run, system, interval_start_utc, volume, max(interval_us) / 1e6 AS interval_s, sum(io_count) AS io_count, sum(measured_count) AS measured, sum(cmr_us) AS us, count(*) * 128 AS room
    FROM rmf_device
    GROUP BY ALL
)
SELECT s.run, s.system, strftime(s.interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') || ' ' || s.volume AS key, s.us / s.io_count AS found, s.us / s.io_count - 1 AS found_low,
    s.us / s.io_count + 1 AS found_high, (d.us * (0.999 - 2 * abs(s.io_count / d.io_count - 1)) - d.room) / d.measured AS low,
    (d.us * (1.001 + 2 * abs(s.io_count / d.io_count - 1)) + d.room) / d.measured AS high
FROM data_set AS s
JOIN device AS d USING (run, system, interval_start_utc, volume)
WHERE abs(s.interval_s - d.interval_s) <= 0.001 * d.interval_s AND s.io_count BETWEEN d.io_count * 0.995 AND d.io_count * 1.005 AND d.measured > 0 AND s.us > 0
