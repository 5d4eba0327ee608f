-- rmf_cpu_interval: one row per system and RMF interval with a type 70.1 record; an interval that
-- is twice in a run counts once. The same interval twice in a run (overlapping dumps) counts once:
-- the first record wins.
CREATE OR REPLACE VIEW rmf_cpu_interval AS
SELECT
    o.run                                                        AS run, -- Measurement
    nullif(p.smf70xnm, '')                                       AS sysplex, -- Sysplex name
    o.system                                                     AS system, -- System name
    o.interval_start                                             AS interval_start, -- Interval start, local time of the system
    o.interval_start - p.smf70lgo                                AS interval_start_utc, -- Interval start, UTC: local start less SMF70LGO
    p.interval_end                                               AS interval_end, -- Interval end, local time
    epoch(p.smf70int)                                            AS interval_s, -- Length of the interval [s]
    epoch(p.smf70int) * 1e6                                      AS interval_us, -- Length of the interval [us]
    p.smf70sam                                                   AS samples_count, -- RMF samples
    p.smf70cyc                                                   AS cycle_ms, -- Sampling cycle [ms]
    p.smf70mvs                                                   AS zos_level, -- Operating system level as stored
    p.smf70ptn                                                   AS partition_no, -- Number of the partition that wrote the record
    c.smf70dsa                                                   AS dispatch_samples_count, -- Diagnose X'204' samples
    (c.smf70inb & 8) <> 0                                        AS extended_data, -- Partitions list their defined processors, not only the active ones
    (c.smf70hhf & 64) <> 0                                       AS hiperdispatch, -- HiperDispatch was active
    CASE WHEN c.smf70cpa_actual > 0
        THEN 57600.0 * c.smf70cpa_scaling_factor / c.smf70cpa_actual END AS msu_per_cp, -- Capacity of one full CP [MSU/h]: 3600 x 16 x scaling factor / adjustment factor
    coalesce(nullif(c.smf70nrm, 0), 256) / 256.0                 AS ziip_speed, -- Speed of a zIIP, CP = 1
    c.smf70wla                                                   AS image_capacity_msu, -- Capacity available to the image [MSU/h]; a limit, not the use
    c.smf70gau                                                   AS group_available_msu, -- Capacity that the group of the partition leaves unused, long-term mean [MSU/h]; may be below 0
    c.smf70gts                                                   AS dispatch_interval_ms, -- PR/SM dispatch interval [ms], 0 = dynamic
    hex4(c.smf70mod)                                             AS machine_type, -- Machine type
    c.smf70mdl                                                   AS model, -- Model
    c.smf70hwm                                                   AS hw_model, -- Hardware model
    c.smf70csc                                                   AS sequence_code, -- Sequence code of the machine
    c.smf70mcr                                                   AS cpc_capacity_msu, -- Model capacity rating [MSU/h]
    c.smf70cai                                                   AS capacity_adjustment, -- Capacity adjustment indication, 0 = none given
    c.smf70ccr                                                   AS capacity_change_reason, -- Reason of the last capacity change
    p.file_id                                                    AS file_id, -- File of the record
    p.record_no                                                  AS record_no -- Record in that file
FROM (
    -- the first of each, found before its other columns are read
    SELECT
        f.run, q.system, q.interval_start,
        min((q.file_id, q.record_no, q.section_no)) AS place
    FROM smf70_1_product AS q
    JOIN load_file AS f ON f.file_id = q.file_id
    GROUP BY f.run, q.system, q.interval_start, q.smf70xnm, q.smf70lgo
) AS o
JOIN smf70_1_product AS p ON (p.file_id, p.record_no, p.section_no) = o.place
LEFT JOIN smf70_1_control AS c
    ON c.file_id = p.file_id AND c.record_no = p.record_no AND c.section_no = 1;

-- rmf_device_interval: one row per system and RMF interval with type 74.1 records.
CREATE OR REPLACE VIEW rmf_device_interval AS
SELECT
    f.run                                       AS run, -- Measurement
    nullif(p.smf74xnm, '')                      AS sysplex, -- Sysplex name
    p.system                                    AS system, -- System name
    p.interval_start                            AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf74lgo               AS interval_start_utc, -- Interval start, UTC: local start less SMF74LGO
    max(p.interval_end)                         AS interval_end, -- Interval end, local time
    max(epoch(p.smf74int))                      AS interval_s, -- Length of the interval [s]
    max(p.smf74sam)                             AS samples_count, -- RMF samples
    max(p.smf74cyc)                             AS cycle_ms, -- Sampling cycle [ms]
    max(p.smf74mvs)                             AS zos_level, -- Operating system level as stored
    max(c.smf74tsf)                             AS iodf_suffix, -- Suffix of the I/O definition file
    max(coalesce(nullif(c.smf74tdy, ''), c.smf74tdt)) AS iodf_date, -- Creation date of the I/O definition file, as stored
    max(c.smf74ttm)                             AS iodf_time, -- Creation time of the I/O definition file, as stored
    CASE WHEN max(c.smf74cfl & 64) > 0 THEN 'ACTIVATE' WHEN count(c.smf74cfl) > 0 THEN 'POR' END
                                                AS iodf_activation, -- POR, or ACTIVATE where the configuration changed since the IPL
    count(*)                                    AS records_count -- Records of the interval; one device class may need several
FROM smf74_1_product AS p
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf74_1_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
GROUP BY ALL;

-- rmf_interval: one row per system, RMF interval and record type: the coverage of a run.
CREATE OR REPLACE VIEW rmf_interval AS
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name
    system, -- System name
    interval_start, -- Interval start, local time of the system
    interval_start_utc, -- Interval start, UTC
    interval_end, -- Interval end, local time
    interval_s, -- Length of the interval [s]
    samples_count, -- RMF samples
    '70.1' AS record_type -- SMF type and subtype
FROM rmf_cpu_interval
UNION ALL
SELECT
    run, sysplex, system, interval_start, interval_start_utc, interval_end,
    interval_s, samples_count, '74.1' AS record_type
FROM rmf_device_interval;
