/* imsperf finding
title     = "Many lock requests meet false contention"
report    = "rmf.cf_structure"
severity  = "medium"
unit      = "%"
draws     = ["false_contention_count"]
limits    = { false_pct = 2, least_per_s = 10 }
reason    = "Different resources share an entry of the lock table: it is too small."
source    = "RMF Report Analysis, Coupling Facility Activity: false contention; IBM advises below 1 %"
overruled = "A lock structure being rebuilt."
*/
SELECT
    *, 100 * false_contention_count / nullif(lock_requests_count, 0) AS value,
    $false_pct AS threshold
FROM report
WHERE value > threshold AND requests_per_s >= $least_per_s
    AND system IS DISTINCT FROM '*ALL'
