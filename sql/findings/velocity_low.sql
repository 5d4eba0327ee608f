/* imsperf finding
title     = "A class of importance 1 or 2 is further from its velocity goal than at other times"
report    = "rmf.workload"
severity  = "medium"
unit      = "PI"
usual     = "perf_index"
limits    = { times = 2, least_pi = 1.3, importance = 2 }
value     = ["perf_index"]
threshold = "least_pi"
reason    = "Its work waits more for processors, storage or I/O than it does at the same hours."
source    = """
RMF Report Analysis, Workload Activity: execution velocity. Against its usual value, since WLM manages \
regions by the goals of the transactions they serve, whatever their own velocity"""
overruled = "A class with little work: few samples."
*/
SELECT *
FROM report
WHERE value > threshold AND importance BETWEEN 1 AND $importance AND kind = 'service'
    AND period IS NOT NULL AND goal_kind = 'velocity'
