-- rmf_class_period: one row per system, interval, class and period of type 72.3; times in
-- microseconds as sums. A class that is twice in an interval of a run (overlapping dumps) counts
-- once. Service units become microseconds: 16e6 / R723MADJ of them are a second, times the
-- coefficient.
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
        coalesce(nullif(c.r723mcfi, 0), 1024) / 1024.0    AS zaap_capacity,
        nullif(g.r723ggnm, '')                            AS resource_group,
        p.*
            EXCLUDE (system, interval_start, interval_end)
    FROM smf72_3_period AS p
    JOIN smf72_3_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
    JOIN smf72_3_product AS r ON r.file_id = p.file_id AND r.record_no = p.record_no
    LEFT JOIN smf72_3_resource_group AS g
        ON g.file_id = p.file_id AND g.record_no = p.record_no AND g.section_no = 1
    JOIN load_file AS f ON f.file_id = p.file_id
    QUALIFY counts_once_in(
        f.run, p.system, p.interval_start,
        (r.smf72xnm, r.smf72lgo, (c.r723mscf & 128) <> 0, c.r723mcnm, p.r723cper),
        (p.file_id, p.record_no, p.section_no)
    )
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
    g.run                                                 AS run, -- Measurement
    g.sysplex                                             AS sysplex, -- Sysplex name
    g.system                                              AS system, -- System name
    g.interval_start                                      AS interval_start, -- Interval start, local time of the system
    g.interval_start_utc                                  AS interval_start_utc, -- Interval start, UTC
    g.interval_s                                          AS interval_s, -- Length of the interval [s]
    g.report_class                                        AS report_class, -- A report class: repeats work of service classes
    g.policy                                              AS policy, -- Active service policy
    g.workload                                            AS workload, -- Workload; NULL for a report class
    g.class                                               AS class, -- Service or report class
    g.r723cper::INTEGER                                   AS period, -- Period of the class
    nullif(g.r723cimp, 0)::INTEGER                        AS importance, -- Importance of the goal, 1 is highest; NULL without
    g.wlm_samples_count                                   AS wlm_samples_count, -- Samples WLM took in the interval
    g.r723ctat * 1024.0                                   AS active_us, -- Time transactions were active [us]
    g.r723ctrr * 1024.0                                   AS resident_us, -- Time transactions were swapped in [us]
    g.r723ciea * 1024.0                                   AS enclave_us, -- Active time of independent enclaves [us]
    g.r723cfea * 1024.0                                   AS foreign_enclave_us, -- Active time of enclaves from other systems [us]
    g.r723cxea * 1024.0                                   AS exported_enclave_us, -- Active time of enclaves sent to other systems [us]
    g.resource_group                                      AS resource_group, -- Resource group of the class
    g.r723crcp::DOUBLE                                    AS ended_count, -- Transactions ended
    g.r723cncp::DOUBLE                                    AS executed_count, -- Transactions whose execution phase ended (CICS, IMS)
    CASE WHEN g.r723cncp > 0 THEN g.r723cncp ELSE g.r723crcp END::DOUBLE AS execution_count, -- Divisor of the execution time: phases ended, else transactions ended
    g.r723cswc::DOUBLE                                    AS swaps_count, -- Swaps
    coalesce(g.r723ctetx, g.r723ctet * 1024.0)            AS response_us, -- Elapsed time of the transactions ended [us]
    coalesce(g.r723cetsx, g.r723cets * 1024.0 * 1024.0)   AS response_squares_us2, -- Sum of the squares of the elapsed times [us squared]
    coalesce(g.r723cxetx, g.r723cxet * 1024.0)            AS execution_us, -- Execution time of the transactions ended [us]
    coalesce(g.r723cqdtx, g.r723cqdt * 1024.0)            AS queued_us, -- Time transactions were queued [us]
    coalesce(g.r723cadtx, g.r723cadt * 1024.0)            AS affinity_us, -- Time transactions waited for a system that has the resource they need [us]
    coalesce(g.r723ciqtx, g.r723ciqt * 1024.0)            AS ineligible_us, -- Time jobs were held, not eligible to run [us]
    coalesce(g.r723ccvtx, g.r723ccvt * 1024.0)            AS conversion_us, -- Time of JCL conversion [us]
    g.r723cpir                                            AS page_in_count, -- Pages paged in, one by one
    g.r723cbpi                                            AS block_page_in_count, -- Pages paged in by blocks
    g.r723cspa                                            AS shared_page_in_count, -- Shared pages paged in
    g.r723chpi                                            AS hiperspace_page_in_count, -- Hiperspace pages paged in
    (g.r723ctrr - coalesce(g.r723ciea, 0)) * 1024.0       AS space_resident_us, -- Time address spaces were swapped in: without that of enclaves [us]
    g.r723circ::DOUBLE                                    AS io_count, -- DASD I/Os started
    g.r723cict * 128.0                                    AS io_conn_us, -- DASD connect time [us]
    g.r723cidt * 128.0                                    AS io_disc_us, -- DASD disconnect time [us]
    g.r723ciwt * 128.0                                    AS io_qpend_us, -- DASD pending and control unit queue time [us]
    g.r723ciot * 128.0                                    AS io_iosq_us, -- DASD time in the IOS queue [us]
    g.r723cioc                                            AS ioc_su, -- I/O service [service units]
    g.r723ccpu                                            AS cpu_su, -- CPU service of TCBs, zIIP work at CP speed included [service units]
    g.r723cmso                                            AS mso_su, -- Storage service [service units]
    g.r723csrb                                            AS srb_su, -- CPU service of SRBs [service units]
    g.r723csrv                                            AS total_su, -- Service of all kinds [service units]
    g.r723ccpu * g.us_per_cpu_unit                        AS cpu_us, -- CPU time of TCBs, zIIP work at CP speed included [us]
    g.r723csrb * g.us_per_srb_unit                        AS srb_us, -- CPU time of SRBs [us]
    g.r723crct                                            AS rct_us, -- CPU time of region control tasks [us]
    g.r723ciit                                            AS iit_us, -- CPU time of I/O interrupts [us]
    g.r723chst                                            AS hst_us, -- CPU time of hiperspace services [us]
    g.r723csup * g.us_per_cpu_unit                        AS iip_us, -- CPU time on zIIPs, at zIIP speed [us]
    g.r723csuc * g.us_per_cpu_unit                        AS iip_on_cp_us, -- CPU time of zIIP work on CPs [us]
    g.r723cifa * g.us_per_cpu_unit                        AS aap_us, -- CPU time on zAAPs, at zAAP speed [us]
    g.r723cifc * g.us_per_cpu_unit                        AS aap_on_cp_us, -- CPU time of zAAP work on CPs [us]
    g.interval_s * 1e6 * g.zaap_capacity                  AS zaap_capacity_us, -- What one zAAP can give in the interval [us]
    g.r723tsucp * g.us_per_cpu_unit                       AS tran_cp_us, -- CPU time of transactions on CPs [us]
    g.r723tsuocp * g.us_per_cpu_unit                      AS tran_offload_us, -- Of it, work a specialty processor could have done [us]
    g.r723tsusp * g.us_per_cpu_unit                       AS tran_specialty_us, -- CPU time of transactions on specialty processors [us]
    g.r723msucp * g.us_per_cpu_unit                       AS mobile_cp_us, -- CPU time of mobile transactions on CPs [us]
    g.r723msuocp * g.us_per_cpu_unit                      AS mobile_offload_us, -- Of it, work a specialty processor could have done [us]
    g.r723msusp * g.us_per_cpu_unit                       AS mobile_specialty_us, -- CPU time of mobile transactions on specialty processors [us]
    g.r723asucp * g.us_per_cpu_unit                       AS category_a_cp_us, -- CPU time of transactions of category A on CPs [us]
    g.r723asuocp * g.us_per_cpu_unit                      AS category_a_offload_us, -- Of it, work a specialty processor could have done [us]
    g.r723asusp * g.us_per_cpu_unit                       AS category_a_specialty_us, -- CPU time of transactions of category A on specialty processors [us]
    g.r723bsucp * g.us_per_cpu_unit                       AS category_b_cp_us, -- CPU time of transactions of category B on CPs [us]
    g.r723bsuocp * g.us_per_cpu_unit                      AS category_b_offload_us, -- Of it, work a specialty processor could have done [us]
    g.r723bsusp * g.us_per_cpu_unit                       AS category_b_specialty_us, -- CPU time of transactions of category B on specialty processors [us]
    -- CP time alone: what ran on zIIPs and zAAPs is in the TCB time at CP speed
    (g.r723ccpu - coalesce(g.r723csup, 0) * g.ziip_speed - coalesce(g.r723cifa, 0) * g.zaap_speed)
        * g.us_per_cpu_unit
        + coalesce(g.r723csrb * g.us_per_srb_unit, 0)
        + coalesce(g.r723crct, 0) + coalesce(g.r723ciit, 0) + coalesce(g.r723chst, 0)
                                                          AS cp_us, -- CPU time on CPs: TCB, SRB, RCT, IIT and HST less zIIP and zAAP time at CP speed [us]
    g.interval_s * 1e6 * g.cp_capacity                    AS cp_capacity_us, -- What one CP can give in the interval [us]
    g.interval_s * 1e6 * g.ziip_capacity                  AS ziip_capacity_us, -- What one zIIP can give in the interval [us]
    g.r723tpdp * 1024.0                                   AS promoted_blk_us, -- CPU time at a priority raised for blocked work [us]
    g.r723ectc * 1024.0                                   AS promoted_enq_us, -- CPU time at a priority raised for an enqueue [us]
    g.r723cpdp * 1024.0                                   AS promoted_crm_us, -- CPU time at a priority raised for lasting contention [us]
    g.r723lpdp * 1024.0                                   AS promoted_lck_us, -- CPU time at a priority raised for a lock [us]
    g.r723spdp * 1024.0                                   AS promoted_sup_us, -- CPU time at a priority raised by the supervisor [us]
    g.r723cprs * 1024.0                                   AS frames_us, -- Frames held, times how long [frames us]
    g.r723csrs * 1024.0                                   AS shared_frames_us, -- Shared frames held, times how long [frames us]
    g.r723ctou::DOUBLE                                    AS using_count, -- Using samples that count in the velocity
    g.r723ctou::DOUBLE + g.r723ctot::DOUBLE               AS velocity_samples_count, -- Using and delay samples that count in the velocity
    g.goal_kind                                           AS goal_kind, -- percentile, average, velocity, discretionary or system; NULL where a report class has unlike goals
    CASE
        WHEN g.goal_kind IN ('percentile', 'average') THEN g.r723cval * g.ms_per_goal_unit
        WHEN g.goal_kind = 'velocity' THEN g.r723cval
    END::DOUBLE                                           AS goal, -- Goal: milliseconds, or a velocity in per cent
    CASE WHEN g.goal_kind = 'percentile' THEN g.r723cpct END::DOUBLE AS goal_percentile, -- Share of transactions a percentile goal is for [%]
    d.counts                                              AS buckets, -- Ended transactions in each of the 14 buckets of the response time distribution
    g.file_id                                             AS file_id, -- File of the record
    g.record_no                                           AS record_no, -- Record in that file
    g.section_no                                          AS section_no -- Period section in the record
