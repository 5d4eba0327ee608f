/* imsperf report
id       = "rmf.cpu_header"
title    = "CPU Activity: Machine"
answers  = "Which machine is it, what may it give, and was a boost on?"
key      = []
records_by = ["system", "interval_start"]
facts    = "rmf_cpu_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["cpc_capacity_msu"]
color    = "model"
facet    = "system"
title    = "Capacity of the machine, MSU/h"

[page]
layout   = "ours"
title    = "CPU Activity"

[[page.table]]
lines    = ["*"]

[columns]
machine_type     = { label = "CPU" }
model            = { label = "MODEL" }
hw_model         = { label = "H/W MODEL" }
sequence_code    = { label = "SEQUENCE CODE" }
hiperdispatch    = { label = "HIPERDISPATCH" }
cpc_capacity_msu = { label = "CPC CAPACITY", format = "int" }
change_reason    = { label = "CHANGE REASON" }
boost_type       = { label = "BOOST TYPE" }
boost_class      = { label = "BOOST CLASS" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, machine_type, model, hw_model,
    sequence_code, hiperdispatch, cpc_capacity_msu, change_reason, boost_type,
    boost_class, -- IPL, SHUTDOWN or RECOVERY PROCESS while a boost is on; place inferred
    interval_s
FROM rmf_machine
ORDER BY run, sysplex, system, interval_start_utc, interval_start
