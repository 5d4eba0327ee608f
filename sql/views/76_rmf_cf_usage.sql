-- rmf_cf: one row per coupling facility and interval. Every system reads the same off the facility,
-- so that the largest of what they recorded counts.
CREATE OR REPLACE VIEW rmf_cf AS
WITH facility AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        c.system,
        c.interval_start,
        c.interval_start - p.smf74lgo                AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        c.r744fnam                                   AS cf,
        c.r744flvl                                   AS level,
        c.r744fpdn                                   AS dedicated,
        c.r744fpsn                                   AS shared,
        c.file_id,
        c.record_no
    FROM smf74_4_facility AS c
    JOIN smf74_4_product AS p ON p.file_id = c.file_id AND p.record_no = c.record_no
    JOIN load_file AS f ON f.file_id = c.file_id
    QUALIFY row_number() OVER (
        PARTITION BY f.run, c.system, c.interval_start, p.smf74lgo, c.r744fnam
        ORDER BY c.file_id, c.record_no
    ) = 1
),
processor AS (
    SELECT
        file_id, record_no, sum(r744pbsy)::DOUBLE AS busy_us, sum(r744pwai)::DOUBLE AS wait_us
    FROM smf74_4_processor
    GROUP BY file_id, record_no
)
SELECT
    c.run                                         AS run,
    c.sysplex                                     AS sysplex,
    CASE WHEN count(DISTINCT c.system) = 1 THEN any_value(c.system) END AS system,
    min(c.interval_start)                         AS interval_start,
    c.interval_start_utc                          AS interval_start_utc,
    max(c.interval_s)                             AS interval_s,
    c.cf                                          AS cf,
    max(c.level)::INTEGER                         AS level,
    max(c.dedicated)::DOUBLE                      AS processors_dedicated,
    max(c.shared)::DOUBLE                         AS processors_shared,
    max(u.busy_us)                                AS busy_us,
    max(u.busy_us + u.wait_us)                    AS processor_us,
    max(s.r744gtsd) * 4096.0                      AS storage_bytes,
    min(s.r744gtsf) * 4096.0                      AS storage_free_bytes
FROM facility AS c
LEFT JOIN processor AS u ON u.file_id = c.file_id AND u.record_no = c.record_no
LEFT JOIN smf74_4_storage AS s ON s.file_id = c.file_id AND s.record_no = c.record_no
GROUP BY c.run, c.sysplex, c.interval_start_utc, c.cf;

COMMENT ON VIEW rmf_cf IS 'One row per coupling facility and interval, all systems together';
COMMENT ON COLUMN rmf_cf.run IS 'Measurement';
COMMENT ON COLUMN rmf_cf.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_cf.system IS 'System, where only one recorded the facility';
COMMENT ON COLUMN rmf_cf.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_cf.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_cf.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_cf.cf IS 'Coupling facility';
COMMENT ON COLUMN rmf_cf.level IS 'Level of the facility (CFLEVEL)';
COMMENT ON COLUMN rmf_cf.processors_dedicated IS 'Dedicated processors of the facility';
COMMENT ON COLUMN rmf_cf.processors_shared IS 'Shared processors of the facility';
COMMENT ON COLUMN rmf_cf.busy_us IS 'Time the processors of the facility were busy [us]';
COMMENT ON COLUMN rmf_cf.processor_us IS 'Time they were busy or waited [us]';
COMMENT ON COLUMN rmf_cf.storage_bytes IS 'Storage of the facility [bytes]';
COMMENT ON COLUMN rmf_cf.storage_free_bytes IS 'Of it, free [bytes]';

-- rmf_cf_usage: one row per coupling facility, structure and interval, all systems together, and
-- one for the whole facility (structure NULL). What a structure holds is the same to every system:
-- the largest that was recorded counts.
CREATE OR REPLACE VIEW rmf_cf_usage AS
WITH used AS (
    SELECT
        run, sysplex, interval_start_utc, cf, structure,
        min(interval_start)                          AS interval_start,
        max(interval_s)                              AS interval_s,
        max(type)                                    AS type,
        bool_or(encrypted)                           AS encrypted,
        sum(request_count)                           AS request_count,
        max(allocated_bytes)                         AS allocated_bytes,
        max(execution_us)                            AS execution_us,
        max(entries_total_count)                     AS entries_total_count,
        max(entries_used_count)                      AS entries_used_count,
        max(elements_total_count)                    AS elements_total_count,
        max(elements_used_count)                     AS elements_used_count,
        max(locks_total_count)                       AS locks_total_count,
        max(locks_used_count)                        AS locks_used_count,
        max(directory_reclaims_count)                AS directory_reclaims_count,
        max(reclaim_invalidations_count)             AS reclaim_invalidations_count
    FROM rmf_cf_structure
    GROUP BY run, sysplex, interval_start_utc, cf, structure
),
row_sums AS (
    SELECT *,
        sum(request_count) OVER (PARTITION BY run, sysplex, interval_start_utc, cf)
            AS cf_request_count
    FROM used
    UNION ALL BY NAME
    SELECT
        run, sysplex, interval_start_utc, cf, NULL AS structure,
        min(interval_start) AS interval_start, max(interval_s) AS interval_s,
        sum(request_count) AS request_count, sum(request_count) AS cf_request_count
    FROM used
    GROUP BY run, sysplex, interval_start_utc, cf
)
SELECT
    r.run                                         AS run,
    r.sysplex                                     AS sysplex,
    c.system                                      AS system,
    r.interval_start                              AS interval_start,
    r.interval_start_utc                          AS interval_start_utc,
    r.interval_s                                  AS interval_s,
    r.interval_s * 1e6                            AS interval_us,
    r.cf                                          AS cf,
    r.structure                                   AS structure,
    r.type                                        AS type,
    r.encrypted                                   AS encrypted,
    r.allocated_bytes                             AS allocated_bytes,
    c.storage_bytes                               AS storage_bytes,
    CASE WHEN r.structure IS NULL THEN c.storage_free_bytes END AS storage_free_bytes,
    r.request_count                               AS request_count,
    r.cf_request_count                            AS cf_request_count,
    r.execution_us                                AS execution_us,
    c.busy_us                                     AS busy_us,
    CASE WHEN r.structure IS NULL THEN c.processor_us END AS processor_us,
    r.entries_total_count                         AS entries_total_count,
    r.entries_used_count                          AS entries_used_count,
    r.elements_total_count                        AS elements_total_count,
    r.elements_used_count                         AS elements_used_count,
    r.locks_total_count                           AS locks_total_count,
    r.locks_used_count                            AS locks_used_count,
    r.directory_reclaims_count                    AS directory_reclaims_count,
    r.reclaim_invalidations_count                 AS reclaim_invalidations_count,
    CASE WHEN r.structure IS NULL THEN c.level END AS level,
    CASE WHEN r.structure IS NULL THEN c.processors_dedicated END AS processors_dedicated,
    CASE WHEN r.structure IS NULL THEN c.processors_shared END AS processors_shared
