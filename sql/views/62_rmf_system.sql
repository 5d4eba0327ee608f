-- rmf_machine: one row per system and interval: the machine and its capacity.
-- A boost is told by two flags of the record; the class stands in the three bits after them, whose
-- place follows from their order, and counts only while a boost is on.
CREATE OR REPLACE VIEW rmf_machine AS
SELECT
    i.run                                         AS run,
    i.sysplex                                     AS sysplex,
    i.system                                      AS system,
    i.interval_start                              AS interval_start,
    i.interval_start_utc                          AS interval_start_utc,
    i.interval_s                                  AS interval_s,
    i.machine_type                                AS machine_type,
    i.model                                       AS model,
    i.hw_model                                    AS hw_model,
    i.sequence_code                               AS sequence_code,
    CASE WHEN i.hiperdispatch THEN 'YES' WHEN NOT i.hiperdispatch THEN 'NO' END AS hiperdispatch,
    i.cpc_capacity_msu                            AS cpc_capacity_msu,
    CASE WHEN i.capacity_adjustment = 0 THEN 'N/A' WHEN i.capacity_change_reason = 0 THEN 'NONE'
        ELSE i.capacity_change_reason::VARCHAR END AS change_reason,
    CASE p.smf70fla & 96
        WHEN 0 THEN 'N' WHEN 32 THEN 'S' WHEN 64 THEN 'I' WHEN 96 THEN 'B' END AS boost_type,
    CASE WHEN (p.smf70fla & 96) <> 0 THEN CASE (p.smf70fla & 28) >> 2
        WHEN 1 THEN 'IPL' WHEN 2 THEN 'SHUTDOWN' WHEN 3 THEN 'RECOVERY PROCESS' END END
                                                  AS boost_class
FROM rmf_cpu_interval AS i
JOIN smf70_1_product AS p ON p.file_id = i.file_id AND p.record_no = i.record_no;

COMMENT ON VIEW rmf_machine IS 'One row per system and interval: the machine, its capacity and boosts';
COMMENT ON COLUMN rmf_machine.run IS 'Measurement';
COMMENT ON COLUMN rmf_machine.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_machine.system IS 'System name';
COMMENT ON COLUMN rmf_machine.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_machine.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_machine.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_machine.machine_type IS 'Machine type';
COMMENT ON COLUMN rmf_machine.model IS 'Model';
COMMENT ON COLUMN rmf_machine.hw_model IS 'Hardware model';
COMMENT ON COLUMN rmf_machine.sequence_code IS 'Sequence code of the machine';
COMMENT ON COLUMN rmf_machine.hiperdispatch IS 'HiperDispatch was active: YES or NO';
COMMENT ON COLUMN rmf_machine.cpc_capacity_msu IS 'Model capacity rating [MSU/h]';
COMMENT ON COLUMN rmf_machine.change_reason IS 'Why the capacity last changed: N/A not reported, NONE never, else a code';
COMMENT ON COLUMN rmf_machine.boost_type IS 'N none, S speed, I zIIP, B both';
COMMENT ON COLUMN rmf_machine.boost_class IS 'IPL, SHUTDOWN or RECOVERY PROCESS while a boost is on';

-- rmf_processor_type: one row per system, interval and processor type of the machine.
CREATE OR REPLACE VIEW rmf_processor_type AS
SELECT
    i.run                                         AS run,
    i.sysplex                                     AS sysplex,
    i.system                                      AS system,
    i.interval_start                              AS interval_start,
    i.interval_start_utc                          AS interval_start_utc,
    i.interval_s                                  AS interval_s,
    nullif(n.smf70cin, '')                        AS type,
    coalesce(nullif(n.smf70can, 0)::DOUBLE / nullif(i.dispatch_samples_count, 0), n.smf70ctn)
                                                  AS physical_count,
    n.file_id                                     AS file_id,
    n.record_no                                   AS record_no,
    n.section_no                                  AS section_no
FROM smf70_1_cpu_id AS n
JOIN rmf_cpu_interval AS i ON i.file_id = n.file_id AND i.record_no = n.record_no;

