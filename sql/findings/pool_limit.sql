/* imsperf finding
title     = "A storage pool reached its upper limit"
report    = "ims.fixed_pools"
severity  = "high"
unit      = "times"
limits    = { times = 0 }
reason    = "Requests fail or wait: transactions may abend."
source    = "IMS Performance Analyzer and IMS statistics records (type 45): storage pools, upper limit reached"
overruled = "None."
*/
SELECT *, upper_limit_reached AS value, $times AS threshold
FROM report
WHERE value > threshold
