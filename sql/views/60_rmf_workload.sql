-- rmf_class_period: one row per system, interval, service or report class and period, as recorded.
-- A class that is twice in an interval of a run (overlapping dumps) counts once.
-- Service units become microseconds: 16e6 / R723MADJ of them are a second, times the coefficient.
CREATE OR REPLACE VIEW rmf_class_period AS
WITH period AS (
    SELECT
        f.run,
        nullif(r.smf72xnm, '')                            AS sysplex,
        p.system,
        p.interval_start,
        p.interval_start - r.smf72lgo                     AS interval_start_utc,
        epoch(r.smf72int)                                 AS interval_s,
        (c.r723mscf & 128) <> 0                           AS report_class,
        nullif(c.r723mnsp, '')                            AS policy,
        nullif(c.r723mwnm, '')                            AS workload,
        c.r723mcnm                                        AS class,
        c.r723mtv                                         AS wlm_samples_count,
        c.r723madj / 16.0 / nullif(c.r723mcpu / 10000.0, 0) AS us_per_cpu_unit,
        c.r723madj / 16.0 / nullif(c.r723msrb / 10000.0, 0) AS us_per_srb_unit,
        coalesce(nullif(c.r723nffs, 0), 256) / 256.0      AS ziip_speed,
        coalesce(nullif(c.r723nffi, 0), 256) / 256.0      AS zaap_speed,
        coalesce(nullif(c.r723mcf, 0), 1024) / 1024.0     AS cp_capacity,
        coalesce(nullif(c.r723mcfs, 0), 1024) / 1024.0    AS ziip_capacity,
        p.*
            EXCLUDE (system, interval_start, interval_end)
    FROM smf72_3_period AS p
    JOIN smf72_3_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
    JOIN smf72_3_product AS r ON r.file_id = p.file_id AND r.record_no = p.record_no
    JOIN load_file AS f ON f.file_id = p.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, p.system, p.interval_start, r.smf72lgo,
            (c.r723mscf & 128) <> 0, c.r723mcnm, p.r723cper
        ORDER BY p.file_id, p.record_no, p.section_no
    ) = 1
),
goal AS (
    SELECT
        *,
        CASE
            WHEN (r723crs1 & 128) <> 0 THEN NULL
            WHEN (r723crgf & 128) <> 0 THEN 'percentile'
            WHEN (r723crgf & 64) <> 0 THEN 'average'
            WHEN (r723crgf & 32) <> 0 THEN 'velocity'
            WHEN (r723crgf & 16) <> 0 THEN 'discretionary'
            WHEN (r723crgf & 8) <> 0 THEN 'system'
        END                                               AS goal_kind,
        CASE
            WHEN (r723crtf & 128) <> 0 THEN 1
            WHEN (r723crtf & 64) <> 0 THEN 1000
            WHEN (r723crtf & 32) <> 0 THEN 60000
            WHEN (r723crtf & 16) <> 0 THEN 3600000
        END                                               AS ms_per_goal_unit
    FROM period
)
SELECT
    g.run                                                 AS run,
    g.sysplex                                             AS sysplex,
    g.system                                              AS system,
    g.interval_start                                      AS interval_start,
    g.interval_start_utc                                  AS interval_start_utc,
    g.interval_s                                          AS interval_s,
    g.report_class                                        AS report_class,
    g.policy                                              AS policy,
    g.workload                                            AS workload,
    g.class                                               AS class,
    g.r723cper::INTEGER                                   AS period,
    nullif(g.r723cimp, 0)::INTEGER                        AS importance,
    g.wlm_samples_count                                   AS wlm_samples_count,
    g.r723ctat * 1024.0                                   AS active_us,
    g.r723ctrr * 1024.0                                   AS resident_us,
    g.r723ciea * 1024.0                                   AS enclave_us,
    g.r723cfea * 1024.0                                   AS foreign_enclave_us,
    g.r723crcp::DOUBLE                                    AS ended_count,
    g.r723cncp::DOUBLE                                    AS executed_count,
    CASE WHEN g.r723cncp > 0 THEN g.r723cncp ELSE g.r723crcp END::DOUBLE AS execution_count,
    g.r723cswc::DOUBLE                                    AS swaps_count,
    coalesce(g.r723ctetx, g.r723ctet * 1024.0)            AS response_us,
    coalesce(g.r723cetsx, g.r723cets * 1024.0 * 1024.0)   AS response_squares_us2,
    coalesce(g.r723cxetx, g.r723cxet * 1024.0)            AS execution_us,
    coalesce(g.r723cqdtx, g.r723cqdt * 1024.0)            AS queued_us,
    g.r723circ::DOUBLE                                    AS io_count,
    g.r723cict * 128.0                                    AS io_conn_us,
    g.r723cidt * 128.0                                    AS io_disc_us,
    g.r723ciwt * 128.0                                    AS io_qpend_us,
    g.r723ciot * 128.0                                    AS io_iosq_us,
    g.r723cioc                                            AS ioc_su,
    g.r723ccpu                                            AS cpu_su,
    g.r723cmso                                            AS mso_su,
    g.r723csrb                                            AS srb_su,
    g.r723csrv                                            AS total_su,
    g.r723ccpu * g.us_per_cpu_unit                        AS cpu_us,
    g.r723csrb * g.us_per_srb_unit                        AS srb_us,
    g.r723crct                                            AS rct_us,
    g.r723ciit                                            AS iit_us,
    g.r723chst                                            AS hst_us,
    g.r723csup * g.us_per_cpu_unit                        AS iip_us,
    g.r723csuc * g.us_per_cpu_unit                        AS iip_on_cp_us,
    -- CP time alone: what ran on zIIPs and zAAPs is in the TCB time at CP speed
    (g.r723ccpu - coalesce(g.r723csup, 0) * g.ziip_speed - coalesce(g.r723cifa, 0) * g.zaap_speed)
        * g.us_per_cpu_unit
        + coalesce(g.r723csrb * g.us_per_srb_unit, 0)
        + coalesce(g.r723crct, 0) + coalesce(g.r723ciit, 0) + coalesce(g.r723chst, 0)
                                                          AS cp_us,
    g.interval_s * 1e6 * g.cp_capacity                    AS cp_capacity_us,
    g.interval_s * 1e6 * g.ziip_capacity                  AS ziip_capacity_us,
    g.r723tpdp * 1024.0                                   AS promoted_blk_us,
    g.r723ectc * 1024.0                                   AS promoted_enq_us,
    g.r723cpdp * 1024.0                                   AS promoted_crm_us,
    g.r723lpdp * 1024.0                                   AS promoted_lck_us,
    g.r723spdp * 1024.0                                   AS promoted_sup_us,
    g.r723cprs * 1024.0                                   AS frames_us,
    g.r723csrs * 1024.0                                   AS shared_frames_us,
    g.r723ctou::DOUBLE                                    AS using_count,
    g.r723ctou::DOUBLE + g.r723ctot::DOUBLE               AS velocity_samples_count,
    g.goal_kind                                           AS goal_kind,
    CASE
        WHEN g.goal_kind IN ('percentile', 'average') THEN g.r723cval * g.ms_per_goal_unit
        WHEN g.goal_kind = 'velocity' THEN g.r723cval
    END::DOUBLE                                           AS goal,
    CASE WHEN g.goal_kind = 'percentile' THEN g.r723cpct END::DOUBLE AS goal_percentile,
    d.counts                                              AS buckets,
    g.file_id                                             AS file_id,
    g.record_no                                           AS record_no,
    g.section_no                                          AS section_no
