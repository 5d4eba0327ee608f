/* imsperf check
title = "CPU of batch programs is at most that of their address spaces, at least that of their units of recovery"
unit = "us"
source = "IMS log A108 of BMP sources, over the run: against type 30 of the jobs that 47 has as BMPs (hundredths of a second of tasks and of SRBs, each cut), and against 56FA of those jobs' log (TPEXTIME), where each unit wrote one; 0.1 % for clocks"
views = ["ims_a108", "ims_a108_source", "ims_47", "ims_47_region", "ims_56fa", "smf_address_space", "ims_statistics_set"]
*/
WITH counted AS (
    SELECT k.file_id, k.imsid AS ims, min(k.sample) AS first_utc, max(k.sample) AS last_utc,
        max(c.us)::DOUBLE - min(c.us) AS us, max(c.units)::DOUBLE - min(c.units) AS units
    FROM ims_a108 AS k
    JOIN (
        SELECT file_id, record_no, sum(cpu_us) AS us, sum(transactions_processed) AS units
        FROM ims_a108_source
        GROUP BY ALL
        HAVING bool_and(source IN ('BMP', 'JBP'))
    ) AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
    HAVING count(DISTINCT k.interval_start) = 1
),
region AS (
    SELECT DISTINCT h.file_id, r.jobname AS job
    FROM ims_47 AS h
    JOIN ims_47_region AS r ON r.file_id = h.file_id AND r.record_no = h.record_no
    WHERE r.region_type = 'B'
),
unit AS (
    SELECT file_id, count(*)::DOUBLE AS units, sum(tpextime)::DOUBLE AS us
    FROM ims_56fa
    GROUP BY ALL
),
owner AS (
    SELECT DISTINCT run, system, ims FROM ims_statistics_set
),
space AS (
    SELECT c.file_id, s.run, s.system, s.job, sum(s.cpu_us) FILTER (s.kind = 'interval') AS us, 20_000 * count(*) FILTER (s.kind = 'interval') AS room,
        bool_or(s.kind <> 'interval') AS ended, sum(s.interval_s) FILTER (s.kind = 'interval') AS seconds,
        min(s.interval_start_utc) AS first_utc, max(audit_end(s.interval_start_utc, s.interval_s)) AS last_utc
    FROM counted AS c
    JOIN region AS r USING (file_id)
    JOIN load_file AS f USING (file_id)
    JOIN owner AS o ON o.run = f.run AND o.ims = c.ims
    JOIN smf_address_space AS s ON s.run = o.run AND s.system = o.system AND s.job = r.job
    GROUP BY ALL
),
job AS (
    SELECT s.run, s.system, s.file_id, sum(s.us) AS us, sum(s.room) AS room
    FROM space AS s
    JOIN counted AS c USING (file_id)
    JOIN (SELECT file_id, count(*) AS jobs FROM region GROUP BY ALL) AS r USING (file_id)
    GROUP BY s.run, s.system, s.file_id
    -- each job from the first set to the last one, or to its end, without a gap
    HAVING bool_and(s.first_utc <= c.first_utc + INTERVAL 1 SECOND AND (s.ended OR s.last_utc >= c.last_utc - INTERVAL 1 SECOND)
        AND s.seconds >= 0.998 * epoch(s.last_utc - s.first_utc))
        AND count(*) = any_value(r.jobs)
)
SELECT s.run, s.system, c.ims AS key, c.us AS found, c.us AS found_low, c.us AS found_high,
    if(abs(u.units - c.units) <= 1, u.us * 0.999, 0) AS low, s.us * 1.001 + s.room AS high
FROM counted AS c
JOIN job AS s USING (file_id)
LEFT JOIN unit AS u USING (file_id)
JOIN ims_log_file AS l USING (file_id)
WHERE coalesce(l.sample_every, 1) = 1 AND c.us > 0 AND audit_whole(c.file_id)
