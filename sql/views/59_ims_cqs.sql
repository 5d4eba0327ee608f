-- ims_cqs: one row per IMS, pair of statistics sets, CQS, client, structure and kind of request.
CREATE OR REPLACE VIEW ims_cqs AS
WITH entry AS (
    SELECT
        f.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample, r.cqs,
        e.client, e.structure, e.request,
        CAST(e.requests AS HUGEINT) AS requests,
        CAST(e.objects AS HUGEINT) AS objects,
        CAST(e.bytes AS HUGEINT) AS bytes,
        CAST(e.failed AS HUGEINT) AS failed,
        CAST(e.elapsed_us AS HUGEINT) AS elapsed_us,
        CAST(e.queue_us AS HUGEINT) AS queue_us,
        CAST(e.cf_us AS HUGEINT) AS cf_us,
        e.max_elapsed_us, r.file_id, r.record_no
    FROM ims_a104 AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    JOIN ims_a104_request AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
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
                now.requests < before.requests
                OR now.objects < before.objects
                OR now.bytes < before.bytes
                OR now.failed < before.failed
                OR now.elapsed_us < before.elapsed_us
                OR now.queue_us < before.queue_us
                OR now.cf_us < before.cf_us
            ) OVER (
                PARTITION BY s.run, s.ims, s.sample
            ), false)                                        AS restarted,
        now,
        before
    FROM ims_set_pairs('ims_a104') AS s
    JOIN entry AS now
        ON now.run = s.run AND now.ims = s.ims AND now.ckpt_no IS NOT DISTINCT FROM s.ckpt_no
        AND now.counters_from IS NOT DISTINCT FROM s.counters_from
    LEFT JOIN entry AS before
        ON before.run = s.run AND before.ims = s.ims
        AND before.ckpt_no IS NOT DISTINCT FROM s.previous_ckpt_no
        AND before.counters_from IS NOT DISTINCT FROM s.previous_from
        AND before.cqs = now.cqs AND before.client = now.client
        AND before.structure = now.structure AND before.request = now.request
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
    p.now.cqs                                                AS cqs,
    p.now.client                                             AS client,
    p.now.structure                                          AS structure,
    p.now.request                                            AS request,
    ims_since(p.now.requests, p.before.requests, p.restarted) AS request_count,
    ims_since(p.now.objects, p.before.objects, p.restarted)  AS object_count,
    ims_since(p.now.bytes, p.before.bytes, p.restarted)      AS bytes,
    ims_since(p.now.failed, p.before.failed, p.restarted)    AS failed_count,
    ims_since(p.now.elapsed_us, p.before.elapsed_us, p.restarted) AS elapsed_us,
    ims_since(p.now.queue_us, p.before.queue_us, p.restarted) AS queue_us,
    ims_since(p.now.cf_us, p.before.cf_us, p.restarted)      AS cf_us,
    p.now.max_elapsed_us                                     AS max_elapsed_us,
    p.now.file_id                                            AS file_id,
    p.now.record_no                                          AS record_no
FROM paired AS p;

COMMENT ON VIEW ims_cqs IS 'One row per IMS, pair of statistics sets, CQS, client, structure and kind of request';
COMMENT ON COLUMN ims_cqs.run IS 'Measurement';
COMMENT ON COLUMN ims_cqs.sysplex IS 'Sysplex name, from the 4500 of the set';
COMMENT ON COLUMN ims_cqs.system IS 'SMF system id, from the 4500 of the set; NULL without it';
COMMENT ON COLUMN ims_cqs.interval_start IS 'Start of the counted time, local; NULL without a 4500';
COMMENT ON COLUMN ims_cqs.interval_start_utc IS 'Start of the counted time, UTC: the earlier set, or the restart after it';
COMMENT ON COLUMN ims_cqs.interval_s IS 'Counted time [s]';
COMMENT ON COLUMN ims_cqs.restarted IS 'IMS restarted since the earlier set: counts are those since the restart';
COMMENT ON COLUMN ims_cqs.ims IS 'IMS id';
COMMENT ON COLUMN ims_cqs.ckpt_no IS 'Checkpoint of the later set';
COMMENT ON COLUMN ims_cqs.sample_utc IS 'Time of the later set, UTC';
COMMENT ON COLUMN ims_cqs.cqs IS 'Name of the CQS';
COMMENT ON COLUMN ims_cqs.client IS 'Name of the client (IMS)';
COMMENT ON COLUMN ims_cqs.structure IS 'Structure of the shared queues';
COMMENT ON COLUMN ims_cqs.request IS 'Kind of request: PUT, READ, DEL and others';
COMMENT ON COLUMN ims_cqs.request_count IS 'Requests';
COMMENT ON COLUMN ims_cqs.object_count IS 'Data objects handled';
COMMENT ON COLUMN ims_cqs.bytes IS 'Bytes handled [bytes]';
COMMENT ON COLUMN ims_cqs.failed_count IS 'Requests that ended with an error';
COMMENT ON COLUMN ims_cqs.elapsed_us IS 'Time from request to answer [us]';
COMMENT ON COLUMN ims_cqs.queue_us IS 'Part of it spent waiting for a task [us]';
COMMENT ON COLUMN ims_cqs.cf_us IS 'Part of it spent in the coupling facility [us]';
COMMENT ON COLUMN ims_cqs.max_elapsed_us IS 'Longest request since IMS start [us]';
COMMENT ON COLUMN ims_cqs.file_id IS 'File of the later record';
COMMENT ON COLUMN ims_cqs.record_no IS 'Later record in that file';
