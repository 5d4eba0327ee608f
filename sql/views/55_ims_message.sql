-- ims_message: one row per transaction in an IMS log: full function, program switch and Fast Path.
-- Records of a message are joined by unit of work; region records by region number and time. The
-- interval is that of the statistics sets around the arrival; without sets the whole log.
CREATE OR REPLACE VIEW ims_message AS
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
log_interval AS MATERIALIZED (
    SELECT * FROM ims_log_interval
),
input AS (
    SELECT *, 'full_function' AS kind FROM ims_01 WHERE dest_type = 'S'
    UNION ALL BY NAME
    SELECT *, 'switch' AS kind FROM ims_03 WHERE dest_type = 'S'
),
-- segments of a message, dual logging, overlapping files: the first record counts
input_twice AS (
    SELECT f.run_no, r.uow
    FROM input AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.run_no, r.uow
    HAVING count(*) > 1
),
input_again AS (
    SELECT r.file_id, r.record_no
    FROM input AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    JOIN input_twice AS t ON t.run_no = f.run_no AND t.uow = r.uow
    QUALIFY row_number() OVER (
        PARTITION BY f.run_no, r.uow ORDER BY r.log_stck, r.file_id, r.record_no
    ) > 1
),
queued AS (
    SELECT f.run_no, r.uow, min(r.log_stck) AS at
    FROM ims_35 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.run_no, r.uow
),
-- with shared queues the program may run in another IMS than the one that got the input
taken AS (
    SELECT f.run_no, r.uow, min(r.log_stck) AS at, arg_min(f.log_no, r.log_stck) AS log_no,
        arg_min(r.pst, r.log_stck) AS pst, arg_min(r.rtoken, r.log_stck) AS rtoken
    FROM ims_31 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.dest_type = 'S' AND r.pst <> 0
    GROUP BY f.run_no, r.uow
),
reply AS (
    SELECT f.run_no, r.parent_uow, arg_min(r.uow, r.log_stck) AS uow
    FROM ims_03 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.dest_type <> 'S'
    GROUP BY f.run_no, r.parent_uow
),
sent AS (
    SELECT f.run_no, r.uow, min(r.log_stck) AS at
    FROM ims_31 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    WHERE r.dest_type <> 'S' AND r.pst = 0
    GROUP BY f.run_no, r.uow
),
freed AS (
    SELECT f.run_no, r.uow, min(r.log_stck) AS at
    FROM (
        SELECT file_id, uow, log_stck FROM ims_36
        UNION ALL SELECT file_id, uow, log_stck FROM ims_33
    ) AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.run_no, r.uow
),
-- OTMA and APPC outputs have no Get Unique of their own: freed instead of sent
output AS (
    SELECT o.run_no, o.parent_uow AS uow, q.at AS inserted, coalesce(x.at, d.at) AS gone
    FROM reply AS o
    JOIN queued AS q ON q.run_no = o.run_no AND q.uow = o.uow
    LEFT JOIN sent AS x ON x.run_no = o.run_no AND x.uow = o.uow
    LEFT JOIN freed AS d ON d.run_no = o.run_no AND d.uow = o.uow
),
program_end AS (
    SELECT
        f.log_no, r.*, r."end" AS ended,
        coalesce(
            lag(r."end") OVER (
                PARTITION BY f.log_no, r.pst ORDER BY r."end", r.file_id, r.record_no
            ),
            '-infinity'::TIMESTAMP
        ) AS ended_before
    FROM ims_07 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.log_no, r.pst, r."end"), (r.file_id, r.record_no))
),
-- what ends the processing of a message, beside the next Get Unique: commit, end of the program
region_event AS (
    SELECT f.log_no, r.pst, r.log_stck AS at
    FROM ims_3730 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    UNION ALL
    SELECT f.log_no, r.pst, r.log_stck AS at
    FROM ims_5612 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    UNION ALL
    SELECT log_no, pst, "end" AS at
    FROM program_end
),
-- a schedule and the first message it was for
schedule AS (
    SELECT t.run_no, arg_min(t.uow, t.at) AS uow,
        epoch_us(any_value(r.sched)) - epoch_us(any_value(r.sched_start)) AS schedule_us
    FROM ims_08 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    JOIN taken AS t ON t.log_no = f.log_no AND t.pst = r.pst AND t.rtoken = r.rtoken
    GROUP BY t.run_no, f.log_no, r.pst, r.rtoken
),
unit_twice AS (
    SELECT f.run_no, r.uow
    FROM ims_56fa AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.run_no, r.uow
    HAVING count(*) > 1
),
unit_again AS (
    SELECT r.file_id, r.record_no
    FROM ims_56fa AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    JOIN unit_twice AS t ON t.run_no = f.run_no AND t.uow = r.uow
    QUALIFY row_number() OVER (
        PARTITION BY f.run_no, r.uow ORDER BY r.log_stck, r.file_id, r.record_no
    ) > 1
),
unit_of_work AS (
    SELECT f.run_no, r.*
    FROM ims_56fa AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    ANTI JOIN unit_again AS a ON a.file_id = r.file_id AND a.record_no = r.record_no
),
processed AS (
    SELECT
        f.run_no, f.log_no, i.uow, i.kind, i.dest AS tran, i.file_id, i.record_no,
        coalesce(i.arrival, i.log_stck)                      AS arrival,
        coalesce(q.at, i.arrival, i.log_stck)                AS enqueued,
        t.at                                                 AS gu,
        t.log_no                                             AS region_log_no,
        t.pst                                                AS pst,
        lead(t.at) OVER (PARTITION BY t.log_no, t.pst ORDER BY t.at) AS next_gu,
        s.schedule_us                                        AS schedule_us
    FROM input AS i
    JOIN log_file AS f ON f.file_id = i.file_id
    ANTI JOIN input_again AS a ON a.file_id = i.file_id AND a.record_no = i.record_no
    LEFT JOIN queued AS q ON q.run_no = f.run_no AND q.uow = i.uow
    LEFT JOIN taken AS t ON t.run_no = f.run_no AND t.uow = i.uow
    LEFT JOIN schedule AS s ON s.run_no = f.run_no AND s.uow = i.uow
),
full_function AS (
    SELECT
        p.run_no, p.log_no, p.region_log_no, p.pst, e.ended AS program_ended,
        p.uow, p.kind, p.tran, NULL::VARCHAR AS psb, p.arrival, p.gu, o.inserted, o.gone AS sent,
        p.file_id, p.record_no, p.schedule_us,
        epoch_us(p.gu) - epoch_us(p.enqueued)                AS input_queue_us,
        epoch_us(least(p.next_gu, v.at)) - epoch_us(p.gu)    AS process_us,
        -- without an end of the output in the log: the commit
        epoch_us(coalesce(o.gone, v.at)) - epoch_us(o.inserted) AS output_queue_us,
        CASE WHEN o.inserted IS NOT NULL
            THEN epoch_us(coalesce(o.gone, v.at)) - epoch_us(p.arrival) END AS response_us
    FROM processed AS p
    LEFT JOIN output AS o ON o.run_no = p.run_no AND o.uow = p.uow
    ASOF LEFT JOIN region_event AS v
        ON v.log_no = p.region_log_no AND v.pst = p.pst AND p.gu < v.at
    ASOF LEFT JOIN program_end AS e
        ON e.log_no = p.region_log_no AND e.pst = p.pst AND p.gu < e.ended
),
dequeued AS (
    SELECT f.run_no, r.uow, min(r.dequeue) AS at
    FROM ims_5936 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    GROUP BY f.run_no, r.uow
),
-- a Fast Path region runs one program for long: few spans for each region, no sorting
fast_path AS (
    SELECT
        s.run_no, s.log_no, s.log_no AS region_log_no, s.pst, e.ended AS program_ended,
        s.uow, 'fast_path' AS kind, s.tran, s.psb, coalesce(s.arrival_utc, s.sync_utc) AS arrival,
        s.arrival_utc + to_microseconds(s.input_queue_us) AS gu,
        s.file_id, s.record_no, s.input_queue_us, s.process_us, s.output_queue_us,
        coalesce(epoch_us(d.at) - epoch_us(s.arrival_utc), s.transit_us) AS response_us,
        s.transit_us AS total_us,
        s.dedb_calls_count::BIGINT + s.msdb_calls_count AS fp_calls_count,
        s.ci_reads_count, s.ci_updates_count
    FROM ims_sync_point AS s
    LEFT JOIN dequeued AS d ON d.run_no = s.run_no AND d.uow = s.uow
    LEFT JOIN program_end AS e
        ON e.log_no = s.log_no AND e.pst = s.pst
        AND s.sync_utc >= e.ended_before AND s.sync_utc < e.ended
    WHERE s.tran <> ''  -- a batch program has sync points and no transactions
),
transaction AS (
    SELECT *, input_queue_us + process_us + output_queue_us AS total_us
    FROM full_function
    UNION ALL BY NAME
    SELECT * FROM fast_path
),
-- intervals cut into slices of equal length: a hash finds the one or two that may hold a time
log_span AS (
    SELECT
        log_no, min(interval_start_utc) AS first_utc,
        min(epoch_us(interval_start_utc)) AS first_us,
        max(epoch_us(interval_start_utc)) AS last_us,
        greatest((last_us - first_us) // 4096, 1) AS slice_us
    FROM log_interval
    GROUP BY log_no
),
slice AS (
    SELECT
        n.log_no, n.interval_start_utc AS from_utc,
        coalesce(lead(n.interval_start_utc) OVER edges, 'infinity'::TIMESTAMP) AS to_utc,
        range(
            (epoch_us(n.interval_start_utc) - s.first_us) // s.slice_us,
            1 + (coalesce(lead(epoch_us(n.interval_start_utc)) OVER edges, s.last_us) - s.first_us)
                // s.slice_us
        ) AS places
    FROM log_interval AS n
    JOIN log_span AS s ON s.log_no = n.log_no
    WINDOW edges AS (PARTITION BY n.log_no ORDER BY n.interval_start_utc)
),
-- first the slice of each transaction, then what covers it: the outer join keeps that order;
-- what arrived before the log began is of its first interval
placed AS (
    SELECT t.*, n.from_utc
    FROM transaction AS t
    LEFT JOIN log_span AS s ON s.log_no = t.log_no
    JOIN (SELECT log_no, from_utc, to_utc, unnest(places) AS place FROM slice) AS n
        ON n.log_no = t.log_no
        AND n.place = coalesce(
            (least(epoch_us(greatest(t.arrival, s.first_utc)), s.last_us) - s.first_us)
                // s.slice_us, 0
        )
        AND greatest(t.arrival, s.first_utc) >= n.from_utc AND t.arrival < n.to_utc
)
SELECT
    n.run                                                    AS run, -- Measurement
    n.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the run
    n.system                                                 AS system, -- SMF system id, from a 4500 of the run; NULL without one
    n.interval_start                                         AS interval_start, -- Start of the time counted together, local; NULL without a 4500
    n.interval_start_utc                                     AS interval_start_utc, -- Start of the time counted together, UTC: a statistics set, or the first arrival
    n.interval_s                                             AS interval_s, -- Length of that time [s]
    n.ims                                                    AS ims, -- IMS id of the log its first record is in
    t.kind                                                   AS kind, -- full_function, switch (program to program) or fast_path
    t.tran                                                   AS tran, -- Transaction code
    coalesce(t.psb, e.psb, u.tpcppsb)                        AS psb, -- PSB of the program
    t.pst                                                    AS pst, -- Region number
    t.arrival                                                AS arrival_utc, -- When the input arrived, UTC; a switch keeps that of its first input; Fast Path without its input record: the sync point
    t.gu                                                     AS gu_utc, -- When the program got it, UTC
    t.inserted                                               AS inserted_utc, -- When its first output was inserted, UTC; NULL for Fast Path
    t.sent                                                   AS sent_utc, -- When that output was sent, else freed, UTC; NULL for Fast Path
    t.region_log_no                                          AS region_log_no, -- Number of the log of the IMS its program ran in
    -- an abend that 07 tells is of the message in hand, whose processing it ended
    coalesce(
        u.tpcmpcd <> 0, (e.flags & 128) <> 0 AND t.gu + to_microseconds(t.process_us) = e.ended
    )                                                        AS abended, -- It ended in an abend: completion code of its 56FA, else end of its program (07); NULL where no record says it
    u.uow IS NOT NULL                                        AS has_unit, -- Its unit of recovery has a 56FA: CPU time and waits are its own, not a share
    t.input_queue_us                                         AS input_queue_us, -- Queued until the program got it [us]
    t.schedule_us                                            AS schedule_us, -- Scheduling of the program, part of the input queue; first message of a schedule only [us]
    t.process_us                                             AS process_us, -- From Get Unique to the next one, the commit or the end of the program; Fast Path: to sync point [us]
    t.output_queue_us                                        AS output_queue_us, -- From insert of the first output to its sending; Fast Path: sync point to router [us]
    t.total_us                                               AS total_us, -- Input queue, processing and output queue [us]
    t.response_us                                            AS response_us, -- Arrival to sending; Fast Path: to the dequeue of the output (5936), without one to the router [us]
    -- a program has one 07: an equal share for each of its messages
    coalesce(u.tpextime, e.cpu_us / nullif(e.msgs, 0))::DOUBLE AS cpu_us, -- CPU time on general processors: 56FA, else an equal share of the 07 [us]
    coalesce(u.tpezaap, e.ziip_us / nullif(e.msgs, 0))::DOUBLE AS ziip_us, -- CPU time on zIIPs, likewise [us]
    coalesce(
        u.tpdgu::BIGINT + u.tpdgn + u.tpdgnp + u.tpdghu + u.tpdghn + u.tpdghnp + u.dl_isrt
            + u.dl_dlet + u.dl_repl,
        (e.gu::BIGINT + e.gn + e.gnp + e.ghu + e.ghn + e.ghnp + e.isrt + e.dlet + e.repl)
            / nullif(e.msgs, 0)
    )::DOUBLE                                                AS db_calls_count, -- Calls to full-function databases
    coalesce(u.db_ios, e.db_ios / nullif(e.msgs, 0))::DOUBLE AS db_io_count, -- Database I/Os
    coalesce(u.tptdbio, e.db_io_us / nullif(e.msgs, 0))::DOUBLE AS db_io_us, -- Waiting for database I/O [us]
    coalesce(u.tptdbpl, e.lock_us / nullif(e.msgs, 0))::DOUBLE AS lock_us, -- Waiting for locks [us]
    coalesce(u.esaf_calls, e.esaf_calls / nullif(e.msgs, 0))::DOUBLE AS esaf_calls_count, -- Calls to external subsystems
    coalesce(t.fp_calls_count, u.fp_calls, e.fp_calls / nullif(e.msgs, 0))::DOUBLE
                                                             AS fp_calls_count, -- Calls to Fast Path databases
    coalesce(t.ci_reads_count, u.fp_ci_reads, e.fp_reads / nullif(e.msgs, 0))::DOUBLE
                                                             AS ci_reads_count, -- DEDB control intervals read
    coalesce(t.ci_updates_count, u.fp_ci_updates, e.fp_writes / nullif(e.msgs, 0))::DOUBLE
                                                             AS ci_updates_count, -- DEDB control intervals changed
    n.sample_every                                           AS sample_every, -- One transaction in so many is in a sampled synthetic log, else 1
    t.uow                                                    AS uow, -- Unit of work of the message
    t.file_id                                                AS file_id, -- File of its first record
    t.record_no                                              AS record_no -- Record in that file
FROM placed AS t
JOIN log_interval AS n ON n.log_no = t.log_no AND n.interval_start_utc = t.from_utc
LEFT JOIN unit_of_work AS u ON u.run_no = t.run_no AND u.uow = t.uow
LEFT JOIN program_end AS e
    ON e.log_no = t.region_log_no AND e.pst = t.pst AND e.ended = t.program_ended;
