/* imsperf report
id       = "rmf.address_spaces"
title    = "Address Space Analysis"
answers  = "How many address spaces are in storage, ready, or waiting, and of which type?"
key      = ["kind", "queue"]
records_by = ["system", "interval_start"]
optional = ["smf70_1_control"]
facts    = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "queue"
y        = ["avg_count"]
facet    = "system"
title    = "Address spaces"

[page]
layout   = "smf2db 0.1.3"
title    = "CPU Activity"
above    = """
SYSTEM ADDRESS SPACE AND WORK UNIT ANALYSIS     SAMPLES = {samples:6}
---------NUMBER OF ADDRESS SPACES---------

"""

[page.texts]
samples  = "format('{:,.0f}', max(samples_count) OVER page)"
queue    = "if(queue = 'LOGICAL OUT READY', 'LOGICAL OUT RDY', NULL)"

[[page.table]]
where    = "kind = 'queue'"
columns  = """
queue      -18  QUEUE TYPES
min_count    8  MIN
max_count    8  MAX
avg_count    9  AVG
"""

[[page.table]]
where    = "kind = 'type'"
columns  = """
queue      -18  ADDRESS SPACE TYPES
min_count    8  MIN
max_count    8  MAX
avg_count    9  AVG
"""

[columns]
kind      = { label = "KIND" }
queue     = { label = "QUEUE" }
min_count = { kind = "level", total = "min", format = "int" }
max_count = { kind = "highwater", format = "int" }
avg_count = { format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, kind,
    queue, -- IN, IN READY (among IN), OUT READY ..; BATCH, STC, TSO, ASCH, OMVS
    min_count, -- Fewest in a sample [address spaces]
    max_count, -- Most in a sample [address spaces]
    total_count / nullif(samples_count, 0)                       AS avg_count, -- Mean of the samples [address spaces]
    interval_s, total_count, samples_count
FROM rmf_address_spaces
ORDER BY run, sysplex, system, interval_start_utc, interval_start, place
