-- ims_local: a moment in local time, by the clock of ims_log_file.
CREATE OR REPLACE MACRO ims_local(moment, clock) AS
    moment + CASE WHEN moment >= clock.set_utc THEN clock.later ELSE clock.earlier END;

-- ims_log_file: one row per file of an IMS log.
CREATE OR REPLACE VIEW ims_log_file AS
WITH named AS (
    SELECT file_id, any_value(imsid) AS ims
    FROM (
        SELECT file_id, imsid FROM ims_a0
        UNION ALL SELECT file_id, imsid FROM ims_06
        UNION ALL SELECT file_id, imsid FROM ims_4500
    )
    GROUP BY file_id
),
signature AS (
    SELECT file_id, max(sample_k) AS sample_every
    FROM ims_a0
    GROUP BY file_id
),
-- a later part of a log names no IMS: it is that of the run, where there is only one
only_one AS (
    SELECT f.run, any_value(n.ims) AS ims
    FROM named AS n
    JOIN load_file AS f ON f.file_id = n.file_id
    GROUP BY f.run
    HAVING count(DISTINCT n.ims) = 1
),
header AS (
    SELECT run, ims, arg_max(sysplex, sample) AS sysplex, arg_max(system, sample) AS system
    FROM ims_statistics_header
    GROUP BY run, ims
),
-- sets that say another offset than the set before
clock_set AS (
    SELECT
        run, ims, local_offset,
        -- a clock is set at a full hour, if there is one since the set before
        CASE
            WHEN before IS NULL THEN '0001-01-01'::TIMESTAMP
            WHEN date_trunc('hour', sample) > before THEN date_trunc('hour', sample)
            ELSE sample
        END                                                  AS since
    FROM (
        SELECT
            run, ims, sample, local_offset,
            lag(sample) OVER sets                            AS before,
            lag(local_offset) OVER sets                      AS offset_before
        FROM ims_statistics_header
        WHERE local_offset IS NOT NULL
        WINDOW sets AS (PARTITION BY run, ims ORDER BY sample)
    )
    WHERE local_offset IS DISTINCT FROM offset_before
),
log_file AS (
    SELECT f.run, f.file_id, coalesce(n.ims, o.ims) AS ims, f."first" AS first_record
    FROM load_file AS f
    LEFT JOIN named AS n ON n.file_id = f.file_id
    LEFT JOIN only_one AS o ON o.run = f.run
    WHERE f.kind IS DISTINCT FROM 'smf' OR n.ims IS NOT NULL
),
-- the offset at the first record of a file, and the one that follows
file_clock AS (
    SELECT
        file_id,
        struct_pack(
            earlier := arg_max(local_offset, since) FILTER (since <= begun),
            set_utc := min(since) FILTER (since > begun),
            later := arg_min(local_offset, since) FILTER (since > begun)
        )                                                    AS clock
    FROM (
        SELECT f.file_id, c.since, c.local_offset,
            coalesce(f.first_record, '0001-01-01'::TIMESTAMP) AS begun
        FROM log_file AS f
        JOIN clock_set AS c ON c.run = f.run AND c.ims = f.ims
    )
    GROUP BY file_id
)
SELECT
    f.run                                                    AS run, -- Measurement
    h.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    h.system                                                 AS system, -- SMF system id, from a 4500 of the same IMS; NULL without one
    ims_local(f.first_record, c.clock)                       AS interval_start, -- First record, local time; NULL without a 4500
    f.first_record                                           AS interval_start_utc, -- First record, UTC
    f.ims                                                    AS ims, -- IMS id: signature, start or statistics record of the file, else that of the run if it has only one
    f.file_id                                                AS file_id, -- File
    min(f.file_id) OVER (PARTITION BY f.run)                 AS run_no, -- First log file of the run: a number for the run
    min(f.file_id) OVER (PARTITION BY f.run, f.ims)          AS log_no, -- First file of the same run and IMS: a number for the log
    c.clock                                                  AS clock, -- Local time less UTC: `earlier`, and `later` from `set_utc` on, where clocks were set; see the macro ims_local
    greatest(max(s.sample_every) OVER (PARTITION BY f.run, f.ims), 1) AS sample_every -- One transaction in so many is in a sampled synthetic log, else 1
