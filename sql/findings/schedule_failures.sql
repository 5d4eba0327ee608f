/* imsperf finding
title     = "Programs cannot be scheduled"
report    = "ims.scheduling"
severity  = "medium"
unit      = "%"
limits    = { failed_pct = 5 }
value     = ["failed_pct"]
threshold = "failed_pct"
reason    = "Intent conflicts or pools that are full: messages wait on the queue."
source    = """
IMS Performance Analyzer and IMS statistics records (type 45): scheduling statistics, failures by reason"""
overruled = "Serial programs."
*/
SELECT *
FROM report
WHERE value > threshold
