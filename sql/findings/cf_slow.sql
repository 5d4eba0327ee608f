/* imsperf finding
title     = "Synchronous requests to a structure take longer than at other times"
report    = "rmf.cf_structure"
severity  = "medium"
unit      = "us"
usual     = "sync_us"
limits    = { times = 2, least_us = 20, least_per_s = 10 }
value     = ["sync_us"]
threshold = "least_us"
reason    = "The processor that asked spins for that time."
source    = "RMF Report Analysis, Coupling Facility Activity: SYNC service time"
overruled = "Larger data elements at that time."
*/
SELECT *
FROM report
WHERE value > threshold AND sync_count >= $least_per_s * interval_s
    AND system IS DISTINCT FROM '*ALL'
