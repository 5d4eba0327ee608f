/* imsperf check
title = "ITR is ETR divided by the share of three processors in use"
unit = "1/s"
source = "003, foils 7 to 12: a three-way"
*/
SELECT run, '' AS system, key || ' itr_tps' AS key, itr AS found, itr_low AS found_low,
    itr_high AS found_high, 300 * etr_low / cpu_high AS low, 300 * etr_high / cpu_low AS high
FROM cics
WHERE etr IS NOT NULL
