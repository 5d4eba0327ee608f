-- ims_storage_pool: one row per IMS, pair of statistics sets and pool: variable pools (4505) and
-- pools of control blocks (450C). Fixed pools are in ims_fixed_pool.
CREATE OR REPLACE VIEW ims_storage_pool AS
WITH variable_pool AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'VARIABLE' AS kind, e.pool, e.location, e.pool_size, e.bytes_allocated,
        e.max_bytes_allocated, e.ave_bytes_allocated, e.largest_free,
        (e.pool, e.location) AS entry_key,
        CAST([
            e.gets, e.frees, e.bytes_requested, e.getmains, e.freemains, e.no_space, e.waits,
            e.compressions
        ] AS HUGEINT[]) AS counters,
        e.gets, e.frees, e.bytes_requested, e.getmains, e.freemains, e.no_space, e.waits,
        e.compressions,
        r.file_id, r.record_no
    FROM ims_records_once('ims_4505') AS r
    JOIN ims_4505_pool AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
block_pool AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        'BLOCKS' AS kind, e.pool, e.location, e.block_size, e.blocks_now, e.max_blocks,
        e.bytes_allocated, e.max_bytes_allocated, e.ave_bytes_allocated,
        (e.pool, e.location) AS entry_key,
        CAST([e.gets, e.frees, e.getmains, e.freemains] AS HUGEINT[]) AS counters,
        e.gets, e.frees, e.getmains, e.freemains,
        r.file_id, r.record_no
    FROM ims_records_once('ims_450c') AS r
    JOIN ims_450c_pool AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
),
variable_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.pool, p.now.location, p.now.pool_size,
        p.now.bytes_allocated, p.now.max_bytes_allocated, p.now.ave_bytes_allocated,
        p.now.largest_free, p.now.file_id, p.now.record_no,
        ims_since(p.now.gets, p.before.gets, p.restarted) AS gets,
        ims_since(p.now.frees, p.before.frees, p.restarted) AS frees,
        ims_since(p.now.bytes_requested, p.before.bytes_requested, p.restarted) AS bytes_requested,
        ims_since(p.now.getmains, p.before.getmains, p.restarted) AS getmains,
        ims_since(p.now.freemains, p.before.freemains, p.restarted) AS freemains,
        ims_since(p.now.no_space, p.before.no_space, p.restarted) AS no_space,
        ims_since(p.now.waits, p.before.waits, p.restarted) AS waits,
        ims_since(p.now.compressions, p.before.compressions, p.restarted) AS compressions
    FROM ims_entry_pairs('ims_4505', 'variable_pool') AS p
),
block_gain AS (
    SELECT
        p.s, p.restarted, p.now.kind, p.now.pool, p.now.location, p.now.block_size,
        p.now.blocks_now, p.now.max_blocks, p.now.bytes_allocated, p.now.max_bytes_allocated,
        p.now.ave_bytes_allocated, p.now.file_id, p.now.record_no,
        ims_since(p.now.gets, p.before.gets, p.restarted) AS gets,
        ims_since(p.now.frees, p.before.frees, p.restarted) AS frees,
        ims_since(p.now.getmains, p.before.getmains, p.restarted) AS getmains,
        ims_since(p.now.freemains, p.before.freemains, p.restarted) AS freemains
    FROM ims_entry_pairs('ims_450c', 'block_pool') AS p
),
gain AS (
    SELECT * FROM variable_gain
    UNION ALL BY NAME SELECT * FROM block_gain
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
    g.kind                                                   AS kind, -- VARIABLE: variable pool; BLOCKS: pool of control blocks
    g.pool                                                   AS pool, -- Name of the pool, or of the type of block
    CASE g.location WHEN 'C' THEN 'CSA' WHEN 'E' THEN 'ECSA' WHEN 'P' THEN 'PVT'
        WHEN 'X' THEN 'EPVT' WHEN '6' THEN '64-BIT' ELSE g.location END AS location, -- Where it is: CSA, ECSA, PVT (private), EPVT (extended private), 64-BIT
    g.pool_size                                              AS size_bytes, -- Size the pool is defined with [bytes]
    g.block_size                                             AS block_bytes, -- Size of one block [bytes]
    g.blocks_now                                             AS blocks, -- Blocks in use at the end [blocks]
    g.max_blocks                                             AS max_blocks, -- Most blocks in use since IMS start [blocks]
    g.bytes_allocated                                        AS bytes_allocated, -- Storage in use at the end [bytes]
    g.max_bytes_allocated                                    AS max_bytes_allocated, -- Most storage in use since IMS start [bytes]
    g.ave_bytes_allocated                                    AS ave_bytes_allocated, -- Mean storage in use since the set before [bytes]
    g.largest_free                                           AS largest_free_bytes, -- Largest free piece at the end [bytes]
    g.gets                                                   AS gets, -- Requests for storage or a block [requests]
    g.frees                                                  AS frees, -- Pieces or blocks given back [requests]
    g.bytes_requested                                        AS bytes_requested, -- Sum of the requested sizes [bytes]
    g.getmains                                               AS getmains, -- Requests passed on to the system [calls]
    g.freemains                                              AS freemains, -- Storage given back to the system [calls]
    g.no_space                                               AS no_space, -- Requests that found no room [requests]
    g.waits                                                  AS waits, -- Requests that waited for room [requests]
    g.compressions                                           AS compressions, -- Compressions of the pool
    g.file_id                                                AS file_id, -- File of the later record
    g.record_no                                              AS record_no -- Later record in that file
FROM gain AS g;

-- ims_storage_area: one row per IMS, pair of statistics sets, address space and area of storage
-- (4511). The record has no counters: what stands here is that of the later set.
CREATE OR REPLACE VIEW ims_storage_area AS
WITH region AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from,
        'CONTROL' AS region, r.* EXCLUDE (run, ckpt_no, interval_start)
    FROM ims_records_once('ims_4511') AS r
),
control AS (
    SELECT
        r.run, r.ims, r.ckpt_no, r.counters_from, r.region, r.jobname, a.place, a.area,
        CASE a.place WHEN 1 THEN r.size_24bit_csa WHEN 2 THEN r.size_24bit_sqa
            WHEN 3 THEN r.size_24bit_priv WHEN 5 THEN r.size_31bit_csa
            WHEN 6 THEN r.size_31bit_sqa WHEN 7 THEN r.size_31bit_priv END AS size_bytes,
        CASE a.place WHEN 1 THEN r.alloc_24bit_csa WHEN 3 THEN r.alloc_24bit_user_priv
            WHEN 4 THEN r.alloc_24bit_lsqa WHEN 5 THEN r.alloc_31bit_csa
            WHEN 7 THEN r.alloc_31bit_user_priv WHEN 8 THEN r.alloc_31bit_lsqa
            WHEN 9 THEN r.alloc_64bit_priv WHEN 10 THEN r.alloc_64bit_common
            END AS bytes_allocated,
        CASE a.place WHEN 1 THEN r.max_alloc_24bit_csa WHEN 2 THEN r.max_alloc_24bit_sqa
            WHEN 3 THEN r.max_alloc_24bit_user_priv WHEN 5 THEN r.max_alloc_31bit_csa
            WHEN 6 THEN r.max_alloc_31bit_sqa WHEN 7 THEN r.max_alloc_31bit_user_priv
            WHEN 9 THEN r.max_alloc_64bit_priv END AS max_bytes_allocated,
        CASE WHEN a.place = 10 THEN r.backed_64bit_common END AS backed_bytes,
        CASE WHEN a.place = 10 THEN r.fixed_64bit_common END AS fixed_bytes,
        r.file_id, r.record_no
    FROM region AS r
    CROSS JOIN (VALUES
        (1, 'CSA'), (2, 'SQA'), (3, 'PVT'), (4, 'LSQA'), (5, 'ECSA'), (6, 'ESQA'), (7, 'EPVT'),
        (8, 'ELSQA'), (9, '64-BIT PVT'), (10, '64-BIT COMMON')
    ) AS a (place, area)
),
dli AS (
    SELECT
        r.run, r.ims, r.ckpt_no, r.counters_from, 'DLI/SAS' AS region, d.jobname, a.place, a.area,
        CASE a.place WHEN 3 THEN d.size_24bit_priv WHEN 7 THEN d.size_31bit_priv
            END AS size_bytes,
        CASE a.place WHEN 3 THEN d.alloc_24bit_user_priv WHEN 7 THEN d.alloc_31bit_user_priv
            WHEN 9 THEN d.alloc_64bit_priv END AS bytes_allocated,
        CASE a.place WHEN 3 THEN d.max_alloc_24bit_user_priv
            WHEN 7 THEN d.max_alloc_31bit_user_priv WHEN 9 THEN d.max_alloc_64bit_priv
            END AS max_bytes_allocated,
        r.file_id, r.record_no
    FROM region AS r
    JOIN ims_4511_dlisas AS d ON d.file_id = r.file_id AND d.record_no = r.record_no
    CROSS JOIN (VALUES (3, 'PVT'), (7, 'EPVT'), (9, '64-BIT PVT')) AS a (place, area)
),
area AS (
    SELECT * FROM control
    UNION ALL BY NAME SELECT * FROM dli
)
SELECT
    s.run                                                    AS run, -- Measurement
    s.sysplex                                                AS sysplex, -- Sysplex name, from the 4500 of the set
    s.system                                                 AS system, -- SMF system id, from the 4500 of the set; NULL without it
    s.counted_from + s.local_offset                          AS interval_start, -- Start of the time between the sets, local; NULL without a 4500
    s.counted_from                                           AS interval_start_utc, -- Start of the time between the sets, UTC
    epoch(s.sample - s.counted_from)                         AS interval_s, -- Time between the sets [s]
    s.restarted                                              AS restarted, -- IMS restarted since the earlier set
    s.ims                                                    AS ims, -- IMS id
    s.ckpt_no                                                AS ckpt_no, -- Checkpoint of the later set
    s.sample                                                 AS sample_utc, -- Time of the later set, UTC
    a.region                                                 AS region, -- CONTROL or DLI/SAS: the address space
    a.jobname                                                AS jobname, -- Its job
    a.place                                                  AS place, -- Place of the area in a list
    a.area                                                   AS area, -- CSA, SQA, PVT, LSQA; with E above 16 MB; 64-BIT PVT, 64-BIT COMMON
    a.size_bytes                                             AS size_bytes, -- Size of the area [bytes]
    a.bytes_allocated                                        AS bytes_allocated, -- In use at the end [bytes]
    a.max_bytes_allocated                                    AS max_bytes_allocated, -- Most in use since IMS start [bytes]
    a.backed_bytes                                           AS backed_bytes, -- Backed in real storage at the end [bytes]
    a.fixed_bytes                                            AS fixed_bytes, -- Fixed in real storage at the end [bytes]
    a.file_id                                                AS file_id, -- File of the later record
    a.record_no                                              AS record_no -- Later record in that file
FROM ims_set_pairs('ims_4511') AS s
JOIN area AS a
    ON a.run = s.run AND a.ims = s.ims AND a.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
    AND a.counters_from IS NOT DISTINCT FROM s.counters_from;
