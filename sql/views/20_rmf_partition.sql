-- rmf_logical_partition: one row per system, interval and configured partition, *PHYSICAL*
-- included. The hypervisor's own entry PHYSICAL is among them (physical = true).
CREATE OR REPLACE VIEW rmf_logical_partition AS
SELECT
    i.run                                            AS run, -- Measurement
    i.sysplex                                        AS sysplex, -- Sysplex name
    i.system                                         AS system, -- System that wrote the record
    i.interval_start                                 AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    i.interval_us                                    AS interval_us, -- Length of the interval [us]
    CASE WHEN b.smf70lpm = 'PHYSICAL' THEN '*PHYSICAL*' ELSE b.smf70lpm END AS partition, -- Partition name; *PHYSICAL* is the hypervisor itself
    b.smf70lpm = 'PHYSICAL'                          AS physical, -- The hypervisor's own entry
    -- by number; by system name where no number fits
    b.smf70lpm <> 'PHYSICAL' AND (
        b.smf70lpn = i.partition_no
        OR (b.smf70stn = i.system AND NOT bool_or(
            b.smf70lpm <> 'PHYSICAL' AND b.smf70lpn = i.partition_no
        ) OVER (PARTITION BY b.file_id, b.record_no))
    )                                                AS own, -- The partition that wrote the record
    nullif(b.smf70stn, '')                           AS partition_system, -- System running in the partition
    b.smf70msu                                       AS defined_msu, -- Defined capacity [MSU/h], 0 = none
    nullif(b.smf70gnm, '')                           AS group_name, -- Capacity group
    nullif(b.smf70gmu, 0)                            AS group_msu, -- Limit of the capacity group [MSU/h], NULL without one
    (b.smf70pfg & 8) <> 0                            AS wlm_managed, -- Weight is managed by WLM
    (b.smf70pfl & 8192) <> 0                         AS vertical, -- Vertically polarised
    CASE b.smf70_boostinfo & 192
        WHEN 0 THEN 'N' WHEN 64 THEN 'S' WHEN 128 THEN 'I' WHEN 192 THEN 'B' END AS boost_type, -- N none, S speed, I zIIP, B both; NULL in records without it
    b.smf70bdn::BIGINT                               AS processors_listed_count, -- Processor sections of the partition; 0 = deactivated
    b.smf70bds::BIGINT                               AS processors_skipped_count, -- Processor sections of the record before its first
    b.file_id                                        AS file_id, -- File of the record
    b.record_no                                      AS record_no, -- Record in that file
    b.section_no                                     AS section_no -- Partition section in the record
FROM smf70_1_partition AS b
JOIN rmf_cpu_interval AS i ON i.file_id = b.file_id AND i.record_no = b.record_no;

