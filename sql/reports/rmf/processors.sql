/* imsperf report
id       = "rmf.processors"
title    = "CPU Activity: Physical Processors"
answers  = "How many processors of each type has the machine?"
key      = ["type"]
records_by = ["system", "interval_start"]
optional = ["smf70_1_control"]
facts    = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "type"
y        = ["physical_count"]
facet    = "system"
where    = "type <> 'TOTAL'"
title    = "Physical processors"

[page]
layout   = "ours"
title    = "CPU Activity"

[[page.table]]
columns  = """
type             -6  TYPE
physical_count    8  NUMBER
"""

[columns]
physical_count = { kind = "level", format = "exposures" }
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
    run, sysplex, system, interval_start, interval_start_utc,
    type, -- CP, AAP, IIP, ICF, IFL; TOTAL is all of them
    physical_count, -- Physical processors, mean of the interval where it is recorded [processors]
    interval_s
FROM counted
ORDER BY run, sysplex, system, interval_start_utc, interval_start, section_no NULLS LAST
