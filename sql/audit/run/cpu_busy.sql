/* imsperf check
title = "A processor is busy no longer than it is online, as the partition and as z/OS see it"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70; 0.1 % for clocks"
*/
SELECT run, system,
    strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' CPU ' || cpu || ' ' || seen.what AS key,
    seen.busy_us AS found, seen.busy_us AS found_low, seen.busy_us AS found_high,
    0 AS low, seen.online_us * 1.001 AS high
FROM rmf_cpu,
    LATERAL (VALUES ('LPAR', lpar_busy_us, lpar_online_us), ('MVS', mvs_busy_us, mvs_unparked_us))
        AS seen (what, busy_us, online_us)
WHERE seen.busy_us IS NOT NULL AND seen.online_us > 0
