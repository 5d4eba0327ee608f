/* imsperf finding
title       = "A transaction uses another amount of CPU than at this hour of other days"
report      = "ims.transactions"
severity    = "low"
unit        = "us"
across_days = "cpu_us"
limits      = { days = 5, spreads = 6, share = 0.25, least_per_s = 1 }
reason      = "Its program, its data or what it calls changed: the same work costs more or less."
source      = "Median and median absolute deviation of the same hour of other days; 1.483 makes it a standard deviation"
overruled   = "A change that was meant: a new version, another mix of its messages."
*/
SELECT
    *, cpu_us AS value,
    greatest($spreads * 1.483 * day_mad, $share * day_median) AS band,
    day_median + sign(value - day_median) * band AS threshold
FROM report
WHERE days >= $days AND per_s >= $least_per_s AND abs(value - day_median) > band
