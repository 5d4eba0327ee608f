-- ims_counters_summed: the entries of `counters` (run, ims, ckpt_no, counters_from, sample, kind,
-- name, place, counter, stands_at) as `ims_entry_pairs` takes them; those of one name together.
CREATE OR REPLACE MACRO ims_counters_summed(counters) AS TABLE
SELECT
    run, ims, ckpt_no, counters_from, sample, kind, name, place, counter,
    (kind, name, place)                                      AS entry_key,
    sum(stands_at)                                           AS stands_at,
    [sum(stands_at)]                                         AS counters,
    min(file_id)                                             AS file_id,
    min(record_no)                                           AS record_no
FROM query_table(counters)
GROUP BY ALL;

-- ims_counter: one row per IMS, pair of statistics sets and counter of the message queue pool
-- (4502), an OSAM or VSAM subpool (4504, 4508) or a latch (450A): what it stood at in both sets.
-- Instances of a generic latch count together. After a restart there is no start: counters begin
-- anew.
CREATE OR REPLACE VIEW ims_counter AS
WITH queue AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'QUEUE' AS kind, NULL::VARCHAR AS name, c.place, c.counter,
        list_extract(CAST([
            r.locate, r.release, r.locate_alter, r.purge, r.drrn_xlate, r.buf_waits,
            r.reads, r.writes, r.enqueues, r.dequeues
        ] AS HUGEINT[]), c.place) AS stands_at,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4502') AS r
    CROSS JOIN (VALUES
        (1, 'LOCATE CALLS FROM QMGR'), (2, 'RECORD RELEASE CALLS FROM QMGR'),
        (3, 'LOCATE AND ALTER CALLS FROM QMGR'), (4, 'REQUESTS TO PURGE THE Q POOL'),
        (5, 'ADDRESS TO DRRN TRANSLATION REQUESTS'), (6, 'WAITS FOR A BUFFER'), (7, 'READS'),
        (8, 'WRITES'), (9, 'ENQUEUE CALLS'), (10, 'DEQUEUE CALLS')
    ) AS c (place, counter)
),
osam AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'OSAM' AS kind, e.subpool || ' ' || e.buf_size AS name, c.place, c.counter,
        list_extract(CAST([
            e.locate, e.new_block, e.alter, e.purge, e.hit, e.searched, e.reads,
            e.writes, e.chain_writes, e.steal_writes, e.waits_buf, e.waits_lock
        ] AS HUGEINT[]), c.place) AS stands_at,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4504') AS r
    JOIN ims_4504_subpool AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
    CROSS JOIN (VALUES
        (1, 'LOCATE CALLS'), (2, 'NEW BLOCKS'), (3, 'ALTER CALLS'), (4, 'PURGE CALLS'),
        (5, 'LOCATES FOUND IN POOL'), (6, 'BUFFERS SEARCHED'), (7, 'READS'), (8, 'WRITES'),
        (9, 'CHAINED WRITES'), (10, 'WRITES TO STEAL A BUFFER'), (11, 'WAITS FOR A BUFFER'),
        (12, 'WAITS FOR A LOCKED BUFFER')
    ) AS c (place, counter)
),
vsam AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'VSAM' AS kind, concat_ws(' ', e.pool_id, e."type", e.subpool) AS name, c.place, c.counter,
        list_extract(CAST([
            e.rba_retr, e.key_retr, e.esds_ins, e.ksds_ins, e.alter, e.bg_write, e.sync,
            e.get_hit, e.get_io, e.user_write, e.nonuser_write
        ] AS HUGEINT[]), c.place) AS stands_at,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4508') AS r
    JOIN ims_4508_subpool AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
    CROSS JOIN (VALUES
        (1, 'RETRIEVE BY RBA CALLS'), (2, 'RETRIEVE BY KEY CALLS'),
        (3, 'LOGICAL RECORDS INSERTED INTO ESDS'), (4, 'LOGICAL RECORDS INSERTED INTO KSDS'),
        (5, 'LOGICAL RECORDS ALTERED'), (6, 'BACKGROUND WRITES'), (7, 'SYNC POINT CALLS'),
        (8, 'REQUESTS FOUND IN POOL'), (9, 'REQUESTS THAT READ'),
        (10, 'WRITES BEGUN BY VSAM'), (11, 'WRITES BEGUN BY IMS')
    ) AS c (place, counter)
),
latch AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'LATCH' AS kind, e.name AS name, c.place, c.counter,
        list_extract(CAST([
            e.get_shr, e.get_exc, e.cont_shr, e.cont_exc
        ] AS HUGEINT[]), c.place) AS stands_at,
        r.file_id, r.record_no
    FROM ims_records_once('ims_450a') AS r
    JOIN ims_450a_latch AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
    CROSS JOIN (VALUES
        (1, 'SHARED GETS'), (2, 'EXCLUSIVE GETS'), (3, 'SHARED CONTENTIONS'),
        (4, 'EXCLUSIVE CONTENTIONS')
    ) AS c (place, counter)
),
queue_summed AS (FROM ims_counters_summed('queue')),
osam_summed AS (FROM ims_counters_summed('osam')),
vsam_summed AS (FROM ims_counters_summed('vsam')),
latch_summed AS (FROM ims_counters_summed('latch')),
pair AS (
    SELECT * FROM ims_entry_pairs('ims_4502', 'queue_summed')
    UNION ALL
    SELECT * FROM ims_entry_pairs('ims_4504', 'osam_summed')
    UNION ALL
    SELECT * FROM ims_entry_pairs('ims_4508', 'vsam_summed')
    UNION ALL
    SELECT * FROM ims_entry_pairs('ims_450a', 'latch_summed')
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
    p.now.kind                                               AS kind, -- QUEUE, OSAM, VSAM or LATCH
    p.now.name                                               AS name, -- Subpool (OSAM: with its buffer size; VSAM: shared pool, D or I, subpool) or latch; NULL of the message queue pool
    p.now.place                                              AS place, -- Order of the counters
    p.now.counter                                            AS counter, -- Counter
    CASE WHEN NOT p.restarted THEN TRY_CAST(p.before.stands_at AS BIGINT) END AS start_count, -- What it stood at in the earlier set; NULL after a restart
    TRY_CAST(p.now.stands_at AS BIGINT)                      AS end_count, -- What it stood at in the later set
    ims_since(p.now.stands_at, p.before.stands_at, p.restarted) AS difference_count, -- What was counted between them
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM pair AS p;
