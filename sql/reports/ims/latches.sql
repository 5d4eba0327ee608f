/* imsperf report
id       = "ims.latches"
title    = "Latch Statistics"
answers  = "What serialises inside IMS?"
key      = ["ims", "latch"]
time     = "interval_start_utc"
lead     = "ims_450a"
needs    = ["ims_06", "ims_4500", "ims_450a", "ims_450a_latch", "load_file"]
optional = ["ims_06", "ims_4500"]
no_rows  = "statistics are differences: a run needs two sets, say /CHECKPOINT STATISTICS twice"

[chart]
mark     = "line"
x        = "interval_start_utc"
y        = ["contentions_per_s"]
color    = "latch"
facet    = "ims"
title    = "Latch contentions a second"

[[column]]
name     = "ims"
label    = "IMS"
kind     = "text"
doc      = "IMS id"
from     = ["ims_450a.imsid"]

[[column]]
name     = "latch"
label    = "Latch"
kind     = "text"
doc      = "Latch; the instances of a generic one together"
from     = ["ims_450a_latch.name"]

[[column]]
name     = "shared_gets"
label    = "Shared Gets"
kind     = "count"
format   = "scaled"
doc      = "Gets in shared mode"
from     = ["ims_450a_latch.get_shr"]

[[column]]
name     = "shared_contentions"
label    = "Shared Contentions"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Shared gets that waited"
from     = ["ims_450a_latch.cont_shr"]

[[column]]
name     = "exclusive_gets"
label    = "Exclusive Gets"
kind     = "count"
format   = "scaled"
doc      = "Gets in exclusive mode"
from     = ["ims_450a_latch.get_exc"]

[[column]]
name     = "exclusive_contentions"
label    = "Exclusive Contentions"
better   = "lower"
kind     = "count"
format   = "scaled"
doc      = "Exclusive gets that waited"
from     = ["ims_450a_latch.cont_exc"]

[[column]]
name     = "contentions_per_s"
label    = "Contentions /Second"
unit     = "1/s"
better   = "lower"
kind     = "ratio"
num      = "contentions"
den      = "interval_s"
format   = "per_second"
doc      = "Contentions a second, both modes"
from     = ["ims_450a_latch.cont_shr", "ims_450a_latch.cont_exc"]

[[column]]
name     = "contention_pct"
label    = "Contention %"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "contentions"
den      = "all_gets"
scale    = 100
format   = "2"
doc      = "Contentions of all gets"
from     = ["ims_450a_latch.cont_shr", "ims_450a_latch.cont_exc", "ims_450a_latch.get_shr",
            "ims_450a_latch.get_exc"]

[[column]]
name     = "wait_per_contention_us"
label    = "Wait us"
unit     = "us"
better   = "lower"
kind     = "ratio"
num      = "wait_us"
den      = "contentions"
format   = "1"
doc      = "Mean wait of a contention"
from     = ["ims_450a_latch.wait_us"]

[[column]]
name     = "max_queue_since_init"
label    = "Max Queue"
better   = "lower"
kind     = "highwater"
format   = "grouped"
doc      = "Longest wait queue since IMS start"
from     = ["ims_450a_latch.maxq"]

[[column]]
name     = "restarted"
kind     = "config"
doc      = "IMS restarted since the earlier set: counts are those since the restart"
from     = ["ims_latch.restarted"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Counted time"
from     = ["ims_latch.interval_s"]

[[column]]
name     = "all_gets"
unit     = "gets"
kind     = "part"
doc      = "Gets in both modes"
from     = ["ims_latch.shared_gets", "ims_latch.exclusive_gets"]

[[column]]
name     = "contentions"
unit     = "contentions"
kind     = "part"
doc      = "Contentions in both modes"
from     = ["ims_latch.shared_contentions", "ims_latch.exclusive_contentions"]

[[column]]
name     = "wait_us"
unit     = "us"
kind     = "part"
doc      = "Time waited"
from     = ["ims_latch.wait_us"]
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
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    ims                                                          AS ims,
    latch                                                        AS latch,
    shared_gets                                                  AS shared_gets,
    shared_contentions                                           AS shared_contentions,
    exclusive_gets                                               AS exclusive_gets,
    exclusive_contentions                                        AS exclusive_contentions,
    contentions / nullif(interval_s, 0)                          AS contentions_per_s,
    100.0 * contentions / nullif(all_gets, 0)                      AS contention_pct,
    wait_us / nullif(contentions, 0)                             AS wait_per_contention_us,
    max_queue_since_init                                         AS max_queue_since_init,
    restarted                                                    AS restarted,
    interval_s                                                   AS interval_s,
    all_gets                                                     AS all_gets,
    contentions                                                  AS contentions,
    wait_us                                                      AS wait_us
FROM latch_sums
ORDER BY run, system, ims, interval_start_utc, latch
