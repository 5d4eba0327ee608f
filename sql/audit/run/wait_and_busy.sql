/* imsperf check
title = "z/OS sees a processor busy no less than the partition uses it"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70: SMF70WAT and the online time against SMF70PDT; 0.2 % for clocks, a unit of SMF70_LPAR_BUSY"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' CPU ' || cpu AS key,
    -- the threads of a core together: one of them at least runs while the partition has the core
    sum(mvs_busy_us) AS found, found AS found_low, found + 1 AS found_high,
    max(lpar_busy_us) * 0.998 - CASE WHEN max(thread) IS NULL THEN 0 ELSE 1000 END AS low,
    'Infinity'::DOUBLE AS high
FROM rmf_cpu
GROUP BY run, system, interval_start, cpu
HAVING sum(mvs_busy_us) > 0 AND max(lpar_busy_us) > 0 AND max(parked_us) = 0
