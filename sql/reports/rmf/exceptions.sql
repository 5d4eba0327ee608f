/* imsperf report
id       = "rmf.exceptions"
title    = "Exceptions"
answers  = "When was a value beyond its limit?"
called   = ["excepts"]
key      = ["condition", "qualifier", "operator", "threshold"]
any_of   = ["smf70_1_cpu", "smf72_3_period", "smf73_1_channel", "smf74_1_device", "smf74_4_request",
            "smf74_5_device", "smf78_3_iop", "smf78_3_queue"]
no_rows  = "no interval is beyond a limit"

[[param]]
name     = "conditions"
type     = "VARCHAR"
default  = "CPUBSY>90,DQTAVG>1,CHNGDP>10"
doc      = "Conditions with a limit: CPUBSY>90, EXVEL(S.IMSHIGH)<50; an unknown name lists all there are"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["value"]
color    = "qualifier"
facet    = "condition"
own_y    = true
title    = "Exceptions"

[page]
layout   = "ours"
heading  = "run"
breaks   = ["system"]
above    = """
                                      R M F   E X C E P T I O N S
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
operator     2  |
threshold   10  |LIMIT
"""

[columns]
qualifier = { empty = "" }
value     = { format = "3" }
threshold = { format = "2" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, condition,
    nullif(qualifier, '')                                        AS qualifier, -- What it is of; NULL for all of its kind
    value_num / nullif(value_den, 0)                             AS value, -- Value of the condition, in the unit that stands beside it
    measure                                                      AS unit,
    operator, -- How the value is beyond the limit: > >= < <=
    threshold, -- Limit that was asked for
    interval_s, value_num, value_den
FROM rmf_asked_conditions(
    $conditions, '^[A-Z]+(\([^()]*\))?\s*[<>]=?\s*[0-9]+(\.[0-9]+)?$',
    'names with a limit, as CPUBSY>90 or EXVEL(S.IMSHIGH)<50'
)
WHERE CASE operator
    WHEN '>' THEN value_num / nullif(value_den, 0) > threshold
    WHEN '>=' THEN value_num / nullif(value_den, 0) >= threshold
    WHEN '<' THEN value_num / nullif(value_den, 0) < threshold
    WHEN '<=' THEN value_num / nullif(value_den, 0) <= threshold
END
-- as they were asked for
ORDER BY run, sysplex, system, interval_start_utc,
    strpos(upper($conditions), condition || coalesce('(' || nullif(qualifier, ''), '')),
    qualifier, operator, threshold
