/* imsperf report
id       = "rmf.blocked_workload"
title    = "Blocked Workload Analysis"
answers  = "Did work starve, and how much of the promotion allowed was used?"
key      = []
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_control", "smf70_1_product"]
page     = "rmf_cpu_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["waiters_avg"]
color    = "system"
title    = "Waiters for promotion"

[[column]]
name     = "blwltrpct"
label    = "BLWLTRPCT"
unit     = "%"
kind     = "config"
format   = "1"
doc      = "Share of the capacity that promotion may take"
from     = ["smf70_1_control.smf70pmt"]

[[column]]
name     = "blwlinthd"
label    = "BLWLINTHD"
unit     = "s"
kind     = "config"
format   = "int"
doc      = "How long swapped-in work may starve before it is promoted"
from     = ["smf70_1_control.smf70pml"]

[[column]]
name     = "promote_defined_per_s"
label    = "PROMOTE RATE DEFINED"
unit     = "1/s"
kind     = "ratio"
num      = "defined_count"
den      = "samples_count"
format   = "int"
doc      = "Units that may be promoted a second"
from     = ["smf70_1_control.smf70pmi", "smf70_1_product.smf70sam"]

[[column]]
name     = "promote_used_pct"
label    = "PROMOTE RATE USED (%)"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "promoted_count"
den      = "promotable_count"
scale    = 100
format   = "1"
doc      = "Promoted, of the units that might have been"
from     = ["smf70_1_control.smf70pmu", "smf70_1_control.smf70pmi"]

[[column]]
name     = "waiters_avg"
label    = "WAITERS FOR PROMOTE AVG"
better   = "lower"
kind     = "ratio"
num      = "waiters_count"
den      = "samples_count"
format   = "3"
doc      = "Waiters for promotion, mean of the samples"
from     = ["smf70_1_control.smf70pmw"]

[[column]]
name     = "waiters_peak"
label    = "WAITERS FOR PROMOTE PEAK"
better   = "lower"
kind     = "highwater"
format   = "int"
doc      = "Most waiters at once"
from     = ["smf70_1_control.smf70pmp"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_blocked_workload.interval_s"]

[[column]]
name     = "defined_count"
kind     = "part"
doc      = "Units that may be promoted a second, summed"
from     = ["rmf_blocked_workload.defined_count"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "RMF samples"
from     = ["rmf_blocked_workload.samples_count"]

[[column]]
name     = "promoted_count"
kind     = "part"
doc      = "Units promoted"
from     = ["rmf_blocked_workload.promoted_count"]

[[column]]
name     = "promotable_count"
kind     = "part"
doc      = "Units that might have been promoted"
from     = ["rmf_blocked_workload.promotable_count"]

[[column]]
name     = "waiters_count"
kind     = "part"
doc      = "Waiters for promotion, summed"
from     = ["rmf_blocked_workload.waiters_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    blwltrpct                                                    AS blwltrpct,
    blwlinthd                                                    AS blwlinthd,
    defined_count / nullif(samples_count, 0)                     AS promote_defined_per_s,
    100 * promoted_count / nullif(promotable_count, 0)           AS promote_used_pct,
    waiters_count / nullif(samples_count, 0)                     AS waiters_avg,
    waiters_peak                                                 AS waiters_peak,
    interval_s                                                   AS interval_s,
    defined_count                                                AS defined_count,
    samples_count                                                AS samples_count,
    promoted_count                                               AS promoted_count,
    promotable_count                                             AS promotable_count,
    waiters_count                                                AS waiters_count
FROM rmf_blocked_workload
ORDER BY run, system, interval_start_utc, interval_start
