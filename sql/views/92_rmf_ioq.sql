-- rmf_io_queue: one row per system, interval, logical control unit and channel path, and one for
-- the whole logical control unit (path NULL), which alone has its queue.
CREATE OR REPLACE VIEW rmf_io_queue AS
WITH path AS (
    SELECT
        f.run,
        nullif(p.smf78xnm, '')                       AS sysplex,
        x.interval_start - p.smf78lgo          AS interval_start_utc,
        epoch(p.smf78int)                            AS interval_s,
        epoch(p.smf78int) * 1e6                      AS interval_us,
        p.smf78sam::DOUBLE                           AS samples_count,
        c.r783id1                                    AS lcu_no,
        x.*
    FROM smf78_3_path AS x
    JOIN smf78_3_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    JOIN smf78_3_control AS c ON c.file_id = x.file_id AND c.record_no = x.record_no
        AND c.section_no = x.control_no
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf78lgo,
            c.r783id1, x.r783cpid
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
),
queue AS (
    SELECT
        f.run,
        nullif(p.smf78xnm, '')                       AS sysplex,
        x.interval_start - p.smf78lgo          AS interval_start_utc,
        epoch(p.smf78int)                            AS interval_s,
        epoch(p.smf78int) * 1e6                      AS interval_us,
        p.smf78sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf78_3_queue AS x
    JOIN smf78_3_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf78lgo,
            x.r783id2
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
),
alias AS (
    SELECT
        file_id, record_no, queue_no,
        sum(r783hnai)                                AS no_alias_count,
        sum(r783htio)                                AS alias_io_count,
        max(r783haiu::BIGINT + coalesce(r783xhbc, 0))       AS aliases_max
    FROM smf78_3_hyperpav
    GROUP BY file_id, record_no, queue_no
),
used AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, lcu_no,
        r783cpid AS path_no, r783pt::DOUBLE AS taken, r783dpb::DOUBLE AS dp_busy,
        r783cub::DOUBLE AS cu_busy, r783cbt::DOUBLE AS cu_busy_time,
        r783cmr::DOUBLE AS response_time
    FROM path
),
-- paths that are managed dynamically stand in the queueing section, all in one
managed AS (
    SELECT
        q.run, q.sysplex, q.system, q.interval_start, q.interval_start_utc, q.interval_s,
        q.r783id2 AS lcu_no, q.r783ptm::DOUBLE AS taken, q.r783dpbm::DOUBLE AS dp_busy,
        q.r783cubm::DOUBLE AS cu_busy, q.r783cbtm::DOUBLE AS cu_busy_time,
        q.r783cmrm::DOUBLE AS response_time, q.r783qsm::DOUBLE AS queue_sum,
        q.r783qct::DOUBLE AS queue_count, q.r783csst::DOUBLE AS css_time,
        a.no_alias_count, a.alias_io_count, a.aliases_max
    FROM queue AS q
    LEFT JOIN alias AS a ON a.file_id = q.file_id AND a.record_no = q.record_no
        AND a.queue_no = q.section_no
),
row_sums AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, lcu_no, path_no,
        taken, dp_busy, cu_busy, cu_busy_time, response_time, NULL AS queue_sum,
        NULL AS queue_count, NULL AS css_time, NULL AS no_alias_count, NULL AS alias_io_count,
        NULL AS aliases_max
    FROM used
    UNION ALL
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, max(interval_s), lcu_no,
        NULL AS path_no, sum(taken), sum(dp_busy), sum(cu_busy), sum(cu_busy_time),
        sum(response_time), sum(queue_sum), sum(queue_count), sum(css_time), sum(no_alias_count),
        sum(alias_io_count), max(aliases_max)
    FROM (SELECT * FROM used UNION ALL BY NAME SELECT * FROM managed)
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, lcu_no
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    printf('%04X', x.lcu_no)                      AS lcu,
    CASE WHEN x.path_no IS NOT NULL THEN printf('%02X', x.path_no) END AS path,
    x.taken                                       AS taken_count,
    x.dp_busy                                     AS dp_busy_count,
    x.cu_busy                                     AS cu_busy_count,
    x.taken + x.dp_busy + x.cu_busy               AS try_count,
    128 * x.cu_busy_time                          AS cu_busy_us,
    128 * x.response_time                         AS cmr_us,
    x.queue_count                                 AS queue_count,
    x.queue_sum - x.queue_count                   AS queue_excess_sum,
    128 * x.css_time                              AS css_us,
    x.no_alias_count                              AS no_alias_count,
    x.alias_io_count                              AS alias_io_count,
    x.aliases_max::DOUBLE                         AS hpav_max
FROM row_sums AS x;

