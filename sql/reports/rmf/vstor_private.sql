/* imsperf report
id       = "rmf.vstor_private"
title    = "Virtual Storage Activity: Private Area"
answers  = "How much LSQA and user region does a monitored job use, and how near is its limit?"
key      = ["job", "step", "area", "measure", "location"]
time     = "interval_start_utc"
lead     = "smf78_2_product"
needs    = ["load_file", "smf78_2_private", "smf78_2_private_area", "smf78_2_private_high",
            "smf78_2_product"]
optional = ["smf78_2_private_high"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "job"
y        = ["avg_kb"]
color    = "area"
facet    = "location"
where    = "measure = 'allocated'"
own_y    = true
title    = "Private storage allocated, KB"

[[column]]
name     = "job"
label    = "JOB NAME"
kind     = "text"
doc      = "Job name"
from     = ["smf78_2_private.r782jobn"]

[[column]]
name     = "step"
label    = "STEP"
kind     = "text"
doc      = "Step name"
from     = ["smf78_2_private.r782step"]

[[column]]
name     = "program"
label    = "PROGRAM"
kind     = "text"
doc      = "Program of the step"
from     = ["smf78_2_private.r782pgmn"]

[[column]]
name     = "area"
label    = "AREA"
kind     = "text"
doc      = "LSQA (with SWA and subpools 229, 230), USER region, HIGH (above 2 GB)"
from     = ["smf78_2_private_area.area", "smf78_2_private_high.area"]

[[column]]
name     = "measure"
label    = "MEASURE"
kind     = "text"
doc      = "allocated, pages_allocated, free (pages), largest_free; of HIGH: all, shared, common"
from     = ["smf78_2_private_area.area", "smf78_2_private_high.area"]

[[column]]
name     = "location"
label    = "16M"
kind     = "text"
doc      = "below or above 16 MB, high: above 2 GB"
from     = ["rmf_private_storage.location"]

[[column]]
name     = "min_kb"
label    = "MIN"
unit     = "KB"
kind     = "level"
total    = "min"
format   = "kilobytes"
doc      = "Smallest sample; NULL where no sample was taken"
from     = ["smf78_2_private_area.bmin", "smf78_2_private_area.amin", "smf78_2_private_high.gmin"]

[[column]]
name     = "max_kb"
label    = "MAX"
unit     = "KB"
kind     = "highwater"
format   = "kilobytes"
doc      = "Largest sample; NULL where no sample was taken"
from     = ["smf78_2_private_area.bmax", "smf78_2_private_area.amax", "smf78_2_private_high.gmax"]

[[column]]
name     = "avg_kb"
label    = "AVG"
unit     = "KB"
kind     = "ratio"
num      = "total_kb"
den      = "samples_count"
format   = "kilobytes"
doc      = "Mean over the samples of the job"
from     = ["smf78_2_private_area.btotl", "smf78_2_private_area.atotl",
            "smf78_2_private_high.gtotl", "smf78_2_private.r782samp"]

[[column]]
name     = "limit_kb"
label    = "LIMIT"
unit     = "KB"
kind     = "config"
format   = "kilobytes"
doc      = "Region limit on this side of 16 MB; of HIGH: MEMLIMIT"
from     = ["smf78_2_private.r782rgab", "smf78_2_private.r782rgaa", "smf78_2_private.r782meml"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_private_storage.interval_s"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples taken of the job"
from     = ["rmf_private_storage.samples_count"]

[[column]]
name     = "total_kb"
unit     = "KB"
kind     = "part"
doc      = "Sum over the samples of the job"
from     = ["rmf_private_storage.total_kb"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    job                                                          AS job,
    step                                                         AS step,
    program                                                      AS program,
    area                                                         AS area,
    measure                                                      AS measure,
    location                                                     AS location,
    CASE WHEN samples_count > 0 THEN min_kb END                  AS min_kb,
    CASE WHEN samples_count > 0 THEN max_kb END                  AS max_kb,
    total_kb / nullif(samples_count, 0)                          AS avg_kb,
    limit_kb                                                     AS limit_kb,
    interval_s                                                   AS interval_s,
    samples_count                                                AS samples_count,
    total_kb                                                     AS total_kb
FROM rmf_private_storage
ORDER BY run, system, interval_start_utc, interval_start, job, step, area, measure, location DESC
