/* imsperf check
title = "Physical processors in all are the sum of the types"
unit = ""
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT t.run, t.system, place_of(t.start, 'Number of Physical Processors') AS key,
    any_value(t.count_low + t.count_high) / 2 AS found, any_value(t.count_low) AS found_low,
    any_value(t.count_high) AS found_high, sum(p.count_low) AS low, sum(p.count_high) AS high
FROM processor_type AS t
JOIN processor_type AS p USING (run, system, start)
WHERE t.total AND NOT p.total
GROUP BY t.run, t.system, t.start
