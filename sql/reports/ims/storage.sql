/* imsperf report
id       = "ims.storage"
title    = "Storage Statistics"
answers  = "Which pools of IMS run out of room, and how much storage do its address spaces use?"
key      = ["ims", "kind", "region", "pool", "location"]
any_of   = ["ims_4505", "ims_450c", "ims_4511"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["bytes_allocated"]
color    = "pool"
facet    = "kind"
own_y    = true
top      = 20
by       = "bytes_allocated"
title    = "Storage in use, bytes"

[page]
layout   = "ours"
note     = """
sizes in bytes; In use, Largest free: at the end; Most: since IMS start
{not_counted}"""

[page.texts]
not_counted = "CASE WHEN bool_or(gets IS NULL AND kind <> 'AREA') OVER () THEN '- not counted, or the pool is not in the set before' END"

[[page.table]]
above    = "Variable pools"
where    = "kind = 'VARIABLE'"
columns  = """
pool                 -5  Pool
location             -7  Where
size_bytes           12  Size
bytes_allocated      12  In use
used_pct              7  Used %
max_bytes_allocated  12  Most
ave_bytes_allocated  12  Mean
largest_free_bytes   11  Largest|free
gets                  9  Gets
gets_per_transaction  9  /Transact
gets_per_s            9  /Second
no_space              7  No room
waits                 6  Waits
"""

[[page.table]]
above    = "Control block pools"
where    = "kind = 'BLOCKS'"
columns  = """
pool                 -5  Pool
location             -7  Where
block_bytes           8  Block
blocks                9  Blocks
max_blocks            9  Most
bytes_allocated      12  In use
max_bytes_allocated  12  Most
ave_bytes_allocated  12  Mean
gets                  9  Gets
gets_per_transaction  9  /Transact
gets_per_s            9  /Second
getmains              8  Getmains
freemains             9  Freemains
"""

[[page.table]]
above    = "Areas of the address spaces"
where    = "kind = 'AREA'"
columns  = """
region               -8  Region
jobname              -8  Job
pool                -14  Area
size_bytes           16  Size
bytes_allocated      16  In use
used_pct              7  Used %
max_bytes_allocated  16  Most
backed_bytes         16  Backed
fixed_bytes          16  Fixed
"""

[columns]
kind                 = { label = "Kind" }
pool                 = { label = "Pool or area" }
size_bytes           = { kind = "level", total = "last", format = "grouped" }
block_bytes          = { label = "Block size", format = "grouped" }
blocks               = { kind = "level", total = "last", format = "grouped" }
max_blocks           = { label = "Most blocks", kind = "highwater", format = "grouped" }
bytes_allocated      = { kind = "level", total = "last", format = "grouped" }
max_bytes_allocated  = { label = "Most in use", kind = "highwater", format = "grouped" }
ave_bytes_allocated  = { label = "Mean in use", kind = "level", format = "grouped" }
largest_free_bytes   = { kind = "level", total = "last", format = "grouped" }
backed_bytes         = { kind = "level", total = "last", format = "grouped" }
fixed_bytes          = { kind = "level", total = "last", format = "grouped" }
gets                 = { kind = "count", format = "scaled" }
frees                = { label = "Frees", kind = "count", format = "scaled" }
bytes_requested      = { label = "Bytes requested", kind = "count", format = "scaled" }
getmains             = { kind = "count", better = "lower", format = "scaled" }
freemains            = { kind = "count", format = "scaled" }
no_space             = { kind = "count", better = "lower", format = "scaled" }
waits                = { kind = "count", better = "lower", format = "scaled" }
compressions         = { label = "Compressions", kind = "count", better = "lower", format = "scaled" }
used_pct             = { kind = "level", total = "last", format = "2" }
avg_request_bytes    = { label = "Bytes /Get", format = "1" }
gets_per_s           = { label = "Gets /Second", format = "per_second" }
gets_per_transaction = { label = "Gets /Transact", format = "per_transaction" }
*/
WITH area AS (
    SELECT
        a.* EXCLUDE (area, file_id, record_no), 'AREA' AS kind, a.area AS pool,
        NULL::DOUBLE AS transactions_count
    FROM ims_storage_area AS a
),
storage AS (
    SELECT * EXCLUDE (file_id, record_no) FROM ims_with_transactions('ims_storage_pool')
    UNION ALL BY NAME SELECT * FROM area
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims,
    kind, -- VARIABLE: variable pool; BLOCKS: pool of control blocks; AREA: area of an address space
    region, jobname,
    pool, -- Name of the pool, of the type of block, or of the area: CSA, SQA, PVT, LSQA; with E above 16 MB; 64-BIT
    location, size_bytes, block_bytes, blocks, max_blocks, bytes_allocated,
    100.0 * bytes_allocated / nullif(size_bytes, 0)              AS used_pct, -- In use at the end, of the size
    max_bytes_allocated, ave_bytes_allocated, largest_free_bytes, backed_bytes, fixed_bytes,
    gets,
    gets / nullif(transactions_count, 0)                         AS gets_per_transaction, -- Requests for each transaction dequeued [requests]
    gets / nullif(interval_s, 0)                                 AS gets_per_s, -- Requests a second
    frees, bytes_requested,
    bytes_requested / nullif(gets, 0)                            AS avg_request_bytes, -- Mean size of a request
    getmains, freemains, no_space, waits, compressions, restarted, interval_s,
    transactions_count -- Transactions dequeued in the interval
FROM storage
ORDER BY run, system, ims, interval_start_utc, kind, region, place, pool, location
