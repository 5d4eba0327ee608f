/* imsperf check
title = "Of the lock requests some wait, of those some wrongly"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4, structure requests"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || structure || ' ' || counted.what AS key,
    counted.found, counted.found AS found_low, counted.found AS found_high,
    0 AS low, counted.most AS high
FROM rmf_cf_structure,
    LATERAL (VALUES
        ('contention', contention_count, lock_requests_count),
        ('false contention', false_contention_count, contention_count))
        AS counted (what, found, most)
WHERE counted.found IS NOT NULL AND counted.most > 0
