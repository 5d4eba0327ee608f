/* imsperf finding
title     = "An address space uses far more CPU than at other times"
report    = "smf.address_space"
severity  = "high"
unit      = "% of a CP"
key       = ["job"]
usual     = "cpu_pct"
limits    = { times = 3, least_pct = 40 }
value     = ["cpu_pct"]
threshold = "least_pct"
reason    = "A loop in a program takes about a whole processor and ends nothing."
source    = "SMF type 30 interval records: CPU time"
overruled = "A job with more work in that time: its I/Os and transactions rise as much."
*/
SELECT *
FROM report
WHERE value > threshold
