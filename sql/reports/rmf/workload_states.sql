/* imsperf report
id       = "rmf.workload_states"
title    = "Workload Activity"
answers  = "In which state do CICS and IMS see their transactions, and what do these wait for?"
key      = ["kind", "class", "period", "subsystem", "phase", "state_group", "state"]
optional = ["smf72_3_delay_name", "smf72_3_response"]
facts    = "rmf_workload_interval"

[chart]
mark     = "bar"
x        = "class"
y        = ["samples_pct"]
color    = "state"
facet    = "phase"
where    = "kind = 'service' AND state_group <> 'SWITCHED'"
title    = "States of transactions, % of the samples"

[page]
layout      = "smf2db 0.1.3"
blocks      = ["kind", "class", "period", "subsystem", "phase"]
block_above = """
{scope}
SUB TYPE {subsystem:-4}  P {phase:-3}   RESP TIME (%) {response_pct:6}   STATE SAMPLES {states_count}

"""

[page.texts]
scope    = """CASE kind WHEN 'report' THEN 'REPORT CLASS' ELSE 'SERVICE CLASS' END
    || '=' || coalesce(nullif(class, ''), '-') || '  PERIOD=' || coalesce(period::VARCHAR, '-')"""

[[page.table]]
where    = "samples_pct >= 0.05"
columns  = """
state_group   -11  |STATE
state         -16  |
samples_pct     7  SAMPL|(%)
"""

[columns]
period       = { format = "int" }
samples_pct  = { label = "SAMPL(%)", format = "1" }
response_pct = { label = "RESP TIME(%)", format = "1" }
states_count = { kind = "part", format = "int" }
place        = { kind = "part", total = "same" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, kind, class, period, subsystem,
    phase, state_group, state,
    100 * state_count / nullif(states_count, 0)                  AS samples_pct, -- Samples in that state, of those in any; work that is switched counts in another state too
    100 * states_count / nullif(response_samples, 0)             AS response_pct, -- Samples of the phase, of those that the response times would fill
    interval_s, place, state_count, states_count, response_samples
FROM rmf_manager_state
ORDER BY run, sysplex, system, interval_start_utc, interval_start, kind DESC, class, period,
    subsystem,
    phase, CASE state_group WHEN 'ACTIVE' THEN 1 WHEN 'READY' THEN 2 WHEN 'IDLE' THEN 3
        WHEN 'WAITING FOR' THEN 4 ELSE 5 END, state_count DESC, place
