/* imsperf finding
title     = "MQ waits for a log buffer"
report    = "mq.log"
severity  = "high"
unit      = "waits"
limits    = { waits = 0 }
value     = ["buffer_waits"]
threshold = "waits"
reason    = "Log writes do not keep up: puts of persistent messages wait."
source    = "SMF type 115 log manager statistics: waits for a buffer (OUTBUFF)"
overruled = "A burst of large messages."
*/
SELECT *
FROM report
WHERE value > threshold