COMMENT ON VIEW rmf_processor_type IS 'One row per system, interval and processor type of the machine';
COMMENT ON COLUMN rmf_processor_type.run IS 'Measurement';
COMMENT ON COLUMN rmf_processor_type.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_processor_type.system IS 'System name';
COMMENT ON COLUMN rmf_processor_type.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_processor_type.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_processor_type.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_processor_type.type IS 'Processor type: CP, AAP, IIP, ICF, IFL';
COMMENT ON COLUMN rmf_processor_type.physical_count IS 'Physical processors, mean of the interval where it is recorded';
COMMENT ON COLUMN rmf_processor_type.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_processor_type.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_processor_type.section_no IS 'Section in the record';

-- rmf_address_spaces: one row per system, interval and queue or type of address spaces.
-- IN READY is among IN.
CREATE OR REPLACE VIEW rmf_address_spaces AS
WITH queue AS (
    SELECT file_id, record_no, 1 AS place,
        CASE WHEN smf70itt IS NOT NULL THEN 'queue' END AS kind,
        CASE WHEN smf70itt IS NOT NULL THEN 'IN' END AS queue,
        smf70imn AS least, smf70imm AS most, smf70itt AS total
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 2,
        CASE WHEN smf70rtt IS NOT NULL THEN 'queue' END,
        CASE WHEN smf70rtt IS NOT NULL THEN 'IN READY' END,
        smf70rmn, smf70rmm, smf70rtt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 3,
        CASE WHEN smf70ott IS NOT NULL THEN 'queue' END,
        CASE WHEN smf70ott IS NOT NULL THEN 'OUT READY' END,
        smf70omn, smf70omm, smf70ott
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 4,
        CASE WHEN smf70wtt IS NOT NULL THEN 'queue' END,
        CASE WHEN smf70wtt IS NOT NULL THEN 'OUT WAIT' END,
        smf70wmn, smf70wmm, smf70wtt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 5,
        CASE WHEN smf70ltt IS NOT NULL THEN 'queue' END,
        CASE WHEN smf70ltt IS NOT NULL THEN 'LOGICAL OUT READY' END,
        smf70lmn, smf70lmm, smf70ltt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 6,
        CASE WHEN smf70att IS NOT NULL THEN 'queue' END,
        CASE WHEN smf70att IS NOT NULL THEN 'LOGICAL OUT WAIT' END,
        smf70amn, smf70amm, smf70att
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 7,
        CASE WHEN smf70btt IS NOT NULL THEN 'type' END,
        CASE WHEN smf70btt IS NOT NULL THEN 'BATCH' END,
        smf70bmn, smf70bmm, smf70btt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 8,
        CASE WHEN smf70stt IS NOT NULL THEN 'type' END,
        CASE WHEN smf70stt IS NOT NULL THEN 'STC' END,
        smf70smn, smf70smm, smf70stt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 9,
        CASE WHEN smf70ttt IS NOT NULL THEN 'type' END,
        CASE WHEN smf70ttt IS NOT NULL THEN 'TSO' END,
        smf70tmn, smf70tmm, smf70ttt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 10,
        CASE WHEN smf70ptt IS NOT NULL THEN 'type' END,
        CASE WHEN smf70ptt IS NOT NULL THEN 'ASCH' END,
        smf70pmn, smf70pmm, smf70ptt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, 11,
        CASE WHEN smf70xtt IS NOT NULL THEN 'type' END,
        CASE WHEN smf70xtt IS NOT NULL THEN 'OMVS' END,
        smf70xmn, smf70xmm, smf70xtt
    FROM smf70_1_asid
)
SELECT
    i.run                                         AS run,
    i.sysplex                                     AS sysplex,
    i.system                                      AS system,
    i.interval_start                              AS interval_start,
    i.interval_start_utc                          AS interval_start_utc,
    i.interval_s                                  AS interval_s,
    q.kind                                        AS kind,
    q.queue                                       AS queue,
    q.place                                       AS place,
    q.least::DOUBLE                               AS min_count,
    q.most::DOUBLE                                AS max_count,
    q.total::DOUBLE                               AS total_count,
    i.samples_count::DOUBLE                       AS samples_count
FROM queue AS q
JOIN rmf_cpu_interval AS i ON i.file_id = q.file_id AND i.record_no = q.record_no
WHERE q.total IS NOT NULL;

