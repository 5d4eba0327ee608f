/* imsperf check
title = "Configured partitions are those listed, *PHYSICAL* not among them"
unit = ""
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT v.run, v.system, place_of(v.start, 'Number of Configured Partitions') AS key,
    any_value(v.low + v.high) / 2 AS found, any_value(v.low + v.high) / 2 AS found_low, any_value(v.low + v.high) / 2 AS found_high,
    count(DISTINCT p.partition)::DOUBLE AS low,
    count(DISTINCT p.partition)::DOUBLE AS high
FROM printed_variable AS v
JOIN partition_row AS p USING (run, system, start)
WHERE v.name = 'Number of Configured Partitions' AND NOT p.total AND p.partition <> '*PHYSICAL*'
GROUP BY v.run, v.system, v.start
HAVING found IS NOT NULL
