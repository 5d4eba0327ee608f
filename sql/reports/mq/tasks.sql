/* imsperf report
id       = "mq.tasks"
title    = "MQ Threads"
answers  = "Which job or channel uses the CPU, and what do its calls wait for?"
key      = ["queue_manager", "connection", "started_utc", "record_no"]
optional = ["smf116_1_wtid", "smf116_1_wq"]

[chart]
mark     = "bar"
x        = "connection"
y        = ["cpu_ms"]
facet    = "queue_manager"
top      = 20
by       = "cpu_ms"
title    = "CPU of the 20 largest threads, ms"

[page]
layout = "ours"

[[page.table]]
columns  = """
queue_manager    4  QMGR
connection      -8  CONNECT
connection_type -7  TYPE
user_id         -8  USER
channel        -20  CHANNEL
elapsed_s        8  ELAPSED|SEC
cpu_ms           9  CPU|MS
queues           6  QUEUES
commits          7  COMMITS
commit_ms        7  COMMIT|MS
backouts         6  BACK|OUTS
log_writes       7  LOG|WRITES
log_kb           7  LOG|KB
force_ms         7  FORCE|MS
latch_ms         7  LATCH|MS
"""

[columns]
started_utc     = { label = "STARTED (UTC)" }
record_no       = { label = "RECORD", total = "same", format = "int" }
ended           = { label = "ENDED", total = "max" }
elapsed_s       = { label = "ELAPSED", kind = "count", format = "3" }
cpu_ms          = { label = "CPU", kind = "count", better = "lower", format = "3" }
queues          = { kind = "level", total = "max", format = "int" }
commits         = { kind = "count", format = "scaled" }
backouts        = { label = "BACKOUTS", kind = "count", format = "scaled" }
log_writes      = { kind = "count", format = "scaled" }
log_kb          = { label = "LOG", kind = "count", format = "scaled" }
commit_ms       = { better = "lower", format = "device", empty = "" }
force_ms        = { better = "lower", format = "device", empty = "" }
latch_ms        = { label = "LATCH", kind = "count", better = "lower", format = "3" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc,
    queue_manager, connection,
    connection_type, user_id, channel, started_utc,
    record_no,
    ended,
    interval_s                                        AS elapsed_s, -- Length of the thread's interval
    0.001 * cpu_us                                    AS cpu_ms, -- CPU time of all its MQ calls
    queues_count                                      AS queues, -- Queues it used
    commit_count                                      AS commits, -- Commits
    0.001 * commit_us / nullif(commit_count, 0)       AS commit_ms, -- Elapsed time of a commit
    backout_count                                     AS backouts, -- Backouts
    log_write_count                                   AS log_writes, -- Log writes
    log_bytes / 1024                                  AS log_kb, -- Logged
    0.001 * log_force_us / nullif(log_force_count, 0) AS force_ms, -- Time of a log force
    0.001 * latch_us                                  AS latch_ms, -- Time of latch waits, all classes
    interval_s, commit_us, commit_count, log_force_us, log_force_count
FROM mq_thread
ORDER BY run, system, queue_manager, interval_start_utc, connection, started_utc, record_no
