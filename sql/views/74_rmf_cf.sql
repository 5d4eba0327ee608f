-- rmf_cf_structure: one row per coupling facility, structure, system that used it and interval.
-- Counts and sums as recorded, so that means and deviations can be made again. Two versions of a
-- structure in one facility (a rebuild) count together.
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
    QUALIFY row_number() OVER (
        PARTITION BY f.run, r.system, r.interval_start, p.smf74lgo, c.r744fnam,
            r.r744snam, r.r744sver
        ORDER BY r.file_id, r.record_no, r.section_no
    ) = 1
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
    r.run                                            AS run,
    r.sysplex                                        AS sysplex,
    r.system                                         AS system,
    r.interval_start                                 AS interval_start,
    r.interval_start_utc                             AS interval_start_utc,
    max(r.interval_s)                                AS interval_s,
    r.cf                                             AS cf,
    r.r744snam                                       AS structure,
    CASE max(r.r744styp)
        WHEN 1 THEN 'LIST' WHEN 2 THEN 'LIST' WHEN 3 THEN 'LOCK' WHEN 4 THEN 'CACHE' END AS type,
    max(r.r744styp) = 2                              AS serialized,
    bool_or((r.r744sflg & 2) <> 0)                   AS encrypted,
    sum(r.r744ssiz) * 4096.0                         AS allocated_bytes,
    sum(r.r744ssrc) + sum(r.r744sarc)                AS request_count,
    sum(sum(r.r744ssrc) + sum(r.r744sarc)) OVER (
        PARTITION BY r.run, r.sysplex, r.cf, r.r744snam, r.interval_start_utc
    )                                                AS all_request_count,
    sum(r.r744ssrc)                                  AS sync_count,
    sum(r.r744sstm)::DOUBLE                          AS sync_us,
    sum(r.r744sssq)::DOUBLE                          AS sync_squares_us2,
    sum(r.r744sarc)                                  AS async_count,
    sum(r.r744satm)::DOUBLE                          AS async_us,
    sum(r.r744sasq)::DOUBLE                          AS async_squares_us2,
    sum(r.r744ssta)                                  AS changed_count,
    sum(r.r744spes)                                  AS suppressed_count,
    sum(r.r744sqrc)                                  AS nosch_count,
    sum(r.r744sqtm)::DOUBLE                          AS nosch_us,
    sum(r.r744sqsq)::DOUBLE                          AS nosch_squares_us2,
    sum(r.r744sptc)                                  AS prwt_count,
    sum(r.r744spst)::DOUBLE                          AS prwt_us,
    sum(r.r744spss)::DOUBLE                          AS prwt_squares_us2,
    sum(r.r744sctc)                                  AS prcmp_count,
    sum(r.r744scst)::DOUBLE                          AS prcmp_us,
    sum(r.r744scss)::DOUBLE                          AS prcmp_squares_us2,
    sum(r.r744sdrc)                                  AS dump_count,
    sum(r.r744sdtm)::DOUBLE                          AS dump_us,
    sum(r.r744smrc)                                  AS monop_count,
    sum(r.r744smtm)::DOUBLE                          AS monop_us,
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744strc) END AS lock_requests_count,
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744stac) END AS deferred_count,
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744scn) END AS contention_count,
    CASE WHEN max(r.r744styp) = 3 THEN sum(r.r744sfcn) END AS false_contention_count,
    sum(c.reads_count)                               AS cache_reads_count,
    sum(c.writes_count)                              AS cache_writes_count,
    sum(c.castouts_count)                            AS castouts_count,
    sum(c.invalidations_count)                       AS cross_invalidations_count,
    sum(r.r744setm)                                  AS execution_us,
    CASE WHEN max(r.r744styp) = 4 THEN sum(r.r744sdec) ELSE sum(r.r744slel) END::DOUBLE
                                                     AS entries_total_count,
    CASE WHEN max(r.r744styp) = 4 THEN sum(c.entries_count) ELSE sum(r.r744slem) END::DOUBLE
                                                     AS entries_used_count,
    CASE WHEN max(r.r744styp) = 4 THEN sum(r.r744sdel) ELSE sum(r.r744smae) END::DOUBLE
                                                     AS elements_total_count,
    CASE WHEN max(r.r744styp) = 4 THEN sum(c.elements_count) ELSE sum(r.r744scue) END::DOUBLE
                                                     AS elements_used_count,
    sum(r.r744sltl)::DOUBLE                          AS locks_total_count,
    sum(r.r744sltm)::DOUBLE                          AS locks_used_count,
    sum(c.reclaims_count)                            AS directory_reclaims_count,
    sum(c.reclaim_invalidations_count)               AS reclaim_invalidations_count
FROM request AS r
LEFT JOIN cache AS c
    ON c.file_id = r.file_id AND c.record_no = r.record_no AND c.request_no = r.section_no
GROUP BY r.run, r.sysplex, r.system, r.interval_start, r.interval_start_utc, r.cf, r.r744snam;

