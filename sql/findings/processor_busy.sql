/* imsperf finding
title     = "Processors of a type are busy"
report    = "rmf.cpu"
severity  = "medium"
unit      = "%"
key       = ["type"]
limits    = { busy_pct = 95 }
value     = ["mvs_busy_pct"]
threshold = "busy_pct"
reason    = "What is not of the highest importance waits for a processor."
source    = "RMF Report Analysis, CPU Activity: MVS BUSY of all processors of a type"
overruled = "Discretionary work that takes what is left."
*/
SELECT *
FROM report
WHERE value > threshold AND cpu IS NULL
