-- ims_region: one row per dependent region and interval of the log, where a program ran or ended in
-- it. A program runs from the start of its schedule to its end (07); one that has not ended runs
-- from its schedule (08), or since a checkpoint knew it (47), to the end of the log. Its CPU time
-- is counted where it ended.
CREATE OR REPLACE VIEW ims_region AS
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
ended AS (
    SELECT f.log_no, r.*, r."end" AS at
    FROM ims_07 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.log_no, r.pst, r."end"), (r.file_id, r.record_no))
),
scheduled AS (
    SELECT f.log_no, r.*
    FROM ims_08 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.log_no, r.pst, r.sched), (r.file_id, r.record_no))
),
last_end AS (
    SELECT e.log_no, e.pst, max(e.at) AS at FROM ended AS e GROUP BY e.log_no, e.pst
),
log_end AS (
    SELECT n.log_no, max(n.interval_end_utc) AS at
    FROM ims_log_interval AS n
    GROUP BY n.log_no
),
begun AS (
    SELECT log_no, pst, jobname, region_type, sched_start AS at FROM scheduled
    UNION ALL
    SELECT f.log_no, r.pst, r.jobname, r.region_type, r.sched AS at
    FROM ims_47_region AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.state <> 'I' AND r.sched IS NOT NULL
),
span AS (
    SELECT e.log_no, e.pst, e.jobname, e.region_type, e.sched AS from_utc, e.at AS to_utc
    FROM ended AS e
    UNION ALL
    SELECT
        b.log_no, b.pst, arg_min(b.jobname, b.at), arg_min(b.region_type, b.at), min(b.at),
        any_value(g.at)
    FROM begun AS b
    JOIN log_end AS g ON g.log_no = b.log_no
    LEFT JOIN last_end AS e ON e.log_no = b.log_no AND e.pst = b.pst
    WHERE e.at IS NULL OR b.at >= e.at
    GROUP BY b.log_no, b.pst
),
occupied AS (
    SELECT
        n.log_no, n.interval_start_utc, s.pst,
        arg_max(s.jobname, s.to_utc) AS jobname, arg_max(s.region_type, s.to_utc) AS region_type,
        sum(epoch_us(least(s.to_utc, n.interval_end_utc))
            - epoch_us(greatest(s.from_utc, n.interval_start_utc)))::BIGINT AS occupied_us
    FROM ims_log_interval AS n
    JOIN span AS s
        ON s.log_no = n.log_no AND s.from_utc < n.interval_end_utc
        AND s.to_utc > n.interval_start_utc
    GROUP BY n.log_no, n.interval_start_utc, s.pst
),
-- of the programs that ended in the interval
program AS (
    SELECT
        n.log_no, n.interval_start_utc, e.pst, count(*) AS programs,
        TRY_CAST(sum(e.msgs) AS BIGINT) AS messages,
        count(*) FILTER (WHERE e.flags & 128 > 0) AS abends,
        TRY_CAST(sum(e.cpu_us) AS BIGINT) AS cpu_us,
        TRY_CAST(sum(e.ziip_us) AS BIGINT) AS ziip_us,
        TRY_CAST(sum(epoch_us(e.at) - epoch_us(e.sched)) AS BIGINT) AS elapsed_us,
        TRY_CAST(max(epoch_us(e.at) - epoch_us(e.sched)) AS BIGINT) AS elapsed_max_us
    FROM ended AS e
    JOIN ims_log_interval AS n
        ON n.log_no = e.log_no AND e.at > n.interval_start_utc AND e.at <= n.interval_end_utc
    GROUP BY n.log_no, n.interval_start_utc, e.pst
),
schedule AS (
    SELECT
        n.log_no, n.interval_start_utc, s.pst, count(*) AS schedules,
        sum(epoch_us(s.sched) - epoch_us(s.sched_start))::BIGINT AS schedule_us,
        sum(epoch_us(e.first_gu) - epoch_us(s.sched))::BIGINT AS first_call_us,
        count(e.first_gu) AS first_calls
    FROM scheduled AS s
    JOIN ims_log_interval AS n
        ON n.log_no = s.log_no AND s.sched >= n.interval_start_utc AND s.sched < n.interval_end_utc
    LEFT JOIN ended AS e ON e.log_no = s.log_no AND e.pst = s.pst AND e.rtoken = s.rtoken
    GROUP BY n.log_no, n.interval_start_utc, s.pst
),
unit AS (
    SELECT
        f.log_no, r.tpcpstn AS pst, r.log_stck AS at, r.tpextime::HUGEINT + r.tpezaap AS cpu_us,
        r.tptdbio AS db_io_us, r.tptdbpl AS lock_us, r.tptype
    FROM ims_56fa AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.log_no, r.uow, r.tpcpstn, r.log_stck), (r.file_id, r.record_no))
),
unit_sum AS (
    SELECT
        n.log_no, n.interval_start_utc, u.pst, count(*) AS units,
        TRY_CAST(sum(u.cpu_us) AS BIGINT) AS unit_cpu_us,
        TRY_CAST(sum(u.db_io_us) AS BIGINT) AS unit_db_io_us,
        TRY_CAST(sum(u.lock_us) AS BIGINT) AS unit_lock_us, max(u.tptype & 32) > 0 AS java
    FROM unit AS u
    JOIN ims_log_interval AS n
        ON n.log_no = u.log_no AND u.at > n.interval_start_utc AND u.at <= n.interval_end_utc
    GROUP BY n.log_no, n.interval_start_utc, u.pst
)
SELECT
    n.run                                                    AS run, -- Measurement
    n.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    n.system                                                 AS system, -- SMF system id, from a 4500 of the same IMS; NULL without one
    n.interval_start                                         AS interval_start, -- Statistics set, or first arrival; local time, NULL without a 4500
    n.interval_start_utc                                     AS interval_start_utc, -- Statistics set, or first arrival, UTC
    n.interval_s                                             AS interval_s, -- Length of that time [s]
    n.ims                                                    AS ims, -- IMS id
    o.pst                                                    AS pst, -- Region number
    o.jobname                                                AS job, -- Job name of the region
    o.region_type                                            AS region_type, -- M MPP, B BMP, I IFP, J JMP, D DBCTL thread, U utility
    CASE u.java WHEN true THEN 'Y' WHEN false THEN 'N' END   AS java, -- Y: its programs ran Java (TPTYPE of 56FA), so M is a JMP, B a JBP; NULL without units
    CASE WHEN n.sample_every = 1 THEN o.occupied_us END      AS occupied_us, -- Time with a program, from the start of its schedule; NULL where the log holds a sample [us]
    coalesce(p.programs, 0)                                  AS programs_count, -- Programs that ended
    p.messages                                               AS messages_count, -- Messages these programs took
    coalesce(p.abends, 0)                                    AS abends_count, -- Programs that ended abnormally
    p.cpu_us                                                 AS cpu_us, -- CPU time on general processors of the programs that ended, over their whole life [us]
    p.ziip_us                                                AS ziip_us, -- CPU time on zIIPs of the programs that ended [us]
    p.elapsed_us                                             AS elapsed_us, -- Life of the programs that ended, from schedule to end [us]
    p.elapsed_max_us                                         AS elapsed_max_us, -- Longest of them [us]
    coalesce(s.schedules, 0)                                 AS schedules_count, -- Programs scheduled
    s.schedule_us                                            AS schedule_us, -- Time of their schedules [us]
    s.first_call_us                                          AS first_call_us, -- From there to the first message of the program [us]
    s.first_calls                                            AS first_calls_count, -- Schedules where that is known: the program has ended
    coalesce(u.units, 0)                                     AS units_count, -- Units of recovery with statistics (56FA)
    u.unit_cpu_us                                            AS unit_cpu_us, -- Their CPU time, zIIPs too [us]
    u.unit_db_io_us                                          AS unit_db_io_us, -- Their waits for database I/O [us]
    u.unit_lock_us                                           AS unit_lock_us, -- Their waits for locks [us]
    n.log_no                                                 AS log_no -- Number of the log, as in ims_log_file
FROM occupied AS o
JOIN ims_log_interval AS n ON n.log_no = o.log_no AND n.interval_start_utc = o.interval_start_utc
LEFT JOIN program AS p
    ON p.log_no = o.log_no AND p.interval_start_utc = o.interval_start_utc AND p.pst = o.pst
LEFT JOIN schedule AS s
    ON s.log_no = o.log_no AND s.interval_start_utc = o.interval_start_utc AND s.pst = o.pst
LEFT JOIN unit_sum AS u
    ON u.log_no = o.log_no AND u.interval_start_utc = o.interval_start_utc AND u.pst = o.pst;
