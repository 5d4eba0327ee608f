/* imsperf check
title = "A mean of storage lies between its minimum and maximum"
unit = "KB"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.2, samples of an interval"
*/
WITH sampled AS (
    SELECT run, system, interval_start,
        concat_ws(' ', area, subpool, 'key', key, measure, location) AS what,
        samples_count, min_kb, max_kb, total_kb
    FROM rmf_common_storage
    UNION ALL BY NAME
    SELECT run, system, interval_start, concat_ws(' ', job, area, measure, location) AS what,
        samples_count, min_kb, max_kb, total_kb
    FROM rmf_private_storage
)

SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || what AS key,
    total_kb / samples_count AS found, total_kb / samples_count * 0.999999 - 0.5 AS found_low,
    total_kb / samples_count * 1.000001 + 0.5 AS found_high, min_kb AS low, max_kb AS high
FROM sampled
WHERE samples_count > 0 AND min_kb IS NOT NULL AND max_kb IS NOT NULL AND total_kb IS NOT NULL
