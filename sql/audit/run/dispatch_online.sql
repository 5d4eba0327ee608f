/* imsperf check
title = "A logical processor is dispatched no longer than it is online"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: SMF70PDT, SMF70ONT; clocks of two places, so 0.1 % more"
*/
SELECT run, system,
    strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || partition || ' ' || type || ' ' || address AS key,
    dispatch_us AS found, dispatch_us AS found_low, dispatch_us AS found_high,
    0 AS low, online_us * 1.001 AS high
FROM rmf_partition_processor
WHERE active AND NOT physical AND online_us > 0
