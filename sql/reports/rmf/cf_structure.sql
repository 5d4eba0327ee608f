/* imsperf report
id       = "rmf.cf_structure"
title    = "Coupling Facility Structure Activity"
answers  = "Which structure is slow or delayed, for which system, and does its lock table suffice?"
called   = ["cf"]
key      = ["cf", "structure"]
records_by = ["interval_start"]
optional = ["smf74_4_cache", "smf74_4_processor", "smf74_4_storage", "smf74_4_structure"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "structure"
y        = ["sync_us", "async_us"]
facet    = "system"
stack    = "no"
top      = 20
by       = "request_count"
where    = "system <> '*ALL'"
title    = "Service time of the 20 most used structures, us"

[page]
layout      = "smf2db 0.1.3"
heading     = "sysplex"
title       = "Coupling Facility Activity"
breaks      = ["cf"]
above       = """
COUPLING FACILITY NAME = {cf}

"""
blocks      = ["structure"]
block_above = """
STRUCTURE NAME = {structure:-16}  TYPE = {type}{said}
         # REQ    ---------------- REQUESTS ---------------   -------------- DELAYED REQUESTS -------------
SYSTEM      TOTAL                #   % OF  -SERV TIME(MIC)-   REASON         #   % OF   --- AVG TIME(MIC) ---
NAME      AVG/SEC              REQ    ALL      AVG  STD_DEV                REQ    REQ    /DEL STD_DEV    /ALL
"""

[page.texts]
said     = "coalesce('  STATUS = ' || status, '')"
name     = "if(system = '*ALL', 'TOTAL', system)"

[[page.table]]
where    = "type = 'LOCK'"
text     = """
{name:-8} {total_count:8} SYNC    {sync_count:8} {sync_pct:6} {sync_us:8} {sync_std_us:8}   NO SCH  {nosch_count:8} {nosch_pct:6} {nosch_del_us:7} {nosch_std_us:7} {nosch_all_us:7}  REQ TOTAL    {lock_requests_count:8}
         {requests_per_s:8} ASYNC   {async_count:8} {async_pct:6} {async_us:8} {async_std_us:8}   PR WT   {prwt_count:8} {prwt_pct:6} {prwt_del_us:7} {prwt_std_us:7} {prwt_all_us:7}  REQ DEFERRED {deferred_count:8}
                  CHNGD   {changed_count:8} {changed_pct:6} INCLUDED IN ASYNC   PR CMP  {prcmp_count:8} {prcmp_pct:6} {prcmp_del_us:7} {prcmp_std_us:7} {prcmp_all_us:7}  -CONT        {contention_count:8}
                  SUPPR   {suppressed_count:8}                            DUMP    {dump_count:8} {dump_pct:6} {dump_del_us:7}         {dump_all_us:7}  -FALSE CONT  {false_contention_count:8}
                                                              MONOP   {monop_count:8} {monop_pct:6} {monop_del_us:7}         {monop_all_us:7}
"""

[[page.table]]
where    = "type = 'CACHE'"
text     = """
{name:-8} {total_count:8} SYNC    {sync_count:8} {sync_pct:6} {sync_us:8} {sync_std_us:8}   NO SCH  {nosch_count:8} {nosch_pct:6} {nosch_del_us:7} {nosch_std_us:7} {nosch_all_us:7}  READS        {cache_reads_count:8}
         {requests_per_s:8} ASYNC   {async_count:8} {async_pct:6} {async_us:8} {async_std_us:8}   PR WT   {prwt_count:8} {prwt_pct:6} {prwt_del_us:7} {prwt_std_us:7} {prwt_all_us:7}  WRITES       {cache_writes_count:8}
                  CHNGD   {changed_count:8} {changed_pct:6} INCLUDED IN ASYNC   PR CMP  {prcmp_count:8} {prcmp_pct:6} {prcmp_del_us:7} {prcmp_std_us:7} {prcmp_all_us:7}  CASTOUTS     {castouts_count:8}
                  SUPPR   {suppressed_count:8}                            DUMP    {dump_count:8} {dump_pct:6} {dump_del_us:7}         {dump_all_us:7}  XI'S         {cross_invalidations_count:8}
                                                              MONOP   {monop_count:8} {monop_pct:6} {monop_del_us:7}         {monop_all_us:7}
"""

[[page.table]]
where    = "coalesce(type, '') NOT IN ('LOCK', 'CACHE')"
text     = """
{name:-8} {total_count:8} SYNC    {sync_count:8} {sync_pct:6} {sync_us:8} {sync_std_us:8}   NO SCH  {nosch_count:8} {nosch_pct:6} {nosch_del_us:7} {nosch_std_us:7} {nosch_all_us:7}
         {requests_per_s:8} ASYNC   {async_count:8} {async_pct:6} {async_us:8} {async_std_us:8}   PR WT   {prwt_count:8} {prwt_pct:6} {prwt_del_us:7} {prwt_std_us:7} {prwt_all_us:7}
                  CHNGD   {changed_count:8} {changed_pct:6} INCLUDED IN ASYNC   PR CMP  {prcmp_count:8} {prcmp_pct:6} {prcmp_del_us:7} {prcmp_std_us:7} {prcmp_all_us:7}
                  SUPPR   {suppressed_count:8}                            DUMP    {dump_count:8} {dump_pct:6} {dump_del_us:7}         {dump_all_us:7}
                                                              MONOP   {monop_count:8} {monop_pct:6} {monop_del_us:7}         {monop_all_us:7}
"""

[columns]
cf                        = { label = "CF" }
structure                 = { label = "STRUCTURE NAME" }
type                      = { label = "TYPE" }
status                    = { label = "STATUS", total = "last" }
total_count               = { label = "# REQ TOTAL", kind = "count", format = "scaled" }
requests_per_s            = { label = "AVG/SEC", format = "rate" }
sync_count                = { label = "SYNC # REQ", kind = "count", format = "scaled" }
sync_pct                  = { label = "SYNC % OF ALL", format = "1" }
sync_us                   = { label = "SYNC AVG", better = "lower", format = "1" }
async_count               = { label = "ASYNC # REQ", kind = "count", format = "scaled" }
async_pct                 = { label = "ASYNC % OF ALL", format = "1" }
async_us                  = { label = "ASYNC AVG", better = "lower", format = "1" }
changed_count             = { label = "CHNGD # REQ", kind = "count", format = "scaled" }
changed_pct               = { label = "CHNGD %", better = "lower", format = "1" }
suppressed_count          = { label = "SUPPR # REQ", kind = "count", format = "scaled" }
nosch_count               = { label = "NO SCH # REQ", kind = "count", format = "scaled" }
nosch_pct                 = { label = "NO SCH % OF REQ", better = "lower", format = "1" }
nosch_del_us              = { label = "NO SCH /DEL", better = "lower", format = "1" }
nosch_all_us              = { label = "NO SCH /ALL", better = "lower", format = "1" }
prwt_count                = { label = "PR WT # REQ", kind = "count", format = "scaled" }
prwt_pct                  = { label = "PR WT % OF REQ", better = "lower", format = "1" }
prwt_del_us               = { label = "PR WT /DEL", better = "lower", format = "1" }
prwt_all_us               = { label = "PR WT /ALL", better = "lower", format = "1" }
prcmp_count               = { label = "PR CMP # REQ", kind = "count", format = "scaled" }
prcmp_pct                 = { label = "PR CMP % OF REQ", better = "lower", format = "1" }
prcmp_del_us              = { label = "PR CMP /DEL", better = "lower", format = "1" }
prcmp_all_us              = { label = "PR CMP /ALL", better = "lower", format = "1" }
dump_count                = { label = "DUMP # REQ", kind = "count", format = "scaled" }
dump_pct                  = { label = "DUMP % OF REQ", better = "lower", format = "1" }
dump_del_us               = { label = "DUMP /DEL", better = "lower", format = "1" }
dump_all_us               = { label = "DUMP /ALL", better = "lower", format = "1" }
monop_count               = { label = "MONOP # REQ", kind = "count", format = "scaled" }
monop_pct                 = { label = "MONOP % OF REQ", better = "lower", format = "1" }
monop_del_us              = { label = "MONOP /DEL", better = "lower", format = "1" }
monop_all_us              = { label = "MONOP /ALL", better = "lower", format = "1" }
delayed_count             = { label = "DELAYED # REQ", kind = "count", better = "lower", format = "scaled" }
lock_requests_count       = { label = "REQ TOTAL", kind = "count", format = "scaled", empty = "" }
deferred_count            = { label = "REQ DEFERRED", kind = "count", better = "lower", format = "scaled", empty = "" }
contention_count          = { label = "-CONT", kind = "count", better = "lower", format = "scaled", empty = "" }
false_contention_count    = { label = "-FALSE CONT", kind = "count", better = "lower", format = "scaled", empty = "" }
contention_pct            = { label = "CONT %", better = "lower", format = "2", empty = "" }
cache_reads_count         = { label = "READS", kind = "count", format = "scaled", empty = "" }
cache_writes_count        = { label = "WRITES", kind = "count", format = "scaled", empty = "" }
castouts_count            = { label = "CASTOUTS", kind = "count", format = "scaled", empty = "" }
cross_invalidations_count = { label = "XI'S", kind = "count", format = "scaled", empty = "" }

[columns.sync_std_us]
label = "SYNC STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(sync_count), sum(sync_total_us), sum(sync_squares_us2))"""

[columns.async_std_us]
label = "ASYNC STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(async_count), sum(async_total_us), sum(async_squares_us2))"""

[columns.nosch_std_us]
label = "NO SCH STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(nosch_count), sum(nosch_us), sum(nosch_squares_us2))"""

[columns.prwt_std_us]
label = "PR WT STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(prwt_count), sum(prwt_us), sum(prwt_squares_us2))"""

[columns.prcmp_std_us]
label = "PR CMP STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(prcmp_count), sum(prcmp_us), sum(prcmp_squares_us2))"""
*/
WITH every_system AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, cf, structure, type,
        all_request_count,
        sync_count, sync_us, sync_squares_us2, async_count, async_us, async_squares_us2,
        changed_count, suppressed_count, nosch_count, nosch_us, nosch_squares_us2, prwt_count,
        prwt_us, prwt_squares_us2, prcmp_count, prcmp_us, prcmp_squares_us2, dump_count, dump_us,
        monop_count, monop_us, lock_requests_count, deferred_count, contention_count,
        false_contention_count, cache_reads_count, cache_writes_count, castouts_count,
        cross_invalidations_count, request_count
    FROM rmf_cf_structure
    UNION ALL BY NAME
    -- the total of a structure that several systems used
    SELECT
        run, sysplex, '*ALL' AS system, min(interval_start) AS interval_start, interval_start_utc,
        max(interval_s) AS interval_s, cf, structure, max(type) AS type,
        max(all_request_count) AS all_request_count,
        sum(sync_count) AS sync_count, sum(sync_us) AS sync_us,
        sum(sync_squares_us2) AS sync_squares_us2, sum(async_count) AS async_count,
        sum(async_us) AS async_us, sum(async_squares_us2) AS async_squares_us2,
        sum(changed_count) AS changed_count, sum(suppressed_count) AS suppressed_count,
        sum(nosch_count) AS nosch_count, sum(nosch_us) AS nosch_us,
        sum(nosch_squares_us2) AS nosch_squares_us2, sum(prwt_count) AS prwt_count,
        sum(prwt_us) AS prwt_us, sum(prwt_squares_us2) AS prwt_squares_us2,
        sum(prcmp_count) AS prcmp_count, sum(prcmp_us) AS prcmp_us,
        sum(prcmp_squares_us2) AS prcmp_squares_us2, sum(dump_count) AS dump_count,
        sum(dump_us) AS dump_us, sum(monop_count) AS monop_count, sum(monop_us) AS monop_us,
        sum(lock_requests_count) AS lock_requests_count, sum(deferred_count) AS deferred_count,
        sum(contention_count) AS contention_count,
        sum(false_contention_count) AS false_contention_count,
        sum(cache_reads_count) AS cache_reads_count,
        sum(cache_writes_count) AS cache_writes_count, sum(castouts_count) AS castouts_count,
        sum(cross_invalidations_count) AS cross_invalidations_count,
        sum(request_count) AS request_count
    FROM rmf_cf_structure
    GROUP BY run, sysplex, interval_start_utc, cf, structure
    HAVING count(DISTINCT system) > 1
),
structure_use AS (
    SELECT e.* RENAME (sync_us AS sync_total_us, async_us AS async_total_us), u.status
    FROM every_system AS e
    LEFT JOIN rmf_cf_usage AS u
        ON (u.run, u.interval_start_utc, u.cf, u.structure)
            = (e.run, e.interval_start_utc, e.cf, e.structure)
            AND u.sysplex IS NOT DISTINCT FROM e.sysplex
)
SELECT
    run, sysplex,
    system, -- System; *ALL: the total of several systems
    interval_start, interval_start_utc, cf, structure, type, status,
    request_count                                                AS total_count, -- Requests of the system [requests]
    request_count / nullif(interval_s, 0)                        AS requests_per_s, -- Requests of the system a second
    sync_count, -- Synchronous requests [requests]
    100 * sync_count / nullif(all_request_count, 0)              AS sync_pct, -- Synchronous, of the requests of all systems
    sync_total_us / nullif(sync_count, 0)                        AS sync_us, -- Mean service time of a synchronous request
    sample_deviation(sync_count, sync_total_us, sync_squares_us2) AS sync_std_us, -- Standard deviation of the service time, of the sample
    async_count, -- Asynchronous requests [requests]
    100 * async_count / nullif(all_request_count, 0)             AS async_pct, -- Asynchronous, of the requests of all systems
    async_total_us / nullif(async_count, 0)                      AS async_us, -- Mean service time of an asynchronous request
    sample_deviation(async_count, async_total_us, async_squares_us2) AS async_std_us, -- Standard deviation of the service time, of the sample
    changed_count, -- Synchronous requests turned asynchronous; among the asynchronous ones [requests]
    100 * changed_count / nullif(request_count, 0)               AS changed_pct, -- Turned asynchronous, of the system's requests; above 10 links or subchannels are short
    suppressed_count, -- Requests whose execution was suppressed [requests]
    nosch_count, -- NO SCH: requests delayed [requests]
    100 * nosch_count / nullif(request_count, 0)                 AS nosch_pct, -- NO SCH: delayed, of the requests of the system
    nosch_us / nullif(nosch_count, 0)                            AS nosch_del_us, -- NO SCH: mean delay of a delayed request
    sample_deviation(nosch_count, nosch_us, nosch_squares_us2)   AS nosch_std_us, -- NO SCH: standard deviation of the delay, of the sample
    nosch_us / nullif(request_count, 0)                          AS nosch_all_us, -- NO SCH: delay spread over all requests of the system
    prwt_count, -- PR WT: requests delayed [requests]
    100 * prwt_count / nullif(request_count, 0)                  AS prwt_pct, -- PR WT: delayed, of the requests of the system
    prwt_us / nullif(prwt_count, 0)                              AS prwt_del_us, -- PR WT: mean delay of a delayed request
    sample_deviation(prwt_count, prwt_us, prwt_squares_us2)      AS prwt_std_us, -- PR WT: standard deviation of the delay, of the sample
    prwt_us / nullif(request_count, 0)                           AS prwt_all_us, -- PR WT: delay spread over all requests of the system
    prcmp_count, -- PR CMP: requests delayed [requests]
    100 * prcmp_count / nullif(request_count, 0)                 AS prcmp_pct, -- PR CMP: delayed, of the requests of the system
    prcmp_us / nullif(prcmp_count, 0)                            AS prcmp_del_us, -- PR CMP: mean delay of a delayed request
    sample_deviation(prcmp_count, prcmp_us, prcmp_squares_us2)   AS prcmp_std_us, -- PR CMP: standard deviation of the delay, of the sample
    prcmp_us / nullif(request_count, 0)                          AS prcmp_all_us, -- PR CMP: delay spread over all requests of the system
    dump_count, -- DUMP: requests delayed [requests]
    100 * dump_count / nullif(request_count, 0)                  AS dump_pct, -- DUMP: delayed, of the requests of the system
    dump_us / nullif(dump_count, 0)                              AS dump_del_us, -- DUMP: mean delay of a delayed request
    dump_us / nullif(request_count, 0)                           AS dump_all_us, -- DUMP: delay spread over all requests of the system
    monop_count, -- MONOP: requests delayed [requests]
    100 * monop_count / nullif(request_count, 0)                 AS monop_pct, -- MONOP: delayed, of the requests of the system
    monop_us / nullif(monop_count, 0)                            AS monop_del_us, -- MONOP: mean delay of a delayed request
    monop_us / nullif(request_count, 0)                          AS monop_all_us, -- MONOP: delay spread over all requests of the system
    nosch_count + prwt_count + prcmp_count                       AS delayed_count, -- Delays for want of a subchannel, of the peer's and of its completion [requests]
    lock_requests_count, -- Lock: requests; NULL for other structures [requests]
    deferred_count, -- Lock: requests held up by contention [requests]
    contention_count, -- Lock: requests that met contention [requests]
    false_contention_count, -- Lock: requests that met false contention [requests]
    100 * contention_count / nullif(lock_requests_count, 0)      AS contention_pct, -- Lock: contention, of the requests
    cache_reads_count, -- Cache: read hits; NULL for other structures
    cache_writes_count, castouts_count, cross_invalidations_count, sync_squares_us2,
    async_squares_us2, nosch_squares_us2, prwt_squares_us2, prcmp_squares_us2, interval_s,
    request_count, all_request_count,
    sync_total_us, -- Service time of synchronous requests
    async_total_us, -- Service time of asynchronous requests
    nosch_us, prwt_us, prcmp_us, dump_us, monop_us
FROM structure_use
ORDER BY run, sysplex, interval_start_utc, interval_start, cf, structure,
    system = '*ALL', system
