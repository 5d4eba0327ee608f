/* imsperf report
id       = "rmf.iop"
title    = "I/O Processor Activity"
answers  = "Are the I/O processors busy, and why are requests retried?"
key      = ["iop"]
records_by = ["system", "interval_start"]
facts    = "rmf_ioq_interval"

[chart]
mark     = "bar"
x        = "iop"
y        = ["busy_pct"]
facet    = "system"
where    = "iop IS NOT NULL"
title    = "I/O processors busy, %"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.iop", "rmf.ioq"]]
title    = "I/O Queuing Activity"
above    = """
TOTAL SAMPLES = {samples:6}   IODF = {facts.iodf_suffix}   CR-DATE: {facts.iodf_date}   CR-TIME: {facts.iodf_time}     ACT: {facts.iodf_activation}

"""

[page.texts]
# of one interval: not of a total
samples  = "if(max(interval_s) OVER page = facts.interval_s, format('{:,}', facts.samples_count), '-')"
iop      = "if(iop IS NULL, 'SYS', NULL)"

[[page.table]]
above    = """
                                                  INPUT/OUTPUT PROCESSORS
    INITIATIVE QUEUE ------------- IOP UTILIZATION -------------- --- % I/O REQUESTS RETRIED ---- ------- RETRIES / SSCH --------
"""
columns  = """
iop                  -3  |IOP
activity_per_s        9  ACTIVITY|RATE
avg_queue             6  AVG Q|LNGTH
busy_pct              6  % IOP|BUSY
compression_pct       6  % CMPR|BUSY
scm_pct               6  % SCM|BUSY
start_per_s           9  I/O START|RATE
interrupt_per_s       9  INTERRUPT|RATE
retried_pct           6  |ALL
retried_cp_pct        5  CP|BUSY
retried_dp_pct        5  DP|BUSY
retried_cu_pct        5  CU|BUSY
retried_dv_pct        5  DV|BUSY
retries_per_start     6  |ALL
retries_cp_per_start  5  CP|BUSY
retries_dp_per_start  5  DP|BUSY
retries_cu_per_start  5  CU|BUSY
retries_dv_per_start  5  DV|BUSY
"""

[columns]
activity_per_s       = { format = "3" }
avg_queue            = { better = "lower", format = "2", empty = "" }
busy_pct             = { format = "2" }
compression_pct      = { format = "2" }
scm_pct              = { format = "2" }
start_per_s          = { format = "3" }
interrupt_per_s      = { format = "3" }
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