FROM log_file AS f
LEFT JOIN header AS h ON h.run = f.run AND h.ims = f.ims
LEFT JOIN file_clock AS c ON c.file_id = f.file_id
LEFT JOIN signature AS s ON s.file_id = f.file_id;

-- ims_log_interval: the time of each IMS log, cut by its statistics sets. What was written before
-- the first set is an interval of its own, which begins with the first arrival. A message that
-- arrived before the log and was written in it is of its first interval.
CREATE OR REPLACE VIEW ims_log_interval AS
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
first_time AS (
    SELECT f.log_no, min(r.moment) AS moment, min(r.written) AS written
    FROM (
        SELECT file_id, min(least(arrival, log_stck)) AS moment, min(log_stck) AS written
        FROM ims_01 WHERE dest_type = 'S' GROUP BY file_id
        UNION ALL
        SELECT file_id, min(least(arrival, log_stck)), min(log_stck)
        FROM ims_03 WHERE dest_type = 'S' GROUP BY file_id
        UNION ALL
        SELECT file_id, min(least(arrival, log_stck)), min(log_stck) FROM ims_5901 GROUP BY file_id
        UNION ALL
        SELECT file_id, min(least(sync, log_stck)), min(log_stck) FROM ims_5937 GROUP BY file_id
        UNION ALL
        SELECT file_id, min(least(sync, log_stck)), min(log_stck) FROM ims_5938 GROUP BY file_id
    ) AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.log_no
),
last_time AS (
    SELECT f.log_no, max(r.moment) AS moment
    FROM (
        SELECT file_id, max(log_stck) AS moment FROM ims_07 GROUP BY file_id
        UNION ALL SELECT file_id, max(log_stck) FROM ims_36 GROUP BY file_id
        UNION ALL SELECT file_id, max(log_stck) FROM ims_5612 GROUP BY file_id
        UNION ALL SELECT file_id, max(log_stck) FROM ims_5936 GROUP BY file_id
        UNION ALL SELECT file_id, max(log_stck) FROM ims_5937 GROUP BY file_id
        UNION ALL SELECT file_id, max(sample) FROM ims_4500 GROUP BY file_id
    ) AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.log_no
),
statistics_set AS (
    SELECT f.log_no, h.sample AS moment, max(h.local_offset) AS local_offset
    FROM ims_statistics_header AS h
    JOIN log_file AS f ON f.file_id = h.file_id
    GROUP BY f.log_no, h.sample
),
edge AS (
    SELECT log_no, moment, local_offset FROM statistics_set
    UNION ALL
    SELECT t.log_no, t.moment, NULL
    FROM first_time AS t
    LEFT JOIN (
        SELECT log_no, min(moment) AS moment FROM statistics_set GROUP BY log_no
    ) AS s ON s.log_no = t.log_no
    WHERE s.moment IS NULL OR t.written < s.moment OR t.written IS NULL AND t.moment < s.moment
),
span AS (
    SELECT
        log_no, moment, lead(moment) OVER edges AS next,
        -- clocks may be set within a log
        coalesce(local_offset, lead(local_offset) OVER edges) AS local_offset
    FROM edge
    WINDOW edges AS (PARTITION BY log_no ORDER BY moment)
)
SELECT
    f.run                                                    AS run, -- Measurement
    f.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    f.system                                                 AS system, -- SMF system id, from a 4500 of the same IMS; NULL without one
    coalesce(s.moment + s.local_offset, ims_local(s.moment, f.clock)) AS interval_start, -- Statistics set, or first arrival; local time, NULL without a 4500
    s.moment                                                     AS interval_start_utc, -- Statistics set, or first arrival, UTC
    coalesce(s.next, l.moment)                                   AS interval_end_utc, -- Next statistics set, or last record, UTC
    epoch(coalesce(s.next, l.moment) - s.moment)                     AS interval_s, -- Length [s]
    f.ims                                                    AS ims, -- IMS id
    s.log_no                                                 AS log_no, -- Number of the log, as in ims_log_file
    f.sample_every                                           AS sample_every -- One transaction in so many is in a sampled synthetic log, else 1
FROM span AS s
JOIN log_file AS f ON f.file_id = s.log_no
LEFT JOIN last_time AS l ON l.log_no = s.log_no;
