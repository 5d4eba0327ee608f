/* imsperf report
id       = "rmf.omvs"
title    = "OMVS Kernel Activity"
answers  = "Is a limit of z/OS UNIX reached, and how many system calls are there?"
key      = ["resource"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["rate_avg_per_s"]
facet    = "resource"
color    = "system"
where    = "resource = 'SYSTEM CALLS'"
title    = "System calls a second"

[page]
layout   = "smf2db 0.1.3"
note     = "RATE: SYSTEM CALLS A SECOND; OF A RESOURCE, REQUESTS A SECOND REFUSED AT ITS LIMIT (OVERRUNS)"

[[page.table]]
above    = "                                  ----------- CURRENT ----------   ----- RATE (N/S) -----------"
columns  = """
resource        -20  RESOURCE
limit_count      10  MAXIMUM
used_min         10  MINIMUM
used_avg         10  AVERAGE
used_max         10  MAXIMUM
rate_min_per_s   10  MINIMUM
rate_avg_per_s   10  AVERAGE
rate_max_per_s   10  MAXIMUM
"""

[columns]
limit_count    = { label = "LIMIT", kind = "level", total = "last", format = "int", empty = "" }
used_min       = { label = "CURRENT MIN", kind = "level", total = "min", format = "int", empty = "" }
used_avg       = { label = "CURRENT AVG", format = "2", empty = "" }
used_max       = { label = "CURRENT MAX", kind = "highwater", format = "int", empty = "" }
rate_min_per_s = { label = "RATE MIN", kind = "level", total = "min", format = "3" }
rate_avg_per_s = { label = "RATE AVG", format = "3" }
rate_max_per_s = { label = "RATE MAX", kind = "highwater", format = "3" }
place          = { kind = "part", total = "same" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, resource,
    limit_count, -- Limit of the resource
    used_min, -- In use, least
    used_sum / nullif(samples_count, 0)                          AS used_avg, -- In use, mean of the samples
    used_max, -- In use, most
    event_min_per_s                                              AS rate_min_per_s, -- System calls, or requests refused at the limit, a second, fewest of a cycle
    event_count / nullif(interval_s, 0)                          AS rate_avg_per_s, -- System calls, or requests refused at the limit, a second
    event_max_per_s                                              AS rate_max_per_s, -- System calls, or requests refused at the limit, a second, most of a cycle
    interval_s, place, used_sum, samples_count, event_count
FROM rmf_unix_resource
ORDER BY run, sysplex, system, interval_start_utc, interval_start, place
