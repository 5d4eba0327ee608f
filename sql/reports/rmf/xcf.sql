/* imsperf report
id       = "rmf.xcf"
title    = "XCF Usage by System"
answers  = "Do signals wait for buffers or paths, and do the transport classes fit?"
key      = ["remote_system", "direction", "transport_class"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "transport_class"
y        = ["small_count", "fit_count", "big_count"]
facet    = "remote_system"
where    = "direction = 'OUT'"
title    = "Outbound messages by size"

[columns]
remote_system   = { label = "TO SYSTEM" }
direction       = { label = "DIRECTION" }
transport_class = { label = "TRANSPORT CLASS" }
buffer_length   = { label = "BUFFER LENGTH", format = "int", empty = "" }
requests        = { label = "REQ OUT", kind = "count", format = "scaled" }
requests_per_s  = { label = "REQ/SEC", format = "rate" }
small_pct       = { label = "% SML", format = "1", empty = "" }
fit_pct         = { label = "% FIT", format = "1", empty = "" }
big_pct         = { label = "% BIG", format = "1", empty = "" }
overhead_pct    = { label = "% OVR", better = "lower", format = "1", empty = "" }
no_path         = { label = "ALL PATHS UNAVAIL", kind = "count", better = "lower", format = "scaled" }
no_buffer       = { label = "NO BUFFER", kind = "count", better = "lower", format = "scaled" }
rejected        = { label = "REQ REJECT", kind = "count", better = "lower", format = "scaled" }
paths           = { label = "PATHS", kind = "level", format = "int" }
max_buffer_kb   = { label = "MAX BUFFER", kind = "highwater", format = "kilobytes" }
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
ORDER BY run, system, interval_start_utc, interval_start, direction DESC, remote_system,
    transport_class
