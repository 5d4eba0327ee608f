-- rmf_io_path_section: one row per channel path section of type 78.3: where it stands, and what
-- tells it from the others of its interval.
CREATE OR REPLACE VIEW rmf_io_path_section AS
SELECT
    f.run                                            AS run, -- Measurement
    nullif(p.smf78xnm, '')                           AS sysplex, -- Sysplex name
    x.system                                         AS system, -- System name
    x.interval_start                                 AS interval_start, -- Interval start, local time of the system
    x.interval_start - p.smf78lgo                    AS interval_start_utc, -- Interval start, UTC
    {'smf78xnm': p.smf78xnm, 'smf78lgo': p.smf78lgo, 'r783id1': c.r783id1, 'r783cpid': x.r783cpid}
                                                     AS key, -- Sysplex, UTC offset, logical control unit and channel path
    x.file_id                                        AS file_id, -- File of the record
    x.record_no                                      AS record_no, -- Record in that file
    x.section_no                                     AS section_no -- Section in the record
FROM smf78_3_path AS x
JOIN smf78_3_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id
JOIN smf78_3_control AS c ON c.file_id = x.file_id AND c.record_no = x.record_no
    AND c.section_no = x.control_no;

-- rmf_io_queue: one row per system, interval, logical control unit and channel path; path NULL for
-- all of it.
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
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start, (p.smf78xnm, p.smf78lgo, x.r783id2),
        (x.file_id, x.record_no, x.section_no)
    )
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
        r783cmr::DOUBLE AS response_time,
        nullif(concat_ws(
            ' ',
            CASE WHEN r783cun > 0 THEN hex4(r783cu1) END,
            CASE WHEN r783cun > 1 THEN hex4(r783cu2) END,
            CASE WHEN r783cun > 2 THEN hex4(r783cu3) END,
            CASE WHEN r783cun > 3 THEN hex4(r783cu4) END
        ), '') AS control_units
    FROM sections_once('path', 'rmf_io_path_section')
),
-- paths that are managed dynamically stand in the queueing section, all in one
managed AS (
    SELECT
        q.run, q.sysplex, q.system, q.interval_start, q.interval_start_utc, q.interval_s,
        q.r783id2 AS lcu_no, q.r783ptm::DOUBLE AS taken, q.r783dpbm::DOUBLE AS dp_busy,
        q.r783cubm::DOUBLE AS cu_busy, q.r783cbtm::DOUBLE AS cu_busy_time,
        q.r783cmrm::DOUBLE AS response_time, q.r783qsm::DOUBLE AS queue_sum,
        q.r783qct::DOUBLE AS queue_count, q.r783csst::DOUBLE AS css_time,
        a.no_alias_count, a.alias_io_count, a.aliases_max,
        CASE WHEN (q.r783dst & 8) <> 0 THEN q.r783mcmn END AS dcm_min,
        CASE WHEN (q.r783dst & 8) <> 0 THEN q.r783mcmx END AS dcm_max,
        CASE WHEN (q.r783dst & 8) <> 0 THEN q.r783mcdf END AS dcm_defined,
        -- FICON paths there, connect time valid
        CASE WHEN (q.r783dstx & 192) = 128
            THEN q.r783cmrm::DOUBLE + q.r783dctm + q.r783ddtm END AS exchange_time,
        CASE WHEN (q.r783dstx & 192) = 128 THEN q.r783dctm::DOUBLE END AS transfer_time
    FROM queue AS q
    LEFT JOIN alias AS a ON a.file_id = q.file_id AND a.record_no = q.record_no
        AND a.queue_no = q.section_no
),
row_sums AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, lcu_no, path_no,
        taken, dp_busy, cu_busy, cu_busy_time, response_time, NULL AS queue_sum,
        NULL AS queue_count, NULL AS css_time, NULL AS no_alias_count, NULL AS alias_io_count,
        NULL AS aliases_max, control_units, NULL AS dcm_min, NULL AS dcm_max, NULL AS dcm_defined,
        NULL AS exchange_time, NULL AS transfer_time
    FROM used
    UNION ALL
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, max(interval_s), lcu_no,
        NULL AS path_no, sum(taken), sum(dp_busy), sum(cu_busy), sum(cu_busy_time),
        sum(response_time), sum(queue_sum), sum(queue_count), sum(css_time), sum(no_alias_count),
        sum(alias_io_count), max(aliases_max), NULL AS control_units, min(dcm_min), max(dcm_max),
        max(dcm_defined), sum(exchange_time), sum(transfer_time)
    FROM (SELECT * EXCLUDE (control_units) FROM used UNION ALL BY NAME SELECT * FROM managed)
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, lcu_no
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    1e6 * x.interval_s                            AS interval_us, -- Length of the interval [us]
    hex4(x.lcu_no)                                AS lcu, -- Logical control unit, hex
    hex2(x.path_no)                               AS path, -- Channel path id, hex; NULL for the whole logical control unit
    x.taken                                       AS taken_count, -- I/O requests the path took
    x.dp_busy                                     AS dp_busy_count, -- Times the director port was busy
    x.cu_busy                                     AS cu_busy_count, -- Times the control unit was busy
    x.taken + x.dp_busy + x.cu_busy               AS try_count, -- Requests taken, and times it was busy
    128 * x.cu_busy_time                          AS cu_busy_us, -- Control unit busy delay [us]
    128 * x.response_time                         AS cmr_us, -- Initial command response delay [us]
    x.queue_count                                 AS queue_count, -- Requests that waited in the control unit header queue
    x.queue_sum - x.queue_count                   AS queue_excess_sum, -- Lengths of that queue before the request itself, summed
    128 * x.css_time                              AS css_us, -- Time in the channel subsystem [us]
    x.no_alias_count                              AS no_alias_count, -- I/Os that could not start as no alias was free
    x.alias_io_count                              AS alias_io_count, -- I/O requests of the logical subsystem
    x.aliases_max::DOUBLE                         AS hpav_max, -- Most aliases in use, borrowed ones included
    x.control_units                               AS control_units, -- Control units on the path, hex
    x.dcm_min::INTEGER                            AS dcm_min, -- Managed (DCM) channels in use, fewest; of the whole LCU
    x.dcm_max::INTEGER                            AS dcm_max, -- Managed (DCM) channels in use, most
    x.dcm_defined::INTEGER                        AS dcm_defined, -- Managed (DCM) channels defined
    128 * x.exchange_time                         AS exchange_us, -- Time of open exchanges: command response of managed paths, disconnect and connect time [us]
    128 * x.transfer_time                         AS transfer_us -- Time of data transfers: connect time [us]
