/* imsperf report
id       = "ims.db_buffers"
title    = "Database Buffer Pool Statistics"
answers  = "Are the database buffers large enough: what is found in them, and what waits for one?"
key      = ["ims", "kind", "pool", "pool_type", "subpool", "buffer_size"]
any_of   = ["ims_4504", "ims_4508", "ims_4522"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["reads_per_s"]
color    = "pool"
facet    = "kind"
where    = "kind <> 'FP64'"
title    = "Reads of database buffer pools a second"

[page]
layout   = "ours"
blocks   = ["kind", "pool", "pool_type", "subpool", "buffer_size"]
block_above = "{subpool_name}: {buffer_count} buffers of {buffer_size} bytes"

[page.texts]
subpool_name = """CASE kind WHEN 'OSAM' THEN 'OSAM subpool ' || pool
    WHEN 'VSAM' THEN format('VSAM pool {}, {} subpool {}', pool,
        CASE pool_type WHEN 'I' THEN 'index' ELSE 'data' END, subpool)
    ELSE format('Fast Path 64-bit subpool {}, {}', subpool,
        CASE pool_type WHEN 'B' THEN 'base' WHEN 'X' THEN 'extension' WHEN 'S' THEN 'shared VSO'
        WHEN 'D' THEN 'sequential dependents' ELSE pool_type END) END"""

[[page.table]]
where    = "kind = 'OSAM'"
widths   = [-44, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = [
    "locate_calls", "new_block_requests", "alter_calls", "purge_calls", "found_in_pool",
    "buffers_searched", "reads", "block_writes", "chain_writes", "steal_writes", "busy_waits",
    "lock_waits",
]

[[page.table]]
where    = "kind = 'OSAM'"
joined   = true
widths   = [-44, 17]
lines    = ["locate_pct"]

[[page.table]]
where    = "kind = 'VSAM'"
widths   = [-44, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = [
    "rba_retrievals", "key_retrievals", "esds_inserts", "ksds_inserts", "alter_calls",
    "background_write_calls", "sync_calls", "found_in_pool", "reads", "user_writes",
    "nonuser_writes",
]

[[page.table]]
where    = "kind = 'VSAM'"
joined   = true
widths   = [-44, 17]
lines    = ["found_in_pool_pct", "hiperspace_buffers"]

[[page.table]]
where    = "kind = 'FP64'"
widths   = [-44, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = ["gets", "buffer_waits", "expansions", "compressions", "no_space", "steals"]

[[page.table]]
where    = "kind = 'FP64'"
joined   = true
widths   = [-44, 17]
lines    = ["buffer_wait_pct", "avg_buffer_wait_us", "buffers_used", "max_buffers_used", "extents"]

[columns]
kind                   = { label = "Kind" }
pool                   = { label = "Pool" }
pool_type              = { label = "Type" }
subpool                = { label = "Subpool" }
buffer_size            = { label = "Buffer size", format = "grouped" }
buffer_count           = { label = "Buffers", kind = "level", total = "last", format = "grouped" }
hiperspace_buffers     = { label = "Hiperspace buffers", kind = "level", total = "last", format = "grouped" }
buffers_used           = { label = "Buffers in use at the end", kind = "level", total = "last", format = "grouped" }
max_buffers_used       = { label = "Most buffers in use since IMS start", kind = "highwater", format = "grouped" }
extents                = { label = "Extents at the end", kind = "level", total = "last", format = "grouped" }
locate_calls           = { label = "Locate calls", kind = "count", format = "grouped" }
new_block_requests     = { label = "Requests for a new block", kind = "count", format = "grouped" }
alter_calls            = { label = "Alter calls, records changed", kind = "count", format = "grouped" }
purge_calls            = { label = "Purge calls", kind = "count", format = "grouped" }
found_in_pool          = { label = "Found in the subpool", kind = "count", format = "grouped" }
buffers_searched       = { label = "Buffers searched", kind = "count", better = "lower", format = "grouped" }
reads                  = { label = "Reads", kind = "count", better = "lower", format = "grouped" }
block_writes           = { label = "Writes of one block", kind = "count", format = "grouped" }
chain_writes           = { label = "Chained writes", kind = "count", format = "grouped" }
steal_writes           = { label = "Writes to free a buffer", kind = "count", better = "lower", format = "grouped" }
busy_waits             = { label = "Waits for a busy buffer", kind = "count", better = "lower", format = "grouped" }
lock_waits             = { label = "Waits for the lock of a buffer", kind = "count", better = "lower", format = "grouped" }
rba_retrievals         = { label = "Retrievals by RBA", kind = "count", format = "grouped" }
key_retrievals         = { label = "Retrievals by key", kind = "count", format = "grouped" }
esds_inserts           = { label = "ESDS records inserted", kind = "count", format = "grouped" }
ksds_inserts           = { label = "KSDS records inserted", kind = "count", format = "grouped" }
background_write_calls = { label = "Background write calls", kind = "count", format = "grouped" }
sync_calls             = { label = "Sync point calls", kind = "count", format = "grouped" }
user_writes            = { label = "Writes begun by VSAM", kind = "count", better = "lower", format = "grouped" }
nonuser_writes         = { label = "Writes begun by IMS", kind = "count", format = "grouped" }
gets                   = { label = "Buffer requests", kind = "count", format = "grouped" }
buffer_waits           = { label = "Waits for a buffer", kind = "count", better = "lower", format = "grouped" }
expansions             = { label = "Expansions", kind = "count", format = "grouped" }
compressions           = { label = "Compressions", kind = "count", format = "grouped" }
no_space               = { label = "No room", kind = "count", better = "lower", format = "grouped" }
steals                 = { label = "Buffers taken from another owner", kind = "count", better = "lower", format = "grouped" }
locate_pct             = { label = "Locate calls found in the subpool %", better = "higher", format = "2" }
found_in_pool_pct      = { label = "Found in the subpool %", better = "higher", format = "2" }
reads_per_s            = { label = "Reads /Second", better = "lower", format = "per_second" }
reads_per_transaction  = { label = "Reads /Transact", better = "lower", format = "per_transaction" }
buffer_wait_pct        = { label = "Requests that waited %", better = "lower", format = "2" }
avg_buffer_wait_us     = { label = "Mean wait us", better = "lower", format = "1" }
*/
WITH pool AS (
    SELECT *, CASE WHEN kind = 'VSAM' THEN found_in_pool + reads END AS vsam_requests
    FROM ims_with_transactions('ims_db_buffer')
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, kind, pool, pool_type, subpool,
    buffer_size, buffer_count, hiperspace_buffers, buffers_used, max_buffers_used, extents,
    locate_calls, new_block_requests, alter_calls, purge_calls, found_in_pool, buffers_searched,
    reads, block_writes, chain_writes, steal_writes, busy_waits, lock_waits, rba_retrievals,
    key_retrievals, esds_inserts, ksds_inserts, background_write_calls, sync_calls, user_writes,
    nonuser_writes, gets, buffer_waits, expansions, compressions, no_space, steals,
    100.0 * found_in_pool / nullif(locate_calls, 0)              AS locate_pct, -- OSAM: blocks found in the subpool, of the locate calls
    100.0 * found_in_pool / nullif(vsam_requests, 0)             AS found_in_pool_pct, -- VSAM: requests satisfied from the subpool, of those and the reads
    reads / nullif(interval_s, 0)                                AS reads_per_s, -- Reads from disk a second
    reads / nullif(transactions_count, 0)                        AS reads_per_transaction, -- Reads from disk for each transaction dequeued [reads]
    100.0 * buffer_waits / nullif(gets, 0)                       AS buffer_wait_pct, -- FP64: requests that waited for a buffer, of all
    buffer_wait_us / nullif(buffer_waits, 0)                     AS avg_buffer_wait_us, -- FP64: mean wait of those that waited
    restarted, interval_s,
    transactions_count, -- Transactions dequeued in the interval
    buffer_wait_us,
    vsam_requests -- VSAM: requests satisfied from the subpool, and reads [requests]
FROM pool
ORDER BY run, system, ims, interval_start_utc, kind, pool, pool_type, subpool, buffer_size
