/* imsperf check
title = "All partitions of a type use no more than its physical processors"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: partition data of record type 70; 0.1 % for clocks"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || type AS key,
    sum(dispatch_us) AS found, sum(dispatch_us) AS found_low, sum(dispatch_us) AS found_high,
    0 AS low, any_value(interval_us * physical_count) * 1.001 AS high
FROM rmf_partition
WHERE physical_count > 0
GROUP BY run, system, interval_start, type
HAVING sum(dispatch_us) IS NOT NULL
