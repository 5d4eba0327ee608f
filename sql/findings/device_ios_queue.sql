/* imsperf finding
title     = "I/O waits in IOS for a volume"
report    = "rmf.device"
severity  = "medium"
unit      = "ms"
limits    = { iosq_ms = 1, least_per_s = 1 }
value     = ["iosq_ms"]
threshold = "iosq_ms"
reason    = "No address or alias of the volume is free: requests queue in z/OS before they start."
source    = "RMF Report Analysis, Direct Access Device Activity: IOSQ time"
overruled = "A volume that is meant for sequential work; few requests a second."
*/
SELECT *
FROM report
WHERE value > threshold AND rate_per_s >= $least_per_s
