-- joined_data_sets: one row per data set whose name matches a pattern, volume, job and interval of
-- 42.6 in the range that is asked for: the time of its I/O, cut into parts that do not overlap,
-- beside its volume (74.1) and the channels of its control unit (78.3 and 73). An interval of RMF
-- that lies in that of the data set in part counts by that part; what does not cover it is NULL.
CREATE OR REPLACE MACRO joined_data_sets(names) AS TABLE
WITH named AS (
    -- matched with each name once: a condition in WHERE would be applied to every row
    SELECT *
    FROM smf42_6_dataset
    WHERE s42dsn IN (
        SELECT s42dsn
        FROM smf42_6_dataset
        GROUP BY s42dsn
        HAVING regexp_matches(any_value(s42dsn), names)
    )
),
dataset AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, job, dataset, volume,
        max(interval_end_utc)                                AS interval_end_utc,
        epoch(max(interval_end_utc) - interval_start_utc)    AS interval_s,
        sum(io_count)                                        AS io_count,
        sum(resp_us)                                         AS resp_us,
        sum(pend_us)                                         AS pend_us,
        sum(disc_us)                                         AS disc_us,
        sum(conn_us)                                         AS conn_us,
        1e6 * epoch(max(interval_end_utc) - interval_start_utc) AS us
    FROM smf_dataset_sections('named')
    WHERE in_report_range(interval_start)
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, job, dataset, volume
    HAVING max(interval_end_utc) > interval_start_utc
),
-- the intervals of 74.1 beside those of the data sets
device_interval AS (
    SELECT
        s.run, s.sysplex, s.system, s.interval_start_utc, s.interval_end_utc,
        1e6 * s.interval_s AS us,
        n.interval_start AS device_start, n.interval_start_utc AS device_start_utc,
        1e6 * n.interval_s AS device_us,
        common_us(
            n.interval_start_utc, interval_end(n.interval_start_utc, n.interval_s),
            s.interval_start_utc, s.interval_end_utc
        ) AS common_us
    FROM smf_dataset_interval AS s
    JOIN rmf_device_interval AS n
        ON n.run = s.run AND n.sysplex IS NOT DISTINCT FROM s.sysplex AND n.system = s.system
        AND n.interval_start_utc < s.interval_end_utc
        AND interval_end(n.interval_start_utc, n.interval_s) > s.interval_start_utc
    WHERE s.interval_s > 0 AND in_report_range(s.interval_start)
),
volume_part AS (
    SELECT
        n.run, n.sysplex, n.system, n.interval_start_utc, n.interval_end_utc, n.us, d.volume,
        any_value(d.lcu)                                     AS lcu,
        sum(d.io_count * n.common_us / n.device_us)          AS io_count,
        sum(d.measured_count * n.common_us / n.device_us)    AS measured_count,
        sum(d.iosq_us * n.common_us / n.device_us)           AS iosq_us,
        sum(d.device_us * n.common_us / n.device_us)         AS device_us,
        sum(d.util_busy_us * n.common_us / n.device_us)      AS util_us
    FROM rmf_device AS d
    JOIN device_interval AS n
        ON n.run = d.run AND n.system = d.system AND n.device_start = d.interval_start
        AND n.device_start_utc = d.interval_start_utc AND n.sysplex IS NOT DISTINCT FROM d.sysplex
    WHERE d.volume IN (SELECT DISTINCT volume FROM dataset) AND near_report_range(d.interval_start)
    GROUP BY n.run, n.sysplex, n.system, n.interval_start_utc, n.interval_end_utc, n.us, d.volume
    HAVING sum(n.common_us) >= 0.999 * n.us
),
-- the channels of each control unit of these volumes
control_unit AS (
    SELECT DISTINCT run, sysplex, system, interval_start_utc, lcu, path
    FROM rmf_io_queue
    WHERE path IS NOT NULL AND lcu IN (SELECT DISTINCT lcu FROM volume_part)
        AND near_report_range(interval_start)
),
channel AS (
    SELECT
        c.run, c.sysplex, c.system, u.lcu, c.interval_start_utc,
        interval_end(c.interval_start_utc, any_value(c.interval_s)) AS interval_end_utc,
        1e6 * any_value(c.interval_s)                        AS interval_us,
        1e6 * sum(c.total_busy_s)                            AS busy_us,
        1e6 * sum(c.total_measured_s) FILTER (WHERE c.total_busy_s IS NOT NULL) AS measured_us
    FROM control_unit AS u
    JOIN rmf_channel AS c
        ON c.run = u.run AND c.sysplex IS NOT DISTINCT FROM u.sysplex AND c.system = u.system
        AND c.interval_start_utc = u.interval_start_utc
        AND c.channel = u.path
    GROUP BY c.run, c.sysplex, c.system, u.lcu, c.interval_start_utc
),
channel_part AS (
    SELECT
        v.run, v.sysplex, v.system, v.interval_start_utc, v.volume, v.us,
        sum(c.busy_us * o.us / c.interval_us)                AS busy_us,
        sum(c.measured_us * o.us / c.interval_us)            AS measured_us
    FROM volume_part AS v
    JOIN channel AS c
        ON c.run = v.run AND c.sysplex IS NOT DISTINCT FROM v.sysplex AND c.system = v.system
        AND c.lcu = v.lcu
        AND c.interval_start_utc < v.interval_end_utc
        AND c.interval_end_utc > v.interval_start_utc
    CROSS JOIN LATERAL (
        SELECT common_us(
            c.interval_start_utc, c.interval_end_utc, v.interval_start_utc, v.interval_end_utc
        ) AS us
    ) AS o
    GROUP BY v.run, v.sysplex, v.system, v.interval_start_utc, v.volume, v.us
    HAVING sum(o.us) >= 0.999 * v.us
)
SELECT
    d.run                                            AS run, -- Measurement
    d.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    d.system                                         AS system, -- System name where RMF records of the run tell it, else the SMF id
    d.interval_start                                 AS interval_start, -- Interval start of the data set (42.6), local time of the system
    d.interval_start_utc                             AS interval_start_utc, -- Interval start of the data set (42.6), UTC
    d.interval_s                                     AS interval_s, -- Length of the interval [s]
    d.us                                             AS interval_us, -- Length of the interval [us]
    d.job                                            AS job, -- Job name
    d.dataset                                        AS dataset, -- Data set name
    d.volume                                         AS volume, -- Volume serial
    d.io_count                                       AS io_count, -- I/Os of the job to the data set (42.6)
    d.resp_us                                        AS resp_us, -- Response time of these I/Os, sum (42.6) [us]
    d.pend_us                                        AS pend_us, -- Of it, pending [us]
    d.disc_us                                        AS disc_us, -- Of it, disconnected [us]
    d.conn_us                                        AS conn_us, -- Of it, connected [us]
    d.resp_us - coalesce(d.pend_us, 0) - coalesce(d.disc_us, 0) - coalesce(d.conn_us, 0)
                                                     AS unexplained_us, -- The rest: queued for the device, and rounding of means [us]
    v.lcu                                            AS lcu, -- Logical control unit of the volume, hex
    v.io_count                                       AS volume_io_count, -- I/Os of the system to the volume (74.1)
    v.measured_count                                 AS volume_measured_count, -- Of these, measured by the channel subsystem
    v.iosq_us                                        AS volume_iosq_us, -- Queued for the volume, sum (74.1) [us]
    v.device_us                                      AS volume_device_us, -- Pending, disconnected and connected, sum (74.1) [us]
    v.util_us                                        AS volume_util_us, -- Time the volume was in use (74.1) [us]
    c.busy_us                                        AS channel_busy_us, -- Time the channels of its control unit were busy (73), by all partitions [us]
    c.measured_us                                    AS channel_us -- Time of these channels [us]
