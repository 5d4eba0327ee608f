-- ims_since: what a counter gained since the set before; after a restart its value alone.
-- Counters have up to 64 bits and differences are taken wider: what fits no BIGINT is NULL.
CREATE OR REPLACE MACRO ims_since(now_value, before_value, restarted) AS
    TRY_CAST(now_value - CASE WHEN restarted THEN 0 ELSE before_value END AS BIGINT);

-- ims_statistics_header: one row per statistics set that has its 4500 record.
CREATE OR REPLACE VIEW ims_statistics_header AS
SELECT
    f.run                                                    AS run,
    nullif(s.sysplex, '')                                    AS sysplex,
    nullif(s.smfid, '')                                      AS system,
    s.interval_start + to_minutes(15 * s.local_offset_q::BIGINT) AS interval_start,
    s.interval_start                                         AS interval_start_utc,
    s.imsid                                                  AS ims,
    s.ckpt_no                                                AS ckpt_no,
    s.sample                                                 AS sample,
    to_minutes(15 * s.local_offset_q::BIGINT)                AS local_offset,
    CAST(s.trans_total AS HUGEINT)                           AS transactions_total_count,
    s.file_id                                                AS file_id,
    s.record_no                                              AS record_no
FROM ims_4500 AS s
JOIN load_file AS f ON f.file_id = s.file_id
-- dual logging or overlapping files: the same record once
QUALIFY s.log_lsn IS NULL OR row_number() OVER (
    PARTITION BY f.run, s.imsid, s.log_stck, s.log_lsn ORDER BY s.file_id, s.record_no
) = 1;

COMMENT ON VIEW ims_statistics_header IS 'One row per statistics set with a 4500 record';
COMMENT ON COLUMN ims_statistics_header.run IS 'Measurement';
COMMENT ON COLUMN ims_statistics_header.sysplex IS 'Sysplex name';
COMMENT ON COLUMN ims_statistics_header.system IS 'SMF system id';
COMMENT ON COLUMN ims_statistics_header.interval_start IS 'IMS start or last reset of the counters, local time';
COMMENT ON COLUMN ims_statistics_header.interval_start_utc IS 'IMS start or last reset of the counters, UTC';
COMMENT ON COLUMN ims_statistics_header.ims IS 'IMS id';
COMMENT ON COLUMN ims_statistics_header.ckpt_no IS 'Checkpoint the set belongs to';
COMMENT ON COLUMN ims_statistics_header.sample IS 'When the set was taken, UTC';
COMMENT ON COLUMN ims_statistics_header.local_offset IS 'Local time less UTC';
COMMENT ON COLUMN ims_statistics_header.transactions_total_count IS 'Transactions dequeued since IMS start';
COMMENT ON COLUMN ims_statistics_header.file_id IS 'File of the record';
COMMENT ON COLUMN ims_statistics_header.record_no IS 'Record in that file';

