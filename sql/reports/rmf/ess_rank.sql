/* imsperf report
id       = "rmf.ess_rank"
title    = "ESS Rank Statistics"
answers  = "Which rank of the storage controller is busy or slow?"
key      = ["controller", "rank"]
records_by = ["system", "interval_start"]
optional = ["smf74_8_array", "smf74_8_pool"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "rank"
y        = ["read_ms", "write_ms"]
facet    = "controller"
stack    = "no"
title    = "Response time of the ranks, ms"

[page]
layout   = "smf2db 0.1.3"

[page.texts]
rpm      = "if(ssd = 'Y' AND rpm IS NULL, 'N/A', NULL)"

[[page.table]]
above    = "                                    ------ READ OPERATIONS -----   ---- WRITE OPERATIONS -----"
columns  = """
controller                 -10  SERIAL|NUMBER
pool                        -4  POOL|ID
pool_type                   -8  |TYPE
rank                        -4  |RRID
adapter                     -5  ADAPT|ID
read_per_s                   8  OPS|/SEC
read_bytes_per_operation     8  BYTES|/OP
read_ms                      6  RTIME|/OP
write_per_s                  8  OPS|/SEC
write_bytes_per_operation    8  BYTES|/OP
write_ms                     6  RTIME|/OP
ssd                         -3  |SSD
arrays                       5  ARRAY|NUM
width                        5  |WIDTH
rpm                          6  |RPM
capacity_gb                  7  |CAP GB
raid                       -10  |RAID
"""

[columns]
read_per_s                = { label = "READ OPS/SEC", format = "rate" }
read_bytes_per_operation  = { label = "READ BYTES/OP", format = "scaled", empty = "" }
read_bytes_per_s          = { label = "READ BYTES/SEC", format = "scaled" }
read_ms                   = { label = "READ RTIME/OP", better = "lower", format = "1", empty = "" }
write_per_s               = { label = "WRITE OPS/SEC", format = "rate" }
write_bytes_per_operation = { label = "WRITE BYTES/OP", format = "scaled", empty = "" }
write_bytes_per_s         = { label = "WRITE BYTES/SEC", format = "scaled" }
write_ms                  = { label = "WRITE RTIME/OP", better = "lower", format = "1", empty = "" }
ssd                       = { empty = "" }
adapter                   = { empty = "" }
pool_type                 = { empty = "" }
arrays                    = { format = "int" }
width                     = { format = "int" }
rpm                       = { format = "int" }
capacity_gb               = { label = "CAP", format = "int" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, controller, rank, pool,
    read_count / nullif(interval_s, 0)                           AS read_per_s, -- Reads a second
    read_bytes / nullif(read_count, 0)                           AS read_bytes_per_operation, -- Bytes of a read [bytes]
    read_bytes / nullif(interval_s, 0)                           AS read_bytes_per_s, -- Bytes a second [bytes/s]
    read_total_ms / nullif(read_count, 0)                        AS read_ms, -- Response time of a read
    write_count / nullif(interval_s, 0)                          AS write_per_s, -- Writes a second
    write_bytes / nullif(write_count, 0)                         AS write_bytes_per_operation, -- Bytes of a write [bytes]
    write_bytes / nullif(interval_s, 0)                          AS write_bytes_per_s, -- Bytes a second [bytes/s]
    write_total_ms / nullif(write_count, 0)                      AS write_ms, -- Response time of a write
    raid, arrays, ssd, adapter, pool_type,
    width, -- Disks of the arrays [disks]
    rpm, capacity_gb, interval_s, read_count, read_bytes, read_total_ms, write_count, write_bytes,
    write_total_ms
FROM rmf_ess_rank
ORDER BY run, sysplex, system, interval_start_utc, interval_start, controller, rank
