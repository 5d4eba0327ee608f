/* imsperf report
id       = "rmf.pcie"
title    = "PCIE Activity"
answers  = "Which PCIE function is busy, and what does it move?"
key      = ["function"]
named_by = "job"
optional = ["smf74_9_function_type"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "function"
y        = ["read_mbps", "write_mbps"]
facet    = "system"
top      = 20
by       = "read_bytes"
title    = "Read and written by PCIE functions, 10^6 bytes a second"

[page]
layout = "ours"

[[page.table]]
columns  = """
function             -4  |FUNC|ID
pchid                -5  ||PCHID
device              -24  ||DEVICE NAME
job                  -8  |OWNER|JOB
status              -12  ||STATUS
allocated_pct         6  |ALLOC|%
loads_per_s           8  PCI OPERATIONS RATE|LOAD|
stores_per_s          8  |STORE|
store_blocks_per_s    8  |STORE|BLOCK
refreshes_per_s       8  |REFR|PCI
"""

[[page.table]]
where    = "kind IS NOT NULL"
columns  = """
function                 -4  FUNC|ID
kind                    -10  |TYPE
read_mbps                 9  READ|MB/SEC
write_mbps                9  WRITE|MB/SEC
received_packets_per_s   10  PACKETS|RECEIVED
sent_packets_per_s       10  PACKETS|SENT
requests_per_s            9  REQUEST|RATE
success_pct               8  SUCCESS|%
work_units_per_s         10  WORK UNITS|RATE
util_pct                  6  UTIL|%
"""

[columns]
device                 = { empty = "" }
job                    = { empty = "" }
status                 = { empty = "" }
allocated_pct          = { format = "1" }
loads_per_s            = { format = "rate" }
stores_per_s           = { format = "rate" }
store_blocks_per_s     = { format = "rate" }
refreshes_per_s        = { format = "rate" }
read_mbps              = { format = "2", empty = "" }
write_mbps             = { format = "2", empty = "" }
received_packets_per_s = { format = "rate", empty = "" }
sent_packets_per_s     = { format = "rate", empty = "" }
requests_per_s         = { format = "rate", empty = "" }
success_pct            = { better = "higher", format = "1", empty = "" }
work_units_per_s       = { format = "rate", empty = "" }
util_pct               = { format = "1", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, function, pchid, device, job, status,
    kind,
    100 * allocated_s / nullif(interval_s, 0)                    AS allocated_pct, -- Allocated, of the interval
    load_count / nullif(allocated_s, 0)                          AS loads_per_s, -- PCI loads a second allocated
    store_count / nullif(allocated_s, 0)                         AS stores_per_s, -- PCI stores a second allocated
    store_block_count / nullif(allocated_s, 0)                   AS store_blocks_per_s, -- PCI store blocks a second allocated
    refresh_count / nullif(allocated_s, 0)                       AS refreshes_per_s, -- PCI refreshes of translations a second allocated
    1e-6 * read_bytes / nullif(allocated_s, 0)                   AS read_mbps, -- Read or received a second allocated
    1e-6 * written_bytes / nullif(allocated_s, 0)                AS write_mbps, -- Written or sent a second allocated
    received_packet_count / nullif(allocated_s, 0)               AS received_packets_per_s, -- Packets received a second allocated
    sent_packet_count / nullif(allocated_s, 0)                   AS sent_packets_per_s, -- Packets sent a second allocated
    request_count / nullif(allocated_s, 0)                       AS requests_per_s, -- Synchronous I/O requests a second allocated
    100 * success_count / nullif(request_count, 0)               AS success_pct, -- Synchronous I/O requests that succeeded
    work_unit_count / nullif(allocated_s, 0)                     AS work_units_per_s, -- Work units a second allocated
    100 * busy_s / nullif(allocated_s, 0)                        AS util_pct, -- Time at work, of the time allocated
    interval_s, allocated_s, load_count, store_count, store_block_count, refresh_count, read_bytes,
    written_bytes, received_packet_count, sent_packet_count, request_count, success_count,
    work_unit_count, busy_s
FROM rmf_pcie_function
ORDER BY run, sysplex, system, interval_start_utc, interval_start, function
