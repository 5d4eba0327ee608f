/* imsperf check
title = "What is used and what is free of common storage is all of it"
unit = "KB"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.2: most used and least free, and the other way round, are the size of the area; 4 KB"
*/
WITH area AS (
    SELECT run, system, interval_start, area, location, max(if(measure = 'used', min_kb, NULL)) AS used_min, max(if(measure = 'used', max_kb, NULL)) AS used_max,
        max(if(measure = 'free', min_kb, NULL)) AS free_min, max(if(measure = 'free', max_kb, NULL)) AS free_max, max(size_kb) AS size_kb
    FROM rmf_common_storage
    WHERE subpool IS NULL AND key = 'ALL'
    GROUP BY ALL
)
SELECT a.run, a.system, strftime(a.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || a.area || ' ' || a.location || ' ' || v.what AS key,
    v.found, v.found - 4 AS found_low, v.found + 4 AS found_high, a.size_kb AS low, a.size_kb AS high
FROM area AS a
CROSS JOIN LATERAL (VALUES ('most used', a.used_max + a.free_min), ('least used', a.used_min + a.free_max)) AS v (what, found)
WHERE v.found > 0 AND a.size_kb > 0
