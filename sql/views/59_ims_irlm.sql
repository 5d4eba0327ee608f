-- ims_irlm: one row per IMS, pair of statistics sets and lock structure: what its IRLM did.
CREATE OR REPLACE VIEW ims_irlm AS
WITH entry AS (
    SELECT
        f.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        r.irlm, r.irlm_group, r.lock_structure AS structure,
        CAST(r.locks AS HUGEINT) AS locks,
        CAST(r.unlocks AS HUGEINT) AS unlocks,
        CAST(r.change_req AS HUGEINT) AS change_req,
        CAST(r.verify_req AS HUGEINT) AS verify_req,
        CAST(r.query_req AS HUGEINT) AS query_req,
        CAST(r.purges AS HUGEINT) AS purges,
        CAST(r.global_locks AS HUGEINT) AS global_locks,
        CAST(r.waits AS HUGEINT) AS waits,
        CAST(r.xes_contentions AS HUGEINT) AS xes_contentions,
        CAST(r.irlm_contentions AS HUGEINT) AS irlm_contentions,
        CAST(r.false_contentions AS HUGEINT) AS false_contentions,
        CAST(r.deadlocks AS HUGEINT) AS deadlocks,
        CAST(r.timeouts AS HUGEINT) AS timeouts,
        CAST(r.cf_requests AS HUGEINT) AS cf_requests,
        CAST(r.cf_sync AS HUGEINT) AS cf_sync,
        CAST(r.cf_us AS HUGEINT) AS cf_us,
        CAST(r.wait_us AS HUGEINT) AS wait_us,
        r.locks_held, r.max_locks_held, r.lock_entries,
        r.file_id, r.record_no
    FROM ims_a105 AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY r.log_lsn IS NULL OR row_number() OVER (
        PARTITION BY f.run, r.imsid, r.log_stck, r.log_lsn
        ORDER BY r.file_id, r.record_no
    ) = 1
),
paired AS (
    SELECT
        s,
        s.restarted OR coalesce(bool_or(
                now.locks < before.locks
                OR now.unlocks < before.unlocks
                OR now.change_req < before.change_req
                OR now.verify_req < before.verify_req
                OR now.query_req < before.query_req
                OR now.purges < before.purges
                OR now.global_locks < before.global_locks
                OR now.waits < before.waits
                OR now.xes_contentions < before.xes_contentions
                OR now.irlm_contentions < before.irlm_contentions
                OR now.false_contentions < before.false_contentions
                OR now.deadlocks < before.deadlocks
                OR now.timeouts < before.timeouts
                OR now.cf_requests < before.cf_requests
                OR now.cf_sync < before.cf_sync
                OR now.cf_us < before.cf_us
                OR now.wait_us < before.wait_us
            ) OVER (
                PARTITION BY s.run, s.ims, s.sample
            ), false)                                        AS restarted,
        now,
        before
    FROM ims_set_pairs('ims_a105') AS s
    JOIN entry AS now
        ON now.run = s.run AND now.ims = s.ims AND now.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
        AND now.counters_from IS NOT DISTINCT FROM s.counters_from
    LEFT JOIN entry AS before
        ON before.run = s.run AND before.ims = s.ims
        AND before.ckpt_no IS NOT DISTINCT FROM s.previous_ckpt_no
        AND before.counters_from IS NOT DISTINCT FROM s.previous_from
        AND before.irlm IS NOT DISTINCT FROM now.irlm
        AND before.structure IS NOT DISTINCT FROM now.structure
),
gained AS (
    SELECT
        p.*,
        ims_since(p.now.locks, p.before.locks, p.restarted) AS lock_count,
        ims_since(p.now.unlocks, p.before.unlocks, p.restarted) AS unlock_count,
        ims_since(p.now.change_req, p.before.change_req, p.restarted) AS change_count,
        ims_since(p.now.verify_req, p.before.verify_req, p.restarted) AS verify_count,
        ims_since(p.now.query_req, p.before.query_req, p.restarted) AS query_count,
        ims_since(p.now.purges, p.before.purges, p.restarted) AS purge_count,
        ims_since(p.now.global_locks, p.before.global_locks, p.restarted) AS global_count,
        ims_since(p.now.waits, p.before.waits, p.restarted) AS wait_count,
        ims_since(p.now.xes_contentions, p.before.xes_contentions, p.restarted) AS contention_count,
        ims_since(p.now.irlm_contentions, p.before.irlm_contentions, p.restarted) AS settled_count,
        ims_since(p.now.false_contentions, p.before.false_contentions, p.restarted) AS false_count,
        ims_since(p.now.deadlocks, p.before.deadlocks, p.restarted) AS deadlock_count,
        ims_since(p.now.timeouts, p.before.timeouts, p.restarted) AS timeout_count,
        ims_since(p.now.cf_requests, p.before.cf_requests, p.restarted) AS cf_request_count,
        ims_since(p.now.cf_sync, p.before.cf_sync, p.restarted) AS cf_sync_count,
        ims_since(p.now.cf_us, p.before.cf_us, p.restarted) AS cf_us,
        ims_since(p.now.wait_us, p.before.wait_us, p.restarted) AS wait_us
    FROM paired AS p
)
SELECT
    g.now.run                                                AS run,
    g.s.sysplex                                              AS sysplex,
    g.s.system                                               AS system,
    g.s.counted_from + g.s.local_offset                      AS interval_start,
    g.s.counted_from                                         AS interval_start_utc,
    epoch(g.now.sample - g.s.counted_from)                   AS interval_s,
    g.restarted                                              AS restarted,
    g.now.ims                                                AS ims,
    g.now.ckpt_no                                            AS ckpt_no,
    g.now.sample                                             AS sample_utc,
    g.now.irlm                                               AS irlm,
    g.now.irlm_group                                         AS irlm_group,
    g.now.structure                                          AS structure,
    g.lock_count                                             AS lock_count,
    g.unlock_count                                           AS unlock_count,
    g.change_count                                           AS change_count,
    g.verify_count                                           AS verify_count,
    g.query_count                                            AS query_count,
    g.purge_count                                            AS purge_count,
    g.global_count                                           AS global_count,
    g.wait_count                                             AS wait_count,
    g.contention_count                                       AS contention_count,
    g.settled_count                                          AS settled_count,
    g.false_count                                            AS false_count,
    g.deadlock_count                                         AS deadlock_count,
    g.timeout_count                                          AS timeout_count,
    g.cf_request_count                                       AS cf_request_count,
    g.cf_sync_count                                          AS cf_sync_count,
    g.cf_us                                                  AS cf_us,
    g.wait_us                                                AS wait_us,
    CASE WHEN g.wait_us > 0 THEN g.wait_count ELSE 0 * g.wait_count END AS timed_wait_count,
    g.now.locks_held                                         AS locks_held,
    g.now.max_locks_held                                     AS max_locks_held,
    g.now.lock_entries                                       AS lock_entries,
    g.now.file_id                                            AS file_id,
    g.now.record_no                                          AS record_no
