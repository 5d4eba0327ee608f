-- rmf_logical_partition: one row per system, interval and configured partition.
-- The hypervisor's own entry PHYSICAL is among them (physical = true).
CREATE OR REPLACE VIEW rmf_logical_partition AS
SELECT
    i.run                                            AS run,
    i.sysplex                                        AS sysplex,
    i.system                                         AS system,
    i.interval_start                                 AS interval_start,
    i.interval_start_utc                             AS interval_start_utc,
    i.interval_us                                    AS interval_us,
    CASE WHEN b.smf70lpm = 'PHYSICAL' THEN '*PHYSICAL*' ELSE b.smf70lpm END AS partition,
    b.smf70lpm = 'PHYSICAL'                          AS physical,
    -- by number; by system name where no number fits
    b.smf70lpm <> 'PHYSICAL' AND (
        b.smf70lpn = i.partition_no
        OR (b.smf70stn = i.system AND NOT bool_or(
            b.smf70lpm <> 'PHYSICAL' AND b.smf70lpn = i.partition_no
        ) OVER (PARTITION BY b.file_id, b.record_no))
    )                                                AS own,
    nullif(b.smf70stn, '')                           AS partition_system,
    b.smf70msu                                       AS defined_msu,
    nullif(b.smf70gnm, '')                           AS group_name,
    b.smf70gmu                                       AS group_msu,
    (b.smf70pfg & 8) <> 0                            AS wlm_managed,
    (b.smf70pfl & 8192) <> 0                         AS vertical,
    CASE b.smf70_boostinfo & 192
        WHEN 0 THEN 'N' WHEN 64 THEN 'S' WHEN 128 THEN 'I' WHEN 192 THEN 'B' END AS boost_type,
    b.smf70bdn::BIGINT                               AS processors_listed_count,
    b.smf70bds::BIGINT                               AS processors_skipped_count,
    b.file_id                                        AS file_id,
    b.record_no                                      AS record_no,
    b.section_no                                     AS section_no
FROM smf70_1_partition AS b
JOIN rmf_cpu_interval AS i ON i.file_id = b.file_id AND i.record_no = b.record_no;

COMMENT ON VIEW rmf_logical_partition IS 'One row per system, interval and configured partition, *PHYSICAL* included';
COMMENT ON COLUMN rmf_logical_partition.run IS 'Measurement';
COMMENT ON COLUMN rmf_logical_partition.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_logical_partition.system IS 'System that wrote the record';
COMMENT ON COLUMN rmf_logical_partition.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_logical_partition.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_logical_partition.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_logical_partition.partition IS 'Partition name; *PHYSICAL* is the hypervisor itself';
COMMENT ON COLUMN rmf_logical_partition.physical IS 'The hypervisor''s own entry';
COMMENT ON COLUMN rmf_logical_partition.own IS 'The partition that wrote the record';
COMMENT ON COLUMN rmf_logical_partition.partition_system IS 'System running in the partition';
COMMENT ON COLUMN rmf_logical_partition.defined_msu IS 'Defined capacity [MSU/h], 0 = none';
COMMENT ON COLUMN rmf_logical_partition.group_name IS 'Capacity group';
COMMENT ON COLUMN rmf_logical_partition.group_msu IS 'Limit of the capacity group [MSU/h]';
COMMENT ON COLUMN rmf_logical_partition.wlm_managed IS 'Weight is managed by WLM';
COMMENT ON COLUMN rmf_logical_partition.vertical IS 'Vertically polarised';
COMMENT ON COLUMN rmf_logical_partition.boost_type IS 'N none, S speed, I zIIP, B both; NULL in records without it';
COMMENT ON COLUMN rmf_logical_partition.processors_listed_count IS 'Processor sections of the partition; 0 = deactivated';
COMMENT ON COLUMN rmf_logical_partition.processors_skipped_count IS 'Processor sections of the record before its first';
COMMENT ON COLUMN rmf_logical_partition.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_logical_partition.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_logical_partition.section_no IS 'Partition section in the record';

