/* imsperf check
title = "The TOTAL row of a type is the sum of its partitions, *PHYSICAL* among them"
unit = "as printed"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
WITH value AS (
    SELECT run, system, start, row_no, total, type, unnest([
        {name: 'WEIGHT', low: weight_low, high: weight_high},
        {name: 'EFFECTIVE time', low: effective_low, high: effective_high},
        {name: 'TOTAL time', low: dispatch_low, high: dispatch_high},
        {name: 'LPAR MGMT', low: mgmt_low, high: mgmt_high},
        {name: 'PHYS PROC Effective', low: phys_effective_low, high: phys_effective_high},
        {name: 'PHYS PROC Total', low: phys_total_low, high: phys_total_high}
    ], recursive := true)
    FROM partition_row
)
SELECT t.run, t.system, place_of(t.start, 'TOTAL ' || t.type || ' ' || t.name) AS key,
    any_value(t.low + t.high) / 2 AS found, any_value(t.low) AS found_low,
    any_value(t.high) AS found_high, sum(p.low) AS low, sum(p.high) AS high
FROM value AS t
JOIN value AS p USING (run, system, start, type, name)
WHERE t.total AND NOT p.total AND t.low IS NOT NULL
GROUP BY t.run, t.system, t.start, t.type, t.name
HAVING sum(p.low) IS NOT NULL
