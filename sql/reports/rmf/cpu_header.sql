/* imsperf report
id       = "rmf.cpu_header"
title    = "CPU Activity: Machine"
answers  = "Which machine is it, what may it give, and was a boost on?"
key      = []
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_control", "smf70_1_product"]
page     = "rmf_cpu_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["cpc_capacity_msu"]
color    = "model"
facet    = "system"
title    = "Capacity of the machine, MSU/h"

[[column]]
name     = "machine_type"
label    = "CPU"
kind     = "text"
doc      = "Machine type"
from     = ["smf70_1_control.smf70mod"]

[[column]]
name     = "model"
label    = "MODEL"
kind     = "text"
doc      = "Model"
from     = ["smf70_1_control.smf70mdl"]

[[column]]
name     = "hw_model"
label    = "H/W MODEL"
kind     = "text"
doc      = "Hardware model"
from     = ["smf70_1_control.smf70hwm"]

[[column]]
name     = "sequence_code"
label    = "SEQUENCE CODE"
kind     = "text"
doc      = "Sequence code of the machine"
from     = ["smf70_1_control.smf70csc"]

[[column]]
name     = "hiperdispatch"
label    = "HIPERDISPATCH"
kind     = "config"
doc      = "HiperDispatch was active: YES or NO"
from     = ["smf70_1_control.smf70hhf"]

[[column]]
name     = "cpc_capacity_msu"
label    = "CPC CAPACITY"
unit     = "MSU/h"
kind     = "config"
format   = "int"
doc      = "Model capacity rating"
from     = ["smf70_1_control.smf70mcr"]

[[column]]
name     = "change_reason"
label    = "CHANGE REASON"
kind     = "config"
doc      = "Why the capacity last changed: N/A not reported, NONE never, else a code"
from     = ["smf70_1_control.smf70cai", "smf70_1_control.smf70ccr"]

[[column]]
name     = "boost_type"
label    = "BOOST TYPE"
kind     = "config"
doc      = "N none, S speed, I zIIP, B both"
from     = ["smf70_1_product.smf70fla"]

[[column]]
name     = "boost_class"
label    = "BOOST CLASS"
kind     = "config"
doc      = "IPL, SHUTDOWN or RECOVERY PROCESS while a boost is on; place inferred"
from     = ["smf70_1_product.smf70fla"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_machine.interval_s"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    machine_type                                                 AS machine_type,
    model                                                        AS model,
    hw_model                                                     AS hw_model,
    sequence_code                                                AS sequence_code,
    hiperdispatch                                                AS hiperdispatch,
    cpc_capacity_msu                                             AS cpc_capacity_msu,
    change_reason                                                AS change_reason,
    boost_type                                                   AS boost_type,
    boost_class                                                  AS boost_class,
    interval_s                                                   AS interval_s
FROM rmf_machine
ORDER BY run, system, interval_start_utc, interval_start
