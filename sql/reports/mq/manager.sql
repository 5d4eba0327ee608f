/* imsperf report
id       = "mq.manager"
title    = "MQ Queue Manager"
answers  = "How much work does each queue manager do?"
key      = ["queue_manager"]
optional = ["smf115_1_qwhs", "smf115_215_qwhs", "smf115_2_qist", "smf115_2_qlst"]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["gets_per_s", "puts_per_s"]
facet    = "queue_manager"
title    = "Calls a second"

[page]
layout = "ours"

[[page.table]]
columns  = """
queue_manager    4  QMGR
opens_per_s      8  OPEN|/SEC
gets_per_s       9  GET|/SEC
puts_per_s       9  PUT|/SEC
put1s_per_s      8  PUT1|/SEC
inquires_per_s   8  INQ|/SEC
publish_per_s    8  PUBLISH|/SEC
fetches_per_s    9  MESSAGES|GOT/SEC
stores_per_s     9  MESSAGES|PUT/SEC
got_pct          6  GETS W.|MSG %
from_disk_pct    6  FROM|DISK %
bytes_per_put    8  BYTES|/PUT
locks_per_s      8  LOCKS|/SEC
"""

[columns]
opens_per_s    = { format = "rate" }
gets_per_s     = { format = "rate" }
puts_per_s     = { format = "rate" }
put1s_per_s    = { format = "rate" }
inquires_per_s = { format = "rate" }
publish_per_s  = { format = "rate" }
fetches_per_s  = { format = "rate" }
stores_per_s   = { format = "rate" }
locks_per_s    = { format = "rate" }
got_pct        = { format = "1", empty = "" }
from_disk_pct  = { better = "lower", format = "1", empty = "" }
bytes_per_put  = { format = "int", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    queue_manager,
    open_count / nullif(interval_s, 0)                AS opens_per_s, -- MQOPEN calls a second
    get_count / nullif(interval_s, 0)                 AS gets_per_s, -- MQGET calls a second, with and without a message
    put_count / nullif(interval_s, 0)                 AS puts_per_s, -- MQPUT calls a second
    put1_count / nullif(interval_s, 0)                AS put1s_per_s, -- MQPUT1 calls a second
    inquire_count / nullif(interval_s, 0)             AS inquires_per_s, -- MQINQ calls a second
    publish_count / nullif(interval_s, 0)             AS publish_per_s, -- Publications a second
    fetch_count / nullif(interval_s, 0)               AS fetches_per_s, -- Messages the data manager fetched a second
    store_count / nullif(interval_s, 0)               AS stores_per_s, -- Messages the data manager stored a second
    100 * fetch_count / nullif(get_count, 0)          AS got_pct, -- Messages fetched, of the MQGET calls
    100 * fetch_disk_count / nullif(fetch_known_count, 0) AS from_disk_pct, -- Messages fetched from disk, of those whose source is counted
    put_bytes / nullif(message_put_count, 0)          AS bytes_per_put, -- Size of a message put [bytes]; NULL before MQ 9
    lock_count / nullif(interval_s, 0)                AS locks_per_s, -- Locks asked for a second
    interval_s, open_count, get_count, put_count, put1_count, inquire_count, publish_count,
    fetch_count, store_count, fetch_disk_count, fetch_known_count, put_bytes, message_put_count,
    lock_count
FROM mq_manager
ORDER BY run, system, queue_manager, interval_start_utc
