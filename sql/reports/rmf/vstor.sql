/* imsperf report
id       = "rmf.vstor"
title    = "Virtual Storage Activity: Common Storage"
answers  = "How much CSA and SQA is in use, by key, and how near is the limit?"
key      = ["area", "subpool", "key", "measure", "location"]
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "key"
y        = ["avg_kb"]
color    = "location"
facet    = "area"
stack    = "no"
where    = "measure = 'used' AND subpool IS NULL AND key <> 'ALL'"
title    = "CSA in use by key, KB"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.vstor_areas"], ["rmf.vstor"], ["rmf.vstor_private"]]
title    = "Virtual Storage Activity"
above    = """
COMMON STORAGE
NUMBER OF SAMPLES {samples}

"""

[page.texts]
samples  = "format('{:,.0f}', coalesce(max(samples_count) OVER page, 0)::DOUBLE)"
measure  = "upper(replace(measure, '_', ' '))"

[[page.table]]
# no lines of zeros
where    = """location <> 'high' AND max(max_kb) OVER (
    PARTITION BY run, sysplex, system, interval_start_utc, area, subpool, key, measure) > 0"""
beside   = "location"
above    = "                                  ---------- BELOW 16M ---------- ----- EXTENDED (ABOVE 16M) ----"
columns  = """
area             -5  AREA
subpool          -7  SUBPOOL
key              -3  KEY
measure         -15  MEASURE
{min_kb@below}      7  MIN
{max_kb@below}      7  MAX
{avg_kb@below}      7  AVG
{size_kb@below}     7  SIZE
{min_kb@above}      7  MIN
{max_kb@above}      7  MAX
{avg_kb@above}      7  AVG
{size_kb@above}     7  SIZE
"""

[columns]
subpool  = { empty = "ALL" }
location = { label = "16M" }
min_kb   = { kind = "level", total = "min", format = "kilobytes" }
max_kb   = { kind = "highwater", format = "kilobytes" }
avg_kb   = { format = "kilobytes" }
size_kb  = { format = "kilobytes" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, area, subpool, key, measure,
    location, min_kb, max_kb,
    total_kb / nullif(samples_count, 0)                          AS avg_kb, -- Mean of the samples
    size_kb, interval_s, samples_count, total_kb
FROM rmf_common_storage
ORDER BY run, sysplex, system, interval_start_utc, interval_start, subpool NULLS FIRST, area,
    measure, key,
    location DESC
