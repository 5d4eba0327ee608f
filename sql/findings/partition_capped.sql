/* imsperf finding
title     = "WLM caps a partition"
report    = "rmf.partition"
severity  = "high"
unit      = "%"
limits    = { capped_pct = 1 }
value     = ["wlm_cap_pct"]
threshold = "capped_pct"
reason    = "Work waits although the machine has processors: the defined capacity or group limit is reached."
source    = "RMF Report Analysis, Partition Data Report: WLM capping percentage"
overruled = "A cap that is there to save licence charges, with all goals met."
*/
SELECT *
FROM report
WHERE value > threshold
