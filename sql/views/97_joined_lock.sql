-- joined_lock: one row per system, lock structure and interval of 74.4: the waits for locks of
-- the transactions of its IMS (56FA) and what the coupling facility has of them, beside the
-- counters of the IRLMs (A105, ours). Waits do not say at which structure: they stand where the
-- system has one that its IRLMs name, or one lock structure in all. Of a sampled log they count
-- as often as it left out.
CREATE OR REPLACE VIEW joined_lock AS
WITH named AS (
    SELECT
        n.*, coalesce(k.name, n.system) AS system_name,
        interval_end(n.interval_start_utc, n.interval_s) AS interval_end_utc
    FROM ims_irlm AS n
    LEFT JOIN smf_systems() AS k ON k.run = n.run AND k.sid = n.system
),
-- where IRLMs tell of a structure, the others are of Db2 or another product
candidate AS (
    SELECT
        c.*,
        interval_end(c.interval_start_utc, c.interval_s) AS interval_end_utc,
        1e6 * c.interval_s AS us,
        count(*) OVER (
            PARTITION BY c.run, c.sysplex, c.system, c.interval_start_utc
        ) AS structures
    FROM rmf_cf_structure AS c
    LEFT JOIN (SELECT DISTINCT run FROM named) AS a ON a.run = c.run
    WHERE c.type = 'LOCK' AND (a.run IS NULL OR EXISTS (
        SELECT 1
        FROM named AS t
        WHERE t.run = c.run AND t.structure = c.structure AND same_sysplex(t.sysplex, c.sysplex)
    ))
),
span AS (
    SELECT DISTINCT run, sysplex, system, interval_start_utc, interval_end_utc, us FROM candidate
),
irlm AS (
    SELECT
        c.run, c.sysplex, c.system, c.interval_start_utc, n.ims, n.structure,
        sum(n.cf_request_count * o.us / (1e6 * n.interval_s)) AS request_count,
        sum(n.wait_count * o.us / (1e6 * n.interval_s))      AS wait_count,
        sum(n.wait_us * o.us / (1e6 * n.interval_s))         AS wait_us,
        sum(o.us) >= 0.999 * c.us                            AS covered
    FROM span AS c
    JOIN named AS n
        ON n.run = c.run AND n.system_name = c.system AND same_sysplex(n.sysplex, c.sysplex)
        AND n.interval_start_utc < c.interval_end_utc
        AND n.interval_end_utc > c.interval_start_utc
    CROSS JOIN LATERAL (
        SELECT common_us(
            n.interval_start_utc, n.interval_end_utc, c.interval_start_utc, c.interval_end_utc
        ) AS us
    ) AS o
    WHERE n.interval_s > 0
    GROUP BY c.run, c.sysplex, c.system, c.interval_start_utc, c.us, n.ims, n.structure
),
irlm_sum AS (
    SELECT
        run, sysplex, system, interval_start_utc, structure, sum(request_count) AS request_count,
        sum(wait_count) AS wait_count, nullif(sum(wait_us), 0) AS wait_us
    FROM irlm
    GROUP BY run, sysplex, system, interval_start_utc, structure
    HAVING bool_and(covered)
),
unit AS (
    SELECT
        f.run, f.sysplex, coalesce(k.name, f.system) AS system, r.log_stck AS at, f.sample_every,
        CASE WHEN r.tptdbpl > 0 OR u.ims IS NULL THEN r.tptdbpl END AS lock_us
    FROM ims_56fa AS r
    JOIN ims_log_file AS f ON f.file_id = r.file_id
    LEFT JOIN smf_systems() AS k ON k.run = f.run AND k.sid = f.system
    LEFT JOIN ims_untimed_locks() AS u ON u.run = f.run AND u.ims = f.ims
    QUALIFY counts_once(
        (f.log_no, r.uow, r.tpcpstn, r.log_stck), (r.file_id, r.record_no)
    )
),
unit_sum AS (
    SELECT
        c.run, c.sysplex, c.system, c.interval_start_utc,
        sum(u.sample_every)::DOUBLE                          AS units,
        sum(u.sample_every * u.lock_us)::DOUBLE              AS lock_us
    FROM span AS c
    JOIN unit AS u
        ON u.run = c.run AND u.system = c.system AND same_sysplex(u.sysplex, c.sysplex)
        AND u.at >= c.interval_start_utc AND u.at < c.interval_end_utc
    GROUP BY c.run, c.sysplex, c.system, c.interval_start_utc
)
SELECT
    c.run                                            AS run, -- Measurement
    c.sysplex                                        AS sysplex, -- Sysplex name
    c.system                                         AS system, -- System name
    c.interval_start                                 AS interval_start, -- Interval start, local time of the system
    c.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    c.interval_s                                     AS interval_s, -- Length of the interval [s]
    c.cf                                             AS cf, -- Coupling facility
    c.structure                                      AS structure, -- Lock structure
    c.request_count                                  AS request_count, -- Requests of the system (74.4)
    c.sync_count                                     AS sync_count, -- Synchronous requests
    c.sync_us                                        AS sync_us, -- Service time of synchronous requests, in which a processor waits [us]
    c.lock_requests_count                            AS lock_requests_count, -- Lock requests
    c.contention_count                               AS contention_count, -- Lock requests that met contention
    c.false_contention_count                         AS false_contention_count, -- Lock requests that met false contention
    CASE WHEN c.structures = 1 THEN u.units END      AS units, -- Units of recovery of the IMS of the system (56FA) [units]
    CASE WHEN c.structures = 1 THEN u.lock_us END    AS lock_us, -- Their waits for locks (56FA); NULL where IRLM counts waits, but no time of any [us]
    c.async_us                                       AS async_us, -- Of it, service time of asynchronous requests (74.4) [us]
    c.nosch_us                                       AS nosch_us, -- Of it, queued as no subchannel was free (74.4) [us]
    CASE WHEN c.structures = 1 THEN
        u.lock_us - coalesce(c.async_us, 0) - coalesce(c.nosch_us, 0) END
                                                     AS unexplained_us, -- The rest: another holds the lock, or the IRLMs settle contention [us]
    i.request_count                                  AS irlm_request_count, -- Requests to the structure as the IRLMs of the system count them (A105)
    i.wait_count                                     AS irlm_wait_count, -- Requests to these IRLMs that had to wait (A105)
    i.wait_us                                        AS irlm_wait_us -- Time these waited (A105); NULL where it has none [us]
FROM candidate AS c
LEFT JOIN irlm_sum AS i
    ON i.run = c.run AND i.sysplex IS NOT DISTINCT FROM c.sysplex AND i.system = c.system
    AND i.interval_start_utc = c.interval_start_utc AND i.structure = c.structure
LEFT JOIN unit_sum AS u
    ON u.run = c.run AND u.sysplex IS NOT DISTINCT FROM c.sysplex AND u.system = c.system
    AND u.interval_start_utc = c.interval_start_utc;
