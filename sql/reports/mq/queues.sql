/* imsperf report
id       = "mq.queues"
title    = "MQ Queues"
answers  = "Which queue is slow, for puts, gets or in the time messages wait on it?"
key      = ["queue_manager", "queue", "base_queue"]
optional = ["smf116_1_wtid"]

[chart]
mark     = "bar"
x        = "queue"
y        = ["put_ms", "get_ms"]
stack    = "no"
facet    = "queue_manager"
top      = 20
by       = "cpu_us"
title    = "Time of a call for the 20 queues with most CPU, ms"

[page]
layout = "ours"

[[page.table]]
columns  = """
queue          -30  QUEUE
page_set         4  PAGE|SET
pool             4  POOL
puts             7  PUTS
put_ms           6  PUT|MS
bytes_per_put    7  BYTES|/PUT
gets             7  GETS
get_ms           6  GET|MS
got_pct          5  GOT|%
bytes_per_get    7  BYTES|/GET
read_pct         6  READ|% GETS
skips_per_get    6  SKIP/|GET
on_queue_ms      9  ON QUEUE|MS
depth_max        6  DEPTH|MAX
cpu_us_per_call  7  CPU US|/CALL
"""

[columns]
base_queue      = { label = "BASE QUEUE" }
page_set        = { format = "int" }
pool            = { format = "int" }
structure       = { label = "STRUCTURE" }
puts            = { kind = "count", format = "scaled" }
gets            = { kind = "count", format = "scaled" }
put_ms          = { better = "lower", format = "device", empty = "" }
get_ms          = { better = "lower", format = "device", empty = "" }
got_pct         = { format = "1", empty = "" }
bytes_per_put   = { format = "int", empty = "" }
bytes_per_get   = { format = "int", empty = "" }
read_pct        = { better = "lower", format = "1", empty = "" }
skips_per_get   = { better = "lower", format = "1", empty = "" }
on_queue_ms     = { better = "lower", format = "device", empty = "" }
on_queue_max_ms = { kind = "highwater", better = "lower", format = "device" }
depth_max       = { kind = "highwater", format = "int" }
cpu_us_per_call = { better = "lower", format = "1", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    queue_manager, queue, base_queue, page_set, pool, structure,
    put_count                                         AS puts, -- MQPUT and MQPUT1 calls [requests]
    0.001 * put_us / nullif(put_count, 0)             AS put_ms, -- Elapsed time of a put
    put_bytes / nullif(put_good_count, 0)             AS bytes_per_put, -- Size of a message put [bytes]
    get_count                                         AS gets, -- MQGET calls [requests]
    0.001 * get_us / nullif(get_count, 0)             AS get_ms, -- Elapsed time of a get
    100 * got_count / nullif(get_count, 0)            AS got_pct, -- Gets that gave a message
    got_bytes / nullif(got_count, 0)                  AS bytes_per_get, -- Size of a message got [bytes]
    100 * get_read_count / nullif(get_count, 0)       AS read_pct, -- Page set reads of a hundred gets
    skip_count / nullif(get_count, 0)                 AS skips_per_get, -- Messages skipped by a get [messages]
    0.001 * on_queue_us / nullif(got_count, 0)        AS on_queue_ms, -- Time a message got had been on the queue
    0.001 * on_queue_max_us                           AS on_queue_max_ms, -- Longest time a message got had been on the queue
    depth_max_count                                   AS depth_max, -- Most messages on the queue [messages]
    cpu_us / nullif(call_count, 0)                    AS cpu_us_per_call, -- CPU time of a call [us]
    interval_s, cpu_us, call_count, put_us, put_count, put_bytes, put_good_count, get_us, get_count,
    got_count, got_bytes, get_read_count, skip_count, on_queue_us
FROM mq_queue
ORDER BY run, system, queue_manager, interval_start_utc, queue, base_queue