-- ims_set_pairs: one row per set of statistics records in a table that follows another.
-- Counters run from IMS start. What a set counts are the differences to the one before; after a
-- restart (the counters' start moved, a 06 start record between, or any counter of the set fell)
-- its values alone.
CREATE OR REPLACE MACRO ims_set_pairs(records) AS TABLE
WITH statistics_set AS (
    SELECT
        *,
        lag(sample) OVER sets                                AS previous_sample,
        lag(ckpt_no) OVER sets                               AS previous_ckpt_no,
        lag(counters_from) OVER sets                         AS previous_from
    FROM (
        SELECT
            f.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from,
            min(r.sample) AS sample
        FROM query_table(records) AS r
        JOIN load_file AS f ON f.file_id = r.file_id
        GROUP BY f.run, r.imsid, r.ckpt_no, r.interval_start
    )
    WINDOW sets AS (PARTITION BY run, ims ORDER BY sample)
),
ims_start AS (
    SELECT f.run, s.imsid AS ims, s.event_time
    FROM ims_06 AS s
    JOIN load_file AS f ON f.file_id = s.file_id
    WHERE s.event <> 'T'
),
started AS (
    SELECT p.*, s.event_time AS started_at
    FROM statistics_set AS p
    ASOF LEFT JOIN ims_start AS s ON s.run = p.run AND s.ims = p.ims AND p.sample >= s.event_time
    WHERE p.previous_sample IS NOT NULL
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
    h.local_offset
FROM started AS p
ASOF LEFT JOIN ims_statistics_header AS h
    ON h.run = p.run AND h.ims = p.ims AND h.ckpt_no = p.ckpt_no AND p.sample >= h.sample;

-- ims_statistics_set: one row per pair of statistics sets: the interval and its transactions.
CREATE OR REPLACE VIEW ims_statistics_set AS
WITH entry AS (
    SELECT
        run, ims, ckpt_no, interval_start_utc AS counters_from, sample,
        transactions_total_count AS transactions, file_id, record_no
    FROM ims_statistics_header
),
paired AS (
    SELECT
        s,
        s.restarted OR coalesce(bool_or(now.transactions < before.transactions) OVER (
            PARTITION BY s.run, s.ims, s.sample
        ), false)                                            AS restarted,
        now,
        before
    FROM ims_set_pairs('ims_4500') AS s
    JOIN entry AS now
        ON now.run = s.run AND now.ims = s.ims AND now.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
        AND now.counters_from IS NOT DISTINCT FROM s.counters_from
    LEFT JOIN entry AS before
        ON before.run = s.run AND before.ims = s.ims
        AND before.ckpt_no IS NOT DISTINCT FROM s.previous_ckpt_no
        AND before.counters_from IS NOT DISTINCT FROM s.previous_from
)
SELECT
    p.now.run                                                AS run,
    p.s.sysplex                                              AS sysplex,
    p.s.system                                               AS system,
    p.s.counted_from + p.s.local_offset                      AS interval_start,
    p.s.counted_from                                         AS interval_start_utc,
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s,
    p.restarted                                              AS restarted,
    p.now.ims                                                AS ims,
    p.now.ckpt_no                                            AS ckpt_no,
    p.now.sample                                             AS sample_utc,
    ims_since(p.now.transactions, p.before.transactions, p.restarted) AS transactions_count,
    p.now.file_id                                            AS file_id,
    p.now.record_no                                          AS record_no
FROM paired AS p;

COMMENT ON VIEW ims_statistics_set IS 'One row per pair of statistics sets that follow each other';
COMMENT ON COLUMN ims_statistics_set.run IS 'Measurement';
COMMENT ON COLUMN ims_statistics_set.sysplex IS 'Sysplex name, from the 4500 of the set';
COMMENT ON COLUMN ims_statistics_set.system IS 'SMF system id, from the 4500 of the set; NULL without it';
COMMENT ON COLUMN ims_statistics_set.interval_start IS 'Start of the counted time, local; NULL without a 4500';
COMMENT ON COLUMN ims_statistics_set.interval_start_utc IS 'Start of the counted time, UTC: the earlier set, or the restart after it';
COMMENT ON COLUMN ims_statistics_set.interval_s IS 'Counted time [s]';
COMMENT ON COLUMN ims_statistics_set.restarted IS 'IMS restarted since the earlier set: counts are those since the restart';
COMMENT ON COLUMN ims_statistics_set.ims IS 'IMS id';
COMMENT ON COLUMN ims_statistics_set.ckpt_no IS 'Checkpoint of the later set';
COMMENT ON COLUMN ims_statistics_set.sample_utc IS 'Time of the later set, UTC';
COMMENT ON COLUMN ims_statistics_set.transactions_count IS 'Transactions dequeued in the interval';
COMMENT ON COLUMN ims_statistics_set.file_id IS 'File of the later record';
COMMENT ON COLUMN ims_statistics_set.record_no IS 'Later record in that file';

-- ims_logger: one row per IMS and pair of statistics sets: what the logger did between them.
CREATE OR REPLACE VIEW ims_logger AS
WITH entry AS (
    SELECT
        f.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        CAST(r.records_written AS HUGEINT) AS records_written,
        CAST(r.bytes_written AS HUGEINT) AS bytes_written,
        CAST(r.check_write AS HUGEINT) AS check_write,
        CAST(r.wait_writes AS HUGEINT) AS wait_writes,
        CAST(r.bufwait_ckpt AS HUGEINT) AS bufwait_ckpt,
        CAST(r.bufwait_nonckpt AS HUGEINT) AS bufwait_nonckpt,
        CAST(r.awe_submitted AS HUGEINT) AS awe_submitted,
        CAST(r.wads_excpvr AS HUGEINT) AS wads_excpvr,
        CAST(r.wads_4k AS HUGEINT) AS wads_4k,
        CAST(r.olds_writes AS HUGEINT) AS olds_writes,
        CAST(r.olds_partial AS HUGEINT) AS olds_partial,
        CAST(r.olds_reads AS HUGEINT) AS olds_reads,
        CAST(r.olds_switches AS HUGEINT) AS olds_switches,
        CAST(r.wads_us AS HUGEINT) AS wads_us,
        CAST(r.olds_us AS HUGEINT) AS olds_us,
        r.buffers, r.buf_size, r.file_id, r.record_no
    FROM ims_4507 AS r
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
                now.records_written < before.records_written
                OR now.bytes_written < before.bytes_written
                OR now.check_write < before.check_write
                OR now.wait_writes < before.wait_writes
                OR now.bufwait_ckpt < before.bufwait_ckpt
                OR now.bufwait_nonckpt < before.bufwait_nonckpt
                OR now.awe_submitted < before.awe_submitted
                OR now.wads_excpvr < before.wads_excpvr
                OR now.wads_4k < before.wads_4k
                OR now.olds_writes < before.olds_writes
                OR now.olds_partial < before.olds_partial
                OR now.olds_reads < before.olds_reads
                OR now.olds_switches < before.olds_switches
                OR now.wads_us < before.wads_us
                OR now.olds_us < before.olds_us
            ) OVER (
                PARTITION BY s.run, s.ims, s.sample
            ), false)                                        AS restarted,
        now,
        before
    FROM ims_set_pairs('ims_4507') AS s
    JOIN entry AS now
        ON now.run = s.run AND now.ims = s.ims AND now.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
        AND now.counters_from IS NOT DISTINCT FROM s.counters_from
    LEFT JOIN entry AS before
        ON before.run = s.run AND before.ims = s.ims
        AND before.ckpt_no IS NOT DISTINCT FROM s.previous_ckpt_no
        AND before.counters_from IS NOT DISTINCT FROM s.previous_from
)
SELECT
    p.now.run                                                AS run,
    p.s.sysplex                                              AS sysplex,
    p.s.system                                               AS system,
    p.s.counted_from + p.s.local_offset                      AS interval_start,
    p.s.counted_from                                         AS interval_start_utc,
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s,
    p.restarted                                              AS restarted,
    p.now.ims                                                AS ims,
    p.now.ckpt_no                                            AS ckpt_no,
    p.now.sample                                             AS sample_utc,
    ims_since(p.now.records_written, p.before.records_written, p.restarted) AS records_written,
    ims_since(p.now.bytes_written, p.before.bytes_written, p.restarted) AS bytes_written,
    ims_since(p.now.check_write, p.before.check_write, p.restarted) AS check_write,
    ims_since(p.now.wait_writes, p.before.wait_writes, p.restarted) AS wait_writes,
    ims_since(p.now.bufwait_ckpt, p.before.bufwait_ckpt, p.restarted) AS bufwait_ckpt,
    ims_since(p.now.bufwait_nonckpt, p.before.bufwait_nonckpt, p.restarted) AS bufwait_nonckpt,
    ims_since(p.now.awe_submitted, p.before.awe_submitted, p.restarted) AS awe_submitted,
    ims_since(p.now.wads_excpvr, p.before.wads_excpvr, p.restarted) AS wads_excpvr,
    ims_since(p.now.wads_4k, p.before.wads_4k, p.restarted)  AS wads_4k,
    ims_since(p.now.olds_writes, p.before.olds_writes, p.restarted) AS olds_writes,
    ims_since(p.now.olds_partial, p.before.olds_partial, p.restarted) AS olds_partial,
    ims_since(p.now.olds_reads, p.before.olds_reads, p.restarted) AS olds_reads,
    ims_since(p.now.olds_switches, p.before.olds_switches, p.restarted) AS olds_switches,
    ims_since(p.now.wads_us, p.before.wads_us, p.restarted)  AS wads_us,
    ims_since(p.now.olds_us, p.before.olds_us, p.restarted)  AS olds_us,
    p.now.buffers                                            AS buffers,
    p.now.buf_size                                           AS block_size_bytes,
    p.now.file_id                                            AS file_id,
    p.now.record_no                                          AS record_no
