-- smf_address_space_used: what an address space used, as told by the record before where a record
-- holds totals since the start (type 30 subtype 6); everything else as it is.
CREATE OR REPLACE MACRO smf_address_space_used(now_value, before_value, difference) AS
    now_value - CASE WHEN difference THEN before_value ELSE 0 END;

-- smf_address_space: one row per type 30 record with CPU times: what an address space used in an
-- interval, a step or a job. Intervals (subtypes 2 and 3) hold what was used in them. Subtype 6,
-- address spaces without full function start, holds totals since the start: an interval is the
-- difference of two records; the first record, and one whose totals fell, is of the kind
-- since_start. Steps and jobs hold all that their intervals held: add rows of one kind only. CPU
-- times are cut to 1/100 s. zIIP time is at zIIP speed and in no CPU time.
CREATE OR REPLACE VIEW smf_address_space AS
WITH record AS (
    SELECT
        f.run,
        nullif(s.smf30syp, '')                       AS sysplex,
        c.system,
        c.interval_start                             AS start_local,
        c.file_id,
        c.record_no,
        s.smf30typ                                   AS subtype,
        i.smf30jbn                                   AS job,
        nullif(i.smf30jnm, '')                       AS job_id,
        nullif(i.smf30stm, '')                       AS step,
        i.smf30stn::INTEGER                          AS step_no,
        i.smf30ssn                                   AS substep_no,
        i.smf30asi::INTEGER                          AS asid,
        nullif(i.smf30pgm, '')                       AS program,
        i.smf30iss                                   AS start_utc,
        i.smf30iet                                   AS end_utc,
        nullif(w.smf30scn, '')                       AS service_class,
        nullif(w.smf30rcn, '')                       AS report_class,
        nullif(w.smf30wlm, '')                       AS workload,
        coalesce(nullif(w.smf30snf, 0), 256) / 256.0 AS ziip_speed,
        c.smf30cpt::DOUBLE + c.smf30icu              AS tcb,
        c.smf30cps::DOUBLE + c.smf30isb              AS srb,
        c.smf30iip::DOUBLE + c.smf30rct + c.smf30hpt AS other,
        c.smf30enc::DOUBLE                           AS enclave,
        c.smf30_time_on_ziip::DOUBLE                 AS ziip,
        c.smf30_time_ziip_on_cp::DOUBLE              AS ziip_on_cp,
        coalesce(x.smf30tex, x.smf30tep)::DOUBLE     AS excps,
        x.smf30ais::DOUBLE                           AS ios,
        x.smf30aic::DOUBLE                           AS io_conn,
        x.smf30aid::DOUBLE                           AS io_disc,
        x.smf30aiw::DOUBLE                           AS io_pend,
        coalesce(w.smf30srv_l, w.smf30srv)::DOUBLE   AS service,
        w.smf30trs::DOUBLE                           AS transactions
    FROM smf30_processor AS c
    JOIN smf30_subsystem AS s ON s.file_id = c.file_id AND s.record_no = c.record_no
    JOIN smf30_identification AS i ON i.file_id = c.file_id AND i.record_no = c.record_no
    JOIN load_file AS f ON f.file_id = c.file_id
    LEFT JOIN smf30_performance AS w ON w.file_id = c.file_id AND w.record_no = c.record_no
    LEFT JOIN smf30_io AS x ON x.file_id = c.file_id AND x.record_no = c.record_no
    LEFT JOIN smf30_header AS h ON h.file_id = c.file_id AND h.record_no = c.record_no
    WHERE s.smf30typ BETWEEN 2 AND 6
    -- overlapping dumps: the same record once
    QUALIFY counts_once_in(
        f.run, c.system, c.interval_start,
        (s.smf30typ, i.smf30jbn, i.smf30jnm, i.smf30stn, i.smf30ssn, i.smf30asi, i.smf30iss,
         i.smf30iet, h.smf30dte, h.smf30tme),
        (c.file_id, c.record_no)
    )
),
followed AS (
    SELECT
        *,
        lag(end_utc) OVER address_space              AS end_utc_before,
        lag(tcb) OVER address_space                  AS tcb_before,
        lag(srb) OVER address_space                  AS srb_before,
        lag(other) OVER address_space                AS other_before,
        lag(enclave) OVER address_space              AS enclave_before,
        lag(ziip) OVER address_space                 AS ziip_before,
        lag(ziip_on_cp) OVER address_space           AS ziip_on_cp_before,
        lag(excps) OVER address_space                AS excps_before,
        lag(ios) OVER address_space                  AS ios_before,
        lag(io_conn) OVER address_space              AS io_conn_before,
        lag(io_disc) OVER address_space              AS io_disc_before,
        lag(io_pend) OVER address_space              AS io_pend_before,
        lag(service) OVER address_space              AS service_before,
        lag(transactions) OVER address_space         AS transactions_before
    FROM record
    WINDOW address_space AS (
        PARTITION BY run, system, subtype, job, asid ORDER BY end_utc, file_id, record_no
    )
),
told AS (
    SELECT
        *,
        coalesce(subtype = 6 AND end_utc_before IS NOT NULL
            AND tcb >= tcb_before AND srb >= srb_before, FALSE) AS difference
    FROM followed
),
kinds AS (
    SELECT
        *,
        CASE
            WHEN subtype IN (2, 3) OR difference THEN 'interval'
            WHEN subtype = 4 THEN 'step'
            WHEN subtype = 5 THEN 'job'
            ELSE 'since_start'
        END                                          AS kind,
        CASE WHEN difference THEN end_utc_before WHEN subtype IN (2, 3) THEN start_utc END
                                                     AS interval_start_utc,
        -- local less UTC, to the quarter of an hour
        to_minutes((15 * round(epoch(start_local - start_utc) / 900))::BIGINT) AS local_offset
    FROM told
),
pattern AS (
    SELECT c.run, c.key AS group_name, replace(u.job, '%', '?') AS job_pattern
    FROM run_config AS c, unnest(regexp_extract_all(upper(c.value), '[A-Z0-9@#$*%]+')) AS u (job)
    WHERE c.section = 'address_spaces'
),
named AS (
    SELECT j.run, j.job, min(p.group_name) AS group_name
    FROM (
        SELECT DISTINCT f.run, i.smf30jbn AS job
        FROM smf30_identification AS i
        JOIN load_file AS f ON f.file_id = i.file_id
    ) AS j
    JOIN pattern AS p ON p.run = j.run AND j.job GLOB p.job_pattern
    GROUP BY j.run, j.job
)
SELECT
    k.run                                            AS run, -- Measurement
    k.sysplex                                        AS sysplex, -- Sysplex name
    k.system                                         AS system, -- System name
    coalesce(k.interval_start_utc + k.local_offset, k.start_local) AS interval_start, -- Interval start, local time of the system
    k.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC; NULL where the row is about no interval
    CASE WHEN k.kind = 'interval' THEN k.end_utc END AS interval_end_utc, -- Interval end, UTC
    CASE WHEN k.kind = 'interval' THEN epoch(k.end_utc - k.interval_start_utc) END AS interval_s, -- Length of the interval [s]
    CASE WHEN k.kind = 'interval' THEN epoch(k.end_utc - k.interval_start_utc) * 1e6 END
                                                     AS interval_us, -- Length of the interval [us]
    k.kind                                           AS kind, -- interval, step, job, since_start: add rows of one kind only
    k.job                                            AS job, -- Job name
    k.step                                           AS step, -- Step name
    -- address spaces of one name: by job and address space, else one record after the other
    CASE WHEN k.kind = 'interval'
        THEN dense_rank() OVER (PARTITION BY k.run, k.system, k.kind, k.job, k.step
            ORDER BY k.job_id, k.step_no, k.substep_no, k.asid)
        ELSE row_number() OVER (PARTITION BY k.run, k.system, k.kind, k.job, k.step
            ORDER BY k.end_utc, k.job_id, k.step_no, k.substep_no, k.asid, k.file_id, k.record_no)
    END                                              AS instance, -- Tells address spaces of one job and step name apart, from 1
    k.job_id                                         AS job_id, -- JES job id
    k.step_no                                        AS step_no, -- Step number
    k.asid                                           AS asid, -- Address space id
    k.program                                        AS program, -- Program of the step
    coalesce(n.group_name, CASE
        WHEN k.job = 'IXGLOGR' THEN 'ixglogr'
        WHEN k.program = 'DFSMVRC0' THEN 'ims'
        WHEN k.program = 'DFSRRC00' THEN 'region'
        WHEN k.program = 'HWSHWS00' THEN 'ims_connect'
        WHEN k.program = 'DFHSIP' THEN 'cics'
        WHEN k.program = 'CQSINIT0' THEN 'cqs'
    END)                                             AS group_name, -- Group: as address_spaces of run.toml names the job, else by program; NULL where unknown
    k.service_class                                  AS service_class, -- Service class at the end
    k.report_class                                   AS report_class, -- Report class at the end
    k.workload                                       AS workload, -- Workload at the end
    1e4 * smf_address_space_used(k.tcb, k.tcb_before, k.difference) AS tcb_us, -- CPU time under TCBs on CPs, initiator's included [us]
    1e4 * smf_address_space_used(k.srb, k.srb_before, k.difference) AS srb_us, -- CPU time under SRBs on CPs, initiator's included [us]
    1e4 * (smf_address_space_used(k.tcb, k.tcb_before, k.difference)
        + smf_address_space_used(k.srb, k.srb_before, k.difference)
        + smf_address_space_used(k.other, k.other_before, k.difference)) AS cpu_us, -- CPU time on CPs: TCB, SRB, I/O interrupts, region control task, hiperspace [us]
    1e4 * smf_address_space_used(k.enclave, k.enclave_before, k.difference) AS enclave_us, -- Of it, that of independent enclaves [us]
    1e4 * smf_address_space_used(k.ziip, k.ziip_before, k.difference) AS ziip_us, -- CPU time on zIIPs, at zIIP speed [us]
    1e4 * k.ziip_speed
        * smf_address_space_used(k.ziip, k.ziip_before, k.difference) AS ziip_cp_us, -- CPU time on zIIPs, as a CP would need [us]
    1e4 * smf_address_space_used(k.ziip_on_cp, k.ziip_on_cp_before, k.difference)
                                                     AS ziip_on_cp_us, -- zIIP-eligible CPU time spent on CPs [us]
    smf_address_space_used(k.excps, k.excps_before, k.difference) AS excps_count, -- Blocks transferred
    smf_address_space_used(k.ios, k.ios_before, k.difference) AS io_count, -- DASD I/Os started
    128 * smf_address_space_used(k.io_conn, k.io_conn_before, k.difference) AS io_conn_us, -- DASD connect time [us]
    128 * smf_address_space_used(k.io_disc, k.io_disc_before, k.difference) AS io_disc_us, -- DASD disconnect time [us]
    128 * smf_address_space_used(k.io_pend, k.io_pend_before, k.difference) AS io_pend_us, -- DASD pending and control unit queue time [us]
    smf_address_space_used(k.service, k.service_before, k.difference) AS service_su, -- Service of all kinds [service units]
    smf_address_space_used(k.transactions, k.transactions_before, k.difference)
                                                     AS transactions_count, -- Transactions
    k.file_id                                        AS file_id, -- File of the record
    k.record_no                                      AS record_no -- Record in that file
FROM kinds AS k
LEFT JOIN named AS n ON n.run = k.run AND n.job = k.job;
