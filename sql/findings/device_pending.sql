/* imsperf finding
title     = "I/O waits to reach a volume"
report    = "rmf.device"
severity  = "medium"
unit      = "ms"
limits    = { pend_ms = 2, least_per_s = 1 }
value     = ["pend_ms"]
threshold = "pend_ms"
reason    = """
Pending time is spent on the way: channel paths, directors, control unit, a reserve of another system."""
source    = "RMF Report Analysis, Direct Access Device Activity: PEND, DB and CMR delay"
overruled = "Long distance to the control unit."
*/
SELECT *
FROM report
WHERE value > threshold AND rate_per_s >= $least_per_s
