-- rmf_serialization: one row per system, interval and kind of lock, latch or enqueue for the whole
-- system (job NULL), and one per address space that waited for it or kept others waiting.
CREATE OR REPLACE VIEW rmf_serialization AS
WITH delay AS (
    SELECT
        c.file_id, c.record_no, c.section_no, s.place, s.name, NULL::VARCHAR AS job,
        NULL::INTEGER AS asid, NULL::VARCHAR AS class, NULL::INTEGER AS period,
        list_extract([
            c.r725scms, c.r725seds, c.r725slas, c.r725ssms, c.r725slos, c.r725scls, NULL,
            c.r725slrs, NULL, c.r725ssts, c.r725ssys, c.r725ssss
        ], s.place)::DOUBLE                          AS waits,
        list_extract([
            c.r725scma, c.r725seda, c.r725slaa, c.r725ssma, c.r725sloa, c.r725scla
        ], s.place)::DOUBLE                          AS queued,
        list_extract([
            c.r725scmt, c.r725sedt, c.r725slat, c.r725ssmt, c.r725slot, c.r725sclt, NULL,
            c.r725slrt, NULL, c.r725sstt, c.r725ssyt, c.r725ssst
        ], s.place)::DOUBLE                          AS ms,
        CASE s.place WHEN 8 THEN c.r725slrq WHEN 10 THEN c.r725sstq WHEN 11 THEN c.r725ssyq
            WHEN 12 THEN c.r725sssq END::DOUBLE      AS squares,
        CASE s.place WHEN 10 THEN c.r725sstr WHEN 11 THEN c.r725ssyr WHEN 12 THEN c.r725sssr
            END::DOUBLE                              AS requests
    FROM smf72_5_control AS c
    CROSS JOIN (VALUES
        (1, 'CMS'), (2, 'CMSEQDQ'), (3, 'CMSLATCH'), (4, 'CMSSMF'), (5, 'LOCAL'), (6, 'CML'),
        (8, 'GRS LATCH'), (10, 'ENQ STEP'), (11, 'ENQ SYSTEM'), (12, 'ENQ SYSTEMS')
    ) AS s (place, name)
    UNION ALL BY NAME
    SELECT
        file_id, record_no, section_no, r725cmty AS place,
        CASE r725cmty WHEN 1 THEN 'CMS' WHEN 2 THEN 'CMSEQDQ' WHEN 3 THEN 'CMSLATCH'
            WHEN 4 THEN 'CMSSMF' END AS name,
        r725cmjn AS job, r725cmas AS asid, r725cmsn AS class, r725cmsp AS period,
        r725cmsu AS waits, r725cmal AS queued, r725cmti AS ms
    FROM smf72_5_cms
    UNION ALL BY NAME
    SELECT
        file_id, record_no, section_no, 5 AS place, 'LOCAL' AS name, r725lojn AS job,
        r725loas AS asid, r725losn AS class, r725losp AS period, r725losu AS waits,
        r725loal AS queued, r725loti AS ms
    FROM smf72_5_local
    UNION ALL BY NAME
    SELECT
        file_id, record_no, section_no, 6 AS place, 'CML' AS name, r725crjn AS job,
        r725cras AS asid, r725crsn AS class, r725crsp AS period, r725crsu AS waits,
        r725cral AS queued, r725crti AS ms
    FROM smf72_5_cml_requestor
    UNION ALL BY NAME
    SELECT
        file_id, record_no, section_no, 7 AS place, 'CML OWNER' AS name, r725cojn AS job,
        r725coas AS asid, r725cosn AS class, r725cosp AS period, r725cosu AS waits,
        r725coal AS queued, r725coti AS ms
    FROM smf72_5_cml_owner
    UNION ALL BY NAME
    SELECT
        file_id, record_no, section_no, 10 - r725laty AS place,
        CASE r725laty WHEN 1 THEN 'GRS LATCH SET' WHEN 2 THEN 'GRS LATCH' END AS name,
        r725lajn AS job, r725laas AS asid, r725lasn AS class, r725lasp AS period,
        r725lasu AS waits, r725lati AS ms, r725lasq AS squares
    FROM smf72_5_latch
    UNION ALL BY NAME
    SELECT
        file_id, record_no, section_no, 9 + r725ensc AS place,
        CASE r725ensc WHEN 1 THEN 'ENQ STEP' WHEN 2 THEN 'ENQ SYSTEM' WHEN 3 THEN 'ENQ SYSTEMS'
            END AS name,
        r725enjn AS job, r725enas AS asid, r725ensn AS class, r725ensp AS period,
        r725ensu AS waits, r725enti AS ms, r725ensq AS squares, r725enrc AS requests
    FROM smf72_5_enqueue
)
SELECT
    f.run                                         AS run, -- Measurement
    nullif(p.smf72xnm, '')                        AS sysplex, -- Sysplex name
    p.system                                      AS system, -- System name
    p.interval_start                              AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf72lgo                 AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf72int)                             AS interval_s, -- Length of the interval [s]
    x.place::INTEGER                              AS place, -- Order in which RMF prints them
    x.name                                        AS resource, -- CMS, CMSEQDQ, CMSLATCH, CMSSMF, LOCAL, CML, GRS LATCH, ENQ STEP, ENQ SYSTEM, ENQ SYSTEMS; CML OWNER and GRS LATCH SET kept others waiting
    x.job                                         AS job, -- Job; NULL for the whole system
    x.asid                                        AS asid, -- Address space id; NULL for the whole system
    nullif(x.class, '')                           AS service_class, -- Service class of the job
    x.period                                      AS period, -- Period of the service class
    x.waits                                       AS wait_count, -- Times work was suspended
    x.queued                                      AS queued_wait_count, -- Of these, behind other work that waited already
    x.ms                                          AS wait_total_ms, -- Time work was suspended [ms]
    x.squares                                     AS wait_squares_ms2, -- Sum of the squares of those times [ms2]
    x.requests                                    AS request_count, -- ENQ requests
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no -- Record in that file
FROM delay AS x
JOIN smf72_5_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start, (p.smf72xnm, p.smf72lgo, x.name, x.job, x.asid),
    (x.file_id, x.record_no, x.section_no)
);
