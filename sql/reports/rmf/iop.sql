/* imsperf report
id       = "rmf.iop"
title    = "I/O Processor Activity"
answers  = "Are the I/O processors busy, and why are requests retried?"
key      = ["iop"]
time     = "interval_start_utc"
lead     = "smf78_3_product"
needs    = ["load_file", "smf78_3_iop", "smf78_3_product"]
page     = "rmf_recorded_interval"

[chart]
mark     = "bar"
x        = "iop"
y        = ["busy_pct"]
facet    = "system"
where    = "iop IS NOT NULL"
title    = "I/O processors busy, %"

[[column]]
name     = "iop"
label    = "IOP"
kind     = "text"
doc      = "I/O processor, hex; NULL for all of them"
from     = ["smf78_3_iop.r783iqid"]

[[column]]
name     = "activity_per_s"
label    = "ACTIVITY RATE"
unit     = "1/s"
kind     = "ratio"
num      = "queue_count"
den      = "interval_s"
format   = "rate"
doc      = "Requests a second that came into the initiative queue"
from     = ["smf78_3_iop.r783iqct", "smf78_3_product.smf78int"]

[[column]]
name     = "avg_queue"
label    = "AVG Q LNGTH"
better   = "lower"
kind     = "ratio"
num      = "queue_excess_sum"
den      = "queue_count"
format   = "2"
empty    = ""
doc      = "Mean length of that queue"
from     = ["smf78_3_iop.r783iqsm", "smf78_3_iop.r783iqct"]

[[column]]
name     = "busy_pct"
label    = "% IOP BUSY"
unit     = "%"
kind     = "ratio"
num      = "busy_count"
den      = "look_count"
scale    = 100
format   = "2"
doc      = "I/O processor busy"
from     = ["smf78_3_iop.r783iipb", "smf78_3_iop.r783iipi"]

[[column]]
name     = "compression_pct"
label    = "% CMPR BUSY"
unit     = "%"
kind     = "ratio"
num      = "compression_count"
den      = "look_count"
scale    = 100
format   = "2"
doc      = "Busy compressing or expanding"
from     = ["smf78_3_iop.r783iecb", "smf78_3_iop.r783iipb", "smf78_3_iop.r783iipi"]

[[column]]
name     = "scm_pct"
label    = "% SCM BUSY"
unit     = "%"
kind     = "ratio"
num      = "scm_count"
den      = "look_count"
scale    = 100
format   = "2"
doc      = "Busy with storage class memory"
from     = ["smf78_3_iop.r783iscb", "smf78_3_iop.r783iipb", "smf78_3_iop.r783iipi"]

[[column]]
name     = "start_per_s"
label    = "I/O START RATE"
unit     = "1/s"
kind     = "ratio"
num      = "start_count"
den      = "interval_s"
format   = "rate"
doc      = "I/O functions started a second"
from     = ["smf78_3_iop.r783iifs", "smf78_3_product.smf78int"]

[[column]]
name     = "interrupt_per_s"
label    = "INTERRUPT RATE"
unit     = "1/s"
kind     = "ratio"
num      = "interrupt_count"
den      = "interval_s"
format   = "rate"
doc      = "I/O interrupts a second"
from     = ["smf78_3_iop.r783ipii", "smf78_3_product.smf78int"]

[[column]]
name     = "retried_pct"
label    = "% I/O REQUESTS RETRIED ALL"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "retry_count"
den      = "start_retry_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Retries, of starts and retries"
from     = ["smf78_3_iop.r783icpb", "smf78_3_iop.r783idpb", "smf78_3_iop.r783icub",
            "smf78_3_iop.r783idvb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retried_cp_pct"
label    = "% I/O REQUESTS RETRIED CP"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "retry_cp_count"
den      = "start_retry_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Retries, of starts and retries, channel path busy"
from     = ["smf78_3_iop.r783icpb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retried_dp_pct"
label    = "% I/O REQUESTS RETRIED DP"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "retry_dp_count"
den      = "start_retry_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Retries, of starts and retries, director port busy"
from     = ["smf78_3_iop.r783idpb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retried_cu_pct"
label    = "% I/O REQUESTS RETRIED CU"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "retry_cu_count"
den      = "start_retry_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Retries, of starts and retries, control unit busy"
from     = ["smf78_3_iop.r783icub", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retried_dv_pct"
label    = "% I/O REQUESTS RETRIED DV"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "retry_dv_count"
den      = "start_retry_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Retries, of starts and retries, device busy"
from     = ["smf78_3_iop.r783idvb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retries_per_start"
label    = "RETRIES/SSCH ALL"
better   = "lower"
kind     = "ratio"
num      = "retry_count"
den      = "start_count"
format   = "2"
empty    = ""
doc      = "Retries of a start"
from     = ["smf78_3_iop.r783icpb", "smf78_3_iop.r783idpb", "smf78_3_iop.r783icub",
            "smf78_3_iop.r783idvb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retries_cp_per_start"
label    = "RETRIES/SSCH CP"
better   = "lower"
kind     = "ratio"
num      = "retry_cp_count"
den      = "start_count"
format   = "2"
empty    = ""
doc      = "Retries of a start, channel path busy"
from     = ["smf78_3_iop.r783icpb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retries_dp_per_start"
label    = "RETRIES/SSCH DP"
better   = "lower"
kind     = "ratio"
num      = "retry_dp_count"
den      = "start_count"
format   = "2"
empty    = ""
doc      = "Retries of a start, director port busy"
from     = ["smf78_3_iop.r783idpb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retries_cu_per_start"
label    = "RETRIES/SSCH CU"
better   = "lower"
kind     = "ratio"
num      = "retry_cu_count"
den      = "start_count"
format   = "2"
empty    = ""
doc      = "Retries of a start, control unit busy"
from     = ["smf78_3_iop.r783icub", "smf78_3_iop.r783iifs"]

[[column]]
name     = "retries_dv_per_start"
label    = "RETRIES/SSCH DV"
better   = "lower"
kind     = "ratio"
num      = "retry_dv_count"
den      = "start_count"
format   = "2"
empty    = ""
doc      = "Retries of a start, device busy"
from     = ["smf78_3_iop.r783idvb", "smf78_3_iop.r783iifs"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_io_processor.interval_s"]

[[column]]
name     = "queue_count"
kind     = "part"
doc      = "Requests that came into the queue"
from     = ["rmf_io_processor.queue_count"]

[[column]]
name     = "queue_excess_sum"
kind     = "part"
doc      = "Lengths of the queue, summed"
from     = ["rmf_io_processor.queue_excess_sum"]

[[column]]
name     = "busy_count"
kind     = "part"
doc      = "Times busy"
from     = ["rmf_io_processor.busy_count"]

[[column]]
name     = "look_count"
kind     = "part"
doc      = "Times looked at"
from     = ["rmf_io_processor.look_count"]

[[column]]
name     = "compression_count"
kind     = "part"
doc      = "Times busy compressing"
from     = ["rmf_io_processor.compression_count"]

[[column]]
name     = "scm_count"
kind     = "part"
doc      = "Times busy with storage class memory"
from     = ["rmf_io_processor.scm_count"]

[[column]]
name     = "start_count"
kind     = "part"
doc      = "I/O functions started"
from     = ["rmf_io_processor.start_count"]

[[column]]
name     = "interrupt_count"
kind     = "part"
doc      = "I/O interrupts"
from     = ["rmf_io_processor.interrupt_count"]

[[column]]
name     = "retry_count"
kind     = "part"
doc      = "Retries"
from     = ["rmf_io_processor.retry_count"]

[[column]]
name     = "retry_cp_count"
kind     = "part"
doc      = "Retries, channel path busy"
from     = ["rmf_io_processor.retry_cp_count"]

[[column]]
name     = "retry_dp_count"
kind     = "part"
doc      = "Retries, director port busy"
from     = ["rmf_io_processor.retry_dp_count"]

[[column]]
name     = "retry_cu_count"
kind     = "part"
doc      = "Retries, control unit busy"
from     = ["rmf_io_processor.retry_cu_count"]

[[column]]
name     = "retry_dv_count"
kind     = "part"
doc      = "Retries, device busy"
from     = ["rmf_io_processor.retry_dv_count"]

[[column]]
name     = "start_retry_count"
kind     = "part"
doc      = "Starts and retries"
from     = ["rmf_io_processor.start_retry_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    iop                                                          AS iop,
    queue_count / nullif(interval_s, 0)                          AS activity_per_s,
    queue_excess_sum / nullif(queue_count, 0)                    AS avg_queue,
    100 * busy_count / nullif(look_count, 0)                     AS busy_pct,
    100 * compression_count / nullif(look_count, 0)              AS compression_pct,
    100 * scm_count / nullif(look_count, 0)                      AS scm_pct,
    start_count / nullif(interval_s, 0)                          AS start_per_s,
    interrupt_count / nullif(interval_s, 0)                      AS interrupt_per_s,
    100 * retry_count / nullif(start_retry_count, 0)             AS retried_pct,
    100 * retry_cp_count / nullif(start_retry_count, 0)          AS retried_cp_pct,
    100 * retry_dp_count / nullif(start_retry_count, 0)          AS retried_dp_pct,
    100 * retry_cu_count / nullif(start_retry_count, 0)          AS retried_cu_pct,
    100 * retry_dv_count / nullif(start_retry_count, 0)          AS retried_dv_pct,
    retry_count / nullif(start_count, 0)                         AS retries_per_start,
    retry_cp_count / nullif(start_count, 0)                      AS retries_cp_per_start,
    retry_dp_count / nullif(start_count, 0)                      AS retries_dp_per_start,
    retry_cu_count / nullif(start_count, 0)                      AS retries_cu_per_start,
    retry_dv_count / nullif(start_count, 0)                      AS retries_dv_per_start,
    interval_s                                                   AS interval_s,
    queue_count                                                  AS queue_count,
    queue_excess_sum                                             AS queue_excess_sum,
    busy_count                                                   AS busy_count,
    look_count                                                   AS look_count,
    compression_count                                            AS compression_count,
    scm_count                                                    AS scm_count,
    start_count                                                  AS start_count,
    interrupt_count                                              AS interrupt_count,
    retry_count                                                  AS retry_count,
    retry_cp_count                                               AS retry_cp_count,
    retry_dp_count                                               AS retry_dp_count,
    retry_cu_count                                               AS retry_cu_count,
    retry_dv_count                                               AS retry_dv_count,
    start_retry_count                                            AS start_retry_count
FROM rmf_io_processor
ORDER BY run, system, interval_start_utc, interval_start, iop NULLS LAST
