/* imsperf report
id       = "rmf.device"
title    = "Direct Access Device Activity"
answers  = "Which volume is slow, and is the time IOSQ, PEND, DISC or CONN?"
called   = ["dasd"]
key      = ["device"]
named_by = "volume"
records_by = ["system", "interval_start"]
facts    = "rmf_device_interval"

[chart]
mark     = "bar"
x        = "volume"
y        = ["iosq_ms", "pend_ms", "disc_ms", "conn_ms"]
facet    = "system"
top      = 20
by       = "io_count"
title    = "Response time of the 20 most active volumes, ms"

[page]
layout   = "RMF Report Analysis, SC34-2665"
together = [["rmf.device"], ["rmf.device_storage_group"], ["rmf.sync_io"]]
above    = """
TOTAL SAMPLES = {samples:6}   IODF = {facts.iodf_suffix}   CR-DATE: {facts.iodf_date}   CR-TIME: {facts.iodf_time}     ACT: {facts.iodf_activation}

"""

[page.texts]
samples  = "coalesce(format('{:,.0f}', nullif(max(samples_count) OVER page, 0)::DOUBLE), '-')"
hyper    = "if(hyperpav AND pav > 0, 'H', '')"

[[page.table]]
where    = "coalesce(device_class, '') <> 'TAPE'"
columns  = """
storage_group  -8  STORAGE|GROUP|
device          5  DEV|NUM|
device_type    -8  DEVICE|TYPE|
cylinders       6  NUMBER|OF CYL|
volume         -6  VOLUME|SERIAL|
{pav}{hyper}    5  PAV||
lcu             4  LCU||
rate_per_s      9  DEVICE|ACTIVITY|RATE
resp_ms         5  AVG|RESP|TIME
iosq_ms         4  AVG|IOSQ|TIME
cmr_ms          4  AVG|CMR|DLY
db_ms           4  AVG|DB|DLY
int_ms          4  AVG|INT|DLY
pend_ms         4  AVG|PEND|TIME
disc_ms         4  AVG|DISC|TIME
conn_ms         4  AVG|CONN|TIME
conn_pct        6  %|DEV|CONN
util_pct        6  %|DEV|UTIL
resv_pct        5  %|DEV|RESV
alloc_avg       6  AVG|NUMBER|ALLOC
any_alloc_pct   5  %|ANY|ALLOC
"""

[[page.table]]
where    = "device_class = 'TAPE'"
columns  = """
device          5  DEV|NUM|
device_type    -8  DEVICE|TYPE|
volume         -6  VOLUME|SERIAL|
lcu             4  LCU||
rate_per_s      9  DEVICE|ACTIVITY|RATE
resp_ms         4  AVG|RESP|TIME
iosq_ms         4  AVG|IOSQ|TIME
cmr_ms          4  AVG|CMR|DLY
db_ms           4  AVG|DB|DLY
int_ms          4  AVG|INT|DLY
pend_ms         4  AVG|PEND|TIME
disc_ms         4  AVG|DISC|TIME
conn_ms         4  AVG|CONN|TIME
conn_pct        6  %|DEV|CONN
util_pct        6  %|DEV|UTIL
resv_pct        5  %|DEV|RESV
mounts          6  NUMBER|OF|MOUNTS
mount_s         6  AVG|MOUNT|TIME
alloc_s         8  TIME|DEVICE|ALLOC
"""

[columns]
device        = { empty = "" }
volume        = { empty = "" }
lcu           = { empty = "" }
rate_per_s    = { format = "activity" }
resp_ms       = { better = "lower", format = "device", empty = "", contains = ["iosq_ms", "pend_ms", "disc_ms", "conn_ms"] }
iosq_ms       = { better = "lower", format = "device", empty = "" }
cmr_ms        = { better = "lower", format = "device", empty = "" }
db_ms         = { better = "lower", format = "device", empty = "" }
int_ms        = { better = "lower", format = "device", empty = "" }
pend_ms       = { better = "lower", format = "device", empty = "", contains = ["cmr_ms", "db_ms"] }
disc_ms       = { better = "lower", format = "device", empty = "" }
conn_ms       = { better = "lower", format = "device", empty = "" }
conn_pct      = { format = "2" }
util_pct      = { format = "2" }
resv_pct      = { format = "1" }
alloc_avg     = { format = "1" }
any_alloc_pct = { format = "1" }
mt_pend_pct   = { label = "% MT PEND", format = "1" }
not_ready_pct = { label = "% NOT RDY", format = "1" }
storage_group = { empty = "" }
mounts        = { kind = "count", format = "int", empty = "" }
mount_s       = { better = "lower", format = "1", empty = "" }
alloc_s       = { kind = "count", format = "1", empty = "" }
device_type   = { empty = "" }
cylinders     = { format = "int", empty = "" }
pav           = { label = "PAV", kind = "level", format = "exposures", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, device, volume, lcu,
    io_count / nullif(interval_s, 0)                             AS rate_per_s, -- I/O a second
    (iosq_us / nullif(io_count, 0) + device_us / nullif(measured_count, 0)) / 1000 AS resp_ms, -- Response: IOSQ + PEND + DISC + CONN; interrupt delay is outside
    iosq_us / nullif(io_count, 0) / 1000                         AS iosq_ms, -- Queued in IOS
    cmr_us / nullif(measured_count, 0) / 1000                    AS cmr_ms, -- Initial command response delay, part of PEND
    db_us / nullif(measured_count, 0) / 1000                     AS db_ms, -- Device busy delay, part of PEND
    int_us / nullif(measured_count, 0) / 1000                    AS int_ms, -- Interrupt delay, not part of RESP
    pend_us / nullif(measured_count, 0) / 1000                   AS pend_ms, -- Pending
    disc_us / nullif(measured_count, 0) / 1000                   AS disc_ms, -- Disconnected
    conn_us / nullif(measured_count, 0) / 1000                   AS conn_ms, -- Connected
    100 * conn_busy_us / nullif(interval_us, 0)                  AS conn_pct, -- Connected, of the interval; over the exposures of a PAV base
    100 * util_busy_us / nullif(interval_us, 0)                  AS util_pct, -- Connected, disconnected or reserved elsewhere; over the exposures of a PAV base
    100 * reserved_samples_count / nullif(samples_count, 0)      AS resv_pct, -- Reserved
    data_sets_count / nullif(samples_count, 0)                   AS alloc_avg, -- Open data sets
    100 * allocated_samples_count / nullif(samples_count, 0)     AS any_alloc_pct, -- Allocated
    100 * mount_pending_samples_count / nullif(samples_count, 0) AS mt_pend_pct, -- Mount pending
    100 * not_ready_samples_count / nullif(samples_count, 0)     AS not_ready_pct, -- Not ready
    mounts_count                                                 AS mounts, -- Tape: mounts
    1e-6 * mount_us / nullif(mounts_count, 0)                    AS mount_s, -- Tape: mean time of a mount, from the samples
    1e-6 * allocated_us                                          AS alloc_s, -- Tape: time allocated, from the samples
    storage_group, device_type, device_class, cylinders, pav, hyperpav, interval_s, interval_us,
    samples_count, io_count, measured_count, iosq_us, cmr_us, db_us, int_us, pend_us, disc_us,
    conn_us, device_us, conn_busy_us, util_busy_us, reserved_samples_count,
    allocated_samples_count, data_sets_count, mount_pending_samples_count, not_ready_samples_count,
    mount_us
FROM rmf_device
ORDER BY run, sysplex, system, interval_start_utc, interval_start, device