FROM goal AS g
-- as a list before the outer join: DuckDB cannot carry an array that is NULL through one
LEFT JOIN (
    SELECT file_id, record_no, period_no, r723trdb::UINTEGER[] AS counts FROM smf72_3_response
) AS d
    ON d.file_id = g.file_id AND d.record_no = g.record_no AND d.period_no = g.section_no;

COMMENT ON VIEW rmf_class_period IS 'One row per system, interval, class and period of type 72.3; times in microseconds as sums';
COMMENT ON COLUMN rmf_class_period.run IS 'Measurement';
COMMENT ON COLUMN rmf_class_period.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_class_period.system IS 'System name';
COMMENT ON COLUMN rmf_class_period.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_class_period.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_class_period.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_class_period.report_class IS 'A report class: repeats work of service classes';
COMMENT ON COLUMN rmf_class_period.policy IS 'Active service policy';
COMMENT ON COLUMN rmf_class_period.workload IS 'Workload; NULL for a report class';
COMMENT ON COLUMN rmf_class_period.class IS 'Service or report class';
COMMENT ON COLUMN rmf_class_period.period IS 'Period of the class';
COMMENT ON COLUMN rmf_class_period.importance IS 'Importance of the goal, 1 is highest; NULL without';
COMMENT ON COLUMN rmf_class_period.wlm_samples_count IS 'Samples WLM took in the interval';
COMMENT ON COLUMN rmf_class_period.active_us IS 'Time transactions were active [us]';
COMMENT ON COLUMN rmf_class_period.resident_us IS 'Time transactions were swapped in [us]';
COMMENT ON COLUMN rmf_class_period.enclave_us IS 'Active time of independent enclaves [us]';
COMMENT ON COLUMN rmf_class_period.foreign_enclave_us IS 'Active time of enclaves from other systems [us]';
COMMENT ON COLUMN rmf_class_period.ended_count IS 'Transactions ended';
COMMENT ON COLUMN rmf_class_period.executed_count IS 'Transactions whose execution phase ended (CICS, IMS)';
COMMENT ON COLUMN rmf_class_period.execution_count IS 'Divisor of the execution time: phases ended, else transactions ended';
COMMENT ON COLUMN rmf_class_period.swaps_count IS 'Swaps';
COMMENT ON COLUMN rmf_class_period.response_us IS 'Elapsed time of the transactions ended [us]';
COMMENT ON COLUMN rmf_class_period.response_squares_us2 IS 'Sum of the squares of the elapsed times [us squared]';
COMMENT ON COLUMN rmf_class_period.execution_us IS 'Execution time of the transactions ended [us]';
COMMENT ON COLUMN rmf_class_period.queued_us IS 'Time transactions were queued [us]';
COMMENT ON COLUMN rmf_class_period.io_count IS 'DASD I/Os started';
COMMENT ON COLUMN rmf_class_period.io_conn_us IS 'DASD connect time [us]';
COMMENT ON COLUMN rmf_class_period.io_disc_us IS 'DASD disconnect time [us]';
COMMENT ON COLUMN rmf_class_period.io_qpend_us IS 'DASD pending and control unit queue time [us]';
COMMENT ON COLUMN rmf_class_period.io_iosq_us IS 'DASD time in the IOS queue [us]';
COMMENT ON COLUMN rmf_class_period.ioc_su IS 'I/O service [service units]';
COMMENT ON COLUMN rmf_class_period.cpu_su IS 'CPU service of TCBs, zIIP work at CP speed included [service units]';
COMMENT ON COLUMN rmf_class_period.mso_su IS 'Storage service [service units]';
COMMENT ON COLUMN rmf_class_period.srb_su IS 'CPU service of SRBs [service units]';
COMMENT ON COLUMN rmf_class_period.total_su IS 'Service of all kinds [service units]';
COMMENT ON COLUMN rmf_class_period.cpu_us IS 'CPU time of TCBs, zIIP work at CP speed included [us]';
COMMENT ON COLUMN rmf_class_period.srb_us IS 'CPU time of SRBs [us]';
COMMENT ON COLUMN rmf_class_period.rct_us IS 'CPU time of region control tasks [us]';
COMMENT ON COLUMN rmf_class_period.iit_us IS 'CPU time of I/O interrupts [us]';
COMMENT ON COLUMN rmf_class_period.hst_us IS 'CPU time of hiperspace services [us]';
COMMENT ON COLUMN rmf_class_period.iip_us IS 'CPU time on zIIPs, at zIIP speed [us]';
COMMENT ON COLUMN rmf_class_period.iip_on_cp_us IS 'CPU time of zIIP work on CPs [us]';
COMMENT ON COLUMN rmf_class_period.cp_us IS 'CPU time on CPs: TCB, SRB, RCT, IIT and HST less zIIP and zAAP time at CP speed [us]';
COMMENT ON COLUMN rmf_class_period.cp_capacity_us IS 'What one CP can give in the interval [us]';
COMMENT ON COLUMN rmf_class_period.ziip_capacity_us IS 'What one zIIP can give in the interval [us]';
COMMENT ON COLUMN rmf_class_period.promoted_blk_us IS 'CPU time at a priority raised for blocked work [us]';
COMMENT ON COLUMN rmf_class_period.promoted_enq_us IS 'CPU time at a priority raised for an enqueue [us]';
COMMENT ON COLUMN rmf_class_period.promoted_crm_us IS 'CPU time at a priority raised for lasting contention [us]';
COMMENT ON COLUMN rmf_class_period.promoted_lck_us IS 'CPU time at a priority raised for a lock [us]';
COMMENT ON COLUMN rmf_class_period.promoted_sup_us IS 'CPU time at a priority raised by the supervisor [us]';
COMMENT ON COLUMN rmf_class_period.frames_us IS 'Frames held, times how long [frames us]';
COMMENT ON COLUMN rmf_class_period.shared_frames_us IS 'Shared frames held, times how long [frames us]';
COMMENT ON COLUMN rmf_class_period.using_count IS 'Using samples that count in the velocity';
COMMENT ON COLUMN rmf_class_period.velocity_samples_count IS 'Using and delay samples that count in the velocity';
COMMENT ON COLUMN rmf_class_period.goal_kind IS 'percentile, average, velocity, discretionary or system; NULL where a report class has unlike goals';
COMMENT ON COLUMN rmf_class_period.goal IS 'Goal: milliseconds, or a velocity in per cent';
COMMENT ON COLUMN rmf_class_period.goal_percentile IS 'Share of transactions a percentile goal is for [%]';
COMMENT ON COLUMN rmf_class_period.buckets IS 'Ended transactions in each of the 14 buckets of the response time distribution';
COMMENT ON COLUMN rmf_class_period.file_id IS 'File of the record';
COMMENT ON COLUMN rmf_class_period.record_no IS 'Record in that file';
COMMENT ON COLUMN rmf_class_period.section_no IS 'Period section in the record';

