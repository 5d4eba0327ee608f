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
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf77lgo,
            x.smf77qnm, x.smf77rnm, x.smf77dfg & 64
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.smf77qnm                                    AS major,
    x.smf77rnm                                    AS minor,
    CASE WHEN (x.smf77dfg & 64) <> 0 THEN 'SYSTEMS' ELSE 'SYSTEM' END AS scope,
    x.smf77wtm * 1024e-6                          AS min_s,
    x.smf77wtx * 1024e-6                          AS max_s,
    x.smf77wtt * 1024e-6                          AS total_s,
    x.smf77evt::DOUBLE                            AS event_count,
    x.smf77dow::DOUBLE                            AS owner_count,
    nullif(x.smf77do1, '')                        AS owner,
    nullif(x.smf77sy1, '')                        AS owner_system,
    x.smf77dwr::DOUBLE                            AS waiter_count,
    nullif(x.smf77dw1, '')                        AS waiter,
    nullif(x.smf77sy3, '')                        AS waiter_system,
    x.smf77ql1::DOUBLE                            AS queue1_count,
    x.smf77ql2::DOUBLE                            AS queue2_count,
    x.smf77ql3::DOUBLE                            AS queue3_count,
    x.smf77ql4::DOUBLE                            AS queue4_count,
    x.smf77ql1::DOUBLE + x.smf77ql2 + x.smf77ql3 + x.smf77ql4 AS queue_count,
    x.smf77aql::DOUBLE                            AS queue_length_sum,
    x.smf77exm::DOUBLE                            AS exclusive_min,
    x.smf77exx::DOUBLE                            AS exclusive_max,
    x.smf77shm::DOUBLE                            AS shared_min,
    x.smf77shx::DOUBLE                            AS shared_max,
    x.smf77csc::DOUBLE                            AS change_count,
    x.smf77nod::DOUBLE                            AS no_detail_count,
    x.file_id                                     AS file_id,
    x.record_no                                   AS record_no,
    x.section_no                                  AS section_no
FROM resource AS x;

COMMENT ON VIEW rmf_enqueue IS 'One row per system, interval and resource that jobs waited for';
COMMENT ON COLUMN rmf_enqueue.run IS 'Measurement';
COMMENT ON COLUMN rmf_enqueue.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_enqueue.system IS 'System name';
COMMENT ON COLUMN rmf_enqueue.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_enqueue.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_enqueue.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_enqueue.major IS 'Major name';
COMMENT ON COLUMN rmf_enqueue.minor IS 'Minor name';
COMMENT ON COLUMN rmf_enqueue.scope IS 'SYSTEM or SYSTEMS';
COMMENT ON COLUMN rmf_enqueue.min_s IS 'Shortest contention [s]';
COMMENT ON COLUMN rmf_enqueue.max_s IS 'Longest contention [s]';
COMMENT ON COLUMN rmf_enqueue.total_s IS 'All contention [s]';
COMMENT ON COLUMN rmf_enqueue.event_count IS 'Times contention arose';
COMMENT ON COLUMN rmf_enqueue.owner_count IS 'Owners';
COMMENT ON COLUMN rmf_enqueue.owner IS 'First owner';
COMMENT ON COLUMN rmf_enqueue.owner_system IS 'Its system';
COMMENT ON COLUMN rmf_enqueue.waiter_count IS 'Waiters';
COMMENT ON COLUMN rmf_enqueue.waiter IS 'First waiter';
COMMENT ON COLUMN rmf_enqueue.waiter_system IS 'Its system';
COMMENT ON COLUMN rmf_enqueue.queue1_count IS 'Times the queue was 1 long';
COMMENT ON COLUMN rmf_enqueue.queue2_count IS 'Times the queue was 2 long';
COMMENT ON COLUMN rmf_enqueue.queue3_count IS 'Times the queue was 3 long';
COMMENT ON COLUMN rmf_enqueue.queue4_count IS 'Times the queue was 4 or more long';
COMMENT ON COLUMN rmf_enqueue.queue_count IS 'Times there was a queue';
COMMENT ON COLUMN rmf_enqueue.queue_length_sum IS 'Lengths of the queue, summed';
COMMENT ON COLUMN rmf_enqueue.exclusive_min IS 'Exclusive requests at a time, fewest';
COMMENT ON COLUMN rmf_enqueue.exclusive_max IS 'Exclusive requests at a time, most';
COMMENT ON COLUMN rmf_enqueue.shared_min IS 'Shared requests at a time, fewest';
COMMENT ON COLUMN rmf_enqueue.shared_max IS 'Shared requests at a time, most';
COMMENT ON COLUMN rmf_enqueue.change_count IS 'Changes of the contention';
COMMENT ON COLUMN rmf_enqueue.no_detail_count IS 'Changes that came without detail';
COMMENT ON COLUMN rmf_enqueue.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_enqueue.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_enqueue.section_no IS 'Section in the record';
