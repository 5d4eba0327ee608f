-- ims_tcb: one row per IMS, pair of statistics sets and TCB: dispatcher counters (450B).
CREATE OR REPLACE VIEW ims_tcb AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        (e.tcb) AS entry_key,
        CAST([
            e.itask_dispatches, e.dispatcher_suspends, e.suspend_backouts,
            e.wrong_tcb_itask_term, e.suspend_us, e.wait_us
        ] AS HUGEINT[]) AS counters,
        e.tcb,
        e.itask_dispatches, e.dispatcher_suspends, e.suspend_backouts, e.wrong_tcb_itask_term,
        e.suspend_us, e.wait_us,
        e.maxq,
        r.file_id, r.record_no
    FROM ims_records_once('ims_450b') AS r
    JOIN ims_450b_tcb AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
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
    p.now.tcb                                                AS tcb, -- Kind of TCB
    ims_since(p.now.itask_dispatches, p.before.itask_dispatches, p.restarted) AS dispatch_count, -- ITASKs dispatched on the TCB
    ims_since(p.now.dispatcher_suspends, p.before.dispatcher_suspends, p.restarted)
                                                             AS suspend_count, -- Suspensions of the TCB for lack of work
    ims_since(p.now.suspend_backouts, p.before.suspend_backouts, p.restarted) AS backout_count, -- Suspensions given up because work came in meanwhile
    ims_since(p.now.wrong_tcb_itask_term, p.before.wrong_tcb_itask_term, p.restarted)
                                                             AS wrong_tcb_count, -- ITASKs that ended on the TCB but began on another
    ims_since(p.now.suspend_us, p.before.suspend_us, p.restarted) AS suspend_us, -- Time the TCB was suspended [us]
    ims_since(p.now.wait_us, p.before.wait_us, p.restarted)  AS wait_us, -- Time ITASKs of the TCB were ready but not dispatched [us]
    p.now.maxq                                               AS max_queue, -- Longest queue of ready ITASKs so far
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_450b', 'entry') AS p;

-- ims_tcb_work: one row per IMS, pair of statistics sets and TCB: ITASKs and CPU (450F).
CREATE OR REPLACE VIEW ims_tcb_work AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        (e.tcb) AS entry_key,
        CAST([
            e.itask_creates, e.iposts, e.iwaits, e.iswitches, e.cpu_us
        ] AS HUGEINT[]) AS counters,
        e.tcb,
        e.itask_creates, e.iposts, e.iwaits, e.iswitches, e.cpu_us,
        r.file_id, r.record_no
    FROM ims_records_once('ims_450f') AS r
    JOIN ims_450f_tcb AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
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
    p.now.tcb                                                AS tcb, -- Kind of TCB
    ims_since(p.now.itask_creates, p.before.itask_creates, p.restarted) AS create_count, -- ITASKs created
    ims_since(p.now.iposts, p.before.iposts, p.restarted)    AS ipost_count, -- Internal posts
    ims_since(p.now.iwaits, p.before.iwaits, p.restarted)    AS iwait_count, -- Internal waits
    ims_since(p.now.iswitches, p.before.iswitches, p.restarted) AS switch_count, -- Switches of an ITASK to another TCB
    ims_since(p.now.cpu_us, p.before.cpu_us, p.restarted)    AS cpu_us, -- CPU time of the TCB [us]
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_450f', 'entry') AS p;
