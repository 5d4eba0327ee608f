/* imsperf report
id       = "ims.otma"
title    = "OTMA Statistics"
answers  = "What do OTMA clients send, is input refused, and how long do callouts take?"
key      = ["ims", "kind", "member", "tpipe", "tran", "psb", "destination"]
any_of   = ["ims_451a", "ims_451b", "ims_a101", "ims_a102"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["messages_in_per_s"]
color    = "member"
facet    = "ims"
where    = "kind = 'MEMBER'"
title    = "Messages received from OTMA clients a second"

[page]
layout   = "ours"
note     = "- not counted, or not in the set before"

[[page.table]]
above    = "Whole system"
where    = "kind = 'SYSTEM'"
widths   = [-44, 17, 11, 13]
heads    = ["", "Count", "/Transact", "/Second"]
per      = { transactions_count = "per_transaction", interval_s = "per_second" }
lines    = [
    "messages_in", "bytes_in", "messages_out", "bytes_out", "send_then_commit",
    "commit_then_send", "send_only", "sync_callouts", "sync_responses", "sync_timeouts",
    "sync_errors", "async_callouts", "resume_tpipe", "acks", "naks", "ack_timeouts",
    "timeouts", "rejected", "flood_warnings", "flood_rejects", "acee_creates", "acee_reuses",
    "acee_refreshes", "credential_messages", "credential_bytes", "super_member_messages",
]

[[page.table]]
where    = "kind = 'SYSTEM'"
joined   = true
widths   = [-44, 17]
lines    = [
    "timeout_pct", "acee_reuse_pct", "members", "max_members", "tpipes", "max_tpipes", "tibs",
    "max_tibs", "tib_limit",
]

[[page.table]]
above    = "Clients"
where    = "kind = 'MEMBER'"
columns  = """
member            -16  Client
member_type        -4  Type
state              -5  State
messages_in        10  Received
messages_in_per_s   9  /Second
messages_out       10  Sent
sync_callouts       9  Callouts
timeouts            8  Timeouts
rejected            8  Rejected
flood_rejects       8  Flooded
naks                6  NAKs
tibs                7  Inputs
max_tibs            7  Most
tib_limit           7  Limit
"""

[[page.table]]
above    = "TPIPEs"
where    = "kind = 'TPIPE'"
columns  = """
tpipe              -8  TPIPE
member            -16  Client
state              -5  State
messages_in        10  Received
messages_in_per_s   9  /Second
messages_out       10  Sent
sync_callouts       9  Callouts
avg_callout_ms     10  Mean ms
avg_queue_ms       10  Queued ms
sync_timeouts       8  Timeouts
queue               7  Waiting
queue_max           7  Most
resume_tpipe        9  Resumes
"""

[[page.table]]
above    = "Synchronous callouts (ICAL)"
where    = "kind = 'ICAL'"
columns  = """
tran               -8  Trancode
psb                -8  PSB
destination       -11  Destination
tpipe              -8  TPIPE
member            -16  Client
sync_callouts       9  Callouts
callouts_per_s      8  /Second
avg_callout_ms     10  Mean ms
avg_queue_ms        9  Queued ms
max_callout_ms     10  Longest ms
timeout_pct         8  Timeout%
sync_errors         6  Errors
in_flight_max       5  Open
"""

[columns]
kind                        = { label = "Kind" }
super_member                = { label = "Super member" }
messages_in                 = { label = "Messages received", kind = "count", format = "grouped" }
bytes_in                    = { label = "Bytes received", kind = "count", format = "grouped" }
messages_out                = { label = "Messages sent", kind = "count", format = "grouped" }
bytes_out                   = { label = "Bytes sent", kind = "count", format = "grouped" }
send_then_commit            = { label = "Input, commit mode 1", kind = "count", format = "grouped" }
commit_then_send            = { label = "Input, commit mode 0", kind = "count", format = "grouped" }
send_only                   = { label = "Input that wants no answer", kind = "count", format = "grouped" }
sync_callouts               = { label = "Synchronous callouts", kind = "count", format = "grouped" }
sync_responses              = { label = "Callouts answered", kind = "count", format = "grouped" }
sync_timeouts               = { label = "Callouts timed out", kind = "count", better = "lower", format = "grouped" }
sync_errors                 = { label = "Callouts in error", kind = "count", better = "lower", format = "grouped" }
async_callouts              = { label = "Asynchronous callouts", kind = "count", format = "grouped" }
resume_tpipe                = { label = "Resume TPIPE requests", kind = "count", format = "grouped" }
acks                        = { label = "Acknowledgements", kind = "count", format = "grouped" }
naks                        = { label = "Negative acknowledgements", kind = "count", better = "lower", format = "grouped" }
ack_timeouts                = { label = "Acknowledgements timed out", kind = "count", better = "lower", format = "grouped" }
timeouts                    = { label = "Transactions timed out", kind = "count", better = "lower", format = "grouped" }
rejected                    = { label = "Input rejected", kind = "count", better = "lower", format = "grouped" }
flood_warnings              = { label = "Flood warnings", kind = "count", better = "lower", format = "grouped" }
flood_rejects               = { label = "Input refused at the limit", kind = "count", better = "lower", format = "grouped" }
acee_creates                = { label = "Security environments built", kind = "count", better = "lower", format = "grouped" }
acee_reuses                 = { label = "Security environments from the cache", kind = "count", format = "grouped" }
acee_refreshes              = { label = "Security environments built anew", kind = "count", better = "lower", format = "grouped" }
credential_messages         = { label = "Messages with a credential", kind = "count", format = "grouped" }
credential_bytes            = { label = "Bytes of credentials", kind = "count", format = "grouped" }
super_member_messages       = { label = "Output routed by a super member", kind = "count", format = "grouped" }
members                     = { label = "Clients", kind = "level", total = "last", format = "grouped" }
max_members                 = { label = "Most clients since IMS start", kind = "highwater", format = "grouped" }
tpipes                      = { label = "TPIPEs", kind = "level", total = "last", format = "grouped" }
max_tpipes                  = { label = "Most TPIPEs since IMS start", kind = "highwater", format = "grouped" }
tibs                        = { label = "Input in process", kind = "level", total = "last", format = "grouped" }
max_tibs                    = { label = "Most input in process since IMS start", kind = "highwater", format = "grouped" }
tib_limit                   = { label = "Limit of input in process", format = "grouped" }
input_queue_max             = { label = "Longest input queue since IMS start", kind = "highwater", format = "grouped" }
queue                       = { label = "Output waiting", kind = "level", total = "last", format = "grouped" }
queue_max                   = { label = "Most output waiting since IMS start", kind = "highwater", format = "grouped" }
resume_active               = { label = "Resume TPIPE open", kind = "level", total = "last", format = "grouped" }
resume_active_max           = { label = "Most resume TPIPE open", kind = "highwater", format = "grouped" }
parallel_limit              = { label = "Parallel limit", format = "grouped" }
in_flight_max               = { label = "Most callouts open", kind = "highwater", format = "grouped" }
messages_in_per_s           = { label = "Received /Second", format = "per_second" }
messages_in_per_transaction = { label = "Received /Transact", format = "per_transaction" }
callouts_per_s              = { label = "Callouts /Second", format = "per_second" }
acee_reuse_pct              = { label = "Security environments from the cache %", better = "higher", format = "2" }
avg_callout_ms              = { label = "Mean callout ms", better = "lower", format = "3" }
avg_queue_ms                = { label = "Callout queued ms", better = "lower", format = "3" }
timeout_pct                 = { label = "Callouts timed out %", better = "lower", format = "2" }
max_callout_ms              = { label = "Longest callout ms", kind = "highwater", better = "lower", format = "3" }
time_limit_s                = { label = "Time limit s", format = "2" }
*/
WITH otma AS (
    SELECT
        *, acee_creates + acee_reuses + acee_refreshes AS acee_requests,
        list_position(['SYSTEM', 'MEMBER', 'TPIPE', 'ICAL'], kind) AS kind_no
    FROM ims_with_transactions('ims_otma')
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims, kind, member, super_member,
    member_type, state, tpipe, tran, psb, destination,
    messages_in, bytes_in, messages_out, bytes_out, send_then_commit, commit_then_send,
    send_only, sync_callouts, sync_responses, sync_timeouts, sync_errors, async_callouts,
    resume_tpipe, acks, naks, ack_timeouts, timeouts, rejected, flood_warnings, flood_rejects,
    acee_creates, acee_reuses, acee_refreshes, credential_messages, credential_bytes,
    super_member_messages,
    messages_in / nullif(interval_s, 0)                          AS messages_in_per_s, -- Messages received a second
    messages_in / nullif(transactions_count, 0)                  AS messages_in_per_transaction, -- Messages received for each transaction dequeued [messages]
    sync_callouts / nullif(interval_s, 0)                        AS callouts_per_s, -- ICAL calls a second
    0.001 * callout_us / nullif(sync_callouts, 0)                AS avg_callout_ms, -- TPIPE, ICAL: mean time of a callout
    0.001 * queue_us / nullif(sync_callouts, 0)                  AS avg_queue_ms, -- TPIPE, ICAL: part of it spent waiting for a resume TPIPE request
    0.001 * max_callout_us                                       AS max_callout_ms, -- ICAL: longest callout since IMS start
    100.0 * sync_timeouts / nullif(sync_callouts, 0)             AS timeout_pct, -- Callouts that ran into their time limit
    100.0 * acee_reuses / nullif(acee_requests, 0)               AS acee_reuse_pct, -- Security environments found in the cache, of those and the ones built
    time_limit_s,
    members, max_members, tpipes, max_tpipes, tibs, max_tibs, tib_limit, input_queue_max,
    queue, queue_max, resume_active, resume_active_max, parallel_limit, in_flight_max,
    restarted, interval_s,
    transactions_count, -- Transactions dequeued in the interval
    callout_us, queue_us,
    acee_requests -- Security environments built or found in the cache
FROM otma
ORDER BY run, system, ims, interval_start_utc, kind_no, member, tpipe, tran, psb, destination
