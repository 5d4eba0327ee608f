-- rmf_unix_resource: one row per system, interval and resource of the z/OS UNIX kernel, and its
-- system calls. Fewest and most are of a cycle of the gatherer.
CREATE OR REPLACE VIEW rmf_unix_resource AS
WITH kernel AS (
    SELECT
        f.run,
        nullif(p.smf74xnm, '')                       AS sysplex,
        x.interval_start - p.smf74lgo                AS interval_start_utc,
        epoch(p.smf74int)                            AS interval_s,
        p.smf74sam::DOUBLE                           AS samples_count,
        nullif(x.r743cyct, 0) / 1000.0               AS cycle_s,
        x.*
    FROM smf74_3_kernel AS x
    JOIN smf74_3_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
    JOIN load_file AS f ON f.file_id = x.file_id
    QUALIFY counts_once_in(
        f.run, x.system, x.interval_start, (p.smf74xnm, p.smf74lgo),
        (x.file_id, x.record_no, x.section_no)
    )
),
resource AS (
    SELECT
        *,
        unnest([
            {'place': 1, 'name': 'SYSTEM CALLS', 'most': NULL, 'used': NULL, 'low': NULL,
             'high': NULL, 'events': r743sysc, 'fewest': r743scmn, 'peak': r743scmx},
            {'place': 2, 'name': 'PROCESSES', 'most': r743maxp, 'used': r743curp,
             'low': r743cpmn, 'high': r743cpmx, 'events': r743opr, 'fewest': r743opmn,
             'peak': r743opmx},
            {'place': 3, 'name': 'USERS', 'most': r743maxu, 'used': r743curu, 'low': r743cumn,
             'high': r743cumx, 'events': r743ous, 'fewest': r743oumn, 'peak': r743oumx},
            {'place': 4, 'name': 'PROCESSES PER USER', 'most': r743mxpu, 'used': NULL,
             'low': NULL, 'high': NULL, 'events': r743opru, 'fewest': r743ormn,
             'peak': r743ormx},
            {'place': 5, 'name': 'MESSAGE QUEUE IDS', 'most': r743mmsg, 'used': r743cmsg,
             'low': r743cmmn, 'high': r743cmmx, 'events': r743omsg, 'fewest': r743ommn,
             'peak': r743ommx},
            {'place': 6, 'name': 'SEMAPHORE IDS', 'most': r743msem, 'used': r743csem,
             'low': r743csmn, 'high': r743csmx, 'events': r743osem, 'fewest': r743osmn,
             'peak': r743osmx},
            {'place': 7, 'name': 'SHARED MEMORY IDS', 'most': r743mshm, 'used': r743cshm,
             'low': r743chmn, 'high': r743chmx, 'events': r743oshm, 'fewest': r743ohmn,
             'peak': r743ohmx},
            {'place': 8, 'name': 'SHARED MEMORY PAGES', 'most': r743mspg, 'used': r743cspg,
             'low': r743cgmn, 'high': r743cgmx, 'events': r743ospg, 'fewest': r743ogmn,
             'peak': r743ogmx},
            {'place': 9, 'name': 'MEMORY MAP PAGES', 'most': r743mmap, 'used': r743cmap,
             'low': r743camn, 'high': r743camx, 'events': r743omap, 'fewest': r743oamn,
             'peak': r743oamx},
            {'place': 10, 'name': 'SHARED STORAGE PAGES', 'most': r743mpag, 'used': r743cpag,
             'low': r743cxmn, 'high': r743cxmx, 'events': r743opag, 'fewest': r743oxmn,
             'peak': r743oxmx},
            {'place': 11, 'name': 'SHARED LIBRARY MB', 'most': r743mslr, 'used': r743cslr,
             'low': r743clmn, 'high': r743clmx, 'events': r743oslr, 'fewest': r743olmn,
             'peak': r743olmx},
            {'place': 12, 'name': 'QUEUED SIGNALS', 'most': r743mqds, 'used': NULL, 'low': NULL,
             'high': NULL, 'events': r743oqds, 'fewest': r743oqmn, 'peak': r743oqmx}
        ])                                           AS r
    FROM kernel
)
SELECT
    run                                           AS run, -- Measurement
    sysplex                                       AS sysplex, -- Sysplex name
    system                                        AS system, -- System name
    interval_start                                AS interval_start, -- Interval start, local time of the system
    interval_start_utc                            AS interval_start_utc, -- Interval start, UTC
    interval_s                                    AS interval_s, -- Length of the interval [s]
    samples_count                                 AS samples_count, -- RMF samples
    r.place::INTEGER                              AS place, -- Order in which RMF prints them
    r.name                                        AS resource, -- SYSTEM CALLS, or what the kernel has a limit of
    r.most::DOUBLE                                AS limit_count, -- Limit; of system calls none
    r.used::DOUBLE                                AS used_sum, -- In use, sum over the samples
    r.low::DOUBLE                                 AS used_min, -- In use, least
    r.high::DOUBLE                                AS used_max, -- In use, most
    r.events::DOUBLE                              AS event_count, -- System calls; of a resource requests refused at its limit
    r.fewest / cycle_s                            AS event_min_per_s, -- Of these a second, fewest of a cycle [1/s]
    r.peak / cycle_s                              AS event_max_per_s, -- Of these a second, most of a cycle [1/s]
    file_id                                       AS file_id, -- File of the record
    record_no                                     AS record_no -- Record in that file
FROM resource;

