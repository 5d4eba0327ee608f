/* imsperf finding
title     = "A TCB of IMS is near the limit of one processor"
report    = "ims.dispatcher"
severity  = "medium"
unit      = "% of a processor"
limits    = { busy_pct = 70 }
value     = ["cpu_busy_pct"]
threshold = "busy_pct"
reason    = "A TCB runs on one processor at a time: what it serves waits in line, however many processors are idle."
source    = "IMS statistics records (types 450F and 4500): dispatcher statistics; the limit is a rule of thumb"
overruled = "TCBs of batch or utility work that nobody waits for."
*/
SELECT *
FROM report
WHERE value > threshold
