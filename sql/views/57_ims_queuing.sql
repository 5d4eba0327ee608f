-- ims_schedule_queue: one row per schedule of a program for a transaction: how many messages of the
-- transaction waited when it began. Messages that the log does not hold are not seen.
CREATE OR REPLACE VIEW ims_schedule_queue AS
WITH message AS (
    SELECT
        region_log_no AS log_no, tran, gu_utc,
        gu_utc - to_microseconds(input_queue_us) AS queued_utc
    FROM ims_message
    WHERE kind <> 'fast_path' AND gu_utc IS NOT NULL
),
step AS (
    SELECT log_no, tran, queued_utc AS moment, 1 AS change FROM message
    UNION ALL
    SELECT log_no, tran, gu_utc, -1 FROM message
),
level AS (
    SELECT log_no, tran, moment, sum(sum(change)) OVER steps AS waiting
    FROM step
    GROUP BY log_no, tran, moment
    WINDOW steps AS (PARTITION BY log_no, tran ORDER BY moment)
),
scheduled AS (
    SELECT f.log_no, f.sample_every, r.pst, r.tran, r.psb, r.sched_start
    FROM ims_08 AS r
    JOIN ims_log_file AS f ON f.file_id = r.file_id
    WHERE r.tran <> ''
    QUALIFY counts_once((f.log_no, r.pst, r.sched), (r.file_id, r.record_no))
)
SELECT
    n.run                                                    AS run, -- Measurement
    n.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    n.system                                                 AS system, -- SMF system id, from a 4500 of the same IMS; NULL without one
    n.interval_start                                         AS interval_start, -- Statistics set, or first arrival; local time, NULL without a 4500
    n.interval_start_utc                                     AS interval_start_utc, -- Statistics set, or first arrival, UTC
    n.interval_s                                             AS interval_s, -- Length of that time [s]
    n.ims                                                    AS ims, -- IMS id
    s.tran                                                   AS tran, -- Transaction code
    s.psb                                                    AS psb, -- PSB scheduled
    s.pst                                                    AS pst, -- Region number
    s.sched_start                                            AS scheduled_utc, -- Begin of the schedule, UTC
    CASE WHEN s.sample_every = 1 THEN coalesce(l.waiting, 0) END::BIGINT AS queued_count -- Messages that waited then; NULL where the log holds a sample
FROM scheduled AS s
ASOF LEFT JOIN level AS l ON l.log_no = s.log_no AND l.tran = s.tran AND s.sched_start >= l.moment
ASOF JOIN ims_log_interval AS n ON n.log_no = s.log_no AND s.sched_start >= n.interval_start_utc;
