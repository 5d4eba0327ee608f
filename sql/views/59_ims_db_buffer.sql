-- ims_db_buffer: one row per IMS, pair of statistics sets and subpool of database buffers: OSAM
-- (4504), VSAM (4508) and the 64-bit buffers of Fast Path (4522).
CREATE OR REPLACE VIEW ims_db_buffer AS
WITH osam AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'OSAM' AS kind, e.subpool AS pool, NULL::VARCHAR AS pool_type, NULL::BIGINT AS subpool,
        e.buf_size, e.buffers,
        (pool, e.buf_size) AS entry_key,
        CAST([
            e.locate, e.new_block, e.alter, e.purge, e.hit, e.searched, e.reads, e.writes,
            e.chain_writes, e.steal_writes, e.waits_buf, e.waits_lock
        ] AS HUGEINT[]) AS counters,
        e.locate, e.new_block, e.alter, e.purge, e.hit, e.searched, e.reads, e.writes,
        e.chain_writes, e.steal_writes, e.waits_buf, e.waits_lock,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4504') AS r
    JOIN ims_4504_subpool AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
vsam AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'VSAM' AS kind, e.pool_id AS pool, e."type" AS pool_type, e.subpool, e.buf_size, e.buffers,
        (pool, pool_type, e.subpool) AS entry_key,
        CAST([
            e.rba_retr, e.key_retr, e.esds_ins, e.ksds_ins, e.alter, e.bg_write, e.sync,
            e.get_hit, e.get_io, e.user_write, e.nonuser_write
        ] AS HUGEINT[]) AS counters,
        e.hs_buffers, e.rba_retr, e.key_retr, e.esds_ins, e.ksds_ins, e.alter, e.bg_write, e.sync,
        e.get_hit, e.get_io, e.user_write, e.nonuser_write,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4508') AS r
    JOIN ims_4508_subpool AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
fast_path AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'FP64' AS kind, NULL::VARCHAR AS pool, e.purpose AS pool_type, e.subpool, e.buf_size,
        e.buffers,
        (pool_type, e.subpool) AS entry_key,
        CAST([
            e.gets, e.waits, e.wait_us, e.expansions, e.compressions, e.no_space, e.steals
        ] AS HUGEINT[]) AS counters,
        e.bufs_used, e.bufs_used_max, e.extents, e.gets, e.waits, e.wait_us, e.expansions,
        e.compressions, e.no_space, e.steals,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4522') AS r
    JOIN ims_4522_subpool AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
