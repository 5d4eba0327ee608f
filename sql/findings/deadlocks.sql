/* imsperf finding
title     = "IMS ends programs because of deadlocks"
report    = "ims.scheduling"
severity  = "low"
unit      = "1/min"
draws     = ["deadlocks"]
limits    = { per_min = 1 }
reason    = "Each one is backed out and done again."
source    = "IMS Performance Analyzer and IMS statistics records (type 45): scheduling statistics, deadlocks"
overruled = "Programs known to update in another order."
*/
SELECT *, 60 * deadlocks / nullif(interval_s, 0) AS value, $per_min AS threshold
FROM report
WHERE value > threshold
