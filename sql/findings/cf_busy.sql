/* imsperf finding
title     = "A coupling facility is busy"
report    = "rmf.cf_usage"
severity  = "medium"
unit      = "%"
key       = ["cf"]
limits    = { busy_pct = 50 }
value     = ["busy_pct"]
threshold = "busy_pct"
reason    = "Service times rise; after a failure the other facility has to carry both."
source    = """
RMF Report Analysis, Coupling Facility Usage Summary: average CF utilisation; IBM advises below 50 %"""
overruled = "A facility that has no partner."
*/
SELECT *
FROM report
WHERE value > threshold
