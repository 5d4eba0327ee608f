/* imsperf report
id       = "smf.storage_class"
title    = "Storage Class I/O"
answers  = "Which storage class is slow, and in which part of the I/O?"
key      = ["storage_class"]
optional = ["smf42_1_header", "smf42_1_product", "smf42_5_header"]

[chart]
mark     = "bar"
x        = "storage_class"
y        = ["queue_ms", "pend_ms", "disc_ms", "conn_ms"]
facet    = "system"
title    = "Response time by storage class, ms"

[page]
layout = "ours"

[[page.table]]
columns  = """
storage_class -30  STORAGE|CLASS
ios_per_s       8  I/O|/SEC
resp_ms         5  RESP|MS
conn_ms         5  CONN|MS
pend_ms         5  PEND|MS
disc_ms         5  DISC|MS
queue_ms        5  QUEUE|MS
cache_hit_pct   6  CACHE|HIT %
write_hit_pct   6  WRITE|HIT %
reads           9  |READS
sequential      9  |SEQ
zhpf_reads      9  ZHPF|READS
zhpf_writes     9  ZHPF|WRITES
"""

[columns]
ios           = { label = "I/OS", kind = "count", format = "scaled" }
ios_per_s     = { label = "I/O/S", format = "rate" }
resp_ms       = { better = "lower", format = "device", empty = "", contains = ["pend_ms", "disc_ms", "conn_ms"] }
conn_ms       = { better = "lower", format = "device", empty = "" }
pend_ms       = { better = "lower", format = "device", empty = "" }
disc_ms       = { better = "lower", format = "device", empty = "" }
queue_ms      = { better = "lower", format = "device", empty = "" }
cache_hit_pct = { better = "higher", format = "1", empty = "" }
write_hit_pct = { better = "higher", format = "1", empty = "" }
reads         = { kind = "count", format = "scaled" }
sequential    = { kind = "count", format = "scaled" }
zhpf_reads    = { kind = "count", format = "scaled" }
zhpf_writes   = { kind = "count", format = "scaled" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, storage_class,
    io_count                                                     AS ios, -- I/Os [I/O]
    io_count / nullif(interval_s, 0)                             AS ios_per_s, -- I/Os a second
    0.001 * resp_us / nullif(io_count, 0)                        AS resp_ms, -- Response time of an I/O
    0.001 * conn_us / nullif(io_count, 0)                        AS conn_ms, -- Connected
    0.001 * pend_us / nullif(io_count, 0)                        AS pend_ms, -- Pending
    0.001 * disc_us / nullif(io_count, 0)                        AS disc_ms, -- Disconnected
    0.001 * queue_us / nullif(io_count, 0)                       AS queue_ms, -- Queued in the control unit
    100 * cache_hit_count / nullif(cache_count, 0)               AS cache_hit_pct, -- Served by the cache, of the I/Os it could serve
    100 * cache_write_hit_count / nullif(cache_write_count, 0)   AS write_hit_pct, -- Taken by the cache, of the writes it could take
    read_count                                                   AS reads, -- Reads [I/O]
    sequential_count                                             AS sequential, -- Sequential I/Os [I/O]
    zhpf_read_count                                              AS zhpf_reads, -- Reads by zHPF [I/O]
    zhpf_write_count                                             AS zhpf_writes, -- Writes by zHPF [I/O]
    interval_s, resp_us, conn_us, pend_us, disc_us, queue_us, cache_hit_count, cache_count,
    cache_write_hit_count, cache_write_count
FROM smf_storage_class
ORDER BY run, system, interval_start_utc, storage_class
