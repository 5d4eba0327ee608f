/* imsperf report
id       = "rmf.processors"
title    = "CPU Activity: Physical Processors"
answers  = "How many processors of each type has the machine?"
key      = ["type"]
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_control", "smf70_1_cpu_id", "smf70_1_product"]
optional = ["smf70_1_control"]
page     = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "type"
y        = ["physical_count"]
facet    = "system"
where    = "type <> 'TOTAL'"
title    = "Physical processors"

[[column]]
name     = "type"
label    = "TYPE"
kind     = "text"
doc      = "CP, AAP, IIP, ICF, IFL; TOTAL is all of them"
from     = ["smf70_1_cpu_id.smf70cin"]

[[column]]
name     = "physical_count"
label    = "NUMBER"
unit     = "processors"
kind     = "level"
format   = "exposures"
doc      = "Physical processors, mean of the interval where it is recorded"
from     = ["smf70_1_cpu_id.smf70can", "smf70_1_cpu_id.smf70ctn", "smf70_1_control.smf70dsa"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_processor_type.interval_s"]
*/
WITH counted AS (
    SELECT run, sysplex, system, interval_start, interval_start_utc, interval_s, type,
        physical_count, section_no
    FROM rmf_processor_type
    UNION ALL
    SELECT run, sysplex, system, interval_start, interval_start_utc, interval_s, 'TOTAL' AS type,
        sum(physical_count) AS physical_count, NULL AS section_no
    FROM rmf_processor_type
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, interval_s
)
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    type                                                         AS type,
    physical_count                                               AS physical_count,
    interval_s                                                   AS interval_s
FROM counted
ORDER BY run, system, interval_start_utc, interval_start, section_no NULLS LAST
