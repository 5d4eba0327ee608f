-- ims_irlm: one row per IMS, pair of statistics sets and lock structure: IRLM counters between
-- them.
CREATE OR REPLACE VIEW ims_irlm AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        r.irlm, r.irlm_group, r.lock_structure AS structure,
        r.locks, r.unlocks, r.change_req, r.verify_req, r.query_req, r.purges, r.global_locks,
        r.waits, r.xes_contentions, r.irlm_contentions, r.false_contentions, r.deadlocks,
        r.timeouts, r.cf_requests, r.cf_sync, r.cf_us, r.wait_us,
        r.locks_held, r.max_locks_held, r.lock_entries,
        r.file_id, r.record_no
    FROM ims_records_once('ims_a105') AS r
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
                PARTITION BY s.run, s.ims, s.counters_from, s.sample
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
    g.now.run                                                AS run, -- Measurement
    g.s.sysplex                                              AS sysplex, -- Sysplex name, from the 4500 of the set
    g.s.system                                               AS system, -- SMF system id, from the 4500 of the set; NULL without it
    g.s.counted_from + g.s.local_offset                      AS interval_start, -- Start of the counted time, local; NULL without a 4500
    g.s.counted_from                                         AS interval_start_utc, -- Start of the counted time, UTC: the earlier set, or the restart after it
    epoch(g.now.sample - g.s.counted_from)                   AS interval_s, -- Counted time [s]
    g.restarted                                              AS restarted, -- IMS restarted since the earlier set: counts are those since the restart
    g.now.ims                                                AS ims, -- IMS id
    g.now.ckpt_no                                            AS ckpt_no, -- Checkpoint of the later set
    g.now.sample                                             AS sample_utc, -- Time of the later set, UTC
    g.now.irlm                                               AS irlm, -- IRLM id
    g.now.irlm_group                                         AS irlm_group, -- Data sharing group of the IRLM
    g.now.structure                                          AS structure, -- Name of the lock structure
    g.lock_count                                             AS lock_count, -- Lock requests
    g.unlock_count                                           AS unlock_count, -- Unlock requests
    g.change_count                                           AS change_count, -- Requests to change the state of a lock
    g.verify_count                                           AS verify_count, -- Verify requests
    g.query_count                                            AS query_count, -- Query requests
    g.purge_count                                            AS purge_count, -- Purge requests
    g.global_count                                           AS global_count, -- Lock requests that needed another member of the group
    g.wait_count                                             AS wait_count, -- Requests that had to wait
    g.contention_count                                       AS contention_count, -- Contentions found by the lock structure
    g.settled_count                                          AS settled_count, -- Contentions settled between the IRLMs
    g.false_count                                            AS false_count, -- Contentions that were false: same hash, other resource
    g.deadlock_count                                         AS deadlock_count, -- Deadlocks
    g.timeout_count                                          AS timeout_count, -- Requests ended because they waited too long
    g.cf_request_count                                       AS cf_request_count, -- Requests to the lock structure
    g.cf_sync_count                                          AS cf_sync_count, -- Requests to the lock structure done synchronously
    g.cf_us                                                  AS cf_us, -- Time of requests to the lock structure [us]
    g.wait_us                                                AS wait_us, -- Time requests waited; 0 where it was not kept [us]
    CASE WHEN g.wait_us > 0 THEN g.wait_count ELSE 0 * g.wait_count END AS timed_wait_count, -- Requests that had to wait, where the time of waits was kept
    g.now.locks_held                                         AS locks_held, -- Locks held at the later set
    g.now.max_locks_held                                     AS max_locks_held, -- Most locks held so far, since IRLM start
    g.now.lock_entries                                       AS lock_entries, -- Entries of the lock table
    g.now.file_id                                            AS file_id, -- File of the later record
    g.now.record_no                                          AS record_no -- Later record in that file
FROM gained AS g;

-- ims_untimed_locks: one row per IMS whose IRLM counts waits for locks, but no time of any: 0 in
-- its transactions says nothing.
CREATE OR REPLACE MACRO ims_untimed_locks() AS TABLE
SELECT run, ims FROM ims_irlm GROUP BY run, ims HAVING sum(wait_count) > 0 AND sum(wait_us) = 0;