COMMENT ON VIEW rmf_io_queue IS 'One row per system, interval, logical control unit and channel path; path NULL for all of it';
COMMENT ON COLUMN rmf_io_queue.run IS 'Measurement';
COMMENT ON COLUMN rmf_io_queue.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_io_queue.system IS 'System name';
COMMENT ON COLUMN rmf_io_queue.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_io_queue.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_io_queue.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_io_queue.lcu IS 'Logical control unit, hex';
COMMENT ON COLUMN rmf_io_queue.path IS 'Channel path id, hex; NULL for the whole logical control unit';
COMMENT ON COLUMN rmf_io_queue.taken_count IS 'I/O requests the path took';
COMMENT ON COLUMN rmf_io_queue.dp_busy_count IS 'Times the director port was busy';
COMMENT ON COLUMN rmf_io_queue.cu_busy_count IS 'Times the control unit was busy';
COMMENT ON COLUMN rmf_io_queue.try_count IS 'Requests taken, and times it was busy';
COMMENT ON COLUMN rmf_io_queue.cu_busy_us IS 'Control unit busy delay [us]';
COMMENT ON COLUMN rmf_io_queue.cmr_us IS 'Initial command response delay [us]';
COMMENT ON COLUMN rmf_io_queue.queue_count IS 'Requests that waited in the control unit header queue';
COMMENT ON COLUMN rmf_io_queue.queue_excess_sum IS 'Lengths of that queue before the request itself, summed';
COMMENT ON COLUMN rmf_io_queue.css_us IS 'Time in the channel subsystem [us]';
COMMENT ON COLUMN rmf_io_queue.no_alias_count IS 'I/Os that could not start as no alias was free';
COMMENT ON COLUMN rmf_io_queue.alias_io_count IS 'I/O requests of the logical subsystem';
COMMENT ON COLUMN rmf_io_queue.hpav_max IS 'Most aliases in use, borrowed ones included';

-- rmf_io_processor: one row per system, interval and I/O processor, and one for all of them.
CREATE OR REPLACE VIEW rmf_io_processor AS
WITH iop AS (
    SELECT
        f.run,
        nullif(p.smf78xnm, '')                       AS sysplex,
        x.interval_start - p.smf78lgo          AS interval_start_utc,
        epoch(p.smf78int)                            AS interval_s,
        epoch(p.smf78int) * 1e6                      AS interval_us,
        p.smf78sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf78_3_iop AS x
    JOIN smf78_3_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf78lgo,
            x.r783iqid
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
),
row_sums AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, max(interval_s) AS interval_s,
        CASE WHEN grouping(r783iqid) = 0 THEN printf('%02X', r783iqid) END AS iop,
        sum(r783iqsm)::DOUBLE AS iqsm,
        sum(r783iqct)::DOUBLE AS iqct,
        sum(r783iipb)::DOUBLE AS iipb,
        sum(r783iipi)::DOUBLE AS iipi,
        sum(r783iifs)::DOUBLE AS iifs,
        sum(r783ipii)::DOUBLE AS ipii,
        sum(r783icpb)::DOUBLE AS icpb,
        sum(r783idpb)::DOUBLE AS idpb,
        sum(r783icub)::DOUBLE AS icub,
        sum(r783idvb)::DOUBLE AS idvb,
        sum(r783iscb)::DOUBLE AS iscb,
        sum(r783iecb)::DOUBLE AS iecb
    FROM iop
    GROUP BY GROUPING SETS (
        (run, sysplex, system, interval_start, interval_start_utc, r783iqid),
        (run, sysplex, system, interval_start, interval_start_utc)
    )
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.iop                                         AS iop,
    x.iqct                                        AS queue_count,
    x.iqsm - x.iqct                               AS queue_excess_sum,
    x.iipb                                        AS busy_count,
    x.iipb + x.iipi                               AS look_count,
    x.iecb                                        AS compression_count,
    x.iscb                                        AS scm_count,
    x.iifs                                        AS start_count,
    x.ipii                                        AS interrupt_count,
    x.icpb + x.idpb + x.icub + x.idvb             AS retry_count,
    x.icpb                                        AS retry_cp_count,
    x.idpb                                        AS retry_dp_count,
    x.icub                                        AS retry_cu_count,
    x.idvb                                        AS retry_dv_count,
    x.iifs + x.icpb + x.idpb + x.icub + x.idvb    AS start_retry_count
FROM row_sums AS x;

COMMENT ON VIEW rmf_io_processor IS 'One row per system, interval and I/O processor; iop NULL for all of them';
COMMENT ON COLUMN rmf_io_processor.run IS 'Measurement';
COMMENT ON COLUMN rmf_io_processor.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_io_processor.system IS 'System name';
COMMENT ON COLUMN rmf_io_processor.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_io_processor.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_io_processor.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_io_processor.iop IS 'I/O processor, hex; NULL for all of them';
COMMENT ON COLUMN rmf_io_processor.queue_count IS 'Requests that came into the initiative queue';
COMMENT ON COLUMN rmf_io_processor.queue_excess_sum IS 'Lengths of that queue before the request itself, summed';
COMMENT ON COLUMN rmf_io_processor.busy_count IS 'Times the I/O processor was found busy';
COMMENT ON COLUMN rmf_io_processor.look_count IS 'Times it was looked at';
COMMENT ON COLUMN rmf_io_processor.compression_count IS 'Times it was busy compressing or expanding';
COMMENT ON COLUMN rmf_io_processor.scm_count IS 'Times it was busy with storage class memory';
COMMENT ON COLUMN rmf_io_processor.start_count IS 'I/O functions started, without retries';
COMMENT ON COLUMN rmf_io_processor.interrupt_count IS 'I/O interrupts';
COMMENT ON COLUMN rmf_io_processor.retry_count IS 'Retries';
COMMENT ON COLUMN rmf_io_processor.retry_cp_count IS 'Retries, channel path busy';
COMMENT ON COLUMN rmf_io_processor.retry_dp_count IS 'Retries, director port busy';
COMMENT ON COLUMN rmf_io_processor.retry_cu_count IS 'Retries, control unit busy';
COMMENT ON COLUMN rmf_io_processor.retry_dv_count IS 'Retries, device busy';
COMMENT ON COLUMN rmf_io_processor.start_retry_count IS 'Starts and retries';
