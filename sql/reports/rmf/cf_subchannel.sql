/* imsperf report
id       = "rmf.cf_subchannel"
title    = "Coupling Facility Subchannel Activity"
answers  = "Are links and subchannels to the coupling facility enough, for each system?"
key      = ["cf"]
records_by = ["interval_start"]
optional = ["smf74_4_cache", "smf74_4_channel_path", "smf74_4_request"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "cf"
y        = ["total_delayed_pct"]
color    = "system"
stack    = "no"
title    = "Requests delayed for want of a subchannel, per cent"

[page]
layout   = "smf2db 0.1.3"
heading  = "sysplex"
title    = "Coupling Facility Activity"
breaks   = ["cf"]
above    = """
COUPLING FACILITY NAME = {cf}
SUBCHANNEL  ACTIVITY

           # REQ                                ------------ REQUESTS ------------   --------------- DELAYED REQUESTS -------------
SYSTEM     TOTAL  -- CF LINKS ---    PTH                #  -SERV TIME(MIC)-                   #   % OF  --- AVG TIME(MIC) --
NAME     AVG/SEC  TYPE  GEN  USE    BUSY              REQ     AVG  STD_DEV                 REQ    REQ    /DEL STD_DEV   /ALL
"""

[[page.table]]
text     = """
{system:-8} {requests:7}  {link_types:-5} {paths:3} {paths:4} {path_busy:6}  SYNC    {sync_count:7} {sync_us:7} {sync_std_us:8}  LIST/CACHE {list_cache_delayed_count:7} {list_cache_delayed_pct:6} {list_cache_del_us:7} {list_cache_del_std_us:7} {list_cache_all_us:6}
         {requests_per_s:7}  SUBCH {subchannels_gen:3} {subchannels_use:4}         ASYNC   {async_count:7} {async_us:7} {async_std_us:8}  LOCK       {lock_delayed_count:7} {lock_delayed_pct:6} {lock_del_us:7} {lock_del_std_us:7} {lock_all_us:6}
                                          CHANGED {changed_count:7} INCLUDED IN ASYNC  TOTAL      {total_delayed_count:7} {total_delayed_pct:6} {total_del_us:7} {total_del_std_us:7} {total_all_us:6}
                                          UNSUCC  {unsuccessful_count:7} {unsuccessful_us:7} {unsuccessful_std_us:8}

"""

[columns]
cf                       = { label = "CF" }
requests                 = { label = "# REQ TOTAL", kind = "count", format = "scaled" }
requests_per_s           = { label = "AVG/SEC", format = "rate" }
link_types               = { label = "CF LINKS TYPE" }
paths                    = { label = "CF LINKS USE", kind = "level", format = "int" }
subchannels_gen          = { label = "SUBCH GEN", kind = "level", format = "int" }
subchannels_use          = { label = "SUBCH USE", kind = "level", format = "int" }
path_busy                = { label = "PTH BUSY", kind = "count", better = "lower", format = "scaled" }
sync_count               = { label = "SYNC # REQ", kind = "count", format = "scaled" }
sync_us                  = { label = "SYNC AVG", better = "lower", format = "1" }
async_count              = { label = "ASYNC # REQ", kind = "count", format = "scaled" }
async_us                 = { label = "ASYNC AVG", better = "lower", format = "1" }
changed_count            = { label = "CHANGED # REQ", kind = "count", format = "scaled" }
unsuccessful_count       = { label = "UNSUCC # REQ", kind = "count", format = "scaled" }
unsuccessful_us          = { label = "UNSUCC AVG", better = "lower", format = "1" }
list_cache_delayed_count = { label = "LIST/CACHE # REQ", kind = "count", better = "lower", format = "scaled" }
list_cache_delayed_pct   = { label = "LIST/CACHE % OF REQ", better = "lower", format = "1" }
list_cache_del_us        = { label = "LIST/CACHE /DEL", better = "lower", format = "1" }
list_cache_all_us        = { label = "LIST/CACHE /ALL", better = "lower", format = "1" }
lock_delayed_count       = { label = "LOCK # REQ", kind = "count", better = "lower", format = "scaled" }
lock_delayed_pct         = { label = "LOCK % OF REQ", better = "lower", format = "1" }
lock_del_us              = { label = "LOCK /DEL", better = "lower", format = "1" }
lock_all_us              = { label = "LOCK /ALL", better = "lower", format = "1" }
total_delayed_count      = { label = "TOTAL # REQ", kind = "count", better = "lower", format = "scaled" }
total_delayed_pct        = { label = "TOTAL % OF REQ", better = "lower", format = "1" }
total_del_us             = { label = "TOTAL /DEL", better = "lower", format = "1" }
total_all_us             = { label = "TOTAL /ALL", better = "lower", format = "1" }

[columns.sync_std_us]
label = "SYNC STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(sync_count), sum(sync_total_us), sum(sync_squares_us2))"""

[columns.async_std_us]
label = "ASYNC STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(async_count), sum(async_total_us), sum(async_squares_us2))"""

[columns.unsuccessful_std_us]
label = "UNSUCC STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(unsuccessful_count), sum(failed_total_us), sum(failed_squares_us2))"""

[columns.list_cache_del_std_us]
label = "LIST/CACHE STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(list_cache_delayed_count), sum(data_nosch_us), sum(data_nosch_squares_us2))"""

[columns.lock_del_std_us]
label = "LOCK STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(lock_delayed_count), sum(lock_nosch_us), sum(lock_nosch_squares_us2))"""

[columns.total_del_std_us]
label = "TOTAL STD_DEV"
format = "1"
total_sql = """sample_deviation(sum(total_delayed_count), sum(nosch_us), sum(nosch_squares_us2))"""
*/
WITH link AS (
    SELECT * RENAME (
        sync_us AS sync_total_us, async_us AS async_total_us, failed_us AS failed_total_us
    )
    FROM rmf_cf_link
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, cf,
    total_count AS requests, -- Requests of the system, all [requests]
    total_count / nullif(interval_s, 0) AS requests_per_s, -- Requests of the system a second
    link_types,
    paths_count AS paths, -- Paths that lead to the facility
    subchannels_defined_count AS subchannels_gen, -- Subchannels defined
    subchannels_used_count AS subchannels_use, -- Subchannels in use
    path_busy_count AS path_busy, -- Requests held up by a busy path [requests]
    sync_count, -- Synchronous requests [requests]
    sync_total_us / nullif(sync_count, 0)    AS sync_us, -- Synchronous requests: mean service time
    sample_deviation(sync_count, sync_total_us, sync_squares_us2) AS sync_std_us, -- Synchronous requests: standard deviation of the service time, of the sample
    async_count, -- Asynchronous requests [requests]
    async_total_us / nullif(async_count, 0)    AS async_us, -- Asynchronous requests: mean service time
    sample_deviation(async_count, async_total_us, async_squares_us2) AS async_std_us, -- Asynchronous requests: standard deviation of the service time, of the sample
    changed_count, -- Synchronous requests turned asynchronous; among the asynchronous ones [requests]
    failed_count AS unsuccessful_count, -- Requests that failed [requests]
    failed_total_us / nullif(failed_count, 0)    AS unsuccessful_us, -- Requests that failed: mean service time
    sample_deviation(failed_count, failed_total_us, failed_squares_us2) AS unsuccessful_std_us, -- Requests that failed: standard deviation of the service time, of the sample
    data_nosch_count AS list_cache_delayed_count, -- Requests to list and cache structures delayed for want of a subchannel [requests]
    100 * data_nosch_count / nullif(data_class_count, 0) AS list_cache_delayed_pct, -- Delayed, of the requests to list and cache structures
    data_nosch_us / nullif(data_nosch_count, 0) AS list_cache_del_us, -- Mean delay of a delayed request to list and cache structures
    sample_deviation(data_nosch_count, data_nosch_us, data_nosch_squares_us2)
                                                                 AS list_cache_del_std_us, -- Standard deviation of that delay, of the sample
    data_nosch_us / nullif(data_class_count, 0) AS list_cache_all_us, -- Delay spread over all requests to list and cache structures
    lock_nosch_count AS lock_delayed_count, -- Requests to lock structures delayed for want of a subchannel [requests]
    100 * lock_nosch_count / nullif(lock_class_count, 0) AS lock_delayed_pct, -- Delayed, of the requests to lock structures
    lock_nosch_us / nullif(lock_nosch_count, 0) AS lock_del_us, -- Mean delay of a delayed request to lock structures
    sample_deviation(lock_nosch_count, lock_nosch_us, lock_nosch_squares_us2) AS lock_del_std_us, -- Standard deviation of that delay, of the sample
    lock_nosch_us / nullif(lock_class_count, 0) AS lock_all_us, -- Delay spread over all requests to lock structures
    nosch_count AS total_delayed_count, -- Requests to all structures delayed for want of a subchannel [requests]
    100 * nosch_count / nullif(class_count, 0) AS total_delayed_pct, -- Delayed, of the requests to all structures
    nosch_us / nullif(nosch_count, 0) AS total_del_us, -- Mean delay of a delayed request to all structures
    sample_deviation(nosch_count, nosch_us, nosch_squares_us2)   AS total_del_std_us, -- Standard deviation of that delay, of the sample
    nosch_us / nullif(class_count, 0) AS total_all_us, -- Delay spread over all requests to all structures
    interval_s,
    sync_total_us, -- Service time of synchronous requests
    sync_squares_us2,
    async_total_us, -- Service time of asynchronous requests
    async_squares_us2,
    failed_total_us, -- Service time of requests that failed
    failed_squares_us2, data_class_count, data_nosch_us, data_nosch_squares_us2, lock_class_count,
    lock_nosch_us, lock_nosch_squares_us2, class_count, nosch_us, nosch_squares_us2
FROM link
ORDER BY run, sysplex, interval_start_utc, interval_start, cf, system
