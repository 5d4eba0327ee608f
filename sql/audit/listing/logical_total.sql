/* imsperf check
title = "Utilization of logical processors, total, is dispatch time by the time they were online"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT run, system, place_of(start, partition || ' ' || type || ' LOG PROC Total') AS key,
    (lp_total_low + lp_total_high) / 2 AS found, lp_total_low AS found_low, lp_total_high AS found_high,
    100 * dispatch_low / nullif((seconds + 0.0005) * processors_high, 0) AS low,
    100 * dispatch_high / nullif((seconds - 0.0005) * processors_low, 0) AS high
FROM partition_row
WHERE lp_total_low IS NOT NULL AND dispatch_low IS NOT NULL AND processors_low > 0
