-- ims_sync_point: one row per Fast Path sync point and its input; times NULL where the input record
-- is missing. The interval is the transaction itself: interval_start_utc is its arrival.
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
    QUALIFY NOT counts_once((f.run_no, r.log_stck, r.log_lsn), (r.file_id, r.record_no))
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
    QUALIFY NOT counts_once((f.run_no, r.uow), (r.file_id, r.record_no))
),
input AS (
    SELECT r.*, f.run_no
    FROM ims_5901 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    ANTI JOIN input_again AS a ON a.file_id = r.file_id AND a.record_no = r.record_no
)
SELECT
    f.run                                        AS run, -- Measurement
    f.sysplex                                    AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    f.system                                     AS system, -- SMF system id, from a 4500 of the same IMS
    ims_local(i.arrival, f.clock)                AS interval_start, -- Arrival, local time
    i.arrival                                    AS interval_start_utc, -- Arrival, UTC
    f.ims                                        AS ims, -- IMS id, from the signature, start or statistics record of the file
    s.tran                                       AS tran, -- Transaction code
    s.psb                                        AS psb, -- PSB
    s.routing                                    AS routing, -- Routing code
    s.pst                                        AS pst, -- Region
    i.lterm                                      AS lterm, -- Logical terminal of the input
    s.committed                                  AS committed, -- Sync point committed (5937), not failed (5938)
    nullif(s.fail_code, '')                      AS fail_code, -- Reason of a failed sync point
    i.arrival                                    AS arrival_utc, -- Input left the exit and was queued, UTC
    s.sync                                       AS sync_utc, -- Sync point, UTC
    s.router                                     AS router_utc, -- Router took the output, UTC
    epoch_us(i.gu) - epoch_us(i.arrival)         AS input_queue_us, -- Arrival to GU [us]
    epoch_us(s.sync) - epoch_us(i.gu)            AS process_us, -- GU to sync point [us]
    epoch_us(s.router) - epoch_us(s.sync)        AS output_queue_us, -- Sync point to router [us]
    epoch_us(s.router) - epoch_us(i.arrival)     AS transit_us, -- Arrival to router: the three before it [us]
    i.len                                        AS input_bytes, -- Input length [bytes]
    s.dedb_calls                                 AS dedb_calls_count, -- DEDB calls
    s.msdb_calls                                 AS msdb_calls_count, -- MSDB calls
    s.ci_reads                                   AS ci_reads_count, -- CIs read
    s.ci_updates                                 AS ci_updates_count, -- CIs updated
    s.nba                                        AS buffers_count, -- Normal buffers used
    s.oba                                        AS overflow_buffers_count, -- Overflow buffers used
    s.ci_conflicts                               AS ci_conflicts_count, -- Waits for a CI
    s.buf_waits                                  AS buffer_waits_count, -- Waits for a buffer
    s.vso_hits                                   AS vso_hits_count, -- VSO reads without I/O
    f.run_no                                     AS run_no, -- Number of the run, as in ims_log_file
    f.log_no                                     AS log_no, -- Number of the log, as in ims_log_file
    s.uow                                        AS uow, -- Unit of work that joins the records
    s.file_id                                    AS file_id, -- File of the sync point record
    s.record_no                                  AS record_no -- Record in that file
FROM sync_point AS s
JOIN log_file AS f ON f.file_id = s.file_id
ANTI JOIN sync_point_again AS a ON a.file_id = s.file_id AND a.record_no = s.record_no
LEFT JOIN input AS i ON i.run_no = f.run_no AND i.uow = s.uow;

-- ims_fast_path: one row per Fast Path transaction with a sync point record; times NULL where its
-- other records are missing. Its four records are joined by unit of work. The interval is the
-- transaction itself: interval_start_utc is its arrival.
CREATE OR REPLACE VIEW ims_fast_path AS
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
output AS (
    SELECT r.*, f.run_no
    FROM ims_5903 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.run_no, r.uow), (r.file_id, r.record_no))
),
dequeue AS (
    SELECT r.*, f.run_no
    FROM ims_5936 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.run_no, r.uow), (r.file_id, r.record_no))
)
SELECT
    s.run                                        AS run, -- Measurement
    s.sysplex                                    AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    s.system                                     AS system, -- SMF system id, from a 4500 of the same IMS
    s.interval_start                             AS interval_start, -- Arrival, local time
    s.interval_start_utc                         AS interval_start_utc, -- Arrival, UTC
    s.ims                                        AS ims, -- IMS id, from the signature, start or statistics record of the file
    s.tran                                       AS tran, -- Transaction code
    s.psb                                        AS psb, -- PSB
    s.routing                                    AS routing, -- Routing code
    s.pst                                        AS pst, -- Region
    s.lterm                                      AS lterm, -- Logical terminal of the input
    s.committed                                  AS committed, -- Sync point committed (5937), not failed (5938)
    s.fail_code                                  AS fail_code, -- Reason of a failed sync point
    s.arrival_utc                                AS arrival_utc, -- Input left the exit and was queued, UTC
    s.sync_utc                                   AS sync_utc, -- Sync point, UTC
    s.input_queue_us                             AS input_queue_us, -- Arrival to GU [us]
    s.process_us                                 AS process_us, -- GU to sync point [us]
    s.output_queue_us                            AS output_queue_us, -- Sync point to router [us]
    s.transit_us                                 AS transit_us, -- Arrival to router: the three before it [us]
    epoch_us(d.dequeue) - epoch_us(s.router_utc) AS output_message_us, -- Router to dequeue, not part of transit [us]
    s.input_bytes                                AS input_bytes, -- Input length [bytes]
    o.len                                        AS output_bytes, -- Output length [bytes]
    s.dedb_calls_count                           AS dedb_calls_count, -- DEDB calls
    s.msdb_calls_count                           AS msdb_calls_count, -- MSDB calls
    s.ci_reads_count                             AS ci_reads_count, -- CIs read
    s.ci_updates_count                           AS ci_updates_count, -- CIs updated
    s.buffers_count                              AS buffers_count, -- Normal buffers used
    s.overflow_buffers_count                     AS overflow_buffers_count, -- Overflow buffers used
    s.ci_conflicts_count                         AS ci_conflicts_count, -- Waits for a CI
    s.buffer_waits_count                         AS buffer_waits_count, -- Waits for a buffer
    s.vso_hits_count                             AS vso_hits_count, -- VSO reads without I/O
    s.uow                                        AS uow, -- Unit of work that joins the records
    s.file_id                                    AS file_id, -- File of the sync point record
    s.record_no                                  AS record_no -- Record in that file
FROM ims_sync_point AS s
LEFT JOIN output AS o ON o.run_no = s.run_no AND o.uow = s.uow
LEFT JOIN dequeue AS d ON d.run_no = s.run_no AND d.uow = s.uow;