-- rmf_file_system: one row per system, interval and HFS file system with statistics; file_system
-- NULL for all of them and the buffers.
CREATE OR REPLACE VIEW rmf_file_system AS
WITH looked_up AS (
    SELECT
        s.file_id, s.record_no, s.section_no, s.r746fsnm AS file_system,
        s.r746fsf AS size_pages, s.r746fpf AS used_pages, s.r746fpd AS directory_pages,
        s.r746fpc AS cached_pages, s.r746fsfi AS sequential, s.r746frfi AS random,
        s.r746fmc AS metadata_hits, s.r746fmnc AS metadata_misses, s.r746f1c AS page_hits,
        s.r746f1nc AS page_misses, s.r746firh + s.r746fiwh AS index_hits,
        s.r746firm + s.r746fiwm AS index_misses, s.r746fint AS levels, s.r746fis AS splits,
        s.r746fij AS joins
    FROM smf74_6_filesystem AS s
    WHERE (s.r746fsfl & 128) = 0
    UNION ALL BY NAME
    SELECT
        g.file_id, g.record_no, g.section_no, NULL::VARCHAR AS file_system,
        g.r746gmc AS metadata_hits, g.r746gmnc AS metadata_misses, g.r746g1c AS page_hits,
        g.r746g1nc AS page_misses, g.r746gusv AS virtual_pages, g.r746gmxv AS virtual_max_mb,
        g.r746gusf AS fixed_pages, g.r746gmnf AS fixed_min_mb
    FROM smf74_6_global AS g
)
SELECT
    f.run                                         AS run, -- Measurement
    nullif(p.smf74xnm, '')                        AS sysplex, -- Sysplex name
    p.system                                      AS system, -- System name
    p.interval_start                              AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf74lgo                 AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf74int)                             AS interval_s, -- Length of the interval [s]
    x.file_system                                 AS file_system, -- File system; NULL for all of them
    4096.0 * x.size_pages                         AS size_bytes, -- Size [bytes]
    4096.0 * x.used_pages                         AS used_bytes, -- Used by the file system [bytes]
    4096.0 * x.directory_pages                    AS directory_bytes, -- Used by the attribute directory [bytes]
    4096.0 * x.cached_pages                       AS cached_bytes, -- Data in the cache [bytes]
    x.sequential                                  AS sequential_count, -- Sequential I/Os
    x.random                                      AS random_count, -- Random I/Os
    x.metadata_hits                               AS metadata_hit_count, -- Lookups of metadata that the cache served
    x.metadata_hits + x.metadata_misses           AS metadata_count, -- Lookups of metadata
    x.metadata_misses                             AS metadata_miss_count, -- Lookups of metadata that went to disk
    x.page_hits                                   AS page_hit_count, -- Lookups of a first page that the cache served
    x.page_hits + x.page_misses                   AS page_count, -- Lookups of a first page
    x.page_misses                                 AS page_miss_count, -- Lookups of a first page that went to disk
    x.index_hits                                  AS index_hit_count, -- Reads and writes of index pages that the cache served
    x.index_hits + x.index_misses                 AS index_count, -- Reads and writes of index pages
    x.index_misses                                AS index_miss_count, -- Reads and writes of index pages that went to disk
    x.levels                                      AS index_level_count, -- New tops of the index
    x.splits                                      AS index_split_count, -- Splits of index pages
    x.joins                                       AS index_join_count, -- Joins of index pages
    4096.0 * x.virtual_pages                      AS virtual_bytes, -- Virtual storage of the buffers [bytes]; of all file systems
    1048576.0 * x.virtual_max_mb                  AS virtual_max_bytes, -- Limit of it [bytes]
    4096.0 * x.fixed_pages                        AS fixed_bytes, -- Fixed storage of the buffers [bytes]
    1048576.0 * x.fixed_min_mb                    AS fixed_min_bytes, -- Fixed storage kept at least [bytes]
    x.file_id                                     AS file_id, -- File of the record
    x.record_no                                   AS record_no -- Record in that file
FROM looked_up AS x
JOIN smf74_6_product AS p ON p.file_id = x.file_id AND p.record_no = x.record_no
JOIN load_file AS f ON f.file_id = x.file_id
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start, (p.smf74xnm, p.smf74lgo, x.file_system),
    (x.file_id, x.record_no, x.section_no)
);

-- rmf_file_buffer: one row per system, interval and buffer pool of HFS.
CREATE OR REPLACE VIEW rmf_file_buffer AS
SELECT
    f.run                                         AS run, -- Measurement
    nullif(p.smf74xnm, '')                        AS sysplex, -- Sysplex name
    p.system                                      AS system, -- System name
    p.interval_start                              AS interval_start, -- Interval start, local time of the system
    p.interval_start - p.smf74lgo                 AS interval_start_utc, -- Interval start, UTC
    epoch(p.smf74int)                             AS interval_s, -- Length of the interval [s]
    b.section_no                                  AS pool, -- Number of the pool
    b.r746gsb                                     AS buffer_pages, -- Size of a buffer [pages]
    b.r746gnds                                    AS data_spaces, -- Data spaces of the pool
    4096.0 * b.r746gsbp                           AS size_bytes, -- Size of the pool [bytes]
    4096.0 * b.r746gsbf                           AS fixed_bytes, -- Part of it that is always fixed [bytes]
    b.r746gbf                                     AS fixed_hit_count, -- I/Os that found their buffer fixed
    b.r746gbf + b.r746gbnf                        AS io_count, -- I/Os
    b.file_id                                     AS file_id, -- File of the record
    b.record_no                                   AS record_no -- Record in that file
FROM smf74_6_buffer AS b
JOIN smf74_6_product AS p ON p.file_id = b.file_id AND p.record_no = b.record_no
JOIN load_file AS f ON f.file_id = b.file_id
QUALIFY counts_once_in(
    f.run, p.system, p.interval_start, (p.smf74xnm, p.smf74lgo, b.section_no),
    (b.file_id, b.record_no, b.section_no)
);