FROM paired AS p;

COMMENT ON VIEW ims_logger IS 'One row per IMS and pair of statistics sets: logger counters between them';
COMMENT ON COLUMN ims_logger.run IS 'Measurement';
COMMENT ON COLUMN ims_logger.sysplex IS 'Sysplex name, from the 4500 of the set';
COMMENT ON COLUMN ims_logger.system IS 'SMF system id, from the 4500 of the set; NULL without it';
COMMENT ON COLUMN ims_logger.interval_start IS 'Start of the counted time, local; NULL without a 4500';
COMMENT ON COLUMN ims_logger.interval_start_utc IS 'Start of the counted time, UTC: the earlier set, or the restart after it';
COMMENT ON COLUMN ims_logger.interval_s IS 'Counted time [s]';
COMMENT ON COLUMN ims_logger.restarted IS 'IMS restarted since the earlier set: counts are those since the restart';
COMMENT ON COLUMN ims_logger.ims IS 'IMS id';
COMMENT ON COLUMN ims_logger.ckpt_no IS 'Checkpoint of the later set';
COMMENT ON COLUMN ims_logger.sample_utc IS 'Time of the later set, UTC';
COMMENT ON COLUMN ims_logger.records_written IS 'Log records written';
COMMENT ON COLUMN ims_logger.bytes_written IS 'Log bytes written';
COMMENT ON COLUMN ims_logger.check_write IS 'Check write requests';
COMMENT ON COLUMN ims_logger.wait_writes IS 'Waits for writes';
COMMENT ON COLUMN ims_logger.bufwait_ckpt IS 'Buffer waits of checkpoint callers';
COMMENT ON COLUMN ims_logger.bufwait_nonckpt IS 'Buffer waits of other callers';
COMMENT ON COLUMN ims_logger.awe_submitted IS 'AWEs submitted on write';
COMMENT ON COLUMN ims_logger.wads_excpvr IS 'WADS channel programs';
COMMENT ON COLUMN ims_logger.wads_4k IS '4 KB blocks written to the WADS';
COMMENT ON COLUMN ims_logger.olds_writes IS 'OLDS blocks written';
COMMENT ON COLUMN ims_logger.olds_partial IS 'OLDS blocks written with padding';
COMMENT ON COLUMN ims_logger.olds_reads IS 'OLDS reads';
COMMENT ON COLUMN ims_logger.olds_switches IS 'OLDS switches';
COMMENT ON COLUMN ims_logger.wads_us IS 'Time of WADS writes [us]';
COMMENT ON COLUMN ims_logger.olds_us IS 'Time of OLDS writes [us]';
COMMENT ON COLUMN ims_logger.buffers IS 'Log buffers';
COMMENT ON COLUMN ims_logger.block_size_bytes IS 'OLDS block size [bytes]';
COMMENT ON COLUMN ims_logger.file_id IS 'File of the later record';
COMMENT ON COLUMN ims_logger.record_no IS 'Later record in that file';

