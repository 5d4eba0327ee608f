/* imsperf check
title = "Reads that miss the cache are staged"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.5, device section: transfers disk to cache, normal and sequential, are at least the read misses; 0.5 % and 10 for what is under way"
views = ["rmf_cache"]
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || ssid AS key,
    read_count - read_hit_count AS found, read_count - read_hit_count AS found_low, read_count - read_hit_count AS found_high,
    0 AS low, stage_count * 1.005 + 10 AS high
FROM rmf_cache
WHERE device IS NULL AND read_count > 0
