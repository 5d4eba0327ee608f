/* imsperf report
id       = "rmf.device"
title    = "Direct Access Device Activity"
answers  = "Which volume is slow, and is the time IOSQ, PEND, DISC or CONN?"
key      = ["device"]
time     = "interval_start_utc"
lead     = "smf74_1_product"
needs    = ["load_file", "smf74_1_device", "smf74_1_product"]
page     = "rmf_device_interval"

[chart]
mark     = "bar"
x        = "volume"
y        = ["iosq_ms", "pend_ms", "disc_ms", "conn_ms"]
facet    = "system"
top      = 20
by       = "io_count"
title    = "Response time of the 20 most active volumes, ms"

[[column]]
name     = "device"
label    = "DEV NUM"
kind     = "text"
doc      = "Subchannel set and device number, five hex digits"
from     = ["smf74_1_device.smf74num", "smf74_1_device.smf74scs"]

[[column]]
name     = "volume"
label    = "VOLUME SERIAL"
kind     = "text"
doc      = "Volume serial"
from     = ["smf74_1_device.smf74ser"]

[[column]]
name     = "lcu"
label    = "LCU"
kind     = "text"
doc      = "Logical control unit, hex"
from     = ["smf74_1_device.smf74lcu"]

[[column]]
name     = "rate_per_s"
label    = "DEVICE ACTIVITY RATE"
unit     = "1/s"
kind     = "ratio"
num      = "io_count"
den      = "interval_s"
format   = "activity"
doc      = "I/O a second"
from     = ["smf74_1_device.smf74ssc", "smf74_1_product.smf74int"]

[[column]]
name     = "resp_ms"
label    = "AVG RESP TIME"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = ["iosq_us", "device_us"]
den      = ["io_count", "measured_count"]
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Response: IOSQ + PEND + DISC + CONN; interrupt delay is outside"
from     = ["rmf_device.iosq_us", "rmf_device.device_us"]

[[column]]
name     = "iosq_ms"
label    = "AVG IOSQ TIME"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "iosq_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Queued in IOS"
from     = ["rmf_device.iosq_us", "smf74_1_device.smf74ios", "smf74_1_device.smf74que"]

[[column]]
name     = "cmr_ms"
label    = "AVG CMR DLY"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "cmr_us"
den      = "measured_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Initial command response delay, part of PEND"
from     = ["rmf_device.cmr_us", "smf74_1_device.smf74cmr"]

[[column]]
name     = "db_ms"
label    = "AVG DB DLY"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "db_us"
den      = "measured_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Device busy delay, part of PEND"
from     = ["rmf_device.db_us", "smf74_1_device.smf74dvb"]

[[column]]
name     = "int_ms"
label    = "AVG INT DLY"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "int_us"
den      = "measured_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Interrupt delay, not part of RESP"
from     = ["rmf_device.int_us", "smf74_1_device.smf74idt"]

[[column]]
name     = "pend_ms"
label    = "AVG PEND TIME"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "pend_us"
den      = "measured_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Pending"
from     = ["rmf_device.pend_us", "smf74_1_device.smf74pen"]

[[column]]
name     = "disc_ms"
label    = "AVG DISC TIME"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "disc_us"
den      = "measured_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Disconnected"
from     = ["rmf_device.disc_us", "smf74_1_device.smf74dis"]

[[column]]
name     = "conn_ms"
label    = "AVG CONN TIME"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "conn_us"
den      = "measured_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Connected"
from     = ["rmf_device.conn_us", "smf74_1_device.smf74cnn"]

[[column]]
name     = "conn_pct"
label    = "% DEV CONN"
unit     = "%"
kind     = "ratio"
num      = "conn_busy_us"
den      = "interval_us"
scale    = 100
format   = "2"
doc      = "Connected, of the interval; over the exposures of a PAV base"
from     = ["rmf_device.conn_busy_us", "smf74_1_device.smf74cnn", "smf74_1_device.smf74nux",
            "smf74_1_device.smf74psm"]

[[column]]
name     = "util_pct"
label    = "% DEV UTIL"
unit     = "%"
kind     = "ratio"
num      = "util_busy_us"
den      = "interval_us"
scale    = 100
format   = "2"
doc      = "Connected, disconnected or reserved elsewhere; over the exposures of a PAV base"
from     = ["rmf_device.util_busy_us", "smf74_1_device.smf74cnn", "smf74_1_device.smf74dis",
            "smf74_1_device.smf74utl"]

[[column]]
name     = "resv_pct"
label    = "% DEV RESV"
unit     = "%"
kind     = "ratio"
num      = "reserved_samples_count"
den      = "samples_count"
scale    = 100
format   = "1"
doc      = "Reserved"
from     = ["smf74_1_device.smf74rsv", "smf74_1_product.smf74sam"]

[[column]]
name     = "alloc_avg"
label    = "AVG NUMBER ALLOC"
kind     = "ratio"
num      = "data_sets_count"
den      = "samples_count"
format   = "1"
doc      = "Open data sets"
from     = ["smf74_1_device.smf74nda", "smf74_1_product.smf74sam"]

[[column]]
name     = "any_alloc_pct"
label    = "% ANY ALLOC"
unit     = "%"
kind     = "ratio"
num      = "allocated_samples_count"
den      = "samples_count"
scale    = 100
format   = "1"
doc      = "Allocated"
from     = ["smf74_1_device.smf74alc", "smf74_1_product.smf74sam"]

[[column]]
name     = "mt_pend_pct"
label    = "% MT PEND"
unit     = "%"
kind     = "ratio"
num      = "mount_pending_samples_count"
den      = "samples_count"
scale    = 100
format   = "1"
doc      = "Mount pending"
from     = ["smf74_1_device.smf74mtp", "smf74_1_product.smf74sam"]

[[column]]
name     = "not_ready_pct"
label    = "% NOT RDY"
unit     = "%"
kind     = "ratio"
num      = "not_ready_samples_count"
den      = "samples_count"
scale    = 100
format   = "1"
doc      = "Not ready"
from     = ["smf74_1_device.smf74nrd", "smf74_1_product.smf74sam"]

[[column]]
name     = "storage_group"
label    = "STORAGE GROUP"
kind     = "text"
doc      = "SMS storage group"
from     = ["smf74_1_device.smf74sgn"]

[[column]]
name     = "device_type"
label    = "DEVICE TYPE"
kind     = "text"
doc      = "Device model"
from     = ["smf74_1_device.smf74dev"]

[[column]]
name     = "device_class"
kind     = "text"
doc      = "Device class of the UCB type word"
from     = ["smf74_1_device.smf74typ"]

[[column]]
name     = "cylinders"
label    = "NUMBER OF CYL"
unit     = "cylinders"
kind     = "config"
format   = "int"
doc      = "Capacity of the volume"
from     = ["smf74_1_device.smf74cap"]

[[column]]
name     = "pav"
label    = "PAV"
kind     = "level"
format   = "exposures"
doc      = "Exposures: base and aliases, mean of the interval"
from     = ["smf74_1_device.smf74nux", "smf74_1_device.smf74psm"]

[[column]]
name     = "hyperpav"
kind     = "config"
doc      = "HyperPAV base"
from     = ["smf74_1_device.smf74cnx"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_device.interval_s"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_device.interval_us"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "RMF samples"
from     = ["rmf_device.samples_count"]

[[column]]
name     = "io_count"
unit     = "I/O"
kind     = "part"
doc      = "Start subchannels"
from     = ["rmf_device.io_count"]

[[column]]
name     = "measured_count"
unit     = "events"
kind     = "part"
doc      = "Measured events"
from     = ["rmf_device.measured_count"]

[[column]]
name     = "iosq_us"
unit     = "us"
kind     = "part"
doc      = "Queued in IOS"
from     = ["rmf_device.iosq_us"]

[[column]]
name     = "cmr_us"
unit     = "us"
kind     = "part"
doc      = "Command response delay"
from     = ["rmf_device.cmr_us"]

[[column]]
name     = "db_us"
unit     = "us"
kind     = "part"
doc      = "Device busy delay"
from     = ["rmf_device.db_us"]

[[column]]
name     = "int_us"
unit     = "us"
kind     = "part"
doc      = "Interrupt delay"
from     = ["rmf_device.int_us"]

[[column]]
name     = "pend_us"
unit     = "us"
kind     = "part"
doc      = "Pending"
from     = ["rmf_device.pend_us"]

[[column]]
name     = "disc_us"
unit     = "us"
kind     = "part"
doc      = "Disconnected"
from     = ["rmf_device.disc_us"]

[[column]]
name     = "conn_us"
unit     = "us"
kind     = "part"
doc      = "Connected"
from     = ["rmf_device.conn_us"]

[[column]]
name     = "device_us"
unit     = "us"
kind     = "part"
doc      = "Pending, disconnected and connected"
from     = ["rmf_device.device_us"]

[[column]]
name     = "conn_busy_us"
unit     = "us"
kind     = "part"
doc      = "Connected, over the exposures"
from     = ["rmf_device.conn_busy_us"]

[[column]]
name     = "util_busy_us"
unit     = "us"
kind     = "part"
doc      = "In use, over the exposures"
from     = ["rmf_device.util_busy_us"]

[[column]]
name     = "reserved_samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples reserved"
from     = ["rmf_device.reserved_samples_count"]

[[column]]
name     = "allocated_samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples allocated"
from     = ["rmf_device.allocated_samples_count"]

[[column]]
name     = "data_sets_count"
unit     = "data sets"
kind     = "part"
doc      = "Open data sets added over the samples"
from     = ["rmf_device.data_sets_count"]

[[column]]
name     = "mount_pending_samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples with a mount pending"
from     = ["rmf_device.mount_pending_samples_count"]

[[column]]
name     = "not_ready_samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples not ready"
from     = ["rmf_device.not_ready_samples_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    device                                                       AS device,
    volume                                                       AS volume,
    lcu                                                          AS lcu,
    io_count / nullif(interval_s, 0)                             AS rate_per_s,
    (iosq_us / nullif(io_count, 0) + device_us / nullif(measured_count, 0)) / 1000 AS resp_ms,
    iosq_us / nullif(io_count, 0) / 1000                         AS iosq_ms,
    cmr_us / nullif(measured_count, 0) / 1000                    AS cmr_ms,
    db_us / nullif(measured_count, 0) / 1000                     AS db_ms,
    int_us / nullif(measured_count, 0) / 1000                    AS int_ms,
    pend_us / nullif(measured_count, 0) / 1000                   AS pend_ms,
    disc_us / nullif(measured_count, 0) / 1000                   AS disc_ms,
    conn_us / nullif(measured_count, 0) / 1000                   AS conn_ms,
    100 * conn_busy_us / nullif(interval_us, 0)                  AS conn_pct,
    100 * util_busy_us / nullif(interval_us, 0)                  AS util_pct,
    100 * reserved_samples_count / nullif(samples_count, 0)      AS resv_pct,
    data_sets_count / nullif(samples_count, 0)                   AS alloc_avg,
    100 * allocated_samples_count / nullif(samples_count, 0)     AS any_alloc_pct,
    100 * mount_pending_samples_count / nullif(samples_count, 0) AS mt_pend_pct,
    100 * not_ready_samples_count / nullif(samples_count, 0)     AS not_ready_pct,
    storage_group                                                AS storage_group,
    device_type                                                  AS device_type,
    device_class                                                 AS device_class,
    cylinders                                                    AS cylinders,
    pav                                                          AS pav,
    hyperpav                                                     AS hyperpav,
    interval_s                                                   AS interval_s,
    interval_us                                                  AS interval_us,
    samples_count                                                AS samples_count,
    io_count                                                     AS io_count,
    measured_count                                               AS measured_count,
    iosq_us                                                      AS iosq_us,
    cmr_us                                                       AS cmr_us,
    db_us                                                        AS db_us,
    int_us                                                       AS int_us,
    pend_us                                                      AS pend_us,
    disc_us                                                      AS disc_us,
    conn_us                                                      AS conn_us,
    device_us                                                    AS device_us,
    conn_busy_us                                                 AS conn_busy_us,
    util_busy_us                                                 AS util_busy_us,
    reserved_samples_count                                       AS reserved_samples_count,
    allocated_samples_count                                      AS allocated_samples_count,
    data_sets_count                                              AS data_sets_count,
    mount_pending_samples_count                                  AS mount_pending_samples_count,
    not_ready_samples_count                                      AS not_ready_samples_count
FROM rmf_device
ORDER BY run, system, interval_start_utc, interval_start, device
