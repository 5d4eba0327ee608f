/* imsperf report
id       = "rmf.in_ready"
title    = "In-Ready Work Unit Queue Distribution"
answers  = "For how much of the time did work wait for a processor?"
key      = ["bucket_no"]
records_by = ["system", "interval_start"]
optional = ["smf70_1_control", "smf70_1_core", "smf70_1_cpu", "smf70_1_cpu_id", "smf70_1_partition",
            "smf70_1_processor"]
facts    = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "bucket"
y        = ["samples_pct"]
facet    = "system"
title    = "Work units in and ready, % of the samples"

[page]
title    = "CPU Activity"

[[page.table]]
above    = "IN-READY WORK UNIT DISTRIBUTION"
columns  = """
bucket          -10  NUMBER OF|WORK UNITS
samples_pct       7  |(%)
processors_avg    7  |N
"""

[columns]
bucket_no      = { label = "NO", format = "int" }
bucket         = { own_words = true }
samples_pct    = { format = "1" }
processors_avg = { format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, bucket_no, bucket,
    100 * bucket_count / nullif(samples_count, 0)                AS samples_pct, -- Samples in the bucket; those above the first are time work waited for a processor
    processors_us / nullif(interval_us, 0)                       AS processors_avg, -- Processors online and not parked, mean of the interval [processors]
    interval_s, bucket_count, samples_count, processors_us, interval_us
FROM rmf_in_ready
ORDER BY run, sysplex, system, interval_start_utc, interval_start, bucket_no
