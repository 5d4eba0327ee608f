/* imsperf report
id       = "rmf.overview"
title    = "Overview"
answers  = "How did these values go, interval by interval?"
key      = ["condition", "qualifier"]
records_by = ["interval_start"]
any_of   = ["smf70_1_cpu", "smf72_3_period", "smf73_1_channel", "smf74_1_device", "smf74_4_request",
            "smf74_5_device", "smf78_3_iop", "smf78_3_queue"]
no_rows  = "no record has one of the conditions"

[[param]]
name     = "conditions"
type     = "VARCHAR"
default  = "CPUBSY,NUMPROC,DART,DQTAVG,DPTAVG,DDTAVG,DCTAVG,SYNCST,SYNCRT,ASYNCST,CHNGDP,IOPAC,IOPQL"
doc      = "Conditions, with a qualifier in parentheses: CPUBSY, EXVEL(S.IMSHIGH), DART(L.0071); an unknown name lists all there are"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["value"]
color    = "qualifier"
facet    = "condition"
own_y    = true
title    = "Conditions of the RMF overview"

[page]
layout   = "ours"
heading  = "run"
breaks   = ["system"]
above    = """
                                      R M F   O V E R V I E W
RUN {run:-24}  SYSTEM ID {system:-8}

"""

[page.texts]
start    = "strftime(interval_start, '%m/%d/%Y %H.%M.%S')"
qualifier = "coalesce(qualifier, '')"

[[page.table]]
columns  = """
start       -19  INTERVAL|START
condition   -10  |CONDITION
qualifier   -24  |QUALIFIER
value        12  |VALUE
unit        -12  |UNIT
"""

[columns]
qualifier = { empty = "" }
value     = { format = "3" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, condition,
    nullif(qualifier, '')                                        AS qualifier, -- What it is of; NULL for all of its kind
    value_num / nullif(value_den, 0)                             AS value, -- Value of the condition, in the unit that stands beside it
    measure                                                      AS unit,
    interval_s, value_num, value_den
FROM rmf_asked_conditions(
    $conditions, '^[A-Z]+(\([^()]*\))?$',
    'names, as CPUBSY or EXVEL(S.IMSHIGH)'
)
-- as they were asked for
ORDER BY run, sysplex, system, interval_start_utc,
    strpos(upper($conditions), condition || coalesce('(' || nullif(qualifier, ''), '')), qualifier
