/* imsperf report
id       = "ims.conversations"
title    = "Conversations"
answers  = "How many conversations begin and end, how long do they last, and how large is the SPA?"
key      = ["ims", "tran"]
any_of   = ["ims_11", "ims_12"]
no_rows  = "its conversations are of no known log"

[chart]
mark     = "bar"
x        = "tran"
y        = ["ended_count"]
facet    = "ims"
top      = 20
by       = "ended_count"
title    = "Conversations ended, the 20 most frequent first transactions"

[page]
layout   = "ours"
note     = """
Trancode: the transaction that began the conversation; - its start (11) is not in the log
Steps, SPA inserts: of a conversation that ended
{sampled}"""

[page.texts]
sampled  = """CASE WHEN bool_or(logged_s IS NULL) OVER ()
    THEN '/Second -: not known, the log holds a sample of the transactions' END"""

[[page.table]]
above    = "                                              ------ ms ------          ------ SPA ------ ----------- Ended by -----------"
columns  = """
tran                -8  Trancode
begun_count         10  Begun
begun_per_s          8  /Second
ended_count         10  Ended
ended_per_s          8  /Second
avg_duration_ms      9  Mean
max_duration_ms      9  Longest
avg_steps            6  Steps
avg_spa_inserts      7  Inserts
avg_spa_bytes        8  Bytes
max_spa_bytes        8  Largest
command_count        7  Command
abend_count          7  Abend
timeout_count        7  Timeout
logoff_count         6  Logoff
"""

[columns]
begun_count     = { kind = "count", format = "scaled" }
begun_per_s     = { label = "Begun /Second", format = "per_second" }
ended_count     = { kind = "count", format = "scaled" }
ended_per_s     = { label = "Ended /Second", format = "per_second" }
avg_duration_ms = { label = "Mean ms", better = "lower", format = "3" }
max_duration_ms = { label = "Longest ms", kind = "highwater", better = "lower", format = "3" }
avg_steps       = { format = "2" }
avg_spa_inserts = { label = "SPA inserts", format = "2" }
avg_spa_bytes   = { label = "SPA bytes /Insert", format = "1" }
max_spa_bytes   = { label = "Largest SPA", kind = "highwater", format = "grouped" }
held_count      = { label = "Held", kind = "count", format = "scaled" }
command_count   = { label = "Ended by a command", kind = "count", better = "lower", format = "scaled" }
abend_count     = { label = "Ended by an abend", kind = "count", better = "lower", format = "scaled" }
timeout_count   = { label = "Ended by time", kind = "count", better = "lower", format = "scaled" }
logoff_count    = { label = "Ended by logoff", kind = "count", better = "lower", format = "scaled" }
*/
WITH log_file AS MATERIALIZED (
    SELECT * FROM ims_log_file
),
log_interval AS MATERIALIZED (
    SELECT * FROM ims_log_interval
),
begun AS (
    SELECT f.log_no, r.conv_id, r.start_time, r.tran
    FROM ims_11 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    -- dual logging or overlapping files: the same record once
    QUALIFY counts_once((f.log_no, r.conv_id, r.start_time), (r.file_id, r.record_no))
),
ended AS (
    SELECT f.log_no, r.*
    FROM ims_12 AS r
    JOIN log_file AS f ON f.file_id = r.file_id
    QUALIFY counts_once((f.log_no, r.conv_id, r.start_time), (r.file_id, r.record_no))
),
event AS (
    SELECT log_no, tran, start_time AS at, 1 AS begun, 0 AS ended
    FROM begun
    UNION ALL BY NAME
    SELECT
        e.log_no, b.tran, e.end_time AS at, 0 AS begun, 1 AS ended,
        epoch_us(e.end_time) - epoch_us(e.start_time) AS duration_us,
        e.steps, e.spa_inserts, e.spa_bytes, e.max_spa_size, e.flags & 8192 > 0 AS held,
        e.end_reason
    FROM ended AS e
    LEFT JOIN begun AS b
        ON b.log_no = e.log_no AND b.conv_id = e.conv_id AND b.start_time = e.start_time
),
-- what happened before the log began is of its first interval
log_start AS (
    SELECT log_no, min(interval_start_utc) AS first_utc FROM log_interval GROUP BY log_no
),
placed AS (
    SELECT e.*, greatest(e.at, s.first_utc) AS placed_at
    FROM event AS e
    JOIN log_start AS s ON s.log_no = e.log_no
),
conversation AS (
    SELECT
        n.run, n.sysplex, n.system, n.interval_start, n.interval_start_utc, n.ims, e.tran,
        any_value(n.interval_s)                                  AS interval_s,
        any_value(CASE WHEN n.sample_every = 1 THEN n.interval_s END) AS logged_s,
        sum(e.begun)::BIGINT                                     AS begun_count,
        sum(e.ended)::BIGINT                                     AS ended_count,
        sum(e.duration_us)::BIGINT                               AS duration_us,
        0.001 * max(e.duration_us)                               AS max_duration_ms,
        sum(e.steps)::BIGINT                                     AS steps,
        sum(e.spa_inserts)::BIGINT                               AS spa_inserts,
        sum(e.spa_bytes)::BIGINT                                 AS spa_bytes,
        max(e.max_spa_size)                                      AS max_spa_bytes,
        count(*) FILTER (e.held)                                 AS held_count,
        count(*) FILTER (e.end_reason = 'E')                     AS command_count,
        count(*) FILTER (e.end_reason = 'A')                     AS abend_count,
        count(*) FILTER (e.end_reason = 'T')                     AS timeout_count,
        count(*) FILTER (e.end_reason = 'L')                     AS logoff_count
    FROM placed AS e
    ASOF JOIN log_interval AS n ON n.log_no = e.log_no AND e.placed_at >= n.interval_start_utc
    GROUP BY n.run, n.sysplex, n.system, n.interval_start, n.interval_start_utc, n.ims, e.tran
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name, from a 4500 of the IMS
    system, -- SMF system id, from a 4500 of the IMS, or NULL
    interval_start, -- The same, local; NULL without a 4500
    interval_start_utc, -- Statistics set, or first arrival in the log, UTC
    ims, -- IMS id
    tran, -- Transaction that began the conversation; NULL where its start (11) is not in the log
    begun_count, -- Conversations begun in the interval [conversations]
    begun_count / nullif(logged_s, 0)                            AS begun_per_s, -- Conversations begun a second; NULL where the log holds a sample [1/s]
    ended_count, -- Conversations ended in the interval [conversations]
    ended_count / nullif(logged_s, 0)                            AS ended_per_s, -- Conversations ended a second; NULL where the log holds a sample [1/s]
    0.001 * duration_us / nullif(ended_count, 0)                 AS avg_duration_ms, -- Mean time from begin to end of those that ended
    max_duration_ms, -- Longest of them
    steps / nullif(ended_count, 0)                               AS avg_steps, -- Input messages of a conversation that ended [messages]
    spa_inserts / nullif(ended_count, 0)                         AS avg_spa_inserts, -- SPA inserts of a conversation that ended [calls]
    spa_bytes / nullif(spa_inserts, 0)                           AS avg_spa_bytes, -- Mean bytes of an SPA insert [bytes]
    max_spa_bytes, -- Largest SPA of those that ended [bytes]
    held_count, -- Ended after they were held at some time [conversations]
    command_count, -- Ended by a command [conversations]
    abend_count, -- Ended by an abend [conversations]
    timeout_count, -- Ended because they took too long [conversations]
    logoff_count, -- Ended by a logoff [conversations]
    interval_s, -- Length of the interval
    logged_s, -- The same; NULL where the log holds a sample
    duration_us, -- Time from begin to end of those that ended
    steps, -- Their input messages [messages]
    spa_inserts, -- Their SPA inserts [calls]
    spa_bytes -- Bytes of these inserts [bytes]
FROM conversation
ORDER BY run, system, ims, interval_start_utc, tran
