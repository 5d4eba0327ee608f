/* imsperf finding
title     = "Programs wait long for an enqueue"
report    = "rmf.enqueue"
severity  = "medium"
unit      = "s"
limits    = { avg_s = 1, least_events = 5 }
value     = ["avg_s"]
threshold = "avg_s"
reason    = "One holder keeps others waiting; the report names both."
source    = "RMF Report Analysis, Enqueue Activity: contention time"
overruled = "Batch jobs that wait for a data set by design."
*/
SELECT *
FROM report
WHERE value > threshold AND events >= $least_events
