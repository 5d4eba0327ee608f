/* imsperf report
id       = "ims.fixed_pools"
title    = "Fixed Pool Usage Statistics"
answers  = "Do the buffer sizes and primary counts of the fixed pools fit the work?"
key      = ["ims", "pool", "buffer_size"]
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

[page]
layout   = "slides of the IMS 100K TPS benchmark"
breaks   = ["pool"]

[[page.table]]
above    = """
Pool Name                            {pool:11}
Pool Size at End of Period           {pool_size_end:11}
Maximum Pool Size                    {pool_size_max:11}
Current # Bytes in Oversize Blocks   {oversize_bytes:11}
Maximum Pool Size since IMS Restart  {pool_size_max_since_restart:11}
"""
widths   = [-36, 11]
lines    = [
    "buffer_size", "primary_count", "secondary_count", "max_buffers_since_init",
    "max_blocks_since_init", "initial_alloc", "avg_size_requested", "gets", "gets_per_s",
    "upper_limit_reached", "larger_size_used", "avg_blocks", "high_blocks", "low_blocks",
    "blocks_allocated", "blocks_released", "avg_buffers", "high_buffers", "low_buffers",
    "pageload_no_iwait", "pageload_iwait",
]

[columns]
pool                        = { label = "Pool Name" }
buffer_size                 = { label = "Buffer Size", format = "grouped", empty = "OVERSIZE" }
primary_count               = { label = "Buffer count per Primary Block", format = "grouped" }
secondary_count             = { label = "Buffer count per Secondary Block", format = "grouped" }
max_buffers_since_init      = { label = "Max Buffer count since Init", kind = "highwater", better = "lower", format = "grouped" }
max_blocks_since_init       = { label = "Max # Blocks since Init", kind = "highwater", better = "lower", format = "grouped" }
initial_alloc               = { label = "Initial Alloc (Yes/No)" }
avg_size_requested          = { label = "Average Size requested", format = "grouped", empty = "0" }
gets                        = { label = "Get reqs for this Buffer Size", kind = "count", format = "scaled" }
gets_per_s                  = { label = "Get reqs this Bufsize per Second", format = "pool_per_second" }
upper_limit_reached         = { label = "# of times Upper Limit reached", kind = "count", better = "lower", format = "scaled" }
larger_size_used            = { label = "# times larger Buffer Size used", kind = "count", better = "lower", format = "scaled" }
avg_blocks                  = { label = "Average Block count", num = "blocks_s", den = "interval_s", better = "lower", format = "grouped" }
high_blocks                 = { label = "High Block count", kind = "highwater", better = "lower", format = "grouped" }
low_blocks                  = { label = "Low Block count", kind = "level", total = "min", format = "grouped" }
blocks_allocated            = { label = "Blocks Allocated (Expansion)", kind = "count", better = "lower", format = "scaled" }
blocks_released             = { label = "Blocks Released (Compression)", kind = "count", better = "lower", format = "scaled" }
avg_buffers                 = { label = "Average Buffer count", num = "buffers_s", den = "interval_s", format = "grouped" }
high_buffers                = { label = "High Buffer count", kind = "highwater", format = "grouped" }
low_buffers                 = { label = "Low Buffer count", kind = "level", total = "min", format = "grouped" }
pageload_no_iwait           = { label = "Page Load invoked, no IWAIT", kind = "count", better = "lower", format = "scaled" }
pageload_iwait              = { label = "Page Load caused IWAIT", kind = "count", better = "lower", format = "scaled" }
pool_size_end               = { label = "Pool Size at End of Period", kind = "level", total = "last", format = "grouped" }
pool_size_max               = { label = "Maximum Pool Size", kind = "highwater", better = "lower", format = "grouped" }
oversize_bytes              = { label = "Current # Bytes in Oversize Blocks", kind = "level", better = "lower", total = "last", format = "grouped" }
pool_size_max_since_restart = { label = "Maximum Pool Size since IMS Restart", kind = "highwater", better = "lower", format = "grouped" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, pool, buffer_size,
    primary_count, secondary_count, max_buffers_since_init, max_blocks_since_init, initial_alloc,
    bytes_requested / nullif(gets, 0)                            AS avg_size_requested, -- Bytes requested for each get [bytes]
    gets,
    gets / nullif(interval_s, 0)                                 AS gets_per_s, -- Get requests a second
    upper_limit_reached, larger_size_used, avg_blocks, high_blocks, low_blocks,
    blocks_allocated, -- Blocks allocated
    blocks_released, -- Blocks released
    avg_buffers,
    high_buffers, -- Most buffers in use since the set before
    low_buffers, -- Fewest buffers in use since the set before
    pageload_no_iwait, -- Page load invoked without IWAIT
    pageload_iwait,
    pool_size_end, -- Pool size at the end of the period [bytes]
    pool_size_max, -- Largest pool size of the period [bytes]
    oversize_bytes, -- Bytes in oversize blocks at the end of the period
    pool_size_max_since_restart, restarted, interval_s, bytes_requested,
    avg_blocks * interval_s                                      AS blocks_s, -- Blocks x seconds [blocks s]
    avg_buffers * interval_s                                     AS buffers_s -- Buffers x seconds [buffers s]
FROM ims_fixed_pool
ORDER BY run, system, ims, interval_start_utc, pool, buffer_size NULLS LAST
