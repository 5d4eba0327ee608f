/* imsperf report
id       = "rmf.xcf_path"
title    = "XCF Path Statistics"
answers  = "Which signalling path is busy or slow?"
key      = ["remote_system", "direction", "type", "device", "list_no"]
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "device"
y        = ["signals_per_s"]
facet    = "direction"
title    = "Signals a second"

[page]
layout   = "smf2db 0.1.3"
title    = "XCF Activity"
above    = "                                              XCF PATH STATISTICS"

[[page.table]]
above    = "OUTBOUND FROM {system}"
where    = "direction = 'OUT'"
columns  = """
remote_system     -8  |SYSTEM
type              -9  |TYP
device           -16  DEVICE OR|STRUCTURE
remote_device     -6  OTHER|DEVICE
transport_class   -9  TRANSPORT|CLASS
signals            9  |REQ OUT
avg_queue          7  AVG Q|LNGTH
idle               8  |AVAIL
busy               8  |BUSY
restarts           6  |RETRY
transfer_us        8  TRANSFER|TIME
rejected           8  BUFFERS|UNAVAIL
"""

[[page.table]]
above    = "INBOUND TO {system}"
where    = "direction = 'IN'"
columns  = """
remote_system     -8  |SYSTEM
type              -9  |TYP
device           -16  DEVICE OR|STRUCTURE
remote_device     -6  OTHER|DEVICE
signals            9  |REQ IN
rejected           8  BUFFERS|UNAVAIL
transfer_us        8  TRANSFER|TIME
no_buffer_us       8  NO BUF|TIME
no_buffer          7  |NO BUF
restarts           6  |RETRY
usage_pct          6  USAGE|UTIL%
in_use_us          8  IN USE|TIME
in_use             7  |IN USE
in_use_signals     8  |SIGNALS
"""

[columns]
direction     = { label = "DIRECTION" }
list_no       = { label = "LIST", format = "int", empty = "" }
remote_device = { empty = "" }
signals       = { kind = "count", format = "scaled" }
signals_per_s = { label = "REQ/SEC", format = "rate" }
avg_queue     = { better = "lower", format = "2" }
idle          = { kind = "count", format = "scaled" }
busy          = { kind = "count", better = "lower", format = "scaled" }
restarts      = { kind = "count", better = "lower", format = "scaled" }
rejected      = { kind = "count", better = "lower", format = "scaled" }
transfer_us   = { kind = "level", better = "lower", format = "1" }
no_buffer     = { kind = "count", better = "lower", format = "scaled" }
no_buffer_us  = { num = "no_buffer_total_us", den = "no_buffer", better = "lower", format = "1", empty = "" }
usage_pct     = { kind = "level", format = "int", empty = "" }
in_use_us     = { num = "in_use_total_us", den = "in_use", format = "1", empty = "" }
in_use        = { kind = "count", format = "scaled", empty = "" }
in_use_signals = { kind = "count", format = "scaled", empty = "" }
*/
WITH path AS (
    SELECT *, no_buffer_us AS no_buffer_us_sum, in_use_us AS in_use_us_sum
    FROM rmf_xcf_path
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, remote_system, direction, type,
    device, list_no, remote_device, transport_class,
    signal_count                                                 AS signals, -- Signals that went over the path [requests]
    signal_count / nullif(interval_s, 0)                         AS signals_per_s, -- Signals a second
    queue_sum / nullif(samples_count, 0)                         AS avg_queue, -- Outbound signals waiting, mean of the samples
    idle_count                                                   AS idle, -- Selections that found the path idle
    busy_count                                                   AS busy, -- Selections that found the path busy
    restart_count                                                AS restarts, -- Restarts of the path
    reject_count                                                 AS rejected, -- Inbound signals turned away at the buffer limit
    transfer_us,
    no_buffer_count                                              AS no_buffer, -- Times a missing inbound buffer held up the path
    no_buffer_us / nullif(no_buffer_count, 0)                    AS no_buffer_us, -- Time a missing inbound buffer held up the path
    usage_pct,
    in_use_us / nullif(in_use_count, 0)                          AS in_use_us, -- Time the path stayed in use, mean
    in_use_count                                                 AS in_use, -- Times the path came into use
    in_use_signal_count                                          AS in_use_signals, -- Signals sent while it was
    interval_s, signal_count, queue_sum, samples_count,
    no_buffer_us_sum                                             AS no_buffer_total_us, -- Time lost for want of a buffer
    in_use_us_sum                                                AS in_use_total_us -- Time the path was in use
FROM path
ORDER BY run, sysplex, system, interval_start_utc, interval_start, direction DESC,
    remote_system, device,
    list_no
