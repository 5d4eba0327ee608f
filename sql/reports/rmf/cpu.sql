/* imsperf report
id       = "rmf.cpu"
title    = "CPU Activity"
answers  = "Is the partition short of engines, or held back by weight, parking or capping?"
key      = ["cpu", "thread", "type"]
records_by = ["system", "interval_start"]
optional = ["smf70_1_core", "smf70_1_cpu_id", "smf70_1_partition", "smf70_1_processor"]
facts    = "rmf_machine"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["lpar_busy_pct"]
color    = "type"
facet    = "system"
where    = "cpu IS NULL"
title    = "LPAR busy per cent by processor type"

[page]
layout   = "RMF Report Analysis, SC34-2665"
together = [
    ["rmf.cpu", "rmf.multithreading"],
    ["rmf.address_spaces", "rmf.in_ready", "rmf.work_units", "rmf.blocked_workload"],
    ["rmf.partition", "rmf.processors"], ["rmf.lpar_cluster"], ["rmf.group_capacity"],
]
above    = """
CPU        {facts.machine_type:-6} CPC CAPACITY {facts.cpc_capacity_msu:5}        SEQUENCE CODE {facts.sequence_code}
MODEL      {facts.model:-6}                           HIPERDISPATCH={facts.hiperdispatch}
H/W MODEL  {facts.hw_model:-6} CHANGE REASON={facts.change_reason:-10}  BOOST TYPE={boost:-7} BOOST CLASS={class}

"""

[page.texts]
boost         = "CASE facts.boost_type WHEN 'N' THEN 'NONE' WHEN 'S' THEN 'SPEED' WHEN 'I' THEN 'ZIIP' WHEN 'B' THEN 'ALL' ELSE '-' END"
class         = "CASE WHEN facts.boost_type = 'N' THEN 'NONE' ELSE coalesce(facts.boost_class, '-') END"
processor     = """CASE WHEN cpu IS NULL THEN 'TOTAL/AVERAGE' WHEN thread > 1 THEN ''
    ELSE format('{:3X} {}', cpu, coalesce(nullif(type, ''), '-')) END"""
# of a second thread only what is its own; a total is of no processor
online_pct    = "CASE WHEN cpu IS NULL OR thread > 1 THEN '' END"
lpar_busy_pct = "CASE WHEN thread > 1 THEN '' END"
parked_pct    = "CASE WHEN cpu IS NULL THEN '' END"
mt_prod_pct   = "CASE WHEN thread > 1 THEN '' END"
mt_util_pct   = "CASE WHEN thread > 1 THEN '' END"
share_pct     = "CASE WHEN thread > 1 THEN '' END"
share_kind    = "coalesce(share_kind, '')"

[[page.table]]
above    = """
--- CPU ---   -------------- TIME % ---------------  --- MT % ----   LOG PROC    --I/O INTERRUPTS--
NUM TYPE      ONLINE LPAR BUSY  MVS BUSY    PARKED     PROD   UTIL   SHARE %         RATE % VIA TPI
"""
columns  = """
processor      -13
online_pct       7
lpar_busy_pct    9
mvs_busy_pct     9
parked_pct       9
mt_prod_pct      8
mt_util_pct      6
share_pct        8
share_kind      -4
io_rate_per_s    9
tpi_pct          9
"""

[columns]
cpu           = { label = "NUM", format = "hex" }
type          = { label = "TYPE" }
online_pct    = { label = "ONLINE", format = "2" }
lpar_busy_pct = { label = "LPAR BUSY", format = "2", empty = "-----" }
mvs_busy_pct  = { label = "MVS BUSY", format = "2", empty = "-----" }
parked_pct    = { label = "PARKED", format = "2", empty = "-----" }
mt_prod_pct   = { label = "MT PROD", format = "2", empty = "-----" }
mt_util_pct   = { label = "MT UTIL", format = "2", empty = "-----" }
share_pct     = { label = "LOG PROC SHARE %", format = "1" }
io_rate_per_s = { label = "I/O INTERRUPTS RATE", format = "rate" }
tpi_pct       = { label = "% VIA TPI", format = "2", empty = "0.00" }
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
    run, sysplex, system, interval_start, interval_start_utc,
    cpu, -- Logical processor, or core where the record has cores; NULL on the total row of a type
    thread, type,
    100 * core_online_us / nullif(core_interval_us, 0)           AS online_pct, -- Part of the interval the processor was online
    100 * lpar_busy_us / nullif(lpar_online_us, 0)               AS lpar_busy_pct, -- Busy as PR/SM sees it, of the online time
    100 * mvs_busy_us / nullif(mvs_unparked_us, 0)               AS mvs_busy_pct, -- Busy as z/OS sees it: not waiting, of the time online and not parked
    100 * parked_us / nullif(thread_online_us, 0)                AS parked_pct, -- Part of the online time the processor was parked
    100 * mt_used_us / nullif(mt_busy_us, 0)                     AS mt_prod_pct, -- Productivity of the core while it was busy; totals are weighted by busy time
    100 * mt_used_us / nullif(mt_online_us, 0)                   AS mt_util_pct, -- Core capacity used: productivity x LPAR busy
    share_pct_s / nullif(interval_s, 0)                          AS share_pct, -- Entitlement, per cent of one physical processor
    CASE WHEN is_total = 0 THEN share_kind END                   AS share_kind, -- HIGH, MED or LOW; NULL where the processor is not polarised
    io_interrupts_count / nullif(interval_s, 0)                  AS io_rate_per_s, -- I/O interrupts a second
    100 * tpi_count / nullif(io_interrupts_count, 0)             AS tpi_pct, -- I/O interrupts taken by test pending interruption
    interval_s, core_interval_us, core_online_us, lpar_online_us, lpar_busy_us, mvs_unparked_us,
    mvs_busy_us, thread_online_us, parked_us, mt_busy_us, mt_used_us, mt_online_us, share_pct_s,
    io_interrupts_count, tpi_count
FROM row_sums
ORDER BY run, sysplex, system, interval_start_utc, interval_start,
    CASE type WHEN 'CP' THEN 0 WHEN 'AAP' THEN 1 WHEN 'IIP' THEN 2 ELSE 3 END,
    is_total, cpu, thread
