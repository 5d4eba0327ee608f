/* imsperf report
id       = "smf.address_space"
title    = "Address Spaces"
answers  = "Which address space uses the CPU, the zIIP and the I/O?"
key      = ["job", "step", "instance", "kind"]
optional = ["run_config", "smf30_header", "smf30_io", "smf30_performance"]

[chart]
mark     = "bar"
x        = "job"
y        = ["cpu_pct", "ziip_pct"]
facet    = "system"
where    = "kind = 'interval'"
top      = 20
by       = "cpu_us"
title    = "CPU of the 20 largest address spaces, % of one processor"

[page]
layout   = "ours"
title    = "Address Spaces|Kind : {kind}"
breaks   = ["kind"]

[[page.table]]
columns  = """
job             -8  JOB
step            -8  STEP
program         -8  PROGRAM
group_name     -11  GROUP
service_class   -8  SERVICE|CLASS
cpu_s           10  CPU|SECONDS
cpu_pct          7  CPU|%
tcb_s           10  TCB|SECONDS
srb_s            9  SRB|SECONDS
ziip_s           9  ZIIP|SECONDS
ziip_pct         7  ZIIP|%
excps_per_s      6  EXCP|/SEC
ios_per_s        6  I/O|/SEC
io_conn_ms       4  CONN|MS
"""

[columns]
instance     = { label = "NO", total = "same", format = "int" }
kind         = { label = "KIND" }
report_class = { label = "REPORT CLASS" }
workload     = { label = "WORKLOAD" }
job_id       = { label = "JOB ID" }
step_no      = { label = "STEP NO", format = "int" }
asid         = { label = "ASID", format = "hex" }
cpu_s        = { label = "CPU", kind = "count", format = "3" }
tcb_s        = { label = "TCB", kind = "count", format = "3" }
srb_s        = { label = "SRB", kind = "count", format = "3" }
cpu_pct      = { format = "2" }
enclave_s    = { label = "ENCLAVE", kind = "count", format = "3" }
ziip_s       = { label = "ZIIP", kind = "count", format = "3" }
ziip_pct     = { format = "2" }
ziip_cp_s    = { label = "ZIIP AS CP", kind = "count", format = "3" }
ziip_on_cp_s = { label = "ZIIP ON CP", kind = "count", format = "3" }
excps        = { label = "EXCPS", kind = "count", format = "scaled" }
excps_per_s  = { label = "EXCP/S", format = "rate" }
ios          = { label = "I/OS", kind = "count", format = "scaled" }
ios_per_s    = { label = "I/O/S", format = "rate" }
io_conn_ms   = { label = "CONN", better = "lower", format = "device", empty = "" }
io_disc_ms   = { label = "DISC", better = "lower", format = "device", empty = "" }
io_pend_ms   = { label = "PEND", better = "lower", format = "device", empty = "" }
service_su   = { label = "SERVICE", kind = "count", format = "scaled" }
transactions = { label = "TRX", kind = "count", format = "scaled" }
*/
SELECT
    run, sysplex, system, interval_start,
    interval_start_utc, -- Interval start, UTC; NULL for steps, jobs and totals since the start
    job, step, instance,
    kind, -- interval, step, job, since_start (a system address space): add rows of one kind only
    group_name, -- Group: as address_spaces of run.toml names the job, else by program
    program,
    service_class, -- Service class
    report_class, -- Report class
    workload, -- Workload
    job_id, step_no, asid,
    1e-6 * cpu_us                                                AS cpu_s, -- CPU time on CPs: TCB, SRB, I/O interrupts, region control task, hiperspace
    1e-6 * tcb_us                                                AS tcb_s, -- CPU time under TCBs on CPs
    1e-6 * srb_us                                                AS srb_s, -- CPU time under SRBs on CPs
    100 * cpu_us / nullif(interval_us, 0)                        AS cpu_pct, -- CPU time on CPs, of one CP
    1e-6 * enclave_us                                            AS enclave_s, -- CPU time of independent enclaves, part of CPU
    1e-6 * ziip_us                                               AS ziip_s, -- CPU time on zIIPs, at zIIP speed
    100 * ziip_us / nullif(interval_us, 0)                       AS ziip_pct, -- CPU time on zIIPs, of one zIIP
    1e-6 * ziip_cp_us                                            AS ziip_cp_s, -- CPU time on zIIPs, as a CP would need
    1e-6 * ziip_on_cp_us                                         AS ziip_on_cp_s, -- zIIP-eligible CPU time spent on CPs
    excps_count                                                  AS excps, -- Blocks transferred [blocks]
    excps_count / nullif(interval_s, 0)                          AS excps_per_s, -- Blocks transferred a second
    io_count                                                     AS ios, -- DASD I/Os started [I/O]
    io_count / nullif(interval_s, 0)                             AS ios_per_s, -- DASD I/Os started a second
    0.001 * io_conn_us / nullif(io_count, 0)                     AS io_conn_ms, -- DASD connect time of an I/O
    0.001 * io_disc_us / nullif(io_count, 0)                     AS io_disc_ms, -- DASD disconnect time of an I/O
    0.001 * io_pend_us / nullif(io_count, 0)                     AS io_pend_ms, -- DASD pending and control unit queue time of an I/O
    service_su,
    transactions_count                                           AS transactions, -- Transactions [transactions]
    interval_s, interval_us, io_count, cpu_us, ziip_us, io_conn_us, io_disc_us, io_pend_us
FROM smf_address_space
ORDER BY run, system, kind, interval_start_utc, interval_start, job, step, instance