-- rmf_partition_processor: one row per system, interval, partition and logical processor or core.
CREATE OR REPLACE VIEW rmf_partition_processor AS
SELECT
    p.run                                            AS run, -- Measurement
    p.sysplex                                        AS sysplex, -- Sysplex name
    p.system                                         AS system, -- System that wrote the record
    p.interval_start                                 AS interval_start, -- Interval start, local time of the system
    p.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    p.interval_us                                    AS interval_us, -- Length of the interval [us]
    p.partition                                      AS partition, -- Partition name
    p.physical                                       AS physical, -- The hypervisor's own entry
    p.own                                            AS own, -- Of the partition that wrote the record
    d.smf70vpa                                       AS address, -- Logical processor address, or core id
    nullif(n.smf70cin, '')                           AS type, -- Processor type: CP, IIP, AAP, ICF, IFL
    coalesce(nullif(n.smf70can, 0)::DOUBLE / nullif(i.dispatch_samples_count, 0), n.smf70ctn)
                                                     AS physical_count, -- Physical processors of the type, mean of the interval
    -- without extended data every listed processor is active
    p.physical OR coalesce(d.smf70ont, 0) > 0 OR NOT coalesce(i.extended_data, false) AS active, -- Online at some time in the interval
    d.smf70bps = 65535                               AS dedicated, -- Dedicated, not shared
    (d.smf70vpf & 128) <> 0                          AS wait_completion, -- Wait completion: dispatch time includes wait
    (d.smf70vpf & 16) <> 0                           AS initial_cap, -- Initial capping is on
    coalesce(d.smf70hw_cap_limit, 0) > 0             AS hw_cap, -- An absolute hardware cap is set
    coalesce(d.smf70hwgr_cap_limit, 0) > 0           AS hw_group_cap, -- A hardware group cap is set
    CASE d.smf70pof & 192
        WHEN 64 THEN 'LOW' WHEN 128 THEN 'MED' WHEN 192 THEN 'HIGH' END AS polarity, -- HIGH, MED or LOW; NULL where not polarised
    CASE
        WHEN d.smf70bps = 65535 THEN NULL
        WHEN p.wlm_managed AND i.dispatch_samples_count > 0 AND d.smf70acs IS NOT NULL
            THEN d.smf70acs::DOUBLE / i.dispatch_samples_count
        ELSE d.smf70bps::DOUBLE
    END                                              AS weight, -- Weight of the partition for this type; the mean where WLM manages it; NULL where dedicated
    d.smf70pow / 4096.0 / nullif(i.dispatch_samples_count, 0) AS vertical_weight, -- Part of the weight this processor stands for
    d.smf70pdt::DOUBLE                               AS dispatch_us, -- Time dispatched, LPAR management included [us]
    d.smf70edt::DOUBLE                               AS effective_us, -- Time dispatched, LPAR management left out [us]
    d.smf70pdt::DOUBLE - d.smf70edt::DOUBLE          AS management_us, -- LPAR management time [us]
    CASE
        WHEN d.smf70ont > 0 OR coalesce(i.extended_data, false) THEN d.smf70ont::DOUBLE
        ELSE i.interval_us
    END                                              AS online_us, -- Time online [us]
    d.smf70nsw::BIGINT                               AS wlm_capped_samples_count, -- Samples in which WLM capped the partition
    i.dispatch_samples_count::BIGINT                 AS dispatch_samples_count, -- Diagnose X'204' samples
    i.msu_per_cp                                     AS msu_per_cp, -- Capacity of one full CP [MSU/h]
    i.ziip_speed                                     AS ziip_speed, -- Speed of a zIIP, CP = 1
    p.file_id                                        AS file_id, -- File of the record
    p.record_no                                      AS record_no, -- Record in that file
    p.section_no                                     AS partition_section_no, -- Partition section in the record
    d.section_no                                     AS section_no -- Processor section in the record
FROM rmf_logical_partition AS p
JOIN rmf_cpu_interval AS i ON i.file_id = p.file_id AND i.record_no = p.record_no
JOIN smf70_1_processor AS d
    ON d.file_id = p.file_id AND d.record_no = p.record_no
    AND d.section_no > p.processors_skipped_count
    AND d.section_no <= p.processors_skipped_count + p.processors_listed_count
LEFT JOIN smf70_1_cpu_id AS n
    ON n.file_id = d.file_id AND n.record_no = d.record_no AND n.section_no = d.smf70cix;

