/* imsperf report
id       = "ims.transit_list"
title    = "Transaction Transit Log"
answers  = "How long did each single transaction take, and where?"
key      = ["ims", "uow"]
any_of   = ["ims_01", "ims_5937", "ims_5938"]
no_rows  = "its messages are none for a transaction, or their file is of no known log"

[page]
layout   = "ours"
note     = """
FF full function   SW program switch   FP Fast Path
* its own CPU time and waits (56FA), else an equal share of its program's (07)
"""

[page.texts]
kind     = "CASE kind WHEN 'full_function' THEN 'FF' WHEN 'switch' THEN 'SW' WHEN 'fast_path' THEN 'FP' ELSE '-' END"
own      = "CASE WHEN has_unit THEN '*' ELSE ' ' END"

[[page.table]]
above    = "                                               -------------------------- Milliseconds --------------------------"
columns  = """
arrival_utc       -23  Arrival UTC
tran               -8  Trancode
kind               -2
pst                 5  Region
input_queue_ms      9  Input Q
schedule_ms         9  Schedule
process_ms          9  Process
output_queue_ms     9  Output Q
total_ms            9  Total
response_ms         9  Response
cpu_us              9  CPU us
own                -1
db_io_ms            7  I/O ms
lock_ms             7  Lock ms
"""

[columns]
kind            = { label = "Kind" }
input_queue_ms  = { better = "lower", format = "3" }
schedule_ms     = { better = "lower", format = "3" }
process_ms      = { better = "lower", format = "3" }
output_queue_ms = { better = "lower", format = "3" }
total_ms        = { better = "lower", format = "3" }
response_ms     = { better = "lower", format = "3" }
cpu_us          = { better = "lower", format = "1" }
db_io_ms        = { better = "lower", format = "3" }
lock_ms         = { better = "lower", format = "3" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims,
    hex(uow)                                                     AS uow, -- Unit of work of the message, hexadecimal
    arrival_utc, tran, kind, psb, pst,
    0.001 * input_queue_us                                       AS input_queue_ms, -- Queued until the program got it
    0.001 * schedule_us                                          AS schedule_ms, -- Scheduling of the program, part of the input queue; first message of a schedule only
    0.001 * process_us                                           AS process_ms, -- Get Unique to the next one, the commit or the end of the program; Fast Path: to sync point
    0.001 * output_queue_us                                      AS output_queue_ms, -- Insert of the first output to its sending; Fast Path: sync point to router
    0.001 * total_us                                             AS total_ms, -- Input queue, processing and output queue
    0.001 * response_us                                          AS response_ms, -- Arrival to sending
    cpu_us, ziip_us,
    0.001 * db_io_us                                             AS db_io_ms, -- Waiting for database I/O
    0.001 * lock_us                                              AS lock_ms, -- Waiting for locks
    db_calls_count                                               AS db_calls, -- Calls to full-function databases [calls]
    has_unit, file_id, record_no, interval_s
FROM ims_message
ORDER BY run, system, ims, arrival_utc, uow
