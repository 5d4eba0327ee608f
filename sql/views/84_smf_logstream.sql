-- smf_logstream_interval: one row per system and SMF interval end that type 88 records name, with
-- the start where it can be told. A record says when its interval ended, not when it began. The
-- start is that of the type 30 intervals that end in the same second, else the end before, of any
-- log stream of the system. An end that is far from the one before (records are missing) has no
-- start: half as much again as is usual on the system.
CREATE OR REPLACE VIEW smf_logstream_interval AS
WITH ended AS (
    SELECT
        f.run,
        s.system                                     AS sid,
        s.smf88ltd                                   AS end_utc,
        -- local less GMT, to the quarter of an hour: records are written as the interval ends
        min((15 * round(epoch(h.smf88dte + h.smf88tme - s.smf88ltd) / 900))::BIGINT)
                                                     AS local_minutes
    FROM smf88_1_log_stream AS s
    JOIN smf88_1_header AS h ON h.file_id = s.file_id AND h.record_no = s.record_no
    JOIN load_file AS f ON f.file_id = s.file_id
    GROUP BY f.run, s.system, s.smf88ltd
),
named AS (
    SELECT
        e.run, e.sid, e.end_utc, e.local_minutes,
        k.sysplex                                    AS sysplex,
        coalesce(k.name, e.sid)                      AS system,
        lag(e.end_utc) OVER ends                     AS end_utc_before,
        epoch(e.end_utc - lag(e.end_utc) OVER ends)  AS gap_s
    FROM ended AS e
    LEFT JOIN smf_systems() AS k ON k.run = e.run AND k.sid = e.sid
    WINDOW ends AS (PARTITION BY e.run, e.sid ORDER BY e.end_utc)
),
address_space AS (
    SELECT
        f.run,
        i.system,
        date_trunc('second', i.smf30iet + INTERVAL 500 MILLISECOND) AS end_utc,
        mode(date_trunc('second', i.smf30iss + INTERVAL 500 MILLISECOND)) AS start_utc
    FROM smf30_identification AS i
    JOIN smf30_subsystem AS s ON s.file_id = i.file_id AND s.record_no = i.record_no
    JOIN load_file AS f ON f.file_id = i.file_id
    WHERE s.smf30typ = 2
    GROUP BY ALL
),
usual AS (
    SELECT *, median(gap_s) OVER (PARTITION BY run, sid) AS usual_s
    FROM named
),
begun AS (
    SELECT
        u.run, u.sid, u.end_utc, u.local_minutes, u.sysplex, u.system,
        coalesce(
            a.start_utc, CASE WHEN u.gap_s <= 1.5 * u.usual_s THEN u.end_utc_before END
        )                                            AS start_utc
    FROM usual AS u
    LEFT JOIN address_space AS a ON a.run = u.run AND a.system = u.system
        AND a.end_utc = date_trunc('second', u.end_utc + INTERVAL 500 MILLISECOND)
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name, where RMF records of the run tell it
    system                                           AS system, -- System name where RMF records of the run tell it, else the SMF id
    start_utc + to_minutes(local_minutes)            AS interval_start, -- Interval start, local time of the system; NULL where it cannot be told
    start_utc                                        AS interval_start_utc, -- Interval start, UTC; NULL where it cannot be told
    end_utc + to_minutes(local_minutes)              AS interval_end, -- Interval end, local time of the system
    end_utc                                          AS interval_end_utc, -- Interval end, UTC
    epoch(end_utc - start_utc)                       AS interval_s, -- Length of the interval [s]; NULL where the start cannot be told
    sid                                              AS sid -- SMF id of the system
FROM begun;

-- smf_logstream: one row per system, log stream and interval end of type 88. Connections of a log
-- stream in one interval count together.
CREATE OR REPLACE VIEW smf_logstream AS
WITH used AS (
    SELECT
        f.run,
        s.*,
        t.smf88stn, t.smf88swb, t.smf88sib, t.smf88sab, t.smf88sc1,
        e.smf88eds, e.smf88esf, e.smf88ett, e.smf88etf, e.smf88eo, e.smf88efs
    FROM smf88_1_log_stream AS s
    JOIN load_file AS f ON f.file_id = s.file_id
    LEFT JOIN smf88_1_structure AS t ON t.file_id = s.file_id AND t.record_no = s.record_no
    LEFT JOIN smf88_1_events AS e ON e.file_id = s.file_id AND e.record_no = s.record_no
    -- overlapping dumps: the same record once
    QUALIFY counts_once(
        (f.run, s.system, s.smf88lsn, s.smf88lit, s.smf88ltd),
        (s.file_id, s.record_no, s.section_no)
    )
)
SELECT
    i.run                                            AS run, -- Measurement
    i.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    i.system                                         AS system, -- System name where RMF records of the run tell it, else the SMF id
    i.interval_start                                 AS interval_start, -- Interval start, local time of the system; NULL where it cannot be told
    i.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC; NULL where it cannot be told
    i.interval_end                                   AS interval_end, -- Interval end, local time of the system
    i.interval_end_utc                               AS interval_end_utc, -- Interval end, UTC
    i.interval_s                                     AS interval_s, -- Length of the interval [s]; NULL where the start cannot be told
    u.smf88lsn                                       AS log_stream, -- Log stream
    max(nullif(u.smf88stn, ''))                      AS structure, -- Coupling facility structure; *DASDONLY where there is none
    sum(u.smf88lwi)::DOUBLE                          AS write_count, -- IXGWRITE calls
    sum(u.smf88lwb)                                  AS written_bytes, -- Bytes users wrote
    min(u.smf88lib)                                  AS min_block_bytes, -- Shortest block written [bytes]
    max(u.smf88lab)                                  AS max_block_bytes, -- Longest block written [bytes]
    sum(u.smf88swb)                                  AS interim_bytes, -- Bytes put into interim storage
    sum(u.smf88ldb)                                  AS dasd_bytes, -- Bytes written to DASD
    sum(u.smf88sib)                                  AS deleted_early_bytes, -- Bytes deleted before they were moved to DASD
    sum(u.smf88sab)                                  AS deleted_late_bytes, -- Bytes deleted after they were moved to DASD
    sum(u.smf88sc1)::DOUBLE                          AS type1_count, -- Writes that completed as type 1: the structure below its threshold
    sum(u.smf88eo)::DOUBLE                           AS offload_count, -- Offloads that moved data
    sum(u.smf88efs)::DOUBLE                          AS entry_full_count, -- Offloads forced as 90 % of the structure's entries were in use
    sum(u.smf88eds)::DOUBLE                          AS dasd_switch_count, -- Switches to a new DASD data set
    sum(u.smf88esf)::DOUBLE                          AS structure_full_count, -- Times the structure was full
    sum(u.smf88ett)::DOUBLE                          AS staging_threshold_count, -- Times a staging data set passed its threshold
    sum(u.smf88etf)::DOUBLE                          AS staging_full_count -- Times a staging data set was full
FROM used AS u
JOIN smf_logstream_interval AS i
    ON i.run = u.run AND i.sid = u.system AND i.interval_end_utc = u.smf88ltd
GROUP BY i.run, i.sysplex, i.system, i.interval_start, i.interval_start_utc, i.interval_end,
    i.interval_end_utc, i.interval_s, u.smf88lsn;
