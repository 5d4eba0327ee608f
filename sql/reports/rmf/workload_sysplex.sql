/* imsperf report
id       = "rmf.workload_sysplex"
title    = "Workload Activity"
answers  = "Which class misses its goal in the sysplex, and in which system?"
called   = ["wlmgl", "wlm"]
key      = ["kind", "class", "period"]
like     = "rmf.workload"
records_by = ["interval_start"]
facts    = "rmf_workload_interval"
no_rows  = "no system says which sysplex it belongs to"
optional = ["smf72_3_resource_group", "smf72_3_response"]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["perf_index"]
color    = "system"
facet    = "class"
where    = "kind = 'service' AND period = 1"
top      = 10
by       = "cp_us"
title    = "Performance index of the first period, by system"

[page]
layout   = "smf2db 0.1.3"
heading  = "sysplex"
blocks   = ["kind", "class", "period"]

[page.texts]
scope      = """concat_ws('  ', 'WORKLOAD=' || nullif(workload, ''),
    CASE kind WHEN 'policy' THEN 'POLICY' WHEN 'workload' THEN 'WORKLOAD'
        WHEN 'service' THEN 'SERVICE CLASS' WHEN 'report' THEN 'REPORT CLASS' END
        || '=' || coalesce(nullif(class, ''), '-'),
    CASE WHEN kind = 'service' THEN 'RESOURCE GROUP=' || coalesce(resource_group, '*NONE') END,
    'PERIOD=' || period,
    CASE WHEN period IS NOT NULL THEN 'IMPORTANCE=' || coalesce(nullif(importance, 0)::VARCHAR, '-') END)"""
goal_text  = """CASE goal_kind
    WHEN 'percentile' THEN 'RESPONSE TIME ' || format('{:.0f}', goal) || ' MS FOR ' || format('{:.0f}', goal_percentile) || '%'
    WHEN 'average' THEN 'RESPONSE TIME ' || format('{:.0f}', goal) || ' MS AVG'
    WHEN 'velocity' THEN 'EXECUTION VELOCITY ' || format('{:.0f}', goal) || '%'
    ELSE upper(goal_kind) END"""
perf_index = "CASE WHEN perf_index > 4 THEN '****' END"

[[page.table]]
where    = "all_systems"
text     = """
REPORT BY: {scope}   SYSTEMS={systems}
-TRANSACTIONS-   TRANS-TIME (MS)      --DASD I/O--   ---SERVICE----   SERVICE TIME   ---APPL %---  ----STORAGE----
AVG     {avg:8} ACTUAL    {resp_ms:10} SSCHRT {ssch_per_s:7} TOT      {total_su:7} CPU  {cpu_s:9} CP    {appl_cp_pct:7} AVG    {storage_avg_frames:9}
MPL     {mpl:8} EXECUTION {exec_ms:10} RESP   {io_resp_ms:7} /SEC     {su_per_s:7} SRB  {srb_s:9} IIPCP {appl_iipcp_pct:7} TOTAL  {storage_total_frames:9}
ENDED   {ended:8} QUEUED    {queued_ms:10} CONN   {io_conn_ms:7} ABSRPTN  {absrptn:7} IIP  {iip_s:9} IIP   {appl_iip_pct:7}
END/S   {end_per_s:8} STD DEV   {resp_std_ms:10} DISC   {io_disc_ms:7} TRX SERV {trx_serv:7}
#SWAPS  {swaps:8}                      Q+PEND {io_qpend_ms:7}
EXCTD   {exctd:8}                      IOSQ   {io_iosq_ms:7}
"""

[[page.table]]
joined   = true
where    = "all_systems AND period IS NOT NULL"
text     = "GOAL: {goal_text}"

[[page.table]]
joined   = true
where    = "period IS NOT NULL"
columns  = """
system              -9  |SYSTEM
actual              11  RESP TIME|MS, %, VEL%
velocity_pct         6  EX|VEL%
perf_index           5  PERF|INDX
avg_adrsp            7  AVG|ADRSP
using_cpu_pct        6  USING%|CPU
using_iip_pct        5  |IIP
using_io_pct         5  |I/O
delay_pct            7  DELAYS%|TOT
delay_cpu_pct        5  |CPU
delay_io_pct         5  |I/O
unknown_pct          5  |UNK
idle_pct             5  |IDL
ended               10  |ENDED
resp_ms             11  TRANS-TIME|ACTUAL MS
"""

[columns]
systems       = { label = "SYSTEMS", format = "int" }
avg_adrsp     = { format = "1" }
using_cpu_pct = { label = "EXEC USING% CPU", format = "1" }
using_iip_pct = { label = "EXEC USING% IIP", format = "1" }
using_io_pct  = { label = "EXEC USING% I/O", format = "1" }
delay_pct     = { label = "EXEC DELAYS% TOT", better = "lower", format = "1" }
delay_cpu_pct = { label = "EXEC DELAYS% CPU", better = "lower", format = "1" }
delay_io_pct  = { label = "EXEC DELAYS% I/O", better = "lower", format = "1" }
unknown_pct   = { label = "DELAY% UNK", format = "1" }
idle_pct      = { label = "DELAY% IDL", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, kind,
    class, -- Name of the policy, workload, service or report class
    period, -- Period of a class; NULL for all of it
    workload, importance, resource_group,
    systems_count                                                AS systems, -- Systems that the row is of
    active_us / nullif(interval_us, 0)                           AS avg, -- Transactions active at a time
    resident_us / nullif(interval_us, 0)                         AS mpl, -- Transactions in storage at a time
    ended_count                                                  AS ended, -- Transactions ended [transactions]
    ended_count / nullif(interval_s, 0)                          AS end_per_s, -- Transactions ended a second
    swaps_count                                                  AS swaps, -- Swaps
    executed_count                                               AS exctd, -- Transactions whose execution phase ended (CICS, IMS) [transactions]
    0.001 * response_us / nullif(ended_count, 0)                 AS resp_ms, -- Mean response time
    0.001 * response_std_us                                      AS resp_std_ms, -- Standard deviation of the response times, of the sample
    0.001 * execution_us / nullif(execution_count, 0)            AS exec_ms, -- Mean execution time: over execution phases ended, without any over transactions
    0.001 * queued_us / nullif(ended_count, 0)                   AS queued_ms, -- Mean time in a queue
    io_count / nullif(interval_s, 0)                             AS ssch_per_s, -- DASD I/Os a second
    0.001 * io_us / nullif(io_count, 0)                          AS io_resp_ms, -- Mean DASD response: CONN + DISC + Q+PEND + IOSQ
    0.001 * io_conn_us / nullif(io_count, 0)                     AS io_conn_ms, -- Mean DASD connect time
    0.001 * io_disc_us / nullif(io_count, 0)                     AS io_disc_ms, -- Mean DASD disconnect time
    0.001 * io_qpend_us / nullif(io_count, 0)                    AS io_qpend_ms, -- Mean DASD pending and control unit queue time
    0.001 * io_iosq_us / nullif(io_count, 0)                     AS io_iosq_ms, -- Mean DASD time in the IOS queue
    total_su,
    total_su / nullif(interval_s, 0)                             AS su_per_s, -- Service units a second
    1e6 * total_su / nullif(resident_us, 0)                      AS absrptn, -- Service units a second in storage [1/s]
    1e6 * total_su / nullif(active_us, 0)                        AS trx_serv, -- Service units a second of active time [1/s]
    1e-6 * cpu_us                                                AS cpu_s, -- CPU time of TCBs, zIIP work at CP speed included
    1e-6 * srb_us                                                AS srb_s, -- CPU time of SRBs
    1e-6 * iip_us                                                AS iip_s, -- CPU time on zIIPs, at zIIP speed
    100 * cp_us / nullif(cp_capacity_us, 0)                      AS appl_cp_pct, -- CPU time on CPs, of ONE CP: above 100 is normal
    100 * iip_on_cp_us / nullif(cp_capacity_us, 0)               AS appl_iipcp_pct, -- zIIP work on CPs, of one CP
    100 * iip_us / nullif(ziip_capacity_us, 0)                   AS appl_iip_pct, -- CPU time on zIIPs, of one zIIP
    frames_us / nullif(resident_us, 0)                           AS storage_avg_frames, -- Frames of a transaction in storage [frames]
    frames_us / nullif(interval_us, 0)                           AS storage_total_frames, -- Frames held [frames]
    goal_kind, -- percentile, average, velocity, discretionary or system; only of periods
    goal, -- Goal of a period: response time in ms, or velocity in %
    goal_percentile, -- Share of the transactions a percentile goal is for [%]
    actual,
    100 * using_count / nullif(velocity_samples_count, 0)        AS velocity_pct, -- Execution velocity: using samples, of using and delay samples
    perf_index,
    spaces_us / nullif(interval_us, 0)                           AS avg_adrsp, -- Address spaces and enclaves, mean of the samples; of all systems the sum
    100 * using_cpu_count / nullif(execution_samples_count, 0)   AS using_cpu_pct, -- Samples using a CP
    100 * using_iip_count / nullif(execution_samples_count, 0)   AS using_iip_pct, -- Samples using a zIIP
    100 * using_io_count / nullif(execution_samples_count, 0)    AS using_io_pct, -- Samples using I/O
    100 * delay_count / nullif(execution_samples_count, 0)       AS delay_pct, -- Samples delayed so that it counts in the velocity
    100 * delay_cpu_count / nullif(execution_samples_count, 0)   AS delay_cpu_pct, -- Samples waiting for a CP
    100 * delay_io_count / nullif(execution_samples_count, 0)    AS delay_io_pct, -- Samples waiting for DASD I/O
    100 * unknown_count / nullif(execution_samples_count, 0)     AS unknown_pct, -- Samples in a state WLM does not know
    100 * idle_count / nullif(execution_samples_count, 0)        AS idle_pct, -- Samples idle
    all_systems, interval_s, interval_us, active_us, resident_us, response_us, execution_us,
    execution_count, queued_us, io_count,
    io_us, io_conn_us, io_disc_us, io_qpend_us, io_iosq_us, cp_us, cp_capacity_us, iip_on_cp_us,
    iip_us, ziip_capacity_us, frames_us, using_count, velocity_samples_count, response_squares_us2,
    within_50_count, within_60_count, within_70_count, within_80_count, within_90_count,
    within_100_count, within_110_count, within_120_count, within_130_count, within_140_count,
    within_150_count, within_200_count, within_400_count, distributed_count,
    spaces_us, execution_samples_count, using_cpu_count, using_iip_count, using_io_count,
    delay_count, delay_cpu_count, delay_io_count, unknown_count, idle_count
FROM rmf_workload_goals('rmf_workload_sysplex') AS workload
ORDER BY run, sysplex, interval_start_utc, place, class, period NULLS FIRST, all_systems DESC,
    system