FROM row_sums AS r
LEFT JOIN rmf_cf AS c ON c.run = r.run AND c.sysplex IS NOT DISTINCT FROM r.sysplex
    AND c.interval_start_utc = r.interval_start_utc AND c.cf = r.cf;

COMMENT ON VIEW rmf_cf_usage IS 'One row per coupling facility, structure and interval, all systems together; structure NULL for the facility';
COMMENT ON COLUMN rmf_cf_usage.run IS 'Measurement';
COMMENT ON COLUMN rmf_cf_usage.sysplex IS 'Sysplex name';
COMMENT ON COLUMN rmf_cf_usage.system IS 'System, where only one recorded the facility';
COMMENT ON COLUMN rmf_cf_usage.interval_start IS 'Interval start, local time of the system';
COMMENT ON COLUMN rmf_cf_usage.interval_start_utc IS 'Interval start, UTC';
COMMENT ON COLUMN rmf_cf_usage.interval_s IS 'Length of the interval [s]';
COMMENT ON COLUMN rmf_cf_usage.interval_us IS 'Length of the interval [us]';
COMMENT ON COLUMN rmf_cf_usage.cf IS 'Coupling facility';
COMMENT ON COLUMN rmf_cf_usage.structure IS 'Structure; NULL for the whole facility';
COMMENT ON COLUMN rmf_cf_usage.type IS 'LIST, LOCK or CACHE';
COMMENT ON COLUMN rmf_cf_usage.encrypted IS 'Data of the structure are encrypted';
COMMENT ON COLUMN rmf_cf_usage.allocated_bytes IS 'Size allocated [bytes]';
COMMENT ON COLUMN rmf_cf_usage.storage_bytes IS 'Storage of the facility [bytes]';
COMMENT ON COLUMN rmf_cf_usage.storage_free_bytes IS 'Of it, free [bytes]; of the whole facility';
COMMENT ON COLUMN rmf_cf_usage.request_count IS 'Requests of all systems';
COMMENT ON COLUMN rmf_cf_usage.cf_request_count IS 'Requests of all systems to the facility';
COMMENT ON COLUMN rmf_cf_usage.execution_us IS 'Execution time in the facility [us]; that it is of all systems is taken from how it is gathered';
COMMENT ON COLUMN rmf_cf_usage.busy_us IS 'Time the processors of the facility were busy [us]';
COMMENT ON COLUMN rmf_cf_usage.processor_us IS 'Time they were busy or waited [us]; of the whole facility';
COMMENT ON COLUMN rmf_cf_usage.entries_total_count IS 'List or directory entries the structure may hold';
COMMENT ON COLUMN rmf_cf_usage.entries_used_count IS 'Of these, in use';
COMMENT ON COLUMN rmf_cf_usage.elements_total_count IS 'Data elements the structure may hold';
COMMENT ON COLUMN rmf_cf_usage.elements_used_count IS 'Of these, in use';
COMMENT ON COLUMN rmf_cf_usage.locks_total_count IS 'Lock table entries';
COMMENT ON COLUMN rmf_cf_usage.locks_used_count IS 'Of these, in use';
COMMENT ON COLUMN rmf_cf_usage.directory_reclaims_count IS 'Cache: directory entries reclaimed';
COMMENT ON COLUMN rmf_cf_usage.reclaim_invalidations_count IS 'Cache: cross-invalidations as a directory entry was reclaimed';
COMMENT ON COLUMN rmf_cf_usage.level IS 'Level of the facility (CFLEVEL)';
COMMENT ON COLUMN rmf_cf_usage.processors_dedicated IS 'Dedicated processors of the facility';
COMMENT ON COLUMN rmf_cf_usage.processors_shared IS 'Shared processors of the facility';