COMMENT ON VIEW rmf_address_spaces IS 'One row per system, interval and queue or type of address spaces';
COMMENT ON COLUMN rmf_address_spaces.run IS 'Measurement';
COMMENT ON COLUMN rmf_address_spaces.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_address_spaces.system IS 'System name';
COMMENT ON COLUMN rmf_address_spaces.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_address_spaces.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_address_spaces.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_address_spaces.kind IS 'queue or type';
COMMENT ON COLUMN rmf_address_spaces.queue IS 'IN, IN READY, OUT READY ..; BATCH, STC, TSO, ASCH, OMVS';
COMMENT ON COLUMN rmf_address_spaces.place IS 'Order in which RMF prints them';
COMMENT ON COLUMN rmf_address_spaces.min_count IS 'Fewest address spaces in a sample';
COMMENT ON COLUMN rmf_address_spaces.max_count IS 'Most address spaces in a sample';
COMMENT ON COLUMN rmf_address_spaces.total_count IS 'Sum over the samples';
COMMENT ON COLUMN rmf_address_spaces.samples_count IS 'RMF samples';

-- rmf_work_units: one row per system, interval and processor type: work units ready for it.
CREATE OR REPLACE VIEW rmf_work_units AS
WITH work_unit AS (
    SELECT file_id, record_no, smf70srm, CASE WHEN smf70ctt IS NOT NULL THEN 'CP' END AS type,
        smf70cmn AS least, smf70cmm AS most, smf70ctt AS total
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, smf70srm, CASE WHEN smf70dtt IS NOT NULL THEN 'AAP' END,
        smf70dmn, smf70dmm, smf70dtt
    FROM smf70_1_asid
    UNION ALL
    SELECT file_id, record_no, smf70srm, CASE WHEN smf70ett IS NOT NULL THEN 'IIP' END,
        smf70emn, smf70emm, smf70ett
    FROM smf70_1_asid
)
SELECT
    i.run                                         AS run,
    i.sysplex                                     AS sysplex,
    i.system                                      AS system,
    i.interval_start                              AS interval_start,
    i.interval_start_utc                          AS interval_start_utc,
    i.interval_s                                  AS interval_s,
    w.type                                        AS type,
    w.least::DOUBLE                               AS min_count,
    w.most::DOUBLE                                AS max_count,
    w.total::DOUBLE                               AS total_count,
    w.smf70srm::DOUBLE                            AS samples_count
FROM work_unit AS w
JOIN rmf_cpu_interval AS i ON i.file_id = w.file_id AND i.record_no = w.record_no
WHERE w.total IS NOT NULL;

COMMENT ON VIEW rmf_work_units IS 'One row per system, interval and processor type: work units ready for it';
COMMENT ON COLUMN rmf_work_units.run IS 'Measurement';
COMMENT ON COLUMN rmf_work_units.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_work_units.system IS 'System name';
COMMENT ON COLUMN rmf_work_units.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_work_units.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_work_units.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_work_units.type IS 'Processor type: CP, AAP, IIP';
COMMENT ON COLUMN rmf_work_units.min_count IS 'Fewest work units in a sample';
COMMENT ON COLUMN rmf_work_units.max_count IS 'Most work units in a sample';
COMMENT ON COLUMN rmf_work_units.total_count IS 'Sum over the samples SRM took';
COMMENT ON COLUMN rmf_work_units.samples_count IS 'Samples SRM took';

-- rmf_in_ready: one row per system, interval and bucket of the distribution of ready work units.
-- N is the number of processors that were online and not parked, mean of the interval.
CREATE OR REPLACE VIEW rmf_in_ready AS
WITH processor AS (
    SELECT file_id, record_no, sum(thread_online_us - parked_us) AS processors_us
    FROM rmf_cpu
    GROUP BY file_id, record_no
)
SELECT
    i.run                                         AS run,
    i.sysplex                                     AS sysplex,
    i.system                                      AS system,
    i.interval_start                              AS interval_start,
    i.interval_start_utc                          AS interval_start_utc,
    i.interval_s                                  AS interval_s,
    b.bucket_no::INTEGER                          AS bucket_no,
    list_extract(['<=N', '=N+1', '=N+2', '=N+3', '<=N+5', '<=N+10', '<=N+15', '<=N+20',
        '<=N+30', '<=N+40', '<=N+60', '<=N+80', '<=N+100', '<=N+120',
        '<=N+150', '>N+150'], b.bucket_no)        AS bucket,
    a.smf70u00_u15[b.bucket_no]::DOUBLE           AS bucket_count,
    a.smf70srm::DOUBLE                            AS samples_count,
    n.processors_us                               AS processors_us,
    i.interval_us                                 AS interval_us
