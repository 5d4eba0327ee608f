/* imsperf finding
title     = "An MQ queue is deeper than at other times"
report    = "mq.queues"
severity  = "medium"
unit      = "messages"
key       = ["queue_manager", "queue"]
usual     = "depth_max"
limits    = { times = 10, least_messages = 1000 }
value     = ["depth_max"]
threshold = "least_messages"
reason    = "Messages come faster than they are taken: they move from the buffer pool to the page set, and wait."
source    = "SMF type 116 queue accounting: most messages on the queue; the limit is a rule of thumb"
overruled = "A queue that a batch job empties at its time."
*/
SELECT *
FROM report
WHERE value > threshold
