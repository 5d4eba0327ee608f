/* imsperf check
title = "A volume without aliases is busy no longer than the interval"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.1, connect and disconnect time; 0.1 % for clocks"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || device AS key,
    util_busy_us AS found, util_busy_us AS found_low, util_busy_us AS found_high,
    0 AS low, interval_us * 1.001 AS high
FROM rmf_device
WHERE NOT hyperpav AND coalesce(pav, 1) <= 1 AND util_busy_us IS NOT NULL
