/* imsperf finding
title     = "Programs wait long for database locks"
report    = "ims.irlm"
severity  = "medium"
unit      = "ms"
limits    = { wait_ms = 50, wait_pct = 0.1 }
value     = ["avg_wait_ms"]
threshold = "wait_ms"
reason    = "Another program holds the lock: a late commit, a hot record."
source    = "IRLM statistics in the IMS log: waits and their time"
overruled = "Batch programs with rare checkpoints."
*/
SELECT *
FROM report
WHERE value > threshold AND wait_pct > $wait_pct
