/* imsperf finding
title     = "The message queue pool is too small for the queues"
report    = "ims.message_queue"
severity  = "medium"
unit      = "writes/s"
draws     = ["writes_for_space"]
limits    = { writes_per_s = 1 }
reason    = "A buffer is written to free it for another message: messages wait for I/O of the queue data sets, twice."
source    = "IMS statistics records (types 4502 and A10A): writes to free a buffer; the limit is a rule of thumb"
overruled = "Messages queued for programs or terminals that are stopped on purpose."
*/
SELECT *, writes_for_space / nullif(interval_s, 0) AS value, $writes_per_s AS threshold
FROM report
WHERE value > threshold
