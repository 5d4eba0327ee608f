-- rmf_ess_link: one row per system, interval, port of a storage controller and kind of operation it
-- did. The controller counts for all systems together.
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
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf74lgo,
            c.r748cser, x.r748laid
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
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
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.controller                                  AS controller,
    nullif(x.controller_type, '')                 AS controller_type,
    printf('%04X', x.r748laid)                    AS port,
    CASE x.r748ltyp WHEN 1 THEN 'ESCON' WHEN 2 THEN 'FIBRE 1Gb' WHEN 3 THEN 'FIBRE 2Gb'
        WHEN 4 THEN 'FIBRE 4Gb' WHEN 5 THEN 'FIBRE 8Gb' WHEN 6 THEN 'FIBRE 16Gb'
        WHEN 10 THEN 'ETHERNET 10Gb' END          AS type,
    x.operation                                   AS operation,
    CASE WHEN (x.r748lflg & 128) = 0 THEN 131072.0 * x.data END AS data_bytes,
    x.operations                                  AS operation_count,
    CASE WHEN (x.r748lflg & 64) = 0 THEN x.time END AS busy_ms,
    x.file_id                                     AS file_id,
    x.record_no                                   AS record_no,
    x.section_no                                  AS section_no
FROM used AS x
WHERE x.operations > 0 OR x.data > 0;

COMMENT ON VIEW rmf_ess_link IS 'One row per system, interval, port of a storage controller and kind of operation';
COMMENT ON COLUMN rmf_ess_link.run IS 'Measurement';
COMMENT ON COLUMN rmf_ess_link.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_ess_link.system IS 'System name';
COMMENT ON COLUMN rmf_ess_link.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_ess_link.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_ess_link.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_ess_link.controller IS 'Serial number of the storage controller';
COMMENT ON COLUMN rmf_ess_link.controller_type IS 'Type of the storage controller';
COMMENT ON COLUMN rmf_ess_link.port IS 'Adapter port, hex';
COMMENT ON COLUMN rmf_ess_link.type IS 'Kind of link';
COMMENT ON COLUMN rmf_ess_link.operation IS 'ECKD READ, ECKD WRITE, PPRC SEND, PPRC RECEIVE, SCSI READ, SCSI WRITE';
COMMENT ON COLUMN rmf_ess_link.data_bytes IS 'Bytes transferred; NULL where the unit is not known';
COMMENT ON COLUMN rmf_ess_link.operation_count IS 'Operations';
COMMENT ON COLUMN rmf_ess_link.busy_ms IS 'Time of the operations [ms]; NULL where the unit is not known';
COMMENT ON COLUMN rmf_ess_link.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_ess_link.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_ess_link.section_no IS 'Section in the record';

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
    QUALIFY row_number() OVER (
        PARTITION BY f.run, x.system, x.interval_start, p.smf74lgo,
            c.r748cser, x.r748rrid
        ORDER BY x.file_id, x.record_no, x.section_no
    ) = 1
),
disk AS (
    SELECT
        file_id, record_no, rank_no,
        count(r748aaid)                              AS arrays,
        max(nullif(r748aebc, ''))                    AS raid,
        sum(r748aawd)                                AS width,
        min(r748aasp) * 1000                         AS rpm,
        sum(r748aacp)                                AS capacity_gb
    FROM smf74_8_array
    GROUP BY file_id, record_no, rank_no
)
SELECT
    x.run                                         AS run,
    x.sysplex                                     AS sysplex,
    x.system                                      AS system,
    x.interval_start                              AS interval_start,
    x.interval_start_utc                          AS interval_start_utc,
    x.interval_s                                  AS interval_s,
    x.controller                                  AS controller,
    printf('%04X', x.r748rrid)                    AS rank,
    printf('%04X', x.r748rpnm)                    AS pool,
    d.raid                                        AS raid,
    d.arrays::INTEGER                             AS arrays,
    d.width::INTEGER                              AS width,
    d.rpm::INTEGER                                AS rpm,
    d.capacity_gb::DOUBLE                         AS capacity_gb,
    x.r748rrop                                    AS read_count,
    131072.0 * x.r748rbyr                         AS read_bytes,
    16.0 * x.r748rkrt                             AS read_total_ms,
    x.r748rwop                                    AS write_count,
    131072.0 * x.r748rbyw                         AS write_bytes,
    16.0 * x.r748rkwt                             AS write_total_ms,
    x.file_id                                     AS file_id,
    x.record_no                                   AS record_no,
    x.section_no                                  AS section_no
FROM rank AS x
LEFT JOIN disk AS d ON d.file_id = x.file_id AND d.record_no = x.record_no
    AND d.rank_no = x.section_no;

COMMENT ON VIEW rmf_ess_rank IS 'One row per system, interval and rank of a storage controller';
COMMENT ON COLUMN rmf_ess_rank.run IS 'Measurement';
COMMENT ON COLUMN rmf_ess_rank.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_ess_rank.system IS 'System name';
COMMENT ON COLUMN rmf_ess_rank.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_ess_rank.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_ess_rank.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_ess_rank.controller IS 'Serial number of the storage controller';
COMMENT ON COLUMN rmf_ess_rank.rank IS 'Rank, hex';
COMMENT ON COLUMN rmf_ess_rank.pool IS 'Extent pool, hex';
COMMENT ON COLUMN rmf_ess_rank.raid IS 'Kind of array';
COMMENT ON COLUMN rmf_ess_rank.arrays IS 'Arrays of the rank';
COMMENT ON COLUMN rmf_ess_rank.width IS 'Disks of the arrays';
COMMENT ON COLUMN rmf_ess_rank.rpm IS 'Speed of the slowest array [1/min]';
COMMENT ON COLUMN rmf_ess_rank.capacity_gb IS 'Capacity of the arrays [GB]';
COMMENT ON COLUMN rmf_ess_rank.read_count IS 'Read operations';
COMMENT ON COLUMN rmf_ess_rank.read_bytes IS 'Bytes read';
COMMENT ON COLUMN rmf_ess_rank.read_total_ms IS 'Response time of reads [ms]';
COMMENT ON COLUMN rmf_ess_rank.write_count IS 'Write operations';
COMMENT ON COLUMN rmf_ess_rank.write_bytes IS 'Bytes written';
COMMENT ON COLUMN rmf_ess_rank.write_total_ms IS 'Response time of writes [ms]';
COMMENT ON COLUMN rmf_ess_rank.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_ess_rank.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_ess_rank.section_no IS 'Section in the record';
