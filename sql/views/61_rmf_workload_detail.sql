-- rmf_workload_state: one row per system, interval, class period and thing its address spaces and
-- enclaves were seen using or waiting for. Samples of the execution phase; a field that an older
-- record does not have gives no row. The reasons are those RMF prints, TOT is all delays that count
-- in the velocity.
CREATE OR REPLACE VIEW rmf_workload_state AS
SELECT
    c.run                                                 AS run, -- Measurement
    c.sysplex                                             AS sysplex, -- Sysplex name
    c.system                                              AS system, -- System name
    c.interval_start                                      AS interval_start, -- Interval start, local time of the system
    c.interval_start_utc                                  AS interval_start_utc, -- Interval start, UTC
    c.interval_s                                          AS interval_s, -- Length of the interval [s]
    CASE WHEN c.report_class THEN 'report' ELSE 'service' END AS kind, -- service or report
    c.class                                               AS class, -- Service or report class
    c.period                                              AS period, -- Period of the class
    s.place::INTEGER                                      AS place, -- Order in which RMF prints them
    s.state                                               AS state, -- EXEC USING, EXEC DELAY, USING, DELAY or STATE
    s.reason                                              AS reason, -- What it used or waited for, as RMF prints it
    s.meaning                                             AS meaning, -- The same in words
    list_extract([
        p.r723ccus, p.r723ifau, p.r723supu, p.r723ciou,
        p.r723ctot, p.r723ccde, p.r723ifad, p.r723supd, p.r723ciod, p.r723ccca, p.r723cpde,
        p.r723cswi, p.r723cmpl, p.r723cq, p.r723capr, p.r723caco, p.r723caxm, p.r723cvio,
        p.r723chsp, p.r723cchs, p.r723cspv, p.r723csvi, p.r723cshs, p.r723csmp, p.r723cssw,
        p.r723fqd, p.r723apu, p.r723rcou, p.r723cunk, p.r723cidl, p.r723apd, p.r723rcod,
        p.r723cpqu
    ], s.place)::DOUBLE                                   AS state_count, -- Samples in that state
    p.r723ctsa                                            AS execution_samples_count, -- Samples of the execution phase, the divisor of percentages
    p.r723csac::DOUBLE                                    AS spaces_count, -- Address spaces and enclaves, sum over the samples
    c.wlm_samples_count::DOUBLE                           AS wlm_samples_count -- Samples WLM took in the interval
FROM rmf_class_period AS c
JOIN smf72_3_period AS p
    ON p.file_id = c.file_id AND p.record_no = c.record_no AND p.section_no = c.section_no
CROSS JOIN (VALUES
    (1, 'EXEC USING', 'CPU', 'Using a CP'),
    (2, 'EXEC USING', 'AAP', 'Using a zAAP'),
    (3, 'EXEC USING', 'IIP', 'Using a zIIP'),
    (4, 'EXEC USING', 'I/O', 'Using I/O'),
    (5, 'EXEC DELAY', 'TOT', 'All delays that count in the velocity'),
    (6, 'EXEC DELAY', 'CPU', 'Waiting for a CP'),
    (7, 'EXEC DELAY', 'AAP', 'Waiting for a zAAP'),
    (8, 'EXEC DELAY', 'IIP', 'Waiting for a zIIP'),
    (9, 'EXEC DELAY', 'I/O', 'Waiting for DASD I/O'),
    (10, 'EXEC DELAY', 'CAP', 'Held back as CPU use is capped'),
    (11, 'EXEC DELAY', 'RG-CAP', 'Held back as the resource group is capped'),
    (12, 'EXEC DELAY', 'SWIN', 'Waiting for a swap-in'),
    (13, 'EXEC DELAY', 'MPL', 'Held out by the multiprogramming level'),
    (14, 'EXEC DELAY', 'Q-MPL', 'In the queue for a server'),
    (15, 'EXEC DELAY', 'AUX-PRIV', 'Waiting for a page of the private area'),
    (16, 'EXEC DELAY', 'AUX-COMM', 'Waiting for a page of the common area'),
    (17, 'EXEC DELAY', 'AUX-CROSS', 'Waiting for a cross-memory page'),
    (18, 'EXEC DELAY', 'AUX-VIO', 'Waiting for a VIO page'),
    (19, 'EXEC DELAY', 'AUX-HSP', 'Waiting for a page of a standard hiperspace'),
    (20, 'EXEC DELAY', 'AUX-ESO', 'Waiting for a page of an ESO hiperspace'),
    (21, 'EXEC DELAY', 'SRV-PRIV', 'Its server waits for a page of the private area'),
    (22, 'EXEC DELAY', 'SRV-VIO', 'Its server waits for a VIO page'),
    (23, 'EXEC DELAY', 'SRV-HSP', 'Its server waits for a hiperspace page'),
    (24, 'EXEC DELAY', 'SRV-MPL', 'Its server is held out by the multiprogramming level'),
    (25, 'EXEC DELAY', 'SRV-SWIN', 'Its server waits for a swap-in'),
    (26, 'EXEC DELAY', 'FTQ', 'In a feature queue'),
    (27, 'USING', 'CRY', 'Using a crypto processor'),
    (28, 'USING', 'CNT', 'Using a resource others wait for'),
    (29, 'DELAY', 'UNK', 'In a state WLM does not know'),
    (30, 'DELAY', 'IDL', 'Idle'),
    (31, 'DELAY', 'CRY', 'Waiting for a crypto processor'),
    (32, 'DELAY', 'CNT', 'Waiting for a resource in contention'),
    (33, 'STATE', 'QUI', 'Quiesced')
) AS s (place, state, reason, meaning)
WHERE state_count IS NOT NULL;

