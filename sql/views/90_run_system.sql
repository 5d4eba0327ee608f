-- run_system: one row per run and system: what the metrics of a run are made of, over all of its
-- intervals. A log names its system by SMF id; RMF records say which system name that is.
CREATE OR REPLACE VIEW run_system AS
WITH cpu_interval AS MATERIALIZED (
    SELECT * FROM rmf_cpu_interval WHERE in_report_range(interval_start)
),
workload_interval AS MATERIALIZED (
    SELECT * FROM rmf_workload_interval WHERE in_report_range(interval_start)
),
workload AS MATERIALIZED (
    SELECT * FROM rmf_workload WHERE in_report_range(interval_start)
),
address_space AS MATERIALIZED (
    SELECT run, sysplex, system, interval_start, interval_start_utc, interval_s
    FROM smf_address_space
    WHERE in_report_range(interval_start)
),
log_interval AS MATERIALIZED (
    SELECT * FROM ims_log_interval WHERE in_report_range(interval_start)
),
smf_id AS (
    SELECT
        run, sysplex, id, min(name) AS name,
        count(*) OVER (PARTITION BY run, id) = 1             AS is_only
    FROM (
        SELECT f.run, nullif(p.smf70xnm, '') AS sysplex, h.smf70sid AS id, h.system AS name
        FROM smf70_1_header AS h
        JOIN load_file AS f ON f.file_id = h.file_id
        LEFT JOIN smf70_1_product AS p ON p.file_id = h.file_id AND p.record_no = h.record_no
        UNION ALL
        SELECT f.run, n.sysplex, n.system AS id, n.name
        FROM load_interval AS n
        JOIN load_file AS f ON f.file_id = n.file_id
    )
    GROUP BY run, sysplex, id
),
cpu_time AS MATERIALIZED (
    SELECT run, sysplex, system, sum(interval_s) AS cpu_s
    FROM cpu_interval
    GROUP BY run, sysplex, system
),
cpu AS (
    SELECT
        run, sysplex, system,
        sum(lpar_online_us) FILTER (type = 'CP')             AS cp_online_us,
        sum(lpar_busy_us) FILTER (type = 'CP')               AS cp_busy_us,
        sum(lpar_online_us) FILTER (type = 'IIP')            AS ziip_online_us,
        sum(lpar_busy_us) FILTER (type = 'IIP')              AS ziip_busy_us,
        CASE WHEN max(thread) FILTER (type = 'IIP') > 1
            THEN sum(mvs_busy_us) FILTER (type = 'IIP') END  AS ziip_threads_us,
        sum(lpar_online_us)                                  AS lpar_online_us,
        sum(lpar_busy_us)                                    AS lpar_busy_us
    FROM rmf_cpu
    WHERE in_report_range(interval_start)
    GROUP BY run, sysplex, system
),
workload_time AS MATERIALIZED (
    SELECT run, sysplex, system, sum(interval_s) AS workload_s
    FROM workload_interval
    GROUP BY run, sysplex, system
),
ziip_service AS (
    SELECT
        run, sysplex, system,
        sum(iip_us) AS ziip_service_us, sum(ziip_capacity_us) AS ziip_capacity_us
    FROM workload
    WHERE kind = 'policy'
    GROUP BY run, sysplex, system
),
-- classes whose ended transactions count: named in run.toml, else those that regions serve
named_class AS (
    SELECT c.run, replace(u.class, '%', '?') AS class
    FROM run_config AS c, unnest(regexp_extract_all(upper(c.value), '[A-Z0-9@#$_*%]+')) AS u (class)
    WHERE c.section = 'metrics' AND c.key = 'transaction_classes'
),
served_class AS (
    SELECT DISTINCT f.run, nullif(p.smf72xnm, '') AS sysplex, s.system, s.r723scsn AS class
    FROM smf72_3_served AS s
    JOIN load_file AS f ON f.file_id = s.file_id
    JOIN smf72_3_product AS p ON p.file_id = s.file_id AND p.record_no = s.record_no
),
class_ended AS (
    SELECT run, sysplex, system, kind, class, sum(ended_count) AS ended
    FROM workload
    WHERE kind IN ('service', 'report') AND period IS NULL
    GROUP BY run, sysplex, system, kind, class
),
counted_class AS (
    SELECT e.run, e.sysplex, e.system, e.class, e.ended, 1 AS choice
    FROM class_ended AS e
    SEMI JOIN named_class AS n ON n.run = e.run AND e.class GLOB n.class
    QUALIFY row_number() OVER (
        PARTITION BY e.run, e.sysplex, e.system, e.class ORDER BY e.kind
    ) = 1
    UNION ALL
    SELECT e.run, e.sysplex, e.system, e.class, e.ended, 2 AS choice
    FROM class_ended AS e
    SEMI JOIN served_class AS s
        ON s.run = e.run AND s.sysplex IS NOT DISTINCT FROM e.sysplex AND s.system = e.system
        AND s.class = e.class
    WHERE e.kind = 'service'
),
class_rate AS (
    SELECT
        c.run, c.sysplex, c.system, c.choice,
        sum(c.ended) AS transactions, max(t.workload_s) AS seconds,
        'type 72.3, class ' || string_agg(c.class, ' ' ORDER BY c.class) AS source
    FROM counted_class AS c
    JOIN workload_time AS t
        ON t.run = c.run AND t.sysplex IS NOT DISTINCT FROM c.sysplex AND t.system = c.system
    GROUP BY c.run, c.sysplex, c.system, c.choice
    HAVING sum(c.ended) > 0
),
-- of several IMS in a system the rates are added
ims_rate AS (
    SELECT run, sysplex, system AS id, ims, sum(transactions_count) AS transactions,
        sum(interval_s) AS seconds
    FROM ims_statistics_set
    WHERE transactions_count IS NOT NULL AND in_report_range(interval_start)
    GROUP BY run, sysplex, system, ims
),
message AS MATERIALIZED (
    SELECT
        run, sysplex, system AS id, ims,
        -- of a chain of programs the last one has the answer: from the first input on; Fast Path
        -- to the dequeue of the answer, as its service class counts
        sum(CASE WHEN kind = 'full_function' THEN total_us ELSE response_us END) AS total_us,
        count(CASE WHEN kind = 'full_function' THEN total_us ELSE response_us END) AS total_count,
        count(*) * max(sample_every) AS transactions
    FROM ims_message
    WHERE in_report_range(interval_start)
    GROUP BY run, sysplex, system, ims
),
log_time AS (
    SELECT run, sysplex, system AS id, ims, sum(interval_s) AS seconds
    FROM log_interval
    GROUP BY run, sysplex, system, ims
),
known_system AS MATERIALIZED (
    SELECT run, sysplex, system FROM cpu_time
    UNION
    SELECT run, sysplex, system FROM workload_time
    UNION
    SELECT run, sysplex, system FROM address_space
    UNION
    SELECT run, sysplex, system FROM rmf_common_storage WHERE in_report_range(interval_start)
),
only_one AS (
    SELECT run, min(system) AS system
    FROM known_system
    GROUP BY run
    HAVING count(*) = 1
),
-- the sysplex of records that tell none: that of the one system of the name
only_sysplex AS (
    SELECT run, system, max(sysplex) AS sysplex
    FROM known_system
    GROUP BY run, system
    HAVING count(DISTINCT sysplex) = 1
),
log_of AS (
    SELECT
        coalesce(m.run, r.run)                               AS run,
        coalesce(m.sysplex, r.sysplex)                       AS sysplex,
        coalesce(m.id, r.id)                                 AS id,
        m.total_us, m.total_count, r.transactions, r.seconds,
        m.transactions AS messages, t.seconds AS messages_s
    FROM message AS m
    LEFT JOIN log_time AS t
        ON t.run = m.run AND t.sysplex IS NOT DISTINCT FROM m.sysplex
        AND t.id IS NOT DISTINCT FROM m.id AND t.ims IS NOT DISTINCT FROM m.ims
    FULL JOIN ims_rate AS r
        ON r.run = m.run AND r.sysplex IS NOT DISTINCT FROM m.sysplex
        AND r.id IS NOT DISTINCT FROM m.id AND r.ims IS NOT DISTINCT FROM m.ims
),
log AS MATERIALIZED (
    SELECT
        g.* EXCLUDE (sysplex),
        coalesce(g.sysplex, k.sysplex)                       AS sysplex,
        coalesce(s.name, g.id, o.system)                     AS system
    FROM log_of AS g
    LEFT JOIN smf_id AS s
        ON s.run = g.run AND s.id = g.id AND same_sysplex(s.sysplex, g.sysplex)
        AND (s.is_only OR s.sysplex = g.sysplex)
    LEFT JOIN only_one AS o ON o.run = g.run
    LEFT JOIN only_sysplex AS k
        ON k.run = g.run AND k.system = coalesce(s.name, g.id, o.system)
),
response AS (
    SELECT run, sysplex, system, sum(total_us) AS response_us, sum(total_count) AS response_count
    FROM log
    GROUP BY run, sysplex, system
),
log_rate AS (
    SELECT
        run, sysplex, system, 3 AS choice,
        sum(transactions / nullif(seconds, 0)) * max(seconds) AS transactions,
        max(seconds) AS seconds, 'statistics sets of the IMS log' AS source
    FROM log
    GROUP BY run, sysplex, system
    UNION ALL
    SELECT
        run, sysplex, system, 4 AS choice, sum(messages / nullif(messages_s, 0)) * max(messages_s)
            AS transactions,
        max(messages_s) AS seconds, 'messages in the IMS log' AS source
    FROM log
    GROUP BY run, sysplex, system
),
rate AS (
    SELECT * FROM class_rate
    UNION ALL BY NAME
    SELECT * FROM log_rate WHERE transactions > 0  -- of none there is no rate
),
chosen_rate AS (
    SELECT run, sysplex, system, transactions, seconds, source
    FROM rate
    QUALIFY row_number() OVER (PARTITION BY run, sysplex, system ORDER BY choice) = 1
),
offload AS (
    SELECT
        s.run, coalesce(s.sysplex, k.sysplex) AS sysplex, s.system,
        sum(s.offload_count) AS offloads
    FROM smf_logstream AS s
    LEFT JOIN only_sysplex AS k ON k.run = s.run AND k.system = s.system
    WHERE in_report_range(coalesce(s.interval_start, s.interval_end - INTERVAL 1 SECOND))
    GROUP BY s.run, coalesce(s.sysplex, k.sysplex), s.system
),
first_interval AS (
    SELECT run, sysplex, system, min(interval_start) AS interval_start,
        min(interval_start_utc) AS interval_start_utc,
        max(interval_start + to_microseconds((1e6 * interval_s)::BIGINT)) AS interval_end
    FROM (
        SELECT run, system, sysplex, interval_start, interval_start_utc, interval_s
        FROM cpu_interval
        UNION ALL
        SELECT run, system, sysplex, interval_start, interval_start_utc, interval_s
        FROM workload_interval
        UNION ALL
        SELECT run, system, sysplex, interval_start, interval_start_utc, interval_s
        FROM address_space
    )
    GROUP BY run, sysplex, system
),
every_system AS (
    SELECT run, sysplex, system FROM known_system
    UNION
    SELECT run, sysplex, system FROM log WHERE system IS NOT NULL
)
SELECT
    e.run                                                    AS run, -- Measurement
    e.sysplex                                                AS sysplex, -- Sysplex name
    e.system                                                 AS system, -- System name; SMF id where only a log is loaded
    i.interval_start                                         AS interval_start, -- Start of the first interval, local time of the system
    i.interval_start_utc                                     AS interval_start_utc, -- Start of the first interval, UTC
    i.interval_end                                           AS interval_end, -- End of the last interval, local time of the system
    t.cpu_s                                                  AS cpu_s, -- Length of the intervals of type 70.1 [s]
    c.cp_online_us                                           AS cp_online_us, -- Time general processors were online [us]
    c.cp_busy_us                                             AS cp_busy_us, -- Of it, time they were busy for the partition [us]
    c.ziip_online_us                                         AS ziip_online_us, -- Time zIIPs were online [us]
    c.ziip_busy_us                                           AS ziip_busy_us, -- Of it, time they were busy for the partition [us]
    c.ziip_threads_us                                        AS ziip_threads_us, -- Time threads of zIIPs were busy; NULL where each has one [us]
    c.lpar_online_us                                         AS lpar_online_us, -- Time processors of all types were online [us]
    c.lpar_busy_us                                           AS lpar_busy_us, -- Of it, time they were busy for the partition [us]
    z.ziip_service_us                                        AS ziip_service_us, -- Service time on zIIPs of all service classes [us]
    z.ziip_capacity_us                                       AS ziip_capacity_us, -- What 100 % of IIP APPL% stands for: the time of one zIIP [us]
    r.transactions::DOUBLE                                   AS transactions_count, -- Transactions, from the first source that has any
    r.seconds                                                AS transactions_s, -- Time they are counted in [s]
    r.source                                                 AS transactions_source, -- Classes named in run.toml, served classes, statistics sets of the log, messages in it
    p.response_us::DOUBLE                                    AS response_us, -- Sum of the totals of messages in the log [us]
    nullif(p.response_count, 0)                              AS response_count, -- Messages with a total
    o.offloads                                               AS offloads_count -- Offloads of log streams; NULL without type 88
