/* imsperf report
id       = "ims.fast_path"
title    = "Fast Path Transit Log"
answers  = "How long did each Fast Path transaction take, and where?"
key      = ["ims", "uow"]
any_of   = ["ims_5937", "ims_5938"]
no_rows  = "its sync points are none of a known log"

[page]
layout   = "IMS System Utilities, DBFULTA0"
heading  = "log"
note     = "- no record of that time, or no routing code. Transit is input queue, process and output queue; the output message is not part of it"

[[page.table]]
above    = "                                                        --------------------------- Milliseconds ----------------------------"
columns  = """
sync_utc           -23  Sync Point Time|UTC
tran                -8  Transact|Code
routing             -8  Routing|Code
lterm               -8  Logical|Terminal
input_queue_ms      12  Input|queue
process_ms          12  Process
output_queue_ms     12  Output|queue
output_message_ms   12  Output|message
transit_ms          12  Transit
fail_code            4  Fail
"""

[columns]
sync_utc          = { label = "Sync Point Time" }
input_queue_ms    = { label = "Input queue time", better = "lower", format = "3" }
process_ms        = { label = "Process time", better = "lower", format = "3" }
output_queue_ms   = { label = "Output queue time", better = "lower", format = "3" }
output_message_ms = { label = "Output message time", better = "lower", format = "3" }
transit_ms        = { label = "Transit time", better = "lower", format = "3" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims,
    hex(uow)                                                     AS uow, -- Unit of work that joins its records, hexadecimal
    sync_utc, tran,
    nullif(routing, '')                                          AS routing, -- Routing code; NULL without one, as after a failed sync point
    lterm, psb, pst, committed, fail_code,
    0.001 * input_queue_us                                       AS input_queue_ms, -- Input exit to Get Unique
    0.001 * process_us                                           AS process_ms, -- Get Unique to sync point
    0.001 * output_queue_us                                      AS output_queue_ms, -- Sync point to router
    0.001 * output_message_us                                    AS output_message_ms, -- Router to dequeue, not part of the transit
    0.001 * transit_us                                           AS transit_ms, -- Input queue, process and output queue
    input_bytes, output_bytes, file_id, record_no
FROM ims_fast_path
ORDER BY run, system, ims, sync_utc, uow
