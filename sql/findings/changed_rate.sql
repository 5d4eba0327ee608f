/* imsperf finding
title       = "A class ends more or fewer transactions than at this hour of other days"
report      = "rmf.workload"
severity    = "low"
unit        = "1/s"
across_days = "end_per_s"
limits      = { days = 5, spreads = 6, share = 0.25, least_per_s = 1 }
reason      = "Work came at another time, was lost, or went to another system: other findings may follow from it."
source      = "Median and median absolute deviation of the same hour of other days; 1.483 makes it a standard deviation"
overruled   = "A holiday, a weekend, the end of a month, a test."
*/
SELECT
    *, end_per_s AS value,
    greatest($spreads * 1.483 * day_mad, $share * day_median) AS band,
    day_median + sign(value - day_median) * band AS threshold
FROM report
WHERE days >= $days AND kind = 'service' AND greatest(value, day_median) >= $least_per_s
    AND abs(value - day_median) > band
