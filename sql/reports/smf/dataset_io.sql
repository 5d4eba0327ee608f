/* imsperf report
id       = "smf.dataset_io"
title    = "Data Set I/O"
answers  = "Which data set is slow, for which job, and in which part of the I/O?"
key      = ["job", "dataset", "volume"]
optional = ["smf42_6_header"]

[chart]
mark     = "bar"
x        = "dataset"
y        = ["queue_ms", "pend_ms", "disc_ms", "conn_ms"]
facet    = "system"
top      = 20
by       = "io_count"
title    = "Response time of the 20 most active data sets, ms"

[page]
layout = "ours"

[[page.table]]
columns  = """
job             -8  JOB
dataset        -44  DATA SET
volume          -6  VOLUME
ios_per_s        7  I/O|/SEC
resp_ms          5  RESP|MS
conn_ms          5  CONN|MS
pend_ms          5  PEND|MS
disc_ms          5  DISC|MS
queue_ms         5  QUEUE|MS
max_resp_ms      5  MAX|MS
cache_hit_pct    6  CACHE|HIT %
write_hit_pct    6  WRITE|HIT %
"""

[columns]
ios           = { label = "I/OS", kind = "count", format = "scaled" }
ios_per_s     = { label = "I/O/S", format = "rate" }
resp_ms       = { label = "RESP", better = "lower", format = "device", empty = "", contains = ["pend_ms", "disc_ms", "conn_ms"] }
conn_ms       = { label = "CONN", better = "lower", format = "device", empty = "" }
pend_ms       = { label = "PEND", better = "lower", format = "device", empty = "" }
disc_ms       = { label = "DISC", better = "lower", format = "device", empty = "" }
queue_ms      = { label = "CU QUEUE", better = "lower", format = "device", empty = "" }
max_resp_ms   = { label = "MAX RESP", kind = "highwater", better = "lower", format = "device" }
cache_hit_pct = { better = "higher", format = "1", empty = "" }
write_hit_pct = { better = "higher", format = "1", empty = "" }
reads         = { label = "READS", kind = "count", format = "scaled" }
sequential    = { label = "SEQ", kind = "count", format = "scaled" }
zhpf_reads    = { label = "ZHPF READS", kind = "count", format = "scaled" }
zhpf_writes   = { label = "ZHPF WRITES", kind = "count", format = "scaled" }
zhyperwrites  = { label = "ZHYPERWRITES", kind = "count", format = "scaled" }
dataset_type  = { label = "TYPE" }
block_bytes   = { label = "BLKSIZE", format = "int" }
storage_class = { label = "STORAGE CLASS" }
service_class = { label = "SERVICE CLASS" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, job, dataset, volume,
    io_count                                                     AS ios, -- I/Os [I/O]
    io_count / nullif(interval_s, 0)                             AS ios_per_s, -- I/Os a second
    0.001 * resp_us / nullif(io_count, 0)                        AS resp_ms, -- Response time of an I/O
    0.001 * conn_us / nullif(io_count, 0)                        AS conn_ms, -- Connect time of an I/O
    0.001 * pend_us / nullif(io_count, 0)                        AS pend_ms, -- Pending time of an I/O
    0.001 * disc_us / nullif(io_count, 0)                        AS disc_ms, -- Disconnect time of an I/O
    0.001 * queue_us / nullif(io_count, 0)                       AS queue_ms, -- Control unit queue time of an I/O
    0.001 * max_resp_us                                          AS max_resp_ms, -- Longest response time
    100 * cache_hit_count / nullif(cache_count, 0)               AS cache_hit_pct, -- Served by the cache, of the I/Os it could serve
    100 * cache_write_hit_count / nullif(cache_write_count, 0)   AS write_hit_pct, -- Taken by the cache, of the writes it could take
    read_count                                                   AS reads, -- Reads [I/O]
    sequential_count                                             AS sequential, -- Sequential I/Os [I/O]
    zhpf_read_count                                              AS zhpf_reads, -- Reads by zHPF [I/O]
    zhpf_write_count                                             AS zhpf_writes, -- Writes by zHPF [I/O]
    zhyperwrite_count                                            AS zhyperwrites, -- Writes zHyperWrite sent to the Metro Mirror secondary [I/O]
    dataset_type, -- PS, PDS, PDSE, KSDS, ESDS, LINEAR
    block_bytes, storage_class, service_class, interval_s, io_count, resp_us, conn_us, pend_us,
    disc_us, queue_us, cache_count, cache_hit_count, cache_write_count, cache_write_hit_count
FROM smf_dataset_io
ORDER BY run, system, interval_start_utc, interval_start, job, dataset, volume
