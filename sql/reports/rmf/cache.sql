/* imsperf report
id       = "rmf.cache"
title    = "Cache Subsystem Activity"
answers  = "Does the cache of the storage subsystem hold what is read?"
key      = ["ssid", "device"]
time     = "interval_start_utc"
lead     = "smf74_5_product"
needs    = ["load_file", "smf74_5_device", "smf74_5_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "volume"
y        = ["read_hit_pct"]
facet    = "system"
where    = "device IS NOT NULL"
top      = 20
by       = "io_count"
title    = "Read hits of the 20 most active volumes, %"

[[column]]
name     = "ssid"
label    = "SSID"
kind     = "text"
doc      = "Subsystem id, hex"
from     = ["smf74_5_device.r745dsid"]

[[column]]
name     = "device"
label    = "DEV NUM"
kind     = "text"
doc      = "Device number, hex; NULL for the whole subsystem"
from     = ["smf74_5_device.r745devn"]

[[column]]
name     = "volume"
label    = "VOLUME SERIAL"
kind     = "text"
doc      = "Volume serial"
from     = ["smf74_5_device.r745dvol"]

[[column]]
name     = "io_per_s"
label    = "I/O RATE"
unit     = "1/s"
kind     = "ratio"
num      = "io_count"
den      = "interval_s"
format   = "rate"
doc      = "I/Os a second: reads, writes, cache inhibited or bypassed"
from     = ["smf74_5_device.r745drcr", "smf74_5_device.r745drsr", "smf74_5_device.r745drnr",
            "smf74_5_device.r745dwrc", "smf74_5_device.r745dwsr", "smf74_5_device.r745dwnr",
            "smf74_5_device.r745dicl", "smf74_5_device.r745dbcr", "smf74_5_product.smf74int"]

[[column]]
name     = "total_hit_pct"
label    = "TOTAL H/R"
unit     = "%"
better   = "higher"
kind     = "ratio"
num      = "hit_count"
den      = "cacheable_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Hits, of the reads and writes the cache could serve"
from     = ["smf74_5_device.r745drcr", "smf74_5_device.r745drsr", "smf74_5_device.r745drnr",
            "smf74_5_device.r745dcrh", "smf74_5_device.r745drsh", "smf74_5_device.r745dnrh",
            "smf74_5_device.r745dwrc", "smf74_5_device.r745dwsr", "smf74_5_device.r745dwnr",
            "smf74_5_device.r745dwch", "smf74_5_device.r745dwsh", "smf74_5_device.r745dwnh"]

[[column]]
name     = "read_hit_pct"
label    = "READ H/R"
unit     = "%"
better   = "higher"
kind     = "ratio"
num      = "read_hit_count"
den      = "read_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Read hits, of the reads"
from     = ["smf74_5_device.r745drcr", "smf74_5_device.r745drsr", "smf74_5_device.r745drnr",
            "smf74_5_device.r745dcrh", "smf74_5_device.r745drsh", "smf74_5_device.r745dnrh"]

[[column]]
name     = "write_hit_pct"
label    = "WRITE H/R"
unit     = "%"
better   = "higher"
kind     = "ratio"
num      = "write_hit_count"
den      = "write_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Write hits, of the writes"
from     = ["smf74_5_device.r745dwrc", "smf74_5_device.r745dwsr", "smf74_5_device.r745dwnr",
            "smf74_5_device.r745dwch", "smf74_5_device.r745dwsh", "smf74_5_device.r745dwnh"]

[[column]]
name     = "read_pct"
label    = "% READ"
unit     = "%"
kind     = "ratio"
num      = "read_count"
den      = "cacheable_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Reads, of reads and writes"
from     = ["smf74_5_device.r745drcr", "smf74_5_device.r745drsr", "smf74_5_device.r745drnr",
            "smf74_5_device.r745dwrc", "smf74_5_device.r745dwsr", "smf74_5_device.r745dwnr"]

[[column]]
name     = "read_per_s"
label    = "READ RATE"
unit     = "1/s"
kind     = "ratio"
num      = "read_count"
den      = "interval_s"
format   = "rate"
doc      = "Reads a second"
from     = ["smf74_5_device.r745drcr", "smf74_5_device.r745drsr", "smf74_5_device.r745drnr",
            "smf74_5_product.smf74int"]

[[column]]
name     = "read_hits_per_s"
label    = "CACHE HIT RATE READ"
unit     = "1/s"
kind     = "ratio"
num      = "read_hit_count"
den      = "interval_s"
format   = "rate"
doc      = "Read hits a second"
from     = ["smf74_5_device.r745dcrh", "smf74_5_device.r745drsh", "smf74_5_device.r745dnrh",
            "smf74_5_product.smf74int"]

[[column]]
name     = "write_per_s"
label    = "WRITE RATE"
unit     = "1/s"
kind     = "ratio"
num      = "write_count"
den      = "interval_s"
format   = "rate"
doc      = "Writes a second"
from     = ["smf74_5_device.r745dwrc", "smf74_5_device.r745dwsr", "smf74_5_device.r745dwnr",
            "smf74_5_product.smf74int"]

[[column]]
name     = "write_hits_per_s"
label    = "CACHE HIT RATE WRITE"
unit     = "1/s"
kind     = "ratio"
num      = "write_hit_count"
den      = "interval_s"
format   = "rate"
doc      = "Write hits a second"
from     = ["smf74_5_device.r745dwch", "smf74_5_device.r745dwsh", "smf74_5_device.r745dwnh",
            "smf74_5_product.smf74int"]

[[column]]
name     = "sequential_per_s"
label    = "SEQ RATE"
unit     = "1/s"
kind     = "ratio"
num      = "sequential_count"
den      = "interval_s"
format   = "rate"
doc      = "Sequential reads and writes a second"
from     = ["smf74_5_device.r745drsr", "smf74_5_device.r745dwsr", "smf74_5_product.smf74int"]

[[column]]
name     = "stage_per_s"
label    = "DASD I/O RATE STAGE"
unit     = "1/s"
kind     = "ratio"
num      = "stage_count"
den      = "interval_s"
format   = "rate"
doc      = "Transfers disk to cache a second"
from     = ["smf74_5_device.r745dtc", "smf74_5_device.r745dntd", "smf74_5_product.smf74int"]

[[column]]
name     = "destage_per_s"
label    = "ASYNC RATE"
unit     = "1/s"
kind     = "ratio"
num      = "destage_count"
den      = "interval_s"
format   = "rate"
doc      = "Transfers cache to disk a second"
from     = ["smf74_5_device.r745dctd", "smf74_5_product.smf74int"]

[[column]]
name     = "bypass_per_s"
label    = "DFW BYPASS RATE"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "bypass_count"
den      = "interval_s"
format   = "rate"
doc      = "Fast writes a second held up as non-volatile storage was full"
from     = ["smf74_5_device.r745dfwb", "smf74_5_product.smf74int"]

[[column]]
name     = "inhibit_per_s"
label    = "INHIBIT RATE"
unit     = "1/s"
kind     = "ratio"
num      = "inhibit_count"
den      = "interval_s"
format   = "rate"
doc      = "Requests a second that inhibit loading the cache"
from     = ["smf74_5_device.r745dicl", "smf74_5_product.smf74int"]

[[column]]
name     = "bypass_cache_per_s"
label    = "BYPASS RATE"
unit     = "1/s"
kind     = "ratio"
num      = "bypass_cache_count"
den      = "interval_s"
format   = "rate"
doc      = "Requests a second that bypass the cache"
from     = ["smf74_5_device.r745dbcr", "smf74_5_product.smf74int"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_cache.interval_s"]

[[column]]
name     = "io_count"
unit     = "requests"
kind     = "part"
doc      = "I/Os"
from     = ["rmf_cache.io_count"]

[[column]]
name     = "cacheable_count"
unit     = "requests"
kind     = "part"
doc      = "Reads and writes"
from     = ["rmf_cache.cacheable_count"]

[[column]]
name     = "hit_count"
unit     = "requests"
kind     = "part"
doc      = "Hits"
from     = ["rmf_cache.hit_count"]

[[column]]
name     = "read_count"
unit     = "requests"
kind     = "part"
doc      = "Reads"
from     = ["rmf_cache.read_count"]

[[column]]
name     = "read_hit_count"
unit     = "requests"
kind     = "part"
doc      = "Read hits"
from     = ["rmf_cache.read_hit_count"]

[[column]]
name     = "write_count"
unit     = "requests"
kind     = "part"
doc      = "Writes"
from     = ["rmf_cache.write_count"]

[[column]]
name     = "write_hit_count"
unit     = "requests"
kind     = "part"
doc      = "Write hits"
from     = ["rmf_cache.write_hit_count"]

[[column]]
name     = "sequential_count"
unit     = "requests"
kind     = "part"
doc      = "Sequential"
from     = ["rmf_cache.sequential_count"]

[[column]]
name     = "stage_count"
unit     = "requests"
kind     = "part"
doc      = "Staged"
from     = ["rmf_cache.stage_count"]

[[column]]
name     = "destage_count"
unit     = "requests"
kind     = "part"
doc      = "Destaged"
from     = ["rmf_cache.destage_count"]

[[column]]
name     = "bypass_count"
unit     = "requests"
kind     = "part"
doc      = "Fast writes held up"
from     = ["rmf_cache.bypass_count"]

[[column]]
name     = "inhibit_count"
unit     = "requests"
kind     = "part"
doc      = "Inhibit"
from     = ["rmf_cache.inhibit_count"]

[[column]]
name     = "bypass_cache_count"
unit     = "requests"
kind     = "part"
doc      = "Bypass"
from     = ["rmf_cache.bypass_cache_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    ssid                                                         AS ssid,
    device                                                       AS device,
    volume                                                       AS volume,
    io_count / nullif(interval_s, 0)                             AS io_per_s,
    100 * hit_count / nullif(cacheable_count, 0)                 AS total_hit_pct,
    100 * read_hit_count / nullif(read_count, 0)                 AS read_hit_pct,
    100 * write_hit_count / nullif(write_count, 0)               AS write_hit_pct,
    100 * read_count / nullif(cacheable_count, 0)                AS read_pct,
    read_count / nullif(interval_s, 0)                           AS read_per_s,
    read_hit_count / nullif(interval_s, 0)                       AS read_hits_per_s,
    write_count / nullif(interval_s, 0)                          AS write_per_s,
    write_hit_count / nullif(interval_s, 0)                      AS write_hits_per_s,
    sequential_count / nullif(interval_s, 0)                     AS sequential_per_s,
    stage_count / nullif(interval_s, 0)                          AS stage_per_s,
    destage_count / nullif(interval_s, 0)                        AS destage_per_s,
    bypass_count / nullif(interval_s, 0)                         AS bypass_per_s,
    inhibit_count / nullif(interval_s, 0)                        AS inhibit_per_s,
    bypass_cache_count / nullif(interval_s, 0)                   AS bypass_cache_per_s,
    interval_s                                                   AS interval_s,
    io_count                                                     AS io_count,
    cacheable_count                                              AS cacheable_count,
    hit_count                                                    AS hit_count,
    read_count                                                   AS read_count,
    read_hit_count                                               AS read_hit_count,
    write_count                                                  AS write_count,
    write_hit_count                                              AS write_hit_count,
    sequential_count                                             AS sequential_count,
    stage_count                                                  AS stage_count,
    destage_count                                                AS destage_count,
    bypass_count                                                 AS bypass_count,
    inhibit_count                                                AS inhibit_count,
    bypass_cache_count                                           AS bypass_cache_count
FROM rmf_cache
ORDER BY run, system, interval_start_utc, interval_start, ssid, device NULLS FIRST