-- ims_latch: one row per IMS, pair of statistics sets and latch.
CREATE OR REPLACE VIEW ims_latch AS
WITH entry AS (
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
            f.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
            e.name AS latch, e.* EXCLUDE (name)
        FROM ims_450a AS r
        JOIN load_file AS f ON f.file_id = r.file_id
        JOIN ims_450a_latch AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
        -- dual logging or overlapping files: the same record once
        QUALIFY r.log_lsn IS NULL OR row_number() OVER (
            PARTITION BY f.run, r.imsid, r.log_stck, r.log_lsn, e.section_no
            ORDER BY r.file_id, r.record_no
        ) = 1
    )
    -- a generic latch has one entry per instance
    GROUP BY run, ims, ckpt_no, counters_from, sample, latch
),
paired AS (
    SELECT
        s,
        s.restarted OR coalesce(bool_or(
                now.get_shr < before.get_shr
                OR now.get_exc < before.get_exc
                OR now.cont_shr < before.cont_shr
                OR now.cont_exc < before.cont_exc
                OR now.wait_us < before.wait_us
            ) OVER (
                PARTITION BY s.run, s.ims, s.sample
            ), false)                                        AS restarted,
        now,
        before
    FROM ims_set_pairs('ims_450a') AS s
    JOIN entry AS now
        ON now.run = s.run AND now.ims = s.ims AND now.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
        AND now.counters_from IS NOT DISTINCT FROM s.counters_from
    LEFT JOIN entry AS before
        ON before.run = s.run AND before.ims = s.ims
        AND before.ckpt_no IS NOT DISTINCT FROM s.previous_ckpt_no
        AND before.counters_from IS NOT DISTINCT FROM s.previous_from
        AND before.latch = now.latch
)
SELECT
    p.now.run                                                AS run,
    p.s.sysplex                                              AS sysplex,
    p.s.system                                               AS system,
    p.s.counted_from + p.s.local_offset                      AS interval_start,
    p.s.counted_from                                         AS interval_start_utc,
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s,
    p.restarted                                              AS restarted,
    p.now.ims                                                AS ims,
    p.now.ckpt_no                                            AS ckpt_no,
    p.now.sample                                             AS sample_utc,
    p.now.latch                                              AS latch,
    ims_since(p.now.get_shr, p.before.get_shr, p.restarted)  AS shared_gets,
    ims_since(p.now.get_exc, p.before.get_exc, p.restarted)  AS exclusive_gets,
    ims_since(p.now.cont_shr, p.before.cont_shr, p.restarted) AS shared_contentions,
    ims_since(p.now.cont_exc, p.before.cont_exc, p.restarted) AS exclusive_contentions,
    ims_since(p.now.wait_us, p.before.wait_us, p.restarted)  AS wait_us,
    p.now.maxq                                               AS max_queue_since_init,
    p.now.file_id                                            AS file_id,
    p.now.record_no                                          AS record_no