FROM every_system AS e
LEFT JOIN first_interval AS i
    ON i.run = e.run AND i.sysplex IS NOT DISTINCT FROM e.sysplex AND i.system = e.system
LEFT JOIN cpu_time AS t
    ON t.run = e.run AND t.sysplex IS NOT DISTINCT FROM e.sysplex AND t.system = e.system
LEFT JOIN cpu AS c
    ON c.run = e.run AND c.sysplex IS NOT DISTINCT FROM e.sysplex AND c.system = e.system
LEFT JOIN ziip_service AS z
    ON z.run = e.run AND z.sysplex IS NOT DISTINCT FROM e.sysplex AND z.system = e.system
LEFT JOIN chosen_rate AS r
    ON r.run = e.run AND r.sysplex IS NOT DISTINCT FROM e.sysplex AND r.system = e.system
LEFT JOIN response AS p
    ON p.run = e.run AND p.sysplex IS NOT DISTINCT FROM e.sysplex AND p.system = e.system
LEFT JOIN offload AS o
    ON o.run = e.run AND o.sysplex IS NOT DISTINCT FROM e.sysplex AND o.system = e.system;

-- run_group: one row per run, system and group of address spaces: CPU time over all intervals.
-- Groups are named in run.toml ([address_spaces], by job) or known by program. Without type 30 of
-- the system: the classes that run.toml names for a group ([report_classes]).
CREATE OR REPLACE VIEW run_group AS
WITH workload AS MATERIALIZED (
    SELECT * FROM rmf_workload WHERE kind = 'report' AND in_report_range(interval_start)
),
address_space AS (
    SELECT
        run, sysplex, system, job, job_id, step_no, asid, group_name,
        sum(interval_s) AS seconds, sum(cpu_us) AS cpu_us, sum(ziip_us) AS ziip_us,
        min(interval_start) AS interval_start, min(interval_start_utc) AS interval_start_utc
    FROM smf_address_space
    WHERE kind = 'interval' AND in_report_range(interval_start)
    GROUP BY run, sysplex, system, job, job_id, step_no, asid, group_name
),
-- one that was there all the time says how much time the records cover
covered AS (
    SELECT run, sysplex, system, max(seconds) AS seconds
    FROM address_space
    GROUP BY run, sysplex, system
),
pattern AS (
    SELECT c.run, c.key AS group_name, replace(u.class, '%', '?') AS class
    FROM run_config AS c, unnest(regexp_extract_all(upper(c.value), '[A-Z0-9@#$_*%]+')) AS u (class)
    WHERE c.section = 'report_classes'
),
named_class AS (
    SELECT w.run, w.sysplex, w.system, w.class, min(p.group_name) AS group_name
    FROM (
        SELECT DISTINCT run, sysplex, system, class FROM workload
    ) AS w
    JOIN pattern AS p ON p.run = w.run AND w.class GLOB p.class
    GROUP BY w.run, w.sysplex, w.system, w.class
),
class_time AS (
    SELECT
        w.run, w.sysplex, w.system, n.group_name,
        sum(w.cp_us) AS cpu_us, sum(w.iip_us) AS ziip_us,
        min(w.interval_start) AS interval_start, min(w.interval_start_utc) AS interval_start_utc
    FROM workload AS w
    JOIN named_class AS n
        ON n.run = w.run AND n.sysplex IS NOT DISTINCT FROM w.sysplex AND n.system = w.system
        AND n.class = w.class
    ANTI JOIN covered AS c
        ON c.run = w.run AND c.sysplex IS NOT DISTINCT FROM w.sysplex AND c.system = w.system
    WHERE w.period IS NULL
    GROUP BY w.run, w.sysplex, w.system, n.group_name
),
workload_time AS MATERIALIZED (
    SELECT run, sysplex, system, sum(interval_s) AS seconds
    FROM rmf_workload_interval
    WHERE in_report_range(interval_start)
    GROUP BY run, sysplex, system
)
SELECT
    a.run                                                    AS run, -- Measurement
    a.sysplex                                                AS sysplex, -- Sysplex name
    a.system                                                 AS system, -- System name
    min(a.interval_start)                                    AS interval_start, -- Start of the first interval, local time of the system
    min(a.interval_start_utc)                                AS interval_start_utc, -- Start of the first interval, UTC
    a.group_name                                             AS group_name, -- Group: ims, region, ims_connect, cics, odbm, zos_connect, cqs, ixglogr, or a name of run.toml
    sum(a.cpu_us)                                            AS cpu_us, -- CPU time on general processors [us]
    sum(a.ziip_us)                                           AS ziip_us, -- CPU time on zIIPs, at their speed [us]
    max(c.seconds)                                           AS seconds, -- Time the records cover [s]
    'type 30'                                                AS source -- Records the times are from
