/* imsperf finding
title     = "MQ waits for a log buffer"
report    = "mq.log"
severity  = "high"
unit      = "waits"
limits    = { waits = 0 }
reason    = "Log writes do not keep up: puts of persistent messages wait."
source    = "SMF type 115 log manager statistics: waits for a buffer (OUTBUFF)"
overruled = "A burst of large messages."
*/
SELECT *, buffer_waits AS value, $waits AS threshold
FROM report
WHERE value > threshold
