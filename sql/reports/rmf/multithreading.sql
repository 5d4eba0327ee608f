/* imsperf report
id       = "rmf.multithreading"
title    = "CPU Activity: Multithreading"
answers  = "What do two threads on a core give, and how many of them are active?"
key      = ["type"]
facts    = "rmf_cpu_interval"
no_rows  = "the records have no cores: multithreading is off"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["avg_td"]
color    = "type"
facet    = "system"
title    = "Threads active on a core, mean"

[page]
layout   = "smf2db 0.1.3"
title    = "CPU Activity"

[[page.table]]
above    = "MULTI-THREADING ANALYSIS"
columns  = """
type    -8  CPU TYPE
mode     5  MODE
max_cf   8  MAX CF
cf       8  CF
avg_td   8  AVG TD
"""

[columns]
mode   = { format = "int" }
max_cf = { kind = "level", format = "3" }
cf     = { kind = "level", format = "3" }
avg_td = { kind = "level", format = "3" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, type,
    threads                                                      AS mode, -- Threads of a core, most [threads]
    capacity_max                                                 AS max_cf, -- Maximum capacity factor: a core over one thread
    capacity                                                     AS cf, -- Capacity factor as the core was used
    thread_density                                               AS avg_td, -- Threads active on a busy core, mean [threads]
    interval_s
FROM rmf_multithreading
ORDER BY run, sysplex, system, interval_start_utc, interval_start,
    CASE type WHEN 'CP' THEN 1 WHEN 'AAP' THEN 2 ELSE 3 END