FROM smf70_1_asid AS a
CROSS JOIN (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16)) AS b (bucket_no)
JOIN rmf_cpu_interval AS i ON i.file_id = a.file_id AND i.record_no = a.record_no
LEFT JOIN processor AS n ON n.file_id = a.file_id AND n.record_no = a.record_no
WHERE a.smf70u00_u15 IS NOT NULL;

COMMENT ON VIEW rmf_in_ready IS 'One row per system, interval and bucket of work units in and ready against the processors online';
COMMENT ON COLUMN rmf_in_ready.run IS 'Measurement';
COMMENT ON COLUMN rmf_in_ready.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_in_ready.system IS 'System name';
COMMENT ON COLUMN rmf_in_ready.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_in_ready.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_in_ready.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_in_ready.bucket_no IS 'Bucket, 1 to 16';
COMMENT ON COLUMN rmf_in_ready.bucket IS 'Bucket as RMF prints it; N is the processors online and not parked';
COMMENT ON COLUMN rmf_in_ready.bucket_count IS 'Samples in the bucket';
COMMENT ON COLUMN rmf_in_ready.samples_count IS 'Samples SRM took';
COMMENT ON COLUMN rmf_in_ready.processors_us IS 'Time processors were online and not parked [us]';
COMMENT ON COLUMN rmf_in_ready.interval_us IS 'Length of the interval [us]';

-- rmf_blocked_workload: one row per system and interval: work promoted as it got no CPU.
CREATE OR REPLACE VIEW rmf_blocked_workload AS
SELECT
    i.run                                         AS run,
    i.sysplex                                     AS sysplex,
    i.system                                      AS system,
    i.interval_start                              AS interval_start,
    i.interval_start_utc                          AS interval_start_utc,
    i.interval_s                                  AS interval_s,
    c.smf70pmt / 10.0                             AS blwltrpct,
    c.smf70pml::INTEGER                           AS blwlinthd,
    c.smf70pmi::DOUBLE                            AS defined_count,
    i.samples_count::DOUBLE                       AS samples_count,
    c.smf70pmu::DOUBLE                            AS promoted_count,
    c.smf70pmi::DOUBLE / nullif(i.samples_count, 0) * i.interval_s AS promotable_count,
    c.smf70pmw::DOUBLE                            AS waiters_count,
    c.smf70pmp::DOUBLE                            AS waiters_peak
FROM smf70_1_control AS c
JOIN rmf_cpu_interval AS i ON i.file_id = c.file_id AND i.record_no = c.record_no;

COMMENT ON VIEW rmf_blocked_workload IS 'One row per system and interval: blocked work and its promotion';
COMMENT ON COLUMN rmf_blocked_workload.run IS 'Measurement';
COMMENT ON COLUMN rmf_blocked_workload.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_blocked_workload.system IS 'System name';
COMMENT ON COLUMN rmf_blocked_workload.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_blocked_workload.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_blocked_workload.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_blocked_workload.blwltrpct IS 'Share of the capacity that promotion may take [%]';
COMMENT ON COLUMN rmf_blocked_workload.blwlinthd IS 'How long swapped-in work may starve before it is promoted [s]';
COMMENT ON COLUMN rmf_blocked_workload.defined_count IS 'Units that may be promoted a second, sum over the samples';
COMMENT ON COLUMN rmf_blocked_workload.samples_count IS 'RMF samples';
COMMENT ON COLUMN rmf_blocked_workload.promoted_count IS 'Units promoted';
COMMENT ON COLUMN rmf_blocked_workload.promotable_count IS 'Units that might have been promoted';
COMMENT ON COLUMN rmf_blocked_workload.waiters_count IS 'Waiters for promotion, sum over the samples';
COMMENT ON COLUMN rmf_blocked_workload.waiters_peak IS 'Most waiters at once';

