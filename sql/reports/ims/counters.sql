/* imsperf report
id       = "ims.counters"
title    = "Counters at Start and End"
answers  = "What did the counters of pools and latches stand at, before and after?"
key      = ["ims", "kind", "name", "counter"]
any_of   = ["ims_4502", "ims_4504", "ims_4508", "ims_450a"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[page]
layout   = "ours"
note     = "- not in the earlier set, or IMS was restarted since: counters begin anew"

[[page.table]]
columns  = """
kind         -5  POOL
name        -16  SUBPOOL|OR LATCH
counter     -40  COUNTER
start_count  18  START TRACE
end_count    18  END TRACE
difference   18  DIFFERENCE
"""

[columns]
name        = { empty = "" }
place       = { label = "PLACE" }
start_count = { kind = "attribute", total = "min", format = "grouped" }
end_count   = { kind = "attribute", total = "last", format = "grouped" }
difference  = { kind = "count", format = "grouped" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, kind, name, counter,
    start_count, end_count,
    difference_count                                             AS difference, -- What was counted between them
    place, restarted, interval_s
FROM ims_counter
ORDER BY run, system, ims, interval_start_utc,
    kind = 'LATCH', kind = 'VSAM', kind = 'OSAM', name, place