FROM goal AS g
-- as a list before the outer join: DuckDB cannot carry an array that is NULL through one
LEFT JOIN (
    SELECT file_id, record_no, period_no, r723trdb::UINTEGER[] AS counts FROM smf72_3_response
) AS d
    ON d.file_id = g.file_id AND d.record_no = g.record_no AND d.period_no = g.section_no;

-- rmf_workload: one row per system, interval and scope of workload activity: policy, workload,
-- class and period. Report classes stand for themselves: policy and workload are sums of service
-- classes.
CREATE OR REPLACE VIEW rmf_workload AS
WITH scope AS (
    SELECT
        c.*,
        CASE WHEN NOT n.of_class THEN n.scope WHEN c.report_class THEN 'report' ELSE 'service' END
                                                          AS kind,
        n.place,
        CASE n.scope WHEN 'policy' THEN c.policy WHEN 'workload' THEN c.workload ELSE c.class END
                                                          AS scope_name,
        CASE n.scope WHEN 'period' THEN c.period END      AS scope_period
    FROM rmf_class_period AS c
    JOIN (VALUES
        ('policy', 1, false), ('workload', 2, false), ('class', 3, true), ('period', 3, true)
    ) AS n(scope, place, of_class) ON n.of_class OR NOT c.report_class
)
SELECT
    run                                                   AS run, -- Measurement
    sysplex                                               AS sysplex, -- Sysplex name
    system                                                AS system, -- System name
    interval_start                                        AS interval_start, -- Interval start, local time of the system
    interval_start_utc                                    AS interval_start_utc, -- Interval start, UTC
    kind                                                  AS kind, -- policy, workload, service or report
    scope_name                                            AS class, -- Name of the policy, workload or class
    scope_period                                          AS period, -- Period of the class; NULL for all its periods together
    place + CASE WHEN kind = 'report' THEN 1 ELSE 0 END   AS place, -- Order in which RMF prints the scopes
    max(interval_s)                                       AS interval_s, -- Length of the interval [s]
    max(interval_s) * 1e6                                 AS interval_us, -- Length of the interval [us]
    CASE WHEN count(DISTINCT workload) = 1 AND place = 3 THEN any_value(workload) END AS workload, -- Workload of a service class
    CASE WHEN scope_period IS NOT NULL THEN max(importance) END AS importance, -- Importance of the goal, 1 is highest
    sum(active_us)                                        AS active_us, -- Time transactions were active [us]
    sum(resident_us)                                      AS resident_us, -- Time transactions were swapped in [us]
    sum(enclave_us)                                       AS enclave_us, -- Active time of independent enclaves [us]
    sum(foreign_enclave_us)                               AS foreign_enclave_us, -- Active time of enclaves from other systems [us]
    sum(ended_count)                                      AS ended_count, -- Transactions ended
    sum(executed_count)                                   AS executed_count, -- Transactions whose execution phase ended (CICS, IMS)
    sum(execution_count)                                  AS execution_count, -- Divisor of the execution time: phases ended, else transactions ended
    sum(swaps_count)                                      AS swaps_count, -- Swaps
    sum(response_us)                                      AS response_us, -- Elapsed time of the transactions ended [us]
    sum(response_squares_us2)                             AS response_squares_us2, -- Sum of the squares of the elapsed times [us squared]
    sum(execution_us)                                     AS execution_us, -- Execution time of the transactions ended [us]
    sum(queued_us)                                        AS queued_us, -- Time transactions were queued [us]
    sum(io_count)                                         AS io_count, -- DASD I/Os started
    sum(io_conn_us)                                       AS io_conn_us, -- DASD connect time [us]
    sum(io_disc_us)                                       AS io_disc_us, -- DASD disconnect time [us]
    sum(io_qpend_us)                                      AS io_qpend_us, -- DASD pending and control unit queue time [us]
    sum(io_iosq_us)                                       AS io_iosq_us, -- DASD time in the IOS queue [us]
    sum(ioc_su)                                           AS ioc_su, -- I/O service [service units]
    sum(cpu_su)                                           AS cpu_su, -- CPU service of TCBs [service units]
    sum(mso_su)                                           AS mso_su, -- Storage service [service units]
    sum(srb_su)                                           AS srb_su, -- CPU service of SRBs [service units]
    sum(total_su)                                         AS total_su, -- Service of all kinds [service units]
    sum(cpu_us)                                           AS cpu_us, -- CPU time of TCBs, zIIP work at CP speed included [us]
    sum(srb_us)                                           AS srb_us, -- CPU time of SRBs [us]
    sum(rct_us)                                           AS rct_us, -- CPU time of region control tasks [us]
    sum(iit_us)                                           AS iit_us, -- CPU time of I/O interrupts [us]
    sum(hst_us)                                           AS hst_us, -- CPU time of hiperspace services [us]
    sum(iip_us)                                           AS iip_us, -- CPU time on zIIPs, at zIIP speed [us]
    sum(iip_on_cp_us)                                     AS iip_on_cp_us, -- CPU time of zIIP work on CPs [us]
    sum(cp_us)                                            AS cp_us, -- CPU time on CPs alone [us]
    max(cp_capacity_us)                                   AS cp_capacity_us, -- What one CP can give in the interval [us]
    max(ziip_capacity_us)                                 AS ziip_capacity_us, -- What one zIIP can give in the interval [us]
    sum(exported_enclave_us)                              AS exported_enclave_us, -- Active time of enclaves sent to other systems [us]
    sum(affinity_us)                                      AS affinity_us, -- Time transactions waited for a system that has the resource they need [us]
    sum(ineligible_us)                                    AS ineligible_us, -- Time jobs were held, not eligible to run [us]
    sum(conversion_us)                                    AS conversion_us, -- Time of JCL conversion [us]
    sum(page_in_count)                                    AS page_in_count, -- Pages paged in, one by one
    sum(block_page_in_count)                              AS block_page_in_count, -- Pages paged in by blocks
    sum(shared_page_in_count)                             AS shared_page_in_count, -- Shared pages paged in
    sum(hiperspace_page_in_count)                         AS hiperspace_page_in_count, -- Hiperspace pages paged in
    sum(space_resident_us)                                AS space_resident_us, -- Time address spaces were swapped in: without that of enclaves [us]
    sum(aap_us)                                           AS aap_us, -- CPU time on zAAPs, at zAAP speed [us]
    sum(aap_on_cp_us)                                     AS aap_on_cp_us, -- CPU time of zAAP work on CPs [us]
    sum(tran_cp_us)                                       AS tran_cp_us, -- CPU time of transactions on CPs [us]
    sum(tran_offload_us)                                  AS tran_offload_us, -- Of it, work a specialty processor could have done [us]
    sum(tran_specialty_us)                                AS tran_specialty_us, -- CPU time of transactions on specialty processors [us]
    sum(mobile_cp_us)                                     AS mobile_cp_us, -- CPU time of mobile transactions on CPs [us]
    sum(mobile_offload_us)                                AS mobile_offload_us, -- Of it, work a specialty processor could have done [us]
    sum(mobile_specialty_us)                              AS mobile_specialty_us, -- CPU time of mobile transactions on specialty processors [us]
    sum(category_a_cp_us)                                 AS category_a_cp_us, -- CPU time of transactions of category A on CPs [us]
    sum(category_a_offload_us)                            AS category_a_offload_us, -- Of it, work a specialty processor could have done [us]
    sum(category_a_specialty_us)                          AS category_a_specialty_us, -- CPU time of transactions of category A on specialty processors [us]
    sum(category_b_cp_us)                                 AS category_b_cp_us, -- CPU time of transactions of category B on CPs [us]
    sum(category_b_offload_us)                            AS category_b_offload_us, -- Of it, work a specialty processor could have done [us]
    sum(category_b_specialty_us)                          AS category_b_specialty_us, -- CPU time of transactions of category B on specialty processors [us]
    max(zaap_capacity_us)                                 AS zaap_capacity_us, -- What one zAAP can give in the interval [us]
    CASE WHEN place = 3 THEN any_value(resource_group) END AS resource_group, -- Resource group of a class
    sum(promoted_blk_us)                                  AS promoted_blk_us, -- CPU time at a priority raised for blocked work [us]
    sum(promoted_enq_us)                                  AS promoted_enq_us, -- CPU time at a priority raised for an enqueue [us]
    sum(promoted_crm_us)                                  AS promoted_crm_us, -- CPU time at a priority raised for lasting contention [us]
    sum(promoted_lck_us)                                  AS promoted_lck_us, -- CPU time at a priority raised for a lock [us]
    sum(promoted_sup_us)                                  AS promoted_sup_us, -- CPU time at a priority raised by the supervisor [us]
    sum(frames_us)                                        AS frames_us, -- Frames held, times how long [frames us]
    sum(shared_frames_us)                                 AS shared_frames_us, -- Shared frames held, times how long [frames us]
    sum(using_count)                                      AS using_count, -- Using samples that count in the velocity
    sum(velocity_samples_count)                           AS velocity_samples_count, -- Using and delay samples that count in the velocity
    CASE WHEN scope_period IS NOT NULL THEN any_value(goal_kind) END AS goal_kind, -- Kind of goal of a period
    CASE WHEN scope_period IS NOT NULL THEN any_value(goal) END AS goal, -- Goal of a period: milliseconds, or a velocity in per cent
    CASE WHEN scope_period IS NOT NULL THEN any_value(goal_percentile) END AS goal_percentile, -- Share of transactions a percentile goal is for [%]
    CASE WHEN scope_period IS NOT NULL THEN any_value(buckets) END AS buckets -- Ended transactions in each bucket of the response time distribution
