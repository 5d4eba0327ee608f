/* imsperf check
title = "Utilization of logical processors, effective, is dispatch time by the time they were online"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT run, system, place_of(start, partition || ' ' || type || ' LOG PROC Effective') AS key,
    (lp_effective_low + lp_effective_high) / 2 AS found, lp_effective_low AS found_low, lp_effective_high AS found_high,
    100 * effective_low / nullif((seconds + 0.0005) * processors_high, 0) AS low,
    100 * effective_high / nullif((seconds - 0.0005) * processors_low, 0) AS high
FROM partition_row
WHERE lp_effective_low IS NOT NULL AND effective_low IS NOT NULL AND processors_low > 0
