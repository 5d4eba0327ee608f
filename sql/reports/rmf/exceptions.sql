/* imsperf report
id       = "rmf.exceptions"
title    = "Exceptions"
answers  = "When was a value beyond its limit?"
key      = ["condition", "qualifier", "operator", "threshold"]
any_of   = ["smf70_1_cpu", "smf72_3_period", "smf73_1_channel", "smf74_1_device", "smf74_4_request",
            "smf74_5_device", "smf78_3_iop", "smf78_3_queue"]
no_rows  = "no interval is beyond a limit"

[[param]]
name     = "conditions"
type     = "VARCHAR"
default  = "CPUBSY>90,DQTAVG>1,CHNGDP>10"
doc      = "Conditions with a limit: CPUBSY>90, EXVEL(S.IMSHIGH)<50"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["value"]
color    = "qualifier"
facet    = "condition"
own_y    = true
title    = "Exceptions"

[page]
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
measure     -12  |UNIT
operator     2  |
threshold   10  |LIMIT
"""

[columns]
condition = { label = "CONDITION" }
qualifier = { label = "QUALIFIER", empty = "" }
value     = { label = "VALUE", format = "3" }
measure   = { label = "UNIT" }
threshold = { label = "LIMIT", format = "2" }
*/
WITH word AS (
    SELECT trim(unnest(string_split(upper($conditions), ','))) AS word
),
wanted AS (
    SELECT DISTINCT
        CASE
            WHEN NOT regexp_matches(
                word, '^[A-Z]+(\([^()]*\))?\s*[<>]=?\s*[0-9]+(\.[0-9]+)?$'
            ) THEN error(
                'conditions: found ''' || word
                || ''', expected names with a limit, as CPUBSY>90 or EXVEL(S.IMSHIGH)<50')
            WHEN NOT contains(
                ' ' || rmf_conditions() || ' ', ' ' || regexp_extract(word, '^[A-Z]+') || ' '
            ) THEN error(
                'conditions: no condition ''' || regexp_extract(word, '^[A-Z]+')
                || '''; there are ' || rmf_conditions())
            ELSE regexp_extract(word, '^[A-Z]+')
        END                                          AS condition,
        regexp_extract(word, '\(([^()]*)\)', 1)      AS qualifier,
        regexp_extract(word, '[<>]=?')               AS operator,
        nullif(regexp_extract(word, '[<>]=?\s*([0-9.]+)$', 1), '')::DOUBLE AS threshold
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
            ELSE w.qualifier END                     AS qualifier,
        w.operator,
        w.threshold
    FROM wanted AS w
    LEFT JOIN name AS n ON n.condition = w.condition
    LEFT JOIN found_value AS v ON v.condition = w.condition AND v.qualifier = w.qualifier
    GROUP BY w.condition, w.qualifier, w.operator, w.threshold
),
chosen AS (
    SELECT v.*, w.operator, w.threshold
    FROM found_value AS v
    JOIN known AS w ON w.condition = v.condition AND w.qualifier = v.qualifier
    WHERE CASE w.operator
        WHEN '>' THEN v.value_num / nullif(v.value_den, 0) > w.threshold
        WHEN '>=' THEN v.value_num / nullif(v.value_den, 0) >= w.threshold
        WHEN '<' THEN v.value_num / nullif(v.value_den, 0) < w.threshold
        WHEN '<=' THEN v.value_num / nullif(v.value_den, 0) <= w.threshold
    END
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, condition,
    nullif(qualifier, '')                                        AS qualifier, -- What it is of; NULL for all of its kind
    value_num / nullif(value_den, 0)                             AS value, -- Value of the condition, in the unit that stands beside it
    measure,
    operator, -- How the value is beyond the limit: > >= < <=
    threshold, -- Limit that was asked for
    interval_s, value_num, value_den
FROM chosen
-- as they were asked for
ORDER BY run, sysplex, system, interval_start_utc,
    strpos(upper($conditions), condition || coalesce('(' || nullif(qualifier, ''), '')),
    qualifier, operator, threshold
