/* imsperf report
id       = "mq.log"
title    = "MQ Log"
answers  = "Does the log hold a queue manager up?"
key      = ["queue_manager"]
optional = ["smf115_2_qwhs", "smf115_215_qwhs"]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["write1_ms", "write2_ms"]
stack    = "no"
facet    = "queue_manager"
title    = "Time of a log write, ms"

[page]
layout = "ours"

[[page.table]]
columns  = """
queue_manager    4  QMGR
records_per_s    8  RECORDS|/SEC
forces_per_s     8  FORCES|/SEC
writes_per_s     8  WRITES|/SEC
mb_per_s         6  MB|/SEC
ci_per_write     6  CI/|WRITE
write1_ms        7  COPY 1|MS
write1_max_ms    7  COPY 1|MAX MS
write2_ms        7  COPY 2|MS
write2_max_ms    7  COPY 2|MAX MS
busy_pct         6  LOGGER|BUSY %
buffer_waits     7  BUFFER|WAITS
checkpoints      5  CHECK|POINT
active_reads     7  ACTIVE|READS
archive_reads    7  ARCHIVE|READS
"""

[columns]
records_per_s = { format = "rate" }
forces_per_s  = { format = "rate" }
writes_per_s  = { format = "rate" }
mb_per_s      = { format = "2" }
ci_per_write  = { format = "2", empty = "" }
write1_ms     = { better = "lower", format = "device", empty = "" }
write2_ms     = { better = "lower", format = "device", empty = "" }
write1_max_ms = { kind = "highwater", better = "lower", format = "device", empty = "" }
write2_max_ms = { kind = "highwater", better = "lower", format = "device", empty = "" }
busy_pct      = { better = "lower", format = "1", empty = "" }
buffer_waits  = { kind = "count", better = "lower", format = "scaled" }
checkpoints   = { label = "CHECKPOINTS", kind = "count", format = "int" }
active_reads  = { kind = "count", format = "scaled" }
archive_reads = { kind = "count", format = "scaled" }
compress_pct  = { label = "COMPRESSED %", format = "1", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    queue_manager,
    record_count / nullif(interval_s, 0)              AS records_per_s, -- Log records written a second
    force_count / nullif(interval_s, 0)               AS forces_per_s, -- Log records forced out a second
    write_count / nullif(interval_s, 0)               AS writes_per_s, -- Log write I/Os a second, both copies
    written_mb / nullif(interval_s, 0)                AS mb_per_s, -- Log written, both copies [MB/s]
    ci_count / nullif(write_count, 0)                 AS ci_per_write, -- Control intervals of 4 KB of a log write
    0.001 * copy1_us / nullif(copy1_count, 0)         AS write1_ms, -- Time of a write of copy 1; NULL before MQ 8
    0.001 * copy1_max_us                              AS write1_max_ms, -- Longest write of copy 1
    0.001 * copy2_us / nullif(copy2_count, 0)         AS write2_ms, -- Time of a write of copy 2; NULL before MQ 8 and without a copy 2
    0.001 * copy2_max_us                              AS write2_max_ms, -- Longest write of copy 2
    100 * busy_us / nullif(interval_us, 0)            AS busy_pct, -- Time the log writer had something to do; NULL before MQ 8
    buffer_wait_count                                 AS buffer_waits, -- Waits for a free log buffer
    checkpoint_count                                  AS checkpoints, -- Checkpoints
    read_active_count                                 AS active_reads, -- Log reads served by an active log
    read_archive_count                                AS archive_reads, -- Log reads served by an archive log
    100 * compress_out_bytes / nullif(compress_in_bytes, 0) AS compress_pct, -- Size of compressed log records, of their size before; NULL before MQ 8
    interval_s, interval_us, record_count, force_count, write_count, written_mb, ci_count,
    copy1_us, copy1_count, copy2_us, copy2_count, busy_us, compress_in_bytes, compress_out_bytes
FROM mq_log
ORDER BY run, system, queue_manager, interval_start_utc
