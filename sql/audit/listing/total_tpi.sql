/* imsperf check
title = "The share of interrupts via TPI of a type is that of its processors, weighted by their rates"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT t.run, t.system, place_of(t.start, t.type || ' % VIA TPI') AS key,
    any_value(t.tpi_low + t.tpi_high) / 2 AS found, any_value(t.tpi_low) AS found_low,
    any_value(t.tpi_high) AS found_high,
    sum(greatest(c.rate_low, 0) * c.tpi_low) / nullif(sum(c.rate_high), 0) AS low,
    sum(c.rate_high * c.tpi_high) / nullif(sum(greatest(c.rate_low, 0)), 0) AS high
FROM cpu_row AS t
JOIN cpu_row AS c USING (run, system, start, type)
WHERE t.total AND NOT c.total
GROUP BY t.run, t.system, t.start, t.type
HAVING found IS NOT NULL AND low IS NOT NULL AND high IS NOT NULL
