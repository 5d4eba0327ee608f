/* imsperf check
title = "The partition uses a channel no more than all partitions do"
unit = "s"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 73; 0.1 % for clocks"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || channel AS key,
    part_busy_s AS found, part_busy_s AS found_low, part_busy_s AS found_high,
    0 AS low, total_busy_s * 1.001 + 0.001 AS high
FROM rmf_channel
WHERE part_busy_s IS NOT NULL AND total_busy_s IS NOT NULL
