/* imsperf report
id       = "rmf.page_datasets"
title    = "Page Data Set Activity"
answers  = "Is a page data set full, or slow?"
called   = ["pagesp"]
key      = ["type", "data_set"]
named_by = "volume"
facts    = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["used_max"]
color    = "data_set"
facet    = "type"
title    = "Slots in use, most"

[page]
layout   = "smf2db 0.1.3"
above    = """
NUMBER OF SAMPLES = {samples:7}               PAGE DATA SET AND SCM USAGE

"""

[page.texts]
samples     = "format('{:.0f}', max(samples_count) OVER page)"
volume      = "if(type = 'SCM', 'N/A', NULL)"
device      = "if(type = 'SCM', 'N/A', NULL)"
device_type = "if(type = 'SCM', 'N/A', NULL)"
data_set    = "if(type = 'SCM', 'N/A', NULL)"
vio         = "if(vio = 'N', '', NULL)"

[[page.table]]
columns  = """
type            -6  PAGE|SPACE|TYPE
volume          -6  |VOLUME|SERIAL
device           5  |DEV|NUM
device_type     -8  |DEVICE|TYPE
slots            8  |SLOTS|ALLOC
used_min         8  SLOTS|USED|MIN
used_max         8  SLOTS|USED|MAX
used_avg         8  SLOTS|USED|AVG
bad              4  |BAD|SLOTS
in_use_pct       5  %|IN|USE
page_ms          6  PAGE|TRANS|TIME
ios              8  NUMBER|IO|REQ
pages            8  |PAGES|XFER'D
vio             -1  V|I|O
data_set       -44  |DATA SET NAME
"""

[columns]
data_set    = { empty = "" }
volume      = { empty = "" }
device      = { empty = "" }
device_type = { empty = "" }
slots       = { kind = "level", format = "int" }
used_min    = { kind = "level", total = "min", format = "int" }
used_max    = { kind = "highwater", format = "int" }
used_avg    = { kind = "level", format = "int" }
bad         = { kind = "highwater", better = "lower", format = "int" }
in_use_pct  = { format = "2" }
page_ms     = { better = "lower", format = "3", empty = "" }
ios         = { kind = "count", format = "int" }
pages       = { kind = "count", format = "int" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, type, data_set, volume, device,
    device_type,
    slots_total                                                  AS slots, -- Slots [slots]
    slots_used_min                                               AS used_min, -- Slots in use, least [slots]
    slots_used_max                                               AS used_max, -- Slots in use, most [slots]
    slots_used_avg                                               AS used_avg, -- Slots in use, mean [slots]
    slots_bad                                                    AS bad, -- Slots that cannot be used [slots]
    100 * busy_samples_count / nullif(samples_count, 0)          AS in_use_pct, -- Samples that found the data set busy
    0.001 * request_us / nullif(page_count, 0)                      AS page_ms, -- Time to move a page, from the samples
    io_count                                                     AS ios, -- I/Os started [requests]
    page_count                                                   AS pages, -- Pages moved in or out [pages]
    vio, interval_s, busy_samples_count, samples_count, request_us
FROM rmf_page_dataset
ORDER BY run, sysplex, system, interval_start_utc, interval_start,
    CASE type WHEN 'PLPA' THEN 1 WHEN 'COMMON' THEN 2 WHEN 'LOCAL' THEN 3 ELSE 4 END, data_set
