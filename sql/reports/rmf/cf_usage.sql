/* imsperf report
id       = "rmf.cf_usage"
title    = "Coupling Facility Usage Summary"
answers  = "What fills and loads the coupling facility, and are structures large enough?"
called   = ["cf"]
key      = ["cf", "structure"]
records_by = ["interval_start"]
optional = ["smf74_4_cache", "smf74_4_processor", "smf74_4_storage", "smf74_4_structure"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "structure"
y        = ["requests_per_s"]
facet    = "cf"
where    = "structure IS NOT NULL"
top      = 20
by       = "request_count"
title    = "Requests of the 20 most used structures, a second"

[page]
layout   = "RMF Report Analysis, SC34-2665"
together = [["rmf.cf_usage"], ["rmf.cf_structure"], ["rmf.cf_subchannel"], ["rmf.cf_to_cf"]]
heading  = "sysplex"
title    = "Coupling Facility Activity"
breaks   = ["cf"]
above    = """
COUPLING FACILITY NAME = {cf}
COUPLING FACILITY USAGE SUMMARY

"""

[page.texts]
locks_total   = "if(type = 'CACHE' AND locks_total IS NULL, 'N/A', NULL)"
locks_used    = "if(type = 'CACHE' AND locks_total IS NULL, 'N/A', NULL)"
type          = "if(row_number() OVER (block ORDER BY row_place) > 1 AND type = lag(type) OVER (block ORDER BY row_place), '', NULL)"
structures_pct = "format('{:.1f}', 100 * structures_mb / nullif(storage_mb, 0))"
dump_pct      = "format('{:.1f}', 100 * dump_mb / nullif(storage_mb, 0))"
free_pct      = "format('{:.1f}', 100 * storage_free_mb / nullif(storage_mb, 0))"
control_pct   = "format('{:.1f}', 100 * (control_mb - control_free_mb) / nullif(control_mb, 0))"

[[page.table]]
above    = "STRUCTURE SUMMARY"
where    = "structure IS NOT NULL"
columns  = """
type             -5  ||TYPE
structure       -16  STRUCTURE||NAME
status          -11  ||STATUS
chg              -1  C|H|G
allocated_mb      8  ALLOC|SIZE|MB
storage_pct       5  % OF|CF|STOR
requests          8  ||# REQ
requests_pct      5  % OF|ALL|REQ
cf_util_pct       5  % OF|CF|UTIL
requests_per_s    7  AVG|REQ/|SEC
entries_total     7  LST/DIR|ENTRIES|TOT
entries_used      7  ||CUR
elements_total    7  DATA|ELEMENTS|TOT
elements_used     7  ||CUR
locks_total       7  LOCK|ENTRIES|TOT
locks_used        7  ||CUR
"""

[[page.table]]
where    = "structure IS NULL"
joined   = true
text     = """
STRUCTURE TOTALS                     {structures_mb:8} {structures_pct:5} {requests:8}             {requests_per_s:7}

STORAGE SUMMARY
                                        ALLOC   % OF CF
                                      SIZE MB   STORAGE
TOTAL CF STORAGE USED BY STRUCTURES{structures_mb:10}{structures_pct:10}
TOTAL CF DUMP STORAGE              {dump_mb:10}{dump_pct:10}
TOTAL CF STORAGE AVAILABLE         {storage_free_mb:10}{free_pct:10}
TOTAL CF STORAGE SIZE              {storage_mb:10}
                                             % ALLOCATED
TOTAL CONTROL STORAGE DEFINED      {control_mb:10}{control_pct:10}

PROCESSOR SUMMARY
COUPLING FACILITY CFLEVEL {level}
AVERAGE CF UTILIZATION (% BUSY) {busy_pct:6}   LOGICAL PROCESSORS: DEFINED {processors_defined:5}   EFFECTIVE {processors_effective:6}
                                                          SHARED {processors_shared:6}   AVG WEIGHT {weight_avg:6}
                                                          DEDICATED {processors_dedicated:3}
"""

[columns]
cf                    = { label = "CF" }
encrypted             = { label = "ENC", empty = "" }
status                = { empty = "", total = "last" }
chg                   = { label = "CHG", empty = "", total = "max" }
processors_defined    = { label = "LOGICAL PROCESSORS DEFINED", kind = "level", format = "int", empty = "" }
weight_avg            = { label = "AVG WEIGHT", format = "1", empty = "" }
structures_mb         = { label = "STRUCTURES MB", kind = "level", format = "1", empty = "" }
dump_mb               = { label = "DUMP SPACE MB", kind = "level", format = "1", empty = "" }
control_mb            = { label = "CONTROL STORAGE MB", kind = "level", format = "1", empty = "" }
control_free_mb       = { label = "CONTROL STORAGE FREE MB", kind = "level", format = "1", empty = "" }
allocated_mb          = { label = "ALLOC SIZE", format = "1", empty = "" }
storage_pct           = { format = "1", empty = "" }
requests              = { kind = "count", format = "scaled" }
requests_pct          = { format = "1" }
cf_util_pct           = { format = "1", empty = "" }
requests_per_s        = { label = "AVG REQ/SEC", format = "rate" }
entries_total         = { format = "scaled", empty = "", total = "last" }
entries_used          = { label = "LST/DIR ENTRIES CUR", format = "scaled", empty = "", total = "last" }
elements_total        = { format = "scaled", empty = "", total = "last" }
elements_used         = { label = "DATA ELEMENTS CUR", format = "scaled", empty = "", total = "last" }
locks_total           = { format = "scaled", empty = "", total = "last" }
locks_used            = { label = "LOCK ENTRIES CUR", format = "scaled", empty = "", total = "last" }
directory_reclaims    = { label = "DIR REC", kind = "count", better = "lower", format = "scaled", empty = "" }
reclaim_invalidations = { label = "DIR REC XI'S", kind = "count", better = "lower", format = "scaled", empty = "" }
busy_pct              = { label = "AVERAGE CF UTILIZATION", format = "1", empty = "" }
processors_effective  = { label = "LOGICAL PROCESSORS EFFECTIVE", format = "1", empty = "" }
processors_dedicated  = { label = "DEDICATED", format = "int", empty = "" }
processors_shared     = { label = "SHARED", format = "int", empty = "" }
storage_mb            = { label = "TOTAL CF STORAGE", format = "1", empty = "" }
storage_free_mb       = { label = "AVAILABLE", kind = "level", format = "1", empty = "" }
level                 = { label = "CFLEVEL", format = "int", empty = "" }
*/
SELECT
    run, sysplex,
    system, -- System, where only one recorded the facility; else NULL
    interval_start, -- Interval start, local time of the first system
    interval_start_utc, cf, structure, type, encrypted, status,
    CASE WHEN became_active THEN 'X' END                         AS chg, -- X where the structure became active in the interval
    allocated_bytes / 1048576                                    AS allocated_mb, -- Size allocated
    100 * allocated_bytes / nullif(storage_bytes, 0)             AS storage_pct, -- Size, of the storage of the facility
    request_count                                                AS requests, -- Requests of all systems [requests]
    100 * request_count / nullif(cf_request_count, 0)            AS requests_pct, -- Of the requests to the facility
    100 * execution_us / nullif(busy_us, 0)                      AS cf_util_pct, -- Execution time, of the time the facility was busy
    request_count / nullif(interval_s, 0)                        AS requests_per_s, -- Requests a second
    entries_total_count                                          AS entries_total, -- List or directory entries the structure may hold
    entries_used_count                                           AS entries_used, -- Of these, in use
    elements_total_count                                         AS elements_total, -- Data elements the structure may hold
    elements_used_count                                          AS elements_used, -- Of these, in use
    locks_total_count                                            AS locks_total, -- Lock table entries
    locks_used_count                                             AS locks_used, -- Of these, in use
    directory_reclaims_count                                     AS directory_reclaims, -- Cache: directory entries reclaimed
    reclaim_invalidations_count                                  AS reclaim_invalidations, -- Cache: cross-invalidations as a directory entry was reclaimed
    100 * busy_us / nullif(processor_us, 0)                      AS busy_pct, -- Processors of the facility busy; of the whole facility only
    processor_us / nullif(interval_us, 0)                        AS processors_effective, -- Processors the facility had, mean of the interval [processors]
    processors_dedicated, -- Dedicated processors of the facility [processors]
    processors_shared, -- Shared processors of the facility [processors]
    processors_dedicated + processors_shared                     AS processors_defined, -- Logical processors of the facility [processors]
    weight_sum / nullif(processors_shared, 0)                    AS weight_avg, -- Weight of a shared processor, mean
    structures_bytes / 1048576                                   AS structures_mb, -- Size of all structures; of the whole facility only
    dump_bytes / 1048576                                         AS dump_mb, -- Dump space; of the whole facility only
    control_bytes / 1048576                                      AS control_mb, -- Control storage; of the whole facility only
    control_free_bytes / 1048576                                 AS control_free_mb, -- Control storage free
    CASE WHEN structure IS NULL THEN storage_bytes / 1048576 END AS storage_mb, -- Storage of the facility; of the whole facility only
    storage_free_bytes / 1048576                                 AS storage_free_mb, -- Storage free
    level, -- Level of the facility
    interval_s, interval_us, allocated_bytes, storage_bytes, request_count, cf_request_count,
    execution_us, busy_us, processor_us, weight_sum
FROM rmf_cf_usage
ORDER BY run, sysplex, interval_start_utc, cf, structure NULLS LAST