-- rmf_partition_processor: one row per system, interval, partition and logical processor.
CREATE OR REPLACE VIEW rmf_partition_processor AS
SELECT
    p.run                                            AS run,
    p.sysplex                                        AS sysplex,
    p.system                                         AS system,
    p.interval_start                                 AS interval_start,
    p.interval_start_utc                             AS interval_start_utc,
    p.interval_us                                    AS interval_us,
    p.partition                                      AS partition,
    p.physical                                       AS physical,
    p.own                                            AS own,
    d.smf70vpa                                       AS address,
    nullif(n.smf70cin, '')                           AS type,
    coalesce(nullif(n.smf70can, 0)::DOUBLE / nullif(i.dispatch_samples_count, 0), n.smf70ctn)
                                                     AS physical_count,
    -- without extended data every listed processor is active
    p.physical OR coalesce(d.smf70ont, 0) > 0 OR NOT coalesce(i.extended_data, false) AS active,
    d.smf70bps = 65535                               AS dedicated,
    (d.smf70vpf & 128) <> 0                          AS wait_completion,
    (d.smf70vpf & 16) <> 0                           AS initial_cap,
    coalesce(d.smf70hw_cap_limit, 0) > 0             AS hw_cap,
    coalesce(d.smf70hwgr_cap_limit, 0) > 0           AS hw_group_cap,
    CASE d.smf70pof & 192
        WHEN 64 THEN 'LOW' WHEN 128 THEN 'MED' WHEN 192 THEN 'HIGH' END AS polarity,
    CASE
        WHEN d.smf70bps = 65535 THEN NULL
        WHEN p.wlm_managed AND i.dispatch_samples_count > 0 AND d.smf70acs IS NOT NULL
            THEN d.smf70acs::DOUBLE / i.dispatch_samples_count
        ELSE d.smf70bps::DOUBLE
    END                                              AS weight,
    d.smf70pow / 4096.0 / nullif(i.dispatch_samples_count, 0) AS vertical_weight,
    d.smf70pdt::DOUBLE                               AS dispatch_us,
    d.smf70edt::DOUBLE                               AS effective_us,
    d.smf70pdt::DOUBLE - d.smf70edt::DOUBLE          AS management_us,
    CASE
        WHEN d.smf70ont > 0 OR coalesce(i.extended_data, false) THEN d.smf70ont::DOUBLE
        ELSE i.interval_us
    END                                              AS online_us,
    d.smf70nsw::BIGINT                               AS wlm_capped_samples_count,
    i.dispatch_samples_count::BIGINT                 AS dispatch_samples_count,
    i.msu_per_cp                                     AS msu_per_cp,
    i.ziip_speed                                     AS ziip_speed,
    p.file_id                                        AS file_id,
    p.record_no                                      AS record_no,
    p.section_no                                     AS partition_section_no,
    d.section_no                                     AS section_no
FROM rmf_logical_partition AS p
JOIN rmf_cpu_interval AS i ON i.file_id = p.file_id AND i.record_no = p.record_no
JOIN smf70_1_processor AS d
    ON d.file_id = p.file_id AND d.record_no = p.record_no
    AND d.section_no > p.processors_skipped_count
    AND d.section_no <= p.processors_skipped_count + p.processors_listed_count
LEFT JOIN smf70_1_cpu_id AS n
    ON n.file_id = d.file_id AND n.record_no = d.record_no AND n.section_no = d.smf70cix;

COMMENT ON VIEW rmf_partition_processor IS 'One row per system, interval, partition and logical processor or core';
COMMENT ON COLUMN rmf_partition_processor.run IS 'Measurement';
COMMENT ON COLUMN rmf_partition_processor.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_partition_processor.system IS 'System that wrote the record';
COMMENT ON COLUMN rmf_partition_processor.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_partition_processor.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_partition_processor.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_partition_processor.partition IS 'Partition name';
COMMENT ON COLUMN rmf_partition_processor.physical IS 'The hypervisor''s own entry';
COMMENT ON COLUMN rmf_partition_processor.own IS 'Of the partition that wrote the record';
COMMENT ON COLUMN rmf_partition_processor.address IS 'Logical processor address, or core id';
COMMENT ON COLUMN rmf_partition_processor.type IS 'Processor type: CP, IIP, AAP, ICF, IFL';
COMMENT ON COLUMN rmf_partition_processor.physical_count IS 'Physical processors of the type, mean of the interval';
COMMENT ON COLUMN rmf_partition_processor.active IS 'Online at some time in the interval';
COMMENT ON COLUMN rmf_partition_processor.dedicated IS 'Dedicated, not shared';
COMMENT ON COLUMN rmf_partition_processor.wait_completion IS 'Wait completion: dispatch time includes wait';
COMMENT ON COLUMN rmf_partition_processor.initial_cap IS 'Initial capping is on';
COMMENT ON COLUMN rmf_partition_processor.hw_cap IS 'An absolute hardware cap is set';
COMMENT ON COLUMN rmf_partition_processor.hw_group_cap IS 'A hardware group cap is set';
COMMENT ON COLUMN rmf_partition_processor.polarity IS 'HIGH, MED or LOW; NULL where not polarised';
COMMENT ON COLUMN rmf_partition_processor.weight IS 'Weight of the partition for this type; the mean where WLM manages it; NULL where dedicated';
COMMENT ON COLUMN rmf_partition_processor.vertical_weight IS 'Part of the weight this processor stands for';
COMMENT ON COLUMN rmf_partition_processor.dispatch_us IS 'Time dispatched, LPAR management included [us]';
COMMENT ON COLUMN rmf_partition_processor.effective_us IS 'Time dispatched, LPAR management left out [us]';
COMMENT ON COLUMN rmf_partition_processor.management_us IS 'LPAR management time [us]';
COMMENT ON COLUMN rmf_partition_processor.online_us IS 'Time online [us]';
COMMENT ON COLUMN rmf_partition_processor.wlm_capped_samples_count IS 'Samples in which WLM capped the partition';
COMMENT ON COLUMN rmf_partition_processor.dispatch_samples_count IS 'Diagnose X''204'' samples';
COMMENT ON COLUMN rmf_partition_processor.msu_per_cp IS 'Capacity of one full CP [MSU/h]';
COMMENT ON COLUMN rmf_partition_processor.ziip_speed IS 'Speed of a zIIP, CP = 1';
COMMENT ON COLUMN rmf_partition_processor.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_partition_processor.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_partition_processor.partition_section_no IS 'Partition section in the record';
COMMENT ON COLUMN rmf_partition_processor.section_no IS 'Processor section in the record';

