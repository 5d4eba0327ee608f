/* imsperf report
id       = "rmf.cf_usage"
title    = "Coupling Facility Usage Summary"
answers  = "What fills and loads the coupling facility, and are structures large enough?"
key      = ["cf", "structure"]
time     = "interval_start_utc"
needs    = ["load_file", "smf74_4_cache", "smf74_4_facility", "smf74_4_processor",
            "smf74_4_product", "smf74_4_request", "smf74_4_storage"]
optional = ["smf74_4_cache", "smf74_4_processor", "smf74_4_storage"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "structure"
y        = ["requests_per_s"]
facet    = "cf"
where    = "structure IS NOT NULL"
top      = 20
by       = "request_count"
title    = "Requests of the 20 most used structures, a second"

[[column]]
name     = "run"
kind     = "text"
doc      = "Measurement"
from     = ["load_file.run"]

[[column]]
name     = "sysplex"
kind     = "text"
doc      = "Sysplex name"
from     = ["smf74_4_product.smf74xnm"]

[[column]]
name     = "system"
kind     = "text"
doc      = "System, where only one recorded the facility; else NULL"
from     = ["smf74_4_facility.system"]

[[column]]
name     = "interval_start"
kind     = "time"
doc      = "Interval start, local time of the first system"
from     = ["smf74_4_product.interval_start"]

[[column]]
name     = "interval_start_utc"
kind     = "time"
doc      = "Interval start, UTC"
from     = ["smf74_4_product.interval_start", "smf74_4_product.smf74lgo"]

[[column]]
name     = "cf"
label    = "CF"
kind     = "text"
doc      = "Coupling facility"
from     = ["smf74_4_facility.r744fnam"]

[[column]]
name     = "structure"
label    = "STRUCTURE NAME"
kind     = "text"
doc      = "Structure; NULL for the whole facility"
from     = ["smf74_4_request.r744snam"]

[[column]]
name     = "type"
label    = "TYPE"
kind     = "text"
doc      = "LIST, LOCK or CACHE"
from     = ["smf74_4_request.r744styp"]

[[column]]
name     = "encrypted"
label    = "ENC"
kind     = "config"
empty    = ""
doc      = "Data of the structure are encrypted"
from     = ["smf74_4_request.r744sflg"]

[[column]]
name     = "allocated_mb"
label    = "ALLOC SIZE"
unit     = "MB"
kind     = "config"
format   = "1"
empty    = ""
doc      = "Size allocated"
from     = ["smf74_4_request.r744ssiz"]

[[column]]
name     = "storage_pct"
label    = "% OF CF STOR"
unit     = "%"
kind     = "ratio"
num      = "allocated_bytes"
den      = "storage_bytes"
scale    = 100
format   = "1"
empty    = ""
doc      = "Size, of the storage of the facility"
from     = ["smf74_4_request.r744ssiz", "smf74_4_storage.r744gtsd"]

[[column]]
name     = "requests"
label    = "# REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Requests of all systems"
from     = ["smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "requests_pct"
label    = "% OF ALL REQ"
unit     = "%"
kind     = "ratio"
num      = "request_count"
den      = "cf_request_count"
scale    = 100
format   = "1"
doc      = "Of the requests to the facility"
from     = ["smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "cf_util_pct"
label    = "% OF CF UTIL"
unit     = "%"
kind     = "ratio"
num      = "execution_us"
den      = "busy_us"
scale    = 100
format   = "1"
empty    = ""
doc      = "Execution time, of the time the facility was busy"
from     = ["smf74_4_request.r744setm", "smf74_4_processor.r744pbsy"]

[[column]]
name     = "requests_per_s"
label    = "AVG REQ/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "request_count"
den      = "interval_s"
format   = "rate"
doc      = "Requests a second"
from     = ["smf74_4_request.r744ssrc", "smf74_4_request.r744sarc", "smf74_4_product.smf74int"]

[[column]]
name     = "entries_total"
label    = "LST/DIR ENTRIES TOT"
kind     = "config"
format   = "scaled"
empty    = ""
doc      = "List or directory entries the structure may hold"
from     = ["smf74_4_request.r744slel", "smf74_4_request.r744sdec"]

[[column]]
name     = "entries_used"
label    = "LST/DIR ENTRIES CUR"
kind     = "config"
format   = "scaled"
empty    = ""
doc      = "Of these, in use"
from     = ["smf74_4_request.r744slem", "smf74_4_cache.r744cdec"]

[[column]]
name     = "elements_total"
label    = "DATA ELEMENTS TOT"
kind     = "config"
format   = "scaled"
empty    = ""
doc      = "Data elements the structure may hold"
from     = ["smf74_4_request.r744smae", "smf74_4_request.r744sdel"]

[[column]]
name     = "elements_used"
label    = "DATA ELEMENTS CUR"
kind     = "config"
format   = "scaled"
empty    = ""
doc      = "Of these, in use"
from     = ["smf74_4_request.r744scue", "smf74_4_cache.r744cdac"]

[[column]]
name     = "locks_total"
label    = "LOCK ENTRIES TOT"
kind     = "config"
format   = "scaled"
empty    = ""
doc      = "Lock table entries"
from     = ["smf74_4_request.r744sltl"]

[[column]]
name     = "locks_used"
label    = "LOCK ENTRIES CUR"
kind     = "config"
format   = "scaled"
empty    = ""
doc      = "Of these, in use"
from     = ["smf74_4_request.r744sltm"]

[[column]]
name     = "directory_reclaims"
label    = "DIR REC"
better   = "lower"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Cache: directory entries reclaimed"
from     = ["smf74_4_cache.r744cder"]

[[column]]
name     = "reclaim_invalidations"
label    = "DIR REC XI'S"
better   = "lower"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Cache: cross-invalidations as a directory entry was reclaimed"
from     = ["smf74_4_cache.r744cxdr"]

[[column]]
name     = "busy_pct"
label    = "AVERAGE CF UTILIZATION"
unit     = "%"
kind     = "ratio"
num      = "busy_us"
den      = "processor_us"
scale    = 100
format   = "1"
empty    = ""
doc      = "Processors of the facility busy; of the whole facility only"
from     = ["smf74_4_processor.r744pbsy", "smf74_4_processor.r744pwai"]

[[column]]
name     = "processors_effective"
label    = "LOGICAL PROCESSORS EFFECTIVE"
unit     = "processors"
kind     = "ratio"
num      = "processor_us"
den      = "interval_us"
format   = "1"
empty    = ""
doc      = "Processors the facility had, mean of the interval"
from     = ["smf74_4_processor.r744pbsy", "smf74_4_processor.r744pwai",
            "smf74_4_product.smf74int"]

[[column]]
name     = "processors_dedicated"
label    = "DEDICATED"
unit     = "processors"
kind     = "config"
format   = "int"
empty    = ""
doc      = "Dedicated processors of the facility"
from     = ["smf74_4_facility.r744fpdn"]

[[column]]
name     = "processors_shared"
label    = "SHARED"
unit     = "processors"
kind     = "config"
format   = "int"
empty    = ""
doc      = "Shared processors of the facility"
from     = ["smf74_4_facility.r744fpsn"]

[[column]]
name     = "storage_mb"
label    = "TOTAL CF STORAGE"
unit     = "MB"
kind     = "config"
format   = "1"
empty    = ""
doc      = "Storage of the facility; of the whole facility only"
from     = ["smf74_4_storage.r744gtsd"]

[[column]]
name     = "storage_free_mb"
label    = "AVAILABLE"
unit     = "MB"
kind     = "level"
format   = "1"
empty    = ""
doc      = "Storage free"
from     = ["smf74_4_storage.r744gtsf"]

[[column]]
name     = "level"
label    = "CFLEVEL"
kind     = "config"
format   = "int"
empty    = ""
doc      = "Level of the facility"
from     = ["smf74_4_facility.r744flvl"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_cf_usage.interval_s"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_cf_usage.interval_us"]

[[column]]
name     = "allocated_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Size allocated"
from     = ["rmf_cf_usage.allocated_bytes"]

[[column]]
name     = "storage_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Storage of the facility"
from     = ["rmf_cf_usage.storage_bytes"]

[[column]]
name     = "request_count"
unit     = "requests"
kind     = "part"
doc      = "Requests"
from     = ["rmf_cf_usage.request_count"]

[[column]]
name     = "cf_request_count"
unit     = "requests"
kind     = "part"
doc      = "Requests to the facility"
from     = ["rmf_cf_usage.cf_request_count"]

[[column]]
name     = "execution_us"
unit     = "us"
kind     = "part"
doc      = "Execution time"
from     = ["rmf_cf_usage.execution_us"]

[[column]]
name     = "busy_us"
unit     = "us"
kind     = "part"
doc      = "Time the facility was busy"
from     = ["rmf_cf_usage.busy_us"]

[[column]]
name     = "processor_us"
unit     = "us"
kind     = "part"
doc      = "Time busy or waiting"
from     = ["rmf_cf_usage.processor_us"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    cf                                                           AS cf,
    structure                                                    AS structure,
    type                                                         AS type,
    encrypted                                                    AS encrypted,
    allocated_bytes / 1048576                                    AS allocated_mb,
    100 * allocated_bytes / nullif(storage_bytes, 0)             AS storage_pct,
    request_count                                                AS requests,
    100 * request_count / nullif(cf_request_count, 0)            AS requests_pct,
    100 * execution_us / nullif(busy_us, 0)                      AS cf_util_pct,
    request_count / nullif(interval_s, 0)                        AS requests_per_s,
    entries_total_count                                          AS entries_total,
    entries_used_count                                           AS entries_used,
    elements_total_count                                         AS elements_total,
    elements_used_count                                          AS elements_used,
    locks_total_count                                            AS locks_total,
    locks_used_count                                             AS locks_used,
    directory_reclaims_count                                     AS directory_reclaims,
    reclaim_invalidations_count                                  AS reclaim_invalidations,
    100 * busy_us / nullif(processor_us, 0)                      AS busy_pct,
    processor_us / nullif(interval_us, 0)                        AS processors_effective,
    processors_dedicated                                         AS processors_dedicated,
    processors_shared                                            AS processors_shared,
    CASE WHEN structure IS NULL THEN storage_bytes / 1048576 END AS storage_mb,
    storage_free_bytes / 1048576                                 AS storage_free_mb,
    level                                                        AS level,
    interval_s                                                   AS interval_s,
    interval_us                                                  AS interval_us,
    allocated_bytes                                              AS allocated_bytes,
    storage_bytes                                                AS storage_bytes,
    request_count                                                AS request_count,
    cf_request_count                                             AS cf_request_count,
    execution_us                                                 AS execution_us,
    busy_us                                                      AS busy_us,
    processor_us                                                 AS processor_us
FROM rmf_cf_usage
ORDER BY run, sysplex, interval_start_utc, cf, structure NULLS LAST