FROM scope
GROUP BY
    run, sysplex, system, interval_start, interval_start_utc, kind, place, scope_name, scope_period;

-- rmf_workload_goals: rows of rmf_workload or rmf_workload_sysplex with what the goals of periods
-- are held against, and what else both have from sums.
CREATE OR REPLACE MACRO rmf_workload_goals(workload) AS TABLE
WITH distributed AS (
    SELECT
        *,
        [
            list_sum(buckets[1:1]), list_sum(buckets[1:2]), list_sum(buckets[1:3]),
            list_sum(buckets[1:4]), list_sum(buckets[1:5]), list_sum(buckets[1:6]),
            list_sum(buckets[1:7]), list_sum(buckets[1:8]), list_sum(buckets[1:9]),
            list_sum(buckets[1:10]), list_sum(buckets[1:11]), list_sum(buckets[1:12]),
            list_sum(buckets[1:13]), list_sum(buckets)
        ]                                                 AS ended_within
    FROM query_table(workload)
),
held AS (
    SELECT
        *,
        rmf_goal_actual(
            goal_kind, response_us, ended_count, ended_within[6], ended_within[14], using_count,
            velocity_samples_count
        )                                                 AS actual
    FROM distributed
)
SELECT
    * EXCLUDE (actual),
    io_conn_us + io_disc_us + io_qpend_us + io_iosq_us    AS io_us, -- DASD response time [us]
    sample_deviation(ended_count, response_us, response_squares_us2) AS response_std_us, -- Standard deviation of the response times, of the sample [us]
    actual                                                AS actual, -- What a goal is held against: mean ms, % within the goal, or velocity in %
    rmf_goal_index(goal_kind, goal, goal_percentile, actual, ended_within) AS perf_index, -- Performance index: above 1 the goal is missed; a percentile beyond 400 % counts 5.5
    ended_within[1]                                       AS within_50_count, -- Ended within 50 % of the goal [transactions]
    ended_within[2]                                       AS within_60_count, -- Ended within 60 % of the goal [transactions]
    ended_within[3]                                       AS within_70_count, -- Ended within 70 % of the goal [transactions]
    ended_within[4]                                       AS within_80_count, -- Ended within 80 % of the goal [transactions]
    ended_within[5]                                       AS within_90_count, -- Ended within 90 % of the goal [transactions]
    ended_within[6]                                       AS within_100_count, -- Ended within 100 % of the goal [transactions]
    ended_within[7]                                       AS within_110_count, -- Ended within 110 % of the goal [transactions]
    ended_within[8]                                       AS within_120_count, -- Ended within 120 % of the goal [transactions]
    ended_within[9]                                       AS within_130_count, -- Ended within 130 % of the goal [transactions]
    ended_within[10]                                      AS within_140_count, -- Ended within 140 % of the goal [transactions]
    ended_within[11]                                      AS within_150_count, -- Ended within 150 % of the goal [transactions]
    ended_within[12]                                      AS within_200_count, -- Ended within 200 % of the goal [transactions]
    ended_within[13]                                      AS within_400_count, -- Ended within 400 % of the goal [transactions]
    ended_within[14]                                      AS distributed_count -- Ended, in the distribution [transactions]