-- rmf_partition: one row per system, interval, partition and processor type, as sums of times.
-- A partition without any active processor has one row with type NULL.
CREATE OR REPLACE VIEW rmf_partition AS
WITH by_type AS (
    SELECT
        file_id, record_no, partition_section_no, type,
        max(physical_count)                                  AS physical_count,
        max(weight)                                          AS weight,
        bool_or(dedicated)                                   AS dedicated,
        bool_or(initial_cap)                                 AS initial_cap,
        bool_or(hw_cap)                                      AS hw_cap,
        bool_or(hw_group_cap)                                AS hw_group_cap,
        sum(effective_us)                                    AS effective_us,
        sum(dispatch_us)                                     AS dispatch_us,
        sum(management_us)                                   AS management_us,
        sum(online_us)                                       AS online_us,
        -- the samples count the partition and stand on each of its processors
        max(wlm_capped_samples_count)                        AS wlm_capped_samples_count,
        max(dispatch_samples_count)                          AS dispatch_samples_count,
        sum(effective_us) / 1e6 * max(msu_per_cp)
            * CASE type WHEN 'CP' THEN 1 WHEN 'IIP' THEN max(ziip_speed) END AS msu_s
    FROM rmf_partition_processor
    WHERE active
    GROUP BY file_id, record_no, partition_section_no, type
)
SELECT
    p.run                                            AS run,
    p.sysplex                                        AS sysplex,
    p.system                                         AS system,
    p.interval_start                                 AS interval_start,
    p.interval_start_utc                             AS interval_start_utc,
    p.interval_us                                    AS interval_us,
    p.interval_us / 1e6                              AS interval_s,
    p.partition                                      AS partition,
    t.type                                           AS type,
    p.physical                                       AS physical,
    p.own                                            AS own,
    t.file_id IS NOT NULL                            AS active,
    p.boost_type                                     AS boost_type,
    t.weight                                         AS weight,
    t.dedicated                                      AS dedicated,
    CASE WHEN t.type = 'CP' THEN p.defined_msu END   AS defined_msu,
    t.msu_s                                          AS msu_s,
    t.initial_cap                                    AS initial_cap,
    t.hw_cap                                         AS hw_cap,
    t.hw_group_cap                                   AS hw_group_cap,
    t.wlm_capped_samples_count                       AS wlm_capped_samples_count,
    t.dispatch_samples_count                         AS dispatch_samples_count,
    t.online_us                                      AS online_us,
    t.effective_us                                   AS effective_us,
    t.dispatch_us                                    AS dispatch_us,
    t.management_us                                  AS management_us,
    t.physical_count                                 AS physical_count,
    t.physical_count * p.interval_us                 AS engine_us,
    p.section_no                                     AS section_no
FROM rmf_logical_partition AS p
LEFT JOIN by_type AS t
    ON t.file_id = p.file_id AND t.record_no = p.record_no
    AND t.partition_section_no = p.section_no;

