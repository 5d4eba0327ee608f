-- rmf_conditions: the conditions of RMF's overview that rmf_condition has.
CREATE OR REPLACE MACRO rmf_conditions() AS (
    'CPUBSY NUMPROC TOTSRV CPUSRV SRBSRV TRANS RTIME EXVEL APPLPER EXCPRT TRANSAVG DART DQTAVG '
    || 'DPTAVG DDTAVG DCTAVG DVUTL SYNCST SYNCRT ASYNCST ASYNCRT CHNGDP CFUTIL LCKREQ LCKCONT '
    || 'LCKFCONT CHLBSY CHTBSY CHLREAD CHTREAD CHFRATE CHFACTV CHFDFER CHFXRATE IOPAC IOPQL IOPIPB '
    || 'IOART IOCUB IOCMR IOCSS IOHWAIT CASTOT CASHRT'
);

-- rmf_asks, rmf_asks_names: whether conditions that begin so are asked for, as CPUBSY, or with the
-- name of what they are of, as DART(L.0071). `asked` NULL asks for all. They are known before any
-- row is read: records of conditions that nobody asks for are not.
CREATE OR REPLACE MACRO rmf_asks(asked, conditions) AS
    coalesce(regexp_matches(asked, '\b(' || conditions || ')'), true);
CREATE OR REPLACE MACRO rmf_asks_names(asked, conditions) AS
    coalesce(regexp_matches(asked, '\b(' || conditions || ')[A-Z]*\('), true);

