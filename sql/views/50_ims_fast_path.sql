-- ims_sync_point: one row per Fast Path sync point with its input record, joined by unit of work.
-- The interval is the transaction itself: interval_start_utc is its arrival.
CREATE OR REPLACE VIEW ims_sync_point AS
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
sync_point AS (
    SELECT *, true AS committed FROM ims_5937
    UNION ALL BY NAME
    SELECT *, false AS committed FROM ims_5938
),
-- dual logging or overlapping files: the same record again. What repeats is found by hashing,
-- without sorting, as there may be millions
sync_point_twice AS (
    SELECT f.run_no, r.log_stck, r.log_lsn
    FROM sync_point AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.log_lsn IS NOT NULL
    GROUP BY f.run_no, r.log_stck, r.log_lsn
    HAVING count(*) > 1
),
sync_point_again AS (
    SELECT r.file_id, r.record_no
    FROM sync_point AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    JOIN sync_point_twice AS t
        ON t.run_no = f.run_no AND t.log_stck = r.log_stck AND t.log_lsn = r.log_lsn
    QUALIFY row_number() OVER (
        PARTITION BY f.run_no, r.log_stck, r.log_lsn ORDER BY r.file_id, r.record_no
    ) > 1
),
input_twice AS (
    SELECT f.run_no, r.uow
    FROM ims_5901 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.run_no, r.uow
    HAVING count(*) > 1
),
input_again AS (
    SELECT r.file_id, r.record_no
    FROM ims_5901 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    JOIN input_twice AS t ON t.run_no = f.run_no AND t.uow = r.uow
    QUALIFY row_number() OVER (
        PARTITION BY f.run_no, r.uow ORDER BY r.file_id, r.record_no
    ) > 1
),
input AS (
    SELECT r.*, f.run_no
    FROM ims_5901 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    ANTI JOIN input_again AS a ON a.file_id = r.file_id AND a.record_no = r.record_no
)
SELECT
    f.run                                        AS run,
    f.sysplex                                    AS sysplex,
    f.system                                     AS system,
    i.arrival + f.local_offset                   AS interval_start,
    i.arrival                                    AS interval_start_utc,
    f.ims                                        AS ims,
    s.tran                                       AS tran,
    s.psb                                        AS psb,
    s.routing                                    AS routing,
    s.pst                                        AS pst,
    i.lterm                                      AS lterm,
    s.committed                                  AS committed,
    nullif(s.fail_code, '')                      AS fail_code,
    i.arrival                                    AS arrival_utc,
    s.sync                                       AS sync_utc,
    s.router                                     AS router_utc,
    epoch_us(i.gu) - epoch_us(i.arrival)         AS input_queue_us,
    epoch_us(s.sync) - epoch_us(i.gu)            AS process_us,
    epoch_us(s.router) - epoch_us(s.sync)        AS output_queue_us,
    epoch_us(s.router) - epoch_us(i.arrival)     AS transit_us,
    i.len                                        AS input_bytes,
    s.dedb_calls                                 AS dedb_calls_count,
    s.msdb_calls                                 AS msdb_calls_count,
    s.ci_reads                                   AS ci_reads_count,
    s.ci_updates                                 AS ci_updates_count,
    s.nba                                        AS buffers_count,
    s.oba                                        AS overflow_buffers_count,
    s.ci_conflicts                               AS ci_conflicts_count,
    s.buf_waits                                  AS buffer_waits_count,
    s.vso_hits                                   AS vso_hits_count,
    f.run_no                                     AS run_no,
    f.log_no                                     AS log_no,
    s.uow                                        AS uow,
    s.file_id                                    AS file_id,
    s.record_no                                  AS record_no
FROM sync_point AS s
JOIN log_file AS f ON f.file_id = s.file_id
ANTI JOIN sync_point_again AS a ON a.file_id = s.file_id AND a.record_no = s.record_no
LEFT JOIN input AS i ON i.run_no = f.run_no AND i.uow = s.uow;