-- rmf_response_bucket: one row per system, interval, class period and bucket of its response time
-- distribution. Periods without a response time goal have none. The limits are parts of the middle
-- the record names, which is the goal; the last bucket has no limit.
CREATE OR REPLACE VIEW rmf_response_bucket AS
SELECT
    c.run                                                 AS run, -- Measurement
    c.sysplex                                             AS sysplex, -- Sysplex name
    c.system                                              AS system, -- System name
    c.interval_start                                      AS interval_start, -- Interval start, local time of the system
    c.interval_start_utc                                  AS interval_start_utc, -- Interval start, UTC
    c.interval_s                                          AS interval_s, -- Length of the interval [s]
    CASE WHEN c.report_class THEN 'report' ELSE 'service' END AS kind, -- service or report
    c.class                                               AS class, -- Service or report class
    c.period                                              AS period, -- Period of the class
    c.goal_kind                                           AS goal_kind, -- percentile or average
    b.bucket_no::INTEGER                                  AS bucket_no, -- Bucket, 1 to 14
    b.limit_pct::INTEGER                                  AS limit_pct, -- Longest time of the bucket, of the middle [%]; NULL for the last
    coalesce(nullif(p.r723rtdm, 0)::DOUBLE, c.goal) * b.limit_pct / 100
                                                          AS limit_ms, -- Longest time of the bucket [ms]; NULL for the last
    list_extract(c.buckets, b.bucket_no)::DOUBLE          AS bucket_count, -- Transactions that ended in the bucket
    list_sum(c.buckets[1:b.bucket_no])::DOUBLE            AS within_count, -- Transactions that ended in it or a lower one
    list_sum(c.buckets)::DOUBLE                           AS distributed_count -- Transactions in all buckets
FROM rmf_class_period AS c
JOIN smf72_3_period AS p
    ON p.file_id = c.file_id AND p.record_no = c.record_no AND p.section_no = c.section_no
CROSS JOIN (VALUES
    (1, 50), (2, 60), (3, 70), (4, 80), (5, 90), (6, 100), (7, 110), (8, 120), (9, 130), (10, 140),
    (11, 150), (12, 200), (13, 400), (14, NULL)
) AS b (bucket_no, limit_pct)
WHERE c.buckets IS NOT NULL;

