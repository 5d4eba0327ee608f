-- ims_fast_path: one row per Fast Path transaction that reached a sync point.
-- Its four records are joined by unit of work.
-- The interval is the transaction itself: interval_start_utc is its arrival.
CREATE OR REPLACE VIEW ims_fast_path AS
WITH sync_point AS (
    SELECT r.*, f.run
    FROM (
        SELECT *, true AS committed FROM ims_5937
        UNION ALL BY NAME
        SELECT *, false AS committed FROM ims_5938
    ) AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY r.log_lsn IS NULL OR row_number() OVER (
        PARTITION BY f.run, r.uow, r.log_stck, r.log_lsn ORDER BY r.file_id, r.record_no
    ) = 1
),
input AS (
    SELECT r.*, f.run
    FROM ims_5901 AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    QUALIFY row_number() OVER (PARTITION BY f.run, r.uow ORDER BY r.file_id, r.record_no) = 1
),
output AS (
    SELECT r.*, f.run
    FROM ims_5903 AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    QUALIFY row_number() OVER (PARTITION BY f.run, r.uow ORDER BY r.file_id, r.record_no) = 1
),
dequeue AS (
    SELECT r.*, f.run
    FROM ims_5936 AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    QUALIFY row_number() OVER (PARTITION BY f.run, r.uow ORDER BY r.file_id, r.record_no) = 1
),
file_ims AS (
    SELECT file_id, any_value(imsid) AS ims
    FROM (
        SELECT file_id, imsid FROM ims_a0
        UNION ALL SELECT file_id, imsid FROM ims_06
        UNION ALL SELECT file_id, imsid FROM ims_4500
    )
    GROUP BY file_id
),
header AS (
    SELECT run, ims, any_value(sysplex) AS sysplex, any_value(system) AS system,
        any_value(local_offset) AS local_offset
    FROM ims_statistics_header
    GROUP BY run, ims
)
SELECT
    s.run                                        AS run,
    h.sysplex                                    AS sysplex,
    h.system                                     AS system,
    i.arrival + h.local_offset                   AS interval_start,
    i.arrival                                    AS interval_start_utc,
    g.ims                                        AS ims,
    s.tran                                       AS tran,
    s.psb                                        AS psb,
    s.routing                                    AS routing,
    s.pst                                        AS pst,
    i.lterm                                      AS lterm,
    s.committed                                  AS committed,
    nullif(s.fail_code, '')                      AS fail_code,
    i.arrival                                    AS arrival_utc,
    s.sync                                       AS sync_utc,
    epoch(i.gu - i.arrival) * 1e6                AS input_queue_us,
    epoch(s.sync - i.gu) * 1e6                   AS process_us,
    epoch(s.router - s.sync) * 1e6               AS output_queue_us,
    epoch(s.router - i.arrival) * 1e6            AS transit_us,
    epoch(d.dequeue - s.router) * 1e6            AS output_message_us,
    i.len                                        AS input_bytes,
    o.len                                        AS output_bytes,
    s.dedb_calls                                 AS dedb_calls_count,
    s.msdb_calls                                 AS msdb_calls_count,
    s.ci_reads                                   AS ci_reads_count,
    s.ci_updates                                 AS ci_updates_count,
    s.nba                                        AS buffers_count,
    s.oba                                        AS overflow_buffers_count,
    s.ci_conflicts                               AS ci_conflicts_count,
    s.buf_waits                                  AS buffer_waits_count,
    s.vso_hits                                   AS vso_hits_count,
    s.uow                                        AS uow,
    s.file_id                                    AS file_id,
    s.record_no                                  AS record_no
FROM sync_point AS s
LEFT JOIN file_ims AS g ON g.file_id = s.file_id
LEFT JOIN header AS h ON h.run = s.run AND h.ims = g.ims
LEFT JOIN input AS i ON i.run = s.run AND i.uow = s.uow
LEFT JOIN output AS o ON o.run = s.run AND o.uow = s.uow
LEFT JOIN dequeue AS d ON d.run = s.run AND d.uow = s.uow;

COMMENT ON VIEW ims_fast_path IS 'One row per Fast Path transaction with a sync point record; times NULL where its other records are missing';
COMMENT ON COLUMN ims_fast_path.run IS 'Measurement';
COMMENT ON COLUMN ims_fast_path.sysplex IS 'Sysplex name, from a 4500 of the same IMS';
COMMENT ON COLUMN ims_fast_path.system IS 'SMF system id, from a 4500 of the same IMS';
COMMENT ON COLUMN ims_fast_path.interval_start IS 'Arrival, local time';
COMMENT ON COLUMN ims_fast_path.interval_start_utc IS 'Arrival, UTC';
COMMENT ON COLUMN ims_fast_path.ims IS 'IMS id, from the signature, start or statistics record of the file';
COMMENT ON COLUMN ims_fast_path.tran IS 'Transaction code';
COMMENT ON COLUMN ims_fast_path.psb IS 'PSB';
COMMENT ON COLUMN ims_fast_path.routing IS 'Routing code';
COMMENT ON COLUMN ims_fast_path.pst IS 'Region';
COMMENT ON COLUMN ims_fast_path.lterm IS 'Logical terminal of the input';
COMMENT ON COLUMN ims_fast_path.committed IS 'Sync point committed (5937), not failed (5938)';
COMMENT ON COLUMN ims_fast_path.fail_code IS 'Reason of a failed sync point';
COMMENT ON COLUMN ims_fast_path.arrival_utc IS 'Input left the exit and was queued, UTC';
COMMENT ON COLUMN ims_fast_path.sync_utc IS 'Sync point, UTC';
COMMENT ON COLUMN ims_fast_path.input_queue_us IS 'Arrival to GU [us]';
COMMENT ON COLUMN ims_fast_path.process_us IS 'GU to sync point [us]';
COMMENT ON COLUMN ims_fast_path.output_queue_us IS 'Sync point to router [us]';
COMMENT ON COLUMN ims_fast_path.transit_us IS 'Arrival to router: the three before it [us]';
COMMENT ON COLUMN ims_fast_path.output_message_us IS 'Router to dequeue, not part of transit [us]';
COMMENT ON COLUMN ims_fast_path.input_bytes IS 'Input length [bytes]';
COMMENT ON COLUMN ims_fast_path.output_bytes IS 'Output length [bytes]';
COMMENT ON COLUMN ims_fast_path.dedb_calls_count IS 'DEDB calls';
COMMENT ON COLUMN ims_fast_path.msdb_calls_count IS 'MSDB calls';
COMMENT ON COLUMN ims_fast_path.ci_reads_count IS 'CIs read';
COMMENT ON COLUMN ims_fast_path.ci_updates_count IS 'CIs updated';
COMMENT ON COLUMN ims_fast_path.buffers_count IS 'Normal buffers used';
COMMENT ON COLUMN ims_fast_path.overflow_buffers_count IS 'Overflow buffers used';
COMMENT ON COLUMN ims_fast_path.ci_conflicts_count IS 'Waits for a CI';
COMMENT ON COLUMN ims_fast_path.buffer_waits_count IS 'Waits for a buffer';
COMMENT ON COLUMN ims_fast_path.vso_hits_count IS 'VSO reads without I/O';
COMMENT ON COLUMN ims_fast_path.uow IS 'Unit of work that joins the records';
COMMENT ON COLUMN ims_fast_path.file_id IS 'File of the sync point record';
COMMENT ON COLUMN ims_fast_path.record_no IS 'Record in that file';
