/* imsperf check
title = "A class holds the frames of its address spaces"
unit = "frames us"
source = "record type 72.3, R723CPRS, against SMF30PSC of type 30, where it is filled and the intervals are the same; 1024 us of a frame each, 0.5 % for the ends of intervals"
views = ["rmf_workload", "smf30_storage"]
*/
WITH classes AS MATERIALIZED (
    SELECT run, system, interval_start_utc, max(interval_s) AS interval_s FROM rmf_workload GROUP BY ALL
),
space AS MATERIALIZED (
    SELECT f.run, p.system, c.interval_start_utc, p.smf30scn AS class,
        count(*) AS number, max(epoch(i.smf30iet - i.smf30iss)) AS interval_s, 1024.0 * sum(g.smf30psc) AS us
    FROM smf30_storage AS g
    JOIN smf30_performance AS p ON p.file_id = g.file_id AND p.record_no = g.record_no
    JOIN smf30_subsystem AS s ON s.file_id = g.file_id AND s.record_no = g.record_no
    JOIN smf30_identification AS i ON i.file_id = g.file_id AND i.record_no = g.record_no
    JOIN load_file AS f ON f.file_id = g.file_id
    ASOF JOIN classes AS c ON c.run = f.run AND c.system = p.system AND i.smf30iss >= c.interval_start_utc
    WHERE s.smf30typ IN (2, 3) AND i.smf30iss < c.interval_start_utc + to_seconds(c.interval_s)
    GROUP BY f.run, p.system, c.interval_start_utc, p.smf30scn
    -- an interval with fewer address spaces at its start than others may have lost some
    QUALIFY count(*) FILTER (i.smf30iss < c.interval_start_utc + INTERVAL 1 SECOND)
        = max(count(*) FILTER (i.smf30iss < c.interval_start_utc + INTERVAL 1 SECOND)) OVER (PARTITION BY f.run, p.system, p.smf30scn)
)
SELECT w.run, w.system, strftime(w.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || w.class AS key,
    w.frames_us AS found, w.frames_us - 1024 AS found_low, w.frames_us + 1024 AS found_high,
    s.us * 0.995 - 1024 * s.number AS low, s.us * 1.005 + 1024 * s.number AS high
FROM rmf_workload AS w
JOIN space AS s USING (run, system, interval_start_utc, class)
WHERE w.kind = 'service' AND w.period IS NULL AND s.us > 0 AND abs(s.interval_s - w.interval_s) < 1