-- rmf_condition_values: the rows of rmf_condition, of those conditions that are asked for and more.
CREATE OR REPLACE MACRO rmf_condition_values(asked) AS TABLE
WITH processor AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc,
        max(interval_s)                              AS interval_s,
        CASE WHEN type <> 'CP' THEN type ELSE '' END AS qualifier,
        sum(lpar_busy_us)                            AS busy_us,
        sum(lpar_online_us)                          AS online_us,
        sum(core_online_us)                          AS core_us,
        max(core_interval_us)                        AS length_us
    FROM rmf_cpu
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, type
),
device AS (
    SELECT
        d.run, d.sysplex, d.system, d.interval_start, d.interval_start_utc,
        max(d.interval_s)                            AS interval_s,
        CASE WHEN n.is_named THEN d.volume ELSE '' END AS qualifier,
        sum(d.io_count)                              AS ios,
        sum(d.iosq_us)                               AS iosq_us,
        sum(d.io_count) FILTER (d.iosq_us IS NOT NULL) AS iosq_ios,
        sum(d.pend_us) FILTER (d.device_us IS NOT NULL) AS pend_us,
        sum(d.disc_us) FILTER (d.device_us IS NOT NULL) AS disc_us,
        sum(d.conn_us) FILTER (d.device_us IS NOT NULL) AS conn_us,
        sum(d.measured_count) FILTER (d.device_us IS NOT NULL) AS measured,
        sum(d.util_busy_us) FILTER (d.device_us IS NOT NULL) AS busy_us,
        sum(d.interval_us) FILTER (d.device_us IS NOT NULL) AS devices_us
    FROM rmf_device AS d
    CROSS JOIN (
        SELECT false AS is_named UNION ALL SELECT true AS is_named WHERE rmf_asks_names(asked, 'D')
    ) AS n
    WHERE d.device_class = 'DASD' AND (NOT n.is_named OR d.volume <> '')
    GROUP BY d.run, d.sysplex, d.system, d.interval_start, d.interval_start_utc,
        CASE WHEN n.is_named THEN d.volume ELSE '' END
    UNION ALL
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s,
        CASE WHEN kind = 'LCU' THEN 'L.' || lcu ELSE 'G.' || storage_group END AS qualifier,
        io_count                                     AS ios,
        iosq_us                                      AS iosq_us,
        iosq_io_count                                AS iosq_ios,
        pend_us                                      AS pend_us,
        disc_us                                      AS disc_us,
        conn_us                                      AS conn_us,
        measured_count                               AS measured,
        util_busy_us                                 AS busy_us,
        devices_us                                   AS devices_us
    FROM rmf_device_group
    WHERE (kind = 'LCU' OR storage_group IS NOT NULL) AND rmf_asks_names(asked, 'D')
),
structure AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc,
        max(interval_s)                              AS interval_s,
        coalesce(structure, '')                      AS qualifier,
        sum(sync_us)                                 AS sync_us,
        sum(sync_count)                              AS syncs,
        sum(async_us)                                AS async_us,
        sum(async_count)                             AS asyncs,
        sum(changed_count)                           AS changed,
        sum(request_count)                           AS requests,
        sum(lock_requests_count)                     AS lock_requests,
        sum(contention_count)                        AS contentions,
        sum(false_contention_count)                  AS false_contentions
    FROM rmf_cf_structure
    GROUP BY run, sysplex, system, interval_start, interval_start_utc,
        GROUPING SETS ((structure), ())
),
condition AS (
    SELECT
        c.run, c.sysplex, c.system, c.interval_start, c.interval_start_utc, c.interval_s,
        n.condition, c.qualifier, n.unit,
        CASE n.condition WHEN 'CPUBSY' THEN 100 * busy_us ELSE core_us END AS value_num,
        CASE n.condition WHEN 'CPUBSY' THEN online_us ELSE length_us END AS value_den
    FROM processor AS c
    CROSS JOIN (VALUES ('CPUBSY', '%'), ('NUMPROC', 'processors')) AS n (condition, unit)
    WHERE rmf_asks(asked, 'CPUBSY|NUMPROC')
    UNION ALL
    SELECT
        w.run, w.sysplex, w.system, w.interval_start, w.interval_start_utc, w.interval_s,
        n.condition,
        CASE w.kind WHEN 'policy' THEN 'POLICY' WHEN 'workload' THEN 'W.' || w.class
            WHEN 'service' THEN 'S.' || w.class ELSE 'R.' || w.class END
            || coalesce('.' || w.period, '')         AS qualifier,
        n.unit,
        CASE n.condition
            WHEN 'TOTSRV' THEN w.total_su WHEN 'CPUSRV' THEN w.cpu_su WHEN 'SRBSRV' THEN w.srb_su
            WHEN 'TRANS' THEN w.ended_count WHEN 'TRANSAVG' THEN 1e-6 * w.active_us
            WHEN 'EXCPRT' THEN w.io_count WHEN 'RTIME' THEN 0.001 * w.execution_us
            WHEN 'EXVEL' THEN 100 * w.using_count WHEN 'APPLPER' THEN 100 * w.cp_us
        END                                          AS value_num,
        CASE n.condition
            WHEN 'RTIME' THEN w.execution_count WHEN 'EXVEL' THEN w.velocity_samples_count
            WHEN 'APPLPER' THEN w.cp_capacity_us ELSE w.interval_s
        END                                          AS value_den
    FROM rmf_workload AS w
    CROSS JOIN (VALUES
        ('TOTSRV', 'SU/s'), ('CPUSRV', 'SU/s'), ('SRBSRV', 'SU/s'), ('TRANS', '1/s'),
        ('TRANSAVG', 'transactions'), ('EXCPRT', '1/s'), ('RTIME', 'ms'), ('EXVEL', '%'),
        ('APPLPER', '%')
    ) AS n (condition, unit)
    WHERE rmf_asks(asked, 'TOTSRV|CPUSRV|SRBSRV|TRANS|EXCPRT|RTIME|EXVEL|APPLPER')
    UNION ALL
    SELECT
        d.run, d.sysplex, d.system, d.interval_start, d.interval_start_utc, d.interval_s,
        n.condition, d.qualifier, n.unit,
        CASE n.condition
            WHEN 'DART' THEN d.ios WHEN 'DQTAVG' THEN 0.001 * d.iosq_us
            WHEN 'DPTAVG' THEN 0.001 * d.pend_us WHEN 'DDTAVG' THEN 0.001 * d.disc_us
            WHEN 'DCTAVG' THEN 0.001 * d.conn_us WHEN 'DVUTL' THEN 100 * d.busy_us
        END                                          AS value_num,
        CASE n.condition
            WHEN 'DART' THEN d.interval_s WHEN 'DQTAVG' THEN d.iosq_ios
            WHEN 'DVUTL' THEN d.devices_us ELSE d.measured
        END                                          AS value_den
    FROM device AS d
    CROSS JOIN (VALUES
        ('DART', '1/s'), ('DQTAVG', 'ms'), ('DPTAVG', 'ms'), ('DDTAVG', 'ms'), ('DCTAVG', 'ms'),
        ('DVUTL', '%')
    ) AS n (condition, unit)
    WHERE rmf_asks(asked, 'D')
    UNION ALL
    SELECT
        s.run, s.sysplex, s.system, s.interval_start, s.interval_start_utc, s.interval_s,
        n.condition, s.qualifier, n.unit,
        CASE n.condition
            WHEN 'SYNCST' THEN s.sync_us WHEN 'SYNCRT' THEN s.syncs
            WHEN 'ASYNCST' THEN s.async_us WHEN 'ASYNCRT' THEN s.asyncs
            WHEN 'CHNGDP' THEN 100 * s.changed WHEN 'LCKREQ' THEN s.lock_requests
            WHEN 'LCKCONT' THEN 100 * s.contentions WHEN 'LCKFCONT' THEN 100 * s.false_contentions
        END                                          AS value_num,
        CASE n.condition
            WHEN 'SYNCST' THEN s.syncs WHEN 'ASYNCST' THEN s.asyncs WHEN 'CHNGDP' THEN s.requests
            WHEN 'LCKCONT' THEN s.lock_requests WHEN 'LCKFCONT' THEN s.lock_requests
            ELSE s.interval_s
        END                                          AS value_den
    FROM structure AS s
    CROSS JOIN (VALUES
        ('SYNCST', 'us'), ('SYNCRT', '1/s'), ('ASYNCST', 'us'), ('ASYNCRT', '1/s'), ('CHNGDP', '%'),
        ('LCKREQ', '1/s'), ('LCKCONT', '%'), ('LCKFCONT', '%')
    ) AS n (condition, unit)
    WHERE rmf_asks(asked, 'SYNC|ASYNC|CHNGDP|LCK')
    UNION ALL
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s,
        CASE WHEN cf IS NOT NULL THEN 'CFUTIL' END   AS condition,
        cf                                           AS qualifier,
        CASE WHEN cf IS NOT NULL THEN '%' END        AS unit,
        100 * busy_us                                AS value_num,
        processor_us                                 AS value_den
    FROM rmf_cf
    WHERE rmf_asks(asked, 'CFUTIL')
    UNION ALL
    SELECT
        c.run, c.sysplex, c.system, c.interval_start, c.interval_start_utc, c.interval_s,
        n.condition, c.channel, n.unit,
        CASE n.condition
            WHEN 'CHLBSY' THEN 100 * c.part_busy_s WHEN 'CHTBSY' THEN 100 * c.total_busy_s
            WHEN 'CHLREAD' THEN 1e-6 * c.read_part_bytes
            WHEN 'CHTREAD' THEN 1e-6 * c.read_total_bytes
            WHEN 'CHFRATE' THEN c.ficon_count WHEN 'CHFACTV' THEN c.ficon_active_sum
            WHEN 'CHFDFER' THEN c.ficon_deferred_count WHEN 'CHFXRATE' THEN c.zhpf_count
        END                                          AS value_num,
        CASE n.condition
            WHEN 'CHTBSY' THEN c.total_measured_s WHEN 'CHFACTV' THEN c.ficon_count
            ELSE c.measured_s
        END                                          AS value_den
    FROM rmf_channel AS c
    CROSS JOIN (VALUES
        ('CHLBSY', '%'), ('CHTBSY', '%'), ('CHLREAD', 'MB/s'), ('CHTREAD', 'MB/s'),
        ('CHFRATE', '1/s'), ('CHFACTV', 'requests'), ('CHFDFER', '1/s'), ('CHFXRATE', '1/s')
    ) AS n (condition, unit)
    WHERE rmf_asks(asked, 'CH[LTF]')
    UNION ALL
    SELECT
        p.run, p.sysplex, p.system, p.interval_start, p.interval_start_utc, p.interval_s,
        n.condition, coalesce(p.iop::VARCHAR, ''), n.unit,
        CASE n.condition
            WHEN 'IOPAC' THEN p.queue_count WHEN 'IOPQL' THEN p.queue_excess_sum
            WHEN 'IOPIPB' THEN 100 * p.busy_count
        END                                          AS value_num,
        CASE n.condition
            WHEN 'IOPAC' THEN p.interval_s WHEN 'IOPQL' THEN p.queue_count ELSE p.look_count
        END                                          AS value_den
    FROM rmf_io_processor AS p
    CROSS JOIN (
        VALUES ('IOPAC', '1/s'), ('IOPQL', 'requests'), ('IOPIPB', '%')
    ) AS n (condition, unit)
    WHERE rmf_asks(asked, 'IOP')
    UNION ALL
    SELECT
        q.run, q.sysplex, q.system, q.interval_start, q.interval_start_utc, q.interval_s,
        n.condition, q.lcu, n.unit,
        CASE n.condition
            WHEN 'IOART' THEN q.taken_count WHEN 'IOCUB' THEN 0.001 * q.cu_busy_us
            WHEN 'IOCMR' THEN 0.001 * q.cmr_us WHEN 'IOCSS' THEN 0.001 * q.css_us
            WHEN 'IOHWAIT' THEN q.no_alias_count
        END                                          AS value_num,
        CASE n.condition
            WHEN 'IOART' THEN q.interval_s WHEN 'IOHWAIT' THEN q.alias_io_count
            ELSE q.taken_count
        END                                          AS value_den
    FROM rmf_io_queue AS q
    CROSS JOIN (VALUES
        ('IOART', '1/s'), ('IOCUB', 'ms'), ('IOCMR', 'ms'), ('IOCSS', 'ms'), ('IOHWAIT', 'requests')
    ) AS n (condition, unit)
    WHERE q.path IS NULL AND rmf_asks(asked, 'IO[ACH]')
    UNION ALL
    SELECT
        h.run, h.sysplex, h.system, h.interval_start, h.interval_start_utc, h.interval_s,
        n.condition, h.ssid, n.unit,
        CASE n.condition WHEN 'CASTOT' THEN h.io_count ELSE 100 * h.hit_count END AS value_num,
        CASE n.condition WHEN 'CASTOT' THEN h.interval_s ELSE h.cacheable_count END AS value_den
    FROM rmf_cache AS h
    CROSS JOIN (VALUES ('CASTOT', '1/s'), ('CASHRT', '%')) AS n (condition, unit)
    WHERE h.device IS NULL AND rmf_asks(asked, 'CAS')
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, interval_s, condition, qualifier,
    unit AS measure, value_num::DOUBLE AS value_num, value_den::DOUBLE AS value_den
FROM condition;

-- rmf_condition: one row per system, interval, overview condition and what it is of (qualifier).
-- The value is value_num / value_den, so that a longer time is made again from sums. Conditions
-- have the names of RMF's overview; the qualifier is empty for all of a kind, a processor type but
-- CP, POLICY, W.workload, S.class, R.class or one of these with .period, a volume, L.lcu or
-- G.storage group, a structure, a coupling facility, a channel path, an I/O processor, an LCU, or a
-- cache subsystem.
CREATE OR REPLACE VIEW rmf_condition AS
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name
    system                                           AS system, -- System name; NULL for a coupling facility that several systems recorded
    interval_start                                   AS interval_start, -- Interval start, local time of the system
    interval_start_utc                               AS interval_start_utc, -- Interval start, UTC
    interval_s                                       AS interval_s, -- Length of the interval [s]
    condition                                        AS condition, -- Condition: CPUBSY, EXVEL ..
    qualifier                                        AS qualifier, -- What it is of; empty for all of its kind
    measure                                          AS measure, -- Unit of the value: %, 1/s, ms, us ..
    value_num                                        AS value_num, -- Numerator of the value, with the factor of its unit
    value_den                                        AS value_den -- Denominator of the value
FROM rmf_condition_values(NULL);

-- rmf_asked_conditions: the rows of rmf_condition that words, between commas, ask for, each with
-- the limit that its word gives. Words have the form of a regular expression; `expected` says it to
-- whoever writes others.
CREATE OR REPLACE MACRO rmf_asked_conditions(asked, form, expected) AS TABLE
WITH word AS (
    SELECT trim(unnest(string_split(upper(asked), ','))) AS word
),
wanted AS (
    SELECT DISTINCT
        CASE
            WHEN NOT regexp_matches(word, form)
                THEN error('conditions: found ''' || word || ''', expected ' || expected)
            WHEN NOT contains(
                ' ' || rmf_conditions() || ' ', ' ' || regexp_extract(word, '^[A-Z]+') || ' '
            ) THEN error(
                'conditions: no condition ''' || regexp_extract(word, '^[A-Z]+')
                || '''; there are ' || replace(rmf_conditions(), ' ', ', '))
            ELSE regexp_extract(word, '^[A-Z]+')
        END                                          AS condition,
        regexp_extract(word, '\(([^()]*)\)', 1)      AS qualifier,
        regexp_extract(word, '[<>]=?')               AS operator,
        nullif(regexp_extract(word, '[<>]=?\s*([0-9.]+)$', 1), '')::DOUBLE AS threshold
    FROM word
),
found_value AS (
    SELECT *
    FROM rmf_condition_values(upper(asked))
    WHERE in_report_range(interval_start)
        AND (qualifier = '' OR contains(upper(asked), condition || '('))
),
-- for an error
name AS (
    SELECT condition, string_agg(DISTINCT qualifier, ', ' ORDER BY qualifier) AS names
    FROM found_value
    WHERE qualifier <> ''
    GROUP BY condition
),
known AS (
    SELECT
        w.condition,
        CASE WHEN w.qualifier <> '' AND count(v.condition) = 0 THEN error(
            'conditions: ' || w.condition || ' has no ''' || w.qualifier || '''; there are '
            || coalesce(any_value(n.names), 'none')
        )
            ELSE w.qualifier END                     AS qualifier,
        w.operator,
        w.threshold
    FROM wanted AS w
    LEFT JOIN name AS n ON n.condition = w.condition
    LEFT JOIN found_value AS v ON v.condition = w.condition AND v.qualifier = w.qualifier
    GROUP BY w.condition, w.qualifier, w.operator, w.threshold
)
SELECT
    v.*, -- as rmf_condition
    w.operator,
    w.threshold
FROM found_value AS v
JOIN known AS w ON w.condition = v.condition AND w.qualifier = v.qualifier;
