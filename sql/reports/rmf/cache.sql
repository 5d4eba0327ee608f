/* imsperf report
id       = "rmf.cache"
title    = "Cache Subsystem Activity"
answers  = "Does the cache of the storage subsystem hold what is read?"
key      = ["ssid", "device"]
named_by = "volume"
records_by = ["system", "interval_start"]
optional = ["smf74_5_control", "smf74_5_status"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "volume"
y        = ["read_hit_pct"]
facet    = "system"
where    = "device IS NOT NULL"
top      = 20
by       = "io_count"
title    = "Read hits of the 20 most active volumes, %"

[page]
layout   = "RMF Report Analysis, SC34-2665"
together = [["rmf.cache"], ["rmf.cache_rank"]]

[page.texts]
# of a subsystem all, of a volume its share
volume        = "if(device IS NULL, '*ALL', NULL)"
device        = "if(device IS NULL, '', NULL)"
io_pct        = """format('{:.1f}', if(io_count = 0, 0, 100 * io_count / max(if(device IS NULL, io_count, NULL)) OVER (
    PARTITION BY run, system, interval_start_utc, ssid)))"""
total_hit_pct = "coalesce(format('{:.3f}', total_hit_pct / 100), 'N/A')"
read_hit_pct  = "coalesce(format('{:.3f}', read_hit_pct / 100), 'N/A')"
write_hit_pct = "coalesce(format('{:.3f}', write_hit_pct / 100), 'N/A')"
read_pct      = "if(read_pct IS NULL, 'N/A', NULL)"

[[page.table]]
above    = "CACHE SUBSYSTEM STATUS"
where    = "device IS NULL AND (control_unit IS NOT NULL OR cache_mb IS NOT NULL)"
columns  = """
ssid               -4  |SSID
control_unit       -5  |CU-ID
machine_type       -6  |TYPE
cache_mb            8  CACHE|MB
nvs_mb              8  NVS|MB
"""

[[page.table]]
above    = "CACHE SUBSYSTEM DEVICE OVERVIEW"
columns  = """
ssid               -4  |SSID
volume             -6  VOLUME|SERIAL
device             -4  DEV|NUM
io_pct              5  %|I/O
io_per_s            8  I/O|RATE
read_hits_per_s     7  CACHE|READ
write_hits_per_s    7  HIT RATE|DFW
cfw_hits_per_s      7  |CFW
stage_per_s         7  DASD|STAGE
bypass_per_s        7  I/O RATE|DEL NVS
other_per_s         7  |OTHER
destage_per_s       8  ASYNC|RATE
total_hit_pct       6  TOTAL|H/R
read_hit_pct        6  READ|H/R
write_hit_pct       6  WRITE|H/R
read_pct            6  %|READ
cache_full_per_s    7  DEL|CACHE
"""

[columns]
device             = { empty = "*ALL" }
volume             = { empty = "" }
io_per_s           = { format = "1" }
total_hit_pct      = { better = "higher", format = "1", empty = "" }
read_hit_pct       = { better = "higher", format = "1", empty = "" }
write_hit_pct      = { better = "higher", format = "1", empty = "" }
read_pct           = { format = "1", empty = "" }
read_per_s         = { label = "READ RATE", format = "rate" }
read_hits_per_s    = { format = "1" }
write_per_s        = { label = "WRITE RATE", format = "rate" }
write_hits_per_s   = { format = "1" }
cfw_hits_per_s     = { format = "1" }
other_per_s        = { label = "DASD I/O RATE OTHER", format = "1" }
sequential_per_s   = { label = "SEQ RATE", format = "rate" }
stage_per_s        = { label = "DASD I/O RATE STAGE", format = "1" }
destage_per_s      = { format = "1" }
bypass_per_s       = { label = "DASD I/O RATE DEL NVS", better = "lower", format = "1" }
inhibit_per_s      = { label = "INHIBIT RATE", format = "rate" }
bypass_cache_per_s = { label = "BYPASS RATE", format = "rate" }
cfw_per_s          = { label = "CFW RATE", format = "rate" }
cache_full_per_s   = { better = "lower", format = "1" }
control_unit       = { empty = "" }
machine_type       = { empty = "" }
cache_mb           = { total = "last", format = "int", empty = "" }
nvs_mb             = { total = "last", format = "int", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ssid, device, volume,
    io_count / nullif(interval_s, 0)                             AS io_per_s, -- I/Os a second: reads, writes, cache inhibited or bypassed
    100 * hit_count / nullif(cacheable_count, 0)                 AS total_hit_pct, -- Hits, of the reads and writes the cache could serve
    100 * read_hit_count / nullif(read_count, 0)                 AS read_hit_pct, -- Read hits, of the reads
    100 * write_hit_count / nullif(write_count, 0)               AS write_hit_pct, -- Write hits, of the writes
    100 * read_count / nullif(cacheable_count, 0)                AS read_pct, -- Reads, of reads and writes
    read_count / nullif(interval_s, 0)                           AS read_per_s, -- Reads a second
    retained_read_hit_count / nullif(interval_s, 0)              AS read_hits_per_s, -- Read hits a second, normal and sequential
    write_count / nullif(interval_s, 0)                          AS write_per_s, -- Writes a second
    retained_write_hit_count / nullif(interval_s, 0)             AS write_hits_per_s, -- Write hits a second, normal and sequential
    cfw_hit_count / nullif(interval_s, 0)                        AS cfw_hits_per_s, -- Hits a second of cache fast write, reads and writes
    sequential_count / nullif(interval_s, 0)                     AS sequential_per_s, -- Sequential reads and writes a second
    stage_count / nullif(interval_s, 0)                          AS stage_per_s, -- Transfers disk to cache a second
    destage_count / nullif(interval_s, 0)                        AS destage_per_s, -- Transfers cache to disk a second
    bypass_count / nullif(interval_s, 0)                         AS bypass_per_s, -- Fast writes a second held up as non-volatile storage was full
    inhibit_count / nullif(interval_s, 0)                        AS inhibit_per_s, -- Requests a second that inhibit loading the cache
    bypass_cache_count / nullif(interval_s, 0)                   AS bypass_cache_per_s, -- Requests a second that bypass the cache
    cache_fast_write_count / nullif(interval_s, 0)               AS cfw_per_s, -- Cache fast writes a second
    other_count / nullif(interval_s, 0)                          AS other_per_s, -- Writes a second that are no fast writes, and those a full cache held up
    cache_full_count / nullif(interval_s, 0)                     AS cache_full_per_s, -- Requests a second held up as the cache was full
    control_unit, machine_type,
    cache_bytes / 1048576                                        AS cache_mb, -- Cache configured, of the subsystem [MB]
    nvs_bytes / 1048576                                          AS nvs_mb, -- Non-volatile storage configured, of the subsystem [MB]
    interval_s, io_count, cacheable_count, hit_count, read_count, read_hit_count, write_count,
    write_hit_count, sequential_count, stage_count, destage_count, bypass_count, inhibit_count,
    bypass_cache_count, cache_fast_write_count, cache_full_count,
    retained_read_hit_count, retained_write_hit_count, cfw_hit_count, other_count
FROM rmf_cache
ORDER BY run, sysplex, system, interval_start_utc, interval_start, ssid, device NULLS FIRST
