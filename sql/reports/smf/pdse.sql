/* imsperf report
id       = "smf.pdse"
title    = "PDSE Buffering"
answers  = "Do the buffers hold the pages of PDSE members and directories?"
key      = ["storage_class"]
optional = [
    "smf42_1_buffer_manager", "smf42_1_header", "smf42_1_storage_class", "smf42_5_header", "smf42_5_product",
]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["member_hit_pct"]
color    = "storage_class"
facet    = "system"
where    = "storage_class IS NOT NULL"
title    = "Member pages found in the buffers, per cent"

[page]
layout = "ours"

[page.texts]
storage_class    = "CASE WHEN storage_class IS NULL THEN '*ALL' END"

[[page.table]]
columns  = """
storage_class      -30  STORAGE|CLASS
member_per_s         9  MEMBER|PAGES/S
member_hit_pct       7  HIT|%
directory_per_s     10  DIRECTORY|PAGES/S
directory_hit_pct    7  HIT|%
buffer_mb            8  BUFFERS|MB
buffer_max_mb        8  IN USE|MAX MB
lru_time             6  LRU|TIME
unused_cycles        6  UNUSED|CYCLES
"""

[columns]
member_pages      = { label = "MEMBER PAGES", kind = "count", format = "scaled" }
member_per_s      = { format = "rate" }
member_hit_pct    = { label = "MEMBER HIT %", better = "higher", format = "1", empty = "" }
directory_pages   = { label = "DIRECTORY PAGES", kind = "count", format = "scaled" }
directory_per_s   = { format = "rate" }
directory_hit_pct = { label = "DIRECTORY HIT %", better = "higher", format = "1", empty = "" }
buffer_mb         = { kind = "level", format = "1", empty = "" }
buffer_max_mb     = { label = "BUFFERS MAX MB", kind = "highwater", format = "1", empty = "" }
lru_time          = { kind = "level", format = "int", empty = "" }
unused_cycles     = { kind = "level", format = "int", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, storage_class,
    member_count                                                 AS member_pages, -- Pages of members read [pages]
    member_count / nullif(interval_s, 0)                         AS member_per_s, -- Pages of members read a second
    100 * member_hit_count / nullif(member_count, 0)             AS member_hit_pct, -- Found in the buffers, of the pages of members
    directory_count                                              AS directory_pages, -- Pages of directories read [pages]
    directory_count / nullif(interval_s, 0)                      AS directory_per_s, -- Pages of directories read a second
    100 * directory_hit_count / nullif(directory_count, 0)       AS directory_hit_pct, -- Found in the buffers, of the pages of directories
    buffer_bytes / 1048576                                       AS buffer_mb, -- Buffers of the buffer manager; of all classes together only
    buffer_max_bytes / 1048576                                   AS buffer_max_mb, -- Buffers in use at most; of all classes together only
    lru_time, unused_cycles, interval_s, member_hit_count, directory_hit_count
FROM smf_pdse
ORDER BY run, system, interval_start_utc, storage_class NULLS LAST
