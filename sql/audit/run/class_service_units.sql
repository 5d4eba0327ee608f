/* imsperf check
title = "Service units of a class are the sum of their kinds"
unit = "SU"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3, period section; zIIP service may be in the total; a unit each"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || class || ' ' || period AS key,
    total_su AS found, total_su AS found_low, total_su AS found_high,
    cpu_su + ioc_su + mso_su + srb_su - 4 AS low,
    if(iip_us > 0, 'Infinity'::DOUBLE, cpu_su + ioc_su + mso_su + srb_su + 4) AS high
FROM rmf_class_period
WHERE total_su IS NOT NULL
