/* imsperf report
id       = "rmf.work_units"
title    = "Work Unit Analysis"
answers  = "How many work units are ready for each type of processor?"
key      = ["type"]
records_by = ["system", "interval_start"]
optional = ["smf70_1_control"]
facts    = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "type"
y        = ["avg_count", "max_count"]
facet    = "system"
stack    = "no"
title    = "Work units ready"

[page]
layout   = "smf2db 0.1.3"
title    = "CPU Activity"

[[page.table]]
above    = "-------NUMBER OF WORK UNITS-------"
# RMF has no line for a type that the machine lacks
where    = "type <> 'AAP' OR max_count > 0"
columns  = """
type        -9  CPU TYPES
min_count    8  MIN
max_count    8  MAX
avg_count    9  AVG
"""

[columns]
min_count = { kind = "level", total = "min", format = "int" }
max_count = { kind = "highwater", better = "lower", format = "int" }
avg_count = { better = "lower", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    type, -- CP, AAP, IIP
    min_count, -- Fewest in a sample [work units]
    max_count, -- Most in a sample [work units]
    total_count / nullif(samples_count, 0)                       AS avg_count, -- Mean of the samples SRM took [work units]
    interval_s, total_count, samples_count
FROM rmf_work_units
ORDER BY run, sysplex, system, interval_start_utc, interval_start,
    CASE type WHEN 'CP' THEN 0 WHEN 'AAP' THEN 1 ELSE 2 END
