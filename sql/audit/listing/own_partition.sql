/* imsperf check
title = "LPAR BUSY of the system is the total utilization of the processors of its own partition"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds; with wait completion YES the two are counted otherwise"
*/
SELECT t.run, t.system, place_of(t.start, t.type || ' LPAR BUSY') AS key,
    (t.lpar_low + t.lpar_high) / 2 AS found, t.lpar_low AS found_low, t.lpar_high AS found_high,
    p.lp_total_low AS low, p.lp_total_high AS high
FROM cpu_row AS t
JOIN printed_variable AS v ON (v.run, v.system, v.start) = (t.run, t.system, t.start)
    AND v.name = 'MVS Partition Name'
JOIN printed_variable AS w ON (w.run, w.system, w.start) = (t.run, t.system, t.start)
    AND w.name = 'Wait Completion' AND w.text = 'NO'
JOIN partition_row AS p ON (p.run, p.system, p.start) = (t.run, t.system, t.start)
    AND p.partition = v.text AND p.type = t.type
WHERE t.total AND t.lpar_low IS NOT NULL AND p.lp_total_low IS NOT NULL