-- rmf_partition: one row per system, interval, partition and processor type, *PHYSICAL* included;
-- type NULL where nothing was active. A partition without any active processor has one row with
-- type NULL.
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
    p.run                                            AS run, -- Measurement
    p.sysplex                                        AS sysplex, -- Sysplex name
    p.system                                         AS system, -- System that wrote the record
    p.interval_start                                 AS interval_start, -- Interval start, local time of the system
    p.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    p.interval_us                                    AS interval_us, -- Length of the interval [us]
    p.interval_us / 1e6                              AS interval_s, -- Length of the interval [s]
    p.partition                                      AS partition, -- Partition name
    t.type                                           AS type, -- Processor type: CP, IIP, AAP, ICF, IFL
    p.physical                                       AS physical, -- The hypervisor's own entry
    p.own                                            AS own, -- The partition that wrote the record
    t.file_id IS NOT NULL                            AS active, -- Had an active processor
    p.boost_type                                     AS boost_type, -- N none, S speed, I zIIP, B both
    t.weight                                         AS weight, -- Weight for this type; NULL where dedicated
    t.dedicated                                      AS dedicated, -- Processors are dedicated
    CASE WHEN t.type = 'CP' THEN p.defined_msu END   AS defined_msu, -- Defined capacity [MSU/h], 0 = none; on the CP row only
    t.msu_s                                          AS msu_s, -- MSU/h used x seconds: divide by interval_s; CP and zIIP only
    t.initial_cap                                    AS initial_cap, -- Initial capping is on
    t.hw_cap                                         AS hw_cap, -- An absolute hardware cap is set
    t.hw_group_cap                                   AS hw_group_cap, -- A hardware group cap is set
    t.wlm_capped_samples_count                       AS wlm_capped_samples_count, -- Samples in which WLM capped the partition
    t.dispatch_samples_count                         AS dispatch_samples_count, -- Diagnose X'204' samples
    t.online_us                                      AS online_us, -- Online time of the logical processors [us]
    t.effective_us                                   AS effective_us, -- Dispatch time without LPAR management [us]
    t.dispatch_us                                    AS dispatch_us, -- Dispatch time with LPAR management [us]
    t.management_us                                  AS management_us, -- LPAR management time [us]
    t.physical_count                                 AS physical_count, -- Physical processors of the type
    t.physical_count * p.interval_us                 AS engine_us, -- Time of all physical processors of the type [us]
    p.section_no                                     AS section_no -- Place of the partition in the record
FROM rmf_logical_partition AS p
LEFT JOIN by_type AS t
    ON t.file_id = p.file_id AND t.record_no = p.record_no
    AND t.partition_section_no = p.section_no;

-- rmf_partition_header: one row per system and interval: what stands above the table of the
-- partition page.
CREATE OR REPLACE VIEW rmf_partition_header AS
SELECT
    i.run                                            AS run, -- Measurement
    i.sysplex                                        AS sysplex, -- Sysplex name
    i.system                                         AS system, -- System name
    i.interval_start                                 AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    any_value(i.interval_s)                          AS interval_s, -- Length of the interval [s]
    any_value(i.cycle_ms)                            AS cycle_ms, -- Sampling cycle [ms]
    any_value(i.zos_level)                           AS zos_level, -- Operating system level as stored
    any_value(p.partition) FILTER (p.own)            AS partition, -- Partition that wrote the record
    any_value(i.image_capacity_msu)                  AS image_capacity_msu, -- Capacity available to the image [MSU/h]
    count(*) FILTER (NOT p.physical)                 AS partitions_count, -- Configured partitions, *PHYSICAL* not among them
    any_value(i.dispatch_interval_ms)                AS dispatch_interval_ms, -- PR/SM dispatch interval [ms], 0 = dynamic
    any_value(p.group_name) FILTER (p.own)           AS group_name, -- Capacity group of the partition
    any_value(p.group_msu) FILTER (p.own)            AS group_msu, -- Limit of that group [MSU/h]
    any_value(w.wait_completion)                     AS wait_completion -- Wait completion is on
FROM rmf_cpu_interval AS i
LEFT JOIN rmf_logical_partition AS p ON p.file_id = i.file_id AND p.record_no = i.record_no
LEFT JOIN (
    SELECT file_id, record_no, bool_or(wait_completion) AS wait_completion
    FROM rmf_partition_processor
    WHERE own
    GROUP BY file_id, record_no
) AS w ON w.file_id = i.file_id AND w.record_no = i.record_no
GROUP BY i.run, i.sysplex, i.system, i.interval_start, i.interval_start_utc;
