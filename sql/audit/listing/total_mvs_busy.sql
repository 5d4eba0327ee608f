/* imsperf check
title = "MVS BUSY of a type is that of its processors, weighted by their time online and not parked"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
WITH processor AS (
    SELECT *, online_low * (100 - parked_high) AS weight_low,
        online_high * (100 - greatest(parked_low, 0)) AS weight_high
    FROM cpu_row
    WHERE NOT total AND mvs_low IS NOT NULL  -- dashes where it was parked all the time
)
SELECT t.run, t.system, place_of(t.start, t.type || ' MVS BUSY') AS key,
    any_value(t.mvs_low + t.mvs_high) / 2 AS found, any_value(t.mvs_low) AS found_low,
    any_value(t.mvs_high) AS found_high,
    sum(greatest(c.weight_low, 0) * c.mvs_low) / nullif(sum(c.weight_high), 0) AS low,
    sum(c.weight_high * c.mvs_high) / nullif(sum(greatest(c.weight_low, 0)), 0) AS high
FROM cpu_row AS t
JOIN processor AS c USING (run, system, start, type)
WHERE t.total
GROUP BY t.run, t.system, t.start, t.type
HAVING found IS NOT NULL AND low IS NOT NULL AND high IS NOT NULL
