/* imsperf finding
title     = "IMS waits for a log buffer"
report    = "ims.logger"
severity  = "high"
unit      = "waits"
key       = ["ims", "counter"]
limits    = { waits = 0 }
value     = ["count"]
threshold = "waits"
reason    = """
All OLDS buffers are full: every program that logs stops until a write ends. Writes are slow or buffers too \
few."""
source    = """
IMS Performance Analyzer and IMS statistics records (type 45): logger statistics, waits for a buffer, no \
checkpoint"""
overruled = "A few at a restart."
*/
SELECT *
FROM report
WHERE value > threshold AND part = 'logical' AND counter = 'bufwait_nonckpt'
