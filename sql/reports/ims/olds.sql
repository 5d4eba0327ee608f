/* imsperf report
id       = "ims.olds"
title    = "OLDS Usage"
answers  = "How fast do the log data sets fill, and why are they switched?"
key      = ["ims", "olds"]
time     = "interval_start_utc"
needs    = ["ims_06", "ims_42", "ims_43", "ims_4500", "ims_4507", "ims_a0", "load_file"]
optional = ["ims_06", "ims_42", "ims_43", "ims_4500", "ims_4507", "ims_a0"]
any_of   = ["ims_42", "ims_43"]
no_rows  = "no record says that an OLDS was opened"

[chart]
mark     = "bar"
x        = "interval_start_utc"
y        = ["blocks_per_s"]
color    = "ims"
title    = "OLDS blocks a second, while each data set was in use"

[[column]]
name     = "run"
kind     = "text"
doc      = "Measurement"
from     = ["load_file.run"]

[[column]]
name     = "sysplex"
kind     = "text"
doc      = "Sysplex name, from a 4500 of the IMS"
from     = ["ims_4500.sysplex"]

[[column]]
name     = "system"
kind     = "text"
doc      = "SMF system id, from a 4500 of the IMS; NULL without one"
from     = ["ims_4500.smfid"]

[[column]]
name     = "interval_start"
label    = "Opened"
kind     = "time"
doc      = "When it was opened, local time; NULL without a 4500"
from     = ["ims_42.open", "ims_43.open", "ims_4500.local_offset_q"]

[[column]]
name     = "interval_start_utc"
kind     = "time"
doc      = "When it was opened, UTC"
from     = ["ims_42.open", "ims_43.open"]

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_42.imsid", "ims_43.imsid"]

[[column]]
name     = "olds"
label    = "OLDS"
kind     = "text"
doc      = "DD name"
from     = ["ims_42.olds_ddname", "ims_43.olds_ddname"]

[[column]]
name     = "use_no"
label    = "Use"
kind     = "config"
total    = "last"
doc      = "Place in the order of use, from 1"
from     = ["ims_olds_use.use_no"]

[[column]]
name     = "closed_utc"
label    = "Closed UTC"
kind     = "config"
total    = "last"
doc      = "When it was closed, UTC; NULL while it is open or its switch is not in the log"
from     = ["ims_42.close_prev", "ims_43.close_prev"]

[[column]]
name     = "reason"
label    = "Reason"
kind     = "text"
doc      = "Why it was closed: full, command or error"
from     = ["ims_42.reason", "ims_43.reason"]

[[column]]
name     = "in_use_s"
label    = "In Use s"
unit     = "s"
kind     = "count"
format   = "2"
doc      = "Time in use"
from     = ["ims_olds_use.in_use_s"]

[[column]]
name     = "blocks"
label    = "Blocks"
unit     = "blocks"
kind     = "count"
format   = "grouped"
doc      = "Blocks written to it"
from     = ["ims_42.blocks_prev", "ims_43.blocks_prev"]

[[column]]
name     = "blocks_per_s"
label    = "Blocks /Second"
unit     = "1/s"
kind     = "ratio"
num      = "blocks"
den      = "in_use_s"
format   = "2"
doc      = "Blocks written a second"
from     = ["ims_42.blocks_prev", "ims_43.blocks_prev"]

[[column]]
name     = "records"
label    = "Records"
unit     = "records"
kind     = "count"
format   = "grouped"
doc      = "Log records in it, by sequence numbers; NULL where the log holds a sample (A0)"
from     = ["ims_42.first_lsn", "ims_43.first_lsn", "ims_a0.sample_k"]

[[column]]
name     = "records_per_s"
label    = "Records /Second"
unit     = "1/s"
kind     = "ratio"
num      = "records"
den      = "in_use_s"
format   = "2"
doc      = "Log records written a second"
from     = ["ims_42.first_lsn", "ims_43.first_lsn", "ims_a0.sample_k"]

[[column]]
name     = "mbps"
label    = "MB/s"
unit     = "10^6 B/s"
kind     = "ratio"
num      = "bytes"
den      = "in_use_s"
scale    = 1e-06
format   = "3"
doc      = "Bytes of its blocks a second, 10^6; NULL without a 4507, which has the block size"
from     = ["ims_42.blocks_prev", "ims_43.blocks_prev", "ims_4507.buf_size"]

[[column]]
name     = "block_size_bytes"
label    = "Block Size"
unit     = "bytes"
kind     = "config"
total    = "same"
format   = "grouped"
doc      = "Block size"
from     = ["ims_4507.buf_size"]

[[column]]
name     = "bytes"
unit     = "bytes"
kind     = "part"
doc      = "Bytes of the blocks written to it"
from     = ["ims_42.blocks_prev", "ims_43.blocks_prev", "ims_4507.buf_size"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    ims                                                          AS ims,
    olds                                                         AS olds,
    use_no                                                       AS use_no,
    closed_utc                                                   AS closed_utc,
    reason                                                       AS reason,
    in_use_s                                                     AS in_use_s,
    blocks_count                                                 AS blocks,
    blocks_count / nullif(in_use_s, 0)                           AS blocks_per_s,
    records_count                                                AS records,
    records_count / nullif(in_use_s, 0)                          AS records_per_s,
    1e-6 * written_bytes / nullif(in_use_s, 0)                   AS mbps,
    block_size_bytes                                             AS block_size_bytes,
    written_bytes                                                AS bytes
FROM ims_olds_use
ORDER BY run, system, ims, interval_start_utc, use_no
