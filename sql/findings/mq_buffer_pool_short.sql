/* imsperf finding
title     = "A buffer pool of MQ is short"
report    = "mq.buffer_pools"
severity  = "high"
unit      = "% free"
limits    = { free_pct = 15 }
reason    = "Below 15 % free pages MQ writes pages out in a hurry, below 5 % programs wait."
source    = "SMF type 115 buffer manager statistics; IBM MQ performance for z/OS"
overruled = "Messages that are meant to stay on a queue."
*/
SELECT *, lowest_pct AS value, $free_pct AS threshold
FROM report
WHERE value < threshold
