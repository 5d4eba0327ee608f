-- ims_since: what a counter gained since the set before; after a restart its value alone.
-- Counters have up to 64 bits and differences are taken wider: what fits no BIGINT is NULL.
CREATE OR REPLACE MACRO ims_since(now_value, before_value, restarted) AS
    TRY_CAST(
        CAST(now_value AS HUGEINT) - CASE WHEN restarted THEN 0 ELSE before_value END AS BIGINT
    );

-- ims_statistics_header: one row per statistics set with a 4500 record.
CREATE OR REPLACE VIEW ims_statistics_header AS
SELECT
    s.run                                                    AS run, -- Measurement
    nullif(s.sysplex, '')                                    AS sysplex, -- Sysplex name
    nullif(s.smfid, '')                                      AS system, -- SMF system id
    s.interval_start + to_minutes(15 * s.local_offset_q::BIGINT) AS interval_start, -- IMS start or last reset of the counters, local time
    s.interval_start                                         AS interval_start_utc, -- IMS start or last reset of the counters, UTC
    s.imsid                                                  AS ims, -- IMS id
    s.ckpt_no                                                AS ckpt_no, -- Checkpoint the set belongs to
    s.sample                                                 AS sample, -- When the set was taken, UTC
    to_minutes(15 * s.local_offset_q::BIGINT)                AS local_offset, -- Local time less UTC
    CAST(s.trans_total AS HUGEINT)                           AS transactions_total_count, -- Transactions dequeued since IMS start
    s.file_id                                                AS file_id, -- File of the record
    s.record_no                                              AS record_no -- Record in that file
FROM ims_records_once('ims_4500') AS s;

