/* imsperf report
id       = "rmf.eadm"
title    = "Extended Asynchronous Data Mover Activity"
answers  = "How busy is storage class or virtual flash memory, and who uses it?"
called   = ["scm"]
key      = ["resource", "part"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["total_util_pct"]
color    = "resource"
facet    = "system"
title    = "Storage class memory busy, %"

[page]
layout   = "ours"
together = [["rmf.eadm", "rmf.eadm_subchannels"]]

[[page.table]]
columns  = """
resource               -8  |RESOURCE
part                   -4  |PART
kind                   -4  |TYPE
util_pct                7  UTIL(%)|LPAR
total_util_pct          7  |TOTAL
read_mbps               9  READ(MB/S)|LPAR
total_read_mbps         9  |TOTAL
write_mbps             10  WRITE(MB/S)|LPAR
total_write_mbps        9  |TOTAL
requests_per_s          9  REQ RATE|LPAR
total_requests_per_s    9  |TOTAL
exec_ms                 8  RESP MS|LPAR
total_exec_ms           8  |TOTAL
queue_ms                8  IOP|QUEUE MS
"""

[columns]
util_pct             = { label = "UTIL LPAR", format = "1" }
total_util_pct       = { label = "UTIL TOTAL", format = "1" }
read_mbps            = { label = "READ LPAR", format = "2" }
total_read_mbps      = { label = "READ TOTAL", format = "2" }
write_mbps           = { label = "WRITE LPAR", format = "2" }
total_write_mbps     = { label = "WRITE TOTAL", format = "2" }
requests_per_s       = { format = "rate" }
total_requests_per_s = { label = "REQ RATE TOTAL", format = "rate" }
exec_ms              = { label = "RESP LPAR", better = "lower", format = "3", empty = "" }
total_exec_ms        = { label = "RESP TOTAL", better = "lower", format = "3", empty = "" }
queue_ms             = { label = "IOP QUEUE", better = "lower", format = "3", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, resource, part, kind,
    100 * used_s / nullif(interval_s, 0)                         AS util_pct, -- Used by this partition
    100 * total_used_s / nullif(interval_s, 0)                   AS total_util_pct, -- Used by all partitions
    1e-6 * read_bytes / nullif(interval_s, 0)                    AS read_mbps, -- Read by this partition
    1e-6 * total_read_bytes / nullif(interval_s, 0)              AS total_read_mbps, -- Read by all partitions
    1e-6 * written_bytes / nullif(interval_s, 0)                 AS write_mbps, -- Written by this partition
    1e-6 * total_written_bytes / nullif(interval_s, 0)           AS total_write_mbps, -- Written by all partitions
    request_count / nullif(interval_s, 0)                        AS requests_per_s, -- Requests a second of this partition
    total_request_count / nullif(interval_s, 0)                  AS total_requests_per_s, -- Requests a second of all partitions
    busy_ms / nullif(request_count, 0)                           AS exec_ms, -- Execution time of a request of this partition
    total_busy_ms / nullif(total_request_count, 0)               AS total_exec_ms, -- Execution time of a request of any partition
    total_queue_ms / nullif(total_request_count, 0)              AS queue_ms, -- Time a request of any partition was queued at the I/O processor
    interval_s, used_s, total_used_s, read_bytes, total_read_bytes, written_bytes,
    total_written_bytes, request_count, total_request_count, busy_ms, total_busy_ms, total_queue_ms
FROM rmf_eadm_part
ORDER BY run, sysplex, system, interval_start_utc, interval_start, resource, part
