/* imsperf finding
title     = "A CICS region is at its limit of tasks (MXT)"
report    = "cics.transactions"
severity  = "high"
unit      = "ms a task"
key       = ["region"]
draws     = ["mxt_wait_us_sum"]
limits    = { ms = 1 }
reason    = "New tasks wait before their first dispatch until another one ends: no processor or database helps them."
source    = "CICS monitoring records (SMF type 110): first dispatch delayed by MXT; the limit is a rule of thumb"
overruled = "A limit that is meant to protect what the region calls: see where its tasks wait."
*/
SELECT
    run, system, interval_start, max(interval_s) AS interval_s, region,
    0.001 * sum(mxt_wait_us_sum) / nullif(sum(mxt_wait_us_n), 0) AS value, $ms AS threshold
FROM report
GROUP BY run, system, interval_start, region
HAVING value > threshold
