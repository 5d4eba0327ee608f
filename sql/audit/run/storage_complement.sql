/* imsperf check
title = "What is used and what is free of common storage is all of it"
unit = "KB"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.2: most used and least free, and the other way round, are the size of the area; 4 KB"
views = ["rmf_common_storage", "smf78_2_common"]
*/
WITH area AS (
    SELECT run, system, interval_start, area, location, max(if(measure = 'used', min_kb, NULL)) AS used_min, max(if(measure = 'used', max_kb, NULL)) AS used_max,
        max(if(measure = 'free', min_kb, NULL)) AS free_min, max(if(measure = 'free', max_kb, NULL)) AS free_max
    FROM rmf_common_storage
    WHERE subpool IS NULL AND key = 'ALL'
    GROUP BY ALL
)
SELECT a.run, a.system, strftime(a.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || a.area || ' ' || a.location || ' ' || v.what AS key,
    v.found, v.found - 4 AS found_low, v.found + 4 AS found_high, v.size / 1024 AS low, v.size / 1024 AS high
FROM area AS a
JOIN load_file AS f ON f.run = a.run
JOIN smf78_2_common AS c ON c.file_id = f.file_id AND c.system = a.system AND c.interval_start = a.interval_start,
    LATERAL (VALUES
        ('most used', a.used_max + a.free_min, if(a.location = 'below', c.r782cs, c.r782ecs)),
        ('least used', a.used_min + a.free_max, if(a.location = 'below', c.r782cs, c.r782ecs))) AS v (what, found, size)
WHERE a.area = 'CSA' AND v.found > 0 AND v.size > 0
