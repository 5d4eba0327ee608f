/* imsperf check
title = "Reads that miss the cache are staged"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.5, device section: transfers disk to cache, normal and sequential, of the run are at least the read misses; 0.5 % and 2 for what is under way"
*/
SELECT run, system, 'all' AS key,
    sum(read_count - read_hit_count) AS found, sum(read_count - read_hit_count) AS found_low,
    sum(read_count - read_hit_count) AS found_high, 0 AS low, sum(stage_count) * 1.005 + 2 AS high
FROM rmf_cache
WHERE device IS NULL AND read_count > 0
GROUP BY run, system
