/* imsperf check
title = "Classes hold no more frames than are in use, all of them no less than private areas have"
unit = "frames"
source = "R723CPRS of record type 72.3 over the interval against record type 71: the most frames in use (SMF71TFC less SMF71MNF), the fewest pageable frames of private areas (SMF71MNS); half a sample and 0.5 %"
*/
WITH class AS MATERIALIZED (
    SELECT run, system, interval_start_utc, class, interval_us, frames_us
    FROM rmf_workload
    WHERE kind = 'service' AND period IS NULL AND frames_us <> 0
),
system AS (
    SELECT run, system, interval_start_utc, 'all classes' AS class, max(interval_us) AS interval_us, sum(frames_us) AS frames_us,
        true AS is_all
    FROM class
    GROUP BY run, system, interval_start_utc
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY run, system)
)
SELECT c.run, c.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.class AS key,
    c.frames_us / c.interval_us AS found, found AS found_low, found AS found_high,
    if(c.is_all, coalesce(p.private_min_frames, 0) * (0.995 - 0.5 / s.smf71sam), 0) AS low,
    (p.total_frames - p.available_min_frames) * 1.005 AS high
FROM (FROM class UNION ALL BY NAME FROM system) AS c
JOIN rmf_paging AS p USING (run, system, interval_start_utc)
JOIN smf71_1_product AS s ON s.file_id = p.file_id AND s.record_no = p.record_no
WHERE s.smf71sam > 0 AND c.interval_us > 0
