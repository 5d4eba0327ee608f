/* imsperf report
id       = "ims.scheduling"
title    = "Scheduling Statistics"
answers  = "How many programs are scheduled, and what keeps others from it?"
key      = ["ims"]
time     = "interval_start_utc"
lead     = "ims_4506"
needs    = ["ims_06", "ims_4500", "ims_4506", "load_file"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["schedules_per_s"]
color    = "ims"
title    = "Programs scheduled a second"

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_4506.imsid"]

[[column]]
name     = "schedules"
label    = "Programs scheduled"
unit     = "schedules"
kind     = "count"
format   = "grouped"
doc      = "Programs scheduled"
from     = ["ims_4506.schedules"]

[[column]]
name     = "schedules_per_s"
label    = "Schedules /Second"
unit     = "1/s"
kind     = "ratio"
num      = "schedules"
den      = "interval_s"
format   = "2"
doc      = "Programs scheduled a second"
from     = ["ims_4506.schedules"]

[[column]]
name     = "transactions_per_schedule"
label    = "Transactions /Schedule"
kind     = "ratio"
num      = "transactions_count"
den      = "schedules"
format   = "2"
doc      = "Transactions dequeued for each schedule; Fast Path and waiting regions count too"
from     = ["ims_4500.trans_total"]

[[column]]
name     = "intent_fail"
label    = "Put off: intent conflict"
unit     = "schedules"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Schedules put off: conflicting intent"
from     = ["ims_4506.intent_fail"]

[[column]]
name     = "psb_pool_fail"
label    = "Put off: PSB pool full"
unit     = "schedules"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Schedules put off: no room in the PSB pool"
from     = ["ims_4506.psb_pool_fail"]

[[column]]
name     = "dmb_pool_fail"
label    = "Put off: DMB pool full"
unit     = "schedules"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Schedules put off: no room in the DMB pool"
from     = ["ims_4506.dmb_pool_fail"]

[[column]]
name     = "work_pool_fail"
label    = "Put off: PSB work pool full"
unit     = "schedules"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Schedules put off: no room in the PSB work pool"
from     = ["ims_4506.work_pool_fail"]

[[column]]
name     = "prty_cutoff"
label    = "Put off: priority cutoff"
unit     = "schedules"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Schedules put off: priority below the cutoff"
from     = ["ims_4506.prty_cutoff"]

[[column]]
name     = "failed_pct"
label    = "Put off %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "failed"
den      = "tries"
scale    = 100
format   = "2"
doc      = "Schedules put off, of all tries"
from     = ["ims_4506.intent_fail", "ims_4506.psb_pool_fail", "ims_4506.dmb_pool_fail",
            "ims_4506.work_pool_fail", "ims_4506.prty_cutoff"]

[[column]]
name     = "quick_resched"
label    = "Quick reschedules"
unit     = "reschedules"
kind     = "count"
format   = "grouped"
doc      = "Next message without a new schedule"
from     = ["ims_4506.quick_resched"]

[[column]]
name     = "psb_loads"
label    = "PSB loads"
unit     = "loads"
kind     = "count"
format   = "grouped"
doc      = "PSBs loaded"
from     = ["ims_4506.psb_loads"]

[[column]]
name     = "deadlocks"
label    = "Deadlocks"
unit     = "deadlocks"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Deadlocks"
from     = ["ims_4506.deadlocks"]

[[column]]
name     = "pseudo_abend"
label    = "Pseudo abends"
unit     = "abends"
better   = "lower"
kind     = "count"
format   = "grouped"
doc      = "Pseudo abends"
from     = ["ims_4506.pseudo_abend"]

[[column]]
name     = "restarted"
kind     = "config"
doc      = "IMS restarted since the earlier set: counts are those since the restart"
from     = ["ims_scheduling.restarted"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Counted time"
from     = ["ims_scheduling.interval_s"]

[[column]]
name     = "transactions_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions dequeued in the same time"
from     = ["ims_4500.trans_total"]

[[column]]
name     = "failed"
unit     = "schedules"
kind     = "part"
doc      = "Schedules put off, for any reason"
from     = ["ims_4506.intent_fail", "ims_4506.psb_pool_fail", "ims_4506.dmb_pool_fail",
            "ims_4506.work_pool_fail", "ims_4506.prty_cutoff"]

[[column]]
name     = "tries"
unit     = "schedules"
kind     = "part"
doc      = "Schedules and those put off"
from     = ["ims_4506.intent_fail", "ims_4506.psb_pool_fail", "ims_4506.dmb_pool_fail",
            "ims_4506.work_pool_fail", "ims_4506.prty_cutoff"]
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
        AND s.sample_utc >= t.sample_utc
)
SELECT
    g.run                                                        AS run,
    g.sysplex                                                    AS sysplex,
    g.system                                                     AS system,
    g.interval_start                                             AS interval_start,
    g.interval_start_utc                                         AS interval_start_utc,
    g.ims                                                        AS ims,
    g.schedules                                                  AS schedules,
    g.schedules / nullif(g.interval_s, 0)                        AS schedules_per_s,
    g.transactions_count / nullif(g.schedules, 0)                AS transactions_per_schedule,
    g.intent_fail                                                AS intent_fail,
    g.psb_pool_fail                                              AS psb_pool_fail,
    g.dmb_pool_fail                                              AS dmb_pool_fail,
    g.work_pool_fail                                             AS work_pool_fail,
    g.prty_cutoff                                                AS prty_cutoff,
    100.0 * g.failed / nullif(g.tries, 0)                        AS failed_pct,
    g.quick_resched                                              AS quick_resched,
    g.psb_loads                                                  AS psb_loads,
    g.deadlocks                                                  AS deadlocks,
    g.pseudo_abend                                               AS pseudo_abend,
    g.restarted                                                  AS restarted,
    g.interval_s                                                 AS interval_s,
    g.transactions_count                                         AS transactions_count,
    g.failed                                                     AS failed,
    g.tries                                                      AS tries
FROM scheduling AS g
ORDER BY g.run, g.system, g.ims, g.interval_start_utc
