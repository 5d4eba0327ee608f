/* imsperf check
title = "MSU of a partition is its effective dispatch time by that of all CPs, of the capacity of the machine"
unit = "MSU/h"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds; not of partitions that have zIIPs, whose time counts too"
*/
SELECT p.run, p.system, place_of(p.start, p.partition || ' MSU Actual') AS key,
    (p.msu_low + p.msu_high) / 2 AS found, p.msu_low AS found_low, p.msu_high AS found_high,
    v.low * p.effective_low / ((p.seconds + 0.0005) * count_high) AS low,
    v.high * p.effective_high / ((p.seconds - 0.0005) * count_low) AS high
FROM partition_row AS p
JOIN processor_type AS t USING (run, system, start, type)
JOIN printed_variable AS v ON (v.run, v.system, v.start) = (p.run, p.system, p.start)
    AND v.name = 'CPC Capacity' AND v.low IS NOT NULL
WHERE p.type = 'CP' AND count_low > 0 AND p.msu_low IS NOT NULL AND p.effective_low IS NOT NULL
    AND (p.run, p.system, p.start, p.partition) NOT IN (
        SELECT (o.run, o.system, o.start, o.partition)
        FROM partition_row AS o
        WHERE o.type IN ('IIP', 'AAP')
    )
