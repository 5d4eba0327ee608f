-- joined_transit_parts: the parts of a transaction's time as a list, in the order of a page.
CREATE OR REPLACE MACRO joined_transit_parts(
    input_queue_us, schedule_us, cpu_us, db_io_us, lock_us, commit_us, output_us, unexplained_us,
    whole_us
) AS [
    {'part_no': 1, 'part': 'Input queue', 'us': input_queue_us::DOUBLE},
    {'part_no': 2, 'part': 'Schedule', 'us': schedule_us::DOUBLE},
    {'part_no': 3, 'part': 'CPU', 'us': cpu_us::DOUBLE},
    {'part_no': 4, 'part': 'Database I/O', 'us': db_io_us::DOUBLE},
    {'part_no': 5, 'part': 'Lock', 'us': lock_us::DOUBLE},
    {'part_no': 6, 'part': 'Commit', 'us': commit_us::DOUBLE},
    {'part_no': 7, 'part': 'Output', 'us': output_us::DOUBLE},
    {'part_no': 8, 'part': 'Unexplained', 'us': unexplained_us::DOUBLE},
    {'part_no': 9, 'part': 'Whole', 'us': whole_us::DOUBLE}
];

-- joined_transit: one row per transaction that the program got: its time from arrival to the end of
-- its output, cut into parts that do not overlap. A part is NULL where no record of the transaction
-- itself has it, and its time then is unexplained.
CREATE OR REPLACE VIEW joined_transit AS
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
-- phase 1 where there is one, else phase 2
commit_start AS (
    SELECT f.log_no, r.pst, r.log_stck AS at
    FROM (
        SELECT file_id, pst, log_stck FROM ims_5610
        UNION ALL SELECT file_id, pst, log_stck FROM ims_3730
    ) AS r
    JOIN log_file AS f ON f.file_id = r.file_id
),
phase_2_end AS (
    SELECT f.log_no, r.pst, r.log_stck AS at
    FROM ims_5612 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
),
-- the first commit of the region that begins while it processes the message
message AS (
    SELECT
        m.*,
        CASE WHEN m.kind <> 'fast_path' AND b.at <= m.gu_utc + to_microseconds(m.process_us)
            THEN b.at END                                        AS commit_utc
    FROM ims_message AS m
    ASOF LEFT JOIN commit_start AS b
        ON b.log_no = m.region_log_no AND b.pst = m.pst AND m.gu_utc <= b.at
    WHERE m.gu_utc IS NOT NULL AND m.process_us IS NOT NULL
),
part AS (
    SELECT
        m.*,
        e.at                                                     AS committed_utc,
        m.input_queue_us - coalesce(m.schedule_us, 0)            AS queued_us,
        CASE WHEN m.has_unit THEN m.cpu_us + coalesce(m.ziip_us, 0) END AS own_cpu_us,
        CASE WHEN m.has_unit THEN m.db_io_us END                 AS own_db_io_us,
        CASE WHEN m.has_unit AND (m.lock_us > 0 OR u.ims IS NULL) THEN m.lock_us END AS own_lock_us,
        epoch_us(e.at) - epoch_us(m.commit_utc)                  AS commit_us,
        CASE
            WHEN m.kind = 'fast_path' THEN m.response_us - m.input_queue_us - m.process_us
            ELSE greatest(epoch_us(m.sent_utc) - epoch_us(greatest(
                m.inserted_utc, e.at, m.gu_utc + to_microseconds(m.process_us)
            )), 0)
        END                                                      AS sending_us,
        CASE
            WHEN m.kind = 'fast_path' THEN m.response_us
            ELSE epoch_us(greatest(m.gu_utc + to_microseconds(m.process_us), e.at, m.sent_utc))
                - CASE WHEN m.kind = 'switch' THEN epoch_us(m.gu_utc) - m.input_queue_us
                    ELSE epoch_us(m.arrival_utc) END
        END                                                      AS whole_us
    FROM message AS m
    LEFT JOIN ims_untimed_locks() AS u ON u.run = m.run AND u.ims = m.ims
    ASOF LEFT JOIN phase_2_end AS e
        ON e.log_no = m.region_log_no AND e.pst = m.pst AND m.commit_utc <= e.at
)
SELECT
    p.run                                                    AS run, -- Measurement
    p.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the run
    p.system                                                 AS system, -- SMF system id, from a 4500 of the run; NULL without one
    p.interval_start                                         AS interval_start, -- Start of the time counted together, local; NULL without a 4500
    p.interval_start_utc                                     AS interval_start_utc, -- Start of the time counted together, UTC
    p.interval_s                                             AS interval_s, -- Length of that time [s]
    p.ims                                                    AS ims, -- IMS id of the log its first record is in
    p.kind                                                   AS kind, -- full_function, switch (program to program) or fast_path
    p.tran                                                   AS tran, -- Transaction code
    p.arrival_utc                                            AS arrival_utc, -- When the input arrived, UTC
    p.queued_us                                              AS input_queue_us, -- Queued until the program got it, without the schedule [us]
    p.schedule_us                                            AS schedule_us, -- Scheduling of the program (08); first message of a schedule only [us]
    p.own_cpu_us                                             AS cpu_us, -- CPU time, zIIPs too (56FA) [us]
    p.own_db_io_us                                           AS db_io_us, -- Waiting for database I/O (56FA) [us]
    p.own_lock_us                                            AS lock_us, -- Waiting for locks (56FA); NULL where IRLM counts waits, but no time of any [us]
    p.commit_us                                              AS commit_us, -- Start of phase 1 (5610), else of phase 2 (3730), to end of phase 2 (5612); NULL for Fast Path [us]
    p.sending_us                                             AS output_us, -- End of processing and commit, or insert if later, to the sending; Fast Path: sync point to dequeue [us]
    p.whole_us - p.queued_us - coalesce(p.schedule_us, 0) - coalesce(p.own_cpu_us, 0)
        - coalesce(p.own_db_io_us, 0) - coalesce(p.own_lock_us, 0) - coalesce(p.commit_us, 0)
        - coalesce(p.sending_us, 0)                          AS unexplained_us, -- The whole less the parts; below 0 where parts overlap, as I/O inside a commit [us]
    p.whole_us                                               AS whole_us, -- Arrival to the end of the output, the commit or the program; a switch: from its own queueing [us]
    p.uow                                                    AS uow, -- Unit of work of the message
    p.file_id                                                AS file_id, -- File of its first record
    p.record_no                                              AS record_no -- Record in that file
FROM part AS p
WHERE p.whole_us IS NOT NULL AND p.queued_us IS NOT NULL;
