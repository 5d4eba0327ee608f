/* imsperf report
id       = "rmf.xcf"
title    = "XCF Usage by System"
answers  = "Do signals wait for buffers or paths, and do the transport classes fit?"
key      = ["remote_system", "direction", "transport_class"]
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "transport_class"
y        = ["small_count", "fit_count", "big_count"]
facet    = "remote_system"
where    = "direction = 'OUT'"
title    = "Outbound messages by size"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.xcf"], ["rmf.xcf_member"], ["rmf.xcf_path"]]
title    = "XCF Activity"
above    = "                                              XCF USAGE BY SYSTEM"

[page.texts]
all_requests = "format('{:,.0f}', sum(request_count) OVER (PARTITION BY run, system, interval_start_utc, direction))"

[[page.table]]
above    = "OUTBOUND FROM {system}"
where    = "direction = 'OUT'"
columns  = """
remote_system     -8  TO|SYSTEM
transport_class  -15  |TRANSPORT CLASS
buffer_length      7  BUFFER|LENGTH
requests          10  REQ|OUT
small_pct          6  %|SML
fit_pct            6  %|FIT
big_pct            6  %|BIG
overhead_pct       6  %|OVR
no_path           10  ALL PATHS|UNAVAIL
rejected           8  REQ|REJECT
"""

[[page.table]]
where    = "direction = 'OUT' AND row_place = max(row_place) OVER (PARTITION BY run, system, interval_start_utc, direction)"
joined   = true
text     = "TOTAL {all_requests:37}"

[[page.table]]
above    = "LOCAL {system}"
where    = "direction = 'LOCAL'"
columns  = """
remote_system     -8  TO|SYSTEM
transport_class  -15  |TRANSPORT CLASS
buffer_length      7  BUFFER|LENGTH
requests          10  REQ|OUT
small_pct          6  %|SML
fit_pct            6  %|FIT
big_pct            6  %|BIG
overhead_pct       6  %|OVR
no_path           10  ALL PATHS|UNAVAIL
rejected           8  REQ|REJECT
"""

[[page.table]]
above    = "INBOUND TO {system}"
where    = "direction = 'IN'"
columns  = """
remote_system   -8  FROM|SYSTEM
requests        10  REQ|IN
rejected         8  REQ|REJECT
"""

[[page.table]]
where    = "direction = 'IN' AND row_place = max(row_place) OVER (PARTITION BY run, system, interval_start_utc, direction)"
joined   = true
text     = "TOTAL {all_requests:13}"

[columns]
direction      = { label = "DIRECTION" }
buffer_length  = { format = "int", empty = "" }
requests       = { kind = "count", format = "scaled" }
requests_per_s = { label = "REQ/SEC", format = "rate" }
small_pct      = { format = "int", empty = "" }
fit_pct        = { format = "int", empty = "" }
big_pct        = { format = "int", empty = "" }
overhead_pct   = { better = "lower", format = "int", empty = "" }
no_path        = { kind = "count", better = "lower", format = "scaled" }
no_buffer      = { label = "NO BUFFER", kind = "count", better = "lower", format = "scaled" }
rejected       = { kind = "count", better = "lower", format = "scaled" }
paths          = { label = "PATHS", kind = "level", format = "int" }
max_buffer_kb  = { label = "MAX BUFFER", kind = "highwater", format = "kilobytes" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, remote_system, direction,
    transport_class, buffer_length,
    request_count                                                AS requests, -- Messages [requests]
    request_count / nullif(interval_s, 0)                        AS requests_per_s, -- Messages a second
    100 * small_count / nullif(request_count, 0)                 AS small_pct, -- A shorter buffer would have held them
    100 * fit_count / nullif(request_count, 0)                   AS fit_pct, -- Fit the length of their class
    100 * big_count / nullif(request_count, 0)                   AS big_pct, -- Longer than the length of their class
    100 * overhead_count / nullif(big_count, 0)                  AS overhead_pct, -- Sent with overhead, of the big ones
    no_path_count                                                AS no_path, -- Times no path could be used
    no_buffer_count                                              AS no_buffer, -- Times no message buffer was free
    no_path_count + no_buffer_count                              AS rejected, -- Rejected: no path or no buffer; that both count is inferred [requests]
    paths, -- Signalling paths at work [paths]
    max_buffer_kb, interval_s, request_count, small_count, fit_count, big_count, overhead_count
FROM rmf_xcf_system
ORDER BY run, sysplex, system, interval_start_utc, interval_start, direction DESC, remote_system,
    transport_class
