/* imsperf report
id       = "rmf.vstor_areas"
title    = "Virtual Storage Activity: Common Storage Summary"
answers  = "Where do common areas and the private area lie, and how large are they?"
key      = ["area", "location"]
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "area"
y        = ["size_kb"]
facet    = "location"
title    = "Size of the areas, KB"

[page]
layout   = "smf2db 0.1.3"
title    = "Virtual Storage Activity"

[[page.table]]
beside   = "location"
above    = "COMMON STORAGE SUMMARY"
columns  = """
area             -8  AREA
{address@below}  10  BELOW 16M|ADDRESS
{size_kb@below}   7  |SIZE
{address@above}  10  EXTENDED|ADDRESS
{size_kb@above}   7  |SIZE
"""

[columns]
location = { label = "16M" }
address  = { label = "ADDRESS", empty = "" }
size_kb  = { format = "kilobytes", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, area, location,
    format('{:X}', address)                                      AS address, -- Where it begins, hex
    size_bytes / 1024.0                                          AS size_kb, -- How long it is
    interval_s
FROM rmf_storage_area
ORDER BY run, sysplex, system, interval_start_utc, interval_start, address DESC, location