FROM paired AS p;

COMMENT ON VIEW ims_latch IS 'One row per IMS, pair of statistics sets and latch; instances of a generic latch together';
COMMENT ON COLUMN ims_latch.run IS 'Measurement';
COMMENT ON COLUMN ims_latch.sysplex IS 'Sysplex name, from the 4500 of the set';
COMMENT ON COLUMN ims_latch.system IS 'SMF system id, from the 4500 of the set; NULL without it';
COMMENT ON COLUMN ims_latch.interval_start IS 'Start of the counted time, local; NULL without a 4500';
COMMENT ON COLUMN ims_latch.interval_start_utc IS 'Start of the counted time, UTC: the earlier set, or the restart after it';
COMMENT ON COLUMN ims_latch.interval_s IS 'Counted time [s]';
COMMENT ON COLUMN ims_latch.restarted IS 'IMS restarted since the earlier set: counts are those since the restart';
COMMENT ON COLUMN ims_latch.ims IS 'IMS id';
COMMENT ON COLUMN ims_latch.ckpt_no IS 'Checkpoint of the later set';
COMMENT ON COLUMN ims_latch.sample_utc IS 'Time of the later set, UTC';
COMMENT ON COLUMN ims_latch.latch IS 'Latch name';
COMMENT ON COLUMN ims_latch.shared_gets IS 'Gets in shared mode';
COMMENT ON COLUMN ims_latch.exclusive_gets IS 'Gets in exclusive mode';
COMMENT ON COLUMN ims_latch.shared_contentions IS 'Shared gets that waited';
COMMENT ON COLUMN ims_latch.exclusive_contentions IS 'Exclusive gets that waited';
COMMENT ON COLUMN ims_latch.wait_us IS 'Time waited [us]; project-defined';
COMMENT ON COLUMN ims_latch.max_queue_since_init IS 'Longest queue since IMS start';
COMMENT ON COLUMN ims_latch.file_id IS 'File of the later record';
COMMENT ON COLUMN ims_latch.record_no IS 'Later record in that file';

