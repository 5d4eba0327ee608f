/* imsperf finding
title     = "Lock requests meet contention in the coupling facility"
report    = "rmf.cf_structure"
severity  = "high"
unit      = "%"
limits    = { contention_pct = 5, least_per_s = 10 }
value     = ["contention_pct"]
threshold = "contention_pct"
reason    = "Each contention is settled by messages between systems while the program waits."
source    = "RMF Report Analysis, Coupling Facility Activity: lock contention; IBM advises below 2 %"
overruled = "A batch window in which data sharing work runs against each other on purpose."
*/
SELECT *
FROM report
WHERE value > threshold AND requests_per_s >= $least_per_s
    AND system IS DISTINCT FROM '*ALL'
