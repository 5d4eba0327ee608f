/* imsperf report
id       = "rmf.channel"
title    = "Channel Path Activity"
answers  = "Which channel path is near saturation, and is the load balanced over the paths?"
called   = ["chan", "chp", "chpid"]
key      = ["channel"]
records_by = ["system", "interval_start"]
optional = ["smf73_1_cmg1", "smf73_1_cmg2", "smf73_1_cmg3", "smf73_1_extended"]
facts    = "rmf_channel_interval"

[chart]
mark     = "bar"
x        = "channel"
y        = ["total_util_pct", "part_util_pct"]
facet    = "system"
stack    = "no"
top      = 24
by       = "total_busy_s"
title    = "Busiest channel paths, % of the time"

[page]
layout   = "RMF Report Analysis, SC34-2665"
above    = """
IODF = {facts.iodf_suffix}   CR-DATE: {facts.iodf_date}   CR-TIME: {facts.iodf_time}   ACT: {facts.iodf_activation}          CPMF: {cpmf}             CSSID: {facts.channel_subsystem}

"""

[page.texts]
cpmf     = "coalesce(facts.cpmf_mode, '-')"

[[page.table]]
above    = """
                                                DETAILS FOR ALL CHANNELS
CHANNEL PATH                UTILIZATION(%)        READ(MB/SEC)     WRITE(MB/SEC)     --FICON OPERATIONS-- ---ZHPF OPERATIONS---
"""
columns  = """
channel              4  ID
type                -5  TYPE
generation           2  G
speed_gbps           5  SPEED
shared              -3  SHR
part_util_pct        8  PART
total_util_pct       6  TOTAL
bus_util_pct         6  BUS
read_part_mbps       9  PART
read_total_mbps      7  TOTAL
write_part_mbps      9  PART
write_total_mbps     7  TOTAL
ficon_per_s          8  RATE
ficon_active         6  ACTIVE
ficon_defer_per_s    6  DEFER
zhpf_per_s           8  RATE
zhpf_active          6  ACTIVE
zhpf_defer_per_s     6  DEFER
"""

[[page.table]]
where    = "measurement_group = 3"
columns  = """
channel                     7  CHANNEL|ID
type                       -5  |TYPE
message_part_per_s         12  MESSAGE RATE|PART
message_total_per_s         8  |TOTAL
message_part_bytes         12  MESSAGE SIZE|PART
message_total_bytes         8  |TOTAL
send_fail_part_per_s       10  SEND FAIL|PART
receive_fail_part_per_s    13  RECEIVE FAIL|PART
receive_fail_total_per_s    8  |TOTAL
"""

[columns]
channel                  = { label = "CHANNEL PATH ID" }
generation               = { empty = "" }
speed_gbps               = { empty = "" }
online                   = { label = "ONLINE" }
part_util_pct            = { label = "UTILIZATION PART", format = "2" }
total_util_pct           = { label = "UTILIZATION TOTAL", format = "2" }
bus_util_pct             = { label = "UTILIZATION BUS", format = "2", empty = "" }
read_part_mbps           = { label = "READ PART", format = "rate", empty = "" }
read_total_mbps          = { label = "READ TOTAL", format = "rate", empty = "" }
write_part_mbps          = { label = "WRITE PART", format = "rate", empty = "" }
write_total_mbps         = { label = "WRITE TOTAL", format = "rate", empty = "" }
ficon_per_s              = { label = "FICON OPERATIONS RATE", format = "rate", empty = "" }
ficon_active             = { label = "FICON OPERATIONS ACTIVE", format = "1", empty = "" }
ficon_defer_per_s        = { label = "FICON OPERATIONS DEFER", better = "lower", format = "rate", empty = "" }
zhpf_per_s               = { label = "ZHPF OPERATIONS RATE", format = "rate", empty = "" }
zhpf_active              = { label = "ZHPF OPERATIONS ACTIVE", format = "1", empty = "" }
zhpf_defer_per_s         = { label = "ZHPF OPERATIONS DEFER", better = "lower", format = "rate", empty = "" }
message_part_per_s       = { format = "rate", empty = "" }
message_total_per_s      = { label = "MESSAGE RATE TOTAL", format = "rate", empty = "" }
message_part_bytes       = { format = "scaled", empty = "" }
message_total_bytes      = { label = "MESSAGE SIZE TOTAL", format = "scaled", empty = "" }
send_fail_part_per_s     = { better = "lower", format = "rate", empty = "" }
receive_fail_part_per_s  = { better = "lower", format = "rate", empty = "" }
receive_fail_total_per_s = { label = "RECEIVE FAIL TOTAL", better = "lower", format = "rate", empty = "" }
measurement_group        = { label = "CMG", format = "int" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, channel, type,
    generation, -- Generation of the channel type
    speed_gbps, -- Speed at the end of the interval [Gb/s]
    shared, online,
    100 * part_busy_s / nullif(measured_s, 0)                    AS part_util_pct, -- Busy with this partition
    100 * total_busy_s / nullif(total_measured_s, 0)             AS total_util_pct, -- Busy with all partitions
    100 * bus_busy_s / nullif(measured_s, 0)                     AS bus_util_pct, -- Bus of the channel busy with all partitions
    1e-06 * read_part_bytes / nullif(measured_s, 0)              AS read_part_mbps, -- Read by this partition, 10^6 bytes a second
    1e-06 * read_total_bytes / nullif(measured_s, 0)             AS read_total_mbps, -- Read by all partitions, 10^6 bytes a second
    1e-06 * write_part_bytes / nullif(measured_s, 0)             AS write_part_mbps, -- Written by this partition, 10^6 bytes a second
    1e-06 * write_total_bytes / nullif(measured_s, 0)            AS write_total_mbps, -- Written by all partitions, 10^6 bytes a second
    ficon_count / nullif(measured_s, 0)                          AS ficon_per_s, -- FICON operations a second
    ficon_active_sum / nullif(ficon_count, 0)                    AS ficon_active, -- FICON operations active at a time
    ficon_deferred_count / nullif(measured_s, 0)                 AS ficon_defer_per_s, -- FICON operations a second that could not start at once
    zhpf_count / nullif(measured_s, 0)                           AS zhpf_per_s, -- zHPF operations a second
    zhpf_active_sum / nullif(zhpf_count, 0)                      AS zhpf_active, -- zHPF operations active at a time
    zhpf_deferred_count / nullif(measured_s, 0)                  AS zhpf_defer_per_s, -- zHPF operations a second that could not start at once
    message_part_count / nullif(measured_s, 0)                   AS message_part_per_s, -- HiperSockets messages a second this partition sent
    message_total_count / nullif(measured_s, 0)                  AS message_total_per_s, -- HiperSockets messages a second all partitions sent
    write_part_bytes / nullif(message_part_count, 0)             AS message_part_bytes, -- Mean size of a HiperSockets message this partition sent [bytes]
    write_total_bytes / nullif(message_total_count, 0)           AS message_total_bytes, -- Mean size of a HiperSockets message all partitions sent [bytes]
    send_fail_part_count / nullif(measured_s, 0)                 AS send_fail_part_per_s, -- HiperSockets sends a second of this partition that failed
    receive_fail_part_count / nullif(measured_s, 0)              AS receive_fail_part_per_s, -- HiperSockets receives a second of this partition that failed
    receive_fail_total_count / nullif(measured_s, 0)             AS receive_fail_total_per_s, -- HiperSockets receives a second of all partitions that failed
    measurement_group, interval_s, measured_s, part_busy_s, total_busy_s, total_measured_s,
    bus_busy_s, read_part_bytes, read_total_bytes, write_part_bytes, write_total_bytes,
    ficon_count, ficon_active_sum, ficon_deferred_count, zhpf_count, zhpf_active_sum,
    zhpf_deferred_count, message_part_count, message_total_count, send_fail_part_count,
    receive_fail_part_count, receive_fail_total_count
FROM rmf_channel
ORDER BY run, sysplex, system, interval_start_utc, interval_start, channel
