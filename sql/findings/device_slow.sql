/* imsperf finding
title     = "A volume answers later than at other times"
report    = "rmf.device"
severity  = "high"
unit      = "ms"
usual     = "resp_ms"
limits    = { times = 3, least_ms = 1, least_per_s = 1 }
value     = ["resp_ms"]
threshold = "least_ms"
reason    = """
Every program that reads from the volume waits that much longer. PEND, DISC and CONN beside it say where."""
source    = "RMF Report Analysis, Direct Access Device Activity: response time and its parts"
overruled = "A backup or batch job that used the volume in that time and was meant to."
*/
SELECT *
FROM report
WHERE value > threshold AND rate_per_s >= $least_per_s
