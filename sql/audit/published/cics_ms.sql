/* imsperf check
title = "CPU time of a transaction is CPU used divided by ETR"
unit = "ms"
source = "003, foils 7 to 12: per cent of one processor"
*/
SELECT run, '' AS system, key || ' ms_per_tran' AS key, ms AS found, ms_low AS found_low,
    ms_high AS found_high, 10 * cpu_low / etr_high AS low, 10 * cpu_high / etr_low AS high
FROM cics
WHERE etr IS NOT NULL
