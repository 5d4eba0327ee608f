/* imsperf finding
title     = "A channel path is busy"
report    = "rmf.channel"
severity  = "medium"
unit      = "%"
limits    = { busy_pct = 70 }
value     = ["total_util_pct", "bus_util_pct"]
threshold = "busy_pct"
reason    = "FICON response rises steeply above this: requests wait in PEND."
source    = """
RMF Report Analysis, Channel Path Activity: total utilisation; IBM advises 50 to 70 % at most for FICON"""
overruled = "A path for tape or copies alone."
*/
SELECT *
FROM report
WHERE value > threshold
