/* imsperf report
id       = "rmf.iop"
title    = "I/O Processor Activity"
answers  = "Are the I/O processors busy, and why are requests retried?"
key      = ["iop"]
records_by = ["system", "interval_start"]
facts    = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "iop"
y        = ["busy_pct"]
facet    = "system"
where    = "iop IS NOT NULL"
title    = "I/O processors busy, %"

[page]
together = [["rmf.iop", "rmf.ioq"]]
title    = "I/O Queuing Activity"

[[page.table]]
columns  = """
iop                  4  |IOP
activity_per_s       9  ACTIVITY|RATE
avg_queue            7  AVG Q|LNGTH
busy_pct             7  % IOP|BUSY
compression_pct      7  % CMPR|BUSY
start_per_s         10  I/O START|RATE
interrupt_per_s     10  INTERRUPT|RATE
retried_pct         10  % RETRIED|ALL
retried_cp_pct       6  |CP
retried_dp_pct       6  |DP
retried_cu_pct       6  |CU
retried_dv_pct       6  |DV
retries_per_start    8  RETRIES|/SSCH
"""

[columns]
activity_per_s       = { format = "rate" }
avg_queue            = { better = "lower", format = "2", empty = "" }
busy_pct             = { format = "2" }
compression_pct      = { format = "2" }
scm_pct              = { label = "% SCM BUSY", format = "2" }
start_per_s          = { format = "rate" }
interrupt_per_s      = { format = "rate" }
retried_pct          = { label = "% I/O REQUESTS RETRIED ALL", better = "lower", format = "1", empty = "" }
retried_cp_pct       = { label = "% I/O REQUESTS RETRIED CP", better = "lower", format = "1", empty = "" }
retried_dp_pct       = { label = "% I/O REQUESTS RETRIED DP", better = "lower", format = "1", empty = "" }
retried_cu_pct       = { label = "% I/O REQUESTS RETRIED CU", better = "lower", format = "1", empty = "" }
retried_dv_pct       = { label = "% I/O REQUESTS RETRIED DV", better = "lower", format = "1", empty = "" }
retries_per_start    = { label = "RETRIES/SSCH ALL", better = "lower", format = "2", empty = "" }
retries_cp_per_start = { label = "RETRIES/SSCH CP", better = "lower", format = "2", empty = "" }
retries_dp_per_start = { label = "RETRIES/SSCH DP", better = "lower", format = "2", empty = "" }
retries_cu_per_start = { label = "RETRIES/SSCH CU", better = "lower", format = "2", empty = "" }
retries_dv_per_start = { label = "RETRIES/SSCH DV", better = "lower", format = "2", empty = "" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, iop,
    queue_count / nullif(interval_s, 0)                          AS activity_per_s, -- Requests a second that came into the initiative queue
    queue_excess_sum / nullif(queue_count, 0)                    AS avg_queue, -- Mean length of that queue
    100 * busy_count / nullif(look_count, 0)                     AS busy_pct, -- I/O processor busy
    100 * compression_count / nullif(look_count, 0)              AS compression_pct, -- Busy compressing or expanding
    100 * scm_count / nullif(look_count, 0)                      AS scm_pct, -- Busy with storage class memory
    start_count / nullif(interval_s, 0)                          AS start_per_s, -- I/O functions started a second
    interrupt_count / nullif(interval_s, 0)                      AS interrupt_per_s, -- I/O interrupts a second
    100 * retry_count / nullif(start_retry_count, 0)             AS retried_pct, -- Retries, of starts and retries
    100 * retry_cp_count / nullif(start_retry_count, 0)          AS retried_cp_pct, -- Retries, of starts and retries, channel path busy
    100 * retry_dp_count / nullif(start_retry_count, 0)          AS retried_dp_pct, -- Retries, of starts and retries, director port busy
    100 * retry_cu_count / nullif(start_retry_count, 0)          AS retried_cu_pct, -- Retries, of starts and retries, control unit busy
    100 * retry_dv_count / nullif(start_retry_count, 0)          AS retried_dv_pct, -- Retries, of starts and retries, device busy
    retry_count / nullif(start_count, 0)                         AS retries_per_start, -- Retries of a start
    retry_cp_count / nullif(start_count, 0)                      AS retries_cp_per_start, -- Retries of a start, channel path busy
    retry_dp_count / nullif(start_count, 0)                      AS retries_dp_per_start, -- Retries of a start, director port busy
    retry_cu_count / nullif(start_count, 0)                      AS retries_cu_per_start, -- Retries of a start, control unit busy
    retry_dv_count / nullif(start_count, 0)                      AS retries_dv_per_start, -- Retries of a start, device busy
    interval_s, queue_count, queue_excess_sum, busy_count, look_count, compression_count,
    scm_count, start_count, interrupt_count, retry_count, retry_cp_count, retry_dp_count,
    retry_cu_count, retry_dv_count, start_retry_count
FROM rmf_io_processor
ORDER BY run, sysplex, system, interval_start_utc, interval_start, iop NULLS LAST
