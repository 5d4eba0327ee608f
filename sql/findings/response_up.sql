/* imsperf finding
title     = "Responses take longer than at other times"
report    = "rmf.workload"
severity  = "medium"
unit      = "ms"
usual     = "resp_ms"
load      = "end_per_s"
limits    = { times = 2, least_ms = 1, least_per_s = 1 }
value     = ["resp_ms"]
threshold = "least_ms"
reason    = "The mean response of the class is far above its own at the same hours, with no more load."
source    = "RMF Report Analysis, Workload Activity: RESPONSE TIME"
overruled = "Another mix of transactions at that time."
*/
SELECT *
FROM report
WHERE value > threshold AND end_per_s >= $least_per_s AND kind IN ('service', 'report')