FROM dataset AS d
LEFT JOIN volume_part AS v
    ON v.run = d.run AND v.sysplex IS NOT DISTINCT FROM d.sysplex AND v.system = d.system
    AND v.volume = d.volume
    AND v.interval_start_utc = d.interval_start_utc AND v.us = d.us
LEFT JOIN channel_part AS c
    ON c.run = d.run AND c.sysplex IS NOT DISTINCT FROM d.sysplex AND c.system = d.system
    AND c.volume = d.volume
    AND c.interval_start_utc = d.interval_start_utc AND c.us = d.us;

-- joined_log_writes: one row per system and interval of 42.6 that statistics sets cover: what the
-- loggers of its IMS wrote in that time (4507).
CREATE OR REPLACE MACRO joined_log_writes() AS TABLE
WITH interval AS (
    SELECT DISTINCT
        run, sysplex, system, interval_start_utc, interval_end_utc, 1e6 * interval_s AS us
    FROM smf_dataset_interval
    WHERE interval_s > 0
),
logger AS (
    SELECT
        l.* EXCLUDE (sysplex), coalesce(l.sysplex, k.sysplex) AS sysplex,
        coalesce(k.name, l.system) AS system_name,
        interval_end(l.interval_start_utc, l.interval_s) AS interval_end_utc
    FROM ims_logger AS l
    LEFT JOIN smf_systems() AS k ON k.run = l.run AND k.sid = l.system
    WHERE l.interval_s > 0
),
part AS (
    SELECT
        i.run, i.sysplex, i.system, i.interval_start_utc, i.us, l.ims,
        sum(l.olds_writes * o.us / (1e6 * l.interval_s))     AS olds_count,
        sum(l.olds_us * o.us / (1e6 * l.interval_s))         AS olds_us,
        sum(l.wads_excpvr * o.us / (1e6 * l.interval_s))     AS wads_count,
        sum(l.wads_us * o.us / (1e6 * l.interval_s))         AS wads_us,
        sum(o.us) >= 0.999 * i.us                            AS covered
    FROM interval AS i
    JOIN logger AS l
        ON l.run = i.run AND l.sysplex IS NOT DISTINCT FROM i.sysplex AND l.system_name = i.system
        AND l.interval_start_utc < i.interval_end_utc
        AND l.interval_end_utc > i.interval_start_utc
    CROSS JOIN LATERAL (
        SELECT common_us(
            l.interval_start_utc, l.interval_end_utc, i.interval_start_utc, i.interval_end_utc
        ) AS us
    ) AS o
    GROUP BY i.run, i.sysplex, i.system, i.interval_start_utc, i.us, l.ims
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name, from a 4500 or where RMF records of the run tell it
    system                                           AS system, -- System name where RMF records of the run tell it, else the SMF id
    interval_start_utc                               AS interval_start_utc, -- Interval start of the data sets (42.6), UTC
    us / 1e6                                         AS interval_s, -- Length of the interval [s]
    sum(olds_count)                                  AS olds_count, -- OLDS blocks written (4507)
    sum(olds_us)                                     AS olds_us, -- Time of these writes; a field of our layout, NULL without it [us]
    sum(wads_count)                                  AS wads_count, -- WADS channel programs (4507)
    sum(wads_us)                                     AS wads_us -- Time of these writes; a field of our layout, NULL without it [us]
FROM part
GROUP BY run, sysplex, system, interval_start_utc, us
HAVING bool_and(covered);
