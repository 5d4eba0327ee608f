/* imsperf report
id       = "joined.locks"
title    = "Locks"
answers  = "How long do transactions wait for locks, and is it the coupling facility or another holder?"
key      = ["cf", "structure"]
optional = ["ims_06", "ims_4500", "ims_56fa", "ims_a0", "ims_a105"]
no_rows  = "no lock structure in the records of the coupling facility"

[chart]
mark     = "area"
x        = "interval_start_utc"
y        = ["async_us_per_unit", "nosch_us_per_unit", "unexplained_us_per_unit"]
facet    = "structure"
title    = "Waits for locks, us per unit of recovery"

[page]
layout   = "ours"
heading  = "smf"
note     = """
A UNIT: unit of recovery of the IMS of this system (56FA). ASYNC, NO SCH and REST add up to WAIT; SYNC is processor time, not wait
IRLM: what the IRLMs of the system count themselves (A105). -  no record says it
"""

[[page.table]]
above    = "                              ----- LOCK STRUCTURE (74.4) ------   --------- MICROSECONDS A UNIT ---------   ----- IRLM -----"
columns  = """
structure            -16  |STRUCTURE
cf                    -8  |CF
requests_per_s         9  REQ|/SEC
sync_us                7  SYNC|MIC
contention_pct         6  CONT|%
false_pct              6  FALSE|%
units_per_s            8  UNITS|/SEC
wait_us_per_unit       7  |WAIT
async_us_per_unit      7  |ASYNC
nosch_us_per_unit      7  |NO SCH
unexplained_us_per_unit  7  |REST
sync_us_per_unit       7  |SYNC
irlm_requests_per_s    8  REQ|/SEC
irlm_wait_us_per_unit  8  WAIT|MIC/UNIT
"""

[columns]
structure             = { label = "Structure" }
requests_per_s        = { label = "Requests a second", format = "2" }
sync_us               = { label = "Service time of a synchronous request", better = "lower", format = "1" }
contention_pct        = { label = "Contention %", better = "lower", format = "2" }
false_pct             = { label = "False contention %", better = "lower", format = "2" }
units_per_s           = { label = "Units of recovery a second", format = "2" }
wait_us_per_unit      = { label = "Wait for locks", better = "lower", format = "1" }
async_us_per_unit     = { label = "Asynchronous requests", better = "lower", format = "1" }
nosch_us_per_unit     = { label = "No subchannel", better = "lower", format = "1" }
unexplained_us_per_unit = { label = "The rest of the wait", better = "lower", format = "1" }
sync_us_per_unit      = { label = "Synchronous requests", better = "lower", format = "1" }
irlm_requests_per_s   = { label = "IRLM requests a second", format = "2" }
irlm_waits_per_s      = { label = "IRLM waits a second", better = "lower", format = "2" }
irlm_wait_us_per_unit = { label = "IRLM wait", better = "lower", format = "1" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, cf, structure,
    request_count / nullif(interval_s, 0)                            AS requests_per_s, -- Requests of the system to the structure
    synchronous_us / nullif(sync_count, 0)                           AS sync_us, -- Service time of a synchronous request
    100 * contention_count / nullif(lock_requests_count, 0)          AS contention_pct, -- Lock requests that met contention
    100 * false_contention_count / nullif(lock_requests_count, 0)    AS false_pct, -- Lock requests that met false contention
    units / nullif(interval_s, 0)                                    AS units_per_s, -- Units of recovery of the IMS of the system [units/s]
    lock_us / nullif(units, 0)                                       AS wait_us_per_unit, -- Wait of a unit for locks (56FA) [us]
    async_us / nullif(units, 0)                                      AS async_us_per_unit, -- Of it, asynchronous requests (74.4) [us]
    nosch_us / nullif(units, 0)                                      AS nosch_us_per_unit, -- Of it, queued for a subchannel (74.4) [us]
    unexplained_us / nullif(units, 0)                                AS unexplained_us_per_unit, -- The rest: another holds the lock, or the IRLMs settle contention [us]
    synchronous_us / nullif(units, 0)                                AS sync_us_per_unit, -- Not a wait: a processor busy with synchronous requests (74.4) [us]
    irlm_request_count / nullif(interval_s, 0)                       AS irlm_requests_per_s, -- Requests to the structure as the IRLMs of the system count them (A105)
    irlm_wait_count / nullif(interval_s, 0)                          AS irlm_waits_per_s, -- Requests to these IRLMs that had to wait (A105)
    irlm_wait_us / nullif(units, 0)                                  AS irlm_wait_us_per_unit, -- Time these waited (A105), for each unit [us]
    interval_s, request_count, sync_count,
    synchronous_us, -- Service time of synchronous requests, in which a processor waits [us]
    lock_requests_count, contention_count, false_contention_count, units,
    lock_us, async_us, nosch_us, unexplained_us, irlm_request_count, irlm_wait_count, irlm_wait_us
FROM (SELECT * RENAME (sync_us AS synchronous_us) FROM joined_lock)
ORDER BY run, system, interval_start_utc, cf, structure
