/* imsperf report
id       = "rmf.workload"
title    = "Workload Activity"
answers  = "Which class misses its goal, and what CPU, I/O and storage does each use?"
called   = ["wlmgl", "wlm"]
key      = ["kind", "class", "period"]
records_by = ["system", "interval_start"]
facts    = "rmf_workload_interval"
optional = ["smf72_3_resource_group", "smf72_3_response"]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["appl_cp_pct"]
color    = "class"
facet    = "system"
where    = "kind = 'service' AND period IS NULL"
top      = 10
by       = "cp_us"
title    = "CPU of the ten largest service classes, % of one CP"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.workload"], ["rmf.workload_distribution"], ["rmf.workload_delays"], ["rmf.workload_states"]]
blocks   = ["kind", "class", "period", "workload"]

[page.texts]
scope      = """concat_ws('  ', 'WORKLOAD=' || nullif(workload, ''),
    CASE kind WHEN 'policy' THEN 'POLICY' WHEN 'workload' THEN 'WORKLOAD'
        WHEN 'service' THEN 'SERVICE CLASS' WHEN 'report' THEN 'REPORT CLASS' END
        || '=' || coalesce(nullif(class, ''), '-'),
    CASE WHEN kind = 'service' THEN 'RESOURCE GROUP=' || coalesce(resource_group, '*NONE') END,
    'PERIOD=' || period,
    CASE WHEN period IS NOT NULL THEN 'IMPORTANCE=' || coalesce(nullif(importance, 0)::VARCHAR, '-') END)"""
goal_name  = "upper(goal_kind)"
perf_index = "CASE WHEN perf_index > 4 THEN '****' END"

[[page.table]]
text     = """
REPORT BY: {scope}
-TRANSACTIONS-   TRANS-TIME (MS)      --DASD I/O--   ---SERVICE----   SERVICE TIME   ---APPL %---  --PROMOTED-- ----STORAGE----
AVG     {avg:8} ACTUAL    {resp_ms:10} SSCHRT {ssch_per_s:7} IOC      {ioc_su:7} CPU  {cpu_s:9} CP    {appl_cp_pct:7} BLK {promoted_blk_s:7} AVG    {storage_avg_frames:9}
MPL     {mpl:8} EXECUTION {exec_ms:10} RESP   {io_resp_ms:7} CPU      {cpu_su:7} SRB  {srb_s:9} IIPCP {appl_iipcp_pct:7} ENQ {promoted_enq_s:7} TOTAL  {storage_total_frames:9}
ENDED   {ended:8} QUEUED    {queued_ms:10} CONN   {io_conn_ms:7} MSO      {mso_su:7} RCT  {rct_s:9} IIP   {appl_iip_pct:7} CRM {promoted_crm_s:7} SHARED {storage_shared_frames:9}
END/S   {end_per_s:8} R/S AFFIN {affinity_ms:10} DISC   {io_disc_ms:7} SRB      {srb_su:7} IIT  {iit_s:9} AAPCP {appl_aapcp_pct:7} LCK {promoted_lck_s:7} -PAGE-IN RATES-
#SWAPS  {swaps:8} INELIGIBLE{ineligible_ms:10} Q+PEND {io_qpend_ms:7} TOT      {total_su:7} HST  {hst_s:9} AAP   {appl_aap_pct:7} SUP {promoted_sup_s:7} SINGLE {page_in_per_s:9}
EXCTD   {exctd:8} CONVERSION{conversion_ms:10} IOSQ   {io_iosq_ms:7} /SEC     {su_per_s:7} IIP  {iip_s:9}                           BLOCK  {block_page_in_per_s:9}
AVG ENC {avg_enc:8} STD DEV   {resp_std_ms:10}                ABSRPTN  {absrptn:7} AAP  {aap_s:9}                           SHARED {shared_page_in_per_s:9}
REM ENC {rem_enc:8}                                     TRX SERV {trx_serv:7}                                          HSP    {hiperspace_page_in_per_s:9}
MS ENC  {ms_enc:8}
"""

[[page.table]]
joined   = true
where    = "coalesce(tran_cp_us, 0) + coalesce(tran_specialty_us, 0) > 0"
text     = """
TRANSACTION APPL%     CP AAP/IIP ON CP  AAP/IIP
TOTAL         {tran_appl_cp_pct:10} {tran_appl_offload_pct:13} {tran_appl_iip_pct:8}
MOBILE        {mobile_appl_cp_pct:10} {mobile_appl_offload_pct:13} {mobile_appl_iip_pct:8}
CATEGORYA     {category_a_appl_cp_pct:10} {category_a_appl_offload_pct:13} {category_a_appl_iip_pct:8}
CATEGORYB     {category_b_appl_cp_pct:10} {category_b_appl_offload_pct:13} {category_b_appl_iip_pct:8}
"""

[[page.table]]
joined   = true
where    = "goal_kind = 'percentile'"
text     = "GOAL: RESPONSE TIME {goal} MS FOR {goal_percentile}%   ACTUAL {actual}% WITHIN   EX VEL% {velocity_pct}   PERF INDX {perf_index}"

[[page.table]]
joined   = true
where    = "goal_kind = 'average'"
text     = "GOAL: RESPONSE TIME {goal} MS AVG   ACTUAL {actual} MS   EX VEL% {velocity_pct}   PERF INDX {perf_index}"

[[page.table]]
joined   = true
where    = "goal_kind = 'velocity'"
text     = "GOAL: EXECUTION VELOCITY {goal}%   ACTUAL {actual}%   EX VEL% {velocity_pct}   PERF INDX {perf_index}"

[[page.table]]
joined   = true
where    = "goal_kind NOT IN ('percentile', 'average', 'velocity')"
text     = "GOAL: {goal_name}   EX VEL% {velocity_pct}   PERF INDX {perf_index}"

[columns]
kind                  = { label = "KIND" }
class                 = { label = "CLASS" }
period                = { label = "PERIOD" }
workload              = { label = "WORKLOAD" }
importance            = { label = "IMPORTANCE" }
avg                   = { label = "AVG", format = "2" }
mpl                   = { label = "MPL", format = "2" }
ended                 = { label = "ENDED", kind = "count", format = "int" }
end_per_s             = { label = "END/S", format = "2" }
swaps                 = { label = "#SWAPS", kind = "count", format = "int" }
exctd                 = { label = "EXCTD", kind = "count", format = "int" }
avg_enc               = { label = "AVG ENC", format = "2" }
rem_enc               = { label = "REM ENC", format = "2" }
resp_ms               = { label = "ACTUAL", better = "lower", format = "3", contains = ["exec_ms", "queued_ms"] }
exec_ms               = { label = "EXECUTION", better = "lower", format = "3" }
queued_ms             = { label = "QUEUED", better = "lower", format = "3" }
ssch_per_s            = { label = "SSCHRT", format = "rate" }
io_resp_ms            = { label = "RESP", better = "lower", format = "3", contains = ["io_conn_ms", "io_disc_ms", "io_qpend_ms", "io_iosq_ms"] }
io_conn_ms            = { label = "CONN", better = "lower", format = "3" }
io_disc_ms            = { label = "DISC", better = "lower", format = "3" }
io_qpend_ms           = { label = "Q+PEND", better = "lower", format = "3" }
io_iosq_ms            = { label = "IOSQ", better = "lower", format = "3" }
ioc_su                = { label = "IOC", kind = "count", format = "scaled" }
cpu_su                = { label = "CPU", kind = "count", format = "scaled" }
mso_su                = { label = "MSO", kind = "count", format = "scaled" }
srb_su                = { label = "SRB", kind = "count", format = "scaled" }
total_su              = { label = "TOT", kind = "count", format = "scaled" }
su_per_s              = { label = "/SEC", format = "scaled" }
absrptn               = { label = "ABSRPTN", format = "scaled" }
trx_serv              = { label = "TRX SERV", format = "scaled" }
cpu_s                 = { label = "CPU", kind = "count", format = "3" }
srb_s                 = { label = "SRB", kind = "count", format = "3" }
rct_s                 = { label = "RCT", kind = "count", format = "3" }
iit_s                 = { label = "IIT", kind = "count", format = "3" }
hst_s                 = { label = "HST", kind = "count", format = "3" }
iip_s                 = { label = "IIP", kind = "count", format = "3" }
appl_cp_pct           = { label = "CP", format = "2" }
appl_iipcp_pct        = { label = "IIPCP", format = "2" }
appl_iip_pct          = { label = "IIP", format = "2" }
promoted_blk_s        = { label = "BLK", kind = "count", format = "3" }
promoted_enq_s        = { label = "ENQ", kind = "count", format = "3" }
promoted_crm_s        = { label = "CRM", kind = "count", format = "3" }
promoted_lck_s        = { label = "LCK", kind = "count", format = "3" }
promoted_sup_s        = { label = "SUP", kind = "count", format = "3" }
storage_avg_frames    = { label = "AVG", format = "2" }
storage_total_frames  = { label = "TOTAL", format = "2" }
storage_shared_frames = { label = "SHARED", format = "2" }
goal_kind             = { label = "GOAL" }
goal                  = { label = "GOAL" }
goal_percentile       = { label = "FOR %" }
velocity_pct          = { label = "EX VEL%", better = "higher", format = "1" }
ms_enc                = { label = "MS ENC", format = "2" }
resource_group        = { label = "RESOURCE GROUP" }
affinity_ms           = { label = "R/S AFFIN", better = "lower", format = "3" }
ineligible_ms         = { label = "INELIGIBLE", better = "lower", format = "3" }
conversion_ms         = { label = "CONVERSION", better = "lower", format = "3" }
aap_s                 = { label = "AAP", kind = "count", format = "3", empty = "N/A" }
appl_aapcp_pct        = { label = "AAPCP", format = "2" }
appl_aap_pct          = { label = "AAP", format = "2", empty = "N/A" }
page_in_per_s         = { label = "SINGLE", format = "1" }
block_page_in_per_s   = { label = "BLOCK", format = "1" }
shared_page_in_per_s  = { label = "SHARED", format = "1" }
hiperspace_page_in_per_s = { label = "HSP", format = "1" }
tran_appl_cp_pct      = { label = "TOTAL CP", format = "2" }
tran_appl_offload_pct = { label = "TOTAL AAP/IIP ON CP", format = "2" }
tran_appl_iip_pct     = { label = "TOTAL AAP/IIP", format = "2" }
mobile_appl_cp_pct    = { label = "MOBILE CP", format = "2" }
mobile_appl_offload_pct = { label = "MOBILE AAP/IIP ON CP", format = "2" }
mobile_appl_iip_pct   = { label = "MOBILE AAP/IIP", format = "2" }
category_a_appl_cp_pct = { label = "CATEGORYA CP", format = "2" }
category_a_appl_offload_pct = { label = "CATEGORYA AAP/IIP ON CP", format = "2" }
category_a_appl_iip_pct = { label = "CATEGORYA AAP/IIP", format = "2" }
category_b_appl_cp_pct = { label = "CATEGORYB CP", format = "2" }
category_b_appl_offload_pct = { label = "CATEGORYB AAP/IIP ON CP", format = "2" }
category_b_appl_iip_pct = { label = "CATEGORYB AAP/IIP", format = "2" }
zaap_capacity_us      = { kind = "part", total = "whole" }
response_squares_us2  = { kind = "part" }
within_50_count       = { kind = "part" }
within_60_count       = { kind = "part" }
within_70_count       = { kind = "part" }
within_80_count       = { kind = "part" }
within_90_count       = { kind = "part" }
within_100_count      = { kind = "part" }
within_110_count      = { kind = "part" }
within_120_count      = { kind = "part" }
within_130_count      = { kind = "part" }
within_140_count      = { kind = "part" }
within_150_count      = { kind = "part" }
within_200_count      = { kind = "part" }
within_400_count      = { kind = "part" }
distributed_count     = { kind = "part" }
cp_capacity_us        = { kind = "part", total = "whole" }
ziip_capacity_us      = { kind = "part", total = "whole" }

[columns.resp_std_ms]
label = "STD DEV"
format = "3"
total_sql = """0.001 * sample_deviation(sum(ended), sum(response_us), sum(response_squares_us2))"""

[columns.actual]
label = "ACTUAL"
format = "2"
total_sql = """CASE WHEN count(DISTINCT goal_kind) = 1 AND count(DISTINCT goal) = 1
        AND count(DISTINCT goal_percentile) <= 1
    THEN CASE any_value(goal_kind)
        WHEN 'average' THEN 0.001 * sum(response_us) / nullif(sum(ended), 0)
        WHEN 'percentile' THEN 100 * sum(within_100_count) / nullif(sum(distributed_count), 0)
        WHEN 'velocity' THEN 100 * sum(using_count) / nullif(sum(velocity_samples_count), 0)
    END END"""

[columns.perf_index]
label = "PERF INDX"
better = "lower"
format = "2"
total_sql = """CASE WHEN count(DISTINCT goal_kind) = 1 AND count(DISTINCT goal) = 1
        AND count(DISTINCT goal_percentile) <= 1
    THEN CASE any_value(goal_kind)
        WHEN 'average' THEN 0.001 * sum(response_us)
            / nullif(sum(ended), 0) / nullif(any_value(goal), 0)
        WHEN 'percentile' THEN CASE
            WHEN coalesce(sum(distributed_count), 0) = 0 THEN NULL
            WHEN 100 * sum(within_50_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.5
            WHEN 100 * sum(within_60_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.6
            WHEN 100 * sum(within_70_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.7
            WHEN 100 * sum(within_80_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.8
            WHEN 100 * sum(within_90_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 0.9
            WHEN 100 * sum(within_100_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.0
            WHEN 100 * sum(within_110_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.1
            WHEN 100 * sum(within_120_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.2
            WHEN 100 * sum(within_130_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.3
            WHEN 100 * sum(within_140_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.4
            WHEN 100 * sum(within_150_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 1.5
            WHEN 100 * sum(within_200_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 2.0
            WHEN 100 * sum(within_400_count)
                >= any_value(goal_percentile) * sum(distributed_count) THEN 4.0
            ELSE 5.5
        END
        WHEN 'velocity' THEN any_value(goal) * sum(velocity_samples_count)
            / nullif(100 * sum(using_count), 0)
    END END"""
*/
WITH measured AS (
    SELECT
        *,
        io_conn_us + io_disc_us + io_qpend_us + io_iosq_us           AS io_us,
        sample_deviation(ended_count, response_us, response_squares_us2) AS response_std_us,
        list_sum(buckets)                                            AS bucket_total,
        rmf_goal_actual(
            goal_kind, response_us, ended_count, buckets, using_count, velocity_samples_count
        )                                                            AS actual
    FROM rmf_workload
),
workload AS (
    SELECT
        *,
        rmf_goal_index(goal_kind, goal, goal_percentile, actual, buckets) AS perf_index
    FROM measured
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, kind,
    class, -- Name of the policy, workload, service or report class
    period, -- Period of a class; NULL for all of it
    workload, importance, resource_group,
    active_us / nullif(interval_us, 0)                           AS avg, -- Transactions active at a time
    resident_us / nullif(interval_us, 0)                         AS mpl, -- Transactions in storage at a time
    ended_count                                                  AS ended, -- Transactions ended [transactions]
    ended_count / nullif(interval_s, 0)                          AS end_per_s, -- Transactions ended a second
    swaps_count                                                  AS swaps, -- Swaps
    executed_count                                               AS exctd, -- Transactions whose execution phase ended (CICS, IMS) [transactions]
    enclave_us / nullif(interval_us, 0)                          AS avg_enc, -- Independent enclaves active at a time
    foreign_enclave_us / nullif(interval_us, 0)                  AS rem_enc, -- Enclaves from other systems active at a time
    exported_enclave_us / nullif(interval_us, 0)                 AS ms_enc, -- Enclaves sent to other systems active at a time
    0.001 * response_us / nullif(ended_count, 0)                 AS resp_ms, -- Mean response time
    0.001 * response_std_us                                      AS resp_std_ms, -- Standard deviation of the response times, of the sample
    0.001 * execution_us / nullif(execution_count, 0)            AS exec_ms, -- Mean execution time: over execution phases ended, without any over transactions
    0.001 * queued_us / nullif(ended_count, 0)                   AS queued_ms, -- Mean time in a queue
    0.001 * affinity_us / nullif(ended_count, 0)                 AS affinity_ms, -- Mean time waited for a system that has the resource it needs
    0.001 * ineligible_us / nullif(ended_count, 0)               AS ineligible_ms, -- Mean time a job was held, not eligible to run
    0.001 * conversion_us / nullif(ended_count, 0)               AS conversion_ms, -- Mean time of JCL conversion
    io_count / nullif(interval_s, 0)                             AS ssch_per_s, -- DASD I/Os a second
    0.001 * io_us / nullif(io_count, 0)                          AS io_resp_ms, -- Mean DASD response: CONN + DISC + Q+PEND + IOSQ
    0.001 * io_conn_us / nullif(io_count, 0)                     AS io_conn_ms, -- Mean DASD connect time
    0.001 * io_disc_us / nullif(io_count, 0)                     AS io_disc_ms, -- Mean DASD disconnect time
    0.001 * io_qpend_us / nullif(io_count, 0)                    AS io_qpend_ms, -- Mean DASD pending and control unit queue time
    0.001 * io_iosq_us / nullif(io_count, 0)                     AS io_iosq_ms, -- Mean DASD time in the IOS queue
    ioc_su, cpu_su, mso_su, srb_su, total_su,
    total_su / nullif(interval_s, 0)                             AS su_per_s, -- Service units a second
    1e6 * total_su / nullif(resident_us, 0)                      AS absrptn, -- Service units a second in storage [1/s]
    1e6 * total_su / nullif(active_us, 0)                        AS trx_serv, -- Service units a second of active time [1/s]
    1e-6 * cpu_us                                                AS cpu_s, -- CPU time of TCBs, zIIP work at CP speed included
    1e-6 * srb_us                                                AS srb_s, -- CPU time of SRBs
    1e-6 * rct_us                                                AS rct_s, -- CPU time of region control tasks
    1e-6 * iit_us                                                AS iit_s, -- CPU time of I/O interrupts
    1e-6 * hst_us                                                AS hst_s, -- CPU time of hiperspace services
    1e-6 * iip_us                                                AS iip_s, -- CPU time on zIIPs, at zIIP speed
    1e-6 * aap_us                                                AS aap_s, -- CPU time on zAAPs, at zAAP speed
    100 * cp_us / nullif(cp_capacity_us, 0)                      AS appl_cp_pct, -- CPU time on CPs, of ONE CP: above 100 is normal
    100 * iip_on_cp_us / nullif(cp_capacity_us, 0)               AS appl_iipcp_pct, -- zIIP work on CPs, of one CP
    100 * iip_us / nullif(ziip_capacity_us, 0)                   AS appl_iip_pct, -- CPU time on zIIPs, of one zIIP
    100 * aap_on_cp_us / nullif(cp_capacity_us, 0)               AS appl_aapcp_pct, -- zAAP work on CPs, of one CP
    100 * aap_us / nullif(zaap_capacity_us, 0)                   AS appl_aap_pct, -- CPU time on zAAPs, of one zAAP
    100 * tran_cp_us / nullif(cp_capacity_us, 0)                AS tran_appl_cp_pct, -- Transactions on CPs, of one CP
    100 * tran_offload_us / nullif(cp_capacity_us, 0)           AS tran_appl_offload_pct, -- Transactions on CPs that a specialty processor could have done, of one CP
    100 * tran_specialty_us / nullif(ziip_capacity_us, 0)       AS tran_appl_iip_pct, -- Transactions on specialty processors, of one zIIP
    100 * mobile_cp_us / nullif(cp_capacity_us, 0)              AS mobile_appl_cp_pct, -- Mobile transactions on CPs, of one CP
    100 * mobile_offload_us / nullif(cp_capacity_us, 0)         AS mobile_appl_offload_pct, -- Mobile transactions on CPs that a specialty processor could have done, of one CP
    100 * mobile_specialty_us / nullif(ziip_capacity_us, 0)     AS mobile_appl_iip_pct, -- Mobile transactions on specialty processors, of one zIIP
    100 * category_a_cp_us / nullif(cp_capacity_us, 0)          AS category_a_appl_cp_pct, -- Transactions of category A on CPs, of one CP
    100 * category_a_offload_us / nullif(cp_capacity_us, 0)     AS category_a_appl_offload_pct, -- Transactions of category A on CPs that a specialty processor could have done, of one CP
    100 * category_a_specialty_us / nullif(ziip_capacity_us, 0) AS category_a_appl_iip_pct, -- Transactions of category A on specialty processors, of one zIIP
    100 * category_b_cp_us / nullif(cp_capacity_us, 0)          AS category_b_appl_cp_pct, -- Transactions of category B on CPs, of one CP
    100 * category_b_offload_us / nullif(cp_capacity_us, 0)     AS category_b_appl_offload_pct, -- Transactions of category B on CPs that a specialty processor could have done, of one CP
    100 * category_b_specialty_us / nullif(ziip_capacity_us, 0) AS category_b_appl_iip_pct, -- Transactions of category B on specialty processors, of one zIIP
    1e6 * page_in_count / nullif(space_resident_us, 0)           AS page_in_per_s, -- Pages paged in one by one, a second that address spaces were swapped in
    1e6 * block_page_in_count / nullif(space_resident_us, 0)     AS block_page_in_per_s, -- Pages paged in by blocks, the same
    1e6 * shared_page_in_count / nullif(space_resident_us, 0)    AS shared_page_in_per_s, -- Shared pages paged in, the same
    1e6 * hiperspace_page_in_count / nullif(space_resident_us, 0) AS hiperspace_page_in_per_s, -- Hiperspace pages paged in, the same
    1e-6 * promoted_blk_us                                       AS promoted_blk_s, -- CPU time at a priority raised for blocked work
    1e-6 * promoted_enq_us                                       AS promoted_enq_s, -- CPU time at a priority raised for an enqueue
    1e-6 * promoted_crm_us                                       AS promoted_crm_s, -- CPU time at a priority raised for lasting contention
    1e-6 * promoted_lck_us                                       AS promoted_lck_s, -- CPU time at a priority raised for a lock
    1e-6 * promoted_sup_us                                       AS promoted_sup_s, -- CPU time at a priority raised by the supervisor
    frames_us / nullif(resident_us, 0)                           AS storage_avg_frames, -- Frames of a transaction in storage [frames]
    frames_us / nullif(interval_us, 0)                           AS storage_total_frames, -- Frames held [frames]
    shared_frames_us / nullif(interval_us, 0)                    AS storage_shared_frames, -- Shared frames held [frames]
    goal_kind, -- percentile, average, velocity, discretionary or system; only of periods
    goal, -- Goal of a period: response time in ms, or velocity in %
    goal_percentile, -- Share of the transactions a percentile goal is for [%]
    actual, -- What a goal is held against: mean ms, % within the goal, or velocity in %
    100 * using_count / nullif(velocity_samples_count, 0)        AS velocity_pct, -- Execution velocity: using samples, of using and delay samples
    perf_index, -- Performance index: above 1 the goal is missed; a percentile beyond 400 % counts 5.5
    response_squares_us2,
    list_sum(buckets[1:1])                                       AS within_50_count, -- Ended within 50 % of the goal [transactions]
    list_sum(buckets[1:2])                                       AS within_60_count, -- Ended within 60 % of the goal [transactions]
    list_sum(buckets[1:3])                                       AS within_70_count, -- Ended within 70 % of the goal [transactions]
    list_sum(buckets[1:4])                                       AS within_80_count, -- Ended within 80 % of the goal [transactions]
    list_sum(buckets[1:5])                                       AS within_90_count, -- Ended within 90 % of the goal [transactions]
    list_sum(buckets[1:6])                                       AS within_100_count, -- Ended within 100 % of the goal [transactions]
    list_sum(buckets[1:7])                                       AS within_110_count, -- Ended within 110 % of the goal [transactions]
    list_sum(buckets[1:8])                                       AS within_120_count, -- Ended within 120 % of the goal [transactions]
    list_sum(buckets[1:9])                                       AS within_130_count, -- Ended within 130 % of the goal [transactions]
    list_sum(buckets[1:10])                                      AS within_140_count, -- Ended within 140 % of the goal [transactions]
    list_sum(buckets[1:11])                                      AS within_150_count, -- Ended within 150 % of the goal [transactions]
    list_sum(buckets[1:12])                                      AS within_200_count, -- Ended within 200 % of the goal [transactions]
    list_sum(buckets[1:13])                                      AS within_400_count, -- Ended within 400 % of the goal [transactions]
    bucket_total                                                 AS distributed_count, -- Ended, in the distribution [transactions]
    interval_s, interval_us, active_us, resident_us, enclave_us, foreign_enclave_us, response_us,
    execution_us, execution_count, queued_us, io_count,
    io_us, -- DASD response time
    io_conn_us, io_disc_us, io_qpend_us, io_iosq_us, cp_us, cp_capacity_us, iip_on_cp_us, iip_us,
    ziip_capacity_us, frames_us, shared_frames_us, using_count, velocity_samples_count,
    exported_enclave_us, affinity_us, ineligible_us, conversion_us, aap_us, aap_on_cp_us,
    zaap_capacity_us, tran_cp_us, tran_offload_us, tran_specialty_us, mobile_cp_us,
    mobile_offload_us, mobile_specialty_us, category_a_cp_us, category_a_offload_us,
    category_a_specialty_us, category_b_cp_us, category_b_offload_us, category_b_specialty_us,
    page_in_count, block_page_in_count, shared_page_in_count, hiperspace_page_in_count,
    space_resident_us
FROM workload
ORDER BY run, sysplex, system, interval_start_utc, place, class, period NULLS FIRST
