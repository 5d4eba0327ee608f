/* imsperf check
title = "z/OS sees a processor busy no less than the partition uses it"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70: SMF70WAT and the online time against SMF70PDT; 0.2 % for clocks"
views = ["rmf_cpu"]
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' CPU ' || cpu AS key,
    mvs_busy_us AS found, mvs_busy_us AS found_low, mvs_busy_us + 1 AS found_high,
    lpar_busy_us * 0.998 AS low, 'Infinity'::DOUBLE AS high
FROM rmf_cpu
WHERE coalesce(thread, 1) = 1 AND mvs_busy_us > 0 AND lpar_busy_us > 0 AND parked_us = 0
