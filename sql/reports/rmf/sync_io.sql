/* imsperf report
id       = "rmf.sync_io"
title    = "Synchronous I/O Device Activity"
answers  = "How many I/Os are served synchronously (zHyperLink), and why are others not?"
called   = ["zhyperlink"]
key      = ["device"]
named_by = "volume"
facts    = "rmf_device_interval"
no_rows  = "no device was asked for synchronous I/O"

[chart]
mark     = "bar"
x        = "volume"
y        = ["reads_per_s", "writes_per_s"]
facet    = "system"
top      = 20
by       = "request_count"
title    = "Synchronous I/O a second of the 20 most active volumes"

[page]
layout   = "smf2db 0.1.3"
above    = """
TOTAL SAMPLES = {samples:6}   IODF = {facts.iodf_suffix}   CR-DATE: {facts.iodf_date}   CR-TIME: {facts.iodf_time}     ACT: {facts.iodf_activation}

"""

[page.texts]
# of one interval: not of a total
samples  = "if(max(interval_s) OVER page = facts.interval_s, format('{:,}', facts.samples_count), '-')"

[[page.table]]
columns  = """
device             5  DEV|NUM|
volume            -6  VOLUME|SERIAL|
lcu                4  LCU||
reads_per_s       10  SYNCH I/O|RATE|READ
writes_per_s      10  SYNCH I/O|RATE|WRITE
read_ms            6  RESP|TIME|READ
write_ms           6  RESP|TIME|WRITE
read_mbps          8  TRANSFER|MB/SEC|READ
write_mbps         8  TRANSFER|MB/SEC|WRITE
success_pct        7  %|REQ|SUCCESS
link_busy_pct      5  %|LINK|BUSY
cache_miss_pct     5  %|CACHE|MISS
read_reject_pct    7  %|REJECTS|READ
write_reject_pct   7  %|REJECTS|WRITE
"""

[columns]
reads_per_s      = { label = "SYNCH I/O READ RATE", format = "activity" }
writes_per_s     = { label = "SYNCH I/O WRITE RATE", format = "activity" }
read_ms          = { label = "AVG RESP READ", better = "lower", format = "3", empty = "" }
write_ms         = { label = "AVG RESP WRITE", better = "lower", format = "3", empty = "" }
read_mbps        = { label = "TRANSFER RATE READ", format = "2" }
write_mbps       = { label = "TRANSFER RATE WRITE", format = "2" }
success_pct      = { better = "higher", format = "1" }
link_busy_pct    = { better = "lower", format = "1" }
cache_miss_pct   = { better = "lower", format = "1" }
read_reject_pct  = { better = "lower", format = "1" }
write_reject_pct = { better = "lower", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, device, volume, lcu,
    read_count / nullif(interval_s, 0)                           AS reads_per_s, -- Synchronous reads a second
    write_count / nullif(interval_s, 0)                          AS writes_per_s, -- Synchronous writes a second
    0.001 * read_us / nullif(read_count, 0)                      AS read_ms, -- Mean time of a synchronous read
    0.001 * write_us / nullif(write_count, 0)                    AS write_ms, -- Mean time of a synchronous write
    1e-6 * read_bytes / nullif(interval_s, 0)                    AS read_mbps, -- Read synchronously
    1e-6 * write_bytes / nullif(interval_s, 0)                   AS write_mbps, -- Written synchronously
    100 * success_count / nullif(request_count, 0)               AS success_pct, -- Served, of all synchronous requests
    100 * link_busy_count / nullif(request_count, 0)             AS link_busy_pct, -- Rejected as the link was busy, of all synchronous requests
    100 * cache_miss_count / nullif(request_count, 0)            AS cache_miss_pct, -- Rejected as the cache could not serve it, of all synchronous requests
    100 * read_reject_count / nullif(request_count, 0)           AS read_reject_pct, -- Reads rejected for any reason, of all synchronous requests
    100 * write_reject_count / nullif(request_count, 0)          AS write_reject_pct, -- Writes rejected for any reason, of all synchronous requests
    interval_s, read_count, write_count, read_us, write_us, read_bytes, write_bytes, success_count,
    link_busy_count, cache_miss_count, read_reject_count, write_reject_count, request_count
FROM rmf_sync_io
ORDER BY run, sysplex, system, interval_start_utc, interval_start, device
