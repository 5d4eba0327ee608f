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
doc      = "Conditions, with a qualifier in parentheses: CPUBSY, EXVEL(S.IMSHIGH), DART(L.0071)"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["value"]
color    = "qualifier"
facet    = "condition"
own_y    = true
title    = "Overview"

[page]
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
measure     -12  |UNIT
"""

[columns]
condition = { label = "CONDITION" }
qualifier = { label = "QUALIFIER", empty = "" }
value     = { label = "VALUE", format = "3" }
measure   = { label = "UNIT" }
*/
WITH word AS (
    SELECT trim(unnest(string_split(upper($conditions), ','))) AS word
),
wanted AS (
    SELECT DISTINCT
        CASE
            WHEN NOT regexp_matches(word, '^[A-Z]+(\([^()]*\))?$') THEN error(
                'conditions: found ''' || word
                || ''', expected names, as CPUBSY or EXVEL(S.IMSHIGH)')
            WHEN NOT contains(
                ' ' || rmf_conditions() || ' ', ' ' || regexp_extract(word, '^[A-Z]+') || ' '
            ) THEN error(
                'conditions: no condition ''' || regexp_extract(word, '^[A-Z]+')
                || '''; there are ' || rmf_conditions())
            ELSE regexp_extract(word, '^[A-Z]+')
        END                                          AS condition,
        regexp_extract(word, '\(([^()]*)\)', 1)      AS qualifier
    FROM word
),
found_value AS (
    SELECT *
    FROM rmf_condition
    -- of the records only those of the conditions are read, of names only where one is asked for
    WHERE contains(upper($conditions), condition) AND in_report_range(interval_start)
        AND (qualifier = '' OR contains(upper($conditions), condition || '('))
),
-- the first and the last name, for an error
name AS (
    SELECT condition, min(qualifier) || ' to ' || max(qualifier) AS names
    FROM found_value
    WHERE qualifier <> ''
    GROUP BY condition
),
known AS (
    SELECT
        w.condition,
        CASE WHEN w.qualifier <> '' AND count(v.condition) = 0 THEN error(
            'conditions: found nothing of that name for '
            || w.condition || '(' || w.qualifier || '); there are '
            || coalesce(any_value(n.names), 'none')
        )
            ELSE w.qualifier END                     AS qualifier
    FROM wanted AS w
    LEFT JOIN name AS n ON n.condition = w.condition
    LEFT JOIN found_value AS v ON v.condition = w.condition AND v.qualifier = w.qualifier
    GROUP BY w.condition, w.qualifier
),
chosen AS (
    SELECT v.*
    FROM found_value AS v
    JOIN known AS w ON w.condition = v.condition AND w.qualifier = v.qualifier
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, condition,
    nullif(qualifier, '')                                        AS qualifier, -- What it is of; NULL for all of its kind
    value_num / nullif(value_den, 0)                             AS value, -- Value of the condition, in the unit that stands beside it
    measure,
    interval_s, value_num, value_den
FROM chosen
-- as they were asked for
ORDER BY run, sysplex, system, interval_start_utc,
    strpos(upper($conditions), condition || coalesce('(' || nullif(qualifier, ''), '')), qualifier