-- rmf_workload: the same in every scope: policy, workload, class, and period of a class.
-- Report classes stand for themselves: policy and workload are sums of service classes.
CREATE OR REPLACE VIEW rmf_workload AS
WITH scope AS (
    SELECT *, CASE WHEN report_class THEN 'report' ELSE 'service' END AS kind, 3 AS place,
        class AS scope_name, period AS scope_period
    FROM rmf_class_period
    UNION ALL
    SELECT *, CASE WHEN report_class THEN 'report' ELSE 'service' END AS kind, 3 AS place,
        class AS scope_name, NULL AS scope_period
    FROM rmf_class_period
    UNION ALL
    SELECT *, 'workload' AS kind, 2 AS place, workload AS scope_name, NULL AS scope_period
    FROM rmf_class_period
    WHERE NOT report_class
    UNION ALL
    SELECT *, 'policy' AS kind, 1 AS place, policy AS scope_name, NULL AS scope_period
    FROM rmf_class_period
    WHERE NOT report_class
)
SELECT
    run                                                   AS run,
    sysplex                                               AS sysplex,
    system                                                AS system,
    interval_start                                        AS interval_start,
    interval_start_utc                                    AS interval_start_utc,
    kind                                                  AS kind,
    scope_name                                            AS class,
    scope_period                                          AS period,
    place + CASE WHEN kind = 'report' THEN 1 ELSE 0 END   AS place,
    max(interval_s)                                       AS interval_s,
    max(interval_s) * 1e6                                 AS interval_us,
    CASE WHEN count(DISTINCT workload) = 1 AND place = 3 THEN any_value(workload) END AS workload,
    CASE WHEN scope_period IS NOT NULL THEN max(importance) END AS importance,
    sum(active_us)                                        AS active_us,
    sum(resident_us)                                      AS resident_us,
    sum(enclave_us)                                       AS enclave_us,
    sum(foreign_enclave_us)                               AS foreign_enclave_us,
    sum(ended_count)                                      AS ended_count,
    sum(executed_count)                                   AS executed_count,
    sum(execution_count)                                  AS execution_count,
    sum(swaps_count)                                      AS swaps_count,
    sum(response_us)                                      AS response_us,
    sum(response_squares_us2)                             AS response_squares_us2,
    sum(execution_us)                                     AS execution_us,
    sum(queued_us)                                        AS queued_us,
    sum(io_count)                                         AS io_count,
    sum(io_conn_us)                                       AS io_conn_us,
    sum(io_disc_us)                                       AS io_disc_us,
    sum(io_qpend_us)                                      AS io_qpend_us,
    sum(io_iosq_us)                                       AS io_iosq_us,
    sum(ioc_su)                                           AS ioc_su,
    sum(cpu_su)                                           AS cpu_su,
    sum(mso_su)                                           AS mso_su,
    sum(srb_su)                                           AS srb_su,
    sum(total_su)                                         AS total_su,
    sum(cpu_us)                                           AS cpu_us,
    sum(srb_us)                                           AS srb_us,
    sum(rct_us)                                           AS rct_us,
    sum(iit_us)                                           AS iit_us,
    sum(hst_us)                                           AS hst_us,
    sum(iip_us)                                           AS iip_us,
    sum(iip_on_cp_us)                                     AS iip_on_cp_us,
    sum(cp_us)                                            AS cp_us,
    max(cp_capacity_us)                                   AS cp_capacity_us,
    max(ziip_capacity_us)                                 AS ziip_capacity_us,
    sum(promoted_blk_us)                                  AS promoted_blk_us,
    sum(promoted_enq_us)                                  AS promoted_enq_us,
    sum(promoted_crm_us)                                  AS promoted_crm_us,
    sum(promoted_lck_us)                                  AS promoted_lck_us,
    sum(promoted_sup_us)                                  AS promoted_sup_us,
    sum(frames_us)                                        AS frames_us,
    sum(shared_frames_us)                                 AS shared_frames_us,
    sum(using_count)                                      AS using_count,
    sum(velocity_samples_count)                           AS velocity_samples_count,
    CASE WHEN scope_period IS NOT NULL THEN any_value(goal_kind) END AS goal_kind,
    CASE WHEN scope_period IS NOT NULL THEN any_value(goal) END AS goal,
    CASE WHEN scope_period IS NOT NULL THEN any_value(goal_percentile) END AS goal_percentile,
    CASE WHEN scope_period IS NOT NULL THEN any_value(buckets) END AS buckets