-- ims_set_pairs: one row per set of statistics records in a table that follows another.
-- Counters run from IMS start, and a set says which. What it counts are the differences to the set
-- before of the same start; after a restart (a 06 start record between that is no other start's,
-- or any counter of the set fell) its values alone. The first set of a start is counted alone where
-- the run has earlier starts and all their sets are of before: else two starts overlap, and the
-- time since its own is counted already.
CREATE OR REPLACE MACRO ims_set_pairs(records) AS TABLE
WITH statistics_set AS (
    SELECT
        f.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from,
        min(r.sample) AS sample
    FROM query_table(records) AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    GROUP BY f.run, r.imsid, r.ckpt_no, r.interval_start
),
following AS (
    SELECT
        *,
        lag(sample) OVER sets                                AS previous_sample,
        lag(ckpt_no) OVER sets                               AS previous_ckpt_no,
        lag(counters_from) OVER sets                         AS previous_from
    FROM statistics_set
    WINDOW
        sets AS (PARTITION BY run, ims ORDER BY counters_from, sample),
        -- written out: Spark gives no frame to a window that has a name
        earlier AS (
            PARTITION BY run, ims ORDER BY counters_from, sample
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
    QUALIFY
        previous_sample IS NOT NULL AND counters_from IS NOT DISTINCT FROM previous_from
        OR counters_from >= max(sample) OVER earlier
),
begun AS (
    SELECT f.run, s.imsid AS ims, s.event_time
    FROM ims_06 AS s
    JOIN load_file AS f ON f.file_id = s.file_id
    WHERE s.event <> 'T'
),
started AS (
    SELECT
        p.*,
        CASE WHEN p.previous_sample < o.counters_from AND o.counters_from <> p.counters_from
            THEN NULL ELSE s.event_time END                  AS started_at
    FROM following AS p
    ASOF LEFT JOIN begun AS s ON s.run = p.run AND s.ims = p.ims AND p.sample >= s.event_time
    ASOF LEFT JOIN (SELECT DISTINCT run, ims, counters_from FROM statistics_set) AS o
        ON o.run = p.run AND o.ims = p.ims AND p.sample >= o.counters_from
)
SELECT
    p.run,
    p.ims,
    p.ckpt_no,
    p.counters_from,
    p.sample,
    p.previous_ckpt_no,
    p.previous_from,
    -- the earlier set, or the restart after it
    greatest(p.previous_sample, p.started_at,
        CASE WHEN p.counters_from IS DISTINCT FROM p.previous_from THEN p.counters_from END)
                                                             AS counted_from,
    coalesce(p.started_at > p.previous_sample, false)
        OR p.counters_from IS DISTINCT FROM p.previous_from  AS restarted,
    h.sysplex,
    h.system,
    -- clocks may be set between two sets: that of the start is the one of the earlier set
    CASE WHEN h.local_offset IS NULL THEN NULL
        ELSE coalesce(c.local_offset, h.local_offset) END    AS local_offset
FROM started AS p
ASOF LEFT JOIN ims_statistics_header AS h
    ON h.run = p.run AND h.ims = p.ims AND h.ckpt_no = p.ckpt_no
    AND h.interval_start_utc IS NOT DISTINCT FROM p.counters_from AND p.sample >= h.sample
ASOF LEFT JOIN ims_statistics_header AS c
    ON c.run = p.run AND c.ims = p.ims
    AND c.interval_start_utc IS NOT DISTINCT FROM p.previous_from AND p.previous_sample >= c.sample;

-- ims_fell: whether any counter of a list is smaller than before.
CREATE OR REPLACE MACRO ims_fell(now_counters, before_counters) AS
    list_bool_or(list_transform(
        list_zip(now_counters, before_counters), lambda pair: pair[1] < pair[2]
    ));

-- ims_entry_pairs: one row per entry of a set of statistics records that follows another, with the
-- same entry of the set before. `records` is the table of the records; `entries` has their entries
-- with run, ims, ckpt_no, counters_from, sample, entry_key (what an entry is about) and counters
-- (a list of all that only grow until IMS restarts). A window would hand on the rows of each set by
-- themselves, and all that reads them would take the longer.
CREATE OR REPLACE MACRO ims_entry_pairs(records, entries) AS TABLE
WITH pair AS (
    SELECT s, now, before
    FROM ims_set_pairs(records) AS s
    JOIN query_table(entries) AS now
        ON now.run = s.run AND now.ims = s.ims AND now.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
        AND now.counters_from IS NOT DISTINCT FROM s.counters_from
    LEFT JOIN query_table(entries) AS before
        ON before.run = s.run AND before.ims = s.ims
        AND before.ckpt_no IS NOT DISTINCT FROM s.previous_ckpt_no
        AND before.counters_from IS NOT DISTINCT FROM s.previous_from
        AND before.entry_key = now.entry_key
),
fallen AS (
    SELECT DISTINCT
        p.s.run AS run, p.s.ims AS ims, p.s.counters_from AS counters_from, p.s.sample AS sample
    FROM pair AS p
    WHERE ims_fell(p.now.counters, p.before.counters)
)
SELECT
    p.s,
    p.s.restarted OR f.run IS NOT NULL                       AS restarted,
    p.now,
    p.before
FROM pair AS p
LEFT JOIN fallen AS f
    ON f.run = p.s.run AND f.ims = p.s.ims
    AND f.counters_from IS NOT DISTINCT FROM p.s.counters_from
    AND f.sample IS NOT DISTINCT FROM p.s.sample;

-- ims_statistics_set: one row per pair of statistics sets that follow each other.
CREATE OR REPLACE VIEW ims_statistics_set AS
WITH entry AS (
    SELECT
        run, ims, ckpt_no, interval_start_utc AS counters_from, sample,
        1 AS entry_key,
        [transactions_total_count] AS counters,
        transactions_total_count AS transactions, file_id, record_no
    FROM ims_statistics_header
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
    ims_since(p.now.transactions, p.before.transactions, p.restarted) AS transactions_count, -- Transactions dequeued in the interval
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_4500', 'entry') AS p;

-- ims_logger: one row per IMS and pair of statistics sets: logger counters between them.
CREATE OR REPLACE VIEW ims_logger AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        1 AS entry_key,
        CAST([
            r.records_written, r.bytes_written, r.check_write, r.wait_writes, r.bufwait_ckpt,
            r.bufwait_nonckpt, r.awe_submitted, r.wads_excpvr, r.wads_4k, r.olds_writes,
            r.olds_partial, r.olds_reads, r.olds_switches, r.wads_us, r.olds_us
        ] AS HUGEINT[]) AS counters,
        r.records_written, r.bytes_written, r.check_write, r.wait_writes, r.bufwait_ckpt,
        r.bufwait_nonckpt, r.awe_submitted, r.wads_excpvr, r.wads_4k, r.olds_writes,
        r.olds_partial, r.olds_reads, r.olds_switches, r.wads_us, r.olds_us,
        r.buffers, r.buf_size, r.file_id, r.record_no
    FROM ims_records_once('ims_4507') AS r
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
    ims_since(p.now.records_written, p.before.records_written, p.restarted) AS records_written, -- Log records written
    ims_since(p.now.bytes_written, p.before.bytes_written, p.restarted) AS bytes_written, -- Log bytes written
    ims_since(p.now.check_write, p.before.check_write, p.restarted) AS check_write, -- Check write requests
    ims_since(p.now.wait_writes, p.before.wait_writes, p.restarted) AS wait_writes, -- Waits for writes
    ims_since(p.now.bufwait_ckpt, p.before.bufwait_ckpt, p.restarted) AS bufwait_ckpt, -- Buffer waits of checkpoint callers
    ims_since(p.now.bufwait_nonckpt, p.before.bufwait_nonckpt, p.restarted) AS bufwait_nonckpt, -- Buffer waits of other callers
    ims_since(p.now.awe_submitted, p.before.awe_submitted, p.restarted) AS awe_submitted, -- AWEs submitted on write
    ims_since(p.now.wads_excpvr, p.before.wads_excpvr, p.restarted) AS wads_excpvr, -- WADS channel programs
    ims_since(p.now.wads_4k, p.before.wads_4k, p.restarted)  AS wads_4k, -- 4 KB blocks written to the WADS
    ims_since(p.now.olds_writes, p.before.olds_writes, p.restarted) AS olds_writes, -- OLDS blocks written
    ims_since(p.now.olds_partial, p.before.olds_partial, p.restarted) AS olds_partial, -- OLDS blocks written with padding
    ims_since(p.now.olds_reads, p.before.olds_reads, p.restarted) AS olds_reads, -- OLDS reads
    ims_since(p.now.olds_switches, p.before.olds_switches, p.restarted) AS olds_switches, -- OLDS switches
    ims_since(p.now.wads_us, p.before.wads_us, p.restarted)  AS wads_us, -- Time of WADS writes [us]
    ims_since(p.now.olds_us, p.before.olds_us, p.restarted)  AS olds_us, -- Time of OLDS writes [us]
    p.now.buffers                                            AS buffers, -- Log buffers
    p.now.buf_size                                           AS block_size_bytes, -- OLDS block size [bytes]
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_4507', 'entry') AS p;

-- ims_latch: one row per IMS, pair of statistics sets and latch; instances of a generic latch
-- together.
CREATE OR REPLACE VIEW ims_latch AS
WITH counted AS (
    SELECT
        run, ims, ckpt_no, counters_from, sample, latch,
        sum(CAST(get_shr AS HUGEINT)) AS get_shr,
        sum(CAST(get_exc AS HUGEINT)) AS get_exc,
        sum(CAST(cont_shr AS HUGEINT)) AS cont_shr,
        sum(CAST(cont_exc AS HUGEINT)) AS cont_exc,
        sum(CAST(wait_us AS HUGEINT)) AS wait_us,
        max(maxq) AS maxq, min(file_id) AS file_id, min(record_no) AS record_no
    FROM (
        SELECT
            r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
            e.name AS latch, e.* EXCLUDE (name)
        FROM ims_records_once('ims_450a') AS r
        JOIN ims_450a_latch AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
    )
    -- a generic latch has one entry per instance
    GROUP BY run, ims, ckpt_no, counters_from, sample, latch
),
entry AS (
    SELECT
        *, latch AS entry_key,
        [get_shr, get_exc, cont_shr, cont_exc, wait_us] AS counters
    FROM counted
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
    p.now.latch                                              AS latch, -- Latch name
    ims_since(p.now.get_shr, p.before.get_shr, p.restarted)  AS shared_gets, -- Gets in shared mode
    ims_since(p.now.get_exc, p.before.get_exc, p.restarted)  AS exclusive_gets, -- Gets in exclusive mode
    ims_since(p.now.cont_shr, p.before.cont_shr, p.restarted) AS shared_contentions, -- Shared gets that waited
    ims_since(p.now.cont_exc, p.before.cont_exc, p.restarted) AS exclusive_contentions, -- Exclusive gets that waited
    ims_since(p.now.wait_us, p.before.wait_us, p.restarted)  AS wait_us, -- Time waited [us]; project-defined
    p.now.maxq                                               AS max_queue_since_init, -- Longest queue since IMS start
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_450a', 'entry') AS p;

-- ims_fixed_pool: one row per IMS, pair of statistics sets, fixed pool and buffer size.
CREATE OR REPLACE VIEW ims_fixed_pool AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        (r.pool, e.buf_size) AS entry_key,
        CAST([
            e.bytes_req, e.gets, e."limit", e.larger, e.expand, e.compress, e.pl_noiw, e.pl_iw
        ] AS HUGEINT[]) AS counters,
        r.pool, e.buf_size,
        r.pool_size, r.pool_max, r.oversize, r.pool_max_restart,
        e.prim, e.sec, e.init, e.max_bufs, e.max_blocks, e.blocks, e.bufs,
        e.avg_blocks_c, e.high_blocks, e.low_blocks, e.avg_bufs_c, e.high_bufs, e.low_bufs,
        e.bytes_req, e.gets, e."limit" AS limit_reached, e.larger, e.expand, e.compress,
        e.pl_noiw, e.pl_iw,
        r.file_id, r.record_no
    FROM ims_records_once('ims_450e') AS r
    JOIN ims_450e_buffer AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
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
    p.now.pool                                               AS pool, -- Pool name
    nullif(p.now.buf_size, 0)                                AS buffer_size, -- Buffer size [bytes]; NULL = OVERSIZE
    p.now.prim                                               AS primary_count, -- Buffers in a primary block
    p.now.sec                                                AS secondary_count, -- Buffers in a secondary block
    CASE p.now.init WHEN 'Y' THEN 'YES' WHEN 'N' THEN 'NO' END AS initial_alloc, -- Primary block allocated at IMS start: YES or NO
    p.now.max_bufs                                           AS max_buffers_since_init, -- Most buffers in use since IMS start
    p.now.max_blocks                                         AS max_blocks_since_init, -- Most blocks since IMS start
    p.now.blocks                                             AS blocks_now, -- Blocks at the end
    p.now.bufs                                               AS buffers_now, -- Buffers in use at the end
    p.now.avg_blocks_c / 100.0                               AS avg_blocks, -- Blocks, mean since the set before
    p.now.high_blocks                                        AS high_blocks, -- Most blocks since the set before
    p.now.low_blocks                                         AS low_blocks, -- Fewest blocks since the set before
    p.now.avg_bufs_c / 100.0                                 AS avg_buffers, -- Buffers in use, mean since the set before
    p.now.high_bufs                                          AS high_buffers, -- Most buffers since the set before
    p.now.low_bufs                                           AS low_buffers, -- Fewest buffers since the set before
    CAST(p.now.pool_size AS DOUBLE)                          AS pool_size_end, -- Pool size at the end [bytes]
    CAST(p.now.pool_max AS DOUBLE)                           AS pool_size_max, -- Largest pool size since the set before [bytes]
    CAST(p.now.oversize AS DOUBLE)                           AS oversize_bytes, -- Bytes in oversize blocks at the end
    CAST(p.now.pool_max_restart AS DOUBLE)                   AS pool_size_max_since_restart, -- Largest pool size since IMS restart [bytes]
    ims_since(p.now.bytes_req, p.before.bytes_req, p.restarted) AS bytes_requested, -- Bytes requested
    ims_since(p.now.gets, p.before.gets, p.restarted)        AS gets, -- Get requests
    ims_since(p.now.limit_reached, p.before.limit_reached, p.restarted) AS upper_limit_reached, -- Times the upper limit was reached
    ims_since(p.now.larger, p.before.larger, p.restarted)    AS larger_size_used, -- Times a larger buffer was handed out
    ims_since(p.now.expand, p.before.expand, p.restarted)    AS blocks_allocated, -- Blocks allocated (expansion)
    ims_since(p.now.compress, p.before.compress, p.restarted) AS blocks_released, -- Blocks released (compression)
    ims_since(p.now.pl_noiw, p.before.pl_noiw, p.restarted)  AS pageload_no_iwait, -- Page load invoked, no IWAIT
    ims_since(p.now.pl_iw, p.before.pl_iw, p.restarted)      AS pageload_iwait, -- Page load that caused IWAIT
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_450e', 'entry') AS p;

-- ims_with_transactions: the rows of a view of differences of statistics sets, with the
-- transactions of the same time; NULL where they were counted for longer, for want of a 4500.
CREATE OR REPLACE MACRO ims_with_transactions(differences) AS TABLE
SELECT
    d.*,
    CASE WHEN abs(t.interval_s - d.interval_s) < 1 AND t.restarted = d.restarted
        THEN t.transactions_count END                        AS transactions_count -- Transactions dequeued in the interval
FROM query_table(differences) AS d
ASOF LEFT JOIN ims_statistics_set AS t
    ON t.run = d.run AND t.ims = d.ims AND t.ckpt_no = d.ckpt_no AND d.sample_utc >= t.sample_utc;
