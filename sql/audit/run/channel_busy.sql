/* imsperf check
title = "A channel is busy no longer than it was measured"
unit = "s"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 73; 0.1 % for clocks"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || channel AS key,
    total_busy_s AS found, total_busy_s AS found_low, total_busy_s AS found_high,
    0 AS low, total_measured_s * 1.001 AS high
FROM rmf_channel
WHERE total_busy_s IS NOT NULL AND total_measured_s > 0