FROM scope
GROUP BY
    run, sysplex, system, interval_start, interval_start_utc, kind, place, scope_name, scope_period;

COMMENT ON VIEW rmf_workload IS 'One row per system, interval and scope of workload activity: policy, workload, class and period';
COMMENT ON COLUMN rmf_workload.run IS 'Measurement';
COMMENT ON COLUMN rmf_workload.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_workload.system IS 'System name';
COMMENT ON COLUMN rmf_workload.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_workload.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_workload.kind IS 'policy, workload, service or report';
COMMENT ON COLUMN rmf_workload.class IS 'Name of the policy, workload or class';
COMMENT ON COLUMN rmf_workload.period IS 'Period of the class; NULL for all its periods together';
COMMENT ON COLUMN rmf_workload.place IS 'Order in which RMF prints the scopes';
COMMENT ON COLUMN rmf_workload.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_workload.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_workload.workload IS 'Workload of a service class';
COMMENT ON COLUMN rmf_workload.importance IS 'Importance of the goal, 1 is highest';
COMMENT ON COLUMN rmf_workload.active_us IS 'Time transactions were active [us]';
COMMENT ON COLUMN rmf_workload.resident_us IS 'Time transactions were swapped in [us]';
COMMENT ON COLUMN rmf_workload.enclave_us IS 'Active time of independent enclaves [us]';
COMMENT ON COLUMN rmf_workload.foreign_enclave_us IS 'Active time of enclaves from other systems [us]';
COMMENT ON COLUMN rmf_workload.ended_count IS 'Transactions ended';
COMMENT ON COLUMN rmf_workload.executed_count IS 'Transactions whose execution phase ended (CICS, IMS)';
COMMENT ON COLUMN rmf_workload.execution_count IS 'Divisor of the execution time: phases ended, else transactions ended';
COMMENT ON COLUMN rmf_workload.swaps_count IS 'Swaps';
COMMENT ON COLUMN rmf_workload.response_us IS 'Elapsed time of the transactions ended [us]';
COMMENT ON COLUMN rmf_workload.response_squares_us2 IS 'Sum of the squares of the elapsed times [us squared]';
COMMENT ON COLUMN rmf_workload.execution_us IS 'Execution time of the transactions ended [us]';
COMMENT ON COLUMN rmf_workload.queued_us IS 'Time transactions were queued [us]';
COMMENT ON COLUMN rmf_workload.io_count IS 'DASD I/Os started';
COMMENT ON COLUMN rmf_workload.io_conn_us IS 'DASD connect time [us]';
COMMENT ON COLUMN rmf_workload.io_disc_us IS 'DASD disconnect time [us]';
COMMENT ON COLUMN rmf_workload.io_qpend_us IS 'DASD pending and control unit queue time [us]';
COMMENT ON COLUMN rmf_workload.io_iosq_us IS 'DASD time in the IOS queue [us]';
COMMENT ON COLUMN rmf_workload.ioc_su IS 'I/O service [service units]';
COMMENT ON COLUMN rmf_workload.cpu_su IS 'CPU service of TCBs [service units]';
COMMENT ON COLUMN rmf_workload.mso_su IS 'Storage service [service units]';
COMMENT ON COLUMN rmf_workload.srb_su IS 'CPU service of SRBs [service units]';
COMMENT ON COLUMN rmf_workload.total_su IS 'Service of all kinds [service units]';
COMMENT ON COLUMN rmf_workload.cpu_us IS 'CPU time of TCBs, zIIP work at CP speed included [us]';
COMMENT ON COLUMN rmf_workload.srb_us IS 'CPU time of SRBs [us]';
COMMENT ON COLUMN rmf_workload.rct_us IS 'CPU time of region control tasks [us]';
COMMENT ON COLUMN rmf_workload.iit_us IS 'CPU time of I/O interrupts [us]';
COMMENT ON COLUMN rmf_workload.hst_us IS 'CPU time of hiperspace services [us]';
COMMENT ON COLUMN rmf_workload.iip_us IS 'CPU time on zIIPs, at zIIP speed [us]';
COMMENT ON COLUMN rmf_workload.iip_on_cp_us IS 'CPU time of zIIP work on CPs [us]';
COMMENT ON COLUMN rmf_workload.cp_us IS 'CPU time on CPs alone [us]';
COMMENT ON COLUMN rmf_workload.cp_capacity_us IS 'What one CP can give in the interval [us]';
COMMENT ON COLUMN rmf_workload.ziip_capacity_us IS 'What one zIIP can give in the interval [us]';
COMMENT ON COLUMN rmf_workload.promoted_blk_us IS 'CPU time at a priority raised for blocked work [us]';
COMMENT ON COLUMN rmf_workload.promoted_enq_us IS 'CPU time at a priority raised for an enqueue [us]';
COMMENT ON COLUMN rmf_workload.promoted_crm_us IS 'CPU time at a priority raised for lasting contention [us]';
COMMENT ON COLUMN rmf_workload.promoted_lck_us IS 'CPU time at a priority raised for a lock [us]';
COMMENT ON COLUMN rmf_workload.promoted_sup_us IS 'CPU time at a priority raised by the supervisor [us]';
COMMENT ON COLUMN rmf_workload.frames_us IS 'Frames held, times how long [frames us]';
COMMENT ON COLUMN rmf_workload.shared_frames_us IS 'Shared frames held, times how long [frames us]';
COMMENT ON COLUMN rmf_workload.using_count IS 'Using samples that count in the velocity';
COMMENT ON COLUMN rmf_workload.velocity_samples_count IS 'Using and delay samples that count in the velocity';
COMMENT ON COLUMN rmf_workload.goal_kind IS 'Kind of goal of a period';
COMMENT ON COLUMN rmf_workload.goal IS 'Goal of a period: milliseconds, or a velocity in per cent';
COMMENT ON COLUMN rmf_workload.goal_percentile IS 'Share of transactions a percentile goal is for [%]';
COMMENT ON COLUMN rmf_workload.buckets IS 'Ended transactions in each bucket of the response time distribution';

