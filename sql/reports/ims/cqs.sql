/* imsperf report
id       = "ims.cqs"
title    = "CQS Requests"
answers  = "What do shared queues cost, by kind of request?"
key      = ["ims", "structure", "client", "request"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["requests_per_s"]
color    = "request"
facet    = "ims"
title    = "CQS requests a second"

[page]
layout   = "ours"
title    = "CQS Requests, {cqs}"
breaks   = ["cqs"]
note     = "* of a data object"

[[page.table]]
columns  = """
structure                 -16  Structure
client                     -8  Client
request                    -8  Request
request_count              12  Requests
requests_per_s             11  /Second
requests_per_transaction    9  /Transact
avg_bytes                   9  Bytes*
elapsed_per_request_us     10  Elapsed us
queue_per_request_us       10  Queued us
cf_per_request_us           9  CF us
failed_pct                  8  Failed %
"""

[columns]
cqs                      = { label = "CQS" }
request_count            = { kind = "count", format = "scaled" }
requests_per_s           = { label = "Requests /Second", format = "per_second" }
requests_per_transaction = { label = "Requests /Transaction", format = "2" }
avg_bytes                = { label = "Bytes /Object", format = "1" }
elapsed_per_request_us   = { better = "lower", format = "1" }
queue_per_request_us     = { better = "lower", format = "1" }
cf_per_request_us        = { better = "lower", format = "1" }
failed_pct               = { better = "lower", format = "2" }
*/
WITH request AS (
    SELECT
        q.*,
        -- those of the same time only: without the 4500 of the set before, t counts for longer
        CASE WHEN abs(t.interval_s - q.interval_s) < 1 AND t.restarted = q.restarted
            THEN t.transactions_count END                        AS transactions_count
    FROM ims_cqs AS q
    ASOF LEFT JOIN ims_statistics_set AS t
        ON t.run = q.run AND t.ims = q.ims AND t.ckpt_no = q.ckpt_no
        AND t.sysplex IS NOT DISTINCT FROM q.sysplex
        AND q.sample_utc >= t.sample_utc
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, structure,
    client, -- Client of the CQS
    request, -- Kind of request
    cqs,
    request_count, -- Requests [requests]
    request_count / nullif(interval_s, 0)                        AS requests_per_s, -- Requests a second
    request_count / nullif(transactions_count, 0)                AS requests_per_transaction, -- Requests for each transaction [requests]
    bytes / nullif(object_count, 0)                              AS avg_bytes, -- Mean size of a data object
    elapsed_us / nullif(request_count, 0)                        AS elapsed_per_request_us, -- Mean time from request to answer
    queue_us / nullif(request_count, 0)                          AS queue_per_request_us, -- Part of it spent waiting for a task
    cf_us / nullif(request_count, 0)                             AS cf_per_request_us, -- Part of it spent in the coupling facility
    100.0 * failed_count / nullif(request_count, 0)              AS failed_pct, -- Requests that ended with an error
    restarted, interval_s, transactions_count, object_count, bytes, failed_count, elapsed_us,
    queue_us, cf_us
FROM request
ORDER BY run, system, ims, interval_start_utc, structure, client, request