FROM held;

-- rmf_workload_policy: one row per system, interval and service policy: all work once.
CREATE OR REPLACE VIEW rmf_workload_policy AS
SELECT
    w.* EXCLUDE (kind, place, period) -- as rmf_workload
FROM rmf_workload AS w
WHERE w.kind = 'policy';

-- rmf_workload_group: one row per system, interval and workload: all work once.
CREATE OR REPLACE VIEW rmf_workload_group AS
SELECT
    w.* EXCLUDE (kind, place, period) -- as rmf_workload
FROM rmf_workload AS w
WHERE w.kind = 'workload';

-- rmf_workload_service_class: one row per system, interval and service class: all work once.
CREATE OR REPLACE VIEW rmf_workload_service_class AS
SELECT
    w.* EXCLUDE (kind, place, period) -- as rmf_workload
FROM rmf_workload AS w
WHERE w.kind = 'service' AND w.period IS NULL;

-- rmf_workload_period: one row per system, interval and period of a service class: all work once.
CREATE OR REPLACE VIEW rmf_workload_period AS
SELECT
    w.* EXCLUDE (kind, place) -- as rmf_workload
FROM rmf_workload AS w
WHERE w.kind = 'service' AND w.period IS NOT NULL;

-- rmf_workload_report_class: one row per system, interval and report class: the work that has one.
CREATE OR REPLACE VIEW rmf_workload_report_class AS
SELECT
    w.* EXCLUDE (kind, place, period) -- as rmf_workload
