/* imsperf report
id       = "rmf.serialization_delay"
title    = "Serialization Delay"
answers  = "Which lock, latch or enqueue holds work up, and whose?"
called   = ["sdelay"]
key      = ["resource", "job", "asid"]
any_of   = ["smf72_5_control", "smf72_5_cms", "smf72_5_local", "smf72_5_cml_owner", "smf72_5_cml_requestor", "smf72_5_latch", "smf72_5_enqueue"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "resource"
y        = ["wait_total_ms"]
facet    = "system"
where    = "job IS NULL"
title    = "Time work was suspended, ms"

[page]
layout = "smf2db 0.1.3"
title  = "Serialization Delay Report"

[[page.table]]
above    = "SYSTEM SUMMARY"
where    = "job IS NULL"
columns  = """
resource        -13  LOCK, LATCH|OR SCOPE
wait_total_ms    15  TOTAL CONTENTION|TIME
wait_ms          12  AVG|TIME
wait_std_ms      12  STD DEV|OF TIME
requests         14  REQUEST|COUNT
waits            14  CONTENTION|COUNT
queued_waits     14  COUNT WITH|QLEN>1
"""

[[page.table]]
above    = "ADDRESS SPACES"
where    = "job IS NOT NULL"
columns  = """
resource        -13  LOCK, LATCH|OR SCOPE
asid              5  |ASID
job              -8  |JOB NAME
service_class    -8  SERVICE|CLASS
period            1  |P
wait_total_ms    15  TOTAL CONTENTION|TIME
wait_ms          10  AVG|TIME
wait_std_ms      10  STD DEV|OF TIME
requests         12  REQUEST|COUNT
waits            12  CONTENTION|COUNT
queued_waits     12  COUNT WITH|QLEN>1
"""

[columns]
asid          = { format = "hex" }
service_class = { empty = "" }
period        = { format = "int", empty = "" }
wait_total_ms = { kind = "count", better = "lower", format = "int" }
wait_ms       = { label = "AVG CONTENTION TIME", better = "lower", format = "2", empty = "" }
requests      = { kind = "count", format = "int", empty = "" }
waits         = { kind = "count", better = "lower", format = "int" }
queued_waits  = { label = "CONTENTION COUNT WITH QLEN>1", kind = "count", better = "lower", format = "int", empty = "" }
place         = { kind = "part", total = "same" }

[columns.wait_std_ms]
label     = "STD DEV OF CONTENTION TIME"
format    = "2"
empty     = ""
total_sql = """sample_deviation(sum(waits), sum(wait_total_ms), sum(wait_squares_ms2))"""
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, resource, job, asid, service_class,
    period,
    wait_total_ms, -- Time work was suspended
    wait_total_ms / nullif(wait_count, 0)                        AS wait_ms, -- Mean time of a suspension
    sample_deviation(wait_count, wait_total_ms, wait_squares_ms2) AS wait_std_ms, -- Standard deviation of those times, of the sample
    request_count                                                AS requests, -- ENQ requests [requests]
    wait_count                                                   AS waits, -- Times work was suspended
    queued_wait_count                                            AS queued_waits, -- Of these, behind other work that waited already
    interval_s, place, wait_squares_ms2, wait_count
FROM rmf_serialization
ORDER BY run, sysplex, system, interval_start_utc, interval_start, job IS NOT NULL, place,
    wait_total_ms DESC, job, asid
