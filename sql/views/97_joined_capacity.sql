-- joined_capacity: one row per IMS and interval of its log: the time of its dependent regions,
-- cut into parts that do not overlap, beside what holds regions up and no record counts by
-- region: PR/SM (70.1) and latches (450A). Systems have the name that RMF records of the run
-- give them.
CREATE OR REPLACE VIEW joined_capacity AS
WITH region AS (
    SELECT
        run, log_no, interval_start_utc,
        count(*)                                             AS regions_count,
        sum(occupied_us)::BIGINT                             AS busy_us,
        sum(unit_cpu_us)::BIGINT                             AS cpu_us,
        sum(unit_db_io_us)::BIGINT                           AS db_io_us,
        sum(unit_lock_us)::BIGINT                            AS lock_us
    FROM ims_region
    GROUP BY run, log_no, interval_start_utc
),
latch AS (
    SELECT run, ims, interval_start_utc, sum(wait_us)::BIGINT AS wait_us
    FROM ims_latch
    GROUP BY run, ims, interval_start_utc
),
-- of general processors
cp AS (
    SELECT
        run, sysplex, system, interval_start_utc,
        interval_end(interval_start_utc, max(interval_s)) AS interval_end_utc,
        1e6 * max(interval_s)                                AS interval_us,
        sum(lpar_online_us)                                  AS online_us,
        sum(lpar_busy_us)                                    AS dispatched_us,
        sum(mvs_busy_us) - sum(lpar_busy_us)                 AS delay_us
    FROM rmf_cpu
    WHERE type = 'CP'
    GROUP BY run, sysplex, system, interval_start_utc
),
named AS (
    SELECT
        n.*, coalesce(k.name, n.system) AS system_name,
        (epoch_us(n.interval_end_utc) - epoch_us(n.interval_start_utc))::DOUBLE AS interval_us
    FROM ims_log_interval AS n
    LEFT JOIN smf_systems() AS k ON k.run = n.run AND k.sid = n.system
),
-- an RMF interval that lies in the time in part counts by that part
machine AS (
    SELECT
        n.log_no, n.interval_start_utc,
        sum(c.online_us * o.us / c.interval_us)              AS online_us,
        sum(c.dispatched_us * o.us / c.interval_us)          AS dispatched_us,
        sum(c.delay_us * o.us / c.interval_us)               AS delay_us
    FROM named AS n
    JOIN cp AS c
        ON c.run = n.run AND c.system = n.system_name AND same_sysplex(c.sysplex, n.sysplex)
        AND c.interval_start_utc < n.interval_end_utc
        AND c.interval_end_utc > n.interval_start_utc
    CROSS JOIN LATERAL (
        SELECT common_us(
            c.interval_start_utc, c.interval_end_utc, n.interval_start_utc, n.interval_end_utc
        ) AS us
    ) AS o
    GROUP BY n.log_no, n.interval_start_utc, n.interval_us
    HAVING sum(o.us) >= 0.999 * n.interval_us
)
SELECT
    n.run                                                    AS run, -- Measurement
    n.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    n.system_name                                            AS system, -- System name where RMF records of the run tell it, else the SMF id of the 4500
    n.interval_start                                         AS interval_start, -- Statistics set, or first arrival; local time, NULL without a 4500
    n.interval_start_utc                                     AS interval_start_utc, -- Statistics set, or first arrival, UTC
    n.interval_s                                             AS interval_s, -- Length of that time [s]
    n.interval_us                                            AS interval_us, -- Length of that time [us]
    n.ims                                                    AS ims, -- IMS id
    r.regions_count                                          AS regions_count, -- Dependent regions with a program at some time
    r.regions_count * n.interval_us                          AS region_us, -- Time of these regions [us]
    r.regions_count * n.interval_us - r.busy_us              AS idle_us, -- Of it, without a program; NULL where the log holds a sample [us]
    r.busy_us                                                AS busy_us, -- With a program, from the start of its schedule to its end (07 08 47) [us]
    CASE WHEN n.sample_every = 1 THEN r.cpu_us END           AS cpu_us, -- On a processor, zIIPs too (56FA) [us]
    CASE WHEN n.sample_every = 1 THEN r.db_io_us END         AS db_io_us, -- Waiting for database I/O (56FA) [us]
    CASE WHEN n.sample_every = 1 AND (r.lock_us > 0 OR u.ims IS NULL) THEN r.lock_us END AS lock_us, -- Waiting for locks (56FA); NULL where IRLM counts waits, but no time of any [us]
    r.busy_us - coalesce(r.cpu_us, 0) - coalesce(r.db_io_us, 0) - coalesce(r.lock_us, 0)
                                                             AS unexplained_us, -- With a program, the rest: schedule, commit, waits for messages, latches and processors [us]
    m.online_us                                              AS online_us, -- General processors of the system online (70.1); NULL where RMF records do not cover the time [us]
    m.dispatched_us                                          AS dispatched_us, -- Of it, dispatched by PR/SM [us]
    m.delay_us                                               AS lpar_delay_us, -- Busy for z/OS and not dispatched by PR/SM: MVS busy less LPAR busy [us]
    l.wait_us                                                AS latch_us -- Waits for latches of all of IMS (450A) [us]
FROM named AS n
JOIN region AS r ON r.log_no = n.log_no AND r.interval_start_utc = n.interval_start_utc
LEFT JOIN ims_untimed_locks() AS u ON u.run = n.run AND u.ims = n.ims
LEFT JOIN latch AS l
    ON l.run = n.run AND l.ims = n.ims AND l.interval_start_utc = n.interval_start_utc
LEFT JOIN machine AS m
    ON m.log_no = n.log_no AND m.interval_start_utc = n.interval_start_utc
WHERE n.interval_us > 0;