FROM row_sums AS x;

-- rmf_io_processor: one row per system, interval and I/O processor; iop NULL for all of them.
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
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start, (p.smf78xnm, p.smf78lgo, x.r783iqid),
        (x.file_id, x.record_no, x.section_no)
    )
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
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.iop                                         AS iop, -- I/O processor, hex; NULL for all of them
    x.iqct                                        AS queue_count, -- Requests that came into the initiative queue
    x.iqsm - x.iqct                               AS queue_excess_sum, -- Lengths of that queue before the request itself, summed
    x.iipb                                        AS busy_count, -- Times the I/O processor was found busy
    x.iipb + x.iipi                               AS look_count, -- Times it was looked at
    x.iecb                                        AS compression_count, -- Times it was busy compressing or expanding
    x.iscb                                        AS scm_count, -- Times it was busy with storage class memory
    x.iifs                                        AS start_count, -- I/O functions started, without retries
    x.ipii                                        AS interrupt_count, -- I/O interrupts
    x.icpb + x.idpb + x.icub + x.idvb             AS retry_count, -- Retries
    x.icpb                                        AS retry_cp_count, -- Retries, channel path busy
    x.idpb                                        AS retry_dp_count, -- Retries, director port busy
    x.icub                                        AS retry_cu_count, -- Retries, control unit busy
    x.idvb                                        AS retry_dv_count, -- Retries, device busy
    x.iifs + x.icpb + x.idpb + x.icub + x.idvb    AS start_retry_count -- Starts and retries
FROM row_sums AS x;

-- rmf_ioq_interval: one row per system and interval with type 78.3 records.
CREATE OR REPLACE VIEW rmf_ioq_interval AS
SELECT
    f.run                                       AS run, -- Measurement
    nullif(p.smf78xnm, '')                      AS sysplex, -- Sysplex name
    p.system                                    AS system, -- System name
    p.interval_start                            AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf78lgo               AS interval_start_utc, -- Interval start, UTC
    max(epoch(p.smf78int))                      AS interval_s, -- Length of the interval [s]
    max(p.smf78sam)                             AS samples_count, -- RMF samples
    max(p.smf78cyc)                             AS cycle_ms, -- Sampling cycle [ms]
    max(p.smf78mvs)                             AS zos_level, -- Operating system level as stored
    max(g.r783tsf)                              AS iodf_suffix, -- Suffix of the I/O definition file
    max(coalesce(nullif(g.r783tdy, ''), g.r783tdt)) AS iodf_date, -- Creation date of the I/O definition file, as stored
    max(g.r783ttm)                              AS iodf_time, -- Creation time of the I/O definition file, as stored
    CASE WHEN max(g.r783cfl & 64) > 0 THEN 'ACTIVATE' WHEN count(g.r783cfl) > 0 THEN 'POR' END
                                                AS iodf_activation -- POR, or ACTIVATE where the configuration changed since the IPL
FROM smf78_3_product AS p
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf78_3_global AS g ON g.file_id = p.file_id AND g.record_no = p.record_no
GROUP BY ALL;
