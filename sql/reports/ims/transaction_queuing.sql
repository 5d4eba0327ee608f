/* imsperf report
id       = "ims.transaction_queuing"
title    = "Transaction Queuing"
answers  = "How many messages wait when a program is scheduled, and how many does it take?"
key      = ["ims", "tran"]
any_of   = ["ims_01", "ims_08"]
no_rows  = "its messages are none for a transaction, or their file is of no known log"

[chart]
mark     = "bar"
x        = "tran"
y        = ["queued_mean", "queued_max"]
facet    = "ims"
stack    = "no"
top      = 20
by       = "dequeued"
title    = "Messages on the queue at a schedule, mean and most"

[page]
layout = "IMS Monitor, Transaction Queuing"

[[page.table]]
above    = "                                      --- On queue when scheduled ---"
columns  = """
tran           -8  Transaction
dequeued       12  Number|dequed
schedules      10  Number|scheds.
queued_min     10  |Minimum
queued_mean    10  |Mean
queued_max     10  |Maximum
dequeued_mean  10  Dequed|mean
"""

[columns]
dequeued      = { kind = "count", format = "grouped" }
schedules     = { kind = "count", format = "grouped" }
queued_min    = { label = "On queue when scheduled minimum", kind = "level", total = "min", format = "int" }
queued_mean   = { format = "2" }
queued_max    = { kind = "highwater", format = "int" }
dequeued_mean = { format = "2" }
*/
WITH event AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, ims, tran, interval_s,
        1 AS dequeued, 0 AS schedules, NULL AS queued_count
    FROM ims_message
    WHERE kind <> 'fast_path' AND gu_utc IS NOT NULL
    UNION ALL
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, ims, tran, interval_s, 0, 1,
        queued_count
    FROM ims_schedule_queue
),
transaction AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, ims, tran,
        max(interval_s)                                          AS interval_s,
        sum(dequeued)::DOUBLE                                    AS dequeued,
        sum(schedules)::DOUBLE                                   AS schedules,
        min(queued_count)                                        AS queued_min,
        max(queued_count)                                        AS queued_max,
        sum(queued_count)::DOUBLE                                AS queued_sum,
        count(queued_count)                                      AS queued_known
    FROM event
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, ims, tran
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name, from a 4500 of the IMS
    system, -- SMF system id, from a 4500 of the IMS, or NULL
    interval_start, -- The same, local; NULL without a 4500
    interval_start_utc, -- Statistics set, or first arrival in the log, UTC
    ims, -- IMS id
    tran, -- Transaction code
    dequeued, -- Messages that programs took; those that arrived in the interval [messages]
    schedules, -- Programs scheduled for the transaction [schedules]
    queued_min, -- Messages that waited when a schedule began, fewest [messages]
    queued_sum / nullif(queued_known, 0)                         AS queued_mean, -- Messages that waited when a schedule began, mean [messages]
    queued_max, -- Messages that waited when a schedule began, most [messages]
    dequeued / nullif(schedules, 0)                              AS dequeued_mean, -- Messages taken of a schedule [messages]
    interval_s, -- Length of the interval
    queued_sum, -- Messages that waited at the schedules, summed
    queued_known -- Schedules where that is known
FROM transaction
ORDER BY run, system, ims, interval_start_utc, tran
