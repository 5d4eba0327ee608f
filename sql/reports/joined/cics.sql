/* imsperf report
id       = "joined.cics"
title    = "CICS Transactions with IMS"
answers  = "What is the time of a CICS transaction made of, in CICS and in IMS?"
key      = ["region", "tran"]
optional = ["ims_06", "ims_4500", "ims_56fa", "ims_a0", "ims_a105", "ims_a109", "smf70_1_control",
    "smf70_1_product"]
whole    = "rmf_cpu_interval"
no_rows  = "the records have no performance data"

[chart]
mark     = "bar"
x        = "tran"
y        = ["dispatch_ms", "file_ms", "db2_ms", "ims_cpu_ms", "ims_io_ms", "ims_lock_ms", "ims_rest_ms", "unexplained_ms"]
facet    = "region"
top      = 20
by       = "count"
title    = "Parts of the response of the 20 most frequent transactions, ms"

[page]
layout   = "ours"
heading  = "smf"
note     = """
Milliseconds of a task; DISPATCH to UNEXPL. add up to RESPONSE. UNITS: units of recovery of IMS (56FA) whose caller is known (A109)
-  no record has this part: it is in REST (of the wait for DBCTL) or in UNEXPL.
"""

[[page.table]]
above    = "                                                  ------ CICS (110.1) -------  ---------- DBCTL (56FA) ----------"
columns  = """
region         -8  |REGION
tran           -4  |TRAN
count           9  |COUNT
units           9  |UNITS
response_ms     9  |RESPONSE
dispatch_ms     9  |DISPATCH
file_ms         9  |FILES
db2_ms          9  |DB2
ims_cpu_ms      8  |CPU
ims_io_ms       8  |DB I/O
ims_lock_ms     8  |LOCK
ims_rest_ms     8  |REST
unexplained_ms  8  |UNEXPL.
"""

[columns]
count          = { kind = "count", format = "grouped" }
units          = { kind = "count", format = "grouped" }
response_ms    = { better = "lower", format = "3" }
dispatch_ms    = { better = "lower", format = "3" }
file_ms        = { better = "lower", format = "3" }
db2_ms         = { better = "lower", format = "3" }
ims_cpu_ms     = { label = "IMS CPU", better = "lower", format = "3" }
ims_io_ms      = { label = "IMS DB I/O", better = "lower", format = "3" }
ims_lock_ms    = { label = "IMS LOCK", better = "lower", format = "3" }
ims_rest_ms    = { label = "IMS REST", better = "lower", format = "3" }
unexplained_ms = { label = "UNEXPLAINED", better = "lower", format = "3" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, region, tran, count, units,
    0.001 * response_us / nullif(count, 0)                           AS response_ms, -- Mean time from start to end
    0.001 * dispatch_us / nullif(count, 0)                           AS dispatch_ms, -- Dispatched by CICS, on all TCBs
    0.001 * file_us / nullif(count, 0)                               AS file_ms, -- Waiting for files
    0.001 * db2_us / nullif(count, 0)                                AS db2_ms, -- Waiting for a connection or thread to Db2
    0.001 * ims_cpu_us / nullif(count, 0)                            AS ims_cpu_ms, -- Waiting for DBCTL: on a processor in IMS (56FA)
    0.001 * ims_io_us / nullif(count, 0)                             AS ims_io_ms, -- Waiting for DBCTL: database I/O (56FA)
    0.001 * ims_lock_us / nullif(count, 0)                           AS ims_lock_ms, -- Waiting for DBCTL: locks (56FA)
    0.001 * ims_rest_us / nullif(count, 0)                           AS ims_rest_ms, -- Waiting for DBCTL: the rest, as thread, commit and log
    0.001 * unexplained_us / nullif(count, 0)                        AS unexplained_ms, -- The rest: other waits, waits for dispatch among them
    interval_s, response_us, dispatch_us, file_us, db2_us, ims_us, ims_cpu_us, ims_io_us,
    ims_lock_us, ims_rest_us, unexplained_us
FROM joined_cics
ORDER BY run, sysplex, system, interval_start_utc, region, tran
