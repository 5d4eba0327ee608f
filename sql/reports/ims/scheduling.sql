/* imsperf report
id       = "ims.scheduling"
title    = "Scheduling Statistics"
answers  = "How many programs are scheduled, and what keeps others from it?"
key      = ["ims"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["schedules_per_s"]
color    = "ims"
title    = "Programs scheduled a second"

[page]
layout = "ours"

[[page.table]]
widths   = [-32, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = [
    "schedules", "quick_resched", "intent_fail", "psb_pool_fail", "dmb_pool_fail",
    "work_pool_fail", "prty_cutoff", "psb_loads", "deadlocks", "pseudo_abend",
]

[[page.table]]
joined   = true
widths   = [-32, 17]
lines    = ["transactions_per_schedule", "failed_pct"]

[columns]
schedules                 = { label = "Programs scheduled", kind = "count", format = "grouped" }
schedules_per_s           = { label = "Schedules /Second", format = "2" }
transactions_per_schedule = { label = "Transactions /Schedule", format = "2" }
intent_fail               = { label = "Put off: intent conflict", kind = "count", better = "lower", format = "grouped" }
psb_pool_fail             = { label = "Put off: PSB pool full", kind = "count", better = "lower", format = "grouped" }
dmb_pool_fail             = { label = "Put off: DMB pool full", kind = "count", better = "lower", format = "grouped" }
work_pool_fail            = { label = "Put off: PSB work pool full", kind = "count", better = "lower", format = "grouped" }
prty_cutoff               = { label = "Put off: priority cutoff", kind = "count", better = "lower", format = "grouped" }
failed_pct                = { label = "Put off %", better = "lower", format = "2" }
quick_resched             = { label = "Quick reschedules", kind = "count", format = "grouped" }
psb_loads                 = { label = "PSB loads", kind = "count", format = "grouped" }
deadlocks                 = { label = "Deadlocks", kind = "count", better = "lower", format = "grouped" }
pseudo_abend              = { label = "Pseudo abends", kind = "count", better = "lower", format = "grouped" }
*/
WITH scheduling AS (
    SELECT
        s.*,
        s.intent_fail + s.psb_pool_fail + s.dmb_pool_fail + s.work_pool_fail + s.prty_cutoff
                                                                 AS failed,
        s.schedules + failed                                     AS tries,
        -- those of the same time only: without the 4500 of the set before, t counts for longer
        CASE WHEN abs(t.interval_s - s.interval_s) < 1 AND t.restarted = s.restarted
            THEN t.transactions_count END                        AS transactions_count
    FROM ims_scheduling AS s
    ASOF LEFT JOIN ims_statistics_set AS t
        ON t.run = s.run AND t.ims = s.ims AND t.ckpt_no = s.ckpt_no
        AND t.sysplex IS NOT DISTINCT FROM s.sysplex
        AND s.sample_utc >= t.sample_utc
)
SELECT
    g.run, g.sysplex, g.system, g.interval_start, g.interval_start_utc, g.ims,
    g.schedules, -- Programs scheduled [schedules]
    g.schedules / nullif(g.interval_s, 0)                        AS schedules_per_s, -- Programs scheduled a second
    g.transactions_count / nullif(g.schedules, 0)                AS transactions_per_schedule, -- Transactions dequeued for each schedule; Fast Path and waiting regions count too
    g.intent_fail, -- Schedules put off: conflicting intent [schedules]
    g.psb_pool_fail, -- Schedules put off: no room in the PSB pool [schedules]
    g.dmb_pool_fail, -- Schedules put off: no room in the DMB pool [schedules]
    g.work_pool_fail, -- Schedules put off: no room in the PSB work pool [schedules]
    g.prty_cutoff, -- Schedules put off: priority below the cutoff [schedules]
    100.0 * g.failed / nullif(g.tries, 0)                        AS failed_pct, -- Schedules put off, of all tries
    g.quick_resched, -- Next message without a new schedule [reschedules]
    g.psb_loads, -- PSBs loaded [loads]
    g.deadlocks, -- Deadlocks [deadlocks]
    g.pseudo_abend, -- Pseudo abends [abends]
    g.restarted, g.interval_s, g.transactions_count,
    g.failed, -- Schedules put off, for any reason [schedules]
    g.tries -- Schedules and those put off [schedules]
FROM scheduling AS g
ORDER BY g.run, g.system, g.ims, g.interval_start_utc
