-- rmf_cpu_interval: one row per system and RMF interval that has a type 70.1 record.
-- The same interval twice in a run (overlapping dumps) counts once: the first record wins.
CREATE OR REPLACE VIEW rmf_cpu_interval AS
SELECT
    f.run                                                        AS run,
    nullif(p.smf70xnm, '')                                       AS sysplex,
    p.system                                                     AS system,
    p.interval_start                                             AS interval_start,
    p.interval_start - p.smf70lgo                                AS interval_start_utc,
    p.interval_end                                               AS interval_end,
    epoch(p.smf70int)                                            AS interval_s,
    epoch(p.smf70int) * 1e6                                      AS interval_us,
    p.smf70sam                                                   AS samples_count,
    p.smf70cyc                                                   AS cycle_ms,
    p.smf70mvs                                                   AS zos_level,
    p.smf70ptn                                                   AS partition_no,
    c.smf70dsa                                                   AS dispatch_samples_count,
    (c.smf70inb & 8) <> 0                                        AS extended_data,
    (c.smf70hhf & 64) <> 0                                       AS hiperdispatch,
    CASE WHEN c.smf70cpa_actual > 0
        THEN 57600.0 * c.smf70cpa_scaling_factor / c.smf70cpa_actual END AS msu_per_cp,
    coalesce(nullif(c.smf70nrm, 0), 256) / 256.0                 AS ziip_speed,
    c.smf70wla                                                   AS image_capacity_msu,
    c.smf70gts                                                   AS dispatch_interval_ms,
    printf('%04X', c.smf70mod)                                   AS machine_type,
    c.smf70mdl                                                   AS model,
    c.smf70hwm                                                   AS hw_model,
    c.smf70csc                                                   AS sequence_code,
    c.smf70mcr                                                   AS cpc_capacity_msu,
    c.smf70cai                                                   AS capacity_adjustment,
    c.smf70ccr                                                   AS capacity_change_reason,
    p.file_id                                                    AS file_id,
    p.record_no                                                  AS record_no
FROM smf70_1_product AS p
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf70_1_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
QUALIFY row_number() OVER (
    PARTITION BY f.run, p.system, p.interval_start, p.smf70lgo ORDER BY p.file_id, p.record_no
) = 1;

COMMENT ON VIEW rmf_cpu_interval IS 'One row per system and RMF interval with a type 70.1 record; an interval that is twice in a run counts once';
COMMENT ON COLUMN rmf_cpu_interval.run IS 'Measurement';
COMMENT ON COLUMN rmf_cpu_interval.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_cpu_interval.system IS 'System name';
COMMENT ON COLUMN rmf_cpu_interval.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_cpu_interval.interval_start_utc IS 'Interval start, UTC: local start less SMF70LGO';
COMMENT ON COLUMN rmf_cpu_interval.interval_end IS 'Interval end, local time';
COMMENT ON COLUMN rmf_cpu_interval.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_cpu_interval.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_cpu_interval.samples_count IS 'RMF samples';
COMMENT ON COLUMN rmf_cpu_interval.cycle_ms IS 'Sampling cycle [ms]';
COMMENT ON COLUMN rmf_cpu_interval.zos_level IS 'Operating system level as stored';
COMMENT ON COLUMN rmf_cpu_interval.partition_no IS 'Number of the partition that wrote the record';
COMMENT ON COLUMN rmf_cpu_interval.dispatch_samples_count IS 'Diagnose X''204'' samples';
COMMENT ON COLUMN rmf_cpu_interval.extended_data IS 'Partitions list their defined processors, not only the active ones';
COMMENT ON COLUMN rmf_cpu_interval.hiperdispatch IS 'HiperDispatch was active';
COMMENT ON COLUMN rmf_cpu_interval.msu_per_cp IS 'Capacity of one full CP [MSU/h]: 3600 x 16 x scaling factor / adjustment factor';
COMMENT ON COLUMN rmf_cpu_interval.ziip_speed IS 'Speed of a zIIP, CP = 1';
COMMENT ON COLUMN rmf_cpu_interval.image_capacity_msu IS 'Capacity available to the image [MSU/h]; a limit, not the use';
COMMENT ON COLUMN rmf_cpu_interval.dispatch_interval_ms IS 'PR/SM dispatch interval [ms], 0 = dynamic';
COMMENT ON COLUMN rmf_cpu_interval.machine_type IS 'Machine type';
COMMENT ON COLUMN rmf_cpu_interval.model IS 'Model';
COMMENT ON COLUMN rmf_cpu_interval.hw_model IS 'Hardware model';
COMMENT ON COLUMN rmf_cpu_interval.sequence_code IS 'Sequence code of the machine';
COMMENT ON COLUMN rmf_cpu_interval.cpc_capacity_msu IS 'Model capacity rating [MSU/h]';
COMMENT ON COLUMN rmf_cpu_interval.capacity_adjustment IS 'Capacity adjustment indication, 0 = none given';
COMMENT ON COLUMN rmf_cpu_interval.capacity_change_reason IS 'Reason of the last capacity change';
COMMENT ON COLUMN rmf_cpu_interval.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_cpu_interval.record_no IS 'Record in that file';

