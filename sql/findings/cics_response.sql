/* imsperf finding
title     = "A CICS transaction takes longer than at other times"
report    = "cics.transactions"
severity  = "medium"
unit      = "ms"
usual     = "response_ms"
load      = "per_s"
limits    = { times = 3, least_ms = 5, least_per_s = 1 }
value     = ["response_ms"]
threshold = "least_ms"
reason    = "Its suspend, IMS and file waits beside it say where the time goes."
source    = "CICS monitoring records (SMF type 110): response and its parts"
overruled = "A transaction that waits for its user."
*/
SELECT *
FROM report
WHERE value > threshold AND per_s >= $least_per_s
