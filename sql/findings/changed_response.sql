/* imsperf finding
title       = "A class responds later than at this hour of other days"
report      = "rmf.workload"
severity    = "low"
unit        = "ms"
across_days = "resp_ms"
limits      = { days = 5, spreads = 6, share = 0.25, least_per_s = 1 }
reason      = "Users wait longer than on other days: findings of the same time above it may be the cause."
source      = "Median and median absolute deviation of the same hour of other days; 1.483 makes it a standard deviation"
overruled   = "Another mix of transactions on that day."
*/
SELECT
    *, resp_ms AS value,
    greatest($spreads * 1.483 * day_mad, $share * day_median) AS band,
    day_median + band AS threshold
FROM report
WHERE days >= $days AND kind = 'service' AND end_per_s >= $least_per_s AND value > threshold