-- rmf_workload_interval: one row per system and RMF interval with type 72.3 records.
CREATE OR REPLACE VIEW rmf_workload_interval AS
SELECT
    f.run                                                 AS run,
    nullif(p.smf72xnm, '')                                AS sysplex,
    p.system                                              AS system,
    p.interval_start                                      AS interval_start,
    p.interval_start - p.smf72lgo                         AS interval_start_utc,
    max(epoch(p.smf72int))                                AS interval_s,
    max(p.smf72sam)                                       AS samples_count,
    max(p.smf72cyc)                                       AS cycle_ms,
    max(p.smf72mvs)                                       AS zos_level,
    max(c.r723mnsp)                                       AS policy,
    count(DISTINCT c.r723mcnm)                            AS classes_count
FROM smf72_3_product AS p
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf72_3_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
GROUP BY f.run, p.smf72xnm, p.system, p.interval_start, p.smf72lgo;

COMMENT ON VIEW rmf_workload_interval IS 'One row per system and RMF interval with type 72.3 records';
COMMENT ON COLUMN rmf_workload_interval.run IS 'Measurement';
COMMENT ON COLUMN rmf_workload_interval.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_workload_interval.system IS 'System name';
COMMENT ON COLUMN rmf_workload_interval.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_workload_interval.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_workload_interval.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_workload_interval.samples_count IS 'RMF samples';
COMMENT ON COLUMN rmf_workload_interval.cycle_ms IS 'Sampling cycle [ms]';
COMMENT ON COLUMN rmf_workload_interval.zos_level IS 'Operating system level as stored';
COMMENT ON COLUMN rmf_workload_interval.policy IS 'Active service policy';
COMMENT ON COLUMN rmf_workload_interval.classes_count IS 'Service and report classes with a record';
