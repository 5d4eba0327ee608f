/* imsperf report
id       = "run.metrics"
title    = "Benchmark Metrics"
answers  = "What did the run reach, and what did a transaction cost?"
key      = ["metric"]
named_by = "label"
any_of   = ["ims_01", "ims_4500", "ims_5937", "smf30_processor", "smf70_1_product",
            "smf72_3_product", "smf78_2_product"]
no_rows  = "no record names a system"
range    = "views"

[chart]
mark     = "bar"
x        = "label"
y        = ["value"]
facet    = "system"
where    = "unit = 'us' AND value IS NOT NULL"
title    = "CPU time of a transaction, us"

[columns]
run         = { label = "Run" }
sysplex     = { label = "Sysplex" }
system      = { label = "System" }
metric      = { label = "Metric" }
unit        = { label = "Unit" }
value       = { label = "Value", format = "3" }
label       = { label = "Label" }
note        = { label = "Note" }
first_start = { total = "min" }
last_end    = { total = "max" }
place       = { kind = "part", total = "same" }
*/
WITH run_system_once AS MATERIALIZED (
    SELECT * FROM run_system
),
run_group_once AS MATERIALIZED (
    SELECT * FROM run_group
),
run_storage_once AS MATERIALIZED (
    SELECT * FROM run_storage
),
metric AS (
    SELECT *
    FROM (VALUES
        (1, 'cpu_busy_pct', '%', NULL, 'CPU % Busy'),
        (2, 'ziip_busy_pct', '%', NULL, 'zIIP % Busy'),
        (3, 'lpar_busy_pct', '%', NULL, 'Total LPAR % Busy'),
        (4, 'etr_per_s', '1/s', 'higher', 'ETR (Tran/Sec)'),
        (5, 'itr_per_s', '1/s', 'higher', 'ITR'),
        (6, 'ims_response_ms', 'ms', 'lower', 'Total IMS Response Time (ms)'),
        (7, 'in_flight', 'transactions', NULL, 'Transactions in IMS'),
        (8, 'cpu_us_per_tran', 'us', 'lower', 'Total General CPU us/Tran'),
        (9, 'ziip_us_per_tran', 'us', NULL, 'Total zIIP us/Tran'),
        (39, 'ziip_threads_us_per_tran', 'us', NULL, 'Total zIIP us/Tran x AVG TD'),
        (10, 'ziip_appl_us_per_tran', 'us', NULL, 'zIIP Service Time/Tran by APPL%'),
        (40, 'offloads', 'offloads', 'lower', 'Total Number of Offloads')
    ) AS m (place, metric, unit, better, label)
),
group_label AS (
    SELECT *
    FROM (VALUES
        (1, 'ims', 'IMS'),
        (2, 'ims_connect', 'IMS Connect'),
        (3, 'region', 'Dependent Regions'),
        (4, 'cics', 'CICS'),
        (5, 'odbm', 'ODBM'),
        (6, 'zos_connect', 'z/OS Connect'),
        (7, 'cqs', 'CQS'),
        (8, 'ixglogr', 'IXGLOGR')
    ) AS g (place, group_name, label)
),
-- what each system has a second and a transaction: sums, never means of ratios
system_value AS (
    SELECT
        s.run, s.sysplex, s.system, m.place, m.metric, m.unit, m.better, m.label,
        CASE m.metric
            WHEN 'cpu_busy_pct' THEN 100 * s.cp_busy_us
            WHEN 'ziip_busy_pct' THEN 100 * s.ziip_busy_us
            WHEN 'lpar_busy_pct' THEN 100 * s.lpar_busy_us
            WHEN 'etr_per_s' THEN s.transactions_count
            WHEN 'itr_per_s' THEN s.transactions_count * s.cp_online_us
            WHEN 'ims_response_ms' THEN 0.001 * s.response_us
            WHEN 'in_flight' THEN 1e-6 * s.response_us * s.transactions_count
            WHEN 'cpu_us_per_tran' THEN s.cp_busy_us * s.transactions_s
            WHEN 'ziip_us_per_tran' THEN s.ziip_busy_us * s.transactions_s
            WHEN 'ziip_threads_us_per_tran' THEN s.ziip_threads_us * s.transactions_s
            WHEN 'ziip_appl_us_per_tran' THEN 1e6 * s.ziip_service_us * s.transactions_s
            WHEN 'offloads' THEN s.offloads_count
        END::DOUBLE                                              AS numerator,
        CASE m.metric
            WHEN 'cpu_busy_pct' THEN s.cp_online_us
            WHEN 'ziip_busy_pct' THEN s.ziip_online_us
            WHEN 'lpar_busy_pct' THEN s.lpar_online_us
            WHEN 'etr_per_s' THEN s.transactions_s
            WHEN 'itr_per_s' THEN s.transactions_s * s.cp_busy_us
            WHEN 'ims_response_ms' THEN s.response_count
            WHEN 'in_flight' THEN s.response_count * s.transactions_s
            WHEN 'cpu_us_per_tran' THEN s.cpu_s * s.transactions_count
            WHEN 'ziip_us_per_tran' THEN s.cpu_s * s.transactions_count
            WHEN 'ziip_threads_us_per_tran' THEN s.cpu_s * s.transactions_count
            WHEN 'ziip_appl_us_per_tran' THEN s.ziip_capacity_us * s.transactions_count
            WHEN 'offloads' THEN 1
        END::DOUBLE                                              AS denominator,
        CASE
            WHEN m.metric IN ('cpu_busy_pct', 'lpar_busy_pct') AND s.cpu_s IS NULL
                THEN 'needs type 70.1'
            WHEN m.metric = 'ziip_busy_pct' AND s.cpu_s IS NULL THEN 'needs type 70.1'
            WHEN m.metric = 'ziip_busy_pct' AND s.ziip_online_us IS NULL THEN 'no zIIP'
            WHEN m.metric IN ('ims_response_ms', 'in_flight') AND s.response_count IS NULL
                THEN 'needs the messages of an IMS log; threads of CICS and ODBM have none: '
                    || 'see rmf.workload'
            WHEN m.metric = 'offloads' AND s.offloads_count IS NULL THEN 'needs type 88'
            WHEN m.metric LIKE '%_pct' OR m.metric IN ('ims_response_ms', 'offloads') THEN NULL
            WHEN s.transactions_count IS NULL
                THEN 'needs transactions: type 72.3 with their class, or an IMS log'
            WHEN m.metric = 'etr_per_s' THEN s.transactions_source
            WHEN m.metric IN ('itr_per_s', 'cpu_us_per_tran', 'ziip_us_per_tran')
                AND s.cpu_s IS NULL THEN 'needs type 70.1'
            WHEN m.metric = 'itr_per_s'
                THEN 'ETR / busy of the processors: limits of I/O, latches and locks are not in it'
            WHEN m.metric = 'ziip_us_per_tran' AND s.ziip_online_us IS NULL THEN 'no zIIP'
            WHEN m.metric = 'ziip_appl_us_per_tran' AND s.ziip_capacity_us IS NULL
                THEN 'needs type 72.3'
            WHEN m.metric = 'ziip_appl_us_per_tran' AND s.ziip_service_us > 0
                THEN 'an estimate, weak at low use of zIIPs or low thread density'
        END                                                      AS note
    FROM run_system_once AS s
    CROSS JOIN metric AS m
    WHERE m.metric <> 'ziip_threads_us_per_tran' OR s.ziip_threads_us IS NOT NULL
),
-- the groups the papers print, and those that run.toml adds
wanted_group AS (
    SELECT s.run, s.sysplex, s.system, g.group_name
    FROM run_system_once AS s
    CROSS JOIN (
        SELECT group_name FROM group_label UNION SELECT group_name FROM run_group_once
    ) AS g
    WHERE EXISTS (FROM group_label AS l WHERE l.group_name = g.group_name)
        OR EXISTS (FROM run_group_once AS r WHERE r.run = s.run AND r.group_name = g.group_name)
),
grouped AS (
    SELECT
        w.run, w.sysplex, w.system,
        w.group_name,
        coalesce(l.place, 9)                                     AS place,
        coalesce(l.label, w.group_name)                          AS label,
        g.cpu_us, g.ziip_us, g.seconds, g.source,
        EXISTS (
            FROM run_group_once AS r
            WHERE r.run = w.run AND r.sysplex IS NOT DISTINCT FROM w.sysplex
                AND r.system = w.system
        )                                                        AS has_groups,
        s.transactions_count, s.transactions_s
    FROM wanted_group AS w
    JOIN run_system_once AS s
        ON s.run = w.run AND s.sysplex IS NOT DISTINCT FROM w.sysplex AND s.system = w.system
    LEFT JOIN group_label AS l ON l.group_name = w.group_name
    LEFT JOIN run_group_once AS g
        ON g.run = w.run AND g.sysplex IS NOT DISTINCT FROM w.sysplex AND g.system = w.system
        AND g.group_name = w.group_name
),
group_value AS (
    SELECT
        run, sysplex, system, group_name,
        10 + place                                               AS place,
        group_name || '_cpu_us_per_tran'                         AS metric,
        'us' AS unit, 'lower' AS better,
        label || ' CPU Service Time/Tran (us)'                   AS label,
        cpu_us * transactions_s                                  AS numerator,
        seconds * transactions_count                             AS denominator,
        CASE
            WHEN NOT has_groups
                THEN 'needs type 30 intervals, or report classes named in run.toml'
            WHEN seconds IS NULL THEN 'no address space of this group'
            WHEN transactions_count IS NULL
                THEN 'needs transactions: type 72.3 with their class, or an IMS log'
            ELSE source
        END                                                      AS note
    FROM grouped
    UNION ALL
    -- zIIP time of those that have any
    SELECT
        run, sysplex, system, group_name,
        25 + place                                               AS place,
        group_name || '_ziip_us_per_tran'                        AS metric,
        'us' AS unit, NULL AS better,
        label || ' zIIP Service Time/Tran (us)'                  AS label,
        ziip_us * transactions_s                                 AS numerator,
        seconds * transactions_count                             AS denominator,
        source                                                   AS note
    FROM grouped
    WHERE ziip_us > 0
),
storage_value AS (
    SELECT
        run, sysplex, system, place + 50 AS place, metric, unit, 'lower' AS better,
        label, total AS numerator, samples_count AS denominator,
        NULL::VARCHAR AS note
    FROM run_storage_once
    UNION ALL
    SELECT
        s.run, s.sysplex, s.system, 50 + m.place AS place, m.metric, m.unit, 'lower' AS better,
        m.label, NULL AS numerator, NULL AS denominator, 'needs type 78.2' AS note
    FROM run_system_once AS s
    CROSS JOIN (VALUES
        (1, 'csa_below_16m_key7_kb', 'KB', 'Avg. CSA Below 16M Key 7'),
        (2, 'csa_above_16m_key7_mb', 'MB', 'Avg. CSA Above 16M Key 7')
    ) AS m (place, metric, unit, label)
    ANTI JOIN run_storage_once AS r
        ON r.run = s.run AND r.sysplex IS NOT DISTINCT FROM s.sysplex AND r.system = s.system
        AND r.metric = m.metric
),
-- several systems together: those that have transactions; busy and response are means over them
member AS (
    SELECT
        *,
        count(*) OVER (PARTITION BY run) AS systems,
        transactions_count / transactions_s                      AS etr,
        100 * cp_busy_us / nullif(cp_online_us, 0)               AS cpu_pct,
        100 * ziip_busy_us / nullif(ziip_online_us, 0)           AS ziip_pct,
        100 * lpar_busy_us / nullif(lpar_online_us, 0)           AS lpar_pct,
        1e-6 * cp_online_us / nullif(cpu_s, 0)                   AS cps,
        1e-6 * ziip_online_us / nullif(cpu_s, 0)                 AS ziips,
        1e6 * ziip_service_us / nullif(ziip_capacity_us, 0)      AS ziip_us_per_s,
        ziip_threads_us / nullif(cpu_s, 0)                       AS ziip_threads_us_per_s,
        0.001 * response_us / nullif(response_count, 0)          AS response_ms
    FROM run_system_once
    WHERE transactions_count IS NOT NULL AND transactions_s > 0
),
together AS (
    SELECT
        run, CASE WHEN count(DISTINCT sysplex) = 1 THEN min(sysplex) END AS sysplex,
        count(*) AS systems, sum(etr) AS etr,
        avg(cpu_pct) AS cpu_pct, avg(ziip_pct) AS ziip_pct, avg(lpar_pct) AS lpar_pct,
        sum(cps) AS cps, sum(ziips) AS ziips, sum(ziip_us_per_s) AS ziip_us_per_s,
        sum(ziip_threads_us_per_s) AS ziip_threads_us_per_s,
        avg(response_ms) AS response_ms, sum(0.001 * response_ms * etr) AS in_flight,
        sum(offloads_count) AS offloads
    FROM member
    WHERE systems > 1
    GROUP BY run
),
together_value AS (
    SELECT
        t.run, t.sysplex, '*ALL*' AS system, m.place, m.metric, m.unit, m.better, m.label,
        CASE m.metric
            WHEN 'cpu_busy_pct' THEN t.cpu_pct
            WHEN 'ziip_busy_pct' THEN t.ziip_pct
            WHEN 'lpar_busy_pct' THEN t.lpar_pct
            WHEN 'etr_per_s' THEN t.etr
            WHEN 'itr_per_s' THEN 100 * t.etr
            WHEN 'ims_response_ms' THEN t.response_ms
            WHEN 'in_flight' THEN t.in_flight
            WHEN 'cpu_us_per_tran' THEN 1e4 * t.cps * t.cpu_pct
            WHEN 'ziip_us_per_tran' THEN 1e4 * t.ziips * t.ziip_pct
            WHEN 'ziip_threads_us_per_tran' THEN t.ziip_threads_us_per_s
            WHEN 'ziip_appl_us_per_tran' THEN t.ziip_us_per_s
            WHEN 'offloads' THEN t.offloads
        END::DOUBLE                                              AS numerator,
        CASE m.metric
            WHEN 'itr_per_s' THEN t.cpu_pct
            WHEN 'cpu_us_per_tran' THEN t.etr
            WHEN 'ziip_us_per_tran' THEN t.etr
            WHEN 'ziip_threads_us_per_tran' THEN t.etr
            WHEN 'ziip_appl_us_per_tran' THEN t.etr
            ELSE 1
        END::DOUBLE                                              AS denominator,
        CASE
            WHEN m.metric IN ('cpu_busy_pct', 'ziip_busy_pct', 'lpar_busy_pct', 'ims_response_ms')
                THEN 'mean of ' || t.systems || ' systems'
            WHEN m.metric IN ('itr_per_s', 'cpu_us_per_tran', 'ziip_us_per_tran')
                THEN 'from the sum of rates and the mean busy'
            ELSE 'sum of ' || t.systems || ' systems'
        END                                                      AS note
    FROM together AS t
    CROSS JOIN metric AS m
    WHERE m.metric <> 'ziip_threads_us_per_tran' OR t.ziip_threads_us_per_s IS NOT NULL
),
-- service times both ways: total time over all transactions; the sum of the systems' own values
together_group AS (
    SELECT
        t.run, t.sysplex, g.place, g.metric, g.unit, g.better, g.label,
        sum(g.numerator / nullif(m.transactions_s, 0) / nullif(g.denominator, 0)
            * m.transactions_count)                              AS us_per_s,
        sum(g.numerator / nullif(g.denominator, 0))              AS us_summed,
        any_value(t.etr)                                         AS etr
    FROM together AS t
    JOIN member AS m ON m.run = t.run
    JOIN group_value AS g
        ON g.run = m.run AND g.sysplex IS NOT DISTINCT FROM m.sysplex AND g.system = m.system
    GROUP BY t.run, t.sysplex, g.place, g.metric, g.unit, g.better, g.label
),
value AS (
    SELECT * FROM system_value
    UNION ALL BY NAME
    SELECT * EXCLUDE (group_name) FROM group_value
    UNION ALL BY NAME
    SELECT * FROM storage_value
    UNION ALL BY NAME
    SELECT * FROM together_value
    UNION ALL BY NAME
    SELECT
        run, sysplex, '*ALL*' AS system, place, metric, unit, better, label,
        us_per_s AS numerator, etr AS denominator, 'total time over all transactions' AS note
    FROM together_group
    UNION ALL BY NAME
    SELECT
        run, sysplex, '*ALL*' AS system, place, metric || '_sum' AS metric, unit, better,
        label || ', summed' AS label, us_summed AS numerator, 1 AS denominator,
        'sum of the systems'' own values, as the papers print it' AS note
    FROM together_group
),
span AS (
    SELECT run, sysplex, system, interval_start AS first_start, interval_end AS last_end
    FROM run_system_once
    UNION ALL
    SELECT
        t.run, t.sysplex, '*ALL*' AS system,
        min(s.interval_start) AS first_start, max(s.interval_end) AS last_end
    FROM together AS t
    JOIN run_system_once AS s ON s.run = t.run
    GROUP BY t.run, t.sysplex
)
SELECT
    v.run,
    v.sysplex, -- Sysplex name; of *ALL* empty where its systems are of several
    v.system, -- System; *ALL*: the systems of the run that have transactions, together
    v.metric, -- Metric; with _sum: the sum of the systems' own values, as the papers print it
    v.unit, -- Unit of value
    v.better, -- higher, lower, or NULL
    v.numerator / nullif(v.denominator, 0)                       AS value, -- Value over all intervals of the run; NULL where a record is missing, see note
    v.label, -- Name in the papers
    v.note, -- Where a part is from, or what is missing
    s.first_start, -- Start of the first interval in it, local time
    s.last_end, -- End of the last interval in it, local time
    1.0::DOUBLE                                                  AS margin_pct, -- Difference that is as good as none
    v.place,
    v.numerator, -- Value times denominator, of sums
    v.denominator -- What it is for: time, transactions, samples
FROM value AS v
LEFT JOIN span AS s
    ON s.run = v.run AND s.sysplex IS NOT DISTINCT FROM v.sysplex AND s.system = v.system
ORDER BY v.run, v.system = '*ALL*', v.system, v.sysplex, v.place, v.metric
