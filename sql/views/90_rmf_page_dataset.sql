-- rmf_page_dataset: one row per system, interval and page data set, or the storage class memory.
CREATE OR REPLACE VIEW rmf_page_dataset AS
WITH page AS (
    SELECT
        f.run,
        nullif(p.smf75xnm, '')                       AS sysplex,
        x.interval_start - p.smf75lgo                AS interval_start_utc,
        epoch(p.smf75int)                            AS interval_s,
        p.smf75sam::DOUBLE                           AS samples_count,
        x.*
    FROM smf75_1_page AS x
    JOIN smf75_1_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start,
        (p.smf75xnm, p.smf75lgo, x.smf75dsn, x.smf75vol, x.smf75cha),
        (x.file_id, x.record_no, x.section_no)
    )
)
SELECT
    run                                           AS run, -- Measurement
    sysplex                                       AS sysplex, -- Sysplex name
    system                                        AS system, -- System name
    interval_start                                AS interval_start, -- Interval start, local time of the system
    interval_start_utc                            AS interval_start_utc, -- Interval start, UTC
    interval_s                                    AS interval_s, -- Length of the interval [s]
    CASE
        WHEN (smf75fl2 & 8) <> 0 THEN 'SCM'
        WHEN (smf75pst & 128) <> 0 THEN 'PLPA'
        WHEN (smf75pst & 64) <> 0 THEN 'COMMON'
        WHEN (smf75pst & 16) <> 0 THEN 'LOCAL'
    END                                           AS type, -- PLPA, COMMON, LOCAL, or SCM for storage class memory
    nullif(smf75dsn, '')                          AS data_set, -- Page data set
    nullif(smf75vol, '')                          AS volume, -- Volume serial
    CASE WHEN (smf75fl2 & 8) = 0
        THEN coalesce(nullif(smf75scs, ''), '0') || hex4(smf75cha) END AS device, -- Subchannel set and device number, five hex digits
    nullif(smf75dev, '')                          AS device_type, -- Device model
    CASE WHEN (smf75fl2 & 128) <> 0 THEN 'Y' WHEN smf75fl2 IS NOT NULL THEN 'N' END AS vio, -- Takes VIO pages: Y or N
    smf75sla::DOUBLE                              AS slots_total, -- Slots [slots]
    smf75mnu::DOUBLE                              AS slots_used_min, -- Slots in use, least [slots]
    smf75mxu::DOUBLE                              AS slots_used_max, -- Slots in use, most [slots]
    coalesce(smf75lvu, smf75avu)::DOUBLE          AS slots_used_avg, -- Slots in use, mean [slots]
    smf75bds::DOUBLE                              AS slots_bad, -- Slots that cannot be used [slots]
    smf75use::DOUBLE                              AS busy_samples_count, -- Samples that found the data set busy
    samples_count                                 AS samples_count, -- RMF samples
    smf75req / nullif(samples_count, 0) * interval_s * 1e6 AS request_us, -- Time requests were there, from the samples [us]
    smf75sio::DOUBLE                              AS io_count, -- I/Os started
    smf75pgx::DOUBLE                              AS page_count, -- Pages moved in or out
    file_id                                       AS file_id, -- File of the record
    record_no                                     AS record_no, -- Record in that file
    section_no                                    AS section_no -- Section in the record
FROM page;
