/* imsperf report
id       = "rmf.ess"
title    = "ESS Link Statistics"
answers  = "Which port of the storage controller is busy or slow?"
key      = ["controller", "port", "operation"]
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "port"
y        = ["intensity"]
color    = "operation"
facet    = "controller"
title    = "Intensity of the ports, ms of work a second"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.ess"], ["rmf.ess_rank"]]

[[page.table]]
columns  = """
controller           -10  SERIAL|NUMBER
port                  -4  |SAID
type                 -13  LINK|TYPE
operation            -12  |OPERATION
bytes_per_s           11  BYTES|/SEC
bytes_per_operation   10  BYTES|/OPERATION
operations_per_s      10  OPERATIONS|/SEC
resp_ms               10  RESP TIME|/OPERATION
intensity              9  I/O|INTENSITY
"""

[columns]
controller_type     = { label = "TYPE" }
bytes_per_s         = { label = "BYTES/SEC", format = "scaled", empty = "" }
bytes_per_operation = { label = "BYTES/OPERATION", format = "scaled", empty = "" }
operations_per_s    = { label = "OPERATIONS/SEC", format = "rate" }
resp_ms             = { label = "RESP TIME/OPERATION", better = "lower", format = "3", empty = "" }
intensity           = { format = "1", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, controller, controller_type, port,
    type, operation,
    data_bytes / nullif(interval_s, 0)                           AS bytes_per_s, -- Bytes a second; NULL where their unit is not known [bytes/s]
    data_bytes / nullif(operation_count, 0)                      AS bytes_per_operation, -- Bytes of an operation [bytes]
    operation_count / nullif(interval_s, 0)                      AS operations_per_s, -- Operations a second
    busy_ms / nullif(operation_count, 0)                         AS resp_ms, -- Time of an operation on the link
    busy_ms / nullif(interval_s, 0)                              AS intensity, -- Milliseconds of work in a second [ms/s]
    interval_s, data_bytes, operation_count, busy_ms
FROM rmf_ess_link
ORDER BY run, sysplex, system, interval_start_utc, interval_start, controller, port, operation
