/* imsperf report
id       = "smf.dataset_io"
title    = "Data Set I/O"
answers  = "Which data set is slow, for which job, and in which part of the I/O?"
key      = ["job", "dataset", "volume"]
time     = "interval_start_utc"
needs    = ["load_file", "load_interval", "smf42_6_dataset", "smf42_6_header", "smf42_6_io",
            "smf42_6_job", "smf42_6_product"]
optional = ["smf42_6_header"]

[chart]
mark     = "bar"
x        = "dataset"
y        = ["queue_ms", "pend_ms", "disc_ms", "conn_ms"]
facet    = "system"
top      = 20
by       = "io_count"
title    = "Response time of the 20 most active data sets, ms"

[[column]]
name     = "run"
kind     = "text"
doc      = "Measurement"
from     = ["load_file.run"]

[[column]]
name     = "sysplex"
kind     = "text"
doc      = "Sysplex name, where RMF records of the run tell it"
from     = ["load_interval.sysplex"]

[[column]]
name     = "system"
kind     = "text"
doc      = "System name where RMF records of the run tell it, else the SMF id"
from     = ["smf42_6_dataset.system", "load_interval.name"]

[[column]]
name     = "interval_start"
kind     = "time"
doc      = "Interval start, local time of the system"
from     = ["smf42_6_product.smf42pts", "smf42_6_job.s42jdgmo"]

[[column]]
name     = "interval_start_utc"
kind     = "time"
doc      = "Interval start, UTC"
from     = ["smf42_6_product.smf42pts"]

[[column]]
name     = "job"
label    = "JOB"
kind     = "text"
doc      = "Job name"
from     = ["smf42_6_job.s42jdjnm"]

[[column]]
name     = "dataset"
label    = "DATA SET"
kind     = "text"
doc      = "Data set name"
from     = ["smf42_6_dataset.s42dsn"]

[[column]]
name     = "volume"
label    = "VOLUME"
kind     = "text"
doc      = "Volume serial"
from     = ["smf42_6_dataset.s42dsvol"]

[[column]]
name     = "ios"
label    = "I/OS"
unit     = "I/O"
kind     = "count"
format   = "scaled"
doc      = "I/Os"
from     = ["smf42_6_io.s42dsion"]

[[column]]
name     = "ios_per_s"
label    = "I/O/S"
unit     = "1/s"
kind     = "ratio"
num      = "io_count"
den      = "interval_s"
format   = "rate"
doc      = "I/Os a second"
from     = ["smf42_6_io.s42dsion", "smf42_6_product.smf42pts", "smf42_6_product.smf42pte"]

[[column]]
name     = "resp_ms"
label    = "RESP"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "resp_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Response time of an I/O"
from     = ["smf42_6_io.s42dsior", "smf42_6_io.s42dsr1u", "smf42_6_io.s42dsion"]

[[column]]
name     = "conn_ms"
label    = "CONN"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "conn_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Connect time of an I/O"
from     = ["smf42_6_io.s42dsioc", "smf42_6_io.s42dsc1u", "smf42_6_io.s42dsion"]

[[column]]
name     = "pend_ms"
label    = "PEND"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "pend_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Pending time of an I/O"
from     = ["smf42_6_io.s42dsiop", "smf42_6_io.s42dsp1u", "smf42_6_io.s42dsion"]

[[column]]
name     = "disc_ms"
label    = "DISC"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "disc_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Disconnect time of an I/O"
from     = ["smf42_6_io.s42dsiod", "smf42_6_io.s42dsd1u", "smf42_6_io.s42dsion"]

[[column]]
name     = "queue_ms"
label    = "CU QUEUE"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "queue_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "Control unit queue time of an I/O"
from     = ["smf42_6_io.s42dsioq", "smf42_6_io.s42dsq1u", "smf42_6_io.s42dsion"]

[[column]]
name     = "max_resp_ms"
label    = "MAX RESP"
unit     = "ms"
better   = "lower"
kind     = "highwater"
format   = "device"
doc      = "Longest response time"
from     = ["smf42_6_io.s42dsmxr"]

[[column]]
name     = "cache_hit_pct"
label    = "CACHE HIT %"
unit     = "%"
better   = "higher"
kind     = "ratio"
num      = "cache_hit_count"
den      = "cache_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Served by the cache, of the I/Os it could serve"
from     = ["smf42_6_io.s42dshts", "smf42_6_io.s42dscnd"]

[[column]]
name     = "write_hit_pct"
label    = "WRITE HIT %"
unit     = "%"
better   = "higher"
kind     = "ratio"
num      = "cache_write_hit_count"
den      = "cache_write_count"
scale    = 100
format   = "1"
empty    = ""
doc      = "Taken by the cache, of the writes it could take"
from     = ["smf42_6_io.s42dswhi", "smf42_6_io.s42dswcn"]

[[column]]
name     = "reads"
label    = "READS"
unit     = "I/O"
kind     = "count"
format   = "scaled"
doc      = "Reads"
from     = ["smf42_6_io.s42dsrdt"]

[[column]]
name     = "sequential"
label    = "SEQ"
unit     = "I/O"
kind     = "count"
format   = "scaled"
doc      = "Sequential I/Os"
from     = ["smf42_6_io.s42dsseq"]

[[column]]
name     = "zhpf_reads"
label    = "ZHPF READS"
unit     = "I/O"
kind     = "count"
format   = "scaled"
doc      = "Reads by zHPF"
from     = ["smf42_6_io.s42dshrd"]

[[column]]
name     = "zhpf_writes"
label    = "ZHPF WRITES"
unit     = "I/O"
kind     = "count"
format   = "scaled"
doc      = "Writes by zHPF"
from     = ["smf42_6_io.s42dshwr"]

[[column]]
name     = "zhyperwrites"
label    = "ZHYPERWRITES"
unit     = "I/O"
kind     = "count"
format   = "scaled"
doc      = "Writes zHyperWrite sent to the Metro Mirror secondary"
from     = ["smf42_6_io.s42dsios"]

[[column]]
name     = "dataset_type"
label    = "TYPE"
kind     = "text"
doc      = "PS, PDS, PDSE, KSDS, ESDS, LINEAR"
from     = ["smf42_6_dataset.s42dstyp"]

[[column]]
name     = "block_bytes"
label    = "BLKSIZE"
unit     = "bytes"
kind     = "config"
format   = "int"
doc      = "Block or control interval size"
from     = ["smf42_6_dataset.s42dsbsz"]

[[column]]
name     = "storage_class"
label    = "STORAGE CLASS"
kind     = "text"
doc      = "SMS storage class"
from     = ["smf42_6_dataset.s42dssc"]

[[column]]
name     = "service_class"
label    = "SERVICE CLASS"
kind     = "text"
doc      = "Service class of the job"
from     = ["smf42_6_job.s42jdwsc"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["smf_dataset_io.interval_s"]

[[column]]
name     = "io_count"
unit     = "I/O"
kind     = "part"
doc      = "I/Os"
from     = ["smf_dataset_io.io_count"]

[[column]]
name     = "resp_us"
unit     = "us"
kind     = "part"
doc      = "Response time"
from     = ["smf_dataset_io.resp_us"]

[[column]]
name     = "conn_us"
unit     = "us"
kind     = "part"
doc      = "Connect time"
from     = ["smf_dataset_io.conn_us"]

[[column]]
name     = "pend_us"
unit     = "us"
kind     = "part"
doc      = "Pending time"
from     = ["smf_dataset_io.pend_us"]

[[column]]
name     = "disc_us"
unit     = "us"
kind     = "part"
doc      = "Disconnect time"
from     = ["smf_dataset_io.disc_us"]

[[column]]
name     = "queue_us"
unit     = "us"
kind     = "part"
doc      = "Control unit queue time"
from     = ["smf_dataset_io.queue_us"]

[[column]]
name     = "cache_count"
unit     = "I/O"
kind     = "part"
doc      = "I/Os the cache could serve"
from     = ["smf_dataset_io.cache_count"]

[[column]]
name     = "cache_hit_count"
unit     = "I/O"
kind     = "part"
doc      = "I/Os the cache did serve"
from     = ["smf_dataset_io.cache_hit_count"]

[[column]]
name     = "cache_write_count"
unit     = "I/O"
kind     = "part"
doc      = "Writes the cache could take"
from     = ["smf_dataset_io.cache_write_count"]

[[column]]
name     = "cache_write_hit_count"
unit     = "I/O"
kind     = "part"
doc      = "Writes the cache did take"
from     = ["smf_dataset_io.cache_write_hit_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    job                                                          AS job,
    dataset                                                      AS dataset,
    volume                                                       AS volume,
    io_count                                                     AS ios,
    io_count / nullif(interval_s, 0)                             AS ios_per_s,
    0.001 * resp_us / nullif(io_count, 0)                        AS resp_ms,
    0.001 * conn_us / nullif(io_count, 0)                        AS conn_ms,
    0.001 * pend_us / nullif(io_count, 0)                        AS pend_ms,
    0.001 * disc_us / nullif(io_count, 0)                        AS disc_ms,
    0.001 * queue_us / nullif(io_count, 0)                       AS queue_ms,
    0.001 * max_resp_us                                          AS max_resp_ms,
    100 * cache_hit_count / nullif(cache_count, 0)               AS cache_hit_pct,
    100 * cache_write_hit_count / nullif(cache_write_count, 0)   AS write_hit_pct,
    read_count                                                   AS reads,
    sequential_count                                             AS sequential,
    zhpf_read_count                                              AS zhpf_reads,
    zhpf_write_count                                             AS zhpf_writes,
    zhyperwrite_count                                            AS zhyperwrites,
    dataset_type                                                 AS dataset_type,
    block_bytes                                                  AS block_bytes,
    storage_class                                                AS storage_class,
    service_class                                                AS service_class,
    interval_s                                                   AS interval_s,
    io_count                                                     AS io_count,
    resp_us                                                      AS resp_us,
    conn_us                                                      AS conn_us,
    pend_us                                                      AS pend_us,
    disc_us                                                      AS disc_us,
    queue_us                                                     AS queue_us,
    cache_count                                                  AS cache_count,
    cache_hit_count                                              AS cache_hit_count,
    cache_write_count                                            AS cache_write_count,
    cache_write_hit_count                                        AS cache_write_hit_count
FROM smf_dataset_io
ORDER BY run, system, interval_start_utc, interval_start, job, dataset, volume
