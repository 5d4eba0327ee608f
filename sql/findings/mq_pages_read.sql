/* imsperf finding
title     = "MQ reads messages from disk"
report    = "mq.buffer_pools"
severity  = "medium"
unit      = "% found"
limits    = { hit_pct = 95, least_per_s = 100 }
value     = ["hit_pct"]
threshold = "hit_pct"
reason    = "Messages left the buffer pool before anybody got them: each get that misses waits for a page set."
source    = "SMF type 115 buffer manager statistics; IBM MQ performance for z/OS; the limit is a rule of thumb"
overruled = "Messages that are meant to stay on a queue for long."
*/
SELECT *
FROM report
WHERE value < threshold AND gets_per_s >= $least_per_s
