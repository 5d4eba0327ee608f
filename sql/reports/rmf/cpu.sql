/* imsperf report
id       = "rmf.cpu"
title    = "CPU Activity"
answers  = "Is the partition short of engines, or held back by weight, parking or capping?"
key      = ["cpu", "thread", "type"]
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_control", "smf70_1_core", "smf70_1_cpu", "smf70_1_cpu_id",
            "smf70_1_partition", "smf70_1_processor", "smf70_1_product"]
optional = ["smf70_1_core", "smf70_1_cpu_id", "smf70_1_partition", "smf70_1_processor"]
page     = "rmf_cpu_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["lpar_busy_pct"]
color    = "type"
facet    = "system"
where    = "cpu IS NULL"
title    = "LPAR busy per cent by processor type"

[[column]]
name     = "cpu"
label    = "NUM"
kind     = "text"
format   = "hex"
doc      = "Logical processor, or core where the record has cores; NULL on the total row of a type"
from     = ["smf70_1_cpu.smf70cid", "smf70_1_core.smf70_core_id"]

[[column]]
name     = "thread"
kind     = "text"
doc      = "Thread of the core from 1; NULL without multithreading"
from     = ["smf70_1_core.smf70_cpu_skip", "smf70_1_core.smf70_cpu_num"]

[[column]]
name     = "type"
label    = "TYPE"
kind     = "text"
doc      = "CP, AAP or IIP"
from     = ["smf70_1_cpu.smf70typ"]

[[column]]
name     = "online_pct"
label    = "ONLINE"
unit     = "%"
kind     = "ratio"
num      = "core_online_us"
den      = "core_interval_us"
scale    = 100
format   = "2"
doc      = "Part of the interval the processor was online"
from     = ["rmf_cpu.core_online_us", "rmf_cpu.core_interval_us", "smf70_1_processor.smf70ont"]

[[column]]
name     = "lpar_busy_pct"
label    = "LPAR BUSY"
unit     = "%"
kind     = "ratio"
num      = "lpar_busy_us"
den      = "lpar_online_us"
scale    = 100
format   = "2"
empty    = "-----"
doc      = "Busy as PR/SM sees it, of the online time"
from     = ["rmf_cpu.lpar_busy_us", "rmf_cpu.lpar_online_us", "smf70_1_processor.smf70pdt",
            "smf70_1_cpu.smf70wat", "smf70_1_core.smf70_lpar_busy"]

[[column]]
name     = "mvs_busy_pct"
label    = "MVS BUSY"
unit     = "%"
kind     = "ratio"
num      = "mvs_busy_us"
den      = "mvs_unparked_us"
scale    = 100
format   = "2"
empty    = "-----"
doc      = "Busy as z/OS sees it: not waiting, of the time online and not parked"
from     = ["rmf_cpu.mvs_busy_us", "rmf_cpu.mvs_unparked_us", "smf70_1_cpu.smf70wat",
            "smf70_1_cpu.smf70pat"]

[[column]]
name     = "parked_pct"
label    = "PARKED"
unit     = "%"
kind     = "ratio"
num      = "parked_us"
den      = "thread_online_us"
scale    = 100
format   = "2"
empty    = "-----"
doc      = "Part of the online time the processor was parked"
from     = ["rmf_cpu.parked_us", "rmf_cpu.thread_online_us", "smf70_1_cpu.smf70pat"]

[[column]]
name     = "mt_prod_pct"
label    = "MT PROD"
unit     = "%"
kind     = "ratio"
num      = "mt_used_us"
den      = "mt_busy_us"
scale    = 100
format   = "2"
empty    = "-----"
doc      = "Productivity of the core while it was busy; totals are weighted by busy time"
from     = ["rmf_cpu.mt_used_us", "rmf_cpu.mt_busy_us", "smf70_1_core.smf70_prod"]

[[column]]
name     = "mt_util_pct"
label    = "MT UTIL"
unit     = "%"
kind     = "ratio"
num      = "mt_used_us"
den      = "mt_online_us"
scale    = 100
format   = "2"
empty    = "-----"
doc      = "Core capacity used: productivity x LPAR busy"
from     = ["rmf_cpu.mt_used_us", "rmf_cpu.mt_online_us", "smf70_1_core.smf70_prod"]

[[column]]
name     = "share_pct"
label    = "LOG PROC SHARE %"
unit     = "%"
kind     = "ratio"
num      = "share_pct_s"
den      = "interval_s"
format   = "1"
doc      = "Entitlement, per cent of one physical processor"
from     = ["rmf_cpu.share_pct_s", "smf70_1_processor.smf70pow", "smf70_1_processor.smf70bps",
            "smf70_1_cpu_id.smf70ctn", "smf70_1_cpu_id.smf70can"]

[[column]]
name     = "share_kind"
kind     = "text"
doc      = "HIGH, MED or LOW; NULL where the processor is not polarised"
from     = ["smf70_1_processor.smf70pof"]

[[column]]
name     = "io_rate_per_s"
label    = "I/O INTERRUPTS RATE"
unit     = "1/s"
kind     = "ratio"
num      = "io_interrupts_count"
den      = "interval_s"
format   = "rate"
doc      = "I/O interrupts a second"
from     = ["rmf_cpu.io_interrupts_count", "smf70_1_cpu.smf70slh", "smf70_1_cpu.smf70tpi"]

[[column]]
name     = "tpi_pct"
label    = "% VIA TPI"
unit     = "%"
kind     = "ratio"
num      = "tpi_count"
den      = "io_interrupts_count"
scale    = 100
format   = "2"
empty    = "0.00"
doc      = "I/O interrupts taken by test pending interruption"
from     = ["rmf_cpu.tpi_count", "rmf_cpu.io_interrupts_count", "smf70_1_cpu.smf70tpi"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_cpu.interval_s"]

[[column]]
name     = "core_interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval, once for each core"
from     = ["rmf_cpu.core_interval_us"]

[[column]]
name     = "core_online_us"
unit     = "us"
kind     = "part"
doc      = "Online time, the whole interval where the record says so"
from     = ["rmf_cpu.core_online_us"]

[[column]]
name     = "lpar_online_us"
unit     = "us"
kind     = "part"
doc      = "Online time that LPAR busy is a part of"
from     = ["rmf_cpu.lpar_online_us"]

[[column]]
name     = "lpar_busy_us"
unit     = "us"
kind     = "part"
doc      = "Busy as PR/SM sees it"
from     = ["rmf_cpu.lpar_busy_us"]

[[column]]
name     = "mvs_unparked_us"
unit     = "us"
kind     = "part"
doc      = "Online and not parked"
from     = ["rmf_cpu.mvs_unparked_us"]

[[column]]
name     = "mvs_busy_us"
unit     = "us"
kind     = "part"
doc      = "Busy as z/OS sees it"
from     = ["rmf_cpu.mvs_busy_us"]

[[column]]
name     = "thread_online_us"
unit     = "us"
kind     = "part"
doc      = "Online time, of every thread"
from     = ["rmf_cpu.thread_online_us"]

[[column]]
name     = "parked_us"
unit     = "us"
kind     = "part"
doc      = "Time parked"
from     = ["rmf_cpu.parked_us"]

[[column]]
name     = "mt_busy_us"
unit     = "us"
kind     = "part"
doc      = "Core busy time where productivity is known"
from     = ["rmf_cpu.mt_busy_us"]

[[column]]
name     = "mt_used_us"
unit     = "us"
kind     = "part"
doc      = "Core busy time x productivity"
from     = ["rmf_cpu.mt_used_us"]

[[column]]
name     = "mt_online_us"
unit     = "us"
kind     = "part"
doc      = "Core online time where productivity is known"
from     = ["rmf_cpu.mt_online_us"]

[[column]]
name     = "share_pct_s"
unit     = "% s"
kind     = "part"
doc      = "Share x seconds"
from     = ["rmf_cpu.share_pct_s"]

[[column]]
name     = "io_interrupts_count"
unit     = "interrupts"
kind     = "part"
doc      = "I/O interrupts"
from     = ["rmf_cpu.io_interrupts_count"]

[[column]]
name     = "tpi_count"
unit     = "interrupts"
kind     = "part"
doc      = "I/O interrupts taken by test pending interruption"
from     = ["rmf_cpu.tpi_count"]
*/
WITH row_sums AS (
    -- the second grouping is the total row of a type
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, cpu, thread, type,
        grouping(cpu)                AS is_total,
        any_value(share_kind)        AS share_kind,
        max(interval_s)              AS interval_s,
        sum(core_interval_us)        AS core_interval_us,
        sum(core_online_us)          AS core_online_us,
        sum(lpar_online_us)          AS lpar_online_us,
        sum(lpar_busy_us)            AS lpar_busy_us,
        sum(mvs_unparked_us)         AS mvs_unparked_us,
        sum(mvs_busy_us)             AS mvs_busy_us,
        sum(thread_online_us)        AS thread_online_us,
        sum(parked_us)               AS parked_us,
        sum(mt_busy_us)              AS mt_busy_us,
        sum(mt_used_us)              AS mt_used_us,
        sum(mt_online_us)            AS mt_online_us,
        sum(share_pct_s)             AS share_pct_s,
        sum(io_interrupts_count)     AS io_interrupts_count,
        sum(tpi_count)               AS tpi_count
    FROM rmf_cpu
    GROUP BY GROUPING SETS (
        (run, sysplex, system, interval_start, interval_start_utc, cpu, thread, type),
        (run, sysplex, system, interval_start, interval_start_utc, type)
    )
)
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    cpu                                                          AS cpu,
    thread                                                       AS thread,
    type                                                         AS type,
    100 * core_online_us / nullif(core_interval_us, 0)           AS online_pct,
    100 * lpar_busy_us / nullif(lpar_online_us, 0)               AS lpar_busy_pct,
    100 * mvs_busy_us / nullif(mvs_unparked_us, 0)               AS mvs_busy_pct,
    100 * parked_us / nullif(thread_online_us, 0)                AS parked_pct,
    100 * mt_used_us / nullif(mt_busy_us, 0)                     AS mt_prod_pct,
    100 * mt_used_us / nullif(mt_online_us, 0)                   AS mt_util_pct,
    share_pct_s / nullif(interval_s, 0)                          AS share_pct,
    CASE WHEN is_total = 0 THEN share_kind END                   AS share_kind,
    io_interrupts_count / nullif(interval_s, 0)                  AS io_rate_per_s,
    100 * tpi_count / nullif(io_interrupts_count, 0)             AS tpi_pct,
    interval_s                                                   AS interval_s,
    core_interval_us                                             AS core_interval_us,
    core_online_us                                               AS core_online_us,
    lpar_online_us                                               AS lpar_online_us,
    lpar_busy_us                                                 AS lpar_busy_us,
    mvs_unparked_us                                              AS mvs_unparked_us,
    mvs_busy_us                                                  AS mvs_busy_us,
    thread_online_us                                             AS thread_online_us,
    parked_us                                                    AS parked_us,
    mt_busy_us                                                   AS mt_busy_us,
    mt_used_us                                                   AS mt_used_us,
    mt_online_us                                                 AS mt_online_us,
    share_pct_s                                                  AS share_pct_s,
    io_interrupts_count                                          AS io_interrupts_count,
    tpi_count                                                    AS tpi_count
FROM row_sums
ORDER BY run, system, interval_start_utc, interval_start,
    CASE type WHEN 'CP' THEN 0 WHEN 'AAP' THEN 1 WHEN 'IIP' THEN 2 ELSE 3 END,
    is_total, cpu, thread
