/* imsperf finding
title     = "A coupling facility is busy"
report    = "rmf.cf_usage"
severity  = "medium"
unit      = "%"
key       = ["cf"]
limits    = { busy_pct = 50 }
reason    = "Service times rise; after a failure the other facility has to carry both."
source    = """
RMF Report Analysis, Coupling Facility Usage Summary: average CF utilisation; IBM advises below 50 %"""
overruled = "A facility that has no partner."
*/
SELECT *, busy_pct AS value, $busy_pct AS threshold
FROM report
WHERE value > threshold
