-- rmf_machine: one row per system and interval: the machine, its capacity and boosts. A boost is
-- told by two flags of the record; the class stands in the three bits after them, whose place
-- follows from their order, and counts only while a boost is on.
CREATE OR REPLACE VIEW rmf_machine AS
SELECT
    i.run                                         AS run, -- Measurement
    i.sysplex                                     AS sysplex, -- Sysplex name
    i.system                                      AS system, -- System name
    i.interval_start                              AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                  AS interval_s, -- Length of the interval [s]
    i.cycle_ms                                    AS cycle_ms, -- Sampling cycle [ms]
    i.zos_level                                   AS zos_level, -- Operating system level as stored
    i.machine_type                                AS machine_type, -- Machine type
    i.model                                       AS model, -- Model
    i.hw_model                                    AS hw_model, -- Hardware model
    i.sequence_code                               AS sequence_code, -- Sequence code of the machine
    CASE WHEN i.hiperdispatch THEN 'YES' WHEN NOT i.hiperdispatch THEN 'NO' END AS hiperdispatch, -- HiperDispatch was active: YES or NO
    i.cpc_capacity_msu                            AS cpc_capacity_msu, -- Model capacity rating [MSU/h]
    CASE WHEN i.capacity_adjustment = 0 THEN 'N/A' WHEN i.capacity_change_reason = 0 THEN 'NONE'
        ELSE i.capacity_change_reason::VARCHAR END AS change_reason, -- Why the capacity last changed: N/A not reported, NONE never, else a code
    CASE p.smf70fla & 96
        WHEN 0 THEN 'N' WHEN 32 THEN 'S' WHEN 64 THEN 'I' WHEN 96 THEN 'B' END AS boost_type, -- N none, S speed, I zIIP, B both
    CASE WHEN (p.smf70fla & 96) <> 0 THEN CASE (p.smf70fla & 28) >> 2
        WHEN 1 THEN 'IPL' WHEN 2 THEN 'SHUTDOWN' WHEN 3 THEN 'RECOVERY PROCESS' END END
                                                  AS boost_class -- IPL, SHUTDOWN or RECOVERY PROCESS while a boost is on
FROM rmf_cpu_interval AS i
JOIN smf70_1_product AS p ON p.file_id = i.file_id AND p.record_no = i.record_no;

-- rmf_processor_type: one row per system, interval and processor type of the machine.
CREATE OR REPLACE VIEW rmf_processor_type AS
SELECT
    i.run                                         AS run, -- Measurement
    i.sysplex                                     AS sysplex, -- Sysplex name
    i.system                                      AS system, -- System name
    i.interval_start                              AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                  AS interval_s, -- Length of the interval [s]
    nullif(n.smf70cin, '')                        AS type, -- Processor type: CP, AAP, IIP, ICF, IFL
    coalesce(nullif(n.smf70can, 0)::DOUBLE / nullif(i.dispatch_samples_count, 0), n.smf70ctn)
                                                  AS physical_count, -- Physical processors, mean of the interval where it is recorded
    n.file_id                                     AS file_id, -- File of the record
    n.record_no                                   AS record_no, -- Record in that file
    n.section_no                                  AS section_no -- Section in the record
FROM smf70_1_cpu_id AS n
JOIN rmf_cpu_interval AS i ON i.file_id = n.file_id AND i.record_no = n.record_no;

-- rmf_address_spaces: one row per system, interval and queue or type of address spaces. IN READY is
-- among IN.
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
    i.run                                         AS run, -- Measurement
    i.sysplex                                     AS sysplex, -- Sysplex name
    i.system                                      AS system, -- System name
    i.interval_start                              AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                  AS interval_s, -- Length of the interval [s]
    q.kind                                        AS kind, -- queue or type
    q.queue                                       AS queue, -- IN, IN READY, OUT READY ..; BATCH, STC, TSO, ASCH, OMVS
    q.place                                       AS place, -- Order in which RMF prints them
    q.least::DOUBLE                               AS min_count, -- Fewest address spaces in a sample
    q.most::DOUBLE                                AS max_count, -- Most address spaces in a sample
    q.total::DOUBLE                               AS total_count, -- Sum over the samples
    i.samples_count::DOUBLE                       AS samples_count -- RMF samples
FROM queue AS q
JOIN rmf_cpu_interval AS i ON i.file_id = q.file_id AND i.record_no = q.record_no
WHERE q.total IS NOT NULL;

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
    i.run                                         AS run, -- Measurement
    i.sysplex                                     AS sysplex, -- Sysplex name
    i.system                                      AS system, -- System name
    i.interval_start                              AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                  AS interval_s, -- Length of the interval [s]
    w.type                                        AS type, -- Processor type: CP, AAP, IIP
    w.least::DOUBLE                               AS min_count, -- Fewest work units in a sample
    w.most::DOUBLE                                AS max_count, -- Most work units in a sample
    w.total::DOUBLE                               AS total_count, -- Sum over the samples SRM took
    w.smf70srm::DOUBLE                            AS samples_count -- Samples SRM took
FROM work_unit AS w
JOIN rmf_cpu_interval AS i ON i.file_id = w.file_id AND i.record_no = w.record_no
WHERE w.total IS NOT NULL;

