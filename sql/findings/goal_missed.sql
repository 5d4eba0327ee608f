/* imsperf finding
title     = "A class of importance 1 or 2 misses its response goal"
report    = "rmf.workload"
severity  = "medium"
unit      = "PI"
limits    = { perf_index = 1.1, importance = 2, least_ended = 1 }
value     = ["perf_index"]
threshold = "perf_index"
reason    = """
The performance index is above 1: users wait longer than agreed. Findings above it may be the cause."""
source    = "RMF Report Analysis, Workload Activity: PERF INDX; WLM acts on importance 1 first"
overruled = "A goal nobody agreed on; few transactions."
*/
SELECT *
FROM report
WHERE value > threshold AND importance BETWEEN 1 AND $importance AND kind = 'service'
    AND period IS NOT NULL AND goal_kind IN ('percentile', 'average') AND ended >= $least_ended
