-- ims_scheduling: one row per IMS and pair of statistics sets: scheduling counters between them.
CREATE OR REPLACE VIEW ims_scheduling AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        1 AS entry_key,
        CAST([
            r.schedules, r.intent_fail, r.psb_pool_fail, r.dmb_pool_fail, r.work_pool_fail,
            r.prty_cutoff, r.deadlocks, r.pseudo_abend, r.quick_resched, r.psb_loads
        ] AS HUGEINT[]) AS counters,
        r.schedules, r.intent_fail, r.psb_pool_fail, r.dmb_pool_fail, r.work_pool_fail,
        r.prty_cutoff, r.deadlocks, r.pseudo_abend, r.quick_resched, r.psb_loads,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4506') AS r
)
SELECT
    p.now.run                                                AS run, -- Measurement
    p.s.sysplex                                              AS sysplex, -- Sysplex name, from the 4500 of the set
    p.s.system                                               AS system, -- SMF system id, from the 4500 of the set; NULL without it
    p.s.counted_from + p.s.local_offset                      AS interval_start, -- Start of the counted time, local; NULL without a 4500
    p.s.counted_from                                         AS interval_start_utc, -- Start of the counted time, UTC: the earlier set, or the restart after it
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s, -- Counted time [s]
    p.restarted                                              AS restarted, -- IMS restarted since the earlier set: counts are those since the restart
    p.now.ims                                                AS ims, -- IMS id
    p.now.ckpt_no                                            AS ckpt_no, -- Checkpoint of the later set
    p.now.sample                                             AS sample_utc, -- Time of the later set, UTC
    ims_since(p.now.schedules, p.before.schedules, p.restarted) AS schedules, -- Programs scheduled
    ims_since(p.now.intent_fail, p.before.intent_fail, p.restarted) AS intent_fail, -- Schedules put off: the program's intent conflicts
    ims_since(p.now.psb_pool_fail, p.before.psb_pool_fail, p.restarted) AS psb_pool_fail, -- Schedules put off: no room in the PSB pool
    ims_since(p.now.dmb_pool_fail, p.before.dmb_pool_fail, p.restarted) AS dmb_pool_fail, -- Schedules put off: no room in the DMB pool
    ims_since(p.now.work_pool_fail, p.before.work_pool_fail, p.restarted) AS work_pool_fail, -- Schedules put off: no room in the work pool
    ims_since(p.now.prty_cutoff, p.before.prty_cutoff, p.restarted) AS prty_cutoff, -- Schedules put off: priority below the cutoff
    ims_since(p.now.deadlocks, p.before.deadlocks, p.restarted) AS deadlocks, -- Deadlocks
    ims_since(p.now.pseudo_abend, p.before.pseudo_abend, p.restarted) AS pseudo_abend, -- Pseudo abends
    ims_since(p.now.quick_resched, p.before.quick_resched, p.restarted) AS quick_resched, -- Quick reschedules: the region went on with the same program
    ims_since(p.now.psb_loads, p.before.psb_loads, p.restarted) AS psb_loads, -- PSBs loaded
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_4506', 'entry') AS p;
