/* imsperf report
id       = "rmf.device_storage_group"
like     = "rmf.device_lcu"
title    = "Direct Access Device Activity"
answers  = "Which storage group is slow, and in which part?"
key      = ["storage_group"]
records_by = ["system", "interval_start"]
facts    = "rmf_device_interval"
no_rows  = "no DASD belongs to a storage group"

[chart]
mark     = "bar"
x        = "storage_group"
y        = ["iosq_ms", "pend_ms", "disc_ms", "conn_ms"]
facet    = "system"
top      = 20
by       = "io_count"
title    = "Response time of the 20 most active storage groups, ms"

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
storage_group  -8  |STORAGE|GROUP
devices          7  |NUMBER|OF DEV
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
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, storage_group,
    device_count                                                 AS devices, -- DASD devices [devices]
    io_count / nullif(interval_s, 0)                             AS rate_per_s, -- I/O a second of all devices
    (iosq_us / nullif(iosq_io_count, 0) + device_us / nullif(measured_count, 0)) / 1000 AS resp_ms, -- Mean response: IOSQ + PEND + DISC + CONN
    iosq_us / nullif(iosq_io_count, 0) / 1000                    AS iosq_ms, -- Queued in IOS
    cmr_us / nullif(measured_count, 0) / 1000                    AS cmr_ms, -- Initial command response delay, part of PEND
    db_us / nullif(measured_count, 0) / 1000                     AS db_ms, -- Device busy delay, part of PEND
    int_us / nullif(measured_count, 0) / 1000                    AS int_ms, -- Interrupt delay, not part of RESP
    pend_us / nullif(measured_count, 0) / 1000                   AS pend_ms, -- Pending
    disc_us / nullif(measured_count, 0) / 1000                   AS disc_ms, -- Disconnected
    conn_us / nullif(measured_count, 0) / 1000                   AS conn_ms, -- Connected
    100 * conn_busy_us / nullif(devices_us, 0)                   AS conn_pct, -- Connected, mean of the devices
    100 * util_busy_us / nullif(devices_us, 0)                   AS util_pct, -- Connected, disconnected or reserved elsewhere, mean of the devices
    100 * reserved_us / nullif(all_devices_us, 0)                AS resv_pct, -- Reserved, from the samples; mean of the devices
    open_data_sets_us / nullif(interval_us, 0)                   AS alloc_avg, -- Data sets open at a time, of all devices [data sets]
    100 * allocated_us / nullif(all_devices_us, 0)               AS any_alloc_pct, -- Allocated, from the samples; mean of the devices
    interval_s, io_count, iosq_io_count, measured_count, iosq_us, cmr_us, db_us, int_us, pend_us,
    disc_us, conn_us, device_us, conn_busy_us, util_busy_us, devices_us,
    all_devices_us, interval_us, reserved_us, allocated_us, open_data_sets_us
FROM rmf_device_group
WHERE kind = 'STORAGE GROUP' AND storage_group IS NOT NULL
ORDER BY run, sysplex, system, interval_start_utc, interval_start, storage_group
