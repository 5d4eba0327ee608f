-- rmf_partition_capacity: one row per system, interval and partition with CPs: its weights, caps
-- and use of CPs, as far as they are of the partition and not of one processor. Every system tells
-- of all partitions of its machine.
CREATE OR REPLACE VIEW rmf_partition_capacity AS
WITH processor AS (
    SELECT
        q.file_id, q.record_no, q.partition_section_no,
        count(*)                                         AS defined_count,
        sum(q.online_us)                                 AS online_us,
        sum(q.dispatch_us)                               AS dispatch_us,
        sum(q.effective_us)                              AS effective_us,
        max(q.physical_count)                            AS physical_count,
        max(q.msu_per_cp)                                AS msu_per_cp,
        max(q.dispatch_samples_count)                    AS dispatch_samples_count,
        bool_or(q.initial_cap)                           AS initial_cap,
        -- what follows is of the partition and stands on each of its processors
        max(nullif(d.smf70bps, 65535))                   AS initial_weight,
        max(d.smf70mis)                                  AS min_weight,
        max(d.smf70mas)                                  AS max_weight,
        max(d.smf70acs)                                  AS weight_samples,
        max(d.smf70nsi)                                  AS near_min_count,
        max(d.smf70nsa)                                  AS near_max_count,
        max(d.smf70nsw)                                  AS wlm_capped_count,
        max(d.smf70nca)                                  AS capped_count
    FROM rmf_partition_processor AS q
    JOIN smf70_1_processor AS d
        ON d.file_id = q.file_id AND d.record_no = q.record_no AND d.section_no = q.section_no
    WHERE q.type = 'CP' AND NOT q.physical
    GROUP BY q.file_id, q.record_no, q.partition_section_no
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
    p.partition_system                               AS partition_system, -- System running in the partition
    p.own                                            AS own, -- The partition that wrote the record
    nullif(b.smf70spn, '')                           AS cluster, -- LPAR cluster
    p.group_name                                     AS group_name, -- Capacity group
    p.group_msu                                      AS group_msu, -- Limit of the capacity group [MSU/h]
    p.defined_msu                                    AS defined_msu, -- Defined capacity [MSU/h], 0 = none
    c.effective_us / 1e6 * c.msu_per_cp              AS msu_s, -- MSU/h used on CPs x seconds: divide by interval_s
    c.initial_cap                                    AS initial_cap, -- Initial capping is on
    c.initial_weight::DOUBLE                         AS initial_weight, -- Weight as defined; NULL where dedicated
    c.min_weight::DOUBLE                             AS min_weight, -- Smallest weight WLM may give
    c.max_weight::DOUBLE                             AS max_weight, -- Largest weight WLM may give
    c.weight_samples::DOUBLE                         AS weight_sum, -- Weight in effect, sum over the samples
    c.near_min_count::DOUBLE                         AS near_min_count, -- Samples with the weight near its smallest
    c.near_max_count::DOUBLE                         AS near_max_count, -- Samples with the weight near its largest
    c.wlm_capped_count::DOUBLE                       AS wlm_capped_count, -- Samples in which WLM capped the partition
    c.capped_count::DOUBLE                           AS capped_count, -- Samples in which a cap held the partition back
    c.dispatch_samples_count::DOUBLE                 AS dispatch_samples_count, -- Diagnose X'204' samples
    c.defined_count::DOUBLE                          AS defined_count, -- Logical CPs defined
    c.online_us                                      AS online_us, -- Online time of the logical CPs [us]
    c.dispatch_us                                    AS dispatch_us, -- Dispatch time with LPAR management [us]
    c.physical_count * p.interval_us                 AS engine_us, -- Time of all physical CPs [us]
    b.smf70csf::DOUBLE                               AS central_mb, -- Central storage online [MB]
    b.smf70esf::DOUBLE                               AS expanded_mb, -- Expanded storage online [MB]
    p.file_id                                        AS file_id, -- File of the record
    p.record_no                                      AS record_no, -- Record in that file
    p.section_no                                     AS section_no -- Place of the partition in the record
FROM rmf_logical_partition AS p
JOIN processor AS c
    ON c.file_id = p.file_id AND c.record_no = p.record_no
    AND c.partition_section_no = p.section_no
JOIN smf70_1_partition AS b
    ON b.file_id = p.file_id AND b.record_no = p.record_no AND b.section_no = p.section_no
WHERE c.online_us > 0;

-- rmf_image_capacity: one row per system and interval: what the image uses of its capacity on CPs.
CREATE OR REPLACE VIEW rmf_image_capacity AS
SELECT
    i.run                                            AS run, -- Measurement
    i.sysplex                                        AS sysplex, -- Sysplex name
    i.system                                         AS system, -- System name
    i.interval_start                                 AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                     AS interval_s, -- Length of the interval [s]
    p.partition                                      AS partition, -- Partition that wrote the record
    p.msu_s                                          AS msu_s, -- MSU/h used on CPs x seconds: divide by interval_s
    c.smf70lac::DOUBLE                               AS long_term_msu, -- Used, rolling mean of four hours [MSU/h]
    p.defined_msu::DOUBLE                            AS defined_msu, -- Defined capacity [MSU/h], 0 = none
    p.group_name                                     AS group_name, -- Capacity group
    CASE WHEN p.group_name IS NOT NULL THEN p.group_msu END::DOUBLE AS group_msu, -- Limit of the capacity group [MSU/h]
    i.image_capacity_msu::DOUBLE                     AS image_capacity_msu, -- Capacity available to the image [MSU/h]
    p.wlm_capped_count                               AS wlm_capped_count, -- Samples in which WLM capped the partition
    p.dispatch_samples_count                         AS dispatch_samples_count -- Diagnose X'204' samples
FROM rmf_cpu_interval AS i
LEFT JOIN smf70_1_control AS c ON c.file_id = i.file_id AND c.record_no = i.record_no
LEFT JOIN rmf_partition_capacity AS p
    ON p.file_id = i.file_id AND p.record_no = i.record_no AND p.own;
