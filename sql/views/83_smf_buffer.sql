-- smf_dfsms_interval: one row per system and interval of a record of type 42.1 or 42.5. Its times
-- are UTC; local time is that at which SMF took the record, to the quarter of an hour. An interval
-- that is twice in a run (overlapping dumps) counts once. The SMF id is the system's name where RMF
-- records of the run tell it.
CREATE OR REPLACE VIEW smf_dfsms_interval AS
WITH written AS (
    SELECT 1 AS subtype, p.file_id, p.record_no, p.system, p.smf42pts, p.smf42pte,
        h.smf42dte, h.smf42tme
    FROM smf42_1_product AS p
    LEFT JOIN smf42_1_header AS h ON h.file_id = p.file_id AND h.record_no = p.record_no
    UNION ALL
    SELECT 5 AS subtype, p.file_id, p.record_no, p.system, p.smf42pts, p.smf42pte,
        h.smf42dte, h.smf42tme
    FROM smf42_5_product AS p
    LEFT JOIN smf42_5_header AS h ON h.file_id = p.file_id AND h.record_no = p.record_no
)
SELECT
    f.run                                            AS run, -- Measurement
    k.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    coalesce(k.name, w.system)                       AS system, -- System name where RMF records of the run tell it, else the SMF id
    -- local less UTC
    w.smf42pts + to_minutes((15 * round(
        epoch(w.smf42dte + w.smf42tme - w.smf42pte) / 900
    ))::BIGINT)                                      AS interval_start, -- Interval start, local time of the system
    w.smf42pts                                       AS interval_start_utc, -- Interval start, UTC
    epoch(w.smf42pte - w.smf42pts)                   AS interval_s, -- Length of the interval [s]
    w.subtype                                        AS subtype, -- Subtype of the record
    w.file_id                                        AS file_id, -- File of the record
    w.record_no                                      AS record_no -- Record in that file
FROM written AS w
JOIN load_file AS f ON f.file_id = w.file_id
LEFT JOIN smf_file_systems() AS k ON k.file_id = w.file_id AND k.sid = w.system;

-- smf_storage_class: one row per system, interval and storage class of type 42.5; times as sums:
-- the records hold mean times.
CREATE OR REPLACE VIEW smf_storage_class AS
SELECT
    i.run                                            AS run, -- Measurement
    i.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    i.system                                         AS system, -- System name where RMF records of the run tell it, else the SMF id
    i.interval_start                                 AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                     AS interval_s, -- Length of the interval [s]
    c.s42scrnn                                       AS storage_class, -- SMS storage class
    c.s42scion::DOUBLE                               AS io_count, -- I/Os
    c.s42scion::DOUBLE * smf_dataset_mean_us(c.s42scr1u, c.s42scior) AS resp_us, -- Response time, sum [us]
    c.s42scion::DOUBLE * smf_dataset_mean_us(c.s42scc1u, c.s42scioc) AS conn_us, -- Connect time, sum [us]
    c.s42scion::DOUBLE * smf_dataset_mean_us(c.s42scp1u, c.s42sciop) AS pend_us, -- Pending time, sum [us]
    c.s42scion::DOUBLE * smf_dataset_mean_us(c.s42scd1u, c.s42sciod) AS disc_us, -- Disconnect time, sum [us]
    c.s42scion::DOUBLE * smf_dataset_mean_us(c.s42scq1u, c.s42scioq) AS queue_us, -- Control unit queue time, sum [us]
    c.s42sccnd::DOUBLE                               AS cache_count, -- I/Os the cache could serve
    c.s42schit::DOUBLE                               AS cache_hit_count, -- I/Os the cache did serve
    c.s42scwcn::DOUBLE                               AS cache_write_count, -- Writes the cache could take
    c.s42scwhi::DOUBLE                               AS cache_write_hit_count, -- Writes the cache did take
    c.s42scseq::DOUBLE                               AS sequential_count, -- Sequential I/Os
    c.s42scrdt::DOUBLE                               AS read_count, -- Reads
    c.s42schrd::DOUBLE                               AS zhpf_read_count, -- Reads by zHPF
    c.s42schwr::DOUBLE                               AS zhpf_write_count, -- Writes by zHPF
    i.file_id                                        AS file_id, -- File of the record
    i.record_no                                      AS record_no, -- Record in that file
    c.section_no                                     AS section_no -- Section in the record