FROM rmf_workload AS w
WHERE w.kind = 'report' AND w.period IS NULL;

-- rmf_workload_report_period: one row per system, interval and period of a report class: the work
-- that has one.
CREATE OR REPLACE VIEW rmf_workload_report_period AS
SELECT
    w.* EXCLUDE (kind, place) -- as rmf_workload
FROM rmf_workload AS w
WHERE w.kind = 'report' AND w.period IS NOT NULL;

-- rmf_workload_interval: one row per system and RMF interval with type 72.3 records.
CREATE OR REPLACE VIEW rmf_workload_interval AS
SELECT
    f.run                                                 AS run, -- Measurement
    nullif(p.smf72xnm, '')                                AS sysplex, -- Sysplex name
    p.system                                              AS system, -- System name
    p.interval_start                                      AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf72lgo                         AS interval_start_utc, -- Interval start, UTC
    max(epoch(p.smf72int))                                AS interval_s, -- Length of the interval [s]
    max(p.smf72sam)                                       AS samples_count, -- RMF samples
    max(p.smf72cyc)                                       AS cycle_ms, -- Sampling cycle [ms]
    max(p.smf72mvs)                                       AS zos_level, -- Operating system level as stored
    max(c.r723mnsp)                                       AS policy, -- Active service policy
    count(DISTINCT c.r723mcnm)                            AS classes_count -- Service and report classes with a record
FROM smf72_3_product AS p
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf72_3_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
GROUP BY f.run, p.smf72xnm, p.system, p.interval_start, p.smf72lgo;
