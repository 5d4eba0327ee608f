/* imsperf report
id       = "rmf.ioq"
title    = "I/O Queuing Activity"
answers  = "Is the wait in the channel, the director, the control unit or the alias pool?"
key      = ["lcu", "path"]
records_by = ["system", "interval_start"]
optional = ["smf78_3_hyperpav"]
facts    = "rmf_ioq_interval"

[chart]
mark     = "bar"
x        = "lcu"
y        = ["css_delay_ms", "cmr_delay_ms", "cub_delay_ms"]
facet    = "system"
stack    = "no"
where    = "path IS NULL"
top      = 20
by       = "taken_count"
title    = "Delays of the 20 busiest logical control units, ms"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.iop", "rmf.ioq"]]
above    = """
TOTAL SAMPLES = {samples:6}   IODF = {facts.iodf_suffix}   CR-DATE: {facts.iodf_date}   CR-TIME: {facts.iodf_time}     ACT: {facts.iodf_activation}

"""

[page.texts]
# of one interval: not of a total
samples  = "if(max(interval_s) OVER page = facts.interval_s, format('{:,}', facts.samples_count), '-')"
path     = "if(path IS NULL, '*', NULL)"
# a logical control unit is named once
lcu      = "if(row_number() OVER (PARTITION BY run, system, interval_start_utc, lcu ORDER BY path NULLS LAST) > 1, '', NULL)"
control_units = """if(row_number() OVER (PARTITION BY run, system, interval_start_utc, lcu, control_units
    ORDER BY path NULLS LAST) > 1, '', NULL)"""

[[page.table]]
above    = "                                                  LOGICAL CONTROL UNITS"
columns  = """
lcu                -4  ||LCU
control_units      -9  ||CU
dcm_min             3  |DCM|MIN
dcm_max             3  |GRP|MAX
dcm_defined         3  ||DEF
path                5  |CHAN|PATHS
taken_per_s         9  |CHPID|TAKEN
dp_busy_pct         7  |% DP|BUSY
cu_busy_pct         7  |% CU|BUSY
cub_delay_ms        6  AVG|CUB|DLY
cmr_delay_ms        6  AVG|CMR|DLY
contention_per_s   10  |CONTENTION|RATE
delay_queue         7  DELAY|Q|LNGTH
css_delay_ms        6  AVG|CSS|DLY
hpav_wait           7  |HPAV|WAIT
hpav_max            6  |HPAV|MAX
open_exchanges      6  AVG|OPEN|EXCH
transfers           5  DATA|XFER|CONC
"""

[columns]
taken_per_s      = { format = "3" }
dp_busy_pct      = { better = "lower", format = "2" }
cu_busy_pct      = { better = "lower", format = "2" }
cub_delay_ms     = { better = "lower", format = "1" }
cmr_delay_ms     = { better = "lower", format = "1" }
contention_per_s = { better = "lower", format = "3", empty = "" }
delay_queue      = { better = "lower", format = "2", empty = "" }
css_delay_ms     = { better = "lower", format = "1", empty = "" }
hpav_wait        = { better = "lower", format = "3", empty = "" }
hpav_max         = { kind = "highwater", format = "int", empty = "" }
control_units    = { empty = "" }
dcm_min          = { label = "DCM GROUP MIN", kind = "level", total = "min", format = "int", empty = "" }
dcm_max          = { label = "DCM GROUP MAX", kind = "highwater", format = "int", empty = "" }
dcm_defined      = { label = "DCM GROUP DEF", kind = "highwater", format = "int", empty = "" }
open_exchanges   = { format = "2", empty = "" }
transfers        = { format = "2", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, lcu, path,
    taken_count / nullif(interval_s, 0)                          AS taken_per_s, -- I/O requests a second the path took
    100 * dp_busy_count / nullif(try_count, 0)                   AS dp_busy_pct, -- Director port busy, of all tries
    100 * cu_busy_count / nullif(try_count, 0)                   AS cu_busy_pct, -- Control unit busy, of all tries
    0.001 * cu_busy_us / nullif(taken_count, 0)                  AS cub_delay_ms, -- Control unit busy delay of a request
    0.001 * cmr_us / nullif(taken_count, 0)                      AS cmr_delay_ms, -- Initial command response delay of a request
    queue_count / nullif(interval_s, 0)                          AS contention_per_s, -- Requests a second that waited in the control unit header queue; only of the whole LCU
    queue_excess_sum / nullif(queue_count, 0)                    AS delay_queue, -- Mean length of that queue
    0.001 * css_us / nullif(taken_count, 0)                      AS css_delay_ms, -- Time of a request in the channel subsystem
    no_alias_count / nullif(alias_io_count, 0)                   AS hpav_wait, -- I/Os that found no alias, of the requests of the subsystem
    hpav_max, control_units, dcm_min, dcm_max, dcm_defined,
    exchange_us / nullif(interval_us, 0)                         AS open_exchanges, -- Exchanges open at a time; LCUs with FICON paths
    transfer_us / nullif(interval_us, 0)                         AS transfers, -- Data transfers at a time; LCUs with FICON paths
    interval_s, interval_us, taken_count, dp_busy_count, cu_busy_count, try_count, cu_busy_us,
    cmr_us, queue_count, queue_excess_sum, css_us, no_alias_count, alias_io_count,
    exchange_us, transfer_us
FROM rmf_io_queue
ORDER BY run, sysplex, system, interval_start_utc, interval_start, lcu, path
