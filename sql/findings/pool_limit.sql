/* imsperf finding
title     = "A storage pool reached its upper limit"
report    = "ims.fixed_pools"
severity  = "high"
unit      = "times"
limits    = { times = 0 }
value     = ["upper_limit_reached"]
threshold = "times"
reason    = "Requests fail or wait: transactions may abend."
source    = "IMS Performance Analyzer and IMS statistics records (type 45): storage pools, upper limit reached"
overruled = "None."
*/
SELECT *
FROM report
WHERE value > threshold
