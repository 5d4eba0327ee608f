-- ims_cqs: one row per IMS, pair of statistics sets, CQS, client, structure and kind of request.
CREATE OR REPLACE VIEW ims_cqs AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample, r.cqs,
        e.client, e.structure, e.request,
        e.requests, e.objects, e.bytes, e.failed, e.elapsed_us, e.queue_us, e.cf_us,
        e.max_elapsed_us, r.file_id, r.record_no
    FROM ims_records_once('ims_a104') AS r
    JOIN ims_a104_request AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
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
                PARTITION BY s.run, s.ims, s.counters_from, s.sample
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
    p.now.cqs                                                AS cqs, -- Name of the CQS
    p.now.client                                             AS client, -- Name of the client (IMS)
    p.now.structure                                          AS structure, -- Structure of the shared queues
    p.now.request                                            AS request, -- Kind of request: PUT, READ, DEL and others
    ims_since(p.now.requests, p.before.requests, p.restarted) AS request_count, -- Requests
    ims_since(p.now.objects, p.before.objects, p.restarted)  AS object_count, -- Data objects handled
    ims_since(p.now.bytes, p.before.bytes, p.restarted)      AS bytes, -- Bytes handled [bytes]
    ims_since(p.now.failed, p.before.failed, p.restarted)    AS failed_count, -- Requests that ended with an error
    ims_since(p.now.elapsed_us, p.before.elapsed_us, p.restarted) AS elapsed_us, -- Time from request to answer [us]
    ims_since(p.now.queue_us, p.before.queue_us, p.restarted) AS queue_us, -- Part of it spent waiting for a task [us]
    ims_since(p.now.cf_us, p.before.cf_us, p.restarted)      AS cf_us, -- Part of it spent in the coupling facility [us]
    p.now.max_elapsed_us                                     AS max_elapsed_us, -- Longest request since IMS start [us]
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM paired AS p;
