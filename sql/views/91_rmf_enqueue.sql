-- rmf_enqueue: one row per system, interval and resource that jobs waited for.
CREATE OR REPLACE VIEW rmf_enqueue AS
WITH resource AS (
    SELECT
        f.run,
        nullif(p.smf77xnm, '')                       AS sysplex,
        x.interval_start - p.smf77lgo          AS interval_start_utc,
        epoch(p.smf77int)                            AS interval_s,
        epoch(p.smf77int) * 1e6                      AS interval_us,
        p.smf77sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf77_1_enqueue AS x
    JOIN smf77_1_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start,
        (p.smf77xnm, p.smf77lgo, x.smf77qnm, x.smf77rnm, x.smf77dfg & 64),
        (x.file_id, x.record_no, x.section_no)
    )
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.smf77qnm                                    AS major, -- Major name
    x.smf77rnm                                    AS minor, -- Minor name
    CASE WHEN (x.smf77dfg & 64) <> 0 THEN 'SYSTEMS' ELSE 'SYSTEM' END AS scope, -- SYSTEM or SYSTEMS
    x.smf77wtm * 1024e-6                          AS min_s, -- Shortest contention [s]
    x.smf77wtx * 1024e-6                          AS max_s, -- Longest contention [s]
    x.smf77wtt * 1024e-6                          AS total_s, -- All contention [s]
    x.smf77evt::DOUBLE                            AS event_count, -- Times contention arose
    x.smf77dow::DOUBLE                            AS owner_count, -- Owners
    nullif(x.smf77do1, '')                        AS owner, -- First owner
    nullif(x.smf77sy1, '')                        AS owner_system, -- Its system
    x.smf77dwr::DOUBLE                            AS waiter_count, -- Waiters
    nullif(x.smf77dw1, '')                        AS waiter, -- First waiter
    nullif(x.smf77sy3, '')                        AS waiter_system, -- Its system
    x.smf77ql1::DOUBLE                            AS queue1_count, -- Times the queue was 1 long
    x.smf77ql2::DOUBLE                            AS queue2_count, -- Times the queue was 2 long
    x.smf77ql3::DOUBLE                            AS queue3_count, -- Times the queue was 3 long
    x.smf77ql4::DOUBLE                            AS queue4_count, -- Times the queue was 4 or more long
    x.smf77ql1::DOUBLE + x.smf77ql2 + x.smf77ql3 + x.smf77ql4 AS queue_count, -- Times there was a queue
    x.smf77aql::DOUBLE                            AS queue_length_sum, -- Lengths of the queue, summed
    x.smf77exm::DOUBLE                            AS exclusive_min, -- Exclusive requests at a time, fewest
    x.smf77exx::DOUBLE                            AS exclusive_max, -- Exclusive requests at a time, most
    x.smf77shm::DOUBLE                            AS shared_min, -- Shared requests at a time, fewest
    x.smf77shx::DOUBLE                            AS shared_max, -- Shared requests at a time, most
    x.smf77csc::DOUBLE                            AS change_count, -- Changes of the contention
    x.smf77nod::DOUBLE                            AS no_detail_count, -- Changes that came without detail
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM resource AS x;
