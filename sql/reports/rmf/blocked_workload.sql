/* imsperf report
id       = "rmf.blocked_workload"
title    = "Blocked Workload Analysis"
answers  = "Did work starve, and how much of the promotion allowed was used?"
key      = []
records_by = ["system", "interval_start"]
facts    = "rmf_cpu_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["waiters_avg"]
color    = "system"
title    = "Waiters for promotion"

[page]
layout   = "smf2db 0.1.3"
title    = "CPU Activity"

[[page.table]]
text     = """
BLOCKED WORKLOAD ANALYSIS

OPT PARAMETERS: BLWLTRPCT (%) {blwltrpct:5}    PROMOTE RATE:  DEFINED {promote_defined_per_s:9}    WAITERS FOR PROMOTE:  AVG {waiters_avg:9}
                BLWLINTHD     {blwlinthd:5}                   USED (%){promote_used_pct:9}                          PEAK {waiters_peak:8}
"""

[columns]
blwltrpct             = { label = "BLWLTRPCT", format = "1" }
blwlinthd             = { label = "BLWLINTHD", format = "int" }
promote_defined_per_s = { label = "PROMOTE RATE DEFINED", format = "int" }
promote_used_pct      = { label = "PROMOTE RATE USED (%)", better = "lower", format = "1" }
waiters_avg           = { label = "WAITERS FOR PROMOTE AVG", better = "lower", format = "3" }
waiters_peak          = { label = "WAITERS FOR PROMOTE PEAK", kind = "highwater", better = "lower", format = "int" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, blwltrpct, blwlinthd,
    defined_count / nullif(samples_count, 0)                     AS promote_defined_per_s, -- Units that may be promoted a second
    100 * promoted_count / nullif(promotable_count, 0)           AS promote_used_pct, -- Promoted, of the units that might have been
    waiters_count / nullif(samples_count, 0)                     AS waiters_avg, -- Waiters for promotion, mean of the samples
    waiters_peak, interval_s, defined_count, samples_count, promoted_count, promotable_count,
    waiters_count
FROM rmf_blocked_workload
ORDER BY run, sysplex, system, interval_start_utc, interval_start