FROM smf_dfsms_interval AS i
JOIN smf42_5_storage_class AS c ON c.file_id = i.file_id AND c.record_no = i.record_no
WHERE i.subtype = 5
QUALIFY counts_once_in(
    i.run, i.system, i.interval_start, (i.interval_start_utc, c.s42scrnn),
    (i.file_id, i.record_no, c.section_no)
);

-- smf_pdse: one row per system, interval and storage class of type 42.1: how well the buffer
-- manager holds pages of PDSE members and directories; storage class NULL for all of them together,
-- which has the buffers.
CREATE OR REPLACE VIEW smf_pdse AS
WITH pages AS (
    SELECT
        file_id, record_no, section_no,
        NULL                                         AS storage_class,
        smf42trt                                     AS member_reads,
        smf42trh                                     AS member_hits,
        smf42tdt                                     AS directory_reads,
        smf42tdh                                     AS directory_hits,
        smf42buf * 4096.0                            AS buffer_bytes,
        smf42bmx * 4096.0                            AS buffer_max_bytes,
        smf42lru                                     AS lru_time,
        smf42uic                                     AS unused_cycles
    FROM smf42_1_buffer_manager
    UNION ALL BY NAME
    SELECT
        file_id, record_no, section_no,
        smf42pnn                                     AS storage_class,
        smf42srt                                     AS member_reads,
        smf42srh                                     AS member_hits,
        smf42sdt                                     AS directory_reads,
        smf42sdh                                     AS directory_hits
    FROM smf42_1_storage_class
)
SELECT
    i.run                                            AS run, -- Measurement
    i.sysplex                                        AS sysplex, -- Sysplex name, where RMF records of the run tell it
    i.system                                         AS system, -- System name where RMF records of the run tell it, else the SMF id
    i.interval_start                                 AS interval_start, -- Interval start, local time of the system
    i.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    i.interval_s                                     AS interval_s, -- Length of the interval [s]
    g.storage_class                                  AS storage_class, -- SMS storage class; NULL for all together
    g.member_reads::DOUBLE                           AS member_count, -- Pages of members read [pages]
    g.member_hits::DOUBLE                            AS member_hit_count, -- Of these, found in the buffers [pages]
    g.directory_reads::DOUBLE                        AS directory_count, -- Pages of directories read [pages]
    g.directory_hits::DOUBLE                         AS directory_hit_count, -- Of these, found in the buffers [pages]
    g.buffer_bytes                                   AS buffer_bytes, -- Buffers of the buffer manager [bytes]
    g.buffer_max_bytes                               AS buffer_max_bytes, -- Buffers in use at most [bytes]
    g.lru_time::DOUBLE                               AS lru_time, -- Time value of the least-recently-used routine; its unit is not known
    g.unused_cycles::DOUBLE                          AS unused_cycles, -- Cycles of that routine before it takes an unused buffer away
    i.file_id                                        AS file_id, -- File of the record
    i.record_no                                      AS record_no, -- Record in that file
    g.section_no                                     AS section_no -- Section in the record
FROM smf_dfsms_interval AS i
JOIN pages AS g ON g.file_id = i.file_id AND g.record_no = i.record_no
WHERE i.subtype = 1
QUALIFY counts_once_in(
    i.run, i.system, i.interval_start, (i.interval_start_utc, g.storage_class),
    (i.file_id, i.record_no, g.section_no)
);
