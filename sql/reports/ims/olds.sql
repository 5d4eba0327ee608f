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

[columns]
interval_start   = { label = "Opened" }
ims              = { label = "IMS" }
olds             = { label = "OLDS" }
use_no           = { label = "Use", total = "last" }
closed_utc       = { label = "Closed UTC", total = "last" }
reason           = { label = "Reason" }
in_use_s         = { label = "In Use s", kind = "count", format = "2" }
blocks           = { label = "Blocks", kind = "count", format = "grouped" }
blocks_per_s     = { label = "Blocks /Second", format = "2" }
records          = { label = "Records", kind = "count", format = "grouped" }
records_per_s    = { label = "Records /Second", format = "2" }
mbps             = { label = "MB/s", format = "3" }
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
