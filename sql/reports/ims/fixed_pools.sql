/* imsperf report
id       = "ims.fixed_pools"
title    = "Fixed Pool Usage Statistics"
answers  = "Do the buffer sizes and primary counts of the fixed pools fit the work?"
key      = ["ims", "pool", "buffer_size"]
time     = "interval_start_utc"
lead     = "ims_450e"
needs    = ["ims_06", "ims_4500", "ims_450e", "ims_450e_buffer", "load_file"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "bar"
x        = "buffer_size"
y        = ["primary_count", "max_buffers_since_init"]
facet    = "pool"
stack    = "no"
own_y    = true
title    = "Buffers in the primary block and most in use since start"

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_450e.imsid"]

[[column]]
name     = "pool"
label    = "Pool Name"
kind     = "text"
doc      = "Pool name"
from     = ["ims_450e.pool"]

[[column]]
name     = "buffer_size"
label    = "Buffer Size"
unit     = "bytes"
kind     = "text"
format   = "grouped"
empty    = "OVERSIZE"
doc      = "Buffer size; NULL = OVERSIZE"
from     = ["ims_450e_buffer.buf_size"]

[[column]]
name     = "primary_count"
label    = "Buffer count per Primary Block"
kind     = "config"
format   = "grouped"
doc      = "Buffers in a primary block"
from     = ["ims_450e_buffer.prim"]

[[column]]
name     = "secondary_count"
label    = "Buffer count per Secondary Block"
kind     = "config"
format   = "grouped"
doc      = "Buffers in a secondary block"
from     = ["ims_450e_buffer.sec"]

[[column]]
name     = "max_buffers_since_init"
label    = "Max Buffer count since Init"
better   = "lower"
kind     = "highwater"
format   = "grouped"
doc      = "Most buffers in use since IMS start"
from     = ["ims_450e_buffer.max_bufs"]

[[column]]
name     = "max_blocks_since_init"
label    = "Max # Blocks since Init"
better   = "lower"
kind     = "highwater"
format   = "grouped"
doc      = "Most blocks since IMS start"
from     = ["ims_450e_buffer.max_blocks"]

[[column]]
name     = "initial_alloc"
label    = "Initial Alloc (Yes/No)"
kind     = "config"
doc      = "Primary block allocated at IMS start: YES or NO"
from     = ["ims_450e_buffer.init"]

[[column]]
name     = "avg_size_requested"
label    = "Average Size requested"
unit     = "bytes"
kind     = "ratio"
num      = "bytes_requested"
den      = "gets"
format   = "grouped"
empty    = "0"
doc      = "Bytes requested for each get"
from     = ["ims_450e_buffer.bytes_req", "ims_450e_buffer.gets"]

[[column]]
name     = "gets"
label    = "Get reqs for this Buffer Size"
kind     = "count"
format   = "scaled"
doc      = "Get requests"
from     = ["ims_450e_buffer.gets"]

[[column]]
name     = "gets_per_s"
label    = "Get reqs this Bufsize per Second"
unit     = "1/s"
kind     = "ratio"
num      = "gets"
den      = "interval_s"
format   = "pool_per_second"
doc      = "Get requests a second"
from     = ["ims_450e_buffer.gets"]

[[column]]
name     = "upper_limit_reached"
label    = "# of times Upper Limit reached"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times the upper limit was reached"
from     = ["ims_450e_buffer.limit"]

[[column]]
name     = "larger_size_used"
label    = "# times larger Buffer Size used"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times a larger buffer was handed out"
from     = ["ims_450e_buffer.larger"]

[[column]]
name     = "avg_blocks"
label    = "Average Block count"
better   = "lower"
kind     = "ratio"
num      = "blocks_s"
den      = "interval_s"
format   = "grouped"
doc      = "Blocks, mean since the set before"
from     = ["ims_450e_buffer.avg_blocks_c"]

[[column]]
name     = "high_blocks"
label    = "High Block count"
better   = "lower"
kind     = "highwater"
format   = "grouped"
doc      = "Most blocks since the set before"
from     = ["ims_450e_buffer.high_blocks"]

[[column]]
name     = "low_blocks"
label    = "Low Block count"
kind     = "level"
total    = "min"
format   = "grouped"
doc      = "Fewest blocks since the set before"
from     = ["ims_450e_buffer.low_blocks"]

[[column]]
name     = "blocks_allocated"
label    = "Blocks Allocated (Expansion)"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Blocks allocated"
from     = ["ims_450e_buffer.expand"]

[[column]]
name     = "blocks_released"
label    = "Blocks Released (Compression)"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Blocks released"
from     = ["ims_450e_buffer.compress"]

[[column]]
name     = "avg_buffers"
label    = "Average Buffer count"
kind     = "ratio"
num      = "buffers_s"
den      = "interval_s"
format   = "grouped"
doc      = "Buffers in use, mean since the set before"
from     = ["ims_450e_buffer.avg_bufs_c"]

[[column]]
name     = "high_buffers"
label    = "High Buffer count"
kind     = "highwater"
format   = "grouped"
doc      = "Most buffers in use since the set before"
from     = ["ims_450e_buffer.high_bufs"]

[[column]]
name     = "low_buffers"
label    = "Low Buffer count"
kind     = "level"
total    = "min"
format   = "grouped"
doc      = "Fewest buffers in use since the set before"
from     = ["ims_450e_buffer.low_bufs"]

[[column]]
name     = "pageload_no_iwait"
label    = "Page Load invoked, no IWAIT"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Page load invoked without IWAIT"
from     = ["ims_450e_buffer.pl_noiw"]

[[column]]
name     = "pageload_iwait"
label    = "Page Load caused IWAIT"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Page load that caused IWAIT"
from     = ["ims_450e_buffer.pl_iw"]

[[column]]
name     = "pool_size_end"
label    = "Pool Size at End of Period"
unit     = "bytes"
kind     = "level"
total    = "last"
format   = "grouped"
doc      = "Pool size at the end of the period"
from     = ["ims_450e.pool_size"]

[[column]]
name     = "pool_size_max"
label    = "Maximum Pool Size"
unit     = "bytes"
better   = "lower"
kind     = "highwater"
format   = "grouped"
doc      = "Largest pool size of the period"
from     = ["ims_450e.pool_max"]

[[column]]
name     = "oversize_bytes"
label    = "Current # Bytes in Oversize Blocks"
unit     = "bytes"
better   = "lower"
kind     = "level"
total    = "last"
format   = "grouped"
doc      = "Bytes in oversize blocks at the end of the period"
from     = ["ims_450e.oversize"]

[[column]]
name     = "pool_size_max_since_restart"
label    = "Maximum Pool Size since IMS Restart"
unit     = "bytes"
better   = "lower"
kind     = "highwater"
format   = "grouped"
doc      = "Largest pool size since IMS restart"
from     = ["ims_450e.pool_max_restart"]

[[column]]
name     = "restarted"
kind     = "config"
doc      = "IMS restarted since the earlier set: counts are those since the restart"
from     = ["ims_fixed_pool.restarted"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Counted time"
from     = ["ims_fixed_pool.interval_s"]

[[column]]
name     = "bytes_requested"
unit     = "bytes"
kind     = "part"
doc      = "Bytes requested"
from     = ["ims_fixed_pool.bytes_requested"]

[[column]]
name     = "blocks_s"
unit     = "blocks s"
kind     = "part"
doc      = "Blocks x seconds"
from     = ["ims_fixed_pool.avg_blocks"]

[[column]]
name     = "buffers_s"
unit     = "buffers s"
kind     = "part"
doc      = "Buffers x seconds"
from     = ["ims_fixed_pool.avg_buffers"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    ims                                                          AS ims,
    pool                                                         AS pool,
    buffer_size                                                  AS buffer_size,
    primary_count                                                AS primary_count,
    secondary_count                                              AS secondary_count,
    max_buffers_since_init                                       AS max_buffers_since_init,
    max_blocks_since_init                                        AS max_blocks_since_init,
    initial_alloc                                                AS initial_alloc,
    bytes_requested / nullif(gets, 0)                            AS avg_size_requested,
    gets                                                         AS gets,
    gets / nullif(interval_s, 0)                                 AS gets_per_s,
    upper_limit_reached                                          AS upper_limit_reached,
    larger_size_used                                             AS larger_size_used,
    avg_blocks                                                   AS avg_blocks,
    high_blocks                                                  AS high_blocks,
    low_blocks                                                   AS low_blocks,
    blocks_allocated                                             AS blocks_allocated,
    blocks_released                                              AS blocks_released,
    avg_buffers                                                  AS avg_buffers,
    high_buffers                                                 AS high_buffers,
    low_buffers                                                  AS low_buffers,
    pageload_no_iwait                                            AS pageload_no_iwait,
    pageload_iwait                                               AS pageload_iwait,
    pool_size_end                                                AS pool_size_end,
    pool_size_max                                                AS pool_size_max,
    oversize_bytes                                               AS oversize_bytes,
    pool_size_max_since_restart                                  AS pool_size_max_since_restart,
    restarted                                                    AS restarted,
    interval_s                                                   AS interval_s,
    bytes_requested                                              AS bytes_requested,
    avg_blocks * interval_s                                      AS blocks_s,
    avg_buffers * interval_s                                     AS buffers_s
FROM ims_fixed_pool
ORDER BY run, system, ims, interval_start_utc, pool, buffer_size NULLS LAST
