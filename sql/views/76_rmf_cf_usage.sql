-- rmf_cf: one row per coupling facility and interval, all systems together. Every system reads the
-- same off the facility, so that the largest of what they recorded counts.
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
    QUALIFY counts_once_in(
        f.run, c.system, c.interval_start, (p.smf74xnm, p.smf74lgo, c.r744fnam),
        (c.file_id, c.record_no)
    )
),
processor AS (
    SELECT
        file_id, record_no, sum(r744pbsy)::DOUBLE AS busy_us, sum(r744pwai)::DOUBLE AS wait_us,
        sum(r744pwgt) FILTER ((r744ptyp & 128) = 0)::DOUBLE AS weight
    FROM smf74_4_processor
    GROUP BY file_id, record_no
)
SELECT
    c.run                                         AS run, -- Measurement
    c.sysplex                                     AS sysplex, -- Sysplex name
    CASE WHEN count(DISTINCT c.system) = 1 THEN any_value(c.system) END AS system, -- System, where only one recorded the facility
    min(c.interval_start)                         AS interval_start, -- Interval start, local time of the system
    c.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    max(c.interval_s)                             AS interval_s, -- Length of the interval [s]
    c.cf                                          AS cf, -- Coupling facility
    max(c.level)::INTEGER                         AS level, -- Level of the facility (CFLEVEL)
    max(c.dedicated)::DOUBLE                      AS processors_dedicated, -- Dedicated processors of the facility
    max(c.shared)::DOUBLE                         AS processors_shared, -- Shared processors of the facility
    max(u.busy_us)                                AS busy_us, -- Time the processors of the facility were busy [us]
    max(u.busy_us + u.wait_us)                    AS processor_us, -- Time they were busy or waited [us]
    max(s.r744gtsd) * 4096.0                      AS storage_bytes, -- Storage of the facility [bytes]
    min(s.r744gtsf) * 4096.0                      AS storage_free_bytes, -- Of it, free [bytes]
    max(s.r744gdsa) * 4096.0                      AS dump_bytes, -- Dump space [bytes]
    max(s.r744gcsd) * 4096.0                      AS control_bytes, -- Control storage [bytes]
    min(s.r744gcsf) * 4096.0                      AS control_free_bytes, -- Of it, free [bytes]
    max(u.weight)                                 AS weight_sum -- Weights of the shared processors, added up
FROM facility AS c
LEFT JOIN processor AS u ON u.file_id = c.file_id AND u.record_no = c.record_no
LEFT JOIN smf74_4_storage AS s ON s.file_id = c.file_id AND s.record_no = c.record_no
GROUP BY c.run, c.sysplex, c.interval_start_utc, c.cf;

