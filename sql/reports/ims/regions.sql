/* imsperf report
id       = "ims.regions"
title    = "Region Occupancy"
answers  = "Are there enough regions, and what do programs do in them?"
key      = ["ims", "pst"]
named_by = "job"
any_of   = ["ims_07", "ims_08", "ims_47_region"]
no_rows  = "no program ran in an interval of the log: messages or two statistics sets make one"
whole    = "ims_log_interval"

[chart]
mark     = "bar"
x        = "pst"
y        = ["occupancy_pct"]
facet    = "ims"
top      = 40
by       = "occupied_s"
title    = "Occupancy of the 40 regions that were longest with a program, %"

[page]
layout   = "ours"
note     = """
M MPP  B BMP (JBP: Java Y)  I IFP  J JMP  D DBCTL thread  U utility   * of the programs that ended
- not known: no record, or the log holds a sample
"""

[[page.table]]
above    = "                                                             ----- ms a schedule ---- -------- CPU s --------"
columns  = """
pst              6  Region
job             -8  Job
region_type     -1
java            -4  Java
occupancy_pct    7  Occup %
idle_s           9  Idle s
schedules        9  Scheds
programs         8  Ended
schedule_ms     11  Schedule
first_call_ms   12  to 1st call
cpu_s           10  07*
unit_cpu_s      11  56FA
cpu_pct          7  CPU %*
messages         9  Messages*
abends           6  Abends
"""

[columns]
job           = { total = "last" }
region_type   = { label = "Type", total = "last" }
java          = { total = "last" }
occupancy_pct = { label = "Occupancy %", format = "2" }
idle_s        = { kind = "count", format = "2" }
schedules     = { kind = "count", format = "grouped" }
programs      = { kind = "count", format = "grouped" }
schedule_ms   = { label = "Schedule ms", better = "lower", format = "3" }
first_call_ms = { label = "Schedule to first call ms", better = "lower", format = "3" }
cpu_s         = { kind = "count", format = "3" }
unit_cpu_s    = { kind = "count", format = "3" }
cpu_pct       = { label = "CPU %", format = "2" }
messages      = { kind = "count", format = "grouped" }
abends        = { kind = "count", better = "lower", format = "grouped" }
*/
WITH region AS (
    SELECT *, 1e-6 * occupied_us AS occupied_s, 1e-6 * cpu_us AS cpu_s,
        CASE WHEN occupied_us IS NOT NULL THEN 1e-6 * cpu_us END AS unsampled_cpu_s
    FROM ims_region
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, pst, job, region_type, java,
    100.0 * occupied_s / nullif(interval_s, 0)                   AS occupancy_pct, -- Time with a program, from the start of its schedule
    interval_s - occupied_s                                      AS idle_s, -- Time without a program
    schedules_count                                              AS schedules, -- Programs scheduled [schedules]
    programs_count                                               AS programs, -- Programs that ended [programs]
    0.001 * schedule_us / nullif(schedules_count, 0)             AS schedule_ms, -- Mean time of a schedule
    0.001 * first_call_us / nullif(first_calls_count, 0)         AS first_call_ms, -- Mean time from the end of a schedule to the first message of the program
    cpu_s, -- CPU time on general processors of the programs that ended, over their whole life (07)
    1e-6 * unit_cpu_us                                           AS unit_cpu_s, -- CPU time of the units of recovery that ended, zIIPs too (56FA)
    100.0 * unsampled_cpu_s / nullif(interval_s, 0)              AS cpu_pct, -- CPU time of the programs that ended, of the interval: above 100 where one ran longer
    1e-6 * elapsed_us                                            AS elapsed_s, -- Life of the programs that ended, from schedule to end
    1e-6 * elapsed_us / nullif(programs_count, 0)                AS elapsed_mean_s, -- Mean life of a program that ended
    1e-6 * elapsed_max_us                                        AS elapsed_max_s, -- Longest of them
    messages_count                                               AS messages, -- Messages that the ended programs took [messages]
    abends_count                                                 AS abends, -- Programs that ended abnormally [programs]
    interval_s, occupied_s, -- Time with a program
    unsampled_cpu_s, -- CPU time of the programs that ended; NULL where the log holds a sample
    elapsed_us, programs_count, schedules_count, schedule_us, first_call_us, first_calls_count
FROM region
ORDER BY run, system, ims, interval_start_utc, pst
