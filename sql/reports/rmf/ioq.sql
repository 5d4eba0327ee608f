/* imsperf report
id       = "rmf.ioq"
title    = "I/O Queuing Activity"
answers  = "Is the wait in the channel, the director, the control unit or the alias pool?"
key      = ["lcu", "path"]
time     = "interval_start_utc"
lead     = "smf78_3_product"
needs    = ["load_file", "smf78_3_control", "smf78_3_hyperpav", "smf78_3_path",
            "smf78_3_product", "smf78_3_queue"]
optional = ["smf78_3_hyperpav"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "lcu"
y        = ["css_delay_ms", "cmr_delay_ms", "cub_delay_ms"]
facet    = "system"
stack    = "no"
where    = "path IS NULL"
top      = 20
by       = "taken_count"
title    = "Delays of the 20 busiest logical control units, ms"

[[column]]
name     = "lcu"
label    = "LCU"
kind     = "text"
doc      = "Logical control unit, hex"
from     = ["smf78_3_control.r783id1", "smf78_3_queue.r783id2"]

[[column]]
name     = "path"
label    = "CHAN PATHS"
kind     = "text"
doc      = "Channel path id, hex; NULL for the whole logical control unit"
from     = ["smf78_3_path.r783cpid"]

[[column]]
name     = "taken_per_s"
label    = "CHPID TAKEN"
unit     = "1/s"
kind     = "ratio"
num      = "taken_count"
den      = "interval_s"
format   = "rate"
doc      = "I/O requests a second the path took"
from     = ["smf78_3_path.r783pt", "smf78_3_product.smf78int"]

[[column]]
name     = "dp_busy_pct"
label    = "% DP BUSY"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "dp_busy_count"
den      = "try_count"
scale    = 100
format   = "2"
doc      = "Director port busy, of all tries"
from     = ["smf78_3_path.r783dpb", "smf78_3_path.r783pt", "smf78_3_path.r783cub"]

[[column]]
name     = "cu_busy_pct"
label    = "% CU BUSY"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "cu_busy_count"
den      = "try_count"
scale    = 100
format   = "2"
doc      = "Control unit busy, of all tries"
from     = ["smf78_3_path.r783cub", "smf78_3_path.r783pt", "smf78_3_path.r783dpb"]

[[column]]
name     = "cub_delay_ms"
label    = "AVG CUB DLY"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "cu_busy_us"
den      = "taken_count"
scale    = 0.001
format   = "device"
doc      = "Control unit busy delay of a request"
from     = ["smf78_3_path.r783cbt", "smf78_3_path.r783pt"]

[[column]]
name     = "cmr_delay_ms"
label    = "AVG CMR DLY"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "cmr_us"
den      = "taken_count"
scale    = 0.001
format   = "device"
doc      = "Initial command response delay of a request"
from     = ["smf78_3_path.r783cmr", "smf78_3_path.r783pt"]

[[column]]
name     = "contention_per_s"
label    = "CONTENTION RATE"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "queue_count"
den      = "interval_s"
format   = "rate"
empty    = ""
doc      = "Requests a second that waited in the control unit header queue; only of the whole LCU"
from     = ["smf78_3_queue.r783qct", "smf78_3_product.smf78int"]

[[column]]
name     = "delay_queue"
label    = "DELAY Q LNGTH"
better   = "lower"
kind     = "ratio"
num      = "queue_excess_sum"
den      = "queue_count"
format   = "2"
empty    = ""
doc      = "Mean length of that queue"
from     = ["smf78_3_queue.r783qsm", "smf78_3_queue.r783qct"]

[[column]]
name     = "css_delay_ms"
label    = "AVG CSS DLY"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "css_us"
den      = "taken_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Time of a request in the channel subsystem"
from     = ["smf78_3_queue.r783csst", "smf78_3_path.r783pt"]

[[column]]
name     = "hpav_wait"
label    = "HPAV WAIT"
better   = "lower"
kind     = "ratio"
num      = "no_alias_count"
den      = "alias_io_count"
format   = "3"
empty    = ""
doc      = "I/Os that found no alias, of the requests of the subsystem"
from     = ["smf78_3_hyperpav.r783hnai", "smf78_3_hyperpav.r783htio"]

[[column]]
name     = "hpav_max"
label    = "HPAV MAX"
kind     = "highwater"
format   = "int"
empty    = ""
doc      = "Most aliases in use, borrowed ones included"
from     = ["smf78_3_hyperpav.r783haiu", "smf78_3_hyperpav.r783xhbc"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_io_queue.interval_s"]

[[column]]
name     = "taken_count"
unit     = "requests"
kind     = "part"
doc      = "I/O requests taken"
from     = ["rmf_io_queue.taken_count"]

[[column]]
name     = "dp_busy_count"
kind     = "part"
doc      = "Times the director port was busy"
from     = ["rmf_io_queue.dp_busy_count"]

[[column]]
name     = "cu_busy_count"
kind     = "part"
doc      = "Times the control unit was busy"
from     = ["rmf_io_queue.cu_busy_count"]

[[column]]
name     = "try_count"
kind     = "part"
doc      = "Tries"
from     = ["rmf_io_queue.try_count"]

[[column]]
name     = "cu_busy_us"
unit     = "us"
kind     = "part"
doc      = "Control unit busy delay"
from     = ["rmf_io_queue.cu_busy_us"]

[[column]]
name     = "cmr_us"
unit     = "us"
kind     = "part"
doc      = "Command response delay"
from     = ["rmf_io_queue.cmr_us"]

[[column]]
name     = "queue_count"
unit     = "requests"
kind     = "part"
doc      = "Requests that waited"
from     = ["rmf_io_queue.queue_count"]

[[column]]
name     = "queue_excess_sum"
kind     = "part"
doc      = "Lengths of the queue, summed"
from     = ["rmf_io_queue.queue_excess_sum"]

[[column]]
name     = "css_us"
unit     = "us"
kind     = "part"
doc      = "Time in the channel subsystem"
from     = ["rmf_io_queue.css_us"]

[[column]]
name     = "no_alias_count"
unit     = "I/O"
kind     = "part"
doc      = "I/Os without an alias"
from     = ["rmf_io_queue.no_alias_count"]

[[column]]
name     = "alias_io_count"
unit     = "I/O"
kind     = "part"
doc      = "I/O requests of the subsystem"
from     = ["rmf_io_queue.alias_io_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    lcu                                                          AS lcu,
    path                                                         AS path,
    taken_count / nullif(interval_s, 0)                          AS taken_per_s,
    100 * dp_busy_count / nullif(try_count, 0)                   AS dp_busy_pct,
    100 * cu_busy_count / nullif(try_count, 0)                   AS cu_busy_pct,
    0.001 * cu_busy_us / nullif(taken_count, 0)                  AS cub_delay_ms,
    0.001 * cmr_us / nullif(taken_count, 0)                      AS cmr_delay_ms,
    queue_count / nullif(interval_s, 0)                          AS contention_per_s,
    queue_excess_sum / nullif(queue_count, 0)                    AS delay_queue,
    0.001 * css_us / nullif(taken_count, 0)                      AS css_delay_ms,
    no_alias_count / nullif(alias_io_count, 0)                   AS hpav_wait,
    hpav_max                                                     AS hpav_max,
    interval_s                                                   AS interval_s,
    taken_count                                                  AS taken_count,
    dp_busy_count                                                AS dp_busy_count,
    cu_busy_count                                                AS cu_busy_count,
    try_count                                                    AS try_count,
    cu_busy_us                                                   AS cu_busy_us,
    cmr_us                                                       AS cmr_us,
    queue_count                                                  AS queue_count,
    queue_excess_sum                                             AS queue_excess_sum,
    css_us                                                       AS css_us,
    no_alias_count                                               AS no_alias_count,
    alias_io_count                                               AS alias_io_count
FROM rmf_io_queue
ORDER BY run, system, interval_start_utc, interval_start, lcu, path
