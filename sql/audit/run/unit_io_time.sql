/* imsperf check
title = "Times of a control unit are those of its devices"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.3 against 74.1, where the I/Os are the same to 0.5 %; a unit of 128 us of each device and 0.5 %"
views = ["smf78_3_queue", "smf78_3_control", "rmf_device"]
*/
WITH device AS MATERIALIZED (
    SELECT run, system, interval_start, lcu, 128 * count(*) AS room, [sum(conn_us), sum(disc_us), sum(cmr_us)] AS us
    FROM rmf_device
    GROUP BY run, system, interval_start, lcu
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY run, system, lcu)
),
path AS MATERIALIZED (
    SELECT run, system, interval_start, lcu, sum(cmr_us) FILTER (path IS NOT NULL) AS cmr_us
    FROM rmf_io_queue
    GROUP BY run, system, interval_start, lcu
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY run, system, lcu)
),
unit AS (
    SELECT f.run, q.system, q.interval_start, printf('%04X', q.r783id2) AS lcu, 128.0 * sum(q.r783dctm) AS conn_us, 128.0 * sum(q.r783ddtm) AS disc_us
    FROM smf78_3_queue AS q
    JOIN load_file AS f ON f.file_id = q.file_id
    GROUP BY f.run, q.system, q.interval_start, q.r783id2
    -- an interval with fewer rows than others may have lost some
    QUALIFY count(*) = max(count(*)) OVER (PARTITION BY f.run, q.system, q.r783id2)
)
SELECT u.run, u.system, strftime(u.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || u.lcu || ' ' || v.what AS key,
    v.found, v.found - 128 AS found_low, v.found + 128 AS found_high,
    d.us[v.n] * 0.995 - d.room AS low, d.us[v.n] * 1.005 + d.room AS high
FROM unit AS u
JOIN device AS d USING (run, system, interval_start, lcu)
LEFT JOIN path AS p USING (run, system, interval_start, lcu),
    LATERAL (VALUES (1, 'connect', u.conn_us), (2, 'disconnect', u.disc_us), (3, 'CMR', p.cmr_us)) AS v (n, what, found)
WHERE v.found > 0
