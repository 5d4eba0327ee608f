/* imsperf report
id       = "rmf.hfs"
title    = "HFS File System Statistics"
answers  = "Does the cache of HFS hold what its file systems are asked for?"
key      = ["file_system"]
any_of   = ["smf74_6_global", "smf74_6_filesystem"]
facts    = "rmf_recorded_interval"
no_rows  = "no file system has statistics"

[chart]
mark     = "bar"
x        = "file_system"
y        = ["page_hit_pct", "metadata_hit_pct"]
facet    = "system"
stack    = "no"
where    = "file_system IS NOT NULL"
top      = 20
by       = "page_count"
title    = "Lookups that the cache served, %"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.hfs_buffers"], ["rmf.hfs"]]
blocks      = ["file_system"]
block_above = """
FILE SYSTEM {name}

"""

[page.texts]
name     = "coalesce(file_system, '*ALL')"

[[page.table]]
where    = "file_system IS NULL"
text     = """
BUFFERS: VIRTUAL {virtual_mb} MB OF {virtual_max_mb}   FIXED {fixed_mb} MB, AT LEAST {fixed_min_mb}
"""

[[page.table]]
where    = "file_system IS NOT NULL"
text     = """
SIZE (MB): SYSTEM {size_mb}   DATA {used_mb}   ATTR. DIR {directory_mb}   CACHED {cached_mb}
I/O A SECOND: SEQUENTIAL {sequential_per_s}   RANDOM {random_per_s}   INDEX: NEW LEVEL {index_levels}   SPLITS {index_splits}   JOINS {index_joins}
"""

[[page.table]]
text     = """
            CACHE/S     DASD/S  HIT RATIO
FILE     {page_hits_per_s:10} {page_misses_per_s:10} {page_hit_pct:10}
METADATA {metadata_hits_per_s:10} {metadata_misses_per_s:10} {metadata_hit_pct:10}
INDEX    {index_hits_per_s:10} {index_misses_per_s:10} {index_hit_pct:10}
"""

[columns]
file_system           = { label = "FILE SYSTEM", empty = "*ALL" }
size_mb               = { label = "SYSTEM", kind = "level", total = "last", format = "1" }
used_mb               = { label = "DATA", kind = "level", total = "last", format = "1" }
directory_mb          = { label = "ATTR. DIR", kind = "level", total = "last", format = "1" }
cached_mb             = { label = "CACHED", kind = "level", format = "1" }
sequential_per_s      = { label = "SEQUENTIAL", format = "3" }
random_per_s          = { label = "RANDOM", format = "3" }
page_hits_per_s       = { label = "FILE CACHE", format = "3" }
page_misses_per_s     = { label = "FILE DASD", better = "lower", format = "3" }
page_hit_pct          = { label = "FILE HIT RATIO", better = "higher", format = "2" }
metadata_hits_per_s   = { label = "METADATA CACHE", format = "3" }
metadata_misses_per_s = { label = "METADATA DASD", better = "lower", format = "3" }
metadata_hit_pct      = { label = "METADATA HIT RATIO", better = "higher", format = "2" }
index_hits_per_s      = { label = "INDEX CACHE", format = "3" }
index_misses_per_s    = { label = "INDEX DASD", better = "lower", format = "3" }
index_hit_pct         = { label = "INDEX HIT RATIO", better = "higher", format = "2" }
index_levels          = { label = "NEW LEVEL", kind = "count", format = "int" }
index_splits          = { label = "SPLITS", kind = "count", format = "int" }
index_joins           = { label = "JOINS", kind = "count", format = "int" }
virtual_mb            = { label = "VIRTUAL USE", kind = "level", format = "1" }
virtual_max_mb        = { label = "VIRTUAL MAX", kind = "level", total = "last", format = "1" }
fixed_mb              = { label = "FIXED USE", kind = "level", format = "1" }
fixed_min_mb          = { label = "FIXED MIN", kind = "level", total = "last", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, file_system,
    size_bytes / 1048576                                         AS size_mb, -- Size [MB]
    used_bytes / 1048576                                         AS used_mb, -- Used by the file system [MB]
    directory_bytes / 1048576                                    AS directory_mb, -- Used by the attribute directory [MB]
    cached_bytes / 1048576                                       AS cached_mb, -- Data in the cache [MB]
    sequential_count / nullif(interval_s, 0)                     AS sequential_per_s, -- Sequential I/Os a second
    random_count / nullif(interval_s, 0)                         AS random_per_s, -- Random I/Os a second
    page_hit_count / nullif(interval_s, 0)                       AS page_hits_per_s, -- Lookups of a first page a second that the cache served
    page_miss_count / nullif(interval_s, 0)                      AS page_misses_per_s, -- Lookups of a first page a second that went to disk
    100 * page_hit_count / nullif(page_count, 0)                 AS page_hit_pct, -- Lookups of a first page that the cache served
    metadata_hit_count / nullif(interval_s, 0)                   AS metadata_hits_per_s, -- Lookups of metadata a second that the cache served
    metadata_miss_count / nullif(interval_s, 0)                  AS metadata_misses_per_s, -- Lookups of metadata a second that went to disk
    100 * metadata_hit_count / nullif(metadata_count, 0)         AS metadata_hit_pct, -- Lookups of metadata that the cache served
    index_hit_count / nullif(interval_s, 0)                      AS index_hits_per_s, -- Reads and writes of index pages a second that the cache served
    index_miss_count / nullif(interval_s, 0)                     AS index_misses_per_s, -- Reads and writes of index pages a second that went to disk
    100 * index_hit_count / nullif(index_count, 0)               AS index_hit_pct, -- Reads and writes of index pages that the cache served
    index_level_count                                            AS index_levels, -- New tops of the index
    index_split_count                                            AS index_splits, -- Splits of index pages
    index_join_count                                             AS index_joins, -- Joins of index pages
    virtual_bytes / 1048576                                      AS virtual_mb, -- Virtual storage of the buffers, of all file systems [MB]
    virtual_max_bytes / 1048576                                  AS virtual_max_mb, -- Limit of it [MB]
    fixed_bytes / 1048576                                        AS fixed_mb, -- Fixed storage of the buffers, of all file systems [MB]
    fixed_min_bytes / 1048576                                    AS fixed_min_mb, -- Fixed storage kept at least [MB]
    interval_s, sequential_count, random_count, page_hit_count, page_miss_count, page_count,
    metadata_hit_count, metadata_miss_count, metadata_count, index_hit_count, index_miss_count,
    index_count
FROM rmf_file_system
ORDER BY run, sysplex, system, interval_start_utc, interval_start, file_system NULLS FIRST
