-- joined_dbctl_units: one row per unit of recovery of a DBCTL thread (56FA) whose caller is known
-- from the A109 of its thread: the last one of the region and schedule before it. The schedule
-- is that of the recovery token: IMS id and schedule number, without the number of the commit.
-- It is of the RMF interval of the run in which it ended.
CREATE OR REPLACE MACRO joined_dbctl_units() AS TABLE
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
caller AS (
    SELECT
        f.log_no, r.pst, r.rtoken[1:12] AS schedule, r.log_stck AS at,
        r.source_name, nullif(r.tran, '') AS tran
    FROM ims_a109 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.source = 'CICS'
),
unit AS (
    SELECT
        f.run, f.sysplex, f.ims, f.log_no, f.system, r.tpcpstn AS pst, r.tpcprtkn[1:12] AS schedule,
        r.log_stck AS at, r.tpextime::HUGEINT + r.tpezaap AS cpu_us, r.tptdbio, r.tptdbpl
    FROM ims_56fa AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once(
        (f.log_no, r.tpcprtkn, r.tpcpstn, r.log_stck), (r.file_id, r.record_no)
    )
),
called AS (
    SELECT
        u.* EXCLUDE (sysplex), coalesce(u.sysplex, k.sysplex) AS sysplex, c.source_name, c.tran,
        coalesce(k.name, u.system) AS system_name
    FROM unit AS u
    ASOF JOIN caller AS c
        ON c.log_no = u.log_no AND c.pst = u.pst AND c.schedule = u.schedule AND u.at >= c.at
    LEFT JOIN smf_systems() AS k ON k.run = u.run AND k.sid = u.system
)
SELECT
    c.run                                            AS run, -- Measurement
    c.sysplex                                        AS sysplex, -- Sysplex of the IMS
    c.system_name                                    AS system, -- System of the IMS, by the name that RMF records of the run give it
    CASE WHEN c.at < interval_end(i.interval_start_utc, i.interval_s) THEN i.interval_start_utc END
                                                     AS interval_start_utc, -- Interval start, UTC; NULL outside of RMF intervals
    c.source_name                                    AS region, -- Application id of the CICS (A109)
    c.tran                                           AS tran, -- Transaction of the caller (A109)
    c.cpu_us                                         AS cpu_us, -- CPU time, zIIPs too [us]
    c.tptdbio                                        AS db_io_us, -- Waiting for database I/O [us]
    CASE WHEN c.tptdbpl > 0 OR n.ims IS NULL THEN c.tptdbpl END AS lock_us -- Waiting for locks; NULL where IRLM counts waits, but no time of any [us]
FROM called AS c
LEFT JOIN ims_untimed_locks() AS n ON n.run = c.run AND n.ims = c.ims
ASOF LEFT JOIN rmf_cpu_interval AS i
    ON i.run = c.run AND i.sysplex IS NOT DISTINCT FROM c.sysplex
    AND i.system = c.system_name AND c.at >= i.interval_start_utc;

-- joined_cics: one row per CICS region, transaction and interval: the time of its tasks (110.1),
-- cut into parts that do not overlap; the wait for DBCTL once more by what its units of recovery
-- say.
CREATE OR REPLACE VIEW joined_cics AS
WITH task AS (
    SELECT
        run, sysplex, system, interval_start_utc, region, tran,
        max(interval_start)                                  AS interval_start,
        max(interval_s)                                      AS interval_s,
        count(*) FILTER (ended)                              AS count,
        sum(response_us)::DOUBLE                             AS response_us,
        sum(dispatch_us)                                     AS dispatch_us,
        sum(file_wait_us)                                    AS file_us,
        sum(db2_wait_us)                                     AS db2_us,
        sum(ims_wait_us)                                     AS ims_us
    FROM cics_task
    GROUP BY run, sysplex, system, interval_start_utc, region, tran
),
unit AS (
    SELECT
        run, sysplex, system, interval_start_utc, region, tran,
        count(*)                                             AS units,
        sum(cpu_us)::DOUBLE                                  AS cpu_us,
        sum(db_io_us)::DOUBLE                                AS db_io_us,
        sum(lock_us)::DOUBLE                                 AS lock_us
    FROM joined_dbctl_units()
    GROUP BY run, sysplex, system, interval_start_utc, region, tran
)
SELECT
    t.run                                            AS run, -- Measurement
    t.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    t.system                                         AS system, -- System name where RMF records of the run tell it, else the SMF id
    t.interval_start                                 AS interval_start, -- Interval start, local time of the system; NULL outside of RMF intervals
    t.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    t.interval_s                                     AS interval_s, -- Length of the interval [s]
    t.region                                         AS region, -- Specific APPLID of the region
    t.tran                                           AS tran, -- Transaction id
    t.count                                          AS count, -- Tasks that ended [transactions]
    coalesce(u.units, 0)                             AS units, -- Units of recovery of IMS that ended (56FA) [units]
    t.response_us                                    AS response_us, -- From start to end [us]
    t.dispatch_us                                    AS dispatch_us, -- Dispatched by CICS, on all TCBs [us]
    t.file_us                                        AS file_us, -- Waiting for files [us]
    t.db2_us                                         AS db2_us, -- Waiting for a connection or thread to Db2 [us]
    t.ims_us                                         AS ims_us, -- Waiting for DBCTL [us]
    u.cpu_us                                         AS ims_cpu_us, -- Of it, on a processor in IMS (56FA) [us]
    u.db_io_us                                       AS ims_io_us, -- Of it, waiting for database I/O (56FA) [us]
    u.lock_us                                        AS ims_lock_us, -- Of it, waiting for locks (56FA) [us]
    t.ims_us - coalesce(u.cpu_us, 0) - coalesce(u.db_io_us, 0) - coalesce(u.lock_us, 0)
                                                     AS ims_rest_us, -- The rest of the wait for DBCTL: thread, commit, log; below 0 where units took longer than the tasks waited [us]
    t.response_us - coalesce(t.dispatch_us, 0) - coalesce(t.file_us, 0) - coalesce(t.db2_us, 0)
        - coalesce(t.ims_us, 0)                      AS unexplained_us -- The rest: other waits, waits for dispatch among them [us]
FROM task AS t
LEFT JOIN unit AS u
    ON u.run = t.run AND u.sysplex IS NOT DISTINCT FROM t.sysplex
    AND u.system IS NOT DISTINCT FROM t.system AND u.region = t.region
    AND u.tran = t.tran AND u.interval_start_utc IS NOT DISTINCT FROM t.interval_start_utc;
