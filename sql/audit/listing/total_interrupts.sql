/* imsperf check
title = "I/O interrupts a second of a type are the sum of its processors"
unit = "1/s"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT t.run, t.system, place_of(t.start, t.type || ' I/O Interrupts Rate') AS key,
    any_value(t.rate_low + t.rate_high) / 2 AS found, any_value(t.rate_low) AS found_low,
    any_value(t.rate_high) AS found_high, sum(c.rate_low) AS low, sum(c.rate_high) AS high
FROM cpu_row AS t
JOIN cpu_row AS c USING (run, system, start, type)
WHERE t.total AND NOT c.total
GROUP BY t.run, t.system, t.start, t.type
HAVING found IS NOT NULL AND low IS NOT NULL
