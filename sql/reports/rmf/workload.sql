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
    THEN rmf_goal_actual(
        any_value(goal_kind), sum(response_us), sum(ended), sum(within_100_count),
        sum(distributed_count), sum(using_count), sum(velocity_samples_count)
    ) END"""

[columns.perf_index]
label = "PERF INDX"
better = "lower"
format = "2"
total_sql = """CASE WHEN count(DISTINCT goal_kind) = 1 AND count(DISTINCT goal) = 1
        AND count(DISTINCT goal_percentile) <= 1
    THEN rmf_goal_index(
        any_value(goal_kind), any_value(goal), any_value(goal_percentile),
        rmf_goal_actual(
            any_value(goal_kind), sum(response_us), sum(ended), sum(within_100_count),
            sum(distributed_count), sum(using_count), sum(velocity_samples_count)
        ),
        [
            sum(within_50_count), sum(within_60_count), sum(within_70_count), sum(within_80_count),
            sum(within_90_count), sum(within_100_count), sum(within_110_count),
            sum(within_120_count), sum(within_130_count), sum(within_140_count),
            sum(within_150_count), sum(within_200_count), sum(within_400_count),
            sum(distributed_count)
        ]
    ) END"""
*/
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
    actual,
    100 * using_count / nullif(velocity_samples_count, 0)        AS velocity_pct, -- Execution velocity: using samples, of using and delay samples
    perf_index,
    response_squares_us2,
    within_50_count, within_60_count, within_70_count, within_80_count, within_90_count,
    within_100_count, within_110_count, within_120_count, within_130_count, within_140_count,
    within_150_count, within_200_count, within_400_count, distributed_count,
    interval_s, interval_us, active_us, resident_us, enclave_us, foreign_enclave_us, response_us,
    execution_us, execution_count, queued_us, io_count,
    io_us, io_conn_us, io_disc_us, io_qpend_us, io_iosq_us, cp_us, cp_capacity_us, iip_on_cp_us,
    iip_us, ziip_capacity_us, frames_us, shared_frames_us, using_count, velocity_samples_count,
    exported_enclave_us, affinity_us, ineligible_us, conversion_us, aap_us, aap_on_cp_us,
    zaap_capacity_us, tran_cp_us, tran_offload_us, tran_specialty_us, mobile_cp_us,
    mobile_offload_us, mobile_specialty_us, category_a_cp_us, category_a_offload_us,
    category_a_specialty_us, category_b_cp_us, category_b_offload_us, category_b_specialty_us,
    page_in_count, block_page_in_count, shared_page_in_count, hiperspace_page_in_count,
    space_resident_us
FROM rmf_workload_goals('rmf_workload') AS workload
ORDER BY run, sysplex, system, interval_start_utc, place, class, period NULLS FIRST