-- ims_fixed_pool: one row per IMS, pair of statistics sets, pool and buffer size.
CREATE OR REPLACE VIEW ims_fixed_pool AS
WITH entry AS (
    SELECT
        f.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        r.pool, e.buf_size,
        r.pool_size, r.pool_max, r.oversize, r.pool_max_restart,
        e.prim, e.sec, e.init, e.max_bufs, e.max_blocks, e.blocks, e.bufs,
        e.avg_blocks_c, e.high_blocks, e.low_blocks, e.avg_bufs_c, e.high_bufs, e.low_bufs,
        CAST(e.bytes_req AS HUGEINT) AS bytes_req,
        CAST(e.gets AS HUGEINT) AS gets,
        CAST(e."limit" AS HUGEINT) AS limit_reached,
        CAST(e.larger AS HUGEINT) AS larger,
        CAST(e.expand AS HUGEINT) AS expand,
        CAST(e.compress AS HUGEINT) AS compress,
        CAST(e.pl_noiw AS HUGEINT) AS pl_noiw,
        CAST(e.pl_iw AS HUGEINT) AS pl_iw,
        r.file_id, r.record_no
    FROM ims_450e AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    JOIN ims_450e_buffer AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
    -- dual logging or overlapping files: the same record once
    QUALIFY r.log_lsn IS NULL OR row_number() OVER (
        PARTITION BY f.run, r.imsid, r.log_stck, r.log_lsn, e.section_no
        ORDER BY r.file_id, r.record_no
    ) = 1
),
paired AS (
    SELECT
        s,
        s.restarted OR coalesce(bool_or(
                now.bytes_req < before.bytes_req
                OR now.gets < before.gets
                OR now.limit_reached < before.limit_reached
                OR now.larger < before.larger
                OR now.expand < before.expand
                OR now.compress < before.compress
                OR now.pl_noiw < before.pl_noiw
                OR now.pl_iw < before.pl_iw
            ) OVER (
                PARTITION BY s.run, s.ims, s.sample
            ), false)                                        AS restarted,
        now,
        before
    FROM ims_set_pairs('ims_450e') AS s
    JOIN entry AS now
        ON now.run = s.run AND now.ims = s.ims AND now.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
        AND now.counters_from IS NOT DISTINCT FROM s.counters_from
    LEFT JOIN entry AS before
        ON before.run = s.run AND before.ims = s.ims
        AND before.ckpt_no IS NOT DISTINCT FROM s.previous_ckpt_no
        AND before.counters_from IS NOT DISTINCT FROM s.previous_from
        AND before.pool = now.pool AND before.buf_size = now.buf_size
)
SELECT
    p.now.run                                                AS run,
    p.s.sysplex                                              AS sysplex,
    p.s.system                                               AS system,
    p.s.counted_from + p.s.local_offset                      AS interval_start,
    p.s.counted_from                                         AS interval_start_utc,
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s,
    p.restarted                                              AS restarted,
    p.now.ims                                                AS ims,
    p.now.ckpt_no                                            AS ckpt_no,
    p.now.sample                                             AS sample_utc,
    p.now.pool                                               AS pool,
    nullif(p.now.buf_size, 0)                                AS buffer_size,
    p.now.prim                                               AS primary_count,
    p.now.sec                                                AS secondary_count,
    CASE p.now.init WHEN 'Y' THEN 'YES' WHEN 'N' THEN 'NO' END AS initial_alloc,
    p.now.max_bufs                                           AS max_buffers_since_init,
    p.now.max_blocks                                         AS max_blocks_since_init,
    p.now.blocks                                             AS blocks_now,
    p.now.bufs                                               AS buffers_now,
    p.now.avg_blocks_c / 100.0                               AS avg_blocks,
    p.now.high_blocks                                        AS high_blocks,
    p.now.low_blocks                                         AS low_blocks,
    p.now.avg_bufs_c / 100.0                                 AS avg_buffers,
    p.now.high_bufs                                          AS high_buffers,
    p.now.low_bufs                                           AS low_buffers,
    CAST(p.now.pool_size AS DOUBLE)                          AS pool_size_end,
    CAST(p.now.pool_max AS DOUBLE)                           AS pool_size_max,
    CAST(p.now.oversize AS DOUBLE)                           AS oversize_bytes,
    CAST(p.now.pool_max_restart AS DOUBLE)                   AS pool_size_max_since_restart,
    ims_since(p.now.bytes_req, p.before.bytes_req, p.restarted) AS bytes_requested,
    ims_since(p.now.gets, p.before.gets, p.restarted)        AS gets,
    ims_since(p.now.limit_reached, p.before.limit_reached, p.restarted) AS upper_limit_reached,
    ims_since(p.now.larger, p.before.larger, p.restarted)    AS larger_size_used,
    ims_since(p.now.expand, p.before.expand, p.restarted)    AS blocks_allocated,
    ims_since(p.now.compress, p.before.compress, p.restarted) AS blocks_released,
    ims_since(p.now.pl_noiw, p.before.pl_noiw, p.restarted)  AS pageload_no_iwait,
    ims_since(p.now.pl_iw, p.before.pl_iw, p.restarted)      AS pageload_iwait,
    p.now.file_id                                            AS file_id,
    p.now.record_no                                          AS record_no
FROM paired AS p;

