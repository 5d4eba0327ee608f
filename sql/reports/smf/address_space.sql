/* imsperf report
id       = "smf.address_space"
title    = "Address Spaces"
answers  = "Which address space uses the CPU, the zIIP and the I/O?"
key      = ["job", "step", "instance", "kind"]
time     = "interval_start_utc"
needs    = ["load_file", "run_config", "smf30_header", "smf30_identification", "smf30_io",
            "smf30_performance", "smf30_processor", "smf30_subsystem"]
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

[[column]]
name     = "run"
kind     = "text"
doc      = "Measurement"
from     = ["load_file.run"]

[[column]]
name     = "sysplex"
kind     = "text"
doc      = "Sysplex name"
from     = ["smf30_subsystem.smf30syp"]

[[column]]
name     = "system"
kind     = "text"
doc      = "System name"
from     = ["smf30_processor.system"]

[[column]]
name     = "interval_start"
kind     = "time"
doc      = "Interval start, local time of the system"
from     = ["smf30_processor.interval_start"]

[[column]]
name     = "interval_start_utc"
kind     = "time"
doc      = "Interval start, UTC; NULL for steps, jobs and totals since the start"
from     = ["smf30_identification.smf30iss", "smf30_identification.smf30iet"]

[[column]]
name     = "job"
label    = "JOB"
kind     = "text"
doc      = "Job name"
from     = ["smf30_identification.smf30jbn"]

[[column]]
name     = "step"
label    = "STEP"
kind     = "text"
doc      = "Step name"
from     = ["smf30_identification.smf30stm"]

[[column]]
name     = "instance"
label    = "NO"
kind     = "config"
total    = "same"
format   = "int"
doc      = "Tells address spaces of one job and step name apart, from 1"
from     = ["smf30_identification.smf30jnm", "smf30_identification.smf30asi"]

[[column]]
name     = "kind"
label    = "KIND"
kind     = "text"
doc      = "interval, step, job, since_start (a system address space): add rows of one kind only"
from     = ["smf30_subsystem.smf30typ"]

[[column]]
name     = "group_name"
label    = "GROUP"
kind     = "text"
doc      = "Group: as address_spaces of run.toml names the job, else by program"
from     = ["smf30_identification.smf30jbn", "smf30_identification.smf30pgm", "run_config.key"]

[[column]]
name     = "program"
label    = "PROGRAM"
kind     = "text"
doc      = "Program of the step"
from     = ["smf30_identification.smf30pgm"]

[[column]]
name     = "service_class"
label    = "SERVICE CLASS"
kind     = "text"
doc      = "Service class"
from     = ["smf30_performance.smf30scn"]

[[column]]
name     = "report_class"
label    = "REPORT CLASS"
kind     = "text"
doc      = "Report class"
from     = ["smf30_performance.smf30rcn"]

[[column]]
name     = "workload"
label    = "WORKLOAD"
kind     = "text"
doc      = "Workload"
from     = ["smf30_performance.smf30wlm"]

[[column]]
name     = "job_id"
label    = "JOB ID"
kind     = "text"
doc      = "JES job id"
from     = ["smf30_identification.smf30jnm"]

[[column]]
name     = "step_no"
label    = "STEP NO"
kind     = "config"
format   = "int"
doc      = "Step number"
from     = ["smf30_identification.smf30stn"]

[[column]]
name     = "asid"
label    = "ASID"
kind     = "config"
format   = "hex"
doc      = "Address space id"
from     = ["smf30_identification.smf30asi"]

[[column]]
name     = "cpu_s"
label    = "CPU"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time on CPs: TCB, SRB, I/O interrupts, region control task, hiperspace"
from     = ["smf30_processor.smf30cpt", "smf30_processor.smf30cps", "smf30_processor.smf30icu",
            "smf30_processor.smf30isb", "smf30_processor.smf30iip", "smf30_processor.smf30rct",
            "smf30_processor.smf30hpt"]

[[column]]
name     = "tcb_s"
label    = "TCB"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time under TCBs on CPs"
from     = ["smf30_processor.smf30cpt", "smf30_processor.smf30icu"]

[[column]]
name     = "srb_s"
label    = "SRB"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time under SRBs on CPs"
from     = ["smf30_processor.smf30cps", "smf30_processor.smf30isb"]

[[column]]
name     = "cpu_pct"
label    = "CPU %"
unit     = "%"
kind     = "ratio"
num      = "cpu_us"
den      = "interval_us"
scale    = 100
format   = "2"
doc      = "CPU time on CPs, of one CP"
from     = ["smf30_processor.smf30cpt", "smf30_processor.smf30cps", "smf30_processor.smf30icu",
            "smf30_processor.smf30isb", "smf30_processor.smf30iip", "smf30_processor.smf30rct",
            "smf30_processor.smf30hpt", "smf30_identification.smf30iss",
            "smf30_identification.smf30iet"]

[[column]]
name     = "enclave_s"
label    = "ENCLAVE"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time of independent enclaves, part of CPU"
from     = ["smf30_processor.smf30enc"]

[[column]]
name     = "ziip_s"
label    = "ZIIP"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time on zIIPs, at zIIP speed"
from     = ["smf30_processor.smf30_time_on_ziip"]

[[column]]
name     = "ziip_pct"
label    = "ZIIP %"
unit     = "%"
kind     = "ratio"
num      = "ziip_us"
den      = "interval_us"
scale    = 100
format   = "2"
doc      = "CPU time on zIIPs, of one zIIP"
from     = ["smf30_processor.smf30_time_on_ziip", "smf30_identification.smf30iss",
            "smf30_identification.smf30iet"]

[[column]]
name     = "ziip_cp_s"
label    = "ZIIP AS CP"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "CPU time on zIIPs, as a CP would need"
from     = ["smf30_processor.smf30_time_on_ziip", "smf30_performance.smf30snf"]

[[column]]
name     = "ziip_on_cp_s"
label    = "ZIIP ON CP"
unit     = "s"
kind     = "count"
format   = "3"
doc      = "zIIP-eligible CPU time spent on CPs"
from     = ["smf30_processor.smf30_time_ziip_on_cp"]

[[column]]
name     = "excps"
label    = "EXCPS"
unit     = "blocks"
kind     = "count"
format   = "scaled"
doc      = "Blocks transferred"
from     = ["smf30_io.smf30tex", "smf30_io.smf30tep"]

[[column]]
name     = "excps_per_s"
label    = "EXCP/S"
unit     = "1/s"
kind     = "ratio"
num      = "excps"
den      = "interval_s"
format   = "rate"
doc      = "Blocks transferred a second"
from     = ["smf30_io.smf30tex", "smf30_io.smf30tep", "smf30_identification.smf30iss",
            "smf30_identification.smf30iet"]

[[column]]
name     = "ios"
label    = "I/OS"
unit     = "I/O"
kind     = "count"
format   = "scaled"
doc      = "DASD I/Os started"
from     = ["smf30_io.smf30ais"]

[[column]]
name     = "ios_per_s"
label    = "I/O/S"
unit     = "1/s"
kind     = "ratio"
num      = "io_count"
den      = "interval_s"
format   = "rate"
doc      = "DASD I/Os started a second"
from     = ["smf30_io.smf30ais", "smf30_identification.smf30iss", "smf30_identification.smf30iet"]

[[column]]
name     = "io_conn_ms"
label    = "CONN"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_conn_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "DASD connect time of an I/O"
from     = ["smf30_io.smf30aic", "smf30_io.smf30ais"]

[[column]]
name     = "io_disc_ms"
label    = "DISC"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_disc_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "DASD disconnect time of an I/O"
from     = ["smf30_io.smf30aid", "smf30_io.smf30ais"]

[[column]]
name     = "io_pend_ms"
label    = "PEND"
unit     = "ms"
better   = "lower"
kind     = "ratio"
num      = "io_pend_us"
den      = "io_count"
scale    = 0.001
format   = "device"
empty    = ""
doc      = "DASD pending and control unit queue time of an I/O"
from     = ["smf30_io.smf30aiw", "smf30_io.smf30ais"]

[[column]]
name     = "service_su"
label    = "SERVICE"
unit     = "service units"
kind     = "count"
format   = "scaled"
doc      = "Service of all kinds"
from     = ["smf30_performance.smf30srv_l", "smf30_performance.smf30srv"]

[[column]]
name     = "transactions"
label    = "TRX"
unit     = "transactions"
kind     = "count"
format   = "scaled"
doc      = "Transactions"
from     = ["smf30_performance.smf30trs"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["smf_address_space.interval_s"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval"
from     = ["smf_address_space.interval_us"]

[[column]]
name     = "io_count"
unit     = "I/O"
kind     = "part"
doc      = "DASD I/Os started"
from     = ["smf_address_space.io_count"]

[[column]]
name     = "cpu_us"
unit     = "us"
kind     = "part"
doc      = "CPU time on CPs"
from     = ["smf_address_space.cpu_us"]

[[column]]
name     = "ziip_us"
unit     = "us"
kind     = "part"
doc      = "CPU time on zIIPs"
from     = ["smf_address_space.ziip_us"]

[[column]]
name     = "io_conn_us"
unit     = "us"
kind     = "part"
doc      = "DASD connect time"
from     = ["smf_address_space.io_conn_us"]

[[column]]
name     = "io_disc_us"
unit     = "us"
kind     = "part"
doc      = "DASD disconnect time"
from     = ["smf_address_space.io_disc_us"]

[[column]]
name     = "io_pend_us"
unit     = "us"
kind     = "part"
doc      = "DASD pending time"
from     = ["smf_address_space.io_pend_us"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    job                                                          AS job,
    step                                                         AS step,
    instance                                                     AS instance,
    kind                                                         AS kind,
    group_name                                                   AS group_name,
    program                                                      AS program,
    service_class                                                AS service_class,
    report_class                                                 AS report_class,
    workload                                                     AS workload,
    job_id                                                       AS job_id,
    step_no                                                      AS step_no,
    asid                                                         AS asid,
    1e-6 * cpu_us                                                AS cpu_s,
    1e-6 * tcb_us                                                AS tcb_s,
    1e-6 * srb_us                                                AS srb_s,
    100 * cpu_us / nullif(interval_us, 0)                        AS cpu_pct,
    1e-6 * enclave_us                                            AS enclave_s,
    1e-6 * ziip_us                                               AS ziip_s,
    100 * ziip_us / nullif(interval_us, 0)                       AS ziip_pct,
    1e-6 * ziip_cp_us                                            AS ziip_cp_s,
    1e-6 * ziip_on_cp_us                                         AS ziip_on_cp_s,
    excps_count                                                  AS excps,
    excps_count / nullif(interval_s, 0)                          AS excps_per_s,
    io_count                                                     AS ios,
    io_count / nullif(interval_s, 0)                             AS ios_per_s,
    0.001 * io_conn_us / nullif(io_count, 0)                     AS io_conn_ms,
    0.001 * io_disc_us / nullif(io_count, 0)                     AS io_disc_ms,
    0.001 * io_pend_us / nullif(io_count, 0)                     AS io_pend_ms,
    service_su                                                   AS service_su,
    transactions_count                                           AS transactions,
    interval_s                                                   AS interval_s,
    interval_us                                                  AS interval_us,
    io_count                                                     AS io_count,
    cpu_us                                                       AS cpu_us,
    ziip_us                                                      AS ziip_us,
    io_conn_us                                                   AS io_conn_us,
    io_disc_us                                                   AS io_disc_us,
    io_pend_us                                                   AS io_pend_us
FROM smf_address_space
ORDER BY run, system, kind, interval_start_utc, interval_start, job, step, instance
