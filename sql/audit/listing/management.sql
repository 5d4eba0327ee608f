/* imsperf check
title = "LPAR management is the total less the effective utilization of physical processors"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT run, system, place_of(start, partition || ' ' || type || ' LPAR MGMT') AS key,
    (mgmt_low + mgmt_high) / 2 AS found, mgmt_low AS found_low, mgmt_high AS found_high,
    phys_total_low - coalesce(phys_effective_high, 0) AS low,
    phys_total_high - coalesce(phys_effective_low, 0) AS high
FROM partition_row
WHERE mgmt_low IS NOT NULL AND phys_total_low IS NOT NULL