COMMENT ON VIEW ims_fixed_pool IS 'One row per IMS, pair of statistics sets, fixed pool and buffer size';
COMMENT ON COLUMN ims_fixed_pool.run IS 'Measurement';
COMMENT ON COLUMN ims_fixed_pool.sysplex IS 'Sysplex name, from the 4500 of the set';
COMMENT ON COLUMN ims_fixed_pool.system IS 'SMF system id, from the 4500 of the set; NULL without it';
COMMENT ON COLUMN ims_fixed_pool.interval_start IS 'Start of the counted time, local; NULL without a 4500';
COMMENT ON COLUMN ims_fixed_pool.interval_start_utc IS 'Start of the counted time, UTC: the earlier set, or the restart after it';
COMMENT ON COLUMN ims_fixed_pool.interval_s IS 'Counted time [s]';
COMMENT ON COLUMN ims_fixed_pool.restarted IS 'IMS restarted since the earlier set: counts are those since the restart';
COMMENT ON COLUMN ims_fixed_pool.ims IS 'IMS id';
COMMENT ON COLUMN ims_fixed_pool.ckpt_no IS 'Checkpoint of the later set';
COMMENT ON COLUMN ims_fixed_pool.sample_utc IS 'Time of the later set, UTC';
COMMENT ON COLUMN ims_fixed_pool.pool IS 'Pool name';
COMMENT ON COLUMN ims_fixed_pool.buffer_size IS 'Buffer size [bytes]; NULL = OVERSIZE';
COMMENT ON COLUMN ims_fixed_pool.primary_count IS 'Buffers in a primary block';
COMMENT ON COLUMN ims_fixed_pool.secondary_count IS 'Buffers in a secondary block';
COMMENT ON COLUMN ims_fixed_pool.initial_alloc IS 'Primary block allocated at IMS start: YES or NO';
COMMENT ON COLUMN ims_fixed_pool.max_buffers_since_init IS 'Most buffers in use since IMS start';
COMMENT ON COLUMN ims_fixed_pool.max_blocks_since_init IS 'Most blocks since IMS start';
COMMENT ON COLUMN ims_fixed_pool.blocks_now IS 'Blocks at the end';
COMMENT ON COLUMN ims_fixed_pool.buffers_now IS 'Buffers in use at the end';
COMMENT ON COLUMN ims_fixed_pool.avg_blocks IS 'Blocks, mean since the set before';
COMMENT ON COLUMN ims_fixed_pool.high_blocks IS 'Most blocks since the set before';
COMMENT ON COLUMN ims_fixed_pool.low_blocks IS 'Fewest blocks since the set before';
COMMENT ON COLUMN ims_fixed_pool.avg_buffers IS 'Buffers in use, mean since the set before';
COMMENT ON COLUMN ims_fixed_pool.high_buffers IS 'Most buffers since the set before';
COMMENT ON COLUMN ims_fixed_pool.low_buffers IS 'Fewest buffers since the set before';
COMMENT ON COLUMN ims_fixed_pool.pool_size_end IS 'Pool size at the end [bytes]';
COMMENT ON COLUMN ims_fixed_pool.pool_size_max IS 'Largest pool size since the set before [bytes]';
COMMENT ON COLUMN ims_fixed_pool.oversize_bytes IS 'Bytes in oversize blocks at the end';
COMMENT ON COLUMN ims_fixed_pool.pool_size_max_since_restart IS 'Largest pool size since IMS restart [bytes]';
COMMENT ON COLUMN ims_fixed_pool.bytes_requested IS 'Bytes requested';
COMMENT ON COLUMN ims_fixed_pool.gets IS 'Get requests';
COMMENT ON COLUMN ims_fixed_pool.upper_limit_reached IS 'Times the upper limit was reached';
COMMENT ON COLUMN ims_fixed_pool.larger_size_used IS 'Times a larger buffer was handed out';
COMMENT ON COLUMN ims_fixed_pool.blocks_allocated IS 'Blocks allocated (expansion)';
COMMENT ON COLUMN ims_fixed_pool.blocks_released IS 'Blocks released (compression)';
COMMENT ON COLUMN ims_fixed_pool.pageload_no_iwait IS 'Page load invoked, no IWAIT';
COMMENT ON COLUMN ims_fixed_pool.pageload_iwait IS 'Page load that caused IWAIT';
COMMENT ON COLUMN ims_fixed_pool.file_id IS 'File of the later record';
COMMENT ON COLUMN ims_fixed_pool.record_no IS 'Later record in that file';
