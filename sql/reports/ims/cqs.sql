/* imsperf report
id       = "ims.cqs"
title    = "CQS Requests"
answers  = "What do shared queues cost, by kind of request?"
key      = ["ims", "structure", "client", "request"]
time     = "interval_start_utc"
lead     = "ims_a104"
needs    = ["ims_06", "ims_4500", "ims_a104", "ims_a104_request", "load_file"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["requests_per_s"]
color    = "request"
facet    = "ims"
title    = "CQS requests a second"

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_a104.imsid"]

[[column]]
name     = "structure"
label    = "Structure"
kind     = "text"
doc      = "Structure of the shared queues"
from     = ["ims_a104_request.structure"]

[[column]]
name     = "client"
label    = "Client"
kind     = "text"
doc      = "Client of the CQS"
from     = ["ims_a104_request.client"]

[[column]]
name     = "request"
label    = "Request"
kind     = "text"
doc      = "Kind of request"
from     = ["ims_a104_request.request"]

[[column]]
name     = "cqs"
label    = "CQS"
kind     = "text"
doc      = "Name of the CQS"
from     = ["ims_a104.cqs"]

[[column]]
name     = "request_count"
label    = "Requests"
unit     = "requests"
kind     = "count"
format   = "scaled"
doc      = "Requests"
from     = ["ims_a104_request.requests"]

[[column]]
name     = "requests_per_s"
label    = "Requests /Second"
unit     = "1/s"
kind     = "ratio"
num      = "request_count"
den      = "interval_s"
format   = "per_second"
doc      = "Requests a second"
from     = ["ims_a104_request.requests"]

[[column]]
name     = "requests_per_transaction"
label    = "Requests /Transaction"
unit     = "requests"
kind     = "ratio"
num      = "request_count"
den      = "transactions_count"
format   = "2"
doc      = "Requests for each transaction"
from     = ["ims_a104_request.requests", "ims_4500.trans_total"]

[[column]]
name     = "avg_bytes"
label    = "Bytes /Object"
unit     = "bytes"
kind     = "ratio"
num      = "bytes"
den      = "object_count"
format   = "1"
doc      = "Mean size of a data object"
from     = ["ims_a104_request.bytes", "ims_a104_request.objects"]

[[column]]
name     = "elapsed_per_request_us"
label    = "Elapsed us"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "elapsed_us"
den      = "request_count"
format   = "1"
doc      = "Mean time from request to answer"
from     = ["ims_a104_request.elapsed_us", "ims_a104_request.requests"]

[[column]]
name     = "queue_per_request_us"
label    = "Queued us"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "queue_us"
den      = "request_count"
format   = "1"
doc      = "Part of it spent waiting for a task"
from     = ["ims_a104_request.queue_us", "ims_a104_request.requests"]

[[column]]
name     = "cf_per_request_us"
label    = "CF us"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "cf_us"
den      = "request_count"
format   = "1"
doc      = "Part of it spent in the coupling facility"
from     = ["ims_a104_request.cf_us", "ims_a104_request.requests"]

[[column]]
name     = "failed_pct"
label    = "Failed %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "failed_count"
den      = "request_count"
scale    = 100
format   = "2"
doc      = "Requests that ended with an error"
from     = ["ims_a104_request.failed", "ims_a104_request.requests"]

[[column]]
name     = "restarted"
kind     = "config"
doc      = "IMS restarted since the earlier set: counts are those since the restart"
from     = ["ims_cqs.restarted"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Counted time"
from     = ["ims_cqs.interval_s"]

[[column]]
name     = "transactions_count"
unit     = "transactions"
kind     = "part"
doc      = "Transactions dequeued in the same time"
from     = ["ims_4500.trans_total"]

[[column]]
name     = "object_count"
unit     = "requests"
kind     = "part"
doc      = "Data objects handled"
from     = ["ims_cqs.object_count"]

[[column]]
name     = "bytes"
unit     = "bytes"
kind     = "part"
doc      = "Bytes handled"
from     = ["ims_cqs.bytes"]

[[column]]
name     = "failed_count"
unit     = "requests"
kind     = "part"
doc      = "Requests that ended with an error"
from     = ["ims_cqs.failed_count"]

[[column]]
name     = "elapsed_us"
unit     = "us"
kind     = "part"
doc      = "Time from request to answer"
from     = ["ims_cqs.elapsed_us"]

[[column]]
name     = "queue_us"
unit     = "us"
kind     = "part"
doc      = "Time waiting for a task"
from     = ["ims_cqs.queue_us"]

[[column]]
name     = "cf_us"
unit     = "us"
kind     = "part"
doc      = "Time in the coupling facility"
from     = ["ims_cqs.cf_us"]
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
        AND q.sample_utc >= t.sample_utc
)
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    ims                                                          AS ims,
    structure                                                    AS structure,
    client                                                       AS client,
    request                                                      AS request,
    cqs                                                          AS cqs,
    request_count                                                AS request_count,
    request_count / nullif(interval_s, 0)                        AS requests_per_s,
    request_count / nullif(transactions_count, 0)                AS requests_per_transaction,
    bytes / nullif(object_count, 0)                              AS avg_bytes,
    elapsed_us / nullif(request_count, 0)                        AS elapsed_per_request_us,
    queue_us / nullif(request_count, 0)                          AS queue_per_request_us,
    cf_us / nullif(request_count, 0)                             AS cf_per_request_us,
    100.0 * failed_count / nullif(request_count, 0)              AS failed_pct,
    restarted                                                    AS restarted,
    interval_s                                                   AS interval_s,
    transactions_count                                           AS transactions_count,
    object_count                                                 AS object_count,
    bytes                                                        AS bytes,
    failed_count                                                 AS failed_count,
    elapsed_us                                                   AS elapsed_us,
    queue_us                                                     AS queue_us,
    cf_us                                                        AS cf_us
FROM request
ORDER BY run, system, ims, interval_start_utc, structure, client, request
