/* imsperf check
title = "Effective dispatch time is within dispatch time"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: SMF70EDT, SMF70PDT"
*/
SELECT run, system,
    strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || partition || ' ' || type || ' ' || address AS key,
    effective_us AS found, effective_us AS found_low, effective_us AS found_high,
    0 AS low, dispatch_us AS high
FROM rmf_partition_processor
WHERE active AND NOT physical AND effective_us IS NOT NULL
