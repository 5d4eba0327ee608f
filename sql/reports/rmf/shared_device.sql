/* imsperf report
id       = "rmf.shared_device"
like     = "rmf.device_lcu"
title    = "Shared Direct Access Device Activity"
answers  = "Which system loads a volume that several use, and which waits for it?"
called   = ["sdevice"]
key      = ["volume"]
records_by = ["interval_start"]
compared = "all_systems"
facts    = "rmf_device_interval"
no_rows  = "no volume is used by two systems of a sysplex"

[chart]
mark     = "bar"
x        = "volume"
y        = ["rate_per_s"]
color    = "system"
where    = "NOT all_systems"
top      = 20
by       = "io_count"
title    = "I/O a second of the 20 most active shared volumes, by system"

[page]
layout   = "ours"
heading  = "sysplex"

[[page.table]]
columns  = """
volume          -6  VOLUME|SERIAL|
system          -8  |SYSTEM|
device           5  DEV|NUM|
lcu              4  LCU||
pav              5  PAV||
rate_per_s      10  DEVICE|ACTIVITY|RATE
resp_ms          5  AVG|RESP|TIME
iosq_ms          5  AVG|IOSQ|TIME
cmr_ms           5  AVG|CMR|DLY
db_ms            5  AVG|DB|DLY
int_ms           5  AVG|INT|DLY
pend_ms          5  AVG|PEND|TIME
disc_ms          5  AVG|DISC|TIME
conn_ms          5  AVG|CONN|TIME
conn_pct         6  %|DEV|CONN
util_pct         6  %|DEV|UTIL
resv_pct         5  %|DEV|RESV
alloc_avg        6  AVG|NUMBER|ALLOC
any_alloc_pct    5  %|ANY|ALLOC
"""

[columns]
device     = { empty = "" }
lcu        = { empty = "" }
pav        = { kind = "level", format = "exposures", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, volume, device, lcu, pav,
    io_count / nullif(interval_s, 0)                             AS rate_per_s, -- I/O a second
    (iosq_us / nullif(iosq_io_count, 0) + device_us / nullif(measured_count, 0)) / 1000 AS resp_ms, -- Response: IOSQ + PEND + DISC + CONN; of all systems the mean of their I/Os
    iosq_us / nullif(iosq_io_count, 0) / 1000                    AS iosq_ms, -- Queued in IOS
    cmr_us / nullif(measured_count, 0) / 1000                    AS cmr_ms, -- Initial command response delay, part of PEND
    db_us / nullif(measured_count, 0) / 1000                     AS db_ms, -- Device busy delay, part of PEND
    int_us / nullif(measured_count, 0) / 1000                    AS int_ms, -- Interrupt delay, not part of RESP
    pend_us / nullif(measured_count, 0) / 1000                   AS pend_ms, -- Pending
    disc_us / nullif(measured_count, 0) / 1000                   AS disc_ms, -- Disconnected
    conn_us / nullif(measured_count, 0) / 1000                   AS conn_ms, -- Connected
    100 * conn_busy_us / nullif(interval_us, 0)                  AS conn_pct, -- Connected, of the interval; of all systems the sum
    100 * util_busy_us / nullif(interval_us, 0)                  AS util_pct, -- Connected, disconnected or reserved elsewhere; of all systems the sum
    100 * reserved_us / nullif(interval_us, 0)                   AS resv_pct, -- Reserved, from the samples; of all systems the sum
    open_data_sets_us / nullif(interval_us, 0)                   AS alloc_avg, -- Data sets open at a time; of all systems the sum [data sets]
    100 * allocated_us / nullif(interval_us, 0)                  AS any_alloc_pct, -- Allocated, from the samples; of all systems the sum
    all_systems, interval_s, interval_us, io_count, iosq_io_count, measured_count, iosq_us, cmr_us,
    db_us, int_us, pend_us, disc_us, conn_us, device_us, conn_busy_us, util_busy_us, reserved_us,
    allocated_us, open_data_sets_us
FROM rmf_shared_device
ORDER BY run, sysplex, interval_start_utc, volume, all_systems, system