COMMENT ON VIEW ims_sync_point IS 'One row per Fast Path sync point and its input; times NULL where the input record is missing';
COMMENT ON COLUMN ims_sync_point.run IS 'Measurement';
COMMENT ON COLUMN ims_sync_point.sysplex IS 'Sysplex name, from a 4500 of the same IMS';
COMMENT ON COLUMN ims_sync_point.system IS 'SMF system id, from a 4500 of the same IMS';
COMMENT ON COLUMN ims_sync_point.interval_start IS 'Arrival, local time';
COMMENT ON COLUMN ims_sync_point.interval_start_utc IS 'Arrival, UTC';
COMMENT ON COLUMN ims_sync_point.ims IS 'IMS id, from the signature, start or statistics record of the file';
COMMENT ON COLUMN ims_sync_point.tran IS 'Transaction code';
COMMENT ON COLUMN ims_sync_point.psb IS 'PSB';
COMMENT ON COLUMN ims_sync_point.routing IS 'Routing code';
COMMENT ON COLUMN ims_sync_point.pst IS 'Region';
COMMENT ON COLUMN ims_sync_point.lterm IS 'Logical terminal of the input';
COMMENT ON COLUMN ims_sync_point.committed IS 'Sync point committed (5937), not failed (5938)';
COMMENT ON COLUMN ims_sync_point.fail_code IS 'Reason of a failed sync point';
COMMENT ON COLUMN ims_sync_point.arrival_utc IS 'Input left the exit and was queued, UTC';
COMMENT ON COLUMN ims_sync_point.sync_utc IS 'Sync point, UTC';
COMMENT ON COLUMN ims_sync_point.router_utc IS 'Router took the output, UTC';
COMMENT ON COLUMN ims_sync_point.input_queue_us IS 'Arrival to GU [us]';
COMMENT ON COLUMN ims_sync_point.process_us IS 'GU to sync point [us]';
COMMENT ON COLUMN ims_sync_point.output_queue_us IS 'Sync point to router [us]';
COMMENT ON COLUMN ims_sync_point.transit_us IS 'Arrival to router: the three before it [us]';
COMMENT ON COLUMN ims_sync_point.input_bytes IS 'Input length [bytes]';
COMMENT ON COLUMN ims_sync_point.dedb_calls_count IS 'DEDB calls';
COMMENT ON COLUMN ims_sync_point.msdb_calls_count IS 'MSDB calls';
COMMENT ON COLUMN ims_sync_point.ci_reads_count IS 'CIs read';
COMMENT ON COLUMN ims_sync_point.ci_updates_count IS 'CIs updated';
COMMENT ON COLUMN ims_sync_point.buffers_count IS 'Normal buffers used';
COMMENT ON COLUMN ims_sync_point.overflow_buffers_count IS 'Overflow buffers used';
COMMENT ON COLUMN ims_sync_point.ci_conflicts_count IS 'Waits for a CI';
COMMENT ON COLUMN ims_sync_point.buffer_waits_count IS 'Waits for a buffer';
COMMENT ON COLUMN ims_sync_point.vso_hits_count IS 'VSO reads without I/O';
COMMENT ON COLUMN ims_sync_point.run_no IS 'Number of the run, as in ims_log_file';
COMMENT ON COLUMN ims_sync_point.log_no IS 'Number of the log, as in ims_log_file';
COMMENT ON COLUMN ims_sync_point.uow IS 'Unit of work that joins the records';
COMMENT ON COLUMN ims_sync_point.file_id IS 'File of the sync point record';
COMMENT ON COLUMN ims_sync_point.record_no IS 'Record in that file';

-- ims_fast_path: one row per Fast Path transaction that reached a sync point.
-- Its four records are joined by unit of work.
-- The interval is the transaction itself: interval_start_utc is its arrival.
CREATE OR REPLACE VIEW ims_fast_path AS
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
output AS (
    SELECT r.*, f.run_no
    FROM ims_5903 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY row_number() OVER (PARTITION BY f.run_no, r.uow ORDER BY r.file_id, r.record_no) = 1
),
dequeue AS (
    SELECT r.*, f.run_no
    FROM ims_5936 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY row_number() OVER (PARTITION BY f.run_no, r.uow ORDER BY r.file_id, r.record_no) = 1
)
SELECT
    s.run                                        AS run,
    s.sysplex                                    AS sysplex,
    s.system                                     AS system,
    s.interval_start                             AS interval_start,
    s.interval_start_utc                         AS interval_start_utc,
    s.ims                                        AS ims,
    s.tran                                       AS tran,
    s.psb                                        AS psb,
    s.routing                                    AS routing,
    s.pst                                        AS pst,
    s.lterm                                      AS lterm,
    s.committed                                  AS committed,
    s.fail_code                                  AS fail_code,
    s.arrival_utc                                AS arrival_utc,
    s.sync_utc                                   AS sync_utc,
    s.input_queue_us                             AS input_queue_us,
    s.process_us                                 AS process_us,
    s.output_queue_us                            AS output_queue_us,
    s.transit_us                                 AS transit_us,
    epoch_us(d.dequeue) - epoch_us(s.router_utc) AS output_message_us,
    s.input_bytes                                AS input_bytes,
    o.len                                        AS output_bytes,
    s.dedb_calls_count                           AS dedb_calls_count,
    s.msdb_calls_count                           AS msdb_calls_count,
    s.ci_reads_count                             AS ci_reads_count,
    s.ci_updates_count                           AS ci_updates_count,
    s.buffers_count                              AS buffers_count,
    s.overflow_buffers_count                     AS overflow_buffers_count,
    s.ci_conflicts_count                         AS ci_conflicts_count,
    s.buffer_waits_count                         AS buffer_waits_count,
    s.vso_hits_count                             AS vso_hits_count,
    s.uow                                        AS uow,
    s.file_id                                    AS file_id,
    s.record_no                                  AS record_no
FROM ims_sync_point AS s
LEFT JOIN output AS o ON o.run_no = s.run_no AND o.uow = s.uow
LEFT JOIN dequeue AS d ON d.run_no = s.run_no AND d.uow = s.uow;

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
