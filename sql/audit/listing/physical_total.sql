/* imsperf check
title = "Utilization of physical processors, total, is dispatch time by that of all processors of the type"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT p.run, p.system, place_of(p.start, p.partition || ' ' || p.type || ' PHYS PROC Total') AS key,
    (phys_total_low + phys_total_high) / 2 AS found, phys_total_low AS found_low,
    phys_total_high AS found_high,
    100 * dispatch_low / nullif((seconds + 0.0005) * count_high, 0) AS low,
    100 * dispatch_high / nullif((seconds - 0.0005) * count_low, 0) AS high
FROM partition_row AS p
JOIN processor_type USING (run, system, start, type)
WHERE phys_total_low IS NOT NULL AND dispatch_low IS NOT NULL AND count_low > 0