osam_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.pool, p.now.pool_type, p.now.subpool,
        p.now.buf_size, p.now.buffers, p.now.file_id, p.now.record_no,
        ims_since(p.now.locate, p.before.locate, p.restarted) AS locate,
        ims_since(p.now.new_block, p.before.new_block, p.restarted) AS new_block,
        ims_since(p.now.alter, p.before.alter, p.restarted) AS alter,
        ims_since(p.now.purge, p.before.purge, p.restarted) AS purge,
        ims_since(p.now.hit, p.before.hit, p.restarted) AS hit,
        ims_since(p.now.searched, p.before.searched, p.restarted) AS searched,
        ims_since(p.now.reads, p.before.reads, p.restarted) AS reads,
        ims_since(p.now.writes, p.before.writes, p.restarted) AS writes,
        ims_since(p.now.chain_writes, p.before.chain_writes, p.restarted) AS chain_writes,
        ims_since(p.now.steal_writes, p.before.steal_writes, p.restarted) AS steal_writes,
        ims_since(p.now.waits_buf, p.before.waits_buf, p.restarted) AS waits_buf,
        ims_since(p.now.waits_lock, p.before.waits_lock, p.restarted) AS waits_lock
    FROM ims_entry_pairs('ims_4504', 'osam') AS p
),
vsam_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.pool, p.now.pool_type, p.now.subpool,
        p.now.buf_size, p.now.buffers, p.now.file_id, p.now.record_no, p.now.hs_buffers,
        ims_since(p.now.rba_retr, p.before.rba_retr, p.restarted) AS rba_retr,
        ims_since(p.now.key_retr, p.before.key_retr, p.restarted) AS key_retr,
        ims_since(p.now.esds_ins, p.before.esds_ins, p.restarted) AS esds_ins,
        ims_since(p.now.ksds_ins, p.before.ksds_ins, p.restarted) AS ksds_ins,
        ims_since(p.now.alter, p.before.alter, p.restarted) AS alter,
        ims_since(p.now.bg_write, p.before.bg_write, p.restarted) AS bg_write,
        ims_since(p.now.sync, p.before.sync, p.restarted) AS sync,
        ims_since(p.now.get_hit, p.before.get_hit, p.restarted) AS hit,
        ims_since(p.now.get_io, p.before.get_io, p.restarted) AS reads,
        ims_since(p.now.user_write, p.before.user_write, p.restarted) AS user_write,
        ims_since(p.now.nonuser_write, p.before.nonuser_write, p.restarted) AS nonuser_write
    FROM ims_entry_pairs('ims_4508', 'vsam') AS p
),
fast_path_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.pool, p.now.pool_type, p.now.subpool,
        p.now.buf_size, p.now.buffers, p.now.file_id, p.now.record_no, p.now.bufs_used,
        p.now.bufs_used_max, p.now.extents,
        ims_since(p.now.gets, p.before.gets, p.restarted) AS gets,
        ims_since(p.now.waits, p.before.waits, p.restarted) AS waits,
        ims_since(p.now.wait_us, p.before.wait_us, p.restarted) AS wait_us,
        ims_since(p.now.expansions, p.before.expansions, p.restarted) AS expansions,
        ims_since(p.now.compressions, p.before.compressions, p.restarted) AS compressions,
        ims_since(p.now.no_space, p.before.no_space, p.restarted) AS no_space,
        ims_since(p.now.steals, p.before.steals, p.restarted) AS steals
    FROM ims_entry_pairs('ims_4522', 'fast_path') AS p
),
gain AS (
    SELECT * FROM osam_gain
    UNION ALL BY NAME SELECT * FROM vsam_gain
    UNION ALL BY NAME SELECT * FROM fast_path_gain
)
SELECT
    g.s.run                                                  AS run, -- Measurement
    g.s.sysplex                                              AS sysplex, -- Sysplex name, from the 4500 of the set
    g.s.system                                               AS system, -- SMF system id, from the 4500 of the set; NULL without it
    g.s.counted_from + g.s.local_offset                      AS interval_start, -- Start of the counted time, local; NULL without a 4500
    g.s.counted_from                                         AS interval_start_utc, -- Start of the counted time, UTC: the earlier set, or the restart after it
    epoch(g.s.sample - g.s.counted_from)                     AS interval_s, -- Counted time [s]
    g.restarted                                              AS restarted, -- IMS restarted since the earlier set: counts are those since the restart
    g.s.ims                                                  AS ims, -- IMS id
    g.s.ckpt_no                                              AS ckpt_no, -- Checkpoint of the later set
    g.s.sample                                               AS sample_utc, -- Time of the later set, UTC
    g.kind                                                   AS kind, -- OSAM, VSAM, or FP64: 64-bit buffers of Fast Path
    g.pool                                                   AS pool, -- OSAM: id of the subpool; VSAM: id of the shared resource pool
    g.pool_type                                              AS pool_type, -- VSAM: D data, I index; FP64: B base, X extension, S shared VSO, D sequential dependents
    g.subpool                                                AS subpool, -- Number of the subpool; NULL for OSAM
    g.buf_size                                               AS buffer_size, -- Size of a buffer [bytes]
    g.buffers                                                AS buffer_count, -- Buffers of the subpool [buffers]
    g.hs_buffers                                             AS hiperspace_buffers, -- Hiperspace buffers of it [buffers]
    g.bufs_used                                              AS buffers_used, -- Buffers in use at the end [buffers]
    g.bufs_used_max                                          AS max_buffers_used, -- Most buffers in use since IMS start [buffers]
    g.extents                                                AS extents, -- Extents at the end [extents]
    g.locate                                                 AS locate_calls, -- OSAM: calls that locate a block [calls]
    g.new_block                                              AS new_block_requests, -- OSAM: requests for a new block [requests]
    g.alter                                                  AS alter_calls, -- OSAM: calls that change a buffer; VSAM: records changed [calls]
    g.purge                                                  AS purge_calls, -- OSAM: calls to write out changed buffers [calls]
    g.hit                                                    AS found_in_pool, -- Requests satisfied from the subpool without a read [requests]
    g.searched                                               AS buffers_searched, -- OSAM: buffers looked at in searches [buffers]
    g.reads                                                  AS reads, -- Reads from disk [reads]
    g.writes                                                 AS block_writes, -- OSAM: writes of one block [writes]
    g.chain_writes                                           AS chain_writes, -- OSAM: writes of several blocks chained [writes]
    g.steal_writes                                           AS steal_writes, -- OSAM: writes made only to free a buffer [writes]
    g.waits_buf                                              AS busy_waits, -- OSAM: waits because the buffer was busy [waits]
    g.waits_lock                                             AS lock_waits, -- OSAM: waits for the lock of a buffer [waits]
    g.rba_retr                                               AS rba_retrievals, -- VSAM: retrievals by RBA [calls]
    g.key_retr                                               AS key_retrievals, -- VSAM: retrievals by key [calls]
    g.esds_ins                                               AS esds_inserts, -- VSAM: records inserted into an ESDS [records]
    g.ksds_ins                                               AS ksds_inserts, -- VSAM: records inserted into a KSDS [records]
    g.bg_write                                               AS background_write_calls, -- VSAM: calls of background write [calls]
    g.sync                                                   AS sync_calls, -- VSAM: sync point calls [calls]
    g.user_write                                             AS user_writes, -- VSAM: writes that VSAM itself began [writes]
    g.nonuser_write                                          AS nonuser_writes, -- VSAM: writes that IMS began [writes]
    g.gets                                                   AS gets, -- FP64: requests for a buffer [requests]
    g.waits                                                  AS buffer_waits, -- FP64: requests that waited for a buffer [waits]
    g.wait_us                                                AS buffer_wait_us, -- FP64: time they waited [us]
    g.expansions                                             AS expansions, -- FP64: extents added [extents]
    g.compressions                                           AS compressions, -- FP64: extents given back [extents]
    g.no_space                                               AS no_space, -- FP64: requests that found no room [requests]
    g.steals                                                 AS steals, -- FP64: buffers taken from another owner [buffers]
    g.file_id                                                AS file_id, -- File of the later record
    g.record_no                                              AS record_no -- Later record in that file
FROM gain AS g;