COMMENT ON VIEW rmf_partition IS 'One row per system, interval, partition and processor type, *PHYSICAL* included; type NULL where nothing was active';
COMMENT ON COLUMN rmf_partition.run IS 'Measurement';
COMMENT ON COLUMN rmf_partition.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_partition.system IS 'System that wrote the record';
COMMENT ON COLUMN rmf_partition.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_partition.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_partition.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_partition.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_partition.partition IS 'Partition name';
COMMENT ON COLUMN rmf_partition.type IS 'Processor type: CP, IIP, AAP, ICF, IFL';
COMMENT ON COLUMN rmf_partition.physical IS 'The hypervisor''s own entry';
COMMENT ON COLUMN rmf_partition.own IS 'The partition that wrote the record';
COMMENT ON COLUMN rmf_partition.active IS 'Had an active processor';
COMMENT ON COLUMN rmf_partition.boost_type IS 'N none, S speed, I zIIP, B both';
COMMENT ON COLUMN rmf_partition.weight IS 'Weight for this type; NULL where dedicated';
COMMENT ON COLUMN rmf_partition.dedicated IS 'Processors are dedicated';
COMMENT ON COLUMN rmf_partition.defined_msu IS 'Defined capacity [MSU/h], 0 = none; on the CP row only';
COMMENT ON COLUMN rmf_partition.msu_s IS 'MSU/h used x seconds: divide by interval_s; CP and zIIP only';
COMMENT ON COLUMN rmf_partition.initial_cap IS 'Initial capping is on';
COMMENT ON COLUMN rmf_partition.hw_cap IS 'An absolute hardware cap is set';
COMMENT ON COLUMN rmf_partition.hw_group_cap IS 'A hardware group cap is set';
COMMENT ON COLUMN rmf_partition.wlm_capped_samples_count IS 'Samples in which WLM capped the partition';
COMMENT ON COLUMN rmf_partition.dispatch_samples_count IS 'Diagnose X''204'' samples';
COMMENT ON COLUMN rmf_partition.online_us IS 'Online time of the logical processors [us]';
COMMENT ON COLUMN rmf_partition.effective_us IS 'Dispatch time without LPAR management [us]';
COMMENT ON COLUMN rmf_partition.dispatch_us IS 'Dispatch time with LPAR management [us]';
COMMENT ON COLUMN rmf_partition.management_us IS 'LPAR management time [us]';
COMMENT ON COLUMN rmf_partition.physical_count IS 'Physical processors of the type';
COMMENT ON COLUMN rmf_partition.engine_us IS 'Time of all physical processors of the type [us]';
COMMENT ON COLUMN rmf_partition.section_no IS 'Place of the partition in the record';

-- rmf_partition_header: one row per system and interval, what stands above the partition table.
CREATE OR REPLACE VIEW rmf_partition_header AS
SELECT
    i.run                                            AS run,
    i.sysplex                                        AS sysplex,
    i.system                                         AS system,
    i.interval_start                                 AS interval_start,
    i.interval_start_utc                             AS interval_start_utc,
    any_value(i.interval_s)                          AS interval_s,
    any_value(i.cycle_ms)                            AS cycle_ms,
    any_value(i.zos_level)                           AS zos_level,
    any_value(p.partition) FILTER (p.own)            AS partition,
    any_value(i.image_capacity_msu)                  AS image_capacity_msu,
    count(*) FILTER (NOT p.physical)                 AS partitions_count,
    any_value(i.dispatch_interval_ms)                AS dispatch_interval_ms,
    any_value(p.group_name) FILTER (p.own)           AS group_name,
    any_value(p.group_msu) FILTER (p.own)            AS group_msu,
    any_value(w.wait_completion)                     AS wait_completion
FROM rmf_cpu_interval AS i
LEFT JOIN rmf_logical_partition AS p ON p.file_id = i.file_id AND p.record_no = i.record_no
LEFT JOIN (
    SELECT file_id, record_no, bool_or(wait_completion) AS wait_completion
    FROM rmf_partition_processor
    WHERE own
    GROUP BY file_id, record_no
) AS w ON w.file_id = i.file_id AND w.record_no = i.record_no
GROUP BY i.run, i.sysplex, i.system, i.interval_start, i.interval_start_utc;

COMMENT ON VIEW rmf_partition_header IS 'One row per system and interval: what stands above the table of the partition page';
COMMENT ON COLUMN rmf_partition_header.run IS 'Measurement';
COMMENT ON COLUMN rmf_partition_header.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_partition_header.system IS 'System name';
COMMENT ON COLUMN rmf_partition_header.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_partition_header.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_partition_header.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_partition_header.cycle_ms IS 'Sampling cycle [ms]';
COMMENT ON COLUMN rmf_partition_header.zos_level IS 'Operating system level as stored';
COMMENT ON COLUMN rmf_partition_header.partition IS 'Partition that wrote the record';
COMMENT ON COLUMN rmf_partition_header.image_capacity_msu IS 'Capacity available to the image [MSU/h]';
COMMENT ON COLUMN rmf_partition_header.partitions_count IS 'Configured partitions, *PHYSICAL* not among them';
COMMENT ON COLUMN rmf_partition_header.dispatch_interval_ms IS 'PR/SM dispatch interval [ms], 0 = dynamic';
COMMENT ON COLUMN rmf_partition_header.group_name IS 'Capacity group of the partition';
COMMENT ON COLUMN rmf_partition_header.group_msu IS 'Limit of that group [MSU/h]';
COMMENT ON COLUMN rmf_partition_header.wait_completion IS 'Wait completion is on';
