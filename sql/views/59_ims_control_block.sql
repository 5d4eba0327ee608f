-- ims_control_block: one row per IMS, pair of statistics sets, kind of control block and caller:
-- how many it got between them, by the path that gave them.
CREATE OR REPLACE VIEW ims_control_block AS
WITH pool AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        r.block, r.blocks, r.state,
        (r.block, '') AS entry_key,
        CAST([r.shortages, r.short_us, r.expansions] AS HUGEINT[]) AS counters,
        r.shortages, r.short_us, r.expansions,
        r.file_id, r.record_no
    FROM ims_records_once('ims_a10c') AS r
),
entry AS (
    SELECT
        p.run, p.ims, p.ckpt_no, p.counters_from, p.sample, p.block, e.caller, e.mode,
        (p.block, e.caller) AS entry_key,
        CAST([
            e.requests, e.from_queue, e.from_expansion, e.from_storage, e.from_own, e.lock_us
        ] AS HUGEINT[]) AS counters,
        e.requests, e.from_queue, e.from_expansion, e.from_storage, e.from_own, e.lock_us,
        p.file_id, p.record_no
    FROM pool AS p
    JOIN ims_a10c_caller AS e ON e.file_id = p.file_id AND e.record_no = p.record_no
)
SELECT
    p.now.run                                                AS run, -- Measurement
    p.s.sysplex                                              AS sysplex, -- Sysplex name, from the 4500 of the set
    p.s.system                                               AS system, -- SMF system id, from the 4500 of the set; NULL without it
    p.s.counted_from + p.s.local_offset                      AS interval_start, -- Start of the counted time, local; NULL without a 4500
    p.s.counted_from                                         AS interval_start_utc, -- Start of the counted time, UTC: the earlier set, or the restart after it
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s, -- Counted time [s]
    p.restarted OR q.restarted                               AS restarted, -- IMS restarted since the earlier set: counts are those since the restart
    p.now.ims                                                AS ims, -- IMS id
    p.now.ckpt_no                                            AS ckpt_no, -- Checkpoint of the later set
    p.now.sample                                             AS sample_utc, -- Time of the later set, UTC
    p.now.block                                              AS block, -- Kind of control block
    p.now.caller                                             AS caller, -- Who asks: OTMA its XCF input exit, LOGGER, FREE the code that frees, or another
    p.now.mode                                               AS mode, -- S SRB mode, in which the pool cannot be expanded; T task mode
    ims_since(p.now.requests, p.before.requests, p.restarted) AS request_count, -- Requests for a block
    ims_since(p.now.from_queue, p.before.from_queue, p.restarted) AS queue_count, -- Given from the queue of free blocks
    ims_since(p.now.from_expansion, p.before.from_expansion, p.restarted) AS expansion_count, -- Given by expanding the pool
    ims_since(p.now.from_storage, p.before.from_storage, p.restarted) AS storage_count, -- Given from z/OS storage, under the local lock
    ims_since(p.now.from_own, p.before.from_own, p.restarted) AS own_count, -- Given from blocks that the caller keeps
    ims_since(p.now.lock_us, p.before.lock_us, p.restarted)  AS lock_us, -- Time the local lock was held for it [us]
    q.now.blocks                                             AS blocks, -- Blocks of the pool before it expands
    q.now.state                                              AS state, -- N blocks are free, S the queue is empty
    ims_since(q.now.shortages, q.before.shortages, q.restarted) AS shortage_count, -- Times the queue of the pool became empty
    ims_since(q.now.short_us, q.before.short_us, q.restarted) AS short_us, -- Time it was empty [us]
    ims_since(q.now.expansions, q.before.expansions, q.restarted) AS expanded_count, -- Times the pool was expanded
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_a10c', 'entry') AS p
JOIN ims_entry_pairs('ims_a10c', 'pool') AS q
    ON q.now.file_id = p.now.file_id AND q.now.record_no = p.now.record_no;
