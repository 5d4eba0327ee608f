/* imsperf check
title = "One sample at least is the largest, and no other is less than the least"
unit = "KB"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.2: total of n samples is at least largest + (n - 1) x least, at most least + (n - 1) x largest; a KB of each, 24 bits of a total"
*/
WITH sampled AS (
    SELECT run, system, interval_start, concat_ws(' ', area, subpool, 'key', key, measure, location) AS what, samples_count, min_kb, max_kb, total_kb
    FROM rmf_common_storage
    UNION ALL BY NAME
    SELECT run, system, interval_start, concat_ws(' ', job, area, measure, location) AS what, samples_count, min_kb, max_kb, total_kb
    FROM rmf_private_storage
)

SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || what || ' ' || v.extreme AS key,
    v.found, v.found - 0.5 AS found_low, v.found + 0.5 AS found_high, v.low, v.high
FROM sampled,
    LATERAL (VALUES
        ('most', max_kb, 0, total_kb * 1.000001 - (samples_count - 1) * min_kb + 0.5),
        ('least', min_kb, total_kb * 0.999999 - (samples_count - 1) * max_kb - 0.5, 'Infinity'::DOUBLE))
        AS v (extreme, found, low, high)
WHERE samples_count > 0 AND max_kb > 0 AND min_kb IS NOT NULL AND total_kb IS NOT NULL
