-- cics_task: one row per performance record of CICS (110.1): a task, or a part of one where the
-- region writes at terminal conversations or sync points. It is of the RMF interval of the run in
-- which it ended; without one its interval is NULL. Systems have the name that RMF records of the
-- run give them, else their SMF id.
CREATE OR REPLACE VIEW cics_task AS
WITH task AS (
    SELECT
        f.run,
        p.smfmnspn                                   AS region,
        p.smfmnjbn                                   AS job,
        t.*
    FROM smf110_1_performance AS t
    JOIN smf110_1_product AS p ON p.file_id = t.file_id AND p.record_no = t.record_no
    JOIN load_file AS f ON f.file_id = t.file_id
    -- overlapping dumps: the same task once
    QUALIFY counts_once(
        (f.run, t.system, p.smfmnspn, t.tran, t.trannum, t.start, t.stop),
        (t.file_id, t.record_no, t.section_no)
    )
),
named AS (
    SELECT t.*, k.sysplex, coalesce(k.name, t.system) AS system_name
    FROM task AS t
    LEFT JOIN smf_file_systems() AS k ON k.file_id = t.file_id AND k.sid = t.system
),
placed AS (
    SELECT
        t.*,
        i.interval_start                             AS begins,
        i.interval_start_utc                         AS begins_utc,
        i.interval_s                                 AS seconds,
        t.stop < i.interval_start_utc + to_microseconds((1e6 * i.interval_s)::BIGINT) AS inside
    FROM named AS t
    ASOF LEFT JOIN rmf_cpu_interval AS i
        ON i.run = t.run AND i.sysplex IS NOT DISTINCT FROM t.sysplex
        AND i.system = t.system_name AND t.stop >= i.interval_start_utc
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name, where RMF records of the run tell it
    system_name                                      AS system, -- System name where RMF records of the run tell it, else the SMF id
    CASE WHEN inside THEN begins END                 AS interval_start, -- Interval start, local time of the system; NULL outside of RMF intervals
    CASE WHEN inside THEN begins_utc END             AS interval_start_utc, -- Interval start, UTC
    CASE WHEN inside THEN seconds END                AS interval_s, -- Length of the interval [s]
    region                                           AS region, -- Specific APPLID of the region
    nullif(job, '')                                  AS job, -- Job name of the region
    tran                                             AS tran, -- Transaction id
    trannum                                          AS task_no, -- Transaction number
    start                                            AS start_utc, -- Start of what the record measures, UTC
    stop                                             AS stop_utc, -- End of what it measures, UTC
    coalesce(nullif(rtype, ''), 'T') = 'T'           AS ended, -- Written as the task ended; false for the parts before
    epoch_us(stop) - epoch_us(start)                 AS response_us, -- From start to end [us]
    usrdispt_us                                      AS dispatch_us, -- Dispatched, on all TCBs [us]
    usrcput_us                                       AS cpu_us, -- CPU time, on all TCBs [us]
    susptime_us                                      AS suspend_us, -- Suspended, waits for dispatch among it [us]
    dispwtt_us                                       AS redispatch_us, -- Ready again and not yet dispatched, part of suspended [us]
    qrdispt_us                                       AS qr_us, -- Dispatched on the QR TCB [us]
    mxtdelay_us                                      AS mxt_wait_us, -- Waiting for first dispatch: limit of tasks (MXT) [us]
    imsreqct::DOUBLE                                 AS ims_count, -- DL/I requests through DBCTL
    imswait_us                                       AS ims_wait_us, -- Waiting for DBCTL, part of suspended [us]
    db2reqct::DOUBLE                                 AS db2_count, -- Db2 requests
    db2conwt_us + db2rdyqw_us                        AS db2_wait_us, -- Waiting for a connection or thread to Db2 [us]
    fciowtt_us                                       AS file_wait_us, -- Waiting for files, part of suspended [us]
    nullif(abcodec, '')                              AS abend_code, -- Abend code, the last
    file_id                                          AS file_id, -- File of the record
    record_no                                        AS record_no, -- Record in that file
    section_no                                       AS section_no -- Data record in the record
FROM placed;

-- zos_connect_request: one row per request to a z/OS Connect server as API provider (123). Records
-- of version 1 tell the whole time and no parts of it. It is of the RMF interval of the run in
-- which it ended; without one its interval is NULL.
CREATE OR REPLACE VIEW zos_connect_request AS
WITH written AS (
    SELECT
        r.file_id, r.record_no, r.section_no,
        s.smf123_server_system                       AS system_name,
        nullif(s.smf123_server_sysplex, '')          AS sysplex,
        s.smf123_server_jobname                      AS server,
        coalesce(nullif(r.smf123s1_api_name, ''), nullif(r.smf123s1_service_name, '')) AS api,
        r.smf123s1_http_resp_code::INTEGER           AS code,
        r.smf123s1_req_method                        AS method,
        r.smf123s1_req_id::VARCHAR                   AS request,
        r.smf123s1_time_zc_entry                     AS entry,
        r.smf123s1_time_sor_sent                     AS sent,
        r.smf123s1_time_sor_recv                     AS received,
        r.smf123s1_time_zc_exit                      AS exit,
        r.smf123s1_req_payload_len::DOUBLE           AS request_bytes,
        r.smf123s1_resp_payload_len::DOUBLE          AS response_bytes
    FROM smf123_2_request AS r
    JOIN smf123_2_server AS s ON s.file_id = r.file_id AND s.record_no = r.record_no
    UNION ALL BY NAME
    SELECT
        r.file_id, r.record_no, r.section_no,
        s.smf123_server_system                       AS system_name,
        nullif(s.smf123_server_sysplex, '')          AS sysplex,
        s.smf123_server_jobname                      AS server,
        nullif(r.smf123_service_name, '')            AS api,
        r.smf123_req_method                          AS method,
        r.smf123_req_id::VARCHAR                     AS request,
        r.smf123_time_zc_entry                       AS entry,
        r.smf123_time_zc_exit                        AS exit,
        r.smf123_req_payload_len::DOUBLE             AS request_bytes,
        r.smf123_resp_payload_len::DOUBLE            AS response_bytes
    FROM smf123_1_data AS r
    JOIN smf123_1_server AS s ON s.file_id = r.file_id AND s.record_no = r.record_no
),
request AS (
    SELECT f.run, w.*
    FROM written AS w
    JOIN load_file AS f ON f.file_id = w.file_id
    -- overlapping dumps: the same request once
    QUALIFY counts_once(
        (f.run, w.system_name, w.server, w.request, w.entry),
        (w.file_id, w.record_no, w.section_no)
    )
),
placed AS (
    SELECT
        w.*,
        i.interval_start                             AS begins,
        i.interval_start_utc                         AS begins_utc,
        i.interval_s                                 AS seconds,
        w.exit < i.interval_start_utc + to_microseconds((1e6 * i.interval_s)::BIGINT) AS inside
    FROM request AS w
    ASOF LEFT JOIN rmf_cpu_interval AS i
        ON i.run = w.run AND i.sysplex IS NOT DISTINCT FROM w.sysplex
        AND i.system = w.system_name AND w.exit >= i.interval_start_utc
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name
    system_name                                      AS system, -- System name
    CASE WHEN inside THEN begins END                 AS interval_start, -- Interval start, local time of the system; NULL outside of RMF intervals
    CASE WHEN inside THEN begins_utc END             AS interval_start_utc, -- Interval start, UTC
    CASE WHEN inside THEN seconds END                AS interval_s, -- Length of the interval [s]
    server                                           AS server, -- Job name of the server
    api                                              AS api, -- API, or service where there is none
    code                                             AS code, -- HTTP response code; NULL in records of version 1
    nullif(method, '')                               AS method, -- HTTP method
    entry                                            AS entry_utc, -- Request reached the server, UTC
    exit                                             AS exit_utc, -- Response left it, UTC
    epoch_us(exit) - epoch_us(entry)                 AS total_us, -- From entry to exit [us]
    epoch_us(sent) - epoch_us(entry)                 AS before_us, -- From entry until the request went to the system of record [us]
    epoch_us(received) - epoch_us(sent)              AS sor_us, -- In the system of record and on the way [us]
    epoch_us(exit) - epoch_us(received)              AS return_us, -- From its response to the exit [us]
    request_bytes                                    AS request_bytes, -- Payload of the request [bytes]
    response_bytes                                   AS response_bytes, -- Payload of the response [bytes]
    file_id                                          AS file_id, -- File of the record
    record_no                                        AS record_no, -- Record in that file
    section_no                                       AS section_no -- Request section in the record
FROM placed;
