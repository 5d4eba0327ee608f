/* imsperf report
id       = "rmf.channel"
title    = "Channel Path Activity"
answers  = "Which channel path is near saturation, and is the load balanced over the paths?"
key      = ["channel"]
time     = "interval_start_utc"
lead     = "smf73_1_product"
needs    = ["load_file", "smf73_1_channel", "smf73_1_cmg1", "smf73_1_cmg2", "smf73_1_cmg3",
            "smf73_1_control", "smf73_1_extended", "smf73_1_product"]
optional = ["smf73_1_cmg1", "smf73_1_cmg2", "smf73_1_cmg3", "smf73_1_extended"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "channel"
y        = ["total_util_pct", "part_util_pct"]
facet    = "system"
stack    = "no"
top      = 24
by       = "total_busy_s"
title    = "Busiest channel paths, % of the time"

[[column]]
name     = "channel"
label    = "CHANNEL PATH ID"
kind     = "text"
doc      = "Channel path id, two hex digits"
from     = ["smf73_1_channel.smf73pid"]

[[column]]
name     = "type"
label    = "TYPE"
kind     = "text"
doc      = "Path type: FC_S"
from     = ["smf73_1_channel.smf73acr"]

[[column]]
name     = "generation"
label    = "G"
kind     = "config"
empty    = ""
doc      = "Generation of the channel type"
from     = ["smf73_1_channel.smf73gen"]

[[column]]
name     = "speed_gbps"
label    = "SPEED"
unit     = "Gb/s"
kind     = "config"
empty    = ""
doc      = "Speed at the end of the interval"
from     = ["smf73_1_channel.smf73spd", "smf73_1_channel.smf73msc"]

[[column]]
name     = "shared"
label    = "SHR"
kind     = "text"
doc      = "Y: shared by partitions"
from     = ["smf73_1_channel.smf73fg3"]

[[column]]
name     = "online"
label    = "ONLINE"
kind     = "config"
doc      = "Online at the end of the interval"
from     = ["smf73_1_channel.smf73fg2"]

[[column]]
name     = "part_util_pct"
label    = "UTILIZATION PART"
unit     = "%"
kind     = "ratio"
num      = "part_busy_s"
den      = "measured_s"
scale    = 100
format   = "2"
doc      = "Busy with this partition"
from     = ["rmf_channel.part_busy_s", "smf73_1_channel.smf73pti"]

[[column]]
name     = "total_util_pct"
label    = "UTILIZATION TOTAL"
unit     = "%"
kind     = "ratio"
num      = "total_busy_s"
den      = "total_measured_s"
scale    = 100
format   = "2"
doc      = "Busy with all partitions"
from     = ["rmf_channel.total_busy_s", "rmf_channel.total_measured_s"]

[[column]]
name     = "bus_util_pct"
label    = "UTILIZATION BUS"
unit     = "%"
kind     = "ratio"
num      = "bus_busy_s"
den      = "measured_s"
scale    = 100
format   = "2"
empty    = ""
doc      = "Bus of the channel busy with all partitions"
from     = ["rmf_channel.bus_busy_s", "smf73_1_cmg2.smf73tbc", "smf73_1_cmg2.smf73mbc"]

[[column]]
name     = "read_part_mbps"
label    = "READ PART"
unit     = "MB/s"
kind     = "ratio"
num      = "read_part_bytes"
den      = "measured_s"
scale    = 1e-06
format   = "rate"
empty    = ""
doc      = "Read by this partition, 10^6 bytes a second"
from     = ["smf73_1_cmg2.smf73pru", "smf73_1_cmg2.smf73us"]

[[column]]
name     = "read_total_mbps"
label    = "READ TOTAL"
unit     = "MB/s"
kind     = "ratio"
num      = "read_total_bytes"
den      = "measured_s"
scale    = 1e-06
format   = "rate"
empty    = ""
doc      = "Read by all partitions, 10^6 bytes a second"
from     = ["smf73_1_cmg2.smf73tru", "smf73_1_cmg2.smf73us"]

[[column]]
name     = "write_part_mbps"
label    = "WRITE PART"
unit     = "MB/s"
kind     = "ratio"
num      = "write_part_bytes"
den      = "measured_s"
scale    = 1e-06
format   = "rate"
empty    = ""
doc      = "Written by this partition, 10^6 bytes a second"
from     = ["smf73_1_cmg2.smf73pwu", "smf73_1_cmg2.smf73us", "smf73_1_cmg3.smf73pds",
            "smf73_1_cmg3.smf73pdu"]

[[column]]
name     = "write_total_mbps"
label    = "WRITE TOTAL"
unit     = "MB/s"
kind     = "ratio"
num      = "write_total_bytes"
den      = "measured_s"
scale    = 1e-06
format   = "rate"
empty    = ""
doc      = "Written by all partitions, 10^6 bytes a second"
from     = ["smf73_1_cmg2.smf73twu", "smf73_1_cmg2.smf73us", "smf73_1_cmg3.smf73tds",
            "smf73_1_cmg3.smf73tdu"]

[[column]]
name     = "ficon_per_s"
label    = "FICON OPERATIONS RATE"
unit     = "1/s"
kind     = "ratio"
num      = "ficon_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "FICON operations a second"
from     = ["smf73_1_extended.smf73eoc"]

[[column]]
name     = "ficon_active"
label    = "FICON OPERATIONS ACTIVE"
kind     = "ratio"
num      = "ficon_active_sum"
den      = "ficon_count"
format   = "1"
empty    = ""
doc      = "FICON operations active at a time"
from     = ["smf73_1_extended.smf73eos", "smf73_1_extended.smf73eoc"]

[[column]]
name     = "ficon_defer_per_s"
label    = "FICON OPERATIONS DEFER"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "ficon_deferred_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "FICON operations a second that could not start at once"
from     = ["smf73_1_extended.smf73eod"]

[[column]]
name     = "zhpf_per_s"
label    = "ZHPF OPERATIONS RATE"
unit     = "1/s"
kind     = "ratio"
num      = "zhpf_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "zHPF operations a second"
from     = ["smf73_1_extended.smf73etc"]

[[column]]
name     = "zhpf_active"
label    = "ZHPF OPERATIONS ACTIVE"
kind     = "ratio"
num      = "zhpf_active_sum"
den      = "zhpf_count"
format   = "1"
empty    = ""
doc      = "zHPF operations active at a time"
from     = ["smf73_1_extended.smf73ets", "smf73_1_extended.smf73etc"]

[[column]]
name     = "zhpf_defer_per_s"
label    = "ZHPF OPERATIONS DEFER"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "zhpf_deferred_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "zHPF operations a second that could not start at once"
from     = ["smf73_1_extended.smf73etd"]

[[column]]
name     = "message_part_per_s"
label    = "MESSAGE RATE PART"
unit     = "1/s"
kind     = "ratio"
num      = "message_part_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "HiperSockets messages a second this partition sent"
from     = ["smf73_1_cmg3.smf73pms", "smf73_1_cmg3.smf73pum"]

[[column]]
name     = "message_total_per_s"
label    = "MESSAGE RATE TOTAL"
unit     = "1/s"
kind     = "ratio"
num      = "message_total_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "HiperSockets messages a second all partitions sent"
from     = ["smf73_1_cmg3.smf73tms", "smf73_1_cmg3.smf73tum"]

[[column]]
name     = "send_fail_part_per_s"
label    = "SEND FAIL PART"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "send_fail_part_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "HiperSockets sends a second of this partition that failed"
from     = ["smf73_1_cmg3.smf73pus"]

[[column]]
name     = "receive_fail_part_per_s"
label    = "RECEIVE FAIL PART"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "receive_fail_part_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "HiperSockets receives a second of this partition that failed"
from     = ["smf73_1_cmg3.smf73pub"]

[[column]]
name     = "receive_fail_total_per_s"
label    = "RECEIVE FAIL TOTAL"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "receive_fail_total_count"
den      = "measured_s"
format   = "rate"
empty    = ""
doc      = "HiperSockets receives a second of all partitions that failed"
from     = ["smf73_1_cmg3.smf73tub"]

[[column]]
name     = "measurement_group"
label    = "CMG"
kind     = "config"
format   = "int"
doc      = "Channel measurement group, 0 = none"
from     = ["smf73_1_channel.smf73cmg"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_channel.interval_s"]

[[column]]
name     = "measured_s"
unit     = "s"
kind     = "part"
doc      = "Time the path was measured"
from     = ["rmf_channel.measured_s"]

[[column]]
name     = "part_busy_s"
unit     = "s"
kind     = "part"
doc      = "Busy with this partition"
from     = ["rmf_channel.part_busy_s"]

[[column]]
name     = "total_busy_s"
unit     = "s"
kind     = "part"
doc      = "Busy with all partitions"
from     = ["rmf_channel.total_busy_s"]

[[column]]
name     = "total_measured_s"
unit     = "s"
kind     = "part"
doc      = "What total_busy_s is a share of"
from     = ["rmf_channel.total_measured_s"]

[[column]]
name     = "bus_busy_s"
unit     = "s"
kind     = "part"
doc      = "Bus cycles at full speed"
from     = ["rmf_channel.bus_busy_s"]

[[column]]
name     = "read_part_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Read by this partition"
from     = ["rmf_channel.read_part_bytes"]

[[column]]
name     = "read_total_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Read by all partitions"
from     = ["rmf_channel.read_total_bytes"]

[[column]]
name     = "write_part_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Written by this partition"
from     = ["rmf_channel.write_part_bytes"]

[[column]]
name     = "write_total_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Written by all partitions"
from     = ["rmf_channel.write_total_bytes"]

[[column]]
name     = "ficon_count"
unit     = "requests"
kind     = "part"
doc      = "FICON operations"
from     = ["rmf_channel.ficon_count"]

[[column]]
name     = "ficon_active_sum"
kind     = "part"
doc      = "FICON operations active at a time, summed"
from     = ["rmf_channel.ficon_active_sum"]

[[column]]
name     = "ficon_deferred_count"
unit     = "requests"
kind     = "part"
doc      = "FICON operations deferred"
from     = ["rmf_channel.ficon_deferred_count"]

[[column]]
name     = "zhpf_count"
unit     = "requests"
kind     = "part"
doc      = "zHPF operations"
from     = ["rmf_channel.zhpf_count"]

[[column]]
name     = "zhpf_active_sum"
kind     = "part"
doc      = "zHPF operations active at a time, summed"
from     = ["rmf_channel.zhpf_active_sum"]

[[column]]
name     = "zhpf_deferred_count"
unit     = "requests"
kind     = "part"
doc      = "zHPF operations deferred"
from     = ["rmf_channel.zhpf_deferred_count"]

[[column]]
name     = "message_part_count"
unit     = "messages"
kind     = "part"
doc      = "Messages this partition sent"
from     = ["rmf_channel.message_part_count"]

[[column]]
name     = "message_total_count"
unit     = "messages"
kind     = "part"
doc      = "Messages all partitions sent"
from     = ["rmf_channel.message_total_count"]

[[column]]
name     = "send_fail_part_count"
kind     = "part"
doc      = "Sends of this partition that failed"
from     = ["rmf_channel.send_fail_part_count"]

[[column]]
name     = "receive_fail_part_count"
kind     = "part"
doc      = "Receives of this partition that failed"
from     = ["rmf_channel.receive_fail_part_count"]

[[column]]
name     = "receive_fail_total_count"
kind     = "part"
doc      = "Receives of all partitions that failed"
from     = ["rmf_channel.receive_fail_total_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    channel                                                      AS channel,
    type                                                         AS type,
    generation                                                   AS generation,
    speed_gbps                                                   AS speed_gbps,
    shared                                                       AS shared,
    online                                                       AS online,
    100 * part_busy_s / nullif(measured_s, 0)                    AS part_util_pct,
    100 * total_busy_s / nullif(total_measured_s, 0)             AS total_util_pct,
    100 * bus_busy_s / nullif(measured_s, 0)                     AS bus_util_pct,
    1e-06 * read_part_bytes / nullif(measured_s, 0)              AS read_part_mbps,
    1e-06 * read_total_bytes / nullif(measured_s, 0)             AS read_total_mbps,
    1e-06 * write_part_bytes / nullif(measured_s, 0)             AS write_part_mbps,
    1e-06 * write_total_bytes / nullif(measured_s, 0)            AS write_total_mbps,
    ficon_count / nullif(measured_s, 0)                          AS ficon_per_s,
    ficon_active_sum / nullif(ficon_count, 0)                    AS ficon_active,
    ficon_deferred_count / nullif(measured_s, 0)                 AS ficon_defer_per_s,
    zhpf_count / nullif(measured_s, 0)                           AS zhpf_per_s,
    zhpf_active_sum / nullif(zhpf_count, 0)                      AS zhpf_active,
    zhpf_deferred_count / nullif(measured_s, 0)                  AS zhpf_defer_per_s,
    message_part_count / nullif(measured_s, 0)                   AS message_part_per_s,
    message_total_count / nullif(measured_s, 0)                  AS message_total_per_s,
    send_fail_part_count / nullif(measured_s, 0)                 AS send_fail_part_per_s,
    receive_fail_part_count / nullif(measured_s, 0)              AS receive_fail_part_per_s,
    receive_fail_total_count / nullif(measured_s, 0)             AS receive_fail_total_per_s,
    measurement_group                                            AS measurement_group,
    interval_s                                                   AS interval_s,
    measured_s                                                   AS measured_s,
    part_busy_s                                                  AS part_busy_s,
    total_busy_s                                                 AS total_busy_s,
    total_measured_s                                             AS total_measured_s,
    bus_busy_s                                                   AS bus_busy_s,
    read_part_bytes                                              AS read_part_bytes,
    read_total_bytes                                             AS read_total_bytes,
    write_part_bytes                                             AS write_part_bytes,
    write_total_bytes                                            AS write_total_bytes,
    ficon_count                                                  AS ficon_count,
    ficon_active_sum                                             AS ficon_active_sum,
    ficon_deferred_count                                         AS ficon_deferred_count,
    zhpf_count                                                   AS zhpf_count,
    zhpf_active_sum                                              AS zhpf_active_sum,
    zhpf_deferred_count                                          AS zhpf_deferred_count,
    message_part_count                                           AS message_part_count,
    message_total_count                                          AS message_total_count,
    send_fail_part_count                                         AS send_fail_part_count,
    receive_fail_part_count                                      AS receive_fail_part_count,
    receive_fail_total_count                                     AS receive_fail_total_count
FROM rmf_channel
ORDER BY run, system, interval_start_utc, interval_start, channel
