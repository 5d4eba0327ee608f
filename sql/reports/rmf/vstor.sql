/* imsperf report
id       = "rmf.vstor"
title    = "Virtual Storage Activity: Common Storage"
answers  = "How much CSA and SQA is in use, by key, and how near is the limit?"
key      = ["area", "subpool", "key", "measure", "location"]
time     = "interval_start_utc"
lead     = "smf78_2_product"
needs    = ["load_file", "smf78_2_common", "smf78_2_common_area", "smf78_2_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "key"
y        = ["avg_kb"]
color    = "location"
facet    = "area"
stack    = "no"
where    = "measure = 'used' AND subpool IS NULL AND key <> 'ALL'"
title    = "CSA in use by key, KB"

[[column]]
name     = "area"
label    = "AREA"
kind     = "text"
doc      = "CSA or SQA"
from     = ["smf78_2_common_area.area"]

[[column]]
name     = "subpool"
label    = "SUBPOOL"
kind     = "text"
empty    = "ALL"
doc      = "Subpool; NULL for all of the area"
from     = ["smf78_2_common_area.area"]

[[column]]
name     = "key"
label    = "KEY"
kind     = "text"
doc      = "Storage key: 0 to 7, 8-F, ALL"
from     = ["smf78_2_common_area.area"]

[[column]]
name     = "measure"
label    = "MEASURE"
kind     = "text"
doc      = "used, free, largest_free (block), allocated, overflow (SQA taken from CSA)"
from     = ["smf78_2_common_area.area"]

[[column]]
name     = "location"
label    = "16M"
kind     = "text"
doc      = "below or above 16 MB"
from     = ["rmf_common_storage.location"]

[[column]]
name     = "min_kb"
label    = "MIN"
unit     = "KB"
kind     = "level"
total    = "min"
format   = "kilobytes"
doc      = "Smallest sample"
from     = ["smf78_2_common_area.bmin", "smf78_2_common_area.amin"]

[[column]]
name     = "max_kb"
label    = "MAX"
unit     = "KB"
kind     = "highwater"
format   = "kilobytes"
doc      = "Largest sample"
from     = ["smf78_2_common_area.bmax", "smf78_2_common_area.amax"]

[[column]]
name     = "avg_kb"
label    = "AVG"
unit     = "KB"
kind     = "ratio"
num      = "total_kb"
den      = "samples_count"
format   = "kilobytes"
doc      = "Mean of the samples"
from     = ["smf78_2_common_area.btotl", "smf78_2_common_area.atotl", "smf78_2_product.smf78sam"]

[[column]]
name     = "size_kb"
label    = "SIZE"
unit     = "KB"
kind     = "config"
format   = "kilobytes"
doc      = "Size of the whole area on this side of 16 MB"
from     = ["smf78_2_common.r782cs", "smf78_2_common.r782ecs", "smf78_2_common.r782ss",
            "smf78_2_common.r782ess"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_common_storage.interval_s"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "RMF samples"
from     = ["rmf_common_storage.samples_count"]

[[column]]
name     = "total_kb"
unit     = "KB"
kind     = "part"
doc      = "Sum over the samples"
from     = ["rmf_common_storage.total_kb"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    area                                                         AS area,
    subpool                                                      AS subpool,
    key                                                          AS key,
    measure                                                      AS measure,
    location                                                     AS location,
    min_kb                                                       AS min_kb,
    max_kb                                                       AS max_kb,
    total_kb / nullif(samples_count, 0)                          AS avg_kb,
    size_kb                                                      AS size_kb,
    interval_s                                                   AS interval_s,
    samples_count                                                AS samples_count,
    total_kb                                                     AS total_kb
FROM rmf_common_storage
ORDER BY run, system, interval_start_utc, interval_start, subpool NULLS FIRST, area, measure, key,
    location DESC
