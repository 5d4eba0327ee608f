/* imsperf report
id       = "rmf.in_ready"
title    = "In-Ready Work Unit Queue Distribution"
answers  = "For how much of the time did work wait for a processor?"
key      = ["bucket_no"]
named_by = "bucket"
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
layout   = "smf2db 0.1.3"
title    = "CPU Activity"
above    = """
-----------------------DISTRIBUTION OF IN-READY WORK UNIT QUEUE--------------
N = NUMBER OF PROCESSORS ONLINE UNPARKED ({processors:4} ON AVG)

"""

[page.texts]
processors = "format('{:.1f}', max(processors_avg) OVER page)"
bucket   = """format('{:<2}  N{}',
    if(bucket[1] = '=', ' =', rtrim(regexp_extract(bucket, '^[<>=]+'))),
    if(bucket LIKE '%+%', format(' + {:>2}', split_part(bucket, '+', 2)), ''))"""
gap      = "'  '"
bar      = "repeat('>', floor(samples_pct / 2)::INTEGER)"

[[page.table]]
columns  = """
bucket        -12  NUMBER OF|WORK UNITS
samples_pct     5  |(%)
{gap}{bar}    -54    0    10   20   30   40   50   60   70   80   90   100|  !....!....!....!....!....!....!....!....!....!....!
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
