/* imsperf report
id       = "mq.buffer_pools"
title    = "MQ Buffer Pools"
answers  = "Is a buffer pool of a queue manager too small?"
key      = ["queue_manager", "pool"]
optional = ["smf115_1_qwhs", "smf115_2_qwhs"]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["lowest_pct"]
color    = "pool"
facet    = "queue_manager"
title    = "Buffers free at the worst moment, % of the pool"

[page]
layout   = "ours"
breaks   = ["queue_manager"]

[[page.table]]
columns  = """
pool             4  POOL
buffers          8  BUFFERS
available        9  AVAILABLE
lowest           8  LOWEST
lowest_pct       6  LOWEST|%
gets_per_s       8  GETS|/SEC
new_per_s        8  NEW|/SEC
hit_pct          6  HIT|%
reads_per_s      8  READS|/SEC
written_per_s    8  WRITTEN|/SEC
pages_per_write  7  PAGES|/WRITE
waited           7  SYNC|PAGES
async_threshold  6  85%|TIMES
sync_threshold   6  95%|TIMES
short            6  SHORT|TIMES
"""

[columns]
pool            = { format = "int" }
buffers         = { kind = "level", format = "int" }
available       = { kind = "level", format = "int" }
lowest          = { kind = "level", total = "min", better = "higher", format = "int" }
lowest_pct      = { kind = "level", total = "min", better = "higher", format = "1" }
gets_per_s      = { format = "rate" }
new_per_s       = { format = "rate" }
reads_per_s     = { format = "rate" }
written_per_s   = { format = "rate" }
queue_manager   = { label = "QMGR" }
hit_pct         = { better = "higher", format = "1", empty = "" }
pages_per_write = { format = "1", empty = "" }
waited          = { kind = "count", format = "scaled" }
async_threshold = { kind = "count", format = "int" }
sync_threshold  = { kind = "count", format = "int" }
short           = { kind = "count", format = "int" }
above_bar       = { label = "ABOVE BAR" }
page_fixed      = { label = "FIXED" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    queue_manager,
    pool,
    buffers_count                                             AS buffers, -- Buffers of the pool [buffers]
    available_count                                           AS available, -- Buffers free at the end of the interval [buffers]
    lowest_count                                              AS lowest, -- Buffers free at the worst moment of the interval [buffers]
    100 * lowest_count / nullif(buffers_count, 0)             AS lowest_pct, -- Buffers free at the worst moment, of the pool
    get_count / nullif(interval_s, 0)                         AS gets_per_s, -- Requests a second for a page that may have to be read
    get_new_count / nullif(interval_s, 0)                     AS new_per_s, -- Requests a second for an empty page
    100 * hit_count / nullif(get_count, 0)                    AS hit_pct, -- Requests for a page that found it in the pool
    read_count / nullif(interval_s, 0)                        AS reads_per_s, -- Pages read from disk a second
    written_pages / nullif(interval_s, 0)                     AS written_per_s, -- Pages written to disk a second
    written_pages / nullif(write_count, 0)                    AS pages_per_write, -- Pages of a write I/O [pages]
    waited_pages                                              AS waited, -- Pages written while the requester waited [pages]
    async_threshold_count                                     AS async_threshold, -- Times the pool was 85 % in use: pages are written asynchronously
    sync_threshold_count                                      AS sync_threshold, -- Times the pool was 95 % in use: each change is written at once
    short_count                                               AS short, -- Times no buffer was to be had
    above_bar, page_fixed,
    interval_s, get_count, get_new_count, hit_count, read_count, written_pages, write_count
FROM mq_buffer_pool
ORDER BY run, system, queue_manager, interval_start_utc, pool
