/* imsperf finding
title       = "Processors are busier or idler than at this hour of other days"
report      = "rmf.cpu"
severity    = "low"
unit        = "%"
key         = ["type"]
across_days = "mvs_busy_pct"
limits      = { days = 5, spreads = 6, points = 10 }
reason      = "Other work ran, or the same work cost more: compare rate and CPU of a transaction of these hours."
source      = "Median and median absolute deviation of the same hour of other days; 1.483 makes it a standard deviation"
overruled   = "A holiday, a weekend, the end of a month, a test."
*/
SELECT
    *, mvs_busy_pct AS value,
    greatest($spreads * 1.483 * day_mad, $points) AS band,
    day_median + sign(value - day_median) * band AS threshold
FROM report
WHERE days >= $days AND cpu IS NULL AND abs(value - day_median) > band
