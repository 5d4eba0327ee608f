/* imsperf report
id       = "ims.dispatcher"
title    = "Dispatcher Statistics"
answers  = "Which TCB of IMS is busy, and does work wait for one?"
key      = ["ims", "tcb"]
optional = ["ims_06", "ims_4500", "ims_450f"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["cpu_busy_pct"]
color    = "tcb"
facet    = "ims"
title    = "CPU busy of the TCBs of IMS, %"

[page]
layout   = "ours"
note     = "- the 450F of the set is not in the log"

[[page.table]]
columns  = """
tcb                  -8  TCB
create_count          9  Created
dispatch_count       10  Dispatched
dispatches_per_s      9  /Second
wait_us_per_dispatch  9  Wait us
max_queue             6  Max Q
suspend_count         9  Suspends
suspended_pct         8  Susp %
backout_count         8  Backouts
wrong_tcb_count       9  Wrong TCB
ipost_count           9  IPOSTs
iwait_count           9  IWAITs
switch_count          9  Switches
cpu_busy_pct          7  CPU %
"""

[columns]
create_count         = { label = "ITASKs created", kind = "count", format = "scaled" }
dispatch_count       = { label = "ITASKs dispatched", kind = "count", format = "scaled" }
dispatches_per_s     = { label = "Dispatches /Second", format = "1" }
wait_us_per_dispatch = { label = "Ready us /Dispatch", better = "lower", format = "1" }
max_queue            = { label = "Longest queue", kind = "highwater", format = "grouped" }
suspend_count        = { kind = "count", format = "scaled" }
suspended_pct        = { label = "Suspended %", format = "2" }
backout_count        = { label = "Suspend backouts", kind = "count", format = "scaled" }
wrong_tcb_count      = { label = "Ended on a wrong TCB", kind = "count", better = "lower", format = "scaled" }
ipost_count          = { kind = "count", format = "scaled" }
iwait_count          = { kind = "count", format = "scaled" }
switch_count         = { label = "TCB switches", kind = "count", format = "scaled" }
cpu_busy_pct         = { better = "lower", format = "2" }
*/
WITH tcb AS (
    SELECT
        d.*, w.create_count, w.ipost_count, w.iwait_count, w.switch_count, w.cpu_us,
        1e6 * d.interval_s                                       AS interval_us
    FROM ims_tcb AS d
    LEFT JOIN ims_tcb_work AS w
        ON w.run = d.run AND w.ims = d.ims AND w.tcb = d.tcb
        AND w.ckpt_no IS NOT DISTINCT FROM d.ckpt_no
        AND w.interval_start_utc = d.interval_start_utc
        AND abs(w.interval_s - d.interval_s) < 1 AND w.restarted = d.restarted
)
SELECT
    t.run, t.sysplex, t.system, t.interval_start, t.interval_start_utc, t.ims, t.tcb,
    t.create_count, t.dispatch_count,
    t.dispatch_count / nullif(t.interval_s, 0)                   AS dispatches_per_s, -- ITASKs dispatched a second
    t.wait_us / nullif(t.dispatch_count, 0)                      AS wait_us_per_dispatch, -- Time an ITASK was ready but not dispatched
    t.max_queue, t.suspend_count,
    100.0 * t.suspend_us / nullif(t.interval_us, 0)              AS suspended_pct, -- Time the TCB was suspended for lack of work
    t.backout_count, t.wrong_tcb_count, t.ipost_count, t.iwait_count, t.switch_count,
    100.0 * t.cpu_us / nullif(t.interval_us, 0)                  AS cpu_busy_pct, -- CPU of the TCB, of one processor
    t.restarted, t.interval_s, t.wait_us, t.suspend_us, t.cpu_us,
    t.interval_us -- Counted time [us]
FROM tcb AS t
ORDER BY t.run, t.system, t.ims, t.interval_start_utc, t.tcb
