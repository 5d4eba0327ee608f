-- rmf_cf_structure: one row per coupling facility, structure, system that used it and interval;
-- times as sums. Counts and sums as recorded, so that means and deviations can be made again. Two
-- versions of a structure in one facility (a rebuild) count together.
CREATE OR REPLACE VIEW rmf_cf_structure AS
WITH request AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        r.interval_start - p.smf74lgo                AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        c.r744fnam                                   AS cf,
        r.*
    FROM smf74_4_request AS r
    JOIN smf74_4_product AS p ON p.file_id = r.file_id AND p.record_no = r.record_no
    JOIN smf74_4_facility AS c ON c.file_id = r.file_id AND c.record_no = r.record_no
    JOIN load_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once_in(
        f.run, r.system, r.interval_start,
        (p.smf74xnm, p.smf74lgo, c.r744fnam, r.r744snam, r.r744sver),
        (r.file_id, r.record_no, r.section_no)
    )
),
cache AS (
    SELECT
        file_id, record_no, request_no,
        sum(r744crhc)                                AS reads_count,
        sum(r744cwh0 + r744cwh1)                     AS writes_count,
        sum(r744ccoc)                                AS castouts_count,
        sum(r744cxci + r744cxni + r744cxfw + r744cxrl + r744cxdr) AS invalidations_count,
        sum(r744cdec)                                AS entries_count,
        sum(r744cdac)                                AS elements_count,
        sum(r744cder)                                AS reclaims_count,
        sum(r744cxdr)                                AS reclaim_invalidations_count
    FROM smf74_4_cache
    GROUP BY file_id, record_no, request_no
)
SELECT
    r.run                                            AS run, -- Measurement
    r.sysplex                                        AS sysplex, -- Sysplex name
    r.system                                         AS system, -- System name
    r.interval_start                                 AS interval_start, -- Interval start, local time of the system
    r.interval_start_utc                             AS interval_start_utc, -- Interval start, UTC
    max(r.interval_s)                                AS interval_s, -- Length of the interval [s]
    r.cf                                             AS cf, -- Coupling facility
    r.r744snam                                       AS structure, -- Structure
    CASE max(r.r744styp)
        WHEN 1 THEN 'LIST' WHEN 2 THEN 'LIST' WHEN 3 THEN 'LOCK' WHEN 4 THEN 'CACHE' END AS type, -- LIST, LOCK or CACHE
    max(r.r744styp) = 2                              AS serialized, -- A list structure with a lock table
    bool_or((r.r744sflg & 2) <> 0)                   AS encrypted, -- Data of the structure are encrypted
    bool_or((r.r744sflg & 64) <> 0)                  AS became_active, -- The structure became active in the interval
    sum(r.r744ssiz) * 4096.0                         AS allocated_bytes, -- Size allocated [bytes]
    sum(r.r744ssrc) + sum(r.r744sarc)                AS request_count, -- Requests of the system, synchronous and asynchronous
    sum(sum(r.r744ssrc) + sum(r.r744sarc)) OVER (
        PARTITION BY r.run, r.sysplex, r.cf, r.r744snam, r.interval_start_utc
    )                                                AS all_request_count, -- Requests of all systems together
    sum(r.r744ssrc)                                  AS sync_count, -- Synchronous requests
    sum(r.r744sstm)::DOUBLE                          AS sync_us, -- Service time of synchronous requests [us]
    sum(r.r744sssq)::DOUBLE                          AS sync_squares_us2, -- Its sum of squares [us squared]
    sum(r.r744sarc)                                  AS async_count, -- Asynchronous requests
    sum(r.r744satm)::DOUBLE                          AS async_us, -- Service time of asynchronous requests [us]
    sum(r.r744sasq)::DOUBLE                          AS async_squares_us2, -- Its sum of squares [us squared]
    sum(r.r744ssta)                                  AS changed_count, -- Synchronous requests turned asynchronous
    sum(r.r744spes)                                  AS suppressed_count, -- Requests whose execution was suppressed
    sum(r.r744sqrc)                                  AS nosch_count, -- Requests queued as no subchannel was free
    sum(r.r744sqtm)::DOUBLE                          AS nosch_us, -- Their delay [us]
    sum(r.r744sqsq)::DOUBLE                          AS nosch_squares_us2, -- Its sum of squares [us squared]
    sum(r.r744sptc)                                  AS prwt_count, -- Waits for a subchannel of the peer (duplexing)
    sum(r.r744spst)::DOUBLE                          AS prwt_us, -- Their time [us]
    sum(r.r744spss)::DOUBLE                          AS prwt_squares_us2, -- Its sum of squares [us squared]
    sum(r.r744sctc)                                  AS prcmp_count, -- Waits for the peer to complete (duplexing)
    sum(r.r744scst)::DOUBLE                          AS prcmp_us, -- Their time [us]
    sum(r.r744scss)::DOUBLE                          AS prcmp_squares_us2, -- Its sum of squares [us squared]
    sum(r.r744sdrc)                                  AS dump_count, -- Requests held up by dump serialisation
    sum(r.r744sdtm)::DOUBLE                          AS dump_us, -- Their delay [us]
    sum(r.r744smrc)                                  AS monop_count, -- Requests held up to avoid monopolisation
    sum(r.r744smtm)::DOUBLE                          AS monop_us, -- Their time queued [us]
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744strc) END AS lock_requests_count, -- Lock: requests; NULL for other structures
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744stac) END AS deferred_count, -- Lock: requests held up by contention
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744scn) END AS contention_count, -- Lock: requests that met contention
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744sfcn) END AS false_contention_count, -- Lock: requests that met false contention
    sum(c.reads_count)                               AS cache_reads_count, -- Cache: read hits
    sum(c.writes_count)                              AS cache_writes_count, -- Cache: write hits
    sum(c.castouts_count)                            AS castouts_count, -- Cache: castouts
    sum(c.invalidations_count)                       AS cross_invalidations_count, -- Cache: cross-invalidations
    sum(r.r744setm)                                  AS execution_us, -- Execution time in the facility [us]
    CASE WHEN max(r.r744styp) = 4 THEN sum(r.r744sdec) ELSE sum(r.r744slel) END::DOUBLE
                                                     AS entries_total_count, -- List entries, or directory entries of a cache, that the structure may hold
    CASE WHEN max(r.r744styp) = 4 THEN sum(c.entries_count) ELSE sum(r.r744slem) END::DOUBLE
                                                     AS entries_used_count, -- Of these, in use
    CASE WHEN max(r.r744styp) = 4 THEN sum(r.r744sdel) ELSE sum(r.r744smae) END::DOUBLE
                                                     AS elements_total_count, -- Data elements that the structure may hold
    CASE WHEN max(r.r744styp) = 4 THEN sum(c.elements_count) ELSE sum(r.r744scue) END::DOUBLE
                                                     AS elements_used_count, -- Of these, in use
    sum(r.r744sltl)::DOUBLE                          AS locks_total_count, -- Lock table entries
    sum(r.r744sltm)::DOUBLE                          AS locks_used_count, -- Of these, in use
    sum(c.reclaims_count)                            AS directory_reclaims_count, -- Cache: directory entries reclaimed
    sum(c.reclaim_invalidations_count)               AS reclaim_invalidations_count -- Cache: cross-invalidations as a directory entry was reclaimed
FROM request AS r
LEFT JOIN cache AS c
    ON c.file_id = r.file_id AND c.record_no = r.record_no AND c.request_no = r.section_no
GROUP BY r.run, r.sysplex, r.system, r.interval_start, r.interval_start_utc, r.cf, r.r744snam;
