/* imsperf check
title = "The share of a type is the sum of its processors"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT t.run, t.system, place_of(t.start, t.type || ' LOG PROC SHARE') AS key,
    any_value(t.share_low + t.share_high) / 2 AS found, any_value(t.share_low) AS found_low,
    any_value(t.share_high) AS found_high, sum(c.share_low) AS low, sum(c.share_high) AS high
FROM cpu_row AS t
JOIN cpu_row AS c USING (run, system, start, type)
WHERE t.total AND NOT c.total
GROUP BY t.run, t.system, t.start, t.type
HAVING found IS NOT NULL AND low IS NOT NULL
