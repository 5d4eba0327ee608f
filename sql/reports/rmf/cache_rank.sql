/* imsperf report
id       = "rmf.cache_rank"
title    = "Cache Subsystem Activity: Extent Pools"
answers  = "Which disks behind the cache are busy or slow?"
key      = ["ssid", "pool"]
facts    = "rmf_recorded_interval"
no_rows  = "no device says what an extent pool did for it"

[chart]
mark     = "bar"
x        = "pool"
y        = ["read_ms", "write_ms"]
facet    = "ssid"
stack    = "no"
title    = "Response time of the disks of an extent pool, ms"

[page]
layout   = "smf2db 0.1.3"
title    = "Cache Subsystem Activity"

[[page.table]]
above    = "                          -------- READ REQ -------      ------- WRITE REQ -------"
columns  = """
ssid             -4  |SSID
pool             -4  POOL|ID
pool_type        -8  |TYPE
devices           4  |DEV
read_per_s        8  |RATE
read_mb           6  AVG|MB
read_mb_per_s     6  |MB/S
read_ms           6  |RTIME
write_per_s       9  |RATE
write_mb          6  AVG|MB
write_mb_per_s    6  |MB/S
write_ms          6  |RTIME
"""

[columns]
pool           = { label = "ID" }
pool_type      = { empty = "" }
devices        = { kind = "level", format = "int" }
read_per_s     = { label = "READ REQ RATE", format = "rate" }
read_mb        = { label = "READ REQ AVG-MB", format = "3", empty = "" }
read_mb_per_s  = { label = "READ REQ MB/S", format = "1", empty = "" }
read_ms        = { label = "READ REQ RTIME", better = "lower", format = "1", empty = "" }
write_per_s    = { label = "WRITE REQ RATE", format = "rate" }
write_mb       = { label = "WRITE REQ AVG-MB", format = "3", empty = "" }
write_mb_per_s = { label = "WRITE REQ MB/S", format = "1", empty = "" }
write_ms       = { label = "WRITE REQ RTIME", better = "lower", format = "1", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ssid, pool, pool_type,
    device_count                                                 AS devices, -- Devices of the subsystem in the pool [devices]
    read_count / nullif(interval_s, 0)                           AS read_per_s, -- Disk reads a second
    read_bytes / nullif(known_read_count, 0) / 1048576           AS read_mb, -- Mean size of a disk read [MB]
    read_bytes / nullif(interval_s, 0) / 1048576                 AS read_mb_per_s, -- Read from disk a second, MB of 2^20 bytes [MB/s]
    read_total_ms / nullif(known_read_count, 0)                  AS read_ms, -- Response time of a disk read
    write_count / nullif(interval_s, 0)                          AS write_per_s, -- Disk writes a second
    write_bytes / nullif(known_write_count, 0) / 1048576         AS write_mb, -- Mean size of a disk write [MB]
    write_bytes / nullif(interval_s, 0) / 1048576                AS write_mb_per_s, -- Written to disk a second, MB of 2^20 bytes [MB/s]
    write_total_ms / nullif(known_write_count, 0)                AS write_ms, -- Response time of a disk write
    interval_s, read_count, known_read_count, read_bytes, read_total_ms, write_count,
    known_write_count, write_bytes, write_total_ms
FROM rmf_cache_pool
ORDER BY run, sysplex, system, interval_start_utc, interval_start, ssid, pool
