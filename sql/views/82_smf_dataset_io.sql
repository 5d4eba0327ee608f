-- smf_dataset_mean_us: a mean time, from the field in microseconds where it says more than 0.
CREATE OR REPLACE MACRO smf_dataset_mean_us(fine, coarse) AS
    coalesce(nullif(fine, 0), coarse * 128.0, fine);

-- smf_dataset_offset: local time less GMT, of the field in 1.048576 s, to the quarter of an hour.
CREATE OR REPLACE MACRO smf_dataset_offset(difference) AS
    to_minutes((15 * round(difference * 1.048576 / 900))::BIGINT);

-- smf_dataset_interval: one row per system and interval of type 42.6. The SMF id is the system's
-- name where RMF records of the run tell it.
CREATE OR REPLACE VIEW smf_dataset_interval AS
SELECT
    f.run                                            AS run, -- Measurement
    k.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    coalesce(k.name, j.system)                       AS system, -- System name where RMF records of the run tell it, else the SMF id
    p.smf42pts + smf_dataset_offset(min(j.s42jdgmo)) AS interval_start, -- Interval start, local time of the system
    p.smf42pts                                       AS interval_start_utc, -- Interval start, UTC
    p.smf42pte                                       AS interval_end_utc, -- Interval end, UTC
    epoch(p.smf42pte - p.smf42pts)                   AS interval_s, -- Length of the interval [s]
    j.system                                         AS sid -- SMF id of the system
FROM smf42_6_job AS j
JOIN smf42_6_product AS p ON p.file_id = j.file_id AND p.record_no = j.record_no
JOIN load_file AS f ON f.file_id = j.file_id
LEFT JOIN smf_file_systems() AS k ON k.file_id = j.file_id AND k.sid = j.system
GROUP BY f.run, j.system, p.smf42pts, p.smf42pte, k.sysplex, k.name;

-- smf_dataset_record: one row per record of type 42.6, and the interval it is of. A record that is
-- twice in a run (overlapping dumps) counts once: its time, first job and first data set tell it.
-- Intervals are those of smf_dataset_interval, told anew: DuckDB expects billions of rows of a join
-- to it, and would build the next join on the data sets.
CREATE OR REPLACE VIEW smf_dataset_record AS
WITH record AS (
    SELECT
        f.run, k.sysplex, coalesce(k.name, p.system) AS system, p.system AS sid,
        p.smf42pts, p.smf42pte, p.file_id, p.record_no, h.smf42dte, h.smf42tme,
        j.job, d.s42dsn, d.s42dsvol,
        min(j.s42jdgmo) OVER (
            PARTITION BY f.run, k.sysplex, p.system, p.smf42pts, p.smf42pte
        ) AS difference
    FROM smf42_6_product AS p
    JOIN load_file AS f ON f.file_id = p.file_id
    JOIN (
        SELECT
            file_id, record_no, min(s42jdgmo) AS s42jdgmo,
            arg_min((s42jdjnm, s42jdrsd, s42jdrst), section_no) AS job
        FROM smf42_6_job
        GROUP BY file_id, record_no
    ) AS j ON j.file_id = p.file_id AND j.record_no = p.record_no
    LEFT JOIN smf42_6_dataset AS d ON d.file_id = p.file_id AND d.record_no = p.record_no
        AND d.section_no = 1
    LEFT JOIN smf42_6_header AS h ON h.file_id = p.file_id AND h.record_no = p.record_no
    LEFT JOIN smf_file_systems() AS k ON k.file_id = p.file_id AND k.sid = p.system
)
SELECT
    run                                              AS run, -- Measurement
    sysplex                                          AS sysplex, -- Sysplex name, where RMF records of the run tell it
    system                                           AS system, -- System name where RMF records of the run tell it, else the SMF id
    smf42pts + smf_dataset_offset(difference)        AS interval_start, -- Interval start, local time of the system
    smf42pts                                         AS interval_start_utc, -- Interval start, UTC
    smf42pte                                         AS interval_end_utc, -- Interval end, UTC
    epoch(smf42pte - smf42pts)                       AS interval_s, -- Length of the interval [s]
    sid                                              AS sid, -- SMF id of the system
    file_id                                          AS file_id, -- File of the record
    record_no                                        AS record_no -- Record in that file
FROM record
QUALIFY s42dsn IS NULL OR counts_once(
    (run, sid, smf42pts, smf42pte, smf42dte, smf42tme, job, s42dsn, s42dsvol), (file_id, record_no)
);

