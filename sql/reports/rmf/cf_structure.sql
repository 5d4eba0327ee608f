/* imsperf report
id       = "rmf.cf_structure"
title    = "Coupling Facility Structure Activity"
answers  = "Which structure is slow or delayed, for which system, and does its lock table suffice?"
key      = ["cf", "structure"]
time     = "interval_start_utc"
lead     = "smf74_4_product"
needs    = ["load_file", "smf74_4_cache", "smf74_4_facility", "smf74_4_product",
            "smf74_4_request"]
optional = ["smf74_4_cache"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "structure"
y        = ["sync_us", "async_us"]
facet    = "system"
stack    = "no"
top      = 20
by       = "request_count"
title    = "Service time of the 20 most used structures, us"

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
doc      = "Structure"
from     = ["smf74_4_request.r744snam"]

[[column]]
name     = "type"
label    = "TYPE"
kind     = "text"
doc      = "LIST, LOCK or CACHE"
from     = ["smf74_4_request.r744styp"]

[[column]]
name     = "total_count"
label    = "# REQ TOTAL"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Requests of the system"
from     = ["smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "requests_per_s"
label    = "AVG/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "request_count"
den      = "interval_s"
format   = "rate"
doc      = "Requests of the system a second"
from     = ["smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "sync_count"
label    = "SYNC # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Synchronous requests"
from     = ["smf74_4_request.r744ssrc"]

[[column]]
name     = "sync_pct"
label    = "SYNC % OF ALL"
unit     = "%"
kind     = "ratio"
num      = "sync_count"
den      = "all_request_count"
scale    = 100
format   = "1"
doc      = "Synchronous, of the requests of all systems"
from     = ["smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "sync_us"
label    = "SYNC AVG"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "sync_total_us"
den      = "sync_count"
format   = "1"
doc      = "Mean service time of a synchronous request"
from     = ["smf74_4_request.r744sstm", "smf74_4_request.r744ssrc"]

[[column]]
name     = "sync_std_us"
label    = "SYNC STD_DEV"
unit     = "us"
kind     = "config"
format   = "1"
total_sql = """sqrt(greatest(sum(sync_count) * sum(sync_squares_us2) - sum(sync_total_us) ** 2, 0)
    / nullif(sum(sync_count) * (sum(sync_count) - 1), 0))"""
doc      = "Standard deviation of the service time, of the sample"
from     = ["smf74_4_request.r744sstm", "smf74_4_request.r744sssq", "smf74_4_request.r744ssrc"]

[[column]]
name     = "async_count"
label    = "ASYNC # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Asynchronous requests"
from     = ["smf74_4_request.r744sarc"]

[[column]]
name     = "async_pct"
label    = "ASYNC % OF ALL"
unit     = "%"
kind     = "ratio"
num      = "async_count"
den      = "all_request_count"
scale    = 100
format   = "1"
doc      = "Asynchronous, of the requests of all systems"
from     = ["smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "async_us"
label    = "ASYNC AVG"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "async_total_us"
den      = "async_count"
format   = "1"
doc      = "Mean service time of an asynchronous request"
from     = ["smf74_4_request.r744satm", "smf74_4_request.r744sarc"]

[[column]]
name     = "async_std_us"
label    = "ASYNC STD_DEV"
unit     = "us"
kind     = "config"
format   = "1"
total_sql = """sqrt(greatest(sum(async_count) * sum(async_squares_us2)
    - sum(async_total_us) ** 2, 0)
    / nullif(sum(async_count) * (sum(async_count) - 1), 0))"""
doc      = "Standard deviation of the service time, of the sample"
from     = ["smf74_4_request.r744satm", "smf74_4_request.r744sasq", "smf74_4_request.r744sarc"]

[[column]]
name     = "changed_count"
label    = "CHNGD # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Synchronous requests turned asynchronous; among the asynchronous ones"
from     = ["smf74_4_request.r744ssta"]

[[column]]
name     = "changed_pct"
label    = "CHNGD %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "changed_count"
den      = "request_count"
scale    = 100
format   = "1"
doc      = "Turned asynchronous, of the system's requests; above 10 links or subchannels are short"
from     = ["smf74_4_request.r744ssta", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "suppressed_count"
label    = "SUPPR # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Requests whose execution was suppressed"
from     = ["smf74_4_request.r744spes"]

[[column]]
name     = "nosch_count"
label    = "NO SCH # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "NO SCH: requests delayed"
from     = ["smf74_4_request.r744sqrc"]

[[column]]
name     = "nosch_pct"
label    = "NO SCH % OF REQ"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "nosch_count"
den      = "request_count"
scale    = 100
format   = "1"
doc      = "NO SCH: delayed, of the requests of the system"
from     = ["smf74_4_request.r744sqrc", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "nosch_del_us"
label    = "NO SCH /DEL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "nosch_us"
den      = "nosch_count"
format   = "1"
doc      = "NO SCH: mean delay of a delayed request"
from     = ["smf74_4_request.r744sqtm", "smf74_4_request.r744sqrc"]

[[column]]
name     = "nosch_std_us"
label    = "NO SCH STD_DEV"
unit     = "us"
kind     = "config"
format   = "1"
total_sql = """sqrt(greatest(sum(nosch_count) * sum(nosch_squares_us2) - sum(nosch_us) ** 2, 0)
    / nullif(sum(nosch_count) * (sum(nosch_count) - 1), 0))"""
doc      = "NO SCH: standard deviation of the delay, of the sample"
from     = ["smf74_4_request.r744sqtm", "smf74_4_request.r744sqsq", "smf74_4_request.r744sqrc"]

[[column]]
name     = "nosch_all_us"
label    = "NO SCH /ALL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "nosch_us"
den      = "request_count"
format   = "1"
doc      = "NO SCH: delay spread over all requests of the system"
from     = ["smf74_4_request.r744sqtm", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "prwt_count"
label    = "PR WT # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "PR WT: requests delayed"
from     = ["smf74_4_request.r744sptc"]

[[column]]
name     = "prwt_pct"
label    = "PR WT % OF REQ"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "prwt_count"
den      = "request_count"
scale    = 100
format   = "1"
doc      = "PR WT: delayed, of the requests of the system"
from     = ["smf74_4_request.r744sptc", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "prwt_del_us"
label    = "PR WT /DEL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "prwt_us"
den      = "prwt_count"
format   = "1"
doc      = "PR WT: mean delay of a delayed request"
from     = ["smf74_4_request.r744spst", "smf74_4_request.r744sptc"]

[[column]]
name     = "prwt_std_us"
label    = "PR WT STD_DEV"
unit     = "us"
kind     = "config"
format   = "1"
total_sql = """sqrt(greatest(sum(prwt_count) * sum(prwt_squares_us2) - sum(prwt_us) ** 2, 0)
    / nullif(sum(prwt_count) * (sum(prwt_count) - 1), 0))"""
doc      = "PR WT: standard deviation of the delay, of the sample"
from     = ["smf74_4_request.r744spst", "smf74_4_request.r744spss", "smf74_4_request.r744sptc"]

[[column]]
name     = "prwt_all_us"
label    = "PR WT /ALL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "prwt_us"
den      = "request_count"
format   = "1"
doc      = "PR WT: delay spread over all requests of the system"
from     = ["smf74_4_request.r744spst", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "prcmp_count"
label    = "PR CMP # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "PR CMP: requests delayed"
from     = ["smf74_4_request.r744sctc"]

[[column]]
name     = "prcmp_pct"
label    = "PR CMP % OF REQ"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "prcmp_count"
den      = "request_count"
scale    = 100
format   = "1"
doc      = "PR CMP: delayed, of the requests of the system"
from     = ["smf74_4_request.r744sctc", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "prcmp_del_us"
label    = "PR CMP /DEL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "prcmp_us"
den      = "prcmp_count"
format   = "1"
doc      = "PR CMP: mean delay of a delayed request"
from     = ["smf74_4_request.r744scst", "smf74_4_request.r744sctc"]

[[column]]
name     = "prcmp_std_us"
label    = "PR CMP STD_DEV"
unit     = "us"
kind     = "config"
format   = "1"
total_sql = """sqrt(greatest(sum(prcmp_count) * sum(prcmp_squares_us2) - sum(prcmp_us) ** 2, 0)
    / nullif(sum(prcmp_count) * (sum(prcmp_count) - 1), 0))"""
doc      = "PR CMP: standard deviation of the delay, of the sample"
from     = ["smf74_4_request.r744scst", "smf74_4_request.r744scss", "smf74_4_request.r744sctc"]

[[column]]
name     = "prcmp_all_us"
label    = "PR CMP /ALL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "prcmp_us"
den      = "request_count"
format   = "1"
doc      = "PR CMP: delay spread over all requests of the system"
from     = ["smf74_4_request.r744scst", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "dump_count"
label    = "DUMP # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "DUMP: requests delayed"
from     = ["smf74_4_request.r744sdrc"]

[[column]]
name     = "dump_pct"
label    = "DUMP % OF REQ"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "dump_count"
den      = "request_count"
scale    = 100
format   = "1"
doc      = "DUMP: delayed, of the requests of the system"
from     = ["smf74_4_request.r744sdrc", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "dump_del_us"
label    = "DUMP /DEL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "dump_us"
den      = "dump_count"
format   = "1"
doc      = "DUMP: mean delay of a delayed request"
from     = ["smf74_4_request.r744sdtm", "smf74_4_request.r744sdrc"]

[[column]]
name     = "dump_all_us"
label    = "DUMP /ALL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "dump_us"
den      = "request_count"
format   = "1"
doc      = "DUMP: delay spread over all requests of the system"
from     = ["smf74_4_request.r744sdtm", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "monop_count"
label    = "MONOP # REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "MONOP: requests delayed"
from     = ["smf74_4_request.r744smrc"]

[[column]]
name     = "monop_pct"
label    = "MONOP % OF REQ"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "monop_count"
den      = "request_count"
scale    = 100
format   = "1"
doc      = "MONOP: delayed, of the requests of the system"
from     = ["smf74_4_request.r744smrc", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "monop_del_us"
label    = "MONOP /DEL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "monop_us"
den      = "monop_count"
format   = "1"
doc      = "MONOP: mean delay of a delayed request"
from     = ["smf74_4_request.r744smtm", "smf74_4_request.r744smrc"]

[[column]]
name     = "monop_all_us"
label    = "MONOP /ALL"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "monop_us"
den      = "request_count"
format   = "1"
doc      = "MONOP: delay spread over all requests of the system"
from     = ["smf74_4_request.r744smtm", "smf74_4_request.r744ssrc", "smf74_4_request.r744sarc"]

[[column]]
name     = "delayed_count"
label    = "DELAYED # REQ"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Delays for want of a subchannel, of the peer's and of its completion"
from     = ["smf74_4_request.r744sqrc", "smf74_4_request.r744sptc", "smf74_4_request.r744sctc"]

[[column]]
name     = "lock_requests_count"
label    = "REQ TOTAL"
unit     = "requests"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Lock: requests; NULL for other structures"
from     = ["smf74_4_request.r744strc"]

[[column]]
name     = "deferred_count"
label    = "REQ DEFERRED"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Lock: requests held up by contention"
from     = ["smf74_4_request.r744stac"]

[[column]]
name     = "contention_count"
label    = "-CONT"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Lock: requests that met contention"
from     = ["smf74_4_request.r744scn"]

[[column]]
name     = "false_contention_count"
label    = "-FALSE CONT"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Lock: requests that met false contention"
from     = ["smf74_4_request.r744sfcn"]

[[column]]
name     = "contention_pct"
label    = "CONT %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "contention_count"
den      = "lock_requests_count"
scale    = 100
format   = "2"
empty    = ""
doc      = "Lock: contention, of the requests"
from     = ["smf74_4_request.r744scn", "smf74_4_request.r744strc"]

[[column]]
name     = "cache_reads_count"
label    = "READS"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Cache: read hits; NULL for other structures"
from     = ["smf74_4_cache.r744crhc"]

[[column]]
name     = "cache_writes_count"
label    = "WRITES"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Cache: write hits"
from     = ["smf74_4_cache.r744cwh0", "smf74_4_cache.r744cwh1"]

[[column]]
name     = "castouts_count"
label    = "CASTOUTS"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Cache: castouts"
from     = ["smf74_4_cache.r744ccoc"]

[[column]]
name     = "cross_invalidations_count"
label    = "XI'S"
kind     = "count"
format   = "scaled"
empty    = ""
doc      = "Cache: cross-invalidations"
from     = ["smf74_4_cache.r744cxci", "smf74_4_cache.r744cxni", "smf74_4_cache.r744cxfw",
            "smf74_4_cache.r744cxrl", "smf74_4_cache.r744cxdr"]

[[column]]
name     = "sync_squares_us2"
unit     = "us2"
kind     = "part"
doc      = "Sum of the squares of its times"
from     = ["rmf_cf_structure.sync_squares_us2"]

[[column]]
name     = "async_squares_us2"
unit     = "us2"
kind     = "part"
doc      = "Sum of the squares of its times"
from     = ["rmf_cf_structure.async_squares_us2"]

[[column]]
name     = "nosch_squares_us2"
unit     = "us2"
kind     = "part"
doc      = "Sum of the squares of its times"
from     = ["rmf_cf_structure.nosch_squares_us2"]

[[column]]
name     = "prwt_squares_us2"
unit     = "us2"
kind     = "part"
doc      = "Sum of the squares of its times"
from     = ["rmf_cf_structure.prwt_squares_us2"]

[[column]]
name     = "prcmp_squares_us2"
unit     = "us2"
kind     = "part"
doc      = "Sum of the squares of its times"
from     = ["rmf_cf_structure.prcmp_squares_us2"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_cf_structure.interval_s"]

[[column]]
name     = "request_count"
unit     = "requests"
kind     = "part"
doc      = "Requests of the system"
from     = ["rmf_cf_structure.request_count"]

[[column]]
name     = "all_request_count"
unit     = "requests"
kind     = "part"
doc      = "Requests of all systems"
from     = ["rmf_cf_structure.all_request_count"]

[[column]]
name     = "sync_total_us"
unit     = "us"
kind     = "part"
doc      = "Service time of synchronous requests"
from     = ["rmf_cf_structure.sync_us"]

[[column]]
name     = "async_total_us"
unit     = "us"
kind     = "part"
doc      = "Service time of asynchronous requests"
from     = ["rmf_cf_structure.async_us"]

[[column]]
name     = "nosch_us"
unit     = "us"
kind     = "part"
doc      = "Delay: no subchannel"
from     = ["rmf_cf_structure.nosch_us"]

[[column]]
name     = "prwt_us"
unit     = "us"
kind     = "part"
doc      = "Delay: peer wait"
from     = ["rmf_cf_structure.prwt_us"]

[[column]]
name     = "prcmp_us"
unit     = "us"
kind     = "part"
doc      = "Delay: peer completion"
from     = ["rmf_cf_structure.prcmp_us"]

[[column]]
name     = "dump_us"
unit     = "us"
kind     = "part"
doc      = "Delay: dump serialisation"
from     = ["rmf_cf_structure.dump_us"]

[[column]]
name     = "monop_us"
unit     = "us"
kind     = "part"
doc      = "Delay: monopolisation avoidance"
from     = ["rmf_cf_structure.monop_us"]
*/
WITH structure_use AS (
    SELECT * RENAME (sync_us AS sync_total_us, async_us AS async_total_us)
    FROM rmf_cf_structure
)
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    cf                                                           AS cf,
    structure                                                    AS structure,
    type                                                         AS type,
    request_count                                                AS total_count,
    request_count / nullif(interval_s, 0)                        AS requests_per_s,
    sync_count                                                   AS sync_count,
    100 * sync_count / nullif(all_request_count, 0)              AS sync_pct,
    sync_total_us / nullif(sync_count, 0)                        AS sync_us,
    sqrt(greatest(sync_count * sync_squares_us2 - sync_total_us ** 2, 0)
        / nullif(sync_count * (sync_count - 1), 0))              AS sync_std_us,
    async_count                                                  AS async_count,
    100 * async_count / nullif(all_request_count, 0)             AS async_pct,
    async_total_us / nullif(async_count, 0)                      AS async_us,
    sqrt(greatest(async_count * async_squares_us2 - async_total_us ** 2, 0)
        / nullif(async_count * (async_count - 1), 0))            AS async_std_us,
    changed_count                                                AS changed_count,
    100 * changed_count / nullif(request_count, 0)               AS changed_pct,
    suppressed_count                                             AS suppressed_count,
    nosch_count                                                  AS nosch_count,
    100 * nosch_count / nullif(request_count, 0)                 AS nosch_pct,
    nosch_us / nullif(nosch_count, 0)                            AS nosch_del_us,
    sqrt(greatest(nosch_count * nosch_squares_us2 - nosch_us ** 2, 0)
        / nullif(nosch_count * (nosch_count - 1), 0))            AS nosch_std_us,
    nosch_us / nullif(request_count, 0)                          AS nosch_all_us,
    prwt_count                                                   AS prwt_count,
    100 * prwt_count / nullif(request_count, 0)                  AS prwt_pct,
    prwt_us / nullif(prwt_count, 0)                              AS prwt_del_us,
    sqrt(greatest(prwt_count * prwt_squares_us2 - prwt_us ** 2, 0)
        / nullif(prwt_count * (prwt_count - 1), 0))              AS prwt_std_us,
    prwt_us / nullif(request_count, 0)                           AS prwt_all_us,
    prcmp_count                                                  AS prcmp_count,
    100 * prcmp_count / nullif(request_count, 0)                 AS prcmp_pct,
    prcmp_us / nullif(prcmp_count, 0)                            AS prcmp_del_us,
    sqrt(greatest(prcmp_count * prcmp_squares_us2 - prcmp_us ** 2, 0)
        / nullif(prcmp_count * (prcmp_count - 1), 0))            AS prcmp_std_us,
    prcmp_us / nullif(request_count, 0)                          AS prcmp_all_us,
    dump_count                                                   AS dump_count,
    100 * dump_count / nullif(request_count, 0)                  AS dump_pct,
    dump_us / nullif(dump_count, 0)                              AS dump_del_us,
    dump_us / nullif(request_count, 0)                           AS dump_all_us,
    monop_count                                                  AS monop_count,
    100 * monop_count / nullif(request_count, 0)                 AS monop_pct,
    monop_us / nullif(monop_count, 0)                            AS monop_del_us,
    monop_us / nullif(request_count, 0)                          AS monop_all_us,
    nosch_count + prwt_count + prcmp_count                       AS delayed_count,
    lock_requests_count                                          AS lock_requests_count,
    deferred_count                                               AS deferred_count,
    contention_count                                             AS contention_count,
    false_contention_count                                       AS false_contention_count,
    100 * contention_count / nullif(lock_requests_count, 0)      AS contention_pct,
    cache_reads_count                                            AS cache_reads_count,
    cache_writes_count                                           AS cache_writes_count,
    castouts_count                                               AS castouts_count,
    cross_invalidations_count                                    AS cross_invalidations_count,
    sync_squares_us2                                             AS sync_squares_us2,
    async_squares_us2                                            AS async_squares_us2,
    nosch_squares_us2                                            AS nosch_squares_us2,
    prwt_squares_us2                                             AS prwt_squares_us2,
    prcmp_squares_us2                                            AS prcmp_squares_us2,
    interval_s                                                   AS interval_s,
    request_count                                                AS request_count,
    all_request_count                                            AS all_request_count,
    sync_total_us                                                AS sync_total_us,
    async_total_us                                               AS async_total_us,
    nosch_us                                                     AS nosch_us,
    prwt_us                                                      AS prwt_us,
    prcmp_us                                                     AS prcmp_us,
    dump_us                                                      AS dump_us,
    monop_us                                                     AS monop_us
FROM structure_use
ORDER BY run, sysplex, interval_start_utc, interval_start, cf, structure, system
