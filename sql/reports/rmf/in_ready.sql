/* imsperf report
id       = "rmf.in_ready"
title    = "In-Ready Work Unit Queue Distribution"
answers  = "For how much of the time did work wait for a processor?"
key      = ["bucket_no"]
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_asid", "smf70_1_control", "smf70_1_core", "smf70_1_cpu",
            "smf70_1_cpu_id", "smf70_1_partition", "smf70_1_processor", "smf70_1_product"]
optional = ["smf70_1_control", "smf70_1_core", "smf70_1_cpu", "smf70_1_cpu_id",
            "smf70_1_partition", "smf70_1_processor"]
page     = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "bucket"
y        = ["samples_pct"]
facet    = "system"
title    = "Work units in and ready, % of the samples"

[[column]]
name     = "bucket_no"
label    = "NO"
kind     = "config"
format   = "int"
doc      = "Bucket, 1 to 16"
from     = ["rmf_in_ready.bucket_no"]

[[column]]
name     = "bucket"
label    = "NUMBER OF WORK UNITS"
kind     = "text"
doc      = "Bucket as RMF prints it; N is the processors online and not parked"
from     = ["rmf_in_ready.bucket"]

[[column]]
name     = "samples_pct"
label    = "(%)"
unit     = "%"
kind     = "ratio"
num      = "bucket_count"
den      = "samples_count"
scale    = 100
format   = "1"
doc      = "Samples in the bucket; those above the first are time work waited for a processor"
from     = ["smf70_1_asid.smf70u00_u15", "smf70_1_asid.smf70srm"]

[[column]]
name     = "processors_avg"
label    = "N"
unit     = "processors"
kind     = "ratio"
num      = "processors_us"
den      = "interval_us"
format   = "1"
doc      = "Processors online and not parked, mean of the interval"
from     = ["rmf_in_ready.processors_us", "smf70_1_cpu.smf70pat"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_in_ready.interval_s"]

[[column]]
name     = "bucket_count"
unit     = "samples"
kind     = "part"
doc      = "Samples in the bucket"
from     = ["rmf_in_ready.bucket_count"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples SRM took"
from     = ["rmf_in_ready.samples_count"]

[[column]]
name     = "processors_us"
unit     = "us"
kind     = "part"
doc      = "Time processors were online and not parked"
from     = ["rmf_in_ready.processors_us"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_in_ready.interval_us"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    bucket_no                                                    AS bucket_no,
    bucket                                                       AS bucket,
    100 * bucket_count / nullif(samples_count, 0)                AS samples_pct,
    processors_us / nullif(interval_us, 0)                       AS processors_avg,
    interval_s                                                   AS interval_s,
    bucket_count                                                 AS bucket_count,
    samples_count                                                AS samples_count,
    processors_us                                                AS processors_us,
    interval_us                                                  AS interval_us
FROM rmf_in_ready
ORDER BY run, system, interval_start_utc, interval_start, bucket_no