-- rmf_in_ready: one row per system, interval and bucket of work units in and ready against the
-- processors online. N is the number of processors that were online and not parked, mean of the
-- interval.
CREATE OR REPLACE VIEW rmf_in_ready AS
WITH processor AS (
    SELECT file_id, record_no, sum(thread_online_us - parked_us) AS processors_us
    FROM rmf_cpu
    GROUP BY file_id, record_no
)
SELECT
    i.run                                         AS run, -- Measurement
    i.sysplex                                     AS sysplex, -- Sysplex name
    i.system                                      AS system, -- System name
    i.interval_start                              AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                  AS interval_s, -- Length of the interval [s]
    b.bucket_no::INTEGER                          AS bucket_no, -- Bucket, 1 to 16
    list_extract(['<=N', '=N+1', '=N+2', '=N+3', '<=N+5', '<=N+10', '<=N+15', '<=N+20',
        '<=N+30', '<=N+40', '<=N+60', '<=N+80', '<=N+100', '<=N+120',
        '<=N+150', '>N+150'], b.bucket_no)        AS bucket, -- Bucket as RMF prints it; N is the processors online and not parked
    a.smf70u00_u15[b.bucket_no]::DOUBLE           AS bucket_count, -- Samples in the bucket
    a.smf70srm::DOUBLE                            AS samples_count, -- Samples SRM took
    n.processors_us                               AS processors_us, -- Time processors were online and not parked [us]
    i.interval_us                                 AS interval_us -- Length of the interval [us]
FROM smf70_1_asid AS a
CROSS JOIN (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16)) AS b (bucket_no)
JOIN rmf_cpu_interval AS i ON i.file_id = a.file_id AND i.record_no = a.record_no
LEFT JOIN processor AS n ON n.file_id = a.file_id AND n.record_no = a.record_no
WHERE a.smf70u00_u15 IS NOT NULL;

-- rmf_blocked_workload: one row per system and interval: blocked work and its promotion.
CREATE OR REPLACE VIEW rmf_blocked_workload AS
SELECT
    i.run                                         AS run, -- Measurement
    i.sysplex                                     AS sysplex, -- Sysplex name
    i.system                                      AS system, -- System name
    i.interval_start                              AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                  AS interval_s, -- Length of the interval [s]
    c.smf70pmt / 10.0                             AS blwltrpct, -- Share of the capacity that promotion may take [%]
    c.smf70pml::INTEGER                           AS blwlinthd, -- How long swapped-in work may starve before it is promoted [s]
    c.smf70pmi::DOUBLE                            AS defined_count, -- Units that may be promoted a second, sum over the samples
    i.samples_count::DOUBLE                       AS samples_count, -- RMF samples
    c.smf70pmu::DOUBLE                            AS promoted_count, -- Units promoted
    c.smf70pmi::DOUBLE / nullif(i.samples_count, 0) * i.interval_s AS promotable_count, -- Units that might have been promoted
    c.smf70pmw::DOUBLE                            AS waiters_count, -- Waiters for promotion, sum over the samples
    c.smf70pmp::DOUBLE                            AS waiters_peak -- Most waiters at once
FROM smf70_1_control AS c
JOIN rmf_cpu_interval AS i ON i.file_id = c.file_id AND i.record_no = c.record_no;

-- rmf_partition_settings: one row per system and interval: capacity and caps of the partition that
-- wrote the record.
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
    i.run                                         AS run, -- Measurement
    i.sysplex                                     AS sysplex, -- Sysplex name
    i.system                                      AS system, -- System name
    i.interval_start                              AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                  AS interval_s, -- Length of the interval [s]
    i.cycle_ms                                    AS cycle_ms, -- Sampling cycle [ms]
    i.zos_level                                   AS zos_level, -- Operating system level as stored
    p.partition                                   AS partition, -- Partition that wrote the record
    i.image_capacity_msu                          AS image_capacity_msu, -- Capacity available to the image [MSU/h]
    p.partitions_count                            AS configured_partitions, -- Configured partitions, *PHYSICAL* not among them
    CASE WHEN o.wait_completion THEN 'YES' WHEN NOT o.wait_completion THEN 'NO' END
                                                  AS wait_completion, -- Wait completion: YES or NO
    CASE WHEN i.dispatch_interval_ms = 0 THEN 'DYNAMIC'
        ELSE i.dispatch_interval_ms::VARCHAR END  AS dispatch_interval, -- PR/SM dispatch interval: DYNAMIC, or milliseconds
    p.group_name                                  AS group_name, -- Capacity group
    p.group_msu                                   AS group_msu, -- Limit of that group [MSU/h]
    CASE WHEN p.group_name IS NOT NULL THEN i.group_available_msu END AS group_available_msu, -- Capacity the group leaves unused, long-term mean [MSU/h]; may be below 0
    CASE WHEN o.initial_cap THEN 'YES' WHEN NOT o.initial_cap THEN 'NO' END AS initial_cap, -- Initial capping: YES or NO
    CASE WHEN o.hw_cap_limit > 0 THEN printf('%.2f', o.hw_cap_limit / 100.0)
        WHEN o.hw_cap_limit = 0 THEN 'NO' END     AS lpar_hw_cap, -- Absolute cap of the partition on CPs [processors], or NO
    CASE WHEN o.hw_group_cap_limit > 0 THEN printf('%.2f', o.hw_group_cap_limit / 100.0)
        WHEN o.hw_group_cap_limit = 0 THEN 'NO' END AS hw_group_cap, -- Absolute cap of its hardware group on CPs [processors], or NO
    CASE WHEN (c.smf70hhf & 8) <> 0 THEN 'YES' WHEN c.smf70hhf IS NOT NULL THEN 'NO' END
                                                  AS abs_msu_cap -- Absolute MSU capping: YES or NO
FROM rmf_cpu_interval AS i
LEFT JOIN partition AS p ON p.file_id = i.file_id AND p.record_no = i.record_no
LEFT JOIN own_processor AS o ON o.file_id = i.file_id AND o.record_no = i.record_no
LEFT JOIN smf70_1_control AS c ON c.file_id = i.file_id AND c.record_no = i.record_no;
