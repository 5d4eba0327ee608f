/* imsperf report
id       = "rmf.xcf_path"
title    = "XCF Path Statistics"
answers  = "Which signalling path is busy or slow?"
key      = ["remote_system", "direction", "type", "device", "list_no"]
time     = "interval_start_utc"
lead     = "smf74_2_product"
needs    = ["load_file", "smf74_2_path", "smf74_2_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "device"
y        = ["signals_per_s"]
facet    = "direction"
title    = "Signals a second"

[[column]]
name     = "remote_system"
label    = "SYSTEM"
kind     = "text"
doc      = "System at the other end"
from     = ["smf74_2_path.r742pnme"]

[[column]]
name     = "direction"
label    = "DIRECTION"
kind     = "text"
doc      = "IN or OUT"
from     = ["smf74_2_path.r742pdir"]

[[column]]
name     = "type"
label    = "TYP"
kind     = "text"
doc      = "CTC or STRUCTURE"
from     = ["smf74_2_path.r742ptyp"]

[[column]]
name     = "device"
label    = "DEVICE OR STRUCTURE"
kind     = "text"
doc      = "Device number here, or the structure"
from     = ["smf74_2_path.r742pdev", "smf74_2_path.r742pstr"]

[[column]]
name     = "list_no"
label    = "LIST"
kind     = "config"
format   = "int"
empty    = ""
doc      = "List in the structure"
from     = ["smf74_2_path.r742plin"]

[[column]]
name     = "remote_device"
label    = "OTHER DEVICE"
kind     = "text"
empty    = ""
doc      = "Device number at the other end"
from     = ["smf74_2_path.r742podv"]

[[column]]
name     = "transport_class"
label    = "TRANSPORT CLASS"
kind     = "text"
doc      = "Transport class"
from     = ["smf74_2_path.r742ptcn"]

[[column]]
name     = "signals"
label    = "REQ"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Signals that went over the path"
from     = ["smf74_2_path.r742psig"]

[[column]]
name     = "signals_per_s"
label    = "REQ/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "signal_count"
den      = "interval_s"
format   = "rate"
doc      = "Signals a second"
from     = ["smf74_2_path.r742psig", "smf74_2_product.smf74int"]

[[column]]
name     = "avg_queue"
label    = "AVG Q LNGTH"
better   = "lower"
kind     = "ratio"
num      = "queue_sum"
den      = "samples_count"
format   = "2"
doc      = "Outbound signals waiting, mean of the samples"
from     = ["smf74_2_path.r742pqln", "smf74_2_product.smf74sam"]

[[column]]
name     = "idle"
label    = "AVAIL"
kind     = "count"
format   = "scaled"
doc      = "Selections that found the path idle"
from     = ["smf74_2_path.r742psus"]

[[column]]
name     = "busy"
label    = "BUSY"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Selections that found the path busy"
from     = ["smf74_2_path.r742papp"]

[[column]]
name     = "restarts"
label    = "RETRY"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Restarts of the path"
from     = ["smf74_2_path.r742prst"]

[[column]]
name     = "rejected"
label    = "BUFFERS UNAVAIL"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Inbound signals turned away at the buffer limit"
from     = ["smf74_2_path.r742pibr"]

[[column]]
name     = "transfer_us"
label    = "TRANSFER TIME"
unit     = "us"
better   = "lower"
kind     = "level"
format   = "1"
doc      = "Mean transfer time of a signal; NULL on overflow"
from     = ["smf74_2_path.r742piot"]

[[column]]
name     = "no_buffer"
label    = "NO BUF"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times a missing inbound buffer held up the path"
from     = ["smf74_2_path.r742pnib_time"]

[[column]]
name     = "no_buffer_us"
label    = "NO BUF TIME"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "no_buffer_total_us"
den      = "no_buffer"
format   = "1"
empty    = ""
doc      = "Time a missing inbound buffer held up the path"
from     = ["smf74_2_path.r742pnib_timesum", "smf74_2_path.r742pnib_time"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_xcf_path.interval_s"]

[[column]]
name     = "signal_count"
unit     = "requests"
kind     = "part"
doc      = "Signals"
from     = ["rmf_xcf_path.signal_count"]

[[column]]
name     = "queue_sum"
kind     = "part"
doc      = "Signals waiting, summed"
from     = ["rmf_xcf_path.queue_sum"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "RMF samples"
from     = ["rmf_xcf_path.samples_count"]

[[column]]
name     = "no_buffer_total_us"
unit     = "us"
kind     = "part"
doc      = "Time lost for want of a buffer"
from     = ["rmf_xcf_path.no_buffer_us"]
*/
WITH path AS (
    SELECT *, no_buffer_us AS no_buffer_us_sum
    FROM rmf_xcf_path
)
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    remote_system                                                AS remote_system,
    direction                                                    AS direction,
    type                                                         AS type,
    device                                                       AS device,
    list_no                                                      AS list_no,
    remote_device                                                AS remote_device,
    transport_class                                              AS transport_class,
    signal_count                                                 AS signals,
    signal_count / nullif(interval_s, 0)                         AS signals_per_s,
    queue_sum / nullif(samples_count, 0)                         AS avg_queue,
    idle_count                                                   AS idle,
    busy_count                                                   AS busy,
    restart_count                                                AS restarts,
    reject_count                                                 AS rejected,
    transfer_us                                                  AS transfer_us,
    no_buffer_count                                              AS no_buffer,
    no_buffer_us / nullif(no_buffer_count, 0)                    AS no_buffer_us,
    interval_s                                                   AS interval_s,
    signal_count                                                 AS signal_count,
    queue_sum                                                    AS queue_sum,
    samples_count                                                AS samples_count,
    no_buffer_us_sum                                             AS no_buffer_total_us
FROM path
ORDER BY run, system, interval_start_utc, interval_start, direction DESC, remote_system, device,
    list_no
