/* imsperf report
id       = "rmf.ess"
title    = "ESS Link Statistics"
answers  = "Which port of the storage controller is busy or slow?"
key      = ["controller", "port", "operation"]
time     = "interval_start_utc"
lead     = "smf74_8_product"
needs    = ["load_file", "smf74_8_control", "smf74_8_link", "smf74_8_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "port"
y        = ["intensity"]
color    = "operation"
facet    = "controller"
title    = "Intensity of the ports, ms of work a second"

[[column]]
name     = "controller"
label    = "SERIAL NUMBER"
kind     = "text"
doc      = "Serial number of the storage controller"
from     = ["smf74_8_control.r748cser"]

[[column]]
name     = "controller_type"
label    = "TYPE"
kind     = "text"
doc      = "Type of the storage controller"
from     = ["smf74_8_control.r748ctyp"]

[[column]]
name     = "port"
label    = "SAID"
kind     = "text"
doc      = "Adapter port, hex"
from     = ["smf74_8_link.r748laid"]

[[column]]
name     = "type"
label    = "LINK TYPE"
kind     = "text"
doc      = "Kind of link"
from     = ["smf74_8_link.r748ltyp"]

[[column]]
name     = "operation"
label    = "OPERATION"
kind     = "text"
doc      = "ECKD READ, ECKD WRITE, PPRC SEND, PPRC RECEIVE, SCSI READ, SCSI WRITE"
from     = ["smf74_8_link.r748lero", "smf74_8_link.r748lewo", "smf74_8_link.r748lpso",
            "smf74_8_link.r748lpro", "smf74_8_link.r748lsro", "smf74_8_link.r748lswo"]

[[column]]
name     = "bytes_per_s"
label    = "BYTES/SEC"
unit     = "bytes/s"
kind     = "ratio"
num      = "data_bytes"
den      = "interval_s"
format   = "scaled"
empty    = ""
doc      = "Bytes a second; NULL where their unit is not known"
from     = ["smf74_8_link.r748lerb", "smf74_8_link.r748lewb", "smf74_8_link.r748lpsb",
            "smf74_8_link.r748lprb", "smf74_8_link.r748lsrb", "smf74_8_link.r748lswb",
            "smf74_8_product.smf74int"]

[[column]]
name     = "bytes_per_operation"
label    = "BYTES/OPERATION"
unit     = "bytes"
kind     = "ratio"
num      = "data_bytes"
den      = "operation_count"
format   = "scaled"
empty    = ""
doc      = "Bytes of an operation"
from     = ["smf74_8_link.r748lerb", "smf74_8_link.r748lewb", "smf74_8_link.r748lpsb",
            "smf74_8_link.r748lprb", "smf74_8_link.r748lsrb", "smf74_8_link.r748lswb",
            "smf74_8_link.r748lero", "smf74_8_link.r748lewo", "smf74_8_link.r748lpso",
            "smf74_8_link.r748lpro", "smf74_8_link.r748lsro", "smf74_8_link.r748lswo"]

[[column]]
name     = "operations_per_s"
label    = "OPERATIONS/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "operation_count"
den      = "interval_s"
format   = "rate"
doc      = "Operations a second"
from     = ["smf74_8_link.r748lero", "smf74_8_link.r748lewo", "smf74_8_link.r748lpso",
            "smf74_8_link.r748lpro", "smf74_8_link.r748lsro", "smf74_8_link.r748lswo",
            "smf74_8_product.smf74int"]

[[column]]
name     = "resp_ms"
label    = "RESP TIME/OPERATION"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "busy_ms"
den      = "operation_count"
format   = "3"
empty    = ""
doc      = "Time of an operation on the link"
from     = ["smf74_8_link.r748lert", "smf74_8_link.r748lewt", "smf74_8_link.r748lpst",
            "smf74_8_link.r748lprt", "smf74_8_link.r748lsrt", "smf74_8_link.r748lswt",
            "smf74_8_link.r748lero", "smf74_8_link.r748lewo", "smf74_8_link.r748lpso",
            "smf74_8_link.r748lpro", "smf74_8_link.r748lsro", "smf74_8_link.r748lswo"]

[[column]]
name     = "intensity"
label    = "I/O INTENSITY"
unit     = "ms/s"
kind     = "ratio"
num      = "busy_ms"
den      = "interval_s"
format   = "1"
empty    = ""
doc      = "Milliseconds of work in a second"
from     = ["smf74_8_link.r748lert", "smf74_8_link.r748lewt", "smf74_8_link.r748lpst",
            "smf74_8_link.r748lprt", "smf74_8_link.r748lsrt", "smf74_8_link.r748lswt",
            "smf74_8_product.smf74int"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_ess_link.interval_s"]

[[column]]
name     = "data_bytes"
unit     = "bytes"
kind     = "part"
doc      = "Bytes"
from     = ["rmf_ess_link.data_bytes"]

[[column]]
name     = "operation_count"
kind     = "part"
doc      = "Operations"
from     = ["rmf_ess_link.operation_count"]

[[column]]
name     = "busy_ms"
unit     = "ms"
kind     = "part"
doc      = "Time of the operations"
from     = ["rmf_ess_link.busy_ms"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    controller                                                   AS controller,
    controller_type                                              AS controller_type,
    port                                                         AS port,
    type                                                         AS type,
    operation                                                    AS operation,
    data_bytes / nullif(interval_s, 0)                           AS bytes_per_s,
    data_bytes / nullif(operation_count, 0)                      AS bytes_per_operation,
    operation_count / nullif(interval_s, 0)                      AS operations_per_s,
    busy_ms / nullif(operation_count, 0)                         AS resp_ms,
    busy_ms / nullif(interval_s, 0)                              AS intensity,
    interval_s                                                   AS interval_s,
    data_bytes                                                   AS data_bytes,
    operation_count                                              AS operation_count,
    busy_ms                                                      AS busy_ms
FROM rmf_ess_link
ORDER BY run, system, interval_start_utc, interval_start, controller, port, operation
