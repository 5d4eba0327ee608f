/* imsperf report
id       = "rmf.enqueue"
title    = "Enqueue Activity"
answers  = "Which resource is waited for, how long, and who holds it?"
key      = ["major", "minor", "scope"]
time     = "interval_start_utc"
lead     = "smf77_1_product"
needs    = ["load_file", "smf77_1_enqueue", "smf77_1_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "minor"
y        = ["total_s"]
color    = "major"
facet    = "system"
top      = 20
by       = "total_s"
title    = "Contention of the 20 worst resources, s"

[[column]]
name     = "major"
label    = "MAJOR"
kind     = "text"
doc      = "Major name"
from     = ["smf77_1_enqueue.smf77qnm"]

[[column]]
name     = "minor"
label    = "MINOR"
kind     = "text"
doc      = "Minor name"
from     = ["smf77_1_enqueue.smf77rnm"]

[[column]]
name     = "scope"
label    = "SCOPE"
kind     = "text"
doc      = "SYSTEM or SYSTEMS"
from     = ["smf77_1_enqueue.smf77dfg"]

[[column]]
name     = "min_s"
label    = "MIN"
unit     = "s"
kind     = "level"
total    = "min"
format   = "3"
doc      = "Shortest contention"
from     = ["smf77_1_enqueue.smf77wtm"]

[[column]]
name     = "max_s"
label    = "MAX"
unit     = "s"
better   = "lower"
kind     = "highwater"
format   = "3"
doc      = "Longest contention"
from     = ["smf77_1_enqueue.smf77wtx"]

[[column]]
name     = "total_s"
label    = "TOT"
unit     = "s"
better   = "lower"
kind     = "count"
format   = "3"
doc      = "All contention"
from     = ["smf77_1_enqueue.smf77wtt"]

[[column]]
name     = "avg_s"
label    = "AVG"
unit     = "s"
better   = "lower"
kind     = "ratio"
num      = "total_s"
den      = "event_count"
format   = "3"
empty    = ""
doc      = "Mean contention"
from     = ["smf77_1_enqueue.smf77wtt", "smf77_1_enqueue.smf77evt"]

[[column]]
name     = "owners"
label    = "OWN TOT"
kind     = "level"
format   = "int"
doc      = "Owners"
from     = ["smf77_1_enqueue.smf77dow"]

[[column]]
name     = "owner"
label    = "OWN NAME"
kind     = "text"
empty    = ""
doc      = "First owner"
from     = ["smf77_1_enqueue.smf77do1"]

[[column]]
name     = "owner_system"
label    = "OWN SYSNAME"
kind     = "text"
empty    = ""
doc      = "Its system"
from     = ["smf77_1_enqueue.smf77sy1"]

[[column]]
name     = "waiters"
label    = "WAIT TOT"
kind     = "level"
format   = "int"
doc      = "Waiters"
from     = ["smf77_1_enqueue.smf77dwr"]

[[column]]
name     = "waiter"
label    = "WAIT NAME"
kind     = "text"
empty    = ""
doc      = "First waiter"
from     = ["smf77_1_enqueue.smf77dw1"]

[[column]]
name     = "waiter_system"
label    = "WAIT SYSNAME"
kind     = "text"
empty    = ""
doc      = "Its system"
from     = ["smf77_1_enqueue.smf77sy3"]

[[column]]
name     = "qlen1_pct"
label    = "%QLEN 1"
unit     = "%"
kind     = "ratio"
num      = "queue1_count"
den      = "queue_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Queue 1 long"
from     = ["smf77_1_enqueue.smf77ql1", "smf77_1_enqueue.smf77ql2", "smf77_1_enqueue.smf77ql3",
            "smf77_1_enqueue.smf77ql4"]

[[column]]
name     = "qlen2_pct"
label    = "%QLEN 2"
unit     = "%"
kind     = "ratio"
num      = "queue2_count"
den      = "queue_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Queue 2 long"
from     = ["smf77_1_enqueue.smf77ql1", "smf77_1_enqueue.smf77ql2", "smf77_1_enqueue.smf77ql3",
            "smf77_1_enqueue.smf77ql4"]

[[column]]
name     = "qlen3_pct"
label    = "%QLEN 3"
unit     = "%"
kind     = "ratio"
num      = "queue3_count"
den      = "queue_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Queue 3 long"
from     = ["smf77_1_enqueue.smf77ql1", "smf77_1_enqueue.smf77ql2", "smf77_1_enqueue.smf77ql3",
            "smf77_1_enqueue.smf77ql4"]

[[column]]
name     = "qlen4_pct"
label    = "%QLEN 4+"
unit     = "%"
kind     = "ratio"
num      = "queue4_count"
den      = "queue_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Queue 4 or more long"
from     = ["smf77_1_enqueue.smf77ql1", "smf77_1_enqueue.smf77ql2", "smf77_1_enqueue.smf77ql3",
            "smf77_1_enqueue.smf77ql4"]

[[column]]
name     = "avg_queue"
label    = "AVG Q LNGTH"
better   = "lower"
kind     = "ratio"
num      = "queue_length_sum"
den      = "queue_count"
format   = "2"
empty    = ""
doc      = "Mean length of the queue"
from     = ["smf77_1_enqueue.smf77aql", "smf77_1_enqueue.smf77ql1"]

[[column]]
name     = "exclusive_min"
label    = "EXCL MIN"
unit     = "requests"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Exclusive requests at a time, fewest"
from     = ["smf77_1_enqueue.smf77exm"]

[[column]]
name     = "exclusive_max"
label    = "EXCL MAX"
unit     = "requests"
kind     = "highwater"
format   = "int"
doc      = "Exclusive requests at a time, most"
from     = ["smf77_1_enqueue.smf77exx"]

[[column]]
name     = "shared_min"
label    = "SHARE MIN"
unit     = "requests"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Shared requests at a time, fewest"
from     = ["smf77_1_enqueue.smf77shm"]

[[column]]
name     = "shared_max"
label    = "SHARE MAX"
unit     = "requests"
kind     = "highwater"
format   = "int"
doc      = "Shared requests at a time, most"
from     = ["smf77_1_enqueue.smf77shx"]

[[column]]
name     = "events"
label    = "CONTENTION EVENT TOTAL"
better   = "lower"
kind     = "count"
format   = "int"
doc      = "Times contention arose"
from     = ["smf77_1_enqueue.smf77evt"]

[[column]]
name     = "changes"
label    = "STAT CHNG TOTAL"
kind     = "count"
format   = "int"
doc      = "Changes of the contention"
from     = ["smf77_1_enqueue.smf77csc"]

[[column]]
name     = "no_detail_pct"
label    = "%NODET"
unit     = "%"
kind     = "ratio"
num      = "no_detail_count"
den      = "change_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Changes that came without detail"
from     = ["smf77_1_enqueue.smf77nod", "smf77_1_enqueue.smf77csc"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_enqueue.interval_s"]

[[column]]
name     = "event_count"
kind     = "part"
doc      = "Times contention arose"
from     = ["rmf_enqueue.event_count"]

[[column]]
name     = "queue1_count"
kind     = "part"
doc      = "Times the queue was 1 long"
from     = ["rmf_enqueue.queue1_count"]

[[column]]
name     = "queue2_count"
kind     = "part"
doc      = "Times the queue was 2 long"
from     = ["rmf_enqueue.queue2_count"]

[[column]]
name     = "queue3_count"
kind     = "part"
doc      = "Times the queue was 3 long"
from     = ["rmf_enqueue.queue3_count"]

[[column]]
name     = "queue4_count"
kind     = "part"
doc      = "Times the queue was 4 long"
from     = ["rmf_enqueue.queue4_count"]

[[column]]
name     = "queue_count"
kind     = "part"
doc      = "Times there was a queue"
from     = ["rmf_enqueue.queue_count"]

[[column]]
name     = "queue_length_sum"
kind     = "part"
doc      = "Lengths of the queue, summed"
from     = ["rmf_enqueue.queue_length_sum"]

[[column]]
name     = "change_count"
kind     = "part"
doc      = "Changes of the contention"
from     = ["rmf_enqueue.change_count"]

[[column]]
name     = "no_detail_count"
kind     = "part"
doc      = "Changes without detail"
from     = ["rmf_enqueue.no_detail_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    major                                                        AS major,
    minor                                                        AS minor,
    scope                                                        AS scope,
    min_s                                                        AS min_s,
    max_s                                                        AS max_s,
    total_s                                                      AS total_s,
    total_s / nullif(event_count, 0)                             AS avg_s,
    owner_count                                                  AS owners,
    owner                                                        AS owner,
    owner_system                                                 AS owner_system,
    waiter_count                                                 AS waiters,
    waiter                                                       AS waiter,
    waiter_system                                                AS waiter_system,
    100 * queue1_count / nullif(queue_count, 0)                  AS qlen1_pct,
    100 * queue2_count / nullif(queue_count, 0)                  AS qlen2_pct,
    100 * queue3_count / nullif(queue_count, 0)                  AS qlen3_pct,
    100 * queue4_count / nullif(queue_count, 0)                  AS qlen4_pct,
    queue_length_sum / nullif(queue_count, 0)                    AS avg_queue,
    exclusive_min                                                AS exclusive_min,
    exclusive_max                                                AS exclusive_max,
    shared_min                                                   AS shared_min,
    shared_max                                                   AS shared_max,
    event_count                                                  AS events,
    change_count                                                 AS changes,
    100 * no_detail_count / nullif(change_count, 0)              AS no_detail_pct,
    interval_s                                                   AS interval_s,
    event_count                                                  AS event_count,
    queue1_count                                                 AS queue1_count,
    queue2_count                                                 AS queue2_count,
    queue3_count                                                 AS queue3_count,
    queue4_count                                                 AS queue4_count,
    queue_count                                                  AS queue_count,
    queue_length_sum                                             AS queue_length_sum,
    change_count                                                 AS change_count,
    no_detail_count                                              AS no_detail_count
FROM rmf_enqueue
ORDER BY run, system, interval_start_utc, interval_start, major, minor, scope