-- rmf_device_interval: one row per system and RMF interval that has type 74.1 records.
CREATE OR REPLACE VIEW rmf_device_interval AS
SELECT
    f.run                                       AS run,
    nullif(p.smf74xnm, '')                      AS sysplex,
    p.system                                    AS system,
    p.interval_start                            AS interval_start,
    p.interval_start - p.smf74lgo               AS interval_start_utc,
    max(p.interval_end)                         AS interval_end,
    max(epoch(p.smf74int))                      AS interval_s,
    max(p.smf74sam)                             AS samples_count,
    max(p.smf74cyc)                             AS cycle_ms,
    max(p.smf74mvs)                             AS zos_level,
    max(c.smf74tsf)                             AS iodf_suffix,
    max(c.smf74tdt)                             AS iodf_date,
    max(c.smf74ttm)                             AS iodf_time,
    count(*)                                    AS records_count
FROM smf74_1_product AS p
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf74_1_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
GROUP BY ALL;

COMMENT ON VIEW rmf_device_interval IS 'One row per system and RMF interval with type 74.1 records';
COMMENT ON COLUMN rmf_device_interval.run IS 'Measurement';
COMMENT ON COLUMN rmf_device_interval.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_device_interval.system IS 'System name';
COMMENT ON COLUMN rmf_device_interval.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_device_interval.interval_start_utc IS 'Interval start, UTC: local start less SMF74LGO';
COMMENT ON COLUMN rmf_device_interval.interval_end IS 'Interval end, local time';
COMMENT ON COLUMN rmf_device_interval.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_device_interval.samples_count IS 'RMF samples';
COMMENT ON COLUMN rmf_device_interval.cycle_ms IS 'Sampling cycle [ms]';
COMMENT ON COLUMN rmf_device_interval.zos_level IS 'Operating system level as stored';
COMMENT ON COLUMN rmf_device_interval.iodf_suffix IS 'Suffix of the I/O definition file';
COMMENT ON COLUMN rmf_device_interval.iodf_date IS 'Creation date of the I/O definition file, as stored';
COMMENT ON COLUMN rmf_device_interval.iodf_time IS 'Creation time of the I/O definition file, as stored';
COMMENT ON COLUMN rmf_device_interval.records_count IS 'Records of the interval; one device class may need several';

-- rmf_interval: one row per system, interval and record type that has RMF data.
CREATE OR REPLACE VIEW rmf_interval AS
SELECT
    run, sysplex, system, interval_start, interval_start_utc, interval_end,
    interval_s, samples_count, '70.1' AS record_type
FROM rmf_cpu_interval
UNION ALL
SELECT
    run, sysplex, system, interval_start, interval_start_utc, interval_end,
    interval_s, samples_count, '74.1' AS record_type
FROM rmf_device_interval;

COMMENT ON VIEW rmf_interval IS 'One row per system, RMF interval and record type: the coverage of a run';
COMMENT ON COLUMN rmf_interval.run IS 'Measurement';
COMMENT ON COLUMN rmf_interval.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_interval.system IS 'System name';
COMMENT ON COLUMN rmf_interval.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_interval.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_interval.interval_end IS 'Interval end, local time';
COMMENT ON COLUMN rmf_interval.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_interval.samples_count IS 'RMF samples';
COMMENT ON COLUMN rmf_interval.record_type IS 'SMF type and subtype';