-- smf_dataset_sections: the data set sections of type 42.6, each with the times of its I/Os: the
-- records hold mean times, and times the I/Os they are sums again, from the fields in microseconds
-- where there are such, else from those in 128 us. `datasets` is smf42_6_dataset, or names a part
-- of its rows: DuckDB applies a condition on the rows of a view when all are made.
CREATE OR REPLACE MACRO smf_dataset_sections(datasets) AS TABLE
WITH section AS (
    SELECT
        n.run,
        n.sysplex,
        n.system,
        n.interval_start,
        n.interval_start_utc,
        n.interval_end_utc,
        j.s42jdjnm                                   AS job,
        d.s42dsn                                     AS dataset,
        d.s42dsvol                                   AS volume,
        nullif(d.s42dssc, '')                        AS storage_class,
        nullif(j.s42jdwsc, '')                       AS service_class,
        d.s42dstyp                                   AS dataset_type,
        d.s42dsbsz                                   AS block_bytes,
        i.* EXCLUDE (system, interval_start, interval_end)
    FROM smf42_6_io AS i
    JOIN query_table(datasets) AS d ON d.file_id = i.file_id AND d.record_no = i.record_no
        AND d.section_no = i.dataset_no
    JOIN smf42_6_job AS j ON j.file_id = d.file_id AND j.record_no = d.record_no
        AND j.section_no = d.job_no
    JOIN smf_dataset_record AS n ON n.file_id = i.file_id AND n.record_no = i.record_no
)
SELECT
    *,
    s42dsion::DOUBLE                                 AS io_count,
    s42dsion::DOUBLE * smf_dataset_mean_us(s42dsr1u, s42dsior) AS resp_us,
    s42dsion::DOUBLE * smf_dataset_mean_us(s42dsc1u, s42dsioc) AS conn_us,
    s42dsion::DOUBLE * smf_dataset_mean_us(s42dsp1u, s42dsiop) AS pend_us,
    s42dsion::DOUBLE * smf_dataset_mean_us(s42dsd1u, s42dsiod) AS disc_us,
    s42dsion::DOUBLE * smf_dataset_mean_us(s42dsq1u, s42dsioq) AS queue_us
FROM section;

-- smf_dataset_io: one row per system, interval, job, data set and volume of type 42.6; times as
-- sums. A data set that was closed and used again in an interval has several records, which count
-- together. The SMF id is the system's name where RMF records of the run tell it.
CREATE OR REPLACE VIEW smf_dataset_io AS
SELECT
    u.run                                            AS run, -- Measurement
    u.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    u.system                                         AS system, -- System name where RMF records of the run tell it, else the SMF id
    u.interval_start                                 AS interval_start, -- Interval start, local time of the system
    u.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    epoch(max(u.interval_end_utc) - u.interval_start_utc) AS interval_s, -- Length of the interval [s]
    u.job                                            AS job, -- Job name
    u.dataset                                        AS dataset, -- Data set name
    u.volume                                         AS volume, -- Volume serial
    max(u.service_class)                             AS service_class, -- Service class of the job
    max(u.storage_class)                             AS storage_class, -- SMS storage class
    CASE max(u.dataset_type)
        WHEN 1 THEN 'PS' WHEN 2 THEN 'PDS' WHEN 3 THEN 'PDSE' WHEN 16 THEN 'KSDS'
        WHEN 17 THEN 'KSDS' WHEN 21 THEN 'LINEAR' WHEN 22 THEN 'ESDS' END AS dataset_type, -- PS, PDS, PDSE, KSDS, ESDS, LINEAR; NULL for others
    max(u.block_bytes)                               AS block_bytes, -- Block or control interval size [bytes]
    sum(u.io_count)                                  AS io_count, -- I/Os
    sum(u.resp_us)                                   AS resp_us, -- Response time of the I/Os, sum [us]
    sum(u.conn_us)                                   AS conn_us, -- Connect time, sum [us]
    sum(u.pend_us)                                   AS pend_us, -- Pending time, sum [us]
    sum(u.disc_us)                                   AS disc_us, -- Disconnect time, sum [us]
    sum(u.queue_us)                                  AS queue_us, -- Control unit queue time, sum [us]
    sum(u.s42dscnd::DOUBLE)                          AS cache_count, -- I/Os the cache could serve
    sum(u.s42dshts::DOUBLE)                          AS cache_hit_count, -- I/Os the cache did serve
    sum(u.s42dswcn::DOUBLE)                          AS cache_write_count, -- Writes the cache could take
    sum(u.s42dswhi::DOUBLE)                          AS cache_write_hit_count, -- Writes the cache did take
    sum(u.s42dsseq::DOUBLE)                          AS sequential_count, -- Sequential I/Os
    sum(u.s42dsrdt::DOUBLE)                          AS read_count, -- Reads
    sum(u.s42dshrd::DOUBLE)                          AS zhpf_read_count, -- Reads by zHPF
    sum(u.s42dshwr::DOUBLE)                          AS zhpf_write_count, -- Writes by zHPF
    sum(u.s42dsios::DOUBLE)                          AS zhyperwrite_count, -- Writes zHyperWrite sent to the Metro Mirror secondary
    nullif(max(u.s42dsmxr), 0) * 128.0               AS max_resp_us -- Longest response time [us]; NULL where the record keeps none (0)
FROM smf_dataset_sections('smf42_6_dataset') AS u
GROUP BY u.run, u.sysplex, u.system, u.interval_start, u.interval_start_utc, u.job, u.dataset,
    u.volume;
