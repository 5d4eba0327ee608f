/* imsperf check
title = "ITR is that of three processors by the time printed beside it"
unit = "1/s"
source = "003, foils 7, 11 and 12, whose ITR was made from ms per transaction as printed: 3000 ms over it, rounded or cut"
*/
SELECT run, '' AS system, key || ' itr_tps' AS key, itr AS found, itr AS found_low, itr AS found_high,
    3000 / ms - (itr_high - itr_low) AS low, 3000 / ms + (itr_high - itr_low) / 2 AS high
FROM cics
WHERE run <> '003 T9'
