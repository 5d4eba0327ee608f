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
layout   = "RMF Report Analysis, SC34-2665"
title    = "CPU Activity"

[page.texts]
boost       = "CASE boost_type WHEN 'N' THEN 'NONE' WHEN 'S' THEN 'SPEED' WHEN 'I' THEN 'ZIIP' WHEN 'B' THEN 'ALL' ELSE '-' END"
class       = "CASE WHEN boost_type = 'N' THEN 'NONE' ELSE coalesce(boost_class, '-') END"

[[page.table]]
text     = """
CPU        {machine_type:-6} CPC CAPACITY {cpc_capacity_msu:5}        SEQUENCE CODE {sequence_code}
MODEL      {model:-6}                           HIPERDISPATCH={hiperdispatch}
H/W MODEL  {hw_model:-6} CHANGE REASON={change_reason:-10}  BOOST TYPE={boost:-7} BOOST CLASS={class}
"""

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