FROM address_space AS a
JOIN covered AS c
    ON c.run = a.run AND c.sysplex IS NOT DISTINCT FROM a.sysplex AND c.system = a.system
WHERE a.group_name IS NOT NULL
GROUP BY a.run, a.sysplex, a.system, a.group_name
UNION ALL
SELECT
    w.run                                                    AS run,
    w.sysplex                                                AS sysplex,
    w.system                                                 AS system,
    w.interval_start                                         AS interval_start,
    w.interval_start_utc                                     AS interval_start_utc,
    w.group_name                                             AS group_name,
    w.cpu_us                                                 AS cpu_us,
    w.ziip_us                                                AS ziip_us,
    t.seconds                                                AS seconds,
    'type 72.3, report classes'                              AS source
FROM class_time AS w
JOIN workload_time AS t
    ON t.run = w.run AND t.sysplex IS NOT DISTINCT FROM w.sysplex AND t.system = w.system;

-- run_storage: one row per run, system and storage row of the metrics, over all intervals of type
-- 78.2. An address space is named by [storage] of run.toml, else by its group, else by its job.
CREATE OR REPLACE VIEW run_storage AS
WITH pattern AS (
    SELECT c.run, c.key AS name, replace(u.job, '%', '?') AS job,
        CASE c.section WHEN 'storage' THEN 1 ELSE 2 END AS choice
    FROM run_config AS c, unnest(regexp_extract_all(upper(c.value), '[A-Z0-9@#$*%]+')) AS u (job)
    WHERE c.section = 'storage' OR c.section = 'address_spaces' AND c.key <> 'ims'
),
private_job AS (
    SELECT run, job, min(program) AS program
    FROM rmf_private_storage
    GROUP BY run, job
),
named AS (
    SELECT
        j.run, j.job,
        coalesce(
            arg_min(p.name, p.choice),
            CASE any_value(j.program)
                WHEN 'DFSRRC00' THEN 'region'
                WHEN 'HWSHWS00' THEN 'ims_connect'
                WHEN 'DFHSIP' THEN 'cics'
                WHEN 'CQSINIT0' THEN 'cqs'
            END,
            lower(j.job)
        )                                                    AS name
    FROM private_job AS j
    LEFT JOIN pattern AS p ON p.run = j.run AND j.job GLOB p.job
    GROUP BY j.run, j.job
),
storage AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc,
        CASE location WHEN 'below' THEN 1 ELSE 2 END AS place,
        'csa_' || location || '_16m_key7' AS name,
        'Avg. CSA ' || CASE location WHEN 'below' THEN 'Below' ELSE 'Above' END || ' 16M Key 7'
                                                             AS label,
        location, total_kb, samples_count
    FROM rmf_common_storage
    WHERE area = 'CSA' AND subpool IS NULL AND key = '7' AND measure = 'used'
        AND in_report_range(interval_start)
    UNION ALL
    SELECT
        p.run, p.sysplex, p.system, p.interval_start, p.interval_start_utc,
        CASE p.area WHEN 'LSQA' THEN 3 ELSE 5 END
            + CASE p.location WHEN 'below' THEN 0 ELSE 1 END AS place,
        n.name || '_' || lower(p.area)
            || CASE p.location WHEN 'below' THEN '_private' ELSE '_eprivate' END AS name,
        n.name || ': Avg. ' || p.area
            || CASE p.location WHEN 'below' THEN ' Private' ELSE ' EPrivate' END AS label,
        p.location, p.total_kb, p.samples_count
    FROM rmf_private_storage AS p
    JOIN named AS n ON n.run = p.run AND n.job = p.job
    WHERE p.area IN ('LSQA', 'USER') AND p.measure = 'allocated'
        AND p.location IN ('below', 'above') AND in_report_range(p.interval_start)
)
SELECT
    run                                                      AS run, -- Measurement
    sysplex                                                  AS sysplex, -- Sysplex name
    system                                                   AS system, -- System name
    min(interval_start)                                      AS interval_start, -- Start of the first interval, local time of the system
    min(interval_start_utc)                                  AS interval_start_utc, -- Start of the first interval, UTC
    name || CASE location WHEN 'below' THEN '_kb' ELSE '_mb' END AS metric, -- Name of the metric: what, where, unit
    CASE location WHEN 'below' THEN 'KB' ELSE 'MB' END       AS unit, -- KB below 16 MB, MB above
    min(label)                                               AS label, -- As the papers print it
    max(place)                                               AS place, -- Order in print: common, LSQA, user region, below before above
    sum(total_kb) / CASE location WHEN 'below' THEN 1 ELSE 1024 END AS total, -- Sum over the samples, in that unit
    sum(samples_count)                                       AS samples_count -- Samples; of several address spaces of one name, all of theirs
FROM storage
GROUP BY run, sysplex, system, name, location;
