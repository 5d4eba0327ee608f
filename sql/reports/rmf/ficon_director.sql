/* imsperf report
id       = "rmf.ficon_director"
title    = "FICON Director Activity"
answers  = "Which port of a director is busy, or holds frames back?"
called   = ["fcd"]
key      = ["director", "port"]
no_rows  = "no port returned statistics"

[chart]
mark     = "bar"
x        = "port"
y        = ["read_mbps", "write_mbps"]
facet    = "director"
top      = 20
by       = "received_bytes"
title    = "Port bandwidth, 10^6 bytes a second"

[page]
layout   = "smf2db 0.1.3"
breaks   = ["director"]
above    = """
SWITCH DEVICE: {director}    SWITCH ID: {switch_id}

"""

[[page.table]]
columns  = """
port               -4  PORT||ADDR
unit               -6  CONNECT|ION|UNIT
unit_id            -4  ||ID
serial            -12  |SERIAL|NUMBER
frame_pacing_us     9  AVG|FRAME|PACING
read_frame_bytes    8  FRAME|SIZE|READ
write_frame_bytes   8  FRAME|SIZE|WRITE
read_mbps           9  PORT BW|MB/SEC|READ
write_mbps          9  PORT BW|MB/SEC|WRITE
errors              9  |ERROR|COUNT
"""

[columns]
unit              = { empty = "" }
unit_id           = { empty = "" }
serial            = { empty = "" }
frame_pacing_us   = { better = "lower", format = "2", empty = "" }
read_frame_bytes  = { format = "int", empty = "" }
write_frame_bytes = { format = "int", empty = "" }
read_mbps         = { format = "2" }
write_mbps        = { format = "2" }
errors            = { kind = "count", better = "lower", format = "int" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, director, switch_id, port, unit,
    unit_id, serial,
    pacing_us / nullif(sent_frames, 0)                           AS frame_pacing_us, -- Mean time a frame was held back before it was sent
    received_bytes / nullif(received_frames, 0)                  AS read_frame_bytes, -- Mean size of a frame received [bytes]
    sent_bytes / nullif(sent_frames, 0)                          AS write_frame_bytes, -- Mean size of a frame sent [bytes]
    1e-6 * received_bytes / nullif(interval_s, 0)                AS read_mbps, -- Received; that READ is what the port receives is inferred
    1e-6 * sent_bytes / nullif(interval_s, 0)                    AS write_mbps, -- Sent
    error_count                                                  AS errors, -- Errors
    interval_s, pacing_us, received_frames, sent_frames, received_bytes, sent_bytes
FROM rmf_director_port
ORDER BY run, sysplex, system, interval_start_utc, interval_start, director, port
