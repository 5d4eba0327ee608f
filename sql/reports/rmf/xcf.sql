/* imsperf report
id       = "rmf.xcf"
title    = "XCF Usage by System"
answers  = "Do signals wait for buffers or paths, and do the transport classes fit?"
key      = ["remote_system", "direction", "transport_class"]
time     = "interval_start_utc"
lead     = "smf74_2_product"
needs    = ["load_file", "smf74_2_product", "smf74_2_system"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "transport_class"
y        = ["small_count", "fit_count", "big_count"]
facet    = "remote_system"
where    = "direction = 'OUT'"
title    = "Outbound messages by size"

[[column]]
name     = "remote_system"
label    = "TO SYSTEM"
kind     = "text"
doc      = "System at the other end"
from     = ["smf74_2_system.r742snme"]

[[column]]
name     = "direction"
label    = "DIRECTION"
kind     = "text"
doc      = "IN, OUT or LOCAL"
from     = ["smf74_2_system.r742sdir"]

[[column]]
name     = "transport_class"
label    = "TRANSPORT CLASS"
kind     = "text"
doc      = "Transport class"
from     = ["smf74_2_system.r742stcn"]

[[column]]
name     = "buffer_length"
label    = "BUFFER LENGTH"
unit     = "bytes"
kind     = "config"
format   = "int"
empty    = ""
doc      = "Message length of the transport class"
from     = ["smf74_2_system.r742stcl"]

[[column]]
name     = "requests"
label    = "REQ OUT"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Messages"
from     = ["smf74_2_system.r742sbig", "smf74_2_system.r742sfit", "smf74_2_system.r742ssml"]

[[column]]
name     = "requests_per_s"
label    = "REQ/SEC"
unit     = "1/s"
kind     = "ratio"
num      = "request_count"
den      = "interval_s"
format   = "rate"
doc      = "Messages a second"
from     = ["smf74_2_system.r742sfit", "smf74_2_product.smf74int"]

[[column]]
name     = "small_pct"
label    = "% SML"
unit     = "%"
kind     = "ratio"
num      = "small_count"
den      = "request_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "A shorter buffer would have held them"
from     = ["smf74_2_system.r742ssml", "smf74_2_system.r742sbig", "smf74_2_system.r742sfit",
            "smf74_2_system.r742ssml"]

[[column]]
name     = "fit_pct"
label    = "% FIT"
unit     = "%"
kind     = "ratio"
num      = "fit_count"
den      = "request_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Fit the length of their class"
from     = ["smf74_2_system.r742sfit", "smf74_2_system.r742sbig", "smf74_2_system.r742sfit",
            "smf74_2_system.r742ssml"]

[[column]]
name     = "big_pct"
label    = "% BIG"
unit     = "%"
kind     = "ratio"
num      = "big_count"
den      = "request_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Longer than the length of their class"
from     = ["smf74_2_system.r742sbig", "smf74_2_system.r742sbig", "smf74_2_system.r742sfit",
            "smf74_2_system.r742ssml"]

[[column]]
name     = "overhead_pct"
label    = "% OVR"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "overhead_count"
den      = "big_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Sent with overhead, of the big ones"
from     = ["smf74_2_system.r742sovr", "smf74_2_system.r742sbig"]

[[column]]
name     = "no_path"
label    = "ALL PATHS UNAVAIL"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times no path could be used"
from     = ["smf74_2_system.r742snop"]

[[column]]
name     = "no_buffer"
label    = "NO BUFFER"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Times no message buffer was free"
from     = ["smf74_2_system.r742sbsy"]

[[column]]
name     = "rejected"
label    = "REQ REJECT"
unit     = "requests"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Rejected: no path or no buffer; that both count is inferred"
from     = ["smf74_2_system.r742snop", "smf74_2_system.r742sbsy"]

[[column]]
name     = "paths"
label    = "PATHS"
unit     = "paths"
kind     = "level"
format   = "int"
doc      = "Signalling paths at work"
from     = ["smf74_2_system.r742spth"]

[[column]]
name     = "max_buffer_kb"
label    = "MAX BUFFER"
unit     = "KB"
kind     = "highwater"
format   = "kilobytes"
doc      = "Most storage for message buffers"
from     = ["smf74_2_system.r742smxb"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_xcf_system.interval_s"]

[[column]]
name     = "request_count"
unit     = "requests"
kind     = "part"
doc      = "Messages"
from     = ["rmf_xcf_system.request_count"]

[[column]]
name     = "small_count"
unit     = "requests"
kind     = "part"
doc      = "Small messages"
from     = ["rmf_xcf_system.small_count"]

[[column]]
name     = "fit_count"
unit     = "requests"
kind     = "part"
doc      = "Messages that fit"
from     = ["rmf_xcf_system.fit_count"]

[[column]]
name     = "big_count"
unit     = "requests"
kind     = "part"
doc      = "Big messages"
from     = ["rmf_xcf_system.big_count"]

[[column]]
name     = "overhead_count"
unit     = "requests"
kind     = "part"
doc      = "Big messages with overhead"
from     = ["rmf_xcf_system.overhead_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    remote_system                                                AS remote_system,
    direction                                                    AS direction,
    transport_class                                              AS transport_class,
    buffer_length                                                AS buffer_length,
    request_count                                                AS requests,
    request_count / nullif(interval_s, 0)                        AS requests_per_s,
    100 * small_count / nullif(request_count, 0)                 AS small_pct,
    100 * fit_count / nullif(request_count, 0)                   AS fit_pct,
    100 * big_count / nullif(request_count, 0)                   AS big_pct,
    100 * overhead_count / nullif(big_count, 0)                  AS overhead_pct,
    no_path_count                                                AS no_path,
    no_buffer_count                                              AS no_buffer,
    no_path_count + no_buffer_count                              AS rejected,
    paths                                                        AS paths,
    max_buffer_kb                                                AS max_buffer_kb,
    interval_s                                                   AS interval_s,
    request_count                                                AS request_count,
    small_count                                                  AS small_count,
    fit_count                                                    AS fit_count,
    big_count                                                    AS big_count,
    overhead_count                                               AS overhead_count
FROM rmf_xcf_system
ORDER BY run, system, interval_start_utc, interval_start, direction DESC, remote_system,
    transport_class
