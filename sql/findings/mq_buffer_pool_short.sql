/* imsperf finding
title     = "A buffer pool of MQ is short"
report    = "mq.buffer_pools"
severity  = "high"
unit      = "% free"
limits    = { free_pct = 15 }
value     = ["lowest_pct"]
threshold = "free_pct"
reason    = "Below 15 % free pages MQ writes pages out in a hurry, below 5 % programs wait."
source    = "SMF type 115 buffer manager statistics; IBM MQ performance for z/OS"
overruled = "Messages that are meant to stay on a queue."
*/
SELECT *
FROM report
WHERE value < threshold
