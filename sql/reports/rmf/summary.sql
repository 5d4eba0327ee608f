/* imsperf report
id       = "rmf.summary"
title    = "Summary Report"
answers  = "Which interval is worth a look?"
key      = []
records_by = ["system", "interval_start"]
any_of   = ["smf70_1_product", "smf71_1_paging", "smf74_1_device"]

[chart]
mark     = "line"
x        = "interval_start"
y        = ["cpu_busy_pct"]
color    = "system"
title    = "CPU busy, per cent"

[page]
layout   = "RMF Report Analysis, SC34-2665"
heading  = "run"
breaks   = ["system"]
above    = """
                                      R M F   S U M M A R Y   R E P O R T
RUN {run:-24}  SYSTEM ID {system:-8}  START {first}  END {last}
NUMBER OF INTERVALS {intervals:5}       TOTAL LENGTH OF INTERVALS {length}

"""

[page.texts]
day        = "strftime(interval_start, '%m/%d')"
clock      = "strftime(interval_start, '%H.%M.%S')"
int        = "printf('%02d.%02d', interval_s::BIGINT // 60, interval_s::BIGINT % 60)"
first      = "strftime(min(interval_start) OVER page, '%m/%d/%Y-%H.%M.%S')"
last       = "strftime(max(interval_start + to_microseconds((interval_s * 1e6)::BIGINT)) OVER page, '%m/%d/%Y-%H.%M.%S')"
intervals  = "count(*) OVER page"
length     = """printf('%02d.%02d.%02d', (sum(interval_s) OVER page)::BIGINT // 3600,
    (sum(interval_s) OVER page)::BIGINT // 60 % 60, (sum(interval_s) OVER page)::BIGINT % 60)"""

# from sums; a line of what it has where an interval lacks a record
cpu_all    = "format('{:.1f}', 100 * sum(cp_busy_us) OVER page / nullif(sum(cp_online_us) OVER page, 0))"
resp_all   = """format('{:.2f}', (sum(iosq_us) OVER page / nullif(sum(iosq_io_count) OVER page, 0)
    + sum(device_us) OVER page / nullif(sum(measured_count) OVER page, 0)) / 1000)"""
dasd_all   = """format(if(sum(io_count) OVER page < 100 * sum(interval_s) OVER page, '{:.2f}', '{:.0f}'),
    sum(io_count) OVER page / nullif(sum(if(io_count IS NULL, NULL, interval_s)) OVER page, 0))"""
job_top    = "format('{:.0f}', max(job_max) OVER page)"
job_mean   = "format('{:.0f}', sum(job_count) OVER page / nullif(sum(if(job_count IS NULL, NULL, samples_count)) OVER page, 0))"
tso_top    = "format('{:.0f}', max(tso_max) OVER page)"
tso_mean   = "format('{:.0f}', sum(tso_count) OVER page / nullif(sum(if(tso_count IS NULL, NULL, samples_count)) OVER page, 0))"
stc_top    = "format('{:.0f}', max(stc_max) OVER page)"
stc_mean   = "format('{:.0f}', sum(stc_count) OVER page / nullif(sum(if(stc_count IS NULL, NULL, samples_count)) OVER page, 0))"
asch_top   = "format('{:.0f}', max(asch_max) OVER page)"
asch_mean  = "format('{:.0f}', sum(asch_count) OVER page / nullif(sum(if(asch_count IS NULL, NULL, samples_count)) OVER page, 0))"
omvs_top   = "format('{:.0f}', max(omvs_max) OVER page)"
omvs_mean  = "format('{:.0f}', sum(omvs_count) OVER page / nullif(sum(if(omvs_count IS NULL, NULL, samples_count)) OVER page, 0))"
swap_all   = "format('{:.2f}', sum(swap_count) OVER page / nullif(sum(if(swap_count IS NULL, NULL, interval_s)) OVER page, 0))"
demand_all = "format('{:.2f}', sum(page_in_count) OVER page / nullif(sum(if(page_in_count IS NULL, NULL, interval_s)) OVER page, 0))"

[[page.table]]
columns  = """
day             -5  DATE|MM/DD
clock           -8  TIME|HH.MM.SS
int              5  INT|MM.SS
cpu_busy_pct     5  CPU|BUSY
dasd_resp_ms     5  DASD|RESP
dasd_per_s       7  DASD|RATE
job_max          4  JOB|MAX
job_avg          4  JOB|AVE
tso_max          4  TSO|MAX
tso_avg          4  TSO|AVE
stc_max          4  STC|MAX
stc_avg          4  STC|AVE
asch_max         4  ASCH|MAX
asch_avg         4  ASCH|AVE
omvs_max         4  OMVS|MAX
omvs_avg         4  OMVS|AVE
swaps_per_s      6  SWAP|RATE
demand_per_s     7  DEMAND|PAGING
"""

[[page.table]]
where    = "row_place = max(row_place) OVER page AND count(*) OVER page > 1"
joined   = true
text     = "TOTAL/AVERAGE        {cpu_all:5} {resp_all:5} {dasd_all:7} {job_top:4} {job_mean:4} {tso_top:4} {tso_mean:4} {stc_top:4} {stc_mean:4} {asch_top:4} {asch_mean:4} {omvs_top:4} {omvs_mean:4} {swap_all:6} {demand_all:7}"

[columns]
cpu_busy_pct = { format = "1" }
dasd_resp_ms = { better = "lower", format = "device" }
dasd_per_s   = { format = "rate" }
job_max      = { kind = "highwater", format = "int" }
job_avg      = { format = "int" }
tso_max      = { kind = "highwater", format = "int" }
tso_avg      = { format = "int" }
stc_max      = { kind = "highwater", format = "int" }
stc_avg      = { format = "int" }
asch_max     = { kind = "highwater", format = "int" }
asch_avg     = { format = "int" }
omvs_max     = { kind = "highwater", format = "int" }
omvs_avg     = { format = "int" }
swaps_per_s  = { format = "rate" }
demand_per_s = { better = "lower", format = "rate" }
*/
WITH measured AS (
    SELECT run, sysplex, system, interval_start, interval_start_utc, interval_s
    FROM rmf_cpu_interval
    UNION ALL BY NAME
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s,
        lpar_busy_us AS cp_busy_us, lpar_online_us AS cp_online_us
    FROM rmf_cpu
    WHERE type = 'CP'
    UNION ALL BY NAME
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s,
        queue, max_count, total_count, samples_count
    FROM rmf_address_spaces
    WHERE kind = 'type'
    UNION ALL BY NAME
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s,
        io_count, iosq_us, device_us,
        CASE WHEN iosq_us IS NOT NULL THEN io_count END         AS iosq_io_count,
        CASE WHEN device_us IS NOT NULL THEN measured_count END AS measured_count
    FROM rmf_device
    WHERE device_class = 'DASD'
    UNION ALL BY NAME
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s,
        swap_count, page_in_count
    FROM rmf_paging
),
summed AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc,
        max(interval_s)                                         AS interval_s,
        sum(cp_busy_us)                                         AS cp_busy_us,
        sum(cp_online_us)                                       AS cp_online_us,
        sum(io_count)                                           AS io_count,
        sum(iosq_us)                                            AS iosq_us,
        sum(iosq_io_count)                                      AS iosq_io_count,
        sum(device_us)                                          AS device_us,
        sum(measured_count)                                     AS measured_count,
        max(samples_count)                                      AS samples_count,
        max(max_count) FILTER (queue = 'BATCH')                 AS job_max,
        max(total_count) FILTER (queue = 'BATCH')               AS job_count,
        max(max_count) FILTER (queue = 'TSO')                   AS tso_max,
        max(total_count) FILTER (queue = 'TSO')                 AS tso_count,
        max(max_count) FILTER (queue = 'STC')                   AS stc_max,
        max(total_count) FILTER (queue = 'STC')                 AS stc_count,
        max(max_count) FILTER (queue = 'ASCH')                  AS asch_max,
        max(total_count) FILTER (queue = 'ASCH')                AS asch_count,
        max(max_count) FILTER (queue = 'OMVS')                  AS omvs_max,
        max(total_count) FILTER (queue = 'OMVS')                AS omvs_count,
        max(swap_count)                                         AS swap_count,
        max(page_in_count)                                      AS page_in_count
    FROM measured
    GROUP BY run, sysplex, system, interval_start, interval_start_utc
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name
    system, -- System name
    interval_start, -- Interval start, local time of the system
    interval_start_utc, -- Interval start, UTC
    100 * cp_busy_us / nullif(cp_online_us, 0)                   AS cpu_busy_pct, -- LPAR busy of the CPs, of their online time
    (iosq_us / nullif(iosq_io_count, 0)
        + device_us / nullif(measured_count, 0)) / 1000 AS dasd_resp_ms, -- Mean response of all DASD: IOSQ + PEND + DISC + CONN
    io_count / nullif(interval_s, 0)                             AS dasd_per_s, -- DASD I/O a second
    job_max, -- Batch address spaces, most in a sample [address spaces]
    job_count / nullif(samples_count, 0)                         AS job_avg, -- Batch address spaces, mean of the samples [address spaces]
    tso_max, -- TSO address spaces, most in a sample [address spaces]
    tso_count / nullif(samples_count, 0)                         AS tso_avg, -- TSO address spaces, mean of the samples [address spaces]
    stc_max, -- Started tasks, most in a sample [address spaces]
    stc_count / nullif(samples_count, 0)                         AS stc_avg, -- Started tasks, mean of the samples [address spaces]
    asch_max, -- APPC address spaces, most in a sample [address spaces]
    asch_count / nullif(samples_count, 0)                        AS asch_avg, -- APPC address spaces, mean of the samples [address spaces]
    omvs_max, -- UNIX address spaces, most in a sample [address spaces]
    omvs_count / nullif(samples_count, 0)                        AS omvs_avg, -- UNIX address spaces, mean of the samples [address spaces]
    swap_count / nullif(interval_s, 0)                           AS swaps_per_s, -- Swaps of address spaces a second
    page_in_count / nullif(interval_s, 0)                        AS demand_per_s, -- Pages paged in a second, without VIO and swapping
    interval_s, -- Length of the interval [s]
    cp_busy_us, -- LPAR busy time of the CPs [us]
    cp_online_us, -- Online time of the CPs [us]
    io_count, -- DASD I/Os
    iosq_us, -- DASD time in the IOS queue [us]
    iosq_io_count, -- DASD I/Os whose time in the IOS queue is known
    device_us, -- DASD pending, disconnect and connect time [us]
    measured_count, -- DASD I/Os whose times are measured
    samples_count, -- RMF samples
    job_count, -- Batch address spaces, sum over the samples
    tso_count, -- TSO address spaces, sum over the samples
    stc_count, -- Started tasks, sum over the samples
    asch_count, -- APPC address spaces, sum over the samples
    omvs_count, -- UNIX address spaces, sum over the samples
    swap_count, page_in_count
FROM summed
ORDER BY run, sysplex, system, interval_start_utc, interval_start
