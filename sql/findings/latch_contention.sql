/* imsperf finding
title     = "An IMS latch is often taken"
report    = "ims.latches"
severity  = "medium"
unit      = "%"
limits    = { contention_pct = 10, least_per_s = 10 }
value     = ["contention_pct"]
threshold = "contention_pct"
reason    = "Programs wait for one another inside IMS."
source    = "IMS Performance Analyzer and IMS statistics records (type 45): latch statistics"
overruled = "Latches whose waits are short: see wait per contention."
*/
SELECT *
FROM report
WHERE value > threshold AND contentions_per_s >= $least_per_s
