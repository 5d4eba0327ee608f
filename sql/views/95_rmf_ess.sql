-- rmf_ess_link: one row per system, interval, port of a storage controller and kind of operation.
-- The controller counts for all systems together.
CREATE OR REPLACE VIEW rmf_ess_link AS
WITH port AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo          AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        epoch(p.smf74int) * 1e6                      AS interval_us,
        p.smf74sam::DOUBLE                           AS samples_count,
        c.r748cser                                   AS controller,
        c.r748ctyp                                   AS controller_type,
        x.*
    FROM smf74_8_link AS x
    JOIN smf74_8_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    JOIN smf74_8_control AS c ON c.file_id = x.file_id AND c.record_no = x.record_no
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start, (p.smf74xnm, p.smf74lgo, c.r748cser, x.r748laid),
        (x.file_id, x.record_no, x.section_no)
    )
),
used AS (
    SELECT *, CASE WHEN r748lero IS NOT NULL THEN 'ECKD READ' END AS operation,
        r748lerb AS data, r748lero AS operations, r748lert AS time
    FROM port
    UNION ALL
    SELECT *, CASE WHEN r748lewo IS NOT NULL THEN 'ECKD WRITE' END AS operation,
        r748lewb AS data, r748lewo AS operations, r748lewt AS time
    FROM port
    UNION ALL
    SELECT *, CASE WHEN r748lpso IS NOT NULL THEN 'PPRC SEND' END AS operation,
        r748lpsb AS data, r748lpso AS operations, r748lpst AS time
    FROM port
    UNION ALL
    SELECT *, CASE WHEN r748lpro IS NOT NULL THEN 'PPRC RECEIVE' END AS operation,
        r748lprb AS data, r748lpro AS operations, r748lprt AS time
    FROM port
    UNION ALL
    SELECT *, CASE WHEN r748lsro IS NOT NULL THEN 'SCSI READ' END AS operation,
        r748lsrb AS data, r748lsro AS operations, r748lsrt AS time
    FROM port
    UNION ALL
    SELECT *, CASE WHEN r748lswo IS NOT NULL THEN 'SCSI WRITE' END AS operation,
        r748lswb AS data, r748lswo AS operations, r748lswt AS time
    FROM port
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.controller                                  AS controller, -- Serial number of the storage controller
    nullif(x.controller_type, '')                 AS controller_type, -- Type of the storage controller
    hex4(x.r748laid)                              AS port, -- Adapter port, hex
    CASE x.r748ltyp WHEN 1 THEN 'ESCON' WHEN 2 THEN 'FIBRE 1Gb' WHEN 3 THEN 'FIBRE 2Gb'
        WHEN 4 THEN 'FIBRE 4Gb' WHEN 5 THEN 'FIBRE 8Gb' WHEN 6 THEN 'FIBRE 16Gb'
        WHEN 10 THEN 'ETHERNET 10Gb' END          AS type, -- Kind of link
    x.operation                                   AS operation, -- ECKD READ, ECKD WRITE, PPRC SEND, PPRC RECEIVE, SCSI READ, SCSI WRITE
    CASE WHEN (x.r748lflg & 128) = 0 THEN 131072.0 * x.data END AS data_bytes, -- Bytes transferred; NULL where the unit is not known
    x.operations                                  AS operation_count, -- Operations
    CASE WHEN (x.r748lflg & 64) = 0 THEN x.time END AS busy_ms, -- Time of the operations [ms]; NULL where the unit is not known
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM used AS x
WHERE x.operations > 0 OR x.data > 0;

-- rmf_ess_rank: one row per system, interval and rank of a storage controller.
CREATE OR REPLACE VIEW rmf_ess_rank AS
WITH rank AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo          AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        epoch(p.smf74int) * 1e6                      AS interval_us,
        p.smf74sam::DOUBLE                           AS samples_count,
        c.r748cser                                   AS controller,
        x.*
    FROM smf74_8_rank AS x
    JOIN smf74_8_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    JOIN smf74_8_control AS c ON c.file_id = x.file_id AND c.record_no = x.record_no
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start, (p.smf74xnm, p.smf74lgo, c.r748cser, x.r748rrid),
        (x.file_id, x.record_no, x.section_no)
    )
),
disk AS (
    SELECT
        file_id, record_no, rank_no,
        count(r748aaid)                              AS arrays,
        max(nullif(r748aebc, ''))                    AS raid,
        sum(r748aawd)                                AS width,
        min(r748aasp) FILTER ((r748aast & 192) IS DISTINCT FROM 192) * 1000 AS rpm, -- solid state has no speed
        bool_or((r748aast & 192) = 192)              AS solid_state,
        sum(r748aacp)                                AS capacity_gb
    FROM smf74_8_array
    GROUP BY file_id, record_no, rank_no
)
SELECT
    x.run                                         AS run, -- Measurement
    x.sysplex                                     AS sysplex, -- Sysplex name
    x.system                                      AS system, -- System name
    x.interval_start                              AS interval_start, -- Interval start, local time of the system
    x.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    x.interval_s                                  AS interval_s, -- Length of the interval [s]
    x.controller                                  AS controller, -- Serial number of the storage controller
    hex4(x.r748rrid)                              AS rank, -- Rank, hex
    hex4(x.r748rpnm)                              AS pool, -- Extent pool, hex
    d.raid                                        AS raid, -- Kind of array
    d.arrays::INTEGER                             AS arrays, -- Arrays of the rank
    d.width::INTEGER                              AS width, -- Disks of the arrays
    d.rpm::INTEGER                                AS rpm, -- Speed of the slowest array [1/min]
    d.capacity_gb::DOUBLE                         AS capacity_gb, -- Capacity of the arrays [GB]
    CASE WHEN d.solid_state THEN 'Y' WHEN NOT d.solid_state THEN 'N' END AS ssd, -- Y: an array is of solid state drives
    CASE WHEN (x.r748rtq & 1) <> 0 THEN hex4(x.r748rai) END AS adapter, -- Adapter pair of the rank, hex; NULL where the record does not say
    CASE e.r748xplt WHEN 4 THEN 'FB 1GB' WHEN 132 THEN 'CKD 1GB' END AS pool_type, -- Kind of extents of the pool: FB 1GB, CKD 1GB
    x.r748rrop                                    AS read_count, -- Read operations
    131072.0 * x.r748rbyr                         AS read_bytes, -- Bytes read
    16.0 * x.r748rkrt                             AS read_total_ms, -- Response time of reads [ms]
    x.r748rwop                                    AS write_count, -- Write operations
    131072.0 * x.r748rbyw                         AS write_bytes, -- Bytes written
    16.0 * x.r748rkwt                             AS write_total_ms, -- Response time of writes [ms]
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no, -- Record in that file
    x.section_no                                  AS section_no -- Section in the record
FROM rank AS x
LEFT JOIN (
    SELECT file_id, record_no, r748xpid, any_value(r748xplt) AS r748xplt
    FROM smf74_8_pool
    GROUP BY file_id, record_no, r748xpid
) AS e ON e.file_id = x.file_id AND e.record_no = x.record_no AND e.r748xpid = x.r748rpnm
LEFT JOIN disk AS d ON d.file_id = x.file_id AND d.record_no = x.record_no
    AND d.rank_no = x.section_no;
