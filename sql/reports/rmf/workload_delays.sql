/* imsperf report
id       = "rmf.workload_delays"
title    = "Workload Activity"
answers  = "What does a class wait for, most first?"
key      = ["kind", "class", "period", "state", "reason"]
records_by = ["system", "interval_start"]
facts    = "rmf_workload_interval"

[chart]
mark     = "bar"
x        = "class"
y        = ["samples_pct"]
color    = "reason"
facet    = "system"
where    = "kind = 'service' AND state = 'EXEC DELAY' AND reason <> 'TOT'"
title    = "Delays, % of the samples of the execution phase"

[page]
layout      = "smf2db 0.1.3"
blocks      = ["kind", "class", "period"]
block_above = """
{scope}
AVG ADRSP {avg_adrsp:8}   SAMPLES {execution_samples_count:10}

"""

[page.texts]
scope    = """CASE kind WHEN 'report' THEN 'REPORT CLASS' ELSE 'SERVICE CLASS' END
    || '=' || coalesce(nullif(class, ''), '-') || '  PERIOD=' || coalesce(period::VARCHAR, '-')"""

[[page.table]]
where    = "samples_pct >= 0.05"
columns  = """
state         -11  |STATE
reason        -10  |REASON
samples_pct     7  EXEC|%
meaning       -55  |MEANING
"""

[columns]
period                  = { format = "int" }
samples_pct             = { format = "1" }
avg_adrsp               = { label = "AVG ADRSP", format = "1" }
execution_samples_count = { kind = "part", format = "int" }
place                   = { kind = "part", total = "same" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, kind, class, period, state, reason,
    meaning,
    100 * state_count / nullif(execution_samples_count, 0)       AS samples_pct, -- Samples in that state, of those of the execution phase
    spaces_count / nullif(wlm_samples_count, 0)                  AS avg_adrsp, -- Address spaces and enclaves, mean of the samples
    interval_s, place, state_count, execution_samples_count, spaces_count, wlm_samples_count
FROM rmf_workload_state
ORDER BY run, sysplex, system, interval_start_utc, interval_start, kind DESC, class, period,
    CASE state WHEN 'EXEC USING' THEN 1 WHEN 'EXEC DELAY' THEN 2 WHEN 'USING' THEN 3
        WHEN 'DELAY' THEN 4 ELSE 5 END,
    reason <> 'TOT', state_count DESC, place