COMMENT ON VIEW rmf_cf_structure IS 'One row per coupling facility, structure, system that used it and interval; times as sums';
COMMENT ON COLUMN rmf_cf_structure.run IS 'Measurement';
COMMENT ON COLUMN rmf_cf_structure.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_cf_structure.system IS 'System name';
COMMENT ON COLUMN rmf_cf_structure.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_cf_structure.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_cf_structure.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_cf_structure.cf IS 'Coupling facility';
COMMENT ON COLUMN rmf_cf_structure.structure IS 'Structure';
COMMENT ON COLUMN rmf_cf_structure.type IS 'LIST, LOCK or CACHE';
COMMENT ON COLUMN rmf_cf_structure.serialized IS 'A list structure with a lock table';
COMMENT ON COLUMN rmf_cf_structure.encrypted IS 'Data of the structure are encrypted';
COMMENT ON COLUMN rmf_cf_structure.allocated_bytes IS 'Size allocated [bytes]';
COMMENT ON COLUMN rmf_cf_structure.request_count IS 'Requests of the system, synchronous and asynchronous';
COMMENT ON COLUMN rmf_cf_structure.all_request_count IS 'Requests of all systems together';
COMMENT ON COLUMN rmf_cf_structure.sync_count IS 'Synchronous requests';
COMMENT ON COLUMN rmf_cf_structure.sync_us IS 'Service time of synchronous requests [us]';
COMMENT ON COLUMN rmf_cf_structure.sync_squares_us2 IS 'Its sum of squares [us squared]';
COMMENT ON COLUMN rmf_cf_structure.async_count IS 'Asynchronous requests';
COMMENT ON COLUMN rmf_cf_structure.async_us IS 'Service time of asynchronous requests [us]';
COMMENT ON COLUMN rmf_cf_structure.async_squares_us2 IS 'Its sum of squares [us squared]';
COMMENT ON COLUMN rmf_cf_structure.changed_count IS 'Synchronous requests turned asynchronous';
COMMENT ON COLUMN rmf_cf_structure.suppressed_count IS 'Requests whose execution was suppressed';
COMMENT ON COLUMN rmf_cf_structure.nosch_count IS 'Requests queued as no subchannel was free';
COMMENT ON COLUMN rmf_cf_structure.nosch_us IS 'Their delay [us]';
COMMENT ON COLUMN rmf_cf_structure.nosch_squares_us2 IS 'Its sum of squares [us squared]';
COMMENT ON COLUMN rmf_cf_structure.prwt_count IS 'Waits for a subchannel of the peer (duplexing)';
COMMENT ON COLUMN rmf_cf_structure.prwt_us IS 'Their time [us]';
COMMENT ON COLUMN rmf_cf_structure.prwt_squares_us2 IS 'Its sum of squares [us squared]';
COMMENT ON COLUMN rmf_cf_structure.prcmp_count IS 'Waits for the peer to complete (duplexing)';
COMMENT ON COLUMN rmf_cf_structure.prcmp_us IS 'Their time [us]';
COMMENT ON COLUMN rmf_cf_structure.prcmp_squares_us2 IS 'Its sum of squares [us squared]';
COMMENT ON COLUMN rmf_cf_structure.dump_count IS 'Requests held up by dump serialisation';
COMMENT ON COLUMN rmf_cf_structure.dump_us IS 'Their delay [us]';
COMMENT ON COLUMN rmf_cf_structure.monop_count IS 'Requests held up to avoid monopolisation';
COMMENT ON COLUMN rmf_cf_structure.monop_us IS 'Their time queued [us]';
COMMENT ON COLUMN rmf_cf_structure.lock_requests_count IS 'Lock: requests; NULL for other structures';
COMMENT ON COLUMN rmf_cf_structure.deferred_count IS 'Lock: requests held up by contention';
COMMENT ON COLUMN rmf_cf_structure.contention_count IS 'Lock: requests that met contention';
COMMENT ON COLUMN rmf_cf_structure.false_contention_count IS 'Lock: requests that met false contention';
COMMENT ON COLUMN rmf_cf_structure.cache_reads_count IS 'Cache: read hits';
COMMENT ON COLUMN rmf_cf_structure.cache_writes_count IS 'Cache: write hits';
COMMENT ON COLUMN rmf_cf_structure.castouts_count IS 'Cache: castouts';
COMMENT ON COLUMN rmf_cf_structure.cross_invalidations_count IS 'Cache: cross-invalidations';
COMMENT ON COLUMN rmf_cf_structure.execution_us IS 'Execution time in the facility [us]';
COMMENT ON COLUMN rmf_cf_structure.entries_total_count IS 'List entries, or directory entries of a cache, that the structure may hold';
COMMENT ON COLUMN rmf_cf_structure.entries_used_count IS 'Of these, in use';
COMMENT ON COLUMN rmf_cf_structure.elements_total_count IS 'Data elements that the structure may hold';
COMMENT ON COLUMN rmf_cf_structure.elements_used_count IS 'Of these, in use';
COMMENT ON COLUMN rmf_cf_structure.locks_total_count IS 'Lock table entries';
COMMENT ON COLUMN rmf_cf_structure.locks_used_count IS 'Of these, in use';
COMMENT ON COLUMN rmf_cf_structure.directory_reclaims_count IS 'Cache: directory entries reclaimed';
COMMENT ON COLUMN rmf_cf_structure.reclaim_invalidations_count IS 'Cache: cross-invalidations as a directory entry was reclaimed';
