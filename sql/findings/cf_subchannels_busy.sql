/* imsperf finding
title     = "Requests wait for a subchannel to a coupling facility"
report    = "rmf.cf_subchannel"
severity  = "medium"
unit      = "%"
limits    = { delayed_pct = 10 }
value     = ["total_delayed_pct"]
threshold = "delayed_pct"
reason    = "All links to the facility are in use."
source    = "RMF Report Analysis, Subchannel Activity: delayed requests; IBM advises below 10 %"
overruled = "A rebuild of structures."
*/
SELECT *
FROM report
WHERE value > threshold