-- rmf_manager_state: one row per system, interval, class period, work manager (CICS, IMS), phase
-- and state in which it saw its transactions. Work that is switched is in another state at the same
-- time.
CREATE OR REPLACE VIEW rmf_manager_state AS
WITH numbered AS (
    SELECT s.*, r.resource_no, list_extract(s.r723rw01_rw15, r.resource_no) AS resource_samples,
        d.r723dnde AS resource
    FROM smf72_3_state AS s
    CROSS JOIN (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14),
        (15))
        AS r (resource_no)
    LEFT JOIN smf72_3_delay_name AS d
        ON d.file_id = s.file_id AND d.record_no = s.record_no
        AND d.r723dnst = s.r723rtyp AND d.r723dnnu = r.resource_no
        AND d.section_no >= s.r723rdnx
        AND d.section_no < s.r723rdnx::INTEGER + s.r723rdnn
),
state AS (
    SELECT
        x.file_id, x.record_no, x.period_no, x.section_no, x.r723rtyp, x.r723rflg, x.r723ress,
        n.place, n.state_group, n.state,
        list_extract([
            x.r723ract, x.r723rapp, x.r723rrdy, x.r723ridl, x.r723rwlo, x.r723rwio, x.r723rbpm,
            x.r723rwco, x.r723rwds, x.r723rwsl, x.r723rwss, x.r723rwsn, x.r723rwtm, x.r723rwo,
            x.r723rwst, x.r723rwrt, x.r723rwwr, x.r723rwnl, x.r723rwms, x.r723rssl, x.r723rsss,
            x.r723rssn
        ], n.place)                                       AS samples
    FROM smf72_3_state AS x
    CROSS JOIN (VALUES
        (1, 'ACTIVE', 'SUB'), (2, 'ACTIVE', 'APPL'), (3, 'READY', 'READY'), (4, 'IDLE', 'IDLE'),
        (5, 'WAITING FOR', 'LOCK'), (6, 'WAITING FOR', 'I/O'),
        (7, 'WAITING FOR', 'BUFFER POOL I/O'), (8, 'WAITING FOR', 'CONVERSATION'),
        (9, 'WAITING FOR', 'DISTRIBUTED'), (10, 'WAITING FOR', 'SESSION LOCAL'),
        (11, 'WAITING FOR', 'SESSION SYSPL'), (12, 'WAITING FOR', 'SESSION REMOT'),
        (13, 'WAITING FOR', 'TIMER'), (14, 'WAITING FOR', 'OTHER PRODUCT'),
        (15, 'WAITING FOR', 'SSL THREAD'), (16, 'WAITING FOR', 'REGULAR THREAD'),
        (17, 'WAITING FOR', 'WORK TABLE'), (18, 'WAITING FOR', 'LATCH'),
        (19, 'WAITING FOR', 'MISC'), (20, 'SWITCHED', 'LOCAL'), (21, 'SWITCHED', 'SYSPL'),
        (22, 'SWITCHED', 'REMOT')
    ) AS n (place, state_group, state)
    UNION ALL
    SELECT
        file_id, record_no, period_no, section_no, r723rtyp, r723rflg, r723ress,
        100 + resource_no, CASE WHEN resource_no IS NOT NULL THEN 'WAITING FOR' END,
        coalesce(nullif(resource, ''), 'RESOURCE ' || resource_no), resource_samples
    FROM numbered
    WHERE resource IS NOT NULL OR resource_samples > 0
)
SELECT
    c.run                                                 AS run, -- Measurement
    c.sysplex                                             AS sysplex, -- Sysplex name
    c.system                                              AS system, -- System name
    c.interval_start                                      AS interval_start, -- Interval start, local time of the system
    c.interval_start_utc                                  AS interval_start_utc, -- Interval start, UTC
    c.interval_s                                          AS interval_s, -- Length of the interval [s]
    CASE WHEN c.report_class THEN 'report' ELSE 'service' END AS kind, -- service or report
    c.class                                               AS class, -- Service or report class
    c.period                                              AS period, -- Period of the class
    s.r723rtyp                                            AS subsystem, -- Work manager: CICS, IMS
    CASE WHEN (s.r723rflg & 128) <> 0 THEN 'BTE'
        WHEN (s.r723rflg & 64) <> 0 THEN 'EXE' END AS phase, -- BTE from begin to end, EXE execution
    s.place::INTEGER                                      AS place, -- Order in which RMF prints them
    s.state_group                                         AS state_group, -- ACTIVE, READY, IDLE, WAITING FOR or SWITCHED
    s.state                                               AS state, -- State, or the resource waited for
    sum(s.samples)::DOUBLE                                AS state_count, -- Samples in that state
    sum(s.r723ress)::DOUBLE                               AS states_count, -- Samples in any state
    any_value(c.response_us / (1e3 * nullif(w.r723mtvl, 0))) AS response_samples -- Samples that the response times of the transactions would fill
FROM state AS s
JOIN rmf_class_period AS c
    ON c.file_id = s.file_id AND c.record_no = s.record_no AND c.section_no = s.period_no
JOIN smf72_3_control AS w ON w.file_id = s.file_id AND w.record_no = s.record_no
WHERE s.samples IS NOT NULL
GROUP BY
    c.run, c.sysplex, c.system, c.interval_start, c.interval_start_utc, c.interval_s,
    c.report_class, c.class, c.period, s.r723rtyp, s.r723rflg, s.place, s.state_group, s.state;
