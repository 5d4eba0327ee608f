/* imsperf report
id       = "rmf.ess_rank"
title    = "ESS Rank Statistics"
answers  = "Which rank of the storage controller is busy or slow?"
key      = ["controller", "rank"]
time     = "interval_start_utc"
lead     = "smf74_8_product"
needs    = ["load_file", "smf74_8_array", "smf74_8_control", "smf74_8_product", "smf74_8_rank"]
optional = ["smf74_8_array"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "rank"
y        = ["read_ms", "write_ms"]
facet    = "controller"
stack    = "no"
title    = "Response time of the ranks, ms"

[[column]]
name     = "controller"
label    = "SERIAL NUMBER"
kind     = "text"
doc      = "Serial number of the storage controller"
from     = ["smf74_8_control.r748cser"]

[[column]]
name     = "rank"
label    = "RRID"
kind     = "text"
doc      = "Rank, hex"
from     = ["smf74_8_rank.r748rrid"]

[[column]]
name     = "pool"
label    = "POOL ID"
kind     = "text"
doc      = "Extent pool, hex"
from     = ["smf74_8_rank.r748rpnm"]

[[column]]
name     = "read_per_s"
label    = "READ OPS/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "read_count"
den      = "interval_s"
format   = "rate"
doc      = "Reads a second"
from     = ["smf74_8_rank.r748rrop", "smf74_8_product.smf74int"]

[[column]]
name     = "read_bytes_per_operation"
label    = "READ BYTES/OP"
unit     = "bytes"
kind     = "ratio"
num      = "read_bytes"
den      = "read_count"
format   = "scaled"
empty    = ""
doc      = "Bytes of a read"
from     = ["smf74_8_rank.r748rbyr", "smf74_8_rank.r748rrop"]

[[column]]
name     = "read_bytes_per_s"
label    = "READ BYTES/SEC"
unit     = "bytes/s"
kind     = "ratio"
num      = "read_bytes"
den      = "interval_s"
format   = "scaled"
doc      = "Bytes a second"
from     = ["smf74_8_rank.r748rbyr", "smf74_8_product.smf74int"]

[[column]]
name     = "read_ms"
label    = "READ RTIME/OP"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "read_total_ms"
den      = "read_count"
format   = "1"
empty    = ""
doc      = "Response time of a read"
from     = ["smf74_8_rank.r748rkrt", "smf74_8_rank.r748rrop"]

[[column]]
name     = "write_per_s"
label    = "WRITE OPS/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "write_count"
den      = "interval_s"
format   = "rate"
doc      = "Writes a second"
from     = ["smf74_8_rank.r748rwop", "smf74_8_product.smf74int"]

[[column]]
name     = "write_bytes_per_operation"
label    = "WRITE BYTES/OP"
unit     = "bytes"
kind     = "ratio"
num      = "write_bytes"
den      = "write_count"
format   = "scaled"
empty    = ""
doc      = "Bytes of a write"
from     = ["smf74_8_rank.r748rbyw", "smf74_8_rank.r748rwop"]

[[column]]
name     = "write_bytes_per_s"
label    = "WRITE BYTES/SEC"
unit     = "bytes/s"
kind     = "ratio"
num      = "write_bytes"
den      = "interval_s"
format   = "scaled"
doc      = "Bytes a second"
from     = ["smf74_8_rank.r748rbyw", "smf74_8_product.smf74int"]

[[column]]
name     = "write_ms"
label    = "WRITE RTIME/OP"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "write_total_ms"
den      = "write_count"
format   = "1"
empty    = ""
doc      = "Response time of a write"
from     = ["smf74_8_rank.r748rkwt", "smf74_8_rank.r748rwop"]

[[column]]
name     = "raid"
label    = "RAID"
kind     = "text"
doc      = "Kind of array"
from     = ["smf74_8_array.r748aebc"]

[[column]]
name     = "arrays"
label    = "ARRAYS"
kind     = "config"
format   = "int"
doc      = "Arrays of the rank"
from     = ["smf74_8_array.r748aaid"]

[[column]]
name     = "width"
label    = "WIDTH"
unit     = "disks"
kind     = "config"
format   = "int"
doc      = "Disks of the arrays"
from     = ["smf74_8_array.r748aawd"]

[[column]]
name     = "rpm"
label    = "RPM"
unit     = "1/min"
kind     = "config"
format   = "int"
doc      = "Speed of the slowest array"
from     = ["smf74_8_array.r748aasp"]

[[column]]
name     = "capacity_gb"
label    = "CAP"
unit     = "GB"
kind     = "config"
format   = "int"
doc      = "Capacity of the arrays"
from     = ["smf74_8_array.r748aacp"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_ess_rank.interval_s"]

[[column]]
name     = "read_count"
kind     = "part"
doc      = "Reads"
from     = ["rmf_ess_rank.read_count"]

[[column]]
name     = "read_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Bytes read"
from     = ["rmf_ess_rank.read_bytes"]

[[column]]
name     = "read_total_ms"
unit     = "ms"
kind     = "part"
doc      = "Response time of reads"
from     = ["rmf_ess_rank.read_total_ms"]

[[column]]
name     = "write_count"
kind     = "part"
doc      = "Writes"
from     = ["rmf_ess_rank.write_count"]

[[column]]
name     = "write_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Bytes written"
from     = ["rmf_ess_rank.write_bytes"]

[[column]]
name     = "write_total_ms"
unit     = "ms"
kind     = "part"
doc      = "Response time of writes"
from     = ["rmf_ess_rank.write_total_ms"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    controller                                                   AS controller,
    rank                                                         AS rank,
    pool                                                         AS pool,
    read_count / nullif(interval_s, 0)                           AS read_per_s,
    read_bytes / nullif(read_count, 0)                           AS read_bytes_per_operation,
    read_bytes / nullif(interval_s, 0)                           AS read_bytes_per_s,
    read_total_ms / nullif(read_count, 0)                        AS read_ms,
    write_count / nullif(interval_s, 0)                          AS write_per_s,
    write_bytes / nullif(write_count, 0)                         AS write_bytes_per_operation,
    write_bytes / nullif(interval_s, 0)                          AS write_bytes_per_s,
    write_total_ms / nullif(write_count, 0)                      AS write_ms,
    raid                                                         AS raid,
    arrays                                                       AS arrays,
    width                                                        AS width,
    rpm                                                          AS rpm,
    capacity_gb                                                  AS capacity_gb,
    interval_s                                                   AS interval_s,
    read_count                                                   AS read_count,
    read_bytes                                                   AS read_bytes,
    read_total_ms                                                AS read_total_ms,
    write_count                                                  AS write_count,
    write_bytes                                                  AS write_bytes,
    write_total_ms                                               AS write_total_ms
FROM rmf_ess_rank
ORDER BY run, system, interval_start_utc, interval_start, controller, rank