-- rmf_cf_usage: one row per coupling facility, structure and interval, all systems together;
-- structure NULL for the facility. What a structure holds is the same to every system: the largest
-- that was recorded counts.
CREATE OR REPLACE VIEW rmf_cf_usage AS
WITH used AS (
    SELECT
        run, sysplex, interval_start_utc, cf, structure,
        min(interval_start)                          AS interval_start,
        max(interval_s)                              AS interval_s,
        max(type)                                    AS type,
        bool_or(encrypted)                           AS encrypted,
        bool_or(became_active)                       AS became_active,
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
-- what the facility says of each structure; that the old side of a duplexed one is its primary
-- follows from how duplexing begins
flagged AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        q.interval_start - p.smf74lgo                AS interval_start_utc,
        c.r744fnam                                   AS cf,
        q.r744qstr                                   AS structure,
        bool_or((q.r744qflg & 128) <> 0)             AS active,
        bool_or((q.r744qflg & 1) <> 0)               AS duplexed,
        bool_or((q.r744qflg & 64) <> 0)              AS new_side
    FROM smf74_4_structure AS q
    JOIN smf74_4_product AS p ON p.file_id = q.file_id AND p.record_no = q.record_no
    JOIN smf74_4_facility AS c ON c.file_id = q.file_id AND c.record_no = q.record_no
    JOIN load_file AS f ON f.file_id = q.file_id
    GROUP BY ALL
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
        sum(request_count) AS request_count, sum(request_count) AS cf_request_count,
        sum(allocated_bytes) AS structures_bytes
    FROM used
    GROUP BY run, sysplex, interval_start_utc, cf
)
SELECT
    r.run                                         AS run, -- Measurement
    r.sysplex                                     AS sysplex, -- Sysplex name
    c.system                                      AS system, -- System, where only one recorded the facility
    r.interval_start                              AS interval_start, -- Interval start, local time of the system
    r.interval_start_utc                          AS interval_start_utc, -- Interval start, UTC
    r.interval_s                                  AS interval_s, -- Length of the interval [s]
    r.interval_s * 1e6                            AS interval_us, -- Length of the interval [us]
    r.cf                                          AS cf, -- Coupling facility
    r.structure                                   AS structure, -- Structure; NULL for the whole facility
    r.type                                        AS type, -- LIST, LOCK or CACHE
    r.encrypted                                   AS encrypted, -- Data of the structure are encrypted
    CASE
        WHEN NOT g.active THEN 'INACT'
        WHEN g.duplexed THEN CASE WHEN g.new_side THEN 'ACTIVE SEC' ELSE 'ACTIVE PRIM' END
        WHEN g.active THEN 'ACTIVE'
    END                                           AS status, -- ACTIVE, ACTIVE PRIM or ACTIVE SEC (duplexed), INACT
    r.became_active                               AS became_active, -- The structure became active in the interval
    r.allocated_bytes                             AS allocated_bytes, -- Size allocated [bytes]
    r.structures_bytes                            AS structures_bytes, -- Size of all structures [bytes]; of the whole facility
    c.storage_bytes                               AS storage_bytes, -- Storage of the facility [bytes]
    CASE WHEN r.structure IS NULL THEN c.storage_free_bytes END AS storage_free_bytes, -- Of it, free [bytes]; of the whole facility
    r.request_count                               AS request_count, -- Requests of all systems
    r.cf_request_count                            AS cf_request_count, -- Requests of all systems to the facility
    r.execution_us                                AS execution_us, -- Execution time in the facility [us]; that it is of all systems is taken from how it is gathered
    c.busy_us                                     AS busy_us, -- Time the processors of the facility were busy [us]
    CASE WHEN r.structure IS NULL THEN c.processor_us END AS processor_us, -- Time they were busy or waited [us]; of the whole facility
    r.entries_total_count                         AS entries_total_count, -- List or directory entries the structure may hold
    r.entries_used_count                          AS entries_used_count, -- Of these, in use
    r.elements_total_count                        AS elements_total_count, -- Data elements the structure may hold
    r.elements_used_count                         AS elements_used_count, -- Of these, in use
    r.locks_total_count                           AS locks_total_count, -- Lock table entries
    r.locks_used_count                            AS locks_used_count, -- Of these, in use
    r.directory_reclaims_count                    AS directory_reclaims_count, -- Cache: directory entries reclaimed
    r.reclaim_invalidations_count                 AS reclaim_invalidations_count, -- Cache: cross-invalidations as a directory entry was reclaimed
    CASE WHEN r.structure IS NULL THEN c.level END AS level, -- Level of the facility (CFLEVEL)
    CASE WHEN r.structure IS NULL THEN c.processors_dedicated END AS processors_dedicated, -- Dedicated processors of the facility
    CASE WHEN r.structure IS NULL THEN c.processors_shared END AS processors_shared, -- Shared processors of the facility
    CASE WHEN r.structure IS NULL THEN c.weight_sum END AS weight_sum, -- Weights of the shared processors, added up
    CASE WHEN r.structure IS NULL THEN c.dump_bytes END AS dump_bytes, -- Dump space [bytes]
    CASE WHEN r.structure IS NULL THEN c.control_bytes END AS control_bytes, -- Control storage [bytes]
    CASE WHEN r.structure IS NULL THEN c.control_free_bytes END AS control_free_bytes -- Of it, free [bytes]
FROM row_sums AS r
LEFT JOIN rmf_cf AS c ON c.run = r.run AND c.sysplex IS NOT DISTINCT FROM r.sysplex
    AND c.interval_start_utc = r.interval_start_utc AND c.cf = r.cf
LEFT JOIN flagged AS g ON g.run = r.run AND g.sysplex IS NOT DISTINCT FROM r.sysplex
    AND g.interval_start_utc = r.interval_start_utc AND g.cf = r.cf AND g.structure = r.structure;
