/* imsperf check
title = "A data set that is open all the time is allocated in every sample of its volume"
unit = "data sets"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.1: SMF74NDA over samples, against the data sets, by name, of type 42.6 whose record was written at the end of the interval (S42JDCOD) and is not the first since they were opened (S42DSCOD); 0.2 %"
*/
WITH open AS MATERIALIZED (
    SELECT f.run, d.system, p.smf42pts AS interval_start_utc, d.s42dsvol AS volume,
        max(epoch(p.smf42pte - p.smf42pts)) AS interval_s, count(DISTINCT d.s42dsn) AS number
    FROM smf42_6_dataset AS d
    JOIN smf42_6_job AS j ON j.file_id = d.file_id AND j.record_no = d.record_no
    JOIN smf42_6_product AS p ON p.file_id = d.file_id AND p.record_no = d.record_no
    JOIN load_file AS f ON f.file_id = d.file_id
    WHERE j.s42jdcod = 1 AND (d.s42dscod & 128) = 0
    GROUP BY ALL
)
SELECT d.run, d.system, strftime(d.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || d.device AS key,
    d.data_sets_count / d.samples_count AS found, d.data_sets_count / d.samples_count AS found_low,
    d.data_sets_count / d.samples_count AS found_high, o.number * 0.998 AS low, 'Infinity'::DOUBLE AS high
FROM rmf_device AS d
JOIN open AS o USING (run, system, interval_start_utc, volume)
WHERE abs(o.interval_s - d.interval_us / 1e6) < 0.5 AND d.samples_count > 0
