/* imsperf finding
title     = "An address space uses far more CPU than at other times"
report    = "smf.address_space"
severity  = "high"
unit      = "% of a CP"
key       = ["job"]
usual     = "cpu_pct"
limits    = { times = 3, least_pct = 40 }
reason    = "A loop in a program takes about a whole processor and ends nothing."
source    = "SMF type 30 interval records: CPU time"
overruled = "A job with more work in that time: its I/Os and transactions rise as much."
*/
SELECT *, cpu_pct AS value, greatest($times * usual, $least_pct) AS threshold
FROM report
WHERE value > threshold
