/* imsperf report
id       = "ims.calls"
title    = "DL/I Calls"
answers  = "Which calls do regions, CICS and ODBM make, and what does a call cost?"
key      = ["ims", "source", "source_name"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["calls_per_s"]
color    = "source"
facet    = "ims"
title    = "DL/I calls a second"

[page]
layout   = "ours"
note     = "/Tran: of a transaction or unit of work of the source"

[[page.table]]
above    = "                                                  -------------- Database calls --------------  - Message calls --"
columns  = """
source            -6  Source
source_name       -8  Name
threads            5  Thrds
transaction_count  8  Trans
calls_per_s        9  Calls/s
calls_per_tran     7  /Tran
db_gu_count        9  GU
db_gn_count        8  GN
db_isrt_count      8  ISRT
db_dlet_count      7  DLET
db_repl_count      9  REPL
dc_gu_count        9  GU
dc_isrt_count      9  ISRT
elapsed_per_call_us 8 us/call
cpu_per_tran_us    8  CPU us
"""

[columns]
threads             = { kind = "level", format = "1" }
max_threads         = { label = "Most threads", kind = "highwater", format = "grouped" }
transaction_count   = { label = "Transactions", kind = "count", format = "grouped" }
calls_per_s         = { label = "Calls /Second", format = "1" }
calls_per_tran      = { label = "Calls /Transaction", format = "2" }
db_gu_count         = { label = "DB GU", kind = "count", format = "scaled" }
db_gn_count         = { label = "DB GN", kind = "count", format = "scaled" }
db_gnp_count        = { label = "DB GNP", kind = "count", format = "scaled" }
db_isrt_count       = { label = "DB ISRT", kind = "count", format = "scaled" }
db_dlet_count       = { label = "DB DLET", kind = "count", format = "scaled" }
db_repl_count       = { label = "DB REPL", kind = "count", format = "scaled" }
db_other_count      = { label = "DB other", kind = "count", format = "scaled" }
dc_gu_count         = { label = "DC GU", kind = "count", format = "scaled" }
dc_gn_count         = { label = "DC GN", kind = "count", format = "scaled" }
dc_isrt_count       = { label = "DC ISRT", kind = "count", format = "scaled" }
dc_purg_count       = { label = "DC PURG", kind = "count", format = "scaled" }
dc_ical_count       = { label = "DC ICAL", kind = "count", format = "scaled" }
chng_count          = { label = "CHNG", kind = "count", format = "scaled" }
sync_count          = { label = "SYNC", kind = "count", format = "scaled" }
service_count       = { label = "Other services", kind = "count", format = "scaled" }
esaf_count          = { label = "ESAF", kind = "count", format = "scaled" }
schedule_count      = { label = "Schedules", kind = "count", format = "grouped" }
schedule_waits_pct  = { label = "Waited for a thread %", better = "lower", format = "2" }
elapsed_per_call_us = { label = "Elapsed us /Call", better = "lower", format = "1" }
cpu_per_tran_us     = { label = "CPU us /Transaction", better = "lower", format = "1" }
ziip_per_tran_us    = { label = "zIIP us /Transaction", format = "1" }
*/
WITH source AS (
    SELECT
        c.*,
        c.db_gu_count + c.db_gn_count + c.db_gnp_count + c.db_isrt_count + c.db_dlet_count
            + c.db_repl_count + c.db_other_count + c.dc_gu_count + c.dc_gn_count + c.dc_isrt_count
            + c.dc_purg_count + c.dc_ical_count + c.chng_count + c.sync_count
            + c.service_count                                    AS call_count
    FROM ims_call_source AS c
)
SELECT
    s.run, s.sysplex, s.system, s.interval_start, s.interval_start_utc, s.ims,
    s.source, s.source_name, s.threads, s.max_threads, s.transaction_count,
    s.call_count / nullif(s.interval_s, 0)                       AS calls_per_s, -- DL/I calls a second, to databases, message queue and services
    s.call_count / nullif(s.transaction_count, 0)                AS calls_per_tran, -- DL/I calls of a transaction or unit of work
    s.db_gu_count, s.db_gn_count, s.db_gnp_count, s.db_isrt_count, s.db_dlet_count,
    s.db_repl_count, s.db_other_count, s.dc_gu_count, s.dc_gn_count, s.dc_isrt_count,
    s.dc_purg_count, s.dc_ical_count, s.chng_count, s.sync_count, s.service_count, s.esaf_count,
    s.schedule_count,
    100.0 * s.schedule_wait_count / nullif(s.schedule_count, 0)  AS schedule_waits_pct, -- Schedules that waited for a thread, of all
    s.elapsed_us / nullif(s.call_count, 0)                       AS elapsed_per_call_us, -- Time inside a DL/I call
    s.cpu_us / nullif(s.transaction_count, 0)                    AS cpu_per_tran_us, -- CPU of a transaction on general processors
    s.ziip_us / nullif(s.transaction_count, 0)                   AS ziip_per_tran_us, -- CPU of a transaction on zIIPs
    s.restarted, s.interval_s,
    s.call_count, -- DL/I calls of all kinds [calls]
    s.schedule_wait_count, s.elapsed_us, s.cpu_us, s.ziip_us
FROM source AS s
ORDER BY s.run, s.system, s.ims, s.interval_start_utc, s.source, s.source_name
