/* imsperf check
title = "RMF takes no more samples than cycles"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: RMF product section, samples and cycle"
*/
SELECT i.run, i.system,
    strftime(i.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || i.record_type AS key,
    i.samples_count AS found, i.samples_count AS found_low, i.samples_count AS found_high,
    0 AS low, i.interval_s * 1000 / r.cycle_ms + 2 AS high
FROM rmf_interval i
JOIN rmf_recorded_interval r USING (run, system, interval_start_utc)
WHERE r.cycle_ms > 0
