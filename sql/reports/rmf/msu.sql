/* imsperf report
id       = "rmf.msu"
title    = "Image Capacity"
answers  = "What does the image use of its capacity, and what does the four-hour mean come to?"
key      = []
named_by = "partition"
records_by = ["system", "interval_start"]
optional = ["smf70_1_control", "smf70_1_cpu_id", "smf70_1_partition", "smf70_1_processor"]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["msu_actual", "msu_4h_avg"]
facet    = "system"
stack    = "no"
title    = "Capacity used on CPs, MSU/h: interval and four-hour mean"

[page]
layout   = "ours"
heading  = "run"
breaks   = ["system"]
above    = """
RUN {run:-24}  SYSTEM ID {system:-8}  PARTITION {partition:-8}

"""

[page.texts]
start    = "strftime(interval_start, '%m/%d/%Y %H.%M.%S')"

[[page.table]]
columns  = """
start              -19  INTERVAL|START
msu_actual           8  MSU|ACTUAL
msu_4h_avg           8  4-HOUR|AVERAGE
defined_msu          8  MSU|DEFINED
image_capacity_msu   9  IMAGE|CAPACITY
group_name          -8  GROUP|NAME
group_msu            8  GROUP|LIMIT
capped_pct           8  CAPPED|WLM%
"""

[columns]
partition          = { label = "PARTITION" }
msu_actual         = { format = "1" }
msu_4h_avg         = { kind = "level", total = "max", format = "int" }
defined_msu        = { kind = "level", format = "int" }
image_capacity_msu = { kind = "level", format = "int" }
group_msu          = { kind = "level", format = "int" }
capped_pct         = { better = "lower", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, partition,
    msu_s / nullif(interval_s, 0)                                AS msu_actual, -- Capacity used on CPs, from effective dispatch time [MSU/h]
    long_term_msu                                                AS msu_4h_avg, -- Capacity used, rolling mean of four hours; the largest of a total [MSU/h]
    defined_msu, image_capacity_msu, group_name, group_msu,
    100 * wlm_capped_count / nullif(dispatch_samples_count, 0)   AS capped_pct, -- Samples in which WLM capped the partition
    interval_s, msu_s, wlm_capped_count, dispatch_samples_count
FROM rmf_image_capacity
ORDER BY run, sysplex, system, interval_start_utc, interval_start
