/* imsperf finding
title     = "An I/O processor is busy"
report    = "rmf.iop"
severity  = "medium"
unit      = "%"
limits    = { busy_pct = 60 }
value     = ["busy_pct"]
threshold = "busy_pct"
reason    = "All I/O of the machine starts there: above this its queue grows for every partition."
source    = "RMF Report Analysis, I/O Queuing Activity: IOP busy"
overruled = "Short bursts of other partitions."
*/
SELECT *
FROM report
WHERE value > threshold AND iop IS NOT NULL
