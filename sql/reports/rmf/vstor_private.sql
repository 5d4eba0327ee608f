/* imsperf report
id       = "rmf.vstor_private"
title    = "Virtual Storage Activity: Private Area"
answers  = "How much LSQA and user region does a monitored job use, and how near is its limit?"
key      = ["job", "step", "area", "measure", "location"]
optional = ["smf78_2_private_high"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "job"
y        = ["avg_kb"]
color    = "area"
facet    = "location"
where    = "measure = 'allocated'"
own_y    = true
title    = "Private storage allocated, KB"

[columns]
job      = { label = "JOB NAME" }
step     = { label = "STEP" }
program  = { label = "PROGRAM" }
area     = { label = "AREA" }
measure  = { label = "MEASURE" }
location = { label = "16M" }
min_kb   = { label = "MIN", kind = "level", total = "min", format = "kilobytes" }
max_kb   = { label = "MAX", kind = "highwater", format = "kilobytes" }
avg_kb   = { label = "AVG", format = "kilobytes" }
limit_kb = { label = "LIMIT", format = "kilobytes" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, job, step, program, area,
    measure, -- allocated, pages_allocated, free (pages), largest_free; of HIGH: all, shared, common
    location,
    CASE WHEN samples_count > 0 THEN min_kb END                  AS min_kb, -- Smallest sample; NULL where no sample was taken
    CASE WHEN samples_count > 0 THEN max_kb END                  AS max_kb, -- Largest sample; NULL where no sample was taken
    total_kb / nullif(samples_count, 0)                          AS avg_kb, -- Mean over the samples of the job
    limit_kb, -- Region limit on this side of 16 MB; of HIGH: MEMLIMIT
    interval_s, samples_count, total_kb
FROM rmf_private_storage
ORDER BY run, system, interval_start_utc, interval_start, job, step, area, measure, location DESC
