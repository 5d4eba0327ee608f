/* imsperf check
title = "LPAR BUSY of a type is that of its processors, weighted by their online time"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT t.run, t.system, place_of(t.start, t.type || ' LPAR BUSY') AS key,
    any_value(t.lpar_low + t.lpar_high) / 2 AS found, any_value(t.lpar_low) AS found_low,
    any_value(t.lpar_high) AS found_high,
    sum(c.online_low * c.lpar_low) / nullif(sum(c.online_high), 0) AS low,
    sum(c.online_high * c.lpar_high) / nullif(sum(c.online_low), 0) AS high
FROM cpu_row AS t
JOIN cpu_row AS c USING (run, system, start, type)
WHERE t.total AND NOT c.total
GROUP BY t.run, t.system, t.start, t.type
HAVING found IS NOT NULL AND low IS NOT NULL
