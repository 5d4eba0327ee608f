/* imsperf report
id       = "ims.olds"
title    = "OLDS Usage"
answers  = "How fast do the log data sets fill, and why are they switched?"
key      = ["ims", "olds"]
any_of   = ["ims_42", "ims_43"]
no_rows  = "no record says that an OLDS was opened"

[chart]
mark     = "bar"
x        = "interval_start_utc"
y        = ["blocks_per_s"]
color    = "ims"
title    = "OLDS blocks a second, while each data set was in use"

[page]
layout   = "ours"
heading  = "log"

[[page.table]]
columns  = """
olds                 -8  OLDS
interval_start_utc  -19  Opened UTC
closed_utc          -19  Closed UTC
reason               -7  Reason
in_use_s             10  In Use s
blocks               11  Blocks
blocks_per_s          9  /Second
records              13  Records
records_per_s        11  /Second
mbps                  9  MB/s
"""

[columns]
interval_start   = { label = "Opened" }
use_no           = { label = "Use", total = "last" }
closed_utc       = { total = "last" }
in_use_s         = { kind = "count", format = "2" }
blocks           = { kind = "count", format = "grouped" }
blocks_per_s     = { label = "Blocks /Second", format = "2" }
records          = { kind = "count", format = "grouped" }
records_per_s    = { label = "Records /Second", format = "2" }
mbps             = { format = "3" }
block_size_bytes = { label = "Block Size", total = "same", format = "grouped" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, olds, use_no,
    closed_utc, -- When it was closed, UTC; NULL while it is open or its switch is not in the log
    reason, in_use_s,
    blocks_count                                                 AS blocks, -- Blocks written to it [blocks]
    blocks_count / nullif(in_use_s, 0)                           AS blocks_per_s, -- Blocks written a second
    records_count                                                AS records, -- Log records in it, by sequence numbers; NULL where the log holds a sample (A0) [records]
    records_count / nullif(in_use_s, 0)                          AS records_per_s, -- Log records written a second
    1e-6 * written_bytes / nullif(in_use_s, 0)                   AS mbps, -- Bytes of its blocks a second, 10^6; NULL without a 4507, which has the block size [10^6 B/s]
    block_size_bytes, -- Block size
    written_bytes                                                AS bytes -- Bytes of the blocks written to it [bytes]
FROM ims_olds_use
ORDER BY run, system, ims, interval_start_utc, use_no