FROM gained AS g;

COMMENT ON VIEW ims_irlm IS 'One row per IMS, pair of statistics sets and lock structure: IRLM counters between them';
COMMENT ON COLUMN ims_irlm.run IS 'Measurement';
COMMENT ON COLUMN ims_irlm.sysplex IS 'Sysplex name, from the 4500 of the set';
COMMENT ON COLUMN ims_irlm.system IS 'SMF system id, from the 4500 of the set; NULL without it';
COMMENT ON COLUMN ims_irlm.interval_start IS 'Start of the counted time, local; NULL without a 4500';
COMMENT ON COLUMN ims_irlm.interval_start_utc IS 'Start of the counted time, UTC: the earlier set, or the restart after it';
COMMENT ON COLUMN ims_irlm.interval_s IS 'Counted time [s]';
COMMENT ON COLUMN ims_irlm.restarted IS 'IMS restarted since the earlier set: counts are those since the restart';
COMMENT ON COLUMN ims_irlm.ims IS 'IMS id';
COMMENT ON COLUMN ims_irlm.ckpt_no IS 'Checkpoint of the later set';
COMMENT ON COLUMN ims_irlm.sample_utc IS 'Time of the later set, UTC';
COMMENT ON COLUMN ims_irlm.irlm IS 'IRLM id';
COMMENT ON COLUMN ims_irlm.irlm_group IS 'Data sharing group of the IRLM';
COMMENT ON COLUMN ims_irlm.structure IS 'Name of the lock structure';
COMMENT ON COLUMN ims_irlm.lock_count IS 'Lock requests';
COMMENT ON COLUMN ims_irlm.unlock_count IS 'Unlock requests';
COMMENT ON COLUMN ims_irlm.change_count IS 'Requests to change the state of a lock';
COMMENT ON COLUMN ims_irlm.verify_count IS 'Verify requests';
COMMENT ON COLUMN ims_irlm.query_count IS 'Query requests';
COMMENT ON COLUMN ims_irlm.purge_count IS 'Purge requests';
COMMENT ON COLUMN ims_irlm.global_count IS 'Lock requests that needed another member of the group';
COMMENT ON COLUMN ims_irlm.wait_count IS 'Requests that had to wait';
COMMENT ON COLUMN ims_irlm.contention_count IS 'Contentions found by the lock structure';
COMMENT ON COLUMN ims_irlm.settled_count IS 'Contentions settled between the IRLMs';
COMMENT ON COLUMN ims_irlm.false_count IS 'Contentions that were false: same hash, other resource';
COMMENT ON COLUMN ims_irlm.deadlock_count IS 'Deadlocks';
COMMENT ON COLUMN ims_irlm.timeout_count IS 'Requests ended because they waited too long';
COMMENT ON COLUMN ims_irlm.cf_request_count IS 'Requests to the lock structure';
COMMENT ON COLUMN ims_irlm.cf_sync_count IS 'Requests to the lock structure done synchronously';
COMMENT ON COLUMN ims_irlm.cf_us IS 'Time of requests to the lock structure [us]';
COMMENT ON COLUMN ims_irlm.wait_us IS 'Time requests waited; 0 where it was not kept [us]';
COMMENT ON COLUMN ims_irlm.timed_wait_count IS 'Requests that had to wait, where the time of waits was kept';
COMMENT ON COLUMN ims_irlm.locks_held IS 'Locks held at the later set';
COMMENT ON COLUMN ims_irlm.max_locks_held IS 'Most locks held so far, since IRLM start';
COMMENT ON COLUMN ims_irlm.lock_entries IS 'Entries of the lock table';
COMMENT ON COLUMN ims_irlm.file_id IS 'File of the later record';
COMMENT ON COLUMN ims_irlm.record_no IS 'Later record in that file';
