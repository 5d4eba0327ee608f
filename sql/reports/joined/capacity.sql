/* imsperf report
id       = "joined.capacity"
title    = "Regions, Processors and Latches"
answers  = "Are there regions to spare, and do programs in them wait for processors or latches?"
key      = ["ims"]
any_of   = ["ims_07", "ims_08", "ims_47_region"]
no_rows  = "no program ran in an interval of the log: messages or two statistics sets make one"

[chart]
mark     = "area"
x        = "interval_start_utc"
y        = ["cpu", "db_io", "lock", "unexplained", "idle"]
facet    = "ims"
title    = "What regions do, mean number"

[page]
layout   = "ours"
heading  = "ims"
note     = """
Means over the interval; Idle, CPU, DB I/O, Lock and Unexplained add up to Regions
LPAR delay: processors busy for z/OS and not dispatched by PR/SM; Latch: tasks of all of IMS that wait; neither is known by region
-  not known: no record, or the log holds a sample
"""

[[page.table]]
above    = "         ---------------------- Regions ----------------------   ------ CPs ------    Tasks"
columns  = """
regions          7  Regions
idle             8  Idle
busy_pct         7  Busy %
cpu              8  CPU
db_io            8  DB I/O
lock             8  Lock
unexplained     12  Unexplained
cps_online       8  Online
cps_dispatched  11  Dispatched
lpar_delay      11  LPAR delay
latch_waits      8  Latch
"""

[columns]
regions        = { format = "2" }
idle           = { label = "Regions idle", format = "3" }
busy_pct       = { label = "Regions busy %", format = "2" }
cpu            = { label = "Regions on a processor", format = "3" }
db_io          = { label = "Regions waiting for database I/O", better = "lower", format = "3" }
lock           = { label = "Regions waiting for locks", better = "lower", format = "3" }
unexplained    = { label = "Regions, the rest", better = "lower", format = "3" }
cps_online     = { label = "CPs online", format = "3" }
cps_dispatched = { label = "CPs dispatched", format = "3" }
lpar_delay     = { label = "CPs LPAR delay", better = "lower", format = "3" }
latch_waits    = { label = "Tasks waiting for latches", better = "lower", format = "3" }
*/
SELECT
    run,
    sysplex,
    system,
    interval_start,
    interval_start_utc,
    ims,
    region_us / nullif(interval_us, 0)                               AS regions, -- Dependent regions with a program at some time [regions]
    idle_us / nullif(interval_us, 0)                                 AS idle, -- Of these, without a program, mean [regions]
    100 * busy_us / nullif(region_us, 0)                             AS busy_pct, -- Time with a program
    cpu_us / nullif(interval_us, 0)                                  AS cpu, -- On a processor, zIIPs too, mean [regions]
    db_io_us / nullif(interval_us, 0)                                AS db_io, -- Waiting for database I/O, mean [regions]
    lock_us / nullif(interval_us, 0)                                 AS lock, -- Waiting for locks, mean [regions]
    unexplained_us / nullif(interval_us, 0)                          AS unexplained, -- With a program, the rest: schedule, commit, waits for messages, latches and processors, mean [regions]
    online_us / nullif(interval_us, 0)                               AS cps_online, -- General processors online, mean [processors]
    dispatched_us / nullif(interval_us, 0)                           AS cps_dispatched, -- Of these, dispatched by PR/SM, mean [processors]
    lpar_delay_us / nullif(interval_us, 0)                           AS lpar_delay, -- Busy for z/OS and not dispatched by PR/SM, mean [processors]
    latch_us / nullif(interval_us, 0)                                AS latch_waits, -- Tasks of all of IMS that wait for a latch, mean [tasks]
    interval_s, interval_us, region_us, idle_us, busy_us, cpu_us, db_io_us, lock_us, unexplained_us,
    online_us, dispatched_us, lpar_delay_us, latch_us
FROM joined_capacity
ORDER BY run, system, ims, interval_start_utc
