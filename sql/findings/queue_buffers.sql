/* imsperf finding
title     = "The message queue has no buffer free"
report    = "ims.message_queue"
severity  = "medium"
unit      = "waits"
limits    = { waits = 0 }
value     = ["waits_no_buffer"]
threshold = "waits"
reason    = "Messages wait for I/O of the queue data sets."
source    = """
IMS Performance Analyzer and IMS statistics records (type 45): message queue pool, waits for a buffer"""
overruled = "A burst of long messages."
*/
SELECT *
FROM report
WHERE value > threshold
