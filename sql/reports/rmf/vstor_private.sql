/* imsperf report
id       = "rmf.vstor_private"
title    = "Virtual Storage Activity: Private Area"
answers  = "How much LSQA and user region does a monitored job use, and how near is its limit?"
key      = ["job", "step", "area", "measure", "location"]
records_by = ["system", "interval_start"]
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

[page]
layout      = "RMF Report Analysis, SC34-2665"
title       = "Virtual Storage Activity"
above       = "PRIVATE AREA"
blocks      = ["job", "step"]
block_above = """
JOB NAME - {job}   STEP - {step}   PROGRAM - {program}
NUMBER OF SAMPLES {samples}

"""

[page.texts]
samples  = "format('{:,.0f}', coalesce(max(samples_count) OVER block, 0)::DOUBLE)"
high     = "'HIGH'"
measure  = "upper(replace(measure, '_', ' '))"

[[page.table]]
where    = "location <> 'high'"
beside   = "location"
above    = "                      ---------- BELOW 16M ---------- ----- EXTENDED (ABOVE 16M) ----"
columns  = """
area             -5  AREA
measure         -15  MEASURE
{min_kb@below}      7  MIN
{max_kb@below}      7  MAX
{avg_kb@below}      7  AVG
{limit_kb@below}    7  LIMIT
{min_kb@above}      7  MIN
{max_kb@above}      7  MAX
{avg_kb@above}      7  AVG
{limit_kb@above}    7  LIMIT
"""

[[page.table]]
where    = "location = 'high'"
columns  = """
high             -5  ABOVE
measure         -15  2G
min_kb            7  MIN
max_kb            7  MAX
avg_kb            7  AVG
limit_kb          7  LIMIT
"""

[columns]
job      = { label = "JOB NAME" }
step     = { label = "STEP" }
program  = { label = "PROGRAM" }
location = { label = "16M" }
min_kb   = { kind = "level", total = "min", format = "kilobytes" }
max_kb   = { kind = "highwater", format = "kilobytes" }
avg_kb   = { format = "kilobytes" }
limit_kb = { format = "kilobytes" }
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
ORDER BY run, sysplex, system, interval_start_utc, interval_start, job, step, area, measure,
    location DESC
