/* imsperf report
id       = "ims.latches"
title    = "Latch Statistics"
answers  = "What serialises inside IMS?"
key      = ["ims", "latch"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["contentions_per_s"]
color    = "latch"
facet    = "ims"
title    = "Latch contentions a second"

[page]
layout   = "ours"
note     = "* mean wait of a contention"

[[page.table]]
above    = "       -------- Shared -------- ------ Exclusive ------- -------- Contention -------  Max Queue"
columns  = """
latch                    -6  Latch
shared_gets              12  Gets
shared_contentions       11  Contentions
exclusive_gets           12  Gets
exclusive_contentions    11  Contentions
contentions_per_s        11  /Second
contention_pct            6  %
wait_per_contention_us    8  us*
max_queue_since_init     10  since Init
"""

[columns]
shared_gets            = { label = "Shared Gets", kind = "count", format = "scaled" }
shared_contentions     = { label = "Shared Contentions", kind = "count", better = "lower", format = "scaled" }
exclusive_gets         = { label = "Exclusive Gets", kind = "count", format = "scaled" }
exclusive_contentions  = { label = "Exclusive Contentions", kind = "count", better = "lower", format = "scaled" }
contentions_per_s      = { label = "Contentions /Second", better = "lower", format = "per_second" }
contention_pct         = { label = "Contention %", better = "lower", format = "2" }
wait_per_contention_us = { label = "Wait us", better = "lower", format = "1" }
max_queue_since_init   = { label = "Max Queue", kind = "highwater", better = "lower", format = "grouped" }
*/
WITH latch_sums AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, restarted, ims, latch,
        shared_gets, shared_contentions, exclusive_gets, exclusive_contentions,
        TRY_CAST(shared_gets::HUGEINT + exclusive_gets AS BIGINT)    AS all_gets,
        TRY_CAST(shared_contentions::HUGEINT + exclusive_contentions AS BIGINT) AS contentions,
        wait_us, max_queue_since_init
    FROM ims_latch
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, ims,
    latch, -- Latch; the instances of a generic one together
    shared_gets, shared_contentions, exclusive_gets, exclusive_contentions,
    contentions / nullif(interval_s, 0)                          AS contentions_per_s, -- Contentions a second, both modes
    100.0 * contentions / nullif(all_gets, 0)                      AS contention_pct, -- Contentions of all gets
    wait_us / nullif(contentions, 0)                             AS wait_per_contention_us, -- Mean wait of a contention
    max_queue_since_init, -- Longest wait queue since IMS start
    restarted, interval_s,
    all_gets, -- Gets in both modes [gets]
    contentions, -- Contentions in both modes [contentions]
    wait_us
FROM latch_sums
ORDER BY run, system, ims, interval_start_utc, latch
