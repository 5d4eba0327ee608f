/* imsperf report
id       = "rmf.hfs_buffers"
title    = "HFS Global Statistics: Buffer Pools"
answers  = "Do I/Os of HFS find their buffers fixed?"
key      = ["pool"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["fixed_hit_pct"]
color    = "pool"
facet    = "system"
title    = "I/Os that found their buffer fixed, %"

[page]
layout   = "smf2db 0.1.3"
title    = "HFS Global Statistics"

[[page.table]]
columns  = """
pool            4  |POOL
buffer_pages    7  BUFFER|PAGES
size_mb        10  POOL SIZE|MB
fixed_pct       7  |FIXED %
data_spaces     6  DATA|SPACES
ios_per_s      10  |I/O RATE
fixed_hit_pct   9  FIXED|HIT %
"""

[columns]
pool          = { format = "int" }
buffer_pages  = { kind = "level", total = "last", format = "int" }
data_spaces   = { kind = "level", total = "last", format = "int" }
size_mb       = { kind = "level", total = "last", format = "1" }
fixed_pct     = { format = "1" }
ios_per_s     = { format = "3" }
fixed_hit_pct = { better = "higher", format = "1", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, pool,
    buffer_pages, -- Size of a buffer [pages]
    data_spaces, -- Data spaces of the pool
    size_bytes / 1048576                                         AS size_mb, -- Size of the pool [MB]
    100 * fixed_bytes / nullif(size_bytes, 0)                    AS fixed_pct, -- Part of the pool that is always fixed
    io_count / nullif(interval_s, 0)                             AS ios_per_s, -- I/Os a second
    100 * fixed_hit_count / nullif(io_count, 0)                  AS fixed_hit_pct, -- I/Os that found their buffer fixed
    interval_s, size_bytes, fixed_bytes, fixed_hit_count, io_count
FROM rmf_file_buffer
ORDER BY run, sysplex, system, interval_start_utc, interval_start, pool
