/* imsperf report
id       = "ims.control_blocks"
title    = "Control Block Usage"
answers  = "Who gets control blocks (AWE), by which path, and do they run out?"
key      = ["ims", "block", "caller"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["storage_pct"]
color    = "caller"
facet    = "ims"
title    = "Control blocks from z/OS storage, %"

[page]
layout   = "ours"
title    = "Control Block Usage"
note     = "Empty, Short s and Expanded are of the pool, whoever asked"

[[page.table]]
columns  = """
block                       -8  Block
caller                      -8  Caller
mode                        -4  Mode
requests                    11  Requests
requests_per_transaction     9  /Transact
from_queue                  11  From queue
from_queue_per_transaction   9  /Transact
from_expansion               8  Expanded
from_storage                11  z/OS storage
storage_pct                  7  %
lock_busy_pct                7  Lock %
from_own                    10  Own
shortages                    6  Empty
short_s                      8  Short s
"""

[columns]
requests                   = { kind = "count", format = "scaled" }
from_queue                 = { kind = "count", format = "scaled" }
from_expansion             = { label = "By expansion", kind = "count", format = "scaled" }
from_storage               = { label = "From z/OS storage", kind = "count", better = "lower", format = "scaled" }
from_own                   = { kind = "count", format = "scaled" }
requests_per_s             = { label = "Requests /Second", format = "per_second" }
requests_per_transaction   = { label = "Requests /Transact", format = "2" }
from_queue_per_transaction = { label = "From queue /Transact", format = "2" }
storage_pct                = { label = "z/OS storage %", better = "lower", format = "1" }
lock_us_per_get            = { label = "Lock us", better = "lower", format = "1" }
lock_busy_pct              = { better = "lower", format = "1" }
blocks                     = { label = "Blocks", format = "int" }
shortages                  = { label = "Times empty", kind = "count", better = "lower", format = "int" }
expansions                 = { label = "Times expanded", kind = "count", format = "int" }
short_s                    = { kind = "count", better = "lower", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, block, caller, mode,
    request_count                                                AS requests, -- Requests for a block [requests]
    queue_count                                                  AS from_queue, -- Given from the queue of free blocks [requests]
    expansion_count                                              AS from_expansion, -- Given by expanding the pool [requests]
    storage_count                                                AS from_storage, -- Given from z/OS storage, under the local lock [requests]
    own_count                                                    AS from_own, -- Given from blocks that the caller keeps [requests]
    request_count / nullif(interval_s, 0)                        AS requests_per_s, -- Requests a second
    request_count / nullif(transactions_count, 0)                AS requests_per_transaction, -- Requests for each transaction dequeued [requests]
    queue_count / nullif(transactions_count, 0)                  AS from_queue_per_transaction, -- Given from the queue, for each transaction: 1 in good times, 0.2 in bad ones of the benchmark [requests]
    100.0 * storage_count / nullif(request_count, 0)             AS storage_pct, -- Requests that took z/OS storage
    lock_us / nullif(storage_count, 0)                           AS lock_us_per_get, -- Local lock held for one get from z/OS storage
    0.0001 * lock_us / nullif(interval_s, 0)                     AS lock_busy_pct, -- Time the local lock was held for such gets
    blocks, state,
    shortage_count                                               AS shortages, -- Times the queue of the pool became empty [times]
    0.000001 * short_us                                          AS short_s, -- Time it was empty
    expanded_count                                               AS expansions, -- Times the pool was expanded [times]
    restarted, interval_s,
    transactions_count, -- Transactions dequeued in the interval
    lock_us, storage_count, request_count, queue_count
FROM ims_with_transactions('ims_control_block')
ORDER BY run, system, ims, interval_start_utc, block, caller