-- rmf_partition_settings: one row per system and interval: capacity and caps of its partition.
CREATE OR REPLACE VIEW rmf_partition_settings AS
WITH partition AS (
    SELECT
        file_id, record_no,
        any_value(partition) FILTER (own)        AS partition,
        any_value(group_name) FILTER (own)       AS group_name,
        any_value(group_msu) FILTER (own)        AS group_msu,
        count(*) FILTER (NOT physical)           AS partitions_count
    FROM rmf_logical_partition
    GROUP BY file_id, record_no
),
own_processor AS (
    SELECT
        p.file_id, p.record_no,
        bool_or(p.wait_completion)               AS wait_completion,
        bool_or(p.initial_cap)                   AS initial_cap,
        max(d.smf70hw_cap_limit) FILTER (p.type = 'CP') AS hw_cap_limit,
        max(d.smf70hwgr_cap_limit) FILTER (p.type = 'CP') AS hw_group_cap_limit
    FROM rmf_partition_processor AS p
    JOIN smf70_1_processor AS d ON d.file_id = p.file_id AND d.record_no = p.record_no
        AND d.section_no = p.section_no
    WHERE p.own AND p.active
    GROUP BY p.file_id, p.record_no
)
SELECT
    i.run                                         AS run,
    i.sysplex                                     AS sysplex,
    i.system                                      AS system,
    i.interval_start                              AS interval_start,
    i.interval_start_utc                          AS interval_start_utc,
    i.interval_s                                  AS interval_s,
    p.partition                                   AS partition,
    i.image_capacity_msu                          AS image_capacity_msu,
    p.partitions_count                            AS configured_partitions,
    CASE WHEN o.wait_completion THEN 'YES' WHEN NOT o.wait_completion THEN 'NO' END
                                                  AS wait_completion,
    CASE WHEN i.dispatch_interval_ms = 0 THEN 'DYNAMIC'
        ELSE i.dispatch_interval_ms::VARCHAR END  AS dispatch_interval,
    p.group_name                                  AS group_name,
    p.group_msu                                   AS group_msu,
    CASE WHEN o.initial_cap THEN 'YES' WHEN NOT o.initial_cap THEN 'NO' END AS initial_cap,
    CASE WHEN o.hw_cap_limit > 0 THEN printf('%.2f', o.hw_cap_limit / 100.0)
        WHEN o.hw_cap_limit = 0 THEN 'NO' END     AS lpar_hw_cap,
    CASE WHEN o.hw_group_cap_limit > 0 THEN printf('%.2f', o.hw_group_cap_limit / 100.0)
        WHEN o.hw_group_cap_limit = 0 THEN 'NO' END AS hw_group_cap,
    CASE WHEN (c.smf70hhf & 8) <> 0 THEN 'YES' WHEN c.smf70hhf IS NOT NULL THEN 'NO' END
                                                  AS abs_msu_cap
FROM rmf_cpu_interval AS i
LEFT JOIN partition AS p ON p.file_id = i.file_id AND p.record_no = i.record_no
LEFT JOIN own_processor AS o ON o.file_id = i.file_id AND o.record_no = i.record_no
LEFT JOIN smf70_1_control AS c ON c.file_id = i.file_id AND c.record_no = i.record_no;

COMMENT ON VIEW rmf_partition_settings IS 'One row per system and interval: capacity and caps of the partition that wrote the record';
COMMENT ON COLUMN rmf_partition_settings.run IS 'Measurement';
COMMENT ON COLUMN rmf_partition_settings.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_partition_settings.system IS 'System name';
COMMENT ON COLUMN rmf_partition_settings.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_partition_settings.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_partition_settings.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_partition_settings.partition IS 'Partition that wrote the record';
COMMENT ON COLUMN rmf_partition_settings.image_capacity_msu IS 'Capacity available to the image [MSU/h]';
COMMENT ON COLUMN rmf_partition_settings.configured_partitions IS 'Configured partitions, *PHYSICAL* not among them';
COMMENT ON COLUMN rmf_partition_settings.wait_completion IS 'Wait completion: YES or NO';
COMMENT ON COLUMN rmf_partition_settings.dispatch_interval IS 'PR/SM dispatch interval: DYNAMIC, or milliseconds';
COMMENT ON COLUMN rmf_partition_settings.group_name IS 'Capacity group';
COMMENT ON COLUMN rmf_partition_settings.group_msu IS 'Limit of that group [MSU/h]';
COMMENT ON COLUMN rmf_partition_settings.initial_cap IS 'Initial capping: YES or NO';
COMMENT ON COLUMN rmf_partition_settings.lpar_hw_cap IS 'Absolute cap of the partition on CPs [processors], or NO';
COMMENT ON COLUMN rmf_partition_settings.hw_group_cap IS 'Absolute cap of its hardware group on CPs [processors], or NO';
COMMENT ON COLUMN rmf_partition_settings.abs_msu_cap IS 'Absolute MSU capping: YES or NO';
