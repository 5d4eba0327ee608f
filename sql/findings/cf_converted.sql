/* imsperf finding
title     = "Synchronous requests to a structure become asynchronous"
report    = "rmf.cf_structure"
severity  = "low"
unit      = "%"
limits    = { changed_pct = 10, least_per_s = 10 }
value     = ["changed_pct"]
threshold = "changed_pct"
reason    = "No subchannel was free: z/OS did not wait for one."
source    = "RMF Report Analysis, Coupling Facility Activity: CHNGD"
overruled = "Conversion by the heuristic for distant facilities."
*/
SELECT *
FROM report
WHERE value > threshold AND requests_per_s >= $least_per_s
    AND system IS DISTINCT FROM '*ALL'
